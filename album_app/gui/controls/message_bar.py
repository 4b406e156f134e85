"""The quiet bar above the sheet: a sentence, and what can be done about it; the program goes on meanwhile."""

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from album_app.errors import AlbumError
from album_app.file_names import undirected
from album_app.gui.controls.sections import named
from album_app.gui.controls.status_line import SIDE, SIGNS, sign
from album_app.gui.style import theme
from album_app.gui.style.icons import icon, pixmap
from album_app.gui.style.wording import sentence
from album_app.language import tr

Choice = tuple[str, Callable[[], None]]


@dataclass(frozen=True)
class Message:
    """A sentence, and buttons for what can be done about it."""

    text: str
    choices: tuple[Choice, ...]
    kind: str = "note"


class MessageBar(QFrame):
    """Shows one message at a time: the latest, and when that is gone, those that wait for their answers.

    Signals:
        focus_left(): the keyboard was on a button that is gone
    """

    focus_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, tr("Message"), "messageBar")
        self._latest: Message | None = None
        self._waiting: dict[str, Message] = {}  # by topic, the one to be shown last
        self._mark = named(QLabel(), "", "messageMark")
        self._text = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons: list[QPushButton] = []
        self._close = named(QToolButton(), tr("Close message"))
        self._close.setToolTip(tr("Close this message"))
        self._close.clicked.connect(self._on_close)
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
        closing = tuple((name, partial(self._close_and, run)) for name, run in choices)
        self._latest = Message(text, closing, kind)
        self._refresh()

    def keep_message(self, topic: str, text: str, *choices: Choice) -> None:
        """Show a sentence whenever there is nothing newer to say, until it is settled or the user closes it."""
        self._waiting = {**self._waiting, topic: Message(text, choices)}
        self._refresh()

    def settle(self, topic: str) -> None:
        """What was waiting for an answer has it."""
        if self._waiting.pop(topic, None) is not None:
            self._refresh()

    def clear(self) -> None:
        """The latest message is out of date; one that waits for its answer comes back."""
        if self._latest is not None:
            self._latest = None
            self._refresh()

    def _close_and(self, run: Callable[[], None]) -> None:
        self.clear()
        run()

    @Slot()
    def _on_close(self) -> None:
        if self._latest is None:
            self._waiting.popitem()
        self._latest = None
        self._refresh()

    def _refresh(self) -> None:
        message = self._latest or next(reversed(self._waiting.values()), None)
        focused = self.isAncestorOf(self.window().focusWidget())
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = [self._button(*choice) for choice in message.choices] if message is not None else []
        for place, button in enumerate(self._buttons):
            self._row.insertWidget(2 + place, button)
        for before, after in pairwise([self._close, *self._buttons, self._close]):
            QWidget.setTabOrder(before, after)
        if message is not None:
            palette, ratio = theme.current(), self.devicePixelRatio()
            plain = message.kind not in SIGNS
            self._mark.setPixmap(pixmap("photo", palette.muted, SIDE, ratio) if plain else sign(message.kind, ratio))
            self._close.setIcon(icon("close", palette.muted))
            self._text.setText(undirected(message.text))
            self.setProperty("kind", message.kind)
            self.style().unpolish(self)
            self.style().polish(self)
        self.setVisible(message is not None)
        if focused:
            self.focus_left.emit()

    def show_error(self, error: BaseException) -> None:
        """A foreseen error as its sentence; any other is logged, with its details to copy."""
        if isinstance(error, AlbumError):
            self.show_message(sentence(str(error)), kind="error")
            return
        details = "".join(traceback.format_exception(error))
        logging.getLogger("album_app").error("unexpected error\n%s", details)
        self.show_message(
            tr(
                "Something went wrong ({name}: {error}). Your work is safe, and the program goes on.",
                name=type(error).__name__,
                error=error,
            ),
            (tr("Copy details"), lambda: QGuiApplication.clipboard().setText(details)),
            kind="error",
        )

    def _button(self, name: str, run: Callable[[], None]) -> QPushButton:
        button = named(QPushButton(name), name)
        button.clicked.connect(lambda checked=False: run())
        return button
