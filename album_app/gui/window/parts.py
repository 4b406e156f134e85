"""What works behind the window, put together: each part is handed only those that it uses."""

from album_app.gui.state.advice import Advice, Proposals
from album_app.gui.state.autosave import Autosave
from album_app.gui.state.details import Details
from album_app.gui.state.folder_watch import FolderWatch
from album_app.gui.state.jobs import JobKind, Jobs
from album_app.gui.state.loading import Loading
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.photo_words import PhotoFacets, PhotoWords
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Reshaping, Solving


class Parts:
    """The session and what follows it; only this room knows them all. They live and go with the session."""

    def __init__(self) -> None:
        self.session = Session()
        self.jobs = Jobs(self.session)
        self.session.version_changed.connect(self.jobs.end_those_before)
        self.session.opened.connect(self.jobs.end_those_of_the_album)  # before anybody begins something for the new one
        self.jobs.failed.connect(self.session.report)
        self.photos = PhotoStore(self.session)
        self.details = Details(self.session, self.photos, self.jobs)
        self.tray_details = Details(self.session, self.photos, self.jobs, JobKind.TRAY_DETAILS)
        self.advice = Advice(self.session, self.photos, self.jobs)
        self.solving = Solving(self.session, self.photos, self.jobs)
        self.loading = Loading(self.session, self.photos, self.solving, self.jobs)
        self.words = PhotoWords(self.session, self.photos, self.jobs)
        self.facets = PhotoFacets(self.session, self.jobs)
        self.proposals = Proposals(self.session)
        self.reshaping = Reshaping(self.session, self.photos, self.jobs)
        self.folder_watch = FolderWatch(self.session, self.jobs)
        self.autosave = Autosave(self.session, self.jobs)
        self.solving.settled.connect(self.autosave.note_change)

    def shut_down(self) -> None:
        """The program ends: stop all work and send no more signals."""
        self.jobs.shut_down()
        self.session.fall_silent()
