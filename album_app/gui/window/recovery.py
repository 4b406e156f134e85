"""Offers work that a crash left behind, one album after the other, until each is recovered or discarded."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot

from album_app.gui.commands.file_commands import FileCommands
from album_app.gui.controls.message_bar import MessageBar
from album_app.gui.state.autosave import Autosave, Recovery, discard, recoveries
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs
from album_app.gui.state.loading.loading import Loading
from album_app.gui.state.session import Session
from album_app.language import tr


class RecoveryOffer(QObject):
    """Asks in the quiet bar; work that got no answer stays on disk and is offered at the next start."""

    def __init__(
        self,
        session: Session,
        loading: Loading,
        jobs: Jobs,
        autosave: Autosave,
        files: FileCommands,
        bar: MessageBar,
    ) -> None:
        super().__init__(session)
        self._loading = loading
        self._jobs = jobs
        self._autosave = autosave
        self._files = files
        self._bar = bar
        self._looking = False
        self._offered: list[Recovery] = []
        session.opened.connect(self._on_opened)

    def look(self) -> None:
        """Look for work that was left behind, and offer it."""
        self._looking = True
        self._jobs.compute(JobKind.RECOVERY, recoveries, self._on_found)

    @Slot()
    def _on_opened(self) -> None:
        if self._looking:  # opening an album stopped the search
            self.look()

    def _on_found(self, found: Sequence[Recovery]) -> None:
        self._looking = False
        self._offered = list(found)
        self._offer_next()

    def _offer_next(self) -> None:
        if not self._offered:
            self._bar.settle("recovery")
            return
        latest, *others = self._offered
        text = tr("Album App did not end properly. Unsaved work on “{title}” can be brought back.", title=latest.title)
        if others:
            text += " " + tr("Work on {count} more is offered after that.", count=len(others))
        self._bar.keep_message(
            "recovery",
            text,
            (tr("Recover"), lambda: self._files.leave_then(lambda: self._recover(latest))),
            (tr("Discard"), lambda: self._discard(latest)),
        )

    def _recover(self, recovery: Recovery) -> None:
        def on_opened() -> None:
            self._autosave.take_over(recovery)
            self._answered(recovery)

        self._loading.open_recovered(recovery, on_opened)

    def _discard(self, recovery: Recovery) -> None:
        self._jobs.compute(JobKind.DISCARD, lambda: discard([recovery]), lambda done: None)
        self._answered(recovery)

    def _answered(self, recovery: Recovery) -> None:
        self._offered.remove(recovery)
        self._offer_next()
