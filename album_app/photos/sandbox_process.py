"""What a decoding process does: one task after the other, each within its limits, until its parent is gone.

What is logged and what libraries write to standard error meanwhile goes into the answers.
"""

import logging
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import AvifImagePlugin

from album_app.language import mark
from album_app.photos.decoding.decode import DAMAGE, NeedsMemory, Undecodable, decode, opened
from album_app.photos.decoding.font_facts import read_font, try_text
from album_app.photos.decoding.header import read_header
from album_app.photos.decoding.limits import limits
from album_app.photos.decoding.preview import preview_in
from album_app.photos.helper_process import Message, answer_pipe, receive, send
from album_app.photos.reading import COLOUR_KEYS, colour_rows, read
from album_app.photos.records import Arrays, packed, stored, unpacked
from album_app.photos.sandbox import Picture, Preview, StoredReading, Task

MOST_NOISE = 2000

Answer = tuple[Message, Arrays]


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
