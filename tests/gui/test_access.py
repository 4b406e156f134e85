"""For everybody: names for screen readers, a sensible focus order, small windows, large scales, quiet errors."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QPushButton,
    QScrollBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from album_app.gui.app import Faults
from album_app.gui.main_window import MainWindow
from album_app.paths import state_folder
from tests.gui.conftest import OpenWindow

CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractSlider, QAbstractItemView)


def unnamed(root: QWidget) -> list[str]:
    """The controls that a screen reader could not name."""
    found = []
    for widget in root.findChildren(QWidget):
        inner = isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox | QLineEdit)
        own = widget.window() is root.window() and not widget.objectName().startswith("qt_")
        if isinstance(widget, CONTROLS) and own and not inner and not isinstance(widget, QScrollBar):
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            if not widget.accessibleName() and not text:
                found.append(f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}")
    return found


def test_every_control_has_a_name(open_window: OpenWindow) -> None:
    window = open_window(6)
    assert not unnamed(window)


@pytest.mark.parametrize("action", ["export", "preferences", "shortcuts"])
def test_every_control_of_the_dialogs_has_a_name(open_window: OpenWindow, action: str) -> None:
    window = open_window(6)
    window.actions_table[action].trigger()
    dialog = next(dialog for dialog in window.findChildren(QDialog) if dialog.isVisible())
    assert not unnamed(dialog)
    dialog.close()


def focus_chain(window: MainWindow) -> list[QWidget]:
    """What Tab visits, in order."""
    chain, widget = [], window.nextInFocusChain()
    while widget is not None and widget is not window:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(window) and widget.isEnabled():
            chain.append(widget)
        widget = widget.nextInFocusChain()
    return chain


def test_tab_goes_from_left_to_right_and_down_the_panel(open_window: OpenWindow) -> None:
    window = open_window(6)
    chain = focus_chain(window)
    workspace = window.workspace
    in_tray = [k for k, w in enumerate(chain) if workspace.tray.isAncestorOf(w)]
    in_panel = [k for k, w in enumerate(chain) if workspace.panel.isAncestorOf(w)]
    assert max(in_tray) < chain.index(workspace.canvas) < min(in_panel)
    heights = [chain[k].mapTo(window, chain[k].rect().topLeft()).y() for k in in_panel]
    assert all(later >= earlier - 8 for earlier, later in pairwise(heights))


def test_a_small_window_shows_everything(open_window: OpenWindow) -> None:
    window = open_window(6)
    window.resize(1024, 640)
    QApplication.processEvents()
    assert (window.width(), window.height()) == (1024, 640)
    panel = window.workspace.panel
    assert panel.widget().minimumSizeHint().width() <= panel.viewport().width()
    assert window.workspace.canvas.width() > 400
    for button in window.tools.findChildren(QToolButton):
        if button.objectName() != "qt_toolbar_ext_button":
            assert button.isVisible()


SCALED = """
from album_app.gui import app
window = app.start()
app.application().processEvents()
assert window.devicePixelRatio() == 2, window.devicePixelRatio()
picture = window.grab()
print(picture.width() // window.width())
"""


def test_twice_the_scale(tmp_path: Path) -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "2"}
    done = subprocess.run([sys.executable, "-c", SCALED], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "2"


def test_unexpected_errors_are_logged_and_shown_quietly(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(3)

    def fail() -> None:
        raise RuntimeError("a bug in the making")

    window.session.ask("bug", fail, lambda answer: None)
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "a bug in the making" in window.message_bar.text
    copy = next(b for b in window.message_bar.findChildren(QPushButton) if b.text() == "Copy details")
    copy.click()
    assert "RuntimeError: a bug in the making" in QGuiApplication.clipboard().text()
    assert not window.message_bar.isVisible()
    window.session.drop(0, (0, 0))
    assert dict(window.session.document.pins) == {0: (0, 0)}


def test_errors_in_slots_reach_the_bar(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    faults = Faults(window)
    faults.on_exception(KeyError, KeyError("forgotten"), None)
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "forgotten" in window.message_bar.text


def test_the_log_file_is_kept(tmp_path: Path) -> None:
    program = "from album_app.gui import app\napp.start().message_bar.show_error(ValueError('for the log'))\n"
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert "ValueError: for the log" in (state_folder() / "album-app.log").read_text()


def test_the_window_remembers_its_size(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    window.resize(880, 621)
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert open_window().height() == 621
