"""The photos that the large view shows: one, or up to four side by side that are zoomed and moved together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from album_app.gui.state.details import Details
from album_app.gui.state.pictures import Pixels, as_image
from album_app.gui.style.design import DARK_ROOM

Size = tuple[float, float]
"""Width and height in device pixels."""
MOST_ENLARGED = 4.0
"""By zooming, a pixel of a photo becomes at most this many device pixels wide."""
MOST_ENLARGED_WHOLE = 2.0
"""A photo that is smaller than its room is enlarged at most by this factor before anybody zooms."""
MOST_TOGETHER = 4
"""The most photos that are seen side by side."""
SEAM_PX = 12
"""Logical pixels between photos that are seen side by side, and around them."""
FRAME_PX = 2
"""Width of the line around the current one of several photos, in logical pixels."""
CRISP_SCALE = 2
"""From this many device pixels per pixel of the photo on, its pixels are drawn as squares instead of being blurred."""


@dataclass(frozen=True)
class PhotoZoom:
    """How a photo of `width` x `height` pixels is seen in a room of some size, which is its pane.

    A pixel of the photo is `scale` device pixels wide; the photo's middle is (x, y) device pixels from the room's.
    """

    width: float
    height: float
    room: tuple[float, float]
    scale: float
    x: float = 0.0
    y: float = 0.0

    @classmethod
    def fitted(cls, width: float, height: float, room: tuple[float, float]) -> "PhotoZoom":
        """The whole photo in the middle of the room; a small photo is enlarged up to 200 %."""
        return cls(width, height, room, min(room[0] / width, room[1] / height, MOST_ENLARGED_WHOLE))

    @property
    def smallest(self) -> float:
        """The scale at which the whole photo is seen."""
        return PhotoZoom.fitted(self.width, self.height, self.room).scale

    @property
    def is_fitted(self) -> bool:
        return self.scale <= self.smallest

    @property
    def rect(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the photo in the room."""
        width, height = self.width * self.scale, self.height * self.scale
        return (self.room[0] - width) / 2 + self.x, (self.room[1] - height) / 2 + self.y, width, height

    def zoomed(self, scale: float, at: tuple[float, float]) -> "PhotoZoom":
        """Zoomed to another scale; the point of the photo that is seen at `at` stays there."""
        scale = min(max(scale, min(self.smallest, 1.0)), MOST_ENLARGED)
        grown = scale / self.scale
        right, down = at[0] - self.room[0] / 2, at[1] - self.room[1] / 2
        return replace(self, scale=scale, x=right - (right - self.x) * grown, y=down - (down - self.y) * grown).within()

    def panned(self, dx: float, dy: float) -> "PhotoZoom":
        """Moved by this many device pixels, as far as the photo reaches."""
        return replace(self, x=self.x + dx, y=self.y + dy).within()

    def resized(self, room: tuple[float, float]) -> "PhotoZoom":
        """In a room of another size; if the whole photo was seen, it is seen as a whole again."""
        if self.is_fitted:
            return PhotoZoom.fitted(self.width, self.height, room)
        return replace(self, room=room).within()

    def like(self, other: "PhotoZoom") -> "PhotoZoom":
        """Zoomed and moved like another photo: by the same factor, and by the same share of the photo's size."""
        scale = self.smallest * other.scale / other.smallest
        right = other.x / (other.width * other.scale) * self.width * scale
        down = other.y / (other.height * other.scale) * self.height * scale
        return replace(self, scale=scale, x=right, y=down).within()

    def within(self) -> "PhotoZoom":
        """Moved back until no empty strip is left at an edge; a photo smaller than the room lies in the middle."""
        most_x = max(0.0, (self.width * self.scale - self.room[0]) / 2)
        most_y = max(0.0, (self.height * self.scale - self.room[1]) / 2)
        return replace(self, x=min(max(self.x, -most_x), most_x), y=min(max(self.y, -most_y), most_y))


@dataclass
class Pane:
    """A photo, how it is seen, and what has been read of it."""

    photo: int
    zoom: PhotoZoom
    pixels: Pixels | None = None
    asked: int = 0  # the longer side of the picture that was asked for last, in pixels
    reading: bool = False

    @classmethod
    def empty(cls, photo: int = -1) -> "Pane":
        return cls(photo, PhotoZoom(1, 1, (1, 1), 1.0))


class SideBySide:
    """The panes of the large view. One of them is current: buttons, keys and facts are about its photo.

    All lengths are device pixels. `area` gives the size of the area for all photos together, and the device pixels per
    logical pixel. `fit` shows a whole photo of some width and height in a pane of some size. `on_change` is called when
    something is to be painted again, and `on_read` when a photo has been read.
    """

    def __init__(
        self,
        details: Details,
        area: Callable[[], tuple[Size, float]],
        fit: Callable[[float, float, Size], PhotoZoom],
        on_change: Callable[[], object],
        on_read: Callable[[], object],
    ) -> None:
        self._details, self._area, self._fit, self._on_change, self._on_read = details, area, fit, on_change, on_read
        self.panes: list[Pane] = [Pane.empty()]
        self.current = 0  # index of the current pane

    @property
    def pane(self) -> Pane:
        return self.panes[self.current]

    @property
    def photos(self) -> list[int]:
        return [pane.photo for pane in self.panes]

    @property
    def parts(self) -> list[QRectF]:
        """The part of the area that each pane takes."""
        (width, height), ratio = self._area()
        return parts_of(width, height, len(self.panes), SEAM_PX * ratio)

    @property
    def room(self) -> Size:
        """The size of each part."""
        part = self.parts[0]
        return max(1.0, part.width()), max(1.0, part.height())

    @property
    def photo_rect(self) -> QRectF:
        """Where the current photo is painted."""
        return QRectF(*self.pane.zoom.rect).translated(self.parts[self.current].topLeft())

    def show(self, photos: Sequence[int], current: int) -> None:
        """Make an empty pane for each of these photos; `put` fills them."""
        self.panes = [Pane.empty(photo) for photo in photos]
        self.current = list(photos).index(current) if current in photos else 0

    def put(self, place: int, photo: int, width: float, height: float, pixels: Pixels | None) -> None:
        """Show a whole photo of this size in a pane, at first as these pixels."""
        self.panes[place] = Pane(photo, self._fit(width, height, self.room), pixels)

    def clear(self) -> None:
        """Stop reading, and forget all pixels."""
        self._details.stop_reading()
        self.panes = [Pane.empty(pane.photo) for pane in self.panes]

    def read(self) -> None:
        """Have the photos read as large as they are seen, one after the other and the current one first."""
        for pane in [self.pane, *(pane for pane in self.panes if pane is not self.pane)]:
            wanted = round(max(pane.zoom.rect[2:]))
            if wanted > pane.asked:
                side = wanted if pane.zoom.is_fitted else round(max(pane.zoom.width, pane.zoom.height))
                pane.asked, pane.reading = max(wanted, side), True
                self._details.read(pane.photo, side, partial(self._on_pixels, pane))
                return

    def _on_pixels(self, pane: Pane, pixels: Pixels | None) -> None:
        if any(pane is each for each in self.panes):
            pane.reading = False
            pane.pixels = pane.pixels if pixels is None else pixels
            self.read()
            self._on_read()

    def resize(self) -> None:
        """Fit all photos into the area after its size has changed; a photo that was zoomed stays zoomed."""
        for pane in self.panes:
            pane.zoom = pane.zoom.resized(self.room)
        self.read()

    def show_whole(self) -> None:
        """Show the current photo as a whole, and the others alike."""
        self._zoom_to(self._fit(self.pane.zoom.width, self.pane.zoom.height, self.room))

    def show_actual(self) -> None:
        """Show the current photo at 100 %, around the top left corner of its pane, and the others alike."""
        self._zoom_to(self.pane.zoom.zoomed(1.0, (0.0, 0.0)))

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom around a point of the area; None is the middle of the current pane."""
        point = QPointF(self.room[0] / 2, self.room[1] / 2) if at is None else at - self.parts[self.current].topLeft()
        self._zoom_to(self.pane.zoom.zoomed(self.pane.zoom.scale * factor, (point.x(), point.y())))

    def toggle_actual(self, at: QPointF | None = None) -> None:
        """Zoom to 100 %; if the photo is enlarged already, show it as a whole."""
        zoom = self.pane.zoom
        wanted = zoom.smallest if zoom.scale == 1.0 or zoom.scale > zoom.smallest else 1.0
        self.zoom_by(wanted / zoom.scale, at)

    def pan(self, way: QPointF) -> None:
        self._zoom_to(self.pane.zoom.panned(way.x(), way.y()))

    def _zoom_to(self, zoom: PhotoZoom) -> None:
        """Zoom the current photo like this, and the others alike."""
        self.pane.zoom = zoom
        for pane in self.panes:
            if pane is not self.pane:
                pane.zoom = pane.zoom.like(zoom)
        self.read()
        self._on_change()

    def pane_at(self, at: QPointF) -> int | None:
        """The index of the pane at a point of the area."""
        return next((place for place, part in enumerate(self.parts) if part.contains(at)), None)

    def paint(self, painter: QPainter) -> None:
        """Paint the photos; the current one of several has a frame."""
        ratio = self._area()[1]
        for part, pane in zip(self.parts, self.panes, strict=True):
            painter.setClipRect(part)
            seen = QRectF(*pane.zoom.rect).translated(part.topLeft())
            if pane.pixels is not None:
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, pane.zoom.scale <= CRISP_SCALE)
                painter.drawImage(seen, as_image(pane.pixels))
            if len(self.panes) > 1 and pane is self.pane:
                painter.setClipping(False)
                outside = 2 * FRAME_PX * ratio
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(DARK_ROOM.accent), FRAME_PX * ratio))
                painter.drawRect(seen.intersected(part).adjusted(-outside, -outside, outside, outside))


def parts_of(width: float, height: float, count: int, seam: float) -> list[QRectF]:
    """The part of an area that each of `count` photos gets: all of it, parts in a row, or four parts in two rows."""
    if count == 1:
        return [QRectF(0, 0, max(1.0, width), max(1.0, height))]
    across = 2 if count == MOST_TOGETHER else count
    down = -(-count // across)
    each = max(1.0, (width - (across + 1) * seam) / across), max(1.0, (height - (down + 1) * seam) / down)
    places = (divmod(k, across) for k in range(count))
    return [QRectF(seam + x * (each[0] + seam), seam + y * (each[1] + seam), *each) for y, x in places]
