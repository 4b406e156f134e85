"""The dialog of preferences: a control for each row of their table; a change takes effect at once."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from album_app.gui.controls import ask_user
from album_app.gui.controls.sections import ChoiceBox, align_rows, button, muted, row
from album_app.gui.state.preferences import PREFERENCES, Preference, Preferences
from album_app.gui.style.design import TIGHT, WIDE
from album_app.language import tr
from album_app.state_files import Value

WIDTH_PX = 460
"""Width of the controls, unless a language or a typeface needs more."""
SCROLL_BAR_PX = 14
FRAME = QSize(8, 40)
"""Pixels that the system's frame takes around a dialog, about."""


def _scrolling(inside: QWidget) -> QScrollArea:
    """An area that scrolls a widget on a small screen, also to the control that has the keyboard."""
    area = QScrollArea(widgetResizable=True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    return area


class PreferencesDialog(QDialog):
    """Shows and changes the table of preferences.

    Signals:
        changed(): the user changed a preference
    """

    changed = Signal()

    def __init__(self, parent: QWidget, preferences: Preferences) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Preferences"))
        self._preferences = preferences
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(24, 22, 24, 8)
        column.setSpacing(WIDE)
        for preference in PREFERENCES:
            column.addLayout(self._line(preference))
        column.addStretch(1)
        align_rows(inside, 2 * WIDTH_PX // 3)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.setContentsMargins(24, 0, 24, 16)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(_scrolling(inside), 1)
        whole.addWidget(buttons)
        room = self.screen().availableSize() - FRAME
        width = min(max(WIDTH_PX, inside.sizeHint().width()), room.width() - SCROLL_BAR_PX)
        inside.setMinimumWidth(width)
        height = inside.heightForWidth(width) + buttons.sizeHint().height() + 24
        self.resize(QSize(width + SCROLL_BAR_PX, height).boundedTo(room))

    def _line(self, preference: Preference) -> QVBoxLayout:
        """A control with its hint close below it, so that nobody takes the hint for that of the next control."""
        line = QVBoxLayout()
        line.setSpacing(TIGHT)
        line.addWidget(self._control(preference))
        if preference.hint:
            line.addWidget(muted(tr(preference.hint), wrap=True))
        return line

    def _control(self, preference: Preference) -> QWidget:
        value = self._preferences.get(preference.key)
        if preference.files:
            return self._file_control(preference)
        if preference.choices is None:
            check = QCheckBox(tr(preference.title))
            check.setChecked(value)
            check.toggled.connect(lambda on: self._set(preference.key, on))
            return check
        choice = ChoiceBox(preference.choices())
        choice.show_value(value)
        choice.activated.connect(lambda index: self._set(preference.key, choice.itemData(index)))
        return row(tr(preference.title), choice, width=180)

    def _file_control(self, preference: Preference) -> QWidget:
        """A button that names the chosen file and asks for another one, and a button that forgets the file."""

        def show() -> None:
            path = self._preferences.get(preference.key)
            choose.setText(Path(path).name or tr("Choose a file…"))
            choose.setToolTip(path)
            forget.setVisible(bool(path))

        def keep(path: str) -> None:
            self._set(preference.key, path)
            show()

        def ask() -> None:
            ask_user.files(
                self, tr(preference.title), "", tr(preference.files), lambda paths: keep(str(paths[0])), many=False
            )

        choose = button("", ask, tr(preference.title))
        forget = button(tr("No model"), lambda: keep(""), tr("Use no text-image model"))
        both = QWidget()
        line = QHBoxLayout(both)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(choose, 1)
        line.addWidget(forget)
        show()
        return row(tr(preference.title), both, width=180)

    def _set(self, key: str, value: Value) -> None:
        self._preferences.set(key, value)
        self.changed.emit()
