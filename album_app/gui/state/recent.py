"""The albums that were opened recently, each with a small picture of its sheet."""

import hashlib
import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile
from PySide6.QtGui import QImage

from album_app.file_names import printable
from album_app.layout.project.project_file import PROJECT_SUFFIX
from album_app.paths import atomic_write, private_folder, state_folder
from album_app.state_files import read_or_set_aside

log = logging.getLogger("album_app.gui.recent")

LIMIT = 12
"""The most albums on the list."""
LONGEST_PATH = 4096
"""Bytes; no system opens a longer path."""
PREVIEW_WIDTH = 360
"""Pixels of the small picture of a sheet."""
PREVIEW_PNG_QUALITY = 80
"""For Qt, which takes it as speed: a file that is a tenth larger than the smallest takes a fifth of the time."""
LOCK_MS = 2000
"""The longest wait for another window that writes the list; the list stays as it is after that."""


@dataclass(frozen=True)
class Recent:
    """One album: the paths that opened it, its name, its number of photos, when it was last opened, and its folders."""

    paths: tuple[str, ...]
    title: str
    photos: int
    opened: float
    roots: tuple[str, ...] = ()

    @property
    def is_project(self) -> bool:
        return Path(self.paths[0]).suffix == PROJECT_SUFFIX

    @property
    def name(self) -> str:
        """The name of the project file, or else the title."""
        return Path(self.paths[0]).stem if self.is_project else self.title

    def is_about_same(self, other: "Recent") -> bool:
        """Whether both were opened by the same paths, or one is a project made from the folders of the other."""
        folders = {self.roots or self.paths, other.roots or other.paths}
        return self.paths == other.paths or (len(folders) == 1 and self.is_project != other.is_project)

    @property
    def preview_file(self) -> Path:
        digest = hashlib.sha256("\0".join(self.paths).encode(errors="surrogateescape")).hexdigest()[:20]
        return state_folder() / "previews" / f"{digest}.png"


def recent_albums() -> list[Recent]:
    """The albums that still exist, latest first; for use off the GUI thread."""
    return [recent for recent in _read() if all(map(os.path.exists, recent.paths))]


def remember(
    paths: Sequence[Path],
    title: str,
    photos: int,
    preview: QImage | None = None,
    roots: Sequence[Path] = (),
    *,
    lock_ms: int = LOCK_MS,
) -> None:
    """Put an album first; for use off the GUI thread. A folder and the project made from it are one entry."""
    newest = Recent(tuple(map(str, paths)), title, photos, time.time(), tuple(map(str, roots)))
    before, after = [newest], [newest]

    def put_first(recents: list[Recent]) -> list[Recent]:
        before[1:], after[:] = recents, _with_first(newest, recents)[:LIMIT]
        return after

    noted = _change(put_first, lock_ms)
    kept = {recent.preview_file for recent in after}
    if noted:
        with _as_far_as_possible():
            for file in {recent.preview_file for recent in before} - kept:
                file.unlink(missing_ok=True)
    if noted and preview is not None and not preview.isNull() and newest.preview_file in kept:
        with _as_far_as_possible():
            private_folder(newest.preview_file.parent)
            with atomic_write(newest.preview_file) as temporary:
                preview.save(str(temporary), quality=PREVIEW_PNG_QUALITY)


def _with_first(newest: Recent, recents: list[Recent]) -> list[Recent]:
    """The list with an album first; when a folder with a project is opened, the project stays on the list."""
    project = next((r for r in recents if r.is_project and r.is_about_same(newest)), None)
    first = replace(project, opened=newest.opened) if project is not None and not newest.is_project else newest
    return [first, *(recent for recent in recents if not recent.is_about_same(newest) and recent.paths != first.paths)]


def forget(recent: Recent, *, lock_ms: int = LOCK_MS) -> None:
    """Drop one album from the list; for use off the GUI thread."""
    if _change(lambda recents: [other for other in recents if other.paths != recent.paths], lock_ms):
        with _as_far_as_possible():
            recent.preview_file.unlink(missing_ok=True)


def _change(change: Callable[[list[Recent]], list[Recent]], lock_ms: int) -> bool:
    """Rewrite the list under a lock for all threads and programs; False if the list stays as it is."""
    with _as_far_as_possible():
        private_folder(_file().parent)
        lock = QLockFile(str(_file().with_suffix(".lock")))
        if not lock.tryLock(lock_ms):
            log.warning("The list of recent albums cannot be locked; it stays as it is.")
            return False
        try:
            _write(change(_read()))
        finally:
            lock.unlock()
        return True
    return False


@contextmanager
def _as_far_as_possible() -> Iterator[None]:
    """Log what cannot be written instead of telling the user."""
    try:
        yield
    except OSError as problem:
        log.warning("The list of recent albums cannot be written: %s", problem)


def _read() -> list[Recent]:
    """The whole list, including albums on a disk that is not plugged in."""
    read = map(_recent, read_or_set_aside(_file(), list) or [])
    return [recent for recent in read if recent is not None][:LIMIT]


def _recent(line: Any) -> Recent | None:
    """One album of the list; None for a damaged entry, which is dropped when the list is next written."""
    try:
        paths = tuple(map(str, line["paths"]))
        if not paths or not all(0 < len(os.fsencode(path)) <= LONGEST_PATH and "\0" not in path for path in paths):
            return None
        roots = tuple(map(str, line.get("roots", ())))
        return Recent(paths, printable(str(line["title"])), int(line["photos"]), float(line["opened"]), roots)
    except (ValueError, TypeError, KeyError, OverflowError):
        return None


def _write(recents: list[Recent]) -> None:
    with atomic_write(_file()) as temporary:
        temporary.write_text(json.dumps([asdict(recent) for recent in recents], indent=1), encoding="ascii")


def _file() -> Path:
    return state_folder() / "recent.json"
