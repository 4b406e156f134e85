"""Who is shown and which cells are filled, when photos and cells are not equally many."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from album_app.layout.election import elected_photos
from album_app.layout.guide import PlanGuide
from album_app.layout.table import Indices, Table
from album_app.work import Stop


@dataclass(frozen=True, eq=False)
class Cast:
    """The photos to place, a repeated one as often as it is to be placed, and equally many free cells, ascending."""

    tokens: Indices
    seats: Indices
    resembles: dict[int, int] = field(default_factory=dict)  # left-out photo -> the shown one most like it
    repeats: bool = False  # whether a photo is to be placed again


def choose_cast(
    table: Table, guide: PlanGuide | None, fill: str, before: Indices | None = None, stop: Stop | None = None
) -> Cast:
    """Fit photos to cells; `before` is an earlier sheet on the same cells, to which as much as possible is kept."""
    photos, cells = table.loose_photos, table.free_cells
    if len(photos) > len(cells):
        shown = _kept(table, before) if before is not None or guide is None else elected_photos(table, guide, stop)
        return Cast(shown, cells, _resemblance(table, shown))
    if fill == "repeat" and len(photos) < len(cells):
        return Cast(repeated_photos(table), cells, repeats=True)
    if fill == "end":
        return Cast(photos, cells[: len(photos)])
    strength = np.zeros(len(cells)) if guide is None else guide.confidence[cells]
    if before is not None:
        strength = strength + 2.0 * (before[cells] >= 0)
    strongest = np.argsort(-strength, kind="stable")[: len(photos)]
    return Cast(photos, np.sort(cells[strongest]))


def _kept(table: Table, before: Indices | None) -> Indices:
    """The photos shown before as far as they still can be, filled up with those least like any shown."""
    count, space = len(table.free_cells), table.space
    shown = np.intersect1d(table.loose_photos, before)[:count] if before is not None else table.loose_photos[:0]
    while len(shown) < count:
        others = np.setdiff1d(table.loose_photos, shown)
        standing = np.concatenate([shown, table.pinned_photos])
        if not len(standing):
            return others[:count]
        likest = standing[space.nearest(others, standing)]
        away = np.linalg.norm(space.points[others] - space.points[likest], axis=1)
        wanted = min(count - len(shown), max(1, count // 10))
        shown = np.union1d(shown, others[np.argsort(-away, kind="stable")[:wanted]])
    return shown


def _resemblance(table: Table, shown: Indices) -> dict[int, int]:
    """For every photo left out the shown one most like it."""
    out = np.setdiff1d(table.loose_photos, shown)
    standing = np.concatenate([shown, table.pinned_photos])
    if not len(standing):
        return {}
    return dict(zip(out.tolist(), standing[table.space.nearest(out, standing)].tolist(), strict=True))


def repeated_photos(table: Table) -> Indices:
    """Every photo equally often, or once more for photos evenly spaced in the album; pins count as one each."""
    cells, photos = table.shape.count - len(table.held), len(table.photos)
    times = np.full(photos, cells // photos)
    times[np.linspace(0, photos, cells % photos, endpoint=False).astype(np.int64)] += 1
    times[np.searchsorted(table.photos, table.pinned_photos)] -= 1
    return np.repeat(table.photos, times)
