"""One photo as large as the window allows, with its name, date and place; the arrow keys go on to its neighbours."""

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QWidget

from album_app.gui.canvas.gestures.keys import ARROWS
from album_app.gui.state.details import Details
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pixels, as_image
from album_app.gui.state.session import Session
from album_app.gui.style import theme
from album_app.gui.style.wording import place_words
from album_app.photos.names import undirected

MARGIN, FOOT = 28, 52
BETWEEN = "   ·   "


class LargeView(QDialog):
    """Shows a photo over the window; Esc, Enter or a click closes it."""

    def __init__(self, parent: QWidget, session: Session, photos: PhotoStore, details: Details, photo: int) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Large view")
        self._session, self._photos, self._details = session, photos, details
        self._pixels: Pixels | None = None
        self._reading = True
        self.photo = photo
        session.opened.connect(self.reject)
        self.resize(parent.size() * 0.94)
        self.show_photo(photo)

    def show_photo(self, photo: int) -> None:
        """Show the thumbnail at once and the photo itself when it has been read."""
        self.photo, self._reading = photo, True
        self._pixels = self._photos.pictures.pixels(photo)
        self.setAccessibleName(self.caption)
        side = round(max(self.width(), self.height()) * self.devicePixelRatio())
        self._details.read(photo, side, lambda pixels: self._on_pixels(photo, pixels))
        self.update()

    def _on_pixels(self, photo: int, pixels: Pixels | None) -> None:
        if photo == self.photo:
            self._reading = False
            self._pixels = self._pixels if pixels is None else pixels
            self.setAccessibleName(self.caption)
            self.update()

    @property
    def caption(self) -> str:
        """Name, date, size and place of the photo, and whether it is to be seen."""
        return BETWEEN.join(self._facts())

    def _facts(self) -> list[str]:
        document = self._session.document
        if document is None:
            return []
        photo = document.album.photos[self.photo]
        parts = [undirected(photo.name)]
        if photo.date is not None:
            parts.append(f"{photo.date:%d %B %Y}".lstrip("0"))
        parts.append(f"{photo.width} × {photo.height}")
        cell = document.layout.cell_of(self.photo) if document.layout is not None else None
        if cell is not None:
            pinned = ", pinned" if self.photo in document.pins else ""
            parts.append(f"{place_words(cell)}{pinned}")
        if self._pixels is None:
            parts.append("being read…" if self._reading else "cannot be shown")
        return parts

    def _caption_within(self, width: int, font: QFontMetrics) -> str:
        """The caption in one line; a name too long for it is shortened in its middle."""
        facts = self._facts()
        for name in facts[:1]:
            rest = font.horizontalAdvance(self.caption) - font.horizontalAdvance(name)
            facts[0] = font.elidedText(name, Qt.TextElideMode.ElideMiddle, width - rest)
        return BETWEEN.join(facts)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = theme.current()
        area = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -FOOT)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(palette.canvas))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            if self._pixels is not None:
                image = as_image(self._pixels)
                painter.drawImage(_fitted(image, area), image)
            painter.setPen(QColor(palette.muted))
            foot = QRectF(0, self.height() - FOOT, self.width(), FOOT)
            caption = self._caption_within(self.width() - 2 * MARGIN, painter.fontMetrics())
            painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, caption)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = ARROWS.get(Qt.Key(event.key()))
        if step is not None:
            self._move(*step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.accept()
        else:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        self._details.stop_reading()
        super().done(result)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.accept()

    @Slot()
    def _move(self, down: int, across: int) -> None:
        """Go to the next photo of the sheet in a direction."""
        layout = None if self._session.document is None else self._session.document.layout
        cell = None if layout is None else layout.cell_of(self.photo)
        if layout is None or cell is None:
            return
        row, column = cell[0] + down, cell[1] + across
        while 0 <= row < layout.shape.rows and 0 <= column < layout.shape.columns:
            photo = layout.photo_in((row, column)) if (row, column) in layout.shape else None
            if photo is not None:
                self._session.select((photo,), (row, column))
                self.show_photo(photo)
                return
            row, column = row + down, column + across


def _fitted(image: QImage, area: QRectF) -> QRectF:
    scale = min(area.width() / image.width(), area.height() / image.height())
    width, height = image.width() * scale, image.height() * scale
    return QRectF(area.center().x() - width / 2, area.center().y() - height / 2, width, height)
