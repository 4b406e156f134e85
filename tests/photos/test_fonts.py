"""The list of the system's fonts is read once, and continued where it was stopped."""

from pathlib import Path

import pytest

from album_app.errors import Stopped
from album_app.photos import fonts
from tests.fonts import MakeFont, forget

WALL = [(60, 0, 180, 700)]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read, in order."""
    paths: list[str] = []
    font_facts = fonts.font_facts

    def noted(wanted: list[tuple[str, int]]):
        for font, facts in zip(wanted, font_facts(wanted), strict=True):
            paths.append(font[0])
            yield facts

    monkeypatch.setattr(fonts, "font_facts", noted)
    return paths


def test_a_list_that_is_stopped_ends_after_the_next_font_and_continues_there(
    make_font: MakeFont, read: list[str]
) -> None:
    made = {str(make_font(name, {"a": WALL})) for name in ("One", "Two", "Three")}
    with pytest.raises(Stopped):
        fonts.families(stop=lambda: len(read) == 2)
    assert len(read) == 2
    assert fonts.families() == ["One", "Three", "Two"]
    assert len(read) == 3 and set(read) == made, "each file once"


def test_a_font_that_comes_later_is_the_only_one_that_is_read(make_font: MakeFont, read: list[str]) -> None:
    make_font("Early", {"a": WALL})
    assert fonts.families() == ["Early"]
    late = make_font("Late", {"a": WALL})
    assert fonts.families() == ["Early", "Late"] and read[1:] == [str(late)]
    assert fonts.find_font("Late").path == late and len(read) == 2


def test_fonts_stand_in_the_order_of_their_families_whatever_their_capitals(make_font: MakeFont) -> None:
    for name in ("beta", "Alpha", "gamma", "Delta"):
        make_font(name, {"a": WALL})
    assert fonts.families() == ["Alpha", "beta", "Delta", "gamma"]


@pytest.mark.parametrize(
    ("system", "place"),
    [
        ("darwin", "Library/Fonts"),
        ("win32", "AppData/Local/Microsoft/Windows/Fonts"),
        ("linux", ".local/share/fonts"),
        ("linux", ".fonts"),
    ],
)
def test_fonts_of_ones_own_are_found_where_each_system_keeps_them(
    system: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOCALAPPDATA", "XDG_DATA_HOME", "XDG_DATA_DIRS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("album_app.photos.fonts.sys.platform", system)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    own = tmp_path / place / "Own.ttf"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"a font")
    forget()
    try:
        assert own in fonts.font_files()
    finally:
        forget()
