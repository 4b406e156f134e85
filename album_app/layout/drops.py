"""What dropping a photo on a cell means: a pure decision with a name for undo and a sentence for the status bar."""

from dataclasses import dataclass

from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell


@dataclass(frozen=True)
class Drop:
    """The pins after a drop, the name of the edit, and what the status bar says while the photo hovers."""

    pins: Pins
    name: str
    hint: str


def plan_drop(document: Document, photo: int, cell: Cell, swap: bool = False) -> Drop | None:
    """What happens if `photo` is dropped on `cell` (Shift: `swap`); None where nothing would change."""
    if cell not in document.shape or document.pins.get(photo) == cell:
        return None
    name = short_name(document, photo)
    here = document.layout.cell_of(photo) if document.layout is not None else document.pins.get(photo)
    other = _photo_in(document, cell)
    if other is None or other == photo:
        return Drop(document.pins.pin(photo, cell), f"Pin {name}", f"Pin {name} here")
    if swap and here is not None:
        pins = document.pins.unpin(other).pin(photo, cell).pin(other, here)
        both = f"{name} and {short_name(document, other)}"
        return Drop(pins, f"Swap {both}", f"Swap {both} and pin both")
    if document.pins.at(cell) is not None:
        pins = document.pins.swap(photo, other)
        other_name = short_name(document, other)
        if photo in document.pins:
            return Drop(pins, f"Swap pins of {name} and {other_name}", f"Swap the pins of {name} and {other_name}")
        return Drop(pins, f"Pin {name}", f"Pin {name} here instead of {other_name}")
    return Drop(document.pins.pin(photo, cell), f"Pin {name}", f"Pin {name} here · hold Shift to swap the two photos")


def short_name(document: Document, photo: int) -> str:
    """A photo's file name without its folders and suffix."""
    return document.album.photos[photo].name.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def _photo_in(document: Document, cell: Cell) -> int | None:
    pinned = document.pins.at(cell)
    if pinned is not None or document.layout is None or cell not in document.layout.shape:
        return pinned
    return document.layout.photo_in(cell)
