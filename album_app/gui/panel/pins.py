"""The Pins section: which photos are pinned where, and buttons that pin several photos at once."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QContextMenuEvent, QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QMenu

from album_app.gui.commands.pin_commands import PinCommands
from album_app.gui.controls.sections import Section, button, button_row, muted, square_picture
from album_app.gui.state.advice import Advice
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.style import theme
from album_app.gui.style.icons import pixmap
from album_app.gui.style.wording import place_words
from album_app.language import tr
from album_app.layout.editing.edits import unpinned

ICON_PX = 34
"""Side of the picture of a pinned photo."""
ROWS_SHOWN = 5
"""The list is at most this many rows high; more pins scroll."""
SPACE_PX = 8
"""Space above and below a picture, together, and around the list."""

MARK_PX = 14
"""Side of the mark in the corner of the picture of a pin that the other pins contradict."""


class PinList(QListWidget):
    """The pinned photos; Delete unpins the chosen ones, Enter shows one on the sheet, and a menu offers both."""

    unpin_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.unpin_wanted.emit()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up) and not self.selectedItems():
            self.setCurrentRow(max(0, self.currentRow()))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the context menu of the chosen pins, at the pointer or, for the menu key, at the last chosen row."""
        chosen = self.selectedItems()
        if not chosen:
            return
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        at = self.viewport().mapToGlobal(self.visualItemRect(chosen[-1]).center()) if by_key else event.globalPos()
        menu = QMenu(self)
        menu.addAction(tr("Go to")).triggered.connect(lambda checked=False: self.itemActivated.emit(chosen[-1]))
        menu.addAction(tr("Unpin")).triggered.connect(lambda checked=False: self.unpin_wanted.emit())
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)


class PinsSection(Section):
    """Lists the pins.

    Signals:
        go_to(int): show this photo on the sheet
    """

    go_to = Signal(int)

    def __init__(self, session: Session, photos: PhotoStore, advice: Advice, commands: PinCommands) -> None:
        super().__init__(tr("Pins"))
        self._session, self._photos, self._advice = session, photos, advice
        self._conflicts: frozenset[int] = frozenset()  # pinned photos that the other pins would put elsewhere
        self._list = PinList()
        self._list.setAccessibleName(tr("Pinned photos"))
        self._list.setProperty("framed", True)
        self._list.setIconSize(QSize(ICON_PX, ICON_PX))
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._none = muted(
            tr("Drag a photo to a cell to pin it there. The others arrange themselves around it."), wrap=True
        )
        self._go = button(tr("Go to"), self._on_go, tr("Show the pinned photo on the sheet"))
        self._unpin = button(tr("Unpin"), self._on_unpin, tr("Unpin the chosen photos"))
        self._corners = button(tr("Corners"), commands.corners, tr("Pin photos far apart to the four corners"))
        self._letters = button(tr("Letters"), commands.letters, tr("Pin a photo to the middle of each letter"))
        self._suggest = button(tr("Suggest"), commands.suggest, tr("Pin the photo the sheet would learn most from"))
        self._list_buttons = button_row([self._go, self._unpin])
        presets = button_row([self._corners, self._letters, self._suggest])
        # The list is below the buttons, so that they do not move when it grows.
        for widget in (presets, self._list_buttons, self._list, self._none):
            self.body.addWidget(widget)
        self._list.itemActivated.connect(lambda item: self._on_go())
        self._list.itemSelectionChanged.connect(self._on_chosen)
        self._list.unpin_wanted.connect(self._on_unpin)
        session.opened.connect(self.refresh)
        session.document_changed.connect(self.refresh)
        session.selection_changed.connect(self._follow_selection)
        photos.pictures_changed.connect(self._on_pictures)
        self.refresh()  # an album may have been opened before the panel was made

    @Slot()
    def refresh(self) -> None:
        """List the document's pins, row by row of the sheet."""
        self._advice.forget_conflicts()
        self._conflicts = frozenset()
        document = self._session.document
        pins = {} if document is None else dict(sorted(document.pins.items(), key=lambda pin: pin[1]))
        self._list.blockSignals(True)
        self._list.clear()
        for photo, cell in pins.items():
            name = document.short_name(photo) if document is not None else ""
            pages = None if document is None else document.shape.pages
            item = QListWidgetItem(f"{name}\n{place_words(cell, pages)}")
            item.setData(Qt.ItemDataRole.UserRole, photo)
            item.setSizeHint(QSize(0, ICON_PX + SPACE_PX))
            item.setIcon(self._icon(photo))
            self._list.addItem(item)
        self._list.blockSignals(False)
        self._none.setVisible(not pins)
        self._list.setVisible(bool(pins))
        self._list.setFixedHeight(min(len(pins), ROWS_SHOWN) * (ICON_PX + SPACE_PX) + SPACE_PX)
        self._list_buttons.setVisible(bool(pins))
        self._letters.setEnabled(document is not None and bool(document.shape.centres))
        self._follow_selection()
        self.set_note(str(len(pins)) if pins else "")

    @Slot(list)
    def _on_pictures(self, photos: list[int]) -> None:
        pinned = () if self._session.document is None else self._session.document.pins
        wanted = set(photos).intersection(pinned)
        for place in range(self._list.count() if wanted else 0):
            item = self._list.item(place)
            if item.data(Qt.ItemDataRole.UserRole) in wanted:
                item.setIcon(self._icon(item.data(Qt.ItemDataRole.UserRole)))

    def _icon(self, photo: int) -> QIcon:
        """A square picture of a photo, not tinted when its row is selected; with a mark if the others contradict it."""
        square = square_picture(self._photos.pictures.image(photo), ICON_PX)
        if photo in self._conflicts:
            _add_mark(square)
        made = QIcon(square)
        made.addPixmap(square, QIcon.Mode.Selected)
        return made

    @Slot()
    def _follow_selection(self) -> None:
        """Choose the pins of the photos that are selected on the sheet."""
        selected = set(self._session.selected)
        self._list.blockSignals(True)
        for place in range(self._list.count()):
            item = self._list.item(place)
            item.setSelected(item.data(Qt.ItemDataRole.UserRole) in selected)
        self._list.blockSignals(False)
        for item in self._list.selectedItems()[-1:]:
            self._list.scrollToItem(item)
        self._on_chosen()

    @Slot()
    def find_conflicts(self) -> None:
        """Look for pins that contradict the others, and mark them."""
        self._advice.conflicts(self._show_conflicts)

    def _show_conflicts(self, conflicts: dict[int, float]) -> None:
        """Mark the pins that contradict the others."""
        document, self._conflicts = self._session.document, frozenset(conflicts)
        for place in range(self._list.count()):
            item = self._list.item(place)
            photo = item.data(Qt.ItemDataRole.UserRole)
            if document is None or photo not in conflicts or photo not in document.pins:
                continue
            item.setIcon(self._icon(photo))
            remarks = tr("The other pins would put this photo far from here."), tr("It stays where you pinned it.")
            item.setToolTip("\n".join(remarks))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, " ".join(remarks))

    def refresh_theme(self) -> None:
        super().refresh_theme()
        self.refresh()
        self.find_conflicts()

    @property
    def chosen(self) -> list[int]:
        return [item.data(Qt.ItemDataRole.UserRole) for item in self._list.selectedItems()]

    @Slot()
    def _on_chosen(self) -> None:
        self._go.setEnabled(bool(self.chosen))
        self._unpin.setEnabled(bool(self.chosen))

    def _on_go(self) -> None:
        if self.chosen:
            self.go_to.emit(self.chosen[-1])

    @Slot()
    def _on_unpin(self) -> None:
        self._session.edit(unpinned, self.chosen)


def _add_mark(square: QPixmap) -> None:
    """Put a small "i" on a disc into the lower right corner of a picture of ICON_PX: something is said about it."""
    palette, ratio = theme.current(), square.width() / ICON_PX
    corner = QRectF(ICON_PX - MARK_PX, ICON_PX - MARK_PX, MARK_PX, MARK_PX)
    with QPainter(square) as painter:
        painter.scale(ratio, ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.raised))
        painter.drawEllipse(corner)
        painter.drawPixmap(corner.toRect(), pixmap("info", palette.muted, MARK_PX, ratio))
