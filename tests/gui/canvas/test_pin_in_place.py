"""Pinning photos where they are, by menu, on the sheet and in the tray: the same everywhere."""

from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import wait_until_settled
from tests.gui.hands import (
    CTRL,
    KEY,
    ask_for_menu,
    canvas_of,
    click,
    document_of,
    layout_of,
    middle,
    photo_in,
    pins,
    tray_of,
    type_keys,
    undo,
)


def pin_by(window: MainWindow, how: str) -> None:
    """Pin the selected photos where they are."""
    if how == "menu":
        window.actions_table["pin_here"].trigger()
    else:
        type_keys(canvas_of(window) if how == "sheet" else tray_of(window).list, KEY.Key_P)


WAYS = ["menu", "sheet", "tray"]


def test_all_selected_photos_are_pinned_where_they_are_by_one_edit(window: MainWindow) -> None:
    canvas, here = canvas_of(window), {photo_in(window, cell): cell for cell in ((0, 0), (0, 1))}
    for how in WAYS:
        click(canvas, (0, 0))
        click(canvas, (0, 1), CTRL)
        pin_by(window, how)
        assert pins(window) == here, how
        pin_by(window, how)
        assert pins(window) == (here if how == "menu" else {}), "only the key lets go again"
        undo(window)
        if how != "menu":
            undo(window)
        assert pins(window) == {} and not window.session.undo_stack.canUndo(), how


def test_a_photo_is_pinned_where_a_solve_has_put_it(window: MainWindow, qtbot: QtBot) -> None:
    for how in WAYS:
        photo = photo_in(window, (1, 1))
        click(canvas_of(window), (1, 1))
        rearrange(window, layout_of(window).photo_at[::-1].copy())
        cell = layout_of(window).cell_of(photo)
        assert cell != (1, 1)
        pin_by(window, how)
        assert pins(window) == {photo: cell}, how
        undo(window)
        wait_until_settled(qtbot, window.session)


def test_of_a_repeated_photo_the_chosen_tile_is_pinned(window: MainWindow) -> None:
    layout = layout_of(window)
    first, last = layout.shape.cell(0), layout.shape.cell(19)
    photo_at = layout.photo_at.copy()
    photo_at[19] = photo_at[0]
    rearrange(window, photo_at)
    click(canvas_of(window), last)
    pin_by(window, "sheet")
    assert pins(window) == {photo_in(window, last): last} and first != last


def test_a_photo_without_a_cell_is_pinned_in_the_cell_of_the_keyboard(window: MainWindow) -> None:
    click(canvas_of(window), (1, 1))
    photo = photo_in(window, (1, 1))
    window.actions_table["exclude"].trigger()
    assert layout_of(window).cell_of(photo) is None
    pin_by(window, "menu")
    assert pins(window) == {photo: (1, 1)} and not document_of(window).excluded


def test_the_menu_of_an_empty_cell_pins_the_selected_photo_there(window: MainWindow, qtbot: QtBot) -> None:
    canvas, photo = canvas_of(window), photo_in(window, (0, 0))
    other = photo_in(window, (1, 1))
    rearrange(window, np.where(layout_of(window).photo_at == other, -1, layout_of(window).photo_at))
    for selected, offered in (((), False), ((photo,), True)):
        window.session.select(selected, (0, 0))
        ask_for_menu(canvas, middle(canvas, (1, 1)))
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        entries = {action.data().key: action for action in menu.actions() if action.data() is not None}
        assert ("pin_selected" in entries) == offered and "large" not in entries
        if offered:
            entries["pin_selected"].trigger()
        menu.close()
    assert pins(window) == {photo: (1, 1)}


def rearrange(window: MainWindow, photo_at: np.ndarray) -> None:
    """As if a solve had found another layout."""
    session = window.session
    session.accept_layout(replace(layout_of(window), photo_at=photo_at))
