"""The status bar: notices keep their time, and the counts are those of the panel and the tray."""

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.tiles.marks import badge_rect
from album_app.gui.tray.model import ALL, SIMILAR, SKIPPED
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled, with_torn_photo
from tests.gui.hands import (
    LEFT,
    NO_KEY,
    canvas_of,
    document_of,
    drag,
    middle,
    photo_in,
    press_and_move,
    tray_of,
)


def test_a_notice_outlasts_what_is_said_of_the_cell_under_the_pointer(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    QTest.mouseMove(canvas, middle(canvas, (2, 2)))
    qtbot.waitUntil(lambda: "row 3, column 3" in window.notice.text(), timeout=WAIT_MS)
    window.status.show_notice("Saved")
    hints: list[str] = []
    canvas.hint.connect(hints.append)
    QTest.mouseMove(canvas, middle(canvas, (1, 2)))
    qtbot.waitUntil(lambda: bool(hints), timeout=WAIT_MS)
    assert window.notice.text() == "Saved"
    window.status.timer.setInterval(50)
    qtbot.waitUntil(lambda: "row 2, column 3" in window.notice.text(), timeout=WAIT_MS)


def test_unpinning_by_the_badge_is_told(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    drag(canvas, (0, 0), (1, 1))
    wait_until_settled(qtbot, window.session)
    name = Path(document_of(window).album.photos[photo_in(window, (1, 1))].name).stem
    badge = badge_rect(canvas.cell_rect((1, 1)), 1.0).center().toPoint()
    QTest.mouseMove(canvas, badge)
    QTest.mouseClick(canvas, LEFT, NO_KEY, badge)
    wait_until_settled(qtbot, window.session)
    assert not document_of(window).pins and window.notice.text() == f"Unpin {name}"


def test_what_a_drop_would_do_is_told_at_once(window: MainWindow) -> None:
    canvas = canvas_of(window)
    window.status.show_notice("Saved")
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (0, 2)))
    assert window.notice.text().startswith("Pin ")
    QTest.mouseRelease(canvas, LEFT, NO_KEY, middle(canvas, (0, 2)))


@pytest.fixture
def torn(open_window: OpenWindow, photo_folder: PhotoFolder, qtbot: QtBot) -> MainWindow:
    """A project of six photos and half of a seventh."""
    window = open_window(0, with_torn_photo(photo_folder(6), "photo-0003a.png"))
    wait_until_settled(qtbot, window.session)
    return window


def test_a_damaged_photo_is_counted_among_the_skipped_alone(torn: MainWindow) -> None:
    assert len(document_of(torn).album) == 7 and len(torn.parts.photos.pictures.damaged) == 1
    cells = document_of(torn).shape.count
    assert torn.summary.text().startswith(f"6 of 6 photos on {cells} cells")
    texts = [label.text() for label in torn.workspace.panel.findChildren(QLabel)]
    assert any(text.startswith(f"6 photos for {cells} cells") for text in texts) and f"6 / 6 / {cells}" in texts
    assert [tray_of(torn).section_buttons[section].text() for section in (ALL, SKIPPED)] == ["All 6", "Skipped 1"]


def test_a_damaged_photo_is_not_among_the_similar_ones(torn: MainWindow, qtbot: QtBot) -> None:
    tray, (damaged,) = tray_of(torn), torn.parts.photos.pictures.damaged
    torn.session.select((0,))
    torn.actions_table["similar"].trigger()
    qtbot.waitUntil(lambda: tray.model.section == SIMILAR, timeout=WAIT_MS)
    assert tray.model.rows[0] == 0 and sorted(tray.model.rows) == sorted(set(range(7)) - {damaged})


def test_nothing_runs_on_the_start_page(open_window: OpenWindow) -> None:
    window = open_window()
    assert window.statusBar().isVisible() and not window.job_bar.isVisible()
