"""The rectangles that photos cover, in sheet units and in pixels, and which of them lie next to each other.

A cell is a place of the grid that the solver fills; a frame is the rectangle that a photo covers. Most frames are one
cell large. A photo of size 2 covers a block of 2 x 2 cells, which is one frame. Rows of a hexagon are shifted. In
justified rows the photos' proportions give the frames. All code that draws photos or handles clicks asks the frames:

- `Shape.frames()` has one frame per cell; `Layout.frames()` joins the blocks of large photos and justifies rows.
- `SheetGeometry(frames, ...)` turns sheet units into pixels, for the window and for paper.
- `frames.of(cell)` is the number of the frame that covers a cell, `frames.cell(number)` its upper left cell, and
  `frames.boxes[number]` its rectangle.

The unit of length is the step from one cell to the next. A box includes the gap to the right of the photo and below it,
and the strip of its caption; the frames of a full sheet therefore cover it without overlap. Only justified rows need to
know how wide gaps and captions are: whole photos keep their proportions only if these are subtracted first.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Cell = tuple[int, int]
"""A (row, column), counted from 0 at the top left."""

Indices = NDArray[np.int64]
Boxes = NDArray[np.float64]

TOUCHING = 1e-6
"""Frames touch if they are at most this far apart, in sheet units; it makes up for rounding errors."""
LARGE_SIDE = 3.0
"""Frames with a longer side than this, in sheet units, are compared with all other frames to find their neighbours."""
Rect = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True, eq=False)
class Frames:
    """The frames of a sheet, in reading order of their upper left cells.

    >>> frames = unit_frames(np.ones((2, 3), dtype=bool), shift=0.5)
    >>> frames.boxes[3].tolist(), frames.of((1, 0)), frames.cell(3)
    ([0.5, 1.0, 1.0, 1.0], 3, (1, 0))
    >>> frames.at(0.2, 1.5) is None, frames.at(0.7, 1.5)
    (True, 3)
    """

    boxes: Boxes  # (n, 4) x, y, width and height, read-only
    cells: Indices  # (n, 2) the upper left cell of each frame
    grid: Indices  # (rows, columns) the frame that covers each cell, -1 where there is no cell
    height: float  # of the whole sheet, without margins
    width: float

    def __len__(self) -> int:
        return len(self.boxes)

    def of(self, cell: Cell) -> int:
        """The frame that covers a cell; KeyError where there is none."""
        number = int(self.grid[cell])
        if number < 0:
            raise KeyError(cell)
        return number

    def cell(self, number: int) -> Cell:
        """The upper left cell of a frame."""
        row, column = self.cells[number].tolist()
        return row, column

    def at(self, x: float, y: float) -> int | None:
        """The frame under a point, or None between frames and outside the sheet."""
        left, top, width, height = self.boxes.T
        found = np.flatnonzero((left <= x) & (x < left + width) & (top <= y) & (y < top + height))
        return int(found[0]) if len(found) else None

    def within(self, left: float, top: float, right: float, bottom: float) -> Indices:
        """The frames that a rectangle overlaps."""
        x, y, width, height = self.boxes.T
        return np.flatnonzero((x < right) & (x + width > left) & (y < bottom) & (y + height > top))

    def beyond(self, number: int, down: int, right: int) -> int:
        """The next frame in a direction, over gaps: `down` and `right` are -1, 0 or 1; itself where there is none.

        Of the frames straight ahead it is the nearest one; of equally near ones the one that overlaps most. Where there
        is none, it is the nearest frame farther in that direction.
        """
        along, across = (1, 0) if down else (0, 1)
        sign, start, end = (down or right), self.boxes[:, :2], self.boxes[:, :2] + self.boxes[:, 2:]
        own_start, own_end = start[number], end[number]
        away = start[:, along] - own_end[along] if sign > 0 else own_start[along] - end[:, along]
        overlap = np.minimum(end[:, across], own_end[across]) - np.maximum(start[:, across], own_start[across])
        ahead = away > -TOUCHING
        ahead[number] = False
        if not ahead.any():
            return number
        aside = np.abs(self.cells[:, 1 - across] - self.cells[number, 1 - across])
        straight = np.flatnonzero(ahead & (overlap > TOUCHING))
        if len(straight):
            order = np.lexsort((aside[straight], -np.round(overlap[straight], 6), np.round(away[straight], 6)))
            return int(straight[order[0]])
        cost = np.where(ahead, away - 2 * overlap, np.inf)
        return int(cost.argmin())

    @cached_property
    def touching(self) -> Indices:
        """The frames that touch each frame by an edge or a corner, in ascending order: (n, most), -1 for none.

        >>> unit_frames(np.ones((2, 2), dtype=bool)).touching.tolist()
        [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
        """
        first, second = self._touching_pairs().T
        both = np.concatenate([first, second]), np.concatenate([second, first])
        order = np.lexsort(both[::-1])
        one, other = both[0][order], both[1][order]
        begins = np.searchsorted(one, np.arange(len(self)))
        found = np.full((len(self), max(1, int(np.bincount(one, minlength=1).max(initial=1)))), -1, np.int64)
        found[one, np.arange(len(one)) - begins[one]] = other
        return _frozen(found)

    def _touching_pairs(self) -> Indices:
        """Each pair of touching frames once: (k, 2)."""
        from scipy.spatial import KDTree  # 0.1 seconds that a starting window does without

        large = self.boxes[:, 2:].max(axis=1) > LARGE_SIDE
        some, few = np.flatnonzero(~large), np.flatnonzero(large)
        pairs = [np.stack(np.meshgrid(few, np.arange(len(self)), indexing="ij"), -1).reshape(-1, 2)]
        if len(some) > 1:
            middles = self.boxes[some, :2] + self.boxes[some, 2:] / 2
            reach = self.boxes[some, 2:].max() + 2 * TOUCHING
            near = KDTree(middles).query_pairs(reach, p=np.inf, output_type="ndarray")
            pairs.append(some[near].reshape(-1, 2))
        found = np.sort(np.concatenate(pairs), axis=1)
        found = found[found[:, 0] != found[:, 1]]
        one, other = self.boxes[found[:, 0]], self.boxes[found[:, 1]]
        apart = np.maximum(one[:, :2] - other[:, :2] - other[:, 2:], other[:, :2] - one[:, :2] - one[:, 2:]).max(axis=1)
        return np.unique(found[apart <= TOUCHING], axis=0)


def unit_frames(mask: NDArray[np.bool_], shift: float = 0.0) -> Frames:
    """One frame per cell of a mask, every second row shifted to the right by a share of a cell."""
    cells = np.argwhere(mask).astype(np.int64)
    boxes = np.ones((len(cells), 4))
    boxes[:, 0] = cells[:, 1] + cells[:, 0] % 2 * shift
    boxes[:, 1] = cells[:, 0]
    grid = np.where(mask, mask.cumsum().reshape(mask.shape) - 1, -1)
    rows, columns = mask.shape
    return Frames(_frozen(boxes), _frozen(cells), _frozen(grid), rows, columns + (shift if rows > 1 else 0))


def with_blocks(frames: Frames, blocks: ArrayLike) -> Frames:
    """Frames of single cells with some of them joined: blocks are (row, column, size), and never overlap.

    >>> frames = with_blocks(unit_frames(np.ones((2, 3), dtype=bool)), [(0, 0, 2)])
    >>> frames.boxes.tolist()
    [[0.0, 0.0, 2.0, 2.0], [2.0, 0.0, 1.0, 1.0], [2.0, 1.0, 1.0, 1.0]]
    """
    grid, sizes = frames.grid.copy(), np.ones(len(frames))
    for row, column, size in np.asarray(blocks, dtype=np.int64).reshape(-1, 3).tolist():
        first = grid[row, column]
        grid[row : row + size, column : column + size] = first
        sizes[first] = size
    kept, numbers = np.unique(grid[grid >= 0], return_inverse=True)
    grid[grid >= 0] = numbers
    boxes = frames.boxes[kept].copy()
    boxes[:, 2:] *= sizes[kept, None]
    return Frames(_frozen(boxes), frames.cells[kept], _frozen(grid), frames.height, frames.width)


def justified(frames: Frames, aspects: NDArray[np.floating], gap: float = 0.0, caption: float = 0.0) -> Frames:
    """Frames in rows of equal width that show whole photos; the photos of a row are equally high.

    `aspects` has the width by height of what is in each frame. Photos are about as high as a cell without its gap.

    >>> frames = justified(unit_frames(np.ones((2, 2), dtype=bool)), np.array([1.0, 3.0, 2.0, 2.0]))
    >>> frames.boxes[:, 2:].tolist(), frames.width
    ([[1.0, 1.0], [3.0, 1.0], [2.0, 1.0], [2.0, 1.0]], 4.0)
    """
    rows = Rows.of(frames.cells[:, 0], aspects)
    width = float((rows.sums * (1 - gap) + rows.counts * gap).mean())
    boxes = rows.boxes(width, gap, caption)
    return Frames(_frozen(boxes), frames.cells, frames.grid, float(rows.height(width, gap, caption)), width)


def justified_within(
    frames: Frames, aspects: NDArray[np.floating], gap: float, caption: float, part: Indices, room: Boxes
) -> Boxes:
    """The boxes of some frames as justified rows, as large as fits, in the middle of a rectangle (x, y, width, height).

    The rectangle includes a gap on its right and below.
    """
    x, y, across, down = room.tolist()
    rows = Rows.of(frames.cells[part, 0], aspects)
    width = min(across, rows.width_for(down, gap, caption))
    boxes = rows.boxes(width, gap, caption)
    boxes[:, 0] += x + (across - width) / 2
    boxes[:, 1] += y + (down - rows.height(width, gap, caption)) / 2
    return boxes


@dataclass(frozen=True, eq=False)
class Rows:
    """Photos in rows that are to become equally wide; all of a row are equally high.

    A row of k photos whose aspects add up to s is (width - k gap) / s high, so the height of all rows together is
    linear in their width.
    """

    row: Indices  # (k,) the row of each photo, counted from 0
    aspects: NDArray[np.float64]  # (k,)
    sums: NDArray[np.float64]  # (rows,) of the aspects in a row
    counts: Indices  # (rows,) photos in a row

    @classmethod
    def of(cls, row: Indices, aspects: NDArray[np.floating]) -> "Rows":
        """Photos by the number of their row, from left to right."""
        _, row = np.unique(row, return_inverse=True)
        sums = np.bincount(row, weights=aspects).astype(np.float64)
        return cls(row.astype(np.int64), np.asarray(aspects, np.float64), sums, np.bincount(row))

    def heights(self, width: float, gap: float) -> NDArray[np.float64]:
        """How high the photos of each row are."""
        found: NDArray[np.float64] = (width - self.counts * gap) / self.sums
        return np.maximum(found, 1e-3)

    def height(self, width: float, gap: float, caption: float) -> float:
        """The height of all rows together, with gaps and captions."""
        return float((self.heights(width, gap) + gap + caption).sum())

    def width_for(self, height: float, gap: float, caption: float) -> float:
        """The width at which all rows together have a height."""
        free = height - len(self.sums) * (gap + caption) + (gap * self.counts / self.sums).sum()
        return float(max(1e-3, free / (1 / self.sums).sum()))

    def boxes(self, width: float, gap: float, caption: float) -> Boxes:
        """Where the photos lie, from (0, 0) on: (k, 4)."""
        heights = self.heights(width, gap)
        tops = np.concatenate([[0.0], (heights + gap + caption).cumsum()[:-1]])
        boxes = np.empty((len(self.row), 4))
        boxes[:, 1], boxes[:, 3] = tops[self.row], (heights + gap + caption)[self.row]
        boxes[:, 2] = self.aspects * heights[self.row] + gap
        ends = boxes[:, 2].cumsum()
        starts = ends - boxes[:, 2]
        first = np.concatenate([[0], self.counts.cumsum()[:-1]])
        boxes[:, 0] = starts - starts[first][self.row]
        return boxes


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


@dataclass(frozen=True, eq=False)
class SheetGeometry:
    """Where the frames of a sheet lie in pixels, by the size of a cell, the gaps between cells and the margins.

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
        """Width of the whole sheet, margins included."""
        return self.left + self.frames.width * self.pitch[0] - self.gap + self.right

    @property
    def height(self) -> float:
        """Height of the whole sheet, margins included."""
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
