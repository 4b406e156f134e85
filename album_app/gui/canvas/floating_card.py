"""A card that floats over the sheet without hiding what it is about, and photos to click on in it; Esc closes it."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QPushButton, QSizePolicy

from album_app.gui.canvas.overlays import paint_shadow
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.canvas.tiles.placeholders import CanvasColours, tinted
from album_app.gui.controls.sections import button
from album_app.gui.style.design import ROOM, ROUND_CARD, SHADOW_BLUR_PX, SHADOW_DROP_PX, SNUG
from album_app.gui.style.icons import pixmap
from album_app.layout.shapes.shape import Cell

SHADOW_ROOM = (SHADOW_BLUR_PX, SHADOW_BLUR_PX - SHADOW_DROP_PX, SHADOW_BLUR_PX, SHADOW_BLUR_PX + SHADOW_DROP_PX)
"""Pixels on the left, above, on the right and below of a card that its shadow needs."""
MARGIN = SHADOW_ROOM[1] + SNUG
EDGE = SHADOW_ROOM[0] + ROOM
BELOW = SHADOW_ROOM[3] + SNUG
"""Pixels between the edges of the widget and what is on the card: above, on both sides, and below."""


class FloatingCard(QFrame):
    """A frame with rounded corners and a shadow at the lower or upper edge of the canvas."""

    def __init__(self, canvas: SheetView) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._colours = canvas.colours
        self.hide()

    @abstractmethod
    def dismiss(self) -> None:
        """Esc was pressed, and no other widget of the window used it."""

    def set_colours(self, colours: CanvasColours) -> None:
        """Dress for another theme."""
        self._colours = colours
        self.update()

    def put_aside(self, cells: Collection[Cell]) -> None:
        """To the middle of the canvas' lower edge, or of the upper one where it would hide one of these cells."""
        self.adjustSize()
        area = self._canvas.rect()
        left, low = max(0, (area.width() - self.width()) // 2), area.height() - self.height()
        card = QRectF(left, low, self.width(), self.height())
        hides = any(self._canvas.cell_rect(cell).intersects(card) for cell in cells)
        self.move(left, 0 if hides else low)

    def give_way(self) -> None:
        """Hide; the keyboard goes back to the sheet, and nowhere else on its way."""
        if self.isAncestorOf(QApplication.focusWidget() or self._canvas):
            self._canvas.setFocus()
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        self.window().installEventFilter(self)

    def hideEvent(self, event: QHideEvent) -> None:
        self.window().removeEventFilter(self)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or (event.type(), event.key()) != (QEvent.Type.KeyPress, Qt.Key.Key_Escape):
            return False
        self.dismiss()
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        left, above, right, below = SHADOW_ROOM
        card = QRectF(self.rect()).adjusted(left, above, -right, -below)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_shadow(painter, card, ROUND_CARD, 1.0)
            painter.setPen(QPen(QColor(self._colours.line), 1))
            painter.setBrush(tinted(self._colours.card, 250))
            painter.drawRoundedRect(card, ROUND_CARD, ROUND_CARD)


def card_button(text: str, run: Callable[[], None], hint: str) -> QPushButton:
    """A button whose text is never cut: its neighbours wrap instead."""
    made = button(text, run, hint)
    made.setAccessibleName(text)
    made.setMinimumWidth(0)  # that of its words, then
    made.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
    return made


BUTTON_EDGE, RADIUS, LINE, TICK = 4, 6, 17, 20


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
        return QSize(self._side + 2 * BUTTON_EDGE, self._side + self._below)

    def paintEvent(self, event: QPaintEvent) -> None:
        tile, clip = QRectF(BUTTON_EDGE, BUTTON_EDGE, self._side, self._side), QPainterPath()
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
                line = QRectF(BUTTON_EDGE, self._side + self._below - LINE * (place + 1), self._side, LINE - 1)
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
