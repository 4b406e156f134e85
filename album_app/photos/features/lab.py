"""Colours as the eye tells them apart: the reduced pixels in CIELAB."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.photos.features.extractor import Image
from album_app.photos.features.rgb import Rgb

XYZ_OF_RGB = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
D65 = XYZ_OF_RGB.sum(axis=1)
"""White of the sRGB standard: what (1, 1, 1) becomes."""


@dataclass(frozen=True)
class Lab(Rgb):
    """CIELAB values (L in 0..100) of the centre square, box-reduced to size x size."""

    @property
    def name(self) -> str:
        return "lab" if self.size == 8 else f"lab:{self.size}"

    @property
    def key(self) -> str:
        return f"lab:{self.size}/1"

    def pixels(self, image: Image) -> NDArray[np.float32]:
        return lab_of_srgb(super().pixels(image))


def lab_of_srgb(rgb: NDArray[np.float32]) -> NDArray[np.float32]:
    """CIELAB (D65) of sRGB values in 0..1; the last axis holds the channels."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = linear @ XYZ_OF_RGB.T / D65
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * (29 / 6) ** 2 / 3 + 4 / 29)
    x, y, z = np.moveaxis(f, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1).astype(np.float32)
