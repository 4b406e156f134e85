"""Reading photos in a helper process: decoding competes with nobody for the interpreter that paints the window.

The helper answers with frames: a header (what, place, rows, columns) and then the bytes of an array or a text.
"""

import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from album_app.errors import AlbumError, Stopped
from album_app.gui.state.pictures import as_pixels
from album_app.gui.state.vectors import COLOUR
from album_app.photos.helper_process import ask_helper, end_helper, hear_request, photos_of, rows_of, start_helper
from album_app.work import Stop, check

if TYPE_CHECKING:
    from album_app.gui.state.jobs import Task
    from album_app.photos.album import Photo

CHUNK = 64
HEADER = struct.Struct("<4i")
PIXELS, DAMAGED, PLACES, COLOURS, END = range(5)

Part = tuple[int, int, Any]
"""(PIXELS, place, pixels), (DAMAGED, place, reason), (COLOURS, 0, (places, rows)); a place counts photos asked for."""


def read_parts(photos: Sequence["Photo"], side: int, stop: Stop | None = None) -> Iterator[Part]:
    """Thumbnails of at most `side` one by one, and the colour features of each handful of them."""
    from album_app.photos.cache import Cache
    from album_app.photos.features import extractor
    from album_app.photos.thumbnails import stream_thumbnails

    handful: list[tuple[int, NDArray[np.uint8]]] = []
    with Cache.open() as cache:
        for done, found in enumerate(stream_thumbnails(photos, cache, stop=stop), 1):
            if found.pixels is None:
                yield DAMAGED, found.index, found.fault.reason if found.fault else "damaged"
            else:
                yield PIXELS, found.index, as_pixels(found.pixels, side)
                handful.append((found.index, found.pixels))
            if len(handful) == CHUNK or (handful and done == len(photos)):
                places, pictures = zip(*handful, strict=True)
                yield COLOURS, 0, (list(places), extractor(COLOUR).extract(pictures))
                handful = []


def read_parts_elsewhere(photos: Sequence["Photo"], side: int, task: "Task") -> Iterator[Part]:
    """The same by a helper process, which is gone when the work ends or is stopped."""
    process = start_helper("album_app.gui.state.loading.decode_process")
    task.when_stopped(process.kill)
    try:
        yield from _heard(ask_helper(process, {"photos": rows_of(photos), "side": side}), task.stop)
    finally:
        end_helper(process)


def _heard(answers: IO[bytes], stop: Stop) -> Iterator[Part]:
    places: list[int] = []
    while True:
        what, place, rows, columns = HEADER.unpack(_read(answers, HEADER.size, stop))
        if what == END:
            return
        if what == PIXELS:
            pixels = np.frombuffer(_read(answers, rows * columns * 4, stop), np.uint8)
            yield PIXELS, place, pixels.reshape(rows, columns, 4)
        elif what == DAMAGED:
            yield DAMAGED, place, _read(answers, rows, stop).decode()
        elif what == PLACES:
            places = np.frombuffer(_read(answers, 4 * rows, stop), np.int32).tolist()
        else:
            colours = np.frombuffer(_read(answers, 4 * rows * columns, stop), np.float32)
            yield COLOURS, 0, (places, colours.reshape(rows, columns))


def _read(answers: IO[bytes], size: int, stop: Stop) -> bytes:
    """So many bytes; a stop may end the helper amid them."""
    content = answers.read(size)
    check(stop)
    if len(content) < size:
        raise AlbumError("The helper process that reads photos ended early; open the album again.")
    return content


def main() -> None:
    """What the helper process does."""
    request, answers = hear_request()
    with suppress(BrokenPipeError, Stopped):
        for part in read_parts(photos_of(request["photos"]), request["side"]):
            _say(answers, part)
            answers.flush()
        answers.write(HEADER.pack(END, 0, 0, 0))
        answers.flush()
    os._exit(0)


def _say(answers: IO[bytes], part: Part) -> None:
    what, place, value = part
    if what == PIXELS:
        answers.write(HEADER.pack(PIXELS, place, value.shape[0], value.shape[1]) + value.tobytes())
    elif what == DAMAGED:
        text = value.encode()
        answers.write(HEADER.pack(DAMAGED, place, len(text), 0) + text)
    else:
        places, rows = value
        answers.write(HEADER.pack(PLACES, 0, len(places), 0) + np.asarray(places, np.int32).tobytes())
        answers.write(HEADER.pack(COLOURS, 0, *rows.shape) + rows.astype(np.float32).tobytes())


if __name__ == "__main__":
    main()
