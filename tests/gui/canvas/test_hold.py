"""A held sheet in the window: the switch, the keys, swaps by drag, held cells and parts arranged again."""

import numpy as np
from pytestqt.qtbot import QtBot

from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import excluded, with_options
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.hands import KEY, SHIFT, canvas_of, click, document_of, drag, layout_of, pins, type_keys, undo


def test_h_and_the_switch_hold_the_sheet_and_undo_lets_it_go(window: MainWindow) -> None:
    canvas, switch = canvas_of(window), window.actions_table["hold"]
    assert switch in window.tools.actions()
    canvas.setFocus()
    type_keys(canvas, KEY.Key_H)
    assert document_of(window).is_held and switch.isChecked()
    undo(window)
    assert not document_of(window).is_held and not switch.isChecked()
    switch.trigger()
    assert document_of(window).is_held
    switch.trigger()
    assert not document_of(window).is_held and document_of(window).is_settled


def test_on_a_held_sheet_a_drag_swaps_two_photos_and_nothing_else_moves(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    type_keys(canvas, KEY.Key_H)
    before = layout_of(window).photo_at.copy()
    drag(canvas, (0, 0), (2, 2))
    a, b = (layout_of(window).shape.index_of(cell) for cell in ((0, 0), (2, 2)))
    wanted = before.copy()
    wanted[[a, b]] = before[[b, a]]
    assert np.array_equal(layout_of(window).photo_at, wanted) and not pins(window)
    window.session.edit(excluded, [int(before[5])])
    window.session.edit(with_options, "Follow the pins", follow=0.9)
    wanted[5] = -1
    assert np.array_equal(layout_of(window).photo_at, wanted) and document_of(window).is_settled
    type_keys(canvas, KEY.Key_H)
    wait_until_settled(qtbot, window.session)
    assert np.array_equal(layout_of(window).photo_at, wanted), "letting go changes nothing until the next edit"


def test_held_cells_stay_when_everything_else_is_arranged_again(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(30)
    canvas = canvas_of(window)
    for cell in ((0, 0), (3, 3)):
        click(canvas, cell)
        type_keys(canvas, KEY.Key_H, modifiers=SHIFT)
    assert document_of(window).held == {(0, 0), (3, 3)}
    before = layout_of(window)
    window.session.edit(with_options, "Seed", seed=5)
    wait_until_settled(qtbot, window.session)
    after = layout_of(window)
    assert [after.photo_in(cell) for cell in ((0, 0), (3, 3))] == [before.photo_in(cell) for cell in ((0, 0), (3, 3))]
    assert not np.array_equal(after.photo_at, before.photo_at)


def test_these_alone_are_arranged_again(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(30)
    canvas = canvas_of(window)
    type_keys(canvas, KEY.Key_H)
    drag(canvas, (0, 0), (1, 1))
    drag(canvas, (0, 1), (1, 0))
    before = layout_of(window)
    click(canvas, (0, 0))
    click(canvas, (1, 2), SHIFT)
    window.actions_table["arrange_these"].trigger()
    wait_until_settled(qtbot, window.session)
    after, block = layout_of(window), [(row, column) for row in (0, 1) for column in (0, 1, 2)]
    inside = [before.shape.index_of(cell) for cell in block]
    outside = np.setdiff1d(np.arange(before.shape.count), inside)
    assert np.array_equal(after.photo_at[outside], before.photo_at[outside])
    assert sorted(after.photo_at[inside]) == sorted(before.photo_at[inside])
    assert not np.array_equal(after.photo_at, before.photo_at)
    assert document_of(window).is_held and not document_of(window).again


def test_polishing_improves_the_sheet_as_a_step_of_its_own(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(60)
    before = layout_of(window)
    for _ in range(2):  # after an edit it can be polished again
        window.actions_table["polish"].trigger()
        wait_until_settled(qtbot, window.session)
        polished = layout_of(window)
        assert polished.options is not None and polished.options.effort == "best"
        assert sorted(polished.photo_at) == sorted(before.photo_at)
        drag(canvas_of(window), (0, 0), (2, 2))
        wait_until_settled(qtbot, window.session)
        assert pins(window)
    for _ in range(4):
        undo(window)
    assert np.array_equal(layout_of(window).photo_at, before.photo_at)
    type_keys(canvas_of(window), KEY.Key_H)
    window.actions_table["polish"].trigger()
    assert np.array_equal(layout_of(window).photo_at, before.photo_at), "a held sheet stays as it is"


def test_another_shape_of_a_held_sheet_is_explained(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    canvas.setFocus()
    type_keys(canvas, KEY.Key_H)
    window.parts.reshaping.start(ShapeSpec("hexagon"))
    qtbot.waitUntil(lambda: document_of(window).spec.kind == "hexagon", timeout=WAIT_MS)
    assert "sheet is held" in window.notice.text() and document_of(window).is_held
