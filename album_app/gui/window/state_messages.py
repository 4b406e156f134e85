"""What the quiet bar says where nothing can be remembered: once, whoever notices it first."""

from PySide6.QtCore import QObject, Slot

from album_app.gui.controls.message_bar import MessageBar
from album_app.gui.state.autosave import Autosave
from album_app.gui.state.preferences import Preferences
from album_app.language import tr
from album_app.paths import state_folder


class StateMessages(QObject):
    """Tells of a state folder that cannot be written to, when the program starts or when it fails later."""

    def __init__(self, autosave: Autosave, preferences: Preferences, bar: MessageBar) -> None:
        super().__init__(autosave)
        self._bar = bar
        self._told = False
        autosave.failed.connect(self._tell)
        if preferences.trouble:
            self._tell(
                tr(
                    "Preferences, recent albums and unsaved work cannot be kept in {folder}: {trouble}.",
                    folder=state_folder(),
                    trouble=preferences.trouble,
                )
            )

    @Slot(str)
    def _tell(self, sentence: str) -> None:
        if not self._told:
            self._bar.keep_message("state", sentence)
        self._told = True
