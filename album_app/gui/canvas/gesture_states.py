"""The states of a gesture on the canvas, as pure functions: from a state and an event to the next state and an intent.

Nothing is changed here; `hand` performs the intents.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from album_app.layout.shapes.frames import Frames
from album_app.layout.shapes.shape import Cell, Shape

DRAG_DISTANCE = 6.0
"""A press becomes a drag when the pointer has moved this far, in logical pixels."""
REPLACE, ADD, TOGGLE, EXTEND = "replace", "add", "toggle", "extend"
"""What a choice does to the selection; EXTEND selects the block of cells up to the chosen one."""


@dataclass(frozen=True)
class Pointer:
    """Where the pointer is (in logical pixels), what is under it, and which keys are pressed."""

    x: float
    y: float
    cell: Cell | None = None
    photo: int | None = None
    badge: bool = False  # whether it is on the badge of a pin
    page: int | None = None  # of a book, its title below it included
    title: bool = False  # whether it is on that title
    inside: bool = True  # whether it is in the window
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    handle: bool = False  # whether it is on the corner by which the selected tile is made larger
    pan: bool = False  # the middle button, or the left one with Space


@dataclass(frozen=True)
class Idle:
    """No gesture."""


@dataclass(frozen=True)
class Pressed:
    """A button is pressed and the pointer has not moved far."""

    at: Pointer


@dataclass(frozen=True)
class Panning:
    """The sheet is being moved."""

    x: float
    y: float


@dataclass(frozen=True)
class Banding:
    """A rubber band is being drawn from the first point to the second."""

    x: float
    y: float
    to_x: float
    to_y: float
    mode: str


@dataclass(frozen=True)
class Carrying:
    """Photos are carried by pointer or keyboard, over `target` now; `origin` is their cell if they are on the sheet."""

    photos: tuple[int, ...]
    origin: Cell | None
    target: Cell | None
    swap: bool = False
    x: float = 0.0
    y: float = 0.0
    keyboard: bool = False
    foresees: bool = False  # whether the sheet is shown as it would become


@dataclass(frozen=True)
class CarryingPage:
    """A page of a book is dragged by its title; it would go to the place of the page `target`."""

    page: int
    target: int | None


@dataclass(frozen=True)
class Cropping:
    """A photo is being moved within its frame."""

    photo: int
    cell: Cell
    x: float
    y: float


@dataclass(frozen=True)
class Resizing:
    """The corner of a tile is dragged; the photo is to reach to the cell `target`."""

    photo: int
    cell: Cell
    target: Cell | None


State = Cropping | Resizing | Idle | Pressed | Panning | Banding | Carrying | CarryingPage


@dataclass(frozen=True)
class Nothing:
    """Do nothing."""


@dataclass(frozen=True)
class Pan:
    """Move the sheet by logical pixels."""

    dx: float
    dy: float


@dataclass(frozen=True)
class PushPhoto:
    """Move a photo within the frame of a cell by logical pixels."""

    photo: int
    cell: Cell
    dx: float
    dy: float


@dataclass(frozen=True)
class Resize:
    """Have a photo cover the cells from its own up to another one."""

    photo: int
    cell: Cell
    to: Cell


@dataclass(frozen=True)
class Choose:
    """Select what is in a cell, in one of the modes REPLACE, ADD, TOGGLE and EXTEND."""

    cell: Cell | None
    mode: str


@dataclass(frozen=True)
class ChooseWithin:
    """Select the photos that a rectangle overlaps."""

    x: float
    y: float
    width: float
    height: float
    mode: str


@dataclass(frozen=True)
class Drop:
    """Put photos on a cell, by the edit that was computed while they hovered over it."""

    photos: tuple[int, ...]
    cell: Cell
    origin: Cell | None


@dataclass(frozen=True)
class MovePage:
    """Put a page of a book in the place of another."""

    page: int
    to: int


@dataclass(frozen=True)
class Unpin:
    """The pin badge of a photo was clicked."""

    photo: int


@dataclass(frozen=True)
class DragOut:
    """The photos left the window: go on as a drag of the desktop."""

    photos: tuple[int, ...]


@dataclass(frozen=True)
class Cancelled:
    """Put back what was dragged."""


Intent = PushPhoto | Resize | Nothing | Pan | Choose | ChooseWithin | Drop | MovePage | Unpin | DragOut | Cancelled
NOTHING = Nothing()
IDLE = Idle()


def press(pointer: Pointer) -> State:
    """A button went down."""
    return Panning(pointer.x, pointer.y) if pointer.pan else Pressed(pointer)


def move(state: State, pointer: Pointer, selected: Sequence[int] = ()) -> tuple[State, Intent]:
    """The pointer moved; `selected` photos go along when one of them is dragged."""
    match state:
        case Panning(x, y):
            return Panning(pointer.x, pointer.y), Pan(pointer.x - x, pointer.y - y)
        case Cropping(photo, cell, x, y):
            after = replace(state, x=pointer.x, y=pointer.y)
            return after, PushPhoto(photo, cell, pointer.x - x, pointer.y - y)
        case Resizing():
            return replace(state, target=pointer.cell), NOTHING
        case Pressed(at):
            if abs(pointer.x - at.x) + abs(pointer.y - at.y) < DRAG_DISTANCE:
                return state, NOTHING
            return _begin(at, pointer, selected)
        case Banding():
            return _band(replace(state, to_x=pointer.x, to_y=pointer.y))
        case CarryingPage():
            return replace(state, target=pointer.page), NOTHING
        case Carrying(photos=photos, keyboard=False):
            if not pointer.inside:
                return IDLE, DragOut(photos)
            there = replace(state, target=pointer.cell, x=pointer.x, y=pointer.y)
            return replace(there, swap=pointer.shift, foresees=pointer.alt), NOTHING
    return state, NOTHING


def release(state: State, pointer: Pointer) -> tuple[State, Intent]:
    """The button went up."""
    match state:
        case Pressed(at):
            return IDLE, _click(at)
        case Carrying(photos=photos, origin=origin, keyboard=False):
            if pointer.cell is None or pointer.cell == origin:
                return IDLE, Cancelled()
            return IDLE, Drop(photos, pointer.cell, origin)
        case Resizing(photo, cell, _):
            return IDLE, NOTHING if pointer.cell is None else Resize(photo, cell, pointer.cell)
        case Cropping():
            return IDLE, NOTHING
        case CarryingPage(page, _):
            return IDLE, NOTHING if pointer.page in (None, page) else MovePage(page, pointer.page)
        case Banding() | Panning():
            return IDLE, NOTHING
    return state, NOTHING


def cancel(state: State) -> tuple[State, Intent]:
    """Esc was pressed, or the window lost the pointer."""
    return IDLE, NOTHING if isinstance(state, Idle) else Cancelled()


def pick_up(photos: Sequence[int], origin: Cell | None, over: Cell) -> State:
    """Begin to move photos by the keyboard, over a cell."""
    return Carrying(tuple(photos), origin, over, keyboard=True)


def carry_to(state: State, cell: Cell | None) -> State:
    """Move what is carried over another cell."""
    return replace(state, target=cell) if isinstance(state, Carrying) else state


def taken_from_sheet(state: State) -> tuple[int, Cell] | None:
    """The photo that is dragged from the sheet, and its cell."""
    if isinstance(state, Carrying) and state.photos and state.origin is not None and not state.keyboard:
        return state.photos[-1], state.origin
    return None


def is_there(state: State, count: int, shape: Shape) -> bool:
    """Whether the photos and cells of a gesture still exist, with `count` photos and this shape."""
    photos: tuple[int | None, ...] = ()
    cells: tuple[Cell | None, ...] = ()
    match state:
        case Pressed(at):
            photos, cells = (at.photo,), (at.cell,)
        case Carrying():
            photos, cells = state.photos, (state.origin, state.target)
    return all(p is None or p < count for p in photos) and all(c is None or c in shape for c in cells)


def with_swap(state: State, swap: bool) -> State:
    """Shift was pressed or released."""
    return replace(state, swap=swap) if isinstance(state, Carrying) else state


def with_foresight(state: State, foresees: bool) -> State:
    """Alt was pressed or released."""
    return replace(state, foresees=foresees) if isinstance(state, Carrying) else state


def put_down(state: State) -> tuple[State, Intent]:
    """Drop what the keyboard carries; over its own cell that pins the photo there."""
    if isinstance(state, Carrying) and state.target is not None:
        return IDLE, Drop(state.photos, state.target, state.origin)
    return cancel(state)


def _begin(at: Pointer, pointer: Pointer, selected: Sequence[int]) -> tuple[State, Intent]:
    """Begin a drag: of the page, corner or photo where the button was pressed, or else of a rubber band."""
    if at.title and at.page is not None:
        return CarryingPage(at.page, pointer.page), NOTHING
    if at.handle and at.photo is not None and at.cell is not None:
        return Resizing(at.photo, at.cell, pointer.cell), NOTHING
    if at.alt and at.photo is not None and at.cell is not None:
        began = Cropping(at.photo, at.cell, pointer.x, pointer.y)
        return began, PushPhoto(at.photo, at.cell, pointer.x - at.x, pointer.y - at.y)
    if at.photo is None:
        mode = ADD if at.shift or at.ctrl else REPLACE
        return _band(Banding(at.x, at.y, pointer.x, pointer.y, mode))
    photos = tuple(selected) if at.photo in selected else (at.photo,)
    ordered = (*(photo for photo in photos if photo != at.photo), at.photo)
    return Carrying(ordered, at.cell, pointer.cell, pointer.shift, pointer.x, pointer.y), NOTHING


def _band(band: Banding) -> tuple[State, Intent]:
    x, y = min(band.x, band.to_x), min(band.y, band.to_y)
    return band, ChooseWithin(x, y, abs(band.to_x - band.x), abs(band.to_y - band.y), band.mode)


def _click(at: Pointer) -> Intent:
    if at.badge and at.photo is not None:
        return Unpin(at.photo)
    return Choose(at.cell, EXTEND if at.shift else TOGGLE if at.ctrl else REPLACE)


def neighbour(frames: Frames, cell: Cell, down: int, right: int) -> Cell:
    """The cell of the next frame in a direction, also beyond gaps; the cell itself if it is the last one."""
    return frames.cell(frames.beyond(frames.of(cell), down, right))


def block(frames: Frames, first: Cell, last: Cell) -> list[Cell]:
    """The cells of the frames that lie in the smallest rectangle around two cells."""
    rows, columns = frames.grid.shape
    top, bottom = sorted((first[0], last[0]))
    left, right = sorted((first[1], last[1]))
    inside = frames.grid[max(0, top) : min(bottom, rows - 1) + 1, max(0, left) : min(right, columns - 1) + 1]
    return [frames.cell(number) for number in sorted({*inside.ravel().tolist()} - {-1})]
