"""Near-duplicates: photos that are the same picture saved, scaled, retouched or taken again a moment later."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from album_app.language import mark
from album_app.photos.album import Album, CachedPhotos, Photo
from album_app.photos.cache import Cache
from album_app.photos.decoding.header import CAMERA, moment
from album_app.photos.decoding.measures import (
    ASPECT,
    BITS,
    CLIPPED,
    COLOURS,
    DETAIL,
    DETAIL_SIDE,
    FINGERPRINT_KEY,
    LENGTH,
    QUALITY_KEY,
    SHARPNESS,
    Fingerprint,
)
from album_app.photos.faces import focus_of, known_focus
from album_app.photos.helper_process import answers_of
from album_app.photos.quality import exposures, stars
from album_app.photos.read_once import known_rows
from album_app.photos.thumbnails import stream_thumbnails
from album_app.work import OnProgress, Stop, check, report

ORDERS = 128
"""Orders in which rows are sorted, so that similar rows come to lie next to each other in some of them.

Among 100,000 rows this finds 99 of 100 pairs that differ in 26 of 143 bits, and all but one in 10,000 of these pairs
among 10,000 rows. Pairs that differ in fewer bits are all found.
"""
FEWEST_BITS, MOST_BITS = 6, 20
"""Bounds of the number of bits in which two rows must agree to be compared; it grows with the logarithm of the rows."""
FURTHER_BITS = 8
"""Bits by which rows that agree in those are sorted further."""
PAIRS_AT_ONCE = 1 << 14
"""Pairs that are compared at a time, so that memory does not grow with the album."""
MOST_NEIGHBOURS = 32
"""Agreeing rows that each row is compared with at most, the nearest by the further bits; the rows of a larger group are
connected by chains of pairs."""

Bits = NDArray[np.bool_]
Pairs = NDArray[np.intp]
"""(k, 2) places of rows."""
Words = NDArray[np.uint16]
"""(n, w) rows of bits, 16 to a word."""

_COUNTS = np.array([number.bit_count() for number in range(1 << 16)], np.uint8)


def words_of(bits: Bits) -> Words:
    """(n, w) words of 16 bits each, the last one filled up."""
    packed = np.packbits(bits, axis=1)
    return np.pad(packed, ((0, 0), (0, packed.shape[1] % 2))).view(np.uint16)


def apart(words: Words, pairs: Pairs) -> NDArray[np.intp]:
    """In how many bits the rows of each pair differ."""
    return distances(words[pairs[:, 0]], words[pairs[:, 1]])


def distances(one: Words, other: Words) -> NDArray[np.intp]:
    """In how many bits the rows of two tables differ, row by row."""
    differing: NDArray[np.intp] = _COUNTS[one ^ other].sum(axis=1, dtype=np.intp)
    return differing


def candidates(bits: Bits, stop: Stop | None = None) -> Iterator[Pairs]:
    """Pairs of rows that may differ in few bits, a handful at a time, some of them more than once."""
    check(stop)
    if len(bits) * (len(bits) - 1) // 2 <= PAIRS_AT_ONCE:  # looking at all pairs takes less time than choosing some
        yield np.stack(np.triu_indices(len(bits), 1), axis=1)
        return
    columns = np.ascontiguousarray(bits.T)
    width = min(max(len(bits).bit_length() - 1, FEWEST_BITS), MOST_BITS)
    random = np.random.default_rng(0)
    starts = range(0, len(columns) - width + 1, width)
    for _ in range(-(-ORDERS // len(starts))):
        shuffled = random.permutation(len(columns))
        for start in starts:
            check(stop)
            chosen = np.roll(shuffled, -start)[: width + FURTHER_BITS]
            yield from _agreeing(_numbers(columns[chosen]))


def _numbers(columns: Bits) -> NDArray[np.uint32]:
    """Rows as numbers: the first bits count most, the last FURTHER_BITS least."""
    packed = np.packbits(columns, axis=0)
    numbers = np.zeros(columns.shape[1], np.uint32)
    for part in packed:
        numbers = (numbers << np.uint32(8)) | part
    return numbers >> np.uint32(8 * len(packed) - len(columns))


def _agreeing(numbers: NDArray[np.uint32]) -> Iterator[Pairs]:
    """Pairs that agree in all but the further bits."""
    order = np.argsort(numbers, kind="stable")
    agreed = numbers[order] >> np.uint32(FURTHER_BITS)
    places = np.arange(len(order))
    for step in range(1, MOST_NEIGHBOURS + 1):
        places = places[: np.searchsorted(places, len(order) - step)]
        places = places[agreed[places + step] == agreed[places]]
        if not len(places):
            return
        for start in range(0, len(places), PAIRS_AT_ONCE):
            some = places[start : start + PAIRS_AT_ONCE]
            yield np.stack([order[some], order[some + step]], axis=1)


@dataclass(frozen=True)
class Limits:
    """How far apart two photos may be and still be near-duplicates."""

    bits: int
    """Differing bits of the hash, of 143."""
    colour: float
    """Mean difference of the colours, in shades of 255, apart from one being brighter."""
    detail: float
    """Least correlation of their details, once one is laid over the other as well as possible."""
    likeness: float
    """Least correlation of their details minus the share by which their colours differ.

    That share compares the difference with how far the colours are from the background, so a plain background
    makes no photos alike.
    """


VERSIONS = Limits(bits=26, colour=20.0, detail=0.8, likeness=0.65)
"""For any two photos. Chosen on versions of photographs and on drawn catalogues of mugs, shirts and motorbikes, where
no two objects pass. Of versions of 80 other photographs, all that were saved again, halved in size or brightened by a
tenth pass, 15 of 16 that were cropped by 5 % of their sides, and 1 of 13 that were cropped by 10 %."""
BURST = Limits(bits=46, colour=20.0, detail=0.7, likeness=0.4)
"""For photos of one burst, where the camera and people move."""
SECONDS_IN_A_BURST = 4.0
"""Longest pause between two photos of a burst."""
MOST_ASPECT_APART = 0.1
"""Largest difference of the logarithms of width / height."""
MOST_BRIGHTNESS_APART = 40.0
"""Largest difference of mean brightness, in shades of 255."""
LEAST_UNALIGNED_DETAIL = 0.2
"""Details that correlate less than this before one is laid over the other cannot be made to agree."""
SHIFTS = (-0.03, 0.0, 0.03)
SCALES = (1.0, 0.96, 0.92)
"""Shifts and sizes, as shares of its sides, at which one photo is looked for in the other: for crops and bursts."""
FAINT_DETAIL = float(DETAIL_SIDE**2)
"""Sum of squares of details of 1 shade each: fainter ones are noise, and photos without any detail agree."""
STRONG_DETAIL = 16.0
"""Shades by which a part may differ from its surroundings and count; stronger edges count as much as this."""
PLAIN_COLOUR = 2.0
"""Shades added to how far colours are from their background: plain pictures, which have none, can be compared too."""
PHOTOS_AT_ONCE = 1024
LEAST_AREA_OF_BEST = 0.7
"""The best photo of a stack has at least this share of the pixels of the largest one, even if a smaller one looks
sharper."""
EQUAL_SHARPNESS = 0.9
"""Share of the greatest sharpness that counts as equal: saving again makes blocks, which seem up to 7 % sharper."""
EQUAL_EXPOSURE = 0.05
"""Exposures, from 0.5 to 1, that differ by no more than this count as equal."""

Table = NDArray[np.float16]
"""(photos, LENGTH) fingerprints, not a number where there is none. Half precision keeps shades to a sixteenth in
half the memory."""


def table_of(fingerprints: Iterable[Fingerprint | None], count: int) -> Table:
    """A table of `count` fingerprints; not a number for a photo without one."""
    rows = np.full((count, LENGTH), np.nan, np.float16)
    for row, found in zip(rows, fingerprints, strict=True):
        if found is not None:
            row[:] = found
    return rows


def near_duplicate_groups(
    rows: Table, moments: Sequence[float | None] | None = None, *, stop: Stop | None = None
) -> list[tuple[int, ...]]:
    """Groups of near-duplicates, as indices: each member is close to one representative of its group.

    Photos of one burst, whose moments are a few seconds apart, may differ more.
    """
    words = words_of(rows[:, :BITS] > 0)
    bursts = _bursts(moments or [None] * len(rows))
    leader = _connected(rows, words, bursts, stop)
    connected: dict[int, list[int]] = {}
    for i, first in enumerate(leader.tolist()):
        connected.setdefault(first, []).append(i)
    groups: list[list[int]] = []
    for members in connected.values():
        if len(members) > 1:
            groups += _compact(rows, words, bursts, np.array(members, np.intp), stop)
    return sorted(tuple(group) for group in groups)


def _connected(rows: Table, words: Words, bursts: NDArray[np.intp], stop: Stop | None) -> NDArray[np.intp]:
    """The first photo of those that each is connected with by a chain of likeness."""
    leader = _same(rows, words)
    distinct = np.flatnonzero(leader == np.arange(len(rows)))
    doubtful: set[tuple[int, int]] = set()
    for places in candidates(rows[distinct, :BITS] > 0, stop):
        pairs = distinct[places]
        pairs = pairs[leader[pairs[:, 0]] != leader[pairs[:, 1]]]
        needed = _needed_detail(rows, words, pairs, VERSIONS)
        pairs, needed = pairs[np.isfinite(needed)], needed[np.isfinite(needed)]
        if len(pairs):
            alike = _agreement(rows, pairs) >= needed
            leader = _joined(leader, pairs[alike])
            doubtful.update((a, b) for a, b in np.sort(pairs[~alike]).tolist())
    apart_yet = np.array(sorted(doubtful), np.intp).reshape(-1, 2)
    apart_yet = apart_yet[leader[apart_yet[:, 0]] != leader[apart_yet[:, 1]]]
    leader = _joined(leader, apart_yet[_alike(rows, words, apart_yet, VERSIONS, stop)])
    following = _following(bursts)
    return _joined(leader, following[_alike(rows, words, following, BURST, stop)])


def _compact(
    rows: Table, words: Words, bursts: NDArray[np.intp], members: NDArray[np.intp], stop: Stop | None
) -> Iterator[list[int]]:
    """Split connected photos into groups around representatives, the most typical photos first."""
    typical = words_of((rows[members, :BITS] > 0).mean(axis=0, keepdims=True) > 0.5)
    distance = distances(words[members], typical)
    left = members[np.lexsort((members, distance))]
    while len(left):
        check(stop)
        chosen, others = left[0], left[1:]
        pairs = np.stack([np.full(len(others), chosen), others], axis=1)
        close = _alike(rows, words, pairs, VERSIONS, stop)
        here = np.unique(bursts[np.append(others[close], chosen)])
        in_burst = ~close & np.isin(bursts[others], here[here >= 0])
        close[in_burst] = _alike(rows, words, pairs[in_burst], BURST, stop)
        if close.any():
            yield sorted([int(chosen), *others[close].tolist()])
        left = others[~close]


@dataclass(frozen=True)
class NearDuplicates:
    """The near-duplicates that were found among photos."""

    photos: tuple[Photo, ...]
    """All of them, each knowing how sharp it is."""
    groups: list[tuple[int, ...]]
    """Groups of near-duplicates, by index, the best photo of each group first."""


def near_duplicates(
    album: Album,
    cache: Cache | None = None,
    *,
    known_only: bool = False,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> NearDuplicates:
    """The near-duplicates of an album, the best photo of each group first.

    The best photo is chosen by its rating, then by its size, by whether it is damaged, by its exposure and by its
    sharpness; of photos that are equal in all of these the largest file is the best. Where all photos that are left
    have a face, the sharpness of the faces comes before that of the photos. With `known_only`, photos and faces that
    the cache does not know are not looked at.
    """
    rows = table_of(known_rows(album.photos, FINGERPRINT_KEY, cache), len(album))
    clipped = {} if known_only else _read_missing(rows, album.photos, cache, on_progress, stop)
    sharpness = np.nan_to_num(rows[:, SHARPNESS]).tolist()
    photos = tuple(replace(photo, sharpness=sharp) for photo, sharp in zip(album.photos, sharpness, strict=True))
    groups = near_duplicate_groups(rows, [_moment(photo) for photo in photos], stop=stop)
    members = [i for group in groups for i in group if i not in clipped]
    known = known_rows([photos[i] for i in members], QUALITY_KEY, cache)
    clipped |= {i: _clipped(row) for i, row in zip(members, known, strict=True)}
    members = [i for group in groups for i in group]
    faces = _sharpness_of_faces(photos, members, cache, known_only, stop)
    return NearDuplicates(photos, sorted(_best_first(photos, clipped, faces, group) for group in groups))


def _sharpness_of_faces(
    photos: Sequence[Photo], members: Sequence[int], cache: Cache | None, known_only: bool, stop: Stop | None
) -> dict[int, float]:
    """How sharp the largest face of each member of a group is, where there is one and it is known."""
    if cache is None or not members:
        return {}
    some = [photos[i] for i in members]
    foci = known_focus(some, cache) if known_only else dict(enumerate(focus_of(some, stop=stop)))
    return {members[place]: focus.sharpness for place, focus in foci.items() if focus.sharpness > 0}


def _clipped(row: NDArray[np.float32] | None) -> float:
    """The share of a photo's pixels that are all black or all white; 0 where it is not known."""
    return 0.0 if row is None else float(row[CLIPPED])


def _best_first(
    photos: Sequence[Photo], clipped: Mapping[int, float], faces: Mapping[int, float], group: Sequence[int]
) -> tuple[int, ...]:
    best = _best(photos, clipped, faces, group)
    return best, *(i for i in group if i != best)


def _best(
    photos: Sequence[Photo], clipped: Mapping[int, float], faces: Mapping[int, float], group: Sequence[int]
) -> int:
    rating = dict(zip(group, stars([photos[i] for i in group]).tolist(), strict=True))
    rated = [i for i in group if rating[i] == max(rating.values())]
    areas = {i: photos[i].width * photos[i].height for i in rated}
    large = [i for i in rated if areas[i] >= LEAST_AREA_OF_BEST * max(areas.values())]
    whole = [i for i in large if not photos[i].damage] or large
    exposure = dict(zip(whole, exposures(np.array([clipped[i] for i in whole], np.float32)).tolist(), strict=True))
    exposed = [i for i in whole if exposure[i] >= max(exposure.values()) - EQUAL_EXPOSURE]
    if all(i in faces for i in exposed):
        exposed = [i for i in exposed if faces[i] >= EQUAL_SHARPNESS * max(faces[i] for i in exposed)]
    sharpest = max(photos[i].sharpness for i in exposed)
    sharp = [i for i in exposed if photos[i].sharpness >= EQUAL_SHARPNESS * sharpest]
    return max(
        sharp, key=lambda i: (photos[i].size, photos[i].sharpness, areas[i], not _is_named_copy(photos[i].name), -i)
    )


COPY_NAME = re.compile(r"^(copy of|kopie von)\b|\b(copy|kopie)( ?\d+)?$|\(\d+\)$", re.IGNORECASE)
"""The names, without suffixes, that programs give copies: "copy of a", "a - Kopie 2", "a (1)"."""


def _is_named_copy(name: str) -> bool:
    """Whether a photo's name says that it is a copy.

    >>> [_is_named_copy(name) for name in ("copy of sea.jpg", "trip/sea (1).jpg", "sea - Kopie.jpg", "copyright.jpg")]
    [True, True, True, False]
    """
    return COPY_NAME.search(PurePosixPath(name).stem) is not None


def _moment(photo: Photo) -> float | None:
    """When the camera says that the photo was taken."""
    return moment(photo.taken) if photo.taken is not None and photo.taken_by == CAMERA else None


def _read_missing(
    rows: Table,
    photos: Sequence[Photo],
    cache: Cache | None,
    on_progress: OnProgress | None,
    stop: Stop | None,
) -> dict[int, float]:
    """Fill in the fingerprints that the cache does not know by reading their photos; gives their clipped shares."""
    clipped = {}
    missing = np.flatnonzero(np.isnan(rows[:, SHARPNESS])).tolist()
    report(on_progress, len(photos) - len(missing), len(photos))
    for done, item in enumerate(stream_thumbnails([photos[i] for i in missing], cache, stop=stop), 1):
        rows[missing[item.index]] = item.rows.get(FINGERPRINT_KEY, np.nan)
        clipped[missing[item.index]] = _clipped(item.rows.get(QUALITY_KEY))
        report(on_progress, len(photos) - len(missing) + done, len(photos))
    return clipped


def _same(rows: Table, words: Words) -> NDArray[np.intp]:
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


def _bursts(moments: Sequence[float | None]) -> NDArray[np.intp]:
    """For each photo the number of its burst, -1 without a moment: a pause of more than some seconds ends a burst."""
    dated = sorted((when, i) for i, when in enumerate(moments) if when is not None)
    bursts = np.full(len(moments), -1, np.intp)
    places = np.array([i for _, i in dated], np.intp)
    pauses = np.diff([when for when, _ in dated], prepend=-np.inf) if dated else np.empty(0)
    bursts[places] = np.cumsum(pauses > SECONDS_IN_A_BURST)
    return bursts


def _following(bursts: NDArray[np.intp]) -> Pairs:
    """Pairs of photos of the same burst that connect all its photos."""
    order = np.argsort(bursts, kind="stable")
    order = order[bursts[order] >= 0]
    together = bursts[order[1:]] == bursts[order[:-1]]
    return np.stack([order[:-1][together], order[1:][together]], axis=1)


def _alike(rows: Table, words: Words, pairs: Pairs, limits: Limits, stop: Stop | None = None) -> NDArray[np.bool_]:
    """Which pairs are near-duplicates: near by hash and colours, and with details that agree."""
    alike = np.zeros(len(pairs), bool)
    needed = _needed_detail(rows, words, pairs, limits)
    near = np.flatnonzero(np.isfinite(needed))
    for start in range(0, len(near), PHOTOS_AT_ONCE):
        check(stop)
        places = near[start : start + PHOTOS_AT_ONCE]
        agreement = _agreement(rows, pairs[places])
        alike[places] = agreement >= needed[places]
        unsure = places[~alike[places] & (agreement >= LEAST_UNALIGNED_DETAIL)]
        alike[unsure] = _aligned_agreement(rows, pairs[unsure]) >= needed[unsure]
    return alike


def _needed_detail(rows: Table, words: Words, pairs: Pairs, limits: Limits) -> NDArray[np.float32]:
    """How well the details of each pair must agree, given its colours; infinity where hash, colour or aspect differ."""
    needed = np.full(len(pairs), np.inf, np.float32)
    places = np.flatnonzero(apart(words, pairs) <= limits.bits)
    for start in range(0, len(places), PHOTOS_AT_ONCE):
        some = places[start : start + PHOTOS_AT_ONCE]
        one, other = (rows[pairs[some, side]] for side in (0, 1))
        first, second = (row[:, COLOURS].astype(np.float32) for row in (one, other))
        differing = first - second
        brighter = differing.mean(axis=1, keepdims=True)
        difference = np.abs(differing - brighter).mean(axis=1)
        hues = _hues(first), _hues(second)
        share = np.maximum(
            difference / (PLAIN_COLOUR + (_from_background(first) + _from_background(second)) / 2),
            np.abs(hues[0] - hues[1]).mean(axis=1) / (PLAIN_COLOUR + np.abs(np.stack(hues)).mean(axis=(0, 2))),
        )
        near = (
            (difference <= limits.colour)
            & (share <= 1 - limits.likeness)
            & (np.abs(brighter[:, 0]) <= MOST_BRIGHTNESS_APART)
            & (np.abs(one[:, ASPECT] - other[:, ASPECT]) <= MOST_ASPECT_APART)
        )
        needed[some[near]] = np.maximum(limits.detail, limits.likeness + share[near])
    return needed


def _from_background(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far the colours of each photo are from its background, the median of them, in shades."""
    parts = colours.reshape(len(colours), -1, 3)
    distance: NDArray[np.float32] = np.abs(parts - np.median(parts, axis=1, keepdims=True)).mean(axis=(1, 2))
    return distance


def _hues(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """The colours without their brightness: 0 for white, grey and black."""
    parts = colours.reshape(len(colours), -1, 3)
    hues: NDArray[np.float32] = parts - parts.mean(axis=2, keepdims=True)
    return hues.reshape(len(colours), -1)


def _details(rows: Table, photos: NDArray[np.intp]) -> NDArray[np.float32]:
    """(k, 24, 24) the details of photos; strong edges, as of a white frame, count no more than others."""
    details = np.clip(rows[photos, DETAIL].astype(np.float32), -STRONG_DETAIL, STRONG_DETAIL)
    return details.reshape(-1, DETAIL_SIDE, DETAIL_SIDE)


def _agreement(rows: Table, pairs: Pairs) -> NDArray[np.float32]:
    """The correlation of the details of each pair as they are."""
    return _correlation(_details(rows, pairs[:, 0]), _details(rows, pairs[:, 1]))


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """The correlation of details, (k, 24, 24) each, where faint ones count as none."""
    inner = one[:, 1:-1, 1:-1], other[:, 1:-1, 1:-1]
    both, first, second = (
        np.einsum("kij,kij->k", a, b) + FAINT_DETAIL for a, b in (inner, inner[:1] * 2, inner[1:] * 2)
    )
    found: NDArray[np.float32] = both / np.sqrt(first * second)
    return found


def _aligned_agreement(rows: Table, pairs: Pairs) -> NDArray[np.float32]:
    """The correlation of the details of each pair where the one lies best in the other, a little smaller or aside."""
    best = np.full(len(pairs), -1, np.float32)
    one, other = (_details(rows, pairs[:, side]) for side in (0, 1))
    for whole, part in ((one, other), (other, one)):
        for scale in SCALES:
            shifted = [_crop(scale, shift) for shift in SHIFTS]
            for down in shifted:
                rows_taken: NDArray[np.float32] = down @ whole
                for across in shifted:
                    taken: NDArray[np.float32] = rows_taken @ across.T
                    best = np.maximum(best, _correlation(taken, part))
    return best


def _crop(scale: float, shift: float) -> NDArray[np.float32]:
    """(24, 24) the matrix that takes a part of 24 numbers by linear interpolation."""
    ends = DETAIL_SIDE - 1
    middles = (np.arange(DETAIL_SIDE) + 0.5) / DETAIL_SIDE - 0.5
    wanted = np.clip((middles * scale + shift + 0.5) * DETAIL_SIDE - 0.5, 0, ends)
    weights: NDArray[np.float32] = np.maximum(0, 1 - np.abs(wanted[:, None] - np.arange(DETAIL_SIDE)), dtype=np.float32)
    return weights


def _joined(leader: NDArray[np.intp], pairs: Pairs) -> NDArray[np.intp]:
    """The first photo of each one's group, once those of the pairs are together."""
    while len(pairs := leader[pairs]):
        pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
        leader = leader.copy()
        np.minimum.at(leader, pairs[:, 1], pairs[:, 0])
        while not np.array_equal(leader, further := leader[leader]):
            leader = further
    return leader


def groups_in_process(photos: Sequence[Photo], stop: Stop | None = None) -> list[tuple[int, ...]]:
    """The groups of `near_duplicates` among the photos that the cache knows."""
    (groups,) = answers_of(known_groups, CachedPhotos(tuple(photos)), mark("that looks for near-duplicates"), stop=stop)
    return groups


def known_groups(request: CachedPhotos, on_progress: OnProgress) -> Iterator[list[tuple[int, ...]]]:
    """In a helper process: the groups of near-duplicates among the photos that the cache knows."""
    with Cache.open(request.cache_folder) as cache:
        yield near_duplicates(Album((), request.photos), cache, known_only=True).groups
