"""What works behind the window, put together: the session with all that follows it, and the commands.

Each part is handed only the parts that it uses.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QMainWindow

from album_app.gui.commands.file_commands import FileCommands
from album_app.gui.commands.photo_commands import PhotoCommands, StackCommands
from album_app.gui.commands.pin_commands import PinCommands
from album_app.gui.commands.view_commands import EditCommands, ViewCommands, WorkCommands, WorkspaceParts
from album_app.gui.state.advice import Advice, Proposals
from album_app.gui.state.autosave import DELAY_MS, Autosave
from album_app.gui.state.details import Details
from album_app.gui.state.folder_watch import FolderWatch
from album_app.gui.state.jobs import JobKind, Jobs
from album_app.gui.state.loading import Loading
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.photo_words import PhotoFacets, PhotoWords
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Reshaping, Solving
from album_app.gui.window.messages import FEWEST_EDITS, QUIET_MS


@dataclass(frozen=True)
class Thresholds:
    """How long the window waits before it does something by itself; each default is explained where it is defined."""

    autosave_ms: int = DELAY_MS
    comparison_ms: int = QUIET_MS
    comparison_edits: int = FEWEST_EDITS


USUAL = Thresholds()


class Parts:
    """The session and what follows it, which lives as long as the session; only this folder knows all of it."""

    def __init__(self, thresholds: Thresholds = USUAL) -> None:
        self.thresholds = thresholds
        self.session = Session()
        self.jobs = Jobs(self.session)
        self.session.version_changed.connect(self.jobs.end_those_before)
        self.session.opened.connect(self.jobs.end_those_of_the_album)  # first of all: others begin work for the new one
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
        self.autosave = Autosave(self.session, self.jobs, delay_ms=thresholds.autosave_ms)
        self.solving.settled.connect(self.autosave.note_change)

    def shut_down(self) -> None:
        """Stop all work and send no more signals: the window closes."""
        self.jobs.shut_down()
        self.session.fall_silent()


class WindowCommands:
    """The commands; a row of the table of actions names one as `attribute.method` of this class."""

    def __init__(
        self,
        window: QMainWindow,
        parts: Parts,
        preferences: Preferences,
        workspace: Callable[[], WorkspaceParts],
        open_large: Callable[[int, bool], None],
        apply_preferences: Callable[[], None],
        show_bars: Callable[[bool], None],
    ) -> None:
        session, photos, advice, jobs = parts.session, parts.photos, parts.advice, parts.jobs
        self.files = FileCommands(
            window, session, photos, parts.loading, jobs, parts.reshaping, preferences, parts.facets
        )
        self.edits = EditCommands(session, workspace)
        self.photos = PhotoCommands(session, photos, advice, jobs, workspace, open_large)
        self.pins = PinCommands(window, session, advice, parts.proposals, jobs, parts.reshaping)
        self.stacks = StackCommands(window, session, parts.photos, parts.loading, jobs, workspace)
        self.view = ViewCommands(window, workspace, preferences, apply_preferences, show_bars)
        self.work = WorkCommands(session, photos, parts.solving, parts.loading, jobs, parts.folder_watch)
