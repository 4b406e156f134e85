"""What a book asks for in the Shape section: how many pages, and the rows and columns of each."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QSpinBox, QVBoxLayout, QWidget

from album_app.gui.controls.sections import row
from album_app.language import tr
from album_app.layout.shapes.shape import PAGE, Shape, ShapeSpec

LARGEST_SIDE, MOST_PAGES = 100, 5000


class BookPage(QWidget):
    """Shows and changes what a spec says of its pages.

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
            side.setRange(1, LARGEST_SIDE)
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
        self._chapters.setToolTip(tr("Photos in the order of time; pages break where it pauses longest."))
        self._chapters.clicked.connect(lambda on: self.changed.emit({"chapters": on}))
        column.addWidget(self._chapters)
        column.addStretch(1)

    def show_spec(self, spec: ShapeSpec, shape: Shape) -> None:
        """Show what was asked for; where nothing was, what came of it."""
        rows, columns = PAGE if shape.pages is None else (shape.pages.rows, shape.pages.columns)
        asked = (spec.pages, spec.rows or rows, spec.columns or columns) if spec.kind == "pages" else (0, rows, columns)
        for box, value in zip(self.boxes, asked, strict=True):
            with QSignalBlocker(box):
                box.setValue(value)
        self._chapters.setChecked(spec.chapters)
