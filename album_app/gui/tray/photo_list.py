"""The list of the tray; photos are picked out of it by our own mouse events, so a drag inside the window is ours."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    QPointF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QListView, QWidget

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.controls.ask_user import pin_or_let_go
from album_app.gui.controls.file_drag import drag_out
from album_app.gui.state.session import Session
from album_app.gui.tray.delegate import GRID_GAP, GRID_SIDE, TrayDelegate
from album_app.gui.tray.model import Index, TrayModel
from album_app.language import tr
from album_app.layout.editing.edits import unpinned

GHOST_SIDE = 64
REST_MS = 60


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
        self._asked: frozenset[int] = frozenset()  # photos of which something sharper was wanted last
        self._resting = QTimer(self, interval=REST_MS, singleShot=True)
        self._resting.timeout.connect(self._look_closer)
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setDragEnabled(True)  # a press on a selected photo then keeps the selection until the release
        self.setAccessibleName(tr("Photos"))
        self.selectionModel().selectionChanged.connect(self._selection_changed)

    def show_in_rows(self, rows: bool) -> None:
        """Rows with words, or a grid of squares."""
        delegate = self.itemDelegate()
        if isinstance(delegate, TrayDelegate):
            delegate.in_rows = rows
        self.setFlow(QListView.Flow.TopToBottom if rows else QListView.Flow.LeftToRight)
        self.setWrapping(not rows)
        self._fit_grid()
        self.scheduleDelayedItemsLayout()

    def _fit_grid(self) -> None:
        """Spread as many squares as fit over the whole width."""
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
        """Ask for sharper pictures of what is still in sight."""
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
        """All of it: to ask where each of 10,000 selected photos lies takes longer than to paint those in sight."""
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
        """Where nothing is selected, the keyboard means the photo that it stands on."""
        if not self.picked and self.currentIndex().isValid():
            self.setCurrentIndex(self.currentIndex())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """By Tab there must be something in sight that shows where the keyboard is."""
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
        """Between tray and canvas, which paints its own."""
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
        """Put back what is being dragged."""
        if self._carrying:
            self._target.hand.cancel()
        self._stop_carrying()

    def keyboardSearch(self, search: str) -> None:
        """Letters are commands here; the field above finds names."""

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
