"""The session: the open document, its history and the selection, and the only way to change them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Concatenate, ParamSpec

from PySide6.QtCore import QObject, Signal, Slot

from album_app.errors import UsageError
from album_app.gui.state.history import History, UndoStep
from album_app.layout.editing.drops import dropped
from album_app.layout.editing.edits import Edit, still_selected
from album_app.layout.editing.hold import under_hold
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

P = ParamSpec("P")
Selection = tuple[tuple[int, ...], Cell | None]


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
        self._generation = 0
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
    def generation(self) -> int:
        """The version of the document: another number with each edit, undo, redo and opening.

        A result is computed for one version; `Jobs` ends the work for older ones.
        """
        return self._generation

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

    def mark_saved(self, path: Path, generation: int) -> None:
        """The document was written as it stood at `generation`; later edits are still unsaved."""
        self._path, self._recovered = path, False
        if generation == self._generation:
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
        """Apply what a function of `layout.edits` or `layout.drops` makes of the document; whether it made something.

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
            step = UndoStep(edit.name, self._document, edit.document, self._exchange, edit.merge)
            self.undo_stack.record(step)
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
        self._generation += 1
        self.version_changed.emit(self._generation)

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
