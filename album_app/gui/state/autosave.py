"""Work is written aside two seconds after it changed, and offered back if the program did not end well."""

import json
import threading
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Slot

from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs, Task
from album_app.gui.state.session import Session
from album_app.gui.style.wording import title_of
from album_app.paths import atomic_write, state_folder
from album_app.work import check

DELAY_MS = 2000
_searching = threading.Lock()
"""Two searches at once would each take the other for the program that an autosave belongs to."""


@dataclass(frozen=True)
class Recovery:
    """An autosave that a program which is gone left behind."""

    file: Path
    origin: Path | None
    title: str


class Autosave(QObject):
    """Keeps a copy of modified work in the state folder while the program runs."""

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._jobs = jobs
        self._file = _folder() / f"{uuid.uuid4().hex}.album"
        self._lock: QLockFile | None = None
        self._replaced: tuple[Recovery, ...] = ()
        self._writing = threading.Lock()
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._write)
        session.document_changed.connect(self.note_change)
        session.saved_changed.connect(self._on_saved)

    @Slot()
    def note_change(self) -> None:
        """Write soon, unless nothing is modified."""
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
        """Recovered work is open: write it aside as ours, and only then let go of what it came from."""
        self._replaced += (recovery,)
        self._timer.start()

    def _write(self) -> None:
        document, origin = self._session.document, self._session.path
        if document is None or not self._session.modified:
            return
        notes = json.dumps({"origin": str(origin) if origin else None, "title": title_of(document, origin)})

        def work(task: Task) -> None:
            from album_app.layout.project.document import save_project

            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._writing:
                check(task.stop)
                self._take_lock()
                save_project(document, self._file)
                with atomic_write(self._file.with_suffix(".json")) as temporary:
                    temporary.write_text(notes, encoding="ascii")
                discard(self._replaced)

        self._jobs.start(JobKind.AUTOSAVE, "", work, quiet=True)

    def _clear(self, task: Task) -> None:
        with self._writing:
            check(task.stop)
            self._remove()

    def _take_lock(self) -> None:
        if self._lock is None:
            self._lock = QLockFile(str(self._file.with_suffix(".lock")))
            self._lock.setStaleLockTime(0)
            self._lock.tryLock(0)

    def _remove(self) -> None:
        for path in (self._file, self._file.with_suffix(".json")):
            path.unlink(missing_ok=True)
        discard(self._replaced)

    def finish(self) -> None:
        """The program ends in order: nothing needs to be recovered."""
        self._timer.stop()
        with self._writing:
            self._remove()
        if self._lock is not None:
            self._lock.unlock()


def recoveries() -> list[Recovery]:
    """What programs that are gone left behind, latest first; for use off the GUI thread."""
    with _searching:
        files = sorted(_folder().glob("[!.]*.album"), key=lambda path: -path.stat().st_mtime)
        return [_recovery(file) for file in files if _is_left(file)]


def _is_left(file: Path) -> bool:
    """Whether no program that runs has the autosave as its own."""
    lock = QLockFile(str(file.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True


def _recovery(file: Path) -> Recovery:
    try:
        notes = json.loads(file.with_suffix(".json").read_text(encoding="ascii"))
    except (OSError, ValueError):
        notes = {}
    origin = notes.get("origin")
    return Recovery(file, Path(origin) if origin else None, str(notes.get("title") or "Album"))


def discard(recoveries: Iterable[Recovery]) -> None:
    """Remove what was left behind; for use off the GUI thread."""
    for recovery in recoveries:
        for suffix in (".album", ".json", ".lock"):
            recovery.file.with_suffix(suffix).unlink(missing_ok=True)


def _folder() -> Path:
    return state_folder() / "autosave"
