"""The quiet bar above the sheet: a sentence, and what can be done about it; the program goes on meanwhile."""

import logging
import traceback
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from album_app.errors import AlbumError
from album_app.gui import theme
from album_app.gui.icons import icon, pixmap
from album_app.gui.section import named

Choice = tuple[str, Callable[[], None]]


class MessageBar(QFrame):
    """Shows one message at a time; the latest replaces the one before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "Message", "messageBar")
        self._mark = named(QLabel(), "", "messageMark")
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons: list[QPushButton] = []
        self._close = named(QToolButton(), "Close message")
        self._close.setToolTip("Close this message")
        self._close.clicked.connect(self.hide)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(14, 8, 8, 8)
        self._row.setSpacing(10)
        for widget in (self._mark, self._text, self._close):
            self._row.addWidget(widget, 1 if widget is self._text else 0)
        self.hide()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_message(self, text: str, *choices: Choice, kind: str = "note") -> None:
        """Show a sentence with buttons; a button closes the bar."""
        for button in self._buttons:
            button.deleteLater()
        self._buttons = [self._button(name, run) for name, run in choices]
        for place, button in enumerate(self._buttons):
            self._row.insertWidget(2 + place, button)
        palette = theme.current()
        self._mark.setPixmap(
            pixmap("warning" if kind == "error" else "photo", palette.muted, 18, self.devicePixelRatio())
        )
        self._close.setIcon(icon("close", palette.muted))
        self._text.setText(text)
        self.setProperty("kind", kind)
        self.show()

    def show_error(self, error: BaseException) -> None:
        """A foreseen error as its sentence; any other is logged, with its details to copy."""
        if isinstance(error, AlbumError):
            self.show_message(str(error), kind="error")
            return
        details = "".join(traceback.format_exception(error))
        logging.getLogger("album_app").error("unexpected error\n%s", details)
        self.show_message(
            f"Something went wrong ({type(error).__name__}: {error}). Your work is safe, and the program goes on.",
            ("Copy details", lambda: QGuiApplication.clipboard().setText(details)),
            kind="error",
        )

    def _button(self, name: str, run: Callable[[], None]) -> QPushButton:
        button = named(QPushButton(name), name)
        button.clicked.connect(self.hide)
        button.clicked.connect(lambda checked=False: run())
        return button
