"""Near-duplicates: photos that are the same picture saved, scaled, retouched or taken again a moment later."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.photos.album import Album, Photo
from album_app.photos.cache import Cache
from album_app.photos.thumbnails import stream_thumbnails
from album_app.work import OnProgress, Stop, check, report

KEY = "twins:1"
"""Names the fingerprints in the cache."""

SIDE = 32
WAVES = 12
BITS = WAVES * WAVES - 1
COLOUR_SIDE = 8
MOST_BITS_APART = 24
MOST_COLOUR_APART = 25.0
MOST_ASPECT_APART = 0.1
PHOTOS_AT_ONCE = 512

Fingerprint = NDArray[np.float32]
"""The bits of the perceptual hash as -1 and 1, the mean colours of 8 x 8 parts, and the logarithm of the aspect."""

_COSINES = np.cos(np.pi * np.outer(np.arange(WAVES), 2 * np.arange(SIDE) + 1) / (2 * SIDE))


def fingerprint(pixels: NDArray[np.uint8]) -> Fingerprint:
    """What near-duplicates have nearly in common: signs of the low frequencies against their median, and colours."""
    image = Image.fromarray(pixels)
    grey = np.asarray(image.convert("L").resize((SIDE, SIDE), Image.Resampling.BOX), np.float64)
    waves = np.round(_COSINES @ grey @ _COSINES.T, 3).ravel()[1:]  # rounded, so that a flat picture has no noise
    bits = np.where(waves > np.median(waves), 1.0, -1.0)
    colours = np.asarray(image.resize((COLOUR_SIDE, COLOUR_SIDE), Image.Resampling.BOX), np.float32).ravel()
    return np.concatenate([bits, colours, [np.log(pixels.shape[1] / pixels.shape[0])]]).astype(np.float32)


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
    """Every photo's fingerprint, from the cache or from its thumbnail."""
    rows: list[Fingerprint | None] = (
        list(cache.get_features(photos, KEY)) if cache is not None else [None] * len(photos)
    )
    missing = [i for i, row in enumerate(rows) if row is None]
    report(on_progress, len(photos) - len(missing), len(photos))
    fresh: list[tuple[Photo, Fingerprint]] = []
    for done, item in enumerate(stream_thumbnails([photos[i] for i in missing], cache, stop=stop), 1):
        if item.pixels is not None:
            rows[missing[item.index]] = row = fingerprint(item.pixels)
            fresh.append((photos[missing[item.index]], row))
        report(on_progress, len(photos) - len(missing) + done, len(photos))
    if cache is not None:
        cache.put_features([photo for photo, _ in fresh], KEY, [row for _, row in fresh])
    return rows


def _alike(rows: NDArray[np.float32], start: int) -> list[tuple[int, int]]:
    """The pairs of alike photos of which the first is among the PHOTOS_AT_ONCE from `start` on."""
    some = rows[start : start + PHOTOS_AT_ONCE]
    bits_apart = (BITS - some[:, :BITS] @ rows[start:, :BITS].T) / 2
    firsts, seconds = np.nonzero(bits_apart <= MOST_BITS_APART)
    ahead = seconds > firsts
    firsts, seconds = firsts[ahead] + start, seconds[ahead] + start
    apart = np.abs(rows[firsts, BITS:] - rows[seconds, BITS:])
    alike = (apart[:, :-1].mean(axis=1) <= MOST_COLOUR_APART) & (apart[:, -1] <= MOST_ASPECT_APART)
    return list(zip(firsts[alike].tolist(), seconds[alike].tolist(), strict=True))


def _lead(leader: list[int], i: int) -> int:
    """The first photo of the group that `i` belongs to."""
    while leader[i] != i:
        leader[i] = leader[leader[i]]
        i = leader[i]
    return i
