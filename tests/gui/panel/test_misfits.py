"""Photos that look out of place are named in words and pictures, and shown on the sheet."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from album_app.gui.panel.quality import MisfitsLine, QualitySection
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.hands import canvas_of, layout_of, press_button
from tests.gui.panel.panel_hands import unfold


@pytest.fixture
def window(open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A sheet on which two photos look out of place."""
    monkeypatch.setattr("album_app.layout.evaluation.insight.misfits", lambda layout, features: [17, 3])
    window = open_window(20)
    qtbot.waitUntil(lambda: line_of(window).photos == [17, 3], timeout=WAIT_MS)
    return window


def line_of(window: MainWindow) -> MisfitsLine:
    return window.workspace.panel.findChildren(MisfitsLine)[0]


def test_they_are_told_and_shown(window: MainWindow, qtbot: QtBot) -> None:
    line, canvas = line_of(window), canvas_of(window)
    assert line.findChildren(QLabel)[0].text() == "2 photos look out of place."
    assert len(line.findChildren(QToolButton)) == 2
    canvas.zoom_by(8.0)
    unfold(window, QualitySection)
    press_button(qtbot, line, "Show them")
    assert window.session.selected == (17, 3)
    cells = [layout_of(window).cell_of(photo) for photo in (17, 3)]
    assert all(cell is not None and QRectF(canvas.rect()).contains(canvas.cell_rect(cell)) for cell in cells)
    assert canvas.flash is not None and list(canvas.flash[0]) == cells


def test_a_picture_leads_to_its_photo(window: MainWindow) -> None:
    line_of(window).findChildren(QToolButton)[1].click()
    assert window.session.selected == (3,)


def test_a_sheet_without_any_says_nothing(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("album_app.layout.evaluation.insight.misfits", lambda layout, features: [])
    window.session.drop([0], (3, 3))
    assert line_of(window).isHidden(), "the sheet they were named for is gone"
    qtbot.waitUntil(lambda: "pin_pull" in layout_of(window).scores, timeout=WAIT_MS)
    assert line_of(window).isHidden()
