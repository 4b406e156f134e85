"""In a longer language nothing is cut, in the smallest window either."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
)
from pytestqt.qtbot import QtBot

from album_app import language
from album_app.gui.canvas.cards.alternatives import SHORT, SIDE
from album_app.gui.window.main_window import MainWindow
from album_app.layout.insight import FIT_WORDS
from tests.gui.conftest import OpenWindow


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


def is_cut(widget: QLabel | QCheckBox) -> bool:
    if isinstance(widget, QLabel) and widget.wordWrap():
        return widget.heightForWidth(widget.width()) > widget.height()
    return widget.sizeHint().width() > widget.width()


@pytest.mark.parametrize("name", ["preferences", "shortcuts", "export"])
def test_no_words_of_a_dialog_are_cut(window: MainWindow, qtbot: QtBot, name: str) -> None:
    dialog = open_dialog(window, name)
    formats = dialog.findChildren(QComboBox)[1] if name == "export" else None
    for place in range(formats.count() if formats is not None else 1):
        if formats is not None:
            formats.setCurrentIndex(place)
        QApplication.processEvents()
        told = [widget for kind in (QLabel, QCheckBox) for widget in dialog.findChildren(kind) if widget.isVisible()]
        assert [widget.text() for widget in told if widget.text() and is_cut(widget)] == []
        assert formats is None or room_in(formats) >= formats.fontMetrics().horizontalAdvance(formats.currentText())
    dialog.close()


def room_in(combo: QComboBox) -> int:
    option, part = QStyleOptionComboBox(), QStyle.SubControl.SC_ComboBoxEditField
    combo.initStyleOption(option)
    return combo.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, combo).width()


def test_the_shortcuts_need_no_scrolling_sideways(window: MainWindow) -> None:
    dialog = open_dialog(window, "shortcuts")
    assert dialog.findChildren(QScrollArea)[0].horizontalScrollBar().maximum() == 0
    dialog.close()


def test_how_well_a_photo_fits_is_told_in_words_that_have_room(window: MainWindow) -> None:
    metrics = window.workspace.canvas.strip.fontMetrics()
    wide = {words: metrics.horizontalAdvance(language.tr(words)) for words in SHORT.values()}
    assert language.current() == language.PSEUDO or max(wide.values()) <= SIDE, wide
    assert set(SHORT) == {words for _, words in FIT_WORDS}
