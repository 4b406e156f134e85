"""The question before very many photos are opened: a summary on a sheet with fewer cells, or all of them."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QSpinBox, QVBoxLayout, QWidget

from album_app.gui.controls.sections import muted, named, row
from album_app.gui.state.loading.load_steps import SUMMARY_CELLS
from album_app.language import grouped, tr
from album_app.layout.shapes.rectangles import MAX_CELLS

LEAST_CELLS, MOST_CELLS = 12, 5_000


class ManyPhotos(QDialog):
    """Tells `answer` how many cells the sheet is to have, 0 for one per photo; closing it opens nothing."""

    def __init__(self, parent: QWidget, count: int, answer: Callable[[int], None]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Album App")
        self._answer = answer
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 22, 24, 16)
        column.setSpacing(12)
        headline = QLabel(tr("{number} photos are a lot for one sheet.", number=grouped(count)))
        headline.setProperty("role", "heading")
        words = tr("A summary shows those that stand best for all the others, which wait in the tray.")
        self.cells = named(
            QSpinBox(minimum=LEAST_CELLS, maximum=MOST_CELLS, value=SUMMARY_CELLS, singleStep=20), tr("Cells")
        )
        for widget in (headline, muted(words, wrap=True), row(tr("Cells"), self.cells), self._buttons(count)):
            column.addWidget(widget)
        self.setMinimumWidth(420)

    def _buttons(self, count: int) -> QWidget:
        role = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        summary = named(QPushButton(tr("&Summarise")), tr("Summarise"))
        summary.setProperty("primary", True)
        summary.setDefault(True)
        summary.clicked.connect(lambda checked=False: self._choose(self.cells.value()))
        whole = named(QPushButton(tr("Show &all")), tr("Show all"))
        whole.setEnabled(count <= MAX_CELLS)
        limit = tr("A sheet has at most {number} cells.", number=grouped(MAX_CELLS))
        whole.setToolTip("" if whole.isEnabled() else limit)
        whole.clicked.connect(lambda checked=False: self._choose(0))
        box.addButton(summary, role.AcceptRole)
        box.addButton(whole, role.ActionRole)
        box.addButton(QDialogButtonBox.StandardButton.Cancel)
        box.rejected.connect(self.reject)
        return box

    def _choose(self, cells: int) -> None:
        self.accept()
        self._answer(cells)
