"""The canvas: the sheet under the user's hand, with pins, selection, maps and cards painted over it."""

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import (
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
    QWheelEvent,
)

from album_app.gui.canvas.book_pages import page_at
from album_app.gui.canvas.caption_card import CaptionCard
from album_app.gui.canvas.cards import AlternativesStrip, StackCard
from album_app.gui.canvas.cell_access import offer_cells, tell_focus
from album_app.gui.canvas.gesture_states import Idle
from album_app.gui.canvas.hand import Hand
from album_app.gui.canvas.keys import Keys
from album_app.gui.canvas.overlays import HeatMap
from album_app.gui.canvas.painting import paint_canvas
from album_app.gui.canvas.proposed_pins import ProposalBar
from album_app.gui.canvas.sheet_view import WHEEL_STEP, SheetView, caption
from album_app.gui.canvas.tiles.marks import CanvasColours, stack_badge_rect
from album_app.gui.canvas.tiles.tile_cache import TileCache
from album_app.gui.controls.ask_user import chapter_title
from album_app.gui.state.advice import Advice, Proposals
from album_app.gui.state.details import Details
from album_app.gui.state.jobs import Jobs
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.style import theme
from album_app.layout.editing.edits import cropped
from album_app.layout.shapes.shape import Cell

__all__ = ["Canvas", "CanvasColours"]


class Canvas(SheetView):
    """The sheet one works on: the hand, the keyboard and the strip of alternatives on the annotated sheet."""

    def __init__(
        self,
        session: Session,
        photos: PhotoStore,
        details: Details,
        advice: Advice,
        jobs: Jobs,
        proposals: Proposals,
    ) -> None:
        colours = CanvasColours.from_palette(theme.current())
        tile_cache = TileCache(session, photos, details, jobs, colours)
        super().__init__(session, tile_cache, HeatMap(session, advice), colours)
        self.setAcceptDrops(True)
        offer_cells(SheetView)
        self.hand = Hand(self, advice)
        self.strip = AlternativesStrip(session, advice, self)
        self.proposal_bar = ProposalBar(proposals, self)
        self.stack_card = StackCard(session, self)
        self.caption_card = CaptionCard(session, self)
        self.keys = Keys(self, self.hand, self.strip, self.stack_card, proposals)
        session.selection_changed.connect(self._selection_changed)
        proposals.changed.connect(self._make_room)
        self._opened()

    @property
    def is_in_use(self) -> bool:
        return not isinstance(self.hand.state, Idle)

    @Slot()
    def _make_room(self) -> None:
        """Pins that are proposed take the place of the alternatives."""
        if self.proposal_bar.isVisible():
            self.strip.show_for(None)

    def show_alternatives(self, cell: Cell | None) -> None:
        """Show a strip of the photos that would suit a cell next best; None hides it."""
        self.strip.show_for(cell)

    def set_colours(self, colours: CanvasColours) -> None:
        super().set_colours(colours)
        self.strip.set_colours(colours)
        self.proposal_bar.set_colours(colours)
        self.stack_card.set_colours(colours)
        self.caption_card.set_colours(colours)

    @Slot()
    def _opened(self) -> None:
        super()._opened()
        self.hand.cancel()
        self.strip.show_for(None)

    @Slot(str)
    def _document_changed(self, name: str) -> None:
        if self.session.document is not None:
            self.hand.follow(self.session.document)
        super()._document_changed(name)
        self.strip.refresh()

    @Slot()
    def _selection_changed(self) -> None:
        cell = self.session.cell
        if cell is not None and self.scene.shape is not None and cell in self.scene.shape:
            self.announce(caption(self.session.document, cell))
            tell_focus(self, cell)
            self.strip.follow(cell)
        self.follow_keyboard()
        self.update()

    @property
    def restless(self) -> bool:
        return super().restless or self.hand.near_edge

    @Slot()
    def _tick(self) -> None:
        self.hand.push_at_edges()
        super()._tick()

    def paint_over(self, painter: QPainter) -> None:
        paint_canvas(self, self.hand, painter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.strip.place()
        self.proposal_bar.place()
        self.stack_card.place()
        self.caption_card.place()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        photo = self._stack_under(event) if event.button() == Qt.MouseButton.LeftButton else None
        if photo is not None:
            self.stack_card.show_for(photo)
        else:
            self.hand.press(event)

    def _stack_under(self, event: QMouseEvent) -> int | None:
        """The photo whose stack's badge is under the pointer."""
        document, cell = self.session.document, self.cell_at(event.position())
        photo = self.scene.photo_in(cell)
        if document is None or cell is None or photo not in document.stack_of:
            return None
        return photo if stack_badge_rect(self.cell_rect(cell), 1.0).contains(event.position()) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hand.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.hand.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        photo, point = self.scene.photo_in(self.cell_at(event.position())), event.position() * self.ratio
        if event.button() != Qt.MouseButton.LeftButton:
            return
        page, is_title = page_at(self.scene, point.x(), point.y())
        if page is not None and is_title:
            chapter_title(self, self.session, page)
        elif photo is None:
            return
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.session.edit(cropped, photo, None)
        else:
            self.large_requested.emit(photo)

    def wheelEvent(self, event: QWheelEvent) -> None:
        cell = self.cell_at(event.position())
        photo, turn = self.scene.photo_in(cell), event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and cell is not None and photo is not None:
            self.hand.crop(photo, cell, 0.0, 0.0, WHEEL_STEP ** ((turn.y() or turn.x()) / 120))
            event.accept()
        else:
            super().wheelEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.describe(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.keys.open_menu()
        else:
            self.hand.open_menu(event.pos(), event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Alt is the hand's while it does something: otherwise the menu bar would take the keyboard when it goes up."""
        is_alt = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt
        if is_alt and event.type() == QEvent.Type.ShortcutOverride and self.is_in_use:
            event.accept()
            return True
        return super().event(event)

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
