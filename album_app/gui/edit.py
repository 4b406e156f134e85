"""The one undo command: the document before, the document after."""

import time
from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from album_app.layout.document import Document

if TYPE_CHECKING:
    from album_app.gui.session import Session

MERGE_SECONDS = 1.0


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
