"""The session: the only mutable state of the program, and the only way to change it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from album_app.gui.state.advice import Advice
from album_app.gui.state.details import Details
from album_app.gui.state.history import Edit, History
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs, OnError, Task
from album_app.gui.state.loading.loading import Loading
from album_app.gui.state.pictures import Pictures
from album_app.gui.state.solving import Solving, is_settled
from album_app.gui.state.vectors import Features, Vectors
from album_app.layout import edits
from album_app.layout.drops import Drop, plan_drop
from album_app.layout.participants import Participants
from album_app.layout.pin_homes import PinHomes
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell, Shape, ShapeSpec, build_shape
from album_app.layout.sheet import Layout

if TYPE_CHECKING:
    from album_app.photos.album import Album


class Session(QObject):
    """The open document, its thumbnails, the selection, undo, and the jobs that work on them.

    Photos are always named by their index in `document.album.photos`; photos join at its end, and go only by undo.

    Signals:
        opened(): another document, or none, replaced everything; read all afresh
        document_changed(str): an edit, undo or redo replaced the document; the name of the edit
        layout_changed(Layout): glide to this layout (by a solve, an edit, undo or opening)
        thumbnails_arrived(list[int]): these photos look different: they have a thumbnail now, turned out damaged, or
            are other files whose thumbnail is yet to be read; at most every 50 ms
        fewer_take_part(): photos turned out damaged
        selection_changed(): `selected` or `cell` is another one
        saved_changed(): `path` or `modified` is another one
        notice(str): a sentence for the status bar
        problem(Exception): something failed; the window shows it in its quiet bar
    """

    opened = Signal()
    document_changed = Signal(str)
    layout_changed = Signal(object)
    thumbnails_arrived = Signal(list)
    fewer_take_part = Signal()
    selection_changed = Signal()
    saved_changed = Signal()
    notice = Signal(str)
    problem = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.jobs = Jobs(self)
        self.jobs.failed.connect(self.problem)
        self.undo_stack = History(self)
        self.undo_stack.cleanChanged.connect(self.saved_changed)
        self.pictures = Pictures()
        self.document: Document | None = None
        self.path: Path | None = None
        self.generation = 0  # another with each edit
        self.opening = 0  # another with each album
        self.selected: tuple[int, ...] = ()
        self.cell: Cell | None = None
        self._recovered = False
        self.participants = Participants()
        self._pin_homes = PinHomes()
        self.vectors = Vectors()
        self.details = Details(self)
        self.advice = Advice(self)
        self.solving = Solving(self)
        self.loading = Loading(self)

    # ---- what is open

    def open_document(self, document: Document | None, path: Path | None = None, recovered: bool = False) -> None:
        """Replace everything; nothing of the former album can be undone any more."""
        self.jobs.end_those_of_the_album()
        self.undo_stack.clear()
        self.path = path
        self._recovered = recovered
        self.selected, self.cell = (), None
        self.document = document
        self.generation += 1
        self.opening += 1
        self.pictures, self.vectors, self.participants = Pictures(), Vectors(), Participants()
        if document is not None:
            self._follow_files(document)
        self.opened.emit()
        self.saved_changed.emit()
        if document is not None and document.layout is not None:
            self.layout_changed.emit(document.layout)

    def shut_down(self) -> None:
        """The program ends: stop everything, and tell nobody any more."""
        self.jobs.shut_down()
        self.undo_stack.blockSignals(True)
        self.blockSignals(True)

    @property
    def is_settled(self) -> bool:
        """Whether the layout is the best a solve would give."""
        return self.document is None or is_settled(self.document)

    @property
    def features(self) -> Features | None:
        """What is known of the photos by now, the nearer to what was asked for the better."""
        document = self.document
        return None if document is None else self.vectors.best(document.options.features, len(document.album))

    def taking_part(self) -> tuple[int, ...]:
        """The photos meant for the sheet; missing ones only where they have a place on it."""
        return () if self.document is None else self.participants.of(self.document, set(self.pictures.damaged))

    def cancel_visible(self) -> None:
        """Stop what the user sees running; the last good layout stays."""
        for job in self.jobs.visible:
            self.jobs.cancel(job.kind)

    @property
    def modified(self) -> bool:
        """Whether there is something that a project file does not hold yet."""
        return self.document is not None and (self._recovered or not self.undo_stack.isClean())

    def mark_saved(self, path: Path, generation: int) -> None:
        """The document was written as it stood at `generation`; later edits are still unsaved."""
        self.path = path
        self._recovered = False
        if generation == self.generation:
            self.undo_stack.setClean()
        else:
            self.undo_stack.resetClean()
        self.saved_changed.emit()

    # ---- edits: each one undoable by its name

    def edit(self, name: str, after: Document, merge: str = "") -> None:
        """Push one edit; edits with the same `merge` word in quick succession become one."""
        if self.document is not None:
            self.undo_stack.record(Edit(self, name, self.document, after, merge))

    def show_document(self, document: Document, name: str) -> None:
        """Put a document in place; for the undo command alone."""
        self.document = document
        self.generation += 1
        self._follow_files(document)
        self.select(*edits.still_selected(document, self.selected, self.cell))
        self.document_changed.emit(name)
        if document.layout is not None:
            self.layout_changed.emit(document.layout)

    def _follow_files(self, document: Document) -> None:
        """What is known of a photo is known of its file: where an index is another file now, that is forgotten."""
        changed = self.pictures.follow(document)
        self.vectors.follow(len(document.album), changed)
        if changed:
            self.thumbnails_arrived.emit(changed)

    def accept_layout(self, layout: Layout, generation: int) -> bool:
        """Take a layout that a solve found for the document of `generation`; a late one is dropped."""
        if self.document is None or generation != self.generation:
            return False
        if layout.pins != self.document.pins:  # the solver knows nothing of missing photos' pins
            layout = replace(layout, pins=self.document.pins)
        self.document = replace(self.document, layout=layout)
        self.select(*edits.still_selected(self.document, self.selected, self.cell))
        self.layout_changed.emit(layout)
        return True

    def accept_scores(self, layout: Layout, scored: Layout) -> bool:
        """Take a layout with its scores in the place of the same without; where that is gone, it is dropped."""
        if self.document is None or self.document.layout is not layout:
            return False
        self.document = replace(self.document, layout=scored)
        return True

    def set_pins(self, name: str, pins: Pins) -> None:
        """Replace all pins by one edit; the layout shows them at once, the solve follows. A pinned photo takes part."""
        document = self.document
        if document is None or pins == document.pins:
            return
        layout = None if document.layout is None else edits.with_pins(document.layout, pins)
        excluded = document.excluded - set(pins)
        self.edit(name, replace(document, pins=pins, excluded=excluded, layout=layout))

    def plan_drop(self, photo: int, cell: Cell, swap: bool = False) -> Drop | None:
        """What `drop` would do, with a sentence for the status bar; None if nothing."""
        return None if self.document is None else plan_drop(self.document, photo, cell, swap)

    def drop(self, photo: int, cell: Cell, swap: bool = False) -> None:
        """A photo was dropped on a cell: pin it there, swap pins, or (`swap`) swap the photos and pin both."""
        drop = self.plan_drop(photo, cell, swap)
        if drop is not None:
            self.set_pins(drop.name, drop.pins)
            self.notice.emit(drop.name)

    def unpin(self, photos: Iterable[int]) -> None:
        document = self.document
        if document is None:
            return
        pinned = [photo for photo in photos if photo in document.pins]
        pins = document.pins
        for photo in pinned:
            pins = pins.unpin(photo)
        if pinned:
            self.set_pins(edits.named(document, "Unpin", pinned), pins)

    def exclude(self, photos: Iterable[int]) -> None:
        """Take photos out of the album (their files stay as they are)."""
        document = self.document
        chosen = [] if document is None else [photo for photo in photos if photo not in document.excluded]
        if document is None or not chosen:
            return
        if len(document.active) <= len(set(chosen) & set(document.active)):
            self.notice.emit("The last photo cannot be excluded.")
            return
        self.edit(edits.named(document, "Exclude", chosen), edits.refitted(edits.without_photos(document, chosen)))

    def include(self, photos: Iterable[int]) -> None:
        """Take excluded photos back into the album."""
        document = self.document
        chosen = [] if document is None else [photo for photo in photos if photo in document.excluded]
        if document is not None and chosen:
            layout = None if document.layout is None else replace(document.layout, stage="first")
            after = replace(document, excluded=document.excluded - set(chosen), layout=layout)
            self.edit(edits.named(document, "Include", chosen), edits.refitted(after))

    def set_options(self, name: str, merge: str = "", **chosen: Any) -> None:
        """Change options by name, e.g. `set_options("Follow the pins", follow=0.8)`."""
        document = self.document
        if document is None:
            return
        options = replace(document.options, **chosen)
        if options != document.options:
            layout = None if document.layout is None else replace(document.layout, stage="first")
            self.edit(name, replace(document, options=options, layout=layout), merge)

    def set_spec(self, spec: ShapeSpec, name: str = "Change shape", merge: str = "", on_error: OnError = None) -> None:
        """Give the sheet another shape; the pins move along by their relative position."""
        if self.document is None or spec == self.document.spec:
            self.jobs.cancel(JobKind.SHAPE)
            return
        count = len(self.taking_part())

        def on_done(shape: Shape) -> None:
            if len(self.taking_part()) != count:
                self.set_spec(spec, name, merge, on_error)
            elif self.document is not None:
                pins = self._pin_homes.carry(self.document, shape)
                self.edit(name, edits.with_shape(self.document, spec, shape, pins), merge)

        work = lambda task: build_shape(spec, count)  # noqa: E731
        self.jobs.start(JobKind.SHAPE, "", work, on_done=on_done, on_error=on_error, quiet=True)

    def add_files(self, paths: Sequence[Path], cell: Cell | None = None) -> None:
        """Add photos to the album by one edit; on a cell, the first is pinned there and the others around it."""

        def work(task: Task) -> "Album":
            from album_app.photos.album import scan

            return scan(list(paths), on_progress=task.progress, stop=task.stop)

        self.jobs.start(JobKind.ADD, "Adding photos", work, on_done=lambda found: self._add(found, cell))

    def _add(self, found: "Album", cell: Cell | None) -> None:
        document = self.document
        if document is None or not len(found):
            reason = f" ({found.skipped[0].reason})" if found.skipped else ""
            self.notice.emit(f"There was no photo to add{reason}.")
            return
        after, photos = edits.with_photos(document, found, cell)
        self.edit(edits.named(after, "Add", photos), after)

    # ---- selection

    def select(self, photos: Sequence[int] = (), cell: Cell | None = None) -> None:
        """Select photos (the last is the current one) and the cell that the keyboard acts on."""
        chosen = tuple(dict.fromkeys(photos))
        if (chosen, cell) != (self.selected, self.cell):
            self.selected, self.cell = chosen, cell
            self.selection_changed.emit()

    @property
    def current(self) -> int | None:
        """The photo that single-photo actions mean."""
        return self.selected[-1] if self.selected else None

    def ask(self, kind: JobKind, question: Callable[[], Any], answer: Callable[[Any], None]) -> None:
        """Compute something small off the GUI thread; only the latest question of a kind is answered."""
        self.jobs.start(kind, "", lambda task: question(), on_done=answer, quiet=True)
