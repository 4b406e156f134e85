"""Near-duplicates are offered to be stacked; a stack is one tile that opens, turns, and comes apart."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.photo_cards import StackCard
from album_app.gui.canvas.tiles.marks import stack_badge_rect
from album_app.gui.controls import ask_user
from album_app.gui.dialogs.near_duplicate_groups import NearDuplicateGroups
from album_app.gui.tray.model import STACKED
from album_app.gui.window.main_window import MainWindow
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.panel.panel_hands import control
from tests.gui.panel.test_quality import text_of

QUESTION = "8 photos in 4 groups are nearly the same: stack them?"


@pytest.fixture
def twins(tmp_path: Path) -> Path:
    """Four pictures, each twice, the second of them smaller; the folder."""
    folder = tmp_path / "twins"
    folder.mkdir()
    for k in range(4):
        picture = Image.fromarray(np.random.default_rng(k).integers(0, 256, (12, 16, 3), np.uint8)).resize((320, 240))
        picture.save(folder / f"{k}-a.jpg")
        picture.resize((240, 180)).save(folder / f"{k}-b.jpg")
    return folder


@pytest.fixture
def window(open_window: OpenWindow, qtbot: QtBot, twins: Path) -> MainWindow:
    """A window that has asked."""
    window = open_window(0, twins)
    qtbot.waitUntil(lambda: window.message_bar.text == QUESTION, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    return window


def answer(window: MainWindow, name: str) -> None:
    """Press a button of the question; "Stack" looks at the groups and stacks all of them."""
    pressed = "Show groups…" if name == "Stack" else name
    next(b for b in window.message_bar.findChildren(QPushButton) if b.text() == pressed and not b.isHidden()).click()
    if name == "Stack":
        groups_of(window).stack_button.click()
        window.activateWindow()


def groups_of(window: MainWindow) -> NearDuplicateGroups:
    return next(dialog for dialog in window.findChildren(NearDuplicateGroups) if dialog.isVisible())


def shown(window: MainWindow) -> set[str]:
    document = window.session.document
    return {document.album.photos[photo].name for photo in document.layout.shown}


def test_nothing_moves_before_the_answer_and_one_undo_brings_it_back(window: MainWindow, qtbot: QtBot) -> None:
    before = window.session.document.layout.photo_at.tolist()
    assert len(shown(window)) == 8 and not window.session.undo_stack.canUndo()
    answer(window, "Stack")
    assert shown(window) == {f"{k}-a.jpg" for k in range(4)}, "the automatic shape follows at once"
    assert window.session.document.shape.count == 4 and not window.message_bar.isVisible()
    wait_until_settled(qtbot, window.session)
    window.session.undo_stack.undo()
    assert window.session.document.layout.photo_at.tolist() == before


def test_a_no_is_not_asked_again(window: MainWindow, qtbot: QtBot, twins: Path) -> None:
    answer(window, "Not now")
    assert not window.message_bar.isVisible() and len(shown(window)) == 8
    with qtbot.waitSignal(window.parts.loading.near_duplicates_found, timeout=WAIT_MS):
        window.parts.loading.open_paths([twins])
    assert not window.message_bar.isVisible()
    window.actions_table["stack"].trigger()
    groups_of(window).stack_button.click()
    assert len(shown(window)) == 4, "the menu does it nevertheless"


def test_groups_are_shown_first_and_only_ticked_ones_are_stacked(window: MainWindow, qtbot: QtBot) -> None:
    before = window.session.document
    window.actions_table["stack"].trigger()
    dialog = groups_of(window)
    assert [dialog.list.item(row).text() for row in range(dialog.list.count())] == [
        f"2 photos: {k}-a.jpg, {k}-b.jpg" for k in range(4)
    ]
    assert window.session.document is before and window.message_bar.isVisible(), "nothing is stacked by looking"
    dialog.reject()
    assert window.session.document is before
    window.actions_table["stack"].trigger()
    dialog = groups_of(window)
    dialog.list.setFocus()
    qtbot.keyClick(dialog.list, Qt.Key.Key_Space)
    assert dialog.stack_button.text() == "Stack 3 groups"
    dialog.stack_button.click()
    assert window.session.document.stacks == ((2, 3), (4, 5), (6, 7))
    window.session.undo_stack.undo()
    window.actions_table["stack"].trigger()
    groups_of(window).tick_button.click()
    assert not groups_of(window).stack_button.isEnabled()


def test_a_stack_opens_shows_another_photo_and_comes_apart(window: MainWindow, qtbot: QtBot) -> None:
    answer(window, "Stack")
    wait_until_settled(qtbot, window.session)
    canvas, document = window.workspace.canvas, window.session.document
    cell = document.layout.cell_of(0)
    qtbot.waitUntil(lambda: canvas.at_rest, timeout=WAIT_MS)
    badge = stack_badge_rect(canvas.cell_rect(cell), 1.0).center().toPoint()
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=badge)
    card = canvas.stack_card
    assert card.isVisible() and [button.photo for button in card.photos] == [0, 1]
    card.photos[1].click()
    assert window.session.document.layout.photo_in(cell) == 1 and window.session.document.stack_of[1] == (1, 0)
    assert card.isVisible()
    card.unstack_button.click()
    assert not card.isVisible() and {"0-a.jpg", "0-b.jpg"} <= shown(window)
    assert len(window.session.document.active) == 5


def test_keys_open_and_close_a_stack(window: MainWindow, qtbot: QtBot) -> None:
    answer(window, "Stack")
    wait_until_settled(qtbot, window.session)
    canvas = window.workspace.canvas
    canvas.setFocus()
    window.session.select([2], window.session.document.layout.cell_of(2))
    qtbot.keyClick(canvas, Qt.Key.Key_S)
    assert canvas.stack_card.isVisible()
    qtbot.keyClick(canvas.stack_card.photos[0], Qt.Key.Key_Escape)
    assert not canvas.stack_card.isVisible() and window.session.selected == (2,)


@pytest.fixture
def opened(window: MainWindow, qtbot: QtBot) -> StackCard:
    """The stack of photos 2 and 3 opened by S, where 2 is shown."""
    answer(window, "Stack")
    wait_until_settled(qtbot, window.session)
    canvas = window.workspace.canvas
    canvas.setFocus()
    window.session.select([2], window.session.document.layout.cell_of(2))
    qtbot.keyClick(canvas, Qt.Key.Key_S)
    return canvas.stack_card


def test_the_keyboard_stays_in_the_stack_when_another_photo_is_chosen(
    window: MainWindow, opened: StackCard, qtbot: QtBot
) -> None:
    assert opened.focusWidget() is opened.photos[0] and opened.photos[0].ticked, "the one that is shown"
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert window.session.document.stack_of[3] == (3, 2) and window.session.selected == (3,)
    assert [(photo.ticked, photo.hasFocus()) for photo in opened.photos] == [(False, False), (True, True)]
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Left)
    assert [(photo.ticked, photo.hasFocus()) for photo in opened.photos] == [(False, True), (True, False)]
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert not opened.isVisible() and window.workspace.canvas.hasFocus()
    assert window.workspace.panel.verticalScrollBar().value() == 0, "it has not been elsewhere meanwhile"


def test_enter_on_unstack_takes_it_apart_and_the_keyboard_is_back_on_the_sheet(
    window: MainWindow, opened: StackCard, qtbot: QtBot
) -> None:
    opened.unstack_button.setFocus()
    qtbot.keyClick(opened.unstack_button, Qt.Key.Key_Return)
    assert {"1-a.jpg", "1-b.jpg"} <= shown(window) and window.workspace.canvas.hasFocus()


def test_shown_and_focused_look_different_and_no_word_is_cut(opened: StackCard) -> None:
    with_ring = opened.photos[0].grab().toImage()
    opened.photos[1].setFocus()
    assert opened.photos[0].grab().toImage() != with_ring
    for button in (opened.unstack_button, *opened.findChildren(QPushButton)):
        assert button.width() >= button.sizeHint().width()
    assert [photo.accessibleDescription() for photo in opened.photos] == ["320 × 240", "240 × 180"]
    assert opened.photos[1].accessibleName() == "1-b.jpg"


def test_the_tray_tells_which_photo_lies_under_which(window: MainWindow, qtbot: QtBot) -> None:
    answer(window, "Stack")
    tray = window.workspace.tray
    qtbot.mouseClick(tray.section_buttons[STACKED], Qt.MouseButton.LeftButton)
    assert [tray.model.line(row).detail for row in range(4)] == [f"Under {k}-a" for k in range(4)]


def test_stacked_photos_are_nowhere_counted_as_lost(window: MainWindow, qtbot: QtBot) -> None:
    answer(window, "Stack")
    wait_until_settled(qtbot, window.session)
    buttons = window.workspace.tray.section_buttons
    assert window.summary.text().startswith("4 photos on 4 cells, 4 more in stacks")
    assert text_of(window, "Photos on the sheet") == "4 photos are on the sheet, 4 more in stacks."
    assert not control(window, QPushButton, "List the photos without a cell").isVisible()
    assert [button.text() for button in buttons.values() if not button.isHidden()] == [
        "All 8",
        "Unplaced 0",
        "In stacks 4",
        "Skipped 0",
    ]
    assert buttons[STACKED].isVisible()


def test_what_stacks_hold_and_what_has_no_cell_are_told_apart(window: MainWindow, qtbot: QtBot) -> None:
    answer(window, "Stack")
    wait_until_settled(qtbot, window.session)
    window.parts.reshaping.start(ShapeSpec("rectangle", rows=1, columns=3))
    qtbot.waitUntil(lambda: window.session.document.shape.count == 3, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert window.summary.text().startswith("3 of 8 photos on 3 cells, 3 more in stacks")
    assert text_of(window, "Photos on the sheet") == "3 of 8 photos are on the sheet, 3 more in stacks, 2 are not."
    buttons = window.workspace.tray.section_buttons
    assert [button.text() for button in buttons.values() if not button.isHidden()] == [
        "All 8",
        "Unplaced 2",
        "In stacks 3",
        "Skipped 0",
    ]


def test_the_list_of_stacked_photos_comes_and_goes(window: MainWindow, qtbot: QtBot) -> None:
    tab = window.workspace.tray.section_buttons[STACKED]
    assert not tab.isVisible()
    answer(window, "Stack")
    assert tab.isVisible()
    wait_until_settled(qtbot, window.session)
    window.session.undo_stack.undo()
    assert not tab.isVisible() and window.summary.text().startswith("8 of 8 photos on ")


def test_the_list_is_written(window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "stacks.csv"

    def choose(*args: object) -> None:
        on_paths: Callable[[list[Path]], None] = args[-1]  # type: ignore[assignment]
        on_paths([file])

    monkeypatch.setattr(ask_user, "target", choose)
    window.actions_table["stacks_write"].trigger()
    qtbot.waitUntil(lambda: window.notice.text() == "Wrote the near-duplicates to stacks.csv", timeout=WAIT_MS)
    lines = list(csv.DictReader(file.open()))
    assert [line["best"] for line in lines] == ["1", "0"] * 4 and float(lines[0]["sharpness"]) > 0
