"""The strip of alternatives: the photos that would suit a cell next best, in words and with a bar; a click pins one."""

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from album_app.gui.canvas.floating_card import BELOW, EDGE, MARGIN, FloatingCard, PhotoButton
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.canvas.tiles.placeholders import CanvasColours, tinted
from album_app.gui.canvas.tiles.tiles import tile_image
from album_app.gui.state.advice import Advice
from album_app.gui.state.session import Session
from album_app.gui.style.wording import place_words
from album_app.language import mark, tr
from album_app.layout.shapes.shape import Cell

SIDE = 80
MOST_ALTERNATIVES = 8
GAP = 2
SHORT = {
    mark("fits equally well"): mark("equally well"),
    mark("fits a little worse"): mark("a little worse"),
    mark("fits poorly"): mark("poorly"),
}
"""Words for how well a photo fits, where there is room for no more than these."""


class Alternative(PhotoButton):
    """One photo of the strip, with a bar and words for how well it would fit, from 0 to 1."""

    def __init__(self, photo: int, fit: float, words: str, picture: QPixmap, name: str, colours: CanvasColours) -> None:
        super().__init__(photo, picture, SIDE, 13, [tr(SHORT[words])], colours)
        self._fit = fit
        self.setAccessibleName(f"{name}, {tr(words)}")
        self.setToolTip(tr("{name} {words}\nClick to pin it here", name=name, words=tr(words)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tinted(self._colours.muted, 60))
            painter.drawRoundedRect(QRectF(4, SIDE + 9, SIDE, 4), 2, 2)
            painter.setBrush(QColor(self._colours.accent))
            painter.drawRoundedRect(QRectF(4, SIDE + 9, max(4.0, SIDE * min(1.0, self._fit)), 4), 2, 2)


class AlternativesStrip(FloatingCard):
    """Floats at the bottom of the canvas; follows the selected cell while it is open."""

    def __init__(self, session: Session, advice: Advice, canvas: SheetView) -> None:
        super().__init__(canvas)
        self._session = session
        self._advice = advice
        self.cell: Cell | None = None
        self._is_asking = False  # whether an answer is awaited
        self.buttons: list[Alternative] = []  # the photos on offer, best first
        self.setObjectName("alternatives")
        self.setAccessibleName(tr("Alternatives"))
        self._title = QLabel()
        self._words = ""  # of the title, which are shortened where there is no room
        self._close = QToolButton()
        self._close.setText("✕")
        self._close.setAccessibleName(tr("Close the alternatives"))
        self._close.setToolTip(tr("Close (Esc)"))
        self._close.clicked.connect(self.dismiss)
        self._row = QHBoxLayout()
        self._row.setSpacing(GAP)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(EDGE, MARGIN, EDGE, BELOW)
        self._column.addLayout(head)
        self._column.addLayout(self._row)
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        self._title.setFont(bold)

    def show_for(self, cell: Cell | None) -> None:
        """Ask for the alternatives of a cell and show them when they are there; where there is no such cell, close."""
        document = self._session.document
        if cell is None or document is None or cell not in document.shape:
            self.dismiss()
        else:
            self.cell, self._is_asking = cell, True
            self._advice.alternatives(cell, lambda found: self._fill(cell, found))

    def follow(self, cell: Cell) -> None:
        """Turn to another cell, while the strip is open."""
        if self.isVisible() and cell != self.cell:
            self.show_for(cell)

    @Slot()
    def refresh(self) -> None:
        """The sheet was edited, or arranged anew: what fits the cell of the keyboard may be others."""
        if self.isVisible() or self._is_asking:
            self.show_for(self._session.cell or self.cell)

    def set_colours(self, colours: CanvasColours) -> None:
        """Dress for another theme."""
        super().set_colours(colours)
        self.refresh()

    def place(self) -> None:
        """To the middle of the canvas' lower edge, or of the upper one where it would hide its cell.

        Where it is too narrow for all alternatives the best ones stay.
        """
        room = self._canvas.width() - 2 * EDGE
        for place, button in enumerate(self.buttons):
            button.setVisible(place == 0 or (place + 1) * (button.sizeHint().width() + GAP) - GAP <= room)
        words = room - self._close.sizeHint().width() - EDGE
        self._title.setText(self._title.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, words))
        self._column.activate()  # or it still reckons with what is hidden now
        self.put_aside([] if self.cell is None else [self.cell])

    def _fill(self, cell: Cell, found: list[tuple[int, float]]) -> None:
        document = self._session.document
        if document is None or cell != self.cell:
            return
        self._is_asking = False
        focused = not self.isVisible() or any(button.hasFocus() for button in self.buttons)
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        layout = document.layout
        here = layout.photo_in(cell) if layout is not None and cell in layout.shape else None
        others = [(photo, fit) for photo, fit in found if photo != here][:MOST_ALTERNATIVES]
        self._words = self._headline(cell, bool(others))
        self.buttons = [self._button(photo, fit, document.short_name(photo)) for photo, fit in others]
        before: QWidget = self._canvas
        for button in self.buttons:
            self._row.addWidget(button)
            self.setTabOrder(before, button)
            before = button
        self.setTabOrder(before, self._close)
        self.show()
        self.place()
        self.raise_()
        if focused and self.buttons:
            self.buttons[0].setFocus()

    def _headline(self, cell: Cell, some: bool) -> str:
        document = self._session.document
        where = place_words(cell, None if document is None else document.shape.pages)
        return tr("Would also fit {where}", where=where) if some else tr("Nothing else would fit {where}", where=where)

    def _button(self, photo: int, fit: float, name: str) -> Alternative:
        from album_app.layout.evaluation.insight import fit_in_words  # by now it is there: what fits was found by it

        ratio = self.devicePixelRatioF()
        picture = QPixmap.fromImage(tile_image(self._canvas.scene.tile_cache.picture(photo, round(SIDE * ratio))))
        picture.setDevicePixelRatio(ratio)
        button = Alternative(photo, fit, fit_in_words(fit), picture, name, self._colours)
        button.clicked.connect(self._chosen)
        return button

    @Slot()
    def _chosen(self) -> None:
        button, cell = self.sender(), self.cell
        if isinstance(button, Alternative) and cell is not None:
            self._session.drop((button.photo,), cell)
            self._canvas.setFocus()

    @Slot()
    def dismiss(self) -> None:
        self.cell, self._is_asking = None, False
        self.give_way()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        buttons = [button for button in self.buttons if button.isVisible()]
        if step is not None and buttons:
            now = next((index for index, button in enumerate(buttons) if button.hasFocus()), -step)
            buttons[(now + step) % len(buttons)].setFocus()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            for button in buttons:
                if button.hasFocus():
                    button.click()
        else:
            super().keyPressEvent(event)
