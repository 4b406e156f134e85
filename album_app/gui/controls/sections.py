"""Building blocks of the side panel and of dialogs: sections, rows of controls, boxes of choices and of colours."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QIcon,
    QImage,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QColorDialog,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from album_app.gui.controls.input import LeaveWheel
from album_app.gui.style import theme
from album_app.gui.style.design import APART, ROOM, ROUND, SMALL_ICON_PX, SNUG, TIGHT
from album_app.gui.style.icons import icon, pixmap
from album_app.language import mark, number, tr

MOST_CHOICES = 16
"""The most choices that a list shows without scrolling."""
MOVING_KEYS = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)
COMMAND_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
"""A letter with one of these modifiers is a command and does not choose an entry."""
COLOURS = {
    "white": mark("White"),
    "#f4f1ea": mark("Paper"),
    "#808080": mark("Grey"),
    "#202124": mark("Charcoal"),
    "black": mark("Black"),
}
TRANSPARENT, OTHER = "transparent", "other"
"""Choices of a `ColourBox` that are not colours."""


class ChoiceBox(QComboBox):
    """A combo box that changes only by a click or Enter: while it is closed, keys open it and the wheel is ignored.

    `choices` maps values to the words that are shown for them.
    """

    def __init__(self, choices: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.setMaxVisibleItems(MOST_CHOICES)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel does not focus it
        for value, words in (choices or {}).items():
            self.addItem(words, value)

    def set_apart(self, value: str, heading: str) -> None:
        """Put a separator and a heading, which cannot be chosen, before the choice for a value."""
        place = self.findData(value)
        self.insertSeparator(place)
        self.insertItem(place + 1, heading)
        model = self.model()
        if isinstance(model, QStandardItemModel):
            model.item(place + 1).setEnabled(False)

    def show_value(self, value: object) -> None:
        """Show the choice for a value, or nothing if there is none."""
        self.setCurrentIndex(self.findData(value))

    def showPopup(self) -> None:
        """Open the list as wide as its longest choice, even where the box is narrower."""
        view = self.view()
        wanted = view.sizeHintForColumn(0) + 2 * APART
        if self.count() > self.maxVisibleItems():
            wanted += self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        view.setMinimumWidth(min(wanted, self.screen().availableGeometry().width() // 2))
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        letter = event.text() if event.text().isprintable() and not event.modifiers() & COMMAND_MODIFIERS else ""
        if event.key() in MOVING_KEYS:
            self.showPopup()
        elif letter.strip():
            self.showPopup()
            self.view().keyboardSearch(letter)
        else:
            super().keyPressEvent(event)


ICON_BOX_PX = 30
"""Side of a choice box that shows an icon."""


class IconChoiceBox(ChoiceBox):
    """A choice box that shows an icon instead of words; the icon has the accent colour unless the first is chosen."""

    def __init__(self, picture: str, choices: Mapping[str, str] | None = None) -> None:
        super().__init__(choices)
        self._picture = picture
        self.setObjectName("iconChoice")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(ICON_BOX_PX, ICON_BOX_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, option = theme.current(), QStyleOptionComboBox()
        self.initStyleOption(option)
        raised = self.hasFocus() or bool(option.state & QStyle.StateFlag.State_MouseOver)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if raised:
                painter.setPen(QColor(palette.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
                painter.setBrush(QColor(palette.hover))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), ROUND, ROUND)
            colour = palette.accent if self.currentIndex() > 0 else palette.muted
            picture = pixmap(self._picture, colour, SMALL_ICON_PX, self.devicePixelRatioF())
            at = (self.width() - SMALL_ICON_PX) // 2, (self.height() - SMALL_ICON_PX) // 2
            painter.drawPixmap(*at, picture)


SHARP = 2
"""Device pixels per pixel of small pictures, for screens that have as many."""


class ColourBox(ChoiceBox):
    """A box to choose a colour: a name or #rrggbb, or None for transparent.

    Signals:
        changed(): another colour was chosen
    """

    changed = Signal()

    def __init__(self, name: str, transparent: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setIconSize(QSize(14, 14))
        for colour, title in COLOURS.items():
            self.addItem(_swatch(colour), tr(title), colour)
        if transparent:
            self.addItem(tr("Transparent"), TRANSPARENT)
        self.addItem(tr("Other…"), OTHER)
        self._last = 0
        self.activated.connect(self._on_chosen)

    @property
    def colour(self) -> str | None:
        value = self.currentData()
        return None if value == TRANSPARENT else str(value)

    def set_colour(self, colour: str | None) -> None:
        """Show a colour without a signal."""
        place = self.findData(TRANSPARENT if colour is None else colour)
        if place < 0 and colour is not None:
            place = self.count() - 1
            self.insertItem(place, _swatch(colour), colour, colour)
        self.setCurrentIndex(max(0, place))
        self._last = self.currentIndex()

    @Slot(int)
    def _on_chosen(self, index: int) -> None:
        if self.itemData(index) != OTHER:
            self._last = index
            self.changed.emit()
            return
        dialog = QColorDialog(self)
        dialog.colorSelected.connect(self._on_other)
        dialog.rejected.connect(lambda: self.setCurrentIndex(self._last))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(QColor)
    def _on_other(self, colour: QColor) -> None:
        self.set_colour(colour.name())
        self.changed.emit()


def _swatch(colour: str) -> QIcon:
    picture = QPixmap(28, 28)
    picture.fill(QColor("#8a8a8a"))
    with QPainter(picture) as painter:
        painter.fillRect(2, 2, 24, 24, QColor(colour))
    return QIcon(picture)


def square_picture(picture: QImage | None, side: int) -> QPixmap:
    """The middle square of a photo; transparent before the photo is read."""
    square = QPixmap(SHARP * side, SHARP * side)
    square.fill(Qt.GlobalColor.transparent)
    if picture is not None:
        least = min(picture.width(), picture.height())
        middle = QRect((picture.width() - least) // 2, (picture.height() - least) // 2, least, least)
        with QPainter(square) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(square.rect(), picture, middle)
    return square


STEPS = 100
"""Steps of a slider from end to end."""
NOTE_WIDTH = 130
"""The most pixels of the note across from a section's title."""
WIDEST_LABEL = 130
"""The most pixels that labels of aligned rows get."""
WIDEST_VALUE = "00 × 00"
"""All sliders leave room for this value, so that they are equally long and keep their length as values change."""
Some = TypeVar("Some", bound=QWidget)


class FoldButton(QToolButton):
    """The title of a section. Enter presses it, too, where a dialog would take Enter for its default button."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class Section(QFrame):
    """A titled part of the panel that folds away."""

    def __init__(self, title: str, open_at_first: bool = True) -> None:
        super().__init__()
        named(self, title, "sectionHeader")
        self.title = title
        self._button = named(FoldButton(), tr("{title} section", title=title), "sectionTitle")
        self._button.setText(title)
        self._button.setCheckable(True)
        self._button.setChecked(open_at_first)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setIconSize(QSize(11, 11))
        self.content = QWidget()
        self.body = QVBoxLayout(self.content)
        self.body.setContentsMargins(TIGHT, 0, TIGHT, ROOM)
        self.body.setSpacing(SNUG)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(ROOM, 0, ROOM, 0)
        self._column.setSpacing(0)
        self._note = muted()
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, TIGHT, 0)
        head.addWidget(self._button)
        head.addStretch(1)
        head.addWidget(self._note)
        self._column.addLayout(head)
        self._column.addWidget(self.content)
        self._button.toggled.connect(self._fold)
        self._fold(open_at_first)

    def stand_alone(self) -> None:
        """Drop the margins, for a section in a dialog instead of the panel."""
        self._column.setContentsMargins(0, 0, 0, 0)
        self.body.setContentsMargins(0, 0, 0, 0)

    def _fold(self, is_open: bool) -> None:
        self.content.setVisible(is_open)
        self._draw_mark()

    @property
    def is_open(self) -> bool:
        return self._button.isChecked()

    def set_open(self, is_open: bool) -> None:
        self._button.setChecked(is_open)

    def set_note(self, note: str) -> None:
        """Show a short text across from the title, such as a count."""
        shown = self._note.fontMetrics().elidedText(note, Qt.TextElideMode.ElideRight, NOTE_WIDTH)
        self._note.setText(shown)
        self._note.setToolTip(note if shown != note else "")

    def refresh_theme(self) -> None:
        """Take on the colours of the theme in use."""
        self._draw_mark()

    def _draw_mark(self) -> None:
        self._button.setIcon(icon("chevron-down" if self.is_open else "chevron-right", theme.current().muted))


def percent(value: float) -> str:
    """A share between 0 and 1 as a percentage."""
    return tr("{share} %", share=number(round(100 * value)))


class LabelledSlider(QWidget):
    """A slider over a range of numbers with words for both ends, and its value in words next to it.

    Signals:
        changed(float): the user moved it
    """

    changed = Signal(float)

    def __init__(
        self,
        name: str,
        left: str,
        right: str,
        low: float = 0.0,
        high: float = 1.0,
        words: Callable[[float], str] = percent,
    ) -> None:
        super().__init__()
        self._low, self._high, self._words = low, high, words
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS)
        self.slider.setAccessibleName(name)
        LeaveWheel(self.slider)
        self.slider.valueChanged.connect(self._on_value)
        self._value = QLabel(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._value.setMinimumWidth(self._value.fontMetrics().horizontalAdvance(WIDEST_VALUE))
        ends, across = QHBoxLayout(), QHBoxLayout()
        ends.setSpacing(TIGHT)
        ends.addWidget(muted(left))
        ends.addStretch(1)
        ends.addWidget(muted(right))
        across.setSpacing(SNUG)
        across.addWidget(self.slider, 1)
        across.addWidget(self._value)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addLayout(ends)
        column.addLayout(across)
        self.setFocusProxy(self.slider)
        self.tell_value()

    @Slot()
    def _on_value(self) -> None:
        self.tell_value()
        self.changed.emit(self.value)

    def tell_value(self) -> None:
        """Show the value in words."""
        words = self._words(self.value)
        self._value.setText(words)
        self.slider.setAccessibleDescription(words)

    @property
    def value(self) -> float:
        return round(self._low + (self._high - self._low) * self.slider.value() / STEPS, 4)

    def show_value(self, value: float) -> None:
        """Move the slider without a signal."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round((value - self._low) / (self._high - self._low) * STEPS))
        self.tell_value()


def named(widget: Some, name: str, style: str = "") -> Some:
    """The widget, given a name for screen readers and one for the style sheet."""
    widget.setAccessibleName(name)
    widget.setObjectName(style)
    return widget


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget a role of the style sheet."""
    set_look(widget, "role", role)


def set_look(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet selects by, and have Qt apply the style sheet again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def without_idle_handle(area: QAbstractScrollArea) -> None:
    """Hide the handle of the vertical scroll bar, which is always shown, while there is nothing to scroll."""
    bar = area.verticalScrollBar()
    bar.rangeChanged.connect(lambda least, most: bar.setEnabled(most > least))
    bar.setEnabled(bar.maximum() > bar.minimum())


def row(label: str, *controls: QWidget, width: int = 84) -> QWidget:
    """A label followed by its controls; the label is the name of controls that have none, for screen readers."""
    line = QWidget()
    across = QHBoxLayout(line)
    across.setContentsMargins(0, 0, 0, 0)
    across.setSpacing(8)
    name = QLabel(label)
    name.setMinimumWidth(width)
    name.setBuddy(controls[0])
    across.addWidget(name)
    for control in controls:
        control.setMinimumWidth(60)
        if isinstance(control, QAbstractSpinBox):
            LeaveWheel(control)
        inner = control.findChild(QLineEdit) if isinstance(control, QAbstractSpinBox) else None
        if isinstance(inner, QLineEdit):
            inner.setTextMargins(5, 0, 0, 0)  # the padding of a style sheet has no effect on it
        across.addWidget(control, 1)
        if not control.accessibleName():
            control.setAccessibleName(label)
    return line


def align_rows(form: QWidget, widest: int = WIDEST_LABEL) -> None:
    """Align the controls in all rows of a form by giving their labels one width."""
    labels = [label for label in form.findChildren(QLabel) if label.buddy() is not None]
    width = min(widest, max((label.sizeHint().width() for label in labels), default=0))
    for label in labels:
        label.setMinimumWidth(max(width, label.minimumWidth()))


def under(label: str, control: QWidget) -> QWidget:
    """A control as wide as the panel below its label, for long words."""
    made = row(label, control)
    across = made.layout()
    if isinstance(across, QHBoxLayout):
        across.setDirection(QHBoxLayout.Direction.TopToBottom)
        across.setSpacing(4)
    return made


def muted(text: str = "", wrap: bool = False) -> QLabel:
    """A label in a muted colour."""
    label = QLabel(text)
    label.setProperty("role", "muted")
    label.setWordWrap(wrap)
    return label


def button(text: str, run: Callable[[], None], hint: str = "") -> QPushButton:
    """A push button that calls a function without arguments."""
    made = QPushButton(text)
    made.setAccessibleName(hint or text)
    made.setToolTip(hint)
    made.clicked.connect(lambda checked=False: run())
    made.setMinimumWidth(60)
    return made


def button_row(buttons: Sequence[QPushButton]) -> QWidget:
    """Buttons side by side, of equal width if their words fit."""
    line = QWidget()
    across = QHBoxLayout(line)
    across.setContentsMargins(0, 0, 0, 0)
    across.setSpacing(6)
    for each in buttons:
        each.setMinimumWidth(0)  # it is as wide as its words then
        across.addWidget(each, 1)
    return line
