"""Scanning folders as people have them: everything odd is survived, and said."""

import json
import os
import socket
import stat
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from album_app.errors import Stopped, UsageError
from album_app.photos import album as module
from album_app.photos.album import Album, Photo, Skipped, scan
from album_app.photos.decode import Undecodable
from album_app.photos.names import natural_key, printable, unique_names

MakePhoto = Callable[..., Path]


def names(album: Album) -> list[str]:
    return [photo.name for photo in album.photos]


def reasons(album: Album) -> dict[str, str]:
    return {item.name: item.reason for item in album.skipped}


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
    assert photo == Photo(path, "a.jpg", status.st_size, status.st_mtime_ns, 48, 64, datetime(2023, 7, 14, 9, 26, 53))
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
    assert scan(tmp_path).photos[0].taken == expected


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


def test_hidden_files_and_folders_are_left_alone(tmp_path: Path, make_photo: MakePhoto) -> None:
    for name in ("a.jpg", "._a.jpg", ".trash/b.jpg", "c/.d.jpg"):
        make_photo(name)
    album = scan(tmp_path)
    assert names(album) == ["a.jpg"] and not album.skipped
    assert names(scan(tmp_path / ".trash")) == ["b.jpg"]


def test_every_skipped_file_has_a_reason(tmp_path: Path, make_photo: MakePhoto) -> None:
    make_photo("good.jpg")
    for name, content in {"notes.txt": b"hello", "empty.png": b"", "page.jpg": b"<html>"}.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "cut.jpg").write_bytes((tmp_path / "good.jpg").read_bytes()[:30])
    make_photo("picture.txt", format="PNG")
    album = scan(tmp_path)
    assert names(album) == ["good.jpg", "picture.txt"]
    assert reasons(album) == {
        "cut.jpg": "damaged JPEG",
        "empty.png": "empty file",
        "notes.txt": "not a picture",
        "page.jpg": "not a JPEG picture, in spite of its name",
    }


ODD_NAMES = [
    "quote ' and \".jpg",
    "line\nbreak.jpg",
    "tab\tand\\backslash.jpg",
    "emoji 🏝️.jpg",
    "space at end .jpg ",
    "%s {0} $HOME.jpg",
    "-rf.jpg",
    os.fsdecode(b"latin\xe9 \xff.jpg"),
    "x" * 200 + ".jpg",
]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_lead_back_to_their_files(tmp_path: Path, make_photo: MakePhoto, name: str) -> None:
    make_photo("plain.jpg").rename(tmp_path / name)
    (photo,) = scan(tmp_path).photos
    assert photo.name == name and photo.path.exists()
    assert json.loads(json.dumps(photo.name)) == name
    assert (tmp_path / json.loads(json.dumps(photo.name))).exists()
    printable(photo.name).encode("utf-8")
    assert "\n" not in printable(photo.name)


def test_pipes_sockets_devices_and_dangling_links_are_never_opened(tmp_path: Path, make_photo: MakePhoto) -> None:
    make_photo("good.jpg")
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "nowhere.jpg").symlink_to(tmp_path / "gone.jpg")
    (tmp_path / "itself.jpg").symlink_to(tmp_path / "itself.jpg")
    (tmp_path / "zero.jpg").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as plug:
        here = Path.cwd()
        os.chdir(tmp_path)  # a socket's path must be short
        try:
            plug.bind("plug.jpg")
        finally:
            os.chdir(here)
        album = scan(tmp_path)
    assert names(album) == ["good.jpg"]
    assert reasons(album) == {
        "pipe.jpg": "a pipe, not a file",
        "plug.jpg": "a socket, not a file",
        "zero.jpg": "a device, not a file",
        "nowhere.jpg": "a link to something that is not there",
        "itself.jpg": "a link that leads back to itself",
    }


def test_links_are_followed_and_loops_are_not(tmp_path: Path, make_photo: MakePhoto) -> None:
    make_photo("album/real/a.jpg")
    make_photo("elsewhere/b.jpg")
    album_folder = tmp_path / "album"
    (album_folder / "away").symlink_to(tmp_path / "elsewhere")
    (album_folder / "again").symlink_to(album_folder / "real")
    (album_folder / "real" / "up").symlink_to(album_folder)
    album = scan(album_folder)
    assert names(album) == ["away/b.jpg", "real/a.jpg"]
    seen = "a link to a folder that is already in the album"
    assert reasons(album) == {"again": seen, "real/up": seen}


def test_an_unreadable_folder_is_reported(
    tmp_path: Path, make_photo: MakePhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_photo("good.jpg")
    make_photo("private/a.jpg")
    scandir = os.scandir

    def guarded(path: Path) -> object:
        if Path(path).name == "private":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    album = scan(tmp_path)
    assert names(album) == ["good.jpg"]
    assert reasons(album) == {"private": "no permission to open this folder"}


def test_a_file_that_vanishes_during_the_scan(
    tmp_path: Path, make_photo: MakePhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_photo("stays.jpg")
    make_photo("goes.jpg")
    read = module.read_header

    def late(path: Path) -> object:
        if path.name == "goes.jpg":
            path.unlink()
        return read(path)

    monkeypatch.setattr(module, "read_header", late)
    album = scan(tmp_path)
    assert names(album) == ["stays.jpg"]
    assert reasons(album) == {"goes.jpg": "the file is missing"}
    assert album.skipped[0].fault == "missing"


def test_a_file_that_vanishes_before_it_is_looked_at(
    tmp_path: Path, make_photo: MakePhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_photo("stays.jpg")
    gone = make_photo("goes.jpg")
    look = Path.stat

    def late(path: Path, **options: bool) -> os.stat_result:
        if path == gone:
            raise FileNotFoundError(2, "No such file or directory")
        return look(path, **options)

    monkeypatch.setattr(Path, "stat", late)
    album = scan(tmp_path)
    assert names(album) == ["stays.jpg"] and not album.skipped


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
    asked, released = threading.Event(), threading.Event()

    def hang(path: Path) -> object:
        asked.set()
        released.wait(10)
        raise Undecodable("slow")

    monkeypatch.setattr(module, "read_header", hang)
    start = time.monotonic()
    with pytest.raises(Stopped):
        scan(tmp_path, stop=asked.is_set)
    released.set()
    assert time.monotonic() - start < 5, "it waited for the file"


def test_stop_ends_the_walk(tmp_path: Path, make_photo: MakePhoto) -> None:
    make_photo("a/a.jpg")
    with pytest.raises(Stopped):
        scan(tmp_path, stop=lambda: True)


def test_a_scan_reads_headers_alone(tmp_path: Path, make_photo: MakePhoto) -> None:
    path = make_photo("cut.jpg", size=(800, 600))
    path.write_bytes(path.read_bytes()[:1500])
    assert names(scan(tmp_path)) == ["cut.jpg"]
    assert stat.S_ISREG(path.stat().st_mode)
