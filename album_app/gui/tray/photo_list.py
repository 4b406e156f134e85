"""The list of the tray: how its entries look, and how photos are picked out of it or dragged to the sheet."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.canvas.tiles.marks import CanvasColours, badge_image, tinted
from album_app.gui.canvas.tiles.tile_cache import picture_tile
from album_app.gui.canvas.tiles.tiles import scaled, tile_image
from album_app.gui.controls.ask_user import pin_or_let_go
from album_app.gui.controls.input import drag_out
from album_app.gui.controls.sections import without_idle_handle
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import READY, Pixels
from album_app.gui.state.session import Session
from album_app.gui.tray.model import LINE_ROLE, Index, Line, TrayModel
from album_app.language import tr
from album_app.layout.editing.edits import unpinned

GRID_SIDE, GRID_GAP = 70, 8
"""Of the grid: the side of a photo and the gap between two photos, in logical pixels, as all sizes here."""
ROW_SIDE, ROW_HEIGHT = 44, 56
"""Of the list with words: the side of a photo, and the height of a row."""
MOST_PIXMAPS = 600
"""The most small pictures that are kept: some screens full, about 14 MB at one device pixel per pixel."""
BADGE = 18
"""The diameter of the pin of a pinned photo."""
FAINT_OPACITY = 0.45
"""Of photos that are not on the sheet."""
MARGIN = 3
"""The room around a photo, into which its pin reaches."""
CORNER = 6.0
"""The radius of the corners of a photo."""
GHOST_SIDE = 64
"""The side of the photo under the pointer while it is dragged from the tray to the sheet."""
REST_MS = 60
"""Milliseconds without painting after which sharper pictures are asked for, so that nothing is read while scrolling."""


class Thumbnails:
    """Small pixmaps of photos, made when a photo is first seen; the `most` that were seen last are kept.

    A pixmap includes its round corners and its badge, so that one call into Qt paints it: each call may have to wait
    for other threads.
    """

    def __init__(self, photos: PhotoStore, colours: CanvasColours, *, most: int = MOST_PIXMAPS) -> None:
        self._photos = photos
        self._colours = colours
        self._most = most
        self.sharper: OrderedDict[int, Pixels] = OrderedDict()  # pictures shown instead of thumbnails
        self.coarse: dict[int | str, int] = {}  # photos that could be sharper -> the side in pixels that they need
        self._kept: OrderedDict[tuple[int | str, int, float, bool, bool], QPixmap] = OrderedDict()

    def pixmap(self, photo: int, side: int, ratio: float, pinned: bool = False, faint: bool = False) -> QPixmap:
        """A photo as a square of `side` logical pixels, with MARGIN pixels around it for its badge.

        Photos without a picture share the pixmap of their state.
        """
        state = self._photos.pictures.state(photo)
        key = (photo if state == READY else state, side, ratio, pinned, faint)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        edge, pictures = round(side * ratio), self._photos.pictures
        sharper = self.sharper.get(photo)
        if sharper is not None and state == READY:
            tile = scaled(sharper, edge, edge)
        else:
            tile = picture_tile(pictures, photo, edge, self._colours, ratio, self._photos.crop_of(photo, 1.0))
        if sharper is None and not pictures.sharp_at(photo, edge):
            self.coarse[photo] = max(edge, self.coarse.get(photo, 0))
        self._kept[key] = self._framed(tile_image(tile), ratio, pinned, faint)
        if len(self._kept) > self._most:
            (former, *_), _ = self._kept.popitem(last=False)
            self.coarse.pop(former, None)
        return self._kept[key]

    def sharpen(self, pixels: Mapping[int, Pixels]) -> None:
        """Use sharper pictures of photos from now on than the thumbnails."""
        self.forget(set(pixels))
        self.sharper.update(pixels)
        while len(self.sharper) > self._most:
            self.sharper.popitem(last=False)

    def forget(self, photos: set[int] | None = None) -> None:
        """Drop the pixmaps of photos, or all pixmaps, so that they are made again when they are seen."""
        for key in [key for key in self._kept if photos is None or key[0] in photos]:
            del self._kept[key]
            self.coarse.pop(key[0], None)
        for photo in list(self.sharper) if photos is None else photos & self.sharper.keys():
            del self.sharper[photo]

    def set_colours(self, colours: CanvasColours) -> None:
        self._colours = colours
        self.forget()

    def _framed(self, image: QImage, ratio: float, pinned: bool, faint: bool) -> QPixmap:
        margin, badge = round(MARGIN * ratio), round(BADGE * ratio)
        pixmap = QPixmap(image.width() + 2 * margin, image.height() + 2 * margin)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(margin, margin)
            painter.setOpacity(FAINT_OPACITY if faint else 1.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(image))
            painter.drawRoundedRect(image.rect(), CORNER * ratio, CORNER * ratio)
            painter.setOpacity(1.0)
            if pinned:
                painter.drawImage(image.width() - badge + margin, -margin, badge_image(badge, self._colours))
        pixmap.setDevicePixelRatio(ratio)
        return pixmap


class TrayDelegate(QStyledItemDelegate):
    """Paints the entries of the tray: rows with words if `in_rows`, otherwise squares in a grid."""

    def __init__(self, photos: PhotoStore, colours: CanvasColours, parent: QWidget) -> None:
        super().__init__(parent)
        self.in_rows = False
        self.thumbnails = Thumbnails(photos, colours)
        self._colours = colours

    def set_colours(self, colours: CanvasColours) -> None:
        self._colours = colours
        self.thumbnails.set_colours(colours)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if self.in_rows:
            return QSize(120, ROW_HEIGHT)
        return QSize(GRID_SIDE + GRID_GAP, GRID_SIDE + GRID_GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line, area = index.data(LINE_ROLE), option.rect
        if line is None:
            return
        if self.in_rows:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_ground(painter, option)
            tile = QRect(area.left() + 6, area.center().y() - ROW_SIDE // 2, ROW_SIDE, ROW_SIDE)
            self._paint_words(painter, option, line)
        else:
            tile = QRect(area.left() + GRID_GAP // 2, area.top() + GRID_GAP // 2, GRID_SIDE, GRID_SIDE)
        self._paint_tile(painter, tile, line, option)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        alpha = 60 if option.state & QStyle.StateFlag.State_Selected else 24
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tinted(self._colours.accent, alpha))
            painter.drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 7, 7)

    def _paint_tile(self, painter: QPainter, tile: QRect, line: Line, option: QStyleOptionViewItem) -> None:
        if line.photo is None:
            self._paint_file(painter, QRectF(tile))
        else:
            ratio = option.widget.devicePixelRatioF()
            faint = line.off and not self.in_rows
            pixmap = self.thumbnails.pixmap(line.photo, tile.width(), ratio, line.pinned, faint)
            painter.drawPixmap(tile.left() - MARGIN, tile.top() - MARGIN, pixmap)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        strong = selected or bool(option.state & QStyle.StateFlag.State_HasFocus)
        if strong or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(tinted(self._colours.accent, 255 if strong else 120), 2.5))
            painter.setBrush(tinted(self._colours.accent, 50 if selected else 0))
            painter.drawRoundedRect(tile, CORNER, CORNER)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            inner = tile.adjusted(3, 3, -3, -3)
            painter.setPen(QPen(QColor(self._colours.background), 1.5))
            painter.drawRoundedRect(inner, CORNER - 2, CORNER - 2)
            painter.setPen(QPen(QColor(self._colours.text), 1.5, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(inner, CORNER - 2, CORNER - 2)

    def _paint_file(self, painter: QPainter, rect: QRectF) -> None:
        """A cross in place of the picture of a file that could not be read."""
        painter.setPen(QPen(tinted(self._colours.muted, 120), 1.5))
        painter.setBrush(QColor(self._colours.cell))
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 6, 6)
        painter.setPen(QPen(QColor(self._colours.error), 2.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        middle, reach = rect.center(), rect.width() * 0.14
        for slope in (1, -1):
            painter.drawLine(middle - QPointF(reach, slope * reach), middle + QPointF(reach, slope * reach))

    def _paint_words(self, painter: QPainter, option: QStyleOptionViewItem, line: Line) -> None:
        area = option.rect.adjusted(ROW_SIDE + 16, 8, -8, -8)
        if line.other is not None:
            side = ROW_SIDE - 8
            icon_rect = QRect(area.right() - side, option.rect.center().y() - side // 2, side, side)
            ratio = option.widget.devicePixelRatioF()
            pixmap = self.thumbnails.pixmap(line.other, side, ratio)
            painter.drawPixmap(icon_rect.left() - MARGIN, icon_rect.top() - MARGIN, pixmap)
            area.setRight(icon_rect.left() - 8)
        half = area.height() // 2
        upper, lower = area.adjusted(0, 0, 0, -half), area.adjusted(0, half, 0, 0)
        _paint_elided(painter, upper, line.title, option.font, self._colours.text, Qt.TextElideMode.ElideMiddle)
        detail = " · ".join(filter(None, (line.detail, line.caption)))
        _paint_elided(painter, lower, detail, option.font, self._colours.muted, Qt.TextElideMode.ElideRight)


def _paint_elided(painter: QPainter, area: QRect, text: str, font: QFont, colour: str, mode: Qt.TextElideMode) -> None:
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = QFontMetrics(font).elidedText(text, mode, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class TrayList(QListView):
    """Shows the tray's model.

    Signals:
        menu_requested(QPoint): a context menu is wanted at this global position
        chosen(list[int]): the user selected these photos, the current one last
        large_requested(int): a photo is to be seen large
        go_to_requested(int): a photo is to be shown on the sheet
        coarse_seen(list[int], int): these photos have been in sight for a moment and need pictures with this side in
        pixels
    """

    coarse_seen = Signal(list, int)
    menu_requested = Signal(QPoint)
    chosen = Signal(list)
    large_requested = Signal(int)
    go_to_requested = Signal(int)

    def __init__(self, session: Session, model: TrayModel, target: Canvas, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._model = model
        self._target = target  # where photos can be dropped
        self._carrying = False
        self._pressed: QPoint | None = None
        self._ghost = QLabel()
        self._following = False
        self._asked: frozenset[int] = frozenset()  # photos whose sharper pictures were asked for last
        self._resting = QTimer(self, interval=REST_MS, singleShot=True)
        self._resting.timeout.connect(self._look_closer)
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        without_idle_handle(self)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setDragEnabled(True)  # a press on a selected photo then keeps the selection until the release
        self.setAccessibleName(tr("Photos"))
        self.selectionModel().selectionChanged.connect(self._selection_changed)

    def show_in_rows(self, rows: bool) -> None:
        """Show rows with words, or a grid of squares."""
        delegate = self.itemDelegate()
        if isinstance(delegate, TrayDelegate):
            delegate.in_rows = rows
        self.setFlow(QListView.Flow.TopToBottom if rows else QListView.Flow.LeftToRight)
        self.setWrapping(not rows)
        self._fit_grid()
        self.scheduleDelayedItemsLayout()

    def _fit_grid(self) -> None:
        """Spread the squares of a row evenly over the whole width."""
        if not self.isWrapping():
            self.setGridSize(QSize())
            return
        least = GRID_SIDE + GRID_GAP
        width = self.viewport().width() - 1
        columns = max(1, width // least)
        self.setGridSize(QSize(max(least, width // columns), least))

    def shows_any(self, photos: Iterable[int]) -> bool:
        """Whether one of these photos is in sight."""
        rows, sight = map(self._model.row_of, photos), self._rows_in_sight()
        return any(row is not None and row in sight for row in rows)

    def _rows_in_sight(self) -> range:
        area = self.viewport().rect()
        first = self.indexAt(area.topLeft() + QPoint(GRID_GAP, GRID_GAP))
        last = self.indexAt(area.bottomLeft() + QPoint(GRID_GAP, -GRID_GAP))
        start = first.row() if first.isValid() else 0
        end = last.row() + area.width() // GRID_SIDE if last.isValid() else len(self._model.rows)
        return range(start, min(end + 1, len(self._model.rows)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        delegate = self.itemDelegate()
        if isinstance(delegate, TrayDelegate) and delegate.thumbnails.coarse:
            self._resting.start()

    def _look_closer(self) -> None:
        """Ask for sharper pictures of the photos in sight."""
        delegate = self.itemDelegate()
        if isinstance(delegate, TrayDelegate):
            coarse = delegate.thumbnails.coarse
            seen = [photo for photo in self._model.photos_at(self._rows_in_sight()) if photo in coarse]
            if not self._asked.issuperset(seen):
                self._asked = frozenset(seen)
                self.coarse_seen.emit(seen, max(coarse[photo] for photo in seen))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_grid()
        super().resizeEvent(event)

    @property
    def picked(self) -> list[int]:
        """The selected photos in the order of the list, the current one last."""
        selection = self.selectionModel().selection()
        parts = [selection.at(place) for place in range(selection.count())]
        rows = {row for part in parts for row in range(part.top(), part.bottom() + 1)}
        current = self.currentIndex().row()
        ordered = [*sorted(rows - {current}), *({current} & rows)]
        return self._model.photos_at(ordered)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        """The whole list: finding the places of 10,000 selected photos takes longer than painting those in sight."""
        return QRegion(self.viewport().rect())

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paint again without a new layout: all entries have the same size."""
        QAbstractItemView.dataChanged(self, first, last, list(roles))

    def follow(self, photos: Sequence[int]) -> None:
        """Select photos because they were selected elsewhere."""
        if list(photos) == self.picked:
            return
        rows = [row for row in map(self._model.row_of, photos) if row is not None]
        self._following = True
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(self._model.selection_of(rows), flags.ClearAndSelect)
        if rows:
            self.selectionModel().setCurrentIndex(self._model.index(rows[-1]), flags.NoUpdate)
            self.scrollTo(self._model.index(rows[-1]))
        self._following = False

    def _selection_changed(self) -> None:
        if not self._following:
            self.chosen.emit(self.picked)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.indexAt(event.position().toPoint()).isValid():
            self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        far = (event.position().toPoint() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if self._carrying or (far and self.picked):
            self._carrying = True
            self._carry(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._carrying:
            self._pressed = None
            super().mouseReleaseEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._stop_carrying()
            self._target.hand.let_go()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        photos = self._model.photos_at(
            [index.row() for index in [self.indexAt(event.position().toPoint())] if index.isValid()]
        )
        if photos and event.button() == Qt.MouseButton.LeftButton:
            self.large_requested.emit(photos[0])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
            self._choose_current()
        if self.picked:
            self.menu_requested.emit(place)

    def _choose_current(self) -> None:
        """Select the current photo for a key if no photo is selected."""
        if not self.picked and self.currentIndex().isValid():
            self.setCurrentIndex(self.currentIndex())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Scroll to the current photo when Tab brings the focus, so that the user sees where the focus is."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.scrollTo(self.currentIndex())

    def _carry(self, event: QMouseEvent) -> None:
        target, photos = self._target, self.picked
        position = event.globalPosition()
        if not photos:
            return
        window = self.window()
        inside = window.rect().contains(window.mapFromGlobal(position.toPoint()))
        if not inside:
            self.cancel_carrying()
            if self._session.document is not None:
                drag_out(self, self._session.document, photos, target.hand.ghost_of(photos))
            return
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        over = QPointF(target.mapFromGlobal(position))
        target.hand.carry_over(photos, over, shift)
        self._show_ghost(position.toPoint(), hidden=target.rect().contains(over.toPoint()))
        self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def _show_ghost(self, at: QPoint, hidden: bool) -> None:
        """Show the dragged photo under the pointer, except over the canvas, which paints its own."""
        window = self.window()
        delegate = self.itemDelegate()
        if self._ghost.parent() is not window and isinstance(delegate, TrayDelegate):
            self._ghost.setParent(window)
            self._ghost.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._ghost.setPixmap(delegate.thumbnails.pixmap(self.picked[-1], GHOST_SIDE, self.devicePixelRatioF()))
            self._ghost.adjustSize()
        self._ghost.move(window.mapFromGlobal(at) - QPoint(GHOST_SIDE // 2, GHOST_SIDE // 2))
        self._ghost.setVisible(not hidden)
        self._ghost.raise_()

    def _stop_carrying(self) -> None:
        self._carrying, self._pressed = False, None
        self._ghost.hide()
        self._ghost.setParent(None)
        self.unsetCursor()

    def cancel_carrying(self) -> None:
        """Cancel the drag."""
        if self._carrying:
            self._target.hand.cancel()
        self._stop_carrying()

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are commands here, and the field above the list finds names."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in KEYS and not event.modifiers() and not self._carrying:
            self._choose_current()
        photos = self.picked
        if self._carrying:
            if key == Qt.Key.Key_Escape:
                self.cancel_carrying()
            elif key == Qt.Key.Key_Shift:
                self._target.hand.hold_shift(True)
        elif photos and not event.modifiers() and key in KEYS:
            KEYS[key](self, photos)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._carrying and event.key() == Qt.Key.Key_Shift:
            self._target.hand.hold_shift(False)
        super().keyReleaseEvent(event)

    def _hand_over(self, photos: Sequence[int]) -> None:
        """Let the keyboard carry photos over the sheet."""
        document = self._session.document
        if document is not None:
            self._target.setFocus()
            self._target.hand.pick_up(photos, None, self._session.cell or document.shape.cell(0))

    def _show_alternatives(self) -> None:
        self._target.show_alternatives(self._session.cell)

    def _pin(self) -> None:
        free = self._session.cell if self._session.on_empty_cell else None
        pin_or_let_go(self, self._session, free)


KEYS: dict[int, Callable[[TrayList, list[int]], object]] = {
    Qt.Key.Key_Return: lambda tray, photos: tray.large_requested.emit(photos[-1]),
    Qt.Key.Key_Enter: lambda tray, photos: tray.large_requested.emit(photos[-1]),
    Qt.Key.Key_G: lambda tray, photos: tray.go_to_requested.emit(photos[-1]),
    Qt.Key.Key_P: lambda tray, photos: tray._pin(),
    Qt.Key.Key_A: lambda tray, photos: tray._show_alternatives(),
    Qt.Key.Key_M: lambda tray, photos: tray._hand_over(photos),
    Qt.Key.Key_Delete: lambda tray, photos: tray._session.edit(unpinned, photos),
}
