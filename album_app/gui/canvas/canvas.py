"""The canvas: the sheet under the user's hand, with pins, selection, maps and cards painted over it."""

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from album_app.gui.canvas.alternatives import AlternativesStrip
from album_app.gui.canvas.caption import caption
from album_app.gui.canvas.gestures.keys import Keys
from album_app.gui.canvas.gestures.pointer import Hand
from album_app.gui.canvas.heatmap import Maps
from album_app.gui.canvas.painting import FLASH_SECONDS, paint_canvas
from album_app.gui.canvas.sheet_view import Stage
from album_app.gui.canvas.tiles.placeholders import CanvasColours
from album_app.gui.state.session import Session
from album_app.layout.shapes.shape import Cell
from album_app.layout.sheet import Layout

__all__ = ["Canvas", "CanvasColours"]

CARD_MS = 180


class Canvas(Stage):
    """The sheet one works on.

    Signals:
        hint(str): a sentence about what is under the pointer or in the hand, "" for none
        menu_requested(QPoint): a context menu is wanted at this global position, for the session's selection
        large_requested(int): a photo is to be seen large
        files_dropped(list[Path], Cell | None): files from elsewhere fell on a cell, or beside all of them
    """

    hint = Signal(str)
    menu_requested = Signal(QPoint)
    large_requested = Signal(int)
    files_dropped = Signal(list, object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.setObjectName("canvas")
        self.setAccessibleName("Sheet")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAcceptDrops(True)
        self.maps = Maps(session)
        self.maps.changed.connect(self.update)
        self.hand = Hand(self)
        self.keys = Keys(self)
        self.strip = AlternativesStrip(session, self)
        self.card_cell: Cell | None = None  # the cell that the card describes
        self.flash: tuple[Cell, float] | None = None  # a cell to draw attention to, and since when
        self._described: Cell | None = None
        self._told = ""
        self._card_delay = QTimer(self, interval=CARD_MS, singleShot=True)
        self._card_delay.timeout.connect(self._show_card)
        session.selection_changed.connect(self._selection_changed)
        self._opened()

    # ---- what the window asks for

    def go_to(self, photo: int) -> None:
        """Bring a photo into sight, select it and draw attention to it."""
        layout = None if self.session.document is None else self.session.document.layout
        cell = None if layout is None else layout.cell_of(photo)
        if cell is not None:
            self.session.select((photo,), cell)
            self.reveal(cell)
            self.flash = (cell, self.now)
            self.animate()

    def set_overlay(self, name: str) -> None:
        """Show a map over the sheet: "", "confidence" or "places" (of the current photo)."""
        self.maps.switch(name)

    def show_alternatives(self, cell: Cell | None) -> None:
        """Show a strip of the photos that would suit a cell next best; None hides it."""
        self.strip.show_for(cell)

    def set_colours(self, colours: CanvasColours) -> None:
        super().set_colours(colours)
        self.strip.set_colours(colours)

    # ---- describing cells

    def describe(self, cell: Cell | None, delay: bool = True) -> None:
        """Tell about a cell in the status bar and on a card beside it; None takes both away."""
        self._described = cell
        self._tell()
        if delay and cell is not None and self.card_cell is None:
            self._card_delay.start()
        else:
            self._show_card()

    def _tell(self) -> None:
        """Say in the status bar what is there now, where that has changed."""
        text = caption(self.session.document, self._described)
        if text != self._told:
            self._told = text
            self.hint.emit(text)

    @Slot()
    def _show_card(self) -> None:
        self._card_delay.stop()
        if self.card_cell != self._described:
            self.card_cell = self._described
            self.update()

    def announce(self, text: str) -> None:
        """Tell a screen reader."""
        self.setAccessibleDescription(text)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    # ---- the session speaks

    @Slot()
    def _opened(self) -> None:
        super()._opened()
        self.hand.cancel()
        self.card_cell = self._described = self.flash = None
        self._told = ""
        self.strip.show_for(None)

    @Slot(str)
    def _document_changed(self, name: str) -> None:
        if self.session.document is not None:
            self.hand.follow(self.session.document)
        super()._document_changed(name)

    @Slot(object)
    def _layout_changed(self, layout: Layout) -> None:
        super()._layout_changed(layout)
        self.strip.refresh()
        self._tell()

    @Slot()
    def _selection_changed(self) -> None:
        cell = self.session.cell
        if cell is not None and self.scene.shape is not None and cell in self.scene.shape:
            self.announce(caption(self.session.document, cell))
            if self.strip.isVisible() and cell != self.strip.cell:
                self.strip.show_for(cell)
        self.update()

    # ---- painting

    @property
    def restless(self) -> bool:
        return super().restless or self.flash is not None or self.hand.near_edge

    @Slot()
    def _tick(self) -> None:
        self.hand.push_at_edges()
        if self.flash is not None and self.now > self.flash[1] + FLASH_SECONDS:
            self.flash = None
        super()._tick()

    def paint_over(self, painter: QPainter) -> None:
        paint_canvas(self, painter)

    # ---- events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.strip.place()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hand.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hand.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.hand.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        photo = self.scene.photo_in(self.cell_at(event.position()))
        if photo is not None and event.button() == Qt.MouseButton.LeftButton:
            self.large_requested.emit(photo)

    def leaveEvent(self, event: QEvent) -> None:
        self.describe(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.keys.open_menu()
        else:
            self.hand.open_menu(event.pos(), event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.keys.press(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self.keys.release(event):
            super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.keys.enter(event.reason())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.keys.leave()
        self.update()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.hand.drag_in(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.hand.drag_over(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.hand.cancel()

    def dropEvent(self, event: QDropEvent) -> None:
        self.hand.drop(event)
