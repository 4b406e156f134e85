"""A photo to click on in a card: framed where it is about to be chosen, ticked where it is the one, words below."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton

from album_app.gui.canvas.tiles.placeholders import CanvasColours, tinted
from album_app.gui.style.icons import pixmap

EDGE, RADIUS, LINE, TICK = 4, 6, 17, 20


class PhotoButton(QAbstractButton):
    """One photo of a card, `side` large, with room `above` lines of words."""

    def __init__(
        self, photo: int, picture: QPixmap, side: int, above: int, lines: Sequence[str], colours: CanvasColours
    ) -> None:
        super().__init__()
        self.photo = photo
        self.ticked = False
        self._picture, self._side, self._below = picture, side, above + LINE * len(lines)
        self._lines, self._colours = lines, colours
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
            if self.hasFocus() or self.underMouse():
                colour = tinted(self._colours.accent, 255 if self.hasFocus() else 120)
                painter.setPen(QPen(colour, 3.0 if self.hasFocus() else 2.0))
                painter.drawRoundedRect(tile, RADIUS, RADIUS)
            if self.ticked:
                self._paint_tick(painter, tile)
            painter.setPen(QColor(self._colours.muted))
            for place, words in enumerate(reversed(self._lines)):
                line = QRectF(EDGE, self._side + self._below - LINE * (place + 1), self._side, LINE - 1)
                shown = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, self._side)
                painter.drawText(line, Qt.AlignmentFlag.AlignCenter, shown)

    def _paint_tick(self, painter: QPainter, tile: QRectF) -> None:
        disc = QRectF(tile.left() + 5, tile.top() + 5, TICK, TICK)
        painter.setPen(QPen(QColor("#ffffff"), 1.5))
        painter.setBrush(QColor(self._colours.accent))
        painter.drawEllipse(disc)
        tick = pixmap("check", "#ffffff", TICK - 6, self.devicePixelRatioF())
        painter.drawPixmap(disc.topLeft().toPoint() + QPoint(3, 3), tick)
        painter.setBrush(Qt.BrushStyle.NoBrush)
