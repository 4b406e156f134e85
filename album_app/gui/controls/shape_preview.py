"""A small picture of a shape's cells."""

import math

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from album_app.gui.style import theme
from album_app.gui.style.wording import cells_words
from album_app.language import retell, tr
from album_app.layout.geometry import SheetGeometry
from album_app.layout.shapes.shape import Shape

HEIGHT = 96
CELL = 8


class ShapePreview(QWidget):
    """Paints the cells of a shape as one picture, the centres of letters marked."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Preview of the shape"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._shape: Shape | None = None
        self._drawn: tuple[str, QImage] | None = None  # the palette it was drawn with, and the picture

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def set_shape(self, shape: Shape) -> None:
        self._shape, self._drawn = shape, None
        self.setAccessibleDescription(f"{retell(shape.name)}, {cells_words(shape.count)}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._shape is None:
            return
        if self._drawn is None or self._drawn[0] != theme.current().name:
            self._drawn = theme.current().name, _picture(self._shape)
        picture = self._drawn[1]
        scale = min(self.width() / picture.width(), self.height() / picture.height(), 1.5)
        width, height = picture.width() * scale, picture.height() * scale
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height), picture)


def _picture(shape: Shape) -> QImage:
    palette = theme.current()
    tile = np.zeros((CELL, CELL), bool)
    tile[1:, 1:] = True
    sheet = SheetGeometry(shape.rows, shape.columns, CELL, CELL, lattice=shape.lattice)
    width, height = math.ceil(sheet.width), math.ceil(sheet.height)
    picture = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    colours = {True: int(palette.accent[1:], 16), False: int(palette.pin[1:], 16)}
    pixels = np.frombuffer(picture.bits(), np.uint32).reshape(height, width)
    for rows in shape.lattice.bands(shape.rows):
        x, y, _, _ = sheet.pixel_rect((rows.start, 0))
        drawn = np.kron(shape.mask[rows.start : rows.stop], tile).astype(bool)
        pixels[y : y + drawn.shape[0], x : x + drawn.shape[1]][drawn] = 0xFF000000 | colours[True]
    for centre in shape.centres:
        x, y, _, _ = sheet.pixel_rect(centre)
        pixels[y : y + CELL, x : x + CELL][tile] = 0xFF000000 | colours[False]
    return picture
