"""The cache: remembers what is still true, within its limit, for several threads and programs at once."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from album_app.photos import cache as module
from album_app.photos.cache import FILE_NAME, Cache
from tests.photos.conftest import File, files, put_thumbnails, remembers


def test_thumbnails_and_features_come_back_the_next_time(tmp_path: Path) -> None:
    photos = files(3)
    rows = np.random.default_rng(0).normal(size=(3, 7)).astype(np.float32)
    with Cache.open(tmp_path) as cache:
        put_thumbnails(cache, photos, [b"0", b"1", b"2"])
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
        put_thumbnails(cache, [old], [b"old"])
        for changed in (File(old.path, size=101), File(old.path, mtime_ns=old.mtime_ns + 1)):
            assert cache.get_thumbnails([changed]) == [None]
        put_thumbnails(cache, [changed], [b"new"])
        assert cache.get_thumbnails([old, changed]) == [None, b"new"]
        assert cache.info().thumbnails == 1


def test_many_files_are_looked_up_in_the_order_in_which_they_are_asked_for(tmp_path: Path) -> None:
    photos = files(3 * module.PATHS_AT_ONCE + 5)
    contents = [str(i).encode() for i in range(len(photos))]
    with Cache.open(tmp_path) as cache:
        put_thumbnails(cache, photos[::2], contents[::2])
        asked = [*reversed(photos), photos[0], photos[0]]
        found = cache.get_thumbnails(asked)
    expected = [None if i % 2 else content for i, content in enumerate(contents)]
    assert found == [*reversed(expected), b"0", b"0"]


@pytest.mark.parametrize("name", [b"caf\xe9.jpg", "🏝️'\"\n.jpg".encode()])
def test_any_file_name_is_a_key(tmp_path: Path, name: bytes) -> None:
    photo = File(Path("/photos") / os.fsdecode(name))
    with Cache.open(tmp_path) as cache:
        put_thumbnails(cache, [photo], [b"x"])
        assert cache.get_thumbnails([photo]) == [b"x"]


def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    photos = files(10)
    with Cache.open(tmp_path, limit_bytes=10_000, noted_after_ns=0) as cache:
        for photo in photos:
            put_thumbnails(cache, [photo], [bytes(1000)])
        assert cache.get_thumbnails(photos[:2]) == [bytes(1000)] * 2
        put_thumbnails(cache, [File(Path("/photos/new.jpg"))], [bytes(1000)])
        known = [content is not None for content in cache.get_thumbnails(photos)]
        assert known == [True, True, False, False] + [True] * 6


def test_what_was_used_before_the_cache_was_closed_counts_as_used_afterwards(tmp_path: Path) -> None:
    photos = files(10)
    with Cache.open(tmp_path, limit_bytes=10_000) as cache:
        for photo in photos:
            put_thumbnails(cache, [photo], [bytes(1000)])
    with Cache.open(tmp_path, limit_bytes=10_000, noted_after_ns=0) as cache:
        cache.get_thumbnails(photos[:2])
    with Cache.open(tmp_path, limit_bytes=10_000) as cache:
        put_thumbnails(cache, [File(Path("/photos/new.jpg"))], [bytes(1000)])
        known = [content is not None for content in cache.get_thumbnails(photos)]
    assert known == [True, True, False, False] + [True] * 6


def test_the_cap_holds_on_disk(tmp_path: Path) -> None:
    with Cache.open(tmp_path, limit_bytes=500_000) as cache:
        for photo in files(100):
            put_thumbnails(cache, [photo], [os.urandom(20_000)])
        assert 10 < cache.info().thumbnails <= 25
    assert (tmp_path / FILE_NAME).stat().st_size < 800_000


def test_what_was_used_today_is_not_noted_again(tmp_path: Path) -> None:
    """Reading an album writes nothing, unless it was last read long ago."""
    photos = files(20)
    with Cache.open(tmp_path) as cache:
        put_thumbnails(cache, photos, [bytes(1000)] * 20)
    put = last_uses(tmp_path)
    with Cache.open(tmp_path) as cache:
        cache.get_thumbnails(photos)
    assert last_uses(tmp_path) == put
    with Cache.open(tmp_path, noted_after_ns=0) as cache:
        cache.get_thumbnails(photos)
    assert all(use > before for use, before in zip(last_uses(tmp_path), put, strict=True)) and len(put) == 20


def test_contents_of_a_kind_lie_side_by_side_and_new_ones_at_the_end(tmp_path: Path) -> None:
    """Rows of large albums can then be read without reading thumbnails, and a change moves no other entry."""
    photos = files(4)
    with Cache.open(tmp_path) as cache:
        cache.put([entry for photo in photos for entry in (("a", photo, b"a"), ("b", photo, b"b"))])
        assert contents(cache) == [b"a"] * 4 + [b"b"] * 4
        cache.put([("a", photo, b"new") for photo in photos[:2]])
        assert contents(cache) == [b"a"] * 2 + [b"b"] * 4 + [b"new"] * 2
        assert cache.get("a", photos) == [b"new", b"new", b"a", b"a"]


def test_it_takes_no_more_than_a_share_of_the_free_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.LIMIT_BYTES > 100_000 * 25_000, "thumbnails and features of 100,000 photos"
    for free, most in ((10**8, 25_000_000), (10**12, module.LIMIT_BYTES)):
        monkeypatch.setattr(shutil, "disk_usage", lambda path, free=free: SimpleNamespace(free=free))
        with Cache.open(tmp_path) as cache:
            assert most <= cache.info().limit_bytes < most * 1.01


def last_uses(folder: Path) -> list[int]:
    """When each entry of the cache was used last, as its file notes it."""

    def select(connection: sqlite3.Connection) -> list[int]:
        return [used for (used,) in connection.execute("SELECT used FROM entries ORDER BY path, kind")]

    with Cache.open(folder) as cache:
        return cache.database.run(select, [])


def contents(cache: Cache) -> list[bytes]:
    def select(connection: sqlite3.Connection) -> list[bytes]:
        return [content for (content,) in connection.execute("SELECT content FROM contents ORDER BY id")]

    return cache.database.run(select, [])


def test_info_and_clear(tmp_path: Path) -> None:
    with Cache.open(tmp_path) as cache:
        put_thumbnails(cache, files(4), [os.urandom(50_000)] * 4)
        cache.put_features(files(3), "rgb:8:1", np.ones((3, 2)))
        info = cache.info()
        assert (info.path, info.working, info.thumbnails) == (tmp_path / FILE_NAME, True, 4)
        assert info.features == {"rgb:8:1": 3} and info.file_bytes > 200_000
        cache.clear()
        info = cache.info()
        assert (info.thumbnails, info.features) == (0, {}) and info.file_bytes < 100_000
        assert remembers(cache)


@pytest.mark.parametrize("content", [b"abc", b"", np.array([1, np.nan], "<f4").tobytes()])
def test_what_cannot_be_a_feature_is_not_known(tmp_path: Path, content: bytes) -> None:
    with Cache.open(tmp_path) as cache:
        cache.put([("features:rgb", files(1)[0], content)])
        assert cache.get_features(files(1), "rgb") == [None]


def test_impossible_numbers_are_not_remembered(tmp_path: Path) -> None:
    odd = File(Path("/photos/odd.jpg"), mtime_ns=1 << 80)
    with Cache.open(tmp_path) as cache:
        put_thumbnails(cache, [odd], [b"x"])
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
                put_thumbnails(cache, [photo], [b"%d %d" % (number, i)])
                assert cache.get_thumbnails([photo]) == [b"%d %d" % (number, i)]

        in_four_threads(work)
        assert cache.info().thumbnails == 160


PROGRAM = """
import sys
from pathlib import Path
from dataclasses import dataclass
from album_app.photos.cache import THUMBNAIL, Cache
@dataclass(frozen=True)
class File:
    path: Path
    size: int = 1
    mtime_ns: int = 1
for i in range(60):
    with Cache.open(Path(sys.argv[1])) as cache:
        photo = File(Path(f"/photos/{sys.argv[2]}/{i}.jpg"))
        cache.put([(THUMBNAIL, photo, b"x" * 2000)])
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
