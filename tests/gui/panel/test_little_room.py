"""The side panel in little room: it scrolls, and nothing in it is cut off."""

from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)

from album_app import language
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import OpenWindow
from tests.gui.hands import canvas_of, document_of
from tests.gui.panel.panel_hands import control


def shown_control(window: MainWindow, kind: type, name: str) -> QWidget:
    """A control of the side panel, scrolled into sight."""
    found = control(window, kind, name)
    QApplication.processEvents()  # a section just unfolded gets its room
    window.workspace.panel.ensureWidgetVisible(found)
    QApplication.processEvents()
    return found


def turn_wheel(widget: QWidget, notches: int) -> None:
    """As the window system tells it, so that it goes on to whatever is around the widget."""
    window = widget.window()
    QTest.wheelEvent(window.windowHandle(), widget.mapTo(window, widget.rect().center()), QPoint(0, 120 * notches))
    QApplication.processEvents()


def test_the_wheel_scrolls_the_panel_and_not_what_it_passes(window: MainWindow) -> None:
    window.resize(900, 560)
    for section in window.workspace.sections:
        section.set_open(True)
    bar, options = window.workspace.panel.verticalScrollBar(), document_of(window).options
    for kind, name in ((QSlider, "Follow the pins"), (QComboBox, "Compare by"), (QAbstractSpinBox, "ε: ")):
        widget = shown_control(window, kind, name)
        before = bar.value()
        canvas_of(window).setFocus()
        turn_wheel(widget, 1 if before else -1)
        assert bar.value() != before and document_of(window).options == options, name
        assert not widget.hasFocus(), name


def test_the_wheel_turns_a_control_in_use(window: MainWindow) -> None:
    slider = shown_control(window, QSlider, "Follow the pins")
    slider.setFocus()
    turn_wheel(slider, 1)
    assert document_of(window).options.follow != 0.5


def test_no_choice_of_the_panel_is_cut_off(window: MainWindow) -> None:
    for combo in window.workspace.panel.findChildren(QComboBox):
        option = QStyleOptionComboBox()
        combo.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = combo.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, combo).width()
        for place in range(combo.count()):
            assert combo.fontMetrics().horizontalAdvance(combo.itemText(place)) <= room, combo.itemText(place)


def test_the_panel_is_as_wide_as_a_longer_language_needs(open_window: OpenWindow) -> None:
    language.use(language.PSEUDO)
    try:
        workspace = open_window(6).workspace
        panel = workspace.panel
        for section in workspace.sections:
            section.set_open(True)
        QApplication.processEvents()
        assert panel.viewport().width() >= panel.widget().minimumSizeHint().width()
    finally:
        language.use(language.ENGLISH)


def test_the_panel_keeps_its_width_whatever_it_tells(window: MainWindow) -> None:
    window.resize(1280, 800)
    QApplication.processEvents()
    panel, widths = window.workspace.panel, set()
    grade = next(label for label in panel.findChildren(QLabel) if label.accessibleName() == "Neighbours")
    for words in ("Smooth", "A grade of very, very many words that nobody has thought of yet", "Smooth"):
        grade.setText(words)
        for section in window.workspace.sections:
            section.set_open(words == "Smooth")
        QApplication.processEvents()
        widths.add((panel.width(), panel.viewport().width(), canvas_of(window).width()))
    assert len(widths) == 1
