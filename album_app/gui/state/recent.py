"""The albums opened lately, each with a small picture of its sheet."""

import hashlib
import json
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile
from PySide6.QtGui import QImage

from album_app.layout.project.document import PROJECT_SUFFIX
from album_app.paths import atomic_write, state_folder

LIMIT = 12
PREVIEW_WIDTH = 360
LOCK_MS = 2000


@dataclass(frozen=True)
class Recent:
    """One album: the paths that opened it, its name, its number of photos, when it was opened last."""

    paths: tuple[str, ...]
    title: str
    photos: int
    opened: float

    @property
    def name(self) -> str:
        """The title, with its ending for a project file, to tell it from a folder of the same name."""
        path = Path(self.paths[0])
        return path.name if path.suffix == PROJECT_SUFFIX else self.title

    @property
    def preview_file(self) -> Path:
        digest = hashlib.sha256("\0".join(self.paths).encode(errors="surrogateescape")).hexdigest()[:20]
        return state_folder() / "previews" / f"{digest}.png"


def recent_albums() -> list[Recent]:
    """The albums that are still there, latest first; for use off the GUI thread."""
    return [recent for recent in _read() if all(Path(path).exists() for path in recent.paths)]


def remember(paths: Sequence[Path], title: str, photos: int, preview: QImage | None = None) -> None:
    """Put an album first; for use off the GUI thread."""
    newest = Recent(tuple(map(str, paths)), title, photos, time.time())
    noted = _change(lambda recents: [newest, *(recent for recent in recents if recent.paths != newest.paths)][:LIMIT])
    if noted and preview is not None and not preview.isNull():
        newest.preview_file.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(newest.preview_file) as temporary:
            preview.save(str(temporary))


def forget(recent: Recent) -> None:
    """Drop one album from the list; for use off the GUI thread."""
    if _change(lambda recents: [other for other in recents if other.paths != recent.paths]):
        recent.preview_file.unlink(missing_ok=True)


def _change(change: Callable[[list[Recent]], list[Recent]]) -> bool:
    """Rewrite the list, which no other thread or program can do meanwhile; False if one of them does not let go."""
    _file().parent.mkdir(parents=True, exist_ok=True)
    lock = QLockFile(str(_file().with_suffix(".lock")))
    if not lock.tryLock(LOCK_MS):
        logging.getLogger("album_app").warning("The list of recent albums cannot be locked; it stays as it is.")
        return False
    try:
        _write(change(_read()))
    finally:
        lock.unlock()
    return True


def _read() -> list[Recent]:
    """The whole list; albums on a disk that is not plugged in are on it, too."""
    try:
        lines = json.loads(_file().read_text(encoding="utf-8", errors="surrogateescape"))
        return [
            Recent(tuple(map(str, x["paths"])), str(x["title"]), int(x["photos"]), float(x["opened"])) for x in lines
        ]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def _write(recents: list[Recent]) -> None:
    with atomic_write(_file()) as temporary:
        text = json.dumps([asdict(recent) for recent in recents], indent=1, ensure_ascii=False)
        temporary.write_text(text, encoding="utf-8", errors="surrogateescape")


def _file() -> Path:
    return state_folder() / "recent.json"
