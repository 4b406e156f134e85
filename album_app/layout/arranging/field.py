"""How well a photo suits a cell: by the mean of its neighbours, the pull of pins nearby, and the transport plan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.guide import Matrix, PlanGuide
from album_app.layout.arranging.space import Space

PIN_WEIGHT = 100.0
"""The weight of a pinned photo in the mean of its neighbourhood, in photos."""

PIN_REACH = 40
"""The number of cells nearest to a pin in which it attracts photos like its own."""

KIN_CELLS = 24
"""The number of cells nearest to a pin that should hold the photos most like its own, where plain distances count."""

CELLS_FOR_AXIS_BLOCKS, AXES_PER_BLOCK = 20_000, 16
"""On sheets with more cells than the first number, neighbourhoods are summed for this many axes at a time."""

LONGEST_ROW_FOR_PRODUCT = 512
"""Rows up to this length are summed over windows by one matrix product, longer ones by running sums."""


@dataclass(frozen=True)
class Pull:
    """The weights of what shapes a sheet besides smooth neighbours: the solver's plan, and the cells near pins."""

    plan: float
    pins: float

    @classmethod
    def of(cls, follow: float) -> Pull:
        """The weights for the slider between smooth neighbours (0) and following the pins (1)."""
        strength = min(follow / max(1.0 - follow, 1e-3), 100.0)
        return cls(plan=0.08 * strength, pins=0.45 * strength)


@dataclass(frozen=True, eq=False)
class Field:
    """Scores of photos in cells as products of vectors, so that many small assignments share one matrix product.

    score(cell, photo) = 2 (mean + pinned) . x - weight |x|^2 + plan term, which up to what a photo or a cell adds
    is -|mean - x|^2 - sum over pins nearby of their weight |pin - x|^2 + plan * log pi. Only cells that take part have
    vectors: a few photos on a large sheet leave most of it empty. Neighbourhoods are squares of rows and columns; where
    rows are shifted against each other, they are off by at most half a cell.
    """

    positions: Indices  # (m,) of the cells' entries in the flattened bounding grid
    grid: tuple[int, int]
    reach: int  # the widest neighbourhood
    space: Space  # of n points with k axes
    weights: Matrix  # (m,) of cells in neighbourhood means, where occupied
    cells: Indices  # (t,) those that take part, ascending: every cell that a photo lies in is among them
    fixed: Matrix  # (t, k + 1 + rank): the part of the cells' vectors that does not depend on the sheet
    photo_vectors: Matrix  # (n, k + 1 + rank)
    pins: Indices  # (p,) the photos that attract their like
    near_pins: Matrix  # (t, p): how much each of them attracts in the cells nearest to it
    smooth: bool = True  # without it neighbours do not count

    @classmethod
    def of(
        cls,
        arrangement: Arrangement,
        guide: PlanGuide | None,
        pull: Pull,
        cells: Indices | None = None,
        smooth: bool = True,
    ) -> Field:
        """The field over the cells that take part (None: all); without a guide the plan has no say."""
        points, shape = arrangement.space.points, arrangement.shape
        cells = np.arange(shape.count) if cells is None else cells
        weights = np.ones(shape.count, np.float32)
        weights[arrangement.pulling_cells] = PIN_WEIGHT
        weights[arrangement.missing_cells] = 0.0
        around, pinned = _around_pins(arrangement, cells)
        squares = (points * points).sum(axis=1, keepdims=True)
        pinned *= np.float32(pull.pins)
        cell_parts, photo_parts = [pinned, pull.pins * around], [2.0 * points, -squares]
        if guide is not None and pull.plan > 0.0:
            photo_axes, cell_axes = guide.axes
            of_photo = np.zeros((len(points), photo_axes.shape[1]), np.float32)
            of_photo[guide.photos] = photo_axes
            # Where photos vary along many axes, smooth neighbours gain little, so the plan gets less weight.
            cell_parts.append(pull.plan * arrangement.space.directness * cell_axes[cells])
            photo_parts.append(of_photo)
        rows, columns = (int(last) + 1 for last in shape.entries.max(axis=0))
        return cls(
            shape.entries[:, 0] * columns + shape.entries[:, 1],
            (rows, columns),
            shape.reach,
            arrangement.space,
            weights,
            cells,
            np.concatenate(cell_parts, axis=1, dtype=np.float32),
            np.concatenate(photo_parts, axis=1, dtype=np.float32),
            arrangement.pulling_photos,
            _near_pins(arrangement, cells) * np.float32(pull.pins),
            smooth,
        )

    @property
    def points(self) -> Matrix:
        """The photos as points: (n, k)."""
        return self.space.points

    @cached_property
    def squares(self) -> Matrix:
        """The squared lengths of the points: (n,)."""
        return np.asarray((self.points * self.points).sum(axis=1))

    @cached_property
    def rows(self) -> Indices:
        """The row of each cell among the vectors: (m,), -1 for cells that take no part."""
        rows = np.full(len(self.positions), -1, dtype=np.int64)
        rows[self.cells] = np.arange(len(self.cells))
        return rows

    def cell_vectors(self, photo_at: Indices, radius: int) -> Matrix:
        """The cells' vectors (t, k + 1 + rank) while these photos lie on the sheet."""
        return self.with_means(self.fixed.copy(), photo_at, radius) if self.smooth else self.fixed.copy()

    def with_means(self, vectors: Matrix, photo_at: Indices, radius: int, weight: float = 1.0) -> Matrix:
        """The vectors (t, k + ...) plus `weight` times the mean point of the (2 radius + 1)^2 square around each cell.

        Empty cells do not count. The vectors are changed in place, on large sheets a few axes at a time.
        """
        radius = min(radius, self.reach)
        photos = photo_at[self.cells]
        weights = np.where(photos >= 0, self.weights[self.cells], np.float32(0.0))
        shares = np.float32(weight) / np.maximum(self.sums(weights[:, None], radius), np.float32(1e-6))
        axes = self.points.shape[1]
        step = axes if len(photo_at) <= CELLS_FOR_AXIS_BLOCKS else AXES_PER_BLOCK
        for axis in range(0, axes, step):
            part = slice(axis, min(axis + step, axes))
            values = self.points[:, part].take(photos, axis=0) * weights[:, None]
            vectors[:, part] += self.sums(values, radius) * shares
        return vectors

    def scores(self, vectors: Matrix, cells: Indices, photos: Indices) -> Matrix:
        """How well groups of photos (B, K) suit groups of cells (B, K) with these vectors (t, ...): (B, K, K)."""
        theirs = self.photo_vectors.take(photos, axis=0).transpose(0, 2, 1)
        return np.asarray(vectors.take(self.rows[cells], axis=0) @ theirs)

    def sums(self, values: Matrix, radius: int) -> Matrix:
        """Sums of the cells' values (t, k) over the (2 radius + 1)^2 square around each cell: (t, k)."""
        positions, (rows, columns) = self._box
        grid = np.zeros((rows * columns, values.shape[1]), np.float32)
        grid[positions] = values
        down = _window_sums(grid.reshape(rows, columns, -1), radius, axis=0)
        return _window_sums(down, radius, axis=1).reshape(len(grid), -1)[positions]

    @cached_property
    def _box(self) -> tuple[Indices, tuple[int, int]]:
        """Where the cells that take part lie in the smallest flattened grid around them (t,), and that grid."""
        down, across = np.divmod(self.positions[self.cells], self.grid[1])
        down, across = down - down.min(), across - across.min()
        columns = int(across.max()) + 1
        return down * columns + across, (int(down.max()) + 1, columns)


def _around_pins(arrangement: Arrangement, some: Indices) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much pins pull at each of some cells (t, 1), at most 1, and their photos' points weighted by that (t, k)."""
    cells, points = arrangement.shape.places.astype(np.float32), arrangement.space.points
    around, pinned = np.zeros((len(some), 1), np.float32), np.zeros((len(some), points.shape[1]), np.float32)
    reach = _cells_of_a_pin(arrangement, PIN_REACH)
    if reach < 1:
        return around, pinned
    for photo, cell in zip(arrangement.pulling_photos, arrangement.pulling_cells, strict=True):
        squares = ((cells - cells[cell]) ** 2).sum(axis=1)
        farthest = np.float32(np.partition(squares, reach)[reach])
        share = np.maximum(1.0 - squares[some] / farthest, 0.0).astype(np.float32)[:, None]
        around += share
        pinned += share * points[photo]
    most = np.maximum(around, np.float32(1.0))
    pinned /= most
    return np.asarray(around / most), pinned


def _near_pins(arrangement: Arrangement, some: Indices) -> Matrix:
    """Whether each of some cells is among those nearest to a pin: (t, p), shared where it is near several."""
    cells = arrangement.shape.places.astype(np.float32)
    near, reach = (
        np.zeros((len(some), len(arrangement.pulling_cells)), np.float32),
        _cells_of_a_pin(arrangement, KIN_CELLS),
    )
    for i, cell in enumerate(arrangement.pulling_cells if reach > 0 else ()):
        squares = ((cells - cells[cell]) ** 2).sum(axis=1)
        near[:, i] = squares[some] <= np.partition(squares, reach)[reach]
    return np.asarray(near / np.maximum(near.sum(axis=1, keepdims=True), np.float32(1.0)))


def _cells_of_a_pin(arrangement: Arrangement, most: int) -> int:
    """The number of cells in which a pin attracts, those nearest to it, at most `most`: pins share a small sheet."""
    pins = max(len(arrangement.pulling_photos), 1)
    return min(most, arrangement.shape.count // pins, arrangement.shape.together - 1)


def _window_sums(values: Matrix, radius: int, axis: int) -> Matrix:
    """Over rows (axis 0) or columns (axis 1) of (rows, columns, k) the sums of the nearest 2 radius + 1 entries."""
    size = values.shape[axis]
    if size <= LONGEST_ROW_FOR_PRODUCT:
        band = _band(size, radius)
        return np.asarray((band @ values.reshape(size, -1)).reshape(values.shape) if axis == 0 else band @ values)
    sums = np.cumsum(values, axis=axis, dtype=np.float64)
    windows = sums.take(np.minimum(np.arange(size) + radius, size - 1), axis=axis)
    beyond = np.arange(radius + 1, size)
    if axis == 0:
        windows[beyond] -= sums[beyond - radius - 1]
    else:
        windows[:, beyond] -= sums[:, beyond - radius - 1]
    return np.asarray(windows, dtype=np.float32)


@lru_cache(maxsize=4)
def _band(size: int, radius: int) -> Matrix:
    """The matrix (size, size) whose product sums over the nearest 2 radius + 1 entries."""
    index = np.arange(size)
    return np.asarray(np.abs(index[:, None] - index) <= radius, dtype=np.float32)
