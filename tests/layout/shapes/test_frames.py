"""Frames: where photos lie, what touches what, blocks, justified rows, and sheets arranged on shifted rows."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from album_app.layout import Layout, Options, Pins, arrange, layout_scores
from album_app.layout.evaluation.insight import misfits
from album_app.layout.evaluation.scores import distances
from album_app.layout.shapes.frames import Frames, SheetGeometry, justified, unit_frames, with_blocks
from album_app.layout.shapes.outlines import HEXAGON_SHIFT
from album_app.layout.shapes.shape import Shape, book, rectangle, symmetries


def shifted(rows: int, columns: int) -> Shape:
    return replace(rectangle(rows, columns), shift=HEXAGON_SHIFT)


MASKS = (
    st.integers(1, 9)
    .flatmap(
        lambda columns: st.lists(st.lists(st.booleans(), min_size=columns, max_size=columns), min_size=1, max_size=9)
    )
    .filter(lambda rows: any(map(any, rows)))
)
ASPECTS = st.floats(0.3, 4.0)


def do_not_overlap(frames: Frames) -> bool:
    """Whether all frames lie apart and inside the sheet."""
    x, y, width, height = frames.boxes.T
    inside = min(x.min(), y.min()) > -1e-6 and (x + width).max() < frames.width + 1e-6
    across = np.minimum(x + width, (x + width)[:, None]) - np.maximum(x, x[:, None])
    down = np.minimum(y + height, (y + height)[:, None]) - np.maximum(y, y[:, None])
    apart = (np.minimum(across, down) < 1e-6) | np.eye(len(x), dtype=bool)
    return bool(inside and (y + height).max() < frames.height + 1e-6 and apart.all())


@given(MASKS, st.sampled_from([0.0, 0.25, 0.5]), st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_under_every_point_of_a_frame_lies_that_frame(
    rows: list[list[bool]], shift: float, down: float, over: float
) -> None:
    frames = unit_frames(np.array(rows), shift)
    assert do_not_overlap(frames)
    for number, (x, y, width, height) in enumerate(frames.boxes.tolist()):
        assert frames.at(x + over * width, y + down * height) == number == frames.of(frames.cell(number))


@given(MASKS, st.data())
def test_blocks_are_one_frame_each_and_nothing_overlaps(rows: list[list[bool]], data: st.DataObject) -> None:
    mask = np.array(rows)
    free, blocks = mask.copy(), []
    for size in data.draw(st.lists(st.integers(2, 3), max_size=3)):
        windows = [
            (row, column)
            for row, column in np.argwhere(free).tolist()
            if free[row : row + size, column : column + size].sum() == size**2
        ]
        if windows:
            row, column = data.draw(st.sampled_from(windows))
            free[row : row + size, column : column + size] = False
            blocks.append((row, column, size))
    frames = with_blocks(unit_frames(mask), blocks)
    assert do_not_overlap(frames) and len(frames) == mask.sum() - sum(size**2 - 1 for _, _, size in blocks)
    assert frames.boxes[:, 2:].prod(axis=1).sum() == mask.sum(), "they cover just the cells"
    for row, column, size in blocks:
        number = frames.of((row + size - 1, column + size - 1))
        assert frames.cell(number) == (row, column) and frames.boxes[number].tolist() == [column, row, size, size]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.data())
def test_justified_rows_are_equally_wide_and_show_whole_photos(counts: list[int], data: st.DataObject) -> None:
    mask = np.arange(max(counts)) < np.array(counts)[:, None]
    aspects = np.array([data.draw(ASPECTS) for _ in range(sum(counts))])
    gap, caption = data.draw(st.floats(0, 0.1)), data.draw(st.floats(0, 0.2))
    frames = justified(unit_frames(mask), aspects, gap, caption)
    assert do_not_overlap(frames)
    width, height = frames.boxes[:, 2] - gap, frames.boxes[:, 3] - gap - caption
    assert width / height == pytest.approx(aspects)
    ends = frames.boxes[:, 0] + frames.boxes[:, 2]
    last = np.cumsum(counts) - 1
    assert ends[last] == pytest.approx(np.full(len(counts), frames.width))


def test_pages_of_justified_rows_keep_to_their_pages() -> None:
    shape = replace(book(3, 2, 3), is_justified=True)
    frames = shape.justified(np.linspace(0.5, 2.5, shape.count), gap=0.05, caption=0.1)
    assert do_not_overlap(frames)
    units = shape.frames().cells
    page = (frames.boxes[:, 0] // 4).astype(int), (frames.boxes[:, 1] // 3).astype(int)
    assert (page[0] == units[:, 1] // 4).all() and (page[1] == units[:, 0] // 3).all()
    width, height = frames.boxes[:, 2] - 0.05, frames.boxes[:, 3] - 0.05 - 0.1
    assert width / height == pytest.approx(np.linspace(0.5, 2.5, shape.count)), "whole photos"


def test_a_block_touches_all_around_it_and_arrows_walk_over_it() -> None:
    frames = with_blocks(unit_frames(np.ones((4, 4), dtype=bool)), [(1, 1, 2)])
    large = frames.of((2, 2))
    assert (frames.touching[large] >= 0).sum() == 12
    cells = [frames.cell(frames.beyond(frames.of(cell), *way)) for cell, way in (
        ((0, 2), (1, 0)), ((2, 0), (0, 1)), ((1, 1), (0, 1)), ((1, 1), (1, 0)), ((3, 3), (0, 1)),
    )]  # fmt: skip
    assert cells == [(1, 1), (1, 1), (1, 3), (3, 1), (3, 3)]


def test_a_layout_joins_the_cells_of_large_photos() -> None:
    photo_at = np.array([7, 7, 1, 7, 7, 2, 3, 3, 4])
    sheet = Layout(rectangle(3, 3), photo_at, np.zeros(9), sizes={7: 2, 3: 2, 4: 3})
    assert len(sheet.frames()) == 6 and sheet.blocks == {7: (0, 0)}, "3 and 4 do not have the cells of a block"
    assert sheet.repeats == 1 and sheet.shown == (1, 2, 3, 4, 7)


def test_cells_of_a_hexagonal_grid_touch_six_others_and_those_touch_them() -> None:
    shape = shifted(5, 6)
    around = shape.frames().touching
    assert sorted(around[shape.index_of((2, 2))]) == [shape.index_of(c) for c in _six(2, 2, 1)]
    assert sorted(around[shape.index_of((3, 2))]) == [shape.index_of(c) for c in _six(3, 2, 2)]
    touching = [set(row) - {-1} for row in around.tolist()]
    assert all(cell in touching[other] for cell, others in enumerate(touching) for other in others)
    apart = distances(shape.places.astype(float), shape.places.astype(float))
    assert touching == [set(np.flatnonzero((row > 0) & (row < 1.2))) for row in apart], "they are the nearest ones"


def _six(row: int, column: int, first: int) -> list[tuple[int, int]]:
    in_row = [(row, column - 1), (row, column + 1)]
    return sorted([*in_row, *((row + down, first + over) for down in (-1, 1) for over in (0, 1))])


def test_squares_touch_eight_others() -> None:
    around = rectangle(3, 3).frames().touching
    assert around[4].tolist() == [0, 1, 2, 3, 5, 6, 7, 8] and sorted(around[0]) == [-1] * 5 + [1, 3, 4]


@pytest.mark.parametrize(("rows", "ways"), [(3, 2), (4, 2), (5, 2)])
def test_only_mirrors_that_keep_shifted_rows_are_symmetries(rows: int, ways: int) -> None:
    shape = shifted(rows, 4)
    found = symmetries(shape)
    assert len(found) == ways
    for way in found:
        assert np.allclose(shape.coordinates[way.before] @ way.matrix.T + way.shift, shape.coordinates)
    turned = found[-1].matrix.diagonal().tolist()
    assert turned == ([-1, -1] if rows % 2 == 0 else [-1, 1])


def test_corners_and_nearest_cells_go_by_where_cells_lie() -> None:
    shape = shifted(4, 4)
    assert shape.corners == ((0, 0), (0, 3), (3, 0), (3, 3))
    assert shape.nearest_free((1, 1), [(1, 1)]) in [(1, 0), (1, 2)], "next to it, nearer than above"
    mask = np.array([[True, True, True], [False] * 3, [False] * 3, [True, True, True]])
    assert Shape(mask, "gap", shift=HEXAGON_SHIFT).nearest_free((2, 1)) == (3, 0), "nearer by half a cell than (3, 1)"


def test_a_sheet_is_arranged_by_where_cells_lie() -> None:
    shape = shifted(8, 9)
    photos = shape.coordinates + 0.01 * np.random.default_rng(0).random((72, 2))
    pins = Pins({index: shape.cell(index) for index in (0, 8, 63, 71)})
    sheet = arrange(photos, shape, pins, Options(seed=1))
    assert sorted(sheet.photo_at) == list(range(72)) and sheet.shape is shape
    off = np.linalg.norm(shape.places[sheet.photo_at] - shape.places, axis=1)
    assert off.mean() < 1.5, "photos that are their places lie about there"


def test_copies_of_a_photo_touch_nowhere_on_shifted_rows() -> None:
    shape = shifted(8, 9)
    photos = np.random.default_rng(0).random((24, 3))
    sheet = arrange(photos, shape, options=Options(seed=1, fill="repeat"))
    around = shape.frames().touching
    assert not ((sheet.photo_at[around] == sheet.photo_at[:, None]) & (around >= 0)).any()


def test_a_stranger_among_its_six_neighbours_is_a_misfit() -> None:
    shape = shifted(6, 6)
    features = np.zeros((36, 2), np.float32)
    features[:, 0] = np.linspace(0, 1, 36)
    features[14] = 50
    sheet = Layout(shape, np.arange(36), np.zeros(36, np.float32))
    assert misfits(sheet, features) == [14]


def test_scores_go_by_where_cells_lie() -> None:
    shape = shifted(9, 10)
    in_place = Layout(shape, np.arange(shape.count), np.zeros(shape.count, np.float32), Pins({44: shape.cell(44)}))
    assert layout_scores(in_place, shape.places) == {"dpq16": pytest.approx(1.0), "pin_pull": pytest.approx(1.0)}
    assert layout_scores(in_place, shape.entries)["dpq16"] < 0.9999, "photos that are alike in rows and columns are not"


def test_only_a_plain_sheet_has_shifted_rows() -> None:
    with pytest.raises(ValueError, match="plain sheet"):
        replace(book(2, 2, 2), shift=HEXAGON_SHIFT)
    assert not shifted(3, 3).same_cells(rectangle(3, 3)) and shifted(3, 3).same_cells(shifted(3, 3))


SIDES = st.integers(1, 20)
FRAMES = st.builds(
    lambda rows, columns, shift: unit_frames(np.ones((rows, columns), dtype=bool), shift),
    SIDES,
    SIDES,
    st.sampled_from([0, 0.25, 0.5]),
)
GEOMETRIES = st.builds(
    SheetGeometry,
    frames=FRAMES,
    cell_width=st.floats(1, 200),
    cell_height=st.floats(1, 200),
    gap=st.floats(0, 20),
    left=st.floats(0, 50),
    top=st.floats(0, 50),
    right=st.floats(0, 50),
    bottom=st.floats(0, 50),
)


def squares(rows: int, columns: int) -> Frames:
    return rectangle(rows, columns).frames()


@given(sheet=GEOMETRIES, inside=st.tuples(*[st.floats(0.01, 0.99)] * 4))
def test_a_point_in_a_frame_leads_back_to_its_cell(sheet: SheetGeometry, inside: tuple[float, ...]) -> None:
    rows, columns = sheet.frames.grid.shape
    cell = int(inside[0] * rows), int(inside[1] * columns)
    x, y, width, height = sheet.rect(cell)
    assert sheet.cell_at(x + inside[2] * width, y + inside[3] * height) == cell


@given(GEOMETRIES)
def test_the_sheet_ends_where_its_last_frame_and_margin_end(sheet: SheetGeometry) -> None:
    x, y, width, height = sheet.rects.T
    assert (x + width).max() + sheet.right == pytest.approx(sheet.width)
    assert (y + height).max() + sheet.bottom == pytest.approx(sheet.height)


def test_outside_the_sheet_there_is_no_cell() -> None:
    sheet = SheetGeometry(squares(2, 3), 10, 10, 2, 5, 5, 5, 5)
    assert (sheet.width, sheet.height) == (44, 32)
    assert sheet.cell_at(5, 5) == (0, 0)
    assert sheet.cell_at(15.5, 5) == (0, 0), "the gap belongs half to either side"
    assert sheet.cell_at(16.5, 5) == (0, 1)
    for point in ((0, 10), (10, 0), (43, 10), (10, 31), (float("nan"), 3), (float("inf"), 3)):
        assert sheet.cell_at(*point) is None


@given(st.floats(1.5, 60), st.integers(1, 30))
def test_pixels_of_neighbours_meet(cell: float, columns: int) -> None:
    right = 0
    for x, _, width, _ in SheetGeometry(squares(1, columns), cell, cell).pixel_rects.tolist():
        assert x == right
        right = x + width


def test_what_a_rectangle_overlaps() -> None:
    sheet = SheetGeometry(squares(10, 10), 10, 10)
    found = [sheet.frames.cell(number) for number in sheet.frames_within(15, 25, 20, 10)]
    assert found == [(row, column) for row in (2, 3) for column in (1, 2, 3)]
    assert len(sheet.frames_within(-50, -50, 1000, 1000)) == 100
    assert len(sheet.frames_within(500, 500, 10, 10)) == 0
