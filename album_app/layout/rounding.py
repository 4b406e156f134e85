"""From a plan to one photo per cell: by an exact assignment on small sheets, by strided groups on large ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from album_app.layout.field import Field, Pull
from album_app.layout.guide import PlanGuide
from album_app.layout.refine import Schedule, refine
from album_app.layout.shapes import Shape
from album_app.layout.table import Indices, Table
from album_app.work import Stop

EXACT = 600
"""Up to so many cells one assignment finds the best rounding fast enough to be stopped in time."""


def spread(places: NDArray[np.float64], shape: Shape, cells: Indices) -> Indices:
    """Which of equally many places goes to each of the cells (ascending): sorted into rows, rows into columns."""
    rows = shape.cells[cells, 0]
    downwards = np.argsort(places[:, 0], kind="stable")
    return np.asarray(downwards[np.lexsort((places[downwards, 1], rows))])


def first_sheet(table: Table, guide: PlanGuide, tokens: Indices, seats: Indices) -> Indices:
    """A complete sheet at once: photos sorted by where the plan sends them on average."""
    photo_at = table.with_pins_only()
    places = guide.barycentres[np.searchsorted(guide.photos, tokens)]
    photo_at[seats] = tokens[spread(places, table.shape, seats)]
    return photo_at


def rounded_sheet(
    table: Table, guide: PlanGuide, tokens: Indices, seats: Indices, seed: int = 0, stop: Stop | None = None
) -> Indices:
    """The sheet whose photos and cells have the largest sum of log pi, exactly or nearly so."""
    if len(seats) > EXACT:
        field = Field.of(table, guide, Pull(plan=1.0, pins=0.0), smooth=False)
        first = first_sheet(table, guide, tokens, seats)
        *_, last = refine(field, first, seats, Schedule(max(field.grid) / 2, 0.8, 6, seed), stop=stop)
        return last
    from scipy.optimize import linear_sum_assignment

    photo_at = table.with_pins_only()
    logits = guide.logits(np.searchsorted(guide.photos, tokens), seats).T
    photo_at[seats] = tokens[linear_sum_assignment(logits.mean(axis=0) - logits)[1]]
    return photo_at
