"""Cells <-> pixels, for screen and paper alike; every length in one unit that the caller chooses."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.layout.shapes.shape import Cell

Rect = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True)
class SheetGeometry:
    """Where the cells of a sheet lie: rows x columns of equal cells, gaps between them, margins around."""

    rows: int
    columns: int
    cell_width: float
    cell_height: float
    gap: float = 0.0
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    @property
    def width(self) -> float:
        """Of the whole sheet, margins included."""
        return self.left + self.columns * self.cell_width + (self.columns - 1) * self.gap + self.right

    @property
    def height(self) -> float:
        """Of the whole sheet, margins included."""
        return self.top + self.rows * self.cell_height + (self.rows - 1) * self.gap + self.bottom

    @property
    def pitch(self) -> tuple[float, float]:
        """From one cell to the next: (across, down)."""
        return self.cell_width + self.gap, self.cell_height + self.gap

    def cell_rect(self, cell: Cell) -> Rect:
        """Where a cell is."""
        across, down = self.pitch
        return self.left + cell[1] * across, self.top + cell[0] * down, self.cell_width, self.cell_height

    def pixel_rect(self, cell: Cell) -> tuple[int, int, int, int]:
        """Where a cell is in whole pixels; edges are rounded, so without a gap neighbours meet without a seam."""
        x, y, _, _ = self.cell_rect(cell)
        next_x, next_y, _, _ = self.cell_rect((cell[0] + 1, cell[1] + 1))
        left, top = _round(x), _round(y)
        return left, top, max(1, _round(next_x - self.gap) - left), max(1, _round(next_y - self.gap) - top)

    def corners_of(self, cells: ArrayLike) -> NDArray[np.float64]:
        """The top left corners of many (row, column) positions at once, also between cells: (k, 2) as x, y."""
        rows_columns = np.asarray(cells, dtype=np.float64).reshape(-1, 2)
        across, down = self.pitch
        return rows_columns[:, ::-1] * (across, down) + (self.left, self.top)

    def position_of(self, x: float, y: float) -> tuple[float, float]:
        """The (row, column) of a point in fractions of a cell: cell centres are whole numbers."""
        across, down = self.pitch
        return (y - self.top - self.cell_height / 2) / down, (x - self.left - self.cell_width / 2) / across

    def cell_at(self, x: float, y: float) -> Cell | None:
        """The cell under a point, or None outside the sheet; the gap belongs half to either neighbour."""
        if min(self.pitch) <= 0 or not (math.isfinite(x) and math.isfinite(y)):
            return None
        row, column = self.position_of(x, y)
        cell = math.floor(row + 0.5), math.floor(column + 0.5)
        return cell if 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns else None

    def cells_within(self, x: float, y: float, width: float, height: float) -> tuple[range, range]:
        """The rows and the columns that a rectangle touches, for painting only what is seen."""
        if min(self.pitch) <= 0:
            return range(0), range(0)
        first, last = self.position_of(x, y), self.position_of(x + width, y + height)
        return _span(first[0], last[0], self.rows), _span(first[1], last[1], self.columns)


def _span(first: float, last: float, size: int) -> range:
    return range(max(0, math.floor(first + 0.5)), min(size, math.floor(last + 0.5) + 1))


def _round(value: float) -> int:
    return math.floor(value + 0.5)
