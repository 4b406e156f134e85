"""The window while it is busy: closing it, cancelling what runs, opening something else."""

import importlib
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export import writing
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.state import load_steps
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import with_options
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.endless import Endless
from tests.gui.hands import document_of, layout_of, photo_in, press_button


@pytest.fixture
def endless() -> Endless:
    return Endless()


def expect_to_close(qtbot: QtBot, window: MainWindow, endless: Endless) -> None:
    """Closing stops the work and leaves nothing running."""
    qtbot.waitUntil(endless.began.is_set, timeout=WAIT_MS)
    window.preferences.set("confirm_unsaved", False)
    window.close()
    assert not window.isVisible()
    assert endless.ended.is_set() and not window.parts.jobs.visible


@pytest.mark.parametrize("stage", ["read_folder", "read_photos", "extract"])
def test_closing_while_an_album_opens(
    open_window: OpenWindow,
    qtbot: QtBot,
    photo_folder: PhotoFolder,
    monkeypatch: pytest.MonkeyPatch,
    endless: Endless,
    stage: str,
) -> None:
    monkeypatch.setattr(load_steps, stage, endless)
    window = open_window()
    window.parts.loading.prefer(True, "resnet20")
    window.files.open_paths([photo_folder(6)])
    expect_to_close(qtbot, window, endless)


def test_closing_while_solving(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, endless: Endless
) -> None:
    window = open_window(12)
    monkeypatch.setattr(importlib.import_module("album_app.layout.arranging.arrange"), "arrange", endless)
    window.session.drop([3], (0, 0))
    expect_to_close(qtbot, window, endless)


def test_closing_while_exporting(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, endless: Endless
) -> None:
    monkeypatch.setattr(writing, "export", endless)
    window = open_window(6)
    window.actions_table["export"].trigger()
    window.findChild(ExportDialog).export_to(tmp_path / "sheet.png")
    expect_to_close(qtbot, window, endless)
    assert not (tmp_path / "sheet.png").exists()


def test_cancelling_a_solve_in_the_status_bar(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, endless: Endless
) -> None:
    window = open_window(12)
    monkeypatch.setattr(importlib.import_module("album_app.layout.arranging.arrange"), "arrange", endless)
    window.session.drop([3], (0, 0))
    shown = layout_of(window)
    press_button(qtbot, window.job_bar, "Cancel")
    qtbot.waitUntil(endless.ended.is_set, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not window.job_bar.isVisible(), timeout=WAIT_MS)
    assert layout_of(window) is shown and photo_in(window, (0, 0)) == 3
    assert not window.message_bar.isVisible() and window.notice.text().endswith("Ctrl+Shift+R goes on.")


def test_cancelling_the_reading_says_how_far_it_came(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch, endless: Endless
) -> None:
    read = load_steps.read_photos
    monkeypatch.setattr(load_steps, "read_photos", endless)
    window = open_window(0, photo_folder(6))
    qtbot.waitUntil(endless.began.is_set, timeout=WAIT_MS)
    window.actions_table["stop"].trigger()
    assert window.notice.text() == "Reading stopped at 0 of 6 photos; Ctrl+Shift+R goes on."
    monkeypatch.setattr(load_steps, "read_photos", read)
    window.actions_table["arrange"].trigger()
    wait_until_settled(qtbot, window.session)
    assert len(window.parts.photos.pictures) == 6


def test_after_a_cancelled_look_panel_and_sheet_show_the_former_one_until_it_goes_on(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, endless: Endless
) -> None:
    window, extract = open_window(6), load_steps.extract
    before = layout_of(window).photo_at.tolist()
    monkeypatch.setattr(load_steps, "extract", endless)
    window.session.edit(with_options, "Compare by ResNet20", features="resnet20")
    qtbot.waitUntil(endless.began.is_set, timeout=WAIT_MS)
    press_button(qtbot, window.job_bar, "Cancel")
    assert window.notice.text() == "Cancelled. The photos are compared by “Colour” again."
    assert document_of(window).options.features == "lab" and layout_of(window).photo_at.tolist() == before
    assert window.message_bar.text == "0 of 6 photos are compared by “ResNet20”."
    monkeypatch.setattr(load_steps, "extract", lambda photos, name, task, pace: extract(photos, "rgb", task))
    press_button(qtbot, window.message_bar, "Go on")
    wait_until_settled(qtbot, window.session)
    assert document_of(window).options.features == "resnet20" and not window.message_bar.isVisible()
    qtbot.waitUntil(lambda: window.parts.photos.has_features(document_of(window)), timeout=WAIT_MS)


def test_a_second_folder_while_the_first_is_still_searched(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch, endless: Endless
) -> None:
    read, first = load_steps.read_folder, photo_folder(3, "first")
    found = lambda paths, *rest: (endless if paths == [first] else read)(paths, *rest)  # noqa: E731
    monkeypatch.setattr(load_steps, "read_folder", found)
    window = open_window(0, first)
    qtbot.waitUntil(endless.began.is_set, timeout=WAIT_MS)
    window.files.open_paths([photo_folder(7, "second")])
    qtbot.waitUntil(endless.ended.is_set, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert document_of(window).album.roots[0].name == "second"
    assert window.pages.currentWidget() is window.workspace and not window.message_bar.isVisible()


def test_a_second_folder_while_the_first_is_still_read(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    window = open_window()
    window.files.open_paths([photo_folder(60, "first")])
    qtbot.waitUntil(lambda: window.session.document is not None, timeout=WAIT_MS)
    window.files.open_paths([photo_folder(7, "second")])
    qtbot.waitUntil(lambda: len(document_of(window).album) == 7, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert document_of(window).album.roots[0].name == "second"
    assert len(window.parts.photos.pictures) == 7
