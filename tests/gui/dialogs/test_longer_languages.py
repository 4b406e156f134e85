"""In a longer language nothing is cut, in the smallest window either."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QWidget,
)
from pytestqt.qtbot import QtBot

from album_app import language
from album_app.gui.canvas.photo_cards import ALTERNATIVE_SIDE_PX, SHORT_FIT_WORDS
from album_app.gui.dialogs.export.preview import PreviewBar
from album_app.gui.window.large_view.lightbox import Lightbox
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.stacks import stacked
from album_app.layout.evaluation.insight import FIT_WORDS
from tests.gui.conftest import OpenWindow, wait_until_settled
from tests.gui.cut_texts import cut_texts
from tests.gui.hands import layout_of, proposed, tray_of


@pytest.fixture(params=[language.PSEUDO, "de"])
def window(request: pytest.FixtureRequest, open_window: OpenWindow) -> Iterator[MainWindow]:
    language.use(request.param)
    window = open_window(6)
    window.resize(900, 600)
    yield window
    language.use(language.ENGLISH)


def open_dialog(window: MainWindow, name: str) -> QDialog:
    window.actions_table[name].trigger()
    QApplication.processEvents()
    return next(dialog for dialog in window.findChildren(QDialog) if dialog.isVisible())


def is_cut(widget: QLabel | QCheckBox | QPushButton) -> bool:
    if isinstance(widget, QLabel) and widget.wordWrap():
        return widget.heightForWidth(widget.width()) > widget.height()
    return widget.sizeHint().width() > widget.width()


def cut_words(dialog: QDialog) -> list[str]:
    QApplication.processEvents()
    reported = [widget for kind in (QLabel, QCheckBox) for widget in dialog.findChildren(kind) if widget.isVisible()]
    return [widget.text() for widget in reported if widget.text() and is_cut(widget)]


def test_no_words_of_the_export_are_cut(window: MainWindow) -> None:
    dialog = open_dialog(window, "export")
    formats = dialog.findChildren(QComboBox)[1]
    for place in range(formats.count()):
        formats.setCurrentIndex(place)
        assert cut_words(dialog) == []
        assert room_in(formats) >= formats.fontMetrics().horizontalAdvance(formats.currentText())
    dialog.close()


def test_the_export_fits_into_a_small_window_with_the_offer_to_fill_the_paper(window: MainWindow) -> None:
    window.resize(1280, 720)
    dialog = open_dialog(window, "export")
    dialog.findChild(PreviewBar).offer_to_fill(0.5, is_screen=True)
    assert cut_words(dialog) == [] and dialog.minimumSizeHint().width() <= 1240
    dialog.close()


def test_no_words_of_preferences_and_shortcuts_are_cut_or_need_scrolling_sideways(window: MainWindow) -> None:
    for name in ("preferences", "shortcuts"):
        dialog = open_dialog(window, name)
        assert cut_words(dialog) == [], name
        for box in dialog.findChildren(QComboBox):
            assert room_in(box) >= box.fontMetrics().horizontalAdvance(box.currentText()), box.currentText()
        if name == "shortcuts":
            assert dialog.findChildren(QScrollArea)[0].horizontalScrollBar().maximum() == 0
        dialog.close()


def room_in(combo: QComboBox) -> int:
    option, part = QStyleOptionComboBox(), QStyle.SubControl.SC_ComboBoxEditField
    combo.initStyleOption(option)
    return combo.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, combo).width()


def test_how_well_a_photo_fits_is_told_in_words_that_have_room(window: MainWindow) -> None:
    metrics = window.workspace.canvas.strip.fontMetrics()
    wide = {words: metrics.horizontalAdvance(language.tr(words)) for words in SHORT_FIT_WORDS.values()}
    assert language.current() == language.PSEUDO or max(wide.values()) <= ALTERNATIVE_SIDE_PX, wide
    assert set(SHORT_FIT_WORDS) == {words for _, words in FIT_WORDS}


def test_what_can_be_typed_into_the_filter_is_told_in_full(window: MainWindow) -> None:
    window.workspace.show_side("tray", True)
    QApplication.processEvents()
    field, style = tray_of(window).field, QStyleOptionFrame()
    field.initStyleOption(style)
    room = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, style, field).width()
    assert field.fontMetrics().horizontalAdvance(field.placeholderText()) <= room - 4


def test_no_words_of_a_card_are_cut(window: MainWindow, qtbot: QtBot) -> None:
    canvas, session = window.workspace.canvas, window.session
    session.edit(stacked, [(0, 1)])
    wait_until_settled(qtbot, session)
    canvas.stack_card.show_for(0)
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    QApplication.processEvents()
    for card in (canvas.stack_card, canvas.proposal_bar):
        reported = [each for kind in (QLabel, QPushButton) for each in card.findChildren(kind) if each.isVisible()]
        assert reported and [each.text() for each in reported if each.text() and is_cut(each)] == []
        assert all(card.rect().contains(each.geometry()) for each in reported if each.parent() is card)
        assert card.height() >= card.heightForWidth(card.width())


@pytest.mark.parametrize("name", ["preferences", "export"])
def test_fields_begin_below_each_other(window: MainWindow, name: str) -> None:
    dialog = open_dialog(window, name)
    assert len(starts_in(dialog)) == 1
    dialog.close()


def test_no_words_of_a_section_are_cut(window: MainWindow) -> None:
    for section in window.workspace.sections:
        section.set_open(True)
    QApplication.processEvents()
    for section in window.workspace.sections:
        reported = [each for kind in (QLabel, QCheckBox, QPushButton) for each in section.findChildren(kind)]
        assert [each.text() for each in reported if each.text() and each.isVisible() and is_cut(each)] == []


def test_fields_of_a_section_begin_below_each_other(window: MainWindow) -> None:
    for section in window.workspace.sections:
        section.set_open(True)
    QApplication.processEvents()
    assert all(len(starts_in(section)) <= 1 for section in window.workspace.sections)


def starts_in(form: QWidget) -> set[int]:
    """Where the fields of a form begin that stand next to their names."""
    labels = [label for label in form.findChildren(QLabel) if label.buddy() is not None and label.isVisible()]
    fields = {label: label.buddy().mapTo(form, QPoint()).x() for label in labels}
    return {x for label, x in fields.items() if x >= label.mapTo(form, QPoint(label.width(), 0)).x()}


WIDER = 115
"""Per cent of the width of this machine's own typeface: as between one ordinary typeface and another."""
FACES = [(language.ENGLISH, 100), ("de", 100), (language.PSEUDO, 100), (language.ENGLISH, WIDER), ("de", WIDER)]


@pytest.fixture(params=FACES, ids=lambda face: f"{face[0]}-{face[1]}")
def usual_window(request: pytest.FixtureRequest, open_window: OpenWindow, qapp: QApplication) -> Iterator[MainWindow]:
    usual, (spoken, width) = qapp.font(), request.param
    wider = qapp.font()
    wider.setStretch(width)
    qapp.setFont(wider)
    language.use(spoken)
    window = open_window(12)
    window.resize(1280, 720)
    yield window
    language.use(language.ENGLISH)
    qapp.setFont(usual)


def test_no_text_is_cut_in_any_part_of_the_window(usual_window: MainWindow, qtbot: QtBot) -> None:
    window = usual_window
    assert cut_texts(window) == [], "the sheet"
    window.actions_table["pin_corners"].trigger()
    proposed(qtbot, window)
    assert cut_texts(window) == [], "a question about pins"
    window.parts.proposals.accept()
    for section in window.workspace.sections:
        section.set_open(True)
    assert cut_texts(window) == [], "the panel with pins and open sections"
    window.session.select((3,), layout_of(window).cell_of(3))
    for name in ("about", "preferences", "shortcuts", "export", "print"):
        dialog = open_dialog(window, name)
        assert cut_texts(dialog) == [], name
        dialog.close()
    window.actions_table["crop"].trigger()
    lightbox = window.findChild(Lightbox)
    assert isinstance(lightbox, Lightbox) and cut_texts(lightbox) == [], "the crop mode"
    room, metrics = lightbox.width() - lightbox.controls.bar_width, lightbox.fontMetrics()
    assert metrics.horizontalAdvance(lightbox.line_within(room, metrics)) <= room
    lightbox.close_view()


def test_the_window_is_mirrored_where_people_read_from_right_to_left(window: MainWindow) -> None:
    QApplication.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        window.resize(1280, 720)
        window.apply_preferences()
        assert cut_texts(window) == []
        places = [part.mapTo(window, QPoint(0, 0)).x() for part in (tray_of(window), window.workspace.panel)]
        assert places[0] > places[1], "the tray is on the right"
        window.session.select((3,), layout_of(window).cell_of(3))
        window.actions_table["large"].trigger()
        lightbox = window.findChild(Lightbox)
        assert isinstance(lightbox, Lightbox)
        buttons = lightbox.controls.buttons
        assert buttons["close"].x() < lightbox.width() / 2 and buttons["pin"].mapTo(lightbox, QPoint()).x() < 400
        assert buttons["left"].x() < buttons["right"].x(), "the sheet itself is not mirrored"
        lightbox.close_view()
    finally:
        QApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        window.apply_preferences()
