"""Damaged photos of which a part can be shown are named, and can be left out."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.sheet_view import lines_about_cell
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import pinned
from album_app.layout.pins import Pins
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.hands import document_of, layout_of, press_button, undo

ONE_DAMAGED = "1 damaged photo is on the sheet, part of it grey."


@pytest.fixture
def torn(open_window: OpenWindow, photo_folder: PhotoFolder, qtbot: QtBot) -> MainWindow:
    """Eleven whole photos, and one of which the lower part is missing; the window says so."""
    folder: Path = photo_folder(11)
    noise = np.random.default_rng(0).integers(0, 256, (240, 320, 3), np.uint8)
    Image.fromarray(noise).save(folder / "torn.jpg")
    whole = (folder / "torn.jpg").read_bytes()
    (folder / "torn.jpg").write_bytes(whole[: len(whole) * 3 // 4])
    window = open_window(0, folder)
    qtbot.waitUntil(lambda: window.message_bar.text == ONE_DAMAGED, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    return window


def torn_photo(window: MainWindow) -> int:
    photo = document_of(window).album.index_of("torn.jpg")
    assert photo is not None
    return photo


def test_a_damaged_photo_is_left_out_by_a_button_and_comes_back_by_undo(torn: MainWindow, qtbot: QtBot) -> None:
    press_button(qtbot, torn.message_bar, "Leave it out")
    assert torn_photo(torn) in document_of(torn).excluded and not torn.message_bar.isVisible()
    undo(torn)
    assert torn.message_bar.text == ONE_DAMAGED


def test_a_damaged_photo_that_is_kept_is_not_mentioned_again(torn: MainWindow, qtbot: QtBot) -> None:
    press_button(qtbot, torn.message_bar, "Keep it")
    assert not torn.message_bar.isVisible()
    torn.session.edit(pinned, "Pin", Pins({0: (0, 0)}))
    assert not torn.message_bar.isVisible() and torn_photo(torn) not in document_of(torn).excluded


def test_the_card_and_the_large_view_say_what_is_missing(torn: MainWindow) -> None:
    cell = layout_of(torn).positions[torn_photo(torn)]
    flaws = torn.workspace.canvas.scene.tile_cache.flaws
    assert any("lower" in line and "missing" in line for line in lines_about_cell(document_of(torn), cell, "", flaws))
    torn.open_large(torn_photo(torn))
    assert torn._lightbox is not None and any("is missing" in fact for fact in torn._lightbox.facts)
    torn._lightbox.close()
