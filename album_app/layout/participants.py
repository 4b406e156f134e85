"""Which photos take part in the arrangement, and which only keep their places."""

from collections.abc import Collection

from album_app.layout.pins import Pins
from album_app.layout.project.document import Document


def taking_part(document: Document, damaged: Collection[int], stacked: Collection[int]) -> tuple[int, ...]:
    """The photos meant for the sheet: a pinned one always is, a missing one where it has a place.

    Of the others those that are neither excluded nor `damaged`, and not `stacked` under a near-duplicate of theirs
    where the document wants that.
    """
    hidden = ({*damaged} | {*stacked} if document.options.stack_twins else {*damaged}) - document.pins.keys()
    return (*(photo for photo in document.active if photo not in hidden), *held_places(document))


def held_places(document: Document) -> Pins:
    """The missing photos on the sheet, each in its cell: nothing is known of them, but they are not given up."""
    missing = document.missing - document.excluded
    held = {photo: cell for photo, cell in document.pins.items() if photo in missing}
    if missing and document.layout is not None:
        taken = set(document.pins.values())
        for photo in missing - held.keys():
            cell = document.layout.positions.get(photo)
            if cell is not None and cell not in taken:
                held[photo] = cell
    return Pins(held)
