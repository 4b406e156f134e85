"""What dropping photos on a cell means: pin, swap pins, or with Shift swap the photos and pin both; a pure
decision.

On a held sheet it means to swap the two photos, without pins.

Each function gives the edit with its name for undo and a sentence for the status bar, or None without any change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from album_app.errors import UsageError
from album_app.language import tr, trn
from album_app.layout.editing.edits import Edit, pinned, unpinned
from album_app.layout.editing.hold import put_by_hand
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.blocks import exchanged, nearest_window
from album_app.layout.shapes.shape import Cell, Shape


def dropped(document: Document, photos: Sequence[int], cell: Cell, swap: bool = False) -> Edit | None:
    """The edit if photos are dropped on a cell; `swap` (Shift) makes one trade places with the photo there."""
    if cell not in document.shape:
        return None
    if len(photos) == 1 and not document.is_held:
        return _dropped_one(document, photos[0], cell, swap)
    cells = {} if document.layout is None else {photo: document.layout.cell_of(photo) for photo in photos}
    known = {photo: place for photo, place in cells.items() if place is not None}
    places = places_together(photos, known, cell, document.shape)
    return _put_on_held_sheet(document, places) if document.is_held else _pinned_each(document, places)


def swapped(document: Document, photos: Sequence[int]) -> Edit | None:
    """The edit that lets two photos on the sheet trade places, as if one were dropped on the other with Shift."""
    if document.layout is None or len(photos) != 2:
        return None
    photo, other = photos
    cell = document.layout.cell_of(other)
    if cell is None or document.layout.cell_of(photo) is None:
        return None
    return dropped(document, [photo], cell, swap=True)


def _put_on_held_sheet(document: Document, places: Mapping[int, Cell]) -> Edit | None:
    """Photos moved on a held sheet, where a photo trades places with the one in its new cell."""
    photo, cell = next(iter(places.items()))
    name, other = document.short_name(photo), _photo_in(document, cell)
    if len(places) > 1:
        title = trn("Move {count} photo", "Move {count} photos", len(places))
        hint = trn("Move {count} photo here", "Move {count} photos here", len(places))
        return put_by_hand(document, places, title, hint)
    if other is None:
        return put_by_hand(document, places, tr("Move {name}", name=name), tr("Put {name} here", name=name))
    both = tr("{others} and {last}", others=name, last=document.short_name(other))
    if document.layout is not None and photo in document.layout.positions:
        return put_by_hand(document, places, tr("Swap {both}", both=both), tr("Swap {both}", both=both))
    hint = tr("Put {name} here instead of {other}", name=name, other=document.short_name(other))
    return put_by_hand(document, places, tr("Put {name} on the sheet", name=name), hint)


def _dropped_one(document: Document, photo: int, cell: Cell, swap: bool) -> Edit | None:
    if document.pins.get(photo) == cell:
        return None
    if not swap:
        cell = _with_room(document, photo, cell)
    name, other, pins = document.short_name(photo), _photo_in(document, cell), document.pins
    here = document.layout.cell_of(photo) if document.layout is not None else pins.get(photo)
    if other is None or other == photo:
        return pinned(document, tr("Pin {name}", name=name), pins.pin(photo, cell), tr("Pin {name} here", name=name))
    other_name = document.short_name(other)
    if swap and here is not None:
        both, (to, back) = (
            tr("{others} and {last}", others=name, last=other_name),
            _swapped(document, photo, cell, here),
        )
        swapped = pins.unpin(other).pin(photo, to).pin(other, back)
        hint = tr("Swap {both} and pin both", both=both)
        return pinned(document, tr("Swap {both}", both=both), swapped, hint, swaps=True)
    if pins.at(cell) is None:
        hint = tr("Pin {name} here · hold Shift to swap the two photos", name=name)
        return pinned(document, tr("Pin {name}", name=name), pins.pin(photo, cell), hint)
    if photo in pins:
        both = tr("{others} and {last}", others=name, last=other_name)
        hint = tr("Swap the pins of {both}", both=both)
        return pinned(document, tr("Swap pins of {both}", both=both), pins.swap(photo, other), hint, swaps=True)
    hint = tr("Pin {name} here instead of {other}", name=name, other=other_name)
    return pinned(document, tr("Pin {name}", name=name), pins.swap(photo, other), hint)


def _with_room(document: Document, photo: int, cell: Cell) -> Cell:
    """The cell to pin a photo to that is dropped on a cell: a large one needs room for its block.

    It is the upper left cell of the nearest window that contains the cell and no other pin, or else the cell itself.
    """
    size = document.layout.sizes.get(photo, 1) if document.layout is not None else 1
    if size == 1:
        return cell
    free = document.shape.mask.copy()
    for other, taken in document.pins.items():
        if other != photo:
            free[taken] = False
    found = nearest_window(free, size, (cell[0] + size / 2, cell[1] + size / 2))
    return found if found is not None and all(0 <= cell[axis] - found[axis] < size for axis in (0, 1)) else cell


def _swapped(document: Document, photo: int, cell: Cell, here: Cell) -> tuple[Cell, Cell]:
    """Where a photo and the one in a cell lie after they changed places; blocks may move a little to find room."""
    layout = document.layout
    if layout is None or not layout.blocks or layout.photo_in(cell) in (None, photo):
        return cell, here
    after = exchanged(layout.shape, layout.photo_at, layout.sizes, layout.blocks, photo, cell)
    if after is None:
        raise UsageError(tr("There is no room here for the larger photo."))
    places = replace(layout, photo_at=after, pins=Pins()).positions
    return places[photo], places[int(layout.photo_at[layout.shape.index_of(cell)])]


def pinned_in_place(document: Document, photos: Sequence[int], cell: Cell | None) -> Edit | None:
    """The edit that pins photos where they are; the last of them in `cell` where it is there or nowhere at all."""
    layout = document.layout
    if layout is None:
        return None
    places = {photo: _place_of(layout, photo, cell if photo == photos[-1] else None) for photo in photos}
    free = {photo: place for photo, place in places.items() if place is not None and document.pins.get(photo) != place}
    if len(free) == 1:
        return _dropped_one(document, *next(iter(free.items())), swap=False)
    return _pinned_each(document, free)


def pinned_or_let_go(document: Document, photos: Sequence[int], cell: Cell | None) -> Edit | None:
    """What the key P does: pin photos where they are; if they all were, unpin them."""
    return pinned_in_place(document, photos, cell) or unpinned(document, photos)


def places_together(photos: Sequence[int], cells: Mapping[int, Cell], target: Cell, shape: Shape) -> dict[int, Cell]:
    """The cells of several photos that are dropped together: the last one goes to the target.

    Photos from the sheet keep their arrangement around it; where that does not fit, the nearest free cells serve.
    """
    *others, held = photos
    placed = {held: target}
    for photo in others:
        wanted = target
        if photo in cells and held in cells:
            wanted = _shifted(cells[photo], cells[held], target)
        free = shape.nearest_free(wanted, placed.values())
        if free is not None:
            placed[photo] = free
    return placed


def _shifted(cell: Cell, origin: Cell, target: Cell) -> Cell:
    return cell[0] + target[0] - origin[0], cell[1] + target[1] - origin[1]


def _pinned_each(document: Document, places: Mapping[int, Cell]) -> Edit | None:
    pins: Pins = document.pins
    for photo, cell in places.items():
        pins = pins.pin(photo, cell)
    name = trn("Pin {count} photo", "Pin {count} photos", len(places))
    hint = trn("Pin {count} photo here", "Pin {count} photos here", len(places))
    return pinned(document, name, pins, hint)


def _place_of(layout: Layout, photo: int, here: Cell | None) -> Cell | None:
    """Where a photo is; of repeats the one in the cell `here`, which also serves a photo that is nowhere."""
    cell = layout.cell_of(photo)
    if here is None or here not in layout.shape:
        return cell
    return here if cell is None or layout.photo_in(here) == photo else cell


def _photo_in(document: Document, cell: Cell) -> int | None:
    on_pin = document.pins.at(cell)
    if on_pin is not None or document.layout is None or cell not in document.layout.shape:
        return on_pin
    return document.layout.photo_in(cell)
