"""Writing captions: a line for the text of one photo after the other, over the sheet or over the large view."""

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout

from album_app.gui.canvas.cards import EDGE, MARGIN, FloatingCard
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.layout.captions import LONGEST_CAPTION
from album_app.layout.editing.edits import captioned

WIDTH = 460


class CaptionField(QLineEdit):
    """The text below one photo; Tab and Shift+Tab keep it and go on, Enter keeps it, Esc leaves it as it was.

    Signals:
        stepped(int): 1 for the next photo, -1 for the one before
        ended(): Enter or Esc
    """

    stepped = Signal(int)
    ended = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(maxLength=LONGEST_CAPTION)
        self._session = session
        self._photo = -1
        self.setAccessibleName(tr("Caption"))

    def begin(self, photo: int) -> None:
        """Turn to a photo, with what its caption says now."""
        document = self._session.document
        if document is None or not 0 <= photo < len(document.album):
            return
        self._photo = photo
        notes = document.album.photos[photo].metadata
        said = notes.title or notes.description
        self.setText(document.captions.get(photo, said))
        self.setPlaceholderText(said or tr("No caption"))
        self.selectAll()
        self.setFocus()

    def keep(self) -> None:
        """Give the photo the text that is written here."""
        if self._photo >= 0:
            self._session.edit(captioned, self._photo, self.text())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}.get(Qt.Key(event.key()))
            if step is not None:
                self.keep()
                self.stepped.emit(step)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.keep()
            self.ended.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        else:
            super().keyPressEvent(event)


class CaptionCard(FloatingCard):
    """Asks for the caption of the current photo; Tab leads through the photos of the sheet in reading order."""

    def __init__(self, session: Session, canvas: SheetView) -> None:
        super().__init__(canvas)
        self._session = session
        self.setObjectName("captionCard")
        self.setAccessibleName(tr("Caption"))
        self._name = QLabel()
        self.field = CaptionField(session)
        help_line = QLabel(tr("Tab: next photo · Enter: done · Esc: as it was"))
        help_line.setProperty("role", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE, MARGIN, EDGE, MARGIN + 4)
        column.setSpacing(6)
        for widget in (self._name, self.field, help_line):
            column.addWidget(widget)
        self.setFixedWidth(WIDTH)
        self.field.stepped.connect(self._step)
        self.field.ended.connect(self.dismiss)
        session.opened.connect(self.dismiss)

    def show_for(self, photo: int | None) -> None:
        """Open for a photo."""
        document = self._session.document
        if document is None or photo is None:
            return
        self._name.setText(document.short_name(photo))
        self.field.begin(photo)
        self.setFixedWidth(min(WIDTH, self._canvas.width() - 8))
        self.show()
        self.place()
        self.raise_()
        self.field.setFocus()

    def place(self) -> None:
        """At the upper edge, where messages of the window do not cover it, unless it would hide its photo there."""
        document, photo = self._session.document, self._session.current
        layout = None if document is None else document.layout
        cell = None if layout is None or photo is None else layout.cell_of(photo)
        self.put_aside([] if cell is None else [cell])
        above = QRectF(self.x(), MARGIN, self.width(), self.height())
        if cell is None or not self._canvas.cell_rect(cell).intersects(above):
            self.move(self.x(), MARGIN)

    def dismiss(self) -> None:
        if self.isVisible():
            self.give_way()

    def _step(self, step: int) -> None:
        """Go to the next photo of the sheet, from the last one to the first."""
        document, now = self._session.document, self._session.current
        if document is None or document.layout is None:
            return
        order = list(dict.fromkeys(photo for photo in document.layout.photo_at.tolist() if photo >= 0))
        if not order:
            return
        photo = order[(order.index(now) + step) % len(order)] if now in order else order[0]
        self._session.select((photo,), document.layout.cell_of(photo))
        self.show_for(photo)
