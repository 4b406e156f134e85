"""Where cells lie: rows below each other, all alike or every second one shifted; near, beside and under mean this."""

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Lattice:
    """Cells in rows, every second row some share of a cell to the right; unshifted it is a grid of squares.

    A position is a (row, column) in steps from one cell to the next, with (0, 0) for the first cell: where a cell lies,
    or a point between cells. A cell is one step wide and high.

    >>> HEXAGONAL.positions([(0, 2), (1, 2)]).tolist()
    [[0.0, 2.0], [1.0, 2.5]]
    >>> HEXAGONAL.cells_at([(0.9, 2.1)]).tolist()
    [[1, 2]]
    """

    shift: float = 0  # 0 <= shift < 1

    def __post_init__(self) -> None:
        if not 0 <= self.shift < 1:
            raise ValueError("rows are shifted by a share of a cell")

    def offset(self, row: Any) -> Any:
        """How far to the right a row begins, or each of many."""
        return row % 2 * self.shift

    def extent(self, rows: int, columns: int) -> tuple[float, float]:
        """How high and wide so many rows and columns are."""
        return rows, columns + self.shift if rows > 1 else columns

    def positions(self, cells: ArrayLike) -> NDArray[Any]:
        """Where cells lie: (k, 2), of one cell (2,); a point between rows goes with the nearer one."""
        found = np.asarray(cells)
        if not self.shift:
            return found
        rows, columns = found[..., 0], found[..., 1]
        return np.stack([rows, columns + self.offset(np.floor(rows + 0.5))], axis=-1)

    def cells_at(self, positions: ArrayLike) -> NDArray[np.int64]:
        """The cells under some positions: (k, 2), of one position (2,); there need not be any."""
        found = np.asarray(positions, np.float64) + 0.5
        if self.shift:
            found[..., 1] -= self.offset(np.floor(found[..., 0]))
        return np.floor(found).astype(np.int64)

    def neighbours(self, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """The cells that touch each cell of a grid (rows, columns), which holds their numbers and -1 for none: (m, 8).

        By an edge or a corner; where rows are shifted there are only six, all by an edge: (m, 6).
        """
        padded = np.pad(index, 1, constant_values=-1)
        rows, columns = np.argwhere(index >= 0).T
        right = rows % 2 if self.shift else 0  # the two cells above and below a cell of a shifted row lie farther right
        above = (-1, 0) if self.shift else (-1, 0, 1)
        steps = sorted([(0, -1), (0, 1), *product((-1, 1), above)])
        found = [padded[rows + 1 + down, columns + 1 + over + (right if down else 0)] for down, over in steps]
        return np.stack(found, axis=1)

    def bands(self, rows: int) -> list[range]:
        """Rows that begin at the same place, as long as they follow each other."""
        return [range(row, row + 1) for row in range(rows)] if self.shift else [range(rows)]


SQUARE = Lattice()
HEXAGONAL = Lattice(shift=0.5)
"""Each cell touches six others, all by an edge."""
