"""The sheet as one widget that paints: tiles glide to each new layout; zoom, pan and fit.

By hand and not a QGraphicsView: ten thousand tiles are painted in a fraction of its time from arrays of places.
"""

import time

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt, QTimer, Slot
from PySide6.QtGui import (
    QHideEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from album_app.gui.canvas.book_pages import room_below
from album_app.gui.canvas.scene import Scene
from album_app.gui.canvas.tiles.placeholders import CanvasColours
from album_app.gui.canvas.tiles.tile_cache import TileCache
from album_app.gui.canvas.viewport import Viewport
from album_app.gui.state.session import Session
from album_app.layout.layout import Layout
from album_app.layout.shapes.lattice import SQUARE
from album_app.layout.shapes.shape import Cell

FRAME_MS = 15
SHARPEN_MS = 15
IMPROVE_MS = 40
ACTUAL_SIDE = 96.0
WHEEL_STEP = 1.15
KEY_STEP = 1.25
LARGEST_FITTED = 320.0


class SheetView(QWidget):
    """Shows the session's layout; a subclass paints over it and reacts to the hand."""

    def __init__(self, session: Session, tile_cache: TileCache, colours: CanvasColours) -> None:
        super().__init__()
        self.session = session
        self.colours = colours
        self.scene = Scene(tile_cache, colours)
        self.held: tuple[int, Cell] | None = None  # a photo in the hand and where it came from: its tile is not painted
        self._move = True
        self._fitted = True
        self._stale = True
        self.installEventFilter(self)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 120)
        self._clock = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._clock.timeout.connect(self._tick)
        self._sharpening = QTimer(self, interval=SHARPEN_MS, singleShot=True)
        self._sharpening.timeout.connect(self._sharpen)
        session.opened.connect(self._opened)
        session.document_changed.connect(self._document_changed)
        session.layout_changed.connect(self._layout_changed)
        self._improving = QTimer(self, interval=IMPROVE_MS, singleShot=True)
        self._improving.timeout.connect(self.repaint_tiles)
        self.scene.tile_cache.improved.connect(self._tiles_improved)

    @Slot()
    def fit(self) -> None:
        """The whole sheet in the window, and so it stays when the window changes."""
        self._fitted = True
        self._look(self._fitted_view())

    @Slot()
    def actual_size(self) -> None:
        """100 %: cells as large as an exported sheet has them."""
        self.zoom_by(1 / self.zoom)

    def zoom_in(self) -> None:
        self.zoom_by(KEY_STEP)

    def zoom_out(self) -> None:
        self.zoom_by(1 / KEY_STEP)

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Larger or smaller, keeping the point `at` (the middle if None) where it is."""
        point = (QPointF(self.rect().center()) if at is None else at) * self.ratio
        view = self.scene.view.zoomed(self.scene.view.pitch * factor, point.x(), point.y())
        self._fitted = False
        self._look(view.panned(0, 0, *self.device_size))

    def pan_by(self, dx: float, dy: float) -> None:
        """Push the sheet, by logical pixels."""
        self._fitted = False
        self._look(self.scene.view.panned(dx * self.ratio, dy * self.ratio, *self.device_size))

    def reveal(self, cell: Cell) -> None:
        """Bring a cell into sight by as little as possible."""
        view = self.scene.view.showing(cell, *self.device_size)
        if view != self.scene.view:
            self._look(view)

    def set_motion(self, reduced: bool) -> None:
        """Whether tiles jump instead of gliding."""
        self._move = not reduced

    def set_colours(self, colours: CanvasColours) -> None:
        """Dress for another theme."""
        self.colours = colours
        self.scene.set_colours(colours)
        self.scene.tile_cache.set_colours(colours)
        self.repaint_tiles()

    @property
    def now(self) -> float:
        return time.monotonic()

    @property
    def ratio(self) -> float:
        """Device pixels per logical pixel."""
        return self.devicePixelRatioF()

    @property
    def device_size(self) -> tuple[int, int]:
        return max(1, round(self.width() * self.ratio)), max(1, round(self.height() * self.ratio))

    @property
    def zoom(self) -> float:
        """1.0 where cells are as large as on an exported sheet."""
        return self.scene.view.side / (ACTUAL_SIDE * self.ratio)

    @property
    def moving(self) -> bool:
        """Whether tiles are on their way."""
        return not self.scene.glide.over(self.now)

    @property
    def at_rest(self) -> bool:
        """Whether nothing moves, and nothing sharper is about to be painted."""
        return not (self.moving or self._sharpening.isActive() or self._improving.isActive())

    def cell_at(self, position: QPointF) -> Cell | None:
        """The cell under a point of the widget."""
        return self.scene.cell_at(position.x() * self.ratio, position.y() * self.ratio)

    def cell_rect(self, cell: Cell) -> QRectF:
        """Where a cell is in the widget, in logical pixels."""
        rect = self.scene.rect_of(cell)
        return QRectF(rect.topLeft() / self.ratio, rect.size() / self.ratio)

    def sheet_rect(self) -> QRectF:
        """Where the whole sheet is in the widget, in logical pixels."""
        view = self.scene.view
        return QRectF(QPointF(view.geometry.left, view.geometry.top) / self.ratio, QSizeF(*view.size) / self.ratio)

    def show_layout(self) -> None:
        """Send every tile to where it belongs, from wherever it is."""
        document = self.session.document
        if document is not None and document.layout is not None:
            self._layout_changed(document.layout)

    def animate(self) -> None:
        """Paint frame after frame until everything has come to rest."""
        self._clock.start()

    @property
    def restless(self) -> bool:
        """Whether there is something that the next frame would show otherwise."""
        return self.moving

    @Slot()
    def repaint_tiles(self) -> None:
        """Compose the tiles anew with the next painting, and make them sharp soon."""
        self._stale = True
        self._sharpen_soon()
        self.update()

    @Slot()
    def _tiles_improved(self) -> None:
        """Show better tiles soon; while thousands of photos arrive, not each handful at once."""
        if not self._improving.isActive():
            self._improving.start()

    @Slot()
    def _opened(self) -> None:
        document = self.session.document
        self.scene.tile_cache.reset()
        self.scene.clear(None if document is None else document.shape)
        self.fit()

    @Slot(str)
    def _document_changed(self, name: str) -> None:
        document = self.session.document
        self.scene.tile_cache.refresh()
        if document is not None and document.layout is None:
            self.scene.clear(document.shape)
            self.fit()
        self.repaint_tiles()

    @Slot(object)
    def _layout_changed(self, layout: Layout) -> None:
        first = not len(self.scene.glide.photos)
        self.scene.show(layout, self.now, self._move and not first and self.isVisible())
        if self.scene.view.grid != layout.shape.grid:
            self.fit()
        if self.moving:
            self.animate()
        self.repaint_tiles()

    @Slot()
    def _tick(self) -> None:
        if not self.restless:
            self._clock.stop()
        self.repaint_tiles()

    def _sharpen_soon(self) -> None:
        if self.isVisible() and not self._sharpening.isActive():
            self._sharpening.start()

    @Slot()
    def _sharpen(self) -> None:
        if self.moving:
            self._sharpening.start()
        else:
            self.scene.sharpen()

    def _fitted_view(self) -> Viewport:
        shape = self.scene.shape
        rows, columns, lattice = (1, 1, SQUARE) if shape is None else shape.grid
        largest, below = LARGEST_FITTED * self.ratio, room_below(shape)
        return Viewport.fitted(rows, columns, *self.device_size, largest=largest, below=below, lattice=lattice)

    def _look(self, view: Viewport) -> None:
        self.scene.look(view, self.now)
        self.repaint_tiles()

    def paint_over(self, painter: QPainter) -> None:
        """What lies over the tiles, in device pixels."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._stale or self.moving:
            self.scene.resize(*self.device_size, self.ratio)
            self.scene.compose(self.now, self.held)
            self._stale = False
            self._sharpen_soon()  # how large tiles are is known by now; an impatient timer may have been too early
        with QPainter(self) as painter:
            painter.scale(1 / self.ratio, 1 / self.ratio)
            painter.drawImage(QPoint(0, 0), self.scene.frame.image, self.scene.frame.source)
            self.paint_over(painter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._fitted:
            self.fit()
        elif event.oldSize().isValid():
            grown = event.size() - event.oldSize()
            self.pan_by(grown.width() / 2, grown.height() / 2)

    def showEvent(self, event: QShowEvent) -> None:
        self.repaint_tiles()

    def hideEvent(self, event: QHideEvent) -> None:
        self._clock.stop()
        self._sharpening.stop()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.fit()
        super().changeEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta()
        if turn.x() and not turn.y():
            self.pan_by(turn.x() / 4, 0)
        elif turn.y():
            self.zoom_by(WHEEL_STEP ** (turn.y() / 120), event.position())
        event.accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pinching; not in `event`, beneath which an error in any other handler would end the program."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_by(1 + event.value(), event.position())
            return True
        return False
