"""Motion on the sheet: only what changes moves.

Tiles glide from where they are to where they belong, grow and shrink to their new sizes, and their crops shift; marks
fade in and out. All motion takes one of the times of the design sheet, and is fast at first and slow at the end.
"""

import math
from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from album_app.gui.style.design import CALM_MS, LONGEST_MS
from album_app.photos.faces import Box

Position = tuple[float, float]
"""A (y, x) on the sheet in its units, where one cell is 1 x 1: the top left corner of a tile."""

CALM_SECONDS, LONGEST_SECONDS = CALM_MS / 1000, LONGEST_MS / 1000
"""How long single tiles and marks change, and how long the tiles with the longest way glide."""
NO_WAY = 1e-6
"""If all ways are shorter than this, in sheet units, no tile moves."""
FAR = 8.0
"""A glide takes the longest time if one of its ways is at least this long, in sheet units."""
RIPPLE = 0.45
"""The furthest tile sets out after this share of the time, so that the eye can follow a change from where it began."""


@dataclass(frozen=True, eq=False)
class Glide:
    """The way of every tile from `origin` to `target`; positions are (n, 2) in sheet units.

    All tiles arrive by `start + seconds`. If cells were changed, the `sources`, tiles near them set out first and those
    far away last, as a wave that began at the time `wave`.
    """

    photos: NDArray[np.int64]  # (n,) the photo on each tile
    origin: NDArray[np.float64]  # (n, 2)
    target: NDArray[np.float64]  # (n, 2)
    frames: NDArray[np.int64]  # (n,) the frame that each tile belongs in, -1 for none
    start: float = 0.0
    seconds: float = 0.0
    delay: NDArray[np.float64] | None = None  # (n,) seconds after `start` at which each sets out
    sources: tuple[Position, ...] = ()
    wave: float = 0.0

    @classmethod
    def resting(
        cls, photos: NDArray[np.int64], target: NDArray[np.float64], frames: NDArray[np.int64] | None = None
    ) -> "Glide":
        """Tiles at rest; without `frames` the k-th tile belongs in the k-th frame."""
        return cls(photos, target, target, np.arange(len(photos)) if frames is None else frames)

    def at(self, now: float) -> NDArray[np.float64]:
        """Where the tiles are at a moment."""
        if self.over(now):
            return self.target
        wait: NDArray[np.float64] = np.zeros(len(self.photos)) if self.delay is None else self.delay
        share = (now - self.start - wait) / (self.seconds - wait.max(initial=0.0))
        return self.origin + (self.target - self.origin) * ease(share)[:, None]

    def over(self, now: float) -> bool:
        """Whether every tile has arrived."""
        return now >= self.start + self.seconds

    def redirected(
        self,
        photos: NDArray[np.int64],
        target: NDArray[np.float64],
        now: float,
        *,
        frames: NDArray[np.int64] | None = None,
        move: bool,
        pins: Collection[Position] = (),
        sources: Collection[Position] = (),
    ) -> "Glide":
        """A glide to other places from where the tiles are now; without `move` they are there at once.

        A photo that was not on the sheet starts where it belongs. Tiles are painted in their order: those with the
        longest way come last, and after them those that belong in `pins`. A wave that has not ended goes on unless
        there are new `sources`.
        """
        frames = np.arange(len(photos)) if frames is None else frames
        if not move or not len(self.photos):
            return Glide.resting(photos, target, frames)
        origin = origins(self.photos, self.at(now), photos, target)
        way = np.hypot(*(target - origin).T)
        if not len(way) or way.max() < NO_WAY:
            return Glide.resting(photos, target, frames)
        order = np.lexsort((way, _among(target, pins)))
        seconds = CALM_SECONDS + (LONGEST_SECONDS - CALM_SECONDS) * min(1.0, float(way.max()) / FAR)
        glide = Glide(photos[order], origin[order], target[order], frames[order], now, seconds)
        if sources:
            return glide._rippling(tuple(sources), now)
        return glide if self.over(now) else glide._rippling(self.sources, self.wave)

    def _rippling(self, sources: tuple[Position, ...], wave: float) -> "Glide":
        """This glide as a wave from some cells; tiles that the wave has reached at the start set out at once."""
        if not sources:
            return self
        apart = self.target[:, None] - np.array(sources, np.float64)
        far = np.hypot(apart[..., 0], apart[..., 1]).min(axis=1)
        moving = (self.origin != self.target).any(axis=1)
        reach = RIPPLE * self.seconds * far / max(float(far[moving].max(initial=0.0)), 1.0)
        delay = np.where(moving, np.clip(reach - (self.start - wave), 0.0, None), 0.0)
        return replace(self, delay=delay, sources=sources, wave=wave)

    def lifted(self, photo: int, target: Position | None, place: NDArray[np.float64], now: float) -> "Glide":
        """The tiles as they are now, but a photo's tile at `place`: the one that belongs in `target`, or else any."""
        positions = self.at(now).copy()
        own = np.flatnonzero(self.photos == photo)
        exact = own if target is None else own[(self.target[own] == target).all(axis=1)]
        chosen = exact if len(exact) else own
        if not len(chosen):
            photos, frames = np.append(self.photos, photo), np.append(self.frames, -1)
            return Glide.resting(photos, np.vstack([positions, place]), frames)
        positions[chosen[0]] = place
        return Glide.resting(self.photos, positions, self.frames)


@dataclass(frozen=True)
class TileChange:
    """A tile that grows, shrinks or shows another part of its photo.

    >>> change = TileChange(0.0, (0.5, 0.5), (0.0, 0.0, 0.5, 1.0))
    >>> change.size_at((40, 40), 0.0), change.size_at((40, 40), 9.0)
    ((20, 20), (40, 40))
    >>> change.crop_at((0.5, 0.0, 1.0, 1.0), 9.0)
    (0.5, 0.0, 1.0, 1.0)
    """

    start: float
    size: tuple[float, float] = (1.0, 1.0)  # width and height before, as multiples of those that it is to have
    crop: Box | None = None  # the part that it showed before; None if that stays

    def share(self, now: float) -> float:
        """How far the change is, from 0 to 1."""
        return ease_one((now - self.start) / CALM_SECONDS)

    def over(self, now: float) -> bool:
        return now >= self.start + CALM_SECONDS

    def size_at(self, target: tuple[int, int], now: float) -> tuple[int, int]:
        """Width and height in pixels at a moment, on the way to `target`."""
        share = self.share(now)
        across, down = (
            round(end * (begin + (1 - begin) * share)) for begin, end in zip(self.size, target, strict=True)
        )
        return max(1, across), max(1, down)

    def crop_at(self, target: Box, now: float) -> Box:
        """The part of the photo that is shown at a moment, on the way to `target`."""
        if self.crop is None:
            return target
        share = self.share(now)
        left, top, right, bottom = (a + (b - a) * share for a, b in zip(self.crop, target, strict=True))
        return left, top, right, bottom


Mark = TypeVar("Mark", bound=Hashable)


@dataclass(frozen=True)
class Fade(Generic[Mark]):
    """Marks that appear and vanish: the marks before, the marks now, and the time of the change.

    >>> fade = Fade[str]().turned(frozenset("ab"), 0.0, move=False).turned(frozenset("bc"), 1.0, move=True)
    >>> sorted(fade.opacities(1.0).items()), sorted(fade.opacities(9.0).items())
    ([('a', 1.0), ('b', 1.0), ('c', 0.0)], [('b', 1.0), ('c', 1.0)])
    """

    before: frozenset[Mark] = frozenset()
    marks: frozenset[Mark] = frozenset()
    since: float = -math.inf

    def turned(self, marks: frozenset[Mark], now: float, move: bool) -> "Fade[Mark]":
        """A fade to other marks; without `move` they are there at once."""
        if marks == self.marks:
            return self
        return Fade(self.marks, marks, now if move else -math.inf)

    def over(self, now: float) -> bool:
        return now >= self.since + CALM_SECONDS

    def opacities(self, now: float) -> dict[Mark, float]:
        """How opaque each mark is at a moment."""
        if self.over(now):
            return dict.fromkeys(self.marks, 1.0)
        share = ease_one((now - self.since) / CALM_SECONDS)
        found = dict.fromkeys(self.marks & self.before, 1.0)
        return (
            found | dict.fromkeys(self.marks - self.before, share) | dict.fromkeys(self.before - self.marks, 1 - share)
        )


def ease_one(share: float) -> float:
    """Fast at first, slow at the end: 0 -> 0, 1 -> 1."""
    return 1.0 - (1.0 - min(max(share, 0.0), 1.0)) ** 3


def ease(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fast at first, slow at the end: 0 -> 0, 1 -> 1."""
    return np.asarray(1.0 - (1.0 - np.clip(share, 0.0, 1.0)) ** 3)


def _among(target: NDArray[np.float64], places: Collection[Position]) -> NDArray[np.bool_]:
    """Which tiles belong in one of these places."""
    wanted = set(places)
    return (
        np.array([(row, column) in wanted for row, column in target.tolist()], bool)
        if wanted
        else np.zeros(len(target), bool)
    )


def origins(
    old_photos: NDArray[np.int64],
    old_positions: NDArray[np.float64],
    photos: NDArray[np.int64],
    target: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Where each tile starts: the k-th tile of a photo where its k-th tile was, a new photo at its target."""
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
    """How many tiles of its photo come before each tile."""
    order = np.argsort(photos, kind="stable")
    ordered = photos[order]
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]]) if len(ordered) else np.zeros(0, dtype=bool)
    begins = np.maximum.accumulate(np.where(first, np.arange(len(ordered)), 0))
    rank = np.empty(len(photos), dtype=np.int64)
    rank[order] = np.arange(len(ordered)) - begins
    return rank
