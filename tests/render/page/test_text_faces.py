"""Text: which font, which characters, how much of it fits."""

from dataclasses import replace
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from album_app.layout.layout import Layout
from album_app.photos.album import Album
from album_app.photos.fonts import Font
from album_app.render import RenderSettings, plan_page
from album_app.render.page.compose import Sheet, caption_lines, draw_in_cells, fitted_caption_size
from album_app.render.page.text_faces import (
    ELLIPSIS,
    _runs,
    built_in,
    face_for,
    letters_without_glyph,
    printable,
    read_face,
    shorten,
)
from tests.fonts import MakeFont


def test_the_built_in_font_is_read_right() -> None:
    face = built_in()
    assert face.embeddable and not face.lacks("Album App 2024" + ELLIPSIS) and face.lacks("é漢") == 2
    assert face.width("iiii", 10) < face.width("WWWW", 10)
    drawn = face.at(200, "Hmn").getlength("Hmn")
    assert face.width("Hmn", 200) == pytest.approx(drawn, rel=0.02)


def test_what_turns_the_direction_of_writing_is_seen() -> None:
    for character in "\u061c\u200e\u200f\u202a\u202e\u2066\u2069":
        assert character not in printable(f"photo{character}gpj.exe") and printable(f"a{character}b") != "ab"


@pytest.mark.usefixtures("no_fonts")
def test_names_become_printable() -> None:
    assert printable("two\nlines\tand \x00 more") == "two lines and more"
    assert "\udcff" not in printable("caf\udcff.jpg")
    assert printable("Müller, Crète") == "Muller, Crete"
    assert printable("漢字 A") == " A" and letters_without_glyph(["漢字 A", "字"]) == "漢字"


def test_a_font_whose_maker_forbids_it_is_not_embedded(tmp_path: Path, make_font: MakeFont) -> None:
    font = TTFont(make_font("Other", {"a": [(60, 0, 180, 700)]}))
    for bits, allowed in ((0, True), (4, True), (2, False), (0x100, False)):
        font["OS/2"].fsType = bits
        font.save(tmp_path / f"{bits}.ttf")
        assert read_face(Font(tmp_path / f"{bits}.ttf")).embeddable is allowed


def test_a_font_that_cannot_be_read_is_passed_over(make_font: MakeFont) -> None:
    good = make_font("Other Sans", {"漢": [(60, 0, 180, 700)]})
    for name in ("DejaVuSans.ttf", "A-Regular.ttf"):
        (good.parent / name).write_bytes(good.read_bytes()[:300])
    assert face_for("漢").name == "Other Sans"
    assert face_for("字") is built_in() and printable("漢 字") == " "


@given(st.text(max_size=40), st.floats(4, 60), st.floats(0, 400))
def test_shortened_text_fits(text: str, size: float, width: float) -> None:
    text = printable(text)
    short = shorten(text, size, width)
    assert face_for(short).width(short, size) <= width or not short or short == text
    assert short == text or short == "" or (short.endswith(ELLIPSIS) and text.startswith(short[:-1]))


def test_long_names_end_with_an_ellipsis() -> None:
    assert shorten("IMG_20240517_183012_HDR", 10, 60).endswith(ELLIPSIS)
    assert shorten("IMG_1", 10, 60) == "IMG_1"


def test_lines_of_two_directions_keep_their_spaces() -> None:
    assert _runs("abc שלום def") == ["abc ", "שלום", " def"]
    assert _runs("עם 2024 שלום") == [" שלום", "2024", "עם "], "from left to right as they stand on the line"


def test_a_long_caption_is_cut_at_its_end_alone() -> None:
    face = built_in()
    text = "An extraordinarily long caption that will certainly need more than the two lines it gets"
    size = fitted_caption_size(text, 10, 110, face)
    lines = caption_lines(text, size, 110, face)
    assert len(lines) == 2 and lines[0] in text and lines[1].endswith(ELLIPSIS) and size < 10
    assert all(face.width(line, size) <= 110 for line in lines)
    assert fitted_caption_size("Short", 10, 150, face) == 10 and caption_lines("Short", 10, 150, face) == ["Short"]


@given(st.lists(st.text("abcxyz", min_size=1, max_size=12), min_size=1, max_size=6), st.floats(20, 200))
def test_captions_break_between_words_alone(words: list[str], width: float) -> None:
    text = "_".join(words)
    lines = caption_lines(text, 7, width, built_in())
    assert len(lines) <= 2
    if len(lines) == 2:
        assert lines[0].endswith("_") and text.startswith(lines[0])
    if not any(line.endswith(ELLIPSIS) or not line for line in lines):
        assert "".join(lines) == text


def test_all_captions_of_a_sheet_have_one_size(layout: Layout, album: Album) -> None:
    names = ("a.png", "a_name_that_needs_two_lines_below.png", "middling_name.png", "b.png", "c.png", "d.png")
    photos = tuple(replace(photo, name=name) for photo, name in zip(album.photos, names, strict=True))
    settings = RenderSettings(cell=96, caption="name")
    sheet = Sheet.of(layout, photos, plan_page(layout.shape, settings), settings)
    written = Written()
    for photo, cells in sheet.cells.items():
        draw_in_cells(sheet, written, photo, Image.new("RGB", (8, 8)))
        assert cells
    assert len(written.sizes) > 6 and len(set(written.sizes)) == 1


class Written:
    """A painter that only notes the sizes of what is written."""

    def __init__(self) -> None:
        self.sizes: list[float] = []

    def picture(self, *drawn: object) -> None: ...

    def box(self, *drawn: object) -> None: ...

    def text(self, line: str, x: float, y: float, size: float, colour: object, face: object = None) -> None:
        self.sizes.append(size)
