"""A small screen, and the keyboard alone: nothing is beyond the edge, and what has the keyboard is in sight."""

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QCheckBox, QListWidget, QMenu, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.preferences import PreferencesDialog
from album_app.gui.style.theme import PALETTES, style_sheet
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.drops import pinned_in_place
from tests.gui.conftest import OpenWindow
from tests.gui.hands import KEY, SHIFT, canvas_of, pins, type_keys
from tests.gui.panel.panel_hands import control


@pytest.mark.parametrize("screen", [QSize(900, 600), QSize(600, 400), QSize(1920, 1080)])
def test_the_window_is_never_larger_than_the_screen(open_window: OpenWindow, screen: QSize) -> None:
    window = open_window()
    window.resize(1280, 800)
    window.stay_within(screen)
    QApplication.processEvents()
    assert window.width() <= screen.width() and window.frameGeometry().height() <= screen.height()
    assert (window.size() == QSize(1280, 800)) == (screen.width() > 1280)


def in_sight(area: QScrollArea, widget: QWidget) -> bool:
    place = QRect(widget.mapTo(area.viewport(), QPoint(0, 0)), widget.size())
    return area.viewport().rect().contains(place)


def test_every_preference_is_in_sight_once_it_has_the_keyboard(open_window: OpenWindow) -> None:
    window = open_window()
    dialog = PreferencesDialog(window, window.preferences)
    dialog.show()
    dialog.resize(480, 240)
    QApplication.processEvents()
    area = dialog.findChild(QScrollArea)
    controls = [box for box in area.widget().findChildren(QWidget) if box.focusPolicy() & 1 and box.isVisible()]
    assert area.verticalScrollBar().maximum() > 0 and len(controls) > 3
    for _ in controls:
        type_keys(dialog.focusWidget() or dialog, KEY.Key_Tab)
        focused = dialog.focusWidget()
        assert not area.isAncestorOf(focused) or in_sight(area, focused)
    dialog.close()


def test_tab_into_the_panel_brings_what_it_reaches_into_sight(window: MainWindow) -> None:
    window.resize(900, 560)
    QApplication.processEvents()
    panel = window.workspace.panel
    panel.verticalScrollBar().setValue(panel.verticalScrollBar().maximum())
    window.workspace.shape.nextInFocusChain().setFocus()
    for _ in range(30):
        focused = window.focusWidget()
        QApplication.processEvents()
        if panel.isAncestorOf(focused):
            assert in_sight(panel, focused), focused.accessibleName()
        type_keys(focused, KEY.Key_Tab)


def test_the_list_of_pins_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    for photo in (3, 4, 5):
        window.session.edit(pinned_in_place, [photo], None)
    window.session.select(())
    found = control(window, QListWidget, "Pinned photos")
    found.setFocus()
    type_keys(found, KEY.Key_Down)
    assert [found.row(item) for item in found.selectedItems()] == [0], "the first key shows where the keyboard is"
    type_keys(found, KEY.Key_Down)
    assert [found.row(item) for item in found.selectedItems()] == [1]
    type_keys(found, KEY.Key_F10, modifiers=SHIFT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu) and [action.text() for action in menu.actions()] == ["Go to", "Unpin"]
    menu.actions()[1].trigger()
    menu.close()
    assert len(pins(window)) == 2


def test_the_start_page_has_the_keyboard_on_its_first_button(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    focused = window.focusWidget()
    assert isinstance(focused, QPushButton) and focused.text() == "Open folder…"
    album = open_window(3)
    canvas_of(album).setFocus()
    album.preferences.set("confirm_unsaved", False)
    album.actions_table["close"].trigger()
    qtbot.waitUntil(lambda: album.session.document is None)
    focused = album.focusWidget()
    assert isinstance(focused, QPushButton) and focused.text() == "Open folder…"


def test_no_stop_of_the_start_page_is_invisible(open_window: OpenWindow) -> None:
    window = open_window()
    for _ in range(6):
        focused = window.focusWidget()
        assert isinstance(focused, QWidget) and focused is not window.start_page and focused.accessibleName()
        type_keys(focused, KEY.Key_Tab)


@pytest.mark.parametrize("theme", sorted(PALETTES))
@pytest.mark.parametrize("checked", [False, True])
def test_a_box_that_cannot_be_ticked_looks_so(qtbot: QtBot, theme: str, checked: bool) -> None:
    palette = PALETTES[theme]
    box = QCheckBox("Months along the edge")
    qtbot.addWidget(box)
    box.setStyleSheet(style_sheet(palette))
    box.setChecked(checked)
    box.resize(box.sizeHint())
    colours = {}
    for enabled in (True, False):
        box.setEnabled(enabled)
        image = box.grab().toImage()
        spots = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        colours[enabled] = [spot for spot in spots if spot == QColor(palette.accent)], spots
    assert colours[False][1] != colours[True][1]
    assert not colours[False][0] and (len(colours[True][0]) > 20) == checked
