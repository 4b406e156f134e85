"""One photo over the whole window, on dark ground: zoom to 100 %, push it about, go on to its neighbours."""

from collections.abc import Sequence

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

from album_app.file_names import undirected
from album_app.gui.canvas.keys import ARROWS
from album_app.gui.canvas.photo_walk import next_photo, row_of_photos
from album_app.gui.canvas.photo_zoom import PhotoZoom
from album_app.gui.canvas.sheet_view import KEY_STEP, WHEEL_STEP
from album_app.gui.commands.actions import ACTIONS
from album_app.gui.state.details import Details
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pixels, as_image
from album_app.gui.state.session import Session
from album_app.gui.style.wording import in_bytes, place_words, taken_words
from album_app.language import mark, number, tr

GROUND, TEXT, FAINT = QColor("#121315"), QColor("#f2f0ec"), QColor("#a9a7a3")
FOOT = 40
BETWEEN = "   ·   "
HELP = mark("Esc back · arrows: neighbours · wheel or double-click: zoom · I: facts")
A_CLICK = 4
HARMLESS = ("copy_photo", "viewer", "manager", "full_screen", "shortcuts", "quit")
"""Actions whose shortcuts work here too: they change nothing that is hidden."""


class Lightbox(QWidget):
    """Covers the window while a photo is seen large; Esc, Enter or a click beside the photo goes back."""

    def __init__(self, window: QWidget, session: Session, photos: PhotoStore, details: Details) -> None:
        super().__init__(window)
        self._window, self._session, self._photos, self._details = window, session, photos, details
        self._pixels: Pixels | None = None
        self._reading = False
        self._asked = 0  # the side that was asked for last
        self._camera: str | None = None
        self._pressed: QPointF | None = None
        self._dragged = 0.0
        self._came_from: QWidget | None = None
        self._passed = {QKeySequence(keys) for e in ACTIONS if e.key in HARMLESS for keys in e.shortcuts}
        self.photo = -1
        self.row: tuple[int, ...] = ()  # what the arrows go through, where that is not the sheet
        self.facts_shown = False
        self.zoom = PhotoZoom(1, 1, (1, 1), 1.0)
        self.setObjectName("lightbox")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.hide()
        window.installEventFilter(self)
        session.opened.connect(self.close_view)

    def open(self, photo: int, listed: Sequence[int]) -> None:
        """Show a photo over everything; one that has no cell among those of its stack, or among those listed."""
        document = self._session.document
        self.row = () if document is None else row_of_photos(document, photo, listed)
        if not self.isVisible():
            self._came_from = QApplication.focusWidget()
            self.facts_shown = False
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.setFocus()
        self.show_photo(photo)

    @Slot()
    def close_view(self) -> None:
        """Back to what was there before."""
        if not self.isHidden():
            self._details.stop_reading()
            self._pixels = None
            if self._came_from is not None:
                self._came_from.setFocus()
            self.hide()
            self._came_from = None

    def show_photo(self, photo: int) -> None:
        """Show the thumbnail at once and the photo itself when it has been read."""
        document = self._session.document
        if document is None:
            return
        entry = document.album.photos[photo]
        self.photo, self._asked, self._camera = photo, 0, None
        self._pixels = self._photos.pictures.look(photo)
        self.zoom = PhotoZoom.fitted(max(1, entry.width), max(1, entry.height), self._room)
        self._read()
        if self.facts_shown:
            self._read_camera()
        self._tell()

    def _read(self) -> None:
        """Have the photo read as large as it is seen now, unless it is."""
        wanted = round(max(self.zoom.rect[2:]))
        if wanted > self._asked:
            photo, self._asked, self._reading = self.photo, wanted, True
            side = wanted if self.zoom.is_fitted else round(max(self.zoom.width, self.zoom.height))
            self._asked = max(wanted, side)
            self._details.read(photo, side, lambda pixels: self._on_pixels(photo, pixels))

    def _on_pixels(self, photo: int, pixels: Pixels | None) -> None:
        if photo == self.photo and not self.isHidden():
            self._reading = False
            self._pixels = self._pixels if pixels is None else pixels
            self._tell()

    def _read_camera(self) -> None:
        photo = self.photo

        def on_read(camera: str) -> None:
            if photo == self.photo:
                self._camera = camera
                self._tell()

        self._details.read_camera(photo, on_read)

    def _tell(self) -> None:
        self.setAccessibleName(BETWEEN.join(self.facts))
        self.update()

    @property
    def facts(self) -> list[str]:
        """The photo's name and place; date, camera and size too where they are asked for; whether it can be seen."""
        document = self._session.document
        if document is None or not 0 <= self.photo < len(document.album):
            return []
        photo = document.album.photos[self.photo]
        parts = [undirected(photo.name)]
        if self.facts_shown:
            parts += taken_words(photo)
            parts += [self._camera] if self._camera else []
            parts += [f"{photo.width} × {photo.height}", in_bytes(photo.size)]
        cell = document.layout.cell_of(self.photo) if document.layout is not None else None
        if cell is not None:
            place = place_words(cell)
            parts.append(tr("{place}, pinned", place=place) if self.photo in document.pins else place)
        if self.photo in self.row:
            nth = number(self.row.index(self.photo) + 1)
            parts.append(tr("photo {place} of {count}", place=nth, count=number(len(self.row))))
        if self.photo in document.missing:
            parts.append(tr("file not found"))
        elif self._pixels is None:
            parts.append(tr("being read…") if self._reading else tr("cannot be shown"))
        return parts

    def line_within(self, width: float, font: QFontMetrics) -> str:
        """What is told in one line; a name too long for it is shortened in its middle."""
        facts = [*self.facts, f"{round(100 * self.zoom.scale)} %"]
        rest = font.horizontalAdvance(BETWEEN.join(["", *facts[1:]]))
        return BETWEEN.join([font.elidedText(facts[0], Qt.TextElideMode.ElideMiddle, int(width - rest)), *facts[1:]])

    @property
    def _room(self) -> tuple[float, float]:
        """Where the photo may be, in device pixels."""
        ratio = self.devicePixelRatioF()
        return max(1.0, self.width() * ratio), max(1.0, (self.height() - FOOT) * ratio)

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), GROUND)
            if self._pixels is not None:
                painter.save()
                painter.setClipRect(QRectF(0, 0, self.width(), self.height() - FOOT))
                painter.scale(1 / ratio, 1 / ratio)
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.zoom.scale < 2)
                painter.drawImage(QRectF(*self.zoom.rect), as_image(self._pixels))
                painter.restore()
            foot = QRectF(14, self.height() - FOOT, self.width() - 28, FOOT)
            painter.setPen(TEXT)
            line = self.line_within(foot.width(), painter.fontMetrics())
            painter.drawText(foot, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, line)
            metrics = painter.fontMetrics()
            if metrics.horizontalAdvance(line) + metrics.horizontalAdvance(tr(HELP)) + 40 < foot.width():
                painter.setPen(FAINT)
                painter.drawText(foot, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, tr(HELP))

    def _look(self, zoom: PhotoZoom) -> None:
        self.zoom = zoom
        self._read()
        self.update()

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Larger or smaller around a point, the middle where there is none."""
        ratio = self.devicePixelRatioF()
        point = (self._room[0] / 2, self._room[1] / 2) if at is None else (at.x() * ratio, at.y() * ratio)
        self._look(self.zoom.zoomed(self.zoom.scale * factor, point))

    def toggle_actual(self, at: QPointF | None = None) -> None:
        """To 100 %, and from there back to the whole photo."""
        wanted = 1.0 if self.zoom.scale < 1.0 else self.zoom.smallest
        self.zoom_by(wanted / self.zoom.scale, at)

    def toggle_facts(self) -> None:
        """Tell date, camera and size as well, or no longer."""
        self.facts_shown = not self.facts_shown
        if self.facts_shown and self._camera is None:
            self._read_camera()
        self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = ARROWS.get(Qt.Key(event.key()))
        if step is not None:
            self._go(*step)
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.close_view()
        elif event.key() == Qt.Key.Key_I:
            self.toggle_facts()
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            self.zoom_by(KEY_STEP if event.key() == Qt.Key.Key_Plus else 1 / KEY_STEP)
        elif event.key() in (Qt.Key.Key_1, Qt.Key.Key_0):
            self._look(self.zoom.zoomed(1.0 if event.key() == Qt.Key.Key_1 else 0.0, (0.0, 0.0)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom_by(WHEEL_STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed, self._dragged = event.position(), 0.0

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None:
            way, self._pressed = event.position() - self._pressed, event.position()
            self._dragged += way.manhattanLength()
            ratio = self.devicePixelRatioF()
            self._look(self.zoom.panned(way.x() * ratio, way.y() * ratio))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = event.position() * self.devicePixelRatioF()
        clicked = self._pressed is not None and self._dragged < A_CLICK
        self._pressed = None
        if clicked and not QRectF(*self.zoom.rect).contains(at):
            self.close_view()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.toggle_actual(event.position())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._look(self.zoom.resized(self._room))

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self.setGeometry(self._window.rect())
        return False

    def _go(self, down: int, across: int) -> None:
        """To the next photo in a direction."""
        document = self._session.document
        photo = None if document is None else next_photo(document, self.row, self.photo, down, across)
        if document is not None and photo is not None:
            self._session.select((photo,), None if document.layout is None else document.layout.cell_of(photo))
            self.show_photo(photo)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab leads nowhere: everything else is hidden."""
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What appears beneath takes the keyboard only when the photo is gone."""
        if event.reason() == Qt.FocusReason.OtherFocusReason and not self.isHidden():
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
