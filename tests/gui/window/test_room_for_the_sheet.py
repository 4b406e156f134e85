"""The sheet has room: panels fold by themselves and come back, and F11 is the sheet alone."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.sheet_view import STILL_MS
from album_app.gui.tray.tray import Ranking
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.hands import KEY, canvas_of, document_of, drag, middle, press_button, tray_of, turn_wheel, type_keys


def sides(window: MainWindow) -> tuple[bool, bool]:
    """Whether tray and panel are shown; the actions say the same."""
    shown = window.workspace.tray.isVisible(), window.workspace.panel.isVisible()
    assert shown == (window.actions_table["tray"].isChecked(), window.actions_table["panel"].isChecked())
    return shown


def resize(window: MainWindow, width: int, height: int) -> None:
    window.resize(width, height)
    QApplication.processEvents()


def test_a_small_window_is_mostly_sheet_and_a_large_one_has_everything_again(window: MainWindow) -> None:
    resize(window, 1280, 800)
    assert sides(window) == (True, True)
    resize(window, 900, 600)
    assert canvas_of(window).width() >= 0.6 * window.width() and sides(window) == (False, True)
    resize(window, 1280, 800)
    assert sides(window) == (True, True)


def test_in_a_small_window_the_side_asked_for_last_stays(window: MainWindow) -> None:
    resize(window, 900, 600)
    window.actions_table["tray"].trigger()
    assert sides(window) == (True, False) and canvas_of(window).width() >= 0.6 * window.width()
    window.actions_table["filter"].trigger()
    assert sides(window) == (True, False)
    window.actions_table["tray"].trigger()
    assert sides(window) == (False, True), "there is room for the panel again"
    resize(window, 1280, 800)
    assert sides(window) == (False, True), "what the user hid stays hidden"


@pytest.mark.parametrize("leave", ["F11", "Esc"])
def test_full_screen_is_the_sheet_alone_and_leaves_the_window_as_it_was(
    window: MainWindow, qtbot: QtBot, leave: str
) -> None:
    resize(window, 1280, 800)
    window.actions_table["panel"].trigger()
    before, size = sides(window), window.size()
    window.actions_table["full_screen"].trigger()
    qtbot.waitUntil(window.isFullScreen, timeout=WAIT_MS)
    QApplication.processEvents()
    assert not any(bar.isVisible() for bar in (window.menuBar(), window.statusBar(), window.tools))
    assert sides(window) == (False, False) and canvas_of(window).width() == window.width()
    if leave == "F11":
        window.actions_table["full_screen"].trigger()
    else:
        type_keys(canvas_of(window), KEY.Key_Escape)
    qtbot.waitUntil(lambda: not window.isFullScreen(), timeout=WAIT_MS)
    assert all(bar.isVisible() for bar in (window.menuBar(), window.statusBar(), window.tools))
    assert sides(window) == before and not window.actions_table["full_screen"].isChecked()
    qtbot.waitUntil(lambda: window.size() == size, timeout=WAIT_MS)


def test_a_maximised_window_is_maximised_again(window: MainWindow, qtbot: QtBot) -> None:
    window.showMaximized()
    for _ in range(2):
        window.actions_table["full_screen"].trigger()
    qtbot.waitUntil(lambda: not window.isFullScreen(), timeout=WAIT_MS)
    assert window.isMaximized()


def test_full_screen_says_how_to_leave_it_and_the_list_stays_where_it_was(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(120)
    resize(window, 1280, 700)
    bar = tray_of(window).list.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200, timeout=WAIT_MS)
    bar.setValue(150)
    window.actions_table["full_screen"].trigger()
    assert window.message_bar.text == "F11 or Esc leaves the full screen." and window.message_bar.isVisible()
    QApplication.processEvents()
    window.actions_table["full_screen"].trigger()
    qtbot.waitUntil(lambda: not window.isFullScreen(), timeout=WAIT_MS)
    qtbot.wait(50)
    assert window.message_bar.isHidden() and bar.value() == 150


def test_a_message_moves_nothing_and_follows_the_theme(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    canvas, bar, tray = window.workspace.canvas, window.message_bar, window.workspace.tray
    before, width = canvas.mapToGlobal(canvas.rect().topLeft()), tray.width()
    size = canvas.size()
    bar.show_message("Something is to be said.", ("Do it", lambda: None))
    tray.show_ranking(Ranking("Similar to photo-0003", tuple(range(12)), 1, like=(3,)))
    text = next(label for label in tray.findChildren(QLabel) if label.text().startswith("Similar to"))
    text.setText(text.text() + 40 * "long")
    qtbot.wait(20)
    assert bar.isVisible() and window.rect().contains(bar.mapTo(window, bar.rect().bottomRight()))
    assert (canvas.mapToGlobal(canvas.rect().topLeft()), canvas.size(), tray.width()) == (before, size, width)
    mark = bar.findChild(QLabel, "messageMark")
    light = mark.pixmap().toImage()
    window.actions_table["theme_dark"].trigger()
    assert mark.pixmap().toImage() != light
    window.actions_table["theme_light"].trigger()


def lowest(window: MainWindow) -> float:
    """Where the sheet ends, in pixels of the canvas."""
    return canvas_of(window).sheet_rect().bottom()


def test_a_fitted_sheet_stands_above_a_message_and_grows_back(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(48)
    resize(window, 1280, 720)
    canvas, bar = canvas_of(window), window.message_bar
    before = canvas.sheet_rect()
    bar.keep_message("question", "Something to be asked?", ("Yes", lambda: bar.settle("question")))
    QApplication.processEvents()
    top = bar.mapTo(window, bar.rect().topLeft()).y() - canvas.mapTo(window, canvas.rect().topLeft()).y()
    assert lowest(window) <= top < before.bottom(), "photos that were covered are in sight"
    assert canvas.clear_area.bottom() < top
    press_button(qtbot, bar, "Yes")
    assert canvas.sheet_rect() == before and canvas.clear_area == canvas.rect()


def test_a_sheet_does_not_breathe_with_messages_that_come_and_go_by_themselves(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(48)
    canvas, bar = canvas_of(window), window.message_bar
    before = canvas.sheet_rect()
    with qtbot.waitSignal(bar.covering, timeout=WAIT_MS):
        bar.keep_message("question", "Something to be asked?")
    small = canvas.sheet_rect()
    assert small != before
    bar.settle("question")
    QApplication.processEvents()
    assert bar.isHidden() and canvas.sheet_rect() == small, "its room is kept for a while"
    bar.keep_message("question", "Something to be asked again?")
    assert canvas.sheet_rect() == small
    bar.settle("question")
    qtbot.waitUntil(lambda: canvas.sheet_rect() == before, timeout=WAIT_MS)


def test_a_message_moves_no_sheet_that_was_zoomed_and_none_under_a_photo_in_the_hand(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(48)
    canvas, bar = canvas_of(window), window.message_bar
    canvas.setFocus()
    type_keys(canvas, KEY.Key_Right, KEY.Key_M)
    assert canvas.hand.carried is not None
    before = canvas.sheet_rect()
    bar.keep_message("question", "Something to be asked?")
    QApplication.processEvents()
    assert canvas.sheet_rect() == before
    type_keys(canvas, KEY.Key_Escape)
    with qtbot.waitSignal(bar.covering, timeout=WAIT_MS):
        bar.settle("question")
    canvas.zoom_in()
    before = canvas.sheet_rect()
    bar.keep_message("question", "Something to be asked?")
    QApplication.processEvents()
    assert canvas.sheet_rect() == before


def test_a_message_moves_no_sheet_under_the_pointer_until_it_leaves_or_rests(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(48)
    canvas, bar = canvas_of(window), window.message_bar
    before = canvas.sheet_rect()
    QTest.mouseMove(canvas, middle(canvas, (2, 2)))  # wherever an earlier test has left the pointer
    drag(canvas, (0, 0), (2, 2))
    bar.keep_message("question", "Something to be asked?", ("Yes", lambda: bar.settle("question")))
    QApplication.processEvents()
    canvas.show_layout()
    assert canvas.sheet_rect() == before, "not even when the photos are arranged anew"
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    small = canvas.sheet_rect()
    assert small.bottom() < before.bottom()
    QTest.mouseMove(canvas, middle(canvas, (1, 1)))
    press_button(qtbot, bar, "Yes")
    assert bar.isHidden() and canvas.sheet_rect() == small
    qtbot.waitUntil(lambda: canvas.sheet_rect() == before, timeout=STILL_MS + WAIT_MS)


def test_a_sheet_that_is_zoomed_meanwhile_stays_as_it_was_zoomed(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(48)
    canvas, bar = canvas_of(window), window.message_bar
    QTest.mouseMove(canvas, middle(canvas, (1, 1)))
    bar.keep_message("question", "Something to be asked?")
    turn_wheel(canvas, middle(canvas, (1, 1)), 2)
    zoomed = canvas.sheet_rect()
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert canvas.sheet_rect() == zoomed
    canvas.fit()
    assert lowest(window) <= canvas.clear_area.bottom() < canvas.rect().bottom()


def test_a_question_waits_while_a_card_lies_over_the_sheet(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(48)
    canvas, bar = canvas_of(window), window.message_bar
    bar.keep_message("question", "Something to be asked?")
    QApplication.processEvents()
    before = canvas.sheet_rect()
    canvas.show_alternatives(document_of(window).shape.cell(0))
    qtbot.waitUntil(canvas.strip.isVisible, timeout=WAIT_MS)
    assert bar.isHidden() and canvas.sheet_rect() == before, "what the card is about stays where it is"
    bar.show_message("Something happened.")
    assert bar.isVisible() and bar.text == "Something happened."
    bar.clear()
    canvas.show_alternatives(None)
    assert bar.isVisible() and bar.text == "Something to be asked?"
