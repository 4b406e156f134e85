"""What a decoding process does: one task after the other, each within its limits, until its parent is gone.

Linux enforces the limits: memory is refused, and a process that takes too long is ended. Elsewhere a thread watches
them and ends the process, whose exit code says why. What is logged and what libraries write to standard error goes
into the answer to the task.
"""

import logging
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import AvifImagePlugin

from album_app.language import mark
from album_app.memory import PROCESS, resident_bytes
from album_app.photos.decoding.decode import DAMAGE, MOST_MEMORY, NeedsMemory, Undecodable, decode, opened
from album_app.photos.decoding.font_facts import read_font, try_text
from album_app.photos.decoding.header import read_header
from album_app.photos.decoding.preview import preview_in
from album_app.photos.helper_process import Message, answer_pipe, receive, send
from album_app.photos.reading import COLOUR_KEYS, colour_rows, read
from album_app.photos.records import Arrays, packed, stored, unpacked
from album_app.photos.sandbox import TOO_LARGE, TOO_SLOW, Picture, Preview, StoredReading, Task

MOST_NOISE = 2000
"""Bytes of standard error that go into an answer."""
SECONDS_BETWEEN_LOOKS = 0.05
"""How often the thread that watches the limits looks at them."""

Answer = tuple[Message, Arrays]


class Enforced:
    """Limits that the system holds."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise NotImplementedError
        import resource

        self._before = int((PROCESS / "statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        self._set: dict[int, int] = {}

    def begin(self, memory: int, seconds: int) -> None:
        """Begin a new file: grant it this many further bytes and seconds."""
        if sys.platform != "linux":
            raise NotImplementedError
        import resource

        ends = math.ceil(time.process_time()) + seconds
        for what, limit in ((resource.RLIMIT_AS, self._before + memory), (resource.RLIMIT_CPU, ends)):
            if self._set.get(what) == limit:
                continue  # files are many, and each limit takes two calls to the system
            hard = resource.getrlimit(what)[1]
            resource.setrlimit(what, (limit if hard < 0 else min(limit, hard), hard))
            self._set[what] = limit


class Watched:
    """Limits that a thread of the process watches over."""

    def __init__(self) -> None:
        self._before = resident_bytes()
        self._memory = MOST_MEMORY
        self._ends = math.inf
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, memory: int, seconds: int) -> None:
        """Begin a new file: grant it this many further bytes and seconds."""
        self._memory, self._ends = memory, time.process_time() + seconds

    def _watch(self) -> None:
        while True:
            time.sleep(SECONDS_BETWEEN_LOOKS)
            if resident_bytes() - self._before > self._memory:
                os._exit(TOO_LARGE)
            if time.process_time() > self._ends:
                os._exit(TOO_SLOW)


def limits() -> Enforced | Watched:
    """The limits of this process, in the strictest way the platform has."""
    return Enforced() if sys.platform == "linux" else Watched()


def main() -> None:
    """Answer tasks from standard input."""
    answers = answer_pipe()
    logging.basicConfig(
        level=logging.INFO, format="%(message)s"
    )  # to standard error, which the parent process writes to its log
    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
    held = limits()
    try:
        while True:
            request = receive(sys.stdin.buffer)
            held.begin(request["memory"], request["seconds"])
            message, arrays = _answer(unpacked(Task, request["task"], ()))
            send(answers, message | {"noise": _noise()}, *arrays)
    except (EOFError, BrokenPipeError):
        os._exit(0)


def _answer(task: Task) -> Answer:
    try:
        arrays: Arrays = []
        return {"found": packed(TASKS[task.what](task), arrays)}, arrays
    except Undecodable as fault:
        return {"fault": packed(fault, []), "more": isinstance(fault, NeedsMemory)}, []
    except MemoryError:
        return {"fault": packed(Undecodable(mark("too large for the memory"), "too large"), []), "more": True}, []


def _stored_reading(task: Task) -> StoredReading:
    reading = read(task.path)
    return StoredReading(reading.jpeg, stored(reading.facts))


def _picture(task: Task) -> Picture:
    image = decode(task.path, task.box, task.cover)
    return Picture(np.asarray(image), image.info.get(DAMAGE, ""))


def _preview(task: Task) -> Preview | None:
    preview = preview_in(task.path, task.box)
    if preview is None:
        return None
    pixels = np.asarray(preview)
    return Preview(pixels, dict(zip(COLOUR_KEYS, colour_rows(pixels), strict=True)))


def _opacity(task: Task) -> NDArray[np.uint8]:
    """How opaque each pixel is; an array without pixels for a picture that is opaque everywhere."""
    with opened(task.path) as image:
        image.thumbnail(task.box or image.size)
        if not image.has_transparency_data:
            return np.zeros((0, 0), np.uint8)
        return np.asarray(image.convert("RGBA").getchannel("A"))


TASKS: dict[str, Callable[[Task], Any]] = {
    "header": lambda task: read_header(task.path),
    "reading": _stored_reading,
    "picture": _picture,
    "preview": _preview,
    "opacity": _opacity,
    "font": lambda task: read_font(task.path, task.number),
    "text": lambda task: try_text(task.path, task.number, task.text, task.size),
}


def _noise() -> str:
    """What was written to standard error since the last answer; it is a file, which is emptied."""
    if not os.fstat(2).st_size:
        return ""
    os.lseek(2, 0, os.SEEK_SET)
    text = os.read(2, MOST_NOISE)
    os.ftruncate(2, 0)
    os.lseek(2, 0, os.SEEK_SET)
    return text.decode(errors="replace")


if __name__ == "__main__":
    main()
