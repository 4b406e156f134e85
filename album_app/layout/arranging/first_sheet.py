"""The sheet to start from: a plan rounded to one photo per cell, or an earlier sheet with the new pins on it."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.arranging.refine import Schedule, refine
from album_app.layout.shapes.shape import Shape
from album_app.work import Stop

CELLS_FOR_ONE_ASSIGNMENT = 600
"""Up to this many cells, a single assignment finds the best rounding and is fast enough to be stopped in time."""


def sorted_into(places: NDArray[np.float64], shape: Shape, cells: Indices) -> Indices:
    """Which of equally many places goes to each of the cells: sorted into rows, rows into columns."""
    order = np.lexsort(shape.places[cells].T[::-1])
    downwards = np.argsort(places[:, 0], kind="stable")
    chosen = np.empty_like(order)
    chosen[order] = downwards[np.lexsort((places[downwards, 1], shape.places[cells[order], 0]))]
    return chosen


def first_sheet(arrangement: Arrangement, guide: PlanGuide, photos: Indices, cells: Indices) -> Indices:
    """A complete sheet at once: photos sorted by where the plan sends them on average."""
    photo_at = arrangement.fixed_sheet()
    places = guide.barycentres[np.searchsorted(guide.photos, photos)]
    photo_at[cells] = photos[sorted_into(places, arrangement.shape, cells)]
    return photo_at


def rounded_sheet(
    arrangement: Arrangement, guide: PlanGuide, photos: Indices, cells: Indices, seed: int = 0, stop: Stop | None = None
) -> Indices:
    """The sheet whose photos and cells have the largest sum of log pi, exactly or nearly so."""
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
    """An earlier sheet with the new pins and photos: who can stays, the others take what is left."""
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
