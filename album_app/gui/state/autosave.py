"""Autosave: a copy of unsaved work is written soon after each change, and offered for recovery after a crash."""

import json
import logging
import os
import threading
import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from album_app.errors import AlbumError
from album_app.file_names import printable
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.recent import LONGEST_PATH
from album_app.gui.state.session import Session
from album_app.gui.style.wording import title_of
from album_app.language import mark, reason, tr
from album_app.layout.project.project_file import save_project
from album_app.paths import atomic_write, is_file, private_file, private_folder, state_folder
from album_app.state_files import DAMAGED, read_or_set_aside, set_aside
from album_app.work import check

log = logging.getLogger("album_app.gui.autosave")

DELAY_MS = 2000
"""Milliseconds from the first unsaved change to the autosave."""
LONGEST_TITLE = 1000
"""Characters of the title in the note of an autosave; a longer one is taken for damage."""
_searching = threading.Lock()
"""Two searches at the same time would each take the locks of the other for those of a running program."""


@dataclass(frozen=True)
class Recovery:
    """An autosave that was left behind by a program that no longer runs."""

    file: Path
    origin: Path | None
    title: str


class Autosave(QObject):
    """Keeps a copy of modified work in the state folder while the program runs.

    Signals:
        failed(str): the copy cannot be written; a sentence that says why
    """

    failed = Signal(str)

    def __init__(self, session: Session, jobs: Jobs, *, delay_ms: int = DELAY_MS) -> None:
        super().__init__(session)
        self._session = session
        self._jobs = jobs
        self._file = _folder() / f"{uuid.uuid4().hex}.album"
        self._lock: QLockFile | None = None
        self._failing = False
        self._replaced: tuple[Recovery, ...] = ()
        self._writing = threading.Lock()
        self._timer = QTimer(self, singleShot=True, interval=delay_ms)
        self._timer.timeout.connect(self.write)
        session.document_changed.connect(self.note_change)
        session.saved_changed.connect(self._on_saved)

    @Slot()
    def note_change(self) -> None:
        """Write the copy in DELAY_MS if there is unsaved work."""
        if self._session.modified and not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _on_saved(self) -> None:
        if self._session.modified:  # known only now: while an edit is announced, the stack still counts as clean
            self.note_change()
        else:
            self._timer.stop()
            self._jobs.start(JobKind.AUTOSAVE, "", self._clear, quiet=True)

    def take_over(self, recovery: Recovery) -> None:
        """Recovered work was opened: write a copy of our own, and then remove the one that it came from."""
        self._replaced += (recovery,)
        self._timer.start()

    def write(self) -> None:
        """Write a copy of the unsaved work in the background."""
        document, origin = self._session.document, self._session.path
        if document is None or not self._session.modified:
            return
        title = title_of(document, origin)
        notes = json.dumps({"origin": str(origin) if origin else None, "title": title})

        def work(task: Task) -> None:
            private_folder(self._file.parent)
            with self._writing:
                check(task.stop)
                self._take_lock()
                save_project(document, self._file)
                with atomic_write(self._file.with_suffix(".json")) as temporary:
                    temporary.write_text(notes, encoding="ascii")
                discard(self._replaced)

        self._jobs.start(
            JobKind.AUTOSAVE, "", work, on_done=self._on_written, on_error=partial(self._on_failed, title), quiet=True
        )

    def _on_written(self, result: None) -> None:
        self._failing = False

    def _on_failed(self, title: str, error: Exception) -> bool:
        """Say once that unsaved work would be lost in a crash, without the name of the autosave file."""
        cause = error.__cause__ if isinstance(error, AlbumError) else error
        if not isinstance(cause, OSError):
            return False
        if not self._failing:
            text = mark("Unsaved work on “{title}” cannot be kept in case of a crash: {reason}.")
            self.failed.emit(tr(text, title=title, reason=reason(cause)))
        self._failing = True
        return True

    def _clear(self, task: Task) -> None:
        with self._writing:
            check(task.stop)
            self._remove()

    def _take_lock(self) -> None:
        if self._lock is None:
            self._lock = QLockFile(str(self._file.with_suffix(".lock")))
            self._lock.setStaleLockTime(0)
            if self._lock.tryLock(0):
                private_file(self._file.with_suffix(".lock"))

    def _remove(self) -> None:
        for path in (self._file, self._file.with_suffix(".json")):
            with suppress(OSError):
                path.unlink()
        discard(self._replaced)

    def finish(self) -> None:
        """Remove the copy, because the program ends without a crash."""
        self._timer.stop()
        with self._writing:
            self._remove()
        if self._lock is not None:
            self._lock.unlock()


def recoveries() -> list[Recovery]:
    """The autosaves left behind by programs that no longer run, latest first; for use off the GUI thread."""
    with _searching, suppress(OSError):
        files = {file: time for file in _folder().glob("[!.]*.album") if (time := _time_of(file)) is not None}
        return [_recovery(file) for file in sorted(files, key=lambda file: -files[file]) if _is_left(file)]
    return []


def _time_of(file: Path) -> float | None:
    """When a regular file was written; None for anything else, so that it does not stop the search."""
    try:
        return file.stat().st_mtime if is_file(file) else None
    except OSError:
        return None


def _is_left(file: Path) -> bool:
    """Whether no running program holds the lock of an autosave."""
    lock = QLockFile(str(file.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True


def _recovery(file: Path) -> Recovery:
    """The recovery of an autosave, with the title and the project that its note names unless the note is damaged."""
    note = file.with_suffix(".json")
    notes = read_or_set_aside(note, dict) or {}
    origin, title = notes.get("origin"), notes.get("title")
    if not (_is_path(origin) and isinstance(title, str | None) and len(title or "") <= LONGEST_TITLE):
        set_aside(note)
        return Recovery(file, None, tr("Album"))
    return Recovery(file, Path(origin) if origin else None, printable(title or "") or tr("Album"))


def _is_path(origin: object) -> bool:
    """Whether the project in the note of an autosave is None or a path that can exist."""
    if origin is None:
        return True
    try:
        return isinstance(origin, str) and "\0" not in origin and len(os.fsencode(origin)) <= LONGEST_PATH
    except UnicodeEncodeError:
        return False


def discard(recoveries: Iterable[Recovery]) -> None:
    """Remove these autosaves; for use off the GUI thread."""
    for recovery in recoveries:
        for suffix in (".album", ".json", ".lock", DAMAGED):
            with suppress(OSError):
                recovery.file.with_suffix(suffix).unlink()


def _folder() -> Path:
    return state_folder() / "autosave"
