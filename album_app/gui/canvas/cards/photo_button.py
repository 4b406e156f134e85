"""A photo to click on in a card: framed where it is marked or about to be chosen, a word below it."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton

from album_app.gui.canvas.tiles.placeholders import CanvasColours

EDGE, RADIUS, LINE = 4, 6, 17


class PhotoButton(QAbstractButton):
    """One photo of a card, `side` large, with room `below` whose last line are the words."""

    def __init__(self, photo: int, picture: QPixmap, side: int, below: int, words: str, colours: CanvasColours) -> None:
        super().__init__()
        self.photo = photo
        self.marked = False
        self._picture, self._side, self._below = picture, side, below
        self._words, self._colours = words, colours
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(self._side + 2 * EDGE, self._side + self._below)

    def paintEvent(self, event: QPaintEvent) -> None:
        tile, clip = QRectF(EDGE, EDGE, self._side, self._side), QPainterPath()
        clip.addRoundedRect(tile, RADIUS, RADIUS)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipPath(clip)
            painter.drawPixmap(tile.topLeft(), self._picture)
            painter.setClipping(False)
            if self.marked or self.hasFocus() or self.underMouse():
                painter.setPen(QPen(QColor(self._colours.accent), 2.5 if self.marked else 2.0))
                painter.drawRoundedRect(tile, RADIUS, RADIUS)
            painter.setPen(QColor(self._colours.muted))
            line = QRectF(EDGE, self._side + self._below - LINE, self._side, LINE - 1)
            words = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, self._side)
            painter.drawText(line, Qt.AlignmentFlag.AlignCenter, words)
