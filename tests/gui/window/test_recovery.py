"""Work survives: written aside while it is unsaved, and offered back after a crash until it has been dealt with."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile
from PySide6.QtWidgets import QMessageBox, QToolButton
from pytestqt.qtbot import QtBot

from album_app.errors import AlbumError
from album_app.gui.state import autosave
from album_app.gui.window import messages
from album_app.gui.window.main_window import MainWindow
from album_app.gui.window.parts import Thresholds
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import load_project, save_project
from album_app.paths import state_folder
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, answer, wait_until_settled
from tests.gui.hands import document_of, pins, press_button, save_as

SOON = Thresholds(autosave_ms=50)
"""Unsaved work is written aside sooner than the program does it."""


def kept() -> list[Path]:
    """The autosaves on disk, of this program and of those that are gone."""
    return sorted((state_folder() / "autosave").glob("[!.]*.album"))


def leave_behind(document: Document, title: str) -> Path:
    """An autosave as a program that was killed leaves it."""
    path = state_folder() / "autosave" / f"{title}.album"
    path.parent.mkdir(parents=True, exist_ok=True)
    save_project(document, path)
    path.with_suffix(".json").write_text(json.dumps({"origin": None, "title": title}))
    return path


@pytest.fixture
def pinned(open_window: OpenWindow, qtbot: QtBot) -> Document:
    """A document with photo 1 pinned top left; the window it was made in is closed again."""
    window = open_window(6, thresholds=SOON)
    window.session.drop([1], (0, 0))
    wait_until_settled(qtbot, window.session)
    document = document_of(window)
    window.close()
    answer(qtbot, window, "Don't save")
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=WAIT_MS)
    return document


def wait_for_offer(qtbot: QtBot, window: MainWindow, title: str) -> None:
    bar = window.message_bar
    qtbot.waitUntil(lambda: bar.isVisible() and f"“{title}” can be brought back" in bar.text, timeout=WAIT_MS)


def recover(qtbot: QtBot, window: MainWindow, title: str) -> None:
    wait_for_offer(qtbot, window, title)
    with qtbot.waitSignal(window.session.opened, timeout=WAIT_MS):
        press_button(qtbot, window.message_bar, "Recover")


def test_work_is_written_aside_and_removed_when_saved(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6, thresholds=SOON)
    window.session.drop([2], (0, 0))
    qtbot.waitUntil(lambda: bool(kept()), timeout=WAIT_MS)
    assert dict(load_project(kept()[0]).pins) == {2: (0, 0)}
    assert not autosave.recoveries()
    save_as(qtbot, window, tmp_path / "saved.album")
    qtbot.waitUntil(lambda: not kept(), timeout=WAIT_MS)


def test_closing_properly_leaves_nothing_to_recover(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    window.session.drop([2], (0, 0))
    window.parts.autosave.write()
    qtbot.waitUntil(lambda: bool(kept()), timeout=WAIT_MS)
    window.close()
    answer(qtbot, window, "Don't save")
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=WAIT_MS)
    assert not kept()


KILLED = """
import sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from album_app.gui.window import app
window = app.start([Path(sys.argv[1])])
session = window.session
while session.document is None or window.parts.jobs.visible:
    app.application().processEvents()
    time.sleep(0.005)
session.drop([1], (0, 0))
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
    recover(qtbot, window, "photos")
    assert pins(window) == {1: (0, 0)}
    assert window.session.modified


def test_recovered_work_is_on_disk_all_the_time(
    pinned: Document, open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = leave_behind(pinned, "trip")
    window = open_window()
    recover(qtbot, window, "trip")
    assert kept()
    qtbot.waitUntil(lambda: not left.exists(), timeout=WAIT_MS)
    own = kept()
    assert len(own) == 1 and dict(load_project(own[0]).pins) == {1: (0, 0)}
    assert not autosave.recoveries() and not window.message_bar.isVisible()


def test_recovered_work_is_kept_until_it_is_written_anew(
    pinned: Document, open_window: OpenWindow, qtbot: QtBot
) -> None:
    left = leave_behind(pinned, "trip")
    window = open_window(thresholds=Thresholds(autosave_ms=10 * WAIT_MS))
    recover(qtbot, window, "trip")
    wait_until_settled(qtbot, window.session)
    assert kept() == [left]
    window.close()
    answer(qtbot, window, "Don't save")
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=WAIT_MS)
    assert not kept()


def test_the_offer_outlives_the_album_that_is_opened(
    pinned: Document, open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    leave_behind(pinned, "trip")
    window = open_window()
    wait_for_offer(qtbot, window, "trip")
    window.files.open_paths([photo_folder(3, "other")])
    wait_until_settled(qtbot, window.session)
    assert window.message_bar.isVisible()
    recover(qtbot, window, "trip")
    assert pins(window) == {1: (0, 0)}


def test_an_album_that_opens_first_does_not_end_the_search(
    pinned: Document,
    open_window: OpenWindow,
    qtbot: QtBot,
    photo_folder: PhotoFolder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leave_behind(pinned, "trip")
    searches: list[int] = []

    def slow_at_first() -> list[autosave.Recovery]:
        searches.append(len(searches))
        while searches == [0]:
            time.sleep(0.005)
        return autosave.recoveries()

    monkeypatch.setattr(messages, "recoveries", slow_at_first)
    window = open_window()
    qtbot.waitUntil(lambda: searches == [0], timeout=WAIT_MS)
    window.files.open_paths([photo_folder(3, "other")])
    wait_for_offer(qtbot, window, "trip")
    assert len(document_of(window).album) == 3 and searches == [0, 1]


def test_two_searches_at_once_both_find_what_was_left(pinned: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(QLockFile):
        def unlock(self) -> None:
            time.sleep(0.1)
            super().unlock()

    leave_behind(pinned, "trip")
    monkeypatch.setattr(autosave, "QLockFile", Slow)
    with ThreadPoolExecutor(2) as pool:
        found = [future.result() for future in [pool.submit(autosave.recoveries) for _ in range(2)]]
    assert [[work.title for work in works] for works in found] == [["trip"], ["trip"]]


def test_only_what_the_bar_names_is_discarded(pinned: Document, open_window: OpenWindow, qtbot: QtBot) -> None:
    older = leave_behind(pinned, "older")
    newer = leave_behind(pinned, "newer")
    os.utime(older, (1, 1))
    window = open_window()
    wait_for_offer(qtbot, window, "newer")
    assert "1 more" in window.message_bar.text
    press_button(qtbot, window.message_bar, "Discard")
    qtbot.waitUntil(lambda: not newer.exists(), timeout=WAIT_MS)
    assert older.exists()
    recover(qtbot, window, "older")
    assert pins(window) == {1: (0, 0)} and not window.message_bar.isVisible()


def test_unsaved_work_is_asked_about_before_other_work_is_recovered(
    pinned: Document, open_window: OpenWindow, qtbot: QtBot
) -> None:
    leave_behind(pinned, "trip")
    window = open_window(6)
    window.session.drop([5], (1, 1))
    wait_for_offer(qtbot, window, "trip")
    press_button(qtbot, window.message_bar, "Recover")
    answer(qtbot, window, "Cancel")
    qtbot.waitUntil(lambda: not window.findChildren(QMessageBox), timeout=WAIT_MS)
    assert pins(window) == {5: (1, 1)} and window.message_bar.isVisible()
    press_button(qtbot, window.message_bar, "Recover")
    answer(qtbot, window, "Don't save")
    qtbot.waitUntil(lambda: pins(window) == {1: (0, 0)}, timeout=WAIT_MS)


def test_a_damaged_autosave_is_said_and_can_be_discarded(
    pinned: Document, open_window: OpenWindow, qtbot: QtBot
) -> None:
    left = leave_behind(pinned, "trip")
    left.write_text("not a project")
    window = open_window()
    wait_for_offer(qtbot, window, "trip")
    press_button(qtbot, window.message_bar, "Recover")
    qtbot.waitUntil(lambda: "can be brought back" not in window.message_bar.text, timeout=WAIT_MS)
    assert window.message_bar.isVisible() and left.exists()
    window.message_bar.findChild(QToolButton).click()
    wait_for_offer(qtbot, window, "trip")
    press_button(qtbot, window.message_bar, "Discard")
    qtbot.waitUntil(lambda: not left.exists(), timeout=WAIT_MS)


def test_an_offer_can_be_put_off_until_the_next_start(pinned: Document, open_window: OpenWindow, qtbot: QtBot) -> None:
    left = leave_behind(pinned, "trip")
    window = open_window()
    wait_for_offer(qtbot, window, "trip")
    window.session.problem.emit(AlbumError("The disk is full."))
    assert window.message_bar.text == "The disk is full."
    for text in ("The disk is full.", "Album App did not end properly"):
        assert window.message_bar.isVisible() and text in window.message_bar.text
        window.message_bar.findChild(QToolButton).click()
    assert not window.message_bar.isVisible() and left.exists()
    wait_for_offer(qtbot, open_window(), "trip")


def test_damaged_files_of_the_program_are_named_in_the_window(
    pinned: Document, open_window: OpenWindow, qtbot: QtBot
) -> None:
    note = leave_behind(pinned, "trip").with_suffix(".json")
    note.write_text("{")
    (state_folder() / "recent.json").write_text("[" * 9000)
    bar = open_window().message_bar
    qtbot.waitUntil(lambda: bar.isVisible() and "can be brought back" in bar.text, timeout=WAIT_MS)
    press_button(qtbot, bar, "Discard")
    qtbot.waitUntil(lambda: "could not be read and were set aside" in bar.text, timeout=WAIT_MS)
    assert "trip.damaged" in bar.text and "recent.damaged" in bar.text and len(bar.text) < 500
    assert not note.exists()
