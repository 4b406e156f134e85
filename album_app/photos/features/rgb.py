"""Colours and where they are: the pixels of a much reduced picture."""

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
