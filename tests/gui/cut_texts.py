"""Finds texts that are wider or higher than their room, in every widget that is seen."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QToolButton,
    QWidget,
)

from album_app.gui.controls.sections import IconChoiceBox

FRAME_PX = 4
"""Pixels that a field keeps free around its placeholder."""
WITH_WORDS = (
    Qt.ToolButtonStyle.ToolButtonTextOnly,
    Qt.ToolButtonStyle.ToolButtonTextBesideIcon,
    Qt.ToolButtonStyle.ToolButtonTextUnderIcon,
)


def cut_texts(root: QWidget) -> list[str]:
    """The texts below a widget that do not fit, each with the pixels that it needs and has."""
    for _ in range(3):  # a layout may ask the one around it to be made anew
        QApplication.processEvents()
    seen = [widget for widget in [root, *root.findChildren(QWidget)] if widget.isVisible()]
    found = [f"{text!r} needs {need} and has {room}" for widget in seen for text, need, room in _rooms(widget)]
    sideways = [area for area in seen if isinstance(area, QScrollArea) and area.horizontalScrollBar().maximum()]
    return found + [f"{area.objectName()} scrolls sideways" for area in sideways]


def _rooms(widget: QWidget) -> Iterator[tuple[str, int, int]]:
    """A text of the widget that needs more room than there is: the text, what it needs and what it has."""
    text, need, room = _measure(widget)
    if text and need > room:
        yield text, need, room


def _measure(widget: QWidget) -> tuple[str, int, int]:
    metrics = widget.fontMetrics()
    if isinstance(widget, QLabel):
        return _measure_label(widget)
    if isinstance(widget, QToolButton):
        worded = widget.toolButtonStyle() in WITH_WORDS or widget.icon().isNull()
        return (widget.text() if worded else ""), widget.sizeHint().width(), widget.width()
    if isinstance(widget, QAbstractButton):
        return widget.text(), widget.sizeHint().width(), widget.width()
    if isinstance(widget, QComboBox) and not isinstance(widget, IconChoiceBox):
        option, part = QStyleOptionComboBox(), QStyle.SubControl.SC_ComboBoxEditField
        widget.initStyleOption(option)
        room = widget.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, widget).width()
        return widget.currentText(), metrics.horizontalAdvance(widget.currentText()), room
    if isinstance(widget, QLineEdit) and not isinstance(widget.parentWidget(), QAbstractSpinBox):
        frame = QStyleOptionFrame()
        widget.initStyleOption(frame)
        room = widget.style().subElementRect(QStyle.SubElement.SE_LineEditContents, frame, widget).width() - FRAME_PX
        words = "" if widget.text() else widget.placeholderText()
        return words, metrics.horizontalAdvance(words), room
    if isinstance(widget, QAbstractSpinBox):
        return widget.text(), metrics.horizontalAdvance(widget.text()), widget.lineEdit().width()
    return "", 0, 0


def _measure_label(label: QLabel) -> tuple[str, int, int]:
    if label.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Ignored:  # it is meant to be shortened
        return "", 0, 0
    if label.wordWrap():
        return label.text(), label.heightForWidth(label.width()), label.height()
    return label.text(), label.sizeHint().width(), label.width()
