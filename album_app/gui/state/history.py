"""The one kind of undo step: the document before, the document after."""

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from album_app.layout.project.document import Document

MERGE_SECONDS = 1.0
UNDO_LIMIT = 300
WHOLE_EDITS = 8
"""The latest edits that also keep the solver's state; beyond them, alternatives are computed again after an undo."""


def without_guide(document: Document) -> Document:
    """The document with its layout alone: a plan of thousands of photos takes tens of megabytes."""
    if document.layout is None or document.layout.guide is None:
        return document
    return replace(document, layout=replace(document.layout, guide=None))


Exchange = Callable[[Document, str], Document | None]
"""Puts a document in place by the name of its edit, and gives back the one that was there."""


class UndoStep(QUndoCommand):
    """Exchanges documents; going back brings back the very layout that was left, without a solve.

    Steps with the same `merge` word that follow each other closely (a slider being dragged) become one.
    """

    def __init__(self, name: str, before: Document, after: Document, exchange: Exchange, merge: str = "") -> None:
        super().__init__(name)
        self._before = before
        self._after = after
        self._exchange = exchange
        self._merge = merge
        self._time = time.monotonic()

    @property
    def merge(self) -> str:
        """The word of the edits that it becomes one with."""
        return self._merge

    @property
    def before(self) -> Document:
        """The document that undo would bring back."""
        return self._before

    def lighten(self) -> None:
        """Forget what the solver knew of these layouts; the layouts themselves stay."""
        self._before, self._after = without_guide(self._before), without_guide(self._after)

    def redo(self) -> None:
        self._before = self._exchange(self._after, self.text()) or self._before

    def undo(self) -> None:
        self._after = self._exchange(self._before, self.text()) or self._after

    def id(self) -> int:
        return hash(self._merge) & 0x7FFFFFFF if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, UndoStep) or other._merge != self._merge or other._time - self._time > MERGE_SECONDS:
            return False
        self._after, self._time = other._after, other._time
        return True


class History(QUndoStack):
    """The edits so far; all keep their layouts, the latest also what the solver knew."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setUndoLimit(UNDO_LIMIT)
        self.is_recording = False  # whether a new edit is being applied, as opposed to undo and redo
        # A stack announces that it is being emptied even while it is destroyed, when nobody may look at it any more.
        parent.destroyed.connect(self._fall_silent)

    @Slot()
    def _fall_silent(self) -> None:
        self.blockSignals(True)

    @property
    def done(self) -> list[UndoStep]:
        """The edits that can be undone, the latest first."""
        steps = (self.command(index) for index in reversed(range(self.index())))
        return [step for step in steps if isinstance(step, UndoStep)]

    def take_back(self) -> None:
        """Undo the latest edit for good: nothing is left of it."""
        for step in self.done[:1]:
            step.undo()
            step.setObsolete(True)  # the stack forgets an obsolete step without undoing anything
            self.undo()

    def record(self, step: UndoStep) -> None:
        """Push a step, which puts its document in place."""
        self.is_recording = True
        self.push(step)
        self.is_recording = False
        beyond = self.command(self.count() - 1 - WHOLE_EDITS)
        if isinstance(beyond, UndoStep):
            beyond.lighten()
