"""The widget that shows the sheet: tiles glide to each new layout; zoom, pan and fit; the words about a cell.

It paints by itself instead of being a QGraphicsView, because arrays of places let it paint ten thousand tiles in a
fraction of the time.

`Canvas` adds pointer, keyboard and cards. They act on a `SheetView`; if they acted on a `Canvas`, the modules would
import each other.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QHideEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from album_app.gui.canvas.book_pages import PageTitles, room_below
from album_app.gui.canvas.maps import HeatMap
from album_app.gui.canvas.motion import LONGEST_SECONDS, Fade
from album_app.gui.canvas.scene import Framed, Scene, Viewport
from album_app.gui.canvas.tiles.marks import CanvasColours
from album_app.gui.canvas.tiles.tile_cache import TileCache
from album_app.gui.state.session import Session
from album_app.language import shown, tr, trn
from album_app.layout.captions import row_words
from album_app.layout.colouring import Colouring
from album_app.layout.editing.timeline import TimeMark, time_marks
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

if TYPE_CHECKING:
    from album_app.layout.evaluation.region_names import Label
from album_app.file_names import undirected
from album_app.gui.state.pictures import DAMAGED, MISSING
from album_app.gui.style.wording import place_words, taken_words
from album_app.language import mark

STATE_WORDS = {MISSING: mark("File not found"), DAMAGED: mark("Cannot be read")}


def lines_about_cell(
    document: Document | None, cell: Cell | None, state: str = "", flaws: Mapping[int, str] | None = None
) -> list[str]:
    """The name of the photo in a cell, and further lines about it; an empty list where there is no such cell.

    `flaws` says what is missing of photos whose files are damaged.
    """
    if document is None or cell is None or cell not in document.shape:
        return []
    layout = document.layout
    number = None if layout is None or cell not in layout.shape else layout.photo_in(cell)
    if layout is None or number is None:
        return [tr("Empty cell")]
    photo = document.dated_photos[number]
    pinned = tr("Pinned") if document.pins.get(number) == cell else ""
    stack = len(document.stack_of.get(number, ()))
    piled = trn("Stack of {count} photo", "Stack of {count} photos", stack) if stack else ""
    return [
        line
        for line in (
            *(undirected(photo.name), undirected(document.captions.get(number, ""))),
            *(*map(undirected, row_words(photo)), *taken_words(photo)),
            *(shown((flaws or {}).get(number, photo.damage)), tr(STATE_WORDS.get(state, "")), piled, pinned),
        )
        if line
    ]


def line_about_cell(document: Document | None, cell: Cell | None) -> str:
    """What `lines_about_cell` gives, and the place on the sheet, in one line."""
    lines = lines_about_cell(document, cell)
    if document is None or cell is None or not lines:
        return ""
    return " · ".join([*lines, place_words(cell, document.shape.pages)])


FRAME_MS = 15
"""Milliseconds between two paintings while something moves."""
SHARPEN_MS = 15
"""Milliseconds from the last motion to asking for sharp tiles."""
IMPROVE_MS = 40
"""Milliseconds between two paintings while better tiles arrive."""
CARD_MS = 180
"""Milliseconds until a card appears next to the cell under the pointer."""
FLASH_SECONDS = LONGEST_SECONDS
"""How long a ring draws attention to a cell."""
ACTUAL_SIDE = 96.0
"""The side of a cell at 100 %, in logical pixels; a cell of an exported sheet has this side."""
STILL_MS = 3000
"""The sheet moves out of the way of a message once the pointer has rested on it for this many milliseconds."""
WHEEL_STEP = 1.15
"""The zoom factor of one step of the wheel."""
KEY_STEP = 1.25
"""The zoom factor of one key press."""
WHOLE_SHEET = "sheet"
"""Stands for the whole sheet among the cells that have a padlock."""
LARGEST_FITTED = 320.0
"""The largest step from cell to cell on a fitted sheet, in logical pixels."""


class SheetView(QWidget):
    """Shows the layout of the session, and words about its cells.

    Signals:
        hint(str): a sentence about what is under the pointer or dragged, "" for none
        menu_requested(QPoint): a context menu is wanted at this global position, for the session's selection
        large_requested(int): a photo is to be seen large
        files_dropped(list[Path], Cell | None): files from elsewhere were dropped on a cell, or outside all cells
        places_left(): the map of places where a photo could go is to be hidden
    """

    hint = Signal(str)
    menu_requested = Signal(QPoint)
    large_requested = Signal(int)
    files_dropped = Signal(list, object)
    places_left = Signal()

    def __init__(self, session: Session, tile_cache: TileCache, heatmap: HeatMap, colours: CanvasColours) -> None:
        super().__init__()
        self.session = session
        self.access: object = None  # the object for screen readers, kept alive here
        self.setObjectName("canvas")
        self.setAccessibleName(tr("Sheet"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.heatmap = heatmap
        self.heatmap.changed.connect(self.update)
        self.card_cell: Cell | None = None  # the cell that the card describes
        self.ghosts: Mapping[int, Cell] = {}  # photos that are proposed for these cells
        self.flash: tuple[tuple[Cell, ...], float] | None = None  # cells to draw attention to, and since when
        self.region_labels: list[Label] = []  # names written over regions
        self.colouring: Colouring | None = None  # colours of the photos' frames, by a column
        self.highlight: frozenset[int] | None = None  # photos that are not dimmed; None: no photo is dimmed
        self.new_photos: frozenset[int] = frozenset()  # photos that the last edit added
        self._album_size = 0
        session.document_changed.connect(self._mark_new_photos)
        self.page_titles = PageTitles()
        self._marks_wanted = False
        self.time_marks: Sequence[TimeMark] = ()
        self._described: Cell | None = None
        self._by_key = False  # whether the keyboard chose the cell that is described
        self._told = ""
        self._card_delay = QTimer(self, interval=CARD_MS, singleShot=True)
        self._card_delay.timeout.connect(self._show_card)
        self.colours = colours
        self.scene = Scene(tile_cache, colours)
        self.held: tuple[int, Cell] | None = None  # a dragged photo and its cell: not painted
        self._move = True
        self.holds: Fade[Cell | str] = Fade()  # the padlocks of cells, and of the whole sheet
        self._fitted = True
        self._covered_below = 0  # logical pixels along the lower edge that something else lies over
        self._clear_below = 0  # those that a fitted sheet keeps clear; it follows once no hand is on the sheet
        self._touched = QTimer(self, interval=STILL_MS, singleShot=True)  # runs while a hand is on the sheet
        self._touched.timeout.connect(self.clear_what_is_covered)
        self._view_before: tuple[bool, Viewport] | None = (
            None  # whether the sheet was fitted, and its view, while an earlier sheet is shown
        )
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
        """Fit the whole sheet into the window, also when the window changes its size later."""
        self._fitted, self._clear_below = True, self._covered_below
        self._look(self._fitted_view(self.scene.view.sheet))

    @Slot(int)
    def keep_clear_below(self, pixels: int) -> None:
        """Keep a strip along the lower edge free, because something lies over it: a fitted sheet glides out of it.

        While a hand is on the sheet it does not move, because the target of the hand would.
        """
        self._covered_below = pixels
        self.update()
        if not self._touched.isActive():
            self.clear_what_is_covered()

    def note_hand(self) -> None:
        """The pointer moves over the sheet or presses on it."""
        self._touched.start()

    def note_hand_gone(self) -> None:
        """The pointer left the sheet."""
        self._touched.stop()
        self.clear_what_is_covered()

    @Slot()
    def clear_what_is_covered(self) -> None:
        """Let a fitted sheet glide out of the strip that is covered, or into one that is free again."""
        document = self.session.document
        layout = None if document is None else document.layout
        if self.is_in_use:
            self._touched.start()
        elif self._clear_below != self._covered_below:
            self._clear_below = self._covered_below
            if self._fitted and layout is not None and self.scene.shape is not None:
                self._layout_changed(layout)

    @property
    def is_in_use(self) -> bool:
        """Whether the user drags something, so that nothing else may move the sheet."""
        return self.held is not None

    @property
    def clear_area(self) -> QRect:
        """The part of the canvas that nothing else covers, in logical pixels."""
        return self.rect().adjusted(0, 0, 0, -self._covered_below)

    @Slot()
    def actual_size(self) -> None:
        """Zoom to 100 %, the size of cells on an exported sheet, around the cell of the keyboard if there is one."""
        cell = self.session.cell
        if cell is None or self.scene.shape is None or cell not in self.scene.shape:
            self.zoom_by(1 / self.zoom)
        else:
            self.zoom_by(1 / self.zoom, self.cell_rect(cell).center())
            self.reveal(cell)

    def zoom_in(self) -> None:
        self._zoom_at_cell(KEY_STEP)

    def zoom_out(self) -> None:
        self._zoom_at_cell(1 / KEY_STEP)

    def _zoom_at_cell(self, factor: float) -> None:
        """Zoom around the cell of the keyboard if it is in sight."""
        cell, middle = self.session.cell, None
        if cell is not None and self.scene.shape is not None and cell in self.scene.shape:
            middle = self.cell_rect(cell).center()
        is_in_sight = middle is not None and self.rect().contains(middle.toPoint())
        self.zoom_by(factor, middle if is_in_sight else None)

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom; the point `at`, or the middle of the canvas, stays where it is."""
        point = (QPointF(self.rect().center()) if at is None else at) * self.ratio
        view = self.scene.view.zoomed(self.scene.view.pitch * factor, point.x(), point.y())
        self._fitted = False
        self._look(view.panned(0, 0, *self.device_size))

    def pan_by(self, dx: float, dy: float) -> None:
        """Move the sheet by logical pixels."""
        self._fitted = False
        self._look(self.scene.view.panned(dx * self.ratio, dy * self.ratio, *self.device_size))

    def reveal(self, cell: Cell) -> None:
        """Bring a cell into sight by as little as possible."""
        view = self.scene.view.showing(cell, *self.device_size)
        if view != self.scene.view:
            self._look(view)

    def set_motion(self, reduced: bool) -> None:
        """Set whether tiles jump instead of gliding."""
        self._move = self.scene.moves = not reduced

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
        """Whether nothing moves and no better tiles are about to be painted."""
        return not (self.restless or self._sharpening.isActive() or self._improving.isActive())

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

    def go_to(self, photo: int) -> None:
        """Bring a photo into sight, select it and draw attention to it."""
        self.go_to_all([photo])

    def go_to_all(self, photos: Sequence[int]) -> None:
        """Bring photos into sight, or the whole sheet if they are far apart; select them and draw attention to them."""
        layout = None if self.session.document is None else self.session.document.layout
        cells = {} if layout is None else {photo: layout.cell_of(photo) for photo in photos}
        there = {photo: cell for photo, cell in cells.items() if cell is not None}
        if not there:
            return
        self.session.select(tuple(there), list(there.values())[-1])
        for cell in there.values():
            self.reveal(cell)
        if not all(QRectF(self.rect()).contains(self.cell_rect(cell)) for cell in there.values()):
            self.fit()
        self.flash = (tuple(there.values()), self.now)
        self.animate()

    def set_highlight(self, photos: Iterable[int] | None) -> None:
        """Dim all photos but these; None dims no photo."""
        wanted = None if photos is None else frozenset(photos)
        if wanted != self.highlight:
            self.highlight = wanted
            self.update()

    @Slot(object)
    def set_region_labels(self, labels: "list[Label]") -> None:
        """Write names over regions of the sheet; an empty list removes them."""
        if labels != self.region_labels:
            self.region_labels = labels
            self.update()

    @Slot(object)
    def set_colouring(self, colouring: "Colouring | None") -> None:
        """Frame photos in these colours, with a legend; None removes the frames."""
        self.colouring = colouring
        self.update()

    @Slot()
    def _mark_new_photos(self) -> None:
        """Mark the photos that an edit added until the next edit."""
        document = self.session.document
        size = 0 if document is None else len(document.album)
        self.new_photos = frozenset(range(self._album_size, size)) if self._album_size else frozenset()
        self._album_size = size
        self.update()

    def set_overlay(self, name: str) -> None:
        """Show a map over the sheet: "", "confidence" or "places" (of the current photo)."""
        self.heatmap.switch(name)

    @Slot(bool)
    def set_time_marks(self, shown: bool) -> None:
        """Set whether days, months or years are shown along a timeline."""
        self._marks_wanted = shown
        self._mark_time()

    def _mark_time(self) -> None:
        """Find the marks of the sheet when its layout is final; until then the former marks stay."""
        document = self.session.document
        if document is None or not self._marks_wanted or not document.options.time_weight:
            self.time_marks = ()
        elif document.layout is not None and document.is_settled:
            self.time_marks = time_marks(document.layout, document.dated_photos)
        self.update()

    def describe(self, cell: Cell | None, delay: bool = True) -> None:
        """Describe a cell in the status bar and on a card next to it; None removes both."""
        self._described, self._by_key = cell, not delay
        self._tell()
        if delay and cell is not None and self.card_cell is None:
            self._card_delay.start()
        else:
            self._show_card()

    @property
    def card_by_key(self) -> bool:
        """Whether the card describes a cell because the keyboard went there."""
        return self._by_key and self.card_cell is not None

    def follow_keyboard(self) -> None:
        """Describe the cell of the keyboard instead of the former one, or nothing without the keyboard focus."""
        if self._described is not None and self._described != self.session.cell:
            self.describe(self.session.cell if self.hasFocus() else None, delay=False)
        else:
            self._tell()

    def _tell(self) -> None:
        """Send the words for the status bar if they have changed."""
        count = len(self.session.selected)
        several = trn("{count} photo selected", "{count} photos selected", count) if count > 1 else ""
        text = " · ".join(filter(None, (several, line_about_cell(self.session.document, self._described))))
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

    def show_layout(self) -> None:
        """Let every tile glide to its cell in the layout of the document."""
        document = self.session.document
        if document is not None and document.layout is not None:
            self._layout_changed(document.layout)

    def show_foreseen(self, layout: Layout) -> None:
        """Show the layout that an edit would lead to, until `show_layout`."""
        self._layout_changed(layout)

    def show_before(self, layout: Layout) -> None:
        """Show an earlier layout while a key is held; the view is kept for `show_now`."""
        if self._view_before is None:
            self._view_before = self._fitted, self.scene.view
        self._layout_changed(layout)

    def show_now(self) -> None:
        """Show the layout of the document and the former view again after `show_before`."""
        if self._view_before is not None:
            fitted, view = self._view_before
            self._view_before = None
            self.show_layout()
            if not fitted and self.session.document is not None and self.session.document.layout is not None:
                self._fitted = False
                self._look(view.of(self.session.document.layout))

    @property
    def is_showing_before(self) -> bool:
        return self._view_before is not None

    def animate(self) -> None:
        """Paint again and again until nothing moves."""
        self._clock.start()

    @property
    def restless(self) -> bool:
        """Whether the next painting would show something else."""
        changing = self.scene.is_changing(self.now) or not self.holds.over(self.now)
        return self.moving or changing or self.flash is not None

    @Slot()
    def repaint_tiles(self) -> None:
        """Compose the tiles again with the next painting, and ask for sharp ones soon."""
        self._stale = True
        self._sharpen_soon()
        self.update()

    @Slot()
    def _tiles_improved(self) -> None:
        """Show better tiles at most every IMPROVE_MS, because thousands of photos arrive in many handfuls."""
        if not self._improving.isActive():
            self._improving.start()

    @Slot()
    def _opened(self) -> None:
        document = self.session.document
        self.scene.tile_cache.reset()
        self.scene.clear(None if document is None else document.shape)
        self.fit()
        self.card_cell = self._described = self.flash = self.highlight = None
        self.new_photos = frozenset()
        self._album_size = 0 if document is None else len(document.album)
        self._told = ""
        self._show_holds(move=False)

    @Slot(str)
    def _document_changed(self, name: str) -> None:
        document = self.session.document
        self.scene.tile_cache.refresh()
        self._show_holds(move=self._move and self.isVisible())
        if document is not None and document.layout is None:
            self.scene.clear(document.shape)
            self.fit()
        self.repaint_tiles()

    def _show_holds(self, move: bool) -> None:
        """Let padlocks appear on what is held and disappear elsewhere."""
        document = self.session.document
        held: frozenset[Cell | str] = frozenset() if document is None else frozenset(document.held)
        if document is not None and document.is_held:
            held |= {WHOLE_SHEET}
        self.holds = self.holds.turned(held, self.now, move)
        if not self.holds.over(self.now):
            self.animate()

    @Slot(object)
    def _layout_changed(self, layout: Layout) -> None:
        first, former = not len(self.scene.glide.photos), self.scene.shape
        view = self.scene.view.of(layout)
        if former is None or not former.same_cells(layout.shape):
            self._fitted, self._clear_below = True, self._covered_below
        if self._fitted:
            view = self._fitted_view(layout)
        self.scene.show(layout, view, self.now, self._move and not first and self.isVisible())
        if self.moving:
            self.animate()
        self.repaint_tiles()
        self._mark_time()
        self._tell()

    @Slot()
    def _tick(self) -> None:
        if self.flash is not None and self.now > self.flash[1] + FLASH_SECONDS:
            self.flash = None
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

    def _fitted_view(self, sheet: Framed) -> Viewport:
        largest = LARGEST_FITTED * self.ratio
        width, height = self.device_size
        clear = height - self._clear_below * self.ratio
        return Viewport.fitted(sheet, width, clear, largest=largest, below=room_below(sheet))

    def _look(self, view: Viewport) -> None:
        self.scene.look(view)
        self.repaint_tiles()

    def paint_over(self, painter: QPainter) -> None:
        """Paint over the tiles, in device pixels; the canvas does."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._stale or self.moving:
            self.scene.resize(*self.device_size, self.ratio)
            self.scene.compose(self.now, self.held)
            self._stale = False
            if self.scene.is_changing(self.now) and not self._clock.isActive():
                self.animate()
            self._sharpen_soon()  # sizes of tiles are known only now, so an earlier request may have failed
        with QPainter(self) as painter:
            painter.scale(1 / self.ratio, 1 / self.ratio)
            painter.drawImage(QPoint(0, 0), self.scene.buffer.image, self.scene.buffer.source)
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
        """Zoom by pinching. If this was done in `event`, an error in any other handler would end the program."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_by(1 + event.value(), event.position())
            return True
        return False
