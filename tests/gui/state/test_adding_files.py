"""Photos that join an open album: under names of their own, with their own pictures, and gone again on undo."""

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from album_app.gui.tray.model import ALL, SIMILAR
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenSession, OpenWindow, PhotoFolder, parts_of, wait_until_settled
from tests.gui.hands import (
    KEY,
    LEFT,
    canvas_of,
    document_of,
    layout_of,
    middle,
    press_and_move,
    tray_of,
    type_keys,
    undo,
)


def test_files_dropped_on_a_cell_join_and_are_pinned(
    open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    session = open_session(11)
    more = photo_folder(2, "more", start=50)
    with qtbot.waitSignal(session.document_changed):
        parts_of(session).loading.add_files(sorted(more.iterdir()), (1, 1))
    wait_until_settled(qtbot, session)
    document = document_of(session)
    assert len(document.album) == 13 and document.layout is not None
    assert set(document.pins) == {11, 12} and document.pins[11] == (1, 1)
    assert {photo: document.layout.positions[photo] for photo in (11, 12)} == dict(document.pins)
    assert parts_of(session).photos.pictures.state(12) == "ready"
    session.undo_stack.undo()
    assert len(document_of(session).album) == 11
    session.drop([0], (0, 0))
    wait_until_settled(qtbot, session)
    assert document_of(session).layout is not None


def test_files_of_the_same_name_keep_apart(open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    session = open_session(3)
    twin = photo_folder(1, "other")
    with qtbot.waitSignal(session.document_changed):
        parts_of(session).loading.add_files([twin / "photo-0000.jpg"])
    names = [photo.name for photo in document_of(session).album.photos]
    assert len(set(names)) == 4 and names[3] == "other/photo-0000.jpg"


def test_nothing_to_add_is_said(open_session: OpenSession, qtbot: QtBot, tmp_path: Path) -> None:
    session = open_session(3)
    (tmp_path / "notes.txt").write_text("no photo")
    with qtbot.waitSignal(session.notice) as said:
        parts_of(session).loading.add_files([tmp_path / "notes.txt"])
    assert "no photo" in said.args[0]
    assert len(document_of(session).album) == 3


def test_undoing_an_addition_takes_the_photos_out_of_the_selection(
    open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    session = open_session(4)
    with qtbot.waitSignal(session.document_changed):
        parts_of(session).loading.add_files(sorted(photo_folder(2, "more", start=50).iterdir()))
    wait_until_settled(qtbot, session)
    session.select((1, 4, 5), (0, 0))
    with qtbot.waitSignal(session.selection_changed):
        session.undo_stack.undo()
    assert session.selected == (1,) and session.cell == document_of(session).layout.cell_of(1)


@pytest.fixture
def grown(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> MainWindow:
    """A window with six photos, to which a seventh and an eighth were added."""
    window = open_window(6)
    with qtbot.waitSignal(window.session.document_changed, timeout=WAIT_MS):
        window.parts.loading.add_files(sorted(photo_folder(2, "more", start=50).iterdir()))
    wait_until_settled(qtbot, window.session)
    return window


@pytest.mark.parametrize(("photo", "section", "rows"), [(3, SIMILAR, 6), (7, ALL, 6)])
def test_similar_photos_are_listed_without_those_that_undo_took_away(
    grown: MainWindow, qtbot: QtBot, photo: int, section: str, rows: int
) -> None:
    tray = tray_of(grown)
    grown.session.select((photo,), None)
    grown.actions_table["similar"].trigger()
    qtbot.waitUntil(lambda: tray.model.section == SIMILAR, timeout=WAIT_MS)
    assert len(tray.model.rows) == 8
    undo(grown)
    tray.grab()
    assert tray.model.section == section and sorted(tray.model.rows) == list(range(rows))
    grown.actions_table["redo"].trigger()
    assert set(tray.model.rows) <= set(range(8)) and tray.model.section == section


@pytest.mark.parametrize("by_key", [True, False])
def test_undoing_the_addition_of_a_photo_takes_it_out_of_the_hand(
    grown: MainWindow, qtbot: QtBot, by_key: bool
) -> None:
    canvas, cell = canvas_of(grown), layout_of(grown).positions[7]
    qtbot.waitUntil(lambda: not canvas.moving, timeout=WAIT_MS)
    if by_key:
        grown.session.select((7,), cell)
        type_keys(canvas, KEY.Key_M, KEY.Key_Left)
    else:
        press_and_move(canvas, middle(canvas, cell), middle(canvas, (0, 0)))
    assert canvas.hand.carried is not None and canvas.hand.carried.photos == (7,)
    undo(grown)
    assert canvas.hand.carried is None
    type_keys(canvas, KEY.Key_Right)
    QTest.mouseMove(canvas, middle(canvas, (1, 1)))
    QTest.mouseRelease(canvas, LEFT, pos=middle(canvas, (1, 1)))
    canvas.grab()
    assert not document_of(grown).pins and not grown.message_bar.isVisible()


def test_a_photo_is_not_dragged_off_whose_addition_was_undone_under_the_pressed_button(
    grown: MainWindow, qtbot: QtBot
) -> None:
    canvas, start = canvas_of(grown), layout_of(grown).positions[7]
    qtbot.waitUntil(lambda: not canvas.moving, timeout=WAIT_MS)
    QTest.mousePress(canvas, LEFT, pos=middle(canvas, start))
    undo(grown)
    QTest.mouseMove(canvas, middle(canvas, (0, 0)))
    assert canvas.hand.carried is None


def test_a_photo_in_the_hand_stays_there_when_others_join(
    grown: MainWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    canvas = canvas_of(grown)
    qtbot.waitUntil(lambda: not canvas.moving, timeout=WAIT_MS)
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (1, 1)))
    with qtbot.waitSignal(grown.session.document_changed, timeout=WAIT_MS):
        grown.parts.loading.add_files(sorted(photo_folder(1, "again", start=70).iterdir()))
    assert canvas.hand.carried is not None
    QTest.mouseRelease(canvas, LEFT, pos=middle(canvas, (1, 1)))
    assert list(document_of(grown).pins.values()) == [(1, 1)]
