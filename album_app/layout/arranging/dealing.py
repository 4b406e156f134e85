"""Photos dealt out to the pages of a book: exact exchanges between pages, by the plain distances within each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from album_app.layout.arranging.arrangement import Indices
from album_app.layout.arranging.field import Field
from album_app.layout.arranging.guide import Matrix
from album_app.layout.arranging.refine import Price
from album_app.work import Stop, check

ROUNDS = 6
"""Passes over all photos; more gain little."""

MIXINGS = 24
"""How often a few pages are mixed and dealt out anew."""

MIXED_PAGES = 4
"""The number of pages that are mixed at a time."""

PASSES_AFTER_MIXING = 3
"""Passes over the photos of mixed pages."""

MOST_PHOTOS = 2000
"""In books with more photos, photos stay on the pages that refinement found, because exchanges would take too long."""

LEAST_GAIN = 1e-3
"""The least gain of an exchange; the variance of all photos is 1."""

PAGE_CHANGE_COST = 1e3
"""The cost of leaving the page that a photo was dealt to; the variance of all photos is 1."""


@dataclass(frozen=True, eq=False)
class KeepToPage:
    """The price of leaving a page, plus another price."""

    pages: Indices  # (m,) of the cells
    other: Price | None = None

    def __call__(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """The price (B, K, K) of each of the groups' photos (B, K) in each of the groups' cells (B, K)."""
        pages = self.pages[cells]
        price = np.where(pages[:, :, None] == pages[:, None, :], np.float32(0.0), np.float32(PAGE_CHANGE_COST))
        return price if self.other is None else price + self.other(photo_at, cells, photos)


def deal_rounds(cells: int, most_photos: int = MOST_PHOTOS) -> int:
    """The most rounds for a book with `cells` movable cells: none where more than `most_photos` photos could move."""
    return ROUNDS + MIXINGS if cells <= most_photos else 0


def deal(
    field: Field,
    photo_at: Indices,
    movable: Indices,
    pages: Indices,
    seed: int = 0,
    stop: Stop | None = None,
    *,
    most_photos: int = MOST_PHOTOS,
) -> Iterator[Indices]:
    """Yield the sheet after each round; only photos in `movable` cells change places.

    `pages` (m,) are those of the cells. One after the other each photo changes places with the one on another page that
    makes the sum of distances within pages least. Then a few pages that are like each other are mixed and dealt out
    anew, many times; the result is kept if it is better. Raises `Stopped`.
    """
    if not deal_rounds(len(movable), most_photos):
        return
    table, rng = _Table.of(field, photo_at, movable, pages), np.random.default_rng(seed)
    for _ in range(ROUNDS):
        swaps = table.improve(range(len(movable)), stop)
        yield table.on_sheet(photo_at)
        if not swaps:
            break
    for _ in range(MIXINGS if len(np.unique(table.pages)) > 1 else 0):
        mixed = table.mixed(rng, stop)
        table = mixed if mixed.own.sum() < table.own.sum() - LEAST_GAIN else table
        yield table.on_sheet(photo_at)


@dataclass(frozen=True, eq=False)
class _Table:
    """The k photos that may move, their cells and pages, and the sums of their distances to all photos of each page."""

    photos: Indices  # (k,)
    points: Matrix  # (k, axes)
    squares: Matrix  # (k,)
    cells: Indices  # (k,)
    pages: Indices  # (k,)
    sums: Matrix  # (pages, k)

    @classmethod
    def of(cls, field: Field, photo_at: Indices, movable: Indices, pages: Indices) -> _Table:
        photos = photo_at[movable]
        sums = np.zeros((int(pages.max()) + 1, len(movable)), np.float32)
        table = cls(photos, field.points[photos], field.squares[photos], movable.copy(), pages[movable], sums)
        for cell in np.flatnonzero((photo_at >= 0) & (field.weights > 0.0)):
            sums[pages[cell]] += field.weights[cell] * table._distances(field.points[photo_at[cell]])
        return table

    @property
    def own(self) -> Matrix:
        """The distances of each photo to those of its own page: (k,)."""
        return np.asarray(self.sums[self.pages, np.arange(len(self.pages))])

    def on_sheet(self, photo_at: Indices) -> Indices:
        """The sheet (cells,) with these photos where they are now."""
        after = photo_at.copy()
        after[self.cells] = self.photos
        return after

    def mixed(self, rng: np.random.Generator, stop: Stop | None) -> _Table:
        """Another table, in which a page and those most like it are mixed and their photos dealt out anew."""
        table = replace(self, cells=self.cells.copy(), pages=self.pages.copy(), sums=self.sums.copy())
        numbers = np.unique(self.pages)
        means = np.array([self.points[self.pages == number].mean(axis=0) for number in numbers])
        away = ((means - means[rng.integers(len(numbers))]) ** 2).sum(axis=1)
        rows = np.flatnonzero(np.isin(self.pages, numbers[np.argsort(away, kind="stable")[:MIXED_PAGES]]))
        for row, other in zip(rows.tolist(), rng.permutation(rows).tolist(), strict=True):
            table._exchange(row, other)
        for _ in range(PASSES_AFTER_MIXING):
            table.improve(rows.tolist(), stop)
        return table

    def improve(self, rows: Iterable[int], stop: Stop | None) -> int:
        """Exchange photos with the best ones on other pages; gives the number of exchanges."""
        swaps, own = 0, self.own
        for row in rows:
            check(stop)
            here = self.pages[row]
            gains = own[row] - self.sums[self.pages, row] + own - self.sums[here]
            gains += 2.0 * self._distances(self.points[row])
            gains[self.pages == here] = 0.0
            other = int(gains.argmax())
            if gains[other] > LEAST_GAIN:
                self._exchange(row, other)
                swaps, own = swaps + 1, self.own
        return swaps

    def _exchange(self, row: int, other: int) -> None:
        nearer = self._distances(self.points[row]) - self._distances(self.points[other])
        self.sums[self.pages[row]] -= nearer
        self.sums[self.pages[other]] += nearer
        for places in (self.cells, self.pages):
            places[[row, other]] = places[[other, row]]

    def _distances(self, point: Matrix) -> Matrix:
        """How far all photos are from a point: (k,)."""
        squares = self.squares + np.dot(point, point) - 2.0 * (self.points @ point)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares))
