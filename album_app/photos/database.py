"""A SQLite file that may fail at any time: locked, corrupt, read-only or gone, it is rebuilt or done without."""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from album_app.paths import private_file, private_folder

log = logging.getLogger("album_app.photos.database")

Answer = TypeVar("Answer")

BUSY_SECONDS = 1.0
CONNECT_ATTEMPTS = 3
REPAIRS = 3
JOURNAL_PAGES = 4000
"""How long the journal may become before it goes into the file: a page that changes often goes there once."""

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_UNWRITABLE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL}
_UNUSABLE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM}


class Database:
    """One connection, shared by threads behind a lock; `run` and `change` never raise for what the file does."""

    def __init__(self, path: Path, schema: str, version: int) -> None:
        self.path = path
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
        """Open the file, creating or rebuilding it where needed; afterwards there is a connection or there is none."""
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
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
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
