"""Large photos: each covers a block of size x size cells, where photos like it are, or where it is pinned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Held, Indices
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins

Centres = Mapping[int, tuple[float, float]]
"""Photo -> the row and column, or a place between cells, that the middle of its block should be near."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """Large photos in their cells; no two blocks overlap."""

    held: Held = field(default_factory=Held)  # all their cells, which show them throughout
    sizes: Mapping[int, int] = field(default_factory=dict)  # photo -> cells per side, for those that have a block

    @classmethod
    def of(cls, arrangement: Arrangement, sizes: Mapping[int, int], centres: Centres) -> Blocks:
        """Put each large photo into the free block nearest to its centre.

        A block lies on cells of one page that no pin, missing photo, held cell or other block has; that of a pinned
        photo contains the pinned cell, as its upper left one if possible. Pinned photos come first, then the larger
        ones. A photo without a centre, or for which no block is left, stays at size 1; one in held cells stays there.
        """
        shape = arrangement.shape
        taken = ~shape.mask
        taken[tuple(shape.cells[arrangement.fixed_cells].T)] = True
        page = np.zeros(shape.mask.shape, dtype=np.int64)
        if shape.pages is not None:
            page[shape.mask] = shape.pages.page_of(shape.cells)
        held, counts = np.unique(arrangement.held.photos, return_counts=True)
        found = {
            photo: sizes[photo]
            for photo, cells in zip(held.tolist(), counts, strict=True)
            if photo in sizes and cells == sizes[photo] ** 2
        }
        cells, photos = list[int](), list[int]()
        for photo in sorted(sizes, key=lambda photo: (photo not in arrangement.pins, -sizes[photo], photo)):
            size, pin = sizes[photo], arrangement.pins.get(photo)
            if pin is None and (photo not in centres or photo in held):
                continue
            if pin is not None:
                taken[pin] = False
            corner = _nearest_block(taken, page, size, centres.get(photo), pin)
            if pin is not None:
                taken[pin] = True
            if corner is None:
                continue
            row, column = corner
            taken[row : row + size, column : column + size] = True
            inside = shape.index[row : row + size, column : column + size].ravel().tolist()
            cells += inside
            photos += [photo] * len(inside)
            found[photo] = size
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


def _nearest_block(
    taken: NDArray[np.bool_],
    page: Indices,
    size: int,
    centre: tuple[float, float] | None,
    pin: tuple[int, int] | None,
) -> tuple[int, int] | None:
    """The upper left cell of the free block whose middle is nearest to a place, or that contains a pin, if any."""
    if size > min(taken.shape):
        return None
    windows = (size, size)
    pages = sliding_window_view(page, windows)
    free = ~sliding_window_view(taken, windows).any(axis=(2, 3)) & (pages == pages[:, :, :1, :1]).all(axis=(2, 3))
    corners = np.argwhere(free)
    if pin is not None:
        corners = corners[((corners <= pin) & (np.subtract(pin, size) < corners)).all(axis=1)]
        centre = (pin[0] + (size - 1) / 2, pin[1] + (size - 1) / 2)
    if not len(corners) or centre is None:
        return None
    away = ((corners + (size - 1) / 2 - np.asarray(centre)) ** 2).sum(axis=1)
    row, column = corners[int(away.argmin())].tolist()
    return row, column


def centres_on(layout: Layout, sizes: Mapping[int, int]) -> Centres:
    """The middle of where each large photo lies on a layout, as a block or in a single cell."""
    found = {}
    for photo in sizes:
        cell = layout.positions.get(photo)
        if cell is not None:
            reach = (layout.sizes[photo] - 1) / 2 if photo in layout.blocks else 0.0
            found[photo] = (cell[0] + reach, cell[1] + reach)
    return found


@dataclass(frozen=True, eq=False)
class Copies:
    """Copies of large photos, as many as cells that they need besides their own: together these show where it belongs.

    Copies are numbered after the photos. Being equal, they end up next to each other.
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
        """The pins, and those of the copies of pinned photos, which have the other cells of their blocks."""
        pins = dict(arrangement.pins)
        for photo in blocks.sizes.keys() & arrangement.pins.keys():
            cells = blocks.held.cells[blocks.held.photos == photo]
            others = cells[cells != arrangement.cell_of_pin(photo)].tolist()
            copies = self.numbers[self.originals == photo].tolist()
            pins.update(zip(copies, map(arrangement.shape.cell, others), strict=True))
        return Pins(pins)

    def centres(self, layout: Layout) -> Centres:
        """The mean cell of each large photo and its copies on a layout of them all."""
        own = np.arange(self.count + len(self.originals))
        own[self.count :] = self.originals
        filled = layout.photo_at >= 0
        shown, cells = own[layout.photo_at[filled]], layout.shape.cells[filled]
        found = {}
        for photo in np.unique(self.originals).tolist():
            if (shown == photo).any():
                row, column = cells[shown == photo].mean(axis=0).tolist()
                found[photo] = (row, column)
        return found

    def without_copies(self, layout: Layout) -> NDArray[np.int64]:
        """The photos in the cells of a layout; where a copy was, nothing."""
        return np.where(layout.photo_at < self.count, layout.photo_at, -1)
