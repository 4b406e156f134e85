"""Measures of a photo's quality by its thumbnail: sharpness, contrast, and how much is all black or all white."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

KEY = "quality:1"
"""Names these measures in the cache."""
SHARPNESS, CONTRAST, CLIPPED = range(3)
DARKEST, LIGHTEST = 4, 251
"""Grey levels, of 0 to 255, beyond which no detail can be seen."""


def quality_row(thumbnail: Image.Image) -> NDArray[np.float32]:
    """Of the grey levels of an RGB picture the variance of their Laplacian, their deviation, and the clipped share."""
    grey = np.asarray(thumbnail.convert("L"), np.int16)
    clipped = np.count_nonzero((grey <= DARKEST) | (grey >= LIGHTEST)) / grey.size
    return np.array([_sharpness(grey), grey.std(), clipped], np.float32)


def _sharpness(grey: NDArray[np.int16]) -> float:
    """How much each pixel differs from its four neighbours: blur of any kind makes them more alike."""
    if min(grey.shape) < 3:
        return 0.0
    around = grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:]
    return float((4 * grey[1:-1, 1:-1] - around).var())
