"""Every block of assets/LIBRARY.md runs as it is written, from top to bottom, and draws its pictures."""

import re
from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[2] / "assets"
PAGE = (ASSETS / "LIBRARY.md").read_text(encoding="utf-8")


def test_the_page_runs_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, names)
    reported = capsys.readouterr().out
    dependent, independent = (
        float(re.search(rf"^{kind}: .*p = ([\d.]+)", reported, re.MULTILINE)[1])
        for kind in ("dependent", "independent")
    )
    assert dependent == 0.05 < independent
    assert "true SMI 6.15\n" in reported
    smi, high, bound = map(
        float, re.search(r"dependent: SMI ([\d.]+) \(.* to ([\d.]+)\), .* bound ([\d.]+)", reported).groups()
    )
    assert smi < high < bound < 6.15, "the page says what a bound above the interval means"
    ended = re.findall(r"^SMI ([\d.]+) after (\d+) iterations, converged: (\w+)$", reported, re.MULTILINE)
    assert [converged for *_, converged in ended] == ["False", "True"] and ended[0][0] == ended[1][0]
    assert int(re.search(r"(\d+)% found again", reported)[1]) >= 80
    drawn = {path.name for path in tmp_path.glob("*.png")}
    assert drawn == {Path(name).name for name in re.findall(r"!\[.*?\]\((library/.*?)\)", PAGE)}
    assert all((ASSETS / "library" / name).exists() for name in drawn)
