"""Calm under the hand: what an earlier sheet means for the next one, and what leaving a place on it costs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.guide import Matrix, PlanGuide
from album_app.layout.arranging.polish import SMALL
from album_app.layout.arranging.space import Space
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.shapes.symmetries import Symmetry, symmetries

CALM, CARRIED, SAME_WAY_ROUND, FRESH = "calm", "carried", "same way round", "fresh"

MOSTLY = 0.8
"""A sheet is carried over to other cells if photos came or went, and such a share of them lay on it."""

MOST_MOVED = 1
"""Pins put elsewhere at once that a sheet follows calmly; two that change places are a new order, found afresh."""

LEAVE, DEAREST = 0.12, 0.6
"""What a photo pays in the last mile for any other cell than its own: few move, and only where that gains something.

More than that, up to the second price, once MANY photos lie elsewhere: those who gain least go back.
"""

MANY, RISE = 0.075, 4
"""The share of photos that may leave before it becomes dearer for all, and the power by which it then does."""

NEAR, LIKE = 5.5, 50
"""Nothing is to be paid within so many cells of a pin's new and old place, and by so many photos most like it."""

WORN = 10
"""The price falls with this power of how much rougher the sheet has become since it was last found afresh."""

SHARE = 2 / 3
"""A pin that was there before and moves by less than NEAR frees only this share of that way around it."""

ENOUGH = 4
"""Photos are like several others: so many times as many have to be looked up as there are to be found."""

Places = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Earlier:
    """An earlier sheet as far as it matters for the next: how that starts, and what it may start from."""

    start: str = FRESH
    photo_at: Indices | None = None  # on the same cells
    guide: PlanGuide | None = None  # of the same features
    facing: Facing | None = None  # the way round it lay
    settled: bool = False  # whether it is finished and no pin of it was taken away

    @classmethod
    def of(cls, arrangement: Arrangement, options: Options, warm: Layout | None, features_key: str) -> Earlier:
        """Judge by the table of `arrange` what changed since the sheet `warm`.

        Without a guide, as after reading a file, only equal keys say that it was made with these features.
        """
        if warm is None:
            return cls()
        if not warm.arranged:  # it only says which way round the sheet is to lie
            return cls(FRESH, facing=Facing.of(arrangement, _places(arrangement, warm)))
        guide = warm.guide if isinstance(warm.guide, PlanGuide) else None
        if guide is None:
            same_features = same_look = warm.features_key == features_key
        else:
            same_features = guide.space is arrangement.space
            same_look = same_features or arrangement.space.tells_the_same(guide.space)
        photo_at = warm.photo_at if same_look and warm.shape.same_cells(arrangement.shape) else None
        if not options.refine or not _same_settings(options, warm.options):
            return cls(FRESH, photo_at)
        facing = None
        if photo_at is None or not same_features:
            facing = Facing.of(arrangement, _places(arrangement, warm))
        if photo_at is None:
            known = np.isfinite(facing.places[arrangement.photos, 0]) if facing is not None else np.zeros(1, bool)
            follows = not np.array_equal(arrangement.photos, np.union1d(warm.shown, list(warm.resembles)))
            carried = follows and same_look and warm.stage != "rounded" and known.mean() >= MOSTLY
            return cls(CARRIED if carried else SAME_WAY_ROUND, facing=facing) if known.any() else cls()
        if warm.stage == "rounded" or len(moved_pins(arrangement, photo_at)) > MOST_MOVED:
            return cls(FRESH, photo_at)
        settled = warm.stage == "refined" and warm.pins.keys() <= arrangement.pins.keys()
        return cls(CALM, photo_at, guide if same_features else None, facing, settled)


def _same_settings(options: Options, earlier: Options | None) -> bool:
    """Whether two options mean the same sheet; what features and photos there are can be seen from themselves."""
    return earlier is None or replace(earlier, features=options.features) == options


def _places(arrangement: Arrangement, warm: Layout) -> Places:
    """Where photos lay, both sheets stretched over the same square; those that nobody could tell apart lay anywhere."""
    places = np.full((len(arrangement.space.points), 2), np.nan)
    shown = (warm.photo_at >= 0) & (warm.photo_at < len(places))
    if isinstance(warm.guide, PlanGuide):
        shown &= _unlike_others(warm.guide.space.points)[warm.photo_at]
    extent = np.maximum(warm.shape.places.max(axis=0), 1)
    new = arrangement.shape.coordinates.max(axis=0)
    places[warm.photo_at[shown]] = warm.shape.places[shown] / extent * new
    return places


def _unlike_others(points: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which photos differ from all others: those still to be read are all the same. (photos,)"""
    leading = np.round(1e4 * points[:, :3]).astype(np.int64)
    keys = leading @ (1 << 20 * np.arange(leading.shape[1]))
    _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(sizes[group] == 1)


@dataclass(frozen=True, eq=False)
class Facing:
    """The way round that sheets are to lie: as photos lay on an earlier one."""

    places: Places  # (photos, 2), nan where a photo was not shown
    coordinates: Places  # (m, 2) of the cells
    ways: list[Symmetry]  # those that leave pinned and held photos in their cells

    @classmethod
    def of(cls, arrangement: Arrangement, places: Places) -> Facing:
        """The way round of an arrangement's sheets."""
        fixed = np.concatenate([arrangement.pinned_cells, arrangement.held_cells])
        ways = [way for way in symmetries(arrangement.shape) if np.array_equal(way.before[fixed], fixed)]
        return cls(places, arrangement.shape.coordinates, ways)

    def way(self, photo_at: Indices) -> Symmetry | None:
        """How a sheet is to be mirrored or turned; None if it need not be. Cells without a photo stay so."""
        empty = photo_at < 0
        ways = [way for way in self.ways if np.array_equal(empty[way.before], empty)]
        best = min(ways, key=lambda way: self._away(photo_at[way.before]))
        return best if best is not self.ways[0] else None

    def _away(self, photo_at: Indices) -> float:
        """How far photos lie from where they lay: the sum over all that lay somewhere."""
        shown = photo_at >= 0
        return float(np.nansum(np.abs(self.places[photo_at[shown]] - self.coordinates[shown])))


def moved_pins(arrangement: Arrangement, before: Indices) -> Indices:
    """The pinned photos that did not lie in their cells."""
    return np.asarray(arrangement.pinned_photos[before[arrangement.pinned_cells] != arrangement.pinned_photos])


@dataclass(frozen=True, eq=False)
class Prices:
    """What leaving its place costs each photo in the last mile."""

    shares: NDArray[np.float32]  # (photos,) of the full price that each pays
    homes: Indices  # (photos,) the cells where they lay, -1 for none

    @classmethod
    def suiting(cls, arrangement: Arrangement, earlier: Layout, filled: Indices) -> Prices:
        """Nothing for photos new on the sheet or around pins that go elsewhere; dear for all others.

        Less dear where many edits have made the sheet rougher than it was when fresh. `filled` are the cells that
        unpinned photos will lie in.
        """
        before, cells = earlier.photo_at, arrangement.shape.places
        homes = np.full(len(arrangement.space.points), -1, dtype=np.int64)
        homes[before[before >= 0]] = np.flatnonzero(before >= 0)
        kept = (min(1.0, earlier.fresh_roughness / max(arrangement.roughness(before), 1e-9)) or 1.0) ** WORN
        shares = np.full(len(homes), kept, np.float32)
        shares[np.setdiff1d(arrangement.loose_photos, before[filled])] = 0.0
        for photo in moved_pins(arrangement, before).tolist():
            ends = cells[
                [index for index in (homes[photo], arrangement.shape.index_of(arrangement.pins[photo])) if index >= 0]
            ]
            way = float(np.linalg.norm(ends[0] - ends[-1])) if len(ends) == 2 else np.inf
            free = min(NEAR, SHARE * way) if photo in earlier.pins else NEAR
            for end in ends:
                around = before[np.linalg.norm(cells - end, axis=1) <= free]
                shares[around[around >= 0]] = 0.0
            like = round(LIKE * free / NEAR)
            shares[arrangement.space.most_like(np.array([photo]), arrangement.photos, like)] = 0.0
        return cls(shares, homes)

    def __call__(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """What each of the groups' photos (B, K) pays in each of the groups' cells (B, K)."""
        elsewhere = cells[:, :, None] != self.homes[photos][:, None, :]
        return np.asarray(elsewhere * (self.full(photo_at) * self.shares[photos])[:, None, :])

    def full(self, photo_at: Indices) -> np.float32:
        """The full price while the sheet is this one: it rises with the photos that have left."""
        lying = np.flatnonzero(photo_at >= 0)
        photos = photo_at[lying]
        left = np.count_nonzero((self.shares[photos] > 0.0) & (self.homes[photos] != lying)) / max(len(lying), 1)
        return np.float32(np.clip(LEAVE * (left / MANY) ** RISE, LEAVE, DEAREST))

    def stirred(self, space: Space, photo_at: Indices, cells: Indices) -> Indices:
        """Which of the cells on a sheet exchange photos: those of photos who pay nothing, and of the ones like them.

        On a small sheet, and where too many are new on it, they all do.
        """
        free = photo_at[cells[self.shares[photo_at[cells]] == 0.0]]
        if len(cells) <= SMALL or len(free) > SMALL:
            return cells
        if not len(free):
            return cells[:0]
        like = space.most_like(free, photo_at[cells], ENOUGH * SMALL // len(free))
        photos, first = np.unique(np.concatenate([free, like.T.ravel()]), return_index=True)
        return np.asarray(cells[np.isin(photo_at[cells], photos[np.argsort(first)[:SMALL]])])
