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

HANDFUL_PHOTOS, HANDFUL_SECONDS = 64, 0.05
"""A handful is handed over when it holds this many photos or is this old, so that pictures appear steadily."""
FEWEST_PREVIEWS = 24
"""With fewer large photos than this no previews are read first."""

Row = NDArray[np.float32]
Found = TypeVar("Found")


@dataclass(frozen=True)
class Wanted:
    """Photos to read: thumbnails of at most `side` pixels, and rows of the features `colour`, in handfuls."""

    photos: Sequence[Photo]
    side: int
    colour: str
    known: frozenset[int] = frozenset()  # places of photos whose rows are known, so that they are left out
    handful_photos: int = HANDFUL_PHOTOS  # the most photos of one handful


@dataclass(frozen=True, eq=False)
class Handful:
    """What was found out about some photos, by their places among the photos that were asked for.

    A photo that was read has either a picture or a fault. Before it is read it may have a preview with rough colours.
    """

    pictures: dict[int, Pixels] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)  # why a photo has no picture
    flaws: dict[int, str] = field(default_factory=dict)  # which part of a picture is missing
    colours: dict[int, Row] = field(default_factory=dict)
    foci: dict[int, Focus] = field(default_factory=dict)  # what the crops of a photo have to keep
    previews: dict[int, Pixels] = field(default_factory=dict)
    rough_colours: dict[int, Row] = field(default_factory=dict)  # computed from the previews

    def __len__(self) -> int:
        return len(self.pictures) + len(self.faults)

    def of(self, photos: Sequence[int]) -> "Handful":
        """This handful by photo indices: `photos` has the index of the photo at each place."""
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
        """Add a thumbnail of at most `side` pixels, and its row of the features `colour` unless that is known."""
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
    """The rows of the features `colour` and the foci that the cache has, by place."""
    with Cache.open() as cache:
        rows = known_rows(photos, extractor(colour).key, cache)
        colours = {place: row for place, row in enumerate(rows) if row is not None}
        return Handful(colours=colours, foci=known_focus(photos, cache))


def read_previews(wanted: Wanted, fewest: int = FEWEST_PREVIEWS, stop: Stop | None = None) -> Iterator[Handful]:
    """Previews of the large photos whose rows are not known, with rough rows; none for fewer than `fewest` photos."""
    from album_app.photos.previews import is_worth_a_preview, stream_previews

    photos = wanted.photos
    places = [i for i, photo in enumerate(photos) if i not in wanted.known and is_worth_a_preview(photo)]
    if len(places) < fewest:
        return
    key = extractor(wanted.colour).key
    handful, since = Handful(), time.monotonic()
    for found, preview in stream_previews([photos[place] for place in places], stop=stop):
        handful.previews[places[found]] = as_pixels(preview.pixels, wanted.side)
        handful.rough_colours[places[found]] = preview.rows[key]
        if len(handful.previews) >= wanted.handful_photos or time.monotonic() - since > HANDFUL_SECONDS:
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
            if len(handful) >= wanted.handful_photos or time.monotonic() - since > HANDFUL_SECONDS:
                yield handful
                handful, since = Handful(), time.monotonic()
        if len(handful):
            yield handful


def read_handfuls_elsewhere(wanted: Wanted, stop: Stop | None = None) -> Iterator[Handful]:
    """What `read_handfuls` yields, read by a helper process, which ends with the work or when it is stopped."""
    return answers_of(read_wanted, wanted, mark("that reads photos"), stop=stop)


def read_wanted(request: Wanted, on_progress: OnProgress) -> Iterator[Handful]:
    """What the helper process runs: `read_handfuls`."""
    return read_handfuls(request)
