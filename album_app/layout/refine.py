"""Refinement: small assignments between strided groups of cells and the photos in them, while the radius shrinks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from album_app.layout.field import Field
from album_app.layout.guide import Matrix
from album_app.layout.table import Indices
from album_app.work import Stop, check

BATCH = 64
"""Groups assigned between two looks at the stop request."""

Extra = Callable[[Indices, Indices, Indices], Matrix]
"""From the sheet, groups of cells (B, K) and the photos in them (B, K) to what is subtracted from scores (B, K, K)."""


@dataclass(frozen=True)
class Schedule:
    """Radii from `start` down to 1 by the factor `decay`, groups of about side x side cells."""

    start: float
    decay: float = 0.97
    side: int = 8
    seed: int = 0

    @property
    def radii(self) -> list[float]:
        """One radius per pass, falling."""
        count = max(1, int(np.ceil(np.log(max(self.start, 1.0)) / -np.log(self.decay))))
        return [max(1.0, self.start * self.decay**i) for i in range(count)]


def refine(
    field: Field,
    photo_at: Indices,
    movable: Indices,
    schedule: Schedule,
    extra: Extra | None = None,
    stop: Stop | None = None,
) -> Iterator[Indices]:
    """Yield the sheet (cells,) after each pass; only photos in the `movable` cells change places.

    Raises `Stopped`; what was yielded before stays valid.
    """
    rng = np.random.default_rng(schedule.seed)
    for radius in schedule.radii:
        check(stop)
        photo_at = _one_pass(field, photo_at, movable, radius, schedule.side, rng, extra, stop)
        yield photo_at


def _one_pass(
    field: Field,
    photo_at: Indices,
    movable: Indices,
    radius: float,
    side: int,
    rng: Generator,
    extra: Extra | None,
    stop: Stop | None,
) -> Indices:
    """Assign every group anew against the same neighbourhood means."""
    cell_vectors = field.cell_vectors(photo_at, round(radius))
    after = photo_at.copy()
    for groups in strided_groups(field, movable, radius, side, rng):
        for start in range(0, len(groups), BATCH):
            check(stop)
            cells = groups[start : start + BATCH]
            photos = photo_at[cells]
            scores = cell_vectors[cells] @ field.photo_vectors[photos].transpose(0, 2, 1)  # (B, K, K)
            if extra is not None:
                scores -= extra(photo_at, cells, photos)
            after[cells] = np.take_along_axis(photos, best_assignments(scores), axis=1)
    return after


def best_assignments(scores: Matrix) -> Indices:
    """For each matrix of scores (cells, photos) the photo of every cell such that their sum is largest: (B, K)."""
    from scipy.optimize import linear_sum_assignment

    # Shifting a photo's scores changes no assignment but halves the time: fewer cells start out wanting the same one.
    costs = (scores.mean(axis=1, keepdims=True) - scores).astype(np.float64)
    return np.array([linear_sum_assignment(cost)[1] for cost in costs])


def strided_groups(field: Field, movable: Indices, radius: float, side: int, rng: Generator) -> list[Indices]:
    """All movable cells in groups (B, K) and a smaller rest (1, K'), each spread over about 2 x radius cells a side.

    Cells at every stride-th row and column form a lattice; lattices are cut into side x side squares at a random
    offset, and squares that the edge cut small are joined with the next ones.
    """
    size = side * side
    count = max(1, round(len(movable) / size))
    each = -(-len(movable) // count)
    order = movable[_lattice_order(field, movable, radius, side, rng)]
    whole = len(order) // each * each
    parts = [order[:whole].reshape(-1, each), order[whole:].reshape(1, -1)]
    return [part for part in parts if part.size]


def _lattice_order(field: Field, cells: Indices, radius: float, side: int, rng: Generator) -> Indices:
    """The order that puts cells of one lattice square next to each other, squares in a snake along each lattice."""
    squares, phases = [], []
    for length, position in zip(field.grid, np.divmod(field.positions[cells], field.grid[1]), strict=True):
        stride = max(1, round(min(2.0 * radius, length) / side))
        position = position + rng.integers(stride * side)
        squares.append(position // (stride * side))
        phases.append(position % stride)
    down, across = squares
    across = np.where(down % 2 == 0, across, across.max() - across)
    return np.lexsort((across, down, phases[1], phases[0]))
