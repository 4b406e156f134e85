"""Thumbnails of many photos: from the cache where it has them, decoded in threads where not."""

import io
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.photos.album import Album, Photo
from album_app.photos.cache import Cache
from album_app.photos.decode import Undecodable, thumbnail
from album_app.photos.in_threads import batches_of, in_threads
from album_app.work import OnProgress, Stop, report

JPEG_QUALITY = 90
PHOTOS_AT_ONCE = 16


@dataclass(frozen=True, eq=False)
class Thumbnail:
    """The pixels of the photo `index`, or why there are none."""

    index: int
    pixels: NDArray[np.uint8] | None
    fault: Undecodable | None = None


def stream_thumbnails(
    photos: Sequence[Photo], cache: Cache | None = None, *, threads: int = 2, stop: Stop | None = None
) -> Iterator[Thumbnail]:
    """Yield the thumbnail of every photo as it becomes ready, roughly in order, holding only a few at a time."""

    def work(batch: Sequence[int]) -> Generator[Thumbnail, None, None]:
        return _batch([photos[index] for index in batch], batch[0], cache)

    return in_threads(work, batches_of(len(photos), PHOTOS_AT_ONCE), threads=threads, stop=stop)


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


def readable(album: Album, cache: Cache | None = None, *, on_progress: OnProgress | None = None) -> Album:
    """The album without the photos whose pixels turn out to be damaged; those join the skipped ones.

    A scan reads headers alone, so a truncated file is noticed only here, where every thumbnail is made (and cached).
    """
    faults = {}
    report(on_progress, 0, len(album))
    for done, item in enumerate(stream_thumbnails(album.photos, cache), 1):
        if item.fault is not None:
            faults[item.index] = item.fault
        report(on_progress, done, len(album))
    return album.without(faults)


def _batch(photos: Sequence[Photo], first: int, cache: Cache | None) -> Generator[Thumbnail, None, None]:
    """The thumbnails of consecutive photos; fresh ones go to the cache at the end, even when that comes early."""
    known = cache.get_thumbnails(photos) if cache is not None else [None] * len(photos)
    fresh: list[tuple[Photo, bytes]] = []
    try:
        for index, (photo, jpeg) in enumerate(zip(photos, known, strict=True), first):
            pixels = _from_jpeg(jpeg) if jpeg is not None else None
            if pixels is not None:
                yield Thumbnail(index, pixels)
                continue
            try:
                pixels = thumbnail(photo.path)
            except Undecodable as fault:
                yield Thumbnail(index, None, fault)
                continue
            if cache is not None:
                fresh.append((photo, _to_jpeg(pixels)))
                pixels = _from_jpeg(fresh[-1][1])  # what the next run will see, so that its features are the same
            yield Thumbnail(index, pixels)
    finally:
        if cache is not None and fresh:
            cache.put_thumbnails([photo for photo, _ in fresh], [jpeg for _, jpeg in fresh])


def _to_jpeg(pixels: NDArray[np.uint8]) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "JPEG", quality=JPEG_QUALITY)
    return stream.getvalue()


def _from_jpeg(jpeg: bytes) -> NDArray[np.uint8] | None:
    """The pixels of a cached thumbnail; None if it is damaged."""
    try:
        return np.asarray(Image.open(io.BytesIO(jpeg), formats=["JPEG"]))
    except Exception:
        return None
