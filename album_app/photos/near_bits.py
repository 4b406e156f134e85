"""Which of very many rows of bits differ in few places: looked for among those that agree on some of their bits.

Two rows that differ in an eighth of their bits agree on some dozen others more often than not by chance alone; so rows
are put in order by a dozen bits, those that agree are compared, and all of it again with other bits, many times over.
The more rows there are, the more bits must agree, so that few do by chance: the work grows little faster than the rows.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from album_app.work import Stop, check

ORDERS = 128
"""How often rows are put in order. Of 100,000 rows, 99 of 100 pairs that differ in 26 of 143 bits are found, of 10,000
all but one in 10,000; of those that differ less, all."""
FEWEST_BITS, MOST_BITS, FURTHER_BITS = 6, 20, 8
PAIRS_AT_ONCE = 1 << 14
MOST_NEIGHBOURS = 32
"""The number of agreeing rows that each row is compared with, nearest by further bits first; large groups form
chains."""

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
