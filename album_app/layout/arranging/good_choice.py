"""Photos that stand for all the others and are good: exchanges make a choice better for a little coverage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Indices
from album_app.layout.arranging.representatives import blocks_of, representatives, sampled
from album_app.layout.arranging.space import Space
from album_app.work import Stop, check

Reals = NDArray[np.float32]

PRICES = tuple(0.06 * 1.5**step for step in range(10))
"""What a quality that is higher by 1 may cost, one after the other: in mean coverage of a photo that is chosen.

The first exchanges are those that gain much quality for little coverage. Chosen on 60 of 1,000 ImageNet samples and of
1,500 Caltech photos by colour: closer steps up to the same price change the mean quality by 0.002.
"""
LEAST_GAIN = 1e-6
"""Exchanges that gain less, in distances, are left to rounding."""


def good_representatives(
    space: Space,
    photos: Indices,
    count: int,
    standing: Indices,
    quality: Reals,
    most_lost: float,
    stop: Stop | None = None,
) -> Indices:
    """Representatives whose `quality` (all photos,) counts as much as costs at most a share `most_lost` of coverage.

    A photo of a quality below 0, which is too small for the print, gives way to one of those that it stands for.
    """
    found = representatives(space, photos, count, standing, stop)
    found = _exchanged(space, sampled(photos, count), found, standing, quality, most_lost, stop)
    return _large_enough(space, photos, found, standing, quality)


def _exchanged(
    space: Space,
    photos: Indices,
    chosen: Indices,
    standing: Indices,
    quality: Reals,
    most_lost: float,
    stop: Stop | None,
) -> Indices:
    """The chosen photos after exchanges with others of their block, for at most this share of coverage.

    What a block does not use, the next ones may.
    """
    blocks, room = [photos[part] for part in blocks_of(space.points[photos])], 0.0
    shown = np.concatenate([chosen, standing])
    usual = [float(space.distances(block, shown).min(axis=1).sum()) for block in blocks]
    for part, before in zip(blocks, usual, strict=True):
        check(stop)
        room += most_lost * before
        own = np.intersect1d(part, chosen)
        if len(own):
            others = np.setdiff1d(chosen, own)
            block = _Exchange.of(space, part, photos, own, np.concatenate([others, standing]), quality)
            before = block.total
            block.improve(before + room, stop)
            room -= block.total - before
            chosen = np.concatenate([others, block.photos[block.chosen]])
    return np.sort(chosen)


@dataclass(eq=False)
class _Exchange:
    """The photos of a block, those that are chosen, and how far photos are from the nearest and the second of these.

    Those that count are the m photos of the block and of other blocks for which one of this block stands.
    """

    photos: Indices  # (n,)
    quality: Reals  # (n,)
    away: Reals  # (n, m) distances to those that count
    beyond: Reals  # (m,) how far each is from the nearest photo that is shown in any case
    chosen: Indices  # (k,) places among the photos
    nearest: Indices  # (m,) the place among the chosen ones of that which is nearest, k for one that stands
    first: Reals  # (m,)
    second: Reals  # (m,)

    @classmethod
    def of(
        cls, space: Space, part: Indices, photos: Indices, chosen: Indices, standing: Indices, quality: Reals
    ) -> _Exchange:
        """A part of the photos, of which some are chosen, while other photos are standing."""
        elsewhere = np.setdiff1d(photos, part)
        if len(elsewhere):
            shown = np.concatenate([chosen, standing])
            elsewhere = elsewhere[space.nearest(elsewhere, shown) < len(chosen)]
        counts = np.concatenate([part, elsewhere])
        beyond = np.full(len(counts), np.inf, np.float32)
        if len(standing):
            beyond = space.distances(counts, standing).min(axis=1)
        away = np.asarray(space.distances(part, counts), np.float32)
        np.fill_diagonal(away, 0.0)
        places = np.flatnonzero(np.isin(part, chosen))
        block = cls(part, quality[part], away, beyond, places, places, beyond, beyond)
        block._look()
        return block

    @property
    def total(self) -> float:
        """How far the photos are from those that are shown, summed."""
        return float(self.first.sum())

    def improve(self, limit: float, stop: Stop | None = None) -> None:
        """Exchange photos for better ones as long as the sum of distances stays below a limit."""
        usual = self.total / len(self.chosen)
        for price in PRICES:
            check(stop)
            for photo in np.setdiff1d(np.arange(len(self.photos)), self.chosen).tolist():
                self._exchange(photo, price * usual, limit)

    def _exchange(self, photo: int, price: float, limit: float) -> None:
        """Choose a photo in the place of that for which it gains most, if it gains anything."""
        away = self.away[photo]
        nearer = np.minimum(away - self.first, 0.0)
        alone = np.minimum(away, self.second) - self.first - nearer  # what its photos lose besides by each that leaves
        leaves = np.bincount(self.nearest, alone, minlength=len(self.chosen) + 1)[:-1]
        farther = leaves + float(nearer.sum())
        cost = farther - price * (self.quality[photo] - self.quality[self.chosen])
        cost[(self.total + farther > limit) & (farther > 0)] = np.inf
        place = int(cost.argmin())
        if cost[place] < -LEAST_GAIN:
            self.chosen = np.concatenate([self.chosen[:place], [photo], self.chosen[place + 1 :]])
            self._look()

    def _look(self) -> None:
        """Find for each photo the nearest and the second of the shown ones."""
        shown = np.vstack([self.away[self.chosen], self.beyond])
        order = np.argpartition(shown, 1, axis=0)[:2] if len(shown) > 2 else np.argsort(shown, axis=0)
        both = np.take_along_axis(shown, order, axis=0)
        swapped = (both[0] > both[1]).astype(np.int64)
        self.nearest = order[swapped, np.arange(len(swapped))]
        self.first, self.second = both.min(axis=0), both.max(axis=0)


def _large_enough(space: Space, photos: Indices, chosen: Indices, standing: Indices, quality: Reals) -> Indices:
    """The chosen photos, in the place of each that is too small the one nearest to it that it stands for and is not."""
    small = chosen[quality[chosen] < 0]
    others = np.setdiff1d(photos[quality[photos] >= 0], chosen)
    if not len(small) or not len(others):
        return chosen
    shown = np.concatenate([chosen, standing])
    stands_for = shown[space.nearest(others, shown)]
    kept = np.setdiff1d(chosen, small).tolist()
    for photo in small:
        group = others[stands_for == photo]
        kept.append(int(group[space.distances(group, photo[None]).argmin()]) if len(group) else int(photo))
    return np.sort(np.array(kept, dtype=np.int64))
