"""Tiles on their way: positions as (n, 2) arrays of (row, column), eased from where they are to where they belong."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.shape import Cell

SHORTEST, LONGEST = 0.25, 0.40
FAR = 8.0


@dataclass(frozen=True, eq=False)
class Glide:
    """Every tile's way from `origin` to `target`, starting at one moment; positions are (n, 2) in cells."""

    photos: NDArray[np.int64]  # (n,) the photo on each tile
    origin: NDArray[np.float64]  # (n, 2)
    target: NDArray[np.float64]  # (n, 2)
    start: float = 0.0
    seconds: float = 0.0

    @classmethod
    def resting(cls, photos: NDArray[np.int64], target: NDArray[np.float64]) -> "Glide":
        """Tiles that are where they belong."""
        return cls(photos, target, target)

    def at(self, now: float) -> NDArray[np.float64]:
        """Where the tiles are at a moment."""
        if self.over(now):
            return self.target
        share = max(0.0, (now - self.start) / self.seconds)
        return self.origin + (self.target - self.origin) * ease(share)

    def over(self, now: float) -> bool:
        """Whether every tile has arrived."""
        return now >= self.start + self.seconds

    def redirected(self, photos: NDArray[np.int64], target: NDArray[np.float64], now: float, *, move: bool) -> "Glide":
        """Towards other places, from wherever the tiles are now; with `move` off they are there at once.

        A photo that was not on the sheet before starts where it belongs. The tiles are reordered so that
        those with the longest way come last, which is on top.
        """
        if not move or not len(self.photos):
            return Glide.resting(photos, target)
        origin = origins(self.photos, self.at(now), photos, target)
        way = np.hypot(*(target - origin).T)
        if not len(way) or way.max() == 0:
            return Glide.resting(photos, target)
        order = np.argsort(way, kind="stable")
        seconds = SHORTEST + (LONGEST - SHORTEST) * min(1.0, float(way.max()) / FAR)
        return Glide(photos[order], origin[order], target[order], now, seconds)

    def lifted(self, photo: int, target: Cell | None, place: NDArray[np.float64], now: float) -> "Glide":
        """As it is now, but with one photo's tile at another place: the one that belongs in `target`, else any."""
        positions = self.at(now).copy()
        own = np.flatnonzero(self.photos == photo)
        exact = own if target is None else own[(self.target[own] == target).all(axis=1)]
        chosen = exact if len(exact) else own
        if not len(chosen):
            photos = np.append(self.photos, photo)
            return Glide.resting(photos, np.vstack([positions, place]))
        positions[chosen[0]] = place
        return Glide.resting(self.photos, positions)


def ease(share: float) -> float:
    """Fast at first, slow at the end: 0 -> 0, 1 -> 1."""
    return 1.0 - (1.0 - min(share, 1.0)) ** 3


def origins(
    old_photos: NDArray[np.int64],
    old_positions: NDArray[np.float64],
    photos: NDArray[np.int64],
    target: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Where each new tile comes from: the k-th tile of a photo from the k-th one it had, a new photo from its place."""
    if not len(old_photos):
        return target
    scale = max(len(old_photos), len(photos))
    old_keys = old_photos * scale + _rank(old_photos)
    new_keys = photos * scale + _rank(photos)
    order = np.argsort(old_keys)
    found = order[np.minimum(np.searchsorted(old_keys, new_keys, sorter=order), len(order) - 1)]
    known = old_keys[found] == new_keys
    return np.where(known[:, None], old_positions[found], target)


def _rank(photos: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many tiles of the same photo came before each tile."""
    order = np.argsort(photos, kind="stable")
    ordered = photos[order]
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]]) if len(ordered) else np.zeros(0, dtype=bool)
    begins = np.maximum.accumulate(np.where(first, np.arange(len(ordered)), 0))
    rank = np.empty(len(photos), dtype=np.int64)
    rank[order] = np.arange(len(ordered)) - begins
    return rank
