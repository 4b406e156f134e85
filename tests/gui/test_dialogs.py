"""Export, large view, preferences: the dialogs by their controls."""

import threading
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs import export as export_module
from album_app.gui.dialogs.export import ExportDialog
from album_app.gui.dialogs.export_form import PRESETS, Choice, ExportForm, as_words, from_words
from album_app.gui.dialogs.large_view import LargeView
from album_app.gui.dialogs.preferences import PreferencesDialog
from album_app.gui.main_window import MainWindow
from album_app.render import RenderSettings
from album_app.work import check
from tests.gui.conftest import OpenWindow


def open_export(window: MainWindow) -> ExportDialog:
    window.actions_table["export"].trigger()
    return window.findChild(ExportDialog)


def named(dialog: object, kind: type, name: str) -> object:
    """The control with an accessible name."""
    return next(control for control in dialog.findChildren(kind) if control.accessibleName() == name)


def facts_of(dialog: ExportDialog) -> str:
    return named(dialog, QLabel, "Size of the export").text()


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_fill_the_form(qtbot: QtBot, preset: str) -> None:
    form = ExportForm()
    qtbot.addWidget(form)
    form.fill(PRESETS[preset])
    assert form.choice == PRESETS[preset]


def test_a_choice_is_remembered_whole() -> None:
    choice = Choice("JPEG", RenderSettings(paper="A3", gap=2.5, background="#123456", title="Crete", mark_pins=True))
    assert from_words(as_words(choice)) == choice
    assert from_words({"format": "nonsense", "dpi": -3}) == Choice()


@pytest.mark.parametrize(("kind", "suffix"), [("PNG", ".png"), ("JPEG", ".jpg"), ("PDF", ".pdf"), ("SVG", ".svg")])
def test_exporting_through_the_dialog(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, kind: str, suffix: str
) -> None:
    dialog = open_export(open_window(6))
    combo = named(dialog, QComboBox, "Format")
    combo.setCurrentIndex(combo.findData(kind))
    target = tmp_path / f"sheet{suffix}"
    dialog.export_to(target)
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"))
    assert target.stat().st_size > 500
    assert named(dialog, QPushButton, "Open folder").isVisible()
    dialog.close()


def test_the_preview_follows_and_the_facts_are_right(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    dialog = open_export(window)
    pane = named(dialog, QLabel, "Preview of the sheet")
    qtbot.waitUntil(lambda: not pane.pixmap().isNull())
    dialog.export_to(tmp_path / "a.png")
    said = facts_of(dialog)
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"))
    with Image.open(tmp_path / "a.png") as picture:
        width, height = picture.size
    combo = named(dialog, QComboBox, "Format")
    combo.setCurrentIndex(combo.findData("TIFF"))
    assert f"{width} × {height} px" in facts_of(dialog), said
    dialog.close()


def test_what_cannot_be_is_explained_before_work(open_window: OpenWindow) -> None:
    dialog = open_export(open_window(6))
    formats, background = named(dialog, QComboBox, "Format"), named(dialog, QComboBox, "Background")
    background.setCurrentIndex(background.findData("transparent"))
    background.changed.emit()
    formats.setCurrentIndex(formats.findData("JPEG"))
    assert "transparent" in facts_of(dialog)
    assert not named(dialog, QPushButton, "Export").isEnabled()
    dialog.close()


def test_an_export_can_be_cancelled(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = threading.Event()

    def endless(*args: object, stop: object, **rest: object) -> None:
        began.set()
        while True:
            check(stop)

    monkeypatch.setattr(export_module, "export", endless)
    dialog = open_export(open_window(6))
    dialog.export_to(tmp_path / "never.png")
    assert began.wait(5)
    named(dialog, QPushButton, "Close or cancel").click()
    assert "Cancelled" in facts_of(dialog)
    assert not (tmp_path / "never.png").exists()
    dialog.close()


def test_the_last_export_is_remembered(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    dialog = open_export(window)
    combo = named(dialog, QComboBox, "Format")
    combo.setCurrentIndex(combo.findData("WebP"))
    dialog.export_to(tmp_path / "sheet.webp")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"))
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None)
    again = open_export(window)
    assert named(again, QComboBox, "Format").currentData() == "WebP"
    again.close()


def test_large_view_walks_over_the_sheet(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    layout = window.session.document.layout
    window.open_large(layout.photo_in((0, 0)))
    view = window.findChild(LargeView)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.photo == layout.photo_in((0, 1))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.photo == layout.photo_in((1, 1))
    assert "row 2, column 2" in view.caption
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert not view.isVisible()


def test_preferences_are_at_work_at_once(open_window: OpenWindow) -> None:
    window = open_window()
    window.view.preferences()
    dialog = window.findChild(PreferencesDialog)
    theme = named(dialog, QComboBox, "Theme")
    theme.setCurrentIndex(theme.findData("dark"))
    theme.activated.emit(theme.currentIndex())
    assert window.palette().window().color().lightness() < 128
    check_box = next(box for box in dialog.findChildren(QCheckBox) if "folders inside" in box.text())
    check_box.click()
    assert window.preferences.get("recursive") is False
    dialog.close()


def test_printing_draws_the_sheet(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    from PySide6.QtPrintSupport import QPrinter

    from album_app.gui.dialogs.printing import start_printing

    window = open_window(6)
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    printer.setResolution(72)
    start_printing(window.session, printer)
    qtbot.waitUntil(lambda: window.notice.text() == "Sent to the printer")
    assert (tmp_path / "printed.pdf").stat().st_size > 2000
