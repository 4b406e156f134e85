"""The caption of a cell: the photo's name and date, whether it can be read, whether it is pinned."""

from album_app.file_names import undirected
from album_app.gui.state.pictures import DAMAGED, MISSING
from album_app.gui.style.wording import place_words, taken_words
from album_app.language import mark, tr, trn
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

STATE_WORDS = {MISSING: mark("File not found"), DAMAGED: mark("Cannot be read")}


def caption_lines(document: Document | None, cell: Cell | None, state: str = "") -> list[str]:
    """A title and further lines about a cell; none where there is no such cell."""
    if document is None or cell is None or cell not in document.shape:
        return []
    layout = document.layout
    number = None if layout is None or cell not in layout.shape else layout.photo_in(cell)
    if layout is None or number is None:
        return [tr("Empty cell")]
    photo = document.album.photos[number]
    pinned = tr("Pinned") if document.pins.get(number) == cell else ""
    stack = len(document.stack_of.get(number, ()))
    piled = trn("Stack of {count} photo", "Stack of {count} photos", stack) if stack else ""
    return [
        line
        for line in (undirected(photo.name), *taken_words(photo), tr(STATE_WORDS.get(state, "")), piled, pinned)
        if line
    ]


def caption(document: Document | None, cell: Cell | None) -> str:
    """The same in one line, with the place on the sheet."""
    lines = caption_lines(document, cell)
    if document is None or cell is None or not lines:
        return ""
    return " · ".join([*lines, place_words(cell, document.shape.pages)])
