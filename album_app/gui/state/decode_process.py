"""Reading photos in a helper process: decoding does not slow down the interpreter that paints the window."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from album_app.gui.state.pictures import Pixels, as_pixels
from album_app.language import mark
from album_app.photos.album import Photo
from album_app.photos.cache import Cache
from album_app.photos.faces import Focus, known_focus
from album_app.photos.features import extractor
from album_app.photos.helper_process import answers_of
from album_app.photos.read_once import known_rows
from album_app.photos.thumbnails import Thumbnail, stream_thumbnails
from album_app.work import OnProgress, Stop

MOST_AT_ONCE = 64
FEWEST_PREVIEWS = 24
"""Fewer large photos are read without looking at previews first."""
SECONDS_AT_ONCE = 0.05
"""A handful is handed over when it holds this many pictures, or after this many seconds."""

Row = NDArray[np.float32]
Found = TypeVar("Found")


@dataclass(frozen=True)
class Wanted:
    """Photos to read: thumbnails of at most `side`, and rows of the features `colour` but for the known places."""

    photos: Sequence[Photo]
    side: int
    colour: str
    known: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class Handful:
    """What was found out about some photos, by their places among those asked for.

    A photo has a picture or a fault, its reason; flaws are words on what is missing of a picture; foci are what its
    crops keep. Before that it may have a preview, whose colours are rough.
    """

    pictures: dict[int, Pixels] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    flaws: dict[int, str] = field(default_factory=dict)
    colours: dict[int, Row] = field(default_factory=dict)
    foci: dict[int, Focus] = field(default_factory=dict)
    previews: dict[int, Pixels] = field(default_factory=dict)
    rough_colours: dict[int, Row] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.pictures) + len(self.faults)

    def of(self, photos: Sequence[int]) -> "Handful":
        """The same, by the photos that the places stand for."""
        return Handful(
            _of(photos, self.pictures),
            _of(photos, self.faults),
            _of(photos, self.flaws),
            _of(photos, self.colours),
            _of(photos, self.foci),
            _of(photos, self.previews),
            _of(photos, self.rough_colours),
        )

    def add(self, found: Thumbnail, side: int, colour: str, is_known: bool) -> None:
        """Take in a thumbnail, at most `side` large, and its row of the features `colour` unless that is known."""
        pixels = found.reduced(side)
        if pixels is None:
            self.faults[found.index] = found.fault.reason if found.fault else "damaged"
            return
        self.pictures[found.index] = as_pixels(pixels, side)
        if found.damage:
            self.flaws[found.index] = found.damage
        if not is_known:
            self.colours[found.index] = found.rows[colour]


def _of(photos: Sequence[int], found: dict[int, Found]) -> dict[int, Found]:
    return {photos[place]: value for place, value in found.items()}


def known_colours(photos: Sequence[Photo], colour: str) -> Handful:
    """The rows of the features `colour` that the cache has, and the foci, by place."""
    with Cache.open() as cache:
        rows = known_rows(photos, extractor(colour).key, cache)
        colours = {place: row for place, row in enumerate(rows) if row is not None}
        return Handful(colours=colours, foci=known_focus(photos, cache))


def read_previews(wanted: Wanted, stop: Stop | None = None) -> Iterator[Handful]:
    """Previews of the large photos that are not known, and rough rows by them, where it is worth the while."""
    from album_app.photos.previews import is_worth_a_preview, stream_previews

    photos = wanted.photos
    places = [i for i, photo in enumerate(photos) if i not in wanted.known and is_worth_a_preview(photo)]
    if len(places) < FEWEST_PREVIEWS:
        return
    key = extractor(wanted.colour).key
    handful, since = Handful(), time.monotonic()
    for found, preview in stream_previews([photos[place] for place in places], stop=stop):
        handful.previews[places[found]] = as_pixels(preview.pixels, wanted.side)
        handful.rough_colours[places[found]] = preview.rows[key]
        if len(handful.previews) >= MOST_AT_ONCE or time.monotonic() - since > SECONDS_AT_ONCE:
            yield handful
            handful, since = Handful(), time.monotonic()
    if handful.previews:
        yield handful


def read_handfuls(wanted: Wanted, stop: Stop | None = None) -> Iterator[Handful]:
    """The photos' thumbnails as they become ready, and the rows that are not known."""
    key = extractor(wanted.colour).key
    with Cache.open() as cache:
        handful, since = Handful(), time.monotonic()
        for found in stream_thumbnails(wanted.photos, cache, stop=stop):
            handful.add(found, wanted.side, key, found.index in wanted.known)
            if len(handful) >= MOST_AT_ONCE or time.monotonic() - since > SECONDS_AT_ONCE:
                yield handful
                handful, since = Handful(), time.monotonic()
        if len(handful):
            yield handful


def read_handfuls_elsewhere(wanted: Wanted, stop: Stop | None = None) -> Iterator[Handful]:
    """The same by a helper process, which is gone when the work ends or is stopped."""
    return answers_of(read_wanted, wanted, mark("that reads photos"), stop=stop)


def read_wanted(request: Wanted, on_progress: OnProgress) -> Iterator[Handful]:
    """In a helper process: `read_handfuls`."""
    return read_handfuls(request)
