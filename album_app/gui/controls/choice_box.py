"""A list to choose from that changes nothing by accident."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QStandardItemModel, QWheelEvent
from PySide6.QtWidgets import QComboBox

MOST_CHOICES = 16
"""A list of so many choices is shown whole."""

MOVING = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)
WITH_OTHERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
"""A letter pressed with one of these is none of a name."""


class ChoiceBox(QComboBox):
    """A combo box that takes a click or Enter for a choice: while it is closed, keys open it and the wheel passes by.

    `choices` are the words shown for each value.
    """

    def __init__(self, choices: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.setMaxVisibleItems(MOST_CHOICES)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel gives none
        for value, words in (choices or {}).items():
            self.addItem(words, value)

    def set_apart(self, value: str, heading: str) -> None:
        """Put a line and a heading, which cannot be chosen, before the choice that stands for a value."""
        place = self.findData(value)
        self.insertSeparator(place)
        self.insertItem(place + 1, heading)
        model = self.model()
        if isinstance(model, QStandardItemModel):
            model.item(place + 1).setEnabled(False)

    def show_value(self, value: object) -> None:
        """Show the choice that stands for a value, or nothing where none does."""
        self.setCurrentIndex(self.findData(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        letter = event.text() if event.text().isprintable() and not event.modifiers() & WITH_OTHERS else ""
        if event.key() in MOVING:
            self.showPopup()
        elif letter.strip():
            self.showPopup()
            self.view().keyboardSearch(letter)
        else:
            super().keyPressEvent(event)
