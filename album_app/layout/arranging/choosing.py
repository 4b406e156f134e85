"""Who is shown and which cells are filled, when photos and cells are not equally many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.arranging.representatives import representatives
from album_app.layout.shapes.pages import Pages
from album_app.photos.time_order import chapters
from album_app.work import Stop


@dataclass(frozen=True, eq=False)
class Choice:
    """The photos to place, a repeated one as often as it is to be placed, and equally many free cells, ascending."""

    photos: Indices
    cells: Indices
    repeats: bool = False  # whether a photo is to be placed again


def shown_photos(arrangement: Arrangement, before: Indices | None = None, stop: Stop | None = None) -> Indices:
    """The loose photos that will be on the sheet: all, or as many as there are free cells, so that they stand for all.

    `before` is an earlier sheet: what it shows stays as far as it can.
    """
    photos, count = arrangement.loose_photos, len(arrangement.free_cells)
    if len(photos) <= count:
        return photos
    kept = photos[:0] if before is None else np.intersect1d(photos, before)[:count]
    if len(kept) == count:
        return kept
    others = np.setdiff1d(photos, kept)
    standing = np.concatenate([kept, arrangement.pinned_photos])
    return np.union1d(kept, representatives(arrangement.space, others, count - len(kept), standing, stop))


def choose(
    arrangement: Arrangement,
    shown: Indices,
    guide: PlanGuide | None,
    fill: str,
    before: Indices | None = None,
) -> Choice:
    """Fit the photos that will be shown to cells; `before` is an earlier sheet on the same cells, which are kept."""
    cells = arrangement.free_cells
    if len(shown) >= len(cells):
        return Choice(shown, cells)
    if fill == "repeat":
        return Choice(repeated_photos(arrangement), cells, repeats=True)
    if fill == "end":
        first = arrangement.shape.reading[np.isin(arrangement.shape.reading, cells)][: len(shown)]
        return Choice(shown, np.sort(first))
    strength = np.zeros(len(cells)) if guide is None else guide.confidence[cells]
    if before is not None:
        strength = strength + 2.0 * (before[cells] >= 0)
    strongest = np.argsort(-strength, kind="stable")[: len(shown)]
    return Choice(shown, np.sort(cells[strongest]))


def by_chapters(arrangement: Arrangement, pages: Pages, shown: Indices, when: NDArray[np.float64]) -> Choice:
    """The loose photos that are shown, page by page in the order of time, and their cells, page by page from the first.

    `when` (photos,) is infinite for those without a date, which come last. Pins stay where they are, and their pages
    have the fewer cells for others. Photos and cells are paired as they come.
    """
    shape = arrangement.shape
    free = shape.reading[np.isin(shape.reading, arrangement.free_cells)]
    rooms = np.bincount(pages.page_of(shape.cells[free]), minlength=pages.count)
    order = shown[np.argsort(when[shown], kind="stable")]
    first = np.cumsum(rooms) - rooms  # the place of each page's first free cell
    places = [begin + np.arange(size) for begin, size in zip(first, _sizes(when[order], rooms), strict=True)]
    return Choice(order, free[np.concatenate(places)])


def _sizes(when: NDArray[np.float64], rooms: Indices) -> Indices:
    """How many of the photos that were taken at these times, ascending, go onto each page."""
    count, pages = len(when), len(rooms)
    if pages <= count <= pages * int(rooms.min()):
        return np.diff([*chapters(when.tolist(), pages, int(rooms.min())), count])
    filled = np.minimum(np.cumsum(rooms), count)
    return np.diff(filled, prepend=0)


def resemblance(arrangement: Arrangement, shown: Indices) -> dict[int, int]:
    """For every photo that is left out while these loose ones are shown, the one on the sheet most like it."""
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
