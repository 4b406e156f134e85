"""A small picture of a shape's cells."""

import math

import numpy as np
from PySide6.QtCore import QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from album_app.gui.controls.sections import muted
from album_app.gui.style import theme
from album_app.gui.style.wording import cells_words
from album_app.language import shown, tr
from album_app.layout.geometry import SheetGeometry
from album_app.layout.shapes.shape import Shape

HEIGHT = 96
CELL = 8


class ShapePreview(QWidget):
    """A picture of a shape's cells; a legend explains the colour that marks the middles of letters."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Preview of the shape"))
        self._picture = ShapePicture()
        self._legend = QWidget()
        self._colour = QLabel()
        line = QHBoxLayout(self._legend)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(7)
        line.addWidget(self._colour, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(muted(tr("The middle of a letter: “Letters”, under Pins, pins a photo there."), wrap=True), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for part in (self._picture, self._legend):
            column.addWidget(part)
        self.refresh_theme()

    def set_shape(self, shape: Shape) -> None:
        self._picture.set_shape(shape)
        self._legend.setVisible(bool(shape.centres))
        self.setAccessibleDescription(f"{shown(shape.name)}, {cells_words(shape.count)}")

    def refresh_theme(self) -> None:
        """Show the colour that the words are about."""
        side = self._colour.fontMetrics().ascent()
        square = QPixmap(side, side)
        square.fill(QColor(theme.current().pin))
        self._colour.setPixmap(square)


class ShapePicture(QWidget):
    """Paints the cells of a shape as one picture, the middles of letters in another colour."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._shape: Shape | None = None
        self._drawn: tuple[str, QImage] | None = None  # the palette it was drawn with, and the picture

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def set_shape(self, shape: Shape) -> None:
        self._shape, self._drawn = shape, None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._shape is None:
            return
        if self._drawn is None or self._drawn[0] != theme.current().name:
            self._drawn = theme.current().name, _picture(self._shape)
        picture, ratio = self._drawn[1], self.devicePixelRatioF()
        scale = min(self.width() / picture.width(), self.height() / picture.height(), 1.5)
        width, height = picture.width() * scale, picture.height() * scale
        fitted = picture.scaled(  # which averages, so that gaps of less than a pixel are all alike
            QSizeF(width * ratio, height * ratio).toSize().expandedTo(QSize(1, 1)),
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        with QPainter(self) as painter:
            painter.drawImage(QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height), fitted)


def _picture(shape: Shape) -> QImage:
    palette = theme.current()
    sheet = SheetGeometry(shape.frames(), CELL, CELL)
    width, height = math.ceil(sheet.width), math.ceil(sheet.height)
    picture = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    inside, middle = (0xFF000000 | int(colour[1:], 16) for colour in (palette.accent, palette.pin))
    pixels = np.frombuffer(picture.bits(), np.uint32).reshape(height, width)
    for x, y, across, down in sheet.pixel_rects.tolist():
        pixels[y + 1 : y + down, x + 1 : x + across] = inside
    for centre in shape.centres:
        x, y, across, down = sheet.pixel_rect(centre)
        pixels[y + 1 : y + down, x + 1 : x + across] = middle
    return picture
