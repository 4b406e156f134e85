"""The benchmark of hostile files: whatever is in them, each is shown or given a reason, and it says so."""

from pathlib import Path

import pytest

from album_app.cli import main
from album_app.photos.decoding.decode import Undecodable
from album_app.research.benchmarks import hostile


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus that is quickly made and read."""
    for name, count in {"CUTS": 2, "SCRAMBLED": 2, "FRAMES": 3}.items():
        monkeypatch.setattr(hostile, name, count)
    monkeypatch.setattr(hostile, "_bombs", lambda: iter(()))
    monkeypatch.setattr(hostile, "_peak", lambda: 0.0)  # the system counts what other tests' processes took, too


def test_every_file_is_shown_or_given_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("mine.jpg", "mine.ttf", "mine.json"):
        (tmp_path / name).write_bytes(b"my own")
    assert main(["bench", "hostile", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "files that were neither shown nor given a reason                              0" in out
    assert "not a JPEG picture, in spite of its name" in out
    assert "larger than 100 megapixels" in out
    assert "5 fonts tried, " in out and "3 masks tried, " in out and "9 state files tried, " in out


def test_it_falls_where_a_decoder_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    fails = hostile.MAKES_FAIL
    monkeypatch.setattr(hostile, "readings", lambda paths: (Undecodable(fails) for _ in paths))
    assert main(["bench", "hostile"]) == 1
    assert "MISSED" in capsys.readouterr().out
