"""Pins that are proposed: ghosts in their cells, and the bar that asks about them."""

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QApplication, QBoxLayout, QHBoxLayout, QLabel, QVBoxLayout

from album_app.gui.canvas.cards import BELOW, EDGE, MARGIN, FloatingCard, card_button
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.canvas.tiles.marks import CanvasColours
from album_app.gui.canvas.tiles.tiles import tile_image
from album_app.gui.state.advice import Proposals
from album_app.gui.style.design import ROOM, SNUG
from album_app.language import tr

DIMMED = 0.62
LARGEST_WIDTH = 560


class ProposalBar(FloatingCard):
    """Asks whether what is proposed shall be pinned; Enter accepts, Esc dismisses."""

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
        """Where it hides no ghost; the buttons are below the words where there is no room for both side by side."""
        width = min(LARGEST_WIDTH, self._canvas.width())
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


def paint_ghosts(canvas: SheetView, painter: QPainter) -> None:
    """Each photo that would be pinned, dimmed in the cell where it would be, in a dashed line."""
    for photo, cell in canvas.ghosts.items():
        tile = canvas.scene.rect_of(cell)
        if tile.intersects(QRectF(0, 0, *canvas.device_size)):
            _paint_ghost(canvas, painter, photo, tile, canvas.colours)


def _paint_ghost(canvas: SheetView, painter: QPainter, photo: int, tile: QRectF, colours: CanvasColours) -> None:
    radius = 0.08 * tile.width()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.background))
    painter.drawRoundedRect(tile, radius, radius)
    painter.setOpacity(DIMMED)
    painter.drawImage(tile, tile_image(canvas.scene.tile_cache.picture(photo, round(max(tile.width(), tile.height())))))
    painter.setOpacity(1.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, dashes in (("#ffffff", []), (colours.pin, [2.5, 1.8])):
        pen = QPen(QColor(colour), 2.5 * canvas.ratio)
        if dashes:
            pen.setDashPattern(dashes)
        painter.setPen(pen)
        painter.drawRoundedRect(tile, radius, radius)
