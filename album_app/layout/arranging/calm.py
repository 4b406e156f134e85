"""Calm under the hand: what an earlier sheet means for the next one, and what leaving a place on it costs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.guide import Matrix, PlanGuide
from album_app.layout.options import Options
from album_app.layout.shapes.symmetries import Symmetry, symmetries
from album_app.layout.sheet import Layout

CALM, CARRIED, SAME_WAY_ROUND, FRESH = "calm", "carried", "same way round", "fresh"

MOSTLY = 0.8
"""A sheet is carried over to other cells if photos came or went, and such a share of them lay on it."""

MOST_MOVED = 1
"""Pins put elsewhere at once that a sheet follows calmly; two that change places are a new order, found afresh."""

STAY = 0.1
"""What a photo pays for each squared cell between its place on the earlier sheet and a new one."""

LEAVE = 0.1
"""What it pays in the last mile for any other cell than its own: few move, and only where that gains something."""

NEAR, LIKE = 4.5, 35
"""Nothing is to be paid within so many cells of a pin's new and old place, and by so many photos most like it."""

WORN = 10
"""The price falls with this power of how much rougher the sheet has become since it was last found afresh."""

SHARE = 2 / 3
"""A pin that was there before and moves by less than NEAR frees only this share of that way around it."""

FARTHEST, NEAREST = 10.0, 3.0
"""Neighbourhoods that a calm sheet is refined from: as far as the pin went, within these bounds."""

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
    def of(cls, arrangement: Arrangement, options: Options, warm: Layout | None) -> Earlier:
        """Judge by the table of `arrange` what changed since the sheet `warm`."""
        if warm is None:
            return cls()
        guide = warm.guide if isinstance(warm.guide, PlanGuide) else None
        same_features = guide is None or guide.space is arrangement.space
        same_look = guide is None or same_features or arrangement.space.tells_the_same(guide.space)
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
    """What leaving its place costs each photo, and how wide a neighbourhood refinement starts from."""

    of: NDArray[np.float32]  # (photos,) for each squared cell
    homes: Indices  # (photos,) the cells where they lay, -1 for none
    radius: float

    @classmethod
    def suiting(cls, arrangement: Arrangement, earlier: Layout, filled: Indices) -> Prices:
        """Nothing for photos new on the sheet or around pins that go elsewhere; dear for all others.

        Less dear, and wider neighbourhoods, where many edits have made the sheet rougher than it was when fresh.
        `filled` are the cells that unpinned photos will lie in.
        """
        before, cells = earlier.photo_at, arrangement.shape.places
        homes = np.full(len(arrangement.space.points), -1, dtype=np.int64)
        homes[before[before >= 0]] = np.flatnonzero(before >= 0)
        homeless = np.setdiff1d(arrangement.loose_photos, before[filled])
        kept = (min(1.0, earlier.fresh_roughness / max(arrangement.roughness(before), 1e-9)) or 1.0) ** WORN
        prices = np.full(len(homes), STAY * kept, np.float32)
        prices[homeless] = 0.0
        added = len(np.setdiff1d(homeless, before))
        radius = FARTHEST if added else max(NEAREST, FARTHEST * (1.0 - kept))
        for photo in moved_pins(arrangement, before).tolist():
            ends = cells[
                [index for index in (homes[photo], arrangement.shape.index_of(arrangement.pins[photo])) if index >= 0]
            ]
            way = float(np.linalg.norm(ends[0] - ends[-1])) if len(ends) == 2 else np.inf
            free = min(NEAR, SHARE * way) if photo in earlier.pins else NEAR
            for end in ends:
                around = before[np.linalg.norm(cells - end, axis=1) <= free]
                prices[around[around >= 0]] = 0.0
            prices[_most_like(arrangement, photo, round(LIKE * free / NEAR))] = 0.0
            radius = max(radius, min(FARTHEST, way))
        return cls(prices, homes, radius)

    def __call__(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """In the last mile: what each of the groups' photos (B, K) pays in each of the groups' cells (B, K)."""
        elsewhere = cells[:, :, None] != self.homes[photos][:, None, :]
        return np.asarray(elsewhere * (np.float32(LEAVE / STAY) * self.of[photos])[:, None, :])


def _most_like(arrangement: Arrangement, photo: int, count: int) -> Indices:
    """The photos taking part that are most like one."""
    away = arrangement.space.distances(np.array([photo]), arrangement.photos)[0]
    return arrangement.photos[np.argsort(away, kind="stable")[:count]]
