"""Large photos: which photos of an album are shown larger, and the block of cells that each of them covers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.layout.arranging.arrangement import Arrangement, Held, Indices
from album_app.layout.arranging.representatives import representatives, worth_of
from album_app.layout.arranging.space import Space
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.blocks import block_places, middles

Targets = Mapping[int, tuple[float, float]]
"""Photo -> the point (row, column) that the middle of its block should be near."""

LARGE_SHARE = 0.12
"""The share of photos that cover several cells where sizes vary most. With more, sheets looked like a puzzle."""

LARGEST_SHARE = 0.02
"""The share of photos that cover 3 x 3 cells where sizes vary most; all other large photos cover 2 x 2."""

FEWEST_FOR_LARGEST = 30
"""With fewer photos none covers 3 x 3 cells."""

QUALITY_WEIGHT = 0.6
"""How much the quality of a photo counts against how many photos it stands for, from 0 to 1."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """Large photos in their cells; no two blocks overlap."""

    held: Held = field(default_factory=Held)  # all cells of the blocks, with the photo of each
    sizes: Mapping[int, int] = field(default_factory=dict)  # photo -> cells per side, for those that have a block

    @classmethod
    def of(cls, arrangement: Arrangement, sizes: Mapping[int, int], targets: Targets) -> Blocks:
        """Put each large photo into the free block nearest to its target, or at its pin.

        A block lies on cells of one page that no pin, missing photo, held cell or other block has. Pinned photos come
        first, then the larger ones. A photo for which no block is left stays at size 1; one in held cells stays there.
        """
        shape = arrangement.shape
        held, counts = np.unique(arrangement.held.photos, return_counts=True)
        shown = dict(zip(held.tolist(), counts.tolist(), strict=True))
        found = {photo: size for photo, size in sizes.items() if shown.get(photo) == size**2}
        wanted = {photo: size for photo, size in sizes.items() if photo not in shown}
        taken = np.concatenate([arrangement.missing_cells, arrangement.held.cells])
        places = block_places(shape, wanted, arrangement.pins, targets, taken)
        cells, photos = list[int](), list[int]()
        for photo, (row, column) in places.items():
            size = found[photo] = wanted[photo]
            inside = shape.index[row : row + size, column : column + size].ravel().tolist()
            cells += inside
            photos += [photo] * len(inside)
        order = np.argsort(cells)
        return cls(Held(np.array(cells, np.int64)[order], np.array(photos, np.int64)[order]), found)

    def on(self, arrangement: Arrangement) -> Arrangement:
        """The arrangement with the blocks' cells held."""
        held = arrangement.held
        cells = np.concatenate([held.cells, self.held.cells])
        photos = np.concatenate([held.photos, self.held.photos])
        unpinned = ~np.isin(cells, arrangement.pinned_cells)
        order = np.argsort(cells[unpinned])
        return replace(arrangement, held=Held(cells[unpinned][order], photos[unpinned][order]))


@dataclass(frozen=True, eq=False)
class Copies:
    """Copies of large photos, one for each cell of a block but the first: they show where its photo belongs.

    Copies are numbered after the photos. A photo and its copies are equal, so they come to lie next to each other.
    """

    count: int  # of photos
    originals: Indices  # (copies,) the photo that each is a copy of

    @classmethod
    def of(cls, count: int, sizes: Mapping[int, int]) -> Copies:
        """The copies of large photos among `count` photos."""
        return cls(count, np.repeat(np.array(list(sizes), np.int64), [size**2 - 1 for size in sizes.values()]))

    @property
    def numbers(self) -> Indices:
        """The numbers of the copies."""
        return self.count + np.arange(len(self.originals))

    def with_copies(self, values: NDArray[Any]) -> NDArray[Any]:
        """One row per photo and copy."""
        return np.concatenate([values, values[self.originals]])

    def pinned(self, arrangement: Arrangement, blocks: Blocks) -> Pins:
        """The pins, and pins of the copies of pinned photos to the other cells of their blocks."""
        pins = dict(arrangement.pins)
        for photo in blocks.sizes.keys() & arrangement.pins.keys():
            cells = blocks.held.cells[blocks.held.photos == photo]
            others = cells[cells != arrangement.cell_of_pin(photo)].tolist()
            copies = self.numbers[self.originals == photo].tolist()
            pins.update(zip(copies, map(arrangement.shape.cell, others), strict=True))
        return Pins(pins)

    def targets(self, layout: Layout) -> Targets:
        """The middle of the cells of each large photo and its copies on a layout of them all."""
        own = np.append(np.concatenate([np.arange(self.count), self.originals]), -1)
        return middles(layout.shape, own[layout.photo_at], dict.fromkeys(self.originals.tolist(), 1))

    def without_copies(self, layout: Layout) -> NDArray[np.int64]:
        """The photos in the cells of a layout; where a copy was, nothing."""
        return np.where(layout.photo_at < self.count, layout.photo_at, -1)


def large_among(arrangement: Arrangement, sizes: Mapping[int, int] | None) -> dict[int, int]:
    """The sizes of the large photos that take part and find a free block; only on grids of squares."""
    if not sizes or arrangement.shape.shift or arrangement.shape.is_justified:
        return {}
    there = set(arrangement.photos.tolist())
    large = {photo: size for photo, size in sorted(sizes.items()) if size > 1 and photo in there}
    return dict(_anywhere(arrangement, large).sizes)


def _anywhere(arrangement: Arrangement, large: Mapping[int, int]) -> Blocks:
    """Blocks for large photos in the first free cells."""
    return Blocks.of(arrangement, large, dict.fromkeys(large, (0.0, 0.0)))


def around_large(
    again: Callable[..., Layout],
    arrangement: Arrangement,
    features: NDArray[Any],
    large: Mapping[int, int],
    always: Collection[int],
    when: NDArray[np.float64] | None,
    quality: NDArray[np.float32] | None,
) -> tuple[Blocks, Layout]:
    """Blocks for large photos among photos like them, and the sheet around these blocks.

    A large photo first takes part as several copies, one for each of its cells; `again` arranges photos and copies. Its
    block then lies in the middle of the cells of its copies.
    """
    copies = Copies.of(len(arrangement.space.points), large)
    first = again(
        copies.with_copies(features),
        pins=copies.pinned(arrangement, _anywhere(arrangement, large)),
        active=[*arrangement.photos.tolist(), *copies.numbers.tolist()],
        always={*always, *large, *copies.numbers.tolist()},
        when=None if when is None else copies.with_copies(when),
        quality=None if quality is None else copies.with_copies(quality),
    )
    sheet = replace(first, photo_at=copies.without_copies(first), pins=arrangement.pins, guide=None, resembles={})
    return Blocks.of(arrangement, large, copies.targets(first)), sheet


def pages_of_photos(layout: Layout, count: int) -> Indices | None:
    """The page of each of `count` photos, -1 for those that are not on the sheet; None where there are no pages."""
    pages = layout.shape.pages
    if pages is None:
        return None
    found, filled = np.full(count, -1, np.int64), layout.photo_at >= 0
    found[layout.photo_at[filled]] = pages.page_of(layout.shape.cells)[filled]
    return found


def size_counts(photos: int, amount: float) -> dict[int, int]:
    """How many photos have each size above 1, for an amount from 0 to 1.

    >>> size_counts(60, 0.5), size_counts(320, 1.0), size_counts(60, 0.0)
    ({2: 3, 3: 1}, {2: 32, 3: 6}, {})
    """
    if amount <= 0 or photos < 2:
        return {}
    large = max(1, round(amount * LARGE_SHARE * photos))
    largest = min(large - 1, round(amount * LARGEST_SHARE * photos)) if photos >= FEWEST_FOR_LARGEST else 0
    return {size: count for size, count in ((2, large - largest), (3, largest)) if count}


def cells_added(photos: int, amount: float) -> int:
    """How many more cells a sheet needs whose sizes vary by an amount.

    >>> cells_added(60, 0.5)
    17
    """
    return sum(count * (size**2 - 1) for size, count in size_counts(photos, amount).items())


def varied_sizes(
    features: ArrayLike,
    photos: Sequence[int],
    amount: float,
    quality: NDArray[np.float32] | None = None,
    besides: Collection[int] = (),
) -> dict[int, int]:
    """The large photos with their sizes: good ones that stand for many photos like them.

    The largest stand for most photos. With a larger amount, the photos that a smaller one chose are large as well, and
    some are larger. Photos that are large `besides` these, because a person chose so, stand for photos already.

    >>> brightness = np.array([0.0, 0.1, 0.2, 0.8, 0.9, 1.0])[:, None]
    >>> varied_sizes(brightness, range(6), amount=1.0), varied_sizes(brightness, range(6), amount=0.0)
    ({2: 2}, {})
    """
    counts = size_counts(len(photos), amount)
    free = np.array(sorted(set(photos) - set(besides)), dtype=np.int64)
    if not counts or not len(free):
        return {}
    space, worth = Space.of(features), None if quality is None else worth_of(quality, QUALITY_WEIGHT)
    standing = np.array(sorted(set(besides)), dtype=np.int64)
    found: dict[int, int] = {}
    # Photos are chosen one by one, so the first ones that stand for all are among the more that do.
    for size, count in ((2, sum(counts.values())), (3, counts.get(3, 0))):
        if not count:
            continue
        chosen = representatives(space, free, min(count, len(free)), standing, worth=worth)
        found |= dict.fromkeys(chosen.tolist(), size)
    return found
