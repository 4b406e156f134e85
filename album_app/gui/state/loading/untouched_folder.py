"""A folder whose new sheet the user has not changed yet: the sheet is remembered, and files that are no photos leave
it."""

from collections.abc import Callable
from functools import partial

from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs
from album_app.gui.state.loading.load_steps import read_again
from album_app.gui.state.loading.remembered_sheet import remember_sheet
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.layout.project.document import Document


class UntouchedFolder:
    """What is done for the open album as long as it is just what a folder gave."""

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs) -> None:
        self._session = session
        self._photos = photos
        self._jobs = jobs
        self._go_on: Callable[[], None] | None = None  # what follows if the folder is changed before it is read again
        session.document_changed.connect(self._on_document)
        session.opened.connect(self._forget)

    def _forget(self) -> None:
        self._go_on = None

    def _on_document(self, name: str) -> None:
        """Somebody has worked on the sheet: reading it again ended with the version before."""
        go_on = self._go_on
        self._forget()
        if go_on is not None:
            go_on()

    def _document(self) -> Document | None:
        """The open document, None if it came from a file or somebody has worked on it."""
        session = self._session
        return None if session.path is not None or session.modified or session.undo_stack.count() else session.document

    def remember(self, layout: object = None) -> None:
        """Keep the final sheet for the next time, if it was found now: one that was remembered has no guide."""
        document = self._document()
        if document is None or document.layout is None or document.layout.guide is None:
            return
        if document.is_settled and self._photos.has_features(document):
            self._jobs.compute(JobKind.REMEMBER_SHEET, partial(remember_sheet, document), lambda done: None)

    def read_again_if_damaged(self, recursive: bool, go_on: Callable[[], None]) -> bool:
        """Where files turned out to be no photos, have a sheet without them, as the next opening would; whether so.

        Where that cannot be, because somebody changed something meanwhile or nothing can be remembered, `go_on`.
        """
        document = self._document()
        if document is None or not self._photos.pictures.damaged:
            return False

        def on_done(found: Document) -> None:
            self._forget()
            if found is document or self._document() is None:  # it was saved as a project meanwhile
                go_on()
            else:
                self._session.open_document(found)

        work, version = partial(read_again, document, recursive), self._session.generation
        self._go_on = go_on
        self._jobs.start(JobKind.READ_AGAIN, tr("Reading photos"), work, on_done=on_done, version=version)
        return True
