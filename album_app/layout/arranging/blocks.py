"""Large photos: each covers a block of size x size cells, where photos like it are, or where it is pinned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Held, Indices
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.blocks import block_places, middles

Targets = Mapping[int, tuple[float, float]]
"""Photo -> the point (row, column) that the middle of its block should be near."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """Large photos in their cells; no two blocks overlap."""

    held: Held = field(default_factory=Held)  # all their cells, which show them throughout
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

    def targets(self, layout: Layout) -> Targets:
        """The middle of the cells of each large photo and its copies on a layout of them all."""
        own = np.append(np.concatenate([np.arange(self.count), self.originals]), -1)
        return middles(layout.shape, own[layout.photo_at], dict.fromkeys(self.originals.tolist(), 1))

    def without_copies(self, layout: Layout) -> NDArray[np.int64]:
        """The photos in the cells of a layout; where a copy was, nothing."""
        return np.where(layout.photo_at < self.count, layout.photo_at, -1)
