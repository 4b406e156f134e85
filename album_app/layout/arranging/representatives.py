"""Photos that stand for all the others: blocks of like photos, one choice over all of them."""

from __future__ import annotations

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
    photos = sampled(photos, count)
    blocks = []
    for part in blocks_of(space.points[photos]):
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


def worth_of(quality: Reals, weight: float) -> Reals:
    """What standing for others counts times for each photo where its quality has this weight, from 0 to 1."""
    return np.asarray(np.maximum((1 - weight) + weight * quality, LEAST_WORTH), np.float32)


def sampled(photos: Indices, count: int) -> Indices:
    """The photos that are considered where `count` are chosen: all, or of very many some that are evenly spaced."""
    most = max(count, count * BLOCK // LEAST_PHOTOS_PER_CHOSEN)
    return photos[np.linspace(0, len(photos) - 1, min(most, len(photos))).round().astype(np.int64)]


def blocks_of(points: Reals) -> list[Indices]:
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
