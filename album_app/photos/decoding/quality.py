"""Measures of a photo's quality by its thumbnail: sharpness, contrast, and how much is all black or all white."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

KEY = "quality:1"
"""Names these measures in the cache."""
SHARPNESS, CONTRAST, CLIPPED = range(3)
DARKEST, LIGHTEST = 4, 251
"""Grey levels, of 0 to 255, beyond which no detail can be seen."""


_LEVELS = np.arange(256)


def quality_row(thumbnail: Image.Image) -> NDArray[np.float32]:
    """Of the grey levels of an RGB picture the variance of their Laplacian, their deviation, and the clipped share."""
    grey = thumbnail.convert("L")
    shares = np.array(grey.histogram()) / (grey.width * grey.height)
    deviations = _LEVELS - shares @ _LEVELS
    clipped = shares[: DARKEST + 1].sum() + shares[LIGHTEST:].sum()
    return np.array([_sharpness(np.asarray(grey, np.int16)), (shares @ deviations**2) ** 0.5, clipped], np.float32)


def _sharpness(grey: NDArray[np.int16]) -> float:
    """How much each pixel differs from its four neighbours: blur of any kind makes them more alike."""
    if min(grey.shape) < 3:
        return 0.0
    around = grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:]
    differences = (4 * grey[1:-1, 1:-1] - around).astype(np.float32).ravel()
    return float(np.vdot(differences, differences) / differences.size - differences.mean() ** 2)
