"""The text that becomes the shape: undo while typing, and what is said where it cannot be drawn."""

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from album_app.gui.state import history
from album_app.gui.style import theme
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.hands import CTRL, KEY, SHIFT, document_of, layout_of, type_keys, undo
from tests.gui.panel.panel_hands import after_edit, choose, control


@pytest.fixture
def lettered(open_window: OpenWindow, qtbot: QtBot) -> MainWindow:
    """Sixty photos that say HI, the text field at hand."""
    window = open_window(60)
    choose(window, "Shape", "text")
    after_edit(qtbot, window, lambda: qtbot.keyClicks(text_field(window), "HI"))
    return window


def text_field(window: MainWindow) -> QLineEdit:
    field = control(window, QLineEdit, "Text")
    assert isinstance(field, QLineEdit)
    return field


def retype(window: MainWindow, text: str) -> None:
    text_field(window).selectAll()
    text_field(window).insert(text)  # QTest has no keys for letters of other scripts


def summary(window: MainWindow) -> QLabel:
    """What the panel says of the shape."""
    labels = window.workspace.shape.content.findChildren(QLabel)
    return next(label for label in labels if label.wordWrap() and label.isVisible())


def looks_wrong(label: QLabel) -> bool:
    return label.palette().color(QPalette.ColorRole.WindowText) == QColor(theme.current().error)


# ---- undo while typing


def test_undo_while_typing_takes_the_last_word_off_the_sheet(
    lettered: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    field, before = text_field(lettered), layout_of(lettered).positions
    monkeypatch.setattr(history, "MERGE_SECONDS", -1.0)  # as if the word were typed later: an edit of its own
    after_edit(qtbot, lettered, lambda: retype(lettered, "NO"))
    assert document_of(lettered).spec.text == "NO"
    type_keys(field, KEY.Key_Z, modifiers=CTRL)
    assert field.text() == document_of(lettered).spec.text == "HI"
    assert layout_of(lettered).positions == before, "the sheet as it was, not a new one"
    type_keys(field, KEY.Key_Z, modifiers=CTRL | SHIFT)
    assert field.text() == document_of(lettered).spec.text == "NO"


@pytest.mark.parametrize("text", ["HIJ", " ", "日"])
@pytest.mark.usefixtures("no_fonts")
def test_undo_while_typing_gives_up_what_the_sheet_has_not_followed(
    lettered: MainWindow, qtbot: QtBot, text: str
) -> None:
    field, before = text_field(lettered), layout_of(lettered).positions
    retype(lettered, text)
    if text != "HIJ":  # words that the sheet will never follow
        qtbot.waitUntil(lambda: not lettered.workspace.shape.is_ahead, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: not lettered.parts.jobs.running("shape"), timeout=WAIT_MS)
    type_keys(field, KEY.Key_Z, modifiers=CTRL)
    assert not lettered.workspace.shape.is_ahead and not lettered.parts.jobs.running("shape")
    assert field.text() == document_of(lettered).spec.text == "HI" and layout_of(lettered).positions == before


def test_undo_while_typing_works_before_there_was_any_edit(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "Shape", "text")
    qtbot.keyClicks(text_field(window), "HI")
    type_keys(text_field(window), KEY.Key_Z, modifiers=CTRL)
    assert text_field(window).text() == "" and control(window, QComboBox, "Shape").currentData() == "auto"


# ---- what cannot be drawn


@pytest.mark.usefixtures("no_fonts")
def test_a_letter_that_cannot_be_drawn_is_explained_in_the_panel_alone(lettered: MainWindow, qtbot: QtBot) -> None:
    failed = []
    lettered.session.problem.connect(failed.append)
    retype(lettered, "HI日")
    qtbot.waitUntil(lambda: "“日”" in summary(lettered).text(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not lettered.workspace.shape.is_ahead, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not lettered.parts.jobs.running("shape"), timeout=WAIT_MS)
    assert summary(lettered).text() == "No font on this computer has a letter for “日”."
    assert looks_wrong(summary(lettered))
    assert not failed and not lettered.message_bar.isVisible() and document_of(lettered).spec.text == "HI"


@pytest.mark.parametrize("mended", ["HO", "", "undo"])
@pytest.mark.usefixtures("no_fonts")
def test_the_explanation_goes_when_the_text_is_mended(lettered: MainWindow, qtbot: QtBot, mended: str) -> None:
    retype(lettered, "日")
    qtbot.waitUntil(lambda: looks_wrong(summary(lettered)), timeout=WAIT_MS)
    if mended == "undo":
        undo(lettered)
    elif mended:
        retype(lettered, mended)
    else:
        type_keys(text_field(lettered), KEY.Key_Backspace)
    qtbot.waitUntil(lambda: summary(lettered).text().startswith("60 photos on "), timeout=WAIT_MS)
    assert not looks_wrong(summary(lettered))
