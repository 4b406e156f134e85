"""What is told about a cell: the photo's name and date, whether it is there to be seen, whether it is pinned."""

from album_app.file_names import undirected
from album_app.gui.state.pictures import DAMAGED, MISSING
from album_app.gui.style.wording import place_words
from album_app.language import mark, moment, tr, trn
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell
from album_app.photos.album import Photo

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
    taken = _taken(photo, bool(document.options.time_weight))
    pinned = tr("Pinned") if document.pins.get(number) == cell else ""
    stack = len(document.stack_of.get(number, ()))
    piled = trn("Stack of {count} photo", "Stack of {count} photos", stack) if stack else ""
    return [line for line in (undirected(photo.name), taken, tr(STATE_WORDS.get(state, "")), piled, pinned) if line]


def _taken(photo: Photo, on_timeline: bool) -> str:
    """When a photo was taken; that only its file tells is said where its place depends on that."""
    if photo.date is not None or photo.taken is None:
        return "" if photo.date is None else moment(photo.date)
    return tr("{date}, by its file time only", date=moment(photo.taken)) if on_timeline else ""


def caption(document: Document | None, cell: Cell | None) -> str:
    """The same in one line, with the place on the sheet."""
    lines = caption_lines(document, cell)
    return "" if cell is None or not lines else " · ".join([*lines, place_words(cell)])
