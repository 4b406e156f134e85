"""The sheet to start from: a rounded plan, or an earlier sheet with its new pins and the photos that follow them.

Where an earlier sheet is carried on, photos like a pin that moved far follow it (`followed`). Pins that were put in
place one by one attract no others (`lone_pins`).
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.arranging.polish import CELLS_FOR_GLOBAL_EXCHANGE
from album_app.layout.arranging.refine import Schedule, refine
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import Shape
from album_app.work import Stop

CELLS_FOR_ONE_ASSIGNMENT = 600
"""Up to this many cells, a single assignment finds the best rounding and is fast enough to be stopped in time."""

KIN_ON_SMALL_SHEETS = 12
"""The number of photos that follow a pin at once on a small sheet, where later exchanges across all of it bring others.

Chosen among 4, 8 and 12 on three albums of 320 photos, seeds 0 to 2: at a far new pin 0.80, 0.78 and 0.77 of the photos
keep their cells and pull is 0.009, 0.003 and 0.002 below a fresh sheet's. Where the first pin of a sheet goes to the
farthest corner, by meaning, pull is 0.11, 0.07 and 0.03 below on four albums.
"""

USUAL_KIN = 48
"""The number of photos that follow a pin on a large sheet where photos form no groups."""

MOST_KIN_SHARE = 0.04
"""At most this share of a large sheet's photos follows a pin."""

FEWEST_IN_A_GROUP = 24
"""Fewer photos do not make a group of kin."""

GROWTH_STEP, LEAST_GAP = 1.15, 2.5
"""A group of kin ends where distances grow at least `LEAST_GAP` times as fast as the median while the number of photos,
ordered by distance, grows by the factor `GROWTH_STEP`."""

FAR_CELLS = 5.0
"""Cells: the kin of a pin that moves by less lie near its new cell already, and exchanges bring them there."""

SURROUNDINGS = 8
"""The number of photos nearest to a cell by which it is judged what suits it."""

GATHERED = 0.5
"""A pin has gathered photos like it if those around it are nearer to it than the average photo by at least this share
of the largest possible difference. On one album, pins that kin had followed reached 0.8 and more, and photos exchanged
across the sheet less than 0."""


def sorted_into(places: NDArray[np.float64], shape: Shape, cells: Indices) -> Indices:
    """For each cell the number of the place that goes there: places are sorted into rows, and each row into columns."""
    order = np.lexsort(shape.places[cells].T[::-1])
    downwards = np.argsort(places[:, 0], kind="stable")
    chosen = np.empty_like(order)
    chosen[order] = downwards[np.lexsort((places[downwards, 1], shape.places[cells[order], 0]))]
    return chosen


def first_sheet(arrangement: Arrangement, guide: PlanGuide, photos: Indices, cells: Indices) -> Indices:
    """A complete sheet, quickly: photos sorted by where the plan sends them on average."""
    photo_at = arrangement.fixed_sheet()
    places = guide.barycentres[np.searchsorted(guide.photos, photos)]
    photo_at[cells] = photos[sorted_into(places, arrangement.shape, cells)]
    return photo_at


def rounded_sheet(
    arrangement: Arrangement, guide: PlanGuide, photos: Indices, cells: Indices, seed: int = 0, stop: Stop | None = None
) -> Indices:
    """The sheet with the largest sum of log pi over its photos and cells; on large sheets nearly the largest."""
    if len(cells) > CELLS_FOR_ONE_ASSIGNMENT:
        first = first_sheet(arrangement, guide, photos, cells)
        field = Field.of(arrangement, guide, Pull(plan=1.0, pins=0.0), np.flatnonzero(first >= 0), smooth=False)
        *_, last = refine(field, first, cells, Schedule(max(field.grid) / 2, 0.8, 6, seed), stop=stop)
        return last
    from scipy.optimize import linear_sum_assignment

    photo_at = arrangement.fixed_sheet()
    logits = guide.logits(np.searchsorted(guide.photos, photos), cells).T
    photo_at[cells] = photos[linear_sum_assignment(logits.mean(axis=0) - logits)[1]]
    return photo_at


def moved_sheet(arrangement: Arrangement, photos: Indices, cells: Indices, places: NDArray[np.float64]) -> Indices:
    """A sheet on other cells: photos sorted by where they lay, new ones (nan) with the photo most like them."""
    photo_at = arrangement.fixed_sheet()
    wanted, new = places[photos], np.isnan(places[photos, 0])
    wanted[new] = wanted[~new][arrangement.space.nearest(photos[new], photos[~new])]
    photo_at[cells] = photos[sorted_into(wanted, arrangement.shape, cells)]
    return photo_at


def carried_sheet(arrangement: Arrangement, photos: Indices, cells: Indices, before: Indices) -> Indices:
    """An earlier sheet with the new pins and photos: photos stay where they can, the others fill the other cells."""
    photo_at = arrangement.fixed_sheet()
    waiting = Counter(photos.tolist())
    for cell in cells.tolist():
        photo = int(before[cell])
        if waiting[photo] > 0:
            photo_at[cell] = photo
            waiting[photo] -= 1
    homeless = np.array(sorted(waiting.elements()), dtype=np.int64)
    photo_at[cells[photo_at[cells] < 0]] = homeless
    return photo_at


def moved_pins(arrangement: Arrangement, before: Indices) -> Indices:
    """The pinned photos that did not lie in their cells."""
    return np.asarray(arrangement.pinned_photos[before[arrangement.pinned_cells] != arrangement.pinned_photos])


def leading_pins(arrangement: Arrangement, before: Indices) -> Indices:
    """The moved pins that photos like them shall follow.

    Photos that exchanged their cells with each other were put there one by one, so no photos follow them.
    """
    moved = moved_pins(arrangement, before)
    displaced = {photo: set(before[arrangement.cells_of_pin(photo)].tolist()) for photo in moved.tolist()}
    all_displaced = set().union(*displaced.values())
    leads = [photo for photo in displaced if photo not in all_displaced or displaced[photo].isdisjoint(displaced)]
    return np.array(leads, dtype=np.int64)


def far_pins(arrangement: Arrangement, before: Indices, pins: Indices) -> Indices:
    """The pinned photos that lay far from their cells on an earlier sheet, or nowhere on it."""
    places = arrangement.shape.places

    def is_far(photo: int) -> bool:
        lay = np.flatnonzero(before == photo)
        return (
            not len(lay) or float(np.linalg.norm(places[lay[0]] - places[arrangement.cell_of_pin(photo)])) > FAR_CELLS
        )

    return np.array([photo for photo in pins.tolist() if is_far(photo)], dtype=np.int64)


def followed(arrangement: Arrangement, sheet: Indices, movable: Indices, pins: Indices) -> Indices:
    """The sheet after the kin of each of these pinned photos followed it. Only photos in movable cells change places.

    The cells nearest to the pin receive its kin, the most like nearest. Each photo displaced from there takes the cell
    that one of the kin left, where its new surroundings are most like it.
    """
    from scipy.optimize import linear_sum_assignment

    places, space = arrangement.shape.places, arrangement.space
    for photo in pins.tolist() if len(movable) else ():
        cell = arrangement.cell_of_pin(photo)
        kin = kin_of(arrangement, photo, sheet[movable])
        apart = ((places[movable] - places[cell]) ** 2).sum(axis=1)
        around = movable[np.argsort(apart, kind="stable")[: len(kin)]]  # nearest first
        entered = around[~np.isin(sheet[around], kin)]
        coming = kin[~np.isin(kin, sheet[around])]
        if not len(coming):
            continue
        left, displaced = np.flatnonzero(np.isin(sheet, coming)), sheet[entered]
        sheet = sheet.copy()
        sheet[entered] = coming
        suits = ((_surroundings(arrangement, sheet, left)[:, None] - space.points[displaced]) ** 2).sum(axis=2)
        sheet[left] = displaced[linear_sum_assignment(suits)[1]]
    return sheet


def kin_of(arrangement: Arrangement, photo: int, others: Indices) -> Indices:
    """The photos among `others` that are like a photo and follow it, most like first.

    On a large sheet where photos form groups, those of its group; else a fixed number.
    """
    if len(others) <= CELLS_FOR_GLOBAL_EXCHANGE:
        return np.asarray(arrangement.space.most_like(np.array([photo]), others, KIN_ON_SMALL_SHEETS)[0])
    most = round(MOST_KIN_SHARE * len(others))
    kin = arrangement.space.most_like(np.array([photo]), others, int(GROWTH_STEP * most) + 1)[0]
    logs = np.log(np.maximum(arrangement.space.distances(np.array([photo]), kin)[0], 1e-6))
    counts = np.arange(min(most, FEWEST_IN_A_GROUP), most + 1)
    beyond = np.minimum(np.ceil(GROWTH_STEP * counts).astype(np.int64), len(kin)) - 1
    growth = logs[beyond] - logs[np.minimum(counts, len(kin)) - 1]
    if len(growth) and growth.max() > LEAST_GAP * max(float(np.median(growth)), 1e-6):
        return np.asarray(kin[: counts[int(growth.argmax())]])
    return np.asarray(kin[: min(most, USUAL_KIN)])


def _surroundings(arrangement: Arrangement, sheet: Indices, cells: Indices) -> NDArray[np.float32]:
    """The mean point of the photos nearest to each of some cells, whose own photos do not count: (cells, axes)."""
    places, points = arrangement.shape.places, arrangement.space.points
    filled = np.setdiff1d(np.flatnonzero(sheet >= 0), np.concatenate([cells, arrangement.missing_cells]))
    if not len(filled):
        return np.zeros((len(cells), points.shape[1]), np.float32)
    from scipy.spatial import KDTree

    _, near = KDTree(places[filled]).query(places[cells], min(SURROUNDINGS, len(filled)))
    return np.asarray(points[sheet[filled[near.reshape(len(cells), -1)]]].mean(axis=1))


def lone_pins(arrangement: Arrangement, earlier: Layout, before: Indices, leaders: Indices) -> frozenset[int]:
    """The pinned photos, `leaders` aside, that were put in place one by one, so that they attract no others.

    A pin that stayed in its cell remains what it was on the `earlier` layout. Any other is lone if it lies among photos
    unlike it, as when two photos exchange their cells; `before` are the photos that lay in these cells.
    """
    from scipy.spatial import KDTree

    stayed = {photo for photo, cell in arrangement.pins.items() if earlier.pins.get(photo) == cell}
    known = frozenset(stayed & earlier.lone)
    photos = np.setdiff1d(arrangement.pinned_photos, [*leaders.tolist(), *stayed])
    places = arrangement.shape.places
    filled = np.flatnonzero(before >= 0)
    filled = np.setdiff1d(filled, np.concatenate([arrangement.pinned_cells, arrangement.missing_cells]))
    if not len(photos) or len(filled) <= SURROUNDINGS:
        return known
    tree = KDTree(places[filled])

    def is_lone(photo: int) -> bool:
        away = arrangement.space.distances(np.array([photo]), before[filled])[0]
        _, near = tree.query(places[arrangement.cell_of_pin(photo)], SURROUNDINGS)
        least = np.partition(away, SURROUNDINGS - 1)[:SURROUNDINGS].mean()
        return bool(away.mean() - away[near].mean() < GATHERED * (away.mean() - least))

    return known | {photo for photo in photos.tolist() if is_lone(photo)}
