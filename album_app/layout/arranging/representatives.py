"""Photos that stand for all the others: blocks of like photos, one choice over all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Indices
from album_app.layout.arranging.space import Space
from album_app.work import Stop, check

BLOCK = 1200
"""Photos whose distances are compared at once: memory grows with this number squared, and with photos only."""

LEAST_PHOTOS_PER_CHOSEN = 4
"""The least number of photos per chosen one in a block; to choose fewer, only a sample of the photos is considered."""

GAINS_PER_UPDATE = 48
"""The number of gains that are recomputed together."""

LEAST_WORTH = 0.01
"""Keeps the worst photos apart by what they stand for."""

HALVINGS = 6
"""Choices that are tried to find how much quality may count; more of them change less than one photo of sixty."""

Reals = NDArray[np.float32]


def representatives(
    space: Space,
    photos: Indices,
    count: int,
    standing: Indices,
    stop: Stop | None = None,
    worth: Reals | None = None,
) -> Indices:
    """`count` of the photos, ascending, such that all are near to a chosen one or to one that is `standing` already.

    Distances are looked at within blocks of like photos only, but the next one is chosen among all blocks: one by one
    that which brings the photos of its block nearest to a chosen one, so that varied blocks get more. What a photo
    gains counts times its `worth` (all photos,), so that of photos that gain about equally much the best is chosen.
    """
    photos = _sample(photos, max(count, count * BLOCK // LEAST_PHOTOS_PER_CHOSEN))
    blocks = []
    for part in _blocks(space.points[photos]):
        check(stop)
        blocks.append(_Block.of(space, photos[part], standing, worth))
    best = [block.best() for block in blocks]  # (gain, place)
    chosen: list[int] = []
    while len(chosen) < count:
        check(stop)
        at = max(range(len(blocks)), key=lambda at: best[at][0])
        chosen.append(int(blocks[at].photos[best[at][1]]))
        blocks[at].choose(best[at][1])
        best[at] = blocks[at].best()
    return np.sort(np.array(chosen, dtype=np.int64))


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
    if math.isinf(most_lost):
        best = representatives(space, photos, count, standing, stop, worth_of(quality, 1.0))
        return _large_enough(space, photos, best, standing, quality)
    best = representatives(space, photos, count, standing, stop)
    limit = (1 + most_lost) * _mean_distance(space, photos, best, standing)
    low, high, weight = 0.0, 1.0, 1.0
    for _ in range(HALVINGS):
        found = representatives(space, photos, count, standing, stop, worth_of(quality, weight))
        if _mean_distance(space, photos, found, standing) <= limit:
            best, low = found, weight
        else:
            high = weight
        if low == high:
            break
        weight = (low + high) / 2
    return _large_enough(space, photos, best, standing, quality)


def worth_of(quality: Reals, weight: float) -> Reals:
    """What standing for others counts times for each photo where its quality has this weight, from 0 to 1."""
    return np.asarray(np.maximum((1 - weight) + weight * quality, LEAST_WORTH), np.float32)


def _mean_distance(space: Space, photos: Indices, chosen: Indices, standing: Indices) -> float:
    """The mean distance of the photos to the nearest one that is shown."""
    shown, total = np.concatenate([chosen, standing]), 0.0
    for start in range(0, len(photos), BLOCK):
        total += float(space.distances(photos[start : start + BLOCK], shown).min(axis=1).sum())
    return total / max(1, len(photos))


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


def _sample(photos: Indices, most: int) -> Indices:
    """At most `most` of the photos, evenly spaced."""
    return photos[np.linspace(0, len(photos) - 1, min(most, len(photos))).round().astype(np.int64)]


def _blocks(points: Reals) -> list[Indices]:
    """Rows in blocks of at most BLOCK like ones: halved along the axis on which they are most spread."""
    waiting, done = [np.arange(len(points))], []
    while waiting:
        rows = waiting.pop()
        if len(rows) <= BLOCK:
            done.append(rows)
            continue
        axis = int(points[rows].var(axis=0).argmax())
        order = np.argsort(points[rows, axis], kind="stable")
        waiting += [np.sort(rows[half]) for half in np.array_split(order, 2)]
    return done


@dataclass(eq=False)
class _Block:
    """Like photos, how far each is from the nearest that was chosen, and what choosing each would gain."""

    photos: Indices
    points: Reals  # (n, axes)
    squares: Reals  # (n,)
    nearest: Reals  # (n,)
    gains: Reals  # (n,) never less than the true ones, since no gain ever grows; below 0 for chosen photos
    known: NDArray[np.bool_]  # (n,) whether each gain is the true one
    worth: Reals  # (n,) what a gain is multiplied by

    @classmethod
    def of(cls, space: Space, photos: Indices, standing: Indices, worth: Reals | None = None) -> _Block:
        """The block of these photos, while those that are `standing` have been chosen."""
        points = space.points[photos]
        nearest = np.full(len(photos), np.inf, np.float32)
        for start in range(0, len(standing), BLOCK):
            np.minimum(nearest, space.distances(photos, standing[start : start + BLOCK]).min(axis=1), out=nearest)
        worths = np.ones(len(photos), np.float32) if worth is None else worth[photos]
        squares, known = (points * points).sum(axis=1), np.ones(len(photos), bool)
        block = cls(photos, points, squares, nearest, nearest, known, worths)
        between = block.distances(slice(None))
        if not len(standing):  # as if for each photo that least like it stood
            block.nearest = between.max(axis=1)
        block.gains = np.maximum(block.nearest - between, 0.0, out=between).sum(axis=1) * worths
        return block

    def best(self) -> tuple[float, int]:
        """The largest gain, and which photo has it; gains are computed again as far as that takes."""
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
