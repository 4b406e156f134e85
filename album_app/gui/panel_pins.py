"""The Pins section: what is pinned where, and pins by the handful."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from album_app.gui.drops import short_name
from album_app.gui.pin_commands import PinCommands
from album_app.gui.section import Section, button, button_row, muted
from album_app.gui.session import Session

ICON = 34
ROWS_SHOWN = 5


class PinList(QListWidget):
    """The pinned photos; Delete unpins, Enter goes there."""

    unpin_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.unpin_wanted.emit()
        else:
            super().keyPressEvent(event)


class PinsSection(Section):
    """Lists the pins.

    Signals:
        go_to(int): show this photo on the sheet
    """

    go_to = Signal(int)

    def __init__(self, session: Session, commands: PinCommands) -> None:
        super().__init__("Pins")
        self._session = session
        self._list = PinList()
        self._list.setAccessibleName("Pinned photos")
        self._list.setProperty("framed", True)
        self._list.setIconSize(QSize(ICON, ICON))
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._list.setFixedHeight(ROWS_SHOWN * (ICON + 8))
        self._none = muted(
            "Drag a photo to a cell to pin it there. The others arrange themselves around it.", wrap=True
        )
        self._go = button("Go to", self._on_go, "Show the pinned photo on the sheet")
        self._unpin = button("Unpin", self._on_unpin, "Unpin the chosen photos")
        self._corners = button("Corners", commands.corners, "Pin photos far apart to the four corners")
        self._letters = button("Letters", commands.letters, "Pin a photo to the middle of each letter")
        self._suggest = button("Suggest", commands.suggest, "Pin the photo the sheet would learn most from")
        self._list_buttons = button_row([self._go, self._unpin])
        presets = button_row([self._corners, self._letters, self._suggest])
        for widget in (self._none, self._list, self._list_buttons, presets):
            self.body.addWidget(widget)
        self._list.itemActivated.connect(lambda item: self._on_go())
        self._list.itemSelectionChanged.connect(self._on_chosen)
        self._list.unpin_wanted.connect(self._on_unpin)
        session.opened.connect(self.refresh)
        session.document_changed.connect(self.refresh)
        session.thumbnails_arrived.connect(self._on_thumbnails)
        session.solving.scored.connect(lambda layout: commands.find_conflicts(self._show_conflicts))

    @Slot()
    def refresh(self) -> None:
        """List the document's pins, row by row of the sheet."""
        self._session.jobs.cancel("conflicts")
        document = self._session.document
        pins = {} if document is None else dict(sorted(document.pins.items(), key=lambda pin: pin[1]))
        self._list.blockSignals(True)
        self._list.clear()
        for photo, (line, column) in pins.items():
            name = short_name(document, photo) if document is not None else ""
            item = QListWidgetItem(f"{name}\n{_place(line, column)}")
            item.setData(Qt.ItemDataRole.UserRole, photo)
            item.setSizeHint(QSize(0, ICON + 8))
            self._list.addItem(item)
        self._list.blockSignals(False)
        self._none.setVisible(not pins)
        self._list.setVisible(bool(pins))
        self._list.setFixedHeight(min(len(pins), ROWS_SHOWN) * (ICON + 8) + 8)
        self._list_buttons.setVisible(bool(pins))
        self._letters.setEnabled(document is not None and bool(document.shape.centres))
        self._on_thumbnails(list(pins))
        self._on_chosen()
        self.set_note(str(len(pins)) if pins else "")

    @Slot(list)
    def _on_thumbnails(self, photos: list[int]) -> None:
        pinned = () if self._session.document is None else self._session.document.pins
        wanted = set(photos).intersection(pinned)
        for place in range(self._list.count() if wanted else 0):
            item = self._list.item(place)
            photo = item.data(Qt.ItemDataRole.UserRole)
            picture = self._session.pictures.image(photo) if photo in wanted else None
            if picture is not None:
                square = picture.scaled(
                    2 * ICON, 2 * ICON, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
                )
                item.setIcon(QIcon(QPixmap.fromImage(square)))

    def _show_conflicts(self, conflicts: dict[int, float]) -> None:
        """Mark the pins that the others contradict."""
        document = self._session.document
        for place in range(self._list.count()):
            item = self._list.item(place)
            photo = item.data(Qt.ItemDataRole.UserRole)
            far = conflicts.get(photo)
            if document is None or far is None or photo not in document.pins:
                continue
            name, where = short_name(document, photo), _place(*document.pins[photo])
            item.setText(f"{name}\n{where} · against the others")
            item.setToolTip(
                f"The other pins would put this photo far from here, {far:.0%} of the sheet's diagonal away."
            )

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
        self._session.unpin(self.chosen)


def _place(line: int, column: int) -> str:
    return f"row {line + 1}, column {column + 1}"
