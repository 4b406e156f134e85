"""Cards with photos to choose from: the photos of a stack, and the alternatives, which would suit a cell next best."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget

from album_app.file_names import undirected
from album_app.gui.canvas.cards import BELOW, EDGE, MARGIN, FloatingCard, card_button
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.canvas.tiles.marks import CanvasColours, tinted
from album_app.gui.canvas.tiles.tiles import tile_image
from album_app.gui.state.advice import Advice
from album_app.gui.state.session import Session
from album_app.gui.style.icons import pixmap
from album_app.gui.style.wording import place_words
from album_app.language import mark, tr, trn
from album_app.layout.editing.stacks import shown_first, unstacked
from album_app.layout.shapes.shape import Cell
from album_app.photos.album import Photo

STACKED_SIDE_PX, STACK_GAP_PX, STACKED_ABOVE_PX = 104, 4, 5
"""Of the photos of a stack: their side, the gap between them, and the room above their names."""
SCROLL_BAR_PX = 12
"""Room for a scroll bar below the photos of a stack."""
ALTERNATIVE_SIDE_PX, ALTERNATIVES_GAP_PX = 80, 2
"""Of the alternatives: their side, and the gap between them."""
MOST_ALTERNATIVES = 8
SHORT_FIT_WORDS = {
    mark("fits equally well"): mark("equally well"),
    mark("fits a little worse"): mark("less well"),
    mark("fits poorly"): mark("poorly"),
}
"""The words of `fit_in_words`, shortened to the width of a photo."""
BUTTON_EDGE, RADIUS, LINE, TICK = 4, 6, 17, 20
"""Of a button with a photo, in pixels: its margin, the radius of its corners, a line of words, the disc of its tick."""


class PhotoButton(QAbstractButton):
    """A button with a photo of this side, and lines of words below it after a room of `above` pixels."""

    def __init__(
        self, photo: int, picture: QPixmap, side: int, above: int, lines: Sequence[str], colours: CanvasColours
    ) -> None:
        super().__init__()
        self.photo = photo
        self.ticked = False
        self._picture, self._side, self._below = picture, side, above + LINE * len(lines)
        self._lines, self._colours = lines, colours
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(self._side + 2 * BUTTON_EDGE, self._side + self._below)

    def paintEvent(self, event: QPaintEvent) -> None:
        tile, clip = QRectF(BUTTON_EDGE, BUTTON_EDGE, self._side, self._side), QPainterPath()
        clip.addRoundedRect(tile, RADIUS, RADIUS)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipPath(clip)
            painter.drawPixmap(tile.topLeft(), self._picture)
            painter.setClipping(False)
            if self.hasFocus() or self.underMouse():
                colour = tinted(self._colours.accent, 255 if self.hasFocus() else 120)
                painter.setPen(QPen(colour, 3.0 if self.hasFocus() else 2.0))
                painter.drawRoundedRect(tile, RADIUS, RADIUS)
            if self.ticked:
                self._paint_tick(painter, tile)
            painter.setPen(QColor(self._colours.muted))
            for place, words in enumerate(reversed(self._lines)):
                line = QRectF(BUTTON_EDGE, self._side + self._below - LINE * (place + 1), self._side, LINE - 1)
                shown = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, self._side)
                painter.drawText(line, Qt.AlignmentFlag.AlignCenter, shown)

    def _paint_tick(self, painter: QPainter, tile: QRectF) -> None:
        disc = QRectF(tile.left() + 5, tile.top() + 5, TICK, TICK)
        painter.setPen(QPen(QColor("#ffffff"), 1.5))
        painter.setBrush(QColor(self._colours.accent))
        painter.drawEllipse(disc)
        tick = pixmap("check", "#ffffff", TICK - 6, self.devicePixelRatioF())
        painter.drawPixmap(disc.topLeft().toPoint() + QPoint(3, 3), tick)
        painter.setBrush(Qt.BrushStyle.NoBrush)


class StackedPhoto(PhotoButton):
    """One photo of a stack with its file's name and size; the one on top is ticked."""

    def __init__(self, photo: int, entry: Photo, on_top: bool, picture: QPixmap, colours: CanvasColours) -> None:
        name, size = undirected(entry.name.rsplit("/", 1)[-1]), f"{entry.width} × {entry.height}"
        super().__init__(
            photo, picture, STACKED_SIDE_PX, STACKED_ABOVE_PX, [name, size, tr("Shown") if on_top else ""], colours
        )
        self.ticked = on_top
        self.setAccessibleName(tr("{name}, shown", name=name) if on_top else name)
        self.setAccessibleDescription(size)
        self.setToolTip(name if on_top else tr("{name}\nClick to show it instead", name=name))


class StackCard(FloatingCard):
    """Shows the photos of the open stack; closes when the stack no longer exists."""

    def __init__(self, session: Session, canvas: SheetView) -> None:
        super().__init__(canvas)
        self._session = session
        self._shown: int | None = None  # the photo on top of the stack
        self.photos: list[StackedPhoto] = []
        self.setObjectName("stack")
        self.setAccessibleName(tr("Stack"))
        self._title = QLabel()
        self._title.setProperty("role", "heading")
        self._title.setWordWrap(True)
        self.unstack_button = card_button(
            tr("Unstack"), self._unstack, tr("Give each of these photos a cell of its own")
        )
        self._close = card_button(tr("Close"), self.dismiss, tr("Close (Esc)"))
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self.unstack_button)
        head.addWidget(self._close)
        self._row = QScrollArea()
        self._row.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._row.setFixedHeight(STACKED_SIDE_PX + STACKED_ABOVE_PX + 3 * LINE + SCROLL_BAR_PX)
        self._row.setFrameShape(QScrollArea.Shape.NoFrame)
        self._row.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._row.viewport().setAutoFillBackground(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE, MARGIN, EDGE, BELOW)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self._row)
        session.document_changed.connect(self._follow)
        session.opened.connect(self.dismiss)

    def show_for(self, photo: int | None) -> None:
        """Open the stack that a photo stands for; close it if it is open already, or if there is none."""
        document = self._session.document
        if document is None or photo not in document.stack_of or (self.isVisible() and photo == self._shown):
            self.dismiss()
            return
        self._shown = photo
        self._fill()
        self.show()
        self.place()
        self.raise_()
        self._focus_on(photo)

    def _focus_on(self, photo: int | None) -> None:
        for each in self.photos:
            if each.photo == photo:
                each.setFocus()
                self._row.ensureWidgetVisible(each)

    def place(self) -> None:
        """Move where the stack is not hidden, as wide as photos and words need if there is room."""
        document = self._session.document
        layout = None if document is None else document.layout
        cell = layout.cell_of(self._shown) if layout is not None and self._shown is not None else None
        buttons = sum(each.sizeHint().width() + STACK_GAP_PX + 8 for each in (self.unstack_button, self._close))
        words = self._title.fontMetrics().horizontalAdvance(self._title.text()) + buttons
        wanted = max(words, len(self.photos) * (STACKED_SIDE_PX + 8 + STACK_GAP_PX)) + 2 * EDGE + 8
        self.setFixedWidth(min(wanted, self._canvas.width() - 8))
        self.put_aside([] if cell is None else [cell])

    def dismiss(self) -> None:
        self._shown = None
        if self.isVisible():
            self.give_way()

    @Slot()
    def _follow(self) -> None:
        """Follow an edit: the stack may have changed, or exist no longer."""
        document = self._session.document
        if not self.isVisible() or document is None or self._shown is None:
            return
        mates = {photo for stack in document.stacks if self._shown in stack for photo in stack}
        self._shown = next((photo for photo in document.stack_of if photo in mates), None)
        if self._shown is None:
            self.dismiss()
        else:
            focused = next((each.photo for each in self.photos if each.hasFocus()), None)
            if focused is not None:
                self.setFocus()  # while the buttons are replaced
            self._fill()
            self.place()
            self._focus_on(focused)

    def _fill(self) -> None:
        document = self._session.document
        if document is None or self._shown is None:
            return
        stack = document.stack_of[self._shown]
        self._title.setText(trn("{count} photo in this stack", "{count} photos in this stack", len(stack)))
        inside = QWidget()
        across = QHBoxLayout(inside)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(STACK_GAP_PX)
        order = sorted(stack)  # in the order of the album, so that a choice moves nothing
        self.photos = [self._button(photo, document.album.photos[photo], photo == self._shown) for photo in order]
        for made in self.photos:
            across.addWidget(made)
        across.addStretch(1)
        self._row.setWidget(inside)
        self._row.setWidgetResizable(True)
        inside.setAutoFillBackground(False)

    def _button(self, photo: int, entry: Photo, on_top: bool) -> StackedPhoto:
        ratio = self.devicePixelRatioF()
        picture = QPixmap.fromImage(
            tile_image(self._canvas.scene.tile_cache.picture(photo, round(STACKED_SIDE_PX * ratio)))
        )
        picture.setDevicePixelRatio(ratio)
        made = StackedPhoto(photo, entry, on_top, picture, self._colours)
        made.clicked.connect(lambda checked=False: self._choose(photo))
        return made

    def _choose(self, photo: int) -> None:
        """Show a photo on top of the stack, and select it."""
        if self._session.edit(shown_first, photo):
            self._session.select((photo,), self._session.cell)

    def _unstack(self) -> None:
        if self._shown is not None:
            self._session.edit(unstacked, [self._shown])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        now = next((place for place, photo in enumerate(self.photos) if photo.hasFocus()), None)
        if step is not None and self.photos:
            self._focus_on(self.photos[((now if now is not None else -step) + step) % len(self.photos)].photo)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            if isinstance(focused, QAbstractButton):
                focused.click()
        elif event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)


class Alternative(PhotoButton):
    """One alternative, with a bar and words for how well it would fit, from 0 to 1."""

    def __init__(self, photo: int, fit: float, words: str, picture: QPixmap, name: str, colours: CanvasColours) -> None:
        super().__init__(photo, picture, ALTERNATIVE_SIDE_PX, 13, [tr(SHORT_FIT_WORDS[words])], colours)
        self._fit = fit
        self.setAccessibleName(f"{name}, {tr(words)}")
        self.setToolTip(tr("{name} {words}\nClick to pin it here", name=name, words=tr(words)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tinted(self._colours.muted, 60))
            painter.drawRoundedRect(QRectF(4, ALTERNATIVE_SIDE_PX + 9, ALTERNATIVE_SIDE_PX, 4), 2, 2)
            painter.setBrush(QColor(self._colours.accent))
            painter.drawRoundedRect(
                QRectF(4, ALTERNATIVE_SIDE_PX + 9, max(4.0, ALTERNATIVE_SIDE_PX * min(1.0, self._fit)), 4), 2, 2
            )


class AlternativesStrip(FloatingCard):
    """Shows the photos that would suit a cell next best; follows the selected cell while it is open."""

    def __init__(self, session: Session, advice: Advice, canvas: SheetView) -> None:
        super().__init__(canvas)
        self._session = session
        self._advice = advice
        self.cell: Cell | None = None
        self._is_asking = False  # whether alternatives are being looked for
        self.buttons: list[Alternative] = []  # the photos on offer, best first
        self.setObjectName("alternatives")
        self.setAccessibleName(tr("Alternatives"))
        self._title = QLabel()
        self._words = ""  # of the title, which are shortened where there is no room
        self._close = QToolButton()
        self._close.setObjectName("closeButton")
        self._close.setAccessibleName(tr("Close the alternatives"))
        self._close.setToolTip(tr("Close (Esc)"))
        self._close.clicked.connect(self.dismiss)
        self._row = QHBoxLayout()
        self._row.setSpacing(ALTERNATIVES_GAP_PX)
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
        """Find the alternatives for a cell and show them then; close if there is no such cell."""
        document = self._session.document
        if cell is None or document is None or cell not in document.shape:
            self.dismiss()
        else:
            self.cell, self._is_asking = cell, True
            self._advice.alternatives(cell, lambda found: self._fill(cell, found))

    def follow(self, cell: Cell) -> None:
        """Show the alternatives for another cell, if the strip is open."""
        if self.isVisible() and cell != self.cell:
            self.show_for(cell)

    @Slot()
    def refresh(self) -> None:
        """Find the alternatives again after the sheet was edited or arranged."""
        if self.isVisible() or self._is_asking:
            self.show_for(self._session.cell or self.cell)

    def set_colours(self, colours: CanvasColours) -> None:
        """Use the colours of another theme."""
        super().set_colours(colours)
        self.refresh()

    def place(self) -> None:
        """Move to the lower edge of the canvas, or to the upper one if the cell would be hidden.

        In a narrow canvas only the best alternatives are shown.
        """
        room = self._canvas.width() - 2 * EDGE
        for place, button in enumerate(self.buttons):
            button.setVisible(
                place == 0
                or (place + 1) * (button.sizeHint().width() + ALTERNATIVES_GAP_PX) - ALTERNATIVES_GAP_PX <= room
            )
        words = room - self._close.sizeHint().width() - EDGE
        self._title.setText(self._title.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, words))
        self._column.activate()  # otherwise it still counts the hidden buttons
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
        from album_app.layout.evaluation.insight import fit_in_words  # imported by now

        ratio = self.devicePixelRatioF()
        picture = QPixmap.fromImage(
            tile_image(self._canvas.scene.tile_cache.picture(photo, round(ALTERNATIVE_SIDE_PX * ratio)))
        )
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
