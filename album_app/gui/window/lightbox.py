"""Photos over the whole window, on dark ground: one, or two to four side by side that are zoomed together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from album_app.file_names import undirected
from album_app.gui.canvas.caption_card import CaptionField
from album_app.gui.canvas.keys import ARROWS
from album_app.gui.canvas.photo_walk import next_photo, row_of_photos
from album_app.gui.canvas.photo_zoom import PhotoZoom
from album_app.gui.canvas.sheet_view import KEY_STEP, WHEEL_STEP
from album_app.gui.commands.actions import ACTIONS
from album_app.gui.controls.sections import named
from album_app.gui.state.details import Details
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pixels, as_image
from album_app.gui.state.session import Session
from album_app.gui.style.design import DARK_ROOM, ICON_PX, ROOM, ROUND_SMALL, SNUG, TIGHT
from album_app.gui.style.icons import icon
from album_app.gui.style.wording import in_bytes, place_words, taken_words
from album_app.language import mark, number, tr
from album_app.layout.captions import caption_of
from album_app.layout.editing.drops import pinned_or_let_go
from album_app.layout.editing.edits import excluded, included
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

GROUND, TEXT, FAINT = QColor(DARK_ROOM.ground), QColor(DARK_ROOM.text), QColor(DARK_ROOM.faint)
BAR, STRIP = 44, 68
FOOT = BAR + STRIP
"""Heights in pixels below the photo: the line of facts and buttons, the strip of neighbours, and both."""
TILE = 52
"""The side of a photo in the strip, in pixels."""
ROUND_BUTTON = 40
MOST_TOGETHER = 4
SEAM = 4
"""Pixels between photos that are seen side by side."""
BETWEEN = "   ·   "
HELP = mark("Esc back · arrows: neighbours · wheel or double-click: zoom · F2: caption")
A_CLICK = 4
CAPTION_WIDTH, CAPTION_HEIGHT = 560, 32
HARMLESS = ("copy_photo", "viewer", "manager", "full_screen", "shortcuts", "quit")
"""Actions whose shortcuts work here too: they change nothing that is hidden."""


@dataclass
class Pane:
    """One photo in its part of the view."""

    photo: int
    zoom: PhotoZoom
    pixels: Pixels | None = None
    asked: int = 0  # the longer side, in pixels, that was asked for last
    reading: bool = False


class Lightbox(QWidget):
    """Covers the window while photos are seen large; Esc, Enter or a click outside the photo goes back.

    Of photos side by side one is current: the arrows choose it, and buttons and facts are about it.
    """

    def __init__(self, window: QWidget, session: Session, photos: PhotoStore, details: Details) -> None:
        super().__init__(window)
        self._window, self._session, self._photos, self._details = window, session, photos, details
        self._camera: str | None = None
        self._pressed: QPointF | None = None
        self._dragged = 0.0
        self._came_from: QWidget | None = None
        self._passed = {QKeySequence(keys) for e in ACTIONS if e.key in HARMLESS for keys in e.shortcuts}
        self._cell: Cell | None = None  # where the photo lay last: from there the arrows go on after it was excluded
        self.panes: list[Pane] = [Pane(-1, PhotoZoom(1, 1, (1, 1), 1.0))]
        self.current = 0  # of the panes
        self.row: tuple[int, ...] = ()  # what the arrows go through, where that is not the sheet
        self.strip: list[tuple[int, QRectF]] = []  # neighbours, and where they are painted
        self.facts_shown = False
        self.setObjectName("lightbox")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._build()
        self.hide()
        window.installEventFilter(self)
        session.opened.connect(self.close_view)
        session.document_changed.connect(self._on_document)
        session.layout_changed.connect(self._on_document)

    def _build(self) -> None:
        self._back = self._button("left", tr("Photo on the left"), lambda: self._go(0, -1))
        self._on = self._button("right", tr("Photo on the right"), lambda: self._go(0, 1))
        self._close = self._button("close", tr("Close the large view"), self.close_view)
        self._pin = self._button("pin", "", self.toggle_pin)
        self._exclude = self._button("exclude", "", self.toggle_excluded)
        self._compare = self._button("panel", tr("Show the next photo next to it (C)"), self.add_pane)
        self._facts = self._button("info", tr("Date, camera and size (I)"), self.toggle_facts)
        for toggle in (self._pin, self._exclude, self._facts):
            toggle.setCheckable(True)
        for button in (self._back, self._on, self._close):
            button.setProperty("round", True)
        self._in_bar = (self._pin, self._exclude, self._compare, self._facts)
        self.caption_field = CaptionField(self._session)
        self.caption_field.setParent(self)
        self.caption_field.hide()
        self.caption_field.stepped.connect(self._caption_next)
        self.caption_field.ended.connect(self._end_caption)

    def _button(self, picture: str, name: str, run: Callable[[], None]) -> QToolButton:
        made = named(QToolButton(self), name, "lightboxButton")
        made.setToolTip(name)
        made.setIcon(icon(picture, DARK_ROOM.text, DARK_ROOM.line))
        made.setIconSize(QSize(ICON_PX, ICON_PX))
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(lambda checked=False: run())
        return made

    @property
    def pane(self) -> Pane:
        return self.panes[self.current]

    @property
    def photo(self) -> int:
        return self.pane.photo

    @property
    def zoom(self) -> PhotoZoom:
        return self.pane.zoom

    def open(self, photo: int, listed: Sequence[int], together: Sequence[int] = ()) -> None:
        """Show a photo over everything, or several side by side.

        A photo that has no cell is seen among those of its stack, or among those listed.
        """
        document = self._session.document
        self.row = () if document is None else row_of_photos(document, photo, listed)
        if not self.isVisible():
            self._came_from = QApplication.focusWidget()
            self.facts_shown = False
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.setFocus()
        several = len(together) > 1 and photo in together
        shown = list(together[:MOST_TOGETHER]) if several else [photo]
        self.panes = [Pane(each, PhotoZoom(1, 1, (1, 1), 1.0)) for each in shown]
        self.current = shown.index(photo) if photo in shown else 0
        for place in range(len(shown)):
            self._fill(place, shown[place])
        self._follow()

    @Slot()
    def close_view(self) -> None:
        """Back to what was there before."""
        if not self.isHidden():
            self._details.stop_reading()
            for pane in self.panes:
                pane.pixels = None
            if self._came_from is not None:
                self._came_from.setFocus()
            self.hide()
            self._came_from = None

    def show_photo(self, photo: int) -> None:
        """Show the thumbnail at once and the photo itself when it has been read; in the current pane."""
        self._fill(self.current, photo)
        self._follow()

    def _fill(self, place: int, photo: int) -> None:
        document = self._session.document
        if document is not None and 0 <= photo < len(document.album):
            entry = document.album.photos[photo]
            zoom = PhotoZoom.fitted(max(1, entry.width), max(1, entry.height), self._room)
            self.panes[place] = Pane(photo, zoom, self._photos.pictures.look(photo))

    def _follow(self) -> None:
        """Another photo is current: read what is needed, and say what it is."""
        document = self._session.document
        if document is not None and document.layout is not None:
            self._cell = document.layout.cell_of(self.photo) or self._cell
        self._camera = None
        self._read()
        if self.facts_shown:
            self._read_camera()
        self._lay_out_strip()
        self._tell()

    def add_pane(self) -> None:
        """Show the next photo next to those already shown."""
        document = self._session.document
        if document is None or len(self.panes) >= MOST_TOGETHER:
            return
        shown = [pane.photo for pane in self.panes]
        others = [photo for photo in self._neighbours(document) if photo not in shown]
        order = self._neighbours(document)
        place = order.index(self.photo) if self.photo in order else 0
        following = [photo for photo in order[place:] if photo in others] or others[::-1]
        if following:
            self.show_together([*shown, following[0]], self.photo)

    def show_together(self, photos: Sequence[int], current: int) -> None:
        """Show these photos side by side, each of them whole."""
        self.panes = [Pane(each, PhotoZoom(1, 1, (1, 1), 1.0)) for each in photos]
        self.current = list(photos).index(current)
        for place, photo in enumerate(photos):
            self._fill(place, photo)
        self._follow()

    def _read(self) -> None:
        """Have one photo after another read as large as it is seen now, unless it is; the current one first."""
        order = [self.pane, *(pane for pane in self.panes if pane is not self.pane)]
        for pane in order:
            wanted = round(max(pane.zoom.rect[2:]))
            if wanted > pane.asked:
                side = wanted if pane.zoom.is_fitted else round(max(pane.zoom.width, pane.zoom.height))
                pane.asked, pane.reading = max(wanted, side), True
                self._details.read(pane.photo, side, partial(self._on_pixels, pane))
                return

    def _on_pixels(self, pane: Pane, pixels: Pixels | None) -> None:
        if any(pane is each for each in self.panes) and not self.isHidden():
            pane.reading = False
            pane.pixels = pane.pixels if pixels is None else pixels
            self._read()
            self._tell()

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
            pinned, out = self.photo in document.pins, self.photo in document.excluded
            placed = document.layout is not None and document.layout.cell_of(self.photo) is not None
            self._pin.setEnabled(pinned or placed)
            for button, on, name in (
                (self._pin, pinned, tr("Unpin (P)") if pinned else tr("Pin it where it is (P)")),
                (self._exclude, out, tr("Take back into album (X)") if out else tr("Exclude from album (X)")),
                (self._facts, self.facts_shown, self._facts.toolTip()),
            ):
                button.setChecked(on)
                button.setToolTip(name)
                button.setAccessibleName(name)
        self._compare.setEnabled(len(self.panes) < MOST_TOGETHER)
        self.update()

    def toggle_pin(self) -> None:
        """Pin the photo where it is, or unpin it."""
        document = self._session.document
        if document is not None:
            self._session.edit(pinned_or_let_go, [self.photo], None)

    def toggle_excluded(self) -> None:
        """Take the photo out of the album, or back into it."""
        document = self._session.document
        if document is not None:
            self._session.edit(included if self.photo in document.excluded else excluded, [self.photo])

    def _neighbours(self, document: Document) -> list[int]:
        """The photos that the strip goes through: the row, or the sheet line by line."""
        if self.row or document.layout is None:
            return list(self.row)
        cells = document.layout.photo_at
        return [int(photo) for photo in cells[cells >= 0]]

    def _lay_out_strip(self) -> None:
        """The photos before and after the current one, which lies in the middle where it can."""
        document = self._session.document
        order = [] if document is None else self._neighbours(document)
        room = max(1, (self.width() - 2 * ROOM) // (TILE + TIGHT))
        place = order.index(self.photo) if self.photo in order else 0
        first = max(0, min(place - room // 2, len(order) - room))
        seen = order[first : first + room]
        left = (self.width() - len(seen) * (TILE + TIGHT) + TIGHT) / 2
        top = self.height() - STRIP + (STRIP - TILE) / 2 - TIGHT
        self.strip = [(photo, QRectF(left + k * (TILE + TIGHT), top, TILE, TILE)) for k, photo in enumerate(seen)]

    @property
    def facts(self) -> list[str]:
        """The photo's name and place; date, camera and size too where they are asked for; whether it can be seen."""
        document = self._session.document
        if document is None or not 0 <= self.photo < len(document.album):
            return []
        photo = document.album.photos[self.photo]
        title = caption_of(document.captioned_album.photos[self.photo], "title")
        parts = [undirected(photo.name), *([undirected(title)] if title else [])]
        if self.facts_shown:
            parts += taken_words(photo)
            parts += [self._camera] if self._camera else []
            parts += [f"{photo.width} × {photo.height}", in_bytes(photo.size)]
        cell = document.layout.cell_of(self.photo) if document.layout is not None else None
        if cell is not None:
            place = place_words(cell, document.shape.pages)
            parts.append(tr("{place}, pinned", place=place) if self.photo in document.pins else place)
        if self.photo in self.row:
            nth = number(self.row.index(self.photo) + 1)
            parts.append(tr("photo {place} of {count}", place=nth, count=number(len(self.row))))
        if self.photo in document.excluded:
            parts.append(tr("excluded"))
        if self.photo in document.missing:
            parts.append(tr("file not found"))
        elif self.pane.pixels is None:
            parts.append(tr("being read…") if self.pane.reading else tr("cannot be shown"))
        return parts

    def line_within(self, width: float, font: QFontMetrics) -> str:
        """The caption in one line; a name that is too long is shortened in its middle."""
        facts = [*self.facts, f"{round(100 * self.zoom.scale)} %"]
        rest = font.horizontalAdvance(BETWEEN.join(["", *facts[1:]]))
        return BETWEEN.join([font.elidedText(facts[0], Qt.TextElideMode.ElideMiddle, int(width - rest)), *facts[1:]])

    @property
    def _parts(self) -> list[QRectF]:
        """Where the photos may be, each in a part of its own, in device pixels."""
        ratio, count = self.devicePixelRatioF(), len(self.panes)
        across = 2 if count == MOST_TOGETHER else count
        down = -(-count // across)
        seam = SEAM * ratio
        width = (max(1.0, self.width() * ratio) - (across - 1) * seam) / across
        height = (max(1.0, (self.height() - FOOT) * ratio) - (down - 1) * seam) / down
        places = (divmod(k, across) for k in range(count))
        return [QRectF(x * (width + seam), y * (height + seam), width, height) for y, x in places]

    @property
    def _room(self) -> tuple[float, float]:
        """The size of each part, in device pixels."""
        part = self._parts[0]
        return max(1.0, part.width()), max(1.0, part.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), GROUND)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.save()
            painter.scale(1 / ratio, 1 / ratio)
            for part, pane in zip(self._parts, self.panes, strict=True):
                if pane.pixels is not None:
                    painter.setClipRect(part)
                    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, pane.zoom.scale <= 2)
                    painter.drawImage(QRectF(*pane.zoom.rect).translated(part.topLeft()), as_image(pane.pixels))
                if len(self.panes) > 1 and pane is self.pane:
                    painter.setClipRect(part)
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.setPen(QPen(QColor(DARK_ROOM.accent), 4 * ratio))
                    painter.drawRect(part)
            painter.restore()
            self._paint_bar(painter)
            self._paint_strip(painter)

    def _paint_bar(self, painter: QPainter) -> None:
        bar = QRectF(0, self.height() - FOOT, self.width(), FOOT)
        painter.fillRect(bar, QColor(DARK_ROOM.bar))
        taken = len(self._in_bar) * (BAR - SNUG + TIGHT) + 2 * ROOM
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        words = QRectF(taken if mirrored else ROOM, bar.top(), self.width() - taken - ROOM, BAR)
        start, end = Qt.AlignmentFlag.AlignLeading, Qt.AlignmentFlag.AlignTrailing
        painter.setPen(TEXT)
        line, metrics = self.line_within(words.width(), painter.fontMetrics()), painter.fontMetrics()
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | start, line)
        if metrics.horizontalAdvance(line) + metrics.horizontalAdvance(tr(HELP)) + 40 < words.width():
            painter.setPen(FAINT)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | end, tr(HELP))

    def _paint_strip(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        together = {pane.photo for pane in self.panes}
        for photo, tile in self.strip:
            picture = self._photos.pictures.image(photo)
            painter.setOpacity(1.0 if photo in together else 0.6)
            if picture is None:
                painter.fillRect(tile, QColor(DARK_ROOM.hover))
            else:
                least = min(picture.width(), picture.height())
                middle = QRectF((picture.width() - least) / 2, (picture.height() - least) / 2, least, least)
                painter.drawImage(tile, picture, middle)
            painter.setOpacity(1.0)
            if photo == self.photo:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(DARK_ROOM.accent), 2))
                painter.drawRoundedRect(tile.adjusted(-2, -2, 2, 2), ROUND_SMALL, ROUND_SMALL)

    def _look(self, zoom: PhotoZoom) -> None:
        """Apply this view to the current photo and to those next to it."""
        self.pane.zoom = zoom
        for pane in self.panes:
            if pane is not self.pane:
                pane.zoom = pane.zoom.like(zoom)
        self._read()
        self.update()

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Larger or smaller around a point, the middle where there is none."""
        ratio, part = self.devicePixelRatioF(), self._parts[self.current]
        within = None if at is None else at * ratio - part.topLeft()
        point = (self._room[0] / 2, self._room[1] / 2) if within is None else (within.x(), within.y())
        self._look(self.zoom.zoomed(self.zoom.scale * factor, point))

    def toggle_actual(self, at: QPointF | None = None) -> None:
        """To 100 %, and from there or beyond back to the whole photo."""
        beyond = self.zoom.scale > self.zoom.smallest
        wanted = self.zoom.smallest if self.zoom.scale == 1.0 or beyond else 1.0
        self.zoom_by(wanted / self.zoom.scale, at)

    def write_caption(self) -> None:
        """Write the caption of the photo that is seen."""
        width = min(CAPTION_WIDTH, self.width() - 40)
        self.caption_field.setGeometry(
            (self.width() - width) // 2, self.height() - FOOT - CAPTION_HEIGHT - 12, width, CAPTION_HEIGHT
        )
        self.caption_field.show()
        self.caption_field.raise_()
        self.caption_field.begin(self.photo)

    @Slot(int)
    def _caption_next(self, step: int) -> None:
        before = self.photo
        self._go(0, step)
        if self.photo == before:
            self._end_caption()
        else:
            self.caption_field.begin(self.photo)

    @Slot()
    def _end_caption(self) -> None:
        self.setFocus()
        self.caption_field.hide()
        self._tell()

    def toggle_facts(self) -> None:
        """Tell date, camera and size as well, or no longer."""
        self.facts_shown = not self.facts_shown
        if self.facts_shown and self._camera is None:
            self._read_camera()
        self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = ARROWS.get(Qt.Key(event.key()))
        doing = {Qt.Key.Key_I: self.toggle_facts, Qt.Key.Key_P: self.toggle_pin}
        doing |= {Qt.Key.Key_X: self.toggle_excluded, Qt.Key.Key_C: self.add_pane, Qt.Key.Key_F2: self.write_caption}
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if step is not None:
            self._go(*step)
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.close_view()
        elif plain and Qt.Key(event.key()) in doing:
            doing[Qt.Key(event.key())]()
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            self.zoom_by(KEY_STEP if event.key() == Qt.Key.Key_Plus else 1 / KEY_STEP)
        elif event.key() == Qt.Key.Key_1:
            self._look(self.zoom.zoomed(1.0, (0.0, 0.0)))
        elif event.key() == Qt.Key.Key_0:
            self._look(PhotoZoom.fitted(self.zoom.width, self.zoom.height, self._room))

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._point_at(event.position())
        self.zoom_by(WHEEL_STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def _point_at(self, at: QPointF) -> bool:
        """Make the photo under the pointer current; whether there is a part of the view."""
        ratio = self.devicePixelRatioF()
        found = [place for place, part in enumerate(self._parts) if part.contains(at * ratio)]
        if found and found[0] != self.current:
            self.current = found[0]
            self._follow()
        return bool(found)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        chosen = [photo for photo, tile in self.strip if tile.contains(event.position())]
        if chosen and chosen[0] not in [pane.photo for pane in self.panes]:
            self._select(chosen[0])
        elif chosen:
            self.current = [pane.photo for pane in self.panes].index(chosen[0])
            self._follow()
        elif self._point_at(event.position()):
            self._pressed, self._dragged = event.position(), 0.0

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None:
            way, self._pressed = event.position() - self._pressed, event.position()
            self._dragged += way.manhattanLength()
            ratio = self.devicePixelRatioF()
            self._look(self.zoom.panned(way.x() * ratio, way.y() * ratio))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = event.position() * self.devicePixelRatioF() - self._parts[self.current].topLeft()
        clicked = self._pressed is not None and self._dragged < A_CLICK
        self._pressed = None
        if clicked and len(self.panes) == 1 and not QRectF(*self.zoom.rect).contains(at):
            self.close_view()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._point_at(event.position()):
            self.toggle_actual(event.position())

    def resizeEvent(self, event: QResizeEvent) -> None:
        for pane in self.panes:
            pane.zoom = pane.zoom.resized(self._room)
        self._place_buttons()
        self._lay_out_strip()
        self._read()
        self.update()

    def _place_buttons(self) -> None:
        middle, side = (self.height() - FOOT - ROUND_BUTTON) // 2, BAR - SNUG
        far = self.width() - ROUND_BUTTON - ROOM
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self._back.setGeometry(ROOM, middle, ROUND_BUTTON, ROUND_BUTTON)
        self._on.setGeometry(far, middle, ROUND_BUTTON, ROUND_BUTTON)
        self._close.setGeometry(ROOM if mirrored else far, ROOM, ROUND_BUTTON, ROUND_BUTTON)
        for place, button in enumerate(reversed(self._in_bar)):
            offset = ROOM + place * (side + TIGHT)
            left = offset if mirrored else self.width() - offset - side
            button.setGeometry(left, self.height() - FOOT + TIGHT, side, side)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self.setGeometry(self._window.rect())
        return False

    def _go(self, down: int, across: int) -> None:
        """To the next photo in a direction; among photos side by side, to the next of them."""
        document = self._session.document
        if len(self.panes) > 1:
            self.current = (self.current + down + across) % len(self.panes)
            self._follow()
            return
        photo = None if document is None else next_photo(document, self.row, self.photo, down, across, self._cell)
        if photo is not None:
            self._select(photo)

    def _select(self, photo: int) -> None:
        """Show another photo, and select it on the sheet too."""
        document = self._session.document
        if document is not None:
            self._session.select((photo,), None if document.layout is None else document.layout.cell_of(photo))
            self.show_photo(photo)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes round the buttons of this view: everything else is hidden."""
        stops = [self, *(button for button in self.findChildren(QToolButton) if button.isEnabled())]
        focused = self._window.focusWidget()
        place = stops.index(focused) if focused in stops else 0
        stops[(place + (1 if forward else -1)) % len(stops)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What appears beneath takes the keyboard only when the photo is gone."""
        writing = self.caption_field.isVisible()
        if event.reason() == Qt.FocusReason.OtherFocusReason and not (self.isHidden() or writing):
            self._came_from = QApplication.focusWidget() or self._came_from
            QTimer.singleShot(0, self, self._take_keyboard)

    @Slot()
    def _take_keyboard(self) -> None:
        if not self.isHidden():
            self.setFocus()

    def event(self, event: QEvent) -> bool:
        """No shortcut may change what is hidden."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            event.setAccepted(QKeySequence(event.keyCombination()) not in self._passed)
            return True
        return super().event(event)
