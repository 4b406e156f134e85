"""The window from the outside: it starts, opens what it is given, and closes whatever it is doing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from album_app.cli import main
from album_app.gui.recent import recent_albums
from tests.gui.conftest import OpenWindow, PhotoFolder, make_photos, wait_until_settled

HEAVY = ("torch", "torchvision", "ot", "scipy", "matplotlib", "sklearn", "album_app.solver")


def drop(target: object, paths: list[Path]) -> None:
    """Drop files from a file manager."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    actions, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(target, QDragEnterEvent(QPoint(200, 200), actions, data, button, keys))
    QApplication.sendEvent(target, QDropEvent(QPointF(200, 200), actions, data, button, keys))


def test_the_window_needs_nothing_heavy_to_show(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom album_app.gui import app\nwindow = app.start()\n"
        "app.application().processEvents()\nassert window.isVisible()\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    environment = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "ALBUM_APP_STATE": str(tmp_path),
        "ALBUM_APP_CACHE": str(tmp_path),
    }
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert shown.stdout.strip() == "[]"


def test_main_opens_a_folder_and_ends_with_the_window(
    photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []

    def instead_of_waiting(self: object = None) -> int:
        window = next(w for w in QApplication.topLevelWidgets() if w.isVisible() and hasattr(w, "session"))
        for _ in range(3000):
            QApplication.processEvents()
            if window.session.document is not None and not window.session.jobs.visible:
                break
            QApplication.sendPostedEvents()
            window.thread().msleep(5)
        opened.append(len(window.session.document.album))
        window.close()
        return 0

    monkeypatch.setattr(QApplication, "exec", instead_of_waiting)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    assert main([str(photo_folder(3))]) == 0
    assert opened == [3]


def test_main_refuses_what_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gui", "no-such-folder"]) == 2
    assert "does not exist" in capsys.readouterr().err


@pytest.mark.parametrize("count", [1, 3, 40])
def test_a_folder_opens_arranged(open_window: OpenWindow, count: int) -> None:
    window = open_window(count)
    document = window.session.document
    assert document is not None and document.layout is not None
    assert len(document.layout.shown) == count
    assert len(window.session.pictures) == count
    assert window.pages.currentWidget() is window.workspace
    assert "photos" in window.windowTitle()


def test_an_empty_folder_is_explained(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    window = open_window(0, empty)
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "no photos" in window.message_bar.text
    assert window.session.document is None


def test_dropping_a_folder_opens_it(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window = open_window()
    drop(window, [photo_folder(5)])
    wait_until_settled(qtbot, window.session)
    assert len(window.session.document.album) == 5


def test_dropped_photos_join_the_open_album(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window = open_window(4)
    drop(window, sorted(photo_folder(2, "more", start=30).iterdir()))
    qtbot.waitUntil(lambda: len(window.session.document.album) == 6)
    assert window.session.undo_stack.undoText() == "Add 2 photos"
    wait_until_settled(qtbot, window.session)


def test_photos_alone_are_an_album(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window = open_window(0, *sorted(photo_folder(3).iterdir()))
    wait_until_settled(qtbot, window.session)
    assert len(window.session.document.album) == 3


def test_recent_albums_are_offered(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(5)
    qtbot.waitUntil(lambda: bool(recent_albums()))
    window.actions_table["close"].trigger()
    cards = lambda: window.start_page.findChildren(QToolButton, "recentCard")  # noqa: E731
    qtbot.waitUntil(lambda: len(cards()) == 1)
    assert "5 photos" in cards()[0].accessibleName()
    assert recent_albums()[0].preview_file.exists()
    cards()[0].click()
    wait_until_settled(qtbot, window.session)
    assert len(window.session.document.album) == 5


def test_the_sample_album(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = photo_folder(6)
    monkeypatch.setattr("album_app.photos.sample.sample_folder", lambda **callbacks: folder)
    window = open_window()
    window.start_page.sample_wanted.emit()
    wait_until_settled(qtbot, window.session)
    assert len(window.session.document.album) == 6


def test_the_second_folder_wins(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window = open_window()
    window.files.open_paths([photo_folder(60, "first")])
    qtbot.waitUntil(lambda: window.session.document is not None)
    window.files.open_paths([photo_folder(7, "second")])
    qtbot.waitUntil(lambda: len(window.session.document.album) == 7)
    wait_until_settled(qtbot, window.session)
    assert window.session.document.album.roots[0].name == "second"
    assert len(window.session.pictures) == 7


def test_closing_while_busy(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window = open_window(0, photo_folder(200))
    qtbot.waitUntil(lambda: bool(window.session.jobs.visible))
    window.close()
    assert not window.isVisible()
    assert not window.session.jobs.visible


def test_start_page_buttons_have_names(open_window: OpenWindow) -> None:
    window = open_window()
    names = {button.accessibleName() for button in window.start_page.findChildren(QPushButton)}
    assert {"Open folder", "Open project", "Try the sample album"} <= names


def test_damaged_files_are_named(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = make_photos(tmp_path / "mixed", 4)
    (folder / "broken.jpg").write_bytes(b"no picture")
    window = open_window(0, folder)
    wait_until_settled(qtbot, window.session)
    assert len(window.session.document.album) == 4
    assert [skipped.name for skipped in window.session.document.album.skipped] == ["broken.jpg"]
