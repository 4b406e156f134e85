"""Background work: a function goes in, its result comes out on the GUI thread; an ended job delivers nothing."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from album_app.errors import AlbumError, Stopped
from album_app.memory import give_back

BATCH_MS = 50
"""Milliseconds between two deliveries of partial results, and between two updates of the progress that is shown."""
DELIVERY_SECONDS = 0.01
"""After delivering results for this long, the GUI thread handles the user's events first."""
PARTS_AT_ONCE = 16
"""The most partial results that are handed to `on_parts` at once."""
SECONDS_TO_END, SECONDS_TO_FINISH = 3.0, 60.0
"""How long the end of the program waits for work that was stopped, and for work that has to be finished."""

OnError = Callable[[Exception], bool] | None
"""Returns whether it handled the error; unhandled errors are shown in the window's message bar."""


class JobKind(StrEnum):
    """One kind of background work; a new job of a kind ends the one before, unless several may run at once."""

    ADD = "add"
    ALTERNATIVES = "alternatives"
    ARRANGE = "arrange"
    AUTOSAVE = "autosave"
    BEHIND = "behind"
    CAMERA = "camera"
    COMPARE = "compare"
    CONFLICTS = "conflicts"
    COPY_SHEET = "copy sheet"
    DETAIL_TILES = "detail tiles"
    DETAILS = "details"
    DISCARD = "discard"
    DROPPED = "dropped"
    EXPORT = "export"
    EXPORT_CARDS = "export cards"
    EXPORT_FOLDER = "export folder"
    EXPORT_PREVIEW = "export preview"
    EXPORT_SIZE = "export size"
    FACETS = "facets"
    FEATURES = "features"
    FIT_PAPER = "fit paper"
    FOCUS = "focus"
    FOLDER = "folder"
    FONTS = "fonts"
    FORESEE = "foresee"
    FORGET = "forget"
    LAST_SEEN = "last seen"
    LARGE_VIEW = "large view"
    MISFITS = "misfits"
    NAMES = "names"
    OPEN = "open"
    OUTLIERS = "outliers"
    PHOTOS = "photos"
    PLACES = "places"
    PRESETS = "presets"
    PRINT = "print"
    READ_AGAIN = "read again"
    RECENTS = "recents"
    RECOVERY = "recovery"
    RELINK = "relink"
    REMEMBER = "remember"
    REMEMBER_SHEET = "remember sheet"
    SAVE = "save"
    SCORE = "score"
    SHAPE = "shape"
    SHAPE_PREVIEW = "shape preview"
    SIMILAR = "similar"
    SUGGEST = "suggest"
    TABLE = "table"
    TILES = "tiles"
    TRAY_DETAILS = "tray details"
    NEAR_DUPLICATES = "near duplicates"
    WARM_UP = "warm up"
    WORDS = "words"
    WRITE_PINS = "write pins"
    WRITE_STACKS = "write stacks"


LARGE = frozenset({JobKind.ARRANGE, JobKind.FIT_PAPER, JobKind.PHOTOS, JobKind.SCORE, JobKind.NEAR_DUPLICATES})
"""Jobs that need much memory for very many photos; when they end, the memory is given back to the system."""

AT_ONCE = frozenset(
    {
        JobKind.ADD,
        JobKind.DETAIL_TILES,
        JobKind.DISCARD,
        JobKind.DROPPED,
        JobKind.FORGET,
        JobKind.PRINT,
        JobKind.WRITE_PINS,
        JobKind.WRITE_STACKS,
    }
)
"""Jobs of these kinds run at once: a second one does not end the first."""

LASTING = frozenset(
    {
        JobKind.DISCARD,
        JobKind.FONTS,
        JobKind.FORGET,
        JobKind.PRINT,
        JobKind.RECENTS,
        JobKind.RECOVERY,
        JobKind.REMEMBER,
        JobKind.SAVE,
        JobKind.WARM_UP,
        JobKind.WRITE_PINS,
        JobKind.WRITE_STACKS,
    }
)
"""Jobs that do not depend on the open album, or that the user was promised.

They go on when another album is opened, and the program waits for them when it ends.
"""


@dataclass(eq=False)
class Job:
    """One piece of background work, seen from the GUI thread."""

    kind: JobKind
    title: str
    quiet: bool
    version: int | None = None  # of the document that it works for; None = it concerns no version in particular
    started: float = field(default_factory=time.monotonic)
    done: int = 0
    total: int = 0
    _paced: tuple[float, int] = (0.0, 0)  # the time of the first report of progress, and how much was done then
    _stopped: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Ask the work to end; its later results are dropped."""
        self._stopped.set()

    @property
    def cancelled(self) -> bool:
        return self._stopped.is_set()

    def move_on(self, done: int, total: int) -> None:
        """Note how far the work is."""
        if not self.total:
            self._paced = (time.monotonic(), done)
        self.done, self.total = done, total

    @property
    def seconds_left(self) -> float | None:
        """An estimate by the pace since the first report of progress; None before there is a pace."""
        since, before = self._paced
        if self.total <= 0 or self.done <= before:
            return None
        return (time.monotonic() - since) * (self.total - self.done) / (self.done - before)


class Task:
    """What the work itself sees, in its own thread: a stop request in, progress and partial results out."""

    def __init__(self, job: Job, post: Callable[[Job, str, Any, bool], None]) -> None:
        self._job = job
        self._post = post

    def stop(self) -> bool:
        return self._job.cancelled

    def progress(self, done: int, total: int) -> None:
        self._job.move_on(done, total)

    def send(self, part: Any) -> None:
        """Hand a partial result to `on_parts` with the next batch."""
        self._post(self._job, "part", part, False)

    def send_now(self, part: Any) -> None:
        """Hand a partial result to `on_parts` as soon as the GUI thread is free."""
        self._post(self._job, "part", part, True)


@dataclass(frozen=True)
class _Handlers:
    on_done: Callable[[Any], None] | None
    on_parts: Callable[[list[Any]], None] | None
    on_error: OnError


class Jobs(QObject):
    """Starts, watches and stops background work.

    Signals:
        changed(): a visible job began, moved on or ended; at most every 50 ms
        failed(Exception): work ended with an error that its starter did not handle
    """

    changed = Signal()
    failed = Signal(object)
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inbox: deque[tuple[Job, str, Any]] = deque()
        self._live: list[Job] = []
        self._handlers: dict[Job, _Handlers] = {}
        self._awake = threading.Event()
        self._threads: dict[threading.Thread, JobKind] = {}
        self._door = threading.Lock()
        self._closed = False  # nothing is posted any more, since this object may be gone at any moment
        self._woken.connect(self._drain, Qt.ConnectionType.QueuedConnection)
        self._timer = QTimer(self, interval=BATCH_MS)
        self._timer.timeout.connect(self._tick)

    def start(
        self,
        kind: JobKind,
        title: str,
        work: Callable[[Task], Any],
        *,
        on_done: Callable[[Any], None] | None = None,
        on_parts: Callable[[list[Any]], None] | None = None,
        on_error: OnError = None,
        quiet: bool = False,
        version: int | None = None,
    ) -> Job:
        """Run `work(task)` in a thread; it ends an older job of its kind, unless the kind is one of `AT_ONCE`.

        `on_done(result)`, `on_parts(parts)` and `on_error(error) -> handled` are called on the GUI thread.
        A quiet job does not show in the status bar. One for a `version` of the document ends with that version.
        A job that was ended delivers nothing more, even if its thread is still running; no other code has to refuse
        results.
        """
        if kind not in AT_ONCE:
            self.cancel(kind)
        job = Job(kind, title, quiet, version)
        self._live.append(job)
        self._handlers[job] = _Handlers(on_done, on_parts, on_error)
        thread = threading.Thread(target=self._run, args=(job, work), name=f"album-{kind}", daemon=True)
        self._threads = {thread: kind} | {other: of for other, of in self._threads.items() if other.is_alive()}
        thread.start()
        self._timer.start()
        self.changed.emit()
        return job

    def compute(self, kind: JobKind, work: Callable[[], Any], on_done: Callable[[Any], None]) -> None:
        """Run short work that does not show in the status bar; of each kind only the latest delivers its result."""
        self.start(kind, "", lambda task: work(), on_done=on_done, quiet=True)

    def cancel_visible(self) -> None:
        """Stop what the user sees running; the last good layout stays."""
        for job in self.visible:
            self.cancel(job.kind)

    def cancel(self, kind: JobKind) -> None:
        """Stop what runs of this kind."""
        self._end([job for job in self._live if job.kind == kind])

    @Slot()
    def end_those_of_the_album(self) -> None:
        """Stop what works on the open album; what lasts goes on."""
        self._end([job for job in self._live if job.kind not in LASTING])

    @Slot(int)
    def end_those_before(self, version: int) -> None:
        """Stop what works for an older version of the document."""
        self._end([job for job in self._live if job.version is not None and job.version < version])

    def _end(self, jobs: list[Job]) -> None:
        for job in jobs:
            self._live.remove(job)
            job.cancel()
        if jobs:
            self.changed.emit()

    def running(self, kind: JobKind) -> bool:
        return any(job.kind == kind for job in self._live)

    @property
    def all_ended(self) -> bool:
        """Whether every thread has ended and reported, those of stopped work included."""
        return not self._handlers

    @property
    def outlast_the_window(self) -> bool:
        """Whether work still runs after `shut_down`, because it did not stop in time."""
        return self._closed and any(thread.is_alive() for thread in self._threads)

    @property
    def visible(self) -> list[Job]:
        """The jobs a user should know of, oldest first."""
        return [job for job in self._live if not job.quiet]

    def shut_down(self, *, seconds_to_end: float = SECONDS_TO_END) -> None:
        """Stop what can be stopped, let the rest finish, and wait for the threads for a limited time."""
        self.end_those_of_the_album()
        self._timer.stop()
        began = time.monotonic()
        for thread, kind in self._threads.items():
            limit = SECONDS_TO_FINISH if kind in LASTING else seconds_to_end
            thread.join(max(0.0, began + limit - time.monotonic()))
        with self._door:
            self._closed = True
        self._inbox.clear()

    def _run(self, job: Job, work: Callable[[Task], Any]) -> None:
        try:
            self._post(job, "done", work(Task(job, self._post)), True)
        except Stopped:
            self._post(job, "stopped", None, True)
        except Exception as error:
            self._post(job, "error", error, True)
        if job.kind in LARGE:
            give_back()

    def _post(self, job: Job, what: str, value: Any, urgent: bool) -> None:
        """Called in any thread."""
        with self._door:
            if self._closed:
                return
            self._inbox.append((job, what, value))
            if urgent and not self._awake.is_set():
                self._awake.set()
                self._woken.emit()

    @Slot()
    def _tick(self) -> None:
        self._drain()
        if self._live:
            self.changed.emit()
        elif self.all_ended:
            self._timer.stop()

    @Slot()
    def _drain(self) -> None:
        """Deliver what arrived, but handle the user's events first when that takes longer than DELIVERY_SECONDS."""
        self._awake.clear()
        limit = time.monotonic() + DELIVERY_SECONDS
        while self._inbox:
            job, what, value = self._inbox.popleft()
            parts = [value]
            while what == "part" and len(parts) < PARTS_AT_ONCE and self._inbox and self._inbox[0][:2] == (job, "part"):
                parts.append(self._inbox.popleft()[2])
            self._deliver(job, what, parts)
            if self._inbox and time.monotonic() > limit:
                self._awake.set()
                self._woken.emit()
                return

    def _deliver(self, job: Job, what: str, values: list[Any]) -> None:
        handlers = self._handlers[job]
        live = job in self._live
        if what == "part":
            if live and handlers.on_parts is not None:
                handlers.on_parts(values)
            return
        del self._handlers[job]
        if not live:
            if what == "error" and not isinstance(values[0], AlbumError):
                logging.getLogger("album_app").error("unexpected error in stopped work", exc_info=values[0])
            return
        self._live.remove(job)
        self.changed.emit()
        if what == "error" and not (handlers.on_error is not None and handlers.on_error(values[0])):
            self.failed.emit(values[0])
        elif what == "done" and handlers.on_done is not None:
            handlers.on_done(values[0])
