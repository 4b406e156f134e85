"""What happens while something else is under way: nothing that was done is lost, nothing late meets another sheet."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from album_app.gui.state.jobs import JobKind
from album_app.gui.window.main_window import MainWindow
from album_app.layout.project import project_file
from album_app.layout.project.project_file import load_project
from album_app.layout.shapes.shape import ShapeSpec
from album_app.paths import state_folder
from album_app.photos import album as albums
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, answer, wait_until_settled
from tests.gui.hands import accept_proposal, choose, document_of, layout_of, photo_in, pins, undo

Gate = threading.Event


def held_up(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> Gate:
    """Make a function wait until the gate is opened, as a slow disk would."""
    gate, real = threading.Event(), getattr(module, name)

    def slow(*args: Any, **words: Any) -> Any:
        gate.wait(20)
        return real(*args, **words)

    monkeypatch.setattr(module, name, slow)
    return gate


@pytest.fixture
def slow_scan(monkeypatch: pytest.MonkeyPatch, window: MainWindow) -> Iterator[Gate]:
    gate = held_up(monkeypatch, albums, "scan")
    yield gate
    gate.set()


@pytest.fixture
def slow_save(monkeypatch: pytest.MonkeyPatch, window: MainWindow) -> Iterator[Gate]:
    gate = held_up(monkeypatch, project_file, "save_project")
    yield gate
    gate.set()


def autosaves() -> list[Path]:
    return list((state_folder() / "autosave").glob("[!.]*.album"))


@pytest.mark.parametrize(("button", "photos"), [("Don't save", 6), ("Cancel", 20)])
def test_work_done_while_another_album_opens_is_asked_about(
    window: MainWindow, slow_scan: Gate, photo_folder: PhotoFolder, qtbot: QtBot, button: str, photos: int
) -> None:
    window.files.open_paths([photo_folder(6, "another")])
    photo = photo_in(window, (1, 2))
    window.session.drop([photo], (0, 0))
    slow_scan.set()
    answer(qtbot, window, button)
    qtbot.waitUntil(lambda: len(document_of(window).album) == photos, timeout=WAIT_MS)
    assert pins(window) == ({} if photos == 6 else {photo: (0, 0)})


def test_nothing_is_asked_where_nothing_was_done_meanwhile(
    window: MainWindow, slow_scan: Gate, photo_folder: PhotoFolder, qtbot: QtBot
) -> None:
    window.files.open_paths([photo_folder(6, "another")])
    slow_scan.set()
    qtbot.waitUntil(lambda: len(document_of(window).album) == 6, timeout=WAIT_MS)
    assert not window.findChildren(QMessageBox)


def test_a_save_goes_on_while_another_album_opens(
    window: MainWindow, slow_save: Gate, photo_folder: PhotoFolder, qtbot: QtBot, tmp_path: Path
) -> None:
    window.actions_table["save_as"].trigger()
    choose(qtbot, window, tmp_path / "first.album")
    window.parts.loading.open_paths([photo_folder(6, "another")])
    qtbot.waitUntil(lambda: len(document_of(window).album) == 6, timeout=WAIT_MS)
    slow_save.set()
    qtbot.waitUntil(lambda: not window.parts.jobs.running(JobKind.SAVE), timeout=WAIT_MS)
    assert len(load_project(tmp_path / "first.album").album) == 20
    assert window.session.path is None, "the album that is open now was not saved"


def test_closing_waits_for_a_save(window: MainWindow, slow_save: Gate, qtbot: QtBot, tmp_path: Path) -> None:
    window.actions_table["save_as"].trigger()
    choose(qtbot, window, tmp_path / "mine.album")
    window.close()
    assert window.notice.text() == "Saving mine.album: the window closes when that is done."
    assert window.isVisible(), "it tells what it waits for, and stays alive"
    slow_save.set()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=WAIT_MS)
    assert len(load_project(tmp_path / "mine.album").album) == 20


def test_a_sheet_saved_while_it_is_arranged_is_saved_as_it_ends_up(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.session.drop([photo_in(window, (1, 2))], (0, 0))
    window.actions_table["save_as"].trigger()
    choose(qtbot, window, tmp_path / "early.album")
    qtbot.waitUntil(lambda: window.session.path is not None, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)

    def same() -> bool:
        saved = load_project(tmp_path / "early.album").layout
        return saved is not None and np.array_equal(saved.photo_at, layout_of(window).photo_at)

    qtbot.waitUntil(same, timeout=WAIT_MS)
    assert not window.session.modified


def without_a_solve(window: MainWindow, qtbot: QtBot) -> None:
    window.session.drop([photo_in(window, (1, 2))], (0, 0))
    window.parts.jobs.cancel_visible()


def undone_and_done_again(window: MainWindow, qtbot: QtBot) -> None:
    window.session.drop([photo_in(window, (1, 2))], (0, 0))
    wait_until_settled(qtbot, window.session)
    qtbot.waitUntil(lambda: bool(autosaves()), timeout=WAIT_MS)
    undo(window)
    qtbot.waitUntil(lambda: not autosaves(), timeout=WAIT_MS)
    window.actions_table["redo"].trigger()


@pytest.mark.parametrize("work", [without_a_solve, undone_and_done_again])
def test_the_first_edit_is_written_aside_though_no_solve_follows(
    window: MainWindow, qtbot: QtBot, work: Callable[[MainWindow, QtBot], None]
) -> None:
    work(window, qtbot)
    assert window.session.modified
    qtbot.waitUntil(lambda: bool(autosaves()), timeout=WAIT_MS)


def test_photos_dropped_one_after_another_all_join(window: MainWindow, photo_folder: PhotoFolder, qtbot: QtBot) -> None:
    for name, start in (("more", 100), ("still more", 200)):
        window.files.take_dropped(sorted(photo_folder(2, name, start=start).iterdir()))
    qtbot.waitUntil(lambda: len(document_of(window).album) == 24, timeout=WAIT_MS)


def test_a_pin_made_while_corners_are_thought_of_stays(window: MainWindow, qtbot: QtBot) -> None:
    photo = photo_in(window, (1, 2))
    window.actions_table["pin_corners"].trigger()
    window.session.drop([photo], (1, 1))
    accept_proposal(qtbot, window)
    assert len(pins(window)) == 5
    assert pins(window)[photo] == (1, 1)


def test_corners_are_those_of_the_shape_that_is_there_by_then(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(20)
    window.parts.reshaping.start(ShapeSpec("rectangle", rows=2, columns=10))
    window.actions_table["pin_corners"].trigger()
    accept_proposal(qtbot, window)
    wait_until_settled(qtbot, window.session)
    shape = document_of(window).shape
    assert (shape.rows, shape.columns) == (2, 10) and all(cell in shape for cell in pins(window).values())


def test_why_a_folder_could_not_be_opened_is_forgotten_when_the_next_one_is(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, tmp_path: Path
) -> None:
    window = open_window(3)
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "a.txt").write_text("no photo")
    window.files.open_paths([tmp_path / "words"])
    reported = "The only file in “words” could not be read as a photo"
    qtbot.waitUntil(lambda: window.message_bar.text.startswith(reported), timeout=WAIT_MS)
    window.files.open_paths([photo_folder(4, "more")])
    assert window.message_bar.isHidden()
    wait_until_settled(qtbot, window.session)
