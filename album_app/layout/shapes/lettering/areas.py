"""Pictures reduced to cells by area: what share of each cell is covered."""

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
