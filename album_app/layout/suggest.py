"""Pins by preset: which cells, and which photos for them."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.layout.pins import Pins
from album_app.layout.scores import distances
from album_app.layout.shapes.shape import Cell, Shape

Reals = NDArray[np.floating]
Chooser = Callable[[Reals, Sequence[Cell]], list[int]]

ODD_SHARE = 0.05
COMPARED = 1000
PRESETS = ("corners", "letters", "edges")


def preset_pins(
    preset: str,
    features: ArrayLike,
    shape: Shape,
    photos: Sequence[int] | None = None,
    *,
    candidates: Sequence[int] | None = None,
    how: str = "spread",
) -> Pins:
    """Pins in the preset's cells: the photos named, in order, or suggested ones among the candidates (all)."""
    cells = _cells(preset, shape)
    x = np.asarray(features, dtype=np.float64)
    if photos is None:
        if how not in CHOOSERS:
            raise UsageError(f"Photos can be suggested by {' or '.join(CHOOSERS)}, not “{how}”.")
        pool = np.arange(len(x)) if candidates is None else np.asarray(candidates, dtype=np.int64)
        photos = [int(pool[photo]) for photo in CHOOSERS[how](x[pool], cells[: len(pool)])]
    if len(photos) > len(cells):
        raise UsageError(f"There are {len(cells)} places for these pins, and {len(photos)} photos were chosen.")
    return Pins(dict(zip(photos, cells[: len(photos)], strict=True)))


def _cells(preset: str, shape: Shape) -> tuple[Cell, ...]:
    if preset == "letters" and not shape.centres:
        raise UsageError("This shape has no letters to pin photos to; choose a text as the shape.")
    cells = {"corners": shape.corners, "letters": shape.centres, "edges": shape.edge_middles}.get(preset)
    if cells is None:
        raise UsageError(f"There is no preset “{preset}” for pins; choose one of {', '.join(PRESETS)}.")
    return cells


corner_pins = partial(preset_pins, "corners")
edge_pins = partial(preset_pins, "edges")
letter_pins = partial(preset_pins, "letters")


def with_preset(pins: Pins, preset: str, features: ArrayLike, shape: Shape, candidates: Iterable[int]) -> Pins:
    """The pins, and those of a preset in the cells that are left, with candidates that are left."""
    free = [photo for photo in candidates if photo not in pins]
    for photo, cell in preset_pins(preset, features, shape, candidates=free).items():
        if pins.at(cell) is None:
            pins = pins.pin(photo, cell)
    return pins


def spread(x: Reals, cells: Sequence[Cell]) -> list[int]:
    """Photos far apart from each other, one per cell; near cells get photos that are nearer."""
    far = far_apart(x, len(cells))
    return _matched(far, distances(x[far], x[far]), cells)


def far_apart(x: Reals, k: int) -> list[int]:
    """Photos chosen one by one, each the farthest from all before; the oddest few of the album are passed over."""
    pool = np.arange(len(x))
    if len(x) >= 8 * k:
        isolation = _isolation(x)
        pool = np.flatnonzero(isolation <= np.quantile(isolation, 1 - ODD_SHARE))
    nearest = distances(x[pool], x[pool].mean(axis=0, keepdims=True))[:, 0]
    chosen: list[int] = []
    for _ in range(min(k, len(pool))):
        nearest[chosen] = -1.0
        best = int(nearest.argmax())
        step = distances(x[pool], x[pool[best : best + 1]])[:, 0]
        nearest = step if not chosen else np.minimum(nearest, step)
        chosen.append(best)
    return [int(pool[photo]) for photo in chosen]


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


def extremes(x: Reals, cells: Sequence[Cell]) -> list[int]:
    """Photos at the ends of the two main directions in which the album varies, towards where each cell lies.

    Of colours these are the colour extremes, of semantic features the semantic ones.
    """
    centred = x - x.mean(axis=0)
    axes = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :2] if x.shape[1] > 1 else np.ones((1, 1))
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])] < 0, -1, 1)
    plane = np.zeros((len(x), 2))
    plane[:, : axes.shape[1]] = centred @ axes
    plane /= np.maximum(np.quantile(np.abs(plane), 0.99, axis=0), 1e-12)
    at = np.asarray(cells, dtype=np.float64)[:, ::-1]  # the first direction runs along the rows
    towards = at - at.mean(axis=0)
    towards /= np.maximum(np.abs(towards).max(axis=0), 1e-12)
    chosen: dict[int, int] = {}
    for cell in np.argsort(-np.linalg.norm(towards, axis=1), kind="stable"):
        off = ((plane - towards[cell]) ** 2).sum(axis=1)
        off[list(chosen.values())] = np.inf
        chosen[int(cell)] = int(off.argmin())
    return [chosen[cell] for cell in range(len(cells))]


CHOOSERS: dict[str, Chooser] = {"spread": spread, "extremes": extremes}
