"""What a text asks for in the Shape section: the words on their lines, the font, weight and spacing."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QShowEvent
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from album_app.gui.controls.sections import ChoiceBox, LabelledSlider, row
from album_app.language import mark, tr, trn
from album_app.layout import Document, Options, ShapeSpec

LINES_SHOWN = 2
BUILT_IN = mark("Built-in")

ListFonts = Callable[[Callable[[Sequence[str]], None]], None]
"""Reads the names of the system's fonts off the GUI thread and hands them over."""


class TextField(QPlainTextEdit):
    """A field for a few lines of text.

    Signals:
        textEdited(str): the user changed it
    """

    textEdited = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(lambda: self.textEdited.emit(self.text()))

    def sizeHint(self) -> QSize:
        around = 2 * (self.frameWidth() + int(self.document().documentMargin())) + 8
        return QSize(120, LINES_SHOWN * self.fontMetrics().lineSpacing() + around)

    def text(self) -> str:
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        """Show a text; one that stands there already keeps its cursor."""
        if text != self.text():
            with QSignalBlocker(self):
                self.setPlainText(text)


class LetteringPage(QWidget):
    """Shows and changes what a spec says of its text.

    Signals:
        changed(dict): fields of the spec that the user gave another value
    """

    changed = Signal(dict)

    def __init__(self, list_fonts: ListFonts) -> None:
        super().__init__()
        self._list_fonts: ListFonts | None = list_fonts
        self.text = TextField()
        self.text.setPlaceholderText(tr("Type a word, in any script"))
        self.text.setToolTip(tr("Enter starts another line."))
        self._font = ChoiceBox()
        self._font.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._font.addItem(tr(BUILT_IN), "")
        self._font.setToolTip(tr("The built-in font looks the same on every computer."))
        self._wrap = QCheckBox(tr("Break long lines"))
        self._wrap.setToolTip(tr("Words go on several lines where that makes their letters larger."))
        self._weight = LabelledSlider(tr("Weight of the letters"), tr("Light", about="letters"), tr("Bold"))
        self._spacing = LabelledSlider(tr("Spacing of the letters"), tr("Tight"), tr("Wide apart"))
        self.text.textEdited.connect(lambda text: self.changed.emit({"text": text.replace("\\n", "\n")}))
        self._font.activated.connect(lambda index: self.changed.emit({"font": self._font.itemData(index)}))
        self._wrap.clicked.connect(lambda on: self.changed.emit({"wrap": on}))
        self._weight.changed.connect(lambda value: self.changed.emit({"weight": value}))
        self._spacing.changed.connect(lambda value: self.changed.emit({"spacing": value}))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (
            row(tr("Text"), self.text),
            row(tr("Font"), self._font),
            self._wrap,
            self._weight,
            self._spacing,
        ):
            column.addWidget(widget)
        column.addStretch(1)

    def show_spec(self, spec: ShapeSpec) -> None:
        """Show what a spec says."""
        self.text.set_text(spec.text)
        if self._font.findData(spec.font) < 0:
            self._font.addItem(spec.font, spec.font)
        self._font.show_value(spec.font)
        self._wrap.setChecked(spec.wrap)
        self._weight.show_value(spec.weight)
        self._spacing.show_value(spec.spacing)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._list_fonts is not None:
            self._list_fonts(self._offer_fonts)
            self._list_fonts = None

    @Slot(list)
    def _offer_fonts(self, names: Sequence[str]) -> None:
        """Offer the system's fonts, each name in its own letters."""
        chosen = self._font.currentData()
        self._font.clear()
        self._font.addItem(tr(BUILT_IN), "")
        for name in names:
            self._font.addItem(name, name)
            if is_readable_in(name):
                self._font.setItemData(self._font.count() - 1, QFont(name), Qt.ItemDataRole.FontRole)
        if self._font.findData(chosen) < 0:
            self._font.addItem(chosen, chosen)
        self._font.show_value(chosen)


def is_readable_in(family: str) -> bool:
    """Whether the name of a font can be read in its own letters: not in symbols."""
    written = QFontDatabase.writingSystems(family)
    return not written or QFontDatabase.WritingSystem.Latin in written


class RepeatOffer(QPushButton):
    """Offers what a class of thirty needs for a word of a hundred cells: each photo several times."""

    def __init__(self, accept: Callable[[int], None]) -> None:
        super().__init__()
        self._cells = 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # as wide as the panel, never wider
        self.clicked.connect(lambda checked=False: accept(self._cells))
        self.hide()

    def offer(self, cells: int, repeats: bool = False) -> None:
        """Offer this number of cells; for 0 offer nothing, or the way back where photos are repeated already."""
        self._cells = cells
        more = trn("Repeat photos on {count} cell", "Repeat photos on {count} cells", cells)
        self.setText(more if cells else tr("As many cells as photos"))
        self.setVisible(cells > 0 or repeats)


def repeats(spec: ShapeSpec) -> bool:
    """Whether letters have cells for photos again and again."""
    return spec.kind == "text" and spec.cells > 0


def fill_with(document: Document, spec: ShapeSpec) -> dict[str, str]:
    """What spare cells hold from now on: repeats where letters need them, and none after such letters."""
    if repeats(spec) and not repeats(document.spec):
        return {"fill": "repeat"}
    over = repeats(document.spec) and not repeats(spec) and document.options.fill == "repeat"
    return {"fill": Options.fill} if over else {}
