"""Opens albums: scans the paths, reads thumbnails and colours of the photos, and computes the wanted features.

If the features of a look cannot be computed, the photos are compared by the former look again.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from album_app.errors import AlbumError
from album_app.gui.state import load_steps as steps
from album_app.gui.state.autosave import Recovery
from album_app.gui.state.jobs import Job, JobKind, Jobs, Task
from album_app.gui.state.load_steps import Handful
from album_app.gui.state.photo_store import Features, PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style.wording import photos_words, sentence
from album_app.language import shown, tr
from album_app.layout import Cell, Options
from album_app.layout.editing.edits import added, with_options
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import PROJECT_SUFFIX
from album_app.paths import version_of
from album_app.photos.album import Album
from album_app.photos.album_features import rows_remark
from album_app.photos.faces import Focus
from album_app.photos.features import features_title
from album_app.photos.features.table import file_named


def back_from(session: Session, features: str) -> str:
    """Return to the look before `features`; the name of its features, empty if there is no look to return to."""
    document, done = session.document, session.undo_stack.done
    if document is None or document.options.features != features:
        return ""
    before = (step.before.options.features for step in done)
    former = next((name for name in before if name != features), Options().features)
    if former == features:
        return ""
    if done and done[0].before.options.features == former:
        session.undo_stack.take_back()
    else:
        session.edit(with_options, tr("Compare by “{title}”", title=features_title(former)), features=former)
    return former


def again_words(former: str) -> str:
    return tr("The photos are compared by “{title}” again.", title=features_title(former))


def give_up_look(session: Session, features: str, error: Exception) -> bool:
    """Return to the look before `features`, and say why; whether there was one to return to."""
    former = back_from(session, features)
    if former:
        text = f"{sentence(str(error))} {again_words(former)}"
        session.report(AlbumError(text) if isinstance(error, AlbumError) else error)
    return bool(former)


class UntouchedFolder:
    """Looks after the sheet of a folder that nobody has edited yet: remembers it, and repairs it."""

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs) -> None:
        self._session = session
        self._photos = photos
        self._jobs = jobs
        self._go_on: Callable[[], None] | None = None  # called if the user edits the sheet before it is read again
        session.document_changed.connect(self._on_document)
        session.opened.connect(self._forget)

    def _forget(self) -> None:
        self._go_on = None

    def _on_document(self, name: str) -> None:
        """The user has edited the sheet: `Jobs` has ended reading it again, so go on with it as it is."""
        go_on = self._go_on
        self._forget()
        if go_on is not None:
            go_on()

    def _document(self) -> Document | None:
        """The open document; None if it came from a project file or was edited."""
        session = self._session
        return None if session.path is not None or session.modified or session.undo_stack.count() else session.document

    def remember(self, layout: object = None) -> None:
        """Keep the final sheet for the next opening, unless it was remembered itself, so that it has no guide."""
        document = self._document()
        if document is None or document.layout is None or document.layout.guide is None:
            return
        if document.is_settled and self._photos.has_features(document):
            self._jobs.compute(JobKind.REMEMBER_SHEET, partial(steps.remember_sheet, document), lambda done: None)

    def read_again_if_damaged(self, recursive: bool, pace: steps.Pace, go_on: Callable[[], None]) -> bool:
        """Where files turned out damaged, open the folder again without them; whether that has begun.

        `go_on` is called if the sheet stays after all, because the user has edited or saved it in the meantime.
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

        work = lambda task: steps.read_again(document, recursive, task, pace)  # noqa: E731
        self._go_on = go_on
        version = self._session.version
        self._jobs.start(JobKind.READ_AGAIN, tr("Reading photos"), work, on_done=on_done, version=version)
        return True


AFTER_PAINTING_MS = 15
"""Milliseconds from opening an album to reading its photos; the album is painted in the meantime."""
OF_AN_ALBUM = (JobKind.FOCUS, JobKind.FEATURES, JobKind.NEAR_DUPLICATES)
"""Jobs that look at all photos of an album: they end when photos join or leave, and begin anew for the new album."""

Opened = tuple[Document, Path | None, bool]
"""A document, the project file that it belongs to, and whether it was recovered from an autosave."""
Reading = Callable[[Task], Opened]


class Loading(QObject):
    """Opens albums in the session, and fills the store with their photos' thumbnails and feature vectors.

    Signals:
        began(str): something is being opened; its name
        ended(): it is open, could not be opened, or was cancelled
        file_named(str): the album needs this file of weights or vectors, which is read after `allow_file`
        near_duplicates_found(list[tuple[int, ...]]): near-duplicates in groups, the best of each first

    `pace` says how much is read before a sheet is shown.
    """

    began = Signal(str)
    ended = Signal()
    file_named = Signal(str)
    near_duplicates_found = Signal(list)

    def __init__(self, session: Session, photos: PhotoStore, solving: Solving, jobs: Jobs) -> None:
        super().__init__(session)
        self.pace = steps.PACE
        self._session = session
        self._photos = photos
        self._solving = solving
        self._jobs = jobs
        self._solved_at, self._solved_colours = 0.0, 0
        self._arranging = self._opening = False
        self._reading: Job | None = None
        self._album: Album | None = None  # the album whose photos were read or are being read
        self._sought: dict[JobKind, object] = {}  # by kind: the last input, also if it failed
        self._recursive = True
        self.leave_then: Callable[[Callable[[], None]], None] = lambda go_on: go_on()
        self.ask_cells: Callable[[int, Callable[[int], None]], None] = lambda count, answer: answer(steps.SUMMARY_CELLS)
        self.versions: dict[
            Path, tuple[int, int, int] | None
        ] = {}  # of project files when they were last read or written
        self._new_options = Options()
        self._unasked = ""  # the features whose file is read only after `allow_file`
        # Queued, and delayed by AFTER_PAINTING_MS, so that the album is painted before threads slow the interpreter.
        session.opened.connect(self._on_opened, Qt.ConnectionType.QueuedConnection)
        session.document_changed.connect(self._on_document)
        self._jobs.changed.connect(self._on_jobs)
        self._untouched = UntouchedFolder(session, photos, jobs)
        solving.scored.connect(self._untouched.remember)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open a project file or a new sheet of folders and photos; the former album stays until that works."""
        if len(paths) == 1 and paths[0].suffix.lower() == PROJECT_SUFFIX:
            self.open_project(paths[0])
            return
        title = paths[0].name if len(paths) == 1 else tr("{count} items", count=len(paths))
        self._open_folder(title, partial(steps.read_folder, list(paths), self._recursive))

    def open_sample(self) -> None:
        self._open_folder(tr("Sample album"), steps.read_sample)

    def _open_folder(self, title: str, read: Callable[..., Document]) -> None:
        options, pace = self._new_options, self.pace
        self._start_opening(title, lambda task: (read(options, task, pace), None, False))

    def _sized(self, found: Opened, go_on: Callable[[Opened], None]) -> None:
        """Call `go_on` with what was found; for very many photos ask the user first how many cells the sheet gets."""
        document, path, recovered = found

        def on_answer(cells: int) -> None:
            work = lambda task: (steps.new_document(document.album, document.options, cells), None, False)  # noqa: E731
            self._jobs.start(JobKind.OPEN, tr("Opening"), work, on_done=go_on)

        if path is None and not recovered and len(document.album) > self.pace.photos_to_ask_about:
            self.ask_cells(len(document.album), on_answer)
        else:
            go_on(found)

    def open_project(self, path: Path) -> None:
        self._start_opening(path.name, lambda task: (self._read(path, path), path, False))

    def open_recovered(self, recovery: Recovery, then: Callable[[], None]) -> None:
        """Open an autosave as unsaved work on the project that it came from, and call `then`."""
        file, origin = recovery.file, recovery.origin
        self._start_opening(recovery.title, lambda task: (self._read(file, origin), origin, True), then)

    def _read(self, file: Path, origin: Path | None) -> Document:
        """Read a project off the GUI thread, and note the version of the file that it will be saved to."""
        if origin is not None:
            self.versions[origin] = version_of(origin)
        return steps.read_project(file)

    def prefer(self, recursive: bool, features: str) -> None:
        """Set how folders are opened from now on."""
        self._recursive = recursive
        self._new_options = Options(features=features)

    def _start_opening(self, title: str, work: Reading, then: Callable[[], None] | None = None) -> None:
        session, left = (
            self._session,
            self._session.version,
        )  # the version of the document that the user agreed to close

        def replace(found: Opened) -> None:
            features = found[0].options.features
            self._unasked = features if file_named(features) else ""
            session.open_document(*found)
            if then is not None:
                then()

        def on_done(found: Opened) -> None:
            if session.version == left:
                self._sized(found, replace)
            else:
                self.leave_then(lambda: self._sized(found, replace))

        self._jobs.start(JobKind.OPEN, tr("Opening {title}", title=title), work, on_done=on_done)
        self._opening = True
        self.began.emit(title)

    def add_files(self, paths: Sequence[Path], cell: Cell | None = None) -> None:
        """Add photos to the album by one edit; with a cell, the first is pinned there and the others around it."""
        pace, work = self.pace, lambda task: steps.scanned(list(paths), True, task, pace)
        self._jobs.start(JobKind.ADD, tr("Adding photos"), work, on_done=lambda found: self._add(found, cell))

    def _add(self, found: Album, cell: Cell | None) -> None:
        if self._session.document is None or not len(found):
            why = shown(found.skipped[0].reason) if found.skipped else ""
            nothing = (
                tr("There was no photo to add ({reason}).", reason=why) if why else tr("There was no photo to add.")
            )
            self._session.tell(nothing)
        else:
            self._session.edit(added, found, cell)

    @Slot()
    def _on_jobs(self) -> None:
        if self._opening and not self._jobs.running(JobKind.OPEN):
            self._opening = False
            self.ended.emit()

    @Slot()
    def _on_opened(self) -> None:
        self._solved_at, self._solved_colours = 0.0, 0
        self._arranging = not self._session.is_settled
        self._album, self._sought = None, {}
        QTimer.singleShot(AFTER_PAINTING_MS, self, self._load_opened)

    @Slot(str)
    def _on_document(self, name: str) -> None:
        document = self._session.document
        if document is not None and document.album is not self._album:
            for kind in OF_AN_ALBUM:
                self._jobs.cancel(kind)
            self._load_photos()
        elif not self._jobs.running(JobKind.PHOTOS):
            self._look_at_photos()

    def allow_file(self) -> None:
        """Read the file of weights that the album asks for, because the user trusts it."""
        self._unasked = ""
        self._sought.pop(JobKind.FEATURES, None)
        self._look_at_photos()

    def resume(self) -> None:
        """Begin again what was cancelled or has failed; what runs goes on."""
        running = self._jobs.running
        self._sought = {kind: sought for kind, sought in self._sought.items() if running(kind)}
        if not running(JobKind.PHOTOS):
            self._load_photos()

    def _load_opened(self) -> None:
        self._load_photos()
        if not self._jobs.running(JobKind.PHOTOS):  # all photos were in the album that was open before
            self._solving.refresh()

    def _load_photos(self) -> None:
        """Read the thumbnails and colours of all photos that have no thumbnail yet."""
        document = self._session.document
        if document is None:
            return
        self._album = document.album
        self._remember_missing(document)
        wanted = [(i, photo) for i, photo in enumerate(document.album.photos) if self._photos.pictures.wants(i)]
        if not wanted:
            self._jobs.cancel(JobKind.PHOTOS)
            self._photos.complete_colours()
            self._look_at_photos()
            return
        side, colour, pace = self._photos.pictures.side, self._photos.vectors.colour, self.pace
        self._reading = self._jobs.start(
            JobKind.PHOTOS,
            tr("Reading photos"),
            lambda task: steps.read_photos(wanted, side, colour, task, pace),
            on_parts=self._on_photos,
            on_done=self._on_photos_done,
        )

    def _remember_missing(self, document: Document) -> None:
        """Show missing photos as they were last seen."""
        lost = [(i, document.album.photos[i]) for i in document.missing if self._photos.pictures.lacks_last(i)]
        work, put = partial(steps.last_seen, lost, self._photos.pictures.side), self._photos.put_pictures
        self._jobs.compute(JobKind.LAST_SEEN, work, lambda found: put(found, {}))

    def _on_photos(self, handfuls: list[Handful]) -> None:
        for handful in handfuls:
            self._photos.put_previews(handful.previews, handful.rough_colours)
            self._photos.put_colours(handful.colours)
            self._photos.put_foci(handful.foci)
            self._photos.put_pictures(handful.pictures, handful.faults, handful.flaws)
        self._solve_meanwhile()

    def _solve_meanwhile(self) -> None:
        """Arrange by the colours known so far, each time that twice as many are known, and when all are known.

        Nothing is arranged when all will be known in a moment.
        """
        ready, left = self._photos.vectors.colours_ready, self._reading.seconds_left if self._reading else None
        count = len(self._album) if self._album is not None else 0
        complete = self._photos.vectors.all_colours_ready and ready > self._solved_colours
        pace = self.pace
        first = max(pace.first_sheet_photos, pace.first_sheet_share * count)
        grown = ready >= max(first, 2 * self._solved_colours) or complete
        worth = complete or (left is not None and left > pace.seconds_worth_a_sheet)
        waited = time.monotonic() - self._solved_at > pace.seconds_between_sheets
        if grown and worth and waited and self._arranging:
            self._solved_at, self._solved_colours = time.monotonic(), ready
            self._solving.start()

    def _on_photos_done(self, result: None) -> None:
        self._photos.complete_colours()
        if not self._untouched.read_again_if_damaged(self._recursive, self.pace, self._go_on):
            self._go_on()

    def _go_on(self) -> None:
        """Go on after every photo was read."""
        self._look_at_photos()
        self._solving.refresh()

    def _look_at_photos(self) -> None:
        self._find_focus()
        self._load_features()
        self._find_near_duplicates()

    def _is_news(self, kind: JobKind, wanted: object) -> bool:
        """Whether a kind of job was last started for something else; `resume` forgets what was cancelled or failed."""
        if self._sought.get(kind) == wanted:
            return False
        self._sought[kind] = wanted
        return True

    def _find_focus(self) -> None:
        """Look once for what the crops of an album have to keep; the crops move there as it is found."""
        document = self._session.document
        if document is None:
            return
        known, missing = self._photos.foci, document.missing
        there = ((i, photo) for i, photo in enumerate(document.album.photos) if i not in missing)
        wanted = [(i, photo) for i, photo in there if i not in known]
        if wanted and self._is_news(JobKind.FOCUS, document.album):
            work = partial(steps.find_focus, wanted)
            self._jobs.start(JobKind.FOCUS, "", work, on_parts=self._on_foci, quiet=True)

    def _on_foci(self, parts: list[dict[int, Focus]]) -> None:
        for part in parts:
            self._photos.put_foci(part)

    def _find_near_duplicates(self) -> None:
        """Look once for the near-duplicates of an album, and report them; stacking them is up to the user."""
        document = self._session.document
        if document is not None and self._is_news(JobKind.NEAR_DUPLICATES, document.album):
            album, pace = document.album, self.pace
            work = lambda task: steps.near_duplicate_groups(album, task, pace)  # noqa: E731
            self._jobs.start(JobKind.NEAR_DUPLICATES, "", work, on_done=self.near_duplicates_found.emit, quiet=True)

    def _load_features(self) -> None:
        """Compute the features that the document asks for, unless they are known or being computed."""
        session, document = self._session, self._session.document
        if document is None:
            return
        album, name = document.album, document.options.features
        if self._photos.has_features(document):
            self._jobs.cancel(JobKind.FEATURES)
            self._sought.pop(JobKind.FEATURES, None)
            return
        if not self._is_news(JobKind.FEATURES, (name, album)):
            return
        if name == self._unasked:
            self.file_named.emit(file_named(name))
            return

        def on_done(found: tuple[Features, str]) -> None:
            table, remark = found
            self._photos.put_features(name, table)
            self._solving.refresh()
            if remark:
                session.tell(remark)

        def work(task: Task) -> tuple[Features, str]:
            return steps.extract(album.photos, name, task, pace), rows_remark(album.photos, name)

        pace = self.pace
        title = tr("Looking at {photos}", photos=photos_words(len(album)))
        on_error = partial(give_up_look, session, name)
        self._jobs.start(JobKind.FEATURES, title, work, on_done=on_done, on_error=on_error)
