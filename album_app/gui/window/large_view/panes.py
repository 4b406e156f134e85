"""One to four photos, each in a part of the view: where they lie and how they are painted."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from album_app.gui.canvas.photo_zoom import PhotoZoom
from album_app.gui.state.pictures import Pixels, as_image
from album_app.gui.style.design import DARK_ROOM

MOST_TOGETHER = 4
"""The most photos that are seen side by side."""
SEAM_PX = 4
"""Pixels between photos that are seen side by side."""
CRISP_SCALE = 2
"""From this many screen pixels per pixel of the photo on, its pixels are shown as they are."""


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
    """Where each of the photos may be: next to each other, four of them in two rows."""
    across = 2 if count == MOST_TOGETHER else count
    down = -(-count // across)
    each = (max(1.0, width) - (across - 1) * seam) / across, (max(1.0, height) - (down - 1) * seam) / down
    places = (divmod(k, across) for k in range(count))
    return [QRectF(x * (each[0] + seam), y * (each[1] + seam), *each) for y, x in places]


def paint_panes(painter: QPainter, parts: Sequence[QRectF], panes: Sequence[Pane], current: Pane, ratio: float) -> None:
    """Paint the photos, in device pixels; the current one of several has a frame."""
    for part, pane in zip(parts, panes, strict=True):
        painter.setClipRect(part)
        if pane.pixels is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, pane.zoom.scale <= CRISP_SCALE)
            painter.drawImage(QRectF(*pane.zoom.rect).translated(part.topLeft()), as_image(pane.pixels))
        if len(panes) > 1 and pane is current:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(DARK_ROOM.accent), SEAM_PX * ratio))
            painter.drawRect(part)
