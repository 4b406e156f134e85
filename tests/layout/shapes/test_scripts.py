"""Letters in any script: their font, direction, joins and lines, and the remarks about them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from album_app.errors import UsageError
from album_app.layout.pins import Pins
from album_app.layout.project.project_file import load_project, save_project
from album_app.layout.shapes.lettering.ink import pieces_and_holes
from album_app.layout.shapes.lettering.letters import Sign, as_seen, glyph, parts, without_features
from album_app.layout.shapes.lettering.typesetting import lines_of
from album_app.layout.shapes.shape import Shape, ShapeSpec, build_shape
from album_app.photos.fonts import BUILT_IN, can_shape, find_font, font_with, installed
from tests.fonts import Box, MakeFont, forget
from tests.layout.conftest import make_document

WALL: list[Box] = [(60, 0, 180, 700)]
RING: list[Box] = [(60, 0, 180, 700), (460, 0, 580, 700), (180, 0, 460, 120), (180, 580, 460, 700)]
BEH, ALEF = "\u0628", "\u0627"


def draw(text: str, cells: int, **wanted: object) -> Shape:
    return build_shape(replace(ShapeSpec("text", text=text), **wanted), cells)  # type: ignore[arg-type]


def rows_of_text(shape: Shape) -> int:
    """How many stripes of cells there are between empty rows."""
    used = np.pad(shape.mask.any(axis=1), 1)
    return int((used[1:] & ~used[:-1]).sum())


def test_a_word_finds_a_font_that_has_all_its_letters_and_says_which(make_font: MakeFont) -> None:
    make_font("Half Greek", {"Ω": RING})
    make_font("Whole Greek", {"Ω": RING, "Ι": WALL})
    shape = draw("LO ΩΙ", 200)
    assert shape.count == 200 and len(shape.centres) == 4
    assert shape.remark == "“ΩΙ” is set in Whole Greek: the built-in font has no such letters."
    fonts = [sign.font for line in lines_of("LO ΩΙ", "", 0.5, False, 1.25).lines for sign in line if sign]
    assert fonts[:2] == [BUILT_IN, BUILT_IN] and fonts[2] == fonts[3] == find_font("Whole Greek")


def test_the_built_in_font_draws_what_it_can_without_a_word(make_font: MakeFont) -> None:
    alone = draw("PHOTO", 250)
    make_font("Other", dict.fromkeys("PHOT", RING))
    again = draw("PHOTO", 250)
    assert again.same_cells(alone) and not again.remark


def test_letters_of_a_font_that_is_asked_for(make_font: MakeFont) -> None:
    path = make_font("Boxes", {"O": WALL, "H": RING})
    by_name, by_file = draw("O", 60, font="boxes"), draw("O", 60, font=str(path))
    assert by_name.same_cells(by_file) and pieces_and_holes(by_name.mask) == (1, 0)
    assert pieces_and_holes(draw("O", 60).mask) == (1, 1)
    mixed = draw("O L", 60, font="Boxes", wrap=False)
    assert mixed.remark == "“L” is set in the built-in font: Boxes has no such letters."
    with pytest.raises(UsageError, match="“Ω”"):
        draw("Ω", 60, font="Boxes")


def test_fonts_are_found_by_family_and_style(make_font: MakeFont) -> None:
    make_font("Plain Sans", {"a": WALL})
    assert [font.name for font in installed()] == ["Plain Sans"]
    assert find_font(" plain  sans ") == find_font("Plain Sans Regular") == installed()[0]
    assert find_font("") == BUILT_IN
    with pytest.raises(UsageError, match="no font called “Fancy”"):
        find_font("Fancy")


def test_fonts_of_pictures_serve_where_emoji_are_wanted_and_nowhere_else(
    make_font: MakeFont, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_font("Pictures", {"☺": RING, "Ω": RING})
    make_font("Strokes", {"Ω": WALL})
    monkeypatch.setattr("album_app.photos.fonts.Font.pictures", property(lambda font: font.name == "Pictures"))
    assert font_with("☺") is None
    assert font_with("☺", emoji=True) == find_font("Pictures")
    assert font_with("Ω") == find_font("Strokes")


def test_a_file_that_is_no_font_is_refused(tmp_path: Path, make_font: MakeFont) -> None:
    good = make_font("Good", {"Ω": RING})
    for name, content in (("text.ttf", b"hello"), ("cut.ttf", good.read_bytes()[:300]), ("empty.otf", b"")):
        (good.parent / name).write_bytes(content)
        with pytest.raises(UsageError, match="cannot be read"):
            find_font(str(good.parent / name))
    forget()
    assert [font.name for font in installed()] == ["Good"]
    assert font_with("Ω") == find_font("Good")
    with pytest.raises(UsageError, match="cannot be read"):
        find_font(str(tmp_path / "absent.ttf"))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("abc 12", "abc 12"),
        ("שלום", "םולש"),
        ("ab שלום cd", "ab םולש cd"),
        ("שלום 2024!", "!2024 םולש"),
        ("שלום ab cd דג", "גד ab cd םולש"),
        ("שלום 12.5 דג", "גד 12.5 םולש"),
        ("abc שלום 12 דג x", "abc גד 12 םולש x"),
    ],
)
def test_lines_are_seen_in_the_order_of_their_scripts(text: str, seen: str) -> None:
    split = parts(text)
    assert "".join(split[place] for place, _ in as_seen(split)) == seen


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e\u0301a", ["e\u0301", "a"]),
        ("👨\u200d👩\u200d👧👍🏽", ["👨\u200d👩\u200d👧", "👍🏽"]),
        ("🇬🇷🇯🇵x", ["🇬🇷", "🇯🇵", "x"]),
        ("❤\ufe0fU", ["❤\ufe0f", "U"]),
        ("كريت2", ["كريت", "2"]),
        ("क्रीट", ["क्रीट"]),
        ("ஶ்ரீ", ["ஶ்ரீ"]),
        ("島市", ["島", "市"]),
    ],
)
def test_what_belongs_together_is_drawn_in_one_go(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


@pytest.mark.skipif(not can_shape(), reason="this Pillow finds no FriBiDi")
def test_letters_that_join_are_drawn_joined_from_right_to_left(make_font: MakeFont) -> None:
    alone, first, last = [(60, 0, 340, 120)], [(0, 0, 340, 120), (240, 120, 340, 420)], [(60, 0, 500, 120)]
    features = (
        "languagesystem DFLT dflt; languagesystem arab dflt;"
        f"feature init {{ sub u{ord(BEH):04X} by beh.init; }} init;"
        f"feature fina {{ sub u{ord(ALEF):04X} by alef.fina; }} fina;"
    )
    make_font("Arabic", {BEH: alone, ALEF: alone}, {"beh.init": first, "alef.fina": last}, features)
    font = find_font("Arabic")
    assert len(glyph(Sign(BEH, font, True))) == 1
    joined = glyph(Sign(BEH + ALEF, font, True))
    assert len(joined) == 1, "one stroke"
    mask = joined[0].mask
    upper = np.flatnonzero(mask[: mask.shape[0] // 2].any(axis=0))
    assert upper.min() > mask.shape[1] / 2, "the first letter, which has the tooth, is on the right"
    assert len(draw(BEH + ALEF, 80).centres) == 2, "each letter has its middle"


def test_without_shaping_joined_letters_are_refused_with_what_helps(
    make_font: MakeFont, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_font("Arabic", {BEH: WALL, ALEF: WALL})
    monkeypatch.setattr("album_app.layout.shapes.lettering.letters.can_shape", lambda: False)
    glyph.cache_clear()
    with pytest.raises(UsageError, match="FriBiDi"):
        draw(BEH + ALEF, 100)


def test_a_face_keeps_eyes_and_mouth_and_a_rainbow_its_bands() -> None:
    face = Image.new("RGBA", (120, 120))
    pen = ImageDraw.Draw(face)
    pen.ellipse((4, 4, 116, 116), fill=(255, 210, 60))
    for box in ((35, 35, 50, 50), (70, 35, 85, 50), (35, 75, 85, 90)):
        pen.ellipse(box, fill=(90, 50, 20))
    rainbow = Image.new("RGBA", (120, 120))
    for band, colour in enumerate(("red", "yellow", "green", "blue")):
        ImageDraw.Draw(rainbow).rectangle((4, 20 * band + 10, 116, 20 * band + 30), fill=colour)
    figures = []
    for picture in (face, rainbow):
        pixels = np.asarray(picture).astype(np.int64)
        figures.append(without_features(pixels[..., :3], pixels[..., 3] >= 128))
    assert [pieces_and_holes(figure) for figure in figures] == [(1, 3), (1, 0)]


def test_an_emoji_of_the_system_becomes_a_figure() -> None:
    forget()
    if font_with("😀", emoji=True) is None:
        pytest.skip("this computer has no font with emoji")
    shape = draw("😀", 200)
    assert shape.count == 200 and len(shape.centres) == 1
    assert "😀" in shape.remark and 0.7 < shape.columns / shape.rows < 1.4


@pytest.mark.parametrize("text", ["Κρήτη", "クレタ島", "كريت", "क्रीट", "서울", "שלום"])
def test_words_of_many_scripts_hit_the_count_and_are_readable(text: str) -> None:
    forget()
    if font_with(text) is None:
        pytest.skip("no font of this computer has these letters")
    shape = draw(text, 260)
    assert shape.count == 260 and shape.remark.startswith(f"“{text}” is set in ") and "hard to read" not in shape.remark


def test_solid_figures_of_a_font_are_not_taken_for_strokes(make_font: MakeFont) -> None:
    make_font("Figures", {"■": [(0, 0, 700, 700)]})
    for cells in (30, 100, 260):
        shape = draw("■", cells)
        assert shape.count == cells and cells / (shape.rows * shape.columns) > 0.8
    assert draw("■ AB", 120).count == 120


def test_long_texts_break_where_their_letters_are_largest() -> None:
    wrapped, one_line = draw("ECML PKDD", 320), draw("ECML PKDD", 320, wrap=False)
    assert (rows_of_text(wrapped), rows_of_text(one_line)) == (2, 1)
    assert wrapped.count == one_line.count == 320 and len(wrapped.centres) == 8
    assert max(wrapped.columns / 1.25, wrapped.rows) < 0.7 * max(one_line.columns / 1.25, one_line.rows)


@pytest.mark.parametrize(
    ("text", "aspect", "lines"),
    [
        ("CRETE", 1.25, 1),
        ("ECML PKDD", 8.0, 1),
        ("ECML PKDD 2021", 1.25, 3),
        ("ECML PKDD\n2021", 0.3, 2),
        ("A QUITE LONG TEXT OF WORDS", 3.0, 2),
    ],
)
def test_lines_suit_the_sheet_and_those_given_stay(text: str, aspect: float, lines: int) -> None:
    assert len(lines_of(text, "", 0.5, True, aspect).lines) == lines


def test_a_text_that_cannot_be_read_says_how_many_cells_it_needs() -> None:
    shape = draw("Crete", 50)
    assert shape.count == 50 and "hard to read" in shape.remark
    needed = int(shape.remark.split("about ")[1].split(" ")[0])
    assert needed > 50 and not draw("Crete", needed).remark


def test_small_letters_stay_open_however_bold() -> None:
    for cells in (150, 320, 600):
        shape = draw("e", cells // 3, weight=0.8)
        assert pieces_and_holes(shape.mask) == (1, 1)
        column = shape.mask[:, -1]
        assert not column.all(), "an e is open on the right"


def test_a_project_opens_alike_where_its_font_is_missing(tmp_path: Path, make_font: MakeFont) -> None:
    path = make_font("Greek", {"Ω": RING, "Ι": WALL})
    spec = ShapeSpec("text", text="ΩΙ", font="Greek", wrap=False, cells=90)
    before = make_document(tmp_path, spec=spec, shape=build_shape(spec, 90), pins=Pins(), layout=None)
    save_project(before, tmp_path / "one.album")
    path.unlink()
    forget()
    after = load_project(tmp_path / "one.album")
    assert after.spec == spec and after.shape.same_cells(before.shape)
    assert (after.shape.centres, after.shape.remark) == (before.shape.centres, before.shape.remark)


def test_a_missing_font_is_replaced_and_named(make_font: MakeFont) -> None:
    shape = draw("HI", 80, font="Long Gone")
    assert shape.same_cells(draw("HI", 80)) and "“Long Gone” is not on this computer" in shape.remark


def test_projects_from_before_there_were_fonts_still_open(tmp_path: Path) -> None:
    spec = ShapeSpec("text", text="HI", cells=80)
    save_project(
        make_document(tmp_path, spec=spec, shape=build_shape(spec, 80), pins=Pins(), layout=None), tmp_path / "a.album"
    )
    content = (tmp_path / "a.album").read_text()
    for part in ('"font":"",', '"wrap":true,', '"inverted":false,', ',"remark":""'):
        assert part in content
        content = content.replace(part, "")
    (tmp_path / "a.album").write_text(content)
    assert load_project(tmp_path / "a.album").spec == spec
