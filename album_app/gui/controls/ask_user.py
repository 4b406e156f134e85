"""Questions to the user that never block: each calls back with the answer."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QPushButton, QWidget

from album_app.file_names import bounded
from album_app.language import tr

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
    """Show the question; it disappears with the dialog that asked it."""
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
    """Ask what becomes of unsaved work; answers "save", "discard" or "cancel"."""
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
    """Ask what to draw for photos that cannot be read; answers "find", "thumbnails", "empty" or "cancel"."""
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
    """Ask whether to do something, which the button names."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Album App", question, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    buttons = {
        box.addButton(action.replace("&", "&&"), QMessageBox.ButtonRole.AcceptRole): "run",
        box.addButton(tr("&Cancel"), QMessageBox.ButtonRole.RejectRole): "cancel",
    }
    return _ask(box, buttons, lambda answer: run() if answer == "run" else None)


def _ask(box: QMessageBox, buttons: dict[QPushButton, str], answer: Callable[[str], object]) -> QMessageBox:
    """Show a question whose first button is the suggested one, and whose last one cancels."""
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
