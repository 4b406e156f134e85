"""Pins by preset: which cells, and which photos for them."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.evaluation.scores import distances
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Cell, Shape

Reals = NDArray[np.floating]

ODD_SHARE = 0.05
COMPARED = 1000
NEAREST_PHOTOS = 4
"""The number of photos nearest to a cell that are near enough to be pinned there."""


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
        around = nearest[np.argsort(away[nearest, cell], kind="stable")[: -(-len(nearest) // NEAREST_PHOTOS)]]
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
    """Of at most k groups one photo each, chosen one by one, each the farthest from all before."""
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
    some = x[np.linspace(0, len(x) - 1, min(len(x), COMPARED)).astype(np.int64)]
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
