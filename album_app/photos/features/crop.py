"""The centre square of a picture, reduced by averaging over boxes."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from album_app.photos.features.extractor import Image


def centre_square(image: Image) -> Image:
    """The largest square in the middle of the picture."""
    height, width = image.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    return image[top : top + side, left : left + side]


def box_reduce(image: Image, size: int) -> NDArray[np.float32]:
    """The centre square as (size, size, 3) values in 0..1, each the exact mean of the area it covers."""
    square = centre_square(image)
    side = len(square)
    weights = _box_weights(side, size)
    rows = weights @ square.reshape(side, side * 3).astype(np.float32)  # (size, side * 3)
    reduced: NDArray[np.float32] = weights @ rows.reshape(size, side, 3) / np.float32(255)
    np.clip(reduced, 0, 1, out=reduced)
    return reduced


@lru_cache(maxsize=64)
def _box_weights(side: int, size: int) -> NDArray[np.float32]:
    """(size, side): the share of each of `side` pixels in each of `size` equal boxes, rows summing to one."""
    edges = np.arange(size + 1) * side / size
    starts, ends = edges[:-1, None], edges[1:, None]
    pixels = np.arange(side)[None, :]
    overlap = np.clip(np.minimum(ends, pixels + 1) - np.maximum(starts, pixels), 0, None)
    weights: NDArray[np.float32] = (overlap * size / side).astype(np.float32)
    weights.setflags(write=False)
    return weights
