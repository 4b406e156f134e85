"""Photos dealt out to the pages of a book: exact exchanges between pages, by the plain distances within each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from album_app.layout.arranging.arrangement import Indices
from album_app.layout.arranging.field import Field
from album_app.layout.arranging.guide import Matrix
from album_app.layout.arranging.refine import Extra
from album_app.work import Stop, check

ROUNDS = 6
"""How often every photo has its turn; more gain little."""

MOST = 3000
"""In larger books photos stay on the pages that refinement found: the time of an exchange grows with all of them."""

LEAST = 1e-3
"""What an exchange must gain."""

FAR = 1e3
"""What leaving its page costs a photo once they are dealt out; the variance of all photos is 1."""


@dataclass(frozen=True, eq=False)
class KeepToPage:
    """The price of leaving a page."""

    pages: Indices  # (m,) of the cells
    besides: Extra | None = None  # another price

    def __call__(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """The price (B, K, K) of each of the groups' photos (B, K) in each of the groups' cells (B, K)."""
        pages = self.pages[cells]
        price = np.where(pages[:, :, None] == pages[:, None, :], np.float32(0.0), np.float32(FAR))
        return price if self.besides is None else price + self.besides(photo_at, cells, photos)


def deal_rounds(cells: int) -> int:
    """How many rounds a book with so many movable cells gets at most."""
    return ROUNDS if cells <= MOST else 0


def deal(
    field: Field, photo_at: Indices, movable: Indices, pages: Indices, stop: Stop | None = None
) -> Iterator[Indices]:
    """Yield the sheet after each round until nothing gets better; only photos in `movable` cells change places.

    `pages` (m,) are those of the cells. One after the other each photo changes places with the one on another page
    that makes the sum of distances within pages least. Raises `Stopped`.
    """
    if not deal_rounds(len(movable)):
        return
    table = _Table.of(field, photo_at, movable, pages)
    for _ in range(ROUNDS):
        swaps = 0
        for row in range(len(movable)):
            check(stop)
            swaps += table.improve(row)
        photo_at = photo_at.copy()
        photo_at[table.cells] = table.photos
        yield photo_at
        if not swaps:
            return


@dataclass(frozen=True, eq=False)
class _Table:
    """Photos that may move, where they are, and the sum of their distances to all photos of each page."""

    field: Field
    photos: Indices  # (k,)
    cells: Indices  # (k,)
    pages: Indices  # (k,)
    sums: Matrix  # (k, pages)

    @classmethod
    def of(cls, field: Field, photo_at: Indices, movable: Indices, pages: Indices) -> _Table:
        photos = photo_at[movable]
        sums = np.zeros((len(movable), int(pages.max()) + 1), np.float32)
        for cell in np.flatnonzero((photo_at >= 0) & (field.weights > 0.0)):
            sums[:, pages[cell]] += field.weights[cell] * _distances(field, photo_at[cell], photos)
        return cls(field, photos, movable.copy(), pages[movable], sums)

    def improve(self, row: int) -> bool:
        """Have a photo change places with the best one on another page; whether there was any gain in it."""
        own, pages = self.sums[np.arange(len(self.pages)), self.pages], self.pages
        away = _distances(self.field, self.photos[row], self.photos)
        gains = own[row] - self.sums[row, pages] + own - self.sums[:, pages[row]] + 2.0 * away
        gains[pages == pages[row]] = 0.0
        other = int(gains.argmax())
        if gains[other] <= LEAST:
            return False
        nearer = away - _distances(self.field, self.photos[other], self.photos)
        self.sums[:, pages[row]] -= nearer
        self.sums[:, pages[other]] += nearer
        for places in (self.cells, self.pages):
            places[[row, other]] = places[[other, row]]
        return True


def _distances(field: Field, photo: int, photos: Indices) -> Matrix:
    squares = field.squares[photos] + field.squares[photo] - 2.0 * (field.points[photos] @ field.points[photo])
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))
