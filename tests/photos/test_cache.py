"""The cache: remembers what is still true, and is never a reason to fail."""

import logging
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from album_app.photos import database
from album_app.photos.cache import FILE_NAME, SCHEMA_VERSION, Cache


@dataclass(frozen=True)
class File:
    path: Path
    size: int = 100
    mtime_ns: int = 1_700_000_000_000_000_000


def files(count: int) -> list[File]:
    return [File(Path(f"/photos/{i}.jpg")) for i in range(count)]


def remembers(cache: Cache) -> bool:
    """Whether the cache works: what is put in comes out."""
    photo = File(Path("/photos/probe.jpg"))
    cache.put_thumbnails([photo], [b"probe"])
    return cache.get_thumbnails([photo]) == [b"probe"]


def test_thumbnails_and_features_come_back_the_next_time(tmp_path: Path) -> None:
    photos = files(3)
    rows = np.random.default_rng(0).normal(size=(3, 7)).astype(np.float32)
    with Cache.open(tmp_path) as cache:
        cache.put_thumbnails(photos, [b"0", b"1", b"2"])
        cache.put_features(photos[:2], "rgb:8:1", rows[:2])
    with Cache.open(tmp_path) as cache:
        assert cache.get_thumbnails(photos) == [b"0", b"1", b"2"]
        found = cache.get_features(photos, "rgb:8:1")
        assert found[2] is None and found[0].dtype == np.float32
        np.testing.assert_array_equal(np.stack(found[:2]), rows[:2])
        assert cache.get_features(photos, "rgb:8:2") == [None] * 3


def test_a_changed_file_is_not_known_and_replaces_the_old_one(tmp_path: Path) -> None:
    old = File(Path("/photos/a.jpg"))
    with Cache.open(tmp_path) as cache:
        cache.put_thumbnails([old], [b"old"])
        for changed in (File(old.path, size=101), File(old.path, mtime_ns=old.mtime_ns + 1)):
            assert cache.get_thumbnails([changed]) == [None]
        cache.put_thumbnails([changed], [b"new"])
        assert cache.get_thumbnails([old, changed]) == [None, b"new"]
        assert cache.info().thumbnails == 1


@pytest.mark.parametrize("name", [b"caf\xe9.jpg", "🏝️'\"\n.jpg".encode()])
def test_any_file_name_is_a_key(tmp_path: Path, name: bytes) -> None:
    photo = File(Path("/photos") / os.fsdecode(name))
    with Cache.open(tmp_path) as cache:
        cache.put_thumbnails([photo], [b"x"])
        assert cache.get_thumbnails([photo]) == [b"x"]


def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    photos = files(10)
    with Cache.open(tmp_path, limit_bytes=10_000) as cache:
        for photo in photos:
            cache.put_thumbnails([photo], [bytes(1000)])
        assert cache.get_thumbnails(photos[:2]) == [bytes(1000)] * 2
        cache.put_thumbnails([File(Path("/photos/new.jpg"))], [bytes(1000)])
        known = [content is not None for content in cache.get_thumbnails(photos)]
        assert known == [True, True, False, False] + [True] * 6


def test_the_cap_holds_on_disk(tmp_path: Path) -> None:
    with Cache.open(tmp_path, limit_bytes=500_000) as cache:
        for photo in files(100):
            cache.put_thumbnails([photo], [os.urandom(20_000)])
        assert 10 < cache.info().thumbnails <= 25
    assert (tmp_path / FILE_NAME).stat().st_size < 800_000


def test_info_and_clear(tmp_path: Path) -> None:
    with Cache.open(tmp_path) as cache:
        cache.put_thumbnails(files(4), [os.urandom(50_000)] * 4)
        cache.put_features(files(3), "rgb:8:1", np.ones((3, 2)))
        info = cache.info()
        assert (info.path, info.working, info.thumbnails) == (tmp_path / FILE_NAME, True, 4)
        assert info.features == {"rgb:8:1": 3} and info.file_bytes > 200_000
        cache.clear()
        info = cache.info()
        assert (info.thumbnails, info.features) == (0, {}) and info.file_bytes < 100_000
        assert remembers(cache)


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
        cache.put_thumbnails(photos, [os.urandom(5000) for _ in photos])
    path = tmp_path / FILE_NAME
    with path.open("r+b") as file:
        for page in range(2, path.stat().st_size // 4096):
            file.seek(page * 4096)
            file.write(os.urandom(1000))
    with Cache.open(tmp_path) as cache:
        assert len(cache.get_thumbnails(photos)) == 200
        cache.put_thumbnails(photos, [b"x"] * 200)
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
    cache.put_thumbnails(photos, [b"a", b"b"])
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
        cache.put_thumbnails(photos[:1], [b"x"])
    with Cache.open(tmp_path) as cache:
        cache._database.run(lambda connection: connection.execute("PRAGMA query_only = 1"), None)
        cache.put_thumbnails(photos[1:], [b"y"])
        assert cache.get_thumbnails(photos) == [b"x", None]


def test_locked_is_done_without_for_the_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with Cache.open(tmp_path) as cache:
        cache.put_thumbnails(files(1), [b"before"])
        other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        cache.put_thumbnails(files(2), [b"lost", b"lost"])
        assert cache.get_thumbnails(files(2)) == [b"before", None]
        other.execute("COMMIT")
        other.close()
        assert remembers(cache)


def test_a_locked_new_file_does_not_hold_up_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    forgets_politely(Cache.open(tmp_path))
    other.close()


def test_removed_while_open(tmp_path: Path) -> None:
    with Cache.open(tmp_path) as cache:
        assert remembers(cache)
        for path in tmp_path.iterdir():
            path.unlink()
        cache.put_thumbnails(files(1), [b"x"])
        cache.get_thumbnails(files(1))
    with Cache.open(tmp_path) as cache:
        assert remembers(cache)


def test_a_full_disk_is_survived(tmp_path: Path) -> None:
    with Cache.open(tmp_path) as cache:
        cache.put_thumbnails(files(1), [b"x"])
        cache._database.run(lambda connection: connection.execute("PRAGMA max_page_count = 10").fetchall(), None)
        cache.put_thumbnails(files(3), [os.urandom(100_000)] * 3)
        assert cache.get_thumbnails(files(1)) == [b"x"]


@pytest.mark.parametrize("content", [b"abc", b"", np.array([1, np.nan], "<f4").tobytes()])
def test_what_cannot_be_a_feature_is_not_known(tmp_path: Path, content: bytes) -> None:
    with Cache.open(tmp_path) as cache:
        cache._put("features:rgb", files(1), [content])
        assert cache.get_features(files(1), "rgb") == [None]


def test_impossible_numbers_are_not_remembered(tmp_path: Path) -> None:
    odd = File(Path("/photos/odd.jpg"), mtime_ns=1 << 80)
    with Cache.open(tmp_path) as cache:
        cache.put_thumbnails([odd], [b"x"])
        assert cache.get_thumbnails([odd]) == [None]
        assert remembers(cache)


def in_four_threads(work: Callable[[int], None]) -> None:
    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_threads_share_a_cache(tmp_path: Path) -> None:
    with Cache.open(tmp_path) as cache:

        def work(number: int) -> None:
            for i in range(40):
                photo = File(Path(f"/photos/{number}/{i}.jpg"))
                cache.put_thumbnails([photo], [b"%d %d" % (number, i)])
                assert cache.get_thumbnails([photo]) == [b"%d %d" % (number, i)]

        in_four_threads(work)
        assert cache.info().thumbnails == 160


PROGRAM = """
import sys
from pathlib import Path
from dataclasses import dataclass
from album_app.photos.cache import Cache
@dataclass(frozen=True)
class File:
    path: Path
    size: int = 1
    mtime_ns: int = 1
for i in range(60):
    with Cache.open(Path(sys.argv[1])) as cache:
        photo = File(Path(f"/photos/{sys.argv[2]}/{i}.jpg"))
        cache.put_thumbnails([photo], [b"x" * 2000])
        assert cache.get_thumbnails([photo]) == [b"x" * 2000], cache.info()
"""


def test_two_programs_at_once(tmp_path: Path) -> None:
    both = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path), str(number)], stderr=subprocess.PIPE)
        for number in range(2)
    ]
    for program in both:
        _, errors = program.communicate(timeout=60)
        assert program.returncode == 0, errors.decode()
    with Cache.open(tmp_path) as cache:
        assert cache.info().thumbnails == 120
