"""For everybody: names for screen readers, a sensible focus order, small windows, large scales, quiet errors."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
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
    QScrollArea,
    QScrollBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export.foot import ExportFoot
from album_app.gui.tray.model import ALL
from album_app.gui.window.app import Faults
from album_app.gui.window.large_view.lightbox import Lightbox
from album_app.gui.window.main_window import MainWindow
from album_app.paths import state_folder
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder
from tests.gui.hands import canvas_of, layout_of

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


def open_dialog(window: MainWindow, action: str) -> QDialog:
    window.actions_table[action].trigger()
    return next(dialog for dialog in window.findChildren(QDialog) if dialog.isVisible())


def test_every_control_of_the_window_and_its_dialogs_has_a_name(open_window: OpenWindow) -> None:
    window = open_window(6)
    assert not unnamed(window)
    for action in ("export", "preferences", "shortcuts"):
        dialog = open_dialog(window, action)
        assert not unnamed(dialog)
        dialog.close()


def test_the_alternatives_and_the_large_view_have_names(window: MainWindow, qtbot: QtBot) -> None:
    strip, session = canvas_of(window).strip, window.session
    session.select((4,), layout_of(window).cell_of(4))
    window.actions_table["alternatives"].trigger()
    qtbot.waitUntil(strip.isVisible, timeout=WAIT_MS)
    assert strip.accessibleName() == "Alternatives" and not unnamed(strip)
    reported = [button.accessibleName().partition(", ")[2] for button in strip.buttons]
    assert reported and set(reported) <= {"fits equally well", "fits a little worse", "fits poorly"}
    window.actions_table["large"].trigger()
    lightbox = window.findChild(Lightbox)
    assert isinstance(lightbox, Lightbox) and lightbox.accessibleName().startswith("photo-0004.jpg   ·   row ")


def focus_chain(window: QWidget) -> list[QWidget]:
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


def test_tab_goes_down_the_dialogs_and_ends_at_their_buttons(open_window: OpenWindow) -> None:
    window = open_window(6)
    for action in ("export", "preferences"):
        dialog = open_dialog(window, action)
        chain = focus_chain(dialog)
        places = [(widget.mapTo(dialog, QPoint(0, 0)).y(), widget.mapTo(dialog, QPoint(0, 0)).x()) for widget in chain]
        assert len(chain) > 3 and isinstance(chain[-1], QPushButton), action
        assert all(later[0] >= earlier[0] - 8 or later[1] > earlier[1] for earlier, later in pairwise(places)), action
        dialog.close()


def test_a_small_window_and_its_export_show_everything(open_window: OpenWindow) -> None:
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
    dialog = open_dialog(window, "export")
    QApplication.processEvents()
    assert dialog.width() <= 1024 and dialog.height() <= 640
    assert dialog.minimumSizeHint().width() <= dialog.width() and dialog.minimumSizeHint().height() <= dialog.height()
    foot = dialog.findChildren(ExportFoot)[0]
    buttons = foot.findChildren(QPushButton)
    assert len(buttons) == 4 and dialog.rect().contains(foot.geometry())
    assert all(foot.rect().contains(button.geometry()) for button in buttons if button.isVisible())
    dialog.close()


SCALED = """
import sys
import time
from pathlib import Path
from PySide6.QtWidgets import QDialog
from album_app.gui.window import app

window = app.start([Path(sys.argv[1])])
window.resize(1024, 640)
session = window.session
while session.document is None or not session.is_settled or window.workspace.canvas.moving:
    app.application().processEvents()
    time.sleep(0.01)
canvas = window.workspace.canvas
canvas.repaint()
cells = session.document.layout.positions.values()
assert all(canvas.rect().contains(canvas.cell_rect(cell).toRect()) for cell in cells)
window.actions_table["export"].trigger()
dialog = next(dialog for dialog in window.findChildren(QDialog) if dialog.isVisible())
assert dialog.width() <= 1024 and dialog.height() <= 640
for part in (window, dialog):
    print(part.devicePixelRatio(), part.grab().width() / part.width())
print(canvas.scene.buffer.width / canvas.width())
sys.stdout.flush()
dialog.close()
window.parts.shut_down()
"""


def test_twice_the_scale(photo_folder: PhotoFolder) -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "2"}
    command = [sys.executable, "-c", SCALED, str(photo_folder(6))]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert done.stdout.split() == ["2.0"] * 5, done.stderr


def test_unexpected_errors_are_logged_and_shown_quietly(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(3)

    def fail() -> None:
        raise RuntimeError("a bug in the making")

    window.parts.jobs.compute("bug", fail, lambda answer: None)
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "a bug in the making" in window.message_bar.text
    copy = next(b for b in window.message_bar.findChildren(QPushButton) if b.text() == "Copy details")
    copy.click()
    assert "RuntimeError: a bug in the making" in QGuiApplication.clipboard().text()
    assert not window.message_bar.isVisible()
    window.session.drop([0], (0, 0))
    assert dict(window.session.document.pins) == {0: (0, 0)}


def test_errors_in_slots_reach_the_bar(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    faults = Faults(window)
    faults.on_exception(KeyError, KeyError("forgotten"), None)
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "forgotten" in window.message_bar.text


def test_the_log_file_is_kept(tmp_path: Path) -> None:
    program = (
        "from album_app.gui.window import app\nfrom album_app.log import logged\n"
        "with logged():\n app.start().message_bar.show_error(ValueError('for the log'))\n"
    )
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert "ValueError: for the log" in (state_folder() / "album-app.log").read_text()


def test_the_window_remembers_its_size(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    window.resize(880, 621)
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert open_window().height() == 621


def test_enter_presses_the_button_that_has_the_keyboard(open_window: OpenWindow) -> None:
    window = open_window()
    button = next(b for b in window.start_page.findChildren(QPushButton) if b.text() == "Try the sample album")
    pressed: list[bool] = []
    button.clicked.disconnect()
    button.clicked.connect(lambda: pressed.append(True))
    button.setFocus()
    for times, key in enumerate((Qt.Key.Key_Return, Qt.Key.Key_Space), 1):
        QTest.keyClick(button, key)
        assert len(pressed) == times


def test_esc_leads_from_the_panel_back_to_the_sheet(open_window: OpenWindow) -> None:
    window = open_window(3)
    combo = next(c for c in window.workspace.panel.findChildren(QComboBox) if c.accessibleName() == "Compare by")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Escape)
    assert window.workspace.canvas.hasFocus() and window.session.cell is not None, "and the cell is seen"


def test_tab_stops_where_it_is_seen_and_goes_down_the_tray(open_window: OpenWindow) -> None:
    window = open_window(3)
    window.workspace.canvas.setFocus()
    stops: list[QWidget] = []
    while window.focusWidget() not in stops:
        stops.append(window.focusWidget())
        QTest.keyClick(stops[-1], Qt.Key.Key_Tab)
    assert len(stops) > 20 and not any(isinstance(stop, QScrollArea) for stop in stops)
    tray = window.workspace.tray
    assert [stop for stop in stops if tray.isAncestorOf(stop)] == [
        tray.section_buttons[ALL],
        tray.field,
        tray.order,
        tray.list,
    ]
