"""The last mile: exact exchanges between cells that do not touch, by the plain distances that people see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Indices
from album_app.layout.arranging.field import Field
from album_app.layout.arranging.guide import Matrix
from album_app.layout.arranging.refine import BATCH, Extra, best_assignments
from album_app.work import Stop, check

LINEAR = 7.0
"""What pins, plan and homes weigh beside the four distances; with less of it pins lose their kin."""

SMOOTH, WIDE = ((3000, 1.5), (10**9, 3.5)), 2
"""Up to so many cells: what the mean over a wider neighbourhood weighs; and its radius.

Without it only nearest neighbours get better. Large sheets have had fewer passes of refinement to smooth it before.
"""

SMALL, GROUP = 600, 160
"""Up to so many cells photos are exchanged across the whole sheet, in groups of about so many."""

ROUNDS = ((SMALL, 21), (10**9, 14))
"""Up to so many cells: rounds, each over other cells; more gain little."""

LOCAL = 100
"""On larger sheets photos are exchanged within squares that hold about so many of the drawn cells."""

STILL = 7
"""After so many rounds without an exchange there is hardly one left."""

DRAWS = 3
"""How often cells are drawn for a round: after that hardly one is left that touches none of them."""

STEPS = ((0, -1), (-1, 0), (0, 1), (1, 0))


def rounds(cells: int) -> int:
    """How many rounds a sheet with so many movable cells gets at most."""
    return next(count for most, count in ROUNDS if cells <= most)


def polish(
    field: Field,
    photo_at: Indices,
    movable: Indices,
    most: int,
    seed: int = 0,
    extra: Extra | None = None,
    stop: Stop | None = None,
) -> Iterator[Indices]:
    """Yield the sheet after each of `most` rounds, or fewer where nothing gets better any more.

    Only photos in `movable` cells change places. Among cells that do not touch, while all others stay, the exchange
    that makes the sum of distances to all neighbours least is one linear assignment. They are drawn anew for every
    round, so any two photos may meet. Raises `Stopped`.
    """
    board = Board.of(field)
    rng = np.random.default_rng(seed)
    still = 0
    for _ in range(most if len(movable) else 0):
        groups = board.groups(movable, rng)
        vectors = board.vectors(photo_at)
        after = photo_at.copy()
        for start in range(0, len(groups), BATCH):
            check(stop)
            cells = groups[start : start + BATCH]
            photos = photo_at[cells]
            scores = field.scores(vectors, cells, photos)
            scores -= board.distances(photo_at, cells, photos)
            if extra is not None:
                scores -= extra(photo_at, cells, photos)
            after[cells] = photos[np.arange(len(cells))[:, None], best_assignments(scores)]
        still = still + 1 if np.array_equal(after, photo_at) else 0
        photo_at = after
        yield photo_at
        if still == STILL:
            return


@dataclass(frozen=True, eq=False)
class Board:
    """The cells of a field and their neighbours."""

    field: Field
    rows: Indices  # (m,)
    columns: Indices  # (m,)
    around: Indices  # (m, 4), -1 where there is no cell

    @classmethod
    def of(cls, field: Field) -> Board:
        """The board of a field's cells."""
        rows, columns = np.divmod(field.positions, field.grid[1])
        index = np.full((field.grid[0] + 2, field.grid[1] + 2), -1, dtype=np.int64)
        index[rows + 1, columns + 1] = np.arange(len(rows))
        around = [index[rows + 1 + down, columns + 1 + across] for down, across in STEPS]
        return cls(field, rows, columns, np.stack(around, axis=1))

    @property
    def smooth(self) -> float:
        """What the mean over a wider neighbourhood weighs on this sheet."""
        return next(weight for most, weight in SMOOTH if len(self.field.cells) <= most)

    def groups(self, movable: Indices, rng: Generator) -> Indices:
        """Cells that do not touch, in groups of one size (B, K): at random where there are few, else by squares."""
        cells = self.apart(movable, rng)
        if len(movable) <= SMALL:
            count, order = round(len(cells) / GROUP), rng.permutation(len(cells))
        else:
            side = round((LOCAL * len(movable) / len(cells)) ** 0.5)
            down, over = rng.integers(side, size=2)
            squares = (self.rows[cells] + down) // side * self.field.grid[1] + (self.columns[cells] + over) // side
            count, order = round(len(cells) / LOCAL), np.argsort(squares, kind="stable")
        count = max(1, count)
        size = max(1, len(cells) // count)
        return np.asarray(cells[order[: size * count]].reshape(-1, size))

    def apart(self, movable: Indices, rng: Generator) -> Indices:
        """Cells of which no two touch, drawn from the movable ones, ascending: nearly each other one touches one."""
        lots = np.zeros(len(self.rows) + 1, np.float32)  # the last one for where there is no cell
        lots[movable] = 1.0 + rng.random(len(movable), dtype=np.float32)
        drawn = []
        for _ in range(DRAWS):
            highest = movable[lots[movable] > lots[self.around[movable]].max(axis=1)]
            drawn.append(highest)
            lots[highest] = lots[self.around[highest]] = 0.0
            movable = movable[lots[movable] > 0.0]
        return np.sort(np.concatenate(drawn))

    def vectors(self, photo_at: Indices) -> Matrix:
        """What suits each cell besides its four neighbours: (t, k + 1 + rank)."""
        return self.field.with_means(self.field.fixed * np.float32(LINEAR), photo_at, WIDE, self.smooth)

    def counts(self, photo_at: Indices, cells: Indices) -> NDArray[np.bool_]:
        """Whether there is such a cell, and a photo in it that is known."""
        return np.asarray((cells >= 0) & (photo_at[cells] >= 0) & (self.field.weights[cells] > 0.0))

    def distances(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """Of each photo (B, K) in each cell (B, K) to the cell's neighbours, summed: (B, cells, photos)."""
        points, squares = self.field.points, self.field.squares
        x, total = points[photos].transpose(0, 2, 1), np.zeros((*cells.shape, photos.shape[1]), np.float32)
        for around in np.moveaxis(self.around[cells], 2, 0):  # (B, K) each
            neighbours = photo_at[around]
            away = squares[neighbours][:, :, None] + squares[photos][:, None, :] - 2.0 * (points[neighbours] @ x)
            np.sqrt(np.maximum(away, 0.0, out=away), out=away)
            away *= self.counts(photo_at, around)[:, :, None]
            total += away
        return total
