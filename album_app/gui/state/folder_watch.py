"""Notices photos that appear, change or vanish in the open album's folders, and follows them if the user agrees."""

import os
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.layout.editing.edits import taken_over
from album_app.photos.album import Album, scan
from album_app.photos.folder_news import Listing, News, as_saved, listing, news


class FolderWatch(QObject):
    """Looks at the folders of the open album when asked to, off the GUI thread; it changes nothing by itself.

    Signals:
        found(News): the folders are not as the album has them
    """

    found = Signal(object)

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._jobs = jobs
        self._now: Listing = {}  # the folders when they were last looked at
        self._known: Listing | None = None  # the folders as the user last knew them
        self._asked = False  # whether the user wants an answer even where nothing is new
        self._passed: frozenset[tuple[int, bool]] = frozenset()  # (photo, True: changed, False: gone)
        self._taken_out: frozenset[int] = frozenset()  # photos that left the album because their files are gone
        self._recursive = True
        session.opened.connect(self._on_opened)

    @Slot()
    def _on_opened(self) -> None:
        self._known, self._passed, self._taken_out = None, frozenset(), frozenset()
        self.look()

    def prefer(self, recursive: bool) -> None:
        """Set whether folders inside folders belong to an album."""
        self._recursive = recursive

    def look_now(self) -> None:
        """Look for changes because the user asked: report the answer even if nothing changed."""
        self._asked = True
        self.look()

    @Slot()
    def look(self) -> None:
        """Look for changes in the background.

        A folder that has just been opened cannot differ from its album. The folders of a project may have changed
        since it was saved: photos that the project does not name and that are younger than it are new.
        """
        document, before = self._session.document, self._known
        former = None if before is None else self._now
        if document is None or self._jobs.running(JobKind.FOLDER) or self._jobs.running(JobKind.ADD):
            return
        album, missing, recursive = document.album, document.missing, self._recursive
        project = self._session.path if before is None else None

        def work(task: Task) -> "tuple[Listing, News]":
            then = before if project is None else as_saved(listing(album.roots, recursive), album, project)
            now = listing(album.roots, recursive, then if former is None else former, task.stop)
            return now, News() if then is None else news(album.photos, missing, then, now, task.stop)

        def on_done(result: "tuple[Listing, News]") -> None:
            now, found = result
            if before is None and project is None:
                self._known = self._now = now
                self._answer()
            elif self._session.document is not None and self._session.document.album is album:
                self._tell(now, found)

        self._jobs.start(JobKind.FOLDER, "", work, on_done=on_done, quiet=True)

    def _tell(self, now: "Listing", found: "News") -> None:
        self._now = now
        changed = tuple(photo for photo in found.changed if (photo, True) not in self._passed)
        gone = tuple(photo for photo in found.gone if (photo, False) not in self._passed)
        found = replace(found, changed=changed, gone=gone)
        if found:
            self._asked = False
            self.found.emit(found)
        else:
            self._known = now
            self._answer()

    def _answer(self) -> None:
        """Tell the user that nothing is new, if the user asked."""
        if self._asked:
            self._asked = False
            self._session.tell(tr("No new photos in the folders of this album."))

    def leave(self, news: "News") -> None:
        """Do not report these changes again, because the user keeps the album as it is."""
        self._known = self._now
        self._passed |= {(photo, True) for photo in news.changed}
        self._passed |= {(photo, False) for photo in (*news.gone, *news.moved)}

    def take_over(self, news: "News") -> None:
        """Change the album to what its folders are now, by one edit."""
        document = self._session.document
        if document is None:
            return
        self._known = self._now
        album = document.album
        paths = [*news.new, *news.moved.values(), *(album.photos[photo].path for photo in news.changed)]

        def work(task: Task) -> Album:
            found = scan(paths, on_progress=task.progress, stop=task.stop) if paths else Album((), ())
            named = (replace(photo, name=_name_below(album.roots, photo.path)) for photo in found.photos)
            return Album(album.roots, tuple(named), found.skipped)

        def on_done(found: Album) -> None:
            self._session.edit(taken_over, found, frozenset(news.gone), news.moved, self._taken_out)
            self._taken_out |= set(news.gone)

        self._jobs.start(JobKind.ADD, tr("Looking at the folder"), work, on_done=on_done)


def _name_below(roots: tuple[Path, ...], path: Path) -> str:
    """A photo's name as scanning the folders would give it."""
    root = next((root for root in roots if path.is_relative_to(root)), path.parent)
    return os.fspath(path.relative_to(root)).replace(os.sep, "/")
