"""The sheet by keyboard, selection, views and menus, in the window as the command opens it."""

from itertools import product
from pathlib import Path, PureWindowsPath

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMenu
from pytestqt.qtbot import QtBot

from album_app.gui.commands import photo_commands
from album_app.gui.window.large_view.lightbox import Lightbox
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import excluded
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.hands import (
    CTRL,
    KEY,
    LEFT,
    MIDDLE,
    NO_KEY,
    SHIFT,
    ask_for_menu,
    canvas_of,
    click,
    document_of,
    layout_of,
    middle,
    photo_in,
    pins,
    press_and_move,
    tray_of,
    turn_wheel,
    type_keys,
    undo,
)


def test_arrows_move_the_cell_and_shift_extends(window: MainWindow) -> None:
    canvas = canvas_of(window)
    canvas.setFocus()
    type_keys(canvas, KEY.Key_Right)
    assert window.session.cell == (0, 0), "the first key only shows where the keyboard is"
    type_keys(canvas, KEY.Key_Right, KEY.Key_Down)
    assert window.session.cell == (1, 1) and window.session.selected == (photo_in(window, (1, 1)),)
    type_keys(canvas, KEY.Key_Right, KEY.Key_Down, modifiers=SHIFT)
    assert set(window.session.selected) == {photo_in(window, cell) for cell in ((1, 1), (1, 2), (2, 1), (2, 2))}
    type_keys(canvas, KEY.Key_End)
    assert window.session.cell == (2, 4)
    type_keys(canvas, KEY.Key_Home, modifiers=CTRL)
    assert window.session.cell == (0, 0)
    type_keys(canvas, KEY.Key_PageDown)
    assert window.session.cell == (3, 0)


def test_ctrl_moves_without_selecting_and_ctrl_space_selects_one_more(window: MainWindow) -> None:
    canvas = canvas_of(window)
    click(canvas, (0, 0))
    type_keys(canvas, KEY.Key_Right, KEY.Key_Right, modifiers=CTRL)
    assert window.session.cell == (0, 2) and window.session.selected == (photo_in(window, (0, 0)),)
    assert canvas.card_cell == (0, 2), "the tag tells where the keyboard is"
    type_keys(canvas, KEY.Key_Space, modifiers=CTRL)
    assert window.session.selected == (photo_in(window, (0, 0)), photo_in(window, (0, 2)))
    assert window.notice.text().startswith("2 photos selected · ")
    type_keys(canvas, KEY.Key_Space, modifiers=CTRL)
    assert window.session.selected == (photo_in(window, (0, 0)),)


@pytest.mark.parametrize("key", [KEY.Key_Space, KEY.Key_P, KEY.Key_Return, KEY.Key_Menu])
def test_where_nothing_is_selected_keys_mean_the_photo_that_the_keyboard_stands_on(
    window: MainWindow, key: Qt.Key
) -> None:
    canvas, photo = canvas_of(window), photo_in(window, (1, 1))
    click(canvas, (1, 1))
    type_keys(canvas, KEY.Key_Escape)
    assert not window.session.selected and window.session.cell == (1, 1)
    if key == KEY.Key_Menu:
        ask_for_menu(canvas, middle(canvas, (3, 3)), by_key=True)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        menu.close()
    else:
        type_keys(canvas, key)
    assert window.session.selected == (photo,)
    assert pins(window) == ({photo: (1, 1)} if key == KEY.Key_P else {})
    lightbox = window.findChild(Lightbox)
    assert (key == KEY.Key_Return) == (lightbox is not None and lightbox.isVisible())


def test_the_tag_follows_the_selection(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    canvas.setFocus()
    type_keys(canvas, KEY.Key_Right, KEY.Key_M, KEY.Key_Down, KEY.Key_Down, KEY.Key_Return)
    wait_until_settled(qtbot, window.session)
    type_keys(canvas, KEY.Key_Right)
    window.session.select((5,), layout_of(window).cell_of(5))
    assert canvas.card_cell == layout_of(window).cell_of(5)
    undo(window)
    wait_until_settled(qtbot, window.session)
    assert canvas.card_cell == window.session.cell == layout_of(window).cell_of(5)
    name = document_of(window).album.photos[5].name
    window.status.timer.stop()
    canvas.describe(canvas.card_cell)
    window.status.timer.timeout.emit()
    assert name in window.notice.text()


def test_the_tag_is_never_about_another_photo_after_a_change_of_shape(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    click(canvas, (3, 4))
    type_keys(canvas, KEY.Key_Left)
    photo = window.session.current
    window.parts.reshaping.start(ShapeSpec("rectangle", rows=2, columns=10))
    qtbot.waitUntil(lambda: document_of(window).shape.rows == 2, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert photo is not None and canvas.card_cell == window.session.cell == layout_of(window).cell_of(photo)


def test_the_tag_is_gone_when_another_photo_is_chosen_elsewhere(window: MainWindow) -> None:
    canvas, view = canvas_of(window), tray_of(window).list
    canvas.setFocus()
    type_keys(canvas, KEY.Key_Right, KEY.Key_Right)
    assert canvas.card_cell == (0, 1) and "row 1, column 2" in window.notice.text()
    view.setFocus()
    view.setCurrentIndex(view.model().index(photo_in(window, (3, 3))))
    assert canvas.card_cell is None and window.notice.text() == ""


@pytest.mark.parametrize("placed", [True, False])
def test_a_photo_from_the_tray_is_pinned_to_the_empty_cell_of_the_keyboard(
    open_window: OpenWindow, qtbot: QtBot, placed: bool
) -> None:
    window = open_window(7)
    window.parts.reshaping.start(ShapeSpec("rectangle", rows=2, columns=5))
    qtbot.waitUntil(lambda: document_of(window).shape.count == 10, timeout=WAIT_MS)
    window.session.edit(excluded, [2])
    wait_until_settled(qtbot, window.session)
    canvas, layout, view = canvas_of(window), layout_of(window), tray_of(window).list
    empty = next(cell for cell in map(layout.shape.cell, range(layout.shape.count)) if layout.photo_in(cell) is None)
    window.session.select((), empty)
    canvas.setFocus()
    view.setFocus()
    if not placed:
        tray_of(window).show_section("excluded")
    row = list(tray_of(window).model.rows).index(4 if placed else 2)
    view.setCurrentIndex(view.model().index(row))
    assert window.session.cell == empty
    type_keys(view, KEY.Key_H, modifiers=CTRL | Qt.KeyboardModifier.AltModifier)
    assert pins(window) == {4 if placed else 2: empty}


def test_escape_closes_the_alternatives_wherever_the_keyboard_is(window: MainWindow, qtbot: QtBot) -> None:
    canvas, tray = canvas_of(window), tray_of(window)
    tool = window.tools.widgetForAction(window.actions_table["save"])
    for widget in (tray.list, tray.field, window.workspace.panel.findChild(QComboBox), tool):
        click(canvas, (1, 1))
        window.actions_table["alternatives"].trigger()
        qtbot.waitUntil(canvas.strip.isVisible, timeout=WAIT_MS)
        widget.setFocus()
        type_keys(widget, KEY.Key_Escape)
        assert not canvas.strip.isVisible() and window.session.cell == (1, 1), widget
        assert window.focusWidget() is widget, "the keyboard stays where it is"


def test_escape_puts_a_photo_back_before_it_closes_the_alternatives(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    click(canvas, (1, 1))
    window.actions_table["alternatives"].trigger()
    qtbot.waitUntil(canvas.strip.isVisible, timeout=WAIT_MS)
    canvas.setFocus()
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (0, 2)))
    type_keys(canvas, KEY.Key_Escape)
    assert canvas.hand.carried is None and canvas.strip.isVisible()
    QTest.mouseRelease(canvas, LEFT, NO_KEY, middle(canvas, (0, 2)))
    type_keys(canvas, KEY.Key_Escape)
    assert not canvas.strip.isVisible() and pins(window) == {}


def test_the_focused_cell_is_announced(window: MainWindow) -> None:
    canvas = canvas_of(window)
    type_keys(canvas, KEY.Key_Right, KEY.Key_Right)
    name = document_of(window).album.photos[photo_in(window, (0, 1))].name
    assert name in canvas.accessibleDescription() and "row 1, column 2" in canvas.accessibleDescription()


def test_p_pins_in_place_and_lets_go_again(window: MainWindow) -> None:
    canvas, photo = canvas_of(window), photo_in(window, (1, 1))
    click(canvas, (1, 1))
    type_keys(canvas, KEY.Key_P)
    assert pins(window) == {photo: (1, 1)}
    type_keys(canvas, KEY.Key_P)
    assert pins(window) == {}


def test_a_shows_the_alternatives_from_the_tray(window: MainWindow, qtbot: QtBot) -> None:
    view, strip = tray_of(window).list, canvas_of(window).strip
    view.setFocus()
    view.setCurrentIndex(view.model().index(4))
    type_keys(view, KEY.Key_A)
    qtbot.waitUntil(strip.isVisible, timeout=WAIT_MS)
    assert strip.cell == layout_of(window).cell_of(4) and QApplication.focusWidget() in strip.buttons


class Desktop:
    """Instead of the real one: notes what it was asked to open."""

    def __init__(self) -> None:
        self.opened: list[Path] = []

    def openUrl(self, url: QUrl) -> None:
        self.opened.append(Path(url.toLocalFile()))


def test_photos_are_opened_in_the_viewer_and_shown_in_their_folder(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = Desktop()
    monkeypatch.setattr(photo_commands, "QDesktopServices", desktop)
    monkeypatch.setattr(photo_commands, "_ask_desktop", lambda path: False)
    click(canvas_of(window), (0, 0))
    click(canvas_of(window), (0, 1), CTRL)
    photos = document_of(window).album.photos
    paths = [photos[photo_in(window, cell)].path for cell in ((0, 0), (0, 1))]
    window.actions_table["viewer"].trigger()
    assert desktop.opened == paths
    window.actions_table["manager"].trigger()
    assert desktop.opened[2:] == [paths[0].parent]


@pytest.mark.parametrize(
    ("system", "asked"),
    [
        ("win32", r'explorer /select,"C:\my photos, 2024\a.jpg"'),
        ("darwin", ["open", "-R", r"C:\my photos, 2024\a.jpg"]),
    ],
)
def test_other_systems_select_the_file_in_its_folder_whatever_its_name(
    system: str, asked: str | list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    monkeypatch.setattr(photo_commands.sys, "platform", system)
    monkeypatch.setattr(photo_commands.subprocess, "Popen", started.append)
    photo_commands.show(PureWindowsPath(r"C:\my photos, 2024\a.jpg"))  # type: ignore[arg-type]
    assert started == [asked]


def test_m_picks_up_arrows_carry_and_enter_drops(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    photo, other = photo_in(window, (0, 0)), photo_in(window, (1, 1))
    for modifiers, expected in ((NO_KEY, {photo: (1, 1)}), (SHIFT, {photo: (1, 1), other: (0, 0)})):
        click(canvas, (0, 0))
        type_keys(canvas, KEY.Key_M, KEY.Key_Right, KEY.Key_Down)
        carried = canvas.hand.carried
        assert carried is not None and carried.target == (1, 1) and pins(window) == {}
        assert "Pin" in window.notice.text() and "Shift+Enter swaps" in window.notice.text()
        type_keys(canvas, KEY.Key_Return, modifiers=modifiers)
        assert pins(window) == expected
        undo(window)
        wait_until_settled(qtbot, window.session)


def test_a_photo_is_carried_by_the_menu_and_the_keys_are_named_at_once(window: MainWindow) -> None:
    canvas = canvas_of(window)
    click(canvas, (1, 2))
    tray_of(window).field.setFocus()
    window.actions_table["carry"].trigger()
    assert canvas.hand.carried is not None and window.focusWidget() is canvas
    assert window.notice.text().endswith(" · Enter pins, Shift+Enter swaps, Esc cancels")


def test_enter_on_the_empty_cell_of_an_excluded_photo_does_not_show_that_photo(
    window: MainWindow, qtbot: QtBot
) -> None:
    canvas = canvas_of(window)
    window.parts.reshaping.start(ShapeSpec("rectangle", rows=3, columns=7))
    qtbot.waitUntil(lambda: document_of(window).shape.count == 21, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    layout = layout_of(window)
    empty = next(cell for cell in map(layout.shape.cell, range(layout.shape.count)) if layout.photo_in(cell) is None)
    window.session.select((2,), empty)
    type_keys(canvas, KEY.Key_Return)
    lightbox = window.findChild(Lightbox)
    assert lightbox is None or not lightbox.isVisible()
    assert "no photo" in window.notice.text()


def test_escape_leaves_the_map_of_places_and_keeps_the_selection(window: MainWindow) -> None:
    canvas = canvas_of(window)
    click(canvas, (1, 2))
    window.actions_table["places"].trigger()
    type_keys(canvas, KEY.Key_Escape)
    assert not window.actions_table["places"].isChecked() and canvas.heatmap.name == ""
    assert window.session.selected
    type_keys(canvas, KEY.Key_Escape)
    assert not window.session.selected


def test_escape_puts_the_card_of_the_keyboard_away_before_the_selection(window: MainWindow) -> None:
    canvas = canvas_of(window)
    canvas.setFocus()
    type_keys(canvas, KEY.Key_Right)
    assert canvas.card_cell is not None
    type_keys(canvas, KEY.Key_Escape)
    assert canvas.card_cell is None and window.session.selected
    type_keys(canvas, KEY.Key_Escape)
    assert not window.session.selected


def test_the_card_of_the_keyboard_hides_nothing_after_a_pin_and_elsewhere(window: MainWindow) -> None:
    canvas = canvas_of(window)
    canvas.setFocus()
    type_keys(canvas, KEY.Key_Right, KEY.Key_P)
    assert pins(window) and canvas.card_cell is None
    type_keys(canvas, KEY.Key_Right)
    assert canvas.card_cell is not None
    tray_of(window).field.setFocus()
    assert canvas.card_cell is None


def test_plus_and_minus_zoom_around_the_cell_of_the_keyboard(window: MainWindow) -> None:
    canvas = canvas_of(window)
    click(canvas, (1, 3))
    at = middle(canvas, (1, 3))
    type_keys(canvas, KEY.Key_Plus, KEY.Key_Plus)
    assert canvas.cell_at(at.toPointF()) == (1, 3)
    type_keys(canvas, KEY.Key_Minus)
    assert canvas.cell_at(at.toPointF()) == (1, 3)


def test_escape_puts_back_what_the_keyboard_holds(window: MainWindow) -> None:
    canvas = canvas_of(window)
    click(canvas, (0, 0))
    type_keys(canvas, KEY.Key_M, KEY.Key_Right, KEY.Key_Escape)
    assert canvas.hand.carried is None and pins(window) == {}
    assert window.session.selected, "the first Escape only puts the photo back"
    type_keys(canvas, KEY.Key_Escape)
    assert not window.session.selected


def test_ctrl_and_shift_select_several(window: MainWindow) -> None:
    canvas = canvas_of(window)
    click(canvas, (0, 0))
    click(canvas, (2, 2), CTRL)
    assert set(window.session.selected) == {photo_in(window, (0, 0)), photo_in(window, (2, 2))}
    click(canvas, (0, 0), CTRL)
    assert window.session.selected == (photo_in(window, (2, 2)),)
    click(canvas, (2, 2))
    click(canvas, (3, 4), SHIFT)
    assert len(window.session.selected) == 6
    assert window.session.current == photo_in(window, (3, 4))


def test_a_rubber_band_selects_what_it_touches(window: MainWindow) -> None:
    canvas = canvas_of(window)
    start, end = QPoint(3, 3), middle(canvas, (1, 1))
    press_and_move(canvas, start, end)
    assert canvas.hand.band is not None
    QTest.mouseRelease(canvas, LEFT, NO_KEY, end)
    assert set(window.session.selected) == {photo_in(window, cell) for cell in ((0, 0), (0, 1), (1, 0), (1, 1))}
    assert canvas.hand.band is None


def test_a_photo_opens_large(window: MainWindow) -> None:
    canvas = canvas_of(window)
    ways = (
        lambda: type_keys(canvas, KEY.Key_Return),
        lambda: QTest.mouseDClick(canvas, LEFT, NO_KEY, middle(canvas, (1, 1))),
    )
    for open_large in ways:
        click(canvas, (1, 1))
        open_large()
        lightbox = window.findChild(Lightbox)
        assert isinstance(lightbox, Lightbox) and lightbox.isVisible() and lightbox.photo == photo_in(window, (1, 1))
        type_keys(lightbox, KEY.Key_Escape)
        assert not lightbox.isVisible()


def test_context_menus(window: MainWindow, qtbot: QtBot) -> None:
    canvas, view = canvas_of(window), tray_of(window).list
    for place, by_key in product(("tile", "background", "tray"), (False, True)):
        click(canvas, (1, 1))
        if place == "tray":
            view.setCurrentIndex(view.model().index(4))
            ask_for_menu(view.viewport(), view.visualRect(view.model().index(4)).center(), by_key)
        else:
            ask_for_menu(canvas, middle(canvas, (1, 1)) if place == "tile" else QPoint(2, 2), by_key)
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        texts = {action.text().split("\t")[0] for action in menu.actions()}
        assert ("Large view" in texts) == (place != "background" or by_key), (place, by_key)
        menu.close()


def test_wheel_zooms_at_the_cursor_and_ctrl_0_fits(window: MainWindow) -> None:
    canvas = canvas_of(window)
    fitted = canvas.zoom
    at = middle(canvas, (1, 3))
    turn_wheel(canvas, at, 4)
    assert canvas.zoom > 1.4 * fitted and canvas.cell_at(at.toPointF()) == (1, 3)
    type_keys(canvas, KEY.Key_0, modifiers=CTRL)
    assert canvas.zoom == fitted
    type_keys(canvas, KEY.Key_1, modifiers=CTRL)
    assert canvas.zoom == pytest.approx(1.0, abs=0.02)


def test_the_sheet_is_pushed_by_middle_button_or_space(window: MainWindow) -> None:
    canvas = canvas_of(window)
    canvas.zoom_by(3)
    for button in (MIDDLE, LEFT):
        before = canvas.cell_rect((1, 1)).topLeft()
        if button == LEFT:
            QTest.keyPress(canvas, KEY.Key_Space)
        start = canvas.rect().center()
        press_and_move(canvas, start, start + QPoint(40, 25), button=button)
        QTest.mouseRelease(canvas, button, NO_KEY, start + QPoint(40, 25))
        QTest.keyRelease(canvas, KEY.Key_Space)
        moved = canvas.cell_rect((1, 1)).topLeft() - before
        assert (moved.x(), moved.y()) == (40, 25)
        assert not canvas.hand.space and not window.session.selected
