"""Pins that are thought of are shown as ghosts with the reason, and pinned only when they are accepted."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import OpenWindow, PhotoFolder, wait_until_settled, wait_until_sharp
from tests.gui.hands import KEY, canvas_of, document_of, drag, layout_of, photo_in, pins, proposed, type_keys, undo


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    """Twenty photos, and a user who has read each proposal as soon as it is shown."""
    made = open_window(20)
    made.parts.proposals.read_seconds = 0.0
    return made


def cell_pixels(window: MainWindow, cell: tuple[int, int]) -> np.ndarray:
    canvas = canvas_of(window)
    image = canvas.grab(canvas.cell_rect(cell).toRect()).toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1).copy()


def test_corners_are_ghosts_until_enter(window: MainWindow, qtbot: QtBot) -> None:
    before = layout_of(window.session).photo_at
    wait_until_sharp(qtbot, canvas_of(window))
    bare = cell_pixels(window, (0, 0))
    window.actions_table["pin_corners"].trigger()
    proposal = proposed(qtbot, window)
    bar = canvas_of(window).proposal_bar
    assert bar.isVisible() and proposal.question == "Pin these 4 photos?" and "differ" in proposal.reason
    assert not pins(window) and (layout_of(window.session).photo_at == before).all(), "nothing is pinned or moved yet"
    assert set(canvas_of(window).ghosts.values()) == set(document_of(window).shape.corners)
    assert (cell_pixels(window, (0, 0)) != bare).any(), "the ghost is seen"
    assert bar.accept_button.hasFocus()
    type_keys(bar.accept_button, KEY.Key_Return)
    assert pins(window) == dict(proposal.ghosts) and bar.isHidden() and canvas_of(window).hasFocus()
    assert window.session.undo_stack.count() == 1
    wait_until_settled(qtbot, window.session)
    undo(window)
    assert not pins(window), "one step takes all back"


def test_a_proposal_takes_the_place_of_the_alternatives(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    canvas.show_alternatives((1, 1))
    qtbot.waitUntil(canvas.strip.isVisible)
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    assert canvas.proposal_bar.isVisible() and not canvas.strip.isVisible()
    assert canvas.proposal_bar.accept_button.hasFocus()


def test_esc_leaves_everything_as_it_was(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    type_keys(canvas_of(window).proposal_bar.accept_button, KEY.Key_Escape)
    assert window.parts.proposals.current is None and not canvas_of(window).ghosts
    assert canvas_of(window).proposal_bar.isHidden() and not window.session.undo_stack.canUndo()


@pytest.mark.parametrize(("key", "count"), [(KEY.Key_Return, 1), (KEY.Key_Escape, 0)])
def test_the_keys_work_on_the_sheet_too(window: MainWindow, qtbot: QtBot, key: KEY, count: int) -> None:
    window.actions_table["pin_suggest"].trigger()
    ghosts = proposed(qtbot, window).ghosts
    assert {photo: layout_of(window.session).cell_of(photo) for photo in ghosts} == dict(ghosts)
    canvas_of(window).setFocus()
    type_keys(canvas_of(window), key)
    assert window.parts.proposals.current is None and len(pins(window)) == count


def test_a_sheet_that_is_edited_meanwhile_takes_the_proposal_back(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    photo = photo_in(window, (1, 1))
    drag(canvas_of(window), (1, 1), (2, 2))
    assert pins(window) == {photo: (2, 2)} and canvas_of(window).proposal_bar.isHidden()


def test_another_album_takes_the_proposal_back(window: MainWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    window.files.open_paths([photo_folder(4, "others")])
    qtbot.waitUntil(lambda: len(document_of(window).album) == 4)
    assert window.parts.proposals.current is None and not canvas_of(window).ghosts


def test_the_bar_hides_no_ghost(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(20)
    window.actions_table["pin_edges"].trigger()
    ghosts = proposed(qtbot, window).ghosts
    canvas = canvas_of(window)
    over = canvas.proposal_bar.geometry()
    low = max(ghosts.values())
    assert not canvas.cell_rect(low).toRect().intersects(over) or over.top() < 20


def test_cells_that_have_their_pins_are_told(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    window.parts.proposals.accept()
    wait_until_settled(qtbot, window.session)
    window.actions_table["pin_corners"].trigger()
    qtbot.waitUntil(lambda: window.notice.text() == "These cells have pins already.")


def test_a_new_message_lies_above_the_question_about_pins_and_others_wait(window: MainWindow, qtbot: QtBot) -> None:
    window.message_bar.keep_message("test", "A sentence that waits.")
    low = window.message_bar.geometry()
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    card = canvas_of(window).proposal_bar
    qtbot.waitUntil(card.isVisible)
    assert window.message_bar.isHidden()
    window.message_bar.show_message("Something happened.")
    covered = QRect(card.mapTo(window.message_bar.parentWidget(), QPoint(0, 0)), card.size())
    assert window.message_bar.isVisible() and not covered.intersects(window.message_bar.geometry())
    window.message_bar.clear()
    window.parts.proposals.dismiss()
    assert window.message_bar.geometry() == low
