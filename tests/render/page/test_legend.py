"""The legend: what the colours of frames mean, in one line or two in the middle below the photos, never cut off."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from album_app.layout.colouring import colouring_of, ramp
from album_app.layout.layout import Layout
from album_app.photos.album import Album
from album_app.photos.decoding.header import Metadata, Row
from album_app.render import RenderSettings, plan_page
from album_app.render.page.compose import Colour, Sheet, draw_legend, draw_marker
from album_app.render.page.text_faces import Face, face_for
from tests.render.conftest import near
from tests.render.write_sheet import write_sheet

SETTINGS = RenderSettings(paper="A4", dpi=100, colour_by="kind", columns=("kind",))


class Noted:
    """A painter that notes what it is asked to draw."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, float, float, float]] = []  # the words, their ends, and the base line
        self.boxes: list[tuple[float, float, float, float]] = []
        self.colours: list[Colour] = []

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None:
        width = (face or face_for(line)).width(line, size)
        self.texts.append((line, x - width / 2, x + width / 2, y))

    def box(self, rect: tuple[float, float, float, float], radius: float, colour: Colour) -> None:
        self.boxes.append(rect)
        self.colours.append(colour)


def of_kinds(album: Album, *values: str) -> Album:
    rows = [Metadata(row=Row(("kind",), (value,))) for value in values]
    photos = (replace(photo, metadata=row) for photo, row in zip(album.photos, rows, strict=True))
    return replace(album, photos=tuple(photos))


def legend(layout: Layout, album: Album, settings: RenderSettings = SETTINGS) -> tuple[Noted, Sheet]:
    sheet, noted = Sheet.of(layout, album.photos, plan_page(layout, settings), settings), Noted()
    draw_legend(sheet, noted)  # type: ignore[arg-type]
    return noted, sheet


def ends(noted: Noted) -> tuple[float, float]:
    starts = [start for _, start, _, _ in noted.texts] + [x for x, *_ in noted.boxes]
    stops = [stop for _, _, stop, _ in noted.texts] + [x + width for x, _, width, _ in noted.boxes]
    return min(starts), max(stops)


def test_a_short_legend_is_one_line_in_the_middle_with_a_square_before_each_word(layout: Layout, album: Album) -> None:
    noted, sheet = legend(layout, of_kinds(album, *["cat", "dog", "cow"] * 2))
    assert [words for words, *_ in noted.texts] == ["kind:", "cat", "cow", "dog"]
    assert len({base for *_, base in noted.texts}) == 1
    start, stop = ends(noted)
    assert (start + stop) / 2 == pytest.approx(sheet.plan.width / 2, abs=1)
    colouring = colouring_of(sheet.photos, "kind")
    assert colouring is not None and noted.colours == [colour for _, colour in colouring.entries]
    for (x, _, width, height), (_, begin, _, _) in zip(noted.boxes, noted.texts[1:], strict=True):
        assert width == pytest.approx(height) and x + width < begin < x + 2 * width
    spread = sorted([(start, stop) for _, start, stop, _ in noted.texts] + [(x, x + w) for x, _, w, _ in noted.boxes])
    assert all(before[1] < after[0] for before, after in pairwise(spread)), "nothing overlaps"


@pytest.mark.parametrize("bleed", [0.0, 8.0])
@pytest.mark.parametrize("letters", [30, 40, 120])
def test_a_long_legend_takes_two_lines_and_words_are_cut_before_it_leaves_the_sheet(
    layout: Layout, album: Album, letters: int, bleed: float
) -> None:
    names = ["".join(chr(97 + (k + kind) % 26) for k in range(letters)) for kind in range(6)]
    noted, sheet = legend(layout, of_kinds(album, *names), replace(SETTINGS, bleed=bleed))
    bases = sorted({round(base, 3) for *_, base in noted.texts})
    assert len(bases) == 2 and bases[0] < bases[1] < sheet.plan.height
    start, stop = ends(noted)
    assert sheet.plan.trim < start < stop < sheet.plan.width - sheet.plan.trim
    cut = any(words.endswith("…") for words, *_ in noted.texts)
    assert cut == (letters == 120)


def test_numbers_have_a_ramp_between_the_least_and_the_largest(layout: Layout, album: Album) -> None:
    noted, _ = legend(layout, of_kinds(album, "1.5", "2", "3", "4", "5", "6.25"))
    assert [words for words, *_ in noted.texts] == ["kind:", "1.5", "6.25"]
    assert noted.colours == [tuple(colour) for colour in ramp().tolist()]
    (_, _, low, _), (_, high, _, _) = noted.texts[1:]
    x = [box[0] for box in noted.boxes]
    assert low < x[0] and x == sorted(x) and noted.boxes[-1][0] + noted.boxes[-1][2] < high


def test_without_colours_there_is_no_legend(layout: Layout, album: Album) -> None:
    plain, noted = RenderSettings(), Noted()
    draw_legend(Sheet.of(layout, album.photos, plan_page(layout, plain), plain), noted)  # type: ignore[arg-type]
    assert not noted.texts and not noted.boxes


def test_it_stands_below_the_photos_on_the_sheet(layout: Layout, album: Album, tmp_path: Path) -> None:
    from PIL import Image

    kinds = of_kinds(album, *["cat", "dog", "cow"] * 2)
    _, sheet = legend(layout, kinds)
    noted, _ = legend(layout, kinds)
    image = Image.open(write_sheet(layout, kinds, tmp_path / "sheet.png", SETTINGS)).convert("RGB")
    for (x, y, width, height), colour in zip(noted.boxes, noted.colours, strict=True):
        assert near(image.getpixel((round(x + width / 2), round(y + height / 2))), colour)
        assert y > max(sum(sheet.plan.tile_rect((1, column))[1::2]) for column in range(3))


@pytest.mark.parametrize("side", [24, 60, 400])
def test_a_pin_is_a_dot_in_the_middle_of_a_ring_in_the_upper_right_corner(side: int) -> None:
    noted = Noted()
    draw_marker(noted, (10, 20, side, 2 * side))  # type: ignore[arg-type]
    (left, top, diameter, height), (x, y, core, core_height) = noted.boxes
    assert diameter == height and core == core_height > 0
    assert x - left == y - top == left + diameter - x - core > 0
    assert left > 10 + side / 2 and left + diameter < 10 + side and 20 < top < 20 + side / 2
