"""The window by keyboard alone: the tray, context menus, messages, proposals and tools."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui.window.large_view.lightbox import Lightbox
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.hands import CTRL, KEY, SHIFT, canvas_of, click, photo_in, pins, proposed, tray_of, type_keys


@pytest.mark.parametrize("key", [KEY.Key_Down, KEY.Key_Return])
def test_from_the_filter_to_the_first_photo_found(window: MainWindow, key: KEY) -> None:
    tray = tray_of(window)
    window.actions_table["filter"].trigger()
    QTest.keyClicks(tray.field, "1")
    type_keys(tray.field, key)
    assert window.focusWidget() is tray.list and window.session.selected == (1,)
    assert tray.empty_note.isVisible() and tray.empty_note.text() == "11 of 20"
    tray.field.clear()
    tray.relist()
    assert not tray.empty_note.isVisible()


def test_nothing_found_keeps_the_keyboard_in_the_filter(window: MainWindow) -> None:
    tray = tray_of(window)
    window.actions_table["filter"].trigger()
    QTest.keyClicks(tray.field, "nobody")
    type_keys(tray.field, KEY.Key_Return)
    assert window.focusWidget() is tray.field and "nobody" in tray.empty_note.text()


def tab_into_tray(window: MainWindow) -> None:
    tray = tray_of(window)
    tray.months.setFocus() if tray.months.isVisible() else tray.order.setFocus()
    type_keys(window.focusWidget(), KEY.Key_Tab)
    assert window.focusWidget() is tray.list


def test_tab_shows_where_the_keyboard_is_in_the_tray(window: MainWindow) -> None:
    view = tray_of(window).list
    tab_into_tray(window)
    assert view.currentIndex().row() == 0 and not window.session.selected
    with_ring = view.grab(view.visualRect(view.currentIndex())).toImage()
    canvas_of(window).setFocus()
    assert view.grab(view.visualRect(view.currentIndex())).toImage() != with_ring


@pytest.mark.parametrize("key", [KEY.Key_Return, KEY.Key_M])
def test_keys_in_the_tray_mean_the_photo_that_the_keyboard_stands_on(window: MainWindow, key: KEY) -> None:
    tab_into_tray(window)
    type_keys(tray_of(window).list, key)
    assert window.session.selected == (0,)
    carried, lightbox = canvas_of(window).hand.carried, window.findChild(Lightbox)
    assert (carried is not None) == (key == KEY.Key_M)
    assert (lightbox is not None and lightbox.isVisible()) == (key == KEY.Key_Return)


@pytest.mark.parametrize("place", ["sheet", "tray"])
def test_shift_f10_is_the_menu_key(window: MainWindow, place: str) -> None:
    canvas, view = canvas_of(window), tray_of(window).list
    click(canvas, (1, 1))
    widget = canvas if place == "sheet" else view
    widget.setFocus()
    type_keys(widget, KEY.Key_F10, modifiers=SHIFT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu) and "Large view" in {action.text().split("\t")[0] for action in menu.actions()}
    assert window.workspace.panel.isVisible()
    menu.close()


def test_the_answers_of_a_message_come_before_its_close_button(open_window: OpenWindow) -> None:
    window = open_window()
    window.message_bar.keep_message("recovery", "Unsaved work?", ("Recover", lambda: None), ("Discard", lambda: None))
    first = next(button for button in window.message_bar.findChildren(QPushButton) if button.text() == "Recover")
    first.setFocus()
    names = []
    for _ in range(4):
        names.append(window.focusWidget().accessibleName())
        type_keys(window.focusWidget(), KEY.Key_Tab)
    assert names == ["Recover", "Discard", "Close message", "Open folder"]


def test_a_proposal_takes_the_keyboard_from_the_sheet_alone(window: MainWindow, qtbot: QtBot) -> None:
    tray_of(window).field.setFocus()
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    assert window.focusWidget() is tray_of(window).field
    window.parts.proposals.dismiss()
    canvas_of(window).setFocus()
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    assert canvas_of(window).proposal_bar.accept_button.hasFocus()


def test_a_key_on_its_way_does_not_accept_what_just_appeared(window: MainWindow, qtbot: QtBot) -> None:
    window.parts.proposals.read_seconds = 3600.0
    canvas_of(window).setFocus()
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    type_keys(window.focusWidget(), KEY.Key_Return)
    assert not pins(window) and window.parts.proposals.current is not None
    window.parts.proposals.read_seconds = 0.0
    type_keys(window.focusWidget(), KEY.Key_Return)
    assert len(pins(window)) == 4


@pytest.mark.parametrize(("side", "key"), [("tray", KEY.Key_F9), ("panel", KEY.Key_F10)])
def test_a_side_that_is_hidden_leaves_the_keyboard_to_the_sheet(window: MainWindow, side: str, key: KEY) -> None:
    inside = tray_of(window).field if side == "tray" else window.workspace.shape.focusWidget()
    if inside is None:
        inside = window.workspace.panel.widget().nextInFocusChain().nextInFocusChain()
    inside.setFocus()
    type_keys(inside, key)
    assert not window.workspace.is_shown(side) and canvas_of(window).hasFocus()


def test_a_tool_tells_its_name_when_it_has_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    window.status.timer.stop()
    tool = window.tools.widgetForAction(window.actions_table["pin_suggest"])
    tool.setFocus()
    assert window.notice.text() == "Suggest a pin (Ctrl+Alt+S)"
    canvas_of(window).setFocus()
    assert window.notice.text() == ""


def test_100_percent_is_around_the_cell_of_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    click(canvas, (3, 4))
    canvas.zoom_by(0.5)
    type_keys(canvas, KEY.Key_1, modifiers=CTRL)
    canvas.zoom_by(6)
    type_keys(canvas, KEY.Key_1, modifiers=CTRL)
    qtbot.waitUntil(lambda: canvas.at_rest, timeout=WAIT_MS)
    assert canvas.zoom == pytest.approx(1.0, abs=0.02)
    assert canvas.rect().contains(canvas.cell_rect((3, 4)).toRect())
    assert window.session.selected == (photo_in(window, (3, 4)),)


class TakingField(QLineEdit):
    """A field that takes all keys, as fields of some systems take Ctrl+E for the end of the line."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)


@pytest.mark.parametrize(("key", "is_taken"), [(KEY.Key_E, False), (KEY.Key_K, False), (KEY.Key_C, True)])
def test_shortcuts_of_the_window_work_in_fields(window: MainWindow, key: KEY, is_taken: bool) -> None:
    field = TakingField(tray_of(window))
    field.show()
    field.setFocus()
    override = QKeyEvent(QEvent.Type.ShortcutOverride, key, CTRL)
    override.ignore()
    QApplication.sendEvent(field, override)
    assert override.isAccepted() == is_taken
