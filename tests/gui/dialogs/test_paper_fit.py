"""The box that fits the sheet to the paper: words stay words, unticking brings the sheet back, losses are told."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export import ExportDialog
from album_app.gui.panel.lettering import TextField
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.dialogs.dialog_hands import facts_of, named, open_export
from tests.gui.hands import document_of, layout_of, pick
from tests.gui.panel.panel_hands import after_edit, choose, control


def fit_box(dialog: ExportDialog) -> QCheckBox:
    return next(box for box in dialog.findChildren(QCheckBox) if box.text() == "Fit the sheet to this paper")


def tick(dialog: ExportDialog, window: MainWindow, qtbot: QtBot) -> None:
    """Tick or untick the box, and wait until the sheet has followed."""
    after_edit(qtbot, window, fit_box(dialog).click)
    export = named(dialog, QPushButton, "Export")
    qtbot.waitUntil(export.isEnabled, timeout=WAIT_MS)  # type: ignore[attr-defined]


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


def test_words_go_on_lines_that_suit_the_paper_and_unticking_takes_it_back(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(60)
    written(window, qtbot, "HO HI")
    before, positions = document_of(window), layout_of(window).positions
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    pick(named(dialog, QComboBox, "Orientation"), "landscape")
    tick(dialog, window, qtbot)
    wide = document_of(window)
    assert wide.spec.kind == "text" and wide.spec.text == "HO HI" and wide.shape.count == 60
    pick(named(dialog, QComboBox, "Orientation"), "portrait")
    qtbot.waitUntil(lambda: document_of(window).spec.aspect < 1, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    tall = document_of(window)
    assert tall.spec.text == "HO HI" and tall.shape.rows > tall.shape.columns and wide.spec.aspect > 1
    assert "no cell" not in remarks(dialog)
    tick(dialog, window, qtbot)
    assert document_of(window).spec == before.spec and layout_of(window).positions == positions
    dialog.close()


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


def test_photos_that_a_paper_has_no_cell_for_are_told_and_come_back(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(37)
    before, positions = document_of(window), layout_of(window).positions
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    assert "no cell" not in remarks(dialog)
    tick(dialog, window, qtbot)
    left = 37 - document_of(window).shape.count
    assert left > 0 and f"{left} photos have no cell." in remarks(dialog)
    lock = control(window, QCheckBox, "Keep a cell for every photo")
    assert isinstance(lock, QCheckBox) and not lock.isChecked(), "it does not"
    assert f"{left} photos have no cell" in control(window, QLabel, "Size of the sheet").text()  # type: ignore[attr-defined]
    tick(dialog, window, qtbot)
    assert document_of(window).spec == before.spec and layout_of(window).positions == positions
    assert "no cell" not in remarks(dialog)
    dialog.close()


def test_a_title_given_after_the_fitting_stays_when_it_is_taken_back(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(37)
    before = document_of(window).shape
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    named(dialog, QSpinBox, "Resolution").setValue(20)  # type: ignore[attr-defined]
    tick(dialog, window, qtbot)
    named(dialog, QLineEdit, "Title").setText("Linde")  # type: ignore[attr-defined]
    export = named(dialog, QPushButton, "Export")
    qtbot.waitUntil(export.isEnabled, timeout=WAIT_MS)  # type: ignore[attr-defined]
    wait_until_settled(qtbot, window.session)
    dialog.export_to(tmp_path / "linde.png")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    assert document_of(window).title == "Linde" and not document_of(window).shape.same_cells(before)
    tick(dialog, window, qtbot)
    assert document_of(window).title == "Linde" and document_of(window).shape is before
    dialog.close()


def test_what_was_changed_after_the_fitting_is_not_undone_by_unticking(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(37)
    dialog = open_export(window)
    pick(named(dialog, QComboBox, "Size"), "A4")
    tick(dialog, window, qtbot)
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None, timeout=WAIT_MS)
    fitted = document_of(window).shape
    after_edit(qtbot, window, lambda: window.session.drop([0], fitted.cell(5)))
    again = open_export(window)
    pick(named(again, QComboBox, "Size"), "A4")
    fit_box(again).setChecked(True)
    qtbot.wait(300)
    fit_box(again).click()
    qtbot.wait(300)
    assert document_of(window).shape is fitted and set(document_of(window).pins) == {0}
    again.close()
