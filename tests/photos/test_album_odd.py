"""Folders as people have them: odd names, links, pipes and files that vanish are reported and do no harm."""

import os
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from album_app.file_names import printable
from album_app.photos import read_once as module
from album_app.photos.album import Album, scan
from tests.photos.conftest import MakePhoto, names


def reasons(album: Album) -> dict[str, str]:
    return {item.name: item.reason for item in album.skipped}


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

    def guarded(path: Path | int) -> object:  # a number where an open folder is listed
        if not isinstance(path, int) and Path(path).name == "private":
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
    read = module.headers

    def late(paths: Sequence[Path]) -> Iterator[object]:
        (tmp_path / "goes.jpg").unlink()
        return read(paths)

    monkeypatch.setattr(module, "headers", late)
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


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not show itself as files")
def test_the_systems_own_folders_are_not_gone_through(tmp_path: Path) -> None:
    looks = 0

    def stop() -> bool:
        nonlocal looks
        looks += 1
        return looks > 100

    album = scan("/proc", stop=stop)
    assert not album.photos and list(reasons(album).values()) == ["a folder of the system, not of photos"]
    (tmp_path / "link").symlink_to("/proc/self")
    assert reasons(scan(tmp_path, stop=stop)) == {"link": "a folder of the system, not of photos"}
