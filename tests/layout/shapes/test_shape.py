"""Shapes: exactly the wanted cells, mirrored figures, corners and middles that are real cells."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from album_app.errors import UsageError
from album_app.layout.shapes.lettering.ink import pieces_and_holes
from album_app.layout.shapes.outlines import MAX_CELLS, best_rectangle, grown
from album_app.layout.shapes.shape import (
    KINDS,
    Kind,
    Shape,
    ShapeSpec,
    build_shape,
    grid_instead,
    parse_shape,
    rectangle,
    symmetries,
)


def test_a_rectangle_knows_its_cells() -> None:
    shape = rectangle(2, 3)
    assert shape.count == 6
    assert shape.cells.tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    assert shape.corners == ((0, 0), (0, 2), (1, 0), (1, 2))
    assert shape.bounds == (0, 0, 1, 2)
    assert shape.index_of((1, 0)) == 3
    assert shape.cell(3) == (1, 0)
    assert (1, 2) in shape
    assert (2, 0) not in shape
    assert (-1, 0) not in shape
    with pytest.raises(KeyError):
        shape.index_of((0, 3))


def test_coordinates_keep_the_proportions_of_the_sheet() -> None:
    assert rectangle(3, 5).coordinates[-1].tolist() == [0.5, 1.0]
    assert rectangle(1, 1).coordinates.tolist() == [[0.0, 0.0]]


def test_edge_middles_and_corners_of_small_sheets_name_no_cell_twice() -> None:
    assert rectangle(1, 1).corners == ((0, 0),)
    assert rectangle(1, 3).corners == ((0, 0), (0, 2))
    assert rectangle(5, 7).edge_middles == ((0, 3), (2, 6), (4, 3), (2, 0))


def test_corners_of_a_figure_are_its_cells_nearest_to_the_corners() -> None:
    diamond = build_shape(ShapeSpec("diamond"), 41)
    assert all(corner in diamond for corner in diamond.corners)
    assert len(diamond.corners) == 4


def test_the_nearest_free_cell_avoids_those_taken() -> None:
    shape = rectangle(2, 2)
    assert shape.nearest_free((0.1, 0.2)) == (0, 0)
    assert shape.nearest_free((0.1, 0.2), [(0, 0)]) == (0, 1)
    assert shape.nearest_free((9, 9), [(0, 0), (0, 1), (1, 0), (1, 1)]) is None


def test_a_shape_is_immutable_and_not_empty() -> None:
    mask = np.ones((2, 2), dtype=bool)
    shape = Shape(mask, "square")
    mask[0, 0] = False
    assert shape.count == 4
    with pytest.raises(ValueError, match="read-only"):
        shape.mask[0, 0] = False
    with pytest.raises(UsageError):
        Shape(np.zeros((2, 2), dtype=bool), "nothing")


@pytest.mark.parametrize(
    ("photos", "aspect", "size"),
    [
        (320, 1.25, "16x20"),
        (317, 1.25, "16x20"),
        (1, 1.25, "1x1"),
        (100, 1.0, "10x10"),
        (12, 0.75, "4x3"),
        (7, 1.5, "2x4"),
        (60, 1.25, "6x10"),
        (1000, 1.25, "25x40"),
        (98, 1.25, "7x14"),
        (98, 4 / 3, "9x11"),
        (61, 1.25, "7x9"),
        (44, 1.25, "5x9"),
        (310, 1.25, "15x21"),
        (997, 1.25, "27x37"),
        (10007, 1.25, "91x110"),
    ],
)
def test_automatic_sheets_are_near_the_aspect_with_few_empty_cells(photos: int, aspect: float, size: str) -> None:
    assert build_shape(ShapeSpec(aspect=aspect), photos).name == size


@given(photos=st.integers(1, 2000))
def test_no_cell_is_empty_where_a_sheet_at_most_twice_as_wide_allows_it(photos: int) -> None:
    shape = build_shape(ShapeSpec(), photos)
    widths = [columns for columns in range(1, photos + 1) if photos % columns == 0]
    if any(0.8 <= columns**2 / photos <= 2 for columns in widths):
        assert shape.count == photos
        assert shape.columns <= 2 * shape.rows


@pytest.mark.parametrize(
    ("words", "aspect"), [("4:3", 4 / 3), ("3:4", 0.75), ("16 : 9", 16 / 9), ("29.7:21", 29.7 / 21)]
)
def test_an_aspect_can_be_named(words: str, aspect: float) -> None:
    spec = parse_shape(words)
    assert (spec.kind, spec.aspect) == ("auto", pytest.approx(aspect))
    shape = build_shape(spec, 300)
    assert shape.columns / shape.rows == pytest.approx(aspect, rel=0.2)


@pytest.mark.parametrize("words", ["0:3", "4:0", "4:", ":3", "1:9999"])
def test_no_aspect_is_no_shape(words: str) -> None:
    with pytest.raises(UsageError):
        build_shape(parse_shape(words), 10)


def test_a_ring_or_letters_become_a_grid_for_the_photos_and_a_sheet_keeps_its_own() -> None:
    assert grid_instead(build_shape(ShapeSpec("ring"), 60), 60) == (6, 10)
    assert grid_instead(build_shape(ShapeSpec("text", text="HI"), 1000), 1000) == (25, 40)
    assert grid_instead(rectangle(3, 17), 60) == (3, 17)


def test_no_automatic_sheet_has_a_hole_where_an_aspect_between_1_2_and_2_1_leaves_none() -> None:
    for photos in range(1, 2001):
        full = [rows for rows in range(1, photos + 1) if photos % rows == 0 and rows <= 2 * photos // rows <= 4 * rows]
        rows, columns = best_rectangle(photos)
        assert rows * columns == photos or not full, f"{photos} photos on {rows} x {columns}"


@pytest.mark.parametrize(
    ("rows", "columns", "count", "grown_to"),
    [
        (4, 5, 18, (4, 5)),
        (4, 5, 24, (4, 6)),
        (16, 20, 400, (18, 23)),
        (3, 30, 200, (5, 40)),
        (30, 3, 200, (50, 4)),
        (10, 20, 800, (20, 40)),
        (20, 10, 800, (40, 20)),
        (5, 40, 220, (5, 44)),
    ],
)
def test_a_rectangle_that_grows_keeps_its_proportions_and_loses_no_side(
    rows: int, columns: int, count: int, grown_to: tuple[int, int]
) -> None:
    assert grown(rows, columns, count) == grown_to


@settings(max_examples=40)
@given(count=st.integers(20, 2000))
def test_a_circle_has_no_nubs(count: int) -> None:
    mask = build_shape(ShapeSpec("circle"), count).mask
    shortest = min(side.sum() for side in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))
    assert shortest >= np.sqrt(mask.shape[1] - 2)  # a chord as high as half a cell is about twice as long


@given(photos=st.integers(1, 3000), aspect=st.floats(0.3, 3))
def test_automatic_sheets_hold_every_photo_and_little_else(photos: int, aspect: float) -> None:
    shape = build_shape(ShapeSpec(aspect=aspect), photos)
    assert photos <= shape.count
    assert shape.count - photos < max(shape.rows, shape.columns)
    if photos >= 100:
        assert abs(np.log(shape.columns / shape.rows / aspect)) < 0.3
        assert shape.count <= 1.1 * photos


@settings(max_examples=60)
@given(kind=st.sampled_from(["circle", "triangle", "heart", "ring", "diamond", "hexagon"]), count=st.integers(1, 700))
def test_figures_have_exactly_the_wanted_cells_and_no_margin(kind: str, count: int) -> None:
    shape = build_shape(ShapeSpec(kind), count)
    assert shape.count == count
    assert shape.bounds == (0, 0, shape.rows - 1, shape.columns - 1)
    assert any((way.matrix == np.diag([1, -1])).all() for way in symmetries(shape)), "mirrored left to right"
    if count >= 40:
        assert pieces_and_holes(shape.mask) == (1, int(kind == "ring"))


@pytest.mark.parametrize(
    ("kind", "aspect"), [("circle", 1), ("ring", 1), ("diamond", 1), ("heart", 1.1), ("triangle", 1.15), ("hexagon", 1)]
)
def test_figures_have_their_natural_proportions(kind: str, aspect: float) -> None:
    shape = build_shape(ShapeSpec(kind), 600)
    assert shape.columns / shape.rows == pytest.approx(aspect, rel=0.12)


def test_a_heart_has_a_cleft_and_a_point() -> None:
    mask = build_shape(ShapeSpec("heart"), 400).mask
    middle = mask.shape[1] // 2
    assert not mask[0, middle]
    assert mask[-1].sum() <= 3
    assert mask[mask.shape[0] // 2, middle]


@pytest.mark.parametrize("photos", [60, 100, 121, 122, 123, 124, 200, 320, 401, 500])
def test_a_heart_comes_to_a_point_row_by_row(photos: int) -> None:
    mask = build_shape(ShapeSpec("heart"), photos).mask
    widths = mask.sum(axis=1)
    assert widths[-1] in (1, 2) and (np.diff(widths[-3:]) < 0).all(), "no stump"
    assert not mask[0, mask.shape[1] // 2], "and it keeps its notch"


@pytest.mark.parametrize("side", range(2, 9))
def test_a_hexagon_of_the_right_number_of_cells_has_six_equal_sides(side: int) -> None:
    shape = build_shape(ShapeSpec("hexagon"), 3 * side * (side - 1) + 1)
    longer = list(range(side, 2 * side))
    assert shape.mask.sum(axis=1).tolist() == [*longer, *longer[-2::-1]]
    around = shape.frames().touching >= 0
    assert np.bincount(around.sum(axis=1))[[3, 4]].tolist() == [6, 6 * (side - 2)], "corners, and cells along the sides"


def test_the_wanted_number_of_cells_goes_before_the_number_of_photos() -> None:
    assert build_shape(ShapeSpec("circle", cells=50), 1000).count == 50
    assert build_shape(ShapeSpec(cells=48), 1000).name == "6x8"


@pytest.mark.parametrize(
    ("words", "spec"),
    [
        ("16x20", ShapeSpec("rectangle", 16, 20)),
        (" 3 X 4 ", ShapeSpec("rectangle", 3, 4)),
        ("auto", ShapeSpec("auto")),
        ("Heart", ShapeSpec("heart")),
    ],
)
def test_words_for_shapes(words: str, spec: ShapeSpec) -> None:
    assert parse_shape(words) == spec


@pytest.mark.parametrize("words", ["", "16", "x", "axb", "text", "mask", "16x20x3", "-3x4", "3.5x4"])
def test_words_that_are_no_shape(words: str) -> None:
    with pytest.raises(UsageError):
        parse_shape(words)


@pytest.mark.parametrize(
    "spec",
    [
        ShapeSpec("rectangle", 0, 4),
        ShapeSpec("rectangle", 1000, 1000),
        ShapeSpec("spiral"),
        ShapeSpec("circle", cells=-1),
        ShapeSpec("circle", cells=10**9),
        ShapeSpec(aspect=0),
        ShapeSpec(aspect=float("nan")),
        ShapeSpec("mask"),
        ShapeSpec("mask", mask="/nowhere/at/all.png"),
    ],
)
def test_impossible_shapes_are_refused_in_a_sentence(spec: ShapeSpec) -> None:
    with pytest.raises(UsageError, match=r"\.$"):
        build_shape(spec, 10)


def test_no_photos_give_no_shape() -> None:
    with pytest.raises(UsageError):
        build_shape(ShapeSpec(), 0)


def disc(mode: str, ink: object, paper: object) -> Image.Image:
    image = Image.new(mode, (400, 300), paper)
    ImageDraw.Draw(image).ellipse((100, 50, 300, 250), fill=ink)
    return image


@pytest.mark.parametrize(
    "image",
    [
        disc("L", 0, 255),
        disc("1", 0, 1),
        disc("RGB", (20, 10, 60), (250, 255, 240)),
        disc("RGBA", (0, 0, 0, 255), (0, 0, 0, 0)),
        disc("RGBA", (255, 255, 255, 255), (255, 255, 255, 0)),
    ],
    ids=["grey", "bits", "colour", "black on nothing", "white on nothing"],
)
@pytest.mark.parametrize("count", [1, 50, 317])
def test_the_dark_of_a_picture_becomes_cells(tmp_path: Path, image: Image.Image, count: int) -> None:
    image.save(tmp_path / "disc.png")
    shape = build_shape(ShapeSpec("mask", mask=str(tmp_path / "disc.png")), count)
    assert shape.count == count
    assert shape.name == "disc"
    assert shape.bounds == (0, 0, shape.rows - 1, shape.columns - 1)
    if count > 1:
        assert abs(shape.rows - shape.columns) <= 1
        assert pieces_and_holes(shape.mask) == (1, 0)
        assert not shape.mask[0, 0]


def test_an_all_black_picture_is_a_rectangle(tmp_path: Path) -> None:
    Image.new("L", (300, 200), 0).save(tmp_path / "black.png")
    shape = build_shape(ShapeSpec("mask", mask=str(tmp_path / "black.png")), 150)
    assert (shape.rows, shape.columns) == (10, 15)


def test_a_picture_without_dark_parts_is_refused(tmp_path: Path) -> None:
    Image.new("RGB", (50, 50), "white").save(tmp_path / "white.png")
    with pytest.raises(UsageError, match="nothing dark"):
        build_shape(ShapeSpec("mask", mask=str(tmp_path / "white.png")), 10)
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(UsageError, match="cannot be read"):
        build_shape(ShapeSpec("mask", mask=str(tmp_path / "text.png")), 10)


def test_a_row_in_the_table_is_a_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "square", Kind("Square", lambda spec, wanted: rectangle(*2 * [round(wanted**0.5)])))
    assert build_shape(parse_shape("Square"), 25).mask.shape == (5, 5)
    with pytest.raises(UsageError, match="hexagon, square"):
        parse_shape("cube")


@pytest.mark.parametrize("photos", [99_901, 99_991, MAX_CELLS, MAX_CELLS + 1, 10 * MAX_CELLS])
def test_any_number_of_photos_has_a_sheet(photos: int) -> None:
    shape = build_shape(ShapeSpec(), photos)
    assert min(photos, MAX_CELLS) <= shape.count <= MAX_CELLS
    assert 0.5 < shape.columns / shape.rows < 3
