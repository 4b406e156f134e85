"""The window from the outside: it starts, opens what it is given, and closes whatever it is doing."""

import gc
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.cli import main
from album_app.gui.style import theme
from album_app.gui.window import app
from tests.gui.conftest import (
    WAIT_MS,
    OpenWindow,
    PhotoFolder,
    close_without_saving,
    make_photos,
    wait_until_settled,
)

HEAVY = ("torch", "torchvision", "ot", "scipy", "matplotlib", "sklearn", "album_app.solver")


def drop(target: object, paths: list[Path]) -> None:
    """Drop files from a file manager."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    actions, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(target, QDragEnterEvent(QPoint(200, 200), actions, data, button, keys))
    QApplication.sendEvent(target, QDropEvent(QPointF(200, 200), actions, data, button, keys))


def test_work_that_cannot_be_stopped_does_not_crash_the_end_of_the_program() -> None:
    """A library that takes back the interpreter while that is being taken down ends the process with a signal."""
    program = (
        "import sys, numpy, scipy.fft\n"
        "from PySide6.QtCore import QTimer\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from album_app.gui.state import jobs\n"
        "from album_app.gui.window import app, main_window\n"
        "jobs.SECONDS_TO_END = 0.0\n"
        "def work(task):\n"
        "    while True:\n"
        "        scipy.fft.fft(numpy.zeros((64, 4096)))\n"
        "def begin():\n"
        "    window, = (each for each in QApplication.topLevelWidgets() if isinstance(each, main_window.MainWindow))\n"
        "    window.parts.jobs.start(jobs.JobKind.NAMES, '', work)\n"
        "    print('begun')\n"
        "    window.close()\n"
        "app.application()\n"
        "QTimer.singleShot(200, begin)\n"
        "sys.exit(app.run())\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "begun\n"), ended.stderr


def test_the_window_needs_nothing_heavy_to_show(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom album_app.gui.window import app\nwindow = app.start()\n"
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


def test_what_is_imported_in_the_background_leaves_qt_to_the_gui_thread() -> None:
    program = (
        "import sys\nfrom importlib import import_module\n"
        f"for name in {app.NEEDED_SOON!r}: import_module(name)\n"
        "print([name for name in sys.modules if name.startswith('PySide6')])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_main_opens_a_folder_and_ends_with_the_window(
    photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []

    def instead_of_waiting(self: object = None) -> int:
        window = next(w for w in QApplication.topLevelWidgets() if w.isVisible() and hasattr(w, "session"))
        for _ in range(3000):
            QApplication.processEvents()
            if window.session.document is not None and not window.parts.jobs.visible:
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


@pytest.mark.parametrize("words", [["--sample"], ["gui", "--sample"]])
def test_the_sample_album_by_command(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(app, "run", lambda *request: asked.append(request) or 0)
    assert main(words) == 0
    assert asked == [([], True)]


def test_the_demonstration_pins_the_corners_of_the_sample_album(
    qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = photo_folder(20, "sample-1")
    monkeypatch.setattr("album_app.sample.sample_album.sample_folder", lambda **callbacks: folder)
    monkeypatch.setattr("album_app.gui.style.wording.cache_folder", lambda: folder.parent)
    window = app.start(demo=True)
    session = window.session
    qtbot.waitUntil(lambda: session.document is not None and len(session.document.pins) == 4, timeout=WAIT_MS)
    assert session.undo_stack.undoText() == "Pin the corners" and not session.modified
    wait_until_settled(qtbot, session)
    session.undo_stack.undo()
    assert not session.document.pins and session.modified
    close_without_saving(qtbot, window)


def test_only_what_the_start_left_behind_is_kept_for_good(open_window: OpenWindow) -> None:
    """What a second window is made of can go with it."""
    open_window(6)
    kept = gc.get_freeze_count()
    open_window(6)
    assert 0 < gc.get_freeze_count() <= kept


def test_another_album_is_seen_from_its_beginning(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    window = open_window(60)
    window.resize(1024, 640)
    window.workspace.tray.list.scrollToBottom()
    panel = window.workspace.panel.verticalScrollBar()
    panel.setValue(panel.maximum())
    QApplication.processEvents()
    assert window.workspace.tray.list.verticalScrollBar().value() > 0 and panel.value() > 0
    window.status.show_notice("Undone: Pin the corners")
    window.files.open_paths([photo_folder(60, "other")])
    qtbot.waitUntil(lambda: window.session.document.album.roots[0].name == "other", timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert window.workspace.tray.list.verticalScrollBar().value() == panel.value() == 0
    assert window.notice.text() == ""


@pytest.mark.parametrize("name", ["no-such-folder", "no-such.album", "n" * 300])
def test_a_wrong_path_opens_the_window_with_the_message(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    window = open_window(0, tmp_path / name)
    qtbot.waitUntil(window.message_bar.isVisible, timeout=WAIT_MS)
    assert name[:12] in window.message_bar.text and window.message_bar.property("kind") == "error"
    assert window.pages.currentWidget() is window.start_page and window.isVisible()


@pytest.mark.parametrize("count", [1, 3, 40])
def test_a_folder_opens_arranged(open_window: OpenWindow, count: int) -> None:
    window = open_window(count)
    document = window.session.document
    assert document is not None and document.layout is not None
    assert len(document.layout.shown) == count
    assert len(window.parts.photos.pictures) == count
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


def test_damaged_files_are_named(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = make_photos(tmp_path / "mixed", 4)
    (folder / "broken.jpg").write_bytes(b"no picture")
    window = open_window(0, folder)
    wait_until_settled(qtbot, window.session)
    assert len(window.session.document.album) == 4
    assert [skipped.name for skipped in window.session.document.album.skipped] == ["broken.jpg"]


def test_the_window_comes_back_as_it_was_left(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(3)
    workspace = window.workspace
    folded = {section.title: not section.is_open for section in workspace.sections}
    for section in workspace.sections:
        section.set_open(folded[section.title])
    workspace.setSizes([300, 600, 340])
    window.actions_table["panel"].trigger()
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=WAIT_MS)
    again = open_window(3)
    assert {section.title: section.is_open for section in again.workspace.sections} == folded
    assert again.workspace.tray.isVisible() and not again.workspace.panel.isVisible()
    assert again.actions_table["tray"].isChecked() and not again.actions_table["panel"].isChecked()
    again.resize(1360, 800)
    QApplication.processEvents()
    again.actions_table["panel"].trigger()
    QApplication.processEvents()
    assert again.workspace.panel.isVisible()
    assert again.workspace.sizes()[::2] == [300, 340]


def test_the_system_turns_dark(open_window: OpenWindow) -> None:
    window, hints = open_window(3), QGuiApplication.styleHints()
    dark = SimpleNamespace(colorScheme=lambda: Qt.ColorScheme.Dark)
    for choice, follows in (("light", False), ("system", True)):
        window.actions_table[f"theme_{choice}"].trigger()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(theme, "QGuiApplication", SimpleNamespace(styleHints=lambda: dark))
            hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
            assert (window.palette().window().color().lightness() < 128) == follows
            assert window.workspace.canvas.colours.dark == follows
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
        assert window.palette().window().color().lightness() > 128


def test_notices_keep_clear_of_the_edge(open_window: OpenWindow) -> None:
    window = open_window()
    window.status.show_notice("Saved")
    QApplication.processEvents()
    picture = window.notice.grab().toImage()
    ground = picture.pixelColor(0, 0)
    rows = range(picture.height())
    inked = [x for x in range(picture.width()) if any(picture.pixelColor(x, y) != ground for y in rows)]
    assert inked and 8 <= inked[0] / picture.devicePixelRatio() <= 24
