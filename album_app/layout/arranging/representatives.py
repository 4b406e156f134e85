"""Photos that stand for all the others: groups of like photos, and one choice over all groups.

Where quality counts, the chosen photos are exchanged for better ones as long as coverage suffers little: coverage is
how near all photos are to one that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Indices, Quality
from album_app.layout.arranging.space import Space
from album_app.work import Stop, check

GROUP_PHOTOS = 1200
"""The most photos of a group: all distances within a group are held at once, so memory grows with the square of this
number, and only linearly with the number of photos."""

LEAST_PHOTOS_PER_CHOSEN = 4
"""The least number of photos per chosen one in a group; to choose fewer, only a sample of the photos is considered."""

GAINS_PER_UPDATE = 48
"""The number of gains that are recomputed together."""

LEAST_WORTH = 0.01
"""The worth of the worst photos: above 0, so that what they stand for still distinguishes them."""

PRICES = tuple(0.06 * 1.5**step for step in range(10))
"""What a quality that is higher by 1 may cost, in the mean distance between a chosen photo and those it stands for.

All exchanges at one price are made before those at the next: first those that gain much quality for little coverage.
Chosen on 60 of 1,000 ImageNet samples and of 1,500 Caltech photos by colour: closer steps up to the largest price
change the mean quality by 0.002.
"""

LEAST_GAIN = 1e-6
"""Exchanges that gain less than this distance are not made: the gain may be a rounding error."""

Reals = NDArray[np.float32]


def representatives(
    space: Space,
    photos: Indices,
    count: int,
    standing: Indices,
    stop: Stop | None = None,
    worth: Reals | None = None,
    *,
    group_photos: int = GROUP_PHOTOS,
) -> Indices:
    """`count` of the photos, ascending, such that all are near to a chosen one or to one that is `standing` already.

    Photos are chosen one by one. A choice gains the distances by which it brings the photos of its group nearer to a
    chosen one; of all groups the photo that gains most is chosen next, so varied groups get more. Each gain is
    multiplied by the photo's `worth` (all photos,), so of photos that gain about equally much the best is chosen.
    """
    photos = sampled(photos, count, group_photos)
    groups = []
    for part in groups_of(space.points[photos], group_photos):
        check(stop)
        groups.append(_Group.of(space, photos[part], standing, worth))
    best = [group.best() for group in groups]  # (gain, place)
    chosen: list[int] = []
    while len(chosen) < count:
        check(stop)
        at = max(range(len(groups)), key=lambda at: best[at][0])
        chosen.append(int(groups[at].photos[best[at][1]]))
        groups[at].choose(best[at][1])
        best[at] = groups[at].best()
    return np.sort(np.array(chosen, dtype=np.int64))


def worth_of(quality: Reals, weight: float) -> Reals:
    """The worth of each photo by its quality, which counts with a weight from 0 (all are worth 1) to 1."""
    return np.asarray(np.maximum((1 - weight) + weight * quality, LEAST_WORTH), np.float32)


def sampled(photos: Indices, count: int, group_photos: int = GROUP_PHOTOS) -> Indices:
    """The photos that are considered where `count` are chosen: all, or of very many some that are evenly spaced."""
    most = max(count, count * group_photos // LEAST_PHOTOS_PER_CHOSEN)
    return photos[np.linspace(0, len(photos) - 1, min(most, len(photos))).round().astype(np.int64)]


def groups_of(points: Reals, group_photos: int = GROUP_PHOTOS) -> list[Indices]:
    """Rows in groups of at most `group_photos` like ones: halved along the axis on which they are most spread."""
    waiting, done = [np.arange(len(points))], []
    while waiting:
        rows = waiting.pop()
        if len(rows) <= group_photos:
            done.append(rows)
            continue
        axis = int(points[rows].var(axis=0).argmax())
        order = np.argsort(points[rows, axis], kind="stable")
        waiting += [np.sort(rows[half]) for half in np.array_split(order, 2)]
    return done


@dataclass(eq=False)
class _Group:
    """Like photos, how far each is from the nearest chosen photo, and what choosing each would gain."""

    photos: Indices
    points: Reals  # (n, axes)
    squares: Reals  # (n,)
    nearest: Reals  # (n,)
    gains: Reals  # (n,) never less than the true gains, because no gain ever grows; below 0 for chosen photos
    known: NDArray[np.bool_]  # (n,) whether each gain is the true one
    worth: Reals  # (n,) what a gain is multiplied by

    @classmethod
    def of(cls, space: Space, photos: Indices, standing: Indices, worth: Reals | None = None) -> _Group:
        """The group of these photos, while those that are `standing` have been chosen."""
        points = space.points[photos]
        nearest = np.full(len(photos), np.inf, np.float32)
        for start in range(0, len(standing), GROUP_PHOTOS):
            np.minimum(
                nearest, space.distances(photos, standing[start : start + GROUP_PHOTOS]).min(axis=1), out=nearest
            )
        worths = np.ones(len(photos), np.float32) if worth is None else worth[photos]
        squares, known = (points * points).sum(axis=1), np.ones(len(photos), bool)
        group = cls(photos, points, squares, nearest, nearest, known, worths)
        between = group.distances(slice(None))
        if not len(standing):  # as if the photo least like it had been chosen for each photo
            group.nearest = between.max(axis=1)
        group.gains = np.maximum(group.nearest - between, 0.0, out=between).sum(axis=1) * worths
        return group

    def best(self) -> tuple[float, int]:
        """The largest gain, and the place of its photo; gains are recomputed until the largest one is a true gain."""
        while not self.known[place := int(self.gains.argmax())]:
            doubtful = np.where(self.known, np.float32(-1.0), self.gains)
            some = np.argpartition(-doubtful, min(GAINS_PER_UPDATE, len(doubtful)) - 1)[:GAINS_PER_UPDATE]
            some = some[doubtful[some] >= 0.0]
            away = self.distances(some)
            self.gains[some] = np.maximum(self.nearest - away, 0.0, out=away).sum(axis=1) * self.worth[some]
            self.known[some] = True
        return float(self.gains[place]), place

    def choose(self, place: int) -> None:
        """Choose a photo: the gains of the others may have become less."""
        np.minimum(self.nearest, self.distances(slice(place, place + 1))[0], out=self.nearest)
        self.known[:] = self.gains < 0.0
        self.gains[place], self.known[place] = -1.0, True

    def distances(self, some: slice | Indices) -> Reals:
        """From some of the photos to all: (some, n), zeros to themselves."""
        squares = self.squares[some, None] + self.squares - 2.0 * (self.points[some] @ self.points.T)
        distances = np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares)
        distances[np.arange(len(distances)), np.arange(len(self.photos))[some]] = 0.0
        return np.asarray(distances)


def good_representatives(
    space: Space,
    photos: Indices,
    count: int,
    standing: Indices,
    quality: Quality,
    stop: Stop | None = None,
    *,
    group_photos: int = GROUP_PHOTOS,
) -> Indices:
    """Representatives of high quality, which may cost a share of coverage (`quality.most_lost`).

    A photo whose quality is below 0, because it is too small for the print, gives way to one of those it stands for.
    """
    found = representatives(space, photos, count, standing, stop, group_photos=group_photos)
    considered = sampled(photos, count, group_photos)
    groups = [considered[part] for part in groups_of(space.points[considered], group_photos)]
    found = _exchanged(groups, found, standing, quality, stop)
    return _large_enough(space, photos, found, standing, quality.values)


def _exchanged(
    groups: list[Indices], chosen: Indices, standing: Indices, quality: Quality, stop: Stop | None
) -> Indices:
    """The chosen photos after exchanges with others of their group.

    The loss of coverage that a group does not use up is left for the groups after it.
    """
    space, room, photos = quality.whole, 0.0, np.concatenate(groups)
    shown = np.concatenate([chosen, standing])
    usual = [float(space.distances(group, shown).min(axis=1).sum()) for group in groups]
    for part, before in zip(groups, usual, strict=True):
        check(stop)
        room += quality.most_lost * before
        own = np.intersect1d(part, chosen)
        if len(own):
            others = np.setdiff1d(chosen, own)
            group = _Exchange.of(space, part, photos, own, np.concatenate([others, standing]), quality.values)
            before = group.total
            group.improve(before + room, stop)
            room -= group.total - before
            chosen = np.concatenate([others, group.photos[group.chosen]])
    return np.sort(chosen)


@dataclass(eq=False)
class _Exchange:
    """The photos of a group, which of them are chosen, and how far the m counted photos are from shown ones.

    The counted photos are those of the group, and those of other groups for which a photo of this group stands. For
    each the distances to the nearest and to the second nearest shown photo are kept.
    """

    photos: Indices  # (n,)
    quality: Reals  # (n,)
    away: Reals  # (n, m) distances to the counted photos
    beyond: Reals  # (m,) how far each is from the nearest photo that is shown in any case
    chosen: Indices  # (k,) places among the photos
    nearest: Indices  # (m,) the place of the nearest photo among the chosen ones, k if it is one shown in any case
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
        counted = np.concatenate([part, elsewhere])
        beyond = np.full(len(counted), np.inf, np.float32)
        if len(standing):
            beyond = space.distances(counted, standing).min(axis=1)
        away = np.asarray(space.distances(part, counted), np.float32)
        np.fill_diagonal(away, 0.0)
        places = np.flatnonzero(np.isin(part, chosen))
        group = cls(part, quality[part], away, beyond, places, places, beyond, beyond)
        group._find_nearest()
        return group

    @property
    def total(self) -> float:
        """The distances of the counted photos to the nearest shown ones, summed."""
        return float(self.first.sum())

    def improve(self, limit: float, stop: Stop | None = None) -> None:
        """Exchange photos for better ones as long as the sum of distances stays below a limit."""
        usual = self.total / len(self.chosen)
        for price in PRICES:
            check(stop)
            for photo in np.setdiff1d(np.arange(len(self.photos)), self.chosen).tolist():
                self._exchange(photo, price * usual, limit)

    def _exchange(self, photo: int, price: float, limit: float) -> None:
        """Choose a photo in place of the chosen one for which it gains most, if it gains anything."""
        away = self.away[photo]
        nearer = np.minimum(away - self.first, 0.0)
        alone = np.minimum(away, self.second) - self.first - nearer  # what its photos lose when a chosen one leaves
        leaves = np.bincount(self.nearest, alone, minlength=len(self.chosen) + 1)[:-1]
        farther = leaves + float(nearer.sum())
        cost = farther - price * (self.quality[photo] - self.quality[self.chosen])
        cost[(self.total + farther > limit) & (farther > 0)] = np.inf
        place = int(cost.argmin())
        if cost[place] < -LEAST_GAIN:
            self.chosen = np.concatenate([self.chosen[:place], [photo], self.chosen[place + 1 :]])
            self._find_nearest()

    def _find_nearest(self) -> None:
        """Find for each counted photo the nearest and the second nearest of the shown ones."""
        shown = np.vstack([self.away[self.chosen], self.beyond])
        order = np.argpartition(shown, 1, axis=0)[:2] if len(shown) > 2 else np.argsort(shown, axis=0)
        both = np.take_along_axis(shown, order, axis=0)
        swapped = (both[0] > both[1]).astype(np.int64)
        self.nearest = order[swapped, np.arange(len(swapped))]
        self.first, self.second = both.min(axis=0), both.max(axis=0)


def _large_enough(space: Space, photos: Indices, chosen: Indices, standing: Indices, quality: Reals) -> Indices:
    """The chosen photos; each that is too small is replaced by the nearest large enough photo that it stands for."""
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
