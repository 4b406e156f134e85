"""Decoding in processes of their own: the same pictures, and no file costs more than it may."""

import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from album_app.photos import sandbox
from album_app.photos.decoding import decode as plain
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.header import read_header
from tests.photos.conftest import MakePhoto

linux = pytest.mark.skipif(sys.platform != "linux", reason="the system holds these limits on Linux")


@pytest.fixture
def fresh() -> Iterator[None]:
    """No process of other tests is used, and none of this test stays."""
    sandbox.end_idle()
    yield
    sandbox.end_idle()


@pytest.fixture
def started(fresh: None, monkeypatch: pytest.MonkeyPatch) -> list["subprocess.Popen[bytes]"]:
    """The decoding processes that were started, in order."""
    processes: list[subprocess.Popen[bytes]] = []
    start = sandbox.start_helper

    def starting(*settings: Any) -> "subprocess.Popen[bytes]":
        processes.append(start(*settings))
        return processes[-1]

    monkeypatch.setattr(sandbox, "start_helper", starting)
    return processes


def endless(scans: int) -> bytes:
    """A progressive JPEG whose last scan comes again and again."""
    stream = io.BytesIO()
    pixels = np.random.default_rng(0).integers(0, 256, (600, 800), np.uint8)
    Image.fromarray(pixels).save(stream, "JPEG", progressive=True, quality=95)
    content = stream.getvalue()
    last = content.rindex(b"\xff\xda")
    return content[:last] + content[last:-2] * scans + content[-2:]


def test_pictures_and_headers_are_those_of_the_plain_decoder(make_photo: MakePhoto) -> None:
    path = make_photo(size=(300, 200))
    for box, cover in ((None, False), ((64, 64), False), ((64, 64), True)):
        there, here = sandbox.decode(path, box, cover), plain.decode(path, box, cover)
        np.testing.assert_array_equal(np.asarray(there), np.asarray(here))
    assert sandbox.read_header(path) == read_header(path)


def test_what_is_missing_of_a_picture_is_reported(make_photo: MakePhoto) -> None:
    path = make_photo(size=(640, 480))
    path.write_bytes(path.read_bytes()[:-2000])
    assert sandbox.decode(path).info[plain.DAMAGE].startswith("damaged: the lower")
    (reading,) = sandbox.readings([path])
    assert reading.facts.damage.startswith("damaged: the lower")


@linux
def test_a_file_that_takes_too_long_is_given_up_and_the_others_are_read(
    tmp_path: Path, make_photo: MakePhoto, fresh: None
) -> None:
    slow = tmp_path / "slow.jpg"
    slow.write_bytes(endless(3000))
    paths = [make_photo("a.jpg"), slow, make_photo("b.jpg"), make_photo("c.jpg")]
    first, second, *others = sandbox.readings(paths, sandbox.Allowance(seconds=1))
    assert isinstance(second, Undecodable)
    assert (second.reason, second.fault) == ("takes longer than 10 seconds to decode", "too large")
    assert not any(isinstance(found, Undecodable) for found in (first, *others))


@linux
@pytest.mark.parametrize("suffix", ["png", "webp", "jp2", "gif"])
def test_a_file_that_needs_too_much_memory_is_given_up(
    tmp_path: Path, make_photo: MakePhoto, fresh: None, suffix: str
) -> None:
    bomb = tmp_path / f"bomb.{suffix}"
    Image.new("RGB", (7000, 6000), "red").save(bomb)
    with pytest.raises(Undecodable) as caught:
        sandbox.decode(bomb, (64, 64), allowance=sandbox.Allowance(memory=40 << 20, most_memory=60 << 20))
    assert (caught.value.reason, caught.value.fault) == ("needs more than 600 MB of memory", "too large")
    assert sandbox.decode(make_photo(), (64, 64)).size == (64, 48)


@linux
def test_a_large_file_gets_more_memory_one_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    little = sandbox.Allowance(memory=30 << 20)
    large = tmp_path / "large.png"
    Image.new("RGB", (5000, 4000), "red").save(large)
    at_once, most = [], []
    give = sandbox.Sandbox.give
    take = sandbox.Sandbox.take

    def giving(self: sandbox.Sandbox, task: sandbox.Task, memory: int, seconds: int) -> None:
        if memory == sandbox.MOST_MEMORY:
            at_once.append(self)
            most.append(len(at_once))
        give(self, task, memory, seconds)

    def taking(self: sandbox.Sandbox) -> sandbox.Answer:
        answer = take(self)
        if self in at_once:
            at_once.remove(self)
        return answer

    monkeypatch.setattr(sandbox.Sandbox, "give", giving)
    monkeypatch.setattr(sandbox.Sandbox, "take", taking)
    found: list[Image.Image] = []
    threads = [
        threading.Thread(target=lambda: found.append(sandbox.decode(large, (50, 50), allowance=little)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [picture.size for picture in found] == [(50, 40)] * 3
    assert most == [1, 1, 1]


def test_a_process_that_is_killed_is_replaced(make_photo: MakePhoto, started: list["subprocess.Popen[bytes]"]) -> None:
    path = make_photo()
    sandbox.decode(path)
    (idle,) = started
    idle.kill()
    assert sandbox.decode(path).size == (64, 48) and len(started) > 1


def test_a_process_has_tasks_ahead_while_nobody_takes_its_answers(make_photo: MakePhoto, fresh: None) -> None:
    """The process need not wait for its caller, and no pipe gets more than it holds."""
    task = sandbox.Task("reading", str(make_photo()))
    decoder = sandbox.Sandbox()
    try:
        given = 0
        while decoder.give(task, sandbox.ORDINARY_MEMORY):
            given += 1
        assert 4 <= given == sandbox.BYTES_AHEAD // len(task.request_line(sandbox.ORDINARY_MEMORY))
        assert all(decoder.take().fault is None for _ in range(given))
        assert decoder.is_idle
    finally:
        decoder.end()


def test_a_name_longer_than_what_may_wait_is_sent_alone(make_photo: MakePhoto, fresh: None) -> None:
    long = "x" * 2 * sandbox.BYTES_AHEAD
    first, refused, last = sandbox.headers([make_photo("a.jpg"), long, make_photo("b.jpg")])
    assert first == last and isinstance(refused, Undecodable)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no forking here")
def test_a_forked_process_has_decoders_of_its_own(
    make_photo: MakePhoto, started: list["subprocess.Popen[bytes]"]
) -> None:
    path = make_photo()
    sandbox.decode(path)
    child = os.fork()
    if not child:
        size = sandbox.decode(path).size
        sandbox.end_idle()
        os._exit(len(started) if size == (64, 48) else 0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2, "it has started one more"
    assert sandbox.decode(path).size == (64, 48) and len(started) == 1, "the one of this process is still there"


def test_what_libraries_print_goes_to_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, fresh: None
) -> None:
    path = tmp_path / "noisy.tif"
    Image.new("RGB", (64, 64), "red").save(path, compression="tiff_lzw")
    content = bytearray(path.read_bytes())
    content[8:60] = bytes(52)
    path.write_bytes(content)
    with caplog.at_level("INFO", logger="album_app"), pytest.raises(Undecodable):
        sandbox.decode(path)
    assert "Using code not yet in table" in caplog.text
    assert capfd.readouterr().err == ""


def test_why_a_file_was_refused_is_in_the_log(
    make_photo: MakePhoto, caplog: pytest.LogCaptureFixture, fresh: None
) -> None:
    path = make_photo("cut.png")
    path.write_bytes(path.read_bytes()[:-100])
    with caplog.at_level("INFO", logger="album_app"), pytest.raises(Undecodable, match="damaged PNG"):
        sandbox.decode(path)
    assert "cut.png" in caplog.text and "truncated" in caplog.text


WATCHED = """
import sys, time
from album_app.photos.sandbox_process import Watched
held = Watched()
held.begin({memory}, 1)
{work}
"""


@pytest.mark.parametrize(
    ("work", "code"),
    [("while True: pass", 72), ("block = bytearray(200 << 20); time.sleep(20)", 71), ("sys.exit(5)", 5)],
)
def test_elsewhere_a_process_watches_itself(work: str, code: int, root: Path) -> None:
    script = WATCHED.format(memory=100 << 20, work=work)
    assert subprocess.run([sys.executable, "-c", script], cwd=root, check=False).returncode == code


@pytest.fixture
def root() -> Path:
    return Path(__file__).parents[3]


def test_a_webp_that_promises_too_much_is_not_opened(tmp_path: Path, png: Callable[..., bytes]) -> None:
    promise = (15_999 | 15_999 << 14).to_bytes(4, "little")
    body = b"WEBPVP8L" + (10).to_bytes(4, "little") + b"\x2f" + promise + bytes(5)
    (tmp_path / "bomb.webp").write_bytes(b"RIFF" + len(body).to_bytes(4, "little") + body)
    with pytest.raises(Undecodable, match="larger than 100 megapixels"):
        plain.decode(tmp_path / "bomb.webp")


def test_a_relative_path_starts_at_the_present_folder_though_the_process_started_in_another(
    started: list["subprocess.Popen[bytes]"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, colour in (("first", "red"), ("second", "blue")):
        (tmp_path / name).mkdir()
        Image.new("RGB", (8, 8), colour).save(tmp_path / name / "photo.png")
    colours = []
    for name in ("first", "second"):
        monkeypatch.chdir(tmp_path / name)
        colours.append(sandbox.decode("photo.png").getpixel((0, 0)))
    assert colours == [(255, 0, 0), (0, 0, 255)]
    assert len(started) == 1
