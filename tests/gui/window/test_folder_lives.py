"""The open folder lives: what appears, changes or vanishes is offered, and nothing moves before the answer."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui.state.jobs import JobKind
from album_app.gui.style.wording import news_words
from album_app.gui.tray.model import ALL, SKIPPED, UNPLACED, line_for
from album_app.gui.window.main_window import MainWindow
from album_app.layout.project.project_file import save_project
from album_app.render import RenderSettings
from tests.gui.conftest import WAIT_MS, make_photos, wait_until_settled
from tests.gui.hands import document_of, layout_of, tray_of
from tests.render.write_sheet import write_sheet


def come_to_front(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user was in another program, and is back."""
    looking = lambda: window.parts.jobs.running(JobKind.FOLDER)  # noqa: E731
    qtbot.waitUntil(lambda: not looking(), timeout=WAIT_MS)
    monkeypatch.setattr(type(window), "isActiveWindow", lambda self: True)
    QApplication.sendEvent(window, QEvent(QEvent.Type.ActivationChange))
    assert looking()
    qtbot.waitUntil(lambda: not looking(), timeout=WAIT_MS)


def press(window: MainWindow, text: str) -> None:
    bar = window.message_bar
    next(b for b in bar.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(bar)).click()


def folder_of(window: MainWindow) -> Path:
    return document_of(window.session).album.roots[0]


def test_new_photos_are_offered_and_added(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    before = layout_of(window.session)
    make_photos(folder_of(window) / "inside", 3, start=30)
    come_to_front(qtbot, window, monkeypatch)
    assert window.message_bar.text == "3 new photos: add them?"
    assert layout_of(window.session) is before, "nothing moves before the answer"
    press(window, "Add them")
    qtbot.waitUntil(lambda: len(document_of(window.session).album) == 23, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    document = document_of(window.session)
    assert "inside/photo-0030.jpg" in [photo.name for photo in document.album.photos]
    assert document.album.roots == (folder_of(window),)
    assert set(layout_of(window.session).shown) == set(range(23))
    window.session.undo_stack.undo()
    assert len(document_of(window.session).album) == 20
    assert window.message_bar.isHidden()


def test_a_sheet_of_ours_is_no_new_photo_unless_it_is_added_by_name(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = folder_of(window) / "sheet.png"
    write_sheet(layout_of(window.session), document_of(window.session).album, sheet, RenderSettings(cell=16))
    come_to_front(qtbot, window, monkeypatch)
    assert window.message_bar.isHidden()
    window.parts.loading.open_paths([folder_of(window)])
    qtbot.waitUntil(lambda: bool(document_of(window.session).album.skipped), timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    tray = tray_of(window)
    tray.show_section(SKIPPED)
    (line,) = [line_for(document_of(window.session), row, {}, {}) for row in tray.model.rows]
    assert (line.title, line.detail) == ("sheet.png", "a sheet made by Album App")
    assert len(document_of(window.session).album) == 20
    with qtbot.waitSignal(window.session.document_changed, timeout=WAIT_MS):
        window.parts.loading.add_files([sheet])
    assert document_of(window.session).album.photos[20].path == sheet


def test_not_now_is_not_asked_again(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    make_photos(folder_of(window), 1, start=30)
    (folder_of(window) / "photo-0003.jpg").unlink()
    come_to_front(qtbot, window, monkeypatch)
    assert window.message_bar.text == "1 new photo and 1 gone: follow the folder?"
    press(window, "Not now")
    come_to_front(qtbot, window, monkeypatch)
    assert window.message_bar.isHidden() and len(document_of(window.session).album) == 20


def follow(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.session.document_changed, timeout=WAIT_MS):
        press(window, "Follow the folder")
    wait_until_settled(qtbot, window.session)


def test_a_changed_photo_is_read_again_and_a_gone_one_is_taken_out_in_one_step(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.drop([3], (0, 0))
    wait_until_settled(qtbot, window.session)
    Image.new("RGB", (60, 40), "white").save(folder_of(window) / "photo-0005.jpg")
    (folder_of(window) / "photo-0003.jpg").unlink()
    come_to_front(qtbot, window, monkeypatch)
    assert window.message_bar.text == "1 changed photo and 1 gone (1 of them pinned): follow the folder?"
    follow(qtbot, window)
    pixels = window.parts.photos.pictures.pixels(5)
    assert pixels is not None and np.all(pixels >= 250)
    assert document_of(window.session).album.photos[5].width == 60
    assert 3 not in layout_of(window.session).shown and window.message_bar.isHidden()
    tray = tray_of(window)
    for section, count in ((ALL, 19), (UNPLACED, 0), (SKIPPED, 0)):
        tray.show_section(section)
        assert len(tray.model.rows) == count
    window.session.undo_stack.undo()
    assert layout_of(window.session).positions[3] == (0, 0) and document_of(window.session).pins[3] == (0, 0)


def test_a_renamed_photo_keeps_its_cell_and_pin(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.drop([4], (1, 1))
    wait_until_settled(qtbot, window.session)
    before = layout_of(window.session).photo_at.tolist()
    (folder_of(window) / "photo-0004.jpg").rename(folder_of(window) / "best.jpg")
    come_to_front(qtbot, window, monkeypatch)
    assert window.message_bar.text == "1 renamed photo: follow the folder?"
    follow(qtbot, window)
    document = document_of(window.session)
    assert document.album.photos[4].name == "best.jpg" and len(document.album) == 20 and not document.missing
    assert layout_of(window.session).photo_at.tolist() == before and document.pins[4] == (1, 1)


def test_a_photo_taken_out_with_its_file_comes_back_with_it(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder_of(window) / "photo-0003.jpg"
    content = file.read_bytes()
    file.unlink()
    come_to_front(qtbot, window, monkeypatch)
    follow(qtbot, window)
    file.write_bytes(content)
    come_to_front(qtbot, window, monkeypatch)
    follow(qtbot, window)
    assert set(layout_of(window.session).shown) == set(range(20))


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((12, 0, 0, 0), "12 new photos: add them?"),
        ((1, 0, 0, 0), "1 new photo: add it?"),
        ((0, 2, 0, 0), "2 changed photos: follow the folder?"),
        ((1, 2, 0, 3), "1 new photo, 2 changed and 3 gone: follow the folder?"),
        ((0, 0, 2, 1), "2 renamed photos and 1 gone: follow the folder?"),
    ],
)
def test_the_offer_in_words(counts: tuple[int, int, int, int], words: str) -> None:
    assert news_words(*counts) == words


def test_missing_photos_can_be_taken_out_from_the_bar(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    wait_until_settled(qtbot, window.session)
    save_project(document_of(window.session), tmp_path / "sheet.album")
    (folder_of(window) / "photo-0003.jpg").unlink()
    with qtbot.waitSignal(window.session.opened, timeout=WAIT_MS):
        window.parts.loading.open_paths([tmp_path / "sheet.album"])
    assert window.message_bar.text == "1 photo was not found where the project says."
    press(window, "Take it out")
    wait_until_settled(qtbot, window.session)
    assert set(layout_of(window.session).shown) == set(range(20)) - {3}
    assert window.message_bar.isHidden()
    window.session.undo_stack.undo()
    assert 3 in layout_of(window.session).shown


def test_a_project_looks_at_its_folders_when_it_opens(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, folder = tmp_path / "saved.album", folder_of(window)
    save_project(document_of(window.session), project)
    window.session.open_document(None)
    make_photos(folder, 2, start=30)
    make_photos(folder / "later", 1, start=40)
    window.parts.loading.open_paths([project])
    qtbot.waitUntil(lambda: window.message_bar.text == "3 new photos: add them?", timeout=WAIT_MS)
    with qtbot.waitSignal(window.session.document_changed, timeout=WAIT_MS):
        press(window, "Add them")
    canvas = window.workspace.canvas
    assert canvas.new_photos == {20, 21, 22}, "they are marked on the sheet"
    wait_until_settled(qtbot, window.session)
    assert window.notice.text() == "3 new photos found a cell"
    window.session.drop([3], (0, 0))
    assert canvas.new_photos == frozenset(), "until the next edit"


def test_a_project_whose_folders_are_as_it_was_saved_asks_nothing(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    project = tmp_path / "saved.album"
    make_photos(folder_of(window), 2, start=30)  # the album is of some photos of the folder only
    save_project(document_of(window.session), project)
    with qtbot.waitSignal(window.session.opened, timeout=WAIT_MS):
        window.parts.loading.open_paths([project])
    qtbot.waitUntil(lambda: not window.parts.jobs.running(JobKind.FOLDER), timeout=WAIT_MS)
    assert window.message_bar.isHidden()


def test_looking_for_new_photos_by_command_is_answered_in_any_case(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.parts.jobs.running(JobKind.FOLDER), timeout=WAIT_MS)
    window.actions_table["look_for_photos"].trigger()
    qtbot.waitUntil(lambda: window.notice.text() == "No new photos in the folders of this album.", timeout=WAIT_MS)
    make_photos(folder_of(window), 1, start=30)
    window.actions_table["look_for_photos"].trigger()
    qtbot.waitUntil(lambda: window.message_bar.text == "1 new photo: add it?", timeout=WAIT_MS)
