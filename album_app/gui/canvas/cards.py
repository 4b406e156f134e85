"""Cards that float over the sheet without hiding the cells that they are about.

This module has the card itself and those made of words: the question about proposed pins, and the line for captions.
"""

from abc import abstractmethod
from collections.abc import Callable, Collection

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
)

from album_app.gui.canvas.overlays import paint_shadow
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.canvas.tiles.marks import CanvasColours, tinted
from album_app.gui.controls.sections import button as push_button
from album_app.gui.state.advice import Proposals
from album_app.gui.state.session import Session
from album_app.gui.style.design import ROOM, ROUND_CARD, SHADOW_BLUR_PX, SHADOW_DROP_PX, SNUG
from album_app.language import tr
from album_app.layout.captions import LONGEST_CAPTION
from album_app.layout.editing.edits import captioned
from album_app.layout.shapes.shape import Cell

SHADOW_ROOM = (SHADOW_BLUR_PX, SHADOW_BLUR_PX - SHADOW_DROP_PX, SHADOW_BLUR_PX, SHADOW_BLUR_PX + SHADOW_DROP_PX)
"""Pixels that the shadow of a card needs on the left, above, on the right and below."""
MARGIN = SHADOW_ROOM[1] + SNUG
EDGE = SHADOW_ROOM[0] + ROOM
BELOW = SHADOW_ROOM[3] + SNUG
"""Pixels between the edges of the widget and what is on the card: above, on both sides, and below."""


class FloatingCard(QFrame):
    """A frame with rounded corners and a shadow at the lower or upper edge of the canvas."""

    def __init__(self, canvas: SheetView) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._colours = canvas.colours
        self.hide()

    @abstractmethod
    def dismiss(self) -> None:
        """Close the card, after Esc that no other widget of the window used."""

    def set_colours(self, colours: CanvasColours) -> None:
        """Use the colours of another theme."""
        self._colours = colours
        self.update()

    def put_aside(self, cells: Collection[Cell]) -> None:
        """Move to the middle of the lower edge of the canvas, or to the upper one if the card would hide a cell."""
        self.adjustSize()
        if self.hasHeightForWidth():  # the height is that for the width in its size hint
            self.resize(self.width(), self.heightForWidth(self.width()))
        area = self._canvas.rect()
        left, low = max(0, (area.width() - self.width()) // 2), area.height() - self.height()
        card = QRectF(left, low, self.width(), self.height())
        hides = any(self._canvas.cell_rect(cell).intersects(card) for cell in cells)
        self.move(left, 0 if hides else low)

    def give_way(self) -> None:
        """Hide, and first give the keyboard focus back to the sheet, so that no other widget gets it."""
        if self.isAncestorOf(QApplication.focusWidget() or self._canvas):
            self._canvas.setFocus()
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        self.window().installEventFilter(self)

    def hideEvent(self, event: QHideEvent) -> None:
        self.window().removeEventFilter(self)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or (event.type(), event.key()) != (QEvent.Type.KeyPress, Qt.Key.Key_Escape):
            return False
        self.dismiss()
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        left, above, right, below = SHADOW_ROOM
        card = QRectF(self.rect()).adjusted(left, above, -right, -below)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_shadow(painter, card, ROUND_CARD, 1.0)
            painter.setPen(QPen(QColor(self._colours.line), 1))
            painter.setBrush(tinted(self._colours.card, 250))
            painter.drawRoundedRect(card, ROUND_CARD, ROUND_CARD)


def card_button(text: str, run: Callable[[], None], hint: str) -> QPushButton:
    """A button that is at least as wide as its text, so that other widgets wrap instead."""
    made = push_button(text, run, hint)
    made.setAccessibleName(text)
    made.setMinimumWidth(0)  # its words decide the width then
    made.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
    return made


PROPOSAL_WIDTH_PX = 560
"""Width of the question about proposed pins, if the canvas is as wide."""


class ProposalBar(FloatingCard):
    """Asks whether to pin what is proposed; Enter accepts, Esc dismisses."""

    def __init__(self, proposals: Proposals, canvas: SheetView) -> None:
        super().__init__(canvas)
        self._proposals = proposals
        self.setObjectName("proposal")
        self.setAccessibleName(tr("Proposed pins"))
        self._question = QLabel(wordWrap=True)
        self._question.setProperty("role", "heading")
        self._reason = QLabel(wordWrap=True)
        self._reason.setProperty("role", "muted")
        self.accept_button = card_button(tr("Accept"), proposals.accept, tr("Accept (Enter)"))
        self.accept_button.setProperty("primary", True)
        self.dismiss_button = card_button(tr("Dismiss"), proposals.dismiss, tr("Dismiss (Esc)"))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._question)
        words.addWidget(self._reason)
        buttons = QHBoxLayout()
        buttons.setSpacing(SNUG)
        buttons.addStretch(1)
        buttons.addWidget(self.accept_button)
        buttons.addWidget(self.dismiss_button)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(EDGE, MARGIN, EDGE, BELOW)
        self._row.setSpacing(ROOM)
        self._row.addLayout(words, 1)
        self._row.addLayout(buttons)
        proposals.changed.connect(self._refresh)

    @Slot()
    def _refresh(self) -> None:
        proposal = self._proposals.current
        self._canvas.ghosts = {} if proposal is None else proposal.ghosts
        self._canvas.update()
        if proposal is None:
            self.give_way()
            return
        self._question.setText(proposal.question)
        self._reason.setText(proposal.reason)
        self.accept_button.setAccessibleDescription(f"{proposal.question} {proposal.reason}")
        self.show()
        self.place()
        self.raise_()
        focused = QApplication.focusWidget()
        if focused is None or focused is self._canvas or self._canvas.isAncestorOf(focused):
            self.accept_button.setFocus()

    def place(self) -> None:
        """Move where no proposed photo is hidden; in a narrow canvas the buttons stand below the words."""
        width = min(PROPOSAL_WIDTH_PX, self._canvas.width())
        self._row.setDirection(QBoxLayout.Direction.LeftToRight)
        if self._row.minimumSize().width() > width:
            self._row.setDirection(QBoxLayout.Direction.TopToBottom)
        self.setFixedWidth(width)
        self.put_aside(list(self._canvas.ghosts.values()))

    def dismiss(self) -> None:
        self._proposals.dismiss()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.dismiss_button.hasFocus():
            self._proposals.accept_by_key()
        else:
            super().keyPressEvent(event)


CAPTION_WIDTH_PX = 460
"""Width of the card for captions, if the canvas is as wide."""


class CaptionField(QLineEdit):
    """A field for the caption of one photo: Tab and Shift+Tab keep it and go on, Enter keeps it, Esc does not.

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
        """Begin to write the caption of a photo, starting from the present one."""
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
        """Give the photo the caption that was written."""
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
        help_line = QLabel(tr("Tab: next photo · Enter: done · Esc: cancel"))
        help_line.setProperty("role", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE, MARGIN, EDGE, MARGIN + 4)
        column.setSpacing(6)
        for widget in (self._name, self.field, help_line):
            column.addWidget(widget)
        self.setFixedWidth(CAPTION_WIDTH_PX)
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
        self.setFixedWidth(min(CAPTION_WIDTH_PX, self._canvas.width() - 8))
        self.show()
        self.place()
        self.raise_()
        self.field.setFocus()

    def place(self) -> None:
        """Move below the photo, or above it if there is no room below; without room for either, to an edge."""
        document, photo = self._session.document, self._session.current
        layout = None if document is None else document.layout
        cell = None if layout is None or photo is None else layout.cell_of(photo)
        self.put_aside([] if cell is None else [cell])
        if cell is None:
            self.move(self.x(), MARGIN)
            return
        tile, room = self._canvas.cell_rect(cell), self._canvas.clear_area
        left = min(max(0, round(tile.center().x() - self.width() / 2)), max(0, room.width() - self.width()))
        for top in (round(tile.bottom()), round(tile.top()) - self.height()):
            if room.top() <= top and top + self.height() <= room.bottom():
                self.move(left, top)
                return

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
