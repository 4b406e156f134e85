"""Near-duplicates: photos that are the same picture saved, scaled, retouched or taken again a moment later."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from album_app.photos.album import Album, Photo
from album_app.photos.cache import Cache
from album_app.photos.dates import CAMERA, moment
from album_app.photos.decoding.fingerprint import BITS, COLOURS, KEY, LENGTH, SHARPNESS, Fingerprint
from album_app.photos.read_once import known_rows
from album_app.photos.thumbnails import stream_thumbnails
from album_app.work import OnProgress, Stop, check, report

MOST_BITS_APART = 26
MOST_BITS_APART_IN_A_BURST = 46
SECONDS_IN_A_BURST = 4.0
MOST_COLOUR_APART = 20.0
MOST_ASPECT_APART = 0.1
PHOTOS_AT_ONCE, PAIRS_AT_ONCE = 512, 1 << 23
AS_LARGE = 0.7
"""Of the pixels of the largest one: a smaller photo is not the best of a stack, however sharp it looks."""
AS_SHARP = 0.9
"""Of the sharpness of the sharpest one: saving a photo anew makes blocks, which look like up to 7 % more of it."""

Pairs = NDArray[np.intp]
"""(k, 2) places of photos."""


def find_twins(
    fingerprints: Sequence[Fingerprint | None],
    moments: Sequence[float | None] | None = None,
    *,
    stop: Stop | None = None,
) -> list[tuple[int, ...]]:
    """Groups of near-duplicates, as indices; None, for a photo without pixels, has no twins.

    Photos whose moments are a few seconds apart may differ more: they are of one burst.
    """
    known = [i for i, row in enumerate(fingerprints) if row is not None]
    rows = np.array([row for row in fingerprints if row is not None], np.float32).reshape(-1, LENGTH)
    leader = np.arange(len(known))
    for pairs in _pairs(rows, [moments[i] if moments else None for i in known], stop):
        leader = _joined(leader, pairs)
    groups: dict[int, list[int]] = {}
    for i, first in enumerate(leader.tolist()):
        groups.setdefault(first, []).append(known[i])
    return [tuple(group) for group in groups.values() if len(group) > 1]


@dataclass(frozen=True)
class NearDuplicates:
    """What was found among photos."""

    photos: tuple[Photo, ...]
    """All of them, each knowing how sharp it is."""
    groups: list[tuple[int, ...]]
    """Those that are nearly the same, by index: the best of each group first."""


def near_duplicates(
    album: Album,
    cache: Cache | None = None,
    *,
    known_only: bool = False,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> NearDuplicates:
    """The near-duplicates of an album; the best of a group is the largest file of its large and sharp ones.

    With `known_only` photos that the cache does not know are not read for it, and have no twins.
    """
    rows = known_rows(album.photos, KEY, cache)
    if not known_only:
        _read_missing(rows, album.photos, cache, on_progress, stop)
    sharpness = [0.0 if row is None else float(row[SHARPNESS]) for row in rows]
    photos = tuple(replace(photo, sharpness=sharp) for photo, sharp in zip(album.photos, sharpness, strict=True))
    groups = find_twins(rows, [_moment(photo) for photo in photos], stop=stop)
    return NearDuplicates(photos, sorted(_best_first(photos, group) for group in groups))


def _best_first(photos: Sequence[Photo], group: Sequence[int]) -> tuple[int, ...]:
    best = _best(photos, group)
    return best, *(i for i in group if i != best)


def _best(photos: Sequence[Photo], group: Sequence[int]) -> int:
    areas = {i: photos[i].width * photos[i].height for i in group}
    large = [i for i in group if areas[i] >= AS_LARGE * max(areas.values())]
    whole = [i for i in large if not photos[i].damage] or large
    sharpest = max(photos[i].sharpness for i in whole)
    sharp = [i for i in whole if photos[i].sharpness >= AS_SHARP * sharpest]
    return max(sharp, key=lambda i: (photos[i].size, photos[i].sharpness, areas[i], -i))


def _moment(photo: Photo) -> float | None:
    """When the camera says that the photo was taken."""
    return moment(photo.taken) if photo.taken is not None and photo.taken_by == CAMERA else None


def _read_missing(
    rows: list[Fingerprint | None],
    photos: Sequence[Photo],
    cache: Cache | None,
    on_progress: OnProgress | None,
    stop: Stop | None,
) -> None:
    """Fill in the fingerprints that the cache does not know by reading their photos."""
    missing = [i for i, row in enumerate(rows) if row is None]
    report(on_progress, len(photos) - len(missing), len(photos))
    for done, item in enumerate(stream_thumbnails([photos[i] for i in missing], cache, stop=stop), 1):
        rows[missing[item.index]] = item.rows.get(KEY)
        report(on_progress, len(photos) - len(missing) + done, len(photos))


def _pairs(rows: NDArray[np.float32], moments: Sequence[float | None], stop: Stop | None) -> Iterator[Pairs]:
    """Pairs of alike photos, a handful at a time: all that look the same, and those of a burst that nearly do.

    Photos are compared in the order of their brightness, each with those that are about as bright: their colours
    would be too far apart otherwise.
    """
    brightness = rows[:, COLOURS].mean(axis=1)
    order = np.argsort(brightness, kind="stable")
    bits, brightness = rows[order, :BITS], brightness[order]
    at_once = max(1, min(PHOTOS_AT_ONCE, PAIRS_AT_ONCE // max(len(rows), 1)))
    for start in range(0, len(rows), at_once):
        check(stop)
        block = bits[start : start + at_once]
        end = int(np.searchsorted(brightness, brightness[start + len(block) - 1] + MOST_COLOUR_APART, "right"))
        near = np.argwhere(block @ bits[start:end].T >= BITS - 2 * MOST_BITS_APART)
        yield _alike(rows, order[near[near[:, 0] < near[:, 1]] + start], MOST_BITS_APART)
    yield _alike(rows, _in_bursts(moments), MOST_BITS_APART_IN_A_BURST)


def _in_bursts(moments: Sequence[float | None]) -> Pairs:
    """Pairs of photos that were taken a few seconds after each other, with none between them."""
    dated = sorted((when, i) for i, when in enumerate(moments) if when is not None)
    pairs = [(a, b) for (at, a), (then, b) in pairwise(dated) if then - at <= SECONDS_IN_A_BURST]
    return np.array(pairs, np.intp).reshape(-1, 2)


def _alike(rows: NDArray[np.float32], pairs: Pairs, most_bits: int) -> Pairs:
    """Those of the pairs whose hashes, colours and aspects are near each other."""
    first, second = rows[pairs[:, 0]], rows[pairs[:, 1]]
    bits = (BITS - (first[:, :BITS] * second[:, :BITS]).sum(axis=1)) / 2
    apart = np.abs(first[:, BITS:SHARPNESS] - second[:, BITS:SHARPNESS])
    colours, aspect = apart[:, :-1].mean(axis=1), apart[:, -1]
    alike: Pairs = pairs[(bits <= most_bits) & (colours <= MOST_COLOUR_APART) & (aspect <= MOST_ASPECT_APART)]
    return alike


def _joined(leader: NDArray[np.intp], pairs: Pairs) -> NDArray[np.intp]:
    """The first photo of each one's group, once those of the pairs are together."""
    while len(pairs := leader[pairs]):
        pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
        leader = leader.copy()
        np.minimum.at(leader, pairs[:, 1], pairs[:, 0])
        while not np.array_equal(leader, further := leader[leader]):
            leader = further
    return leader
