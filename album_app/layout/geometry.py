"""Frames in pixels, for the window and for paper alike; every length is in one unit that the caller chooses."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.layout.shapes.frames import Cell, Frames

Rect = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True, eq=False)
class SheetGeometry:
    """Where the frames of a sheet lie in pixels: how large a cell is, the gaps between cells, and the margins around.

    >>> from album_app.layout import rectangle
    >>> geometry = SheetGeometry(rectangle(2, 3).frames(), 90, 90, gap=10, left=20, top=20)
    >>> geometry.rect((1, 2)), geometry.cell_at(130, 40)
    ((220.0, 120.0, 90.0, 90.0), (0, 1))
    """

    frames: Frames
    cell_width: float
    cell_height: float
    gap: float = 0.0
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    @property
    def pitch(self) -> tuple[float, float]:
        """From one cell to the next: (across, down)."""
        return self.cell_width + self.gap, self.cell_height + self.gap

    @property
    def width(self) -> float:
        """Of the whole sheet, margins included."""
        return self.left + self.frames.width * self.pitch[0] - self.gap + self.right

    @property
    def height(self) -> float:
        """Of the whole sheet, margins included."""
        return self.top + self.frames.height * self.pitch[1] - self.gap + self.bottom

    @cached_property
    def rects(self) -> NDArray[np.float64]:
        """Every frame without the gap to its right and below it: (n, 4) as x, y, width, height."""
        rects = self.frames.boxes * (*self.pitch, *self.pitch)
        rects += (self.left, self.top, -self.gap, -self.gap)
        return rects

    @cached_property
    def pixel_rects(self) -> NDArray[np.int64]:
        """The same in whole pixels; edges are rounded, so without a gap neighbours meet without a seam."""
        boxes, margins = self.frames.boxes, (self.left, self.top)
        corners = np.floor(boxes[:, :2] * self.pitch + margins + 0.5)
        ends = np.floor((boxes[:, :2] + boxes[:, 2:]) * self.pitch + margins - self.gap + 0.5)
        return np.concatenate([corners, np.maximum(ends - corners, 1)], axis=1).astype(np.int64)

    def rect(self, cell: Cell) -> Rect:
        """Where the frame that covers a cell is."""
        x, y, width, height = self.rects[self.frames.of(cell)].tolist()
        return x, y, width, height

    def pixel_rect(self, cell: Cell) -> tuple[int, int, int, int]:
        """Where the frame that covers a cell is, in whole pixels."""
        x, y, width, height = self.pixel_rects[self.frames.of(cell)].tolist()
        return x, y, width, height

    def corners_at(self, positions: ArrayLike) -> NDArray[np.float64]:
        """The pixels (k, 2) as x, y of some positions (k, 2), each (y, x) in sheet units."""
        down_across = np.asarray(positions, dtype=np.float64).reshape(-1, 2)
        return down_across[:, ::-1] * self.pitch + (self.left, self.top)

    def units(self, x: float, y: float) -> tuple[float, float]:
        """A point in sheet units as (x, y); half of each gap belongs to either neighbour."""
        across, down = self.pitch
        return (x - self.left + self.gap / 2) / max(across, 1e-9), (y - self.top + self.gap / 2) / max(down, 1e-9)

    def cell_at(self, x: float, y: float) -> Cell | None:
        """The upper left cell of the frame under a point, or None where there is no frame."""
        number = self.frames.at(*self.units(x, y))
        return None if number is None else self.frames.cell(number)

    def frames_within(self, x: float, y: float, width: float, height: float) -> NDArray[np.int64]:
        """The frames that a rectangle overlaps."""
        return self.frames.within(*self.units(x, y), *self.units(x + width, y + height))
