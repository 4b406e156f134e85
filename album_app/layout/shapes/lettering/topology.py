"""Pieces and holes of a mask: cells that share a corner hang together, background must share an edge."""

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.lettering.areas import Mask

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
