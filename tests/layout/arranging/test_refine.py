"""Refinement by its parts: neighbourhood means, groups on lattices, small assignments, and what they lead to."""

import tracemalloc
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from album_app.errors import Stopped
from album_app.layout import Options, Pins, Shape
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.field import LONGEST_ROW_FOR_PRODUCT, PIN_WEIGHT, Field, Pull
from album_app.layout.arranging.refine import Lattices, Schedule, best_assignments, refine
from album_app.layout.arranging.repeats import CopyPrice, copies_near, separate
from album_app.layout.shapes.shape import rectangle
from tests.layout.conftest import means

SMOOTH = Pull(plan=0.0, pins=0.0)


def arrangement_of(shape: Shape, pins: Pins | None = None, axes: int = 3, seed: int = 0) -> Arrangement:
    features = np.random.default_rng(seed).random((shape.count, axes))
    return Arrangement.of(features, shape, pins or Pins())


def in_order(arrangement: Arrangement) -> NDArray[np.int64]:
    photo_at = arrangement.fixed_sheet()
    photo_at[arrangement.free_cells] = arrangement.loose_photos
    return photo_at


@settings(max_examples=20)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(1, 4), st.integers(0, 99))
def test_means_are_those_of_the_clipped_square_with_pins_heavy_and_empty_cells_weightless(
    rows: int, columns: int, radius: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    mask = rng.random((rows, columns)) < 0.8
    mask[0, 0] = True
    shape = Shape(mask, "drawn")
    arrangement = arrangement_of(shape, Pins({0: (0, 0)}))
    photo_at = in_order(arrangement)
    photo_at[1:][rng.random(shape.count - 1) < 0.2] = -1
    found = means(Field.of(arrangement, None, SMOOTH), photo_at, radius)
    for place, cell in enumerate(shape.cells):
        near = (np.abs(shape.cells - cell).max(axis=1) <= radius) & (photo_at >= 0)
        weights = np.where(photo_at[near] == 0, PIN_WEIGHT, 1.0)
        if near.any():
            expected = np.average(arrangement.space.points[photo_at[near]], axis=0, weights=weights)
            assert found[place] == pytest.approx(expected, abs=1e-4)


@settings(max_examples=20)
@given(st.integers(2, 7), st.integers(2, 7), st.integers(1, 4), st.integers(0, 99))
def test_a_field_over_the_filled_cells_says_of_them_what_one_over_all_cells_says(
    rows: int, columns: int, radius: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    arrangement = arrangement_of(rectangle(rows, columns), Pins({0: (rows - 1, columns - 1)}), seed=seed)
    photo_at = in_order(arrangement)
    photo_at[:-1][rng.random(len(photo_at) - 1) < 0.6] = -1
    filled = np.flatnonzero(photo_at >= 0)
    everywhere = Field.of(arrangement, None, Pull.of(0.5))
    there = Field.of(arrangement, None, Pull.of(0.5), filled)
    vectors = there.cell_vectors(photo_at, radius)
    assert len(vectors) == len(filled)
    assert vectors[there.rows[filled]] == pytest.approx(everywhere.cell_vectors(photo_at, radius)[filled], abs=1e-4)
    assert np.array_equal(there.photo_vectors, everywhere.photo_vectors)


@pytest.mark.parametrize(("rows", "columns"), [(1, LONGEST_ROW_FOR_PRODUCT + 88), (LONGEST_ROW_FOR_PRODUCT + 88, 1)])
def test_means_along_a_long_strip_are_the_same(rows: int, columns: int) -> None:
    arrangement = arrangement_of(rectangle(rows, columns))
    found = means(Field.of(arrangement, None, SMOOTH), in_order(arrangement), 20)
    for place in (0, 7, 300, LONGEST_ROW_FOR_PRODUCT + 87):
        expected = arrangement.space.points[max(place - 20, 0) : place + 21].mean(axis=0)
        assert found[place] == pytest.approx(expected, abs=1e-4)


def test_a_strip_of_thousands_of_cells_needs_no_matrix_of_all_pairs() -> None:
    arrangement = arrangement_of(rectangle(1, 8000))
    field, photo_at = Field.of(arrangement, None, SMOOTH), in_order(arrangement)
    tracemalloc.start()
    for radius in (3000, 1000, 100):
        means(field, photo_at, radius)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20e6  # one such matrix would be 256 MB


@settings(max_examples=40)
@given(st.integers(1, 20), st.integers(1, 20), st.integers(2, 8), st.floats(1, 12), st.integers(0, 9))
def test_groups_hold_no_cell_twice_and_nearly_all_of_them(
    rows: int, columns: int, side: int, radius: float, seed: int
) -> None:
    field = Field.of(arrangement_of(rectangle(rows, columns)), None, SMOOTH)
    movable = np.flatnonzero(np.random.default_rng(seed).random(rows * columns) < 0.9)
    assume(len(movable))
    groups = Lattices.of(field, movable, side).groups(radius, np.random.default_rng(seed))
    assert len(set(groups.ravel().tolist())) == groups.size > len(movable) - len(groups)
    assert set(groups.ravel().tolist()) <= set(movable.tolist())
    assert groups.shape[1] <= 2 * side * side


def test_groups_reach_as_far_as_the_radius() -> None:
    field = Field.of(arrangement_of(rectangle(40, 40)), None, SMOOTH)
    lattices = Lattices.of(field, np.arange(1600), 8)
    for radius, reach in ((2, 8), (16, 32)):
        spans = [np.ptp(group // 40) for group in lattices.groups(radius, np.random.default_rng(0))]
        assert np.median(spans) == pytest.approx(reach, abs=6)


def test_assignments_are_the_best_there_are() -> None:
    scores = np.random.default_rng(0).standard_normal((6, 5, 5)).astype(np.float32)
    for matrix, found in zip(scores, best_assignments(scores), strict=True):
        best = max(sum(matrix[cell, photo] for cell, photo in enumerate(order)) for order in permutations(range(5)))
        assert sum(matrix[np.arange(5), found]) == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("scale", [0.0, 1e-6, 1.0, 1e4])
def test_assignments_are_exact_whatever_the_scale_and_the_prices(scale: float) -> None:
    rng = np.random.default_rng(1)
    scores = rng.standard_normal((3, 36, 4)) @ rng.standard_normal((3, 4, 36))
    scores -= 1e3 * (rng.integers(3, size=(3, 36, 1)) != rng.integers(3, size=(3, 1, 36)))  # as between pages
    scores = (scale * scores).astype(np.float32)
    for matrix, found in zip(scores.astype(np.float64), best_assignments(scores), strict=True):
        best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
        assert sorted(found) == list(range(36))
        assert matrix[np.arange(36), found].sum() == pytest.approx(best, rel=1e-6, abs=scale * 1e-4)


def test_scores_are_the_promised_distances_up_to_what_a_photo_or_a_cell_adds() -> None:
    arrangement = arrangement_of(rectangle(4, 5), Pins({0: (0, 0), 7: (3, 4)}))
    photo_at = in_order(arrangement)
    field = Field.of(arrangement, None, Pull(plan=0.0, pins=0.7))
    scores = field.cell_vectors(photo_at, 1) @ field.photo_vectors.T
    points, around = arrangement.space.points, means(field, photo_at, 1)
    weight, pinned = field.fixed[:, points.shape[1]], field.fixed[:, : points.shape[1]]
    expected = -((around[:, None] - points) ** 2).sum(-1) + 2 * pinned @ points.T - weight[:, None] * (points**2).sum(1)
    difference = scores - expected
    assert difference - difference.mean(axis=0) - difference.mean(axis=1, keepdims=True) + difference.mean() == (
        pytest.approx(np.zeros_like(difference), abs=1e-4)
    )


def test_passes_keep_pins_and_photos_and_smooth_the_sheet() -> None:
    arrangement = arrangement_of(rectangle(12, 12), Pins({3: (5, 5)}))
    field, start = Field.of(arrangement, None, SMOOTH), in_order(arrangement)
    sheets = list(refine(field, start, arrangement.free_cells, Schedule(6, 0.9, 6)))
    for sheet in sheets:
        assert sorted(sheet.tolist()) == list(range(144))
        assert sheet[arrangement.shape.index_of((5, 5))] == 3
    assert arrangement.roughness(sheets[-1]) < 0.5 * arrangement.roughness(start)


def test_a_stop_between_groups_ends_refinement() -> None:
    arrangement = arrangement_of(rectangle(6, 6))
    asked = iter([False, False, True])
    passes = refine(
        Field.of(arrangement, None, SMOOTH),
        in_order(arrangement),
        arrangement.free_cells,
        Schedule(3),
        stop=lambda: next(asked),
    )
    with pytest.raises(Stopped):
        list(passes)


def test_radii_fall_to_one() -> None:
    radii = Schedule(8, 0.9).radii
    assert radii[0] == 8
    assert 1.0 <= radii[-1] < 1.2
    assert radii == sorted(radii, reverse=True)
    assert Schedule(0.4).radii == [1.0]


def test_doubles_are_found_and_priced_by_nearness() -> None:
    shape = rectangle(1, 6)
    photo_at = np.array([0, 1, 0, 2, 2, 0])
    cells = np.array([[0, 2, 5, 1]])
    found = np.stack(copies_near(photo_at, cells, photo_at[cells]))[:, 0]
    for cell in range(4):
        places = [sorted(set(found[:, cell, photo].tolist()) - {-1}) for photo in range(4)]
        assert places == [[2, 5], [0, 5], [0, 2], []]
    price = CopyPrice(shape.cells.astype(np.float32), reach=3.0)(photo_at, cells, photo_at[cells])
    assert price.shape == (1, 4, 4)
    assert price[0, 3, 0] > price[0, 0, 0] > 0  # the photo of cell 0: dearer next to its double than two cells away
    assert not price[0, :, 3].any()


def test_a_few_photos_on_a_large_sheet_are_kept_apart_as_well() -> None:
    shape = rectangle(20, 30)
    layout = arrange(np.random.default_rng(0).random((12, 3)), shape, options=Options(basis=12, fill="repeat"))
    grid = layout.photo_at.reshape(20, 30)
    touching = np.concatenate([(grid[:, 1:] == grid[:, :-1]).ravel(), (grid[1:] == grid[:-1]).ravel()])
    assert touching.mean() < 0.01


def test_touching_doubles_are_separated() -> None:
    shape = rectangle(5, 5)
    arrangement = Arrangement.of(np.random.default_rng(1).random((12, 3)), shape, Pins())
    photo_at = np.sort(np.arange(25) % 12)
    apart = separate(Field.of(arrangement, None, SMOOTH), photo_at, np.arange(25), shape)
    assert sorted(apart.tolist()) == photo_at.tolist()
    grid = apart.reshape(5, 5)
    assert not (grid[:, 1:] == grid[:, :-1]).any()
    assert not (grid[1:] == grid[:-1]).any()
