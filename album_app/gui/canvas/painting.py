"""What the canvas paints over its tiles, in the order in which it lies there."""

from collections import defaultdict
from collections.abc import Collection, Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QApplication

from album_app.gui.canvas import book_pages, overlays
from album_app.gui.canvas.gesture_states import Carrying, CarryingPage, Resizing
from album_app.gui.canvas.hand import Hand
from album_app.gui.canvas.proposed_pins import paint_ghosts
from album_app.gui.canvas.sheet_view import FLASH_SECONDS, WHOLE_SHEET, SheetView, caption_lines
from album_app.gui.canvas.tiles import marks
from album_app.layout.shapes.shape import Cell


def paint_canvas(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """Everything over the tiles; the painter comes in device pixels."""
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
    paint_ghosts(canvas, painter)
    _paint_hand(canvas, hand, painter)
    painter.resetTransform()
    _paint_cards(canvas, hand, painter)


def _paint_colours(canvas: SheetView, painter: QPainter) -> None:
    """A frame around each photo in the colour of its value."""
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
        overlays.paint_frames(painter, rects, QColor(code), canvas.ratio)


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
        overlays.paint_heat(painter, geometry, image)


def _paint_region_labels(canvas: SheetView, painter: QPainter) -> None:
    geometry = canvas.scene.view.geometry
    across, down = geometry.pitch
    for label in canvas.region_labels:
        middle = QPointF(geometry.left + label.x * across, geometry.top + label.y * down)
        overlays.paint_region_label(painter, label.word, middle, canvas.ratio, geometry.width)


def _paint_pages(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """The titles of a book's pages, and the page in the hand."""
    document = canvas.session.document
    if document is None or document.shape.pages is None:
        return
    titles = canvas.page_titles.of(document)
    book_pages.paint_titles(painter, canvas.scene, titles, canvas.colours, canvas.ratio)
    if isinstance(hand.state, CarryingPage):
        book_pages.paint_moved(painter, canvas.scene, hand.state.page, hand.state.target, canvas.colours)


def _paint_marks(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """Selection, keyboard cell, hover, pins and flash: they go along with the tiles on their way."""
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
    """A quiet line around a sheet that is held as a whole."""
    opacity = canvas.holds.opacities(canvas.now).get(WHOLE_SHEET, 0.0)
    if opacity:
        sheet, ratio = canvas.sheet_rect(), canvas.ratio
        painter.setOpacity(opacity)
        overlays.paint_held_sheet(painter, QRectF(sheet.topLeft() * ratio, sheet.size() * ratio), canvas.colours, ratio)
        painter.setOpacity(1.0)


def _paint_held_cells(canvas: SheetView, painter: QPainter) -> None:
    """Padlocks on the cells that are held, and on those that just were."""
    shape = canvas.scene.shape
    opacities = canvas.holds.opacities(canvas.now)
    for opacity in sorted(set(opacities.values())):
        alike = [cell for cell, other in opacities.items() if other == opacity and not isinstance(cell, str)]
        painter.setOpacity(opacity)
        cells = sorted(cell for cell in alike if shape is not None and cell in shape)
        marks.paint_held(painter, _tiles_in(canvas, cells), canvas.ratio)
    painter.setOpacity(1.0)


def _tiles_of(canvas: SheetView, photos: Collection[int]) -> list[QRectF]:
    """Where the tiles of some photos are now, if in sight."""
    return [rect for _, rect in canvas.scene.rects_of(canvas.scene.tiles_of(photos), canvas.now)]


def _tiles_in(canvas: SheetView, cells: list[Cell]) -> list[QRectF]:
    """Where the tiles that belong in these cells are now, if in sight."""
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
    """The corner by which the selected tile is made larger, and the cells that it would cover."""
    corner, ratio = hand.handle, canvas.ratio
    if isinstance(hand.state, Resizing) and hand.state.target is not None:
        first, last = (canvas.scene.rect_of(cell) for cell in (hand.state.cell, hand.state.target))
        side = max(last.right() - first.left(), last.bottom() - first.top(), canvas.scene.view.side)
        overlays.paint_target(painter, QRectF(first.left(), first.top(), side, side), canvas.colours, ratio, swap=False)
    elif corner is not None and hand.carried is None and not canvas.moving:
        overlays.paint_handle(painter, QRectF(corner.topLeft() * ratio, corner.size() * ratio), canvas.colours, ratio)


def _paint_hand(canvas: SheetView, hand: Hand, painter: QPainter) -> None:
    """Rubber band, hole, target and ghost."""
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
    """Marks of time, legend and hover card, in logical pixels."""
    font = QApplication.font()
    view = canvas.scene.view
    pitch = view.step / canvas.ratio
    marks = [(mark.column * pitch, mark.words) for mark in canvas.time_marks]
    overlays.paint_time_marks(painter, canvas.rect(), canvas.sheet_rect(), marks, canvas.colours, font)
    legend = canvas.heatmap.legend
    if legend is not None:
        overlays.paint_legend(painter, canvas.clear_area, canvas.sheet_rect(), legend, canvas.colours, font)
    elif canvas.colouring is not None:
        overlays.paint_colour_legend(
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
    lines = caption_lines(canvas.session.document, cell, state)
    if lines:
        overlays.paint_card(painter, canvas.cell_rect(cell), canvas.rect(), lines, canvas.colours, font)


def _paint_hint(canvas: SheetView, hand: Hand, carried: Carrying, painter: QPainter, font: QFont) -> None:
    """What letting go would do, below the photo in the hand."""
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
