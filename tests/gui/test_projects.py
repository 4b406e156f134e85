"""Keeping work safe: saving, the question before leaving, missing photos, autosave and recovery after a kill."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui import autosave
from album_app.gui.dialogs.relink import relink
from album_app.gui.main_window import MainWindow
from album_app.layout.document import load_project
from album_app.paths import state_folder
from tests.gui.conftest import OpenWindow, PhotoFolder, answer, wait_until_settled


def save_as(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Save through the dialog."""
    window.actions_table["save_as"].trigger()
    choose(qtbot, window, path)
    qtbot.waitUntil(lambda: window.session.path == path)


def choose(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Choose a file in the file dialog that is open."""
    qtbot.waitUntil(lambda: bool(window.findChildren(QFileDialog)))
    dialog = window.findChildren(QFileDialog)[-1]
    dialog.filesSelected.emit([str(path)])
    dialog.reject()


def files_in(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()}


def test_a_project_comes_back_as_it_was(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(12)
    session = window.session
    session.drop(3, (0, 0))
    session.exclude([5])
    wait_until_settled(qtbot, session)
    before, path = session.document, tmp_path / "trip.album"
    assert window.isWindowModified()
    save_as(qtbot, window, path)
    assert not window.isWindowModified() and "trip" in window.windowTitle()
    with qtbot.waitSignal(session.opened):
        window.files.open_paths([path])
    after = session.document
    assert dict(after.pins) == {3: (0, 0)} and after.excluded == {5}
    assert np.array_equal(after.layout.photo_at, before.layout.photo_at)
    assert not session.modified
    with qtbot.assertNotEmitted(session.document_changed, wait=200):
        wait_until_settled(qtbot, session)
    assert np.array_equal(session.document.layout.photo_at, before.layout.photo_at)


def test_originals_are_never_written(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, tmp_path: Path
) -> None:
    folder = photo_folder(6)
    before = files_in(folder)
    window = open_window(0, folder)
    wait_until_settled(qtbot, window.session)
    window.session.drop(0, (0, 0))
    wait_until_settled(qtbot, window.session)
    save_as(qtbot, window, tmp_path / "a.album")
    assert files_in(folder) == before


@pytest.mark.parametrize(("button", "open_after"), [("Cancel", True), ("Don't save", False)])
def test_unsaved_work_is_asked_about(open_window: OpenWindow, qtbot: QtBot, button: str, open_after: bool) -> None:
    window = open_window(6)
    window.session.drop(0, (0, 0))
    window.close()
    assert window.isVisible()
    answer(qtbot, window, button)
    qtbot.waitUntil(lambda: window.isVisible() == open_after)


def test_saving_on_the_way_out(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    window.session.drop(2, (0, 0))
    path = tmp_path / "kept.album"
    window.close()
    answer(qtbot, window, "Save")
    choose(qtbot, window, path)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert dict(load_project(path).pins) == {2: (0, 0)}


def test_nothing_is_asked_where_nothing_changed(open_window: OpenWindow) -> None:
    window = open_window(6)
    window.close()
    assert not window.isVisible() and not window.findChildren(QMessageBox)


def test_an_edit_while_saving_is_still_unsaved(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    window.session.drop(2, (0, 0))
    window.files._write(tmp_path / "early.album", None)
    window.session.drop(3, (1, 1))
    qtbot.waitUntil(lambda: window.session.path is not None)
    assert window.session.modified
    window.session.undo_stack.undo()
    assert window.session.modified


def test_missing_photos_are_shown_and_found_again(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, tmp_path: Path
) -> None:
    folder = photo_folder(6)
    window = open_window(0, folder)
    wait_until_settled(qtbot, window.session)
    save_as(qtbot, window, tmp_path / "moved.album")
    (tmp_path / "elsewhere").mkdir()
    for name in ("photo-0001.jpg", "photo-0004.jpg"):
        shutil.move(folder / name, tmp_path / "elsewhere" / name)
    with qtbot.waitSignal(window.session.opened):
        window.files.open_paths([tmp_path / "moved.album"])
    wait_until_settled(qtbot, window.session)
    session = window.session
    assert session.document.missing == {1, 4}
    assert session.pictures.state(1) == "missing" and session.pictures.state(0) == "ready"
    assert "2 photos were not found" in window.message_bar.text
    relink(session, tmp_path / "elsewhere")
    qtbot.waitUntil(lambda: not session.document.missing)
    wait_until_settled(qtbot, session)
    assert session.pictures.state(4) == "ready"
    assert session.undo_stack.undoText() == "Find missing photos"


def test_looking_in_the_wrong_folder_is_said(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, tmp_path: Path
) -> None:
    folder = photo_folder(3)
    window = open_window(0, folder)
    wait_until_settled(qtbot, window.session)
    save_as(qtbot, window, tmp_path / "lost.album")
    (folder / "photo-0001.jpg").unlink()
    with qtbot.waitSignal(window.session.opened):
        window.files.open_paths([tmp_path / "lost.album"])
    relink(window.session, photo_folder(2, "others", start=70))
    qtbot.waitUntil(lambda: "None of the missing photos" in window.message_bar.text)


def test_work_is_written_aside_and_removed_when_saved(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "DELAY_MS", 50)
    window = open_window(6)
    window.session.drop(2, (0, 0))
    aside = state_folder() / "autosave"
    qtbot.waitUntil(lambda: bool(list(aside.glob("[!.]*.album"))))
    assert dict(load_project(next(aside.glob("[!.]*.album"))).pins) == {2: (0, 0)}
    assert not autosave.recoveries()
    save_as(qtbot, window, tmp_path / "saved.album")
    qtbot.waitUntil(lambda: not list(aside.glob("[!.]*.album")))


def test_closing_properly_leaves_nothing_to_recover(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "DELAY_MS", 50)
    window = open_window(6)
    window.session.drop(2, (0, 0))
    qtbot.waitUntil(lambda: bool(list((state_folder() / "autosave").glob("[!.]*.album"))))
    window.close()
    answer(qtbot, window, "Don't save")
    qtbot.waitUntil(lambda: not window.isVisible())
    assert not autosave.recoveries()


KILLED = """
import sys, time
from pathlib import Path
from album_app.gui import app
window = app.start([Path(sys.argv[1])])
session = window.session
while session.document is None or session.jobs.visible:
    app.application().processEvents()
    time.sleep(0.005)
session.drop(1, (0, 0))
print("pinned", flush=True)
app.application().exec()
"""


def test_a_kill_loses_nothing_older_than_two_seconds(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", KILLED, str(photo_folder(6))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as victim:
        assert victim.stdout is not None and victim.stdout.readline() == b"pinned\n"
        began = time.monotonic()
        while not list((state_folder() / "autosave").glob("[!.]*.json")) and time.monotonic() < began + 20:
            time.sleep(0.05)
        victim.send_signal(signal.SIGKILL)
    window = open_window()
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "can be brought back" in window.message_bar.text
    buttons = {button.text(): button for button in window.message_bar.findChildren(QPushButton)}
    with qtbot.waitSignal(window.session.opened):
        buttons["Recover"].click()
    assert dict(window.session.document.pins) == {1: (0, 0)}
    assert window.session.modified
    qtbot.waitUntil(lambda: not autosave.recoveries())
