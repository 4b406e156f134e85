"""Near-duplicates: photos that are the same picture saved, scaled, retouched or taken again a moment later."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from album_app.photos.album import Album, Photo
from album_app.photos.cache import Cache
from album_app.photos.decoding.fingerprint import BITS, KEY, SHARPNESS, Fingerprint
from album_app.photos.read_once import known_rows
from album_app.photos.thumbnails import stream_thumbnails
from album_app.work import OnProgress, Stop, check, report

MOST_BITS_APART = 24
MOST_COLOUR_APART = 25.0
MOST_ASPECT_APART = 0.1
PHOTOS_AT_ONCE = 512


def find_twins(fingerprints: Sequence[Fingerprint | None], *, stop: Stop | None = None) -> list[tuple[int, ...]]:
    """Groups of near-duplicates, as indices; None, for a photo without pixels, has no twins."""
    known = [i for i, row in enumerate(fingerprints) if row is not None]
    rows = np.array([row for row in fingerprints if row is not None], np.float32)
    leader = list(range(len(known)))
    for start in range(0, len(known), PHOTOS_AT_ONCE):
        check(stop)
        for a, b in _alike(rows, start):
            first, second = sorted((_lead(leader, a), _lead(leader, b)))
            leader[second] = first
    groups: dict[int, list[int]] = {}
    for i in range(len(known)):
        groups.setdefault(_lead(leader, i), []).append(known[i])
    return [tuple(group) for group in groups.values() if len(group) > 1]


def with_twins(
    album: Album, cache: Cache | None = None, *, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> Album:
    """The album with every photo knowing the names of its twins."""
    rows = _fingerprints(album.photos, cache, on_progress, stop)
    photos = [replace(photo, twins=()) for photo in album.photos]
    for group in find_twins(rows, stop=stop):
        for i in group:
            photos[i] = replace(photos[i], twins=tuple(photos[j].name for j in group if j != i))
    return replace(album, photos=tuple(photos))


def stacks(photos: Sequence[Photo]) -> dict[int, tuple[int, ...]]:
    """Which photo stands for which of its twins: the largest for all others, by index."""
    index = {photo.name: i for i, photo in enumerate(photos)}
    result = {}
    hidden: set[int] = set()
    for i, photo in enumerate(photos):
        group = sorted({i, *(index[name] for name in photo.twins if name in index)} - hidden)
        if len(group) > 1 and i not in hidden:
            best = max(group, key=lambda j: (photos[j].width * photos[j].height, -j))
            result[best] = tuple(j for j in group if j != best)
            hidden.update(group)
    return result


def _fingerprints(
    photos: Sequence[Photo], cache: Cache | None, on_progress: OnProgress | None, stop: Stop | None
) -> list[Fingerprint | None]:
    """Every photo's fingerprint, from the cache or by reading it."""
    rows = known_rows(photos, KEY, cache)
    missing = [i for i, row in enumerate(rows) if row is None]
    report(on_progress, len(photos) - len(missing), len(photos))
    for done, item in enumerate(stream_thumbnails([photos[i] for i in missing], cache, stop=stop), 1):
        rows[missing[item.index]] = item.rows.get(KEY)
        report(on_progress, len(photos) - len(missing) + done, len(photos))
    return rows


def _alike(rows: NDArray[np.float32], start: int) -> list[tuple[int, int]]:
    """The pairs of alike photos of which the first is among the PHOTOS_AT_ONCE from `start` on."""
    some = rows[start : start + PHOTOS_AT_ONCE]
    bits_apart = (BITS - some[:, :BITS] @ rows[start:, :BITS].T) / 2
    firsts, seconds = np.nonzero(bits_apart <= MOST_BITS_APART)
    ahead = seconds > firsts
    firsts, seconds = firsts[ahead] + start, seconds[ahead] + start
    apart = np.abs(rows[firsts, BITS:SHARPNESS] - rows[seconds, BITS:SHARPNESS])
    alike = (apart[:, :-1].mean(axis=1) <= MOST_COLOUR_APART) & (apart[:, -1] <= MOST_ASPECT_APART)
    return list(zip(firsts[alike].tolist(), seconds[alike].tolist(), strict=True))


def _lead(leader: list[int], i: int) -> int:
    """The first photo of the group that `i` belongs to."""
    while leader[i] != i:
        leader[i] = leader[leader[i]]
        i = leader[i]
    return i
