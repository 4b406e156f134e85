"""Means over equal boxes of a picture, as products with weights: exact also where boxes share a pixel."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=256)
def box_weights(side: float, size: int) -> NDArray[np.float32]:
    """(size, side): the share of each of `side` pixels in each of `size` equal boxes, rows summing to one.

    Where `side` is not a whole number, only that part of the last pixel belongs to the picture.
    """
    edges = np.arange(size + 1) * side / size
    starts, ends = edges[:-1, None], edges[1:, None]
    pixels = np.arange(math.ceil(side))[None, :]
    overlap = np.clip(np.minimum(ends, pixels + 1) - np.maximum(starts, pixels), 0, None)
    weights: NDArray[np.float32] = (overlap * size / side).astype(np.float32)
    weights.setflags(write=False)
    return weights
