"""Pictures and masks in cells: the covered share of each cell, and the pieces and holes of a mask."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Reals = NDArray[np.float64]


def area_means(image: NDArray[Any], rows: int, columns: int) -> Reals:
    """The mean of an image over each cell of a grid laid over it: (rows, columns)."""
    straight = np.zeros(1)
    means: Reals = bent_means(bent_means(image, rows, straight)[0].T, columns, straight)[0].T
    return means


def bent_means(image: NDArray[Any], cells: int, bends: Reals) -> Reals:
    """Means over `cells` stretches of an image's rows: (bends, ..., cells, columns).

    Once for each bend: the middle is moved by that many cells, the ends stay.
    """
    pixels = image.shape[-2]
    at = np.arange(cells + 1) / cells
    edges = np.clip(at + bends[:, None] / cells * np.sin(np.pi * at), 0, 1) * pixels
    whole = np.minimum(edges.astype(np.int64), pixels - 1)
    shape = (len(bends), *(1,) * (image.ndim - 2), cells + 1, 1)
    first = np.zeros_like(image[..., :1, :], dtype=np.float64)
    sums = np.concatenate([first, np.cumsum(image, axis=-2, dtype=np.float64)], axis=-2)
    before, after = (np.moveaxis(sums[..., index, :], -3, 0) for index in (whole, whole + 1))
    upto = before + (after - before) * (edges - whole).reshape(shape)
    means: Reals = np.diff(upto, axis=-2) / np.diff(edges, axis=1).clip(1e-9).reshape(*shape[:-2], cells, 1)
    return means


def neighbours(mask: Mask) -> Reals:
    """How many of the eight cells around each are taken."""
    padded = np.pad(mask, 1).astype(np.float64)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    around: Reals = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] - mask
    return around


def trimmed(mask: Mask) -> Mask:
    """A mask without the empty rows and columns around it."""
    return mask[ink_window(mask)]


def ink_window(mask: Mask) -> tuple[slice, slice]:
    """The rows and columns from the first to the last that hold anything."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


_AROUND = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))


def pieces_and_holes(mask: Mask) -> tuple[int, int]:
    """How many separate pieces a mask has, and how many holes."""
    from scipy import ndimage

    pieces = ndimage.label(mask, structure=np.ones((3, 3)))[1]
    background = ndimage.label(np.pad(~mask, 1, constant_values=True))[1]
    return int(pieces), int(background) - 1


def openings(mask: Mask) -> int:
    """How many holes and bays a figure has within its bounds, rounded corners aside: what tells an M from a block."""
    return int(opening_labels(mask).max())


def opening_labels(mask: Mask, cores: Mask | None = None) -> NDArray[np.int64]:
    """The holes and bays of a figure (only those that have a core, if these are given), from 1; 0 everywhere else."""
    from scipy import ndimage

    labels, count = ndimage.label(~mask)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    at_corner = np.isin(np.arange(count + 1), labels[[0, 0, -1, -1], [0, -1, 0, -1]])
    large = sizes >= np.where(at_corner, 0.08, 0.004) * mask.size
    large[0] = False
    if cores is not None:
        large &= np.isin(np.arange(count + 1), labels[cores])
    numbers: NDArray[np.int64] = np.where(large, np.cumsum(large), 0)[labels]
    return numbers


def euler_number(masks: Mask) -> NDArray[np.int64]:
    """Pieces minus holes of each mask in a stack (..., rows, columns), by counting the patterns of two by two cells."""
    padded = np.pad(masks, [(0, 0)] * (masks.ndim - 2) + [(1, 1), (1, 1)]).astype(np.int8)
    a, b = padded[..., :-1, :-1], padded[..., :-1, 1:]
    c, d = padded[..., 1:, :-1], padded[..., 1:, 1:]
    filled = a + b + c + d
    diagonal = (filled == 2) & (a == d)
    quads = (filled == 1).astype(np.int64) - (filled == 3) - 2 * diagonal
    euler: NDArray[np.int64] = quads.sum(axis=(-2, -1)) // 4
    return euler


def is_simple(mask: Mask, row: int, column: int) -> bool:
    """Whether a cell can come or go without joining, splitting, opening or closing anything (Yokoi's number)."""
    empty = [not _at(mask, row + down, column + right) for down, right in _AROUND]
    runs = sum(empty[k] and not (empty[k + 1] and empty[(k + 2) % 8]) for k in (0, 2, 4, 6))
    return runs == 1


def _at(mask: Mask, row: int, column: int) -> bool:
    return 0 <= row < mask.shape[0] and 0 <= column < mask.shape[1] and bool(mask[row, column])
