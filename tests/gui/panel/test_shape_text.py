"""The text that becomes the shape: undo while typing, and what is said where it cannot be drawn."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel
from pytestqt.qtbot import QtBot

from album_app.gui.controls.bars import NOTE, WARNING, StatusLine
from album_app.gui.panel.shape import RepeatOffer
from album_app.gui.panel.shape_fields import TextField
from album_app.gui.style import theme
from album_app.gui.window.main_window import MainWindow
from tests.fonts import MakeFont
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.hands import CTRL, KEY, SHIFT, document_of, layout_of, type_keys, undo
from tests.gui.panel.panel_hands import after_edit, choose, control


@pytest.fixture
def lettered(open_window: OpenWindow, qtbot: QtBot) -> MainWindow:
    """Sixty photos that say HI, the text field at hand."""
    window = open_window(60)
    choose(window, "Shape", "text")
    qtbot.keyClicks(text_field(window), "HI")
    qtbot.waitUntil(lambda: document_of(window).spec.text == "HI")  # on a slow machine the sheet follows each letter
    wait_until_settled(qtbot, window.session)
    return window


def text_field(window: MainWindow) -> TextField:
    field = control(window, TextField, "Text")
    assert isinstance(field, TextField)
    return field


def retype(window: MainWindow, text: str) -> None:
    text_field(window).selectAll()
    text_field(window).insertPlainText(text)  # QTest has no keys for letters of other scripts


def summary(window: MainWindow) -> QLabel:
    """What the panel says of the shape."""
    label = control(window, QLabel, "Size of the sheet")
    assert isinstance(label, QLabel)
    return label


def looks_wrong(label: QLabel) -> bool:
    return label.palette().color(QPalette.ColorRole.WindowText) == QColor(theme.current().error)


def test_undo_while_typing_takes_the_last_word_off_the_sheet(lettered: MainWindow, qtbot: QtBot) -> None:
    field, before = text_field(lettered), layout_of(lettered).positions
    lettered.session.undo_stack.merge_seconds = -1.0  # as if the word were typed later: an edit of its own
    after_edit(qtbot, lettered, lambda: retype(lettered, "NO"))
    assert document_of(lettered).spec.text == "NO"
    type_keys(field, KEY.Key_Z, modifiers=CTRL)
    assert field.text() == document_of(lettered).spec.text == "HI"
    assert layout_of(lettered).positions == before, "the sheet as it was, not a new one"
    type_keys(field, KEY.Key_Z, modifiers=CTRL | SHIFT)
    assert field.text() == document_of(lettered).spec.text == "NO"


@pytest.mark.usefixtures("no_fonts")
def test_undo_while_typing_gives_up_what_the_sheet_has_not_followed(lettered: MainWindow, qtbot: QtBot) -> None:
    field, before = text_field(lettered), layout_of(lettered).positions
    for text in ("HIJ", " ", "日"):
        retype(lettered, text)
        if text != "HIJ":  # words that the sheet will never follow
            qtbot.waitUntil(lambda: not lettered.workspace.shape.is_ahead, timeout=WAIT_MS)
            qtbot.waitUntil(lambda: not lettered.parts.jobs.running("shape"), timeout=WAIT_MS)
        type_keys(field, KEY.Key_Z, modifiers=CTRL)
        assert not lettered.workspace.shape.is_ahead and not lettered.parts.jobs.running("shape"), text
        assert field.text() == document_of(lettered).spec.text == "HI", text
        assert layout_of(lettered).positions == before, text


def test_undo_while_typing_works_before_there_was_any_edit(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "Shape", "text")
    qtbot.keyClicks(text_field(window), "HI")
    type_keys(text_field(window), KEY.Key_Z, modifiers=CTRL)
    assert text_field(window).text() == "" and control(window, QComboBox, "Shape").currentData() == "auto"


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


@pytest.mark.usefixtures("no_fonts")
def test_the_explanation_goes_when_the_text_is_mended(lettered: MainWindow, qtbot: QtBot) -> None:
    mends = (
        lambda: undo(lettered),
        lambda: retype(lettered, "HO"),
        lambda: type_keys(text_field(lettered), KEY.Key_Backspace),
    )
    for mend in mends:
        retype(lettered, "日")
        qtbot.waitUntil(lambda: looks_wrong(summary(lettered)), timeout=WAIT_MS)
        mend()
        qtbot.waitUntil(lambda: summary(lettered).text().startswith("60 photos for "), timeout=WAIT_MS)
        assert not looks_wrong(summary(lettered))


def test_enter_starts_another_line(lettered: MainWindow, qtbot: QtBot) -> None:
    def type_another_line() -> None:
        type_keys(text_field(lettered), KEY.Key_End, KEY.Key_Return)
        qtbot.keyClicks(text_field(lettered), "YOU")

    before = document_of(lettered).shape
    after_edit(qtbot, lettered, type_another_line)
    qtbot.waitUntil(lambda: document_of(lettered).spec.text == "HI\nYOU", timeout=WAIT_MS)
    shape = document_of(lettered).shape
    assert len(shape.centres) == 5 and shape.rows / shape.columns > before.rows / before.columns


def test_long_lines_break_unless_asked_otherwise(lettered: MainWindow, qtbot: QtBot) -> None:
    after_edit(qtbot, lettered, lambda: retype(lettered, "LO TO"))
    broken = document_of(lettered).shape
    after_edit(qtbot, lettered, control(lettered, QCheckBox, "Break long lines").click)
    assert document_of(lettered).shape.columns > 1.5 * broken.columns
    undo(lettered)
    assert control(lettered, QCheckBox, "Break long lines").isChecked()


def test_letters_of_a_font_of_the_system(make_font: MakeFont, open_window: OpenWindow, qtbot: QtBot) -> None:
    make_font("Walls", {"O": [(60, 0, 180, 700)], "Ω": [(60, 0, 180, 700)]})
    window = open_window(60)
    choose(window, "Shape", "text")
    box = control(window, QComboBox, "Font")
    assert isinstance(box, QComboBox)
    qtbot.waitUntil(lambda: box.count() == 2, timeout=WAIT_MS)
    assert [box.itemText(index) for index in range(2)] == ["Built-in", "Walls"]
    assert box.itemData(1, Qt.ItemDataRole.FontRole).family() == "Walls", "each name in its own letters"
    after_edit(qtbot, window, lambda: qtbot.keyClicks(text_field(window), "O"))
    ring = document_of(window).shape
    after_edit(qtbot, window, lambda: choose(window, "Font", "Walls"))
    assert document_of(window).spec.font == "Walls" and document_of(window).shape.columns < ring.columns
    after_edit(qtbot, window, lambda: choose(window, "Font", ""))
    assert document_of(window).shape.same_cells(ring)
    after_edit(qtbot, window, lambda: retype(window, "Ω"))
    assert "“Ω” is set in Walls" in summary(window).text() and not looks_wrong(summary(window))


def test_a_long_word_does_not_widen_the_panel(lettered: MainWindow, qtbot: QtBot) -> None:
    panel = lettered.workspace.panel
    before = panel.width(), lettered.workspace.shape.minimumSizeHint().width()
    retype(lettered, "LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL")
    qtbot.waitUntil(lambda: "LLLLLLLL" in summary(lettered).text(), timeout=WAIT_MS)
    assert (panel.width(), lettered.workspace.shape.minimumSizeHint().width()) == before


def test_letters_that_are_hard_to_read_are_a_warning_that_says_how_many_cells_they_need(
    lettered: MainWindow, qtbot: QtBot
) -> None:
    line = next(line for line in lettered.workspace.shape.content.findChildren(StatusLine) if line.isVisible())
    assert line.kind == NOTE and line.label is summary(lettered)
    retype(lettered, "Athens")
    qtbot.waitUntil(lambda: "hard to read: the text needs about" in line.label.text(), timeout=WAIT_MS)
    assert line.kind == WARNING
    colour = line.label.palette().color(QPalette.ColorRole.WindowText)
    assert colour == QColor(theme.current().warning)
    retype(lettered, "I")
    qtbot.waitUntil(lambda: line.kind == NOTE, timeout=WAIT_MS)


def test_a_word_too_long_for_the_photos_is_made_by_repeating_them(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(28)
    window.session.undo_stack.merge_seconds = -1.0  # however slow the computer is
    before = document_of(window)
    choose(window, "Shape", "text")
    retype(window, "KLASSE 4b")  # at once: on a slow machine the sheet would follow a part of it
    offer = window.workspace.shape.content.findChildren(RepeatOffer)[0]
    qtbot.waitUntil(offer.isVisible, timeout=WAIT_MS)
    shape = document_of(window).shape
    assert control(window, QLabel, f"{shape.rows} × {shape.columns}").isVisible(), "until the word can be"
    needed = int(re.findall(r"\d+", offer.text())[0])
    assert needed > 28 and offer.text() == f"Repeat photos on {needed} cells"
    offer.click()
    qtbot.waitUntil(lambda: document_of(window).shape.count == needed, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    layout = layout_of(window)
    assert (layout.photo_at >= 0).all() and set(layout.shown) == set(range(28)), "every photo, and no empty cell"
    assert document_of(window).spec.text == text_field(window).text() == "KLASSE 4b"
    undo(window)
    assert document_of(window).spec == before.spec and document_of(window).options == before.options, "one step"


def test_repeating_is_for_the_text_for_which_it_was_accepted(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(28)
    window.session.undo_stack.merge_seconds = -1.0
    before = document_of(window).options
    choose(window, "Shape", "text")
    retype(window, "KLASSE 4b")
    offer = window.workspace.shape.content.findChildren(RepeatOffer)[0]
    qtbot.waitUntil(offer.isVisible, timeout=WAIT_MS)
    after_edit(qtbot, window, offer.click)
    assert offer.isVisible() and offer.text() == "As many cells as photos", "the way back"
    assert document_of(window).spec.cells > 28 and document_of(window).options.fill == "repeat"
    after_edit(qtbot, window, lambda: retype(window, "HI"))
    assert document_of(window).shape.count == 28 and document_of(window).options == before
    assert (layout_of(window).photo_at >= 0).all() and not offer.isVisible()
    undo(window)
    assert document_of(window).spec.cells > 28 and document_of(window).options.fill == "repeat", "one step"


def test_one_cell_a_photo_again_for_the_same_text(lettered: MainWindow, qtbot: QtBot) -> None:
    offer = lettered.workspace.shape.content.findChildren(RepeatOffer)[0]
    retype(lettered, "Athens")
    qtbot.waitUntil(lambda: offer.isVisible() and "Repeat" in offer.text(), timeout=WAIT_MS)
    after_edit(qtbot, lettered, offer.click)
    assert document_of(lettered).shape.count > 60 and offer.text() == "As many cells as photos"
    after_edit(qtbot, lettered, offer.click)
    spec = document_of(lettered).spec
    assert spec.text == "Athens" and not spec.cells and document_of(lettered).shape.count == 60
    assert document_of(lettered).options.fill == "end"
