"""The start page and the list of recent albums: what can be opened, and what is remembered of it."""

import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLockFile
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from album_app.gui.state import recent
from album_app.gui.state.recent import recent_albums
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.hands import KEY, choose, document_of, layout_of, press_button, save_as, type_keys


def cards(window: MainWindow) -> list[QToolButton]:
    found = window.start_page.findChildren(QToolButton, "recentCard")
    return [card for card in found if card.isVisible()]


def recent_menu(window: MainWindow) -> QMenu:
    return next(menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == "Open recent")


def wait_for_preview(qtbot: QtBot, project: Path | None = None) -> Path:
    """Until the latest album, which may have to be a certain project, has a picture on the start page."""
    found: list[Path] = []

    def seen() -> bool:
        wanted = [album for album in recent_albums()[:1] if project is None or album.paths == (str(project),)]
        found[:] = [album.preview_file for album in wanted if album.preview_file.exists()]
        return bool(found)

    qtbot.waitUntil(seen, timeout=WAIT_MS)
    return found[0]


def close_album(qtbot: QtBot, window: MainWindow) -> None:
    wait_for_preview(qtbot)
    window.actions_table["close"].trigger()
    qtbot.waitUntil(lambda: bool(cards(window)), timeout=WAIT_MS)


def test_buttons_have_names(open_window: OpenWindow) -> None:
    window = open_window()
    names = {button.accessibleName() for button in window.start_page.findChildren(QPushButton)}
    assert {"Open folder", "Open project", "Try the sample album"} <= names


def test_the_button_opens_a_folder(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window, folder = open_window(), photo_folder(4)
    press_button(qtbot, window.start_page, "Open folder…")
    assert window.findChild(QFileDialog).fileMode() == QFileDialog.FileMode.Directory
    choose(qtbot, window, folder)
    wait_until_settled(qtbot, window.session)
    assert document_of(window).album.roots == (folder,)
    window.actions_table["open_folder"].trigger()
    assert Path(window.findChildren(QFileDialog)[-1].directory().path()) == folder
    window.findChildren(QFileDialog)[-1].reject()


def test_the_button_opens_a_project(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(4)
    save_as(qtbot, window, tmp_path / "trip.album")
    window.actions_table["close"].trigger()
    press_button(qtbot, window.start_page, "Open project…")
    choose(qtbot, window, tmp_path / "trip.album")
    wait_until_settled(qtbot, window.session)
    assert window.session.path == tmp_path / "trip.album"


def test_the_button_opens_the_sample_album(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = photo_folder(6)
    monkeypatch.setattr("album_app.sample.sample_album.sample_folder", lambda **callbacks: folder)
    window = open_window()
    press_button(qtbot, window.start_page, "Try the sample album")
    wait_until_settled(qtbot, window.session)
    assert len(document_of(window).album) == 6


def test_recent_albums_are_offered(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(5)
    close_album(qtbot, window)
    assert len(cards(window)) == 1
    assert "5 photos" in cards(window)[0].accessibleName()
    assert recent_albums()[0].preview_file.exists()
    cards(window)[0].click()
    wait_until_settled(qtbot, window.session)
    assert len(document_of(window).album) == 5


def test_the_menu_opens_a_recent_album(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window = open_window(3)
    qtbot.waitUntil(lambda: len(recent_menu(window).actions()) == 1, timeout=WAIT_MS)
    other = photo_folder(5, "salt & pepper")
    window.files.open_paths([other])
    wait_until_settled(qtbot, window.session)
    texts = lambda: [action.text() for action in recent_menu(window).actions()]  # noqa: E731
    qtbot.waitUntil(lambda: texts() == ["salt && pepper", "photos"], timeout=WAIT_MS)
    recent_menu(window).actions()[1].trigger()
    qtbot.waitUntil(lambda: len(document_of(window).album) == 3, timeout=WAIT_MS)


def test_names_are_shown_as_they_are(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window = open_window(0, photo_folder(1, "salt & pepper"))
    wait_until_settled(qtbot, window.session)
    close_album(qtbot, window)
    assert cards(window)[0].text().startswith("salt && pepper\n1 photo · ")


def test_a_folder_and_the_project_made_from_it_are_one_entry(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(4)
    folder, picture = document_of(window).album.roots[0], wait_for_preview(qtbot)
    save_as(qtbot, window, tmp_path / "crete.album")
    texts = lambda: [action.text() for action in recent_menu(window).actions()]  # noqa: E731
    qtbot.waitUntil(lambda: texts() == ["crete"], timeout=WAIT_MS)
    assert not picture.exists(), "nothing is left of the entry that is gone"
    recent.remember([folder], "photos", 4, roots=[folder])
    assert [album.paths for album in recent_albums()] == [(str(tmp_path / "crete.album"),)]


def test_discarded_work_is_not_remembered(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window = open_window(6)
    preview = wait_for_preview(qtbot).read_bytes()
    window.parts.loading.add_files(sorted(photo_folder(3, "more", start=40).iterdir()))
    qtbot.waitUntil(lambda: len(document_of(window).album) == 9, timeout=WAIT_MS)
    with qtbot.waitSignal(window.parts.solving.scored, timeout=WAIT_MS):
        wait_until_settled(qtbot, window.session)
    window.preferences.set("confirm_unsaved", False)
    window.actions_table["close"].trigger()
    qtbot.waitUntil(lambda: bool(cards(window)), timeout=WAIT_MS)
    assert [(album.photos, len(album.paths)) for album in recent_albums()] == [(6, 1)]
    assert recent_albums()[0].preview_file.read_bytes() == preview


def test_a_good_preview_outlives_missing_photos(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    save_as(qtbot, window, tmp_path / "trip.album")
    preview = wait_for_preview(qtbot, tmp_path / "trip.album").read_bytes()
    (tmp_path / "photos" / "photo-0002.jpg").unlink()
    with qtbot.waitSignal(window.parts.solving.scored, timeout=WAIT_MS):
        window.files.open_paths([tmp_path / "trip.album"])
    assert document_of(window).missing == {2}
    qtbot.waitUntil(lambda: not window.parts.jobs.running("remember"), timeout=WAIT_MS)
    assert recent_albums()[0].preview_file.read_bytes() == preview


def test_the_picture_is_of_the_sheet_as_saved_though_a_photo_is_missing(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(12)
    save_as(qtbot, window, tmp_path / "trip.album")
    preview = wait_for_preview(qtbot, tmp_path / "trip.album").read_bytes()
    (tmp_path / "photos" / "photo-0002.jpg").unlink()
    with qtbot.waitSignal(window.parts.solving.scored, timeout=WAIT_MS):
        window.files.open_paths([tmp_path / "trip.album"])
    there = layout_of(window).positions[7]
    window.session.drop([0], there, swap=True)
    wait_until_settled(qtbot, window.session)
    window.files.save()
    qtbot.waitUntil(lambda: recent_albums()[0].preview_file.read_bytes() != preview, timeout=WAIT_MS)


def test_a_recent_album_can_be_removed_from_the_list(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(5)
    close_album(qtbot, window)
    preview = recent_albums()[0].preview_file
    cards(window)[0].setFocus()
    type_keys(cards(window)[0], KEY.Key_Delete)
    qtbot.waitUntil(lambda: not cards(window), timeout=WAIT_MS)
    assert not recent_albums() and not preview.exists()
    assert not recent_menu(window).isEnabled()


def test_albums_on_a_disk_that_is_away_come_back_with_it(photo_folder: PhotoFolder, tmp_path: Path) -> None:
    disk, here = photo_folder(1, "disk"), photo_folder(1, "here")
    recent.remember([disk], "disk", 1)
    disk.rename(tmp_path / "unplugged")
    recent.remember([here], "here", 1)
    assert [album.title for album in recent_albums()] == ["here"]
    (tmp_path / "unplugged").rename(disk)
    assert [album.title for album in recent_albums()] == ["here", "disk"]


def test_albums_remembered_at_the_same_time_are_all_on_the_list(
    photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    both, read = threading.Barrier(2), recent.read_or_set_aside

    def read_together(*args: Any, **named: Any) -> Any:
        found = read(*args, **named)
        with suppress(threading.BrokenBarrierError):
            both.wait(0.3)
        return found

    monkeypatch.setattr(recent, "read_or_set_aside", read_together)
    folders = [photo_folder(1, name) for name in ("one", "two")]
    threads = [threading.Thread(target=recent.remember, args=([path], path.name, 1, QImage())) for path in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {album.title for album in recent_albums()} == {"one", "two"}


def test_a_list_that_another_program_does_not_let_go_of_stays_as_it_is(
    photo_folder: PhotoFolder, caplog: pytest.LogCaptureFixture
) -> None:
    one, two, picture = photo_folder(1, "one"), photo_folder(1, "two"), QImage(4, 4, QImage.Format.Format_RGB32)
    recent.remember([one], "one", 1, picture)
    (album,) = recent_albums()
    lock = QLockFile(str(album.preview_file.parent.parent / "recent.lock"))
    assert lock.tryLock(WAIT_MS)
    recent.remember([two], "two", 1, lock_ms=1)
    recent.forget(album, lock_ms=1)
    assert recent_albums() == [album] and album.preview_file.exists()
    assert "recent albums cannot be locked" in caplog.text
    lock.unlock()
    recent.forget(album)
    assert not recent_albums() and not album.preview_file.exists()


def test_a_recent_album_has_a_menu(open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window = open_window(4)
    folder = document_of(window).album.roots[0]
    close_album(qtbot, window)
    (card,) = cards(window)
    actions = {action.text(): action for action in card.actions()}
    assert list(actions) == ["Open", "Show in folder", "Remove from this list"]
    shown: list[Path] = []
    window.start_page.show_wanted.disconnect()
    window.start_page.show_wanted.connect(shown.append)
    actions["Show in folder"].trigger()
    assert shown == [folder]
    actions["Open"].trigger()
    wait_until_settled(qtbot, window.session)
    assert document_of(window).album.roots == (folder,)
