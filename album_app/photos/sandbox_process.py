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

from album_app.language import mark, packed_text
from album_app.photos.decoding.decode import DAMAGE, NeedsMemory, Undecodable, decode, opened
from album_app.photos.decoding.font_facts import packed as packed_font
from album_app.photos.decoding.font_facts import read_font, try_text
from album_app.photos.decoding.header import read_header
from album_app.photos.decoding.limits import limits
from album_app.photos.decoding.preview import preview_in
from album_app.photos.helper_process import Message, answer_pipe, receive, send
from album_app.photos.reading import colour_rows, packed, read

MOST_NOISE = 2000

Answer = tuple[Message, tuple[NDArray[Any], ...]]


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
            task = receive(sys.stdin.buffer)
            held.begin(task["memory"], task["seconds"])
            message, arrays = _answer(task)
            send(answers, message | {"noise": _noise()}, *arrays)
    except (EOFError, BrokenPipeError):
        os._exit(0)


def _answer(task: Message) -> Answer:
    try:
        return TASKS[task["what"]](task)
    except Undecodable as fault:
        return {"reason": packed_text(fault.reason), "fault": fault.fault, "more": isinstance(fault, NeedsMemory)}, ()
    except MemoryError:
        return {"reason": mark("too large for the memory"), "fault": "too large", "more": True}, ()


def _header(task: Message) -> Answer:
    return {"header": read_header(task["path"]).packed()}, ()


def _reading(task: Message) -> Answer:
    return packed(read(task["path"]))


def _picture(task: Message) -> Answer:
    image = decode(task["path"], task["box"], task["cover"])
    return {"damage": packed_text(image.info.get(DAMAGE, ""))}, (np.asarray(image),)


def _preview(task: Message) -> Answer:
    """The pixels of a preview and the rows of cheap features by it; no arrays where there is none."""
    preview = preview_in(task["path"], task["box"])
    if preview is None:
        return {}, ()
    pixels = np.asarray(preview)
    return {}, (pixels, *colour_rows(pixels))


def _opacity(task: Message) -> Answer:
    """How opaque each pixel is; an array without pixels for a picture that is opaque everywhere."""
    with opened(task["path"]) as image:
        image.thumbnail(task["box"])
        if not image.has_transparency_data:
            return {}, (np.zeros((0, 0), np.uint8),)
        return {}, (np.asarray(image.convert("RGBA").getchannel("A")),)


def _font(task: Message) -> Answer:
    return packed_font(read_font(task["path"], task["number"])), ()


def _text(task: Message) -> Answer:
    try_text(task["path"], task["number"], task["text"], task["size"])
    return {}, ()


TASKS: dict[str, Callable[[Message], Answer]] = {
    "header": _header,
    "reading": _reading,
    "picture": _picture,
    "preview": _preview,
    "opacity": _opacity,
    "font": _font,
    "text": _text,
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
