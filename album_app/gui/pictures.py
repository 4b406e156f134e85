"""The thumbnails of the open album in memory, as arrays that both numpy and Qt can read without a copy."""

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

BUDGET_BYTES = 360_000_000
LARGEST_SIDE = 256
SMALLEST_SIDE = 64

READY, LOADING, MISSING, DAMAGED = "ready", "loading", "missing", "damaged"

Pixels = NDArray[np.uint8]
"""(height, width, 4) in the memory order blue, green, red, 255: Qt's Format_RGB32."""


class Pictures:
    """Photo index -> thumbnail; large albums keep smaller ones so that 10,000 photos fit into memory.

    `damaged` holds the photos that turned out to have no picture in them, each with the reason.
    """

    def __init__(self, count: int = 0, missing: frozenset[int] = frozenset()) -> None:
        self._pixels: dict[int, Pixels] = {}
        self.damaged: dict[int, str] = {}
        self._missing = missing
        self.side = side_for(count)

    def put(self, photo: int, pixels: Pixels) -> None:
        self._pixels[photo] = pixels
        self.damaged.pop(photo, None)

    def put_damaged(self, photo: int, reason: str) -> None:
        """Note that a photo cannot be read, and why."""
        self.damaged[photo] = reason

    def forget_from(self, first: int) -> None:
        """The photos from `first` on are others now."""
        self._pixels = {photo: pixels for photo, pixels in self._pixels.items() if photo < first}
        self.damaged = {photo: reason for photo, reason in self.damaged.items() if photo < first}

    def pixels(self, photo: int) -> Pixels | None:
        return self._pixels.get(photo)

    def image(self, photo: int) -> QImage | None:
        """The thumbnail for painting; it shares its memory with this store."""
        pixels = self._pixels.get(photo)
        return None if pixels is None else as_image(pixels)

    def state(self, photo: int) -> str:
        """READY, LOADING, MISSING (no file) or DAMAGED (no picture in it)."""
        if photo in self._pixels:
            return READY
        if photo in self._missing:
            return MISSING
        return DAMAGED if photo in self.damaged else LOADING

    def mark_missing(self, missing: frozenset[int]) -> None:
        self._missing = missing

    def __len__(self) -> int:
        return len(self._pixels)


def side_for(count: int) -> int:
    """The longest side of a kept thumbnail so that `count` of them stay within the budget."""
    fits = math.isqrt(BUDGET_BYTES // max(1, count * 3))
    return max(SMALLEST_SIDE, min(LARGEST_SIDE, fits))


def as_pixels(rgb: NDArray[np.uint8], side: int = LARGEST_SIDE) -> Pixels:
    """An RGB array as Qt's memory order, reduced to at most `side`; for use in any thread."""
    height, width = rgb.shape[:2]
    pixels = np.empty((height, width, 4), np.uint8)
    pixels[..., :3] = rgb[..., ::-1]
    pixels[..., 3] = 255
    if max(height, width) <= side:
        return pixels
    smooth = Qt.TransformationMode.SmoothTransformation
    return _copied(as_image(pixels).scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio, smooth))


def as_image(pixels: Pixels) -> QImage:
    """A view of the array as a picture; the array must outlive it."""
    height, width = pixels.shape[:2]
    return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)


def _copied(image: QImage) -> Pixels:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()
