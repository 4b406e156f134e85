"""What the Shape section asks for each kind of shape: rows and columns, the pages of a book, or a text in letters."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QShowEvent
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from album_app.gui.controls.sections import ChoiceBox, LabelledSlider, row
from album_app.language import mark, tr
from album_app.layout import ShapeSpec
from album_app.layout.shapes.outlines import best_rectangle
from album_app.layout.shapes.pages import usual_grid
from album_app.layout.shapes.shape import Shape

MOST_ROWS = 1000
"""The most rows, and the most columns, that a grid can be given."""
MOST_PAGE_ROWS = 100
"""The most rows, and the most columns, that a page of a book can be given."""
MOST_PAGES = 5000
"""The most pages that a book can be given."""
LINES_SHOWN = 2
"""Height of the text field, in lines; a longer text scrolls."""
BUILT_IN = mark("Built-in")

ListFonts = Callable[[Callable[[Sequence[str]], None]], None]
"""Reads the names of the system's fonts off the GUI thread and calls back with them."""


class TextField(QPlainTextEdit):
    """A field for a few lines of text.

    Signals:
        textEdited(str): the user changed the text
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
        """Show a text; if it is shown already, the cursor stays where it is."""
        if text != self.text():
            with QSignalBlocker(self):
                self.setPlainText(text)


class GridFields(QWidget):
    """Rows and columns of a grid, or the number of photos that it shows, which gives both.

    `count_photos` counts the photos that take part, `count_covered` the cells that large photos on the sheet need in
    addition to one each.

    Signals:
        changed(dict): fields of the spec that the user gave another value
    """

    changed = Signal(dict)

    def __init__(self, count_photos: Callable[[], int], count_covered: Callable[[], int]) -> None:
        super().__init__()
        self._count_photos, self._count_covered = count_photos, count_covered
        self.photos = QSpinBox()
        self.photos.setAccessibleName(tr("Photos on the sheet"))
        self.photos.setToolTip(tr("Rows and columns follow; large photos are counted with all their cells."))
        self.photos.valueChanged.connect(self._on_photos)
        self.rows, self.columns = QSpinBox(), QSpinBox()
        for box, name in ((self.rows, tr("Rows")), (self.columns, tr("Columns"))):
            box.setRange(1, MOST_ROWS)
            box.setAccessibleName(name)
        self._lock = QCheckBox(tr("Keep a cell for every photo"))
        self._lock.setChecked(True)
        self.rows.valueChanged.connect(lambda rows: self._on_size(rows=rows))
        self.columns.valueChanged.connect(lambda columns: self._on_size(columns=columns))
        self._lock.toggled.connect(lambda on: self._on_size(rows=self.rows.value()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        fields = (tr("Rows"), self.rows), (tr("Columns"), self.columns), (tr("Photos"), self.photos)
        for widget in (*(row(name, box) for name, box in fields), self._lock):
            column.addWidget(widget)
        column.addStretch(1)

    def show_spec(self, spec: ShapeSpec, shape: Shape) -> None:
        """Show the grid of a spec, or of the shape if the spec leaves it open.

        The box is unticked if some photos have no cell.
        """
        self._show_size(spec.rows or shape.rows, spec.columns or shape.columns)
        if spec.kind == "rectangle" and shape.count < self._count_photos():
            self.keep_a_cell_for_every_photo(False)

    def keep_a_cell_for_every_photo(self, on: bool) -> None:
        """Tick or untick the box; rows and columns stay as they are."""
        with QSignalBlocker(self._lock):
            self._lock.setChecked(on)

    def _on_size(self, rows: int = 0, columns: int = 0) -> None:
        photos = max(1, self._count_photos())
        if self._lock.isChecked():
            rows, columns = (rows, -(-photos // rows)) if rows else (-(-photos // columns), columns)
        else:
            rows, columns = rows or self.rows.value(), columns or self.columns.value()
        self._show_size(rows, columns)
        self.changed.emit({"kind": "rectangle", "rows": rows, "columns": columns, "cells": 0})

    @Slot(int)
    def _on_photos(self, photos: int) -> None:
        """Take the rows and columns with a cell for each of this number of photos, and few empty ones."""
        rows, columns = best_rectangle(photos + self._count_covered())
        self.keep_a_cell_for_every_photo(photos >= self._count_photos())
        self._show_size(rows, columns)
        self.changed.emit({"kind": "rectangle", "rows": rows, "columns": columns, "cells": 0})

    def _show_size(self, rows: int, columns: int) -> None:
        for box, value in ((self.rows, rows), (self.columns, columns)):
            with QSignalBlocker(box):
                box.setValue(value)
        photos = max(1, self._count_photos())
        with QSignalBlocker(self.photos):
            self.photos.setRange(1, photos)
            self.photos.setValue(min(photos, rows * columns - self._count_covered()))


class BookFields(QWidget):
    """Number and size of a book's pages, and how photos are spread over them.

    Signals:
        changed(dict): fields of the spec that the user gave another value
    """

    changed = Signal(dict)

    def __init__(self) -> None:
        super().__init__()
        pages, rows, columns = QSpinBox(), QSpinBox(), QSpinBox()
        pages.setRange(0, MOST_PAGES)
        pages.setSpecialValueText(tr("as many as needed"))
        for side in (rows, columns):
            side.setRange(1, MOST_PAGE_ROWS)
        self.boxes = (pages, rows, columns)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        names = (tr("Pages"), tr("Page rows"), tr("Page columns"))
        for box, name, field in zip(self.boxes, names, ("pages", "rows", "columns"), strict=True):
            box.setAccessibleName(name)
            box.valueChanged.connect(lambda value, field=field: self.changed.emit({field: value}))
            column.addWidget(row(name, box))
        self._chapters = QCheckBox(tr("Pages are chapters"))
        self._chapters.setToolTip(tr("Photos in the order of time; a new page begins after a long pause."))
        self._chapters.clicked.connect(lambda on: self.changed.emit({"chapters": on}))
        column.addWidget(self._chapters)
        self._fill = QCheckBox(tr("Photos fill the page"))
        self._fill.setToolTip(tr("Where a page has empty cells, its photos grow until they fill it."))
        self._fill.clicked.connect(lambda on: self.changed.emit({"fill_pages": on}))
        column.addWidget(self._fill)
        column.addStretch(1)

    def show_spec(self, spec: ShapeSpec, shape: Shape) -> None:
        """Show the pages of a spec, or of the shape if the spec leaves them open."""
        rows, columns = usual_grid(shape.count) if shape.pages is None else (shape.pages.rows, shape.pages.columns)
        asked = (spec.pages, spec.rows or rows, spec.columns or columns) if spec.kind == "pages" else (0, rows, columns)
        for box, value in zip(self.boxes, asked, strict=True):
            with QSignalBlocker(box):
                box.setValue(value)
        self._chapters.setChecked(spec.chapters)
        self._fill.setChecked(spec.fill_pages)


class LetteringFields(QWidget):
    """A text whose letters are the shape: its words, font, weight and spacing.

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
        """Show the text of a spec and how it is set."""
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
        """Offer the system's fonts, each name written in its own font."""
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
    """Whether the name of a font can be written in the font itself; a font of symbols has no letters for it."""
    written = QFontDatabase.writingSystems(family)
    return not written or QFontDatabase.WritingSystem.Latin in written


def in_column(*widgets: QWidget) -> QWidget:
    """A widget that shows others below each other."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(8)
    for widget in widgets:
        column.addWidget(widget)
    column.addStretch(1)
    return page
