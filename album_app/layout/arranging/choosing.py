"""Who is shown and which cells are filled, when photos and cells are not equally many."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.arranging.representatives import good_representatives, representatives
from album_app.layout.layout import Layout
from album_app.layout.shapes.pages import Pages
from album_app.photos.time_order import chapters
from album_app.work import Stop

MOSTLY_READ = 0.9
"""Photos stay chosen if at least this share of all photos differed from each other when they were chosen."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The photos to place, a repeated one as often as it is placed, and an equal number of free cells, ascending."""

    photos: Indices
    cells: Indices
    repeats: bool = False  # whether a photo is to be placed again


def shown_photos(
    arrangement: Arrangement,
    before: Indices | None = None,
    stop: Stop | None = None,
    *,
    always: Collection[int] = (),
) -> Indices:
    """The loose photos that will be on the sheet: all, or one per free cell, chosen so that they stand for all.

    The photos that are `always` shown come first, then those that an earlier sheet shows (`before`), then those that
    represent the others best. Where the first of these are already too many, some of them are chosen that represent
    them.
    """
    chosen, count = arrangement.loose_photos[:0], len(arrangement.free_cells)
    standing = arrangement.placed_photos
    for wanted in (np.array(list(always), dtype=np.int64), before, arrangement.loose_photos):
        if wanted is None or len(chosen) == count:
            continue
        others = np.setdiff1d(np.intersect1d(arrangement.loose_photos, wanted), chosen)
        if len(chosen) + len(others) > count:
            standing = np.concatenate([chosen, standing])
            free = count - len(chosen)
            if arrangement.quality is None:
                others = representatives(arrangement.space, others, free, standing, stop)
            else:
                others = good_representatives(arrangement.space, others, free, standing, arrangement.quality, stop)
            return np.union1d(chosen, others)
        chosen = np.union1d(chosen, others)
    return chosen


def chosen_before(arrangement: Arrangement, earlier: Layout) -> Indices | None:
    """The photos that an earlier layout shows; None if they were not chosen by their look.

    Photos that are still to be read all look alike, and a layout that was never arranged shows the first photos.
    """
    guide = earlier.guide
    if not earlier.arranged and guide is None:
        return None
    if isinstance(guide, PlanGuide):
        points = guide.space.points
        part = arrangement.photos[arrangement.photos < len(points)]
        if np.mean(unlike_others(points)[part]) < MOSTLY_READ:
            return None
    return earlier.photo_at


def unlike_others(points: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which photos differ from all others: (photos,). Photos that are still to be read do not."""
    leading = np.round(1e4 * points[:, :3]).astype(np.int64)
    keys = leading @ (1 << 20 * np.arange(leading.shape[1]))
    _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(sizes[group] == 1)


def choose(
    arrangement: Arrangement,
    shown: Indices,
    guide: PlanGuide | None,
    fill: str,
    before: Indices | None = None,
) -> Choice:
    """Choose as many cells as photos will be shown; those that an earlier sheet `before` fills are chosen first."""
    cells = arrangement.free_cells
    if len(shown) >= len(cells):
        return Choice(shown, cells)
    if fill == "repeat":
        return Choice(repeated_photos(arrangement), cells, repeats=True)
    if fill == "end":
        return Choice(shown, np.sort(_first_cells(arrangement, len(shown))))
    strength = np.zeros(len(cells)) if guide is None else guide.confidence[cells]
    if before is not None:
        strength = strength + 2.0 * (before[cells] >= 0)
    strongest = np.argsort(-strength, kind="stable")[: len(shown)]
    return Choice(shown, np.sort(cells[strongest]))


def _free_as_read(arrangement: Arrangement) -> Indices:
    """The free cells in the order of reading."""
    reading = arrangement.shape.reading
    return reading[np.isin(reading, arrangement.free_cells)]


def _first_cells(arrangement: Arrangement, count: int) -> Indices:
    """The first free cells in the order of reading; the first ones of each page where whole pages would stay blank."""
    shape, free = arrangement.shape, _free_as_read(arrangement)
    if shape.pages is None or count == 0:
        return free[:count]
    page = shape.pages.page_of(shape.cells[free])
    if page[count - 1] == page[-1]:  # every page has photos
        return free[:count]
    place_on_page = np.arange(len(free)) - np.searchsorted(page, page)
    return free[np.lexsort((page, place_on_page))[:count]]


def by_chapters(
    arrangement: Arrangement,
    pages: Pages,
    shown: Indices,
    when: NDArray[np.float64],
    on_page: Indices | None = None,
) -> Choice:
    """The loose photos that are shown, page by page in the order of time, and their cells, page by page from the first.

    `when` (photos,) is infinite for photos without a date, which come last. Pinned photos keep their cells, so their
    pages have fewer cells for others. Where `on_page` (photos,) gives the page of photos, they go there, or onto the
    next page with room; -1 means that the page is not known.
    """
    shape, free = arrangement.shape, _free_as_read(arrangement)
    rooms = np.bincount(pages.page_of(shape.cells[free]), minlength=pages.count)
    order = shown[np.argsort(when[shown], kind="stable")]
    if on_page is None:
        sizes = _sizes(when[order], rooms)
    else:
        order = order[np.argsort(on_page[order], kind="stable")]
        sizes = _with_room(np.bincount(np.maximum(on_page[order], 0), minlength=pages.count), rooms)
    first = np.cumsum(rooms) - rooms  # the place of each page's first free cell
    places = [begin + np.arange(size) for begin, size in zip(first, sizes, strict=True)]
    return Choice(order, free[np.concatenate(places)])


def _with_room(sizes: Indices, rooms: Indices) -> Indices:
    """Numbers of photos on pages, none above its room: surplus photos go onto later pages, else onto earlier ones."""
    found, waiting = np.minimum(sizes, rooms), 0
    for page in range(len(rooms)):
        waiting += int(sizes[page] - found[page])
        more = min(waiting, int(rooms[page] - found[page]))
        found[page] += more
        waiting -= more
    for page in reversed(range(len(rooms))):
        more = min(waiting, int(rooms[page] - found[page]))
        found[page] += more
        waiting -= more
    return found


def _sizes(when: NDArray[np.float64], rooms: Indices) -> Indices:
    """How many of the photos that were taken at these times, ascending, go onto each page."""
    count, pages = len(when), len(rooms)
    if pages <= count <= int(rooms.sum()) and rooms.min() > 0:
        return np.diff([*chapters(when.tolist(), pages, rooms.tolist()), count])
    filled = np.minimum(np.cumsum(rooms), count)
    return np.diff(filled, prepend=0)


def resemblance(arrangement: Arrangement, shown: Indices) -> dict[int, int]:
    """For every photo that is left out while these loose photos are shown, the photo on the sheet most like it."""
    out = np.setdiff1d(arrangement.loose_photos, shown)
    standing = np.concatenate([shown, arrangement.placed_photos])
    if not len(standing):
        return {}
    return dict(zip(out.tolist(), standing[arrangement.space.nearest(out, standing)].tolist(), strict=True))


def repeated_photos(arrangement: Arrangement) -> Indices:
    """The photos for all free cells where photos are repeated: each equally often, up to one.

    Photos that occur once more are evenly spaced in the album. Pinned and held photos count as one occurrence each.
    """
    photos, free = arrangement.photos, len(arrangement.free_cells)
    placed = np.bincount(np.searchsorted(photos, arrangement.placed_photos), minlength=len(photos))
    cells = free + int(placed.sum())
    times = np.full(len(photos), cells // len(photos))
    times[np.linspace(0, len(photos), cells % len(photos), endpoint=False).astype(np.int64)] += 1
    times = np.maximum(times - placed, 0)
    for _ in range(int(times.sum()) - free):  # held cells may show a photo more often than its share
        times[times.argmax()] -= 1
    return np.repeat(photos, times)
