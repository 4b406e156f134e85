"""A look that cannot be had: the one before is back, in the sheet and in the panel, and it is said."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from album_app.errors import AlbumError
from album_app.gui.state import load_steps
from album_app.gui.style import theme
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, wait_until_settled
from tests.gui.hands import document_of
from tests.gui.panel.panel_hands import choose, control


@pytest.fixture
def without_model(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window in which no further look can be had."""

    def failing(*args: object) -> None:
        raise AlbumError("the model's weights are not on this computer")

    monkeypatch.setattr(load_steps, "extract", failing)
    return window


def test_the_look_before_is_back_and_it_is_said(without_model: MainWindow, qtbot: QtBot) -> None:
    window = without_model
    former = document_of(window).options.features
    choose(window, "Compare by", "rgb")
    qtbot.waitUntil(window.message_bar.isVisible, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    combo = control(window, QComboBox, "Compare by")
    assert isinstance(combo, QComboBox)
    assert document_of(window).options.features == combo.currentData() == former
    assert "weights are not on this computer" in window.message_bar.text and "again" in window.message_bar.text
    assert not window.session.undo_stack.canUndo() and not window.session.undo_stack.canRedo(), "nothing is left of it"


def test_edits_made_meanwhile_stay(without_model: MainWindow, qtbot: QtBot) -> None:
    window = without_model
    former = document_of(window).options.features
    choose(window, "Compare by", "rgb")
    window.session.drop([3], (0, 0))
    qtbot.waitUntil(window.message_bar.isVisible, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert document_of(window).options.features == former and dict(document_of(window).pins) == {3: (0, 0)}


def test_an_error_looks_like_one(without_model: MainWindow, qtbot: QtBot) -> None:
    bar = without_model.message_bar
    bar.show_message("Something to know.")
    plain = bar.grab().toImage()
    bar.show_error(AlbumError("something is wrong"))
    wrong, red = bar.grab().toImage(), QColor(theme.current().error)
    assert wrong.pixelColor(2, wrong.height() // 2) == red != plain.pixelColor(2, plain.height() // 2)
