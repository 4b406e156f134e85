"""Decodes files in processes of their own, each within limits, so that no file can end this process or fill the memory.

A file that needs more than the ordinary memory gets up to `MOST_MEMORY`; only one of these files is decoded at a time.
"""

import logging
import os
import signal
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.language import StoredText, mark
from album_app.photos.decoding.decode import DAMAGE, MOST_MEMORY, Undecodable
from album_app.photos.decoding.font_facts import FontFacts
from album_app.photos.decoding.header import Header
from album_app.photos.helper_process import Message, end_helper, line_of, receive, start_helper
from album_app.photos.reading import Facts, Row
from album_app.photos.records import packed, restored, unpacked

log = logging.getLogger("album_app.photos.sandbox")

ORDINARY_MEMORY = 200 << 20
"""Bytes that decoding a file may take beyond what its process has anyway."""
MOST_SECONDS = 10
"""Seconds of the processor that decoding a file may take."""
TOO_LARGE, TOO_SLOW = 71, 72
"""Exit codes of a process that ended itself because of these limits."""
IDLE_KEPT = 2
"""Processes that are kept for the next caller, one for each thread that usually asks."""
BYTES_AHEAD = 4096
"""Bytes of tasks that may wait in a pipe: every system's pipe holds them without a reader."""
SECONDS_TO_END = 5.0
"""How long a process whose answers have ended may take to end itself."""
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(4 << 20),  # with the next: memory that a file took is there for the next one
    "MALLOC_TRIM_THRESHOLD_": str(16 << 20),
}
"""Added to the environment of decoding processes. A second thread of BLAS would cost more in waiting than it
saves."""
_KILLED_FOR_TIME = {TOO_SLOW, -getattr(signal, "SIGXCPU", TOO_SLOW)}
_KILLED_FOR_MEMORY = {TOO_LARGE, -getattr(signal, "SIGKILL", TOO_LARGE)}

NEEDS_MORE = StoredText("needs more than {most} MB of memory", most=MOST_MEMORY >> 20)
TAKES_LONGER = StoredText("takes longer than {most} seconds to decode", most=MOST_SECONDS)
MAKES_FAIL = mark("damaged: its decoder fails on it")


@dataclass(frozen=True)
class Task:
    """What to make of a file: its "header", its "reading", a "picture" or the "opacity" of some size, a "font", or a
    "text" in that font."""

    what: str
    path: str
    box: tuple[int, int] | None = None
    cover: bool = False
    number: int = 0  # of the font in a file of several
    text: str = ""
    size: float = 0.0

    def request_line(self, memory: int, seconds: int = MOST_SECONDS) -> bytes:
        """The task as one line for the decoding process, which may have started in another folder than the present."""
        task = self
        if not os.path.isabs(self.path):  # noqa: PTH117 (a Path of every photo takes longer than the call)
            with suppress(FileNotFoundError):  # the present folder is gone
                task = replace(self, path=os.fspath(Path.cwd() / self.path))
        return line_of({"task": packed(task, []), "memory": memory, "seconds": seconds})


@dataclass(frozen=True)
class Allowance:
    """What one file may cost: seconds of the processor, bytes of memory, and bytes while no other file has as much."""

    seconds: int = MOST_SECONDS
    memory: int = ORDINARY_MEMORY
    most_memory: int = MOST_MEMORY


USUAL = Allowance()


@dataclass(frozen=True, eq=False)
class Answer:
    """What a task gave: a message with arrays, or why there is none."""

    message: Message
    fault: Undecodable | None = None
    wants_memory: bool = False

    def found(self, kind: Any) -> Any:
        """What was found, which is of this type."""
        return unpacked(kind, self.message["found"], self.message["arrays"])


@dataclass(frozen=True, eq=False)
class Picture:
    """A decoded picture and words on what is missing of it."""

    pixels: NDArray[np.uint8]
    damage: str = ""


@dataclass(frozen=True, eq=False)
class StoredReading:
    """A reading as the cache keeps it: the thumbnail as a JPEG, and the facts as `records.stored` writes them."""

    jpeg: bytes
    content: bytes


@dataclass(frozen=True, eq=False)
class FreshReading(StoredReading):
    """A reading that has just been made, with its facts for whoever asked for it."""

    facts: Facts


@dataclass(frozen=True, eq=False)
class Preview:
    """The small picture that a file has for a quick look, and feature rows by it, by the keys of `COLOUR_KEYS`."""

    pixels: NDArray[np.uint8]
    rows: Mapping[str, Row]


class Sandbox:
    """A process that decodes, with the tasks it was given and has not answered; it is replaced when it ends."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Task, bytes]] = deque()
        self._bytes_waiting = 0
        self._begin()

    def _begin(self) -> None:
        self._noise = tempfile.TemporaryFile()  # noqa: SIM115 (closed in `end`)
        module = "album_app.photos.sandbox_process"
        self._process = start_helper([module], self._noise, SETTINGS)

    @property
    def is_idle(self) -> bool:
        return not self._waiting

    @property
    def has_room(self) -> bool:
        """Whether it is time to give further tasks: several at a time reach the process by one call to the system."""
        return 2 * self._bytes_waiting <= BYTES_AHEAD

    def give(self, task: Task, memory: int, seconds: int = MOST_SECONDS) -> bool:
        """Send a task, which is done after those sent before, at the latest when the next answer is taken.

        False, and nothing is sent, where too much waits already: then both sides might write and neither read.
        """
        line = task.request_line(memory, seconds)
        if self._waiting and self._bytes_waiting + len(line) > BYTES_AHEAD:
            return False
        self._waiting.append((task, line))
        self._bytes_waiting += len(line)
        self._write(line)
        return True

    def take(self) -> Answer:
        """The answer to the oldest task; a process that ended over it is replaced by one that gets the other tasks."""
        task, line = self._waiting.popleft()
        self._bytes_waiting -= len(line)
        answer = self._heard()
        if answer is None:
            fault = self._why_ended()
            log.warning("%r: %s", task.path, fault.reason)
            self._begin()
            for _, other in self._waiting:
                self._write(other)
            return Answer({}, fault=fault, wants_memory=fault.reason != TAKES_LONGER)
        if answer.message["noise"]:
            log.info("%r: %s", task.path, answer.message["noise"].strip())
        return answer

    def end(self) -> None:
        """End the process at once."""
        end_helper(self._process)
        self._noise.close()

    def _write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(line)

    def _heard(self) -> Answer | None:
        """The next answer of the process; None if it ended instead."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.flush()
        try:
            message = receive(self._process.stdout)
        except (OSError, EOFError, ValueError):
            return None
        if "fault" not in message:
            return Answer(message)
        return Answer(message, unpacked(Undecodable, message["fault"], ()), wants_memory=message["more"])

    def _why_ended(self) -> Undecodable:
        """Clear away a process that ended over a file, and say what that means."""
        assert self._process.stdout is not None
        self._process.stdout.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(SECONDS_TO_END)
        code = self._process.poll()
        self.end()
        if code in _KILLED_FOR_TIME:
            return Undecodable(TAKES_LONGER, "too large")
        return Undecodable(NEEDS_MORE, "too large") if code in _KILLED_FOR_MEMORY else Undecodable(MAKES_FAIL)


_idle: list[Sandbox] = []
_idle_lock = threading.Lock()
_one_large_file = threading.Lock()


@contextmanager
def _borrowed() -> Iterator[Sandbox]:
    """A process that no other caller uses; it is kept for the next caller unless it is in the middle of a task."""
    with _idle_lock:
        sandbox = _idle.pop() if _idle else None
    sandbox = sandbox or Sandbox()
    try:
        yield sandbox
    finally:
        with _idle_lock:
            keep = sandbox.is_idle and len(_idle) < IDLE_KEPT
            if keep:
                _idle.append(sandbox)
        if not keep:
            sandbox.end()


def _forget() -> None:
    """A process forked from this one begins without decoding processes, because those belong to this one."""
    global _idle_lock, _one_large_file
    _idle_lock, _one_large_file = threading.Lock(), threading.Lock()
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def end_idle() -> None:
    """End the processes that wait for further files."""
    with _idle_lock:
        waiting = [_idle.pop() for _ in range(len(_idle))]
    for sandbox in waiting:
        sandbox.end()


def answers(tasks: Sequence[Task], allowance: Allowance = USUAL) -> Generator[Answer, None, None]:
    """The answer to each task, in order; while one is used, the next ones are worked on."""
    if not tasks:
        return
    with _borrowed() as sandbox:
        given = 0
        for task in tasks:
            if sandbox.has_room:
                while given < len(tasks) and sandbox.give(tasks[given], allowance.memory, allowance.seconds):
                    given += 1
            answer = sandbox.take()
            yield _with_more_memory(task, allowance) if answer.wants_memory else answer


def _with_more_memory(task: Task, allowance: Allowance) -> Answer:
    with _one_large_file, _borrowed() as sandbox:
        sandbox.give(task, allowance.most_memory, allowance.seconds)
        answer = sandbox.take()
    if answer.wants_memory and answer.fault is not None and answer.fault.fault == "too large":
        return Answer({}, fault=Undecodable(NEEDS_MORE, "too large"))
    return answer


def readings(
    paths: Sequence[str | os.PathLike[str]], allowance: Allowance = USUAL
) -> Generator[FreshReading | Undecodable, None, None]:
    """The reading of each file, in order."""
    for answer in answers([Task("reading", os.fspath(path)) for path in paths], allowance):
        yield answer.fault or _fresh(answer.found(StoredReading))


def _fresh(found: StoredReading) -> FreshReading | Undecodable:
    facts = restored(Facts, found.content)
    return Undecodable(MAKES_FAIL) if facts is None else FreshReading(found.jpeg, found.content, facts)


def headers(paths: Sequence[str | os.PathLike[str]]) -> Generator[Header | Undecodable, None, None]:
    """The header of each file, in order."""
    for answer in answers([Task("header", os.fspath(path)) for path in paths]):
        yield answer.fault or answer.found(Header)


def previews(
    paths: Sequence[str | os.PathLike[str]], sizes: Sequence[tuple[int, int] | None] | None = None
) -> Generator[Preview | None, None, None]:
    """The preview of each file, in order; None where there is none. `sizes` are those of the upright photos."""
    known = sizes or [None] * len(paths)
    tasks = [Task("preview", os.fspath(path), size) for path, size in zip(paths, known, strict=True)]
    for answer in answers(tasks):
        yield None if answer.fault is not None else answer.found(Preview | None)


def read_header(path: str | os.PathLike[str]) -> Header:
    """A picture's header; raises Undecodable."""
    (found,) = headers([path])
    if isinstance(found, Undecodable):
        raise found
    return found


def font_facts(fonts: Sequence[tuple[str, int]]) -> Generator[FontFacts | Undecodable, None, None]:
    """What each font holds, given as a file and a number in it, in order."""
    for answer in answers([Task("font", path, number=number) for path, number in fonts]):
        yield answer.fault or answer.found(FontFacts)


def draws_text(path: str, number: int, text: str, size: float) -> bool:
    """Whether a font draws a text at a size in pixels without harm."""
    (answer,) = answers([Task("text", path, number=number, text=text, size=size)])
    return answer.fault is None


def opacity(path: str | os.PathLike[str], box: tuple[int, int]) -> NDArray[np.uint8]:
    """How opaque each pixel of a picture is, shrunk to fit inside `box`; no pixels where it is opaque everywhere."""
    (answer,) = answers([Task("opacity", os.fspath(path), box)])
    if answer.fault is not None:
        raise answer.fault
    found: NDArray[np.uint8] = answer.found(NDArray[np.uint8])
    return found


def decode(
    path: str | os.PathLike[str],
    box: tuple[int, int] | None = None,
    cover: bool = False,
    allowance: Allowance = USUAL,
) -> Image.Image:
    """A picture upright in sRGB, shrunk to fit inside `box` (or to cover it), never enlarged; raises Undecodable."""
    (answer,) = answers([Task("picture", os.fspath(path), box, cover)], allowance)
    if answer.fault is not None:
        raise answer.fault
    picture: Picture = answer.found(Picture)
    image = Image.fromarray(picture.pixels)
    if picture.damage:
        image.info[DAMAGE] = picture.damage
    return image
