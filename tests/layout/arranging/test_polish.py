"""Polishing: exact exchanges make neighbours more alike and change nothing else."""

from itertools import permutations

import numpy as np
import pytest

from album_app.errors import Stopped
from album_app.layout import Options, Pins, Shape, arrange, corner_pins, layout_scores, rectangle
from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.field import KIN_CELLS, Field, Pull
from album_app.layout.arranging.polish import IDLE_ROUNDS, Board, Weights, further_rounds, polish, polish_further
from album_app.layout.evaluation.scores import mean_neighbour_distance
from tests.layout.conftest import photos

NOTHING_ELSE = Pull(plan=0.0, pins=0.0)
ROUNDS = 21


def neighbour_distance(arrangement: Arrangement, photo_at: Indices) -> float:
    """The sum of plain distances between horizontal and vertical neighbours."""
    grid = np.full(arrangement.shape.mask.shape, -1)
    grid[arrangement.shape.mask] = photo_at
    pairs = [(grid[:, 1:], grid[:, :-1]), (grid[1:], grid[:-1])]
    a, b = (np.concatenate([pair[side].ravel() for pair in pairs]) for side in (0, 1))
    both = (a >= 0) & (b >= 0)
    steps = arrangement.space.points[a[both]] - arrangement.space.points[b[both]]
    return float(np.linalg.norm(steps, axis=1).sum())


def test_a_round_finds_the_best_exchange_among_cells_that_do_not_touch() -> None:
    arrangement = Arrangement.of(photos(12, 1), rectangle(3, 4), Pins())
    field, start = Field.of(arrangement, None, NOTHING_ELSE), np.arange(12)
    after = next(polish(field, start, start, 1, seed=3, weights=Weights(smooth=0.0)))
    drawn = Board.of(field).apart(start, np.random.default_rng(3))
    assert len(drawn) > 3
    best = np.inf
    for order in permutations(drawn):
        other = start.copy()
        other[drawn] = order
        best = min(best, neighbour_distance(arrangement, other))
    assert neighbour_distance(arrangement, after) == pytest.approx(best, rel=1e-5)


def test_drawn_cells_never_touch_leave_few_out_and_change_from_round_to_round() -> None:
    shape, rng = Shape(np.eye(20, dtype=bool) | (np.arange(20) < 15), "drawn"), np.random.default_rng(0)
    board = Board.of(Field.of(Arrangement.of(photos(shape.count, 1), shape, Pins()), None, NOTHING_ELSE))
    movable, seen = np.arange(0, shape.count - 9), set()
    for _ in range(20):
        drawn = board.apart(movable, rng)
        seen |= set(drawn.tolist())
        assert np.isin(drawn, movable).all()
        assert not np.isin(board.around[drawn], drawn).any()
        left = np.setdiff1d(movable, drawn)
        assert np.isin(board.around[left], drawn).any(axis=1).mean() > 0.95
    assert len(seen) > 0.99 * len(movable)


@pytest.mark.parametrize(
    "shape", [rectangle(9, 11), rectangle(30, 40), Shape(np.eye(9, dtype=bool) | (np.arange(9) < 4), "drawn")]
)
def test_no_round_makes_neighbours_less_alike(shape: Shape) -> None:
    arrangement = Arrangement.of(photos(shape.count, 2), shape, Pins())
    sheet = np.random.default_rng(0).permutation(shape.count)
    lengths = [neighbour_distance(arrangement, sheet)]
    field, cells = Field.of(arrangement, None, NOTHING_ELSE), np.arange(shape.count)
    for after in polish(field, sheet, cells, ROUNDS, weights=Weights(smooth=0.0)):
        lengths.append(neighbour_distance(arrangement, after))
    assert np.all(np.diff(lengths) <= 1e-3)
    assert lengths[-1] < 0.95 * lengths[0]


def test_pinned_held_and_empty_cells_stay_as_they_are() -> None:
    shape = rectangle(8, 9)
    arrangement = Arrangement.of(photos(72, 3), shape, Pins({5: (0, 0)}), list(range(60)), missing=Pins({70: (7, 8)}))
    sheet = arrangement.fixed_sheet()
    movable = arrangement.free_cells[: len(arrangement.loose_photos)]
    sheet[movable] = arrangement.loose_photos
    *_, after = polish(Field.of(arrangement, None, NOTHING_ELSE), sheet, movable, ROUNDS)
    fixed = np.setdiff1d(np.arange(72), movable)
    assert np.array_equal(after[fixed], sheet[fixed])
    assert sorted(after) == sorted(sheet)


def test_where_nothing_gets_better_it_ends_early() -> None:
    arrangement = Arrangement.of(photos(36, 4), rectangle(6, 6), Pins())
    field, cells = Field.of(arrangement, None, NOTHING_ELSE), np.arange(36)
    *_, settled = polish(field, cells, cells, ROUNDS)
    *_, settled = polish(field, settled, cells, ROUNDS)
    again = list(polish(field, settled, cells, ROUNDS))
    assert len(again) == IDLE_ROUNDS
    assert np.array_equal(again[-1], settled)


def test_a_sheet_gets_smoother_and_keeps_its_pins_kin(monkeypatch: pytest.MonkeyPatch) -> None:
    features, shape = photos(144, 5, axes=12), rectangle(12, 12)
    pins = corner_pins(features, shape)
    seeds = range(3)
    polished = [layout_scores(arrange(features, shape, pins, Options(seed=seed)), features) for seed in seeds]
    monkeypatch.setattr("album_app.layout.arranging.arrange.polish", lambda field, photo_at, **_: iter([photo_at]))
    bare = [layout_scores(arrange(features, shape, pins, Options(seed=seed)), features) for seed in seeds]
    gain = {name: np.mean([a[name] - b[name] for a, b in zip(polished, bare, strict=True)]) for name in bare[0]}
    assert gain["dpq16"] > 0.005
    assert gain["pin_pull"] > -0.02


def test_where_no_cell_may_change_there_is_no_round() -> None:
    arrangement = Arrangement.of(photos(36, 6), rectangle(6, 6), Pins())
    assert not list(polish(Field.of(arrangement, None, NOTHING_ELSE), np.arange(36), np.arange(0), ROUNDS))


def test_polishing_can_be_stopped() -> None:
    arrangement = Arrangement.of(photos(36, 6), rectangle(6, 6), Pins())
    with pytest.raises(Stopped):
        next(polish(Field.of(arrangement, None, NOTHING_ELSE), np.arange(36), np.arange(36), 1, stop=lambda: True))


def test_the_nearest_neighbour_counts_for_a_photo_and_for_each_of_its_neighbours() -> None:
    """By hand, for one photo put into one cell: with a border, an empty cell, and a missing photo nearby."""
    shape, weight = rectangle(4, 5), 0.7
    missing = Pins({19: (1, 2)})
    arrangement = Arrangement.of(photos(20, 6), shape, Pins(), range(19), missing=missing)
    sheet = arrangement.fixed_sheet()
    sheet[[cell for cell in range(20) if cell != 7]] = np.random.default_rng(1).permutation(19)
    sheet[11] = -1
    board = Board.of(Field.of(arrangement, None, NOTHING_ELSE), Weights(nearest=weight))
    apart = arrangement.space.distances(np.arange(20), np.arange(20))

    def around(cell: int) -> list[int]:
        return [near for near in board.around[cell].tolist() if near >= 0 and sheet[near] >= 0 and sheet[near] != 19]

    for cell, photo in ((0, 4), (6, 9), (12, 3), (13, 0)):
        near = around(cell)
        mine = [apart[photo, sheet[other]] for other in near]
        theirs = [
            min(
                [apart[photo, sheet[other]]]
                + [apart[sheet[other], sheet[third]] for third in around(other) if third != cell]
            )
            for other in near
        ]
        found = board.distances(sheet, np.array([[cell]]), np.array([[photo]]))
        assert found[0, 0, 0] == pytest.approx(sum(mine) + weight * (min(mine) + sum(theirs)), rel=1e-4)


@pytest.mark.parametrize("small", [True, False])
def test_all_photos_around_and_the_pins_nearby_count_by_plain_distances(small: bool) -> None:
    """By hand, for one photo put into one cell: with a border, an empty cell, and a missing photo nearby."""
    shape, pins, missing = rectangle(6, 7), Pins({3: (0, 0)}), Pins({41: (1, 2)})
    arrangement = Arrangement.of(photos(42, 6), shape, pins, range(41), missing=missing)
    sheet = arrangement.fixed_sheet()
    loose = np.random.default_rng(1).permutation(arrangement.loose_photos)
    free = [cell for cell in range(42) if sheet[cell] < 0]
    sheet[free[: len(loose)]] = loose
    sheet[free[5]] = -1
    field, weights = Field.of(arrangement, None, Pull(plan=0.0, pins=0.5)), Weights(around=0.3, kin=2.0)
    plain, board = (Board.of(field, each, sheet if small else None) for each in (Weights(), weights))
    assert (board.table is not None) == small
    everybody = np.arange(42)
    apart = arrangement.space.table(everybody) if small else arrangement.space.distances(everybody, everybody)
    steps = np.sort([(row**2 + column**2) for row in range(6) for column in range(7)])
    for cell, photo in ((0, 4), (8, 9), (20, 3), (33, 30)):
        row, column = divmod(cell, 7)
        near = [r * 7 + c for r in range(row - 2, row + 3) for c in range(column - 2, column + 3)
                if 0 <= r < 6 and 0 <= c < 7]  # fmt: skip
        around = sum(apart[photo, sheet[other]] for other in near if sheet[other] >= 0 and sheet[other] != 41)
        by_pin = 0.5 * apart[photo, 3] if row**2 + column**2 <= steps[KIN_CELLS] else 0.0
        there, one = np.array([[cell]]), np.array([[photo]])
        more = board.distances(sheet, there, one) - plain.distances(sheet, there, one)
        assert more[0, 0, 0] == pytest.approx(0.3 * around + 2.0 * by_pin, rel=1e-4)


@pytest.mark.parametrize("cells", [300, 2000, 9000])
def test_more_effort_means_more_rounds(cells: int) -> None:
    counts = [further_rounds(effort, cells)[0] for effort in ("quick", "fine", "best")]
    assert counts == sorted(counts) and counts[0] == 0 < counts[1] < counts[2]


@pytest.mark.parametrize("weights", [Weights(nearest=0.7), Weights(nearest=0.7, kin=3.0, around=0.2)])
def test_distances_are_looked_up_on_a_small_sheet_and_are_the_same(weights: Weights) -> None:
    arrangement = Arrangement.of(photos(40, 4), rectangle(5, 6), Pins(), list(range(5, 33)))
    sheet = np.full(30, -1)
    sheet[1:29] = np.random.default_rng(0).permutation(np.arange(5, 33))
    field, cells = Field.of(arrangement, None, NOTHING_ELSE), np.array([[1, 3, 8], [12, 19, 27]])
    plain, quick = Board.of(field, weights), Board.of(field, weights, sheet)
    assert plain.table is None and quick.table is not None
    expected = plain.distances(sheet, cells, sheet[cells])
    assert np.allclose(quick.distances(sheet, cells, sheet[cells]), expected, atol=1e-4)


def test_unlikeness_by_hand() -> None:
    """Distances on a line of four cells: 1, 2 and 4 between neighbours, 3 and 6 two cells apart."""
    arrangement = Arrangement.of(np.array([[0.0], [1.0], [3.0], [7.0]]), rectangle(1, 4), Pins())
    unit = float(np.ptp(arrangement.space.points)) / 7
    board = Board.of(Field.of(arrangement, None, NOTHING_ELSE))
    means = [(1 + 1 + 2 + 4) / 4, (1 + 2 + 4) / 3, (1 + 2 + 4 + 3 + 6) / 5]
    assert np.allclose(board.unlikeness(np.arange(4)), np.array(means) * unit, rtol=1e-5)


def test_more_effort_never_ends_with_a_worse_sheet() -> None:
    """With far too much noise to the last but one round, the sheet is the one that it began with."""
    arrangement = Arrangement.of(photos(64, 7), rectangle(8, 8), Pins())
    field, cells = Field.of(arrangement, None, NOTHING_ELSE), np.arange(64)
    *_, smooth = polish(field, cells, cells, 50)
    *_, stirred = polish(field, smooth, cells, 1, weights=Weights(noise=50.0))
    *_, further = polish_further(field, smooth, movable=cells, most=1, weights=Weights(noise=50.0))
    assert not np.array_equal(stirred, smooth)
    assert np.array_equal(further, smooth)
    assert list(polish_further(field, smooth, movable=cells, most=0, weights=Weights())) == []


def test_more_effort_makes_a_sheet_of_random_colours_smoother() -> None:
    shape, features = rectangle(25, 25), np.random.default_rng(11).random((625, 3))
    quick, best = (arrange(features, shape, options=Options(effort=effort)) for effort in ("quick", "best"))
    assert mean_neighbour_distance(features, best) < mean_neighbour_distance(features, quick)
    assert layout_scores(best, features)["dpq16"] > layout_scores(quick, features)["dpq16"]
