"""Help texts: they take names and defaults from the tables and values they describe."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from album_app.layout.evaluation.suggest import PRESETS
from album_app.layout.options import Options
from album_app.layout.shapes.shape import KINDS
from album_app.photos.features import EXTRACTORS
from album_app.render import FORMATS, RenderSettings

from .conftest import Run

WORDS = {"landscape": "--orientation", "border_colour": "--border-colour"}


def help_of(run: Run, option: str) -> str:
    """What `arrange --help` says about one option, on one line."""
    text = " ".join(run("arrange", "--help").out.split("\n\nexamples:")[0].split())
    return text.rsplit(f" {option} ", 1)[1].split(" --")[0]


@pytest.mark.parametrize("described", [Options(), RenderSettings()], ids=["options", "settings"])
def test_defaults_are_those_that_hold(run: Run, described: object) -> None:
    for field in fields(described):  # type: ignore[arg-type]
        value = getattr(described, field.name)
        if isinstance(value, bool) or value in ("", ()) or field.name == "fit":  # --crop decides on `fit` as well
            continue
        said = help_of(run, WORDS.get(field.name, f"--{field.name.replace('_', '-')}"))
        assert f"(default: {'to suit' if value is None else value})" in said, field.name


def test_a_format_in_the_table_is_in_the_help(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before, lossy = help_of(run, "-o OUT, --output OUT").strip(), help_of(run, "--quality")
    assert before.startswith("write the sheet to this file: .png .jpg") and "JPEG, WebP" in lossy and "PNG" not in lossy
    monkeypatch.setitem(FORMATS, "BMP", replace(FORMATS["JPEG"], name="BMP", suffixes=(".bmp",)))
    assert help_of(run, "-o OUT, --output OUT").strip() == f"{before} .bmp"
    assert ", BMP," in help_of(run, "--quality")


def test_an_extractor_in_the_table_is_in_the_help(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("arrange", "score"):
        said = run(command, "--help").out
        assert "semantic" in said and "light:SIZE" not in said
    monkeypatch.setitem(EXTRACTORS, "light", replace(EXTRACTORS["rgb"], usage="light, light:SIZE"))
    for command in ("arrange", "score"):
        assert "light, light:SIZE" in " ".join(run(command, "--help").out.split())


def test_the_readme_lists_what_the_tables_hold() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    for name, entry in EXTRACTORS.items():
        assert f"| `{name}` | {entry.title} | {entry.sentence} |" in text
    assert f"**Export**: {', '.join(FORMATS)}, " in text


def test_shapes_and_presets_in_their_tables_are_in_the_help(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "auto, rows, circle" in help_of(run, "--shape") and "text" not in help_of(run, "--shape")
    monkeypatch.setitem(KINDS, "square", replace(KINDS["circle"], title="Square"))
    monkeypatch.setitem(PRESETS, "middle", lambda shape: ((shape.rows // 2, shape.columns // 2),))
    assert ", square" in help_of(run, "--shape")
    assert "{corners,letters,edges,middle}" in run("arrange", "--help").out
