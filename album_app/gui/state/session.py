"""The session: the open document, its undo steps and its selection. Only the session changes them."""

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
"""Edits of one kind within this time of each other become one undo step; `History.merge_seconds` can be set."""
UNDO_LIMIT = 300
"""The most edits that can be undone."""
WHOLE_EDITS = 8
"""The latest edits that also keep the transport plan; after undoing older ones, alternatives are computed again."""
P = ParamSpec("P")
Selection = tuple[tuple[int, ...], Cell | None]
"""The selected photos, the current one last, and the cell that the keyboard acts on."""


def without_guide(document: Document) -> Document:
    """The document without the transport plan of its layout, which takes tens of megabytes for thousands of photos."""
    if document.layout is None or document.layout.guide is None:
        return document
    return replace(document, layout=replace(document.layout, guide=None))


Exchange = Callable[[Document, str], Document | None]
"""Makes a document the open one, given the name of its edit, and returns the document that was open."""


class UndoStep(QUndoCommand):
    """Exchanges two documents. Each keeps its layout, so undo and redo need no solve.

    Steps with the same `merge` word that follow each other closely, as of a slider that is dragged, become one.
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
        """The word that edits share which become one step."""
        return self._merge

    @property
    def before(self) -> Document:
        """The document that undo would bring back."""
        return self._before

    def lighten(self) -> None:
        """Forget the transport plans of both layouts; the layouts themselves stay."""
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
    """The edits so far. All keep their layouts; the latest also keep the transport plans."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setUndoLimit(UNDO_LIMIT)
        self.is_recording = False  # whether a new edit is being applied, as opposed to undo and redo
        self.merge_seconds = MERGE_SECONDS
        # A stack that is destroyed announces that it was emptied, when those who listen may be gone.
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
        """Undo the latest edit for good; it cannot be redone."""
        for step in self.done[:1]:
            step.undo()
            step.setObsolete(True)  # the stack forgets an obsolete step without undoing anything
            self.undo()

    def record(self, step: UndoStep) -> None:
        """Push a step, which makes its document the open one."""
        self.is_recording = True
        self.push(step)
        self.is_recording = False
        beyond = self.command(self.count() - 1 - WHOLE_EDITS)
        if isinstance(beyond, UndoStep):
            beyond.lighten()


class Session(QObject):
    """The open document with its undo steps, its selection and its project file.

    Photos are named by their index in `document.album.photos`. Photos that are added come last, and only undo removes
    photos from the album.

    Signals:
        version_changed(int): the document is about to change, and this is its new version; work for older versions
            ends now, before `opened` or `document_changed`
        opened(): another document, or none, is open
        document_changed(str): an edit, undo or redo replaced the document; the name of the edit
        layout_changed(Layout): there is another layout, by a solve, an edit, undo or opening
        selection_changed(): `selected` or `cell` changed
        saved_changed(): `path` or `modified` changed
        notice(str): a sentence for the status bar
        problem(Exception): something failed; the window shows it as a message
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
        """A number that grows each time an album is opened."""
        return self._opening

    @property
    def is_settled(self) -> bool:
        """Whether the layout is final, so that no solve is needed."""
        return self._document is None or self._document.is_settled

    @property
    def modified(self) -> bool:
        """Whether there is unsaved work."""
        return self._document is not None and (self._recovered or not self.undo_stack.isClean())

    def open_document(self, document: Document | None, path: Path | None = None, recovered: bool = False) -> None:
        """Open another document; nothing of the former one can be undone."""
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
        """Note that the document was written as it was at `version`; later edits are still unsaved."""
        self._path, self._recovered = path, False
        if version == self._version:
            self.undo_stack.setClean()
        else:
            self.undo_stack.resetClean()
        self.saved_changed.emit()

    def fall_silent(self) -> None:
        """Send no more signals, because the program ends."""
        self.undo_stack.blockSignals(True)
        self.blockSignals(True)

    def edit(
        self, make: Callable[Concatenate[Document, P], Edit | None], /, *args: P.args, **options: P.kwargs
    ) -> bool:
        """Apply the edit that a function of `layout.editing` makes of the document; whether it made one.

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
        """Make the document of an edit the open one, as one undo step; whether there was an edit."""
        if edit is not None and self._document is not None:
            edit = under_hold(self._document, edit)
            stack, before = self.undo_stack, self._document
            step = UndoStep(edit.name, before, edit.document, self._exchange, edit.merge, stack.merge_seconds)
            stack.record(step)
        return edit is not None

    def drop(self, photos: Sequence[int], cell: Cell, swap: bool = False) -> bool:
        """Drop photos on a cell and select them there; whether that changed the document."""
        return self.put(photos, cell, None if self._document is None else dropped(self._document, photos, cell, swap))

    def put(self, photos: Sequence[int], cell: Cell, edit: Edit | None) -> bool:
        """Apply the edit that dropping photos on a cell makes, and select them there; whether there was an edit."""
        self._selection = tuple(photos), cell
        changed = self.apply(edit)
        self._announce_selection()
        return changed

    def _exchange(self, document: Document, name: str) -> Document | None:
        """Make a document the open one, as an undo step wants it, and return the document that was open."""
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
        """Take a layout that a solve found for the present version; `Jobs` drops the results for older versions."""
        if self._document is None:
            return
        if layout.pins != self._document.pins:  # the solver is not given the pins of missing photos
            layout = replace(layout, pins=self._document.pins)
        after = replace(self._document, layout=layout)
        self._put(replace(after, again=frozenset(), new_choice=False) if after.is_settled else after)
        self.layout_changed.emit(layout)
        self._announce_selection()

    def accept_scores(self, scores: Mapping[str, float]) -> None:
        """Take the scores of the present layout."""
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
        """Show an error as a message in the window."""
        self.problem.emit(error)


class Requests:
    """What the user has asked for and background work has not answered yet, by key.

    The work for a request belongs to one version of the document. After an edit the request is made again for the
    edited document. Undo, redo and opening give it up, because an answer that led to an edit would end what can be
    redone.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: dict[str, Callable[[], None]] = {}
        session.document_changed.connect(self._on_document)
        session.opened.connect(self._open.clear)

    def _on_document(self, name: str) -> None:
        again = list(self._open.values()) if self._session.undo_stack.is_recording else []
        self._open.clear()
        for request in again:
            request()

    def note(self, key: str, request: Callable[[], None]) -> None:
        """Note a request that was made; calling `request` makes it again."""
        self._open[key] = request

    def end(self, key: str) -> None:
        """Forget a request, because it was answered or given up."""
        self._open.pop(key, None)
