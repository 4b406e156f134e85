"""Giving the sheet another shape: built off the GUI thread, then put in place by one edit."""

from collections.abc import Callable

from album_app.gui.state.jobs import JobKind, Jobs, OnError
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.layout.editing.edits import reshaped
from album_app.layout.editing.refit import with_proportions
from album_app.layout.shapes.shape import Shape, ShapeSpec, build_shape
from album_app.photos.fonts import families


class Reshaping:
    """Makes the shape that was asked for last, for as many photos as take part then.

    An edit in the meantime has it made for the new version of the document; undo and redo give it up, so that no edit
    arrives after them.
    """

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs) -> None:
        self._session = session
        self._photos = photos
        self._jobs = jobs
        self._again: Callable[[], None] | None = None  # asks once more for the shape that is being made
        session.document_changed.connect(self._on_document)
        session.opened.connect(self._forget)

    def _on_document(self, name: str) -> None:
        again = self._again if self._session.undo_stack.is_recording else None
        self._forget()
        if again is not None:
            again()

    def _forget(self) -> None:
        self._again = None

    def start(
        self, spec: ShapeSpec, name: str = "", merge: str = "", on_error: OnError = None, **options: object
    ) -> None:
        """Have the sheet take on a shape, and options with it; nothing happens where it has the shape already."""
        document = self._session.document
        spec = spec if document is None else with_proportions(spec, document.album)
        if document is None or spec == document.spec:
            self.give_up_shape()
            return
        count = self._cells_needed(spec)

        def on_done(shape: Shape) -> None:
            self._forget()
            if self._cells_needed(spec) != count:  # photos turned out damaged
                self.start(spec, name, merge, on_error, **options)
            else:
                self._session.edit(reshaped, name or tr("Change shape"), spec, shape, merge, **options)

        def on_failed(error: Exception) -> bool:
            self._forget()
            return on_error is not None and on_error(error)

        self._again = lambda: self.start(spec, name, merge, on_error, **options)
        work, version = lambda task: build_shape(spec, count), self._session.generation
        self._jobs.start(JobKind.SHAPE, "", work, on_done=on_done, on_error=on_failed, quiet=True, version=version)

    def _cells_needed(self, spec: ShapeSpec) -> int:
        """Cells for all photos that take part; large ones need several."""
        document, photos = self._session.document, self._photos.taking_part()
        if document is None or not spec.has_sizes:
            return len(photos)
        taking_part = set(photos)
        return len(photos) + sum(size**2 - 1 for photo, size in document.sizes.items() if photo in taking_part)

    def preview(self, spec: ShapeSpec, on_done: Callable[[Shape], None], on_error: OnError) -> None:
        """Show how a shape would be, without giving it to the sheet."""
        document, count = self._session.document, self._cells_needed(spec)
        spec = spec if document is None else with_proportions(spec, document.album)
        work = lambda task: build_shape(spec, count)  # noqa: E731
        self._jobs.start(JobKind.SHAPE_PREVIEW, "", work, on_done=on_done, on_error=on_error, quiet=True)

    def list_fonts(self, on_done: Callable[[list[str]], None]) -> None:
        """Read the names of the fonts that letters can be drawn with."""
        self._jobs.start(JobKind.FONTS, "", lambda task: families(task.stop), on_done=on_done, quiet=True)

    def give_up_preview(self) -> None:
        self._jobs.cancel(JobKind.SHAPE_PREVIEW)

    def give_up(self) -> None:
        """Forget the shape that is being made, and its preview."""
        self.give_up_shape()
        self.give_up_preview()

    def give_up_shape(self) -> None:
        self._forget()
        self._jobs.cancel(JobKind.SHAPE)
