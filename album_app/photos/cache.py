"""Thumbnails and features on disk, in one SQLite file; work continues without it if it is locked, damaged or gone."""

import logging
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from album_app.paths import cache_folder
from album_app.photos.database import Database

log = logging.getLogger("album_app.photos.cache")

FILE_NAME = "photos.sqlite"
SCHEMA_VERSION = 4
LIMIT_BYTES, SHARE_OF_FREE = 4 << 30, 0.25
"""What contents may take: enough for more than 100,000 photos, but only a share of what the disk has left."""
KEPT_SHARE = 0.9
TOUCHES_AT_ONCE = 4096
NOTED_AFTER_NS = 24 * 3600 * 10**9
"""An entry that was noted as used less than so long ago is not noted again: to read would be to write."""
THUMBNAIL = "thumbnail:256:3"
FEATURES = "features:"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    path BLOB, kind TEXT, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, bytes INTEGER NOT NULL,
    used INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (path, kind)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS contents (id INTEGER PRIMARY KEY, content BLOB NOT NULL)
"""
_GET = (
    "SELECT used, content FROM entries JOIN contents ON id = place "
    "WHERE path = ? AND kind = ? AND size = ? AND mtime_ns = ?"
)
_DROP_FORMER = "DELETE FROM contents WHERE id = (SELECT place FROM entries WHERE path = ? AND kind = ?)"
_LAST_PLACE = "SELECT COALESCE(MAX(id), 0) FROM contents"


class FileState(Protocol):
    """What tells a file's content from any other: a Photo has it."""

    @property
    def path(self) -> Path: ...
    @property
    def size(self) -> int: ...
    @property
    def mtime_ns(self) -> int: ...


@dataclass(frozen=True)
class CacheInfo:
    """What the cache holds; `working` is False where the program does without it."""

    path: Path
    working: bool
    limit_bytes: int
    file_bytes: int
    thumbnails: int
    features: dict[str, int]


class Cache:
    """Remembers thumbnails and features by (path, size, mtime_ns, what); safe in threads and between programs."""

    def __init__(self, database: Database, limit_bytes: int) -> None:
        self._database = database
        self._limit = limit_bytes
        self._touched: set[tuple[bytes, str]] = set()
        self._bytes = limit_bytes + 1  # not counted yet
        self._lock = threading.Lock()

    @classmethod
    def open(cls, folder: Path | None = None, limit_bytes: int | None = None) -> "Cache":
        """The cache in `folder`, by default the platform's; where none can be had, one that forgets everything."""
        database = Database((folder or cache_folder()) / FILE_NAME, _SCHEMA, SCHEMA_VERSION)
        return cls(database, _limit(database.path) if limit_bytes is None else limit_bytes)

    def __enter__(self) -> "Cache":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get_thumbnails(self, photos: Sequence[FileState]) -> list[bytes | None]:
        """The JPEG of each photo's thumbnail, None where it is not known."""
        return self.get(THUMBNAIL, photos)

    def get_features(self, photos: Sequence[FileState], key: str) -> list[NDArray[np.float32] | None]:
        """Each photo's feature vector of the extractor `key`, None where it is not known."""
        return [content if content is None else _vector(content) for content in self.get(FEATURES + key, photos)]

    def put_features(self, photos: Sequence[FileState], key: str, rows: Iterable[NDArray[np.floating]]) -> None:
        """Remember one feature vector a photo, made by the extractor `key`."""
        contents = [np.asarray(row, "<f4").tobytes() for row in rows]
        self.put([(FEATURES + key, photo, content) for photo, content in zip(photos, contents, strict=True)])

    def info(self) -> CacheInfo:
        """What is in the cache now."""
        nothing: dict[str, int] = {}
        counts = self._database.run(_counts, nothing)
        features = {kind.removeprefix(FEATURES): n for kind, n in sorted(counts.items()) if kind.startswith(FEATURES)}
        path = self._database.path
        return CacheInfo(path, self._database.is_open, self._limit, _bytes_of(path), counts.get(THUMBNAIL, 0), features)

    def clear(self) -> None:
        """Forget everything and give the disk space back; what another program is using stays."""
        with self._lock:
            self._touched.clear()
        if not self._database.change(_delete_all, False) and self._database.is_stuck:
            self._database.rebuild()
        self._database.run(_shrink, None)
        self._database.run(_empty_journal, None)

    def close(self) -> None:
        self._touch()
        self._database.close()

    def get(self, kind: str, photos: Sequence[FileState]) -> list[bytes | None]:
        """What is known of one kind about each file, None where nothing is."""
        keys = [(os.fsencode(photo.path), kind, photo.size, photo.mtime_ns) for photo in photos]
        noted = time.time_ns() - NOTED_AFTER_NS

        def select(connection: sqlite3.Connection) -> list[tuple[int, bytes] | None]:
            return [connection.execute(_GET, key).fetchone() for key in keys]

        unknown: list[tuple[int, bytes] | None] = [None] * len(keys)
        rows = self._database.run(select, unknown)
        with self._lock:
            self._touched.update(key[:2] for key, row in zip(keys, rows, strict=True) if row and row[0] <= noted)
        if len(self._touched) > TOUCHES_AT_ONCE:
            self._touch()
        return [None if row is None else row[1] for row in rows]

    def put(self, entries: Sequence[tuple[str, FileState, bytes]]) -> None:
        """Remember contents of any kinds, all of them or none; those of a kind lie side by side, at the file's end."""
        if not entries:
            return
        now = time.time_ns()
        by_kind = sorted(entries, key=lambda entry: entry[0])
        items = {(os.fsencode(photo.path), kind): (photo, content) for kind, photo, content in by_kind}
        self._bytes += sum(len(content) for _, content in items.values())

        def insert(connection: sqlite3.Connection) -> bool:
            connection.executemany(_DROP_FORMER, items)
            first = connection.execute(_LAST_PLACE).fetchone()[0] + 1
            placed = list(enumerate(items.items(), first))
            connection.executemany(
                "INSERT INTO contents VALUES (?, ?)", ((place, content) for place, (_, (_, content)) in placed)
            )
            connection.executemany(
                "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (*key, photo.size, photo.mtime_ns, len(content), now, place)
                    for place, (key, (photo, content)) in placed
                ),
            )
            return self._is_full(connection) and _evict(connection, self._limit)

        self._touch()
        if self._database.change(insert, False):
            self._database.run(_shrink, None)

    def _is_full(self, connection: sqlite3.Connection) -> bool:
        """Whether the contents exceed the limit; counted anew only when what was added since may have done it."""
        if self._bytes > self._limit:
            self._bytes = int(connection.execute("SELECT TOTAL(bytes) FROM entries").fetchone()[0])
        return self._bytes > self._limit

    def _touch(self) -> None:
        """Note on disk what was used since the last time."""
        now = time.time_ns()
        with self._lock:
            touched, self._touched = self._touched, set()
        if touched:
            rows = [(now, *key) for key in sorted(touched)]
            self._database.change(
                lambda connection: connection.executemany(
                    "UPDATE entries SET used = ? WHERE path = ? AND kind = ?", rows
                ),
                None,
            )


def _vector(content: bytes) -> NDArray[np.float32] | None:
    """A stored feature vector; None if it cannot be one."""
    if not content or len(content) % 4:
        return None
    values = np.frombuffer(content, "<f4").astype(np.float32)
    return values if np.isfinite(values).all() else None


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT kind, COUNT(*) FROM entries GROUP BY kind").fetchall())


def _evict(connection: sqlite3.Connection, limit: int) -> bool:
    """Drop what was not used for longest once the contents exceed the limit; tells whether anything was dropped."""
    total = connection.execute("SELECT TOTAL(bytes) FROM entries").fetchone()[0]
    if total <= limit:
        return False
    old, last = [], (0, 0)
    for used, place, size in connection.execute("SELECT used, place, bytes FROM entries ORDER BY used, place"):
        old.append((place,))
        last = (used, place)
        total -= size
        if total <= limit * KEPT_SHARE:
            break
    connection.execute("DELETE FROM entries WHERE (used, place) <= (?, ?)", last)
    connection.executemany("DELETE FROM contents WHERE id = ?", old)
    return True


def _delete_all(connection: sqlite3.Connection) -> bool:
    connection.execute("DELETE FROM entries")
    connection.execute("DELETE FROM contents")
    return True


def _shrink(connection: sqlite3.Connection) -> None:
    connection.executescript("PRAGMA incremental_vacuum")  # `execute` would take the first step alone


def _empty_journal(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _limit(path: Path) -> int:
    """What the cache may take where it lies."""
    try:
        free = shutil.disk_usage(path.parent).free
    except OSError:
        return LIMIT_BYTES
    return min(LIMIT_BYTES, int(SHARE_OF_FREE * (free + _bytes_of(path))))


def _bytes_of(path: Path) -> int:
    """What the database and its journal take on disk."""
    total = 0
    for suffix in ("", "-wal"):
        with suppress(OSError):
            total += Path(f"{path}{suffix}").stat().st_size
    return total
