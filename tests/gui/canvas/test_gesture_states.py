"""What the hand means, without any window: states in, states and intents out."""

import numpy as np
import pytest

from album_app.gui.canvas.gesture_states import (
    ADD,
    EXTEND,
    IDLE,
    NOTHING,
    REPLACE,
    TOGGLE,
    Banding,
    Cancelled,
    Carrying,
    Choose,
    ChooseWithin,
    DragOut,
    Drop,
    Pan,
    Panning,
    Pointer,
    Pressed,
    State,
    Unpin,
    block,
    cancel,
    carry_to,
    move,
    neighbour,
    pick_up,
    press,
    put_down,
    release,
    with_swap,
)
from album_app.layout.shapes.shape import Shape

ON_TILE = Pointer(10, 10, cell=(0, 0), photo=7)
ELSEWHERE = Pointer(60, 60, cell=(1, 1), photo=3)
EMPTY = Pointer(200, 200)


def dragged(start: Pointer = ON_TILE, end: Pointer = ELSEWHERE, selected: tuple[int, ...] = ()) -> State:
    return move(press(start), end, selected)[0]


@pytest.mark.parametrize(
    ("pointer", "intent"),
    [
        (ON_TILE, Choose((0, 0), REPLACE)),
        (Pointer(10, 10, (0, 0), 7, shift=True), Choose((0, 0), EXTEND)),
        (Pointer(10, 10, (0, 0), 7, ctrl=True), Choose((0, 0), TOGGLE)),
        (Pointer(10, 10, (0, 0), 7, badge=True), Unpin(7)),
        (EMPTY, Choose(None, REPLACE)),
    ],
)
def test_a_click(pointer: Pointer, intent: object) -> None:
    assert release(press(pointer), pointer) == (IDLE, intent)


def test_a_short_way_is_still_a_click() -> None:
    state, intent = move(press(ON_TILE), Pointer(12, 12, (0, 0), 7))
    assert isinstance(state, Pressed) and intent == NOTHING


def test_a_drag_pins_where_it_ends() -> None:
    state = dragged()
    assert isinstance(state, Carrying) and (state.photos, state.origin, state.target) == ((7,), (0, 0), (1, 1))
    assert release(state, ELSEWHERE) == (IDLE, Drop((7,), (1, 1), (0, 0)))


def test_shift_counts_when_the_photo_is_let_go() -> None:
    state, _ = move(dragged(), Pointer(60, 60, (1, 1), 3, shift=True))
    assert isinstance(state, Carrying) and state.swap
    assert release(state, ELSEWHERE)[1] == Drop((7,), (1, 1), (0, 0))
    state, _ = move(state, ELSEWHERE)
    assert isinstance(state, Carrying) and not state.swap


def test_selected_photos_go_along_and_the_held_one_comes_last() -> None:
    state = dragged(selected=(7, 8, 9))
    assert isinstance(state, Carrying) and state.photos == (8, 9, 7)
    alone = dragged(selected=(8, 9))
    assert isinstance(alone, Carrying) and alone.photos == (7,)


@pytest.mark.parametrize("end", [EMPTY, Pointer(11, 30, (0, 0), 7)])
def test_a_drag_that_ends_nowhere_or_at_home_changes_nothing(end: Pointer) -> None:
    assert release(dragged(end=end), end) == (IDLE, Cancelled())


def test_escape_cancels_a_drag_a_band_and_a_pan() -> None:
    for state in (dragged(), dragged(EMPTY, ELSEWHERE), press(Pointer(0, 0, pan=True))):
        assert cancel(state) == (IDLE, Cancelled())
    assert cancel(IDLE) == (IDLE, NOTHING)


def test_leaving_the_window_hands_the_photo_to_the_desktop() -> None:
    assert move(dragged(), Pointer(-50, 5, inside=False)) == (IDLE, DragOut((7,)))


def test_a_rubber_band_begins_beside_the_photos() -> None:
    state, intent = move(press(EMPTY), Pointer(150, 180))
    assert isinstance(state, Banding)
    assert intent == ChooseWithin(150, 180, 50, 20, REPLACE)
    _, grown = move(state, Pointer(220, 260))
    assert grown == ChooseWithin(200, 200, 20, 60, REPLACE)
    assert move(press(Pointer(200, 200, ctrl=True)), Pointer(150, 180))[1] == ChooseWithin(150, 180, 50, 20, ADD)
    assert release(state, EMPTY) == (IDLE, NOTHING)


def test_panning_follows_the_pointer() -> None:
    state = press(Pointer(5, 5, cell=(0, 0), photo=7, pan=True))
    assert move(state, Pointer(25, 15)) == (Panning(25, 15), Pan(20, 10))
    assert release(Panning(25, 15), EMPTY) == (IDLE, NOTHING)


def test_the_keyboard_carries_drops_and_swaps() -> None:
    state = carry_to(pick_up([7], (0, 0), (0, 0)), (2, 1))
    assert put_down(state) == (IDLE, Drop((7,), (2, 1), (0, 0)))
    at_home = pick_up([7], (0, 0), (0, 0))
    assert put_down(at_home) == (IDLE, Drop((7,), (0, 0), (0, 0)))
    assert move(state, ELSEWHERE) == (state, NOTHING)
    assert release(state, ELSEWHERE) == (state, NOTHING)
    assert with_swap(IDLE, True) == IDLE


def holed() -> Shape:
    return Shape(np.array([[1, 0, 1], [0, 0, 0], [1, 1, 0]], dtype=bool), "holes")


@pytest.mark.parametrize(
    ("cell", "step", "reached"),
    [
        ((0, 0), (0, 1), (0, 2)),
        ((0, 2), (0, -1), (0, 0)),
        ((0, 0), (1, 0), (2, 0)),
        ((0, 2), (1, 0), (2, 1)),
        ((2, 1), (0, 1), (0, 2)),
        ((0, 0), (-1, 0), (0, 0)),
        ((0, 0), (0, -1), (0, 0)),
    ],
)
def test_arrows_go_over_gaps(cell: tuple[int, int], step: tuple[int, int], reached: tuple[int, int]) -> None:
    assert neighbour(holed().frames(), cell, *step) == reached


def test_every_cell_can_be_reached_by_arrows() -> None:
    shape = holed()
    found = {(0, 0)}
    for _ in range(shape.count):
        found |= {
            neighbour(shape.frames(), cell, *step) for cell in found for step in ((0, 1), (1, 0), (0, -1), (-1, 0))
        }
    assert found == {shape.cell(index) for index in range(shape.count)}


def test_a_block_leaves_holes_out() -> None:
    assert block(holed().frames(), (2, 2), (0, 1)) == [(0, 2), (2, 1)]
