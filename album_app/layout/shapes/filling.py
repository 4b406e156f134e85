"""Rows and columns that fill an area: no cell empty, little of the area left over, few photos left out."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.rectangles import MAX_CELLS, best_rectangle
from album_app.layout.shapes.shape import Cell, Shape

Counts = NDArray[np.int64]
LeftOver = Callable[[Counts, Counts], NDArray[np.float64]]
"""The share of an area that sheets of these rows and columns leave uncovered."""

MOST_LEFT_OVER = 0.1
AREA_WEIGHT = 1.5  # of the unused area, relative to photos left out
LEAST_SHARE = 0.5  # of the photos


def filling_rectangle(photos: int, left_over: LeftOver) -> Cell:
    """The rows and columns for at most `photos` photos that leave the least area unused and the fewest photos out."""
    rows, columns = _sheets(min(photos, MAX_CELLS))
    uncovered = left_over(rows, columns)
    cost = AREA_WEIGHT * uncovered + 1 - rows * columns / photos
    best = int(np.where(uncovered <= MOST_LEFT_OVER, cost, 2 + uncovered).argmin())
    return int(rows[best]), int(columns[best])


def _sheets(photos: int) -> tuple[Counts, Counts]:
    """Every full sheet for more than half of the photos and no more than all."""
    rows = np.arange(1, photos + 1)
    most = photos // rows
    least = np.maximum(1, np.ceil(LEAST_SHARE * photos / rows).astype(np.int64))
    count = np.maximum(0, most - least + 1)
    first = np.repeat(np.cumsum(count) - count, count)
    return np.repeat(rows, count), np.repeat(least, count) + np.arange(count.sum()) - first


def grid_instead(shape: Shape, photos: int) -> Cell:
    """The rows and columns to start from where a shape becomes a full sheet: its own if it is one, else the photos'."""
    return (shape.rows, shape.columns) if shape.mask.all() else best_rectangle(min(max(photos, 1), MAX_CELLS))
