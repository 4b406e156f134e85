"""A sheet that changes its shape: pins move along, photos fill it anew, and the shape asked for last stays."""

import threading

import pytest
from pytestqt.qtbot import QtBot

from album_app.layout.editing.edits import excluded, included, pinned
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Shape, ShapeSpec, build_shape
from tests.gui.conftest import WAIT_MS, OpenSession, parts_of, wait_until_settled
from tests.gui.hands import document_of


def test_pins_move_with_the_shape(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    rows, columns = document_of(session).shape.rows, document_of(session).shape.columns
    session.drop([0], (0, 0))
    session.drop([1], (rows - 1, columns - 1))
    with qtbot.waitSignal(session.document_changed):
        parts_of(session).reshaping.start(ShapeSpec("rectangle", 2, 6))
    assert dict(document_of(session).pins) == {0: (0, 0), 1: (1, 5)}


def test_pins_do_not_drift_from_shape_to_shape(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(30)
    rows, columns = document_of(session).shape.rows, document_of(session).shape.columns
    put = {0: (0, 0), 1: (0, columns - 1), 2: (rows - 1, 0), 3: (rows - 1, columns - 1), 4: (1, 2)}
    session.edit(pinned, "Pin", Pins(put))
    shapes = [ShapeSpec("text", text="HI"), ShapeSpec("heart"), ShapeSpec("circle"), ShapeSpec()]
    for spec in [*shapes, *shapes]:
        with qtbot.waitSignal(session.document_changed, timeout=WAIT_MS):
            parts_of(session).reshaping.start(spec)
        if spec.kind == "circle":
            session.undo_stack.undo()
            session.undo_stack.redo()
    assert dict(document_of(session).pins) == put


def test_more_photos_than_cells_and_fewer(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    for rows, columns, shown in ((2, 3, 6), (5, 5, 12)):
        with qtbot.waitSignal(session.document_changed):
            parts_of(session).reshaping.start(ShapeSpec("rectangle", rows, columns))
        wait_until_settled(qtbot, session)
        layout = document_of(session).layout
        assert layout is not None and len(layout.shown) == shown


@pytest.mark.parametrize(("kind", "columns"), [("auto", 3), ("rectangle", 4)])
def test_an_automatic_shape_fits_again_when_photos_leave_and_come_back(
    open_session: OpenSession, qtbot: QtBot, kind: str, columns: int
) -> None:
    session = open_session(12)
    if kind == "rectangle":
        with qtbot.waitSignal(session.document_changed):
            parts_of(session).reshaping.start(ShapeSpec("rectangle", 3, 4))
    session.edit(excluded, [2, 5, 7])
    assert document_of(session).shape.columns == columns
    wait_until_settled(qtbot, session)
    session.edit(included, [2, 5, 7])
    assert document_of(session).shape.count == 12
    session.undo_stack.undo()
    assert document_of(session).shape.columns == columns


def test_a_cell_that_the_new_shape_lacks_is_not_selected_any_more(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    session.select((), (2, 0))
    with qtbot.waitSignal(session.selection_changed):
        parts_of(session).reshaping.start(ShapeSpec("rectangle", 2, 6))
    assert session.cell is None


def test_the_shape_asked_for_last_stays(
    open_session: OpenSession, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(12)
    gate, home = threading.Event(), document_of(session).spec

    def waiting(spec: ShapeSpec, count: int) -> Shape:
        gate.wait(15)
        return build_shape(spec, count)

    monkeypatch.setattr("album_app.gui.state.solving.build_shape", waiting)
    parts_of(session).reshaping.start(ShapeSpec("rectangle", 2, 6))
    parts_of(session).reshaping.start(home)
    gate.set()
    qtbot.waitUntil(lambda: parts_of(session).jobs.all_ended, timeout=WAIT_MS)
    assert document_of(session).spec == home and session.undo_stack.count() == 0


@pytest.mark.parametrize("meanwhile", ["undo", "pin"])
def test_a_shape_that_takes_long_follows_an_edit_but_not_an_undo(
    open_session: OpenSession, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    session, gate = open_session(12), threading.Event()
    jobs = parts_of(session).jobs
    session.drop([3], (0, 0))
    wait_until_settled(qtbot, session)

    def slow(spec: ShapeSpec, count: int) -> Shape:
        gate.wait(20)
        return build_shape(spec, count)

    monkeypatch.setattr("album_app.gui.state.solving.build_shape", slow)
    parts_of(session).reshaping.start(ShapeSpec("ring"))
    if meanwhile == "undo":
        session.undo_stack.undo()
    else:
        session.drop([4], (0, 1))
    gate.set()
    qtbot.waitUntil(lambda: not jobs.running("shape") and jobs.all_ended, timeout=WAIT_MS)
    document = document_of(session)
    assert document.spec.kind == ("auto" if meanwhile == "undo" else "ring")
    assert set(document.pins) == (set() if meanwhile == "undo" else {3, 4})
