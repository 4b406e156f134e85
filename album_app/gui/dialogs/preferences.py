"""The preferences: one control per line of the table, at work as soon as it is changed."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from album_app.gui.controls import ask_user
from album_app.gui.controls.sections import ChoiceBox, align_rows, button, muted, row
from album_app.gui.state.preferences import PREFERENCES, Preference, Preferences
from album_app.gui.style.design import TIGHT, WIDE
from album_app.language import tr
from album_app.state_files import Value

WIDTH, BAR, FRAME = 460, 14, QSize(8, 40)


def _scrolling(inside: QWidget) -> QScrollArea:
    """Something that can be reached on a small screen, too; what has the keyboard comes into sight by itself."""
    area = QScrollArea(widgetResizable=True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    return area


class PreferencesDialog(QDialog):
    """Shows and changes the table of preferences.

    Signals:
        changed(): a preference is another one
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
        align_rows(inside, 2 * WIDTH // 3)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.setContentsMargins(24, 0, 24, 16)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(_scrolling(inside), 1)
        whole.addWidget(buttons)
        room = self.screen().availableSize() - FRAME
        width = min(max(WIDTH, inside.sizeHint().width()), room.width() - BAR)
        inside.setMinimumWidth(width)
        self.resize(QSize(width + BAR, inside.heightForWidth(width) + buttons.sizeHint().height() + 24).boundedTo(room))

    def _line(self, preference: Preference) -> QVBoxLayout:
        """A control, and close below it what is to be known of it, so that nobody takes it for the next one's."""
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
        """A button that names the chosen file and asks for another one, and one that forgets it."""

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
