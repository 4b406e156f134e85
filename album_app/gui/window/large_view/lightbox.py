"""The large view as a widget: it opens and closes, goes from photo to photo, and acts on keys and pointer."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from album_app.gui.canvas.cards import CaptionField
from album_app.gui.canvas.keys import ARROWS
from album_app.gui.canvas.sheet_view import KEY_STEP, WHEEL_STEP
from album_app.gui.commands.actions import ACTIONS
from album_app.gui.state.details import Details
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.style.design import APART, DARK_ROOM, ROOM, WIDE
from album_app.gui.window.large_view import crop_mode
from album_app.gui.window.large_view.controls import (
    BAR_PX,
    BETWEEN,
    STRIP_PX,
    Controls,
    Filmstrip,
    PhotoEdits,
    facts_of,
    in_one_line,
    next_photo,
    row_of_photos,
)
from album_app.gui.window.large_view.crop_mode import HANDLE_PX, KEY_SHIFT, KEY_SHIFT_FAR, CropMode
from album_app.gui.window.large_view.panes import MOST_TOGETHER, Pane, PhotoZoom, SideBySide, Size
from album_app.language import mark, tr
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

GROUND, TEXT, FAINT = QColor(DARK_ROOM.ground), QColor(DARK_ROOM.text), QColor(DARK_ROOM.faint)
FOOT_PX = BAR_PX + STRIP_PX
"""Height of what lies below the photo: the line of facts and buttons, and the strip. Logical pixels, like all here."""
HELP = mark("Esc: back · arrows: neighbours · C: side by side · wheel or double-click: zoom")
CLICK_PX = 4
"""A press is a click if the pointer moves by less than this many pixels before it is released."""
CAPTION_WIDTH_PX, CAPTION_HEIGHT_PX = 560, 32
"""Size of the field for captions."""
REMARK_MS = 5000
"""For this long the line of facts says why an edit could not be made."""
HARMLESS = ("copy_photo", "viewer", "manager", "full_screen", "shortcuts", "quit")
"""Actions whose shortcuts work in the large view, too: they change nothing on the hidden sheet."""
DONE_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class Lightbox(QWidget):
    """Covers the window while photos are seen large; Esc, Enter or a click outside the photo closes it.

    Esc leads from several photos side by side to the current one first.

    Of several photos side by side one is current: the arrows choose it, and buttons and facts are about it.
    """

    def __init__(self, window: QWidget, session: Session, photos: PhotoStore, details: Details) -> None:
        super().__init__(window)
        self._window, self._session, self._photos, self._details = window, session, photos, details
        self._camera: str | None = None
        self._pressed: QPointF | None = None
        self._dragged = 0.0
        self._came_from: QWidget | None = None
        self._passed = {QKeySequence(keys) for e in ACTIONS if e.key in HARMLESS for keys in e.shortcuts}
        self._cell: Cell | None = None  # the last cell of the photo: the arrows start there once it is excluded
        self._only_crops = False  # whether the view was opened to choose a crop, and closes when that is done
        self._remark = ""  # why the last edit could not be made
        self.row: tuple[int, ...] = ()  # the photos that the arrows go through; empty if they go over the sheet
        self.shown = SideBySide(details, self._area, self._fit, self.update, self._tell)
        self.film = Filmstrip(photos.pictures)
        self.cropping = CropMode(session, photos)
        self.edits = PhotoEdits(session, self)
        self.edits.refused.connect(self._on_refusal)
        self.facts_shown = False
        self.setObjectName("lightbox")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._build()
        self.hide()
        window.installEventFilter(self)
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._on_document)
        session.layout_changed.connect(self._on_document)

    def _build(self) -> None:
        self.controls = Controls(
            self,
            {
                "left": partial(self._go, 0, -1),
                "right": partial(self._go, 0, 1),
                "close": self.close_view,
                "pin": self.toggle_pin,
                "always": self.toggle_always_shown,
                "exclude": self.toggle_excluded,
                "caption": self.write_caption,
                "crop": self.begin_crop,
                "compare": self.add_pane,
                "facts": self.toggle_facts,
                "more": partial(self._crop_zoom, 1 / KEY_STEP),
                "less": partial(self._crop_zoom, KEY_STEP),
                "reset": self._crop_reset,
                "cancel": self._crop_leave,
                "done": self.keep_crop,
            },
        )
        self.caption_field = CaptionField(self._session)
        self.caption_field.setParent(self)
        self.caption_field.hide()
        self.caption_field.stepped.connect(self._caption_next)
        self.caption_field.ended.connect(self._end_caption)

    @property
    def panes(self) -> list[Pane]:
        return self.shown.panes

    @property
    def pane(self) -> Pane:
        return self.shown.pane

    @property
    def photo(self) -> int:
        return self.pane.photo

    @property
    def zoom(self) -> PhotoZoom:
        return self.pane.zoom

    @property
    def strip(self) -> list[tuple[int, QRectF]]:
        """The photos in the strip, and where they are painted."""
        return self.film.tiles

    def open(self, photo: int, listed: Sequence[int], together: Sequence[int] = (), crop: bool = False) -> None:
        """Show a photo over the whole window, side by side with the others of `together` if these are not too many.

        From a photo without a cell, the arrows go through its stack, or else through the photos that are `listed`.
        With `crop`, begin to choose the crop of the photo, and close again when that is done.
        """
        document = self._session.document
        self.row = () if document is None else row_of_photos(document, photo, listed)
        if not self.isVisible():
            self._came_from = QApplication.focusWidget()
            self._cell = self._session.cell
            self.facts_shown = False
            self.edits.begin()
            self._only_crops = crop
        self.cropping.leave()
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.setFocus()
        several = 1 < len(together) <= MOST_TOGETHER and photo in together
        self.show_together(together if several else [photo], photo)
        if crop:
            self.begin_crop()

    @Slot()
    def _on_opened(self) -> None:
        """Another album is open: nothing of the former one is kept."""
        self.cropping.leave()
        self.close_view()

    def close_view(self) -> None:
        """Close, and give the keyboard back to the widget that had it; a crop that is being chosen is kept."""
        if not self.isHidden():
            if self.cropping.is_on:
                self.cropping.keep()
            self.shown.clear()
            if self._came_from is not None:
                self._came_from.setFocus()
            self.hide()
            self._came_from = None

    def show_photo(self, photo: int) -> None:
        """Show another photo in the current pane: its thumbnail at once, and the photo itself when it has been read."""
        self._fill(self.shown.current, photo)
        self._follow()

    def show_together(self, photos: Sequence[int], current: int) -> None:
        """Show these photos side by side, each of them whole."""
        self.shown.show(photos, current)
        for place, photo in enumerate(photos):
            self._fill(place, photo)
        self._follow()

    def _fill(self, place: int, photo: int) -> None:
        document = self._session.document
        if document is not None and 0 <= photo < len(document.album):
            entry = document.album.photos[photo]
            pixels = self._photos.pictures.look(photo)
            self.shown.put(place, photo, max(1, entry.width), max(1, entry.height), pixels)

    def _fit(self, width: float, height: float, room: Size) -> PhotoZoom:
        """The whole photo, with a margin around it while it is cropped."""
        if self.cropping.is_on:
            return self.cropping.fitted(width, height, room, self.devicePixelRatioF())
        return PhotoZoom.fitted(width, height, room)

    def _follow(self) -> None:
        """Another photo is current: have it read, and show its facts, its neighbours and what can be done with it."""
        document = self._session.document
        if document is not None and document.layout is not None:
            self._cell = document.layout.cell_of(self.photo) or self._cell
        self._camera = None
        self._remark = ""
        self.shown.read()
        if self.facts_shown:
            self._read_camera()
        self._lay_out_strip()
        self._tell()

    def add_pane(self) -> None:
        """Show one more photo next to those already shown: the next one in the strip that is not shown yet."""
        document = self._session.document
        if document is None or len(self.panes) >= MOST_TOGETHER:
            return
        shown, order = self.shown.photos, self._neighbours(document)
        others = [photo for photo in order if photo not in shown]
        place = order.index(self.photo) if self.photo in order else 0
        following = [photo for photo in order[place:] if photo in others] or others[::-1]
        if following:
            self.show_together([*shown, following[0]], self.photo)

    def _read_camera(self) -> None:
        photo = self.photo

        def on_read(camera: str) -> None:
            if photo == self.photo:
                self._camera = camera
                self._tell()

        self._details.read_camera(photo, on_read)

    @Slot()
    def _on_document(self) -> None:
        if not self.isHidden():
            self._lay_out_strip()
            self._tell()

    def _tell(self) -> None:
        self.setAccessibleName(BETWEEN.join(self.facts))
        document = self._session.document
        if document is not None:
            self.controls.show_state(document, self.photo, self.facts_shown, len(self.panes) < MOST_TOGETHER)
        self.controls.show_cropping(self.cropping.is_on, self.cropping.chosen is not None)
        self.update()

    @Slot(str)
    def _on_refusal(self, text: str) -> None:
        self._remark = text
        QTimer.singleShot(REMARK_MS, self, self._forget_remark)
        self._tell()

    @Slot()
    def _forget_remark(self) -> None:
        self._remark = ""
        self._tell()

    def toggle_pin(self) -> None:
        self.edits.toggle_pin(self.photo)

    def toggle_excluded(self) -> None:
        self.edits.toggle_excluded(self.photo)

    def toggle_always_shown(self) -> None:
        self.edits.toggle_always_shown(self.photo)

    def begin_crop(self) -> None:
        """Begin to choose the part of the current photo that its frame shows."""
        document = self._session.document
        if document is not None and self.photo not in document.missing:
            self.cropping.begin(self.photo)
            self.show_together([self.photo], self.photo)

    def keep_crop(self) -> None:
        """Crop the photo as chosen, and go back to where the user came from: the photo seen large, or the sheet."""
        self.cropping.keep()
        self._after_crop()

    def _crop_leave(self) -> None:
        self.cropping.leave()
        self._after_crop()

    def _after_crop(self) -> None:
        if self._only_crops:
            self.close_view()
            return
        self.setFocus()
        self.show_photo(self.photo)

    def _crop_reset(self) -> None:
        self.cropping.reset()
        self._tell()

    def _crop_zoom(self, factor: float) -> None:
        self.cropping.zoom(factor)
        self._tell()

    def _neighbours(self, document: Document) -> list[int]:
        """The photos in the strip: those of the row, or if it is empty those of the sheet in reading order."""
        if self.row or document.layout is None:
            return list(self.row)
        return [photo for photo in dict.fromkeys(document.layout.in_order.tolist()) if photo >= 0]

    def _lay_out_strip(self) -> None:
        document = self._session.document
        order = [] if document is None else self._neighbours(document)
        self.film.lay_out(order, self.photo, self.width(), self.height())

    @property
    def facts(self) -> list[str]:
        """What is said about the current photo, or about its crop while it is being chosen."""
        document = self._session.document
        if document is None:
            return []
        if self.cropping.is_on:
            return [self.cropping.words(document.short_name(self.photo))]
        known = 0 <= self.photo < len(document.album)
        damage = document.album.photos[self.photo].damage if known else ""
        flaw = self._photos.pictures.flaws.get(self.photo, damage)
        return facts_of(document, self.pane, self.row, self.facts_shown, self._camera, flaw)

    def line_within(self, width: float, font: QFontMetrics) -> str:
        """The line of facts: the facts shortened to this width, or why the last edit could not be made."""
        if self._remark:
            return font.elidedText(self._remark, Qt.TextElideMode.ElideRight, int(width))
        seen = [] if self.cropping.is_on else [f"{round(100 * self.zoom.scale)} %"]
        return in_one_line([*self.facts, *seen], width, font)

    def _area(self) -> tuple[Size, float]:
        """The size of the area for photos in device pixels, and the device pixels per logical pixel."""
        ratio = self.devicePixelRatioF()
        return (self.width() * ratio, (self.height() - FOOT_PX) * ratio), ratio

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), GROUND)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.save()
            painter.scale(1 / ratio, 1 / ratio)
            self.shown.paint(painter)
            if self.cropping.is_on:
                self.cropping.paint(painter, self.shown.photo_rect, ratio)
            painter.restore()
            self._paint_bar(painter)
            self.film.paint(painter, self.photo, self.shown.photos)

    def _paint_bar(self, painter: QPainter) -> None:
        bar = QRectF(0, self.height() - FOOT_PX, self.width(), FOOT_PX)
        painter.fillRect(bar, QColor(DARK_ROOM.bar))
        taken = self.controls.bar_width
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        words = QRectF(taken if mirrored else ROOM, bar.top(), self.width() - taken - ROOM, BAR_PX)
        start, end = Qt.AlignmentFlag.AlignLeading, Qt.AlignmentFlag.AlignTrailing
        painter.setPen(TEXT)
        line, metrics = self.line_within(words.width(), painter.fontMetrics()), painter.fontMetrics()
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | start, line)
        keys = tr(crop_mode.HELP if self.cropping.is_on else HELP)
        if metrics.horizontalAdvance(line) + metrics.horizontalAdvance(keys) + 2 * WIDE < words.width():
            painter.setPen(FAINT)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | end, keys)

    def write_caption(self) -> None:
        """Show the field for the caption of the current photo."""
        width = min(CAPTION_WIDTH_PX, self.width() - 2 * APART)
        top = self.height() - FOOT_PX - CAPTION_HEIGHT_PX - ROOM
        self.caption_field.setGeometry((self.width() - width) // 2, top, width, CAPTION_HEIGHT_PX)
        self.caption_field.show()
        self.caption_field.raise_()
        self.caption_field.begin(self.photo)

    @Slot(int)
    def _caption_next(self, step: int) -> None:
        if self._step(step):
            self.caption_field.begin(self.photo)
        else:
            self._end_caption()

    @Slot()
    def _end_caption(self) -> None:
        self.setFocus()
        self.caption_field.hide()
        self._tell()

    def toggle_facts(self) -> None:
        """Show or hide date, camera and size."""
        self.facts_shown = not self.facts_shown
        if self.facts_shown and self._camera is None:
            self._read_camera()
        self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Undo):
            self.edits.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.edits.redo()
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._step(1 if key == Qt.Key.Key_PageDown else -1)
        elif self.cropping.is_on:
            self._press_in_crop(key, event.modifiers())
        else:
            self._press_in_view(key, event.modifiers())

    def _press_in_view(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
        doing = {Qt.Key.Key_I: self.toggle_facts, Qt.Key.Key_P: self.toggle_pin, Qt.Key.Key_X: self.toggle_excluded}
        doing |= {Qt.Key.Key_C: self.add_pane, Qt.Key.Key_F2: self.write_caption, Qt.Key.Key_K: self.begin_crop}
        doing |= {Qt.Key.Key_A: self.toggle_always_shown}
        plain = not modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        step = ARROWS.get(key)
        if step is not None:
            self._go(*step)
        elif key == Qt.Key.Key_Escape and len(self.panes) > 1:
            self.show_together([self.photo], self.photo)
        elif key == Qt.Key.Key_Escape or key in DONE_KEYS:
            self.close_view()
        elif plain and key in doing:
            doing[key]()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            self.shown.zoom_by(KEY_STEP if key == Qt.Key.Key_Plus else 1 / KEY_STEP)
        elif key == Qt.Key.Key_1:
            self.shown.show_actual()
        elif key == Qt.Key.Key_0:
            self.shown.show_whole()

    def _press_in_crop(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
        step = ARROWS.get(key)
        if step is not None:
            far = KEY_SHIFT_FAR if modifiers & Qt.KeyboardModifier.ShiftModifier else KEY_SHIFT
            self.cropping.shift(step[1] * far, step[0] * far)
            self._tell()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            self._crop_zoom(KEY_STEP if key == Qt.Key.Key_Plus else 1 / KEY_STEP)
        elif key == Qt.Key.Key_0:
            self._crop_reset()
        elif key in DONE_KEYS or key == Qt.Key.Key_K:
            self.keep_crop()
        elif key == Qt.Key.Key_Escape:
            self._crop_leave()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = WHEEL_STEP ** (event.angleDelta().y() / 120)
        if self.cropping.is_on:
            self._crop_zoom(turn)
        else:
            self._point_at(event.position())
            self.shown.zoom_by(turn, event.position() * self.devicePixelRatioF())
        event.accept()

    def _point_at(self, at: QPointF) -> bool:
        """Make the photo under the pointer current; returns whether a pane is there."""
        found = self.shown.pane_at(at * self.devicePixelRatioF())
        if found is not None and found != self.shown.current:
            self._make_current(found)
        return found is not None

    def _make_current(self, place: int) -> None:
        """Make the photo of this pane current."""
        self.shown.current = place
        self._follow()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        chosen, shown = self.film.photo_at(event.position()), self.shown.photos
        if chosen is not None and chosen not in shown:
            self._select(chosen)
        elif chosen is not None:
            self._make_current(shown.index(chosen))
        elif self.cropping.is_on:
            ratio = self.devicePixelRatioF()
            self.cropping.hold(event.position() * ratio, self.shown.photo_rect, HANDLE_PX * ratio)
        elif self._point_at(event.position()):
            self._pressed, self._dragged = event.position(), 0.0

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self.cropping.is_held:
            self.cropping.drag(event.position() * ratio, self.shown.photo_rect)
            self._tell()
        elif self._pressed is not None:
            way, self._pressed = event.position() - self._pressed, event.position()
            self._dragged += way.manhattanLength()
            self.shown.pan(way * ratio)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.cropping.let_go()
        at = event.position() * self.devicePixelRatioF()
        clicked = self._pressed is not None and self._dragged < CLICK_PX
        self._pressed = None
        if clicked and len(self.panes) == 1 and not self.shown.photo_rect.contains(at):
            self.close_view()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.cropping.is_on:
            self._crop_reset()
        elif self._point_at(event.position()):
            self.shown.toggle_actual(event.position() * self.devicePixelRatioF())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.controls.place(self.width(), self.height(), FOOT_PX)
        self._lay_out_strip()
        if self.cropping.is_on:
            self.shown.show_whole()
        else:
            self.shown.resize()
        self.update()

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self.setGeometry(self._window.rect())
        return False

    def _go(self, down: int, across: int) -> None:
        """Go to the next photo in a direction; with photos side by side, make the next of them current."""
        document = self._session.document
        if len(self.panes) > 1:
            self._make_current((self.shown.current + down + across) % len(self.panes))
            return
        photo = None if document is None else next_photo(document, self.row, self.photo, down, across, self._cell)
        if photo is not None:
            self._select(photo)

    def _step(self, step: int) -> bool:
        """Go to the next photo in reading order, for -1 to the previous one; returns whether there was one."""
        document = self._session.document
        order = [] if document is None else self._neighbours(document)
        place = order.index(self.photo) + step if self.photo in order else -1
        if 0 <= place < len(order):
            self._select(order[place])
            return True
        return False

    def _select(self, photo: int) -> None:
        """Show another photo and select it on the sheet, too; a crop that is being chosen is kept first."""
        document = self._session.document
        if document is None:
            return
        if self.cropping.is_on:
            self.cropping.keep()
            self.cropping.begin(photo)
        self._session.select((photo,), None if document.layout is None else document.layout.cell_of(photo))
        self.show_photo(photo)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the photo and the buttons of this view alone, because everything else is hidden."""
        stops = [self, *self.controls.in_focus_order]
        focused = self._window.focusWidget()
        place = stops.index(focused) if focused in stops else 0
        stops[(place + (1 if forward else -1)) % len(stops)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the keyboard back from a widget that appears below the view; it gets it once the view is closed."""
        writing = self.caption_field.isVisible()
        if event.reason() == Qt.FocusReason.OtherFocusReason and not (self.isHidden() or writing):
            self._came_from = QApplication.focusWidget() or self._came_from
            QTimer.singleShot(0, self, self._take_keyboard)

    @Slot()
    def _take_keyboard(self) -> None:
        if not self.isHidden():
            self.setFocus()

    def event(self, event: QEvent) -> bool:
        """Keep all shortcuts from the window but the harmless ones, because they would change what is hidden."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            event.setAccepted(QKeySequence(event.keyCombination()) not in self._passed)
            return True
        return super().event(event)
