"""What rows × columns ask for in the Shape section: how many of each, and whether every photo shall have a cell."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QSpinBox, QVBoxLayout, QWidget

from album_app.gui.controls.sections import row
from album_app.language import tr
from album_app.layout.shapes.shape import Shape, ShapeSpec

LARGEST_SIDE = 1000


class GridPage(QWidget):
    """Shows and changes the rows and columns of a spec.

    Signals:
        changed(dict): fields of the spec that the user gave another value
    """

    changed = Signal(dict)

    def __init__(self, count_photos: Callable[[], int]) -> None:
        super().__init__()
        self._count_photos = count_photos
        self.rows, self.columns = QSpinBox(), QSpinBox()
        for box, name in ((self.rows, tr("Rows")), (self.columns, tr("Columns"))):
            box.setRange(1, LARGEST_SIDE)
            box.setAccessibleName(name)
        self._lock = QCheckBox(tr("Keep a cell for every photo"))
        self._lock.setChecked(True)
        self.rows.valueChanged.connect(lambda rows: self._on_size(rows=rows))
        self.columns.valueChanged.connect(lambda columns: self._on_size(columns=columns))
        self._lock.toggled.connect(lambda on: self._on_size(rows=self.rows.value()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (row(tr("Rows"), self.rows), row(tr("Columns"), self.columns), self._lock):
            column.addWidget(widget)
        column.addStretch(1)

    def show_spec(self, spec: ShapeSpec, shape: Shape) -> None:
        """Show what was asked for; where photos have no cell, nothing says that each keeps one."""
        self._show_size(spec.rows or shape.rows, spec.columns or shape.columns)
        if spec.kind == "rectangle" and shape.count < self._count_photos():
            self.keep_a_cell_for_every_photo(False)

    def keep_a_cell_for_every_photo(self, on: bool) -> None:
        """Tick the box or not, without another size."""
        with QSignalBlocker(self._lock):
            self._lock.setChecked(on)

    def _on_size(self, rows: int = 0, columns: int = 0) -> None:
        photos = max(1, self._count_photos())
        if self._lock.isChecked():
            rows, columns = (rows, -(-photos // rows)) if rows else (-(-photos // columns), columns)
        else:
            rows, columns = rows or self.rows.value(), columns or self.columns.value()
        self._show_size(rows, columns)
        self.changed.emit({"kind": "rectangle", "rows": rows, "columns": columns})

    def _show_size(self, rows: int, columns: int) -> None:
        for box, value in ((self.rows, rows), (self.columns, columns)):
            with QSignalBlocker(box):
                box.setValue(value)
