"""The program works on with a cache that is damaged, locked or full, and without one."""

import logging
import os
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from album_app.photos.cache import FILE_NAME, SCHEMA_VERSION, Cache
from tests.photos.conftest import files, put_thumbnails, remembers


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 500, b"SQLite format 3\0" + os.urandom(8000)])
def test_a_corrupt_file_is_rebuilt(tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with caplog.at_level(logging.WARNING, "album_app"), Cache.open(tmp_path) as cache:
        assert remembers(cache)
    assert bool(caplog.records) == bool(content)


def test_a_corrupt_file_that_cannot_be_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all" * 500)

    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    forgets_politely(Cache.open(tmp_path))


def test_damage_noticed_later_is_repaired(tmp_path: Path) -> None:
    photos = files(200)
    with Cache.open(tmp_path) as cache:
        put_thumbnails(cache, photos, [os.urandom(5000) for _ in photos])
    path = tmp_path / FILE_NAME
    with path.open("r+b") as file:
        for page in range(2, path.stat().st_size // 4096):
            file.seek(page * 4096)
            file.write(os.urandom(1000))
    with Cache.open(tmp_path) as cache:
        assert len(cache.get_thumbnails(photos)) == 200
        put_thumbnails(cache, photos, [b"x"] * 200)
        assert remembers(cache)


def test_another_schema_or_version_is_rebuilt(tmp_path: Path) -> None:
    for script in (
        f"CREATE TABLE entries (a); PRAGMA user_version = {SCHEMA_VERSION}",
        "CREATE TABLE other (a); PRAGMA user_version = 999",
    ):
        connection = sqlite3.connect(tmp_path / FILE_NAME)
        connection.executescript(script)
        connection.close()
        with Cache.open(tmp_path) as cache:
            cache.get_thumbnails(files(1))
            assert remembers(cache)
        (tmp_path / FILE_NAME).unlink()


def forgets_politely(cache: Cache) -> None:
    """What a cache that cannot work must still do."""
    photos = files(2)
    put_thumbnails(cache, photos, [b"a", b"b"])
    cache.put_features(photos, "rgb", np.ones((2, 3)))
    assert cache.get_thumbnails(photos) == [None, None]
    assert cache.get_features(photos, "rgb") == [None, None]
    cache.clear()
    assert not cache.info().working
    cache.close()
    cache.close()


def test_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    forgets_politely(Cache.open(tmp_path / "file" / "cache"))
    forgets_politely(Cache.open(Path("/proc/nothing/here")))


def test_the_database_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    forgets_politely(Cache.open(tmp_path))


def test_after_closing_it_forgets(tmp_path: Path) -> None:
    cache = Cache.open(tmp_path)
    cache.close()
    forgets_politely(cache)


def test_read_only_is_still_read(tmp_path: Path) -> None:
    photos = files(2)
    with Cache.open(tmp_path) as cache:
        put_thumbnails(cache, photos[:1], [b"x"])
    with Cache.open(tmp_path) as cache:
        cache.database.run(lambda connection: connection.execute("PRAGMA query_only = 1"), None)
        put_thumbnails(cache, photos[1:], [b"y"])
        assert cache.get_thumbnails(photos) == [b"x", None]


def test_the_program_does_without_a_locked_cache_for_the_moment(tmp_path: Path) -> None:
    with Cache.open(tmp_path, busy_seconds=0.05) as cache:
        put_thumbnails(cache, files(1), [b"before"])
        other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        put_thumbnails(cache, files(2), [b"lost", b"lost"])
        assert cache.get_thumbnails(files(2)) == [b"before", None]
        other.execute("COMMIT")
        other.close()
        assert remembers(cache)


def test_a_locked_new_file_does_not_hold_up_the_program(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    forgets_politely(Cache.open(tmp_path, busy_seconds=0.05))
    other.close()


def test_removed_while_open(tmp_path: Path) -> None:
    with Cache.open(tmp_path) as cache:
        assert remembers(cache)
        for path in tmp_path.iterdir():
            path.unlink()
        put_thumbnails(cache, files(1), [b"x"])
        cache.get_thumbnails(files(1))
    with Cache.open(tmp_path) as cache:
        assert remembers(cache)


def test_a_full_disk_is_survived(tmp_path: Path) -> None:
    with Cache.open(tmp_path) as cache:
        put_thumbnails(cache, files(1), [b"x"])
        cache.database.run(lambda connection: connection.execute("PRAGMA max_page_count = 10").fetchall(), None)
        put_thumbnails(cache, files(3), [os.urandom(100_000)] * 3)
        assert cache.get_thumbnails(files(1)) == [b"x"]
