"""How good photos are in comparison with each other: sharp, rich in contrast, well exposed, large, and rated by people.

Nothing of it is absolute: each measure counts by its rank among the photos of the album.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from album_app.photos.album import Photo
from album_app.photos.cache import Cache
from album_app.photos.decoding.measures import CLIPPED, CONTRAST, LAPLACIAN, QUALITY_KEY
from album_app.photos.faces import known_focus
from album_app.photos.read_once import known_rows
from album_app.photos.thumbnails import stream_thumbnails
from album_app.work import OnProgress, Stop, report

Reals = NDArray[np.float32]

RANK_EXPONENTS = (1.3, 2.7, 0.5)
"""How much the ranks of sharpness, contrast and the number of pixels count: their exponents in a product.

Chosen on 60 of 1,000 ImageNet samples, of 1,500 Caltech photos and of 500 of BSDS: photos that stand for others by
colour have little contrast, so it counts most. The lowest of the six percentiles is 0.617; with 1 and 3, or with 1.5
and 2.5 for the first two, it is 0.602 and 0.616. A product asks for both: for 0.01 less in the percentile of contrast,
a sum of the ranks with the weights 1, 4 and 0.5 loses 0.04 in that of sharpness.
"""
MUCH_CLIPPED = 0.4
"""Share of pixels that are all black or all white from which on a photo counts as badly exposed."""
MOST_QUALITY = 0.999
"""Below 1, so that a photo that is too small has a quality below 0 in any case."""


def quality_of(
    photos: Sequence[Photo],
    cache: Cache | None = None,
    *,
    least_side: float = 0.0,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Reals:
    """(n,) from 0 to 1: how good each photo is among these; photos that the cache does not know are read.

    Where the sharpness of a face is known, it counts instead of that of the whole photo: a background may be blurred,
    or be sharp behind a blurred face. Faces are not looked for here: the window does so later.
    A photo whose shorter side has fewer pixels than `least_side` is too small, however good it is otherwise: its
    quality is less by 1, so that it lies below 0.
    """
    rows = list(known_rows(photos, QUALITY_KEY, cache))
    missing = [place for place, row in enumerate(rows) if row is None]
    report(on_progress, len(photos) - len(missing), len(photos))
    for done, item in enumerate(stream_thumbnails([photos[place] for place in missing], cache, stop=stop), 1):
        rows[missing[item.index]] = item.rows.get(QUALITY_KEY)
        report(on_progress, len(photos) - len(missing) + done, len(photos))
    measures = np.array([np.zeros(3) if row is None else row for row in rows], np.float32).reshape(-1, 3)
    faces = np.zeros(len(photos), np.float32)
    for place, focus in (known_focus(photos, cache) if cache is not None else {}).items():
        faces[place] = focus.sharpness
    return _combined(photos, measures, faces, least_side)


def _combined(photos: Sequence[Photo], measures: Reals, faces: Reals, least_side: float) -> Reals:
    sides = np.array([min(photo.width, photo.height) for photo in photos], np.float32)
    size = ranks(np.array([photo.width * photo.height for photo in photos], np.float32))
    sharp, there = ranks(measures[:, LAPLACIAN]), faces > 0
    sharp[there] = ranks(faces[there])
    measured = [sharp, ranks(measures[:, CONTRAST]), np.asarray((1 + size) / 2, np.float32)]
    quality = np.ones(len(photos), np.float32)
    for part, rank in zip(RANK_EXPONENTS, measured, strict=True):
        quality *= rank ** (part / sum(RANK_EXPONENTS))
    whole = np.array([0.5 if photo.damage else 1.0 for photo in photos], np.float32)
    best = np.clip(quality * exposures(measures[:, CLIPPED]) + stars(photos), 0.0, MOST_QUALITY) * whole
    return np.asarray(np.where(sides < least_side, best - 1, best), np.float32)


def exposures(clipped: Reals) -> Reals:
    """From 0.5 to 1: how well photos are exposed by the share of their pixels that are all black or all white.

    >>> exposures(np.array([0.25, 0.65], np.float32)).tolist()
    [1.0, 0.75]
    """
    return np.asarray(np.clip(1 - (clipped - MUCH_CLIPPED), 0.5, 1.0), np.float32)


def stars(photos: Sequence[Photo]) -> Reals:
    """What ratings add to the quality of photos: 0 for 3 stars or none, 0.5 for 5 stars, -1 for a rejected photo."""
    ratings = np.array([photo.metadata.rating for photo in photos], np.float32)
    found = np.where(ratings > 0, (ratings - 3) / 4, np.where(ratings < 0, -1.0, 0.0))
    return np.asarray(found, np.float32)


def ranks(values: Reals) -> Reals:
    """The share of the values that are smaller than each, equal ones counted by half.

    >>> ranks(np.array([5.0, 1.0, 5.0, 9.0], np.float32)).tolist()
    [0.5, 0.125, 0.5, 0.875]
    """
    ascending = np.sort(values)
    below, upto = np.searchsorted(ascending, values, "left"), np.searchsorted(ascending, values, "right")
    shares: Reals = ((below + upto) / (2 * max(1, len(values)))).astype(np.float32)
    return shares
