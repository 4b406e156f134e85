"""What can be said about a layout: significance, alternatives, the next pin, misfits, and what a fresh one gains."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.language import mark, tr
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.arrangement import Arrangement, CellsOrMask
from album_app.layout.arranging.exchange import Exchanges
from album_app.layout.arranging.guide import PlanGuide, learn
from album_app.layout.arranging.space import Space
from album_app.layout.evaluation.scores import (
    diagonal,
    layout_scores,
    leave_one_pin_out,
    mean_neighbour_distance,
    pin_pull,
)
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell, Shape
from album_app.photos.features.extractor import Features
from album_app.solver import density_ratio
from album_app.solver.density_ratio import Gaussian
from album_app.work import Stop, check

NEAREST_COMPARED = 2
"""The number of neighbours, those most like it, by which a photo is judged: at a border between groups or next to a
misfit most neighbours are strangers."""

OUTLIER_RANGES = 1.5
"""A photo is an outlier if its distance from its neighbours exceeds the upper quartile by this many interquartile
ranges, and `OUTLIER_FACTOR` times the median."""

OUTLIER_FACTOR = 1.5
"""See `OUTLIER_RANGES`."""

SURE_CONFIDENCE = 0.5
"""A photo with at least this confidence is no misfit: it may be odd, but no other place is equally good for it."""

PHOTOS_FOR_MISFITS = 30
"""Sheets with fewer photos have no misfits, because too few photos show what is usual."""

VISIBLE_PULL = 0.15
"""A dragged photo visibly lacks its kin if its pull is this much lower than on a fresh sheet."""

VISIBLE_ROUGHNESS = 0.015
"""A sheet is visibly rougher if its N24 is this much higher than that of a fresh one; N24 is about 0.7 to 0.9."""


def misfits(layout: Layout, features: ArrayLike) -> list[int]:
    """The photos that look out of place, the worst first; never a pinned one."""
    shown = layout.photo_at >= 0
    if not layout.arranged or shown.sum() < PHOTOS_FOR_MISFITS:
        return []
    unlike = _unlikeness(layout, np.asarray(features, np.float32))
    low, middle, high = np.nanquantile(unlike[shown], (0.25, 0.5, 0.75))
    bound = max(high + OUTLIER_RANGES * (high - low), OUTLIER_FACTOR * middle)
    pinned = np.isin(layout.photo_at, list(layout.pins))
    odd = shown & ~pinned & (layout.confidence < SURE_CONFIDENCE) & (unlike > bound)
    worst_first = np.flatnonzero(odd)[np.argsort(-unlike[odd], kind="stable")]
    return list(dict.fromkeys(layout.photo_at[worst_first].tolist()))


def _unlikeness(layout: Layout, x: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean distance of each cell's photo to the nearest of its neighbours' photos: (cells,), NaN without any."""
    around = layout.shape.frames().touching
    apart = np.full(around.T.shape, np.inf, np.float32)
    for place, adjacent in enumerate(around.T):
        others = layout.photo_at[adjacent]
        there = np.flatnonzero((adjacent >= 0) & (others >= 0) & (layout.photo_at >= 0))
        apart[place, there] = np.linalg.norm(x[layout.photo_at[there]] - x[others[there]], axis=1)
    nearest = np.sort(apart, axis=0)[:NEAREST_COMPARED]
    counted = np.isfinite(nearest)
    total = np.where(counted, nearest, 0).sum(axis=0)
    return np.where(counted.any(axis=0), total / np.maximum(counted.sum(axis=0), 1), np.nan).astype(np.float32)


BASIS = 100
"""Basis functions for the significance of a sheet: fewer are enough to tell order from disorder, and quicker."""

LAMBDA = 1e-3
"""Lambda for the significance of a sheet."""

ROUNDING = 1e-9
"""A spread of estimates smaller than this is made of rounding errors."""

PAIRS_COMPARED = 4000
"""The most pairs of neighbours, and the number of random pairs, whose distances are averaged."""

SAMPLE_SIZE = 2000
"""Sheets with more photos or cells are judged by a random sample of this size."""

LEAST_LAMBDA_FOR_PINS = 0.1
"""The least lambda with which pins judge each other: a ratio fitted closely to few pins says little about the next."""

CONFLICT_DISTANCE = 0.5
"""A pin is in conflict where the others would put its photo this share of the diagonal away: a plan without any
opinion puts it in the middle, half a diagonal from every corner."""


FELT_LOSS = 0.5
"""The loss from which people notice a difference; photos have the variance 1. The next best photo of a cell usually
costs a fifth of it, the seventh best more than all of it. Chosen on cut photos, by colour and by meaning."""

FIT_WORDS = ((0.8, mark("fits equally well")), (0.37, mark("fits a little worse")), (0.0, mark("fits poorly")))
"""(least fit, words): a loss up to a fifth of a felt one fits equally well, up to a felt one a little worse."""

ALIKE, UNLIKE = 0.1, 0.4
"""Squared distance of two photos, as a share of the median one to all photos: up to the first they are as good as
equal, and at the second a fit falls to 1 / e. Chosen by looking at sheets of 60 of 320 photos, whose neighbours are so
unlike that an exchange costs nothing."""


def smi_significance(
    layout: Layout, features: ArrayLike, permutations: int = 20, stop: Stop | None = None, seed: int = 0
) -> float:
    """How many standard deviations the SMI between photos and cells lies above that of shuffled cells.

    Both are estimated anew by LSMI from the photos as they lie; about 0 for a random sheet. 0 where nothing varies.
    """
    occupied = np.flatnonzero(layout.photo_at >= 0)
    rng = np.random.default_rng(seed)
    if len(occupied) > SAMPLE_SIZE:
        occupied = rng.choice(occupied, SAMPLE_SIZE, replace=False)
    if len(occupied) < 3:
        return 0.0
    x = _space_of(layout, features).points[layout.photo_at[occupied]].astype(np.float64)
    y = layout.shape.coordinates[occupied]
    # Both halves of the basis are drawn on their own, so that it favours no pairing of photos with cells.
    rows, columns = (rng.permutation(len(occupied))[:BASIS] for _ in range(2))
    K, L = Gaussian.fit(x, rows)(x), Gaussian.fit(y, columns)(y)
    H, mean_phi = density_ratio.design(K, L), density_ratio.mean_over_all(K, L)
    W = density_ratio.factorise(H, LAMBDA)

    def smi(order: NDArray[np.int64]) -> float:
        check(stop)
        alpha = density_ratio.fit(W, density_ratio.mean_over_pairs(K, L[:, order]))
        return density_ratio.squared_loss_mi(alpha, H, mean_phi)

    shuffled = [smi(rng.permutation(len(occupied))) for _ in range(permutations)]
    spread = float(np.std(shuffled))
    return (smi(np.arange(len(occupied))) - float(np.mean(shuffled))) / spread if spread > ROUNDING else 0.0


def with_plan(layout: Layout, features: ArrayLike, options: Options) -> Layout:
    """The layout with a plan to ask: its own, or one learnt for it where it was read from a file."""
    if layout.guide is not None:
        return layout
    return replace(layout, guide=_guide_of(layout, features, options), options=layout.options or options)


def alternatives_at(layout: Layout, cell: Cell, k: int = 8) -> list[tuple[int, float]]:
    """The k photos that suit a cell best, the one there among them, with how well they fit: best first.

    1 is as well as the photo there, or as the best where there is none; it falls to 1 / e by a loss that is felt, and
    for a photo that is hardly more like those in and around the cell than most photos are. A shown photo changes
    places with the one there, so the cell it leaves counts too. [] without a plan.
    """
    exchanges = _exchanges(layout)
    if exchanges is None:
        return []
    at = layout.shape.index_of(cell)
    photos, losses = exchanges.of_cell(at)
    here = layout.photo_in(cell)
    nothing = 0.0 if here is not None else losses.min(initial=0.0)
    fits = np.exp(-np.maximum(losses - nothing, 0.0) / FELT_LOSS)
    if here is not None and isinstance(layout.guide, PlanGuide):
        unlike = np.maximum(_distance_shares(layout, layout.guide.space, at, photos) - ALIKE, 0) / (UNLIKE - ALIKE)
        fits = np.minimum(fits, np.exp(-(unlike**2)))
    best = np.lexsort((losses, -fits))[:k]
    return list(zip(photos[best].tolist(), fits[best].tolist(), strict=True))


def _distance_shares(layout: Layout, space: Space, cell: int, photos: NDArray[np.int64]) -> NDArray[np.float32]:
    """How unlike photos are to what lies in and around a cell, as shares of how unlike the median of them is.

    A photo is compared with the one in the cell and with the nearest of its neighbours; the smaller squared distance
    counts.
    """
    around = layout.shape.frames().touching[cell]
    adjacent = layout.photo_at[around[around >= 0]]
    shares = []
    for other in (layout.photo_at[cell], *adjacent[adjacent >= 0]):
        squares = ((space.points[photos] - space.points[other]) ** 2).sum(axis=1)
        shares.append(squares / (float(np.median(squares)) or 1.0))
    nearest = np.sort(shares[1:], axis=0)[:NEAREST_COMPARED]
    found: NDArray[np.float32] = np.minimum(shares[0], nearest.mean(axis=0)) if len(nearest) else shares[0]
    return found


def neighbour_distance(layout: Layout, features: ArrayLike, active: Sequence[int], seed: int = 0) -> float:
    """The mean squared distance of neighbours on the sheet, as a share of that of any two photos of the album.

    About 1 where neighbours are no more alike than any two photos, whatever is chosen for the sheet; NaN where nothing
    varies or no cell has a neighbour.
    """
    points = _space_of(layout, features).points
    around = layout.shape.frames().touching
    cells, places = np.nonzero((around >= 0) & (layout.photo_at >= 0)[:, None] & (layout.photo_at[around] >= 0))
    rng = np.random.default_rng(seed)
    if len(cells) > PAIRS_COMPARED:
        chosen = rng.choice(len(cells), PAIRS_COMPARED, replace=False)
        cells, places = cells[chosen], places[chosen]
    adjacent = points[layout.photo_at[cells]] - points[layout.photo_at[around[cells, places]]]
    one, other = rng.choice(np.asarray(active, np.int64), (2, PAIRS_COMPARED)) if len(active) else np.empty((2, 0), int)
    any_two = (points[one] - points[other])[one != other]
    usual = float((any_two**2).sum(axis=1).mean()) if len(any_two) else 0.0
    return float((adjacent**2).sum(axis=1).mean()) / usual if usual > ROUNDING and len(adjacent) else math.nan


def places_for(layout: Layout, photo: int) -> NDArray[np.float32]:
    """How well a photo fits each cell, the photo there taking its place: (cells,); 0 for pinned ones.

    1 is the best place, 0 no better than most cells; zeros without a plan.
    """
    fits, exchanges = np.zeros(layout.shape.count, np.float32), _exchanges(layout)
    if exchanges is not None:
        cells, losses = exchanges.of_photo(photo)
        losses -= losses.min(initial=0.0)
        usual = max(float(np.median(losses)), 1e-9) if len(losses) else 1.0
        fits[cells] = np.clip(1.0 - losses / np.float32(usual), 0.0, 1.0)
    return fits


def fit_in_words(fit: float) -> str:
    """How well a photo fits, as `alternatives_at` measures it."""
    return next(words for least, words in FIT_WORDS if fit >= least)


def _exchanges(layout: Layout) -> Exchanges | None:
    """The exchanges on a layout; None without a plan, or with one that does not know all its photos yet."""
    guide = layout.guide
    if not isinstance(guide, PlanGuide) or max({*layout.shown, *layout.pins}, default=0) >= len(guide.space.points):
        return None
    active = np.array(sorted({*layout.shown, *layout.resembles}), dtype=np.int64)
    arrangement = Arrangement(guide.space, layout.shape, layout.pins, active)
    return Exchanges.of(arrangement, layout.photo_at, guide, (layout.options or Options()).follow)


def assignment_gap(layout: Layout, seed: int = 0, stop: Stop | None = None) -> float:
    """How much of the plan's favourites one photo per cell had to give up: 0 = every cell has its favourite.

    1 - (sum over cells of the placed photo's share) / (sum of the largest shares); 0 without a plan.
    """
    guide = layout.guide
    if not isinstance(guide, PlanGuide):
        return 0.0
    pinned = [layout.shape.index_of(cell) for cell in layout.pins.values()]
    cells = np.setdiff1d(np.flatnonzero(layout.photo_at >= 0), pinned)
    if len(cells) > SAMPLE_SIZE:
        cells = np.random.default_rng(seed).choice(cells, SAMPLE_SIZE, replace=False)
    rows = np.searchsorted(guide.photos, layout.photo_at[cells])
    largest = placed = 0.0
    for cell, row in zip(cells, rows, strict=True):  # one column at a time: each is as long as the album
        check(stop)
        shares = guide.column(int(cell))
        largest, placed = largest + float(shares.max()), placed + float(shares[row])
    return 1.0 - placed / largest if largest > 0.0 else 0.0


def suggest_pin(layout: Layout, features: ArrayLike, options: Options | None = None) -> tuple[int, Cell]:
    """The photo and cell of the sheet that, pinned as they are, would change the plan most.

    A further pair moves h by (phi - h) / (n + 1) and so r by phi . (H + lambda I)^-1 (phi - h): its mean square over
    all photos and cells is compared.
    """
    options = options or Options()
    guide = _guide_of(layout, features, options)
    pinned = [layout.shape.index_of(cell) for cell in layout.pins.values()]
    cells = np.setdiff1d(np.flatnonzero(layout.photo_at >= 0), pinned)
    if guide is None or not len(cells):
        raise UsageError(tr("Every photo on the sheet is pinned already."))
    state = guide.solution.state
    model = state.paper_model
    x = guide.space.points[layout.photo_at[cells]].astype(np.float64)
    phi = model.x_kernel(x) * model.y_kernel(layout.shape.coordinates[cells])  # (b, cells)
    known = model.h_pairs if layout.pins else state.h_plan
    W = density_ratio.factorise(model.H, options.lam)
    change = W.T @ (W @ (phi - known[:, None]))
    cell = layout.shape.cell(int(cells[np.argmax((change * (model.H @ change)).sum(axis=0))]))
    return int(layout.photo_at[layout.shape.index_of(cell)]), cell


def conflicting_pins(
    layout: Layout, features: ArrayLike, options: Options | None = None, stop: Stop | None = None
) -> list[tuple[int, float]]:
    """Pins that the others contradict, worst first: where these would put the photo lies half the sheet away.

    The number is the distance between the two places by the sheet's diagonal.
    """
    options = options or Options()
    smooth = replace(options, lam=max(options.lam, LEAST_LAMBDA_FOR_PINS))
    plan_without = _hiding(features, layout.shape, smooth, sorted({*layout.shown, *layout.resembles}), stop)
    errors = []
    for photo, cell in layout.pins.items():
        weights = plan_without(layout.pins.unpin(photo), photo)
        place, own = weights @ layout.shape.places, layout.shape.places[layout.shape.index_of(cell)]
        errors.append((photo, float(np.linalg.norm(place - own)) / diagonal(layout.shape)))
    return sorted((pin for pin in errors if pin[1] > CONFLICT_DISTANCE), key=lambda pin: -pin[1])


def hidden_pin_error(
    features: ArrayLike, shape: Shape, pins: Pins, options: Options | None = None, stop: Stop | None = None
) -> float:
    """Leave-one-pin-out: how far the other pins' plan puts a hidden pin, by the diagonal, on average."""
    return leave_one_pin_out(pins, shape, _hiding(features, shape, options or Options(), None, stop))


def _hiding(
    features: ArrayLike, shape: Shape, options: Options, active: Sequence[int] | None, stop: Stop | None
) -> Callable[[Pins, int], NDArray[np.float64]]:
    """A function that solves with some pins and gives another photo's weight on each cell."""
    space = Space.of(features)

    def plan_without(others: Pins, photo: int) -> NDArray[np.float64]:
        guide = learn(Arrangement.of(features, shape, others, active, space), options, stop=stop)
        if guide is None:
            return np.full(shape.count, 1.0 / shape.count)
        return guide.row(photo).astype(np.float64)

    return plan_without


def _space_of(layout: Layout, features: ArrayLike) -> Space:
    return Space.of(features, layout.guide.space if isinstance(layout.guide, PlanGuide) else None)


def _guide_of(layout: Layout, features: ArrayLike, options: Options) -> PlanGuide | None:
    """The layout's own guide, or one learnt for it where it was read from a file."""
    space = _space_of(layout, features)
    if isinstance(layout.guide, PlanGuide) and layout.guide.space is space:
        return layout.guide
    active = sorted({*layout.shown, *layout.resembles})
    return learn(Arrangement.of(features, layout.shape, layout.pins, active, space), options) if active else None


def scores_of(document: Document, layout: Layout, features: Features, stop: Stop) -> Mapping[str, float]:
    """DPQ16, pin pull, coverage, gap, neighbours' distance and the SMI's z-value, as far as they can be computed."""
    layout = layout.without(document.missing)  # of a missing photo nothing is known
    scores = layout_scores(layout, features, document.active, stop=stop)
    check(stop)
    if layout.guide is not None:
        scores["gap"] = assignment_gap(layout, stop=stop)
    scores["neighbour_distance"] = neighbour_distance(layout, features, document.active)
    scores["smi_z"] = float(smi_significance(layout, features, stop=stop))
    return {name: value for name, value in scores.items() if math.isfinite(value)}


@dataclass(frozen=True, eq=False)
class Behind:
    """How far a sheet is behind a fresh one; numbers above 0 mean that it is worse."""

    pull: float  # by the dragged photo that lost most
    n24: float
    fresh: Layout  # that sheet, ready to be shown

    @property
    def visible(self) -> bool:
        """Whether people would see it."""
        return self.pull > VISIBLE_PULL or self.n24 > VISIBLE_ROUGHNESS


def behind_fresh(
    features: ArrayLike,
    layout: Layout,
    *,
    dragged: Collection[int] = (),
    active: Collection[int] | None = None,
    missing: Pins | None = None,
    always: Collection[int] = (),
    when: NDArray[np.float64] | None = None,
    hold: CellsOrMask | None = None,
    stop: Stop | None = None,
) -> Behind:
    """Arrange a layout's photos afresh and compare; in the background, once nothing else is to be done.

    `dragged` are the pinned photos that were moved since the sheet was last fresh: their pulls are compared. Photos
    that exchanged places are not among them, because nothing was meant to follow them. The other arguments are those
    of `arrange`. Once `stop` says so the fresh sheet is an unfinished one, and the comparison means nothing.
    """
    x = np.asarray(features)
    fresh = arrange(
        x,
        layout.shape,
        layout.pins,
        layout.options,
        active=None if active is None else sorted(active),
        missing=missing,
        always=always,
        sizes=layout.sizes,
        aspects=layout.aspects,
        when=when,
        warm=layout,
        hold=hold,
        afresh=True,
        features_key=layout.features_key,
        stop=stop,
    )
    pulls = [_pull(x, fresh, photo) - _pull(x, layout, photo) for photo in dragged if photo in layout.pins]
    rougher = mean_neighbour_distance(x, layout) - mean_neighbour_distance(x, fresh)
    return Behind(max(pulls, default=0.0), float(np.nan_to_num(rougher)), fresh)


def dragged_since(fresh: Layout, layout: Layout) -> list[int]:
    """The pinned photos that lie elsewhere than on a fresh sheet, without those that exchanged their places."""
    before = {cell: photo for photo, cell in fresh.positions.items()}
    found = []
    for photo, cell in layout.pins.items():
        there, other = fresh.positions.get(photo), before.get(cell, -1)
        exchanged = other in layout.pins and layout.pins[other] == there
        if there != cell and not exchanged:
            found.append(photo)
    return found


def _pull(x: NDArray[np.floating], layout: Layout, photo: int) -> float:
    """The pull of one pinned photo."""
    filled = np.flatnonzero(layout.photo_at >= 0)
    row = int(np.flatnonzero(layout.photo_at[filled] == photo)[0])
    places = layout.shape.places[filled]
    return pin_pull(x[layout.photo_at[filled]], places, {row: tuple(places[row])})
