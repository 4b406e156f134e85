"""What the canvas shows: where the sheet lies in the window, and its tiles composed into one picture.

A `Viewport` fits, zooms and pans in whole device pixels, so that tiles stay crisp. A `Scene` knows where every tile of
a layout is at a moment, and copies the pixels of the tiles with numpy.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QImage

from album_app.gui.canvas.motion import Glide, Position, TileChange
from album_app.gui.canvas.tiles.marks import CanvasColours, cell_tile
from album_app.gui.canvas.tiles.tile_cache import TileCache
from album_app.gui.canvas.tiles.tiles import Tile, groups
from album_app.layout.layout import Layout
from album_app.layout.shapes.frames import Frames, SheetGeometry
from album_app.layout.shapes.shape import Cell, Shape, rectangle

Indices = NDArray[np.int64]
NO_PHOTOS = np.empty(0, np.int64)
NO_PLACES = np.empty((0, 2))
ROUNDING = 0.08
"""The radius of the tiles' corners, as a share of a cell."""
MOST_CHANGING = 100
"""If more tiles than this grow, shrink or shift their crops, they jump; 100 tiles of 64 pixels cost 4 ms a frame."""
WIDEST_BORDER = 256
"""Pixels around the picture that tiles may reach into, or one cell if that is more; larger tiles are cut one by one."""
GAP = 0.06
"""The gap between tiles, as a share of the step from one cell to the next."""
SMALLEST_STEP_WITH_GAP = 6
"""Cells with a smaller step, in device pixels, have no gaps."""
STEP_LIMITS = (3.0, 1024.0)
"""The smallest and the largest step from one cell to the next, in device pixels."""
MARGIN = 0.03
"""The margin around a fitted sheet, as a share of the window's shorter side."""
SHARE_IN_SIGHT = 0.25
"""At least this share of the sheet stays in sight when it is moved."""


class Framed(Protocol):
    """A shape or a layout: anything that has frames."""

    def frames(self, gap: float = 0.0, caption: float = 0.0) -> Frames: ...


@dataclass(frozen=True)
class Viewport:
    """Where a sheet lies in a window: the step from cell to cell, and the top left corner of the first cell.

    All lengths are device pixels. `pitch` keeps the fraction of the step, so that a slow zoom adds up; `geometry` has
    whole pixels.
    """

    sheet: Framed
    pitch: float
    left: float = 0.0
    top: float = 0.0

    @classmethod
    def fitted(
        cls, sheet: Framed, width: float, height: float, largest: float = STEP_LIMITS[1], below: float = 0.0
    ) -> "Viewport":
        """The whole sheet in the middle of a window, as large as a margin and the step `largest` allow.

        `below` is the room that stays free below it, in cells.
        """
        margin = max(8.0, MARGIN * min(width, height))
        frames = sheet.frames(GAP)
        pitch = min((width - 2 * margin) / frames.width, (height - 2 * margin) / (frames.height + below))
        pitch = max(STEP_LIMITS[0], float(int(min(pitch, largest))))
        return cls(sheet, pitch).centred(width, height - below * pitch)

    @cached_property
    def geometry(self) -> SheetGeometry:
        """The frames in whole device pixels, with equal steps and gaps all over the sheet."""
        step = max(1, round(self.pitch))
        gap = max(1, round(step * GAP)) if step >= SMALLEST_STEP_WITH_GAP else 0
        side = step - gap
        return SheetGeometry(self.sheet.frames(gap / step), side, side, gap, round(self.left), round(self.top))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole sheet, with the gap to the right of its last cells and below them."""
        frames = self.geometry.frames
        return frames.width * self.step, frames.height * self.step

    @property
    def side(self) -> int:
        """The side of a tile of one cell."""
        return int(self.geometry.cell_width)

    @property
    def step(self) -> int:
        """The step from one cell to the next."""
        return int(self.geometry.pitch[0])

    def of(self, sheet: Framed) -> "Viewport":
        """This view of another sheet, for instance of one with other photos in its cells."""
        return replace(self, sheet=sheet)

    def centred(self, width: float, height: float) -> "Viewport":
        """The sheet moved to the middle of the window."""
        across, down = self.geometry.width - self.geometry.left, self.geometry.height - self.geometry.top
        return replace(self, left=round((width - across) / 2), top=round((height - down) / 2))

    def zoomed(self, pitch: float, x: float, y: float) -> "Viewport":
        """The sheet at another size, with the point (x, y) of the window over its former place on the sheet."""
        bounded = replace(self, pitch=min(max(STEP_LIMITS[0], pitch), STEP_LIMITS[1]))
        ratio = bounded.step / self.step
        return replace(bounded, left=x - (x - self.left) * ratio, top=y - (y - self.top) * ratio)

    def panned(self, dx: float, dy: float, width: float, height: float) -> "Viewport":
        """The sheet moved by pixels, but never quite out of sight."""
        across, down = self.size
        left, top = _bounded(self.left + dx, across, width), _bounded(self.top + dy, down, height)
        return replace(self, left=left, top=top)

    def showing(self, cell: Cell, width: float, height: float) -> "Viewport":
        """The sheet moved by as little as brings the frame of a cell, and half a frame around it, into sight."""
        x, y, across, down = self.geometry.rect(cell)
        return replace(self, left=self.left + _nudge(x, across, width), top=self.top + _nudge(y, down, height))


def _bounded(start: float, length: float, room: float) -> float:
    keep = SHARE_IN_SIGHT * min(length, room)
    return min(max(start, keep - length), room - keep)


def _nudge(start: float, length: float, room: float) -> float:
    border = min(length / 2, max(0.0, (room - length) / 2))
    return max(0.0, border - start) - max(0.0, start + length + border - room)


class Buffer:
    """A picture in device pixels with a border around it, so that tiles at the edge need not be cut one by one."""

    def __init__(self, width: int, height: int, border: int) -> None:
        self.width, self.height, self.border = width, height, border
        self.pixels = np.empty((height + 2 * border, width + 2 * border), np.uint32)
        across = self.pixels.shape[1]
        self.image = QImage(self.pixels.data, across, self.pixels.shape[0], 4 * across, QImage.Format.Format_RGB32)

    @property
    def source(self) -> QRect:
        """The part of `image` inside the border."""
        return QRect(self.border, self.border, self.width, self.height)

    def seen(self, corners: NDArray[np.float64], sizes: NDArray[np.integer]) -> Indices:
        """Which of the tiles with these top left corners (x, y) and sizes (width, height) are in sight."""
        x, y = corners.T
        across, down = sizes.T
        inside = (x > -across) & (y > -down) & (x < self.width) & (y < self.height)
        return np.flatnonzero(inside)

    def put(self, tiles: Tile, corners: NDArray[np.float64]) -> None:
        """Copy tiles of one size (k, height, width), or one tile, to corners (k, 2) in sight; later ones are on top."""
        down, across = tiles.shape[-2:]
        x, y = np.floor(corners + 0.5).astype(np.int64).T + self.border
        if max(down, across) > self.border:
            self._put_one_by_one(np.broadcast_to(tiles, (len(x), down, across)), x, y)
            return
        rows, columns = self.pixels.shape[0] - down + 1, self.pixels.shape[1] - across + 1
        below, across_bytes = self.pixels.strides
        windows = as_strided(self.pixels, (rows, columns, down, across), (below, across_bytes, below, across_bytes))
        windows[np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)] = tiles

    def _put_one_by_one(self, tiles: Tile, x: Indices, y: Indices) -> None:
        """Copy tiles that are larger than the border, each cut to the picture."""
        height, width = self.pixels.shape
        for tile, left, top in zip(tiles, x.tolist(), y.tolist(), strict=True):
            part = tile[max(0, -top) : height - top, max(0, -left) : width - left]
            self.pixels[max(0, top) :, max(0, left) :][: part.shape[0], : part.shape[1]] = part


class Scene:
    """A layout in a viewport: where every tile is at a moment, what lies under a point, and the picture of it all."""

    def __init__(self, tile_cache: TileCache, colours: CanvasColours) -> None:
        self.tile_cache = tile_cache
        self.shape: Shape | None = None
        self.view = Viewport(rectangle(1, 1), 10.0)
        self.glide = Glide.resting(NO_PHOTOS, NO_PLACES)
        self.buffer = Buffer(1, 1, 1)
        self._colours = colours
        self._photo_at = NO_PHOTOS
        self._pins: Mapping[int, Cell] = {}
        self._ground: NDArray[np.uint32] | None = None
        self._before = NO_PHOTOS  # the photos in the cells when the tiles set out
        self._trail: NDArray[np.uint32] | None = None
        self._ratio = 1.0
        self.moves = True  # whether single tiles change gradually
        self._changes: dict[int, TileChange] = {}  # by photo
        self._sizes_known = False  # whether the tile cache knows how large the tiles are now

    @property
    def frames(self) -> Frames:
        """The frames of the sheet, with the gaps of the view."""
        return self.view.geometry.frames

    def clear(self, shape: Shape | None) -> None:
        """An empty sheet, or none."""
        self.shape = shape
        self.view = self.view.of(shape or rectangle(1, 1))
        self._pins = {}
        self._photo_at = np.full(0 if shape is None else shape.count, -1, np.int64)
        self.glide = Glide.resting(NO_PHOTOS, NO_PLACES)
        self._before = NO_PHOTOS
        self._changes = {}
        self._changed()

    def show(self, layout: Layout, view: Viewport, now: float, move: bool) -> None:
        """Send the tiles to the frames of a layout in another view, from where they are on the screen."""
        if self.shape is None or not self.shape.same_cells(layout.shape):
            self._before = np.full(layout.shape.count, -1, np.int64)
        elif self.glide.over(now):
            self._before = self._photo_at
        self._before = np.where(np.isin(self._before, layout.photo_at), self._before, -1)  # other photos may be gone
        self._stay_on_screen(view)
        former = self._sizes_by_photo() if move else {}
        self.view, self.shape, self._photo_at = view, layout.shape, layout.photo_at
        self._changed()
        changed = {cell for pin in layout.pins.items() ^ self._pins.items() for cell in pin[1:]}
        changed = {cell for cell in changed if cell in layout.shape}  # a pin may have left with its cell
        self._pins = layout.pins
        frames = self.frames
        photos = layout.photo_at[layout.shape.index[tuple(frames.cells.T)]]
        filled = np.flatnonzero(photos >= 0)
        pins, sources = self._positions(layout.pins.values()), self._positions(sorted(changed))
        target = frames.boxes[filled][:, 1::-1]
        self.glide = self.glide.redirected(
            photos[filled], target, now, frames=filled, move=move, pins=pins, sources=sources
        )
        self._follow_sizes(former, now)

    def _sizes_by_photo(self) -> dict[int, tuple[float, float]]:
        """Width and height of each photo's frame, in sheet units."""
        placed = self.glide.frames >= 0
        sizes = self.frames.boxes[self.glide.frames[placed], 2:].tolist()
        return {
            photo: (width, height)
            for photo, (width, height) in zip(self.glide.photos[placed].tolist(), sizes, strict=True)
        }

    def _follow_sizes(self, former: Mapping[int, tuple[float, float]], now: float) -> None:
        """Let tiles grow or shrink whose frames are larger or smaller than before."""
        if self.shape is None or self.shape.is_justified:
            return
        resized = {
            photo: TileChange(now, (former[photo][0] / width, former[photo][1] / height))
            for photo, (width, height) in self._sizes_by_photo().items()
            if photo in former and former[photo] != (width, height)
        }
        if len(resized) <= MOST_CHANGING:
            self._changes |= resized

    def _follow_crops(self, now: float) -> None:
        """Let the crops shift that the program, not the user, has changed."""
        shifted, self.tile_cache.recropped = self.tile_cache.recropped, {}
        if self.moves and len(shifted) + len(self._changes) <= MOST_CHANGING:
            for photo, crop in shifted.items():
                self._changes.setdefault(photo, TileChange(now, crop=crop))

    def is_changing(self, now: float) -> bool:
        """Whether single tiles grow, shrink or shift their crops."""
        self._changes = {photo: change for photo, change in self._changes.items() if not change.over(now)}
        return bool(self._changes)

    def lift(self, photo: int, origin: Cell | None, corner: QPointF, now: float) -> None:
        """Let the tile of a photo start its next way at a point of the screen."""
        place = (corner.y() - self.view.geometry.top, corner.x() - self.view.geometry.left)
        (target,) = (None,) if origin is None else self._positions([origin])
        self.glide = self.glide.lifted(photo, target, np.array(place) / self.view.step, now)
        self._sizes_known = False

    def look(self, view: Viewport) -> None:
        """Take on another view of the sheet."""
        self.view = view
        self._changed()

    def _stay_on_screen(self, view: Viewport) -> None:
        """Keep the tiles where they are on the screen when another view is taken on."""
        if (self.view.step, self.view.left, self.view.top) == (view.step, view.left, view.top):
            return

        def seen_there(positions: NDArray[np.float64]) -> NDArray[np.float64]:
            corners = self.view.geometry.corners_at(positions)
            return (corners - (view.geometry.left, view.geometry.top))[:, ::-1] / view.step

        origin, target = seen_there(self.glide.origin), seen_there(self.glide.target)
        self.glide = replace(self.glide, origin=origin, target=target)

    def _changed(self) -> None:
        """Discard everything drawn or computed for the former view."""
        self._ground = self._trail = None
        self._sizes_known = False

    def resize(self, width: int, height: int, ratio: float) -> None:
        """Take on another size of the window, in device pixels."""
        if (self.buffer.width, self.buffer.height, self._ratio) != (width, height, ratio):
            self._ratio = ratio
            self.buffer = Buffer(max(1, width), max(1, height), self.buffer.border)
            self._changed()

    def set_colours(self, colours: CanvasColours) -> None:
        self._colours = colours
        self._changed()

    def photo_in(self, cell: Cell | None) -> int | None:
        """The photo that belongs in a cell."""
        if self.shape is None or cell is None or cell not in self.shape:
            return None
        photo = int(self._photo_at[self.shape.index_of(cell)])
        return photo if photo >= 0 else None

    def cell_at(self, x: float, y: float) -> Cell | None:
        """The upper left cell of the frame under a point of the screen."""
        return None if self.shape is None else self.view.geometry.cell_at(x, y)

    def rect_of(self, cell: Cell) -> QRectF:
        """Where the frame of a cell is on the screen."""
        return QRectF(*self.view.geometry.pixel_rect(cell))

    def cells_within(self, rect: QRectF) -> list[Cell]:
        """The upper left cells of the frames that a rectangle overlaps."""
        if self.shape is None:
            return []
        found = self.view.geometry.frames_within(rect.x(), rect.y(), rect.width(), rect.height())
        return [self.frames.cell(number) for number in found.tolist()]

    def photos_in(self, cells: Iterable[Cell]) -> tuple[int, ...]:
        """The photos in these cells, each once, at the place where it comes last."""
        found = [photo for photo in map(self.photo_in, cells) if photo is not None]
        return tuple(dict.fromkeys(reversed(found)))[::-1]

    def _positions(self, cells: Collection[Cell]) -> list[Position]:
        """The top left corners of the frames of cells, in sheet units."""
        boxes = self.frames.boxes[[self.frames.of(cell) for cell in cells]]
        return [(y, x) for x, y in boxes[:, :2].tolist()]

    def _tile_sizes(self) -> Indices:
        """Width and height of each tile in pixels: (n, 2); one that belongs in no frame is as large as a cell."""
        numbers = self.glide.frames
        sizes = self.view.geometry.pixel_rects[numbers, 2:]
        return np.where(numbers[:, None] < 0, self.view.side, sizes)

    def tiles_of(self, photos: Collection[int]) -> Indices:
        """The tiles of some photos."""
        return np.flatnonzero(np.isin(self.glide.photos, list(photos))) if photos else NO_PHOTOS

    def tiles_in(self, cells: Iterable[Cell]) -> Indices:
        """The tiles that belong in some cells."""
        tile_in = np.full(len(self.frames), -1, np.int64)
        placed = np.flatnonzero(self.glide.frames >= 0)
        tile_in[self.glide.frames[placed]] = placed
        found = tile_in[[self.frames.of(cell) for cell in cells]]
        return found[found >= 0]

    def rects_of(self, tiles: Indices, now: float) -> list[tuple[int, QRectF]]:
        """The tiles among these that are in sight at a moment, each with the rectangle that it covers then."""
        if not len(tiles):
            return []
        corners = self.view.geometry.corners_at(self.glide.at(now)[tiles])
        sizes = self._tile_sizes()[tiles]
        seen = self.buffer.seen(corners, sizes)
        places = np.concatenate([np.floor(corners[seen] + 0.5), sizes[seen]], axis=1)
        return [(tile, QRectF(*place)) for tile, place in zip(tiles[seen].tolist(), places.tolist(), strict=True)]

    def compose(self, now: float, held: tuple[int, Cell] | None = None) -> None:
        """Copy every tile in sight into `buffer`, except that of the dragged photo, which was taken from a cell."""
        sizes = self._fit_tiles()
        self._follow_crops(now)
        buffer = self.buffer
        buffer.pixels[...] = self._ground_pixels() if self.glide.over(now) else self._trail_pixels()
        corners = self.view.geometry.corners_at(self.glide.at(now))
        seen = buffer.seen(corners, sizes)
        if held is not None:
            seen = np.setdiff1d(seen, self._tiles_held(*held), assume_unique=True)
        changing = (
            np.isin(self.glide.photos[seen], list(self._changes))
            if self.is_changing(now)
            else np.zeros(len(seen), bool)
        )
        still = seen[~changing]
        self._put(buffer, self.glide.photos[still], corners[still])
        for tile in seen[changing].tolist():
            self._put_on_its_way(buffer, tile, corners[tile], sizes[tile], now)

    def _put_on_its_way(
        self, buffer: Buffer, tile: int, corner: NDArray[np.float64], size: Indices, now: float
    ) -> None:
        """Copy a tile whose size or crop changes."""
        photo = int(self.glide.photos[tile])
        change, box = self._changes[photo], self.tile_cache.shown_box(photo)
        if box is None:
            self._put(buffer, np.array([photo]), corner[None])
            return
        width, height = change.size_at((int(size[0]), int(size[1])), now)
        buffer.put(self.tile_cache.part(photo, width, height, change.crop_at(box, now)), corner[None])

    def _put(self, buffer: Buffer, photos: Indices, corners: NDArray[np.float64]) -> None:
        if len(photos):
            for at, tiles in sorted(self.tile_cache.tiles(photos), key=lambda group: int(group[0].max())):
                buffer.put(tiles, corners[at])

    def _tiles_held(self, photo: int, cell: Cell) -> Indices:
        """The tile of a photo in a cell; all its tiles if a new layout has put the photo elsewhere."""
        own = np.flatnonzero(self.glide.photos == photo)
        there = own[self.glide.frames[own] == self.frames.of(cell)]
        return there if len(there) else own

    def sharpen(self) -> None:
        """Ask for sharp tiles of all photos that are in sight when they have arrived."""
        if len(self.glide.photos) and self._sizes_known:
            corners = self.view.geometry.corners_at(self.glide.target)
            self.tile_cache.sharpen(self.glide.photos[self.buffer.seen(corners, self._tile_sizes())])

    def _fit_tiles(self) -> Indices:
        """The sizes of the tiles; the tile cache is given them if they have changed."""
        sizes, side = self._tile_sizes(), self.view.side
        if self._sizes_known and not self.tile_cache.crops_are_stale:
            return sizes
        border = int(min(max(sizes.max(initial=side), side), max(side, WIDEST_BORDER)))
        if border != self.buffer.border:
            self.buffer = Buffer(self.buffer.width, self.buffer.height, border)
        visible = (self.buffer.width // self.view.step + 2) * (self.buffer.height // self.view.step + 2)
        rects = self.view.geometry.rects[self.glide.frames]
        aspects = np.where(self.glide.frames < 0, 1.0, rects[:, 2] / np.maximum(rects[:, 3], 1e-6))
        self.tile_cache.fit(self.glide.photos, sizes, aspects, ROUNDING * side, visible, self._ratio)
        self._sizes_known = True
        return sizes

    def _ground_pixels(self) -> NDArray[np.uint32]:
        """The background with the empty frames."""
        if self._ground is None:
            buffer = Buffer(self.buffer.width, self.buffer.height, self.buffer.border)
            buffer.pixels[...] = self._colours.background_number
            if self.shape is not None:
                rects = self.view.geometry.pixel_rects
                rects = rects[buffer.seen(rects[:, :2].astype(np.float64), rects[:, 2:])]
                for at, width, height in groups(rects[:, 2:]):
                    tile = cell_tile(width, height, ROUNDING * self.view.side, self._colours, self._ratio)
                    buffer.put(tile[None], rects[at, :2].astype(np.float64))
            self._ground = buffer.pixels
        return self._ground

    def _trail_pixels(self) -> NDArray[np.uint32]:
        """The ground with the former tiles dimmed on it, so that a frame that its tile has left is not empty."""
        if self._trail is None:
            ground = self._ground_pixels()
            buffer = Buffer(self.buffer.width, self.buffer.height, self.buffer.border)
            buffer.pixels[...] = ground
            if self.shape is not None and len(self._before) == self.shape.count:
                self._put_former(buffer, self.shape)
            self._trail = _halves(buffer.pixels) + _halves(ground)
        return self._trail

    def _put_former(self, buffer: Buffer, shape: Shape) -> None:
        """Copy the former tiles to their frames, where these have the size that the tiles have now."""
        rects, first = self.view.geometry.pixel_rects, shape.index[tuple(self.frames.cells.T)]
        before, photos = self._before[first], self._photo_at[first]
        size_of = np.zeros((max(int(before.max(initial=0)), int(self.glide.photos.max(initial=0))) + 1, 2), np.int64)
        size_of[self.glide.photos] = self._tile_sizes()
        left = (before >= 0) & (photos >= 0) & (before != photos) & (size_of[before] == rects[:, 2:]).all(axis=1)
        corners = rects[:, :2].astype(np.float64)
        seen = np.intersect1d(np.flatnonzero(left), buffer.seen(corners, rects[:, 2:]))
        self._put(buffer, before[seen], corners[seen])


def _halves(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Every colour half as bright."""
    return (pixels >> np.uint32(1)) & np.uint32(0x7F7F7F)
