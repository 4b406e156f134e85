"""Scores: the definitions' test vectors, slow and plain versions of the same, and laws."""

import math
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from album_app.errors import Stopped
from album_app.layout.evaluation import scores
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import book, rectangle

GRID = rectangle(20, 20).cells


def plain_dpq(features: np.ndarray, cells: np.ndarray, p: float) -> float:
    """The definition, word for word."""
    n = len(features)
    D = np.linalg.norm(features[:, None] - features[None], axis=2)
    S = ((cells[:, None] - cells[None]) ** 2).sum(axis=2)
    dbar = D[~np.eye(n, dtype=bool)].mean()
    gains = []
    for order in (lambda i, j: (0, D[i, j]), lambda i, j: (S[i, j], D[i, j])):
        rows = [[D[i, j] for j in sorted((j for j in range(n) if j != i), key=lambda j: order(i, j))] for i in range(n)]
        D_k = (np.cumsum(rows, axis=1) / np.arange(1, n)).mean(axis=0)
        gains.append(np.linalg.norm(np.maximum(0, (dbar - D_k) / dbar), p))
    return float(gains[1] / gains[0])


def test_the_published_vectors() -> None:
    np.random.seed(3)
    colours = np.random.uniform(0, 255, (20, 20, 3)).astype(int).reshape(-1, 3)
    assert scores.dpq(colours, GRID, 2) == pytest.approx(0.061950, abs=5e-7)
    assert scores.dpq(colours, GRID, 16) == pytest.approx(0.358746, abs=5e-7)
    ramp = np.array([(255 * row / 19, 0, 255 * column / 19) for row, column in GRID])
    assert scores.dpq(ramp, GRID) == pytest.approx(1.0, abs=1e-9)


def test_repeats_raise_dpq_for_free() -> None:
    colours = np.random.default_rng(0).random((100, 3))
    tiles = colours.reshape(10, 10, 3).repeat(2, axis=0).repeat(2, axis=1).reshape(-1, 3)
    assert scores.dpq(colours, rectangle(10, 10).cells) < 0.5
    assert scores.dpq(tiles, GRID) > 0.9


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), n=st.integers(3, 25), p=st.sampled_from([1, 2, 16]), whole=st.booleans())
def test_fast_and_plain_dpq_agree(seed: int, n: int, p: float, whole: bool) -> None:
    random = np.random.default_rng(seed)
    features = random.integers(0, 3, (n, 2)).astype(float) if whole else random.random((n, 4))
    cells = rectangle(5, 6).cells[random.permutation(30)[:n]]
    if len(np.unique(features, axis=0)) > 2:
        assert scores.dpq(features, cells, p) == pytest.approx(plain_dpq(features, cells, p), abs=1e-9)


def test_dpq_ignores_where_the_sheet_begins_and_how_photos_are_numbered() -> None:
    random = np.random.default_rng(1)
    features, order = random.random((400, 5)), random.permutation(400)
    value = scores.dpq(features, GRID)
    assert scores.dpq(7 * features + 3, GRID + 11) == pytest.approx(value)
    assert scores.dpq(features[order], GRID[order]) == pytest.approx(value)
    assert scores.dpq(features, GRID[:, ::-1]) == pytest.approx(value)


def test_tiny_and_uniform_albums_have_a_score() -> None:
    assert scores.dpq([[1.0], [2.0]], [[0, 0], [0, 1]]) == 1.0
    assert scores.dpq(np.ones((9, 2)), rectangle(3, 3).cells) == 1.0
    assert scores.dpq(np.ones((1, 2)), [[0, 0]]) == 1.0
    with pytest.raises(ValueError, match="features"):
        scores.dpq(np.ones((3, 2)), [[0, 0]])


def test_large_albums_are_sampled_and_say_so() -> None:
    features = np.random.default_rng(0).random((400, 3)).cumsum(axis=0)
    whole = scores.dpq_detail(features, GRID)
    assert not whole.sampled
    assert whole.rows == 400
    part = scores.dpq_detail(features, GRID, all_rows=300, sampled_rows=200)
    assert part.sampled
    assert part.rows == 200
    assert part.value == pytest.approx(whole.value, abs=0.03)


def test_distances_to_very_many_photos_hold_no_second_copy_of_them() -> None:
    features = np.random.default_rng(0).random((4000, 200))
    tracemalloc.start()
    try:
        scores.distances(features[:10], features)
        assert tracemalloc.get_traced_memory()[1] < features.nbytes / 2
    finally:
        tracemalloc.stop()


def test_scoring_can_be_stopped() -> None:
    with pytest.raises(Stopped):
        scores.dpq(np.random.default_rng(0).random((400, 3)), GRID, stop=lambda: True)


def test_a_pin_among_its_like_pulls_fully_and_one_in_a_crowd_not_at_all() -> None:
    features = np.hypot(*(GRID - [0, 0]).T)[:, None].astype(float)
    assert scores.pin_pull(features, GRID, {0: (0, 0)}) == pytest.approx(1.0)
    random = np.random.default_rng(0)
    pulls = [scores.pin_pull(random.random((400, 3)), GRID, {0: (0, 0)}) for _ in range(60)]
    assert np.mean(pulls) == pytest.approx(0, abs=0.06)
    assert math.isnan(scores.pin_pull(features, GRID, {}))


def test_cells_that_tie_with_the_last_neighbour_count_too() -> None:
    # Four cells are nearest, four more lie on the diagonals; with k = 5 all eight count.
    cells = rectangle(3, 3).cells
    features = np.array([[5.0], [1], [5], [1], [0], [1], [5], [1], [9]])
    base, real, ideal = np.mean([5, 1, 5, 1, 1, 5, 1, 9]), 28 / 8, 28 / 8
    assert scores.pin_pull(features, cells, {4: (1, 1)}, k=5) == pytest.approx(1.0 if base == ideal else real)
    near = scores.pin_pull(features, cells, {4: (1, 1)}, k=3)
    assert near == pytest.approx((base - 1) / (base - 1))


def test_leave_one_pin_out_is_the_distance_of_the_barycentre_by_the_diagonal() -> None:
    shape = rectangle(4, 5)
    pins = Pins({0: (0, 0), 7: (3, 4)})
    seen = []

    def plan_without(others: Pins, photo: int) -> np.ndarray:
        seen.append((dict(others), photo))
        weights = np.zeros(20)
        weights[shape.index_of((3, 0))] = 2.0
        return weights

    assert scores.leave_one_pin_out(pins, shape, plan_without) == pytest.approx((3 / 5 + 4 / 5) / 2)
    assert seen == [({7: (3, 4)}, 0), ({0: (0, 0)}, 7)]
    assert math.isnan(scores.leave_one_pin_out(Pins(), shape, plan_without))


def test_coverage_is_one_when_all_are_shown_and_low_for_a_good_choice() -> None:
    random = np.random.default_rng(0)
    centres = 10 * random.random((5, 2))
    features = np.repeat(centres, 40, axis=0) + 0.01 * random.random((200, 2))
    assert scores.coverage(features, range(200)) == 1.0
    assert scores.coverage(features, [0, 40, 80, 120, 160]) < 0.05
    assert scores.coverage(features, [0, 1, 2, 3, 4]) > 1
    chances = [scores.coverage(features, random.choice(200, 5, replace=False).tolist()) for _ in range(40)]
    assert np.mean(chances) == pytest.approx(1, abs=0.25)


def test_coverage_of_very_many_photos_is_that_of_a_sample() -> None:
    """And takes no second copy of their features, which are most of what there is in memory."""
    features = np.random.default_rng(0).random((6000, 20)).astype(np.float32)
    shown = list(range(0, 6000, 60))
    whole = scores.coverage(features, shown)
    tracemalloc.start()
    try:
        assert scores.coverage(features, shown, most_photos=1500) == pytest.approx(whole, abs=0.01)
        assert tracemalloc.get_traced_memory()[1] < 2 * features.nbytes
    finally:
        tracemalloc.stop()
    with pytest.raises(Stopped):
        scores.coverage(features, shown, stop=lambda: True)


def test_semantic_agreement_counts_neighbours_of_one_class() -> None:
    cells = [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert scores.semantic_agreement(["sea", "sea", "sky", "sky"], cells) == 0.5
    assert scores.semantic_agreement(["sea"] * 4, cells) == 1.0
    assert scores.semantic_agreement(["sea", "sky"], [(0, 0), (1, 1)]) != scores.semantic_agreement(["a"], [(0, 0)])
    assert math.isnan(scores.semantic_agreement(["a", "a"], [(0, 0), (0, 2)]))


def test_the_scores_of_a_layout_leave_empty_cells_out() -> None:
    random = np.random.default_rng(0)
    features = random.random((10, 3))
    layout = Layout(rectangle(2, 4), np.array([3, -1, 5, 0, 1, 7, -1, 2]), np.ones(8), Pins({5: (0, 2)}))
    found = scores.layout_scores(layout, features)
    filled = layout.photo_at >= 0
    assert found["dpq16"] == scores.dpq(features[layout.photo_at[filled]], layout.shape.cells[filled])
    assert set(found) == {"dpq16", "pin_pull", "coverage"}
    assert "coverage" not in scores.layout_scores(layout, features, active=[0, 1, 2, 3, 5, 7])


def test_equal_photos_have_no_distance() -> None:
    features = np.random.default_rng(0).random((50, 300)) * 1e4
    assert np.array_equal(np.diag(scores.distances(features, features)), np.zeros(50))


def test_an_empty_sheet_has_no_coverage() -> None:
    shape = rectangle(2, 2)
    empty = Layout(shape, np.full(4, -1), np.zeros(4, np.float32), Pins())
    assert scores.layout_scores(empty, np.eye(5)) == {"dpq16": 1.0}


def test_neighbours_are_counted_within_their_reach() -> None:
    ramp = np.arange(12.0)[:, None]
    layout = Layout(rectangle(3, 4), np.arange(12), np.zeros(12, np.float32))
    mean = np.abs(ramp - ramp.T).sum() / (12 * 11)
    across, down = 9 * [1.0], 8 * [4.0]
    assert scores.mean_neighbour_distance(ramp, layout, 1) == pytest.approx(np.mean(across + down) / mean, rel=0.01)
    rows, columns = np.divmod(np.arange(12), 4)
    near = (np.abs(rows[:, None] - rows) <= 2) & (np.abs(columns[:, None] - columns) <= 2) & ~np.eye(12, dtype=bool)
    assert scores.mean_neighbour_distance(ramp, layout) == pytest.approx(
        np.abs(ramp - ramp.T)[near].mean() / mean, rel=0.01
    )
    holes = Layout(rectangle(3, 4), np.array([0, -1, 2, -1, -1, 5, -1, 7, 8, -1, 10, -1]), np.zeros(12, np.float32))
    assert np.isnan(scores.mean_neighbour_distance(np.ones((12, 1)), holes))


def test_neighbours_with_the_same_value_beside_chance() -> None:
    stripes = Layout(rectangle(4, 4), np.arange(16), np.zeros(16))
    by_row = np.arange(16, dtype=np.int32) // 4
    found = scores.value_agreement(stripes, by_row)
    assert found == scores.Agreement(12 / 24, 4 * 4 * 3 / (16 * 15)), "all pairs of a row, none of a column"
    shuffled = np.random.default_rng(0).permutation(900)
    random = Layout(rectangle(30, 30), shuffled, np.zeros(900))
    agreement = scores.value_agreement(random, np.arange(900, dtype=np.int32) % 5)
    assert agreement is not None and agreement.share == pytest.approx(agreement.chance, abs=0.03)
    one_known = np.full(16, -1, np.int32)
    one_known[0] = 1
    assert scores.value_agreement(stripes, one_known) is None
    large = replace(stripes, photo_at=np.zeros(16, np.int64), sizes={0: 4})
    assert scores.value_agreement(large, by_row) is None, "a large photo is no neighbour of itself"


def test_a_large_photo_counts_once_and_is_as_near_as_its_nearest_cell() -> None:
    """Photos in a perfect order stay so if one of them is large: its four cells are no neighbours of each other."""
    shape = rectangle(2, 6)
    photo_at = np.array([0, 1, 2, 2, 5, 6, 3, 4, 2, 2, 7, 8])
    layout = Layout(shape, photo_at, np.zeros(12), sizes={2: 2})
    filled, places, reach = scores.frame_places(layout)
    assert sorted(layout.photo_at[filled]) == list(range(9)) and reach.sum() == 0.5
    cells = {photo: shape.cells[photo_at == photo] for photo in range(9)}
    x = np.random.default_rng(3).normal(size=(9, 4))
    apart = np.array(
        [[min(((a - b) ** 2).sum() for a in cells[i] for b in cells[j]) for j in range(9)] for i in range(9)]
    )
    order = [int(photo_at[cell]) for cell in filled]
    steps = np.maximum(np.abs(places[:, None] - places) - reach[:, None, None] - reach[None, :, None], 0)
    assert (steps**2).sum(axis=-1) == pytest.approx(apart[np.ix_(order, order)])
    plain = Layout(shape, photo_at, np.zeros(12))
    assert scores.layout_scores(layout, x)["dpq16"] < scores.layout_scores(plain, x)["dpq16"]


def test_pages_of_photos_that_are_alike_score_below_those_of_any() -> None:
    shape = book(3, 2, 2)
    assert shape.pages is not None
    page = shape.pages.page_of(shape.cells)
    kinds = np.repeat([[0.0], [5.0], [9.0]], 4, axis=0)
    sorted_by_page = Layout(shape, np.argsort(np.argsort(page, kind="stable")), np.ones(12))
    assert scores.page_likeness(kinds, sorted_by_page) == 0.0
    mixed = replace(sorted_by_page, photo_at=np.random.default_rng(0).permutation(12))
    x = kinds[mixed.photo_at]
    apart, others = scores.distances(x, x), ~np.eye(12, dtype=bool)
    same = (page[:, None] == page) & others
    assert scores.page_likeness(kinds, mixed) == pytest.approx(apart[same].mean() / apart[others].mean())
    some = replace(mixed, photo_at=np.where(np.arange(12) % 5 == 0, -1, mixed.photo_at))
    shown = some.photo_at >= 0
    both = shown[:, None] & shown
    expected = apart[same & both].mean() / apart[others & both].mean()
    assert scores.page_likeness(kinds, some) == pytest.approx(expected)
    assert math.isnan(scores.page_likeness(np.ones((12, 1)), mixed))
