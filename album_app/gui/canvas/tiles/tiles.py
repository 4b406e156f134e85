"""Square tiles of one size for every photo: scaled once, off the GUI thread, so that painting is copying."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from album_app.gui.state.pictures import Pixels, as_image

Tile = NDArray[np.uint32]
"""(..., side, side) of 0xffRRGGBB, which is Qt's Format_RGB32."""

MINI = 16
BUDGET_BYTES = 96_000_000
NONE, ROUGH, SHARP, DETAIL = 0, 1, 2, 3


class Atlas:
    """The tiles of one size that were built so far; when it is full the oldest ones make room."""

    def __init__(self, count: int, side: int, least: int = 0) -> None:
        self.side = side
        room = max(64, least, BUDGET_BYTES // (4 * side * side))
        self._tiles = np.empty((min(count, room), side, side), np.uint32)
        self._slot = np.full(count, -1, np.int64)
        self._owner = np.full(len(self._tiles), -1, np.int64)
        self._quality = np.zeros(count, np.int8)
        self._next = 0

    def put(self, photos: NDArray[np.int64], tiles: Tile, quality: int) -> None:
        """Keep tiles; they replace those of the same photos unless these are better."""
        useful = np.flatnonzero(self._quality[photos] <= quality)[-len(self._owner) :]
        photos, tiles = photos[useful], tiles[useful]
        fresh = photos[self._slot[photos] < 0]
        slots = (self._next + np.arange(len(fresh))) % max(1, len(self._owner))
        evicted = self._owner[slots]
        evicted = evicted[evicted >= 0]
        self._slot[evicted], self._quality[evicted] = -1, NONE
        self._owner[slots], self._slot[fresh] = fresh, slots
        self._next = int(self._next + len(fresh)) % max(1, len(self._owner))
        kept = np.flatnonzero(self._slot[photos] >= 0)
        self._tiles[self._slot[photos[kept]]] = tiles[kept]
        self._quality[photos[kept]] = quality

    def take(self, photos: NDArray[np.int64]) -> Tile:
        """The tiles of photos that all have one: (k, side, side)."""
        tiles: Tile = self._tiles[self._slot[photos]]
        return tiles

    def below(self, photos: NDArray[np.int64], quality: int) -> NDArray[np.int64]:
        """Those of the photos whose tile is not that good yet."""
        return photos[self._quality[photos] < quality]

    def holds(self, quality: int) -> bool:
        """Whether any tile is that good."""
        return bool((self._quality >= quality).any())

    def forget(self, photos: NDArray[np.int64]) -> None:
        """Let go of the tiles of photos that look different now."""
        slots = self._slot[photos]
        self._owner[slots[slots >= 0]] = -1
        self._slot[photos], self._quality[photos] = -1, NONE

    def grow(self, count: int) -> None:
        """Make room for photos that were added at the end."""
        more = count - len(self._slot)
        if more > 0:
            self._slot = np.concatenate([self._slot, np.full(more, -1, np.int64)])
            self._quality = np.concatenate([self._quality, np.zeros(more, np.int8)])
            if len(self._tiles) < min(count, max(64, BUDGET_BYTES // (4 * self.side**2))):
                self._next = len(self._tiles) if (self._owner >= 0).all() else self._next
                self._tiles = np.concatenate([self._tiles, np.empty((more, self.side, self.side), np.uint32)])
                self._owner = np.concatenate([self._owner, np.full(more, -1, np.int64)])


def scaled(pixels: Pixels, side: int) -> Tile:
    """A picture's middle square at exactly this size, smoothly, for use in any thread: (side, side)."""
    height, width = pixels.shape[:2]
    edge = min(height, width)
    image = as_image(pixels).copy((width - edge) // 2, (height - edge) // 2, edge, edge)
    if edge != side:
        smooth = Qt.TransformationMode.SmoothTransformation
        image = image.scaled(side, side, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    return np.frombuffer(image.constBits(), np.uint32).reshape(side, side).copy()


def mini(pixels: Pixels) -> Tile:
    """A picture's middle square, small and quick, without a call into Qt: (MINI, MINI)."""
    height, width = pixels.shape[:2]
    edge = min(height, width)
    place = np.arange(2 * MINI) * edge // (2 * MINI)
    rows, columns = place + (height - edge) // 2, place + (width - edge) // 2
    quarters = (pixels.view(np.uint32)[rows[:, None], columns, 0] >> 2) & 0x3F3F3F3F  # four bytes at once
    mean: Tile = quarters[::2, ::2] + quarters[1::2, ::2] + quarters[::2, 1::2] + quarters[1::2, 1::2]
    return mean | np.uint32(0xFF000000)


def stretched(tiles: Tile, side: int) -> Tile:
    """Tiles at another size by repeating or skipping pixels: fast, rough."""
    edge = tiles.shape[-1]
    index = (np.arange(side) * edge + edge // 2) // side
    flat = tiles.reshape(len(tiles), edge * edge)
    rough: Tile = flat.take((index[:, None] * edge + index).ravel(), axis=1)
    return rough.reshape(-1, side, side)


def tile_image(tile: Tile) -> QImage:
    """A tile as a picture of its own."""
    side = len(tile)
    return QImage(np.ascontiguousarray(tile).data, side, side, 4 * side, QImage.Format.Format_RGB32).copy()


def image_tile(image: QImage) -> Tile:
    """A square picture as a tile."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()


class Corners:
    """Rounds the corners of tiles by mixing the background in."""

    def __init__(self, side: int, radius: float, background: int) -> None:
        share = rounded_share(side, radius)
        self._rows, self._columns = np.nonzero(share < 1)
        self._share = np.round(share[self._rows, self._columns] * 256).astype(np.uint32)
        self._background = background

    def round(self, tiles: Tile) -> Tile:
        """The tiles with round corners, changed in place."""
        if len(self._rows):
            edge = tiles[..., self._rows, self._columns]
            tiles[..., self._rows, self._columns] = mixed(edge, np.uint32(self._background), self._share)
        return tiles


def rounded_share(side: int, radius: float) -> NDArray[np.float64]:
    """How much of each pixel lies within a rounded square: (side, side)."""
    middle = np.abs(np.arange(side) + 0.5 - side / 2)
    beyond = np.maximum(middle - (side / 2 - radius), 0.0)
    share: NDArray[np.float64] = np.clip(radius - np.hypot(beyond[:, None], beyond) + 0.5, 0.0, 1.0)
    share[(beyond[:, None] == 0) | (beyond == 0)] = 1.0
    return share


def mixed(over: NDArray[np.uint32], under: NDArray[np.uint32] | np.uint32, share: NDArray[np.uint32]) -> Tile:
    """Colours blended, `share` of 256 of the upper one."""
    low, high, opaque = np.uint32(0x00FF00FF), np.uint32(0x0000FF00), np.uint32(0xFF000000)
    rest = np.uint32(256) - share
    red_blue = (((over & low) * share + (under & low) * rest) >> np.uint32(8)) & low
    green = (((over & high) >> np.uint32(8)) * share + ((under & high) >> np.uint32(8)) * rest) & high
    return opaque | red_blue | green
