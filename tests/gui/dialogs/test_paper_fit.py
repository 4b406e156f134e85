"""The box that fits the sheet to the paper: words stay words, only the preview changes, and losses are announced."""

import importlib
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QMessageBox, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.panel.shape_fields import TextField
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import resized
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import ShapeSpec
from album_app.render import RenderSettings, spec_for_paper
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.dialogs.dialog_hands import agree, facts_of, named, open_export
from tests.gui.endless import Endless
from tests.gui.hands import document_of, layout_of, pick
from tests.gui.panel.panel_hands import after_edit, choose, control


def fit_box(dialog: ExportDialog) -> QCheckBox:
    return next(box for box in dialog.findChildren(QCheckBox) if box.text() == "Fit the sheet to this paper")


def tick(dialog: ExportDialog, window: MainWindow, qtbot: QtBot) -> None:
    """Tick or untick the box, and wait until the preview has followed."""
    fit_box(dialog).click()
    agree(dialog, qtbot)


def drawn(dialog: ExportDialog) -> Document:
    assert dialog.drawn is not None
    return dialog.drawn


def untouched(window: MainWindow, before: Document) -> bool:
    """Whether the sheet is as it was, and nothing can be undone that could not be undone then."""
    assert before.layout is not None
    same = document_of(window).shape is before.shape and layout_of(window).positions == before.layout.positions
    return same and "paper" not in window.session.undo_stack.undoText()


def remarks(dialog: ExportDialog) -> str:
    label = named(dialog, QLabel, "Remarks on the export")
    assert isinstance(label, QLabel)
    return label.text() if label.isVisible() else ""


def written(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Have the photos say a text."""
    choose(window, "Shape", "text")
    field = control(window, TextField, "Text")
    assert isinstance(field, TextField)
    after_edit(qtbot, window, lambda: field.insertPlainText(text))


def test_words_go_on_lines_that_suit_the_paper_in_the_preview_alone(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(60)
    written(window, qtbot, "HO HI")
    before = document_of(window)
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    pick(named(dialog, QComboBox, "Orientation"), "landscape")
    tick(dialog, window, qtbot)
    wide = drawn(dialog)
    assert wide.spec.kind == "text" and wide.spec.text == "HO HI" and wide.shape.count == 60
    pick(named(dialog, QComboBox, "Orientation"), "portrait")
    agree(dialog, qtbot)
    tall = drawn(dialog)
    assert tall.spec.text == "HO HI" and tall.shape.rows > tall.shape.columns and wide.spec.aspect > 1
    assert "no cell" not in remarks(dialog)
    tick(dialog, window, qtbot)
    assert untouched(window, before) and drawn(dialog).shape is before.shape
    dialog.close()
    assert untouched(window, before)


def test_a_button_below_the_preview_fills_the_paper_that_stays_empty(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(60)
    before = document_of(window)
    dialog = open_export(window)
    fill = next(b for b in dialog.findChildren(QPushButton) if b.text().startswith("Fill the "))
    assert not fill.isVisibleTo(dialog), "a picture is as large as its cells make it"
    pick(named(dialog, QComboBox, "Size"), "A4")
    pick(named(dialog, QComboBox, "Orientation"), "portrait")
    assert fill.isVisibleTo(dialog) and fill.text() == "Fill the paper"
    assert any(label.text().endswith(" % empty") for label in dialog.findChildren(QLabel))
    fill.click()
    agree(dialog, qtbot)
    assert fit_box(dialog).isChecked() and not fill.isVisibleTo(dialog)
    assert drawn(dialog).shape.rows > drawn(dialog).shape.columns and untouched(window, before)
    tick(dialog, window, qtbot)
    assert fill.isVisibleTo(dialog)
    pick(named(dialog, QComboBox, "Size"), "1920x1080")
    assert fill.text() == "Fill the picture"
    dialog.close()


def test_pages_of_a_book_are_fitted_on_trial_too(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(40)
    after_edit(qtbot, window, lambda: window.parts.reshaping.start(ShapeSpec("pages", pages=2)))
    before = document_of(window)
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    pick(named(dialog, QComboBox, "Orientation"), "portrait")
    tick(dialog, window, qtbot)
    pages = drawn(dialog).shape.pages
    assert pages is not None and pages.rows > pages.columns and untouched(window, before)
    dialog.close()
    assert untouched(window, before)


def test_about_so_many_cells_fill_the_paper(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(37)
    before = document_of(window)
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    pick(named(dialog, QComboBox, "Orientation"), "portrait")
    named(dialog, QSpinBox, "Resolution").setValue(20)  # type: ignore[attr-defined]
    fit_box(dialog).click()
    named(dialog, QSpinBox, "Cells, about").setValue(20)  # type: ignore[attr-defined]
    agree(dialog, qtbot)
    few = drawn(dialog).shape
    wanted = spec_for_paper(20, RenderSettings(paper="A4", landscape="portrait", dpi=20, fit_paper=True))
    assert (few.rows, few.columns) == (wanted.rows, wanted.columns), "as --cells 20 --fit-paper"
    assert few.count <= 20 and untouched(window, before)
    dialog.export_to(tmp_path / "few.png")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    assert document_of(window).shape.same_cells(few) and window.session.undo_stack.undoText() == "Fit to the paper"
    dialog.close()
    window.session.undo_stack.undo()
    assert document_of(window).shape is before.shape


@pytest.mark.parametrize("shape", ["heart", "ring", "A word"])
def test_a_shape_without_a_choice_is_not_fitted(open_window: OpenWindow, qtbot: QtBot, shape: str) -> None:
    window = open_window(40)
    if shape == "A word":
        written(window, qtbot, "HI")
    else:
        after_edit(qtbot, window, lambda: choose(window, "Shape", shape))
    before = document_of(window).shape
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Start from"), "A4 to print")
    assert not fit_box(dialog).isVisibleTo(dialog)
    wait_until_settled(qtbot, window.session)
    assert document_of(window).shape is before
    dialog.close()


def test_photos_that_a_paper_has_no_cell_for_are_told(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(37)
    before = document_of(window)
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    assert "no cell" not in remarks(dialog)
    tick(dialog, window, qtbot)
    left = 37 - drawn(dialog).shape.count
    assert left > 0 and f"{left} photos have no cell." in remarks(dialog)
    assert "no cell" not in control(window, QLabel, "Size of the sheet").text()  # type: ignore[attr-defined]
    tick(dialog, window, qtbot)
    assert untouched(window, before) and "no cell" not in remarks(dialog)
    dialog.close()


def test_no_photo_loses_its_cell_before_the_user_agrees(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(37)
    before = document_of(window).shape
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    fit_box(dialog).click()
    qtbot.waitUntil(lambda: bool(dialog.findChildren(QMessageBox)), timeout=WAIT_MS)
    (box,) = dialog.findChildren(QMessageBox)
    assert "would lose their cells" in box.text() and document_of(window).shape is before
    box.reject()
    assert document_of(window).shape is before and not fit_box(dialog).isChecked()
    qtbot.waitUntil(lambda: not dialog.findChildren(QMessageBox), timeout=WAIT_MS)
    tick(dialog, window, qtbot)
    assert drawn(dialog).shape.count < 37
    dialog.close()
    assert document_of(window).shape is before


def test_a_chosen_number_of_cells_stays_about_the_same_on_every_paper(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(37)
    after_edit(qtbot, window, lambda: window.parts.reshaping.start(ShapeSpec("rectangle", 4, 4)))
    wait_until_settled(qtbot, window.session)
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    tick(dialog, window, qtbot)
    tall = drawn(dialog).shape
    assert 12 <= tall.count <= 16 and tall.rows > tall.columns
    for turned in ("landscape", "portrait"):
        pick(named(dialog, QComboBox, "Orientation"), turned)
        agree(dialog, qtbot)
    assert drawn(dialog).shape.same_cells(tall), "nothing is lost on the way"
    dialog.close()


def test_a_fit_counts_the_cells_of_large_photos_and_finds_its_way_back(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(60)
    after_edit(qtbot, window, lambda: window.parts.reshaping.start(ShapeSpec("rectangle", 4, 6)))
    large = layout_of(window).shown[:2]
    for photo in large:
        after_edit(qtbot, window, lambda photo=photo: window.session.edit(resized, [photo], 2))
    before = set(layout_of(window).shown)
    assert len(before) == 18
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    pick(named(dialog, QComboBox, "Orientation"), "portrait")
    named(dialog, QSpinBox, "Resolution").setValue(30)  # type: ignore[attr-defined]
    fit_box(dialog).click()
    counts = []
    for captions in ("name", "none", "name", "none"):
        pick(named(dialog, QComboBox, "Captions"), captions)
        agree(dialog, qtbot)
        dialog.export_to(tmp_path / f"{len(counts)}.png")
        qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
        layout = layout_of(window)
        counts.append((layout.shape.rows, layout.shape.columns))
        assert len(layout.shown) >= 18, "large photos are counted with all their cells"
    assert counts[0] == counts[2] and counts[1] == counts[3], "the fit starts from the same number each time"
    dialog.close()


def test_the_window_says_that_an_export_changed_the_sheet_and_can_undo_it(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(37)
    before = document_of(window)
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    named(dialog, QSpinBox, "Resolution").setValue(20)  # type: ignore[attr-defined]
    named(dialog, QLineEdit, "Title").setText("Summer")  # type: ignore[attr-defined]
    tick(dialog, window, qtbot)
    dialog.export_to(tmp_path / "few.png")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    dialog.close()
    shown = len(layout_of(window).shown)
    bar = window.message_bar
    assert bar.isVisible() and f"{shown} photos instead of 37" in bar.text
    next(button for button in bar.findChildren(QPushButton) if button.text() == "Undo").click()
    wait_until_settled(qtbot, window.session)
    assert document_of(window).shape is before.shape and len(layout_of(window).shown) == 37
    assert "instead of" not in bar.text or not bar.isVisible()


def test_the_question_names_the_photos_that_lose_their_cells_to_large_ones(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(37)
    after_edit(qtbot, window, lambda: window.session.edit(resized, [layout_of(window).shown[0]], 3))
    shown = set(layout_of(window).shown)
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    fit_box(dialog).click()
    qtbot.waitUntil(lambda: bool(dialog.findChildren(QMessageBox)), timeout=WAIT_MS)
    (box,) = dialog.findChildren(QMessageBox)
    named_number = int(box.text().split()[0])
    agree(dialog, qtbot)
    assert len(shown) - len(drawn(dialog).layout.shown) == named_number
    dialog.close()


def test_a_preset_without_a_border_fits_the_sheet_to_its_paper(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(37)
    before = document_of(window).shape
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Start from"), "Wallpaper, 4K")
    agree(dialog, qtbot)
    assert fit_box(dialog).isChecked()
    assert not drawn(dialog).shape.same_cells(before) and document_of(window).shape is before
    dialog.close()


def test_a_heart_that_a_preset_cannot_fit_says_so_and_keeps_the_preset(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(40)
    after_edit(qtbot, window, lambda: choose(window, "Shape", "heart"))
    dialog = open_export(window)
    preset = named(dialog, QComboBox, "Start from")
    pick(preset, "Wallpaper, 4K")
    wait_until_settled(qtbot, window.session)
    assert "rows and columns can cover it" in remarks(dialog)
    assert isinstance(preset, QComboBox) and preset.currentData() == "Wallpaper, 4K"
    dialog.close()


def test_export_waits_until_the_sheet_is_arranged(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(12)
    dialog = open_export(window)
    button = named(dialog, QPushButton, "Export")
    assert isinstance(button, QPushButton)
    qtbot.waitUntil(button.isEnabled, timeout=WAIT_MS)
    monkeypatch.setattr(importlib.import_module("album_app.layout.arranging.arrange"), "arrange", Endless())
    window.session.drop([3], (0, 0))
    assert not button.isEnabled() and facts_of(dialog) == "Arranging…"
    window.parts.jobs.cancel_visible()
    qtbot.waitUntil(button.isEnabled, timeout=WAIT_MS)
    dialog.close()
