"""The features of a whole album: from the cache what is known, extracted what is not, then reduced together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from album_app.photos.features.extractor import Extractor, Features, Image
from album_app.photos.features.table import extractor
from album_app.work import OnProgress, Stop, check, report

if TYPE_CHECKING:
    from album_app.photos.album import Photo
    from album_app.photos.cache import Cache

CHUNK = 64
"""Thumbnails in memory at a time."""

Row = NDArray[np.float32] | None


def album_features(
    photos: Sequence[Photo],
    name: str,
    cache: Cache | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Features:
    """(n, d) finite features of the photos; one that cannot be decoded gets the mean of the others."""
    whole = extractor(name)
    total = len(photos) * len(whole.parts)
    table: list[list[Row]] = []
    for part in whole.parts:
        on_done = partial(_report_from, on_progress, len(table) * len(photos), total)
        table.append(_part_rows(photos, part, cache, on_done, stop))
    return _join(whole, table, len(photos))


def _report_from(on_progress: OnProgress | None, start: int, total: int, done: int) -> None:
    report(on_progress, start + done, total)


def _part_rows(
    photos: Sequence[Photo], part: Extractor, cache: Cache | None, on_done: Callable[[int], None], stop: Stop | None
) -> list[Row]:
    """One row per photo, None where it cannot be decoded; new rows go into the cache batch by batch."""
    check(stop)
    rows = list(cache.get_features(photos, part.key)) if cache else [None] * len(photos)
    missing = [i for i, row in enumerate(rows) if row is None]
    done = len(photos) - len(missing)
    on_done(done)
    chunk = part.batch if part.wants_originals else CHUNK
    for start in range(0, len(missing), chunk):
        some = missing[start : start + chunk]
        images = _images([photos[i] for i in some], part, cache, stop)
        for first in range(0, len(some), part.batch):
            check(stop)
            batch = list(zip(some, images, strict=True))[first : first + part.batch]
            _fill(rows, photos, part, cache, [(i, image) for i, image in batch if image is not None])
            done += len(batch)
            on_done(done)
    return rows


def _fill(
    rows: list[Row], photos: Sequence[Photo], part: Extractor, cache: Cache | None, found: list[tuple[int, Image]]
) -> None:
    """Extract the rows of one batch of pictures, given with their photos' places, and remember them."""
    if not found:
        return
    places = [i for i, _ in found]
    extracted = np.nan_to_num(part.extract([image for _, image in found]))
    for i, row in zip(places, extracted, strict=True):
        rows[i] = row
    if cache:
        cache.put_features([photos[i] for i in places], part.key, extracted)


def _images(photos: Sequence[Photo], part: Extractor, cache: Cache | None, stop: Stop | None) -> Sequence[Image | None]:
    from album_app.photos.thumbnails import load_thumbnails

    if not part.wants_originals:
        return load_thumbnails(photos, cache, stop=stop)
    originals = []
    for photo in photos:
        check(stop)
        originals.append(_original(photo))
    return originals


def _original(photo: Photo) -> Image | None:
    from album_app.photos.decode import Undecodable, decode

    try:
        return np.asarray(decode(photo.path))
    except Undecodable:
        return None


def _join(whole: Extractor, table: list[list[Row]], count: int) -> Features:
    """Reduce what the parts found side by side, and give the photos without it the mean."""
    good = [i for i in range(count) if all(rows[i] is not None for rows in table)]
    if not good:
        return np.zeros((count, whole.dimension), np.float32)
    found = np.hstack([np.stack([row for i in good if (row := rows[i]) is not None]) for rows in table])
    reduced = whole.reduce(found.astype(np.float32))
    features = np.tile(reduced.mean(axis=0, dtype=np.float64).astype(np.float32), (count, 1))
    features[good] = reduced
    return features
