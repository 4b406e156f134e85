"""Every gesture on the sheet, by mouse and by keyboard, in the window as the command opens it; each one undoable."""

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.gui.canvas import hand
from album_app.gui.canvas.tiles.marks import badge_rect
from album_app.gui.controls.input import photo_mime
from album_app.gui.tray import photo_list
from album_app.gui.window.main_window import MainWindow
from album_app.layout.project.project_file import save_project
from tests.gui.conftest import WAIT_MS, OpenSession, make_photos, wait_until_settled, wait_until_sharp
from tests.gui.hands import (
    CTRL,
    KEY,
    LEFT,
    MIDDLE,
    NO_KEY,
    SHIFT,
    canvas_of,
    click,
    document_of,
    drag,
    drop_data,
    files,
    layout_of,
    middle,
    photo_in,
    pins,
    press_and_move,
    tray_of,
    type_keys,
    undo,
)


def test_dragging_a_photo_pins_it_and_undo_brings_the_layout_back(window: MainWindow, qtbot: QtBot) -> None:
    before, photo = layout_of(window), photo_in(window, (0, 0))
    drag(canvas_of(window), (0, 0), (2, 3))
    assert pins(window) == {photo: (2, 3)}
    assert photo_in(window, (2, 3)) == photo, "the pin shows at once"
    assert window.session.selected == (photo,) and window.session.cell == (2, 3)
    wait_until_settled(qtbot, window.session)
    after = layout_of(window)
    assert after.photo_in((2, 3)) == photo and len(after.shown) == 20
    undo(window)
    assert pins(window) == {} and layout_of(window) is before
    window.actions_table["redo"].trigger()
    assert pins(window) == {photo: (2, 3)} and layout_of(window) is after


def test_the_edit_is_named_after_the_photo(window: MainWindow) -> None:
    name = document_of(window).album.photos[photo_in(window, (0, 0))].name.removesuffix(".jpg")
    drag(canvas_of(window), (0, 0), (1, 1))
    assert window.session.undo_stack.undoText() == f"Pin {name}"
    assert name in window.notice.text()


def test_ghost_and_target_show_while_dragging_and_escape_cancels(window: MainWindow) -> None:
    canvas, before = canvas_of(window), layout_of(window)
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (2, 2)))
    carried = canvas.hand.carried
    assert carried is not None and carried.target == (2, 2) and canvas.hand.ghost is not None
    assert canvas.held == (photo_in(window, (0, 0)), (0, 0))
    assert "Pin" in window.notice.text()
    type_keys(canvas, KEY.Key_Escape)
    assert canvas.hand.carried is None and canvas.held is None
    QTest.mouseRelease(canvas, LEFT, NO_KEY, middle(canvas, (2, 2)))
    assert pins(window) == {} and layout_of(window) is before and not window.session.undo_stack.canUndo()


def test_dropping_on_a_pinned_cell_swaps_the_pins(window: MainWindow) -> None:
    canvas = canvas_of(window)
    first, second = photo_in(window, (0, 0)), photo_in(window, (3, 4))
    for cell in ((0, 0), (3, 4)):
        click(canvas, cell)
        type_keys(canvas, KEY.Key_P)
    drag(canvas, (0, 0), (3, 4))
    assert pins(window) == {first: (3, 4), second: (0, 0)}
    assert window.session.undo_stack.undoText().startswith("Swap pins")
    undo(window)
    assert pins(window) == {first: (0, 0), second: (3, 4)}


def test_shift_swaps_two_photos_and_pins_both(window: MainWindow) -> None:
    canvas = canvas_of(window)
    first, second = photo_in(window, (0, 0)), photo_in(window, (2, 2))
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (2, 2)))
    QTest.keyPress(canvas, KEY.Key_Shift, SHIFT)
    assert "Swap" in window.notice.text() and "pin both" in window.notice.text()
    QTest.mouseRelease(canvas, LEFT, SHIFT, middle(canvas, (2, 2)))
    assert pins(window) == {first: (2, 2), second: (0, 0)}
    undo(window)
    assert pins(window) == {}


def test_delete_and_backspace_unpin(window: MainWindow) -> None:
    canvas = canvas_of(window)
    drag(canvas, (0, 0), (1, 1))
    for key in (KEY.Key_Delete, KEY.Key_Backspace):
        assert len(pins(window)) == 1
        type_keys(canvas, key)
        assert pins(window) == {}
        undo(window)
    assert len(pins(window)) == 1


def test_a_click_on_the_badge_unpins(window: MainWindow) -> None:
    canvas = canvas_of(window)
    drag(canvas, (0, 0), (1, 1))
    badge = badge_rect(canvas.cell_rect((1, 1)), 1.0).center().toPoint()
    QTest.mouseClick(canvas, LEFT, NO_KEY, badge)
    assert pins(window) == {}
    assert window.session.undo_stack.undoText().startswith("Unpin")


def test_a_click_on_a_small_tile_is_meant_for_its_photo_whatever_it_wears(window: MainWindow) -> None:
    canvas = canvas_of(window)
    drag(canvas, (0, 0), (1, 1))
    canvas.zoom_by(20 / canvas.cell_rect((1, 1)).width())
    badge = badge_rect(canvas.cell_rect((1, 1)), 1.0).center().toPoint()
    window.session.select([])
    QTest.mouseClick(canvas, LEFT, NO_KEY, badge)
    assert len(pins(window)) == 1 and window.session.selected == (photo_in(window, (1, 1)),)


def test_several_photos_are_pinned_together(window: MainWindow) -> None:
    canvas = canvas_of(window)
    here = [photo_in(window, cell) for cell in ((0, 0), (0, 1))]
    click(canvas, (0, 0))
    click(canvas, (0, 1), CTRL)
    drag(canvas, (0, 0), (2, 2))
    assert pins(window) == {here[0]: (2, 2), here[1]: (2, 3)}
    undo(window)
    assert pins(window) == {}


def test_files_dropped_on_a_cell_are_added_and_pinned(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    canvas = canvas_of(window)
    more = make_photos(tmp_path / "more", 2, start=50)
    assert drop_data(canvas, files(*sorted(more.iterdir())), middle(canvas, (1, 2)))
    qtbot.waitUntil(lambda: len(document_of(window).album) == 22)
    wait_until_settled(qtbot, window.session)
    assert len(pins(window)) == 2 and canvas.hand.carried is None
    first = document_of(window).album.index_of("photo-0050.jpg")
    assert first is not None and pins(window)[first] in document_of(window).shape
    undo(window)
    assert len(document_of(window).album) == 20 and not pins(window)


def test_a_folder_dropped_on_the_sheet_is_opened(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    canvas = canvas_of(window)
    assert drop_data(canvas, files(make_photos(tmp_path / "other", 3, start=50)), middle(canvas, (1, 1)))
    qtbot.waitUntil(lambda: len(document_of(window).album) == 3, timeout=WAIT_MS)
    assert canvas.hand.carried is None and not pins(window)


def test_a_project_dropped_on_the_sheet_is_opened(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    save_project(document_of(window), tmp_path / "trip.album")
    canvas = canvas_of(window)
    assert drop_data(canvas, files(tmp_path / "trip.album"), middle(canvas, (1, 1)))
    assert canvas.hand.carried is None, "no cell of the sheet is its target"
    qtbot.waitUntil(lambda: window.session.path == tmp_path / "trip.album", timeout=WAIT_MS)


def test_no_file_is_looked_at_while_a_drag_hovers(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas, data = canvas_of(window), files(Path("/nowhere/a.jpg"))
    wait_until_sharp(qtbot, canvas)
    qtbot.waitUntil(lambda: window.parts.jobs.all_ended, timeout=WAIT_MS)
    at, action = middle(canvas, (1, 1)), Qt.DropAction.CopyAction
    looked: list[Path] = []
    look, of_the_window = Path.stat, threading.current_thread()

    def noted(path: Path, **options: Any) -> os.stat_result:
        if threading.current_thread() is of_the_window:  # others may save what they have to
            looked.append(path)
        return look(path, **options)

    monkeypatch.setattr(Path, "stat", noted)
    for event in (QDragEnterEvent(at, action, data, LEFT, NO_KEY), QDragMoveEvent(at, action, data, LEFT, NO_KEY)):
        QApplication.sendEvent(canvas, event)
        assert event.isAccepted()
    assert canvas.hand.carried is not None and looked == []
    QApplication.sendEvent(canvas, QDragLeaveEvent())
    assert canvas.hand.carried is None


def test_photos_from_a_desktop_drag_of_ours_are_pinned(window: MainWindow) -> None:
    canvas = canvas_of(window)
    photo = photo_in(window, (0, 0))
    assert drop_data(canvas, photo_mime(document_of(window), [photo]), middle(canvas, (3, 3)))
    assert pins(window) == {photo: (3, 3)}


def test_photos_from_another_window_are_added_by_their_files(
    window: MainWindow, open_session: OpenSession, qtbot: QtBot, tmp_path: Path
) -> None:
    canvas = canvas_of(window)
    other = document_of(open_session(folder=make_photos(tmp_path / "other", 30, start=100)))
    assert drop_data(canvas, photo_mime(other, [29]), middle(canvas, (0, 0)))
    qtbot.waitUntil(lambda: len(document_of(window).album) == 21, timeout=WAIT_MS)
    assert document_of(window).album.photos[20].path == other.album.photos[29].path
    assert list(pins(window)) == [20]


def test_a_photo_can_be_dragged_out_of_sheet_and_tray(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[tuple[int, ...]] = []
    for module in (hand, photo_list):
        monkeypatch.setattr(module, "drag_out", lambda source, document, photos, picture: gone.append(tuple(photos)))
    canvas, view = canvas_of(window), tray_of(window).list
    outside = QPoint(-4000, 60)
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (1, 1)), outside)
    assert gone.pop() == (photo_in(window, (0, 0)),) and not gone
    assert canvas.hand.carried is None and pins(window) == {}
    QTest.mouseRelease(canvas, LEFT, NO_KEY, outside)
    start = view.visualRect(view.model().index(3)).center()
    QTest.mousePress(view.viewport(), LEFT, NO_KEY, start)
    for point in (start + QPoint(20, 0), outside):
        QTest.mouseMove(view.viewport(), point)
    assert gone == [(3,)]
    assert canvas.hand.carried is None and pins(window) == {}


def test_copying_a_photo_and_the_sheet(window: MainWindow, qtbot: QtBot) -> None:
    canvas, clipboard = canvas_of(window), QApplication.clipboard()
    click(canvas, (0, 0))
    type_keys(canvas, KEY.Key_C, modifiers=CTRL)
    path = document_of(window).album.photos[photo_in(window, (0, 0))].path
    assert [url.toLocalFile() for url in clipboard.mimeData().urls()] == [str(path)]
    type_keys(canvas, KEY.Key_C, modifiers=CTRL | SHIFT)
    qtbot.waitUntil(lambda: clipboard.mimeData().hasImage() and not clipboard.mimeData().hasUrls())


def test_another_button_does_not_end_a_drag(window: MainWindow) -> None:
    canvas, photo = canvas_of(window), photo_in(window, (0, 0))
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (2, 2)))
    QTest.mouseClick(canvas, MIDDLE, NO_KEY, middle(canvas, (2, 2)))
    assert canvas.hand.carried is not None and pins(window) == {}
    QTest.mouseRelease(canvas, LEFT, NO_KEY, middle(canvas, (2, 2)))
    assert pins(window) == {photo: (2, 2)}


def drag_from_tray(window: MainWindow, row: int, end: QPoint, keys: Qt.KeyboardModifier = NO_KEY) -> None:
    """Drag a row of the tray to a point of the canvas and let go."""
    viewport, canvas = tray_of(window).list.viewport(), canvas_of(window)
    start = tray_of(window).list.visualRect(tray_of(window).model.index(row)).center()
    there = viewport.mapFromGlobal(canvas.mapToGlobal(end))
    QTest.mousePress(viewport, LEFT, NO_KEY, start)
    for point in (start + QPoint(30, 0), there):
        QTest.mouseMove(viewport, point)
    QTest.mouseRelease(viewport, LEFT, keys, there)


def test_a_tray_photo_is_pinned_where_it_is_dropped(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    drag_from_tray(window, 5, middle(canvas, (0, 0)))
    assert pins(window) == {5: (0, 0)}
    assert photo_in(window, (0, 0)) == 5
    wait_until_settled(qtbot, window.session)
    undo(window)
    assert pins(window) == {}


def test_a_tray_photo_dropped_beside_the_sheet_stays(window: MainWindow) -> None:
    drag_from_tray(window, 5, QPoint(2, 2))
    assert pins(window) == {} and canvas_of(window).hand.carried is None


def test_escape_cancels_a_drag_from_the_tray(window: MainWindow) -> None:
    view, canvas = tray_of(window).list, canvas_of(window)
    start = view.visualRect(view.model().index(2)).center()
    QTest.mousePress(view.viewport(), LEFT, NO_KEY, start)
    for point in (start + QPoint(30, 0), view.viewport().mapFromGlobal(canvas.mapToGlobal(middle(canvas, (1, 1))))):
        QTest.mouseMove(view.viewport(), point)
    assert canvas.hand.carried is not None and "Pin" in window.notice.text()
    type_keys(view, KEY.Key_Escape)
    QTest.mouseRelease(view.viewport(), LEFT, NO_KEY, point)
    assert canvas.hand.carried is None and pins(window) == {}


def test_another_button_does_not_end_a_drag_from_the_tray(window: MainWindow) -> None:
    view, canvas = tray_of(window).list, canvas_of(window)
    start = view.visualRect(view.model().index(2)).center()
    there = view.viewport().mapFromGlobal(canvas.mapToGlobal(middle(canvas, (1, 1))))
    QTest.mousePress(view.viewport(), LEFT, NO_KEY, start)
    for point in (start + QPoint(30, 0), there):
        QTest.mouseMove(view.viewport(), point)
    QTest.mouseRelease(view.viewport(), MIDDLE, NO_KEY, there)
    assert canvas.hand.carried is not None and pins(window) == {}
    QTest.mouseRelease(view.viewport(), LEFT, NO_KEY, there)
    assert pins(window) == {2: (1, 1)}


def test_the_keyboard_brings_a_tray_photo_to_a_cell(window: MainWindow) -> None:
    view, canvas = tray_of(window).list, canvas_of(window)
    view.setFocus()
    view.setCurrentIndex(view.model().index(7))
    window.session.select((7,), (0, 0))
    type_keys(view, KEY.Key_M)
    type_keys(canvas, KEY.Key_Right, KEY.Key_Down, KEY.Key_Return)
    assert pins(window) == {7: (1, 1)}
