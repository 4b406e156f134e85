"""A hand for the dialogs: the export dialog, and controls by their names."""

from pathlib import Path

from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QComboBox, QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export import writing
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.dialogs.export.foot import ExportFoot
from album_app.gui.dialogs.export.form import ExportForm
from album_app.gui.window.main_window import MainWindow
from album_app.render.presets import Choice
from tests.gui.conftest import WAIT_MS
from tests.gui.hands import pick


def open_export(window: MainWindow) -> ExportDialog:
    """The export dialog; before anything was exported it starts from a picture for the screen."""
    fresh = not window.preferences.word("export")
    window.actions_table["export"].trigger()
    dialog = window.findChild(ExportDialog)
    if fresh:
        pick(named(dialog, QComboBox, "Start from"), "For the screen")
    return dialog


def named(dialog: object, kind: type, name: str) -> object:
    """The control with an accessible name."""
    return next(control for control in dialog.findChildren(kind) if control.accessibleName() == name)


def export_button(dialog: ExportDialog) -> QPushButton:
    """The button that writes or prints."""
    foot = dialog.findChild(ExportFoot)
    assert foot is not None
    return foot.export


def choice_of(dialog: ExportDialog) -> Choice:
    """What the form is set to."""
    form = dialog.findChild(ExportForm)
    assert form is not None
    return form.choice


def facts_of(dialog: ExportDialog) -> str:
    return named(dialog, QLabel, "Size of the export").text()


def print_into(window: MainWindow, file: Path) -> None:
    """Print the sheet into a PDF."""
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(file))
    printer.setResolution(72)
    parts = window.parts
    writing.start_printing(window, window.session, parts.photos, parts.jobs, printer, window.files.relink)


def agree(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Answer the question about photos that lose their cells, if there is one, and wait for the fitted sheet."""
    qtbot.wait(200)
    for box in dialog.findChildren(QMessageBox):
        next(button for button in box.buttons() if button.text() == "Fit anyway").click()
    qtbot.wait(150)
    qtbot.waitUntil(lambda: dialog.drawn is not None, timeout=WAIT_MS)
