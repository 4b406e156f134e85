"""Colours and where they are: the pixels of a much reduced picture, as RGB or as CIELAB, which follows the eye."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.photos.features.extractor import Extractor, Features, Image, box_reduce


@dataclass(frozen=True)
class Rgb(Extractor):
    """RGB values in 0..1 of the centre square, box-reduced to size x size."""

    size: int = 8

    @property
    def name(self) -> str:
        return "rgb" if self.size == 8 else f"rgb:{self.size}"

    @property
    def key(self) -> str:
        return f"rgb:{self.size}/1"

    @property
    def dimension(self) -> int:
        return 3 * self.size**2

    def extract(self, batch: Sequence[Image]) -> Features:
        rows = np.empty((len(batch), self.dimension), np.float32)
        for row, image in zip(rows, batch, strict=True):
            row[:] = self.pixels(image).ravel()
        return rows

    def pixels(self, image: Image) -> NDArray[np.float32]:
        """(size, size, 3) numbers that describe one picture."""
        return box_reduce(image, self.size)


@dataclass(frozen=True)
class StrideRgb(Rgb):
    """RGB values at every k-th row and column of the whole picture: how the paper's experiments read their photos."""

    wants_originals = True

    size: int = 40

    @property
    def name(self) -> str:
        return f"rgb:{self.size}:stride"

    @property
    def key(self) -> str:
        return f"rgb:{self.size}:stride/1"

    def pixels(self, image: Image) -> NDArray[np.float32]:
        rows, columns = (_every_kth(length, self.size) for length in image.shape[:2])
        return image[np.ix_(rows, columns)].astype(np.float32) / np.float32(255)


def _every_kth(length: int, count: int) -> NDArray[np.intp]:
    """`count` positions from 0 on at the largest whole stride that fits, or spread evenly where none does."""
    return np.arange(count) * (length // count) if length >= count else np.arange(count) * length // count


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
