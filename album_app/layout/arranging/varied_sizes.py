"""Photos of different sizes: which photos of an album are shown larger, so that a sheet gets accents."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.layout.arranging.representatives import representatives, worth_of
from album_app.layout.arranging.space import Space

LARGE_SHARE = 0.12
"""The share of photos that cover several cells where sizes vary most. With more, sheets looked like a puzzle."""
LARGEST_SHARE = 0.02
"""The share of photos that cover 3 x 3 cells then; all other large ones cover 2 x 2."""
FEWEST_FOR_LARGEST = 30
"""With fewer photos none covers 3 x 3 cells."""

QUALITY_WEIGHT = 0.6
"""How much the quality of a photo counts against what it stands for, from 0 to 1."""


def size_counts(photos: int, amount: float) -> dict[int, int]:
    """How many photos have each size above 1, for an amount from 0 to 1.

    >>> size_counts(60, 0.5), size_counts(320, 1.0), size_counts(60, 0.0)
    ({2: 3, 3: 1}, {2: 32, 3: 6}, {})
    """
    if amount <= 0 or photos < 2:
        return {}
    large = max(1, round(amount * LARGE_SHARE * photos))
    largest = min(large - 1, round(amount * LARGEST_SHARE * photos)) if photos >= FEWEST_FOR_LARGEST else 0
    return {size: count for size, count in ((2, large - largest), (3, largest)) if count}


def cells_added(photos: int, amount: float) -> int:
    """How many more cells a sheet needs whose sizes vary by an amount.

    >>> cells_added(60, 0.5)
    17
    """
    return sum(count * (size**2 - 1) for size, count in size_counts(photos, amount).items())


def varied_sizes(
    features: ArrayLike,
    photos: Sequence[int],
    amount: float,
    quality: NDArray[np.float32] | None = None,
    besides: Collection[int] = (),
) -> dict[int, int]:
    """The photos that are larger, with their sizes: those that stand best for the photos like them, and are good.

    The largest ones stand for most. A larger amount keeps the photos that a smaller one chose, though some of them
    grow. Photos that are large `besides` these, by somebody's choice, stand for theirs already.

    >>> brightness = np.array([0.0, 0.1, 0.2, 0.8, 0.9, 1.0])[:, None]
    >>> varied_sizes(brightness, range(6), amount=1.0), varied_sizes(brightness, range(6), amount=0.0)
    ({2: 2}, {})
    """
    counts = size_counts(len(photos), amount)
    free = np.array(sorted(set(photos) - set(besides)), dtype=np.int64)
    if not counts or not len(free):
        return {}
    space, worth = Space.of(features), None if quality is None else worth_of(quality, QUALITY_WEIGHT)
    standing = np.array(sorted(set(besides)), dtype=np.int64)
    found: dict[int, int] = {}
    # Photos are chosen one by one, so the first ones that stand for all are among the more that do.
    for size, count in ((2, sum(counts.values())), (3, counts.get(3, 0))):
        if not count:
            continue
        chosen = representatives(space, free, min(count, len(free)), standing, worth=worth)
        found |= dict.fromkeys(chosen.tolist(), size)
    return found
