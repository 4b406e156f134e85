"""Suggested pins: by preset (which cells, and which photos for them), or the photos of a word at a named place."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.language import mark, tr
from album_app.layout.evaluation.scores import distances
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Cell, Shape

Reals = NDArray[np.floating]

ODD_SHARE = 0.05
"""The share of photos that are too odd to be suggested: those farthest from the photos most like them."""

PHOTOS_COMPARED = 1000
"""The number of photos with which each one is compared to find out how odd it is."""

NEAREST_ONE_IN = 4
"""Of the photos that lie nearest to a cell, one in this many may be pinned there: the nearest of them."""

Point = tuple[float, float]
"""A position on the sheet as shares of its height and width."""

MOST_PINS = 3
"""Photos that are pinned to a corner or an edge. Chosen on albums of 1,000 and 1,500 photos: with one pin the photos
of a word lie up to twice as far away from an edge, and with more than three the sheet becomes less smooth."""

PLACES: dict[str, tuple[str, tuple[Point, ...]]] = {
    "top-left": (mark("top left"), ((0, 0),)),
    "top": (mark("top"), ((0, 1 / 2), (0, 1 / 6), (0, 5 / 6))),
    "top-right": (mark("top right"), ((0, 1),)),
    "left": (mark("left"), ((1 / 2, 0), (1 / 6, 0), (5 / 6, 0))),
    "middle": (mark("middle"), ((1 / 2, 1 / 2),)),
    "right": (mark("right"), ((1 / 2, 1), (1 / 6, 1), (5 / 6, 1))),
    "bottom-left": (mark("bottom left"), ((1, 0),)),
    "bottom": (mark("bottom"), ((1, 1 / 2), (1, 1 / 6), (1, 5 / 6))),
    "bottom-right": (mark("bottom right"), ((1, 1),)),
}
"""The places by their names on the command line: what people call each, and the points where its pins lie, row by row.

An edge has points along its whole length, so that two words on opposite sides make an axis of the sheet.
"""


def _letters(shape: Shape) -> tuple[Cell, ...]:
    if not shape.centres:
        raise UsageError(tr("This shape has no letters to pin photos to; choose a text as the shape."))
    return shape.centres


PRESETS: dict[str, Callable[[Shape], tuple[Cell, ...]]] = {
    "corners": lambda shape: shape.corners,
    "letters": _letters,
    "edges": lambda shape: shape.edge_middles,
}
"""The cells that each preset pins photos to."""


def preset_pins(
    preset: str,
    features: ArrayLike,
    shape: Shape,
    *,
    candidates: Sequence[int] | None = None,
    lying: Layout | None = None,
) -> Pins:
    """Pins in the preset's cells: photos far apart from each other, among the candidates (all).

    Where a sheet is `lying` there already, each cell gets one of those around it: the pins are not to turn it.

    >>> from album_app.layout import corner_pins, rectangle
    >>> sorted(corner_pins(np.random.default_rng(0).random((20, 3)), rectangle(4, 5)).values())
    [(0, 0), (0, 4), (3, 0), (3, 4)]
    """
    if preset not in PRESETS:
        raise UsageError(
            tr(
                "There is no preset “{preset}” for pins; choose one of {presets}.",
                preset=preset,
                presets=", ".join(PRESETS),
            )
        )
    cells = PRESETS[preset](shape)
    x = np.asarray(features, dtype=np.float64)
    pool = np.arange(len(x)) if candidates is None else np.asarray(candidates, dtype=np.int64)
    if lying is not None:
        return _where_they_lie(x, cells, pool, lying)
    chosen = spread(x[pool], cells[: len(pool)]) if len(pool) else []
    return Pins({int(pool[photo]): cell for photo, cell in zip(chosen, cells, strict=False)})


corner_pins = partial(preset_pins, "corners")
letter_pins = partial(preset_pins, "letters")


def with_preset(
    pins: Pins,
    preset: str,
    features: ArrayLike,
    shape: Shape,
    candidates: Iterable[int],
    lying: Layout | None = None,
) -> Pins:
    """The pins, and those of a preset in the cells that are left, with candidates that are left."""
    free = [photo for photo in candidates if photo not in pins]
    for photo, cell in preset_pins(preset, features, shape, candidates=free, lying=lying).items():
        if pins.at(cell) is None:
            pins = pins.pin(photo, cell)
    return pins


def spread(x: Reals, cells: Sequence[Cell]) -> list[int]:
    """Photos far apart from each other, one per cell; near cells get photos that are nearer."""
    far = far_apart(x, len(cells))
    return _matched(far, distances(x[far], x[far]), cells)


def far_apart(x: Reals, k: int) -> list[int]:
    """Photos chosen one by one, each the farthest from all before; the oddest few of the album are passed over."""
    pool = np.flatnonzero(_ordinary(x, k))
    return [int(pool[photo]) for photo in _one_of_each(x[pool], np.arange(len(pool)), k)]


def _where_they_lie(x: Reals, cells: Sequence[Cell], pool: NDArray[np.int64], lying: Layout) -> Pins:
    """For each cell one of the photos of the pool (n,) that lie around it on a sheet, far apart from the others."""
    pool = pool[np.isin(pool, lying.shown)]
    at = np.array([lying.positions[photo] for photo in pool.tolist()], dtype=np.float64).reshape(-1, 2)
    away, ordinary = distances(at, np.asarray(cells, dtype=np.float64)), _ordinary(x[pool], len(cells))
    groups = np.full(len(pool), -1)
    for cell in range(len(cells)):
        nearest = np.flatnonzero(away.argmin(axis=1) == cell)
        around = nearest[np.argsort(away[nearest, cell], kind="stable")[: -(-len(nearest) // NEAREST_ONE_IN)]]
        groups[around[ordinary[around]] if ordinary[around].any() else around] = cell
    some = np.flatnonzero(groups >= 0)
    chosen = some[_one_of_each(x[pool[some]], groups[some], len(cells))]
    return Pins({int(pool[row]): cells[groups[row]] for row in chosen})


def _ordinary(x: Reals, k: int) -> NDArray[np.bool_]:
    """Which photos are none of the oddest few, where there are enough to choose k of them: (n,)."""
    if len(x) < 8 * k:
        return np.ones(len(x), dtype=bool)
    isolation = _isolation(x)
    return np.asarray(isolation <= np.quantile(isolation, 1 - ODD_SHARE))


def _one_of_each(x: Reals, groups: NDArray[np.int64], k: int) -> list[int]:
    """One photo of each of at most k groups, chosen one by one, each the farthest from all chosen before."""
    nearest = distances(x, x.mean(axis=0, keepdims=True))[:, 0] if len(x) else np.zeros(0)
    chosen: list[int] = []
    for _ in range(min(k, len(np.unique(groups)))):
        nearest[np.isin(groups, groups[chosen])] = -1.0
        best = int(nearest.argmax())
        step = distances(x, x[best : best + 1])[:, 0]
        nearest = step if not chosen else np.minimum(nearest, step)
        chosen.append(best)
    return chosen


def _isolation(x: Reals) -> Reals:
    """Distance of each photo to the fifth nearest of (at most a thousand of) the others."""
    some = x[np.linspace(0, len(x) - 1, min(len(x), PHOTOS_COMPARED)).astype(np.int64)]
    k = min(5, len(some) - 1)
    parts = [np.partition(distances(x[at : at + 512], some), k, axis=1)[:, k] for at in range(0, len(x), 512)]
    return np.concatenate(parts)


def _matched(photos: list[int], apart: Reals, cells: Sequence[Cell]) -> list[int]:
    """The photos in the order of the cells that makes distances agree best: exchanges until none helps."""
    at = np.asarray(cells, dtype=np.float64)
    between = distances(at, at)
    order = list(range(len(photos)))

    def agreement() -> float:
        return float((apart[np.ix_(order, order)] * between).sum())

    best, improved = agreement(), True
    while improved:
        improved = False
        for i in range(len(order)):
            for j in range(i + 1, len(order)):
                order[i], order[j] = order[j], order[i]
                now = agreement()
                if now > best * (1 + 1e-12):
                    best, improved = now, True
                else:
                    order[i], order[j] = order[j], order[i]
    return [photos[place] for place in order]


def check_place(place: str) -> None:
    """Refuse a place that no sheet has."""
    if place not in PLACES:
        text = mark("There is no place “{place}” on a sheet; choose one of {places}, or ROW,COL.")
        raise UsageError(tr(text, place=place, places=", ".join(PLACES)))


def place_cells(shape: Shape, place: str | Cell, count: int, taken: Iterable[Cell] = ()) -> list[Cell]:
    """At most `count` free cells for pins at a place: along an edge, or next to each other at the other places."""
    if isinstance(place, tuple):
        return [place][:count]
    check_place(place)
    top, left, bottom, right = shape.bounds
    points = PLACES[place][1]
    used, cells = set(taken), list[Cell]()
    for k in range(min(count, MOST_PINS)):
        down, across = points[k % len(points)]
        cell = shape.nearest_free((top + down * (bottom - top), left + across * (right - left)), used)
        if cell is None:
            break
        used.add(cell)
        cells.append(cell)
    return cells


def with_place_pins(
    pins: Pins, ranked: Sequence[int], shape: Shape, place: str | Cell, lying: Layout | None = None
) -> Pins:
    """The pins, and the first of the `ranked` photos pinned at a place; photos that are pinned already stay there.

    Where a sheet is `lying` there already, each photo goes to the cell of the place that is nearest to it.
    """
    free = [photo for photo in ranked if photo not in pins]
    taken = () if isinstance(place, tuple) else pins.values()
    cells = place_cells(shape, place, len(free), taken)
    photos = free[: len(cells)]
    if lying is not None:
        photos = _least_moved(photos, cells, lying.positions)
    for photo, cell in zip(photos, cells, strict=True):
        pins = pins.pin(photo, cell)
    return pins


def _least_moved(photos: Sequence[int], cells: Sequence[Cell], positions: Mapping[int, Cell]) -> list[int]:
    """The photos in the order of the cells that moves those on the sheet least."""
    from scipy.optimize import linear_sum_assignment  # a starting window does without SciPy

    at = np.array([positions.get(photo, (np.nan, np.nan)) for photo in photos], np.float64).reshape(-1, 1, 2)
    away = np.nan_to_num(((at - np.array(cells, np.float64).reshape(1, -1, 2)) ** 2).sum(axis=2))
    rows, columns = linear_sum_assignment(away)
    order = np.argsort(columns)
    return [photos[row] for row in rows[order]]
