"""The previews that cameras put into photos, for a first sheet before the photos themselves are read."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.photos.album import Photo
from album_app.photos.album_features import Row, album_rows, joined
from album_app.photos.cache import Cache
from album_app.photos.features.extractor import Features
from album_app.photos.features.table import extractor
from album_app.photos.read_once import known_rows
from album_app.photos.sandbox import Preview, previews
from album_app.work import OnProgress, Stop, in_threads, report, tapering_batches

LEAST_PIXELS = 1_500_000
"""Photos with fewer pixels are not asked for a preview: they are read nearly as fast."""
PHOTOS_AT_ONCE = 64


def is_worth_a_preview(photo: Photo) -> bool:
    """Whether a preview of a photo would be there much sooner than its thumbnail."""
    return photo.width * photo.height >= LEAST_PIXELS


def stream_previews(
    photos: Sequence[Photo], *, threads: int = 2, stop: Stop | None = None
) -> Iterator[tuple[int, Preview]]:
    """Yield the previews of photos that have one, by the places of the photos, roughly in order."""

    def work(batch: Sequence[int]) -> Generator[tuple[int, Preview], None, None]:
        some = [photos[place] for place in batch]
        found = previews([photo.path for photo in some], [(photo.width, photo.height) for photo in some])
        for place, preview in zip(batch, found, strict=True):
            if preview is not None:
                yield place, preview

    return in_threads(work, tapering_batches(len(photos), PHOTOS_AT_ONCE), threads=threads, stop=stop)


@dataclass(frozen=True, eq=False)
class Draft:
    """Features of an album by previews, and the pixels of those previews by photo; other photos were read whole."""

    features: Features
    pixels: dict[int, NDArray[np.uint8]]


def draft_of(
    photos: Sequence[Photo],
    name: str,
    cache: Cache | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Draft:
    """The features of a whole album by the previews of its large photos; small ones and those without one are read.

    Only features that come with a thumbnail can be had so: `rgb` and `lab`.
    """
    whole = extractor(name)
    rows: list[Row] = list(known_rows(photos, whole.key, cache))
    large = [i for i, row in enumerate(rows) if row is None and is_worth_a_preview(photos[i])]
    pixels = {}
    for place, preview in stream_previews([photos[i] for i in large], stop=stop):
        rows[large[place]], pixels[large[place]] = preview.rows[whole.key], preview.pixels
        report(on_progress, len(pixels), len(photos))
    rest = [i for i, row in enumerate(rows) if row is None]
    for i, row in zip(rest, album_rows([photos[i] for i in rest], whole, cache, stop=stop), strict=True):
        rows[i] = row
    report(on_progress, len(photos), len(photos))
    return Draft(joined(whole, [rows], len(photos)), pixels)
