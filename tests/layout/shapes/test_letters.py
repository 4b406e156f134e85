"""Letters: exact counts, connected strokes, open counters, empty columns between, and a real cell in every middle."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from album_app.errors import UsageError
from album_app.layout.shapes.lettering.ink import is_simple, openings, pieces_and_holes
from album_app.layout.shapes.lettering.letters import Sign, can_draw, glyph, text_lines
from album_app.layout.shapes.shape import Shape, ShapeSpec, build_shape

HOLES = {**dict.fromkeys("ADOPQR046 9", 1), **dict.fromkeys("B8", 2)}


def draw(text: str, cells: int, weight: float = 0.5, spacing: float = 0.5) -> Shape:
    return build_shape(ShapeSpec("text", text=text, weight=weight, spacing=spacing, wrap=False), cells)


def words(shape: Shape) -> list[np.ndarray]:
    """The parts of a one-line text between empty columns."""
    used = shape.mask.any(axis=0)
    starts = np.flatnonzero(used & ~np.concatenate([[False], used[:-1]]))
    ends = np.flatnonzero(used & ~np.concatenate([used[1:], [False]]))
    parts = [shape.mask[:, start : end + 1] for start, end in zip(starts, ends, strict=True)]
    return [part[part.any(axis=1)] for part in parts]


@pytest.mark.parametrize("cells", [200, 250, 320, 401, 599])
@pytest.mark.parametrize("weight", [0.0, 0.5, 0.8])
def test_ecml_pkdd_is_eight_letters_with_their_counters_open(cells: int, weight: float) -> None:
    shape = draw("ECML PKDD", cells, weight)
    assert shape.count == cells
    letters = words(shape)
    assert len(letters) == len(shape.centres) == 8
    for character, letter in zip("ECMLPKDD", letters, strict=True):
        assert pieces_and_holes(letter) == (1, HOLES.get(character, 0)), character
        assert openings(letter) >= glyph(Sign(character))[0].openings.max(), character
    assert np.array_equal(letters[6], letters[7]) or abs(int(letters[6].sum()) - int(letters[7].sum())) <= 2


def test_every_capital_and_digit_keeps_its_counters() -> None:
    for text in ("ABCDEFGHIJKLM", "NOPQRSTUVWXYZ", "0123456789"):
        shape = draw(text, 30 * len(text))
        for character, letter in zip(text, words(shape), strict=True):
            assert pieces_and_holes(letter) == (1, HOLES.get(character, 0)), character


@pytest.mark.parametrize(
    ("text", "cells"), [("LINDE", 123), ("NINA", 110), ("MIMI", 124), ("MAMA", 200), ("EMMA", 160)]
)
def test_letters_are_no_blocks_whatever_so_many_cells_suggest(text: str, cells: int) -> None:
    for character, letter in zip(text, words(draw(text, cells)), strict=True):
        if character in "MN":
            solid = letter.all(axis=1).mean()
            assert solid <= 0.25, f"{character}: {solid:.0%} of its rows are solid"
            assert letter.mean() <= 0.8, "bays are open"


def test_letters_that_are_hard_to_read_are_listed_one_by_one() -> None:
    def remark(text: str, cells: int) -> str:
        return build_shape(ShapeSpec("text", text=text), cells).remark

    assert remark("KLASSE 6e", 100).startswith("With 100 cells “6” and “e” are hard to read: the text needs about ")
    assert remark("Ag", 26).startswith("With 26 cells “g” is hard to read: the text needs about ")


@pytest.mark.usefixtures("no_fonts")
def test_thin_strokes_keep_a_text_readable_where_usual_ones_do_not() -> None:
    shape = draw("Sommer", 80)
    assert shape.count == 80 and not shape.remark


@pytest.mark.parametrize(("letter", "pieces"), [("i", 2), ("j", 2), ("í", 2), ("ï", 3), ("a", 1), ("ä", 3), ("ç", 2)])
@pytest.mark.usefixtures("no_fonts")
def test_an_accent_takes_the_place_of_the_dot_that_a_letter_has_without_one(letter: str, pieces: int) -> None:
    assert pieces_and_holes(draw(letter, 100).mask)[0] == pieces


def test_the_middle_of_a_character_is_its_cell_nearest_to_the_centroid() -> None:
    shape = draw("LO", 200)
    boundary = int(np.flatnonzero(~shape.mask.any(axis=0))[0])
    for centre, part in zip(shape.centres, (shape.cells[:, 1] < boundary, shape.cells[:, 1] > boundary), strict=True):
        cells = shape.cells[part]
        best = ((cells - cells.mean(axis=0)) ** 2).sum(axis=1).min()
        assert ((np.asarray(centre) - cells.mean(axis=0)) ** 2).sum() == pytest.approx(best)


@pytest.mark.parametrize("text", ["ECML\nPKDD", "ECML\\nPKDD", " ECML \n\n PKDD "])
def test_lines_lie_under_one_another_with_an_empty_row_between(text: str) -> None:
    shape = draw(text, 400)
    assert shape.count == 400
    assert len(shape.centres) == 8
    assert pieces_and_holes(shape.mask)[0] == 8
    assert not shape.mask.any(axis=1).all()
    assert {centre[0] < shape.rows / 2 for centre in shape.centres[:4]} == {True}
    assert shape.name == "ECML PKDD"


def test_the_lines_of_a_text_lie_in_its_middle() -> None:
    shape = draw("WWW\nI", 300)
    empty = int(np.flatnonzero(~shape.mask.any(axis=1))[0])
    middles = [np.flatnonzero(part.any(axis=0))[[0, -1]].mean() for part in (shape.mask[:empty], shape.mask[empty:])]
    assert middles[0] == pytest.approx(middles[1], abs=1.5)


def test_weight_and_spacing_change_the_letters() -> None:
    light, bold = draw("PHOTO", 400, weight=0.0), draw("PHOTO", 400, weight=1.0)
    assert light.rows > 1.5 * bold.rows
    tight, wide = draw("PHOTO", 400, spacing=0.0), draw("PHOTO", 400, spacing=1.0)
    assert wide.columns > tight.columns
    assert len(words(tight)) == 5, "never touching"


@pytest.mark.parametrize("text", ["Ä", "É", "ñ", "ç", "Š", "å", "î", "ő", "ÀÉÎÕÜ", "e\u0301"])
def test_accents_stand_apart_from_their_letters(text: str) -> None:
    shape = draw(text, 90 * len(unicodedata.normalize("NFC", text)))
    marks = {"\u0308": 2, "\u030b": 2}
    expected = sum(
        1 if not unicodedata.combining(part) else marks.get(part, 1) for part in unicodedata.normalize("NFD", text)
    )
    assert pieces_and_holes(shape.mask)[0] == expected
    assert len(shape.centres) == len(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize("text", ["", "  ", "\n", "\\n", "中", "a😀", "x\u0007", "ß\u0338", "\ud800", "\u0301"])
@pytest.mark.usefixtures("no_fonts")
def test_what_no_font_can_draw_is_said_in_a_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"\.$"):
        draw(text, 300)


@pytest.mark.usefixtures("no_fonts")
def test_the_missing_letter_is_named() -> None:
    with pytest.raises(UsageError, match=r"No font .* “Ω”"):
        draw("aΩ", 300)
    with pytest.raises(UsageError, match="at most"):
        draw("x" * 101, 5000)
    assert text_lines("x" * 100) == ["x" * 100]


def test_too_few_cells_for_a_text_say_how_many_it_needs() -> None:
    with pytest.raises(UsageError, match=r"at least \d+ cells") as caught:
        draw("ECML PKDD", 20)
    least = int("".join(filter(str.isdigit, str(caught.value).split("at least")[1].split("cells")[0])))
    assert draw("ECML PKDD", least).count == least


@pytest.mark.parametrize("spec", [ShapeSpec("text", text="a", weight=2), ShapeSpec("text", text="a", spacing=-1)])
def test_weight_and_spacing_have_bounds(spec: ShapeSpec) -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        build_shape(spec, 100)


@settings(max_examples=12)
@given(
    text=st.text(st.sampled_from("ABCDEGKMOPRSWXabdegikmopsty0258&?!.-éÖ"), min_size=1, max_size=6),
    each=st.integers(25, 70),
    weight=st.sampled_from([0.25, 0.5, 0.75]),
)
def test_any_text_has_exactly_the_wanted_cells(text: str, each: int, weight: float) -> None:
    shape = draw(text, each * len(text), weight)
    assert shape.count == each * len(text)
    assert shape.bounds == (0, 0, shape.rows - 1, shape.columns - 1)
    assert len(words(shape)) >= len(text)
    assert len(set(shape.centres)) == len(text)


@pytest.mark.parametrize(
    ("text", "cells"), [("I", 37), (".", 50), ("A", 3001), ("ABCDEFGHIJKLMNOPQRST", 300), ("-", 7)]
)
def test_extreme_texts_hit_the_count_too(text: str, cells: int) -> None:
    assert draw(text, cells).count == cells


def test_lines_are_tidied() -> None:
    assert text_lines(" a  b\\nc\t d\u00a0e \r\n\n") == ["a b", "c d e"]


def test_of_all_surroundings_those_are_simple_in_which_a_cell_joins_and_splits_nothing() -> None:
    for bits in range(256):
        mask = np.zeros((5, 5), bool)
        mask[1:4, 1:4].flat[[0, 1, 2, 3, 5, 6, 7, 8]] = [bool(bits >> bit & 1) for bit in range(8)]
        flipped = mask.copy()
        flipped[2, 2] = True
        assert (
            is_simple(mask, 2, 2) == is_simple(flipped, 2, 2) == (pieces_and_holes(mask) == pieces_and_holes(flipped))
        )


@given(st.integers(0, 2**25 - 1))
def test_a_simple_cell_changes_neither_pieces_nor_holes(bits: int) -> None:
    mask = np.array([bool(bits >> bit & 1) for bit in range(25)]).reshape(5, 5)
    flipped = mask.copy()
    flipped[2, 2] = not mask[2, 2]
    if is_simple(mask, 2, 2):
        assert pieces_and_holes(mask) == pieces_and_holes(flipped)


@pytest.mark.parametrize(
    ("part", "can"), [("a", True), ("é", True), ("Å", True), ("ç", True), ("a\u0360", False), ("Ж", False)]
)
def test_the_built_in_font_has_letters_whose_accents_it_can_draw_and_no_others(part: str, can: bool) -> None:
    assert can_draw(part) is can
