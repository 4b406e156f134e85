"""Calm edits: which earlier sheet a new one starts from, and the price that a photo pays for leaving its cell there."""

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

COMMON_PHOTOS_SHARE = 0.8
"""An earlier sheet is carried over to other cells if photos came or went and at least this share of them lay on it."""

COMMON_CELLS_SHARE = 0.7
"""A shape has grown or shrunk by a few rows or columns if the smaller one is this share of the larger one."""

LEAVING_PRICE = 0.08
"""What a photo pays for any cell but its own while few photos have left theirs. It is compared with distances between
photos, which are about 1.4 on average."""

DOUBLING_SHARE = 0.05
"""The share of the photos that have left their cells at which the price has doubled; it grows with that share's square.

`LEAVING_PRICE`, this, the next two and `UNLIKENESS_WEIGHT` were chosen on three albums of 320 photos by colour and by
meaning, seeds 0 to 5. With a constant price, 0.79 of the photos stay in place at a far new pin on average, but 0.60 in
the worst case; with this rising price 0.77 and 0.68, and all scores are better.
"""

DOUBLING_SHARE_PER_FAR_PIN = 0.07
"""What each pin that moved far adds to `DOUBLING_SHARE`."""

DOUBLING_SHARE_PER_NEW_PHOTO = 0.42
"""Where photos were only added or left out, the price has doubled at their share among the photos that pay, times
this."""

UNLIKENESS_WEIGHT = 4.0
"""The weight of a photo's distance from the photo of a moved pin, in the cells nearest to the pin."""

UNLIKENESS_CELLS, UNLIKENESS_CELLS_SHARE = 24, 0.075
"""In how many of the cells nearest to a moved pin that distance counts, and in which share of the sheet at most."""

WEAR_EXPONENT = 12
"""The price is divided by this power of the factor by which the sheet is rougher than when it was last arranged afresh.

The price falls everywhere, so that edits repair the roughness that earlier edits have left. Chosen on chains of twenty
edits of two albums of 320 photos by colour and by meaning, seeds 0 and 1: the powers 6 and 12 leave 0.90 and 0.89 of
the photos in place at each; at the end DPQ16t is 0.026 and 0.018 below a fresh sheet's, and N24 0.005 above and 0.001
below.
"""

EXCHANGE_MARGIN = 2
"""Rows and columns: on a large sheet, photos at most this far from a changed cell are exchanged; others stay."""

LOOKUP_FACTOR = 4
"""Look up this many times more like photos than are needed, because several photos are like the same ones."""

Places = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Earlier:
    """What is known of an earlier sheet: how the next one starts, and what it may start from."""

    start: str = FRESH  # CALM, CARRIED, SAME_WAY_ROUND or FRESH
    photo_at: Indices | None = None  # the earlier photos, by the cells of the new sheet; None for other cells
    guide: PlanGuide | None = None  # None where it was made with other features or cells
    facing: Facing | None = None  # the way round the earlier sheet lay
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
        if afresh or not warm.arranged:  # the earlier sheet only decides which way round the new one lies
            return cls(FRESH, facing=Facing.of(arrangement, _places(arrangement, warm)))
        guide = warm.guide if isinstance(warm.guide, PlanGuide) else None
        if guide is None:
            same_features = same_look = warm.features_key == features_key
        else:
            same_features = guide.space is arrangement.space
            same_look = same_features or arrangement.space.agrees_with(guide.space)
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
            if not (follows and same_look and warm.stage != "rounded" and known.mean() >= COMMON_PHOTOS_SHARE):
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
    if np.count_nonzero(common) < smaller or smaller < COMMON_CELLS_SHARE * larger:
        return None
    return np.where(common, warm.photo_at[before], -1)


def _same_settings(options: Options, earlier: Options | None) -> bool:
    """Whether all options are equal but effort, and the features, whose numbers or keys are compared."""
    return earlier is None or replace(earlier, features=options.features, effort=options.effort) == options


def _places(arrangement: Arrangement, warm: Layout) -> Places:
    """Where photos lay, with the earlier sheet stretched over the new one: (photos, 2), nan for those not shown.

    Photos that could not be distinguished when the earlier sheet was made have no place either.
    """
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
    """The way round in which a sheet is to lie: the one that is nearest to an earlier sheet."""

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
        """How a sheet is to be mirrored or turned; None if it need not be. Empty cells stay empty."""
        empty = photo_at < 0
        ways = [way for way in self.ways if np.array_equal(empty[way.before], empty)]
        best = min(ways, key=lambda way: self._away(photo_at[way.before]))
        return best if best is not self.ways[0] else None

    def _away(self, photo_at: Indices) -> float:
        """The distance of photos from their earlier places, summed over all that had one."""
        shown = photo_at >= 0
        return float(np.nansum(np.abs(self.places[photo_at[shown]] - self.coordinates[shown])))


def _grown(shape: Shape, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Some cells, given as a mask over all cells, and those at most EXCHANGE_MARGIN rows and columns away."""
    from scipy.ndimage import binary_dilation

    grid = np.zeros(shape.mask.shape, bool)
    grid[shape.mask] = cells
    side = 2 * EXCHANGE_MARGIN + 1
    return np.asarray(binary_dilation(grid, np.ones((side, side), bool))[shape.mask])


@dataclass(frozen=True, eq=False)
class Prices:
    """The price of a photo for leaving its home, the cell that it lay in, and for lying near a moved pin unlike it."""

    homes: Indices  # (photos,) the cell that each photo lay in, -1 for none
    paying: Indices  # the photos that pay for leaving home
    price: float  # of leaving home while no photo has left
    doubling_share: float  # the share of the paying photos at whose leaving the price has doubled
    near_pins: Matrix  # (pins, cells) weights of `unlike` in the cells nearest to each moved pin, 0 elsewhere
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
        lower where many edits have made the sheet rougher than it was when fresh; roughness around lone pins and
        around removed pins does not count, because no exchange repairs it. The `leaders` are moved pins that attract
        photos like them; the `far` ones are those that kin have followed.
        """
        homes = np.full(len(arrangement.space.points), -1, dtype=np.int64)
        homes[sheet[sheet >= 0]] = np.flatnonzero(sheet >= 0)
        stayed = sheet[(sheet >= 0) & (sheet == before)]
        unpinned = [photo for photo in earlier.pins if photo not in arrangement.pins]
        paying = np.setdiff1d(stayed, unpinned)
        doubling_share, new = (
            DOUBLING_SHARE + DOUBLING_SHARE_PER_FAR_PIN * len(far),
            np.setxor1d(sheet[sheet >= 0], before[before >= 0]),
        )
        if len(new) and not len(leaders):
            doubling_share = DOUBLING_SHARE_PER_NEW_PHOTO * len(new) / max(len(paying), 1)
        price, near_pins = LEAVING_PRICE, np.zeros((len(leaders), len(sheet)), np.float32)
        roughness = arrangement.roughness(np.where(np.isin(before, [*arrangement.lone, *unpinned]), -1, before))
        if 0.0 < earlier.fresh_roughness < roughness:
            price *= (earlier.fresh_roughness / roughness) ** WEAR_EXPONENT
        filled, places = np.flatnonzero(sheet >= 0), arrangement.shape.places
        for row, photo in enumerate(leaders.tolist()):
            apart = ((places[filled] - places[arrangement.cell_of_pin(photo)]) ** 2).sum(axis=1)
            farthest = np.sort(apart)[min(UNLIKENESS_CELLS, int(UNLIKENESS_CELLS_SHARE * len(apart)))]
            near_pins[row, filled[apart <= farthest]] = UNLIKENESS_WEIGHT
        unlike = arrangement.space.distances(leaders, np.arange(len(homes)))
        return cls(homes, paying, price, doubling_share, near_pins, unlike)

    def __call__(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """What each photo of a group (B, K) pays in each cell of the group (B, K): (B, cells, photos)."""
        elsewhere = cells[:, :, None] != self.homes[photos][:, None, :]
        paid = elsewhere * self._leaving_prices(photo_at)[photos][:, None, :]
        for near, unlike in zip(self.near_pins, self.unlike, strict=True):
            if near[cells].any():
                paid += near[cells][:, :, None] * unlike[photos][:, None, :]
        return np.asarray(paid, dtype=np.float32)

    def among(self, photos: Indices) -> Prices:
        """The prices where only these photos can leave."""
        return replace(self, paying=np.intersect1d(self.paying, photos))

    def _leaving_prices(self, photo_at: Indices) -> Matrix:
        """What each photo pays for leaving home (photos,) at the present sheet."""
        prices = np.zeros(len(self.homes), np.float32)
        left = float(np.mean(photo_at[self.homes[self.paying]] != self.paying)) if len(self.paying) else 0.0
        prices[self.paying] = self.price * (1.0 + (left / self.doubling_share) ** 2)
        return prices

    def cells_to_exchange(self, arrangement: Arrangement, before: Indices, sheet: Indices, cells: Indices) -> Indices:
        """The cells that exchange their photos after an edit: on a small sheet all of them.

        On a large sheet those near a cell whose photo has changed, and the cells of photos like those without a home.
        """
        if len(cells) <= CELLS_FOR_GLOBAL_EXCHANGE:
            return cells
        changed = (sheet != before) | (self.near_pins > 0.0).any(axis=0)
        free = np.setdiff1d(sheet[cells], self.paying)
        chosen = _grown(arrangement.shape, changed)
        chosen[np.isin(sheet, free)] = True
        if 0 < len(free) < CELLS_FOR_GLOBAL_EXCHANGE:
            like = arrangement.space.most_like(
                free, sheet[cells], LOOKUP_FACTOR * CELLS_FOR_GLOBAL_EXCHANGE // len(free)
            )
            _, first = np.unique(like.T.ravel(), return_index=True)
            chosen[
                np.isin(sheet, like.T.ravel()[np.sort(first)[: max(0, CELLS_FOR_GLOBAL_EXCHANGE - int(chosen.sum()))]])
            ] = True
        return np.asarray(cells[chosen[cells]])
