"""The features of a whole album: from the cache or extracted, then reduced together, here or by a helper process.

A draft of them is made of the previews in large photos, for a first sheet before the photos themselves are read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from album_app.language import mark
from album_app.photos.album import CachedPhotos, Photo
from album_app.photos.cache import Cache
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.features.extractor import Extractor, Features, Image
from album_app.photos.features.table import extractor
from album_app.photos.features.vectors import Vectors
from album_app.photos.helper_process import ONE_THREAD, answers_of
from album_app.photos.read_once import known_rows
from album_app.photos.sandbox import decode
from album_app.photos.thumbnails import is_worth_a_preview, stream_previews, stream_thumbnails
from album_app.work import OnProgress, Stop, batches_of, check, report

THUMBNAILS_AT_ONCE = 64
"""Thumbnails that are held in memory at a time."""

Row = NDArray[np.float32] | None


def album_features(
    photos: Sequence[Photo],
    name: str,
    cache: Cache | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Features:
    """(n, d) finite features of the photos; one that cannot be decoded gets the mean of the others.

    >>> from PIL import Image
    >>> from album_app.photos import open_album
    >>> Image.new("RGB", (30, 20), "white").save("snow.png")
    >>> features = album_features(open_album(".").photos, "rgb")
    >>> features.shape, float(features.min())
    ((1, 192), 1.0)
    """
    whole = extractor(name)
    if isinstance(whole, Vectors):
        return whole.rows_of([photo.name for photo in photos])
    return joined(whole, _rows_of_parts(photos, whole, cache, on_progress, stop), len(photos))


def rows_remark(photos: Sequence[Photo], name: str) -> str:
    """A sentence where rows of a file of vectors may belong to other photos than people expect; usually empty."""
    whole = extractor(name)
    return whole.order_remark([photo.name for photo in photos]) if isinstance(whole, Vectors) else ""


def album_rows(
    photos: Sequence[Photo],
    part: Extractor,
    cache: Cache | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> list[Row]:
    """The row of every photo as the extractor gives it; None for one that cannot be decoded."""
    (rows,) = _rows_of_parts(photos, part, cache, on_progress, stop)
    return rows


def _rows_of_parts(
    photos: Sequence[Photo],
    whole: Extractor,
    cache: Cache | None,
    on_progress: OnProgress | None,
    stop: Stop | None,
) -> list[list[Row]]:
    """The rows of all photos for each part of an extractor: those in the cache, and the others extracted."""
    check(stop)
    known = [list(known_rows(photos, part.key, cache)) for part in whole.parts]
    missing = [i for i in range(len(photos)) if any(rows[i] is None for rows in known)]
    done = len(photos) - len(missing)
    report(on_progress, done, len(photos))
    batch_size = min(part.batch for part in whole.parts)
    for chunk in batches_of(len(missing), batch_size if whole.wants_originals else THUMBNAILS_AT_ONCE):
        places = [missing[i] for i in chunk]
        if whole.wants_originals:
            images = _originals(photos, places, stop)
        else:
            images = _thumbnails(photos, places, whole, known, cache, stop)
        for batch in batches_of(len(places), batch_size):
            check(stop)
            found = {places[i]: images[places[i]] for i in batch if places[i] in images}
            for part, rows in zip(whole.parts, known, strict=True):
                _extract(part, rows, found, photos, cache)
            done += len(batch)
            report(on_progress, done, len(photos))
    return known


def _originals(photos: Sequence[Photo], places: Sequence[int], stop: Stop | None) -> dict[int, Image]:
    """The photos at full size, without those that cannot be decoded."""
    found = {}
    for place in places:
        check(stop)
        image = _original(photos[place])
        if image is not None:
            found[place] = image
    return found


def _thumbnails(
    photos: Sequence[Photo],
    places: Sequence[int],
    whole: Extractor,
    known: Sequence[list[Row]],
    cache: Cache | None,
    stop: Stop | None,
) -> dict[int, Image]:
    """Fill in the rows that come with thumbnails; gives the thumbnails of the photos that still lack rows."""
    found = {}
    for item in stream_thumbnails([photos[place] for place in places], cache, stop=stop):
        place = places[item.index]
        for part, rows in zip(whole.parts, known, strict=True):
            rows[place] = item.rows.get(part.key, rows[place])
        if any(rows[place] is None for rows in known) and item.pixels is not None:
            found[place] = item.pixels
    return found


def _original(photo: Photo) -> Image | None:
    try:
        return np.asarray(decode(photo.path))
    except Undecodable:
        return None


def _extract(
    part: Extractor, rows: list[Row], found: dict[int, Image], photos: Sequence[Photo], cache: Cache | None
) -> None:
    """Fill in the rows that one part of the extractor lacks of a batch of pictures, and remember them."""
    wanted = [i for i in found if rows[i] is None]
    if not wanted:
        return
    extracted = np.nan_to_num(part.extract([found[i] for i in wanted]))
    for i, row in zip(wanted, extracted, strict=True):
        rows[i] = row
    if cache is not None:
        for key, rows_of_key in {part.key: extracted, **part.by_products(extracted)}.items():
            cache.put_features([photos[i] for i in wanted], key, rows_of_key)


def joined(whole: Extractor, known: list[list[Row]], count: int) -> Features:
    """The rows of all parts joined and reduced; a photo that lacks a row gets the mean of the others."""
    complete = {i: row for i in range(count) if (row := _side_by_side([rows[i] for rows in known])) is not None}
    if not complete:
        return np.zeros((count, whole.dimension), np.float32)
    reduced = whole.reduce(np.stack(list(complete.values())))
    if len(complete) == count:
        return reduced
    features = np.tile(reduced.mean(axis=0, dtype=np.float64).astype(np.float32), (count, 1))
    features[list(complete)] = reduced
    return features


def _side_by_side(parts: Sequence[Row]) -> Row:
    known = [row for row in parts if row is not None]
    if len(known) < len(parts):
        return None
    return known[0] if len(known) == 1 else np.concatenate(known)


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

    This works for the features that come with a preview: `rgb` and `lab`.
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


def extract_in_process(
    photos: Sequence[Photo],
    name: str,
    cache_folder: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Features:
    """`album_features` worked out by another process, with the cache in `cache_folder` (None: the usual one)."""
    (features,) = answers_of(
        extract_features,
        NamedFeatures(tuple(photos), cache_folder, name),
        mark("for features"),
        settings=ONE_THREAD,
        on_progress=on_progress,
        stop=stop,
    )
    return features


@dataclass(frozen=True)
class NamedFeatures(CachedPhotos):
    """A request for the features called `name`."""

    name: str = ""


def extract_features(request: NamedFeatures, on_progress: OnProgress) -> Iterator[Features]:
    """In a helper process: `album_features`."""
    with Cache.open(request.cache_folder) as cache:
        yield album_features(request.photos, request.name, cache, on_progress=on_progress)
