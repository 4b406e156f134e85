"""What the canvas shows: tiles on their way, composed into one picture by copying pixels with numpy."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QImage

from album_app.gui.canvas.motion import Glide, Position
from album_app.gui.canvas.tiles.placeholders import CanvasColours, cell_tile
from album_app.gui.canvas.tiles.tile_cache import TileCache
from album_app.gui.canvas.tiles.tiles import Tile
from album_app.gui.canvas.viewport import Viewport
from album_app.layout.layout import Layout
from album_app.layout.shapes.lattice import SQUARE, Lattice
from album_app.layout.shapes.shape import Cell, Shape

NO_PHOTOS = np.empty(0, np.int64)
NO_PLACES = np.empty((0, 2))


class Frame:
    """A picture in device pixels with a border around it as wide as a tile, so that tiles may stick out."""

    def __init__(self, width: int, height: int, side: int) -> None:
        self.width, self.height, self.side = width, height, side
        self.pixels = np.empty((height + 2 * side, width + 2 * side), np.uint32)
        across = self.pixels.shape[1]
        self.image = QImage(self.pixels.data, across, self.pixels.shape[0], 4 * across, QImage.Format.Format_RGB32)
        down, right = self.pixels.strides
        self._windows = as_strided(  # one view of side x side pixels for every place where a tile may lie
            self.pixels, (height + side, width + side, side, side), (down, right, down, right)
        )

    @property
    def source(self) -> QRect:
        """The part of `image` that is to be seen."""
        return QRect(self.side, self.side, self.width, self.height)

    def seen(self, corners: NDArray[np.float64]) -> NDArray[np.int64]:
        """Which of the tiles with these top left corners (x, y) are in sight."""
        x, y = corners.T
        inside = (x > -self.side) & (y > -self.side) & (x < self.width) & (y < self.height)
        return np.flatnonzero(inside)

    def put(self, tiles: Tile, corners: NDArray[np.float64]) -> None:
        """Copy tiles, or one tile many times, to corners in sight; later ones cover earlier ones."""
        x, y = np.floor(corners + 0.5).astype(np.int64).T + self.side
        limit_y, limit_x = self._windows.shape[:2]
        self._windows[np.clip(y, 0, limit_y - 1), np.clip(x, 0, limit_x - 1)] = tiles


class Scene:
    """A layout on a view: where every tile is at a moment, what lies under a point, and the picture of it all."""

    def __init__(self, tile_cache: TileCache, colours: CanvasColours) -> None:
        self.tile_cache = tile_cache
        self.shape: Shape | None = None
        self.view = Viewport(1, 1, 10.0)
        self.glide = Glide.resting(NO_PHOTOS, NO_PLACES)
        self.frame = Frame(1, 1, 1)
        self._colours = colours
        self._photo_at = NO_PHOTOS
        self._pins: Mapping[int, Cell] = {}
        self._ground: NDArray[np.uint32] | None = None
        self._before = NO_PHOTOS  # what lay in the cells when the tiles set out
        self._trail: NDArray[np.uint32] | None = None
        self._ratio = 1.0

    def clear(self, shape: Shape | None) -> None:
        """An empty sheet, or none."""
        self.shape = shape
        self._pins = {}
        self._photo_at = np.full(0 if shape is None else shape.count, -1, np.int64)
        self.glide = Glide.resting(NO_PHOTOS, NO_PLACES)
        self._before = NO_PHOTOS
        self._ground = self._trail = None

    def show(self, layout: Layout, now: float, move: bool) -> None:
        """Send the tiles to the places of a layout, from wherever they are."""
        if self.shape is None or not self.shape.same_cells(layout.shape):
            self._ground, self._before = None, np.full(layout.shape.count, -1, np.int64)
        elif self.glide.over(now):
            self._before = self._photo_at
        self._before = np.where(np.isin(self._before, layout.photo_at), self._before, -1)  # others may be gone
        self._trail = None
        self.shape = layout.shape
        self._photo_at = layout.photo_at
        changed = {cell for pin in layout.pins.items() ^ self._pins.items() for cell in pin[1:]}
        self._pins = layout.pins
        filled = layout.photo_at >= 0
        target = self._lattice.positions(self.shape.cells[filled].astype(np.float64))
        pins, sources = self._positions(layout.pins.values()), self._positions(sorted(changed))
        self.glide = self.glide.redirected(layout.photo_at[filled], target, now, move=move, pins=pins, sources=sources)

    def lift(self, photo: int, origin: Cell | None, corner: QPointF, now: float) -> None:
        """Have a photo's tile begin its next way at a point of the screen, wherever it was before."""
        place = (corner.y() - self.view.geometry.top, corner.x() - self.view.geometry.left)
        (target,) = (None,) if origin is None else self._positions([origin])
        self.glide = self.glide.lifted(photo, target, np.array(place) / self.view.step, now)

    def look(self, view: Viewport, now: float) -> None:
        """Another view; tiles on their way keep their places on the screen if the sheet itself is another one."""
        former, self.view = self.view, view
        self._ground = self._trail = None
        if former.grid != view.grid and not self.glide.over(now):
            corners = former.geometry.corners_at(self.glide.origin)
            origin = (corners - (view.geometry.left, view.geometry.top))[:, ::-1] / view.step
            self.glide = replace(self.glide, origin=origin)

    def resize(self, width: int, height: int, ratio: float) -> None:
        """Another size of the window in device pixels."""
        self._ratio = ratio
        self._fit_frame(width, height)

    def set_colours(self, colours: CanvasColours) -> None:
        self._colours = colours
        self._ground = self._trail = None

    def photo_in(self, cell: Cell | None) -> int | None:
        """The photo that belongs in a cell."""
        if self.shape is None or cell is None or cell not in self.shape:
            return None
        photo = int(self._photo_at[self.shape.index_of(cell)])
        return photo if photo >= 0 else None

    def cell_at(self, x: float, y: float) -> Cell | None:
        """The cell of the shape under a point."""
        cell = self.view.geometry.cell_at(x, y)
        return cell if cell is not None and self.shape is not None and cell in self.shape else None

    def rect_of(self, cell: Cell) -> QRectF:
        """Where a cell is."""
        return QRectF(*self.view.geometry.pixel_rect(cell))

    def cells_within(self, rect: QRectF) -> list[Cell]:
        """The cells of the shape that a rectangle touches."""
        if self.shape is None:
            return []
        box = rect.x(), rect.y(), rect.width(), rect.height()
        found = self.view.geometry.touched(self.shape.cells, *box)
        return [(row, column) for row, column in found.tolist()]

    def photos_in(self, cells: Iterable[Cell]) -> tuple[int, ...]:
        """The photos in these cells, each once, where it comes last."""
        found = [photo for photo in map(self.photo_in, cells) if photo is not None]
        return tuple(dict.fromkeys(reversed(found)))[::-1]

    @property
    def tile_cells(self) -> NDArray[np.int64]:
        """The cells that the tiles belong in: (n, 2)."""
        return self._lattice.cells_at(self.glide.target)

    @property
    def _lattice(self) -> Lattice:
        return SQUARE if self.shape is None else self.shape.lattice

    def _positions(self, cells: Collection[Cell]) -> list[Position]:
        """Where cells lie."""
        positions = self._lattice.positions(np.array(list(cells)).reshape(-1, 2))
        return [(row, column) for row, column in positions.tolist()]

    def places(self, cells: NDArray[Any], now: float) -> NDArray[np.float64]:
        """Top left corners, at a moment, of the tiles that belong in these cells: (k, 2); NaN where there is none."""
        index = np.full((self.view.rows, self.view.columns), -1, np.int64)
        targets = self.tile_cells
        index[targets[:, 0], targets[:, 1]] = np.arange(len(targets))
        found = index[cells[:, 0], cells[:, 1]]
        corners = np.full((len(cells), 2), np.nan)
        on_sheet = found >= 0
        corners[on_sheet] = self.view.geometry.corners_at(self.glide.at(now)[found[on_sheet]])
        return corners

    def compose(self, now: float, held: tuple[int, Cell] | None = None) -> None:
        """Paint every tile in sight into `frame`, except the one that the hand holds: a photo, taken from a cell."""
        self._fit_frame(self.frame.width, self.frame.height)
        frame = self.frame
        frame.pixels[...] = self._ground_pixels() if self.glide.over(now) else self._trail_pixels()
        corners = self.view.geometry.corners_at(self.glide.at(now))
        seen = frame.seen(corners)
        if held is not None:
            seen = np.setdiff1d(seen, self._tiles_held(*held), assume_unique=True)
        if len(seen):
            frame.put(self.tile_cache.tiles(self.glide.photos[seen]), corners[seen])

    def _tiles_held(self, photo: int, cell: Cell) -> NDArray[np.int64]:
        """The photo's tile of that cell; all its tiles if a new layout has put it elsewhere meanwhile."""
        own = np.flatnonzero(self.glide.photos == photo)
        there = own[(self.glide.target[own] == self._lattice.positions(cell)).all(axis=1)]
        return there if len(there) else own

    def sharpen(self) -> None:
        """Have the tiles in sight, and those that will be when they arrive, made sharp."""
        if len(self.glide.photos):
            corners = self.view.geometry.corners_at(self.glide.target)
            self.tile_cache.sharpen(self.glide.photos[self.frame.seen(corners)])

    def _fit_frame(self, width: int, height: int) -> None:
        side = self.view.side
        if (self.frame.width, self.frame.height, self.frame.side) != (width, height, side):
            self.frame = Frame(max(1, width), max(1, height), side)
            self._ground = self._trail = None
        visible = (width // self.view.step + 2) * (height // self.view.step + 2)
        self.tile_cache.resize(side, visible, self._ratio)

    def _ground_pixels(self) -> NDArray[np.uint32]:
        """The canvas and its empty cells."""
        if self._ground is None:
            frame = Frame(self.frame.width, self.frame.height, self.frame.side)
            frame.pixels[...] = self._colours.background_number
            if self.shape is not None:
                corners = self.view.geometry.corners_of(self.shape.cells)
                tile = cell_tile(frame.side, self._colours, self._ratio)
                frame.put(tile, corners[frame.seen(corners)])
            self._ground = frame.pixels
        return self._ground

    def _trail_pixels(self) -> NDArray[np.uint32]:
        """The ground, and dimmed on it what lay in the cells before: one that a tile has left is never a hole."""
        if self._trail is None:
            ground = self._ground_pixels()
            frame = Frame(self.frame.width, self.frame.height, self.frame.side)
            frame.pixels[...] = ground
            if self.shape is not None and len(self._before) == self.shape.count:
                left = np.flatnonzero((self._before >= 0) & (self._photo_at >= 0) & (self._before != self._photo_at))
                corners = self.view.geometry.corners_of(self.shape.cells[left])
                seen = frame.seen(corners)
                if len(seen):
                    frame.put(self.tile_cache.tiles(self._before[left[seen]]), corners[seen])
            self._trail = _halves(frame.pixels) + _halves(ground)
        return self._trail


def _halves(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Every colour half as bright."""
    return (pixels >> np.uint32(1)) & np.uint32(0x7F7F7F)
