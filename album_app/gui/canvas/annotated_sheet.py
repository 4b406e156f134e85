"""The sheet with what is told about its cells: a sentence, a card beside one, a map over all, a flash."""

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from album_app.gui.canvas.book_pages import PageTitles
from album_app.gui.canvas.caption import caption
from album_app.gui.canvas.heatmap import HeatMap
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.canvas.tiles.placeholders import CanvasColours
from album_app.gui.canvas.tiles.tile_cache import TileCache
from album_app.gui.state.session import Session
from album_app.language import tr, trn
from album_app.layout.editing.timeline import TimeMark, time_marks
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import Cell

CARD_MS = 180
FLASH_SECONDS = 0.8


class AnnotatedSheet(SheetView):
    """What gestures act on; they tell the window through its signals.

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

    def __init__(self, session: Session, tile_cache: TileCache, heatmap: HeatMap, colours: CanvasColours) -> None:
        super().__init__(session, tile_cache, colours)
        self.access: object = None  # what a screen reader asks for the cells, once it has asked
        self.setObjectName("canvas")
        self.setAccessibleName(tr("Sheet"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.heatmap = heatmap
        self.heatmap.changed.connect(self.update)
        self.card_cell: Cell | None = None  # the cell that the card describes
        self.ghosts: Mapping[int, Cell] = {}  # photos that are proposed for these cells
        self.flash: tuple[tuple[Cell, ...], float] | None = None  # cells to draw attention to, and since when
        self.highlight: frozenset[int] | None = None  # photos to stand out while the others are dimmed; None for all
        self.new_photos: frozenset[int] = frozenset()  # photos that the last edit added
        self._album_size = 0
        session.document_changed.connect(self._mark_new_photos)
        self.page_titles = PageTitles()
        self._marks_wanted = False
        self.time_marks: Sequence[TimeMark] = ()
        self._described: Cell | None = None
        self._told = ""
        self._card_delay = QTimer(self, interval=CARD_MS, singleShot=True)
        self._card_delay.timeout.connect(self._show_card)

    def go_to(self, photo: int) -> None:
        """Bring a photo into sight, select it and draw attention to it."""
        self.go_to_all([photo])

    def go_to_all(self, photos: Sequence[int]) -> None:
        """Bring photos into sight, the whole sheet where they are far apart; select them and draw attention to them."""
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
        """Have photos stand out and dim all others; None shows every photo alike."""
        wanted = None if photos is None else frozenset(photos)
        if wanted != self.highlight:
            self.highlight = wanted
            self.update()

    @Slot()
    def _mark_new_photos(self) -> None:
        """Photos that an edit added are marked until the next edit."""
        document = self.session.document
        size = 0 if document is None else len(document.album)
        self.new_photos = frozenset(range(self._album_size, size)) if self._album_size else frozenset()
        self._album_size = size
        self.update()

    @Slot()
    def actual_size(self) -> None:
        """100 % around the cell of the keyboard, where there is one."""
        cell = self.session.cell
        if cell is None or self.scene.shape is None or cell not in self.scene.shape:
            super().actual_size()
        else:
            self.zoom_by(1 / self.zoom, self.cell_rect(cell).center())
            self.reveal(cell)

    def set_overlay(self, name: str) -> None:
        """Show a map over the sheet: "", "confidence" or "places" (of the current photo)."""
        self.heatmap.switch(name)

    @Slot(bool)
    def set_time_marks(self, shown: bool) -> None:
        """Whether days, months or years stand along the edge of a timeline."""
        self._marks_wanted = shown
        self._mark_time()

    def _mark_time(self) -> None:
        """Find the marks of the sheet once it is settled; on the way there those of the sheet before stay."""
        document = self.session.document
        if document is None or not self._marks_wanted or not document.options.time_weight:
            self.time_marks = ()
        elif document.layout is not None and document.is_settled:
            self.time_marks = time_marks(document.layout, document.album.photos)
        self.update()

    def describe(self, cell: Cell | None, delay: bool = True) -> None:
        """Tell about a cell in the status bar and on a card beside it; None takes both away."""
        self._described = cell
        self._tell()
        if delay and cell is not None and self.card_cell is None:
            self._card_delay.start()
        else:
            self._show_card()

    def follow_keyboard(self) -> None:
        """What is told is about the keyboard's cell now, or about nothing while the keyboard is elsewhere."""
        if self._described is not None and self._described != self.session.cell:
            self.describe(self.session.cell if self.hasFocus() else None, delay=False)
        else:
            self._tell()

    def _tell(self) -> None:
        """Say in the status bar what is there now, where that has changed."""
        count = len(self.session.selected)
        several = trn("{count} photo selected", "{count} photos selected", count) if count > 1 else ""
        text = " · ".join(filter(None, (several, caption(self.session.document, self._described))))
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

    @Slot()
    def _opened(self) -> None:
        super()._opened()
        self.card_cell = self._described = self.flash = self.highlight = None
        self.new_photos = frozenset()
        self._album_size = 0 if self.session.document is None else len(self.session.document.album)
        self._told = ""

    @Slot(object)
    def _layout_changed(self, layout: Layout) -> None:
        super()._layout_changed(layout)
        self._mark_time()
        self._tell()

    @property
    def restless(self) -> bool:
        return super().restless or self.flash is not None

    @Slot()
    def _tick(self) -> None:
        if self.flash is not None and self.now > self.flash[1] + FLASH_SECONDS:
            self.flash = None
        super()._tick()
