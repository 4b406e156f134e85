"""Photos that vanish before an export: nobody gets a sheet with holes without having been asked."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.window.main_window import MainWindow
from album_app.render import RenderSettings, plan_page
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, answer, wait_until_settled
from tests.gui.dialogs.dialog_hands import export_button, facts_of, open_export, print_into
from tests.gui.hands import choose, document_of, layout_of

LOST = (1, 4)


@pytest.fixture
def window(open_window: OpenWindow, photo_folder: PhotoFolder, tmp_path: Path) -> MainWindow:
    """Six photos on a sheet, two of whose files have moved elsewhere since."""
    window = open_window(6)
    (tmp_path / "elsewhere").mkdir()
    for photo in LOST:
        path = document_of(window).album.photos[photo].path
        path.rename(tmp_path / "elsewhere" / path.name)
    return window


def start_export(window: MainWindow, target: Path) -> ExportDialog:
    dialog = open_export(window)
    dialog.export_to(target)
    return dialog


def colour_of(window: MainWindow, target: Path, photo: int) -> np.ndarray:
    """What a sheet exported with the suggested settings shows in the cell of a photo."""
    layout = layout_of(window)
    x, y, width, height = plan_page(layout.shape, RenderSettings(cell=96)).tile_rect(layout.positions[photo])
    with Image.open(target) as image:
        return np.asarray(image.convert("RGB"))[y + height // 2, x + width // 2].astype(int)


def test_the_cells_stay_empty_where_the_user_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = start_export(window, tmp_path / "sheet.png")
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)), timeout=WAIT_MS)
    box = window.findChildren(QMessageBox)[-1]
    assert box.text() == "2 photos of the sheet can no longer be read." and not (tmp_path / "sheet.png").exists()
    assert "photo-0001.jpg: the file is missing" in box.detailedText()
    answer(qtbot, window, "Leave the cells empty")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote sheet.png"), timeout=WAIT_MS)
    assert facts_of(dialog).endswith("2 photos are left out, so the cells are empty.")
    assert (colour_of(window, tmp_path / "sheet.png", LOST[0]) == 255).all()
    assert (colour_of(window, tmp_path / "sheet.png", 0) != 255).any()


def test_thumbnails_stand_in_where_the_user_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = start_export(window, tmp_path / "sheet.png")
    answer(qtbot, window, "Use the thumbnails")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote sheet.png"), timeout=WAIT_MS)
    assert facts_of(dialog).endswith("2 photos are drawn from thumbnails.")
    with Image.open(tmp_path / "elsewhere" / "photo-0001.jpg") as image:
        wanted = np.asarray(image)[10, 10].astype(int)
    assert np.abs(colour_of(window, tmp_path / "sheet.png", LOST[0]) - wanted).max() < 12


def test_cancel_writes_nothing(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = start_export(window, tmp_path / "sheet.png")
    answer(qtbot, window, "Cancel")
    assert dialog.isVisible() and export_button(dialog).isEnabled() and not (tmp_path / "sheet.png").exists()


def test_photos_are_found_where_they_went(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = start_export(window, tmp_path / "sheet.png")
    with qtbot.waitSignal(dialog.finished, timeout=WAIT_MS):
        answer(qtbot, window, "Find them…")
    with qtbot.waitSignal(window.session.document_changed, timeout=WAIT_MS):
        choose(qtbot, window, tmp_path / "elsewhere")
    photos = document_of(window).album.photos
    assert [photos[photo].path.parent.name for photo in LOST] == ["elsewhere"] * 2
    assert not document_of(window).missing
    wait_until_settled(qtbot, window.session)
    again = start_export(window, tmp_path / "sheet.png")
    qtbot.waitUntil(lambda: facts_of(again).startswith("Wrote sheet.png"), timeout=WAIT_MS)
    assert facts_of(again).endswith("B.")


def test_a_damaged_photo_is_asked_about_like_a_missing_one(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(4)
    document_of(window).album.photos[0].path.write_bytes(b"\xff\xd8\xff\xe0 not a picture")
    start_export(window, tmp_path / "sheet.png")
    answer(qtbot, window, "Cancel")
    assert not (tmp_path / "sheet.png").exists()


def test_printing_asks_as_well(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    print_into(window, tmp_path / "printed.pdf")
    answer(qtbot, window, "Leave the cells empty")
    reported = "Wrote printed.pdf. 2 photos are left out, so the cells are empty."
    qtbot.waitUntil(lambda: window.notice.text() == reported, timeout=WAIT_MS)


def test_a_chooser_whose_dialog_was_closed_is_not_answered(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(4)
    dialog = open_export(window)
    (elsewhere,) = (each for each in dialog.findChildren(QPushButton) if each.text() == "Save as…")
    elsewhere.click()
    chooser = dialog.findChild(QFileDialog)
    assert isinstance(chooser, QFileDialog) and chooser.isVisible()
    with qtbot.waitSignal(chooser.finished):
        dialog.close()
    chooser.filesSelected.emit([str(tmp_path / "sheet.png")])
    assert not window.parts.jobs.running("export")
