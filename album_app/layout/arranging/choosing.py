"""Who is shown and which cells are filled, when photos and cells are not equally many."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.first_sheet import sorted_into
from album_app.layout.arranging.guide import PlanGuide
from album_app.work import Stop, check

PART = 400
"""Cells of one part of the sheet: choosing among all photos at once would need all their distances."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The photos to place, a repeated one as often as it is to be placed, and equally many free cells, ascending."""

    photos: Indices
    cells: Indices
    resembles: dict[int, int] = field(default_factory=dict)  # left-out photo -> the shown one most like it
    repeats: bool = False  # whether a photo is to be placed again


def choose(
    arrangement: Arrangement,
    guide: PlanGuide | None,
    fill: str,
    before: Indices | None = None,
    stop: Stop | None = None,
) -> Choice:
    """Fit photos to cells; `before` is an earlier sheet on the same cells, to which as much as possible is kept."""
    photos, cells = arrangement.loose_photos, arrangement.free_cells
    if len(photos) > len(cells):
        shown = (
            _kept(arrangement, before)
            if before is not None or guide is None
            else chosen_photos(arrangement, guide, stop)
        )
        return Choice(shown, cells, _resemblance(arrangement, shown))
    if fill == "repeat" and len(photos) < len(cells):
        return Choice(repeated_photos(arrangement), cells, repeats=True)
    if fill == "end":
        return Choice(photos, cells[: len(photos)])
    strength = np.zeros(len(cells)) if guide is None else guide.confidence[cells]
    if before is not None:
        strength = strength + 2.0 * (before[cells] >= 0)
    strongest = np.argsort(-strength, kind="stable")[: len(photos)]
    return Choice(photos, np.sort(cells[strongest]))


def _kept(arrangement: Arrangement, before: Indices | None) -> Indices:
    """The photos shown before as far as they still can be, filled up with those least like any shown."""
    count, space = len(arrangement.free_cells), arrangement.space
    shown = (
        np.intersect1d(arrangement.loose_photos, before)[:count] if before is not None else arrangement.loose_photos[:0]
    )
    while len(shown) < count:
        others = np.setdiff1d(arrangement.loose_photos, shown)
        standing = np.concatenate([shown, arrangement.pinned_photos])
        if not len(standing):
            return others[:count]
        likest = standing[space.nearest(others, standing)]
        away = np.linalg.norm(space.points[others] - space.points[likest], axis=1)
        wanted = min(count - len(shown), max(1, count // 10))
        shown = np.union1d(shown, others[np.argsort(-away, kind="stable")[:wanted]])
    return shown


def _resemblance(arrangement: Arrangement, shown: Indices) -> dict[int, int]:
    """For every photo left out the shown one most like it."""
    out = np.setdiff1d(arrangement.loose_photos, shown)
    standing = np.concatenate([shown, arrangement.pinned_photos])
    if not len(standing):
        return {}
    return dict(zip(out.tolist(), standing[arrangement.space.nearest(out, standing)].tolist(), strict=True))


def repeated_photos(arrangement: Arrangement) -> Indices:
    """Every photo equally often, or once more for photos evenly spaced in the album; pins count as one each."""
    cells, photos = arrangement.shape.count - len(arrangement.held), len(arrangement.photos)
    times = np.full(photos, cells // photos)
    times[np.linspace(0, photos, cells % photos, endpoint=False).astype(np.int64)] += 1
    times[np.searchsorted(arrangement.photos, arrangement.pinned_photos)] -= 1
    return np.repeat(arrangement.photos, times)


def chosen_photos(arrangement: Arrangement, guide: PlanGuide, stop: Stop | None = None) -> Indices:
    """As many loose photos as there are free cells.

    The plan deals all photos out over the sheet, equally many to each cell. Neighbouring cells form a part, for which
    as many of its photos are chosen as it has cells: one by one that which brings all of them nearest to a shown one.
    """
    photos, cells = arrangement.loose_photos, arrangement.free_cells
    places = guide.barycentres[np.searchsorted(guide.photos, photos)]
    dealt = np.sort(np.arange(len(photos)) % len(cells))  # (photos,) positions of cells, row by row
    in_order = photos[sorted_into(places, arrangement.shape, cells[dealt])]
    shown = []
    for part in np.array_split(np.arange(len(cells)), -(-len(cells) // PART)):
        check(stop)
        own = in_order[np.searchsorted(dealt, part[0]) : np.searchsorted(dealt, part[-1], side="right")]
        shown.append(own[_most_typical(*_distances(arrangement, own), len(part))])
    return np.sort(np.concatenate(shown))


def _distances(arrangement: Arrangement, photos: Indices) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Between all photos of a part (n, n), and from each to the nearest pinned photo (n,), or to the farthest one."""
    between = arrangement.space.distances(photos, photos)
    np.fill_diagonal(between, 0.0)
    if not len(arrangement.pins):
        return between, between.max(axis=1)
    return between, arrangement.space.distances(photos, arrangement.pinned_photos).min(axis=1)


def _most_typical(between: NDArray[np.float32], nearest: NDArray[np.float32], count: int) -> list[int]:
    """Greedily `count` of the photos such that the sum of distances to the nearest chosen one falls fastest.

    No photo's gain ever grows, so most of them need not be computed again after each choice.
    """
    gains = [
        (-float(gain), photo) for photo, gain in enumerate(np.maximum(nearest[:, None] - between, 0.0).sum(axis=0))
    ]
    heapq.heapify(gains)
    chosen: list[int] = []
    while len(chosen) < count:
        _, photo = heapq.heappop(gains)
        gain = float(np.maximum(nearest - between[photo], 0.0).sum())
        if gains and -gain > gains[0][0]:
            heapq.heappush(gains, (-gain, photo))
            continue
        chosen.append(photo)
        nearest = np.minimum(nearest, between[photo])
    return chosen
