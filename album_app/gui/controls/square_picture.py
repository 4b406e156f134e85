"""A photo as a small square picture, for lists and buttons."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

SHARP = 2
"""Device pixels per pixel, for screens that have them."""


def square_picture(picture: QImage | None, side: int) -> QPixmap:
    """The middle of a photo as a square; nothing, of that size, before it is read."""
    square = QPixmap(SHARP * side, SHARP * side)
    square.fill(Qt.GlobalColor.transparent)
    if picture is not None:
        least = min(picture.width(), picture.height())
        middle = QRect((picture.width() - least) // 2, (picture.height() - least) // 2, least, least)
        with QPainter(square) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(square.rect(), picture, middle)
    return square
