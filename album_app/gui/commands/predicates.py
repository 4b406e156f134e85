"""When an action makes sense."""

from collections.abc import Callable

from album_app.gui.state.jobs import Jobs
from album_app.gui.state.session import Session
from album_app.layout.project.document import Document

Predicate = Callable[[Session, Jobs], bool]


def _selected(session: Session, test: Callable[[int], bool]) -> bool:
    return session.document is not None and any(test(photo) for photo in session.selected)


def _in_stack(document: Document, photo: int) -> bool:
    return photo in document.stack_of or photo in document.covered


PREDICATES: dict[str, Predicate] = {
    "always": lambda s, j: True,
    "document": lambda s, j: s.document is not None,
    "layout": lambda s, j: s.document is not None and s.document.layout is not None,
    "selection": lambda s, j: s.document is not None and bool(s.selected),
    "placed": lambda s, j: s.document is not None and s.cell is not None,
    "empty_cell": lambda s, j: bool(s.selected) and s.on_empty_cell,
    "pinned": lambda s, j: _selected(s, lambda p: s.document is not None and p in s.document.pins),
    "excluded": lambda s, j: _selected(s, lambda p: s.document is not None and p in s.document.excluded),
    "included": lambda s, j: _selected(s, lambda p: s.document is not None and p not in s.document.excluded),
    "any_pins": lambda s, j: s.document is not None and bool(s.document.pins),
    "letters": lambda s, j: s.document is not None and bool(s.document.shape.centres),
    "book": lambda s, j: s.document is not None and s.document.shape.pages is not None and s.cell is not None,
    "in_stack": lambda s, j: _selected(s, lambda p: s.document is not None and _in_stack(s.document, p)),
    "covered": lambda s, j: s.current is not None and s.document is not None and s.current in s.document.covered,
    "any_stacks": lambda s, j: s.document is not None and bool(s.document.stacks),
    "missing": lambda s, j: s.document is not None and bool(s.document.missing),
    "undo": lambda s, j: s.undo_stack.canUndo(),
    "redo": lambda s, j: s.undo_stack.canRedo(),
    "busy": lambda s, j: bool(j.visible),
}
