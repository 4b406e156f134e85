"""Questions to the user that never block: each calls back with the answer."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

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
    dialog.filesSelected.connect(lambda names: answer([Path(name) for name in names]))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


def save_first(parent: QWidget, title: str, answer: Callable[[str], None]) -> QMessageBox:
    """Ask what becomes of unsaved work; answers "save", "discard" or "cancel"."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, "Album App", f"Save the changes to “{title}”?", parent=parent)
    box.setInformativeText(
        "Without saving, your pins and the layout are lost. The photos themselves are never changed."
    )
    buttons = {
        box.addButton("&Save", QMessageBox.ButtonRole.AcceptRole): "save",
        box.addButton("&Don't save", QMessageBox.ButtonRole.DestructiveRole): "discard",
        box.addButton("&Cancel", QMessageBox.ButtonRole.RejectRole): "cancel",
    }
    save, _, cancel = buttons
    save.setProperty("primary", True)
    save.style().unpolish(save)  # so that the style sheet sees the property
    save.style().polish(save)
    box.setDefaultButton(save)
    box.setEscapeButton(cancel)
    box.buttonClicked.connect(lambda button: answer(buttons.get(button, "cancel")))
    box.finished.connect(box.deleteLater)
    box.open()
    return box
