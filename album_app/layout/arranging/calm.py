"""Calm: which earlier sheet a new one starts from, and what a photo pays for leaving its cell there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.choosing import unlike_others
from album_app.layout.arranging.guide import Matrix, PlanGuide
from album_app.layout.arranging.polish import CELLS_FOR_GLOBAL_EXCHANGE
from album_app.layout.layout import Layout
from album_app.layout.options import EFFORTS, Options
from album_app.layout.shapes.shape import Shape, Symmetry, symmetries

CALM, CARRIED, SAME_WAY_ROUND, FRESH = "calm", "carried", "same way round", "fresh"

MOSTLY = 0.8
"""An earlier sheet counts on other cells if photos came or went, and at least this share of the photos lay on it."""

OVERLAP = 0.7
"""A shape has grown or shrunk by a few rows or columns if the smaller one is this share of the larger one."""

PRICE = 0.08
"""What a photo pays in the last mile for any other cell than its own while few have left theirs; photos are about 1.4
apart on average."""

LEAVING = 0.05
"""The share of the photos that have left their cells at which the price has doubled; it grows with that share's square.

This, the next two, the price and the boost were chosen on three albums of 320 photos by colour and by meaning, seeds 0
to 5. One price however many photos have left leaves 0.79 of them in place at a far new pin, but 0.60 at worst; this
leaves 0.77 and 0.68, and all scores are better.
"""

LEAVING_FOR_FAR = 0.07
"""What each pin from far away adds to that share."""

LEAVING_PER_NEW = 0.42
"""Where photos were only added or left out, that share is theirs among the photos that pay, times this."""

BOOST = 4.0
"""Weight of the distance from a moved pin's photo in the cells nearest to it."""

BOOSTED_CELLS, BOOSTED_SHARE = 24, 0.075
"""How many of the cells nearest to a moved pin the boost counts in, and at most which share of the sheet."""

WORN = 12
"""The price falls with this power of how much rougher the sheet has become since it was last arranged afresh.

It falls everywhere, so that edits repair what earlier ones have left. Chosen on chains of twenty edits of two albums of
320 photos by colour and by meaning, seeds 0 and 1: the powers 6 and 12 leave 0.90 and 0.89 of the photos in place at
each; at the end DPQ16t is 0.026 and 0.018 below a fresh sheet's, and N24 0.005 above and 0.001 below.
"""

STIRRED_MARGIN = 2
"""An edit of a large sheet reaches this many cells beyond those whose photos have changed; others keep theirs."""

LOOKUP_FACTOR = 4
"""Look up this many times more like photos than are needed, because several photos are like the same ones."""

Places = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Earlier:
    """An earlier sheet as far as it matters for the next: how that starts, and what it may start from."""

    start: str = FRESH
    photo_at: Indices | None = None  # on the same cells
    guide: PlanGuide | None = None  # of the same features
    facing: Facing | None = None  # the way round it lay
    settled: bool = False  # whether it is finished and no pin of it was taken away
    more_effort: bool = False  # whether the next one is to have more effort

    @classmethod
    def of(
        cls,
        arrangement: Arrangement,
        options: Options,
        warm: Layout | None,
        features_key: str,
        afresh: bool = False,
    ) -> Earlier:
        """Judge by the table of `arrange` what changed since the sheet `warm`.

        Without a guide, as after reading a file, only equal keys say that it was made with these features.
        """
        if warm is None:
            return cls()
        if afresh or not warm.arranged:  # it only says which way round the sheet is to lie
            return cls(FRESH, facing=Facing.of(arrangement, _places(arrangement, warm)))
        guide = warm.guide if isinstance(warm.guide, PlanGuide) else None
        if guide is None:
            same_features = same_look = warm.features_key == features_key
        else:
            same_features = guide.space is arrangement.space
            same_look = same_features or arrangement.space.tells_the_same(guide.space)
        same_cells = warm.shape.same_cells(arrangement.shape)
        photo_at = warm.photo_at if same_look and same_cells else None
        if not options.refine or not _same_settings(options, warm.options):
            holds = len(arrangement.held.cells) > 0
            return cls(FRESH, photo_at, facing=Facing.of(arrangement, _places(arrangement, warm)) if holds else None)
        facing = None
        if photo_at is None or not same_features:
            facing = Facing.of(arrangement, _places(arrangement, warm))
        if photo_at is None:
            known = np.isfinite(facing.places[arrangement.photos, 0]) if facing is not None else np.zeros(1, bool)
            follows = not np.array_equal(arrangement.photos, np.union1d(warm.shown, list(warm.resembles)))
            if not (follows and same_look and warm.stage != "rounded" and known.mean() >= MOSTLY):
                return cls(SAME_WAY_ROUND, facing=facing) if known.any() else cls()
            photo_at = _on_common_cells(arrangement.shape, warm)
            if photo_at is None:
                return cls(CARRIED, facing=facing)
        if warm.stage == "rounded":
            return cls(FRESH, photo_at)
        settled = same_cells and warm.stage == "refined" and warm.pins.keys() <= arrangement.pins.keys()
        usable = guide if same_features and same_cells else None
        made_with = warm.options.effort if warm.options is not None else options.effort
        more = EFFORTS.index(options.effort) > EFFORTS.index(made_with)
        return cls(CALM, photo_at, usable, facing if not same_features else None, settled, more)


def _on_common_cells(shape: Shape, warm: Layout) -> Indices | None:
    """The photos that an earlier layout shows in the cells of a shape that grew or shrank by a few rows or columns.

    None where neither shape contains the other. (cells,), -1 for new cells.
    """
    if shape.pages is not None or warm.shape.pages is not None:
        return None
    indices = {cell: index for index, cell in enumerate(map(tuple, warm.shape.cells.tolist()))}
    before = np.array([indices.get(cell, -1) for cell in map(tuple, shape.cells.tolist())], dtype=np.int64)
    common = before >= 0
    smaller, larger = sorted((shape.count, warm.shape.count))
    if np.count_nonzero(common) < smaller or smaller < OVERLAP * larger:
        return None
    return np.where(common, warm.photo_at[before], -1)


def _same_settings(options: Options, earlier: Options | None) -> bool:
    """Whether two options mean the same sheet: features are compared themselves, and effort continues a sheet."""
    return earlier is None or replace(earlier, features=options.features, effort=options.effort) == options


def _places(arrangement: Arrangement, warm: Layout) -> Places:
    """Where photos lay, both sheets stretched over the same square; those that nobody could tell apart lay anywhere."""
    places = np.full((len(arrangement.space.points), 2), np.nan)
    shown = (warm.photo_at >= 0) & (warm.photo_at < len(places))
    if isinstance(warm.guide, PlanGuide):
        shown &= unlike_others(warm.guide.space.points)[warm.photo_at]
    extent = np.maximum(warm.shape.places.max(axis=0), 1)
    new = arrangement.shape.coordinates.max(axis=0)
    places[warm.photo_at[shown]] = warm.shape.places[shown] / extent * new
    return places


@dataclass(frozen=True, eq=False)
class Facing:
    """The way round that sheets are to lie: as photos lay on an earlier one."""

    places: Places  # (photos, 2), nan where a photo was not shown
    coordinates: Places  # (m, 2) of the cells
    ways: list[Symmetry]  # those that leave pinned and held photos in their cells

    @classmethod
    def of(cls, arrangement: Arrangement, places: Places) -> Facing:
        """The way round of an arrangement's sheets."""
        fixed = arrangement.fixed_cells
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


def _grown(shape: Shape, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells (a mask over all of them) and those at most STIRRED_MARGIN rows and columns away."""
    from scipy.ndimage import binary_dilation

    grid = np.zeros(shape.mask.shape, bool)
    grid[shape.mask] = cells
    side = 2 * STIRRED_MARGIN + 1
    return np.asarray(binary_dilation(grid, np.ones((side, side), bool))[shape.mask])


@dataclass(frozen=True, eq=False)
class Prices:
    """What a photo pays in the last mile for leaving its home, and for lying near a moved pin that it is unlike."""

    homes: Indices  # (photos,) the cell that each photo lay in, -1 for none
    paying: Indices  # the photos that pay for leaving home
    price: float  # of leaving it while nobody has
    leaving: float  # the share of the paying photos with whose leaving the price has doubled
    boosts: Matrix  # (pins, cells) weights of `unlike` in the cells nearest to each moved pin, 0 elsewhere
    unlike: Matrix  # (pins, photos) distances from the moved pins' photos

    @classmethod
    def suiting(
        cls,
        arrangement: Arrangement,
        earlier: Layout,
        before: Indices,
        sheet: Indices,
        leaders: Indices,
        far: Indices,
    ) -> Prices:
        """The prices on a sheet that was carried over from an earlier one, which showed `before` in these cells.

        Photos that have another cell already, that are new, or that are no longer pinned pay nothing. The price is
        lower where many edits have made the sheet rougher than it was when fresh, except around lone pins, where it
        stays rough, and around pins taken away. The `leaders` are moved pins that attract photos like them; kin have
        followed the `far` ones.
        """
        homes = np.full(len(arrangement.space.points), -1, dtype=np.int64)
        homes[sheet[sheet >= 0]] = np.flatnonzero(sheet >= 0)
        stayed = sheet[(sheet >= 0) & (sheet == before)]
        unpinned = [photo for photo in earlier.pins if photo not in arrangement.pins]
        paying = np.setdiff1d(stayed, unpinned)
        leaving, new = LEAVING + LEAVING_FOR_FAR * len(far), np.setxor1d(sheet[sheet >= 0], before[before >= 0])
        if len(new) and not len(leaders):
            leaving = LEAVING_PER_NEW * len(new) / max(len(paying), 1)
        price, boosts = PRICE, np.zeros((len(leaders), len(sheet)), np.float32)
        roughness = arrangement.roughness(np.where(np.isin(before, [*arrangement.lone, *unpinned]), -1, before))
        if 0.0 < earlier.fresh_roughness < roughness:
            price *= (earlier.fresh_roughness / roughness) ** WORN
        filled, places = np.flatnonzero(sheet >= 0), arrangement.shape.places
        for row, photo in enumerate(leaders.tolist()):
            apart = ((places[filled] - places[arrangement.cell_of_pin(photo)]) ** 2).sum(axis=1)
            farthest = np.sort(apart)[min(BOOSTED_CELLS, int(BOOSTED_SHARE * len(apart)))]
            boosts[row, filled[apart <= farthest]] = BOOST
        unlike = arrangement.space.distances(leaders, np.arange(len(homes)))
        return cls(homes, paying, price, leaving, boosts, unlike)

    def __call__(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """What each of the groups' photos (B, K) pays in each of the groups' cells (B, K): (B, cells, photos)."""
        elsewhere = cells[:, :, None] != self.homes[photos][:, None, :]
        paid = elsewhere * self._prices(photo_at)[photos][:, None, :]
        for boost, unlike in zip(self.boosts, self.unlike, strict=True):
            if boost[cells].any():
                paid += boost[cells][:, :, None] * unlike[photos][:, None, :]
        return np.asarray(paid, dtype=np.float32)

    def among(self, photos: Indices) -> Prices:
        """The prices where only these photos can leave."""
        return replace(self, paying=np.intersect1d(self.paying, photos))

    def _prices(self, photo_at: Indices) -> Matrix:
        """What each photo pays for leaving home (photos,) while these photos lie on the sheet."""
        prices = np.zeros(len(self.homes), np.float32)
        left = float(np.mean(photo_at[self.homes[self.paying]] != self.paying)) if len(self.paying) else 0.0
        prices[self.paying] = self.price * (1.0 + (left / self.leaving) ** 2)
        return prices

    def stirred(self, arrangement: Arrangement, before: Indices, sheet: Indices, cells: Indices) -> Indices:
        """Which of the cells exchange photos in the last mile. On a small sheet all of them do.

        On a large one those near a cell whose photo has changed, and the cells of photos like the ones that have no
        home yet.
        """
        if len(cells) <= CELLS_FOR_GLOBAL_EXCHANGE:
            return cells
        changed = (sheet != before) | (self.boosts > 0.0).any(axis=0)
        free = np.setdiff1d(sheet[cells], self.paying)
        stirred = _grown(arrangement.shape, changed)
        stirred[np.isin(sheet, free)] = True
        if 0 < len(free) < CELLS_FOR_GLOBAL_EXCHANGE:
            like = arrangement.space.most_like(
                free, sheet[cells], LOOKUP_FACTOR * CELLS_FOR_GLOBAL_EXCHANGE // len(free)
            )
            _, first = np.unique(like.T.ravel(), return_index=True)
            stirred[
                np.isin(sheet, like.T.ravel()[np.sort(first)[: max(0, CELLS_FOR_GLOBAL_EXCHANGE - int(stirred.sum()))]])
            ] = True
        return np.asarray(cells[stirred[cells]])
