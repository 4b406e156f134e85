"""Shapes of as many cells as photos follow who takes part; where somebody has no cell, that is said."""

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QSpinBox
from pytestqt.qtbot import QtBot

from album_app.gui.panel.shape_fields import TextField
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import OpenWindow
from tests.gui.hands import canvas_of, document_of, layout_of, undo
from tests.gui.panel.panel_hands import after_edit, choose, control


def shaped(window: MainWindow, qtbot: QtBot, kind: str) -> None:
    if kind != "text":
        after_edit(qtbot, window, lambda: choose(window, "Shape", kind))
        return
    choose(window, "Shape", kind)
    field = control(window, TextField, "Text")
    assert isinstance(field, TextField)
    after_edit(qtbot, window, lambda: field.insertPlainText("HI"))


def act(window: MainWindow, qtbot: QtBot, action: str, photo: int) -> None:
    window.session.select([photo])
    after_edit(qtbot, window, window.actions_table[action].trigger)


def summary(window: MainWindow) -> str:
    label = control(window, QLabel, "Size of the sheet")
    assert isinstance(label, QLabel)
    return label.text()


@pytest.mark.parametrize("kind", ["text", "heart", "hexagon"])
def test_excluding_and_taking_back_leave_no_hole_and_nobody_outside(
    open_window: OpenWindow, qtbot: QtBot, kind: str
) -> None:
    window = open_window(40)
    shaped(window, qtbot, kind)
    before, positions = document_of(window).shape, layout_of(window).positions
    act(window, qtbot, "exclude", 7)
    assert document_of(window).shape.count == 39 and (layout_of(window).photo_at >= 0).all()
    assert summary(window).startswith("39 photos for 39 cells")
    act(window, qtbot, "include", 7)
    assert document_of(window).shape.same_cells(before) and set(layout_of(window).shown) == set(range(40))
    undo(window)
    after_edit(qtbot, window, lambda: window.session.drop([7], document_of(window).shape.cell(3)))
    assert set(document_of(window).pins) == {7} and set(layout_of(window).shown) == set(range(40))
    assert "no cell" not in window.notice.text()
    for _ in range(2):
        undo(window)
    assert document_of(window).shape is before and layout_of(window).positions == positions


def test_an_edit_that_leaves_somebody_without_a_cell_says_so(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(20)
    choose(window, "Shape", "rectangle")
    rows, lock = control(window, QSpinBox, "Rows"), control(window, QCheckBox, "Keep a cell for every photo")
    assert isinstance(rows, QSpinBox) and isinstance(lock, QCheckBox)
    after_edit(qtbot, window, lambda: rows.setValue(2))
    act(window, qtbot, "exclude", 7)
    lock.setChecked(False)
    after_edit(qtbot, window, lambda: control(window, QSpinBox, "Columns").setValue(9))  # type: ignore[attr-defined]
    assert document_of(window).shape.count == 18 and "1 photo has no cell" in window.notice.text()
    act(window, qtbot, "include", 7)
    assert window.notice.text().endswith("2 photos have no cell") and "2 photos have no cell" in summary(window)
    canvas_of(window).setFocus()
    after_edit(qtbot, window, lambda: window.session.drop([3], (0, 0)))
    assert "no cell" not in window.notice.text(), "nothing new"
    choose(window, "Shape", "auto")
    qtbot.waitUntil(lambda: document_of(window).shape.count == 20)
    choose(window, "Shape", "rectangle")
    assert lock.isChecked(), "a grid for the photos has a cell for each"
