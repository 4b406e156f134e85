"""The preferences: one control per line of the table, at work as soon as it is changed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from album_app.gui.controls.choice_box import ChoiceBox
from album_app.gui.controls.sections import muted, row
from album_app.gui.state.preferences import PREFERENCES, Preference, Preferences
from album_app.language import tr


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
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 22, 24, 16)
        column.setSpacing(12)
        for preference in PREFERENCES:
            column.addWidget(self._control(preference))
            if preference.hint:
                column.addWidget(muted(tr(preference.hint), wrap=True))
        column.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addSpacing(8)
        column.addWidget(buttons)
        self.setMinimumWidth(460)

    def _control(self, preference: Preference) -> QWidget:
        value = self._preferences.get(preference.key)
        if preference.choices is None:
            check = QCheckBox(tr(preference.title))
            check.setChecked(value)
            check.toggled.connect(lambda on: self._set(preference.key, on))
            return check
        choice = ChoiceBox(preference.choices())
        choice.show_value(value)
        choice.activated.connect(lambda index: self._set(preference.key, choice.itemData(index)))
        return row(tr(preference.title), choice, width=180)

    def _set(self, key: str, value: object) -> None:
        self._preferences.set(key, value)
        self.changed.emit()
