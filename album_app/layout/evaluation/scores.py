"""How good a layout is: distance preservation, pin pull, leave-one-pin-out, coverage, semantic agreement.

Photos are given by their features, one row each, and by their cells, one (row, column) each, in the same order.
A score means little without the number of photos shown, of photos and of cells, and the repeats.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Cell, Shape
from album_app.work import Stop, check

Reals = NDArray[np.floating]

PHOTOS_FOR_ALL_ROWS = 4000
"""Up to this many photos, DPQ starts from each of them."""

SAMPLED_ROWS = 1000
"""Of more photos, DPQ starts from a random sample of this size."""

CHUNK_ROWS = 256
"""The photos whose distances are computed at a time."""

DISTANCES_AT_ONCE = 1 << 18
"""The distances that are sorted at a time."""

PAIRS_AT_ONCE = 16_384
"""The pairs of nearly equal photos whose distances are computed exactly at a time."""

PULL_NEIGHBOURS = 24
"""The number of cells nearest to a pin that count for pin pull."""

COVERAGE_DRAWS = 20
"""The number of random choices with which coverage is compared."""

COVERAGE_PHOTOS = 20_000
"""Coverage of more photos is computed on a random sample of this size."""

PAIRS_FOR_MEAN = 100_000
"""The number of random pairs by which the mean distance of all photos is estimated."""


@dataclass(frozen=True)
class Dpq:
    """Distance preservation quality, over how many of the photos it was averaged, and whether that is a sample."""

    value: float
    rows: int
    photos: int

    @property
    def sampled(self) -> bool:
        """Whether only some photos were taken as starting points."""
        return self.rows < self.photos


def dpq(
    features: ArrayLike,
    cells: ArrayLike,
    p: float = 16,
    *,
    ties_averaged: bool = False,
    reach: ArrayLike | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> float:
    """DPQ_p of photos with these features in these cells: 1 is as good as any order can be.

    Photos in equally distant cells count in the order of their likeness, so on a small sheet the score is almost wholly
    that of each photo's best neighbour. With `ties_averaged` (DPQ16t) each of them counts as the mean of all of them.
    Do not compare squares with shifted rows: there two cells are nearest instead of four.
    A large photo is given by the middle of its cells and its `reach`, from there to the middles of its outermost cells
    (0 for a single cell); others are as far from it as from the nearest of its cells.
    """
    return dpq_detail(features, cells, p, ties_averaged=ties_averaged, reach=reach, seed=seed, stop=stop).value


def dpq_detail(
    features: ArrayLike,
    cells: ArrayLike,
    p: float = 16,
    *,
    ties_averaged: bool = False,
    reach: ArrayLike | None = None,
    seed: int = 0,
    all_rows: int = PHOTOS_FOR_ALL_ROWS,
    sampled_rows: int = SAMPLED_ROWS,
    stop: Stop | None = None,
) -> Dpq:
    """DPQ_p and how it was measured; above `all_rows` photos it is averaged over a sample of them."""
    x, at = _pair(features, cells)
    n = len(x)
    far = np.zeros(n) if reach is None else np.asarray(reach, np.float64)
    rows = np.arange(n)
    if n > all_rows:
        rows = np.sort(np.random.default_rng(seed).choice(n, sampled_rows, replace=False))
    if n < 3:
        return Dpq(1.0, len(rows), n)
    ideal, real, total = np.zeros(n - 1), np.zeros(n - 1), 0.0
    step = max(1, DISTANCES_AT_ONCE // n)
    for start in range(0, len(rows), step):
        check(stop)
        best, laid_out = _sorted_distances(x, at, far, rows[start : start + step], ties_averaged)
        total += float(best.sum())
        ideal += best.sum(axis=0)
        real += laid_out.sum(axis=0)
    mean = total / (len(rows) * (n - 1))
    gains = [_gain(sums / len(rows), mean, p) for sums in (real, ideal)]
    return Dpq(gains[0] / gains[1] if gains[1] > 0 else 1.0, len(rows), n)


def _sorted_distances(
    x: Reals, at: Reals, reach: Reals, rows: NDArray[np.int64], ties_averaged: bool
) -> tuple[Reals, Reals]:
    """Feature distances from some photos to all others: ascending, and in the order of the cells' distances."""
    distance = distances(x[rows], x)
    others = np.ones(distance.shape, dtype=bool)
    others[np.arange(len(rows)), rows] = False
    # Squared distances of cells are whole numbers, or quarters where rows are shifted by halves; counted in these, one
    # sort of whole + fraction orders by both and keeps both.
    scale = 2 * float(distance.max()) or 1.0
    steps = [np.abs(at[rows, None, axis] - at[None, :, axis]) for axis in (0, 1)]
    if reach.any():
        steps = [np.maximum(step - reach[rows, None] - reach, 0.0) for step in steps]
    apart = steps[0] ** 2 + steps[1] ** 2
    apart = np.rint(4 * apart) if (at % 1).any() else apart
    apart = apart[others].reshape(len(rows), -1)
    distance = distance[others].reshape(len(rows), -1)
    laid_out = apart + (_tie_means(apart, distance) if ties_averaged else distance) / scale
    laid_out.sort(axis=1)
    return np.sort(distance, axis=1), (laid_out - np.floor(laid_out)) * scale


def _tie_means(apart: Reals, distance: Reals) -> Reals:
    """Each feature distance (rows, others) replaced by the mean over the cells of its row that are equally far away."""
    keys = apart.astype(np.int64)
    keys += np.arange(len(keys))[:, None] * (int(keys.max()) + 1)
    sums, counts = np.bincount(keys.ravel(), distance.ravel()), np.bincount(keys.ravel())
    return np.asarray(sums[keys] / counts[keys])


def _gain(means: Reals, mean: float, p: float) -> float:
    """The p-norm over k of how much the first k neighbours are nearer than average."""
    if mean <= 0:
        return 0.0
    delta = np.maximum(0, (mean - np.cumsum(means) / np.arange(1, len(means) + 1)) / mean)
    largest = float(delta.max())
    return largest * float(((delta / largest) ** p).sum() ** (1 / p)) if largest > 0 else 0.0


def distances(a: Reals, b: Reals) -> Reals:
    """Euclidean distances between two sets of rows, exact zeros for equal ones."""
    lengths = _squared_lengths(b)
    squared = _squared_lengths(a)[:, None] + lengths[None, :] - 2 * (a @ b.T)
    near = squared < 1e-6 * (lengths.max() + 1e-300)
    rows, columns = np.nonzero(near)
    for start in range(0, len(rows), PAIRS_AT_ONCE):  # in parts: an album may have millions of pairs of equal photos
        i, j = rows[start : start + PAIRS_AT_ONCE], columns[start : start + PAIRS_AT_ONCE]
        squared[i, j] = ((a[i] - b[j]) ** 2).sum(axis=1)
    result: Reals = np.sqrt(np.maximum(squared, 0))
    return result


def _squared_lengths(x: Reals) -> Reals:
    """The squared length of each row, found in parts: the squares of all would take as much memory as the rows."""
    parts = [(x[start : start + CHUNK_ROWS] ** 2).sum(axis=1) for start in range(0, len(x), CHUNK_ROWS)]
    return np.concatenate(parts) if parts else np.empty(0, x.dtype)


def pin_pull(features: ArrayLike, cells: ArrayLike, pins: Mapping[int, Cell], k: int = PULL_NEIGHBOURS) -> float:
    """How much pins gather their like: 1 = each has its nearest photos around it, 0 = as at random; nan without pins.

    `pins` maps rows of `features` to their cells.
    """
    x, at = _pair(features, cells)
    pulls = [_pull(x, at, photo, np.asarray(cell, dtype=np.float64), k) for photo, cell in pins.items()]
    return float(np.mean(pulls)) if pulls else float("nan")


def _pull(x: Reals, at: Reals, photo: int, cell: Reals, k: int) -> float:
    apart = ((at - cell) ** 2).sum(axis=1)
    others = np.arange(len(x)) != photo
    if others.sum() == 0:
        return 1.0
    distance = distances(x[photo : photo + 1], x)[0][others]
    around = apart[others] <= np.sort(apart[others])[min(k, len(distance)) - 1]
    real, ideal = distance[around].mean(), np.sort(distance)[: around.sum()].mean()
    base = distance.mean()
    return float((base - real) / (base - ideal)) if base > ideal else 1.0


def leave_one_pin_out(pins: Pins, shape: Shape, plan_without: Callable[[Pins, int], ArrayLike]) -> float:
    """How far the transport plan puts a pin that was hidden from it, by the grid's diagonal, on average; nan without
    pins.

    `plan_without(others, photo)` solves with the other pins and gives the hidden photo's weight on each cell.
    """
    errors = []
    for photo, cell in pins.items():
        weights = np.asarray(plan_without(pins.unpin(photo), photo), dtype=np.float64)
        place = weights @ shape.places / weights.sum()
        errors.append(float(np.linalg.norm(place - shape.places[shape.index_of(cell)])) / diagonal(shape))
    return float(np.mean(errors)) if errors else float("nan")


def diagonal(shape: Shape) -> float:
    """From corner cell to corner cell, in cells."""
    return max(1.0, float(np.hypot(*shape.places.max(axis=0))))


def coverage(
    features: ArrayLike,
    shown: Sequence[int],
    draws: int = COVERAGE_DRAWS,
    seed: int = 0,
    *,
    most_photos: int = COVERAGE_PHOTOS,
    stop: Stop | None = None,
) -> float:
    """The mean distance of all photos to the nearest shown one, divided by that of a random choice; small is good.

    Of more than `most_photos` photos, a random sample is taken.
    """
    x = np.asarray(features)
    if len(shown) >= len(x):
        return 1.0
    random = np.random.default_rng(seed)
    chosen = [random.choice(len(x), len(shown), replace=False) for _ in range(draws)]
    some = x if len(x) <= most_photos else x[random.choice(len(x), most_photos, replace=False)]
    chance = np.mean([_gap(some, x[each], stop) for each in chosen])
    return float(_gap(some, x[np.asarray(shown)], stop) / chance) if chance > 0 else 1.0


def _gap(x: Reals, shown: Reals, stop: Stop | None) -> float:
    """Mean distance of photos to the nearest shown one."""
    check(stop)
    shown = shown.astype(np.float64)
    nearest = [
        distances(x[start : start + CHUNK_ROWS].astype(np.float64), shown).min(axis=1)
        for start in range(0, len(x), CHUNK_ROWS)
    ]
    return float(np.concatenate(nearest).mean())


def semantic_agreement(classes: Sequence[object], cells: ArrayLike) -> float:
    """The share of horizontally or vertically adjacent pairs of photos that have the same class; nan without pairs."""
    at = {(int(row), int(column)): kind for (row, column), kind in zip(np.asarray(cells), classes, strict=True)}
    pairs = [
        kind == at[neighbour]
        for (row, column), kind in at.items()
        for neighbour in ((row + 1, column), (row, column + 1))
        if neighbour in at
    ]
    return float(np.mean(pairs)) if pairs else float("nan")


@dataclass(frozen=True)
class Agreement:
    """The share of adjacent pairs of different photos with the same value, and that of pairs drawn at random."""

    share: float
    chance: float


def value_agreement(layout: Layout, values: NDArray[np.int32]) -> Agreement | None:
    """How often photos side by side have the same value; None where no two photos with a value lie side by side.

    `values` has a number for the value of each photo, -1 where it is not known.

    >>> from album_app.layout import rectangle
    >>> value_agreement(Layout(rectangle(1, 4), np.arange(4), np.zeros(4)), np.array([0, 0, 1, 1], np.int32))
    Agreement(share=0.6666666666666666, chance=0.3333333333333333)
    """
    places = layout.shape.entries
    grid = np.full([int(last) + 2 for last in places.max(axis=0)], -1, np.int64)  # an empty row and column at the end
    grid[tuple(places.T)] = layout.photo_at
    same, pairs = 0, 0
    for other in (np.roll(grid, -1, axis=0), np.roll(grid, -1, axis=1)):
        both = (grid >= 0) & (other >= 0) & (grid != other)
        one, two = values[grid[both]], values[other[both]]
        known = (one >= 0) & (two >= 0)
        same, pairs = same + int((one[known] == two[known]).sum()), pairs + int(known.sum())
    shown = values[list(layout.shown)]
    counts = np.bincount(shown[shown >= 0]).astype(float)
    photos = counts.sum()
    if not pairs or photos < 2:
        return None
    return Agreement(same / pairs, float((counts * (counts - 1)).sum() / (photos * (photos - 1))))


def mean_neighbour_distance(features: ArrayLike, layout: Layout, reach: int = 2, *, seed: int = 0) -> float:
    """Between photos at most `reach` rows and columns apart, by the mean of all: lower is smoother; nan for one photo.

    With a reach of 1 the four neighbours alone count, with 2 all 24 around (N4 and N24). The mean of all is that of a
    sample of pairs.
    """
    x, places = np.asarray(features, dtype=np.float64), layout.shape.entries
    rows, columns = (int(last) + 1 for last in places.max(axis=0))
    grid = np.full((rows + reach, columns + 2 * reach), -1, dtype=np.int64)
    inside = grid[:rows, reach : reach + columns]
    inside[tuple(places.T)] = layout.photo_at
    steps = [(0, 1), (1, 0)]
    if reach > 1:
        steps = [
            (down, over) for down in range(reach + 1) for over in range(-reach, reach + 1) if (down, over) > (0, 0)
        ]
    near = []
    for down, over in steps:
        other = grid[down : down + rows, reach + over : reach + over + columns]
        both = (inside >= 0) & (other >= 0)
        near.append(np.linalg.norm(x[inside[both]] - x[other[both]], axis=1))
    shown = layout.photo_at[layout.photo_at >= 0]
    some = np.random.default_rng(seed).choice(shown, (2, PAIRS_FOR_MEAN))
    apart = some[:, some[0] != some[1]]
    mean = np.linalg.norm(x[apart[0]] - x[apart[1]], axis=1).mean() if apart.size else 0.0
    return float(np.concatenate(near).mean() / mean) if mean > 0.0 else float("nan")


def page_likeness(features: ArrayLike, layout: Layout) -> float:
    """The mean distance between photos of one page by that between all that are shown: lower is more alike.

    >>> from album_app.layout.editing.refit import reading_order
    >>> from album_app.layout.shapes.shape import book
    >>> page_likeness([[0.0], [0.0], [9.0], [9.0]], reading_order(book(2, 1, 2), range(4)))
    0.0
    """
    x, shape = np.asarray(features, dtype=np.float64), layout.shape
    filled = layout.photo_at >= 0
    page = np.zeros(shape.count, np.int64) if shape.pages is None else shape.pages.page_of(shape.cells)
    page, shown = page[filled], x[layout.photo_at[filled]]
    within = among = pairs = 0.0
    for start in range(0, len(shown), CHUNK_ROWS):
        apart = distances(shown[start : start + CHUNK_ROWS], shown)
        same = page[start : start + CHUNK_ROWS, None] == page
        within, pairs, among = within + float(apart[same].sum()), pairs + float(same.sum()), among + float(apart.sum())
    pairs, all_pairs = pairs - len(shown), len(shown) * (len(shown) - 1)  # none with itself
    return within / pairs * all_pairs / among if pairs > 0 and among > 0 else float("nan")


def layout_scores(
    layout: Layout, features: ArrayLike, active: Sequence[int] | None = None, *, stop: Stop | None = None
) -> dict[str, float]:
    """The scores of a layout that need no solver: dpq16, pin_pull (with pins) and coverage (with photos left out).

    >>> from album_app.layout import rectangle
    >>> in_order = Layout(rectangle(1, 5), np.arange(5), np.zeros(5))
    >>> layout_scores(in_order, np.arange(5.0)[:, None])
    {'dpq16': 1.0}
    """
    x = np.asarray(features)
    filled, places, reach = frame_places(layout)
    placed = x[layout.photo_at[filled]].astype(np.float64)
    scores = {"dpq16": dpq(placed, places, reach=reach, stop=stop)}
    row_of = {int(index): row for row, index in enumerate(filled)}
    rows = [row_of[index] for index in map(layout.shape.index_of, layout.pins.values()) if index in row_of]
    if rows:
        around = max(1, min(PULL_NEIGHBOURS, layout.shape.together - 1))
        scores["pin_pull"] = pin_pull(placed, places, {row: tuple(places[row]) for row in rows}, around)
    del placed
    taking_part = np.arange(len(x)) if active is None else np.asarray(active, dtype=np.int64)
    shown = np.flatnonzero(np.isin(taking_part, layout.shown)).tolist()
    check(stop)
    if 0 < len(shown) < len(taking_part):
        everybody = np.array_equal(taking_part, np.arange(len(x)))
        scores["coverage"] = coverage(x if everybody else x[taking_part], shown, stop=stop)
    return scores


def frame_places(layout: Layout) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """The cells with photos (k,), one for each large photo, the middles of their frames (k, 2), and their reach (k,).

    A large photo counts once: its cells, taken one by one, would be the best of neighbours for each other.
    """
    first, reach = np.ones(layout.shape.count, bool), np.zeros(layout.shape.count)
    places = layout.shape.places.astype(np.float64)
    for photo in layout.blocks:
        cells = np.flatnonzero(layout.photo_at == photo)
        places[cells[0]] = places[cells].mean(axis=0)
        reach[cells[0]] = (layout.sizes[photo] - 1) / 2
        first[cells[1:]] = False
    filled = np.flatnonzero((layout.photo_at >= 0) & first)
    return filled, places[filled], reach[filled]


def _pair(features: ArrayLike, cells: ArrayLike) -> tuple[Reals, Reals]:
    x, at = np.asarray(features, dtype=np.float64), np.asarray(cells, dtype=np.float64)
    if x.ndim != 2 or at.shape != (len(x), 2):
        raise ValueError("scores need features (n, d) and cells (n, 2)")
    return x, at
