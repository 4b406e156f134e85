"""Polishing a sheet: exact exchanges between cells that do not touch, by the plain distances that people see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Indices
from album_app.layout.arranging.field import Field
from album_app.layout.arranging.guide import Matrix
from album_app.layout.arranging.refine import BATCH, Price, best_assignments
from album_app.work import Stop, check

WIDE = 2
"""Radius of the wider neighbourhood whose mean counts, in cells."""


@dataclass(frozen=True)
class Weights:
    """What counts in an exchange next to the sum of a photo's distances to its four neighbours, which weighs 1."""

    linear: float = 7.0  # pins and the transport plan; with less weight pins lose their kin
    kin: float = 0.0  # the distance to the photo of a pin nearby; it replaces the pins in `linear`
    smooth: float = 1.5  # closeness to the mean over a wider neighbourhood; without it only nearest neighbours improve
    nearest: float = 0.0  # the smallest of the four distances, for the photo and for each of its neighbours
    around: float = 0.0  # the distance to every photo of the wider neighbourhood
    drawn: float = 1.0  # the share of a round's drawn cells that take part in it
    noise: float = 0.0  # standard deviation of the random numbers added in the first round; falls to 0 by the last

    @classmethod
    def suiting(cls, cells: int) -> Weights:
        """The weights for a short run. Large sheets have had fewer passes of refinement, so they need more smoothing.

        Chosen on 320 and on 9,000 photos.
        """
        return cls() if cells <= CELLS_OF_MEDIUM_SHEETS else cls(smooth=3.5)

    @classmethod
    def after_an_edit(cls, cells: int) -> Weights:
        """The weights where a sheet starts from an earlier one, and every photo that moves has a price.

        Chosen on three albums of 320 photos by colour and by meaning, seeds 0 to 2: with plain distances to all photos
        around, 0.01 more of the photos keep their cells after a pin was moved, and N24 is 0.001 to 0.003 better. With
        less weight of kin DPQ16t gains as well, but pins lose too many. On large sheets the nearest neighbour costs
        more of N24.
        """
        if cells > CELLS_FOR_GLOBAL_EXCHANGE:
            return cls.suiting(cells)
        return cls(kin=10.0, smooth=0.0, nearest=0.6, around=0.15)


CELLS_OF_MEDIUM_SHEETS = 3000
"""Sheets with more cells than this are large."""

CELLS_FOR_GLOBAL_EXCHANGE = 600
"""On sheets of up to this many cells photos are exchanged across the whole sheet."""

GROUP_CELLS = 160
"""The number of cells in a group within which photos are exchanged on these sheets, about."""

ROUNDS = ((CELLS_FOR_GLOBAL_EXCHANGE, 21), (10**9, 14))
"""(cells, rounds): sheets of up to this many cells get at most this many rounds, each with other cells; more gain
little."""

EXACT = Weights(linear=1.0, kin=13.0, smooth=0.0, around=0.25)
"""Sums of plain distances alone, as in the scores; a round takes at least twice the usual time."""

FURTHER_ROUNDS: Mapping[str, tuple[tuple[int, int, Weights], ...]] = {
    "quick": ((10**9, 0, Weights()),),
    "fine": (
        (CELLS_FOR_GLOBAL_EXCHANGE, 350, replace(EXACT, nearest=1.6, around=0.18, noise=0.26)),
        (CELLS_OF_MEDIUM_SHEETS, 150, replace(EXACT, nearest=0.8, noise=0.25)),
        (10**9, 60, replace(EXACT, nearest=0.6, noise=0.2)),
    ),
    "best": (
        (CELLS_FOR_GLOBAL_EXCHANGE, 2000, replace(EXACT, nearest=1.9, around=0.19, noise=0.3)),
        (CELLS_OF_MEDIUM_SHEETS, 400, replace(EXACT, nearest=1.0, noise=0.25)),
        (10**9, 150, replace(EXACT, nearest=0.6, noise=0.25)),
    ),
}
"""For each effort (cells, rounds, weights): on sheets of up to this many cells, further rounds with these weights.

Chosen on two albums of 320 photos by colour and by meaning with four seeds, on one album of 1,000, of 2,000 and of
9,144 photos with one: of the weights that make DPQ16t, DPQ4, N4, N24 and pin pull no worse, those that raise DPQ16
most. Means of points over the wider neighbourhood in place of `around` gained half as much on small sheets. Without
noise hundreds of rounds gain little. Noise is given in mean distances of neighbours: random colours are five times
nearer to each other than photos, and the noise that suits photos destroyed their order. Without gain were smaller
groups, noise that falls faster, and a second refinement of large sheets before.
"""

SQUARE_CELLS = 100
"""On larger sheets photos are exchanged within squares that hold about this many of the drawn cells."""

IDLE_ROUNDS = 7
"""Stop after this many rounds without an exchange."""

DRAWS_PER_ROUND = 3
"""How often cells are drawn for a round; afterwards nearly every cell touches a drawn one."""

SIDES = ((0, -1), (-1, 0), (0, 1), (1, 0))
"""The four neighbours of a cell; the entry two places further on is the opposite one."""

FAR_AWAY = 1e3
"""A distance larger than any between photos, for a neighbour that does not exist."""


def rounds(cells: int) -> int:
    """The most rounds for a sheet with `cells` movable cells."""
    return next(count for most, count in ROUNDS if cells <= most)


def further_rounds(effort: str, cells: int) -> tuple[int, Weights]:
    """The number of further rounds of an effort for a sheet with `cells` movable cells, and their weights."""
    return next((count, weights) for most, count, weights in FURTHER_ROUNDS[effort] if cells <= most)


def polish(
    field: Field,
    photo_at: Indices,
    movable: Indices,
    most: int,
    seed: int = 0,
    price: Price | None = None,
    stop: Stop | None = None,
    weights: Weights | None = None,
) -> Iterator[Indices]:
    """Yield the sheet after each of `most` rounds, or fewer where nothing gets better any more.

    Only photos in `movable` cells change places. Among cells that do not touch, while all others stay, the exchange
    that makes the sum of distances to all neighbours least is one linear assignment. They are drawn anew for every
    round, so any two photos may meet. Raises `Stopped`.
    """
    board, rng = Board.of(field, weights, photo_at), np.random.default_rng(seed)
    noise = board.weights.noise
    still = 0
    for done in range(most if len(movable) else 0):
        groups = board.groups(movable, rng)
        vectors = board.vectors(photo_at)
        after = photo_at.copy()
        for start in range(0, len(groups), BATCH):
            check(stop)
            cells = groups[start : start + BATCH]
            photos = photo_at[cells]
            scores = field.scores(vectors, cells, photos)
            scores -= board.distances(photo_at, cells, photos)
            if price is not None:
                scores -= price(photo_at, cells, photos)
            if noise:
                scores += np.float32(noise * (1.0 - done / most)) * rng.standard_normal(scores.shape, np.float32)
            after[cells] = photos[np.arange(len(cells))[:, None], best_assignments(scores)]
        still = still + 1 if np.array_equal(after, photo_at) else 0
        photo_at = after
        yield photo_at
        if still == IDLE_ROUNDS:
            return


def polish_further(field: Field, photo_at: Indices, most: int, weights: Weights, **how: Any) -> Iterator[Indices]:
    """As `polish`, with noise in mean distances of neighbours; the last sheet is never worse than the first one."""
    if not most:
        return
    board, begun, after = Board.of(field), photo_at, photo_at
    before = board.unlikeness(begun)
    noise = weights.noise * float(before[1])
    for after in polish(field, photo_at, most=most, weights=replace(weights, noise=noise), **how):
        yield after
    if after is not begun and np.sum(board.unlikeness(after) / before) > 3.0:
        yield begun


def _distances(field: Field, photos: Indices, others: Indices) -> Matrix:
    """From each of others (B, K) to each of the photos (B, K): (B, others, photos)."""
    points, squares = field.points, field.squares
    products = points[others] @ points[photos].transpose(0, 2, 1)
    away = squares[others][:, :, None] + squares[photos][:, None, :] - 2.0 * products
    return np.asarray(np.sqrt(np.maximum(away, 0.0, out=away), out=away))


@dataclass(frozen=True, eq=False)
class Table:
    """All distances between the photos on a small sheet, computed once: looking them up takes half the time."""

    apart: Matrix  # (s, s)
    row_of: Indices  # (n,) of each photo, 0 for those that are not shown

    @classmethod
    def of(cls, field: Field, photo_at: Indices) -> Table:
        """The table of the photos on a sheet."""
        shown = np.unique(photo_at[photo_at >= 0])
        row_of = np.zeros(len(field.points), dtype=np.int64)
        row_of[shown] = np.arange(len(shown))
        return cls(field.space.table(shown), row_of)

    def to(self, photos: Indices) -> Callable[[Indices], Matrix]:
        """A function for the distances from others (B, K) to each of these photos (B, K): (B, others, photos)."""
        columns, groups = self.apart.take(self.row_of[photos], axis=1), np.arange(len(photos))[:, None]
        return lambda others: np.asarray(columns[self.row_of[others], groups])

    def around(self, field: Field, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """The distances of each photo (B, K) to those in the square around each cell, summed: (B, cells, photos)."""
        near = photo_at[field.cells]
        counts = (near >= 0) & (field.weights[field.cells] > 0.0)
        apart = self.apart.take(self.row_of[photos].ravel(), axis=1).take(self.row_of[near], axis=0)
        sums = field.sums(apart * counts[:, None].astype(np.float32), WIDE)
        return sums[field.rows[cells][:, :, None], np.arange(photos.size).reshape(photos.shape)[:, None, :]]

    def between(self, photos: Indices, others: Indices) -> Matrix:
        """The distance between each photo and another (k,)."""
        return np.asarray(self.apart[self.row_of[photos], self.row_of[others]])


@dataclass(frozen=True, eq=False)
class Nearby:
    """The distances between the photos of each group and all photos in or near its cells, where there is no table."""

    apart: Matrix  # (B, u, K); zeros where there is no photo, or one of which nothing is known
    row_of: NDArray[np.int32]  # (B, m + 1) of the cells near a group; the last one is for where there is no cell
    wide: NDArray[np.int32]  # (B, K, 25) the rows of the cells around each

    @classmethod
    def of(cls, board: Board, photo_at: Indices, cells: Indices, photos: Indices) -> Nearby:
        """The photos near groups of cells (B, K), and the distance of each photo (B, K) from them."""
        groups, near = np.arange(len(cells))[:, None], board.wide[cells]
        there = np.zeros((len(cells), len(photo_at) + 1), dtype=bool)
        there[groups, near.reshape(len(cells), -1)] = True
        there[:, -1] = False
        of_group, cell = np.nonzero(there)
        first = np.searchsorted(of_group, np.arange(len(cells)))
        row = np.arange(len(cell)) - first[of_group]
        most = int(row.max()) + 1
        row_of, photo = np.full(there.shape, most, np.int32), np.full((len(cells), most + 1), -1)
        row_of[of_group, cell] = row
        known = board.counts(photo_at, cell)
        photo[of_group[known], row[known]] = photo_at[cell[known]]
        apart = _distances(board.field, photos, photo)
        apart[photo < 0] = 0.0
        return cls(apart, row_of, row_of[groups[:, :, None], near])

    def to(self, cells: Indices) -> Matrix:
        """The distances from the photos in cells (B, K) to each of the groups' photos: (B, cells, photos)."""
        groups = np.arange(len(cells))[:, None]
        return np.asarray(self.apart[groups, self.row_of[groups, cells]])

    def around(self) -> Matrix:
        """The distances of each photo to those in the square around each cell, summed: (B, cells, photos)."""
        count, cells, _ = self.wide.shape
        square = np.zeros((count, cells, self.apart.shape[1]), np.float32)
        square[np.arange(count)[:, None, None], np.arange(cells)[:, None], self.wide] = 1.0
        return np.asarray(square @ self.apart)


@dataclass(frozen=True, eq=False)
class Board:
    """The cells of a field and their neighbours."""

    field: Field
    rows: Indices  # (m,)
    columns: Indices  # (m,)
    around: Indices  # (m, 4), -1 where there is no cell
    weights: Weights
    table: Table | None = None

    @classmethod
    def of(cls, field: Field, weights: Weights | None = None, photo_at: Indices | None = None) -> Board:
        """The board of a field's cells; where few photos `photo_at` lie on it, with a table of their distances."""
        rows, columns = np.divmod(field.positions, field.grid[1])
        index = np.full((field.grid[0] + 2, field.grid[1] + 2), -1, dtype=np.int64)
        index[rows + 1, columns + 1] = np.arange(len(rows))
        around = [index[rows + 1 + down, columns + 1 + across] for down, across in SIDES]
        few = photo_at is not None and len(field.cells) <= CELLS_FOR_GLOBAL_EXCHANGE
        table = Table.of(field, photo_at) if photo_at is not None and few else None
        return cls(field, rows, columns, np.stack(around, axis=1), weights or Weights.suiting(len(field.cells)), table)

    def groups(self, movable: Indices, rng: Generator) -> Indices:
        """Cells that do not touch, in groups of equal size (B, K): random cells on a small sheet, else squares."""
        cells = self.apart(movable, rng)
        if self.weights.drawn < 1.0:
            cells = np.sort(rng.choice(cells, max(1, round(self.weights.drawn * len(cells))), replace=False))
        if len(movable) <= CELLS_FOR_GLOBAL_EXCHANGE:
            count, order = round(len(cells) / GROUP_CELLS), rng.permutation(len(cells))
        else:
            side = round((SQUARE_CELLS * len(movable) / len(cells)) ** 0.5)
            down, over = rng.integers(side, size=2)
            squares = (self.rows[cells] + down) // side * self.field.grid[1] + (self.columns[cells] + over) // side
            count, order = round(len(cells) / SQUARE_CELLS), np.argsort(squares, kind="stable")
        count = max(1, count)
        size = max(1, len(cells) // count)
        return np.asarray(cells[order[: size * count]].reshape(-1, size))

    def apart(self, movable: Indices, rng: Generator) -> Indices:
        """Cells of which no two touch, drawn from the movable ones, ascending; nearly all others touch one of them."""
        lots = np.zeros(len(self.rows) + 1, np.float32)  # the last one for where there is no cell
        lots[movable] = 1.0 + rng.random(len(movable), dtype=np.float32)
        drawn = []
        for _ in range(DRAWS_PER_ROUND):
            highest = movable[lots[movable] > lots[self.around[movable]].max(axis=1)]
            drawn.append(highest)
            lots[highest] = lots[self.around[highest]] = 0.0
            movable = movable[lots[movable] > 0.0]
        return np.sort(np.concatenate(drawn))

    def vectors(self, photo_at: Indices) -> Matrix:
        """The cells' vectors without their four neighbours, whose distances are computed exactly: (t, k + 1 + rank)."""
        if not self.weights.smooth:
            return self._fixed
        return self.field.with_means(self._fixed.copy(), photo_at, WIDE, self.weights.smooth)

    @cached_property
    def _fixed(self) -> Matrix:
        """The part of the cells' vectors that does not depend on the sheet: (t, k + 1 + rank)."""
        fixed = self.field.fixed * np.float32(self.weights.linear)
        if self.weights.kin:
            fixed[:, : self.field.points.shape[1] + 1] = 0.0  # pins
        return np.asarray(fixed)

    def counts(self, photo_at: Indices, cells: Indices) -> NDArray[np.bool_]:
        """Whether each cell exists (-1 does not) and shows a photo of which something is known."""
        return np.asarray((cells >= 0) & (photo_at[cells] >= 0) & (self.field.weights[cells] > 0.0))

    def unlikeness(self, photo_at: Indices) -> NDArray[np.float64]:
        """Mean distances of photos to the nearest of their four neighbours, to all four, and to all 24 around them."""
        grid = np.full((self.field.grid[0] + 2 * WIDE, self.field.grid[1] + 2 * WIDE), -1, dtype=np.int64)
        grid[self.rows + WIDE, self.columns + WIDE] = np.where(self.field.weights > 0.0, photo_at, -1)
        nearest, points = np.full(len(photo_at), np.inf, np.float32), self.field.points
        sums, counts = np.zeros(2), np.zeros(2)
        for down in range(-WIDE, WIDE + 1):
            for across in range(-WIDE, WIDE + 1):
                others = grid[self.rows + WIDE + down, self.columns + WIDE + across]
                both = np.flatnonzero((others >= 0) & (photo_at >= 0)) if (down, across) != (0, 0) else others[:0]
                steps = points[photo_at[both]] - points[others[both]]
                apart = np.sqrt(np.einsum("ij,ij->i", steps, steps))
                touching = abs(down) + abs(across) == 1
                sums += apart.sum(dtype=np.float64) * np.array([touching, True])
                counts += len(both) * np.array([touching, True])
                if touching:
                    nearest[both] = np.minimum(nearest[both], apart)
        least = nearest[np.isfinite(nearest)]
        means = np.array([least.mean() if len(least) else 0.0, *(sums / np.maximum(counts, 1))])
        return np.asarray(np.maximum(means, 1e-9), np.float64)

    def distances(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """The distances that each photo (B, K) would have to its neighbours in each cell, summed: (B, cells, photos).

        By the weights, further terms are added: the nearest neighbour's distance and each neighbour's own nearest
        distance, the distances to all photos around, and those to the pins nearby.
        """
        total = np.zeros((*cells.shape, photos.shape[1]), np.float32)
        weight = np.float32(self.weights.nearest)
        nearest = np.full_like(total, np.inf) if weight else total
        others = self._others_nearest(photo_at) if weight else total
        nearby = Nearby.of(self, photo_at, cells, photos) if self.weights.around and self.table is None else None
        distances = self.table.to(photos) if self.table is not None else partial(_distances, self.field, photos)
        for side, around in enumerate(np.moveaxis(self.around[cells], 2, 0)):  # (B, K) each
            away = distances(photo_at[around]) if nearby is None else nearby.to(around)
            nobody = np.nonzero(~self.counts(photo_at, around))
            if weight:
                away[nobody] = np.inf
                np.minimum(nearest, away, out=nearest)
            away[nobody] = 0.0
            total += away
            if weight:
                np.minimum(away, others[cells, side][:, :, None], out=away)
                away *= weight
                total += away
        if weight:
            total += weight * np.where(np.isfinite(nearest), nearest, np.float32(0.0))
        if self.weights.around and self.table is not None:
            total += np.float32(self.weights.around) * self.table.around(self.field, photo_at, cells, photos)
        elif nearby is not None:
            total += np.float32(self.weights.around) * nearby.around()
        return total + self._from_pins(cells, photos) if self.weights.kin else total

    def _from_pins(self, cells: Indices, photos: Indices) -> Matrix:
        """The cost of each photo (B, K) in each cell (B, K) for being unlike the pins nearby: (B, cells, photos)."""
        near_pins = self.field.near_pins.take(self.field.rows[cells], axis=0) * np.float32(self.weights.kin)
        return np.asarray(near_pins @ self._like_pins.take(photos, axis=1).transpose(1, 0, 2))

    @cached_property
    def _like_pins(self) -> Matrix:
        """The distance of every attracting pin's photo to every photo: (p, n)."""
        pins = self.field.pins
        if self.table is not None:
            return np.asarray(self.table.apart[self.table.row_of[pins]][:, self.table.row_of])
        return self.field.space.distances(pins, np.arange(len(self.field.points)))

    @cached_property
    def wide(self) -> Indices:
        """The cells of the square around each cell, with itself, -1 where there are none: (m, 25)."""
        radius = min(WIDE, self.field.reach)
        index = np.full((self.field.grid[0] + 2 * radius, self.field.grid[1] + 2 * radius), -1, dtype=np.int64)
        index[self.rows + radius, self.columns + radius] = np.arange(len(self.rows))
        steps = range(2 * radius + 1)
        return np.stack([index[self.rows + down, self.columns + across] for down in steps for across in steps], axis=1)

    def _others_nearest(self, photo_at: Indices) -> Matrix:
        """For each of a cell's four neighbours the distance to that neighbour's nearest photo elsewhere: (m, 4)."""
        points, apart = self.field.points, np.full((len(photo_at), 4), FAR_AWAY, np.float32)
        for side, around in enumerate(self.around.T):
            both = np.flatnonzero(self.counts(photo_at, around) & (photo_at >= 0))
            if self.table is not None:
                apart[both, side] = self.table.between(photo_at[both], photo_at[around[both]])
                continue
            steps = points[photo_at[both]] - points[photo_at[around[both]]]
            apart[both, side] = np.sqrt(np.einsum("ij,ij->i", steps, steps))
        two = np.partition(apart, 1, axis=1)[:, :2]
        least = np.where(apart == two[:, :1], two[:, 1:], two[:, :1])  # of all sides but one
        opposite = [(side + 2) % 4 for side in range(4)]
        return np.asarray(np.stack([least[self.around[:, side], opposite[side]] for side in range(4)], axis=1))
