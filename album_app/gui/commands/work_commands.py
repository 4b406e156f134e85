"""What runs in the background: arranging again, looking for new photos, and stopping what the user sees."""

from PySide6.QtCore import QObject, Signal

from album_app.gui.state.folder_watch import FolderWatch
from album_app.gui.state.jobs import Job, JobKind, Jobs
from album_app.gui.state.loading import Loading, again_words, back_from
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style.wording import photos_words
from album_app.language import number, tr
from album_app.layout.editing.edits import chosen_again, polished
from album_app.layout.editing.hold import sheet_held


class WorkCommands(QObject):
    """Arranging again, looking for new photos, and cancelling.

    Signals:
        look_left(str, int, int): the user cancelled comparing by these features, with this many photos done of all
    """

    look_left = Signal(str, int, int)

    def __init__(
        self, session: Session, photos: PhotoStore, solving: Solving, loading: Loading, jobs: Jobs, folders: FolderWatch
    ) -> None:
        super().__init__(session)
        self._session = session
        self._photos = photos
        self._solving = solving
        self._loading = loading
        self._jobs = jobs
        self._folders = folders

    def look(self) -> None:
        """Look for photos that are new in the folders of the album, and read those that were not read yet."""
        self._loading.resume()
        self._folders.look_now()

    def arrange(self) -> None:
        """Arrange afresh, and read what has not been read yet."""
        self._loading.resume()
        self._solving.again()

    def polish(self) -> None:
        """Improve the sheet that there is for a second or more, before it is exported."""
        self._session.edit(polished)

    def hold(self, wanted: bool) -> None:
        """Hold the whole sheet, or let it go."""
        self._session.edit(sheet_held, wanted)

    def choose(self) -> None:
        """Choose anew which photos are shown, where there are more photos than cells."""
        self._session.edit(chosen_again)

    def cancel(self) -> None:
        """Stop what the user sees running, and say what that means for the sheet."""
        notice = self._when_stopped()
        looking = [job for job in self._jobs.visible if job.kind == JobKind.FEATURES]
        self._jobs.cancel_visible()
        for job in looking:
            notice = self._leave_look(job) or notice
        if notice:
            self._session.tell(notice)

    def _leave_look(self, job: Job) -> str:
        """Go back to the look that the sheet has; what to say of it."""
        document = self._session.document
        if document is None or self._solving.is_as_saved:
            return ""
        wanted, count = document.options.features, len(document.album)
        former = back_from(self._session, wanted)
        if not former:
            return ""
        self.look_left.emit(wanted, job.done * count // max(1, job.total), count)
        return f"{tr('Cancelled.')} {again_words(former)}"

    def _when_stopped(self) -> str:
        document, running = self._session.document, {job.kind for job in self._jobs.visible}
        if document is None:
            return ""
        if JobKind.PHOTOS in running:
            photos = photos_words(len(document.album) - len(document.missing))
            read = number(len(self._photos.pictures))
            return tr("Reading stopped at {read} of {photos}; Ctrl+Shift+R goes on.", read=read, photos=photos)
        if running & {JobKind.ARRANGE, JobKind.FEATURES}:
            return tr("Cancelled: the sheet stays as it is now; Ctrl+Shift+R goes on.")
        return ""
