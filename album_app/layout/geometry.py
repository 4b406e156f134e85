"""Cells <-> pixels, for screen and paper alike; every length in one unit that the caller chooses."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.layout.shapes.lattice import SQUARE, Lattice
from album_app.layout.shapes.shape import Cell

Rect = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True)
class SheetGeometry:
    """Where the cells of a sheet lie: rows x columns of equal cells on a lattice, gaps between them, margins around."""

    rows: int
    columns: int
    cell_width: float
    cell_height: float
    gap: float = 0.0
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    lattice: Lattice = SQUARE

    @property
    def extent(self) -> tuple[float, float]:
        """How high and wide all cells together are, in steps from one to the next."""
        return self.lattice.extent(self.rows, self.columns)

    @property
    def width(self) -> float:
        """Of the whole sheet, margins included."""
        _, across = self.extent
        return self.left + across * self.cell_width + (across - 1) * self.gap + self.right

    @property
    def height(self) -> float:
        """Of the whole sheet, margins included."""
        down, _ = self.extent
        return self.top + down * self.cell_height + (down - 1) * self.gap + self.bottom

    @property
    def pitch(self) -> tuple[float, float]:
        """From one cell to the next: (across, down)."""
        return self.cell_width + self.gap, self.cell_height + self.gap

    def cell_rect(self, cell: Cell) -> Rect:
        """Where a cell is."""
        across, down = self.pitch
        column = cell[1] + self.lattice.offset(cell[0])
        return self.left + column * across, self.top + cell[0] * down, self.cell_width, self.cell_height

    def pixel_rect(self, cell: Cell) -> tuple[int, int, int, int]:
        """Where a cell is in whole pixels; edges are rounded, so without a gap neighbours meet without a seam."""
        x, y, _, _ = self.cell_rect(cell)
        next_x, next_y = self.cell_rect((cell[0], cell[1] + 1))[0], self.cell_rect((cell[0] + 1, cell[1]))[1]
        left, top = _round(x), _round(y)
        return left, top, max(1, _round(next_x - self.gap) - left), max(1, _round(next_y - self.gap) - top)

    def corners_of(self, cells: ArrayLike) -> NDArray[np.float64]:
        """The top left corners of many cells at once: (k, 2) as x, y."""
        return self.corners_at(self.lattice.positions(cells))

    def corners_at(self, positions: ArrayLike) -> NDArray[np.float64]:
        """The top left corners of what lies at some positions, also between cells: (k, 2) as x, y."""
        rows_columns = np.asarray(positions, dtype=np.float64).reshape(-1, 2)
        across, down = self.pitch
        return rows_columns[:, ::-1] * (across, down) + (self.left, self.top)

    def position_of(self, x: float, y: float) -> tuple[float, float]:
        """The (row, column) of a point in fractions of a cell: at their positions on the lattice cells have centres."""
        across, down = self.pitch
        return (y - self.top - self.cell_height / 2) / down, (x - self.left - self.cell_width / 2) / across

    def cell_at(self, x: float, y: float) -> Cell | None:
        """The cell under a point, or None outside the sheet; the gap belongs half to either neighbour."""
        if min(self.pitch) <= 0:
            return None
        row, column = self.position_of(x, y)
        if not (-1 < row < self.rows and -1 < column < self.columns + 1):
            return None
        cell_row, cell_column = self.lattice.cells_at((row, column)).tolist()
        inside = 0 <= cell_row < self.rows and 0 <= cell_column < self.columns
        return (cell_row, cell_column) if inside else None

    def touched(self, cells: NDArray[np.int64], x: float, y: float, width: float, height: float) -> NDArray[np.int64]:
        """Those of some cells (k, 2) that a rectangle touches."""
        if min(self.pitch) <= 0:
            return cells[:0]
        first, last = self.position_of(x, y), self.position_of(x + width, y + height)
        positions = self.lattice.positions(cells)
        return cells[((positions > np.array(first) - 0.5) & (positions <= np.array(last) + 0.5)).all(axis=1)]


def _round(value: float) -> int:
    return math.floor(value + 0.5)
