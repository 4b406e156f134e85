"""What the export dialog says before anything is written, and what it keeps for the next time."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QSpinBox,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export.cards import PICTURE, ExportCards
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.dialogs.export.foot import facts
from album_app.gui.dialogs.export.form import CUSTOM, OWN, ExportForm
from album_app.gui.dialogs.export.preview import PreviewBar, PreviewPane
from album_app.gui.dialogs.export.writing import free_name
from album_app.gui.window.main_window import MainWindow
from album_app.layout.layout import Layout
from album_app.layout.project.project_file import load_project
from album_app.layout.shapes.shape import ShapeSpec, rectangle
from album_app.render import FORMATS, RenderSettings, spec_for_paper
from album_app.render.presets import PRESETS, Choice, as_words, from_words
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.dialogs.dialog_hands import choice_of, facts_of, named, open_export
from tests.gui.hands import document_of, pick, save_as


def remarks_of(dialog: ExportDialog) -> str:
    label = named(dialog, QLabel, "Remarks on the export")
    assert isinstance(label, QLabel) and label.isVisible() == bool(label.text())
    return label.text()


@pytest.fixture
def form(qtbot: QtBot) -> ExportForm:
    made = ExportForm()
    made.details.set_open(True)
    qtbot.addWidget(made)
    return made


def choose(form: ExportForm, name: str, value: str) -> None:
    pick(named(form, QComboBox, name), value)


def test_the_preset_is_named_until_something_else_is_chosen(form: ExportForm) -> None:
    start, dpi = named(form, QComboBox, "Start from"), named(form, QSpinBox, "Resolution")
    choose(form, "Start from", "A2 poster")
    assert start.currentData() == "A2 poster"
    dpi.setValue(150)
    assert start.currentData() == OWN
    dpi.setValue(300)
    assert start.currentData() == "A2 poster", "back as it was"


def test_a_preset_leaves_the_title(form: ExportForm) -> None:
    named(form, QLineEdit, "Title").setText("Crete")
    choose(form, "Start from", "A4 to print")
    assert form.choice.settings.title == "Crete" and form.choice.format == PRESETS["A4 to print"].format
    assert named(form, QComboBox, "Start from").currentData() == "A4 to print"


@pytest.mark.parametrize(
    ("size", "unit"), [("30x30cm", "mm"), ("800x600", "px"), ("4K", "px"), ("A3", "mm"), ("nil", "px")]
)
def test_lengths_are_told_as_the_size_is(form: ExportForm, size: str, unit: str) -> None:
    choose(form, "Size", CUSTOM)
    named(form, QLineEdit, "Custom size").setText(size)
    assert named(form, QDoubleSpinBox, "Gap").suffix() == f" {unit}"


def test_a_row_in_the_table_of_formats_is_a_choice(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(FORMATS["PNG"], name="BMP", title="BMP picture", suffixes=(".bmp",))
    monkeypatch.setitem(FORMATS, "BMP", row)
    form = ExportForm()
    qtbot.addWidget(form)
    formats = named(form, QComboBox, "Format")
    assert formats.itemText(formats.findData("BMP")) == "BMP picture"
    choose(form, "Format", "BMP")
    assert form.choice.kind is row and not named(form, QSpinBox, "Quality").isVisibleTo(form)
    assert from_words(as_words(form.choice), RenderSettings(title="Crete")).format == "BMP", "and it is remembered"


@pytest.mark.parametrize("name", FORMATS)
def test_quality_is_asked_for_where_it_matters(form: ExportForm, name: str) -> None:
    choose(form, "Format", name)
    quality = named(form, QSpinBox, "Quality")
    assert quality.isVisibleTo(form) == (name not in ("PNG", "TIFF"))


def test_the_title_stays_with_its_album(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, photo_folder: PhotoFolder
) -> None:
    window = open_window(6)
    dialog = open_export(window)
    named(dialog, QLineEdit, "Title").setText("Crete")
    named(dialog, QSpinBox, "Cell").setValue(33)
    dialog.export_to(tmp_path / "sheet.png")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)
    again = open_export(window)
    assert named(again, QSpinBox, "Cell").value() == 33 and named(again, QLineEdit, "Title").text() == "Crete"
    with qtbot.waitSignal(window.session.opened, timeout=WAIT_MS):
        window.parts.loading.open_paths([photo_folder(3, "Malta")])
    wait_until_settled(qtbot, window.session)
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)
    other = open_export(window)
    assert named(other, QSpinBox, "Cell").value() == 33 and named(other, QLineEdit, "Title").text() == ""
    other.close()


def test_what_was_typed_stays_without_an_export_and_the_title_is_saved_with_the_project(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(6)
    wait_until_settled(qtbot, window.session)
    dialog = open_export(window)
    named(dialog, QLineEdit, "Title").setText("Crete")
    choose(dialog, "Start from", "A2 poster")
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)
    assert document_of(window).title == "Crete" and window.session.undo_stack.undoText() == "Title"
    again = open_export(window)
    assert named(again, QLineEdit, "Title").text() == "Crete"
    assert named(again, QComboBox, "Start from").currentData() == "A2 poster"
    again.close()
    save_as(qtbot, window, tmp_path / "first.album")
    qtbot.waitUntil(lambda: not window.session.modified, timeout=WAIT_MS)
    assert load_project(tmp_path / "first.album").title == "Crete"
    window.session.undo_stack.undo()
    assert document_of(window).title == ""


def reopen(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    """Another album or project in the window, once its sheet stands."""
    with qtbot.waitSignal(window.session.opened, timeout=WAIT_MS):
        window.parts.loading.open_paths([path])
    wait_until_settled(qtbot, window.session)
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)


def test_a_project_opened_tomorrow_has_its_paper_whatever_was_exported_meanwhile(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, photo_folder: PhotoFolder
) -> None:
    window, project = open_window(6), tmp_path / "first.album"
    wait_until_settled(qtbot, window.session)
    dialog = open_export(window)
    choose(dialog, "Start from", "A2 poster")
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)
    save_as(qtbot, window, project)
    qtbot.waitUntil(lambda: not window.session.modified, timeout=WAIT_MS)
    reopen(window, qtbot, photo_folder(3, "Malta"))
    other = open_export(window)
    assert named(other, QComboBox, "Start from").currentData() == "A2 poster", "a new album begins like the last one"
    choose(other, "Start from", "For the screen")
    other.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)
    reopen(window, qtbot, project)
    again = open_export(window)
    assert named(again, QComboBox, "Start from").currentData() == "A2 poster"
    again.close()


def test_no_preset_tells_names_that_were_not_to_be_told(form: ExportForm) -> None:
    choose(form, "Format", next(name for name, kind in FORMATS.items() if kind.to_look_around))
    check_box(form, "Show the photos' names and dates").setChecked(False)
    choose(form, "Start from", "To share")
    assert named(form, QComboBox, "Start from").currentData() == "To share" and not form.choice.settings.names


def test_enter_means_export(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    monkeypatch.setattr(ExportDialog, "export_to", lambda self, path: written.append(path))
    window = open_window(6)
    wait_until_settled(qtbot, window.session)
    window.preferences.remember("export folder", str(tmp_path))  # the home folder may hold a file of this name
    dialog = open_export(window)
    export = named(dialog, QPushButton, "Export")
    qtbot.waitUntil(export.isEnabled, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: bool(export.toolTip()), timeout=WAIT_MS)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert [path.name for path in written] == ["photos.png"] and str(tmp_path) in export.toolTip()
    dialog.close()


def test_photos_too_small_for_their_cells_are_told_of(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for name, size in (("large", (300, 300)), ("wide", (300, 90)), ("small", (60, 90))):
        Image.new("RGB", size, "red").save(tmp_path / f"{name}.png")
    window = open_window(0, tmp_path)
    wait_until_settled(qtbot, window.session)
    dialog = open_export(window)
    cell = named(dialog, QSpinBox, "Cell")
    cell.setValue(60)
    assert remarks_of(dialog) == ""
    cell.setValue(200)
    assert remarks_of(dialog) == "2 of 3 photos are smaller than 200 px, so at this size they will look soft."
    fit = named(dialog, QComboBox, "Photos")
    fit.setCurrentIndex(fit.findData("whole"))
    assert remarks_of(dialog) == "1 of 3 photos is smaller than 200 px, so at this size it will look soft."
    cell.setValue(301)
    assert remarks_of(dialog).startswith("The photos are smaller than 301 px")
    pick(named(dialog, QComboBox, "Size"), "A4")
    fit.setCurrentIndex(fit.findData("crop"))
    found = re.search(r"the photos have (\d+) to (\d+) dpi; small.png is the coarsest", remarks_of(dialog))
    assert found is not None and int(found[2]) == pytest.approx(5 * int(found[1]), rel=0.05), "60 and 300 pixels"
    label = named(dialog, QLabel, "Remarks on the export")
    assert isinstance(label, QLabel) and label.property("role") == "warning"
    dialog.close()


def test_missing_photos_are_told_of(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, photo_folder: PhotoFolder
) -> None:
    window = open_window(6)
    save_as(qtbot, window, tmp_path / "sheet.album")
    for photo in (2, 4):
        (tmp_path / "photos" / f"photo-{photo:04d}.jpg").unlink()
    with qtbot.waitSignal(window.session.opened, timeout=WAIT_MS):
        window.parts.loading.open_paths([tmp_path / "sheet.album"])
    wait_until_settled(qtbot, window.session)
    assert document_of(window).missing == {2, 4}
    summaries = [label.text() for label in window.workspace.sections[0].findChildren(QLabel)]
    assert "6 photos for 6 cells, 2\u00a0×\u00a03; 2 missing" in summaries
    dialog = open_export(window)
    named(dialog, QSpinBox, "Cell").setValue(30)
    assert remarks_of(dialog) == "2 photos are missing; Export asks what to put there."
    dialog.close()


def check_box(dialog: object, text: str) -> QCheckBox:
    return next(box for box in dialog.findChildren(QCheckBox) if box.text() == text)  # type: ignore[attr-defined]


def test_the_sheet_is_fitted_to_the_paper_and_undo_brings_it_back(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(30)
    wait_until_settled(qtbot, window.session)
    before = document_of(window).shape
    dialog = open_export(window)
    fit = check_box(dialog, "Fit the sheet to this paper")
    assert not fit.isVisibleTo(dialog)
    choose(dialog, "Size", "3840x2160")
    assert fit.isVisibleTo(dialog) and document_of(window).shape is before, "nothing moves before it is asked for"
    fit.click()
    wanted = spec_for_paper(30, RenderSettings(paper="3840x2160", fit_paper=True))
    assert (wanted.rows, wanted.columns) != (before.rows, before.columns)
    export = named(dialog, QPushButton, "Export")
    assert not export.isEnabled() and facts_of(dialog).startswith("Arranging")
    qtbot.waitUntil(lambda: bool(dialog.findChildren(QMessageBox)), timeout=WAIT_MS)
    (question,) = dialog.findChildren(QMessageBox)
    next(button for button in question.buttons() if button.text() == "Fit anyway").click()
    qtbot.waitUntil(export.isEnabled, timeout=WAIT_MS)
    assert document_of(window).shape is before, "only the preview shows it"
    dialog.export_to(tmp_path / "wall.png")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    assert Image.open(tmp_path / "wall.png").size == (3840, 2160)
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)
    again = open_export(window)
    assert check_box(again, "Fit the sheet to this paper").isChecked(), "it still is"
    again.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)
    window.session.undo_stack.undo()
    assert document_of(window).shape.same_cells(before)
    last = open_export(window)
    assert not check_box(last, "Fit the sheet to this paper").isChecked(), "no photo loses its cell unasked"
    last.close()


def test_the_preview_shows_where_the_pages_of_a_poster_meet(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(30)
    dialog = open_export(window)
    choose(dialog, "Start from", "A3 poster")
    pane = dialog.findChildren(PreviewPane)[0]

    def dark_columns() -> int:
        """Columns of the picture in whose empty margin something dark lies."""
        picture = pane.pixmap().toImage()
        return sum(picture.pixelColor(x, 3).lightness() < 60 for x in range(picture.width()))

    qtbot.waitUntil(lambda: not pane.pixmap().isNull(), timeout=WAIT_MS)
    assert not dark_columns()
    choose(dialog, "Spread over", "A4")
    qtbot.waitUntil(lambda: dark_columns() > 0, timeout=WAIT_MS)
    assert dark_columns() <= 8, "thin lines"
    choose(dialog, "Spread over", "")
    qtbot.waitUntil(lambda: not dark_columns(), timeout=WAIT_MS)
    dialog.close()


def test_what_matters_for_print_or_for_a_web_page_alone_is_asked_for_there(form: ExportForm) -> None:
    marks, names = check_box(form, "Cut marks"), check_box(form, "Show the photos' names and dates")
    spread = named(form, QComboBox, "Spread over")
    choose(form, "Start from", "A2 poster")
    assert marks.isVisibleTo(form) and spread.isVisibleTo(form) and not names.isVisibleTo(form)
    marks.click()
    choose(form, "Spread over", "A4")
    assert form.choice.settings.cut_marks and form.choice.settings.poster == "A4"
    shape = rectangle(6, 4)
    layout = Layout(shape, np.arange(24), np.ones(24, np.float32))
    assert " on 8 pages of A4 " in facts(layout, form.choice, None)
    choose(form, "Format", "Web page")
    assert names.isVisibleTo(form) and not marks.isVisibleTo(form) and not spread.isVisibleTo(form)
    names.click()
    assert not (form.choice.settings.cut_marks or form.choice.settings.poster or form.choice.settings.names)


def test_a_web_page_says_how_large_it_is_at_most(open_window: OpenWindow, qtbot: QtBot) -> None:
    dialog = open_export(open_window(6))
    pick(named(dialog, QComboBox, "Format"), "Web page")
    qtbot.waitUntil(lambda: "at most 2.2 MB" in facts_of(dialog), timeout=WAIT_MS)
    dialog.close()


def test_cards_start_from_what_the_sheet_can_become(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    window.actions_table["export"].trigger()
    dialog = window.findChild(ExportDialog)
    cards = dialog.cards.buttons
    chosen = lambda: [key for key, card in cards.items() if card.isChecked()]  # noqa: E731
    assert chosen() == ["poster"] and choice_of(dialog).settings.paper == "A2", "a poster is one step away"
    cards["web"].click()
    assert chosen() == ["web"] and choice_of(dialog).kind.to_look_around and "dpi" not in facts_of(dialog)
    cards["wallpaper"].click()
    assert chosen() == ["wallpaper"] and choice_of(dialog).format == "PNG"
    named(dialog, QLineEdit, "Title").setText("Crete")
    cards["card"].click()
    assert chosen() == ["card"] and choice_of(dialog).settings.title == "Crete"
    before = document_of(window)
    cards["book"].click()
    question = dialog.findChild(QMessageBox)
    assert question is not None and chosen() == ["card"] and document_of(window) is before
    question.buttons()[0].click()
    qtbot.waitUntil(lambda: document_of(window).shape.pages is not None, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)


def test_memory_is_mentioned_only_where_an_export_needs_much(open_window: OpenWindow) -> None:
    layout = document_of(open_window(6)).layout
    assert layout is not None
    small, large = (facts(layout, Choice("WebP", RenderSettings(cell=cell)), None) for cell in (100, 4000))
    assert "memory" not in small and "needs " in large and "of memory" in large


def test_cards_show_many_photos_by_their_colours_and_few_as_they_are(qapp: QApplication) -> None:
    sheet = QImage(64, 64, QImage.Format.Format_RGB32)
    for x in range(64):
        for y in range(64):
            sheet.setPixelColor(x, y, QColor("red" if (x + y) % 2 else "blue"))
    cards, ratio = ExportCards(), 1.0
    seen = {}
    for across in (2, 32):
        cards.show_sheet(sheet, across)
        picture = cards.buttons["poster"].icon().pixmap(PICTURE, ratio).toImage()
        middle = QRect(PICTURE.width() // 2 - 12, PICTURE.height() // 2 - 12, 24, 24)
        part = picture.copy(middle)
        seen[across] = {part.pixelColor(x, y).name() for x in range(24) for y in range(24)}
    assert len(seen[32]) == 1, "photos of two pixels on the card have one colour each: that between red and blue"
    assert len(seen[2]) > 1, "large ones are seen as they are"


def test_cards_are_chosen_by_the_keyboard(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    window.actions_table["export"].trigger()
    dialog = window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    cards = dialog.cards.buttons
    assert dialog.focusWidget() is cards["poster"] and cards["poster"].isChecked()
    for _ in range(3):
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Right)
    assert dialog.focusWidget() is cards["web"] and cards["poster"].isChecked(), "to look at cards chooses none"
    QTest.keyClick(cards["web"], Qt.Key.Key_Return)
    assert [key for key, card in cards.items() if card.isChecked()] == ["web"]
    assert choice_of(dialog).kind.to_look_around and not facts_of(dialog).startswith("Wrote")
    QTest.keyClick(cards["web"], Qt.Key.Key_Left)
    assert dialog.focusWidget() is cards["card"]
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)
    window.actions_table["export"].trigger()
    again = window.findChild(ExportDialog)
    assert isinstance(again, ExportDialog)
    assert again.focusWidget() is again.cards.buttons["web"], "the keyboard is on the one card that is chosen"
    again.close()


def test_the_preview_zooms_and_turns_pages(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(24)
    window.parts.reshaping.start(ShapeSpec("pages", rows=2, columns=3))
    qtbot.waitUntil(lambda: document_of(window).shape.pages is not None, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    dialog = open_export(window)
    pane, bar = dialog.findChildren(PreviewPane)[0], dialog.findChildren(PreviewBar)[0]
    qtbot.waitUntil(lambda: not pane.pixmap().isNull(), timeout=WAIT_MS)
    together = pane.pixmap().size()
    named(dialog, QToolButton, "Next page").click()
    assert bar.page == 0
    qtbot.waitUntil(lambda: pane.pixmap().size() != together, timeout=WAIT_MS)
    named(dialog, QToolButton, "Larger").click()
    assert pane.zoom > 1.0
    pane.zoom_to(1.0)
    named(dialog, QToolButton, "Page before").click()
    assert bar.page is None
    dialog.close()


def test_no_file_is_replaced_by_the_proposed_name(tmp_path: Path) -> None:
    for taken in ("crete.pdf", "crete-2.pdf", "book-01.png"):
        (tmp_path / taken).touch()
    assert free_name(tmp_path, "crete", ".pdf").name == "crete-3.pdf"
    assert free_name(tmp_path, "malta", ".pdf").name == "malta.pdf"
    assert free_name(tmp_path, "book", ".png").name == "book-2.png", "the pages of a book have it"
