"""Questions to the user that do not block: each calls a function with the answer.

They ask for files and folders, for a yes or no, whether to pin many photos at once, for the title of a chapter, and how
many cells the sheet of very many photos gets.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QMessageBox,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from album_app.file_names import bounded
from album_app.gui.controls.sections import muted, named, row
from album_app.gui.state.load_steps import SUMMARY_CELLS
from album_app.gui.state.session import Session
from album_app.language import number, tr, trn
from album_app.layout import Cell, Document
from album_app.layout.editing.book import chapter_titled
from album_app.layout.editing.drops import pinned_or_let_go
from album_app.layout.editing.edits import Edit
from album_app.layout.shapes.outlines import MAX_CELLS

Paths = Callable[[list[Path]], None]


def folder(parent: QWidget, title: str, start: str, answer: Paths) -> QFileDialog:
    """Ask for a folder."""
    dialog = QFileDialog(parent, title, start)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return _open(dialog, answer)


def files(parent: QWidget, title: str, start: str, filters: str, answer: Paths, many: bool = True) -> QFileDialog:
    """Ask for files that exist."""
    dialog = QFileDialog(parent, title, start, filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles if many else QFileDialog.FileMode.ExistingFile)
    return _open(dialog, answer)


def target(parent: QWidget, title: str, start: str, filters: str, suffix: str, answer: Paths) -> QFileDialog:
    """Ask for a file to write; the dialog asks before one is replaced."""
    dialog = QFileDialog(parent, title, start, filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(suffix)
    return _open(dialog, answer)


def _open(dialog: QFileDialog, answer: Paths) -> QFileDialog:
    """Show the question; it is closed with the dialog that asked it."""
    parent = dialog.parentWidget()

    def on_chosen(names: list[str]) -> None:
        if parent is None or parent.isVisible():
            answer([Path(name) for name in names])

    if isinstance(parent, QDialog):
        parent.finished.connect(dialog.reject)
    dialog.filesSelected.connect(on_chosen)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


def save_first(parent: QWidget, title: str, answer: Callable[[str], None]) -> QMessageBox:
    """Ask what to do with unsaved work; the answer is "save", "discard" or "cancel"."""
    box = QMessageBox(
        QMessageBox.Icon.NoIcon, "Album App", tr("Save the changes to “{title}”?", title=title), parent=parent
    )
    box.setInformativeText(tr("Without saving, your changes are lost. The photos themselves are never changed."))
    role = QMessageBox.ButtonRole
    buttons = {
        box.addButton(tr("&Save"), role.AcceptRole): "save",
        box.addButton(tr("&Don't save"), role.DestructiveRole): "discard",
        box.addButton(tr("&Cancel"), role.RejectRole): "cancel",
    }
    return _ask(box, buttons, answer)


def lost_photos(parent: QWidget, question: str, names: str, count: int, answer: Callable[[str], None]) -> QMessageBox:
    """Ask what to draw for photos that cannot be read; the answer is "find", "thumbnails", "empty" or "cancel"."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Album App", question, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    one = count == 1
    box.setInformativeText(tr("What shall be in its cell?") if one else tr("What shall be in their cells?"))
    box.setDetailedText(names)
    role = QMessageBox.ButtonRole
    buttons = {
        box.addButton(tr("&Find it…") if one else tr("&Find them…"), role.AcceptRole): "find",
        box.addButton(tr("Use the &thumbnail") if one else tr("Use the &thumbnails"), role.ActionRole): "thumbnails",
        box.addButton(tr("Leave the cell &empty") if one else tr("Leave the cells &empty"), role.ActionRole): "empty",
        box.addButton(tr("&Cancel"), role.RejectRole): "cancel",
    }
    return _ask(box, buttons, answer)


def confirm(parent: QWidget, question: str, action: str, run: Callable[[], object]) -> QMessageBox:
    """Ask whether to `run` something; the button says what `action` that is."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Album App", question, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    buttons = {
        box.addButton(action.replace("&", "&&"), QMessageBox.ButtonRole.AcceptRole): "run",
        box.addButton(tr("&Cancel"), QMessageBox.ButtonRole.RejectRole): "cancel",
    }
    return _ask(box, buttons, lambda answer: run() if answer == "run" else None)


def _ask(box: QMessageBox, buttons: dict[QPushButton, str], answer: Callable[[str], object]) -> QMessageBox:
    """Show a question; its first button is the default, and its last button cancels."""
    box.setText(bounded(box.text()))
    first, *_, cancel = buttons
    first.setProperty("primary", True)
    first.style().unpolish(first)  # so that the style sheet sees the property
    first.style().polish(first)
    box.setDefaultButton(first)
    box.setEscapeButton(cancel)
    parent = box.parentWidget()
    if isinstance(parent, QDialog):
        parent.finished.connect(box.reject)
    box.buttonClicked.connect(lambda button: answer(buttons.get(button, "cancel")))
    box.finished.connect(box.deleteLater)
    box.open()
    return box


MOST_WITHOUT_QUESTION = 20
"""The most photos that are pinned or unpinned without a question; more are seldom meant."""

PinEdit = Callable[[Document, Sequence[int], Cell | None], Edit | None]
"""Makes the edit that pins or unpins photos."""


def pin_or_let_go(parent: QWidget, session: Session, cell: Cell | None, edit: PinEdit = pinned_or_let_go) -> None:
    """Pin the selected photos where they lie, or unpin them if they all are pinned."""
    document, photos = session.document, session.selected
    made = None if document is None else edit(document, photos, cell)
    if document is None or made is None:
        return
    more, fewer = made.document.pins.keys() - document.pins.keys(), document.pins.keys() - made.document.pins.keys()
    if max(len(more), len(fewer)) <= MOST_WITHOUT_QUESTION:
        session.apply(made)
        return
    question = (
        trn("Pin {count} photo?", "Pin {count} photos?", len(more))
        if more
        else trn("Unpin {count} photo?", "Unpin {count} photos?", len(fewer))
    )
    confirm(parent.window(), question, made.name, lambda: session.edit(edit, photos, cell))


def chapter_title(parent: QWidget, session: Session, page: int) -> QInputDialog | None:
    """Ask for the title of the chapter that begins on a page of a book, counted from 0."""
    document = session.document
    if document is None or document.shape.pages is None:
        return None
    dialog = QInputDialog(parent.window())
    dialog.setWindowTitle(tr("Chapter title"))
    dialog.setLabelText(tr("Title above page {page}; empty for its dates", page=page + 1))
    dialog.setTextValue(document.chapter_titles.get(page, ""))
    dialog.textValueSelected.connect(lambda text: session.edit(chapter_titled, page, text))
    session.opened.connect(dialog.reject)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


LEAST_CELLS, MOST_CELLS = 12, 5_000
"""Limits of the number of cells that a summary can have."""


class ManyPhotos(QDialog):
    """Asks how many cells the sheet of very many photos gets; the answer 0 means one per photo.

    When the question is closed, no album is opened.
    """

    def __init__(self, parent: QWidget, count: int, answer: Callable[[int], None]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Album App")
        self._answer = answer
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 22, 24, 16)
        column.setSpacing(12)
        headline = QLabel(tr("{number} photos are a lot for one sheet.", number=number(count)))
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
        limit = tr("A sheet has at most {number} cells.", number=number(MAX_CELLS))
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
