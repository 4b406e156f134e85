"""The photos of a stack side by side; a click shows another one on top, and a button takes the stack apart."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent, QPixmap
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from album_app.file_names import undirected
from album_app.gui.canvas.floating_card import BELOW, EDGE, LINE, MARGIN, FloatingCard, PhotoButton, card_button
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.canvas.tiles.placeholders import CanvasColours
from album_app.gui.canvas.tiles.tiles import tile_image
from album_app.gui.state.session import Session
from album_app.language import tr, trn
from album_app.layout.editing.stacks import shown_first, unstacked
from album_app.photos.album import Photo

SIDE, GAP, ABOVE = 104, 4, 5
SCROLL_BAR = 12


class StackedPhoto(PhotoButton):
    """One photo of a stack with its file's name and size; the one on top is ticked."""

    def __init__(self, photo: int, entry: Photo, on_top: bool, picture: QPixmap, colours: CanvasColours) -> None:
        name, size = undirected(entry.name.rsplit("/", 1)[-1]), f"{entry.width} × {entry.height}"
        super().__init__(photo, picture, SIDE, ABOVE, [name, size, tr("Shown") if on_top else ""], colours)
        self.ticked = on_top
        self.setAccessibleName(tr("{name}, shown", name=name) if on_top else name)
        self.setAccessibleDescription(size)
        self.setToolTip(name if on_top else tr("{name}\nClick to show it instead", name=name))


class StackCard(FloatingCard):
    """Floats over the sheet while a stack is open; closes when the stack is gone."""

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
        self._row.setFixedHeight(SIDE + ABOVE + 3 * LINE + SCROLL_BAR)
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
        """Open the stack that a photo shows; closed where it shows none, or where that is open already."""
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
        """Where it does not hide its stack, as wide as its photos and its words where there is room."""
        document = self._session.document
        layout = None if document is None else document.layout
        cell = layout.cell_of(self._shown) if layout is not None and self._shown is not None else None
        buttons = sum(each.sizeHint().width() + GAP + 8 for each in (self.unstack_button, self._close))
        words = self._title.fontMetrics().horizontalAdvance(self._title.text()) + buttons
        wanted = max(words, len(self.photos) * (SIDE + 8 + GAP)) + 2 * EDGE + 8
        self.setFixedWidth(min(wanted, self._canvas.width() - 8))
        self.put_aside([] if cell is None else [cell])

    def dismiss(self) -> None:
        self._shown = None
        if self.isVisible():
            self.give_way()

    @Slot()
    def _follow(self) -> None:
        """The document was edited: the stack may be another, or gone."""
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
                self.setFocus()  # while its photos are others
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
        across.setSpacing(GAP)
        order = sorted(stack)  # as in the album, so that nothing moves when another one is chosen
        self.photos = [self._button(photo, document.album.photos[photo], photo == self._shown) for photo in order]
        for made in self.photos:
            across.addWidget(made)
        across.addStretch(1)
        self._row.setWidget(inside)
        self._row.setWidgetResizable(True)
        inside.setAutoFillBackground(False)

    def _button(self, photo: int, entry: Photo, on_top: bool) -> StackedPhoto:
        ratio = self.devicePixelRatioF()
        picture = QPixmap.fromImage(tile_image(self._canvas.scene.tile_cache.picture(photo, round(SIDE * ratio))))
        picture.setDevicePixelRatio(ratio)
        made = StackedPhoto(photo, entry, on_top, picture, self._colours)
        made.clicked.connect(lambda checked=False: self._choose(photo))
        return made

    def _choose(self, photo: int) -> None:
        """Show a photo on top; it is the selected one then, as the other was."""
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
