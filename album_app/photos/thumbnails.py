"""Small pictures of many photos: thumbnails from the cache or decoded in threads, and previews that cameras made."""

import io
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.photos.album import Photo
from album_app.photos.cache import Cache
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.read_once import known_facts, read_once
from album_app.photos.reading import Row, Rows, is_whole_jpeg
from album_app.photos.sandbox import FreshReading, Preview, previews
from album_app.work import OnProgress, Stop, in_threads, report, tapering_batches

THUMBNAILS_AT_ONCE, PREVIEWS_AT_ONCE = 128, 64
"""Photos that a thread takes at a time."""
LEAST_PREVIEWED_PIXELS = 1_500_000
"""Photos with fewer pixels are not asked for a preview: they are read nearly as fast."""


@dataclass(frozen=True, eq=False)
class Thumbnail:
    """The thumbnail of the photo `index` as a JPEG with feature rows by their keys, or why there is none."""

    index: int
    jpeg: bytes = b""
    fault: Undecodable | None = None
    damage: str = ""
    rows: Mapping[str, Row] = field(default_factory=dict)

    @cached_property
    def pixels(self) -> NDArray[np.uint8] | None:
        """(h, w, 3); None where there are none."""
        return self.reduced(None)

    def reduced(self, side: int | None) -> NDArray[np.uint8] | None:
        """The pixels with the longest side at most `side`, decoded no larger than that needs; None without any."""
        if not self.jpeg:
            return None
        try:
            image = Image.open(io.BytesIO(self.jpeg), formats=["JPEG"])
            if side is None or max(image.size) <= side:
                return np.asarray(image)
            target = _within(image.size, side)
            image.draft(None, target)
            return np.asarray(image.resize(target, Image.Resampling.BICUBIC, reducing_gap=2.0))
        except Exception:
            return None


def _within(size: tuple[int, int], side: int) -> tuple[int, int]:
    width, height = (max(1, round(length * side / max(size))) for length in size)
    return width, height


def stream_thumbnails(
    photos: Sequence[Photo], cache: Cache | None = None, *, threads: int = 2, stop: Stop | None = None
) -> Iterator[Thumbnail]:
    """Yield the thumbnail of every photo as it becomes ready, roughly in order, holding only a few at a time."""

    def work(batch: Sequence[int]) -> Generator[Thumbnail, None, None]:
        return _batch([photos[index] for index in batch], batch[0], cache)

    return in_threads(work, tapering_batches(len(photos), THUMBNAILS_AT_ONCE), threads=threads, stop=stop)


def load_thumbnails(
    photos: Sequence[Photo],
    cache: Cache | None = None,
    *,
    threads: int = 2,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> list[NDArray[np.uint8] | None]:
    """The thumbnail of every photo, None for one that cannot be decoded."""
    pixels: list[NDArray[np.uint8] | None] = [None] * len(photos)
    report(on_progress, 0, len(photos))
    for done, item in enumerate(stream_thumbnails(photos, cache, threads=threads, stop=stop), 1):
        pixels[item.index] = item.pixels
        report(on_progress, done, len(photos))
    return pixels


def remembered_thumbnails(photos: Sequence[Photo], cache: Cache | None) -> list[NDArray[np.uint8] | None]:
    """The thumbnail of every photo that the cache knows, be its file there or not."""
    jpegs = cache.get_thumbnails(photos) if cache is not None else [None] * len(photos)
    return [Thumbnail(index, jpeg or b"").pixels for index, jpeg in enumerate(jpegs)]


def _batch(photos: Sequence[Photo], first: int, cache: Cache | None) -> Generator[Thumbnail, None, None]:
    """The thumbnails of consecutive photos, those in the cache first."""
    known = known_facts(photos, cache) or [None] * len(photos)
    jpegs = cache.get_thumbnails(photos) if cache is not None else [None] * len(photos)
    unknown = []
    for place, (facts, jpeg) in enumerate(zip(known, jpegs, strict=True)):
        if isinstance(facts, Undecodable):
            yield Thumbnail(first + place, fault=facts)
        elif facts is not None and facts.rows and jpeg is not None and is_whole_jpeg(jpeg):
            yield Thumbnail(first + place, jpeg, None, facts.damage, Rows(facts.rows))
        else:
            unknown.append(place)
    for place, found in zip(unknown, read_once([photos[place] for place in unknown], cache), strict=True):
        yield _fresh(first + place, found)


def _fresh(index: int, found: FreshReading | Undecodable) -> Thumbnail:
    if isinstance(found, Undecodable):
        return Thumbnail(index, fault=found)
    return Thumbnail(index, found.jpeg, None, found.facts.damage, Rows(found.facts.rows))


def is_worth_a_preview(photo: Photo) -> bool:
    """Whether a preview of a photo would be there much sooner than its thumbnail."""
    return photo.width * photo.height >= LEAST_PREVIEWED_PIXELS


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

    return in_threads(work, tapering_batches(len(photos), PREVIEWS_AT_ONCE), threads=threads, stop=stop)
