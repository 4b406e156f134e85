"""Recent albums in the File menu: a click opens one, the right button asks what else to do with it."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from album_app.gui.state.recent import recent_albums
from album_app.gui.window import start_page
from album_app.gui.window.main_window import MainWindow
from album_app.gui.window.start_page import RecentMenu
from tests.gui.conftest import WAIT_MS
from tests.gui.hands import document_of


@pytest.fixture
def menu(window: MainWindow, qtbot: QtBot) -> RecentMenu:
    found = window.menuBar().findChildren(RecentMenu)[0]
    qtbot.waitUntil(lambda: len(found.actions()) == 1, timeout=WAIT_MS)
    found.popup(window.mapToGlobal(window.rect().center()))
    return found


def ask(menu: RecentMenu) -> QMenu:
    at = menu.actionGeometry(menu.actions()[0]).center()
    QTest.mouseClick(menu, Qt.MouseButton.RightButton, pos=at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, menu.mapToGlobal(at))
    QApplication.sendEvent(menu, event)
    return menu.findChildren(QMenu)[-1]


def test_shift_f10_asks_as_the_menu_key_does(menu: RecentMenu) -> None:
    menu.setActiveAction(menu.actions()[0])
    QTest.keyClick(menu, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    asked = menu.findChildren(QMenu)[-1]
    assert asked.isVisible() and asked.actions()[0].text() == "Open"
    asked.close()


def test_it_can_be_forgotten(window: MainWindow, menu: RecentMenu, qtbot: QtBot) -> None:
    opened = document_of(window)
    asked = ask(menu)
    assert [action.text() for action in asked.actions()] == ["Open", "Show in folder", "Remove from this list"]
    assert document_of(window) is opened, "the right button opens nothing"
    asked.actions()[2].trigger()
    qtbot.waitUntil(lambda: not recent_albums() and not menu.isEnabled(), timeout=WAIT_MS)
    assert not menu.isVisible()


def test_it_is_shown_in_its_folder(menu: RecentMenu, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Path] = []
    monkeypatch.setattr(start_page, "show", shown.append)
    ask(menu).actions()[1].trigger()
    assert shown == [document_of(window).album.roots[0]]
