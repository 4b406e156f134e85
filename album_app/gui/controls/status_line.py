"""A sentence that looks like what it says: a note, a success, a warning or an error, by colour and sign."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from album_app.gui.controls.sections import named, set_role
from album_app.gui.style import theme
from album_app.gui.style.icons import pixmap
from album_app.language import mark, tr

NOTE, SUCCESS, WARNING, ERROR = "muted", "success", "warning", "error"
SIGNS = {
    SUCCESS: ("done", mark("Done")),
    WARNING: ("attention", mark("Warning")),
    ERROR: ("warning", mark("Error")),
}
"""The icon of each kind, and what it is called where it cannot be seen; a note has none."""
SIDE = 18


class StatusLine(QWidget):
    """A label that may wrap, with the sign of its kind before it."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self._mark = QLabel()
        self.label = named(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), name)
        self.label.setMinimumWidth(1)  # a long word must not widen what is around
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        row.addWidget(self._mark)
        row.addWidget(self.label, 1)
        self.kind = NOTE
        self.say("")

    def say(self, text: str, kind: str = NOTE) -> None:
        """Say a sentence as what it is."""
        self.kind = kind
        self.label.setText(text)
        set_role(self.label, kind)
        self.refresh_theme()

    def refresh_theme(self) -> None:
        """Draw the sign in the colours of the theme."""
        self._mark.setVisible(self.kind in SIGNS)
        if self.kind in SIGNS:
            self._mark.setPixmap(sign(self.kind, self.devicePixelRatio()))
            self._mark.setAccessibleName(tr(SIGNS[self.kind][1]))


def sign(kind: str, ratio: float) -> QPixmap:
    """The sign of a kind in its colour."""
    return pixmap(SIGNS[kind][0], getattr(theme.current(), kind), SIDE, ratio)
