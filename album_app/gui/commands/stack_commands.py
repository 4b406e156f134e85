"""Stacks of near-duplicates: showing groups, stacking them, opening a stack, taking it apart, and the list of all."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from album_app.gui.commands.workspace_parts import WorkspaceParts
from album_app.gui.controls import ask_user
from album_app.gui.dialogs.near_duplicate_groups import NearDuplicateGroups
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs
from album_app.gui.state.loading.loading import Loading
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.layout.editing.stacks import shown_first, stacked, unstacked, unstacked_groups
from album_app.photos.album import replacing


class StackCommands(QObject):
    """Knows the near-duplicates of the open album, and what can be done about them.

    Signals:
        found(list): near-duplicates were found that lie on no stack yet, in groups
    """

    found = Signal(list)

    def __init__(
        self,
        window: QWidget,
        session: Session,
        photos: PhotoStore,
        loading: Loading,
        jobs: Jobs,
        workspace: Callable[[], WorkspaceParts],
    ) -> None:
        super().__init__(window)
        self._photos = photos
        self._window, self._session, self._jobs, self._workspace = window, session, jobs, workspace
        self._groups: list[tuple[int, ...]] | None = None  # None while they are still looked for
        session.opened.connect(self._forget)
        loading.near_duplicates_found.connect(self._take)

    @Slot()
    def _forget(self) -> None:
        self._groups = None

    @Slot(list)
    def _take(self, groups: list[tuple[int, ...]]) -> None:
        self._groups = groups
        if self.loose:
            self.found.emit(self.loose)

    @property
    def loose(self) -> list[Sequence[int]]:
        """The groups of near-duplicates that lie on no stack yet."""
        document = self._session.document
        if document is None:
            return []
        there = [group for group in self._groups or () if max(group) < len(document.album)]
        return unstacked_groups(document, there)

    def stack(self) -> None:
        """Show the groups of near-duplicates that were found, and stack those that the user leaves ticked."""
        document, groups = self._session.document, self.loose
        if document is None or self._groups is None:
            self._session.tell(tr("The photos are still being compared."))
        elif not groups:
            self._session.tell(tr("No other photos are nearly the same."))
        else:
            dialog = NearDuplicateGroups(self._window, document, groups, self._photos.pictures, self._stack_groups)
            self._session.opened.connect(dialog.close)  # a method of Qt's own: it is not called once the dialog is gone
            dialog.open()

    def _stack_groups(self, groups: Sequence[Sequence[int]]) -> None:
        self._session.edit(stacked, groups)

    def open(self) -> None:
        self._workspace().canvas.stack_card.show_for(self._top())

    def _top(self) -> int | None:
        """The photo on top of the stack that the current photo belongs to."""
        document, photo = self._session.document, self._session.current
        return None if document is None or photo is None else document.covered.get(photo, photo)

    def show_first(self) -> None:
        if self._session.current is not None:
            self._session.edit(shown_first, self._session.current)

    def unstack(self) -> None:
        self._session.edit(unstacked, self._session.selected)

    def unstack_all(self) -> None:
        document = self._session.document
        if document is not None:
            self._session.edit(unstacked, {photo for stack in document.stacks for photo in stack})

    def write(self) -> None:
        """Write all near-duplicates of the album, stacked or not, as a list."""
        document = self._session.document
        if document is None:
            return
        album = document.album

        def on_paths(paths: list[Path]) -> None:
            def write() -> None:
                from album_app.layout.editing.stacks import write_stacks_csv
                from album_app.photos.cache import Cache
                from album_app.photos.near_duplicates import near_duplicates

                with Cache.open() as cache:
                    found = near_duplicates(album, cache, known_only=True)
                write_stacks_csv(paths[0], found.photos, found.groups, replacing(album, agreed=True))

            written = tr("Wrote the near-duplicates to {name}", name=paths[0].name)
            self._jobs.compute(JobKind.WRITE_STACKS, write, lambda done: self._session.tell(written))

        title = tr("Write near-duplicates")
        ask_user.target(self._window, title, "stacks.csv", tr("Near-duplicates (*.csv)"), "csv", on_paths)
