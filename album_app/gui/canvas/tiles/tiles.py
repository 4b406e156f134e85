"""Tiles: photos cropped and scaled to the size of their frames off the GUI thread, so that painting is copying."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from album_app.gui.state.pictures import Pixels, as_image
from album_app.photos.faces import Box

Tile = NDArray[np.uint32]
"""(..., height, width) of 0xffRRGGBB, which is Qt's Format_RGB32."""
Indices = NDArray[np.int64]

MINI = 16
"""Pixels along each side of the coarsest picture of a photo."""
BUDGET_BYTES = 96_000_000
"""Memory for the tiles of one size; more is used only if the tiles in sight need it."""
FEWEST_KEPT = 64
"""At least this many tiles of one size are kept."""
NONE, ROUGH, SHARP, DETAIL = 0, 1, 2, 3
"""How good a tile is: there is none, made of the smallest picture, of the thumbnail, of the original."""
WHOLE: Box = (0.0, 0.0, 1.0, 1.0)


class Pool:
    """The memory for tiles of one size. It grows as tiles come; when it is full, new tiles replace the oldest."""

    def __init__(self, width: int, height: int, room: int) -> None:
        self.room = room
        self.tiles = np.empty((0, height, width), np.uint32)
        self.owner = np.empty(0, np.int64)  # the photo in each slot, -1 for none
        self._next = 0

    def slots(self, count: int) -> Indices:
        """Slots for `count` more tiles: free ones first, then new ones, then those of the oldest tiles."""
        free = np.flatnonzero(self.owner < 0)
        lacking = count - len(free)
        if lacking > 0 and len(self.owner) < self.room:
            self._grow(min(self.room, max(len(self.owner) + lacking, 2 * len(self.owner))))
            free = np.flatnonzero(self.owner < 0)
        if len(free) >= count:
            return free[:count]
        found = (self._next + np.arange(count)) % max(1, len(self.owner))
        self._next = (self._next + count) % max(1, self.room)
        return found

    def widen(self, room: int) -> None:
        """Allow more tiles, because photos were added."""
        self.room = max(self.room, room)

    def _grow(self, count: int) -> None:
        tiles = np.empty((count, *self.tiles.shape[1:]), np.uint32)
        tiles[: len(self.tiles)] = self.tiles
        self.tiles, former = tiles, self.owner
        self.owner = np.full(count, -1, np.int64)
        self.owner[: len(former)] = former


class Atlas:
    """The tiles that were built so far: each photo has one, of the size of its frame.

    >>> atlas = Atlas(np.array([[4, 3], [8, 3]]))
    >>> atlas.put(np.array([1]), np.zeros((1, 3, 8), np.uint32), SHARP)
    >>> [tiles.shape for _, tiles in atlas.take(np.array([1]))], atlas.below(np.arange(2), SHARP).tolist()
    ([(1, 3, 8)], [0])
    """

    def __init__(self, sizes: Indices, visible: int = 0, *, budget_bytes: int = BUDGET_BYTES) -> None:
        self._sizes = np.array(sizes, np.int64).reshape(-1, 2)  # (photos, 2) width and height
        self._visible = visible
        self._budget_bytes = budget_bytes
        self._slot = np.full(len(self._sizes), -1, np.int64)
        self._quality = np.zeros(len(self._sizes), np.int8)
        self._pools: dict[tuple[int, int], Pool] = {}

    @property
    def sizes(self) -> Indices:
        return self._sizes

    def resize(self, sizes: Indices) -> None:
        """Give photos tiles of other sizes, also photos that joined; the tiles that they have are stretched."""
        self.grow(len(sizes))
        changed = np.flatnonzero((self._sizes != sizes).any(axis=1))
        had = changed[self._quality[changed] >= ROUGH]
        former = [(had[at], tiles) for at, tiles in self.take(had)]
        self.forget(changed)
        self._sizes[changed] = sizes[changed]
        for photos, tiles in former:
            for at, width, height in groups(self._sizes[photos]):
                if width and height:
                    self.put(photos[at], stretched(tiles[at], width, height), ROUGH)

    def put(self, photos: Indices, tiles: Tile, quality: int) -> None:
        """Keep tiles of one size; they replace the tiles of their photos unless those are better."""
        height, width = tiles.shape[-2:]
        pool = self._pool(width, height)
        useful = np.flatnonzero(self._quality[photos] <= quality)[-pool.room :]
        photos, tiles = photos[useful], tiles[useful]
        fresh = photos[self._slot[photos] < 0]
        slots = pool.slots(len(fresh))
        evicted = pool.owner[slots]
        evicted = evicted[evicted >= 0]
        self._slot[evicted], self._quality[evicted] = -1, NONE
        pool.owner[slots], self._slot[fresh] = fresh, slots
        kept = np.flatnonzero(self._slot[photos] >= 0)
        pool.tiles[self._slot[photos[kept]]] = tiles[kept]
        self._quality[photos[kept]] = quality

    def take(self, photos: Indices) -> Iterator[tuple[Indices, Tile]]:
        """The tiles of photos that all have one, size by size: the places among `photos`, and their tiles."""
        for at, width, height in groups(self._sizes[photos]):
            yield at, self._pools[width, height].tiles[self._slot[photos[at]]]

    def below(self, photos: Indices, quality: int) -> Indices:
        """The photos among these whose tile is of a lower quality."""
        return photos[self._quality[photos] < quality]

    def holds(self, quality: int) -> bool:
        """Whether any tile is of this quality or a better one."""
        return bool((self._quality >= quality).any())

    def forget(self, photos: Indices) -> None:
        """Drop the tiles of photos that look different now."""
        there = photos[self._slot[photos] >= 0]
        for at, width, height in groups(self._sizes[there]):
            self._pools[width, height].owner[self._slot[there[at]]] = -1
        self._slot[photos], self._quality[photos] = -1, NONE

    def grow(self, count: int) -> None:
        """Make room for photos that were added at the end."""
        more = count - len(self._slot)
        if more > 0:
            self._slot = np.concatenate([self._slot, np.full(more, -1, np.int64)])
            self._quality = np.concatenate([self._quality, np.zeros(more, np.int8)])
            self._sizes = np.concatenate([self._sizes, np.zeros((more, 2), np.int64)])

    def _pool(self, width: int, height: int) -> Pool:
        room = max(FEWEST_KEPT, 2 * self._visible, self._budget_bytes // (4 * width * height))
        if (width, height) not in self._pools:
            self._free_memory()
            self._pools[width, height] = Pool(width, height, min(room, len(self._slot)))
        self._pools[width, height].widen(min(room, len(self._slot)))
        return self._pools[width, height]

    def _free_memory(self) -> None:
        """Drop the tiles of sizes that no photo has any more, and all tiles if the rest needs too much memory."""
        wanted = {(width, height) for _, width, height in groups(self._sizes)}
        self._pools = {size: pool for size, pool in self._pools.items() if size in wanted}
        if sum(pool.tiles.nbytes for pool in self._pools.values()) > 2 * self._budget_bytes:
            self._pools.clear()
            self._slot[:], self._quality[:] = -1, NONE


def groups(sizes: Indices) -> Iterator[tuple[Indices, int, int]]:
    """The places of equal sizes (k, 2), with the width and height of each group."""
    keys = sizes[:, 0] << 20 | sizes[:, 1]
    if not len(keys):
        return
    if (keys == keys[0]).all():
        yield np.arange(len(keys)), int(sizes[0, 0]), int(sizes[0, 1])
        return
    order = np.argsort(keys, kind="stable")
    for at in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
        yield at, int(sizes[at[0], 0]), int(sizes[at[0], 1])


def scaled(pixels: Pixels, width: int, height: int, crop: Box = WHOLE) -> Tile:
    """A part of a picture at exactly this size, smoothly, for use in any thread: (height, width)."""
    down, across = pixels.shape[:2]
    left, top = round(crop[0] * across), round(crop[1] * down)
    part = max(1, round(crop[2] * across) - left), max(1, round(crop[3] * down) - top)
    image = as_image(pixels).copy(min(left, across - 1), min(top, down - 1), *part)
    if part != (width, height):
        smooth = Qt.TransformationMode.SmoothTransformation
        image = image.scaled(width, height, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    return np.frombuffer(image.constBits(), np.uint32).reshape(height, width).copy()


def mini(pixels: Pixels) -> Tile:
    """A whole picture squeezed into a small square (MINI, MINI), quickly because Qt is not called."""
    height, width = pixels.shape[:2]
    place = np.arange(2 * MINI)
    rows, columns = place * height // (2 * MINI), place * width // (2 * MINI)
    quarters = (pixels.view(np.uint32)[rows[:, None], columns, 0] >> 2) & 0x3F3F3F3F  # four bytes at once
    mean: Tile = quarters[::2, ::2] + quarters[1::2, ::2] + quarters[::2, 1::2] + quarters[1::2, 1::2]
    return mean | np.uint32(0xFF000000)


def stretched(tiles: Tile, width: int, height: int) -> Tile:
    """Tiles at another size, quickly and roughly, by repeating or skipping pixels."""
    down, across = tiles.shape[-2:]
    rows = (np.arange(height) * down + down // 2) // height
    columns = (np.arange(width) * across + across // 2) // width
    rough: Tile = tiles.reshape(len(tiles), -1).take((rows[:, None] * across + columns).ravel(), axis=1)
    return rough.reshape(-1, height, width)


def rough_parts(minis: Tile, crops: NDArray[np.floating], width: int, height: int) -> Tile:
    """Crops (k, 4) of small square pictures (k, MINI, MINI), stretched to one size."""
    left, top, right, bottom = crops.T
    rows, columns = _samples(top, bottom, height), _samples(left, right, width)
    flat = minis.reshape(len(minis), -1)
    rough: Tile = np.take_along_axis(flat, (rows[:, :, None] * MINI + columns[:, None, :]).reshape(len(minis), -1), 1)
    return rough.reshape(-1, height, width)


def _samples(start: NDArray[np.floating], end: NDArray[np.floating], count: int) -> Indices:
    """Which of the MINI pixels of a side lie at `count` places between two shares of the side: (k, count)."""
    share = (np.arange(count) + 0.5) / count
    place = (start[:, None] + (end - start)[:, None] * share) * MINI
    return np.clip(place.astype(np.int64), 0, MINI - 1)


def tile_image(tile: Tile) -> QImage:
    """A tile as a picture of its own."""
    height, width = tile.shape
    return QImage(np.ascontiguousarray(tile).data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()


def image_tile(image: QImage) -> Tile:
    """A picture as a tile."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()


class Corners:
    """Rounds the corners of tiles by mixing the background in."""

    def __init__(self, width: int, height: int, radius: float, background: int) -> None:
        share = rounded_share(width, height, min(radius, width / 2, height / 2))
        self._rows, self._columns = np.nonzero(share < 1)
        self._share = np.round(share[self._rows, self._columns] * 256).astype(np.uint32)
        self._background = background

    def round(self, tiles: Tile) -> Tile:
        """The tiles with round corners, changed in place."""
        if len(self._rows):
            edge = tiles[..., self._rows, self._columns]
            tiles[..., self._rows, self._columns] = mixed(edge, np.uint32(self._background), self._share)
        return tiles


def rounded_share(width: int, height: int, radius: float) -> NDArray[np.float64]:
    """How much of each pixel lies within a rounded rectangle: (height, width)."""
    across, down = (
        np.maximum(np.abs(np.arange(side) + 0.5 - side / 2) - (side / 2 - radius), 0.0) for side in (width, height)
    )
    share: NDArray[np.float64] = np.clip(radius - np.hypot(down[:, None], across) + 0.5, 0.0, 1.0)
    share[(down[:, None] == 0) | (across == 0)] = 1.0
    return share


def mixed(over: NDArray[np.uint32], under: NDArray[np.uint32] | np.uint32, share: NDArray[np.uint32]) -> Tile:
    """Colours blended, `share` of 256 of the upper one."""
    low, high, opaque = np.uint32(0x00FF00FF), np.uint32(0x0000FF00), np.uint32(0xFF000000)
    rest = np.uint32(256) - share
    red_blue = (((over & low) * share + (under & low) * rest) >> np.uint32(8)) & low
    green = (((over & high) >> np.uint32(8)) * share + ((under & high) >> np.uint32(8)) * rest) & high
    return opaque | red_blue | green
