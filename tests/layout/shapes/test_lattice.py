"""Shifted rows: where cells lie, what touches what, which mirrors keep them, and sheets arranged on them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from album_app.layout import Layout, Options, Pins, arrange, layout_scores
from album_app.layout.evaluation.insight import misfits
from album_app.layout.evaluation.scores import distances
from album_app.layout.shapes.lattice import HEXAGONAL, SQUARE, Lattice
from album_app.layout.shapes.shape import Shape, book, rectangle
from album_app.layout.shapes.symmetries import symmetries


def shifted(rows: int, columns: int) -> Shape:
    return replace(rectangle(rows, columns), lattice=HEXAGONAL)


@given(st.floats(0, 0.99), st.integers(0, 99), st.integers(0, 99), st.floats(-0.49, 0.49), st.floats(-0.49, 0.49))
def test_under_every_point_of_a_cell_lies_that_cell(
    shift: float, row: int, column: int, down: float, over: float
) -> None:
    lattice = Lattice(shift)
    point = lattice.positions((row, column)) + np.array([down, over])
    assert lattice.cells_at(point).tolist() == [row, column]


def test_cells_of_a_hexagonal_grid_touch_six_others_and_those_touch_them() -> None:
    shape = shifted(5, 6)
    around = HEXAGONAL.neighbours(shape.index)
    assert sorted(around[shape.index_of((2, 2))]) == [shape.index_of(c) for c in _six(2, 2, 1)]
    assert sorted(around[shape.index_of((3, 2))]) == [shape.index_of(c) for c in _six(3, 2, 2)]
    touching = [set(row) - {-1} for row in around.tolist()]
    assert all(cell in touching[other] for cell, others in enumerate(touching) for other in others)
    apart = distances(shape.places.astype(float), shape.places.astype(float))
    assert touching == [set(np.flatnonzero((row > 0) & (row < 1.2))) for row in apart], "they are the nearest ones"


def _six(row: int, column: int, first: int) -> list[tuple[int, int]]:
    beside = [(row, column - 1), (row, column + 1)]
    return sorted([*beside, *((row + down, first + over) for down in (-1, 1) for over in (0, 1))])


def test_squares_touch_eight_others() -> None:
    around = SQUARE.neighbours(rectangle(3, 3).index)
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
    assert shape.nearest_free((1, 1), [(1, 1)]) in [(1, 0), (1, 2)], "beside it, nearer than above"
    mask = np.array([[True, True, True], [False] * 3, [False] * 3, [True, True, True]])
    assert Shape(mask, "gap", lattice=HEXAGONAL).nearest_free((2, 1)) == (3, 0), "nearer by half a cell than (3, 1)"


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
    around = HEXAGONAL.neighbours(shape.index)
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


def test_what_no_lattice_is() -> None:
    for shift in (-0.5, 1.0, float("nan")):
        with pytest.raises(ValueError, match="share of a cell"):
            Lattice(shift)
    with pytest.raises(ValueError, match="grids of squares"):
        replace(book(2, 2, 2), lattice=HEXAGONAL)
    assert not shifted(3, 3).same_cells(rectangle(3, 3)) and shifted(3, 3).same_cells(shifted(3, 3))
