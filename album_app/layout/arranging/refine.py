"""Refinement: small assignments between strided groups of cells and the photos in them, while the radius shrinks.

Written by hand, because libraries that sort pictures on grids support neither pins and shapes nor a guide to follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Indices
from album_app.layout.arranging.field import Field
from album_app.layout.arranging.guide import Matrix
from album_app.work import Stop, check

BATCH = 64
"""Groups that are assigned between two checks of the stop request."""

SCHEDULES = ((600, 0.96, 8), (3000, 0.98, 8), (20_000, 0.92, 6), (10**9, 0.89, 6))
"""(cells, factor between radii, side of a group in cells): the last two are for sheets of up to this many cells."""

SOFTNESS, SWEEPS = 0.07, 10
"""Epsilon, as a share of the mean cost, and the number of sweeps of the Sinkhorn iteration before each assignment."""

Price = Callable[[Indices, Indices, Indices], Matrix]
"""A function of the sheet, groups of cells (B, K) and their photos (B, K): what each photo costs in each cell (B, K,
K).

It is subtracted from scores.
"""


def sum_of_prices(*prices: Price | None) -> Price | None:
    """The sum of several prices; None where there is none."""
    there = [price for price in prices if price is not None]
    if len(there) < 2:
        return there[0] if there else None

    def total(photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        return np.asarray(sum(price(photo_at, cells, photos) for price in there))

    return total


@dataclass(frozen=True)
class Schedule:
    """Radii from `start` down to `end` by the factor `decay`, groups of about side x side cells."""

    start: float
    decay: float = 0.97
    side: int = 6
    seed: int = 0
    end: float = 1.0

    @classmethod
    def suiting(cls, cells: int, start: float, seed: int = 0) -> Schedule:
        """The schedule for a number of cells: it takes 0.1 seconds for hundreds of cells, and seconds for thousands."""
        decay, side = next((decay, side) for most, decay, side in SCHEDULES if cells <= most)
        return cls(start, decay, side, seed)

    @property
    def radii(self) -> list[float]:
        """One radius per pass, falling."""
        end = max(self.end, 1.0)
        count = max(1, int(np.ceil(np.log(max(self.start / end, 1.0)) / -np.log(self.decay))))
        return [max(end, self.start * self.decay**i) for i in range(count)]


def refine(
    field: Field,
    photo_at: Indices,
    movable: Indices,
    schedule: Schedule,
    price: Price | None = None,
    stop: Stop | None = None,
) -> Iterator[Indices]:
    """Yield the sheet (cells,) after each pass; only photos in the `movable` cells change places.

    Raises `Stopped`; what was yielded before stays valid.
    """
    rng = np.random.default_rng(schedule.seed)
    lattices = Lattices.of(field, movable, schedule.side)
    for radius in schedule.radii:
        vectors = field.cell_vectors(photo_at, round(radius))
        after = photo_at.copy()
        groups = lattices.groups(radius, rng)
        for start in range(0, len(groups), BATCH):
            check(stop)
            cells = groups[start : start + BATCH]
            photos = photo_at[cells]
            scores = field.scores(vectors, cells, photos)
            if price is not None:
                scores -= price(photo_at, cells, photos)
            after[cells] = photos[np.arange(len(cells))[:, None], best_assignments(scores)]
        photo_at = after
        yield photo_at


def best_assignments(scores: Matrix) -> Indices:
    """For each matrix of scores (cells, photos) the photo of every cell such that their sum is largest: (B, K)."""
    from scipy.optimize import linear_sum_assignment

    return np.array([linear_sum_assignment(cost)[1] for cost in _nearly_solved(scores)])


def _nearly_solved(scores: Matrix) -> NDArray[np.float64]:
    """Costs (B, K, K) with the same best assignments as scores, found in half the time.

    The best assignment stays the best if a number is subtracted from all costs of a cell or of a photo. After
    Sinkhorn's potentials are subtracted, few cells still have the same cheapest photo, so the assignment is found
    quickly.
    """
    costs = scores.max(axis=2, keepdims=True) - scores
    softness = np.float32(SOFTNESS) * costs.mean() + np.float32(1e-12)
    plan = np.exp(costs / -softness)
    cells, least = np.ones((len(costs), costs.shape[1], 1), np.float32), np.float32(1e-30)
    for _ in range(SWEEPS):
        photos = 1.0 / (cells.transpose(0, 2, 1) @ plan + least)  # (B, 1, K)
        cells = 1.0 / (plan @ photos.transpose(0, 2, 1) + least)  # (B, K, 1)
    exact = np.subtract(costs, softness * (np.log(cells) + np.log(photos)), dtype=np.float64)
    return np.asarray(exact - exact.min(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Lattices:
    """Cells to be cut into groups of about side x side that lie on interleaved lattices."""

    cells: Indices
    places: tuple[Indices, Indices]  # their rows and columns
    lengths: tuple[int, int]  # of the sheet
    side: int

    @classmethod
    def of(cls, field: Field, cells: Indices, side: int) -> Lattices:
        """The lattices of some cells of a field."""
        rows, columns = np.divmod(field.positions[cells], field.grid[1])
        return cls(cells, (rows, columns), field.grid, side)

    def groups(self, radius: float, rng: Generator) -> Indices:
        """Cells in groups of one size (B, K), each spread over about 2 x radius cells a side.

        Lattices are cut into side x side squares at a random offset; where the edge of the sheet leaves less of a
        square, it is joined with the next ones. Fewer than B cells, drawn at random, are left out.
        """
        if not len(self.cells):
            return self.cells.reshape(0, 1)
        count = max(1, round(len(self.cells) / self.side**2))
        order = np.argsort(self._keys(radius, rng), kind="stable")
        left_out = rng.choice(len(order), len(order) % count, replace=False)
        return self.cells[np.delete(order, left_out)].reshape(count, -1)

    def _keys(self, radius: float, rng: Generator) -> Indices:
        """Numbers that are equal within a square of a lattice, and follow each other in a snake along each lattice."""
        squares, phases, counts = [], [], []
        for length, place in zip(self.lengths, self.places, strict=True):
            stride = max(1, round(min(2.0 * radius, length) / self.side))
            place = place + rng.integers(stride * self.side)
            squares.append(place // (stride * self.side))
            phases.append(place % stride)
            counts.append((length // (stride * self.side) + 2, stride))
        (down, across), ((tall, _), (wide, strides)) = squares, counts
        across = np.where(down % 2 == 0, across, wide - 1 - across)
        return np.asarray(((phases[0] * strides + phases[1]) * tall + down) * wide + across)


@dataclass(frozen=True, eq=False)
class Step:
    """A function that yields better and better sheets, and how many it yields at most."""

    most: int
    run: Callable[..., Iterator[Indices]]

    def with_price(self, price: Price | None) -> Step:
        """The step with a price that photos pay."""
        return replace(self, run=partial(self.run, price=price))

    def with_schedule(self, schedule: Schedule) -> Step:
        """The refinement with another schedule of radii."""
        return Step(len(schedule.radii), partial(self.run, schedule=schedule))


def run_in_turn(steps: list[Step], sheet: Indices) -> Iterator[Indices]:
    """Yield the sheets of all steps; each step starts from the last sheet of the step before."""
    for step in steps:
        for better in step.run(photo_at=sheet):
            sheet = better
            yield sheet
