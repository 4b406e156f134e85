"""Every file is read once: one decoding gives thumbnail and cheap features, and it is not repeated until it changes."""

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from album_app.photos import album as album_module
from album_app.photos import read_once as module
from album_app.photos.album import FEW_AT_ONCE, scan
from album_app.photos.album_features import album_features
from album_app.photos.cache import Cache
from album_app.photos.features import extractor
from album_app.photos.near_duplicates import near_duplicates
from album_app.photos.read_once import known_rows
from album_app.photos.reading import read
from album_app.photos.records import stored
from album_app.photos.thumbnails import load_thumbnails
from tests.photos.conftest import MakePhoto, names


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were opened, as often as they were."""
    done: list[str] = []
    for name in ("headers", "readings"):
        read = getattr(module, name)

        def reading(paths: Sequence[Path], read=read) -> Iterator[object]:  # type: ignore[no-untyped-def]
            done.extend(path.name for path in paths)
            return read(paths)

        monkeypatch.setattr(module, name, reading)
    return done


@pytest.fixture
def folder(tmp_path: Path, make_photo: MakePhoto) -> Path:
    for i in range(50):
        make_photo(f"album/{i}.jpg", seed=i)
    (tmp_path / "album" / "notes.txt").write_text("no photo")
    return tmp_path / "album"


def test_thumbnails_features_and_twins_come_from_one_decoding(folder: Path, opened: list[str]) -> None:
    with Cache.open() as cache:
        album = scan(folder, cache=cache, decode_for=inf)
        load_thumbnails(album.photos, cache)
        album_features(album.photos, "rgb", cache)
        album_features(album.photos, "lab", cache)
        album_features(album.photos, "rgb:5", cache)
        near_duplicates(album, cache)
    assert sorted(opened) == sorted([*names(album), "notes.txt"])


@pytest.mark.parametrize("decoded", [False, True])
def test_an_unchanged_folder_is_not_read_again(folder: Path, opened: list[str], decoded: bool) -> None:
    with Cache.open() as cache:
        first = scan(folder, cache=cache, decode_for=inf if decoded else 0)
        opened.clear()
        assert scan(folder, cache=cache, decode_for=inf if decoded else 0) == first
    assert opened == []


def test_of_a_folder_with_some_changes_only_those_are_read(
    folder: Path, opened: list[str], make_photo: MakePhoto
) -> None:
    with Cache.open() as cache:
        scan(folder, cache=cache, decode_for=inf)
        opened.clear()
        for i in (3, 30):
            make_photo(f"album/{i}.jpg", seed=100 + i, size=(80, 60))
        make_photo("album/new.jpg", seed=7)
        album = scan(folder, cache=cache, decode_for=inf)
        load_thumbnails(album.photos, cache)
    assert sorted(opened) == ["3.jpg", "30.jpg", "new.jpg"]
    assert album.photos[album.index_of("3.jpg") or 0].width == 80


def test_rows_that_come_with_a_reading_are_those_of_the_extractors(tmp_path: Path, make_photo: MakePhoto) -> None:
    path = make_photo("plain.png", size=(200, 150))
    with Cache.open() as cache:
        photos = scan(path, cache=cache, decode_for=inf).photos
        for name in ("rgb", "lab"):
            (row,) = known_rows(photos, extractor(name).key, cache)
            assert row is not None
            np.testing.assert_allclose(row, extractor(name).extract([np.asarray(Image.open(path))])[0], atol=1e-3)


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]\n", b'{"header": [1, 2, "x"], "damage": "", "rows": []}\n'])
def test_facts_that_make_no_sense_are_read_anew(folder: Path, opened: list[str], content: bytes) -> None:
    with Cache.open() as cache:
        first = scan(folder, cache=cache)
        opened.clear()
        cache.put([(module.FACTS, photo, content) for photo in first.photos[:2]])
        assert scan(folder, cache=cache) == first
    assert opened == ["0.jpg", "1.jpg"]


def test_a_long_batch_is_remembered_on_the_way(folder: Path) -> None:
    """What a program that is killed has read is not lost."""
    with Cache.open() as cache:
        photos = scan(folder).photos
        reading = module.read_once(photos, cache, entries_at_once=16)
        for _ in range(20):
            next(reading)
        assert cache.info().thumbnails == 16
        reading.close()
        assert cache.info().thumbnails == 20


def test_a_file_that_could_not_be_reached_is_tried_again(folder: Path, opened: list[str]) -> None:
    with Cache.open() as cache:
        photos = scan(folder).photos
        (folder / "0.jpg").rename(folder / "moved")
        assert load_thumbnails(photos[:1], cache) == [None]
        (folder / "moved").rename(folder / "0.jpg")
        (found,) = load_thumbnails(photos[:1], cache)
    assert found is not None


def test_what_a_scan_holds_of_each_photo_does_not_grow_with_its_features(tmp_path: Path, make_photo: MakePhoto) -> None:
    """An album keeps headers only, and rows of one kind do not keep rows of other kinds in memory."""
    source = make_photo("0.jpg")
    folder = tmp_path / "many"
    folder.mkdir()
    for i in range(500):
        (folder / f"{i}.jpg").hardlink_to(source)
    rows_bytes = 4 * sum(len(row) for row in read(source).rows.values())
    with Cache.open() as cache:
        files = scan(folder, cache=cache).photos
        facts = stored(read(source).facts)
        cache.put([(module.FACTS, photo, facts) for photo in files])
        assert peak_bytes(lambda: scan(folder, cache=cache)) < 500 * 1.25 * rows_bytes
        album = scan(folder, cache=cache)
        assert peak_bytes(lambda: known_rows(album.photos, extractor("lab").key, cache)) < 500 * 0.8 * rows_bytes


def peak_bytes(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_files_whose_turn_comes_too_late_are_not_decoded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    """The clock stands still for two batches; what was decoded then is not opened again for its thumbnail."""
    ticks = iter([0.0, 0.0, 0.0])
    monkeypatch.setattr(album_module, "time", SimpleNamespace(monotonic=lambda: next(ticks, 9.0)))
    with Cache.open() as cache:
        photos = scan(folder, cache=cache, decode_for=1.0).photos
        decoded = [row is not None for row in known_rows(photos, extractor("rgb").key, cache)]
        assert len(photos) == 50 and sum(decoded) in range(2 * FEW_AT_ONCE - 1, 2 * FEW_AT_ONCE + 1)
        opened.clear()
        load_thumbnails(photos, cache)
    assert len(opened) == 50 - sum(decoded)
