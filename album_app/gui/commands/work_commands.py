"""What runs in the background: arranging again, and stopping what the user sees."""

from PySide6.QtCore import QObject

from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs
from album_app.gui.state.loading.loading import Loading
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style.wording import photos_words
from album_app.language import number, tr
from album_app.photos.features import features_title


class WorkCommands(QObject):
    """F5 and Cancel."""

    def __init__(self, session: Session, photos: PhotoStore, solving: Solving, loading: Loading, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._photos = photos
        self._solving = solving
        self._loading = loading
        self._jobs = jobs

    def arrange(self) -> None:
        """Arrange afresh, and read what has not been read yet."""
        self._loading.resume()
        self._solving.again()

    def cancel(self) -> None:
        """Stop what the user sees running, and say what that means for the sheet."""
        notice = self._when_stopped()
        self._jobs.cancel_visible()
        if notice:
            self._session.tell(notice)

    def _when_stopped(self) -> str:
        document, running = self._session.document, {job.kind for job in self._jobs.visible}
        if document is None:
            return ""
        if JobKind.PHOTOS in running:
            photos = photos_words(len(document.album) - len(document.missing))
            read = number(len(self._photos.pictures))
            return tr("Reading stopped at {read} of {photos}; F5 goes on.", read=read, photos=photos)
        if JobKind.FEATURES in running:
            wanted = features_title(document.options.features)
            return tr(
                "Cancelled: the sheet stays as it was, not yet compared by “{wanted}”; F5 goes on.", wanted=wanted
            )
        if JobKind.ARRANGE in running:
            return tr("Cancelled: the sheet stays as it is now; F5 goes on.")
        return ""
