"""What the File menu does: open, save, export, and look for missing photos."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from album_app.errors import UsageError
from album_app.file_names import printable, suggested
from album_app.gui.controls import ask_user
from album_app.gui.controls.ask_user import ManyPhotos
from album_app.gui.controls.input import known_photos, local_paths
from album_app.gui.state.jobs import LASTING, JobKind, Jobs, Task
from album_app.gui.state.loading import Loading
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.photo_words import PhotoFacets
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Reshaping
from album_app.gui.style.wording import is_sample, photos_words, title_of
from album_app.language import tr, trn
from album_app.layout import Cell, Layout
from album_app.layout.editing.drops import dropped
from album_app.layout.editing.edits import Edit, with_own_table
from album_app.layout.project.photo_paths import lost_and_free, relinked
from album_app.layout.project.project_file import PROJECT_SUFFIX, save_project
from album_app.paths import version_of
from album_app.photos.album import Album, Photo, scan
from album_app.photos.decoding.image_formats import name_patterns
from album_app.photos.folder_news import same_files
from album_app.photos.tables import Match, Table, match, read_table

LOOK_AGAIN_MS = 50
"""While the window waits to close, it looks this often whether saving and exporting have ended."""
PROJECT_PLACES = (QStandardPaths.StandardLocation.DocumentsLocation, QStandardPaths.StandardLocation.HomeLocation)
"""Where a project is saved first if no project was saved or opened before, in this order."""
TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".txt")
"""A file with one of these suffixes is read as a table when it is dropped on the window."""


class ChangedElsewhere(Exception):
    """Another window or program changed a project file after this window read or wrote it."""


class FileCommands(QObject):
    """Opens, saves, exports and closes albums; asks before unsaved changes are lost."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        photos: PhotoStore,
        loading: Loading,
        jobs: Jobs,
        reshaping: Reshaping,
        preferences: Preferences,
        facets: PhotoFacets,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session, self._photos, self._loading, self._jobs = session, photos, loading, jobs
        self._reshaping, self._preferences, self._facets = reshaping, preferences, facets
        self._writing = threading.Lock()
        self._written: tuple[Path, int, Layout | None] | None = None  # path, version and layout of the last save
        loading.leave_then = self.leave_then  # the user may go on editing while another album is being opened
        loading.ask_cells = self._ask_cells
        session.opened.connect(self._remember_folder)
        self._book_awaited = False  # whether the export dialog opens again once the pages of a book are filled
        session.opened.connect(self._give_up_book)
        session.document_changed.connect(self._on_edit)
        session.layout_changed.connect(self._on_layout)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open these folders, photos or project, once the user has saved or given up unsaved changes."""
        if paths:
            self.leave_then(lambda: self._loading.open_paths(list(paths)))

    def take_dropped(self, paths: Sequence[Path], cell: Cell | None = None) -> None:
        """Open dropped folders and projects; add dropped photos to the open album, pinned to `cell` if there is one.

        A single table becomes the table of the open album.
        """
        if len(paths) == 1 and paths[0].suffix.lower() in TABLE_SUFFIXES and self._session.document is not None:
            self.take_table(paths[0])
            return

        def to_be_opened() -> bool:
            return any(path.suffix.lower() == PROJECT_SUFFIX or path.is_dir() for path in paths)

        def on_found(opened: bool) -> None:
            if opened or self._session.document is None:
                self.open_paths(paths)
            else:
                self._loading.add_files(paths, cell)

        self._jobs.compute(JobKind.DROPPED, to_be_opened, on_found)

    def paste(self) -> None:
        """Treat the files on the clipboard as if they were dropped on the cell that has the keyboard."""
        session, document, cell = self._session, self._session.document, self._session.cell
        paths = local_paths(QGuiApplication.clipboard().mimeData())
        known = () if document is None else known_photos(document, paths)
        if len(known) == 1 and cell is not None:
            session.edit(dropped, known, cell)
        elif paths:
            self.take_dropped(paths, cell)
        else:
            session.tell(tr("Nothing to paste: copy some photo files first."))

    def open_folder(self) -> None:
        ask_user.folder(self._window, tr("Open folder"), self._folder(), self.open_paths)

    def open_photos(self) -> None:
        ask_user.files(self._window, tr("Open photos"), self._folder(), photo_files(), self.open_paths)

    def open_project(self) -> None:
        ask_user.files(self._window, tr("Open project"), self._folder(), project_files(), self.open_paths, many=False)

    def _ask_cells(self, count: int, answer: Callable[[int], None]) -> None:
        ManyPhotos(self._window, count, answer).open()

    def open_sample(self) -> None:
        self.leave_then(self._loading.open_sample)

    def add_photos(self) -> None:
        self._close_with_album(
            ask_user.files(self._window, tr("Add photos"), self._folder(), photo_files(), self._loading.add_files)
        )

    def open_table(self) -> None:
        """Ask for a table that has a row for each photo."""
        self._close_with_album(
            ask_user.files(
                *(self._window, tr("Open a table"), self._folder(), tr("Tables (*.csv *.tsv *.txt);;All files (*)")),
                lambda paths: self.take_table(paths[0]),
                many=False,
            )
        )

    def close_table(self) -> None:
        self._session.edit(with_own_table, None)

    def take_table(self, path: Path) -> None:
        """Read a table in the background and match its rows with the photos."""
        document = self._session.document
        if document is None:
            return
        album = document.album

        def work(task: Task) -> tuple[Table, Match]:
            table = read_table(path)
            return table, match(table, album)

        def on_done(found: tuple[Table, Match]) -> None:
            table, remark = found[0], found[1].remark(len(album))
            self._session.edit(with_own_table, table)
            columns = trn("{count} column", "{count} columns", len(table.columns))
            matched = photos_words(len(found[1].row_of))
            words = tr("Table {name}: {columns} for {photos}.", name=table.name, columns=columns, photos=matched)
            self._session.tell(f"{words} {remark}".rstrip())

        self._jobs.start(JobKind.TABLE, tr("Reading {name}", name=path.name), work, on_done=on_done)

    def close_album(self) -> None:
        self.leave_then(lambda: self._session.open_document(None))

    @Slot()
    def quit(self) -> None:
        self._window.close()

    def leave_then(self, go_on: Callable[[], None]) -> None:
        """Go on at once if nothing is unsaved; otherwise ask, and go on once changes are saved or given up."""
        if not self._session.modified or not self._preferences.get("confirm_unsaved"):
            go_on()
            return

        def on_answer(answer: str) -> None:
            if answer == "save":
                self.save(go_on)
            elif answer == "discard":
                go_on()

        ask_user.save_first(self._window, self.title, on_answer)

    def when_kept(self, go_on: Callable[[], None]) -> None:
        """Go on once all saving and exporting is done; until then say what the window waits for."""
        titles = [job.title for job in self._jobs.visible if job.kind in LASTING]
        if titles:
            self._session.tell(tr("{work}: the window closes when that is done.", work=titles[0]))
            QTimer.singleShot(LOOK_AGAIN_MS, self, lambda: self.when_kept(go_on))
        else:
            go_on()

    @property
    def title(self) -> str:
        """The title of the open album."""
        return title_of(self._session.document, self._session.path)

    def save(self, then: Callable[[], None] | None = None) -> None:
        """Write the project file; the first time, ask for its name."""
        if self._session.path is None:
            self.save_as(then)
        else:
            self.write(self._session.path, then)

    def save_as(self, then: Callable[[], None] | None = None) -> None:
        start = str(self._folder_for_project() / f"{suggested(self.title, tr('Untitled'))}{PROJECT_SUFFIX}")
        self._close_with_album(
            ask_user.target(
                self._window,
                tr("Save project"),
                start,
                project_files(),
                PROJECT_SUFFIX[1:],
                lambda p: self.write(p[0], then, agreed=True),
            )
        )

    def _folder_for_project(self) -> Path:
        """The folder of the open project, else that of the last project, else the user's documents; no album folder."""
        from album_app.gui.dialogs.export.writing import proposed_folder

        path, document = self._session.path, self._session.document
        if path is not None:
            return path.parent
        roots = () if document is None else document.album.roots
        return proposed_folder(self._preferences.word("project folder"), None, roots, PROJECT_PLACES)

    def write(self, path: Path, then: Callable[[], None] | None = None, agreed: bool = False) -> None:
        """Write the project in the background; `agreed` means that the user agreed to replace a file of this name."""
        session, document = self._session, self._session.document
        version, opening = session.version, session.opening
        if document is None:
            return

        def work(task: Task) -> None:
            with self._writing:  # so that the later of two saves is also the last to reach the file
                known, found = self._loading.versions.get(path), version_of(path)
                if not agreed and known is not None and found is not None and found != known:
                    raise ChangedElsewhere
                save_project(document, path, task.stop, agreed=agreed)
                self._loading.versions[path] = version_of(path)

        def on_done(result: None) -> None:
            session.tell(tr("Saved {name}", name=path.name))
            self._preferences.remember("project folder", str(path.parent))
            if session.opening == opening:
                session.mark_saved(path, version)
                self._written = path, version, document.layout
                self.catch_up()
            if then is not None:
                then()

        def on_error(error: Exception) -> bool:
            if isinstance(error, ChangedElsewhere):
                self._ask_to_replace(path, then)
            return isinstance(error, ChangedElsewhere)

        title = tr("Saving {name}", name=path.name)
        self._jobs.start(JobKind.SAVE, title, work, on_done=on_done, on_error=on_error)

    def _ask_to_replace(self, path: Path, then: Callable[[], None] | None) -> None:
        """Ask before changes are lost that another window or program made after this window read the project."""
        question = tr(
            "Another window or program changed “{name}” after it was opened here. Replacing it loses those changes; "
            "“Save as…” keeps both.",
            name=printable(path.name),
        )
        self._close_with_album(
            ask_user.confirm(self._window, question, tr("Replace"), lambda: self.write(path, then, agreed=True))
        )

    @Slot()
    def catch_up(self) -> None:
        """Write the project again if it was saved while the sheet was still being arranged."""
        session, document = self._session, self._session.document
        if self._written is None or document is None or document.layout is None or not session.is_settled:
            return
        path, version, layout = self._written
        stale = layout is None or layout.photo_at is not document.layout.photo_at
        if stale and (path, version) == (session.path, session.version):
            self.write(path)

    def relink(self, lost: frozenset[int] = frozenset()) -> None:
        """Ask for a folder, and look there for the missing photos and for those in `lost`."""
        title = tr("Where are the missing photos?")

        def on_answer(paths: list[Path]) -> None:
            relink_from(self._session, self._jobs, paths[0], lost)

        self._close_with_album(ask_user.folder(self._window, title, self._folder(), on_answer))

    def _close_with_album(self, dialog: QDialog) -> None:
        """Close a dialog about the open album when another album is opened."""
        self._session.opened.connect(dialog.reject)

    def export(self) -> None:
        self._export()

    def print_sheet(self) -> None:
        """Open the export dialog with the card for printing; its button asks for the printer."""
        self._export("print")

    def _export(self, card: str = "") -> None:
        from album_app.gui.dialogs.export.dialog import ExportDialog

        dialog = ExportDialog(
            self._window,
            self._session,
            self._photos,
            self._jobs,
            self._reshaping,
            self._preferences,
            self.title,
            self.relink,
            card,
            self._facets,
        )
        dialog.book_started.connect(self._await_book)
        dialog.open()

    @Slot()
    def _await_book(self) -> None:
        self._book_awaited = True

    @Slot()
    def _give_up_book(self) -> None:
        self._book_awaited = False

    @Slot()
    def _on_edit(self) -> None:
        """Stop waiting for a book if the edited sheet is no book."""
        document = self._session.document
        self._book_awaited &= document is not None and document.shape.pages is not None

    @Slot()
    def _on_layout(self) -> None:
        """Open the export dialog again once the pages of a book are filled."""
        document = self._session.document
        if self._book_awaited and document is not None and document.shape.pages is not None and document.is_settled:
            self._book_awaited = False
            QTimer.singleShot(0, self, lambda: self._export("book"))

    @Slot()
    def _remember_folder(self) -> None:
        """Remember the folder of the open album: the next file dialog starts there."""
        document, path = self._session.document, self._session.path
        if path is not None:
            self._preferences.remember("folder", str(path.parent))
            self._preferences.remember("project folder", str(path.parent))
        elif document is not None and document.album.roots and not is_sample(document):
            self._preferences.remember("folder", str(document.album.roots[0]))

    def _folder(self) -> str:
        return self._preferences.word("folder", str(Path.home()))


Found = tuple[Album, dict[int, Photo]]
"""The files of a folder, and the missing photos that were recognised among them by their content."""


def relink_from(session: Session, jobs: Jobs, folder: Path, lost: frozenset[int] = frozenset()) -> None:
    """Look in a folder for the missing photos and for those in `lost`; one edit takes in all that are found."""
    if session.document is None:
        return
    before = replace(session.document, missing=session.document.missing | lost)

    def work(task: Task) -> Found:
        found = scan(folder, with_sheets=True, on_progress=task.progress, stop=task.stop)
        return found, same_files(*lost_and_free(before, found), task.stop)

    def on_done(result: Found) -> None:
        document = session.document
        if document is None:
            return
        after, again = relinked(replace(document, missing=document.missing | lost), *result)
        if not again:
            session.report(UsageError(tr("None of the missing photos is in “{name}”.", name=folder.name)))
            return
        session.apply(Edit(tr("Find missing photos"), after))
        session.tell(trn("Found {count} photo again", "Found {count} photos again", len(again)))

    jobs.start(JobKind.RELINK, tr("Looking through {name}", name=folder.name), work, on_done=on_done)


def photo_files() -> str:
    """The filter of a file dialog that asks for photos."""
    return tr("Photos ({patterns});;All files (*)", patterns=name_patterns())


def project_files() -> str:
    """The filter of a file dialog that asks for projects."""
    return tr("Album projects ({pattern})", pattern=f"*{PROJECT_SUFFIX}")
