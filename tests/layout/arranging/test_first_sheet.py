"""The first sheet: sorted barycentres, exact rounding, landmarks, who is shown, and the kin that follow a pin.

Kin are the photos of a pin's group, or a usual number of them where photos form no groups.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from album_app.layout import Options, Pins, Shape
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.choosing import choose, resemblance, shown_photos
from album_app.layout.arranging.first_sheet import (
    FAR_CELLS,
    KIN_ON_SMALL_SHEETS,
    USUAL_KIN,
    carried_sheet,
    far_pins,
    first_sheet,
    kin_of,
    rounded_sheet,
    sorted_into,
)
from album_app.layout.arranging.guide import (
    LANDMARKS,
    MOST_BETA,
    MOST_WITHOUT_SAMPLING,
    RANK,
    SWEEPS,
    PlanGuide,
    draw_landmarks,
    learn,
    pose,
    solver_for,
)
from album_app.layout.arranging.space import Space
from album_app.layout.shapes.shape import rectangle

OPTIONS = Options(basis=60)


def arrangement_of(photos: int, shape: Shape, pins: Pins | None = None, axes: int = 3) -> Arrangement:
    return Arrangement.of(np.random.default_rng(0).random((photos, axes)), shape, pins or Pins())


def guide_of(arrangement: Arrangement, options: Options = OPTIONS) -> PlanGuide:
    guide = learn(arrangement, options)
    assert guide is not None
    return guide


@settings(max_examples=30)
@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 9))
def test_cells_that_ask_for_their_own_places_get_them(rows: int, columns: int, seed: int) -> None:
    mask = np.random.default_rng(seed).random((rows, columns)) < 0.7
    mask[0, 0] = True
    shape = Shape(mask, "drawn")
    order = np.random.default_rng(seed).permutation(shape.count)
    placed = sorted_into(shape.coordinates[order], shape, np.arange(shape.count))
    assert np.array_equal(order[placed], np.arange(shape.count))


def test_the_guide_is_the_solver_s_own_plan() -> None:
    arrangement = arrangement_of(30, rectangle(5, 6), Pins({0: (0, 0), 9: (4, 5)}))
    guide = guide_of(arrangement)
    log_plan = np.log(np.asarray(guide.solution.plan, dtype=np.float64))
    rows = np.searchsorted(guide.photos, arrangement.loose_photos)
    found = guide.logits(rows, arrangement.free_cells).astype(np.float64)
    difference = log_plan - found
    centred = difference - difference.mean(axis=0) - difference.mean(axis=1, keepdims=True) + difference.mean()
    assert np.abs(centred).max() < 1e-2
    shares = np.exp(log_plan) / np.exp(log_plan).sum(axis=1, keepdims=True)
    expected = shares @ arrangement.shape.coordinates[arrangement.free_cells]
    assert np.abs(guide.barycentres[rows] - expected).max() < 0.02
    cell, photo = 7, 4
    of_cell = guide.column(int(arrangement.free_cells[cell]))[rows]
    assert of_cell / of_cell.sum() == pytest.approx(
        np.exp(log_plan[:, cell]) / np.exp(log_plan[:, cell]).sum(), abs=2e-3
    )
    of_photo = guide.row(int(arrangement.loose_photos[photo]))[arrangement.free_cells]
    assert of_photo / of_photo.sum() == pytest.approx(shares[photo], abs=2e-3)
    assert guide.column(3).sum() == pytest.approx(1.0, abs=1e-4)
    assert guide.row(3).sum() == pytest.approx(1.0, abs=1e-4)


def test_the_potentials_share_each_cell_among_the_photos_and_an_even_share_is_no_opinion() -> None:
    guide = guide_of(arrangement_of(30, rectangle(5, 6), Pins({0: (0, 0), 9: (4, 5)})))
    logits = guide.photo_factors @ guide.cell_factors.T + guide.photo_potential[:, None] + guide.cell_potential
    shares = np.exp(logits[guide.seen_rows].astype(np.float64))
    assert shares.sum(axis=0) == pytest.approx(np.ones(30), abs=1e-3)
    entropy = -(shares * np.log(shares)).sum(axis=0)
    assert guide.confidence == pytest.approx(1 - entropy / np.log(len(shares)), abs=1e-3)


def test_few_axes_hold_the_plan() -> None:
    guide = guide_of(arrangement_of(60, rectangle(6, 10), Pins({0: (0, 0), 9: (5, 9)})))
    photos, cells = guide.axes
    assert photos.shape == (60, RANK)
    logits = guide.photo_factors @ guide.cell_factors.T
    centred = logits - logits.mean(axis=0) - logits.mean(axis=1, keepdims=True) + logits.mean()
    assert photos @ cells.T == pytest.approx(centred / centred.std(), abs=0.05)


def test_confidence_is_low_without_an_opinion_and_high_with_one() -> None:
    arrangement = arrangement_of(36, rectangle(6, 6), Pins({0: (0, 0)}))
    sharp = guide_of(arrangement, Options(basis=60, epsilon=0.002)).confidence
    soft = guide_of(arrangement, Options(basis=60, epsilon=10.0)).confidence
    assert soft.max() < 0.05 < sharp.mean()


def test_exact_rounding_maximises_the_plan() -> None:
    arrangement = arrangement_of(20, rectangle(4, 5), Pins({0: (0, 0)}))
    guide = guide_of(arrangement)

    def likelihood(sheet: NDArray[np.int64]) -> float:
        rows = np.searchsorted(guide.photos, sheet[arrangement.free_cells])
        return float(np.diag(guide.logits(rows, arrangement.free_cells)).sum())

    exact = rounded_sheet(arrangement, guide, arrangement.loose_photos, arrangement.free_cells)
    first = first_sheet(arrangement, guide, arrangement.loose_photos, arrangement.free_cells)
    assert exact[0] == first[0] == 0
    best = likelihood(exact)
    assert best >= likelihood(first)
    rng = np.random.default_rng(0)
    for _ in range(200):
        other = exact.copy()
        pair = rng.choice(arrangement.free_cells, 2, replace=False)
        other[pair] = other[pair[::-1]]
        assert likelihood(other) <= best + 1e-3


def test_large_arrangements_are_seen_by_landmarks_and_pins_always() -> None:
    shape = rectangle(40, 40)
    arrangement = arrangement_of(1600, shape, Pins({5: (0, 0)}))
    photos, cells = draw_landmarks(arrangement, 0)
    assert len(photos) == len(cells) == LANDMARKS < MOST_WITHOUT_SAMPLING
    assert set(photos) <= set(arrangement.loose_photos)
    assert np.array_equal(photos, draw_landmarks(arrangement, 0)[0])
    guide = guide_of(arrangement, Options(basis=40, iterations=2))
    assert guide.barycentres.shape == (1600, 2)
    assert guide.confidence.shape == (1600,)
    sheet = first_sheet(arrangement, guide, arrangement.loose_photos, arrangement.free_cells)
    assert sorted(sheet.tolist()) == list(range(1600))


def test_the_problem_posed_holds_pins_as_pairs() -> None:
    arrangement = arrangement_of(12, rectangle(3, 4), Pins({3: (2, 1)}))
    problem = pose(arrangement, arrangement.loose_photos, arrangement.free_cells)
    assert (problem.n, problem.n_x, problem.n_y) == (1, 11, 11)
    assert np.allclose(problem.y_pairs, arrangement.shape.coordinates[[arrangement.shape.index_of((2, 1))]])
    solver = solver_for(Options(beta=1.0))
    assert (solver.beta, solver.sweeps) == (MOST_BETA, SWEEPS)


def test_chosen_photos_leave_nobody_alone() -> None:
    rng = np.random.default_rng(0)
    centres = rng.random((12, 3)) * 10
    features = (centres[:, None] + 0.01 * rng.standard_normal((12, 20, 3))).reshape(-1, 3)
    arrangement = Arrangement.of(features, rectangle(3, 4), Pins())
    shown = shown_photos(arrangement)
    assert sorted(photo // 20 for photo in shown.tolist()) == list(range(12))


def test_nothing_of_a_cast_is_lost_between_arrangements() -> None:
    arrangement = arrangement_of(50, rectangle(4, 5), Pins({0: (0, 0)}))
    guide = guide_of(arrangement)
    first = choose(arrangement, shown_photos(arrangement), guide, "empty")
    sheet = first_sheet(arrangement, guide, first.photos, first.cells)
    moved = Arrangement(arrangement.space, arrangement.shape, Pins({0: (3, 4), 49: (0, 0)}), arrangement.photos)
    again = shown_photos(moved, sheet)
    assert len(set(again) & set(first.photos)) >= 18
    assert set(resemblance(moved, again)) == set(range(50)) - set(again.tolist()) - {0, 49}


def test_a_space_keeps_distances_and_knows_its_features() -> None:
    features = np.random.default_rng(0).random((40, 3)) @ np.random.default_rng(1).random((3, 50))
    space = Space.of(features)
    assert space.points.shape[1] <= 4
    everybody = np.arange(40)
    true = np.linalg.norm(features[:, None] - features, axis=-1)
    found = space.distances(everybody, everybody)
    assert np.corrcoef(true.ravel(), found.ravel())[0, 1] > 0.99
    assert Space.of(features, space) is space
    assert Space.of(features + 1e-3, space) is not space


def test_wide_and_tall_arrangements_of_features_are_reduced_alike() -> None:
    rng = np.random.default_rng(0)
    for count, width in ((30, 500), (500, 30), (500, 400)):
        hidden = rng.standard_normal((count, 2)) @ rng.standard_normal((2, width))
        points = Space.of(hidden + 1e-3 * rng.standard_normal((count, width))).points
        assert points.shape[1] == 2
        assert (points**2).sum(axis=1).mean() == pytest.approx(1.0, abs=0.05)


def test_an_earlier_sheet_is_carried_over_and_newcomers_take_what_is_left() -> None:
    arrangement = arrangement_of(7, rectangle(2, 3), Pins({5: (0, 1)}))
    before = np.array([0, 1, 2, 3, 4, 6])
    sheet = carried_sheet(arrangement, np.array([0, 1, 2, 4, 6]), np.array([0, 2, 3, 4, 5]), before)
    assert sheet.tolist() == [0, 5, 2, 1, 4, 6], "photo 1 lost its cell to the pin and takes that of photo 3"
    repeated = carried_sheet(arrangement, np.array([0, 0, 2, 4, 6]), np.array([0, 2, 3, 4, 5]), before)
    assert sorted(repeated.tolist()) == [0, 0, 2, 4, 5, 6] and repeated[1] == 5


def arrangement_with_group(size: int) -> Arrangement:
    """Two thousand photos of which the first ones are nearly the same."""
    rng = np.random.default_rng(5)
    features = rng.random((2000, 4))
    features[:size] = 0.5 + 0.002 * rng.random((size, 4))
    return Arrangement.of(features, rectangle(40, 50), Pins())


@pytest.mark.parametrize("size", [30, 45, 60])
def test_where_photos_form_groups_the_kin_of_a_photo_are_its_group(size: int) -> None:
    kin = kin_of(arrangement_with_group(size), 0, np.arange(1, 2000))
    assert kin.max() < size and len(kin) >= 0.9 * (size - 1)


def test_where_they_form_none_a_usual_number_of_the_most_alike_are_kin() -> None:
    evenly = np.arange(2000)[:, None] ** 0.25
    kin = kin_of(Arrangement.of(evenly, rectangle(40, 50), Pins()), 0, np.arange(1, 2000))
    assert kin.tolist() == list(range(1, USUAL_KIN + 1))


@pytest.mark.parametrize(("count", "expected"), [(3, 3), (500, KIN_ON_SMALL_SHEETS), (1000, 40)])
def test_few_photos_have_few_kin(count: int, expected: int) -> None:
    evenly = np.arange(count + 1)[:, None] ** 0.25
    arrangement = Arrangement.of(evenly, rectangle(count + 1, 1), Pins())
    assert kin_of(arrangement, 0, np.arange(1, count + 1)).tolist() == list(range(1, expected + 1))


def test_a_pin_is_far_where_its_photo_lay_more_than_some_cells_away_or_nowhere() -> None:
    away = int(FAR_CELLS)
    pins = Pins({0: (0, away), 1: (5, away + 1), 2: (9, 9)})
    arrangement = Arrangement.of(np.random.default_rng(0).random((100, 3)), rectangle(10, 10), pins)
    before = np.full(100, -1)
    before[[0, 50]] = 0, 1
    assert far_pins(arrangement, before, np.array([0, 1, 2])).tolist() == [1, 2]
