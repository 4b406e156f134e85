"""A screen reader finds the cells of the sheet as objects of their own."""

import gc

from PySide6.QtGui import QAccessible, QAccessibleInterface
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.canvas import Canvas
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.conftest import WAIT_MS, OpenCanvas, parts_of, wait_until_settled
from tests.gui.hands import document_of, layout_of

NAME = QAccessible.Text.Name


def sheet_of(canvas: Canvas) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(canvas)


def cell_of(canvas: Canvas, number: int) -> QAccessibleInterface:
    return sheet_of(canvas).child(number)


def test_cells_are_children_with_names_and_places(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(12)
    sheet, shape = sheet_of(canvas), document_of(canvas.session).shape
    assert sheet.role() == QAccessible.Role.Table and sheet.childCount() == shape.count
    cell = sheet.child(5)
    row, column = shape.cell(5)
    photo = layout_of(canvas.session).photo_in((row, column))
    assert cell.role() == QAccessible.Role.Cell and cell.isValid()
    assert f"row {row + 1}, column {column + 1}" in cell.text(NAME)
    assert f"photo-{photo:04d}" in cell.text(NAME)
    assert cell.parent().object() is canvas and sheet.indexOfChild(cell) == 5
    middle = cell.rect().center()
    assert sheet.childAt(middle.x(), middle.y()) is cell
    assert canvas.cell_at(canvas.mapFromGlobal(middle).toPointF()) == (row, column)


def test_a_cell_is_selected_pinned_and_let_go_by_its_actions(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    session, cell = canvas.session, cell_of(canvas, 3)
    place = document_of(session).shape.cell(3)
    photo = layout_of(session).photo_in(place)
    actions = cell.actionInterface()
    assert actions.actionNames() == ["Press", "Pin here", "Large view"] and not cell.state().checked
    actions.doAction("Press")
    assert session.selected == (photo,) and session.cell == place and cell.state().selected
    actions.doAction("Pin here")
    assert document_of(session).pins == {photo: place}
    wait_until_settled(qtbot, session)
    assert cell.state().checked and "Pinned" in cell.text(NAME) and "Unpin" in actions.actionNames()
    actions.doAction("Unpin")
    assert not document_of(session).pins
    wait_until_settled(qtbot, session)
    with qtbot.waitSignal(canvas.large_requested):
        actions.doAction("Large view")


def test_cells_follow_another_shape(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    last = cell_of(canvas, 11)
    parts_of(canvas.session).reshaping.start(ShapeSpec("rectangle", rows=2, columns=3))
    qtbot.waitUntil(lambda: sheet_of(canvas).childCount() == 6, timeout=WAIT_MS)
    gc.collect()
    assert not last.isValid() and sheet_of(canvas).child(11) is None
    assert "row 2, column 3" in cell_of(canvas, 5).text(NAME)
    wait_until_settled(qtbot, canvas.session)


def test_the_focus_is_on_the_cell_of_the_keyboard(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    canvas.activateWindow()
    canvas.setFocus()
    place = document_of(canvas.session).shape.cell(4)
    canvas.session.select((), place)
    qtbot.waitUntil(canvas.hasFocus, timeout=WAIT_MS)
    canvas.session.select((), place)
    assert sheet_of(canvas).focusChild() is cell_of(canvas, 4) and cell_of(canvas, 4).state().focused
