"""The session: the open document, its undo steps and the selection, and the only way to change them."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Concatenate, ParamSpec

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from album_app.errors import UsageError
from album_app.layout import Cell, Document, Layout
from album_app.layout.editing.drops import dropped
from album_app.layout.editing.edits import Edit, still_selected
from album_app.layout.editing.hold import under_hold

MERGE_SECONDS = 1.0
"""Edits of one kind that follow each other within this time become one step, unless a session is given another."""
UNDO_LIMIT = 300
WHOLE_EDITS = 8
"""The latest edits that also keep the solver's state; beyond them, alternatives are computed again after an undo."""
P = ParamSpec("P")
Selection = tuple[tuple[int, ...], Cell | None]


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

    def __init__(
        self,
        name: str,
        before: Document,
        after: Document,
        exchange: Exchange,
        merge: str = "",
        merge_seconds: float = MERGE_SECONDS,
    ) -> None:
        super().__init__(name)
        self._before = before
        self._after = after
        self._exchange = exchange
        self._merge = merge
        self._merge_seconds = merge_seconds
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
        if not isinstance(other, UndoStep) or other._merge != self._merge:
            return False
        if other._time - self._time > other._merge_seconds:
            return False
        self._after, self._time = other._after, other._time
        return True


class History(QUndoStack):
    """The edits so far; all keep their layouts, the latest also what the solver knew."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setUndoLimit(UNDO_LIMIT)
        self.is_recording = False  # whether a new edit is being applied, as opposed to undo and redo
        self.merge_seconds = MERGE_SECONDS
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


class Session(QObject):
    """What the user works on.

    Photos are always named by their index in `document.album.photos`; photos join at its end, and go only by undo.

    Signals:
        version_changed(int): another document is about to be put in place, and this is its version; work for an older
            version ends here, before anybody hears of the document
        opened(): another document, or none, replaced everything; read all afresh
        document_changed(str): an edit, undo or redo replaced the document; the name of the edit
        layout_changed(Layout): glide to this layout (by a solve, an edit, undo or opening)
        selection_changed(): `selected` or `cell` is another one
        saved_changed(): `path` or `modified` is another one
        notice(str): a sentence for the status bar
        problem(Exception): something failed; the window shows it in its quiet bar
    """

    version_changed = Signal(int)
    opened = Signal()
    document_changed = Signal(str)
    layout_changed = Signal(object)
    selection_changed = Signal()
    saved_changed = Signal()
    notice = Signal(str)
    problem = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = History(self)
        self.undo_stack.cleanChanged.connect(self.saved_changed)
        self._document: Document | None = None
        self._path: Path | None = None
        self._version = 0
        self._opening = 0
        self._selection: Selection = ((), None)
        self._announced: Selection = self._selection
        self._recovered = False

    @property
    def document(self) -> Document | None:
        return self._document

    @property
    def path(self) -> Path | None:
        """The project file that the document came from or was saved to."""
        return self._path

    @property
    def version(self) -> int:
        """The version of the document: another number with each edit, undo, redo and opening.

        A result is computed for one version; `Jobs` ends the work for older ones.
        """
        return self._version

    @property
    def opening(self) -> int:
        """Another with each album."""
        return self._opening

    @property
    def is_settled(self) -> bool:
        """Whether no solve would give a better layout."""
        return self._document is None or self._document.is_settled

    @property
    def modified(self) -> bool:
        """Whether there is something that a project file does not hold yet."""
        return self._document is not None and (self._recovered or not self.undo_stack.isClean())

    def open_document(self, document: Document | None, path: Path | None = None, recovered: bool = False) -> None:
        """Replace everything; nothing of the former album can be undone any more."""
        self.undo_stack.clear()
        self._path, self._recovered = path, recovered
        self._selection = ((), None)
        self._announced = self._selection
        self._begin_version()
        self._document = document
        self._opening += 1
        self.opened.emit()
        self.saved_changed.emit()
        if document is not None and document.layout is not None:
            self.layout_changed.emit(document.layout)

    def mark_saved(self, path: Path, version: int) -> None:
        """The document was written as it stood at `version`; later edits are still unsaved."""
        self._path, self._recovered = path, False
        if version == self._version:
            self.undo_stack.setClean()
        else:
            self.undo_stack.resetClean()
        self.saved_changed.emit()

    def fall_silent(self) -> None:
        """The program ends: send no more signals."""
        self.undo_stack.blockSignals(True)
        self.blockSignals(True)

    def edit(
        self, make: Callable[Concatenate[Document, P], Edit | None], /, *args: P.args, **options: P.kwargs
    ) -> bool:
        """Apply what a function of `layout.editing` makes of the document; whether it made something.

        For instance `session.edit(edits.unpinned, [3])`.
        """
        if self._document is None:
            return False
        try:
            edit = make(self._document, *args, **options)
        except UsageError as error:
            self.tell(str(error))
            return False
        return self.apply(edit)

    def apply(self, edit: Edit | None) -> bool:
        """Put an edit's document in the place of the present one, as one step of undo; whether there was one."""
        if edit is not None and self._document is not None:
            edit = under_hold(self._document, edit)
            stack, before = self.undo_stack, self._document
            step = UndoStep(edit.name, before, edit.document, self._exchange, edit.merge, stack.merge_seconds)
            stack.record(step)
        return edit is not None

    def drop(self, photos: Sequence[int], cell: Cell, swap: bool = False) -> bool:
        """Drop photos on a cell: one edit, and they are selected there; whether anything changed."""
        return self.put(photos, cell, None if self._document is None else dropped(self._document, photos, cell, swap))

    def put(self, photos: Sequence[int], cell: Cell, edit: Edit | None) -> bool:
        """Apply what dropping photos on a cell was found to do, and select them there; whether anything changed."""
        self._selection = tuple(photos), cell
        changed = self.apply(edit)
        self._announce_selection()
        return changed

    def _exchange(self, document: Document, name: str) -> Document | None:
        """Put a document in place for the history, and give back the one that was there."""
        former = self._document
        self._begin_version()
        self._put(document)
        self.document_changed.emit(name)
        if document.layout is not None:
            self.layout_changed.emit(document.layout)
        self._announce_selection()
        return former

    def _begin_version(self) -> None:
        self._version += 1
        self.version_changed.emit(self._version)

    def _put(self, document: Document) -> None:
        self._document = document
        self._selection = still_selected(document, *self._selection)

    def accept_layout(self, layout: Layout) -> None:
        """Take a layout that a solve found for the present version; a solve for an older one delivers nothing."""
        if self._document is None:
            return
        if layout.pins != self._document.pins:  # the solver knows nothing of missing photos' pins
            layout = replace(layout, pins=self._document.pins)
        after = replace(self._document, layout=layout)
        self._put(replace(after, again=frozenset(), new_choice=False) if after.is_settled else after)
        self.layout_changed.emit(layout)
        self._announce_selection()

    def accept_scores(self, scores: Mapping[str, float]) -> None:
        """Note the scores of the present layout."""
        if self._document is not None and self._document.layout is not None:
            self._document = replace(self._document, layout=replace(self._document.layout, scores=scores))

    @property
    def selected(self) -> tuple[int, ...]:
        """The selected photos, the current one last."""
        return self._selection[0]

    @property
    def cell(self) -> Cell | None:
        """The cell that the keyboard acts on."""
        return self._selection[1]

    @property
    def on_empty_cell(self) -> bool:
        """Whether the cell that the keyboard acts on holds no photo."""
        layout = None if self._document is None else self._document.layout
        cell = self.cell
        return layout is not None and cell is not None and cell in layout.shape and layout.photo_in(cell) is None

    @property
    def current(self) -> int | None:
        """The photo that single-photo actions mean."""
        return self.selected[-1] if self.selected else None

    def select(self, photos: Sequence[int] = (), cell: Cell | None = None) -> None:
        """Select photos (the last is the current one) and the cell that the keyboard acts on."""
        self._selection = tuple(dict.fromkeys(photos)), cell
        self._announce_selection()

    def _announce_selection(self) -> None:
        if self._selection != self._announced:
            self._announced = self._selection
            self.selection_changed.emit()

    @Slot(str)
    def tell(self, text: str) -> None:
        """Say a sentence in the status bar."""
        self.notice.emit(text)

    @Slot(object)
    def report(self, error: Exception) -> None:
        """Show what went wrong in the quiet bar."""
        self.problem.emit(error)
