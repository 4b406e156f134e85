"""The box that polishes the sheet before it is exported: off at first, a step of its own, and it can be cancelled."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import can_be_polished
from album_app.layout.pins import Pins
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.dialogs.dialog_hands import export_button, facts_of, open_export
from tests.gui.endless import Endless
from tests.gui.hands import document_of, layout_of, photo_in, undo


def polish_box(dialog: ExportDialog) -> QCheckBox:
    return next(box for box in dialog.findChildren(QCheckBox) if box.text() == "Polish before exporting")


def swap_corners_by_hand(qtbot: QtBot, window: MainWindow) -> None:
    """Make the sheet one that polishing certainly improves: opposite corners have each other's photos."""
    shape = document_of(window).shape
    last_row, last_column = (length - 1 for length in shape.mask.shape)
    window.actions_table["hold"].trigger()
    for corner, opposite in (((0, 0), (last_row, last_column)), ((0, last_column), (last_row, 0))):
        window.session.drop([photo_in(window, corner)], opposite)
    wait_until_settled(qtbot, window.session)
    window.actions_table["hold"].trigger()
    wait_until_settled(qtbot, window.session)


def test_the_sheet_is_exported_polished_and_undo_brings_it_back(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window(30)
    swap_corners_by_hand(qtbot, window)
    before = layout_of(window)
    dialog = open_export(window)
    box = polish_box(dialog)
    assert box.isVisible() and not box.isChecked()
    box.click()
    dialog.export_to(tmp_path / "sheet.png")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    after = layout_of(window)
    assert after.options is not None and after.options.effort == "best" and window.session.is_settled
    assert sorted(after.photo_at) == sorted(before.photo_at) and not np.array_equal(after.photo_at, before.photo_at)
    assert dialog.drawn is not None and dialog.drawn.layout is after and not box.isChecked()
    dialog.close()
    assert window.session.undo_stack.undoText() == "Polish"
    undo(window)
    assert np.array_equal(layout_of(window).photo_at, before.photo_at)


def test_cancelling_writes_nothing_and_leaves_the_sheet_as_it_is(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, endless, file = open_window(12), Endless(), tmp_path / "sheet.png"
    before = document_of(window)
    dialog = open_export(window)
    polish_box(dialog).click()
    monkeypatch.setattr("album_app.gui.dialogs.export.own_sheet.solved", endless)
    dialog.export_to(file)
    qtbot.waitUntil(endless.began.is_set, timeout=WAIT_MS)
    assert not export_button(dialog).isEnabled()
    dialog.reject()
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Cancelled"), timeout=WAIT_MS)
    assert endless.ended.wait(1) and not file.exists()
    assert dialog.isVisible() and polish_box(dialog).isChecked() and export_button(dialog).isEnabled()
    assert document_of(window).layout is before.layout and not window.session.undo_stack.canUndo()


def test_a_sheet_that_is_held_or_pinned_as_a_whole_offers_no_polish(open_window: OpenWindow) -> None:
    window = open_window(12)
    document, sheet = document_of(window), layout_of(window)
    assert can_be_polished(document)
    assert not can_be_polished(replace(document, pins=Pins(sheet.positions)))
    assert not can_be_polished(replace(document, held=frozenset(sheet.positions.values())))
    window.actions_table["hold"].trigger()
    assert polish_box(open_export(window)).isHidden()
