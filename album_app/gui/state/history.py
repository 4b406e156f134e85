"""The one undo command: the document before, the document after."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from album_app.layout.project.document import Document

if TYPE_CHECKING:
    from album_app.gui.state.session import Session

MERGE_SECONDS = 1.0
UNDO_LIMIT = 300
WHOLE_EDITS = 8
"""So many edits keep what the solver knew, too: going back further, alternatives have to be found anew."""


def without_guide(document: Document) -> Document:
    """The document with its layout alone: a plan of thousands of photos takes tens of megabytes."""
    if document.layout is None or document.layout.guide is None:
        return document
    return replace(document, layout=replace(document.layout, guide=None))


class Edit(QUndoCommand):
    """Replaces the session's document; going back brings back the very layout that was left, without a solve.

    Edits with the same `merge` word that follow each other closely (a slider being dragged) become one.
    """

    def __init__(self, session: "Session", name: str, before: Document, after: Document, merge: str = "") -> None:
        super().__init__(name)
        self._session = session
        self._before = before
        self._after = after
        self._merge = merge
        self._time = time.monotonic()

    def lighten(self) -> None:
        """Forget what the solver knew of these layouts; the layouts themselves stay."""
        self._before, self._after = without_guide(self._before), without_guide(self._after)

    def redo(self) -> None:
        if self._session.document is not None:
            self._before = self._session.document
        self._session.show_document(self._after, self.text())

    def undo(self) -> None:
        if self._session.document is not None:
            self._after = self._session.document
        self._session.show_document(self._before, self.text())

    def id(self) -> int:
        return hash(self._merge) & 0x7FFFFFFF if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, Edit) or other._merge != self._merge or other._time - self._time > MERGE_SECONDS:
            return False
        self._after, self._time = other._after, other._time
        return True


class History(QUndoStack):
    """The edits so far; all keep their layouts, the latest also what the solver knew."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setUndoLimit(UNDO_LIMIT)
        # A stack announces that it is being emptied even while it is destroyed, when nobody may look at it any more.
        parent.destroyed.connect(self._fall_silent)

    @Slot()
    def _fall_silent(self) -> None:
        self.blockSignals(True)

    def record(self, edit: Edit) -> None:
        """Push an edit, which puts its document in place."""
        self.push(edit)
        beyond = self.command(self.count() - 1 - WHOLE_EDITS)
        if isinstance(beyond, Edit):
            beyond.lighten()
