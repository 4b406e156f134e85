"""Near-duplicates: photos that are the same picture saved, scaled, retouched or taken again a moment later."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from album_app.photos.album import Album, Photo
from album_app.photos.cache import Cache
from album_app.photos.decoding.dates import CAMERA, moment
from album_app.photos.decoding.fingerprint import BITS, COLOURS, KEY, LENGTH, SHARPNESS, Fingerprint
from album_app.photos.near_bits import Pairs, apart, candidates, words_of
from album_app.photos.read_once import known_rows
from album_app.photos.thumbnails import stream_thumbnails
from album_app.work import OnProgress, Stop, report

MOST_BITS_APART = 26
MOST_BITS_APART_IN_A_BURST = 46
SECONDS_IN_A_BURST = 4.0
MOST_COLOUR_APART = 20.0
MOST_ASPECT_APART = 0.1
PHOTOS_AT_ONCE = 1024
AS_LARGE = 0.7
"""Of the pixels of the largest one: a smaller photo is not the best of a stack, however sharp it looks."""
AS_SHARP = 0.9
"""Of the sharpness of the sharpest one: saving a photo anew makes blocks, which look like up to 7 % more of it."""

Table = NDArray[np.float16]
"""Fingerprints below each other, not a number where there is none; to a sixteenth of a shade, for there are many."""


def table_of(fingerprints: Iterable[Fingerprint | None], count: int) -> Table:
    """So many fingerprints below each other; not a number for a photo without pixels."""
    rows = np.full((count, LENGTH), np.nan, np.float16)
    for row, found in zip(rows, fingerprints, strict=True):
        if found is not None:
            row[:] = found
    return rows


def find_twins(
    rows: Table, moments: Sequence[float | None] | None = None, *, stop: Stop | None = None
) -> list[tuple[int, ...]]:
    """Groups of near-duplicates, as indices.

    Photos whose moments are a few seconds apart may differ more: they are of one burst.
    """
    bits = rows[:, :BITS] > 0
    words = words_of(bits)
    leader = _same(rows, words)
    distinct = np.flatnonzero(leader == np.arange(len(rows)))
    for places in candidates(bits[distinct], stop):
        pairs = distinct[places]
        pairs = pairs[leader[pairs[:, 0]] != leader[pairs[:, 1]]]
        leader = _joined(leader, _alike(rows, words, pairs, MOST_BITS_APART))
    leader = _joined(leader, _alike(rows, words, _in_bursts(moments or ()), MOST_BITS_APART_IN_A_BURST))
    groups: dict[int, list[int]] = {}
    for i, first in enumerate(leader.tolist()):
        groups.setdefault(first, []).append(i)
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
    rows = table_of(known_rows(album.photos, KEY, cache), len(album))
    if not known_only:
        _read_missing(rows, album.photos, cache, on_progress, stop)
    sharpness = np.nan_to_num(rows[:, SHARPNESS]).tolist()
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
    rows: Table,
    photos: Sequence[Photo],
    cache: Cache | None,
    on_progress: OnProgress | None,
    stop: Stop | None,
) -> None:
    """Fill in the fingerprints that the cache does not know by reading their photos."""
    missing = np.flatnonzero(np.isnan(rows[:, SHARPNESS])).tolist()
    report(on_progress, len(photos) - len(missing), len(photos))
    for done, item in enumerate(stream_thumbnails([photos[i] for i in missing], cache, stop=stop), 1):
        rows[missing[item.index]] = item.rows.get(KEY, np.nan)
        report(on_progress, len(photos) - len(missing) + done, len(photos))


def _same(rows: Table, words: NDArray[np.uint16]) -> NDArray[np.intp]:
    """The first photo with the same fingerprint as each, itself where there is none before it."""
    order = np.lexsort((*rows[:, COLOURS.start : COLOURS.start + 3].T, *words.T))
    begins = np.ones(len(order), bool)
    for start in range(1, len(order), PHOTOS_AT_ONCE):
        here, before = order[start : start + PHOTOS_AT_ONCE], order[start - 1 : start - 1 + PHOTOS_AT_ONCE]
        differ = rows[here, :SHARPNESS] != rows[before[: len(here)], :SHARPNESS]
        begins[start : start + len(here)] = differ.any(axis=1)
    first = np.empty(len(order), np.intp)
    first[order] = order[begins][np.cumsum(begins) - 1]
    return first


def _in_bursts(moments: Sequence[float | None]) -> Pairs:
    """Pairs of photos that were taken a few seconds after each other, with none between them."""
    dated = sorted((when, i) for i, when in enumerate(moments) if when is not None)
    pairs = [(a, b) for (at, a), (then, b) in pairwise(dated) if then - at <= SECONDS_IN_A_BURST]
    return np.array(pairs, np.intp).reshape(-1, 2)


def _alike(rows: Table, words: NDArray[np.uint16], pairs: Pairs, most_bits: int) -> Pairs:
    """Those of the pairs whose hashes, colours and aspects are near each other."""
    pairs = pairs[apart(words, pairs) <= most_bits]
    differing = np.abs(rows[pairs[:, 0], BITS:SHARPNESS] - rows[pairs[:, 1], BITS:SHARPNESS])
    colours, aspect = differing[:, :-1].mean(axis=1), differing[:, -1]
    alike: Pairs = pairs[(colours <= MOST_COLOUR_APART) & (aspect <= MOST_ASPECT_APART)]
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
