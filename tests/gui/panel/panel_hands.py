"""A hand for the side panel: controls by their names, and the edits they make."""

from collections.abc import Callable

from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from album_app.gui.controls.sections import Section
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import wait_until_settled
from tests.gui.hands import pick


def control(window: MainWindow, kind: type, name: str) -> QWidget:
    """The control of the side panel with this accessible name or text."""
    controls = window.workspace.panel.findChildren(kind)
    for found in controls:
        if found.accessibleName().startswith(name):
            return found
    for found in controls:
        if found.text() == name:
            return found
    raise AssertionError(f"no {kind.__name__} called {name}")


def unfold(window: MainWindow, kind: type[Section]) -> None:
    """Open a section of the side panel that starts folded."""
    next(section for section in window.workspace.sections if isinstance(section, kind)).set_open(True)


def choose(window: MainWindow, name: str, value: str) -> None:
    pick(control(window, QComboBox, name), value)


def after_edit(qtbot: QtBot, window: MainWindow, run: Callable[[], None]) -> str:
    """Run something, wait for its edit, give its name."""
    with qtbot.waitSignal(window.session.document_changed):
        run()
    wait_until_settled(qtbot, window.session)
    return window.session.undo_stack.undoText()
