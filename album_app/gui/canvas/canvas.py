"""The canvas: a `SheetView` that reacts to pointer and keyboard, with everything that is painted over its tiles."""

from collections import defaultdict
from collections.abc import Collection, Iterator

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication

from album_app.gui.canvas import book_pages, maps, overlays
from album_app.gui.canvas.book_pages import page_at
from album_app.gui.canvas.cards import CaptionCard, ProposalBar
from album_app.gui.canvas.cell_access import offer_cells, tell_focus
from album_app.gui.canvas.gesture_states import Carrying, CarryingPage, Idle, Resizing
from album_app.gui.canvas.hand import Hand
from album_app.gui.canvas.keys import Keys
from album_app.gui.canvas.maps import HeatMap
from album_app.gui.canvas.photo_cards import AlternativesStrip, StackCard
from album_app.gui.canvas.sheet_view import (
    FLASH_SECONDS,
    WHEEL_STEP,
    WHOLE_SHEET,
    SheetView,
    line_about_cell,
    lines_about_cell,
)
from album_app.gui.canvas.tiles import marks
from album_app.gui.canvas.tiles.marks import CanvasColours, stack_badge_rect
from album_app.gui.canvas.tiles.tile_cache import TileCache
from album_app.gui.canvas.tiles.tiles import tile_image
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

PROPOSED_OPACITY = 0.62
"""Of a photo in the cell where it is proposed to be pinned."""


class Canvas(SheetView):
    """The sheet that the user works on: hands events to `Hand` and `Keys`, and shows the floating cards."""

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
        offer_cells()
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
        """Close the alternatives when pins are proposed."""
        if self.proposal_bar.isVisible():
            self.strip.show_for(None)

    def show_alternatives(self, cell: Cell | None) -> None:
        """Show the photos that would suit a cell next best; None hides them."""
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
            self.announce(line_about_cell(self.session.document, cell))
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
        self.note_hand()
        photo = self._stack_under(event) if event.button() == Qt.MouseButton.LeftButton else None
        if photo is not None:
            self.stack_card.show_for(photo)
        else:
            self.hand.press(event)

    def _stack_under(self, event: QMouseEvent) -> int | None:
        """The photo whose stack has its badge under the pointer."""
        document, cell = self.session.document, self.cell_at(event.position())
        photo = self.scene.photo_in(cell)
        if document is None or cell is None or photo not in document.stack_of:
            return None
        return photo if stack_badge_rect(self.cell_rect(cell), 1.0).contains(event.position()) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.note_hand()
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
        self.note_hand_gone()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.keys.open_menu()
        else:
            self.hand.open_menu(event.pos(), event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Keep Alt during a gesture: otherwise the menu bar would take the keyboard when Alt is released."""
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
        if self.card_by_key:
            self.describe(None)
        self.update()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.hand.drag_in(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.hand.drag_over(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.hand.cancel()

    def dropEvent(self, event: QDropEvent) -> None:
        self.hand.drop(event)


def paint_canvas(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """Paint everything over the tiles; the painter is set to device pixels."""
    if canvas.scene.shape is None:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_colours(canvas, painter)
    _paint_highlight(canvas, painter)
    _paint_map(canvas, painter)
    _paint_region_labels(canvas, painter)
    _paint_pages(canvas, hand, painter)
    _paint_marks(canvas, hand, painter)
    _paint_hold(canvas, painter)
    _paint_ghosts(canvas, painter)
    _paint_hand(canvas, hand, painter)
    painter.resetTransform()
    _paint_cards(canvas, hand, painter)


def _paint_colours(canvas: SheetView, painter: QPainter) -> None:
    """Paint a frame around each photo in the colour of its value."""
    colouring, scene = canvas.colouring, canvas.scene
    if colouring is None:
        return
    tiles = np.flatnonzero((scene.glide.photos >= 0) & (scene.glide.photos < len(colouring.colours)))
    framed = defaultdict(list)
    codes = colouring.codes[scene.glide.photos[tiles]]
    code_of = dict(zip(tiles.tolist(), codes.tolist(), strict=True))
    for tile, rect in scene.rects_of(tiles, canvas.now):
        framed[code_of[tile]].append(rect)
    for code, rects in framed.items():
        maps.paint_frames(painter, rects, QColor(code), canvas.ratio)


def _paint_highlight(canvas: SheetView, painter: QPainter) -> None:
    """Dim the photos that do not stand out, and frame those that do."""
    if canvas.highlight is None:
        return
    scene = canvas.scene
    lit = np.isin(scene.glide.photos, list(canvas.highlight))
    others, hits = ([rect for _, rect in scene.rects_of(np.flatnonzero(some), canvas.now)] for some in (~lit, lit))
    overlays.paint_dimmed(painter, others, canvas.colours)
    overlays.paint_hits(painter, hits, canvas.colours, canvas.ratio)


def _paint_map(canvas: SheetView, painter: QPainter) -> None:
    image, geometry = canvas.heatmap.image, canvas.scene.view.geometry
    if image is not None and (image.height(), image.width()) == geometry.frames.grid.shape:
        maps.paint_heat(painter, geometry, image)


def _paint_region_labels(canvas: SheetView, painter: QPainter) -> None:
    geometry = canvas.scene.view.geometry
    across, down = geometry.pitch
    for label in canvas.region_labels:
        middle = QPointF(geometry.left + label.x * across, geometry.top + label.y * down)
        overlays.paint_region_label(painter, label.word, middle, canvas.ratio, geometry.width)


def _paint_pages(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """Paint paper and titles of a book's pages, and the page that is dragged."""
    document = canvas.session.document
    if document is None or document.shape.pages is None:
        return
    titles = canvas.page_titles.of(document)
    book_pages.paint_papers(painter, canvas.scene, canvas.colours, canvas.ratio)
    book_pages.paint_titles(painter, canvas.scene, titles, canvas.colours, canvas.ratio)
    if isinstance(hand.state, CarryingPage):
        book_pages.paint_moved(painter, canvas.scene, hand.state.page, hand.state.target, canvas.colours)


def _paint_marks(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """Paint selection, keyboard cell, hover, pins and flash; they follow the tiles while these glide."""
    session, colours, ratio = canvas.session, canvas.colours, canvas.ratio
    document = session.document
    if document is None:
        return
    carried = hand.carried
    if canvas.card_cell is not None and carried is None:
        overlays.paint_hover(painter, canvas.scene.rect_of(canvas.card_cell), colours, ratio)
    overlays.paint_selection(painter, _tiles_of(canvas, session.selected), colours, ratio)
    held = None if carried is None else carried.origin
    pinned = [cell for photo, cell in document.pins.items() if cell != held and canvas.scene.photo_in(cell) == photo]
    marks.paint_pins(painter, _tiles_in(canvas, pinned), colours, ratio)
    marks.paint_new(painter, _tiles_of(canvas, canvas.new_photos), colours, ratio)
    marks.paint_always_shown(painter, _tiles_of(canvas, document.always_shown), ratio)
    marks.paint_stacks(painter, _stacks(canvas, held), ratio)
    _paint_held_cells(canvas, painter)
    gone = tuple(photo for photo in document.missing if canvas.scene.tile_cache.is_remembered(photo))
    marks.paint_missing(painter, _tiles_of(canvas, gone), colours, ratio)
    if canvas.hasFocus() and session.cell is not None and session.cell in document.shape:
        overlays.paint_focus(painter, canvas.scene.rect_of(session.cell), colours, ratio)
    if canvas.flash is not None:
        cells, since = canvas.flash
        share = min(1.0, (canvas.now - since) / FLASH_SECONDS)
        for cell in cells:
            overlays.paint_flash(painter, canvas.scene.rect_of(cell), share, colours, ratio)


def _paint_hold(canvas: SheetView, painter: QPainter) -> None:
    """Paint a line around a sheet that is held as a whole."""
    opacity = canvas.holds.opacities(canvas.now).get(WHOLE_SHEET, 0.0)
    if opacity:
        sheet, ratio = canvas.sheet_rect(), canvas.ratio
        painter.setOpacity(opacity)
        overlays.paint_held_sheet(painter, QRectF(sheet.topLeft() * ratio, sheet.size() * ratio), canvas.colours, ratio)
        painter.setOpacity(1.0)


def _paint_held_cells(canvas: SheetView, painter: QPainter) -> None:
    """Paint padlocks on the cells that are held, and fading ones on those that were held until now."""
    shape = canvas.scene.shape
    opacities = canvas.holds.opacities(canvas.now)
    for opacity in sorted(set(opacities.values())):
        alike = [cell for cell, other in opacities.items() if other == opacity and not isinstance(cell, str)]
        painter.setOpacity(opacity)
        cells = sorted(cell for cell in alike if shape is not None and cell in shape)
        marks.paint_held(painter, _tiles_in(canvas, cells), canvas.ratio)
    painter.setOpacity(1.0)


def _tiles_of(canvas: SheetView, photos: Collection[int]) -> list[QRectF]:
    """Where the tiles of some photos are now, as far as they are in sight."""
    return [rect for _, rect in canvas.scene.rects_of(canvas.scene.tiles_of(photos), canvas.now)]


def _tiles_in(canvas: SheetView, cells: list[Cell]) -> list[QRectF]:
    """Where the tiles that belong in these cells are now, as far as they are in sight."""
    return [rect for _, rect in canvas.scene.rects_of(canvas.scene.tiles_in(cells), canvas.now)] if cells else []


def _stacks(canvas: SheetView, held: Cell | None) -> Iterator[tuple[QRectF, int]]:
    """Where the stacks in sight are now, and how many photos each has."""
    document, scene = canvas.session.document, canvas.scene
    if document is None or not document.stack_of:
        return
    taken = -2 if held is None else scene.frames.of(held)
    for tile, rect in scene.rects_of(scene.tiles_of(document.stack_of), canvas.now):
        if scene.glide.frames[tile] != taken:
            yield rect, len(document.stack_of[int(scene.glide.photos[tile])])


def _paint_handle(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """Paint the corner by which the selected tile is made larger, and the cells that it would cover."""
    corner, ratio = hand.handle, canvas.ratio
    if isinstance(hand.state, Resizing) and hand.state.target is not None:
        first, last = (canvas.scene.rect_of(cell) for cell in (hand.state.cell, hand.state.target))
        side = max(last.right() - first.left(), last.bottom() - first.top(), canvas.scene.view.side)
        overlays.paint_target(painter, QRectF(first.left(), first.top(), side, side), canvas.colours, ratio, swap=False)
    elif corner is not None and hand.carried is None and not canvas.moving:
        overlays.paint_handle(painter, QRectF(corner.topLeft() * ratio, corner.size() * ratio), canvas.colours, ratio)


def _paint_ghosts(canvas: SheetView, painter: QPainter) -> None:
    """Paint each photo of a proposal, pale and with a dashed frame, in the cell where it would be pinned."""
    for photo, cell in canvas.ghosts.items():
        tile = canvas.scene.rect_of(cell)
        if tile.intersects(QRectF(0, 0, *canvas.device_size)):
            _paint_ghost(canvas, painter, photo, tile, canvas.colours)


def _paint_ghost(canvas: SheetView, painter: QPainter, photo: int, tile: QRectF, colours: CanvasColours) -> None:
    radius = 0.08 * tile.width()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.background))
    painter.drawRoundedRect(tile, radius, radius)
    painter.setOpacity(PROPOSED_OPACITY)
    painter.drawImage(tile, tile_image(canvas.scene.tile_cache.picture(photo, round(max(tile.width(), tile.height())))))
    painter.setOpacity(1.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, dashes in (("#ffffff", []), (colours.pin, [2.5, 1.8])):
        pen = QPen(QColor(colour), 2.5 * canvas.ratio)
        if dashes:
            pen.setDashPattern(dashes)
        painter.setPen(pen)
        painter.drawRoundedRect(tile, radius, radius)


def _paint_hand(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """Paint what a gesture shows: rubber band, hole, target and ghost."""
    carried, colours, ratio, scene = hand.carried, canvas.colours, canvas.ratio, canvas.scene
    _paint_handle(canvas, hand, painter)
    band = hand.band
    if band is not None:
        overlays.paint_band(painter, QRectF(band.topLeft() * ratio, band.size() * ratio), colours, ratio)
    if carried is None:
        return
    if carried.origin is not None:
        overlays.paint_hole(painter, scene.rect_of(carried.origin), colours, ratio)
    others = [cell for cell in hand.changes if cell not in (carried.target, carried.origin)]
    overlays.paint_changes(painter, [scene.rect_of(cell) for cell in others], colours, ratio)
    if carried.target is not None:
        target = scene.rect_of(carried.target)
        overlays.paint_target(painter, target, colours, ratio, hand.outcome is not None and hand.outcome.swaps)
    ghost = hand.ghost
    if ghost is not None:
        middle = overlays.ghost_middle(carried.x * ratio, carried.y * ratio, ghost.width())
        if carried.keyboard and carried.target is not None:
            corner = scene.rect_of(carried.target).center()
            middle = overlays.ghost_middle(corner.x(), corner.y(), ghost.width())
        painter.setOpacity(0.94)
        painter.drawImage(middle - QPointF(ghost.width() / 2, ghost.height() / 2), ghost)
        painter.setOpacity(1.0)


def _paint_cards(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """Paint marks of time, a legend and the card of the hovered cell, in logical pixels."""
    font = QApplication.font()
    view = canvas.scene.view
    pitch = view.step / canvas.ratio
    marks = [(mark.column * pitch, mark.words) for mark in canvas.time_marks]
    overlays.paint_time_marks(painter, canvas.rect(), canvas.sheet_rect(), marks, canvas.colours, font)
    legend = canvas.heatmap.legend
    if legend is not None:
        maps.paint_legend(painter, canvas.clear_area, canvas.sheet_rect(), legend, canvas.colours, font)
    elif canvas.colouring is not None:
        maps.paint_colour_legend(
            painter, canvas.clear_area, canvas.sheet_rect(), canvas.colouring, canvas.colours, font
        )
    if hand.carried is not None:
        _paint_hint(canvas, hand, hand.carried, painter, font)
        return
    cell = canvas.card_cell
    if cell is None:
        return
    photo = canvas.scene.photo_in(cell)
    state = "" if photo is None else canvas.scene.tile_cache.state(photo)
    lines = lines_about_cell(canvas.session.document, cell, state, canvas.scene.tile_cache.flaws)
    if lines:
        overlays.paint_card(painter, canvas.cell_rect(cell), canvas.rect(), lines, canvas.colours, font)


def _paint_hint(canvas: SheetView, hand: Hand, carried: Carrying, painter: QPainter, font: QFont) -> None:
    """Paint what a drop would do, below the dragged photo."""
    lines, ghost = hand.hint_lines, hand.ghost
    if not lines:
        return
    side = 0.0 if ghost is None else ghost.width() / canvas.ratio
    middle = overlays.ghost_middle(carried.x, carried.y, side)
    if carried.keyboard and carried.target is not None:
        corner = canvas.cell_rect(carried.target).center()
        middle = overlays.ghost_middle(corner.x(), corner.y(), side)
    held = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
    overlays.paint_card(painter, held, canvas.rect(), lines, canvas.colours, font)
