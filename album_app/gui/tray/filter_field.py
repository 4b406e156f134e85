"""The field above the tray's list: words that names must have; Down or Enter goes on to what was found."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from album_app.gui.controls.sections import SheetUndo
from album_app.language import tr


class FilterField(QLineEdit):
    """A line to type words into.

    Signals:
        left_downwards(): the keyboard is to go to the list
    """

    left_downwards = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Filter"))
        self.setAccessibleName(tr("Filter photos by name"))
        self.setToolTip(tr("Filter photos by name"))
        self.setClearButtonEnabled(True)
        SheetUndo(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left_downwards.emit()
        else:
            super().keyPressEvent(event)
