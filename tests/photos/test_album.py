"""Scanning: which photos are found, in which order, under which names, what is known of them, and how it stops."""

import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from album_app.errors import Stopped, UsageError
from album_app.file_names import natural_key, unique_names
from album_app.photos import read_once as module
from album_app.photos.album import Album, Photo, Skipped, scan
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.header import CAMERA
from tests.photos.conftest import MakePhoto, names


def test_natural_order_with_subfolders(tmp_path: Path, make_photo: MakePhoto) -> None:
    wanted = [
        "IMG.jpg",
        "IMG_2.jpg",
        "img_10.jpg",
        "img_10b.jpg",
        "trip/1.png",
        "trip/2.png",
        "trip/11.png",
        "Übung.jpg",
    ]
    for name in reversed(wanted):
        make_photo(name)
    album = scan(tmp_path)
    assert names(album) == wanted
    assert album.roots == (tmp_path,) and not album.skipped
    assert names(scan(tmp_path, recursive=False)) == [name for name in wanted if "/" not in name]


def test_what_a_photo_knows(tmp_path: Path, make_photo: MakePhoto) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif.get_ifd(0x8769)[0x9003] = "2023:07:14 09:26:53"
    path = make_photo("a.jpg", size=(64, 48), exif=exif)
    (photo,) = scan(tmp_path).photos
    status = path.stat()
    assert photo == Photo(
        path, "a.jpg", status.st_size, status.st_mtime_ns, 48, 64, datetime(2023, 7, 14, 9, 26, 53), CAMERA
    )
    with pytest.raises(AttributeError):
        photo.name = "b.jpg"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({0x9003: "2020:01:02 03:04:05", 0x9004: "2021:01:01 00:00:00"}, datetime(2020, 1, 2, 3, 4, 5)),
        ({0x9003: "0000:00:00 00:00:00", 0x9004: "2021:01:01 00:00:00"}, datetime(2021, 1, 1)),
        ({0x0132: "2019-05-06T07:08:09"}, datetime(2019, 5, 6, 7, 8, 9)),
        ({0x9003: "yesterday"}, None),
        ({0x9003: "2020:13:45 99:99:99"}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "tif", "avif", "heic"])
def test_the_date_taken(
    tmp_path: Path, make_photo: MakePhoto, suffix: str, tags: dict[int, str], expected: datetime | None
) -> None:
    if suffix == "heic":
        pytest.importorskip("pillow_heif").register_heif_opener()
    exif = Image.Exif()
    for tag, value in tags.items():
        (exif if tag == 0x0132 else exif.get_ifd(0x8769))[tag] = value
    make_photo(f"dated.{suffix}", exif=exif.tobytes())
    assert scan(tmp_path).photos[0].date == expected


def test_an_album_is_found_by_name(tmp_path: Path, make_photo: MakePhoto) -> None:
    for name in ("a.jpg", "b.jpg"):
        make_photo(name)
    album = scan(tmp_path)
    assert (len(album), album.index_of("b.jpg"), album.index_of("c.jpg")) == (2, 1, None)


def test_damaged_photos_move_to_the_skipped(tmp_path: Path, make_photo: MakePhoto) -> None:
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        make_photo(name)
    album = scan(tmp_path).without({1: Undecodable("damaged JPEG")})
    assert names(album) == ["a.jpg", "c.jpg"] and album.index_of("c.jpg") == 1
    assert album.skipped == (Skipped(tmp_path / "b.jpg", "b.jpg", "damaged JPEG", "damaged"),)


def test_single_files_and_several_folders(tmp_path: Path, make_photo: MakePhoto) -> None:
    for name in ("one/a.jpg", "one/b.jpg", "two/b.jpg", "two/c.jpg", "three/d.jpg", "three/e.jpg"):
        make_photo(name)
    album = scan([tmp_path / "two", str(tmp_path / "one"), tmp_path / "three" / "e.jpg"])
    assert names(album) == ["two/b.jpg", "c.jpg", "a.jpg", "one/b.jpg", "e.jpg"]
    assert album.roots == (tmp_path / "two", tmp_path / "one", tmp_path / "three")
    assert names(scan(tmp_path / "one" / "a.jpg")) == ["a.jpg"]


def test_overlapping_sources_give_each_photo_once(tmp_path: Path, make_photo: MakePhoto) -> None:
    for name in ("a.jpg", "sub/b.jpg"):
        make_photo(name)
    album = scan([tmp_path / "sub", tmp_path, tmp_path / "a.jpg", tmp_path / "sub"])
    assert sorted(names(album)) == ["a.jpg", "b.jpg"] and not album.skipped


def test_names_are_unique_even_where_folders_share_theirs() -> None:
    assert unique_names(["x", "x", "y"], ["p", "p", "p"]) == ["p/x", "p (2)/x", "y"]
    assert unique_names(["x", "x", "q/x"], ["p", "q", "r"]) == ["p/x", "q (2)/x", "q/x"]


def test_a_relative_source_and_one_with_dots(
    tmp_path: Path, make_photo: MakePhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_photo("one/a.jpg")
    monkeypatch.chdir(tmp_path / "one")
    for source in (".", "../one", "a.jpg"):
        album = scan(source)
        assert album.photos[0].path == tmp_path / "one" / "a.jpg"
        assert album.roots == (tmp_path / "one",)


def test_nothing_to_scan(tmp_path: Path) -> None:
    assert scan(tmp_path) == Album((tmp_path,), (), ())
    assert len(scan([])) == 0
    with pytest.raises(UsageError, match="there is no file or folder"):
        scan(tmp_path / "gone")


def test_natural_key_is_total() -> None:
    pieces = ["a1", "a01", "A1", "1", "01", "", "a", "a.jpg", "a1.jpg", "²", "٣", "a/b", "a/1", "\udcff", "9" * 100]
    assert sorted(pieces[5:] + pieces[:5], key=natural_key) == sorted(pieces, key=natural_key)


def test_progress_ends_at_the_total(tmp_path: Path, make_photo: MakePhoto) -> None:
    for i in range(5):
        make_photo(f"{i}.jpg")
    seen: list[tuple[int, int]] = []
    scan(tmp_path, on_progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (5, 5) and [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_stop_ends_a_scan_although_a_file_hangs(
    tmp_path: Path, make_photo: MakePhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i in range(3):
        make_photo(f"{i}.jpg")
    asked, released, overslept = threading.Event(), threading.Event(), threading.Event()

    def hang(paths: Sequence[Path]) -> Iterator[Undecodable]:
        for _ in paths:
            asked.set()
            if not released.wait(10):
                overslept.set()
            yield Undecodable("slow")

    monkeypatch.setattr(module, "headers", hang)
    with pytest.raises(Stopped):
        scan(tmp_path, stop=asked.is_set)
    assert not overslept.is_set(), "it waited for the file"
    released.set()


def test_stop_ends_the_walk(tmp_path: Path, make_photo: MakePhoto) -> None:
    make_photo("a/a.jpg")
    with pytest.raises(Stopped):
        scan(tmp_path, stop=lambda: True)


def test_a_scan_reads_headers_alone(tmp_path: Path, make_photo: MakePhoto) -> None:
    path = make_photo("cut.jpg", size=(800, 600))
    path.write_bytes(path.read_bytes()[:1500])
    assert names(scan(tmp_path)) == ["cut.jpg"]


def test_files_that_describe_photos_are_neither_photos_nor_faults(tmp_path: Path) -> None:
    Image.new("RGB", (8, 6), "navy").save(tmp_path / "sea.jpg")
    for name in ("sea.xmp", "sea.jpg.json", "metadata.json", "sea.AAE", "notes.txt"):
        (tmp_path / name).write_text("{}")
    album = scan(tmp_path)
    assert [photo.name for photo in album.photos] == ["sea.jpg"]
    assert [item.name for item in album.skipped] == ["notes.txt"]
    named = scan([tmp_path / "sea.jpg", tmp_path / "metadata.json"])
    assert [item.name for item in named.skipped] == ["metadata.json"], "what was asked for by name is answered"
