"""Thumbnails and features on disk, in one SQLite file; work continues without it if it is locked, damaged or gone.

`Database` is the file, which is rebuilt when it is damaged. `Cache` is what the program keeps in it.
"""

import logging
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from album_app.paths import cache_folder, private_file, private_folder
from album_app.work import batches_of

Answer = TypeVar("Answer")

BUSY_SECONDS = 1.0
"""How long a call waits while another program writes to the file."""
CONNECT_ATTEMPTS = 3
REPAIRS = 3
"""How often one connection opens or rebuilds the file anew before it does without it."""
JOURNAL_PAGES = 4000
"""Pages in the journal at which they are written into the file: a page that changes often is written once."""

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_UNWRITABLE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL}
_UNUSABLE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM}


class Database:
    """One connection, shared by threads behind a lock; `run` and `change` never raise for what the file does."""

    def __init__(self, path: Path, schema: str, version: int, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self._busy_seconds = busy_seconds
        self._schema = schema
        self._version = version
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._writable = True
        self.is_stuck = False
        """Whether the system refused to read or write the file, as on a full disk."""
        self._repairs = REPAIRS
        with self._lock:
            self._connect()

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    def run(self, action: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        """What `action` answers on the connection, or `otherwise` where there is none or it fails."""
        with self._lock:
            if self._connection is None:
                return otherwise
            try:
                return action(self._connection)
            except sqlite3.Error as error:
                self._survive(error)
            except (OverflowError, ValueError) as error:
                log.warning("cache: %s", error)
            return otherwise

    def change(self, action: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        """`run` within one transaction that is kept whole or not at all."""

        def transaction(connection: sqlite3.Connection) -> Answer:
            connection.execute("BEGIN IMMEDIATE")
            try:
                answer = action(connection)
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
            return answer

        return self.run(transaction, otherwise) if self._writable else otherwise

    def rebuild(self) -> None:
        """Remove the file with all it holds, which frees space even where nothing can be written, and begin anew."""
        with self._lock:
            self.close()
            self._remove()
            self._writable, self.is_stuck = True, False
            self._connect()

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                with suppress(sqlite3.Error):
                    self._connection.close()
            self._connection = None

    def _connect(self) -> None:
        """Open the file, creating or rebuilding it where needed; where that fails, there is no connection."""
        for attempt in range(CONNECT_ATTEMPTS):
            try:
                private_folder(self.path.parent)
                private_file(self.path)  # its journal gets the same permissions
                self._connection = self._opened()
                self._inode = self.path.stat().st_ino
                return
            except sqlite3.Error as error:
                code = _code(error)
                log.warning("cache %s: %s", self.path, error)
                if code in _BUSY:
                    time.sleep(0.05 * (attempt + 1))
                elif code in _UNWRITABLE | _UNUSABLE:
                    self.is_stuck = True
                    return
                else:
                    self._remove()
            except OSError as error:
                log.warning("doing without the cache %s: %s", self.path, error)
                return

    def _opened(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {JOURNAL_PAGES}")
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, self._version):
                raise sqlite3.DatabaseError(f"made by another version ({found})")
            if found == 0:
                connection.executescript(
                    f"BEGIN IMMEDIATE; {self._schema}; PRAGMA user_version = {self._version}; COMMIT"
                )
        except BaseException:
            connection.close()
            raise
        return connection

    def _survive(self, error: sqlite3.Error) -> None:
        """Decide what a failure means for the next call: nothing, no more writing, a fresh file, or no cache at all."""
        code = _code(error)
        log.warning("cache %s: %s", self.path, error)
        if code in _BUSY:
            return
        if self._was_replaced():
            self._repair(remove=False)
        elif code in _UNWRITABLE:
            self._writable, self.is_stuck = False, True
        elif code in _UNUSABLE:
            self.is_stuck = True
            self.close()
        else:
            self._repair(remove=True)

    def _was_replaced(self) -> bool:
        """Whether another program removed or rebuilt the file since it was opened."""
        try:
            return self.path.stat().st_ino != self._inode
        except OSError:
            return True

    def _repair(self, remove: bool) -> None:
        self.close()
        self._repairs -= 1
        if self._repairs >= 0:
            if remove:
                self._remove()
            self._connect()

    def _remove(self) -> None:
        log.warning("rebuilding the cache %s", self.path)
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{self.path}{suffix}").unlink()


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; a failure without one counts as damage."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


log = logging.getLogger("album_app.photos.cache")

FILE_NAME = "photos.sqlite"
SCHEMA_VERSION = 4
LIMIT_BYTES, SHARE_OF_FREE = 4 << 30, 0.25
"""Bytes that contents may take, enough for more than 100,000 photos, and the largest share of the disk's free space."""
KEPT_SHARE = 0.9
"""Share of the limit that remains when the cache is full and forgets what was not used for longest."""
TOUCHES_AT_ONCE = 4096
"""Entries whose use is noted on disk together."""
NOTED_AFTER_NS = 24 * 3600 * 10**9
"""An entry is noted as used at most once in this time; otherwise each reading would also be a writing."""
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
    "SELECT path, size, mtime_ns, used, content FROM entries JOIN contents ON id = place "
    "WHERE kind = ? AND path IN ({})"
)
PATHS_AT_ONCE = 64
"""Files that one query asks for; asking for each alone takes three times as long."""
_DROP_FORMER = "DELETE FROM contents WHERE id = (SELECT place FROM entries WHERE path = ? AND kind = ?)"
_LAST_PLACE = "SELECT COALESCE(MAX(id), 0) FROM contents"


class FileState(Protocol):
    """What identifies the content of a file without reading it; every Photo has it."""

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

    def __init__(self, database: Database, limit_bytes: int, noted_after_ns: int = NOTED_AFTER_NS) -> None:
        self.database = database
        self._limit = limit_bytes
        self._noted_after_ns = noted_after_ns
        self._touched: set[tuple[bytes, str]] = set()
        self._bytes = limit_bytes + 1  # not counted yet
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls,
        folder: Path | None = None,
        limit_bytes: int | None = None,
        *,
        noted_after_ns: int = NOTED_AFTER_NS,
        busy_seconds: float = BUSY_SECONDS,
    ) -> "Cache":
        """The cache in `folder`, by default the platform's; where none can be had, one that forgets everything."""
        database = Database((folder or cache_folder()) / FILE_NAME, _SCHEMA, SCHEMA_VERSION, busy_seconds)
        return cls(database, _limit(database.path) if limit_bytes is None else limit_bytes, noted_after_ns)

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
        counts = self.database.run(_counts, nothing)
        features = {kind.removeprefix(FEATURES): n for kind, n in sorted(counts.items()) if kind.startswith(FEATURES)}
        path = self.database.path
        return CacheInfo(path, self.database.is_open, self._limit, _bytes_of(path), counts.get(THUMBNAIL, 0), features)

    def clear(self) -> None:
        """Forget everything and give the disk space back; what another program is using stays."""
        with self._lock:
            self._touched.clear()
        if not self.database.change(_delete_all, False) and self.database.is_stuck:
            self.database.rebuild()
        self.database.run(_shrink, None)
        self.database.run(_empty_journal, None)

    def close(self) -> None:
        self._touch()
        self.database.close()

    def get(self, kind: str, photos: Sequence[FileState]) -> list[bytes | None]:
        """What is known of one kind about each file, None where nothing is."""
        paths = [os.fsencode(photo.path) for photo in photos]
        noted = time.time_ns() - self._noted_after_ns
        found: dict[tuple[bytes, int, int], tuple[int, bytes]] = {}

        def select(connection: sqlite3.Connection) -> None:
            for batch in batches_of(len(paths), PATHS_AT_ONCE):
                some = paths[batch.start : batch.stop]
                query = _GET.format(",".join("?" * len(some)))
                for path, size, mtime_ns, used, content in connection.execute(query, (kind, *some)):
                    found[path, size, mtime_ns] = used, content

        self.database.run(select, None)
        rows = [found.get((path, photo.size, photo.mtime_ns)) for path, photo in zip(paths, photos, strict=True)]
        with self._lock:
            self._touched.update((path, kind) for path, row in zip(paths, rows, strict=True) if row and row[0] <= noted)
        if len(self._touched) > TOUCHES_AT_ONCE:
            self._touch()
        return [None if row is None else row[1] for row in rows]

    def put(self, entries: Sequence[tuple[str, FileState, bytes]]) -> None:
        """Remember contents of any kinds, all or none of them; one kind lies together, at the file's end."""
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
            return self._is_full(connection) and _forget_oldest(connection, self._limit)

        self._touch()
        if self.database.change(insert, False):
            self.database.run(_shrink, None)

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
            self.database.change(
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


def _forget_oldest(connection: sqlite3.Connection, limit: int) -> bool:
    """Drop what was not used for longest once the contents exceed the limit; gives whether anything was dropped."""
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
    """The bytes that the cache may take on its disk."""
    try:
        free = shutil.disk_usage(path.parent).free
    except OSError:
        return LIMIT_BYTES
    return min(LIMIT_BYTES, int(SHARE_OF_FREE * (free + _bytes_of(path))))


def _bytes_of(path: Path) -> int:
    """The bytes that the database and its journal take on disk."""
    total = 0
    for suffix in ("", "-wal"):
        with suppress(OSError):
            total += Path(f"{path}{suffix}").stat().st_size
    return total
