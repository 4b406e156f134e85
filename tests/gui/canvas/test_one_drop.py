"""One drop is one entry into the session, one step of undo, and one look at the alternatives."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, wait_until_settled
from tests.gui.hands import (
    KEY,
    LEFT,
    NO_KEY,
    SHIFT,
    canvas_of,
    drag,
    layout_of,
    middle,
    photo_in,
    pins,
    tray_of,
    type_keys,
    undo,
)

TARGET = (2, 3)


def from_the_tray(window: MainWindow) -> int:
    """Carry the photo of the first cell from the tray to the target."""
    tray, canvas, photo = tray_of(window).list, canvas_of(window), photo_in(window, (0, 0))
    row = tray_of(window).model.row_of(photo)
    assert row is not None
    start = tray.visualRect(tray_of(window).model.index(row)).center()
    end = tray.viewport().mapFromGlobal(canvas.mapToGlobal(middle(canvas, TARGET)))
    QTest.mousePress(tray.viewport(), LEFT, NO_KEY, start)
    for point in (start + QPoint(12, 12), end):
        QTest.mouseMove(tray.viewport(), point)
        QApplication.processEvents()
    QTest.mouseRelease(tray.viewport(), LEFT, NO_KEY, end)
    return photo


def on_the_sheet(window: MainWindow) -> int:
    photo = photo_in(window, (0, 0))
    drag(canvas_of(window), (0, 0), TARGET)
    return photo


def with_shift(window: MainWindow) -> int:
    photo = photo_in(window, (0, 0))
    drag(canvas_of(window), (0, 0), TARGET, SHIFT)
    return photo


def with_the_keyboard(window: MainWindow) -> int:
    photo = photo_in(window, (0, 0))
    down, right = [KEY.Key_Down] * TARGET[0], [KEY.Key_Right] * TARGET[1]
    type_keys(canvas_of(window), KEY.Key_M, *down, *right, KEY.Key_Return)
    return photo


DROPS: dict[str, Callable[[MainWindow], int]] = {
    "tray": from_the_tray,
    "sheet": on_the_sheet,
    "shift": with_shift,
    "keyboard": with_the_keyboard,
}


def test_one_drop_is_one_edit_and_one_look_at_the_alternatives(window: MainWindow, qtbot: QtBot) -> None:
    heard = everything_heard(window)
    for way, drop in DROPS.items():
        check_drop(window, qtbot, way, drop, heard)


def everything_heard(window: MainWindow) -> list[str]:
    """What happens from now on: edits, and looks at the alternatives."""
    advice, heard = window.parts.advice, list[str]()
    alternatives = advice.alternatives

    def counted(cell: tuple[int, int], on_found: Callable[[list[tuple[int, float]]], None]) -> None:
        heard.append(f"alternatives {cell}")
        alternatives(cell, on_found)

    advice.alternatives = counted  # type: ignore[method-assign]
    window.session.document_changed.connect(lambda name: heard.append("edit"))
    return heard


def check_drop(window: MainWindow, qtbot: QtBot, way: str, drop: Callable[[MainWindow], int], heard: list[str]) -> None:
    canvas, session, before = canvas_of(window), window.session, layout_of(window)
    session.select((photo_in(window, (0, 0)),), (0, 0))
    canvas.show_alternatives((0, 0))
    qtbot.waitUntil(lambda: canvas.strip.isVisible() and canvas.strip.cell == (0, 0), timeout=WAIT_MS)
    canvas.setFocus()
    heard.clear()
    with qtbot.waitSignal(window.parts.solving.settled, timeout=WAIT_MS):
        photo = drop(window)
        at_once = list(heard)
    assert sorted(at_once) == [f"alternatives {TARGET}", "edit"], way
    assert heard == [*at_once, f"alternatives {TARGET}"], "and once more when the sheet has settled"
    assert pins(window)[photo] == TARGET and session.selected == (photo,) and session.cell == TARGET, way
    assert session.undo_stack.count() == 1, way
    undo(window)
    assert pins(window) == {} and np.array_equal(layout_of(window).photo_at, before.photo_at), way
    wait_until_settled(qtbot, session)


def test_a_drop_that_changes_nothing_is_no_edit_but_selects(window: MainWindow) -> None:
    photo = photo_in(window, TARGET)
    window.session.drop([photo], TARGET)
    window.session.select()
    changed: list[str] = []
    window.session.document_changed.connect(changed.append)
    assert not window.session.drop([photo], TARGET)
    assert not changed and window.session.undo_stack.count() == 1
    assert window.session.selected == (photo,) and window.session.cell == TARGET
