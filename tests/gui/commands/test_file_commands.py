"""Keeping work safe: saving, the question before leaving, missing photos found again."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from album_app import paths
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import excluded, with_options
from album_app.layout.options import Options
from album_app.layout.project import project_file
from album_app.layout.project.project_file import load_project
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, answer, parts_of, wait_until_settled
from tests.gui.hands import choose, document_of, layout_of, press_button, save_as


def files_in(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()}


def test_a_project_is_proposed_where_the_last_one_is_else_among_the_documents_never_among_the_photos(
    open_window: OpenWindow, photo_folder: PhotoFolder, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, projects = tmp_path / "Documents", tmp_path / "projects"
    documents.mkdir()
    projects.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda place: str(documents))
    window = open_window(3)
    (album,) = document_of(window).album.roots
    assert proposed(window) == documents / f"{album.name}.album"
    save_as(qtbot, window, projects / "crete.album")
    assert proposed(window) == projects / "crete.album"
    with qtbot.waitSignal(window.session.opened):
        window.files.open_paths([photo_folder(4, "another")])
    assert proposed(window) == projects / "another.album"
    window.preferences.remember("project folder", str(tmp_path / "another"))
    assert proposed(window) == documents / "another.album"


def proposed(window: MainWindow) -> Path:
    """The file that “Save as…” proposes."""
    window.actions_table["save_as"].trigger()
    asking = window.findChildren(QFileDialog)[-1]
    found = Path(asking.selectedFiles()[0])
    asking.reject()
    return found


def test_a_project_comes_back_as_it_was(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(12)
    session = window.session
    session.drop([3], (0, 0))
    session.edit(excluded, [5])
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
    window.session.drop([0], (0, 0))
    wait_until_settled(qtbot, window.session)
    save_as(qtbot, window, tmp_path / "a.album")
    assert files_in(folder) == before


def test_unsaved_work_is_asked_about(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    window.session.drop([0], (0, 0))
    window.close()
    assert window.isVisible()
    keys = {button.text(): button.shortcut().toString() for button in window.findChild(QMessageBox).buttons()}
    assert keys == {"&Save": "Alt+S", "&Don't save": "Alt+D", "&Cancel": "Alt+C"}
    answer(qtbot, window, "Cancel")
    qtbot.waitUntil(lambda: not window.findChildren(QMessageBox), timeout=WAIT_MS)
    assert window.isVisible() and window.session.modified
    window.close()
    assert window.isVisible()
    answer(qtbot, window, "Don't save")
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=WAIT_MS)


def test_saving_on_the_way_out(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    window.session.drop([2], (0, 0))
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


def test_a_file_dialog_about_an_album_goes_with_it(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    window = open_window(6)

    def asking() -> bool:
        return any(dialog.isVisible() for dialog in window.findChildren(QFileDialog))

    for action in ("save_as", "add_photos", "pins_read"):
        window.actions_table[action].trigger()
        qtbot.waitUntil(asking, timeout=WAIT_MS)
        window.parts.loading.open_paths([photo_folder(3, action)])
        qtbot.waitUntil(lambda: not asking(), timeout=WAIT_MS)
        assert document_of(window).album.roots[0].name == action
        wait_until_settled(qtbot, window.session)


def test_an_edit_while_saving_is_still_unsaved(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    window.session.drop([2], (0, 0))
    window.files.write(tmp_path / "early.album")
    window.session.drop([3], (1, 1))
    qtbot.waitUntil(lambda: window.session.path is not None)
    assert window.session.modified
    window.session.undo_stack.undo()
    assert window.session.modified


class SlowDisk:
    """Projects are written only once `free` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.free = threading.Event(), threading.Event()
        self._pack = project_file.pack_options
        monkeypatch.setattr(project_file, "pack_options", self._wait)

    def _wait(self, options: Options) -> dict[str, Any]:
        self.reached.set()
        self.free.wait(WAIT_MS / 1000)
        return self._pack(options)


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowDisk]:
    disk = SlowDisk(monkeypatch)
    yield disk
    disk.free.set()


@pytest.fixture
def saved_window(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A project without pins on disk, and a pin that is not in it yet."""
    window = open_window(6)
    save_as(qtbot, window, tmp_path / "trip.album")
    window.session.drop([2], (0, 0))
    wait_until_settled(qtbot, window.session)
    return window


def start_saving(qtbot: QtBot, window: MainWindow, disk: SlowDisk) -> None:
    window.actions_table["save"].trigger()
    qtbot.waitUntil(disk.reached.is_set, timeout=WAIT_MS)


def threads_saving() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "album-save"]


def test_a_cancelled_save_leaves_the_file_as_it_was(
    saved_window: MainWindow, qtbot: QtBot, slow_disk: SlowDisk
) -> None:
    session = saved_window.session
    before = session.path.read_bytes()
    start_saving(qtbot, saved_window, slow_disk)
    saved_window.actions_table["stop"].trigger()
    slow_disk.free.set()
    qtbot.waitUntil(lambda: not threads_saving(), timeout=WAIT_MS)
    assert session.path.read_bytes() == before
    assert session.modified and not saved_window.message_bar.isVisible()


def test_closing_while_saving_leaves_a_whole_file(saved_window: MainWindow, qtbot: QtBot, slow_disk: SlowDisk) -> None:
    path = saved_window.session.path
    start_saving(qtbot, saved_window, slow_disk)
    saved_window.close()
    slow_disk.free.set()
    answer(qtbot, saved_window, "Don't save")
    qtbot.waitUntil(lambda: not saved_window.isVisible(), timeout=WAIT_MS)
    assert len(load_project(path).album) == 6
    assert [found.name for found in path.parent.glob("*.album")] == ["trip.album"]


def test_of_two_saves_the_later_one_stays(
    saved_window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, reached, free = saved_window.session, threading.Event(), threading.Event()

    def slow_at_first(path: Path) -> None:
        if not reached.is_set():
            reached.set()
            free.wait(WAIT_MS / 1000)

    monkeypatch.setattr(paths, "_sync", slow_at_first)
    saved_window.actions_table["save"].trigger()
    qtbot.waitUntil(reached.is_set, timeout=WAIT_MS)
    session.drop([3], (0, 1))
    saved_window.actions_table["save"].trigger()
    qtbot.waitUntil(lambda: len(threads_saving()) == 2, timeout=WAIT_MS)
    free.set()
    qtbot.waitUntil(lambda: not (session.modified or threads_saving()), timeout=WAIT_MS)
    assert dict(load_project(session.path).pins) == {2: (0, 0), 3: (0, 1)}


def test_missing_photos_are_shown_and_found_again(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, tmp_path: Path
) -> None:
    folder = photo_folder(6)
    window = open_window(0, folder)
    window.session.edit(with_options, "Compare by", features="rgb")
    wait_until_settled(qtbot, window.session)
    sheet = layout_of(window).photo_at
    save_as(qtbot, window, tmp_path / "moved.album")
    (tmp_path / "elsewhere").mkdir()
    for name in ("photo-0001.jpg", "photo-0004.jpg"):
        shutil.move(folder / name, tmp_path / "elsewhere" / name)
    with qtbot.waitSignal(window.session.opened):
        window.files.open_paths([tmp_path / "moved.album"])
    wait_until_settled(qtbot, window.session)
    session = window.session
    assert session.document.missing == {1, 4}
    pictures = window.parts.photos.pictures
    assert pictures.state(1) == "missing" and pictures.state(0) == "ready"
    assert "2 photos were not found" in window.message_bar.text
    press_button(qtbot, window.message_bar, "Find them…")
    choose(qtbot, window, tmp_path / "elsewhere")
    qtbot.waitUntil(lambda: not session.document.missing, timeout=WAIT_MS)
    wait_until_settled(qtbot, session)
    assert parts_of(session).photos.pictures.state(4) == "ready"
    qtbot.waitUntil(lambda: bool(layout_of(window).scores), timeout=WAIT_MS)
    assert np.array_equal(layout_of(window).photo_at, sheet), "the sheet is the one that was saved"
    assert session.undo_stack.undoText() == "Find missing photos"
    assert not window.actions_table["relink"].isEnabled()


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
    window.actions_table["relink"].trigger()
    choose(qtbot, window, photo_folder(2, "others", start=70))
    qtbot.waitUntil(lambda: "None of the missing photos" in window.message_bar.text)


def test_suggested_names_of_files_can_be_had_on_every_system(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    window = open_window(0, photo_folder(3, "Trip: one?"))
    wait_until_settled(qtbot, window.session)
    window.actions_table["save_as"].trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(QFileDialog)))
    dialog = window.findChildren(QFileDialog)[-1]
    assert [Path(file).name for file in dialog.selectedFiles()] == ["Trip- one.album"]
    dialog.reject()
