"""Files are written whole or not at all, keep their permissions, and nothing else that has a name is replaced."""

import os
import select
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from album_app.paths import (
    AGREED,
    LEFT_SECONDS,
    _computer,
    atomic_write,
    cache_folder,
    check_writable,
    private_file,
    private_folder,
    read_bounded,
    state_folder,
)

needs_posix = pytest.mark.skipif(os.name == "nt", reason="pipes with names, devices and modes are POSIX's")


@pytest.fixture
def lax() -> Iterator[None]:
    """Whatever the user's umask, here it forbids nothing."""
    before = os.umask(0)
    yield
    os.umask(before)


def write(path: Path, text: str = "new") -> None:
    with atomic_write(path, replacing=AGREED) as temporary:
        temporary.write_text(text)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_finished_write_replaces_the_file_and_keeps_its_suffix_while_writing(tmp_path: Path) -> None:
    target = tmp_path / "sheet.png"
    target.write_text("old")
    with atomic_write(target, replacing=AGREED) as temporary:
        assert temporary.suffix == ".png"
        temporary.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "sheet.png"
    target.write_text("old")
    with pytest.raises(RuntimeError), atomic_write(target, replacing=AGREED) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_permissions_survive_and_new_files_follow_the_umask(tmp_path: Path) -> None:
    kept, plain, fresh = tmp_path / "kept", tmp_path / "plain", tmp_path / "fresh"
    kept.write_text("old")
    kept.chmod(0o640)
    plain.write_text("made the usual way")
    for path in (kept, fresh):
        with atomic_write(path, replacing=AGREED) as temporary:
            temporary.write_text("new")
    assert kept.stat().st_mode & 0o777 == 0o640
    assert fresh.stat().st_mode == plain.stat().st_mode


def test_the_cache_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ALBUM_APP_CACHE", str(tmp_path / "elsewhere"))
    assert cache_folder() == tmp_path / "elsewhere"


@needs_posix
@pytest.mark.parametrize("chain", [1, 3])
def test_a_link_stays_a_link_and_its_target_gets_the_content(tmp_path: Path, chain: int) -> None:
    (tmp_path / "elsewhere").mkdir()
    real = tmp_path / "elsewhere" / "real.json"
    real.write_text("old")
    link = real
    for number in range(chain):
        link, before = tmp_path / f"link{number}.json", link
        link.symlink_to(before)
    write(link)
    assert link.is_symlink() and real.read_text() == "new"
    assert sorted(p.name for p in tmp_path.rglob("*.json")) == [*(f"link{n}.json" for n in range(chain)), "real.json"]


@needs_posix
def test_a_link_to_nothing_yet_is_written_through_and_one_in_a_circle_is_refused(tmp_path: Path) -> None:
    dangling, circle = tmp_path / "dangling", tmp_path / "circle"
    dangling.symlink_to(tmp_path / "fresh")
    circle.symlink_to(circle)
    write(dangling)
    assert dangling.is_symlink() and (tmp_path / "fresh").read_text() == "new"
    with pytest.raises(OSError, match="link"):
        write(circle)
    assert circle.is_symlink()


@needs_posix
def test_a_pipe_gets_the_bytes_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe.json", list[bytes]()
    os.mkfifo(pipe)
    handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def listen() -> None:
        select.select([handle], [], [])  # before the first byte a pipe without a writer seems to be at its end
        os.set_blocking(handle, True)
        heard.append(os.fdopen(handle, "rb").read())

    reader = threading.Thread(target=listen)
    reader.start()
    write(pipe, "x" * 300_000)
    reader.join()
    assert heard == [b"x" * 300_000]
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]


@needs_posix
def test_a_pipe_that_nobody_reads_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="no program reads"):
        write(pipe)
    assert pipe.is_fifo()


@needs_posix
def test_a_device_stays_a_device(tmp_path: Path) -> None:
    """Our own nodes of the device that swallows everything and of a disk that is not there."""
    sink, disk = tmp_path / "sink", tmp_path / "disk"
    try:
        os.mknod(sink, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        os.mknod(disk, 0o666 | stat.S_IFBLK, os.makedev(7, 250))
    except OSError:
        pytest.skip("no permission to make devices")
    write(sink)
    with pytest.raises(OSError, match="not a file"):
        write(disk)
    assert sink.is_char_device() and disk.is_block_device()


def test_a_read_only_file_stays_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "kept.pdf"
    target.write_text("old")
    target.chmod(0o444)
    with pytest.raises(PermissionError, match="read-only"):
        write(target)
    target.chmod(0o644)
    assert target.read_text() == "old" and list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", ["n" * 300, "no\0name", "lone\ud800", "file.txt/inner"])
def test_impossible_names_are_an_oserror_before_anything_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").touch()
    with pytest.raises(OSError):
        check_writable(tmp_path / name)


def left_behind(folder: Path, process: int, age: float) -> Path:
    file = folder / f".album-app-{_computer()}-{process}-abcdefgh.pdf"
    file.write_text("half")
    os.utime(file, (time.time() - age,) * 2)
    return file


def test_the_next_write_removes_what_ended_programs_left_and_nothing_else(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    old = left_behind(tmp_path, gone.pid, LEFT_SECONDS + 60)
    ours = left_behind(tmp_path, os.getpid(), LEFT_SECONDS + 60)
    theirs = tmp_path / ".album-app-notes.txt"
    theirs.write_text("the user's own")
    os.utime(theirs, (0, 0))
    write(tmp_path / "sheet.pdf")
    assert not old.exists() and ours.exists() and theirs.exists()
    young, running = left_behind(tmp_path, gone.pid, 0), left_behind(tmp_path, os.getpid(), 0)
    far = young.with_name(f".album-app-000000-{gone.pid}-abcdefgh.png")
    far.write_text("of another computer that writes into this folder")
    write(tmp_path / "sheet.pdf")
    assert not young.exists() and running.exists() and far.exists()
    os.utime(far, (0, 0))
    write(tmp_path / "sheet.pdf")
    assert not far.exists()


@needs_posix
@pytest.mark.usefixtures("lax")
def test_our_own_folders_and_files_are_private_whatever_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALBUM_APP_STATE", str(tmp_path / "home" / "state"))
    file = private_folder(state_folder() / "autosave") / "work.album"
    write(file)
    write(tmp_path / "export.png")
    assert [mode(path) for path in (state_folder(), file.parent, file)] == [0o700, 0o700, 0o600]
    assert mode(private_file(file.with_suffix(".log"))) == 0o600
    assert mode(tmp_path / "export.png") == 0o666


@needs_posix
@pytest.mark.usefixtures("lax")
def test_laxer_folders_and_files_of_ours_are_tightened_but_no_shared_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALBUM_APP_STATE", str(tmp_path / "state"))
    lax, shared = state_folder() / "autosave", tmp_path / "shared"
    lax.mkdir(parents=True)
    (lax / "work.album").touch()
    shared.mkdir()
    shared.chmod(0o1777)
    private_folder(lax)
    private_folder(shared)
    write(lax / "work.album")
    assert [mode(path) for path in (state_folder(), lax, lax / "work.album")] == [0o700, 0o700, 0o600]
    assert mode(shared) == 0o1777 and mode(tmp_path) != 0o1777


def test_only_files_of_a_stated_size_are_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_bounded(file, 5) == b"12345"
    with pytest.raises(OSError, match="too large"):
        read_bounded(file, 4)
    with pytest.raises(OSError):
        read_bounded(tmp_path, 5)


@needs_posix
def test_pipes_and_endless_devices_are_not_read(tmp_path: Path) -> None:
    pipe, endless = tmp_path / "pipe", tmp_path / "endless"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a file"):
        read_bounded(pipe, 5)
    try:
        os.mknod(endless, 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    except OSError:
        pytest.skip("no permission to make devices")
    with pytest.raises(OSError, match="not a file"):
        read_bounded(endless, 5)
