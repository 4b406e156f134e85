"""Choices are made by a click or by Enter; keys and wheel alone change nothing."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from album_app.gui.controls.sections import ChoiceBox
from album_app.gui.dialogs.preferences import PreferencesDialog
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import OpenWindow, wait_until_settled
from tests.gui.dialogs.dialog_hands import open_export
from tests.gui.hands import document_of
from tests.gui.panel.panel_hands import control
from tests.gui.panel.test_little_room import shown_control, turn_wheel

KEY = Qt.Key


def look_of(window: MainWindow) -> ChoiceBox:
    combo = shown_control(window, QComboBox, "Compare by")
    assert isinstance(combo, ChoiceBox)
    combo.setFocus()
    return combo


def test_a_key_on_a_closed_choice_opens_it_and_changes_nothing(window: MainWindow) -> None:
    combo, before = look_of(window), document_of(window)
    place = combo.currentIndex()
    for key in (KEY.Key_Down, KEY.Key_Up, KEY.Key_PageDown, KEY.Key_End, KEY.Key_C, KEY.Key_Space):
        QTest.keyClick(combo, key)
        assert combo.view().isVisible() and combo.currentIndex() == place and document_of(window) is before, key
        QTest.keyClick(combo.view(), KEY.Key_Down)
        QTest.keyClick(combo.view(), KEY.Key_Escape)
        assert not combo.view().isVisible() and combo.currentIndex() == place and document_of(window) is before, key


def test_enter_decides(window: MainWindow, qtbot: QtBot) -> None:
    combo = look_of(window)
    assert combo.currentData() == "lab"
    QTest.keyClick(combo, KEY.Key_Down)
    for _ in range(combo.findData("rgb") - combo.currentIndex()):
        QTest.keyClick(combo.view(), KEY.Key_Down)
    QTest.keyClick(combo.view(), KEY.Key_Return)
    assert combo.currentData() == document_of(window).options.features == "rgb"
    wait_until_settled(qtbot, window.session)


def test_a_letter_leads_to_the_choice_that_begins_with_it(window: MainWindow) -> None:
    combo = control(window, QComboBox, "Shape")
    combo.setFocus()
    QTest.keyClick(combo, KEY.Key_H)
    assert combo.view().currentIndex().data() == "Heart" and document_of(window).spec.kind == "auto"
    QTest.keyClick(combo.view(), KEY.Key_Escape)


def test_shortcuts_and_the_wheel_pass_by_a_choice_that_has_the_keyboard(window: MainWindow) -> None:
    combo, before = look_of(window), document_of(window)
    place = combo.currentIndex()
    for modifiers in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier):
        QTest.keyClick(combo, KEY.Key_Y, modifiers)
        assert not combo.view().isVisible()
    turn_wheel(combo, -1)
    turn_wheel(combo, 1)
    assert combo.currentIndex() == place and document_of(window) is before


def test_every_choice_of_the_program_is_such_a_one(open_window: OpenWindow) -> None:
    window = open_window(3)
    dialog = open_export(window)
    preferences = PreferencesDialog(window, window.preferences)
    QApplication.processEvents()
    found = window.findChildren(QComboBox)
    assert len(found) > 15 and all(isinstance(combo, ChoiceBox) for combo in found)
    preferences.close()
    dialog.close()
