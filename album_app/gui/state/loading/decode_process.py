"""Reading photos in a helper process: decoding competes with nobody for the interpreter that paints the window."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from album_app.gui.state.pictures import as_pixels
from album_app.gui.state.vectors import COLOUR
from album_app.photos.album import photos_of, rows_of
from album_app.photos.helper_process import Message, Say, answers_of, serve
from album_app.work import Stop

if TYPE_CHECKING:
    from album_app.photos.album import Photo

CHUNK = 64
PIXELS, DAMAGED, FLAWED, COLOURS = range(4)

Part = tuple[int, int, Any]
"""(PIXELS, place, pixels), (DAMAGED, place, reason), (COLOURS, 0, (places, rows)); a place counts photos asked for.

(FLAWED, place, words) comes before the pixels of a photo of which something is missing.
"""


def read_parts(photos: Sequence["Photo"], side: int, stop: Stop | None = None) -> Iterator[Part]:
    """Colour features that are known at once, then thumbnails of at most `side` one by one, with the other colours."""
    from album_app.photos.cache import Cache
    from album_app.photos.features import extractor
    from album_app.photos.read_once import known_rows
    from album_app.photos.thumbnails import stream_thumbnails

    key = extractor(COLOUR).key
    with Cache.open() as cache:
        known = known_rows(photos, key, cache)
        handful = {place: row for place, row in enumerate(known) if row is not None}
        if handful:
            yield _colours(handful)
        handful = {}
        for done, found in enumerate(stream_thumbnails(photos, cache, stop=stop), 1):
            if found.pixels is None:
                yield DAMAGED, found.index, found.fault.reason if found.fault else "damaged"
            else:
                if found.damage:
                    yield FLAWED, found.index, found.damage
                yield PIXELS, found.index, as_pixels(found.pixels, side)
                handful |= {} if known[found.index] is not None else {found.index: found.rows[key]}
            if len(handful) == CHUNK or (handful and done == len(photos)):
                yield _colours(handful)
                handful = {}


def _colours(rows: "dict[int, NDArray[np.float32]]") -> Part:
    return COLOURS, 0, (list(rows), np.stack(list(rows.values())))


def read_parts_elsewhere(photos: Sequence["Photo"], side: int, stop: Stop | None = None) -> Iterator[Part]:
    """The same by a helper process, which is gone when the work ends or is stopped."""
    request = {"photos": rows_of(photos), "side": side}
    for message in answers_of(__name__, request, "that reads photos", stop=stop):
        what, place, value = message["part"]
        if what == PIXELS:
            (value,) = message["arrays"]
        elif what == COLOURS:
            value = value, *message["arrays"]
        yield what, place, value


def _work(request: Message, say: Say) -> None:
    """What the helper process does."""
    for what, place, value in read_parts(photos_of(request["photos"]), request["side"]):
        if what == PIXELS:
            say({"part": (what, place, None)}, value)
        elif what == COLOURS:
            places, rows = value
            say({"part": (what, place, places)}, rows)
        else:
            say({"part": (what, place, value)})


if __name__ == "__main__":
    serve(_work)
