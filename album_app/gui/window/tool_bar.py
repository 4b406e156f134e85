"""The tools above the sheet: a few actions of the table as buttons, the export last and largest."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QSizePolicy, QToolBar, QToolButton, QWidget

from album_app.gui.commands.actions import Actions
from album_app.language import tr

LEFT = ("open_folder", "save", "", "undo", "redo", "", "pin_corners", "pin_suggest", "arrange")
RIGHT = ("heat", "places", "fit", "", "tray", "panel", "")
"""Keys of actions; nothing between them is a line."""


class ToolBar(QToolBar):
    """Icons that stay where they are.

    Signals:
        told(str): what the button does that has got the keyboard, "" where none has it any more
    """

    told = Signal(str)

    def __init__(self, actions: Actions) -> None:
        super().__init__(tr("Tools"))
        self._table = actions
        self.setMovable(False)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.setIconSize(QSize(20, 20))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        for key in LEFT:
            self._add(key)
        self.addWidget(space)
        for key in RIGHT:
            self._add(key)
        export = QToolButton()
        export.setDefaultAction(actions["export"])
        export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        export.setProperty("primary", True)
        export.setAccessibleName(tr("Export the sheet"))
        self.addWidget(export)

    def _add(self, key: str) -> None:
        if not key:
            self.addSeparator()
            return
        self.addAction(self._table[key])
        widget = self.widgetForAction(self._table[key])
        widget.setAccessibleName(self._table[key].data().text.rstrip("…"))
        widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        widget.installEventFilter(self)

    def eventFilter(self, button: QObject, event: QEvent) -> bool:
        if isinstance(button, QToolButton) and isinstance(event, QFocusEvent):
            self.told.emit(button.toolTip() if event.gotFocus() else "")
        return False
