"""Printing: what the dialog suggests, and the page that comes out."""

from pathlib import Path

import pytest
from PySide6.QtGui import QPageLayout
from PySide6.QtPrintSupport import QPrinter
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export import writing
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.dialogs.dialog_hands import export_button
from tests.gui.panel.panel_hands import after_edit


def test_the_print_action_asks_for_a_printer_and_prints(
    open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[object] = []
    monkeypatch.setattr(
        writing, "start_printing", lambda parent, session, photos, jobs, printer, *rest: printed.append(printer)
    )
    window = open_window(6)
    window.actions_table["print"].trigger()
    preview = window.findChild(ExportDialog)
    assert preview.cards.buttons["print"].isChecked() and export_button(preview).text() == "Print…"
    assert window.findChild(writing.QPrintDialog) is None, "first the sheet is seen on its paper"
    export_button(preview).click()
    dialog = window.findChild(writing.QPrintDialog)
    assert dialog.isVisible() and dialog.windowTitle() == "Print the sheet" and not printed
    dialog.accept()
    assert printed == [dialog.printer()] and dialog.printer().resolution() == writing.PRINT_DPI


@pytest.mark.parametrize(("rows", "columns", "way"), [(2, 3, "Landscape"), (3, 2, "Portrait")])
def test_the_page_is_turned_like_the_sheet_and_called_like_the_album(
    open_window: OpenWindow, qtbot: QtBot, rows: int, columns: int, way: str
) -> None:
    window = open_window(6)
    spec = ShapeSpec("rectangle", rows=rows, columns=columns)
    after_edit(qtbot, window, lambda: window.parts.reshaping.start(spec))
    dialog = writing.print_sheet(window, window.session, window.parts.photos, window.parts.jobs, window.files.relink)
    assert dialog is not None
    assert dialog.printer().pageLayout().orientation() == QPageLayout.Orientation[way]
    assert dialog.printer().docName() == window.files.title == "photos"
    dialog.reject()


def test_printing_draws_the_sheet(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    printer.setResolution(72)
    writing.start_printing(window, window.session, window.parts.photos, window.parts.jobs, printer, window.files.relink)
    qtbot.waitUntil(lambda: window.notice.text() == "Wrote printed.pdf", timeout=WAIT_MS)
    assert (tmp_path / "printed.pdf").stat().st_size > 2000
