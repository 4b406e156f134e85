"""Which photos the large view shows and where they lie, zoomed and painted; where its arrows lead, and its strip."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from album_app.gui.state.pictures import Pictures, Pixels, as_image
from album_app.gui.style.design import DARK_ROOM, HAIR, ROOM, ROUND_SMALL, TIGHT
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

STRIP_PX = 68
"""The height of the strip in pixels."""
TILE_PX = 52
"""The side of a photo in the strip, in pixels."""
OTHERS_OPACITY = 0.6


def row_of_photos(document: Document, photo: int, listed: Sequence[int]) -> tuple[int, ...]:
    """The photos that one without a cell is seen among: those of its stack, else those listed; none for one with."""
    if document.layout is not None and document.layout.cell_of(photo) is not None:
        return ()
    if photo in document.covered:
        return tuple(sorted(document.stack_of[document.covered[photo]]))
    return tuple(listed) if photo in listed else ()


def next_photo(
    document: Document, row: Sequence[int], photo: int, down: int, across: int, last: Cell | None = None
) -> int | None:
    """The next photo of the row, or of the sheet where there is no row, in the direction of an arrow.

    A photo that has lost its cell meanwhile is left from `last`, the cell where it lay.
    """
    if row:
        place = row.index(photo) + down + across
        return row[place] if 0 <= place < len(row) else None
    layout = document.layout
    return None if layout is None else _beside(layout, layout.cell_of(photo) or last, down, across)


def _beside(layout: Layout, cell: Cell | None, down: int, across: int) -> int | None:
    if cell is None:
        return None
    row, column = cell[0] + down, cell[1] + across
    while 0 <= row < layout.shape.rows and 0 <= column < layout.shape.columns:
        other = layout.photo_in((row, column)) if (row, column) in layout.shape else None
        if other is not None:
            return other
        row, column = row + down, column + across
    return None


class Filmstrip:
    """Which photos the strip shows, and where they are painted."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self.tiles: list[tuple[int, QRectF]] = []

    def lay_out(self, order: Sequence[int], current: int, width: float, bottom: float) -> None:
        """Show as many photos as there is room for; the current one lies in the middle where it can."""
        step = TILE_PX + TIGHT
        room = max(1, int(width - 2 * ROOM) // step)
        place = order.index(current) if current in order else 0
        first = max(0, min(place - room // 2, len(order) - room))
        seen = order[first : first + room]
        left = (width - len(seen) * step + TIGHT) / 2
        top = bottom - STRIP_PX + (STRIP_PX - TILE_PX) / 2 - TIGHT
        self.tiles = [(photo, QRectF(left + k * step, top, TILE_PX, TILE_PX)) for k, photo in enumerate(seen)]

    def photo_at(self, position: QPointF) -> int | None:
        """The photo under a point."""
        return next((photo for photo, tile in self.tiles if tile.contains(position)), None)

    def paint(self, painter: QPainter, current: int, together: Collection[int]) -> None:
        """Paint the strip; photos that are not seen above it are dimmed."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for photo, tile in self.tiles:
            picture = self._pictures.image(photo)
            painter.setOpacity(1.0 if photo in together else OTHERS_OPACITY)
            if picture is None:
                painter.fillRect(tile, QColor(DARK_ROOM.hover))
            else:
                least = min(picture.width(), picture.height())
                middle = QRectF((picture.width() - least) / 2, (picture.height() - least) / 2, least, least)
                painter.drawImage(tile, picture, middle)
            painter.setOpacity(1.0)
            if photo == current:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(DARK_ROOM.accent), HAIR))
                painter.drawRoundedRect(tile.adjusted(-HAIR, -HAIR, HAIR, HAIR), ROUND_SMALL, ROUND_SMALL)


LARGEST = 4.0
LARGEST_FITTED = 2.0
"""Screen pixels per pixel of the photo: by zooming, and without it where a photo is smaller than its room."""
MOST_TOGETHER = 4
"""The most photos that are seen side by side."""
SEAM_PX = 12
"""Pixels between and around photos that are seen side by side."""
FRAME_PX = 2
"""The line around the current one of them."""
CRISP_SCALE = 2
"""From this many screen pixels per pixel of the photo on, its pixels are shown as they are."""


@dataclass(frozen=True)
class PhotoZoom:
    """A photo of `width` x `height` pixels, `scale` device pixels each, its middle at (x, y) of the room's middle."""

    width: float
    height: float
    room: tuple[float, float]
    scale: float
    x: float = 0.0
    y: float = 0.0

    @classmethod
    def fitted(cls, width: float, height: float, room: tuple[float, float]) -> "PhotoZoom":
        """All of the photo, in the middle; a small one enlarged, but not beyond 200 %."""
        return cls(width, height, room, min(room[0] / width, room[1] / height, LARGEST_FITTED))

    @property
    def smallest(self) -> float:
        """The scale at which all of it is seen."""
        return PhotoZoom.fitted(self.width, self.height, self.room).scale

    @property
    def is_fitted(self) -> bool:
        return self.scale <= self.smallest

    @property
    def rect(self) -> tuple[float, float, float, float]:
        """Left, top, width and height in the room."""
        width, height = self.width * self.scale, self.height * self.scale
        return (self.room[0] - width) / 2 + self.x, (self.room[1] - height) / 2 + self.y, width, height

    def zoomed(self, scale: float, at: tuple[float, float]) -> "PhotoZoom":
        """Another scale, the point `at` of the room staying on the same point of the photo."""
        scale = min(max(scale, min(self.smallest, 1.0)), LARGEST)
        grown = scale / self.scale
        right, down = at[0] - self.room[0] / 2, at[1] - self.room[1] / 2
        return replace(self, scale=scale, x=right - (right - self.x) * grown, y=down - (down - self.y) * grown).within()

    def panned(self, dx: float, dy: float) -> "PhotoZoom":
        """Pan by a number of pixels."""
        return replace(self, x=self.x + dx, y=self.y + dy).within()

    def resized(self, room: tuple[float, float]) -> "PhotoZoom":
        """In another room: fitted if it was fitted."""
        if self.is_fitted:
            return PhotoZoom.fitted(self.width, self.height, room)
        return replace(self, room=room).within()

    def like(self, other: "PhotoZoom") -> "PhotoZoom":
        """Zoomed as far beyond its whole as another photo, and pushed as far for its size."""
        scale = self.smallest * other.scale / other.smallest
        right = other.x / (other.width * other.scale) * self.width * scale
        down = other.y / (other.height * other.scale) * self.height * scale
        return replace(self, scale=scale, x=right, y=down).within()

    def within(self) -> "PhotoZoom":
        """The view with each edge of the photo at the room's edge or outside it; a smaller photo lies in the middle."""
        most_x = max(0.0, (self.width * self.scale - self.room[0]) / 2)
        most_y = max(0.0, (self.height * self.scale - self.room[1]) / 2)
        return replace(self, x=min(max(self.x, -most_x), most_x), y=min(max(self.y, -most_y), most_y))


@dataclass
class Pane:
    """One photo in its part of the view."""

    photo: int
    zoom: PhotoZoom
    pixels: Pixels | None = None
    asked: int = 0  # the longer side, in pixels, that was asked for last
    reading: bool = False

    @classmethod
    def empty(cls, photo: int = -1) -> "Pane":
        return cls(photo, PhotoZoom(1, 1, (1, 1), 1.0))


def parts_of(width: float, height: float, count: int, seam: float) -> list[QRectF]:
    """Where each of the photos may be: one everywhere, several next to each other, four of them in two rows."""
    if count == 1:
        return [QRectF(0, 0, max(1.0, width), max(1.0, height))]
    across = 2 if count == MOST_TOGETHER else count
    down = -(-count // across)
    each = max(1.0, (width - (across + 1) * seam) / across), max(1.0, (height - (down + 1) * seam) / down)
    places = (divmod(k, across) for k in range(count))
    return [QRectF(seam + x * (each[0] + seam), seam + y * (each[1] + seam), *each) for y, x in places]


def paint_panes(painter: QPainter, parts: Sequence[QRectF], panes: Sequence[Pane], current: Pane, ratio: float) -> None:
    """Paint the photos, in device pixels; the current one of several has a frame."""
    for part, pane in zip(parts, panes, strict=True):
        painter.setClipRect(part)
        if pane.pixels is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, pane.zoom.scale <= CRISP_SCALE)
            painter.drawImage(QRectF(*pane.zoom.rect).translated(part.topLeft()), as_image(pane.pixels))
        if len(panes) > 1 and pane is current:
            painter.setClipping(False)
            around = 2 * FRAME_PX * ratio
            seen = QRectF(*pane.zoom.rect).translated(part.topLeft()).intersected(part)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(DARK_ROOM.accent), FRAME_PX * ratio))
            painter.drawRect(seen.adjusted(-around, -around, around, around))
