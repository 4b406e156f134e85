"""Thumbnails of many photos: in threads, through the cache, stopped at once, never stopped by a bad file."""

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from math import inf
from pathlib import Path

import numpy as np
import pytest

from album_app.errors import Stopped
from album_app.photos import read_once as module
from album_app.photos.album import Album, scan
from album_app.photos.cache import Cache
from album_app.photos.decoding.decode import Undecodable, thumbnail
from album_app.photos.sandbox import readings
from album_app.photos.thumbnails import load_thumbnails, stream_thumbnails
from album_app.work import RESULTS_AHEAD, batches_of, in_threads, tapering_batches
from tests.photos.conftest import put_thumbnails


@pytest.fixture
def album(tmp_path: Path, make_photo: Callable[..., Path]) -> Album:
    """Forty small photos of which one is cut short."""
    for i in range(40):
        make_photo(f"{i}.jpg", seed=i)
    cut = make_photo("7.jpg", size=(900, 600))
    cut.write_bytes(cut.read_bytes()[:5000])
    return scan(tmp_path)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_photo_has_its_own_and_a_bad_one_none(album: Album, threads: int) -> None:
    progress: list[tuple[int, int, int]] = []

    def on_progress(done: int, total: int) -> None:
        progress.append((done, total, threading.get_ident()))

    found = load_thumbnails(album.photos, threads=threads, on_progress=on_progress)
    assert progress == [(done, 40, threading.get_ident()) for done in range(41)], "in the thread that asked"
    for i, photo in enumerate(album.photos):
        if photo.name == "7.jpg":
            assert found[i] is None
        else:
            assert np.abs(found[i].astype(int) - thumbnail(photo.path)).mean() < 4


def test_photos_that_turn_out_damaged_are_skipped(album: Album) -> None:
    usable = scan(album.roots, decode_for=inf)
    assert len(usable) == 39 and usable.index_of("7.jpg") is None
    assert [(item.name, item.reason) for item in usable.skipped] == [("7.jpg", "damaged JPEG")]


def test_from_the_cache_they_are_the_same_without_a_look_at_the_files(
    album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Cache.open(tmp_path / "cache") as cache:
        first = load_thumbnails(album.photos, cache)
        decoded: list[Path] = []
        monkeypatch.setattr(module, "readings", lambda paths: decoded.extend(paths) or readings(paths))
        second = load_thumbnails(album.photos, cache)
        assert decoded == []
        assert cache.info().thumbnails == 39
    for a, b, photo in zip(first, second, album.photos, strict=True):
        if a is not None:
            np.testing.assert_array_equal(a, b)
            assert np.abs(a.astype(int) - thumbnail(photo.path)).mean() < 4


def test_a_damaged_entry_is_made_anew(album: Album, tmp_path: Path) -> None:
    with Cache.open(tmp_path / "cache") as cache:
        put_thumbnails(cache, album.photos, [b"junk"] * len(album))
        assert sum(pixels is not None for pixels in load_thumbnails(album.photos, cache)) == 39


@pytest.mark.parametrize(
    ("size", "side", "reduced"),
    [
        ((240, 120), 60, (60, 30)),
        ((120, 240), 60, (30, 60)),
        ((240, 3), 60, (60, 1)),
        ((240, 120), 240, (240, 120)),
        ((240, 120), 400, (240, 120)),
    ],
)
def test_a_reduced_thumbnail_has_the_wanted_longest_side(
    make_photo: Callable[..., Path], size: tuple[int, int], side: int, reduced: tuple[int, int]
) -> None:
    (thumbnail,) = stream_thumbnails(scan(make_photo(size=size)).photos)
    for pixels, (width, height) in ((thumbnail.reduced(side), reduced), (thumbnail.pixels, size)):
        assert pixels is not None and pixels.shape == (height, width, 3)
    small, whole = thumbnail.reduced(side), thumbnail.pixels
    assert small is not None and whole is not None
    assert small.mean(axis=(0, 1)) == pytest.approx(whole.mean(axis=(0, 1)), abs=10), "of the whole picture"


def test_no_photos_no_threads() -> None:
    assert load_thumbnails([]) == []


def test_stop_does_not_wait_for_a_slow_file(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, released, read = threading.Event(), threading.Event(), threading.Event()

    def slow(paths: Sequence[Path]) -> Iterator[Undecodable]:
        for _ in paths:
            asked.set()
            released.wait(60)
            read.set()
            yield Undecodable("slow")

    monkeypatch.setattr(module, "readings", slow)
    with pytest.raises(Stopped):
        load_thumbnails(album.photos, stop=asked.is_set)
    assert not read.is_set(), "it waited for the file"
    released.set()


def test_what_was_done_before_a_stop_is_remembered(album: Album, tmp_path: Path) -> None:
    done = []
    with Cache.open(tmp_path / "cache") as cache:
        with pytest.raises(Stopped):
            load_thumbnails(
                album.photos, cache, threads=1, stop=lambda: len(done) >= 5, on_progress=lambda n, _: done.append(n)
            )
        limit = time.monotonic() + 10
        while cache.info().thumbnails < 4 and time.monotonic() < limit:
            time.sleep(0.01)
        assert 4 <= cache.info().thumbnails < 39


def test_a_slow_reader_is_not_run_away_from(monkeypatch: pytest.MonkeyPatch, make_photo: Callable[..., Path]) -> None:
    (photo,) = scan(make_photo()).photos
    made = []

    def quick(paths: Sequence[Path]) -> Iterator[Undecodable]:
        for path in paths:
            made.append(path)
            yield Undecodable("quick")

    monkeypatch.setattr(module, "readings", quick)
    stream = stream_thumbnails([photo] * 500)
    next(iter(stream))
    time.sleep(0.3)
    assert len(made) <= RESULTS_AHEAD + 4
    stream.close()


def test_workers_end_when_the_reader_goes_away() -> None:
    before = threading.active_count()
    closed = threading.Event()

    def endless(batch: Sequence[int]) -> Generator[int, None, None]:
        try:
            while True:
                yield batch[0]
        finally:
            closed.set()

    results = in_threads(endless, batches_of(2, 1))
    next(results)
    results.close()
    assert closed.wait(5)
    limit = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < limit:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_an_error_of_a_worker_reaches_the_caller() -> None:
    def failing(batch: Sequence[int]) -> Generator[int, None, None]:
        yield batch[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(in_threads(failing, batches_of(4, 1)))


def test_batches() -> None:
    assert [list(batch) for batch in batches_of(5, 2)] == [[0, 1], [2, 3], [4]]
    assert batches_of(0, 2) == []


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 320, 5000])
def test_batches_that_taper_hold_everything_once_and_leave_little_for_the_end(count: int) -> None:
    batches = tapering_batches(count, 256)
    assert [i for batch in batches for i in batch] == list(range(count))
    assert all(0 < len(batch) <= 256 for batch in batches) and all(len(batch) <= 16 for batch in batches[-2:])
