"""Two windows that have the same project open: neither loses silently what the other one saved."""

from pathlib import Path

from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from album_app.gui.state import autosave
from album_app.gui.window.main_window import MainWindow
from album_app.layout.project.project_file import load_project
from tests.gui.conftest import WAIT_MS, OpenWindow, answer, wait_until_settled
from tests.gui.hands import save_as


def save(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_table["save"].trigger()
    qtbot.waitUntil(lambda: not window.session.modified, timeout=WAIT_MS)


def pinned_in(path: Path) -> dict[int, tuple[int, int]]:
    return dict(load_project(path).pins)


def test_the_second_to_save_is_asked(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    first, path = open_window(6), tmp_path / "trip.album"
    save_as(qtbot, first, path)
    second = open_window(0, path)
    qtbot.waitUntil(lambda: second.session.path == path, timeout=WAIT_MS)
    wait_until_settled(qtbot, second.session)
    second.session.drop([1], (0, 0))
    wait_until_settled(qtbot, second.session)
    save(qtbot, second)
    assert pinned_in(path) == {1: (0, 0)}, "a window that alone changed a project saves without a question"
    first.session.drop([2], (0, 1))
    wait_until_settled(qtbot, first.session)
    first.actions_table["save"].trigger()
    answer(qtbot, first, "Cancel")
    qtbot.waitUntil(lambda: not first.findChildren(QMessageBox), timeout=WAIT_MS)
    assert pinned_in(path) == {1: (0, 0)} and first.session.modified
    first.actions_table["save"].trigger()
    answer(qtbot, first, "Replace")
    qtbot.waitUntil(lambda: not first.session.modified, timeout=WAIT_MS)
    assert pinned_in(path) == {2: (0, 1)}
    first.session.drop([3], (0, 2))
    wait_until_settled(qtbot, first.session)
    save(qtbot, first)
    assert pinned_in(path) == {2: (0, 1), 3: (0, 2)}


def test_neither_offers_what_the_other_keeps_aside(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    windows = [open_window(6), open_window(6)]
    for place, window in enumerate(windows):
        window.session.drop([place], (0, 0))
        window.parts.autosave.write()
    folder = autosave.state_folder() / "autosave"
    qtbot.waitUntil(lambda: len(list(folder.glob("[!.]*.json"))) == 2, timeout=WAIT_MS)
    assert not autosave.recoveries()
    assert {tuple(dict(load_project(file).pins)) for file in folder.glob("[!.]*.album")} == {(0,), (1,)}
