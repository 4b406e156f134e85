"""Very many photos: the question before they are opened, and small pictures that become sharp where one looks."""

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui.controls.ask_user import ManyPhotos
from album_app.gui.state.jobs import JobKind
from album_app.gui.state.load_steps import Pace
from album_app.gui.state.pictures import SMALLEST_SIDE, side_for
from album_app.gui.tray.photo_list import TrayDelegate
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, make_photos, wait_until_settled
from tests.gui.hands import document_of


@pytest.fixture
def asked(open_window: OpenWindow, photo_folder: PhotoFolder, qtbot: QtBot) -> MainWindow:
    """A window that was asked to open thirty photos and counts more than twenty as very many."""
    window = open_window()
    window.parts.loading.pace = Pace(photos_to_ask_about=20)
    window.files.open_paths([photo_folder(30)])
    qtbot.waitUntil(lambda: bool(window.findChildren(ManyPhotos)), timeout=WAIT_MS)
    assert window.session.document is None, "nothing is opened before the answer"
    return window


def press(window: MainWindow, text: str) -> None:
    (dialog,) = window.findChildren(ManyPhotos)
    next(b for b in dialog.findChildren(QPushButton) if b.text().replace("&", "") == text).click()


def test_very_many_photos_are_summarised_on_as_many_cells_as_wanted(asked: MainWindow, qtbot: QtBot) -> None:
    asked.findChildren(ManyPhotos)[0].cells.setValue(12)
    press(asked, "Summarise")
    wait_until_settled(qtbot, asked.session)
    document = document_of(asked.session)
    assert len(document.album) == 30 and document.shape.count == 12
    assert document.layout is not None and len(document.layout.shown) == 12


def test_all_of_them_can_be_shown(asked: MainWindow, qtbot: QtBot) -> None:
    press(asked, "Show all")
    wait_until_settled(qtbot, asked.session)
    layout = document_of(asked.session).layout
    assert layout is not None and len(layout.shown) == 30


def test_closing_the_question_opens_nothing(asked: MainWindow, qtbot: QtBot) -> None:
    press(asked, "Cancel")
    qtbot.waitUntil(lambda: not asked.findChildren(ManyPhotos), timeout=WAIT_MS)
    assert asked.session.document is None and not asked.parts.jobs.running(JobKind.OPEN)


def test_a_sheet_has_no_more_cells_than_it_can_have(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    ManyPhotos(window, 100_001, lambda cells: None).open()
    (dialog,) = window.findChildren(ManyPhotos)
    assert not next(b for b in dialog.findChildren(QPushButton) if "all" in b.text()).isEnabled()


def test_small_pictures_of_all_photos_stay_within_their_budget() -> None:
    for count, budget in ((320, 200_000_000), (10_000, 100_000_000), (100_000, 200_000_000), (100_000, 100_000_000)):
        side = side_for(count, budget)
        assert side >= SMALLEST_SIDE and count * side * (side * 3 // 4) * 4 <= budget


def test_the_preferences_name_the_budget(
    open_window: OpenWindow, photo_folder: PhotoFolder, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_photos(photo_folder(1, "large").parent / "wide", 12, size=(400, 300))
    window = open_window(12)
    window.preferences.set("memory", "400")
    budgets: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(window.parts.photos, "hold_at_most", budgets.append)
        window.apply_preferences()
    assert budgets == [400_000_000]
    window.parts.photos.hold_at_most(12 * 3 * 20**2)
    window.files.open_paths([folder])
    qtbot.waitUntil(lambda: document_of(window.session).album.roots == (folder,), timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    pictures = window.parts.photos.pictures
    assert max(max(pictures.pixels(photo).shape[:2]) for photo in range(12)) <= 25  # type: ignore[union-attr]


def test_the_tray_and_the_sheet_are_sharp_where_one_looks(
    open_window: OpenWindow, photo_folder: PhotoFolder, qtbot: QtBot
) -> None:
    folder = photo_folder(0)
    rng = np.random.default_rng(0)
    from PIL import Image

    for k in range(6):
        stripes = np.kron(rng.integers(0, 2, (100, 150)) * 255, np.ones((4, 4))).astype(np.uint8)
        Image.fromarray(stripes).convert("RGB").save(folder / f"{k}.png")
    window = open_window()
    window.parts.photos.hold_at_most(6 * 3 * 20**2)
    window.files.open_paths([folder])
    qtbot.waitUntil(lambda: window.session.document is not None, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    delegate = window.workspace.tray.list.itemDelegate()
    assert isinstance(delegate, TrayDelegate)
    sharper = delegate.thumbnails.sharper
    qtbot.waitUntil(lambda: len(sharper) == 6, timeout=WAIT_MS)
    assert all(min(pixels.shape[:2]) >= 62 for pixels in sharper.values())
    cache = window.workspace.canvas.scene.tile_cache
    contrast = lambda: float((next(cache.tiles(np.array([0])))[1] & 0xFF).std())  # noqa: E731
    qtbot.waitUntil(lambda: contrast() > 40, timeout=WAIT_MS)
