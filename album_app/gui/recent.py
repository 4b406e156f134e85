"""The albums opened lately, each with a small picture of its sheet."""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtGui import QImage

from album_app.paths import atomic_write, state_folder

LIMIT = 12
PREVIEW_WIDTH = 360


@dataclass(frozen=True)
class Recent:
    """One album: the paths that opened it, its name, its number of photos, when it was opened last."""

    paths: tuple[str, ...]
    title: str
    photos: int
    opened: float

    @property
    def preview_file(self) -> Path:
        digest = hashlib.sha256("\0".join(self.paths).encode(errors="surrogateescape")).hexdigest()[:20]
        return state_folder() / "previews" / f"{digest}.png"


def recent_albums() -> list[Recent]:
    """The albums that are still there, latest first; for use off the GUI thread."""
    try:
        lines = json.loads(_file().read_text(encoding="utf-8", errors="surrogateescape"))
        found = [
            Recent(tuple(map(str, x["paths"])), str(x["title"]), int(x["photos"]), float(x["opened"])) for x in lines
        ]
    except (OSError, ValueError, TypeError, KeyError):
        return []
    return [recent for recent in found if all(Path(path).exists() for path in recent.paths)]


def remember(paths: Sequence[Path], title: str, photos: int, preview: QImage | None = None) -> None:
    """Put an album first; for use off the GUI thread."""
    newest = Recent(tuple(map(str, paths)), title, photos, time.time())
    _write([newest, *(recent for recent in recent_albums() if recent.paths != newest.paths)][:LIMIT])
    if preview is not None and not preview.isNull():
        newest.preview_file.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(newest.preview_file) as temporary:
            preview.save(str(temporary))


def forget(recent: Recent) -> None:
    """Drop one album from the list."""
    recent.preview_file.unlink(missing_ok=True)
    _write([other for other in recent_albums() if other.paths != recent.paths])


def _write(recents: list[Recent]) -> None:
    _file().parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(_file()) as temporary:
        text = json.dumps([asdict(recent) for recent in recents], indent=1, ensure_ascii=False)
        temporary.write_text(text, encoding="utf-8", errors="surrogateescape")


def _file() -> Path:
    return state_folder() / "recent.json"
