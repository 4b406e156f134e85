"""Pins or unpins photos where they lie, after a question where they are many."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from album_app.gui.controls import ask_user
from album_app.gui.state.session import Session
from album_app.language import trn
from album_app.layout.editing.drops import pinned_or_let_go
from album_app.layout.editing.edits import Edit
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

MOST_WITHOUT_QUESTION = 20
"""Photos that are pinned or unpinned at once without a question; more are seldom meant."""

PinEdit = Callable[[Document, Sequence[int], Cell | None], Edit | None]


def pin_or_let_go(parent: QWidget, session: Session, cell: Cell | None, edit: PinEdit = pinned_or_let_go) -> None:
    """Pin the selected photos where they lie, or unpin them if they all are pinned."""
    document, photos = session.document, session.selected
    made = None if document is None else edit(document, photos, cell)
    if document is None or made is None:
        return
    more, fewer = made.document.pins.keys() - document.pins.keys(), document.pins.keys() - made.document.pins.keys()
    if max(len(more), len(fewer)) <= MOST_WITHOUT_QUESTION:
        session.apply(made)
        return
    question = (
        trn("Pin {count} photo?", "Pin {count} photos?", len(more))
        if more
        else trn("Unpin {count} photo?", "Unpin {count} photos?", len(fewer))
    )
    ask_user.confirm(parent.window(), question, made.name, lambda: session.edit(edit, photos, cell))
