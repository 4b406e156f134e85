"""Repeated photos are kept apart: a price for placing one near its double, and a last repair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.field import Field
from album_app.layout.guide import Matrix
from album_app.layout.shapes import Shape
from album_app.layout.table import Indices

PRICE = 4.0
"""What a photo on top of its double costs; the variance of all photos is 1."""

TOUCHING = 2
"""Cells at most this squared distance apart touch, by an edge or a corner."""


@dataclass(frozen=True, eq=False)
class Apart:
    """The price of nearness between doubles on a shape."""

    cells: NDArray[np.float32]  # (m, 2)
    reach: float  # doubles farther apart than this cost nothing

    @classmethod
    def of(cls, shape: Shape, photos: int) -> Apart:
        """Doubles of so many photos can all be about half the side of a square of all of them apart."""
        return cls(shape.cells.astype(np.float32), max(2.0, 0.5 * photos**0.5))

    def __call__(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """The price (B, K, K) of each of the groups' photos (B, K) in each of the groups' cells (B, K)."""
        price = np.zeros((*cells.shape, cells.shape[1]), np.float32)
        for double in doubles_of(photo_at, cells, photos):
            squares = ((self.cells[cells][:, :, None] - self.cells[double][:, None]) ** 2).sum(axis=-1)
            near = PRICE * np.maximum(1.0 - np.sqrt(squares) / self.reach, 0.0)
            np.maximum(price, np.where((double >= 0)[:, None], near, 0.0), out=price)
        return price


def doubles_of(photo_at: Indices, cells: Indices, photos: Indices) -> list[Indices]:
    """Where else each photo lies: one array like `photos` per further copy, -1 where there is none."""
    order = np.argsort(photo_at, kind="stable")
    ordered = photo_at[order]
    first = np.searchsorted(ordered, photos, side="left")
    copies = np.searchsorted(ordered, photos, side="right") - first
    found = []
    for i in range(int(copies.max(initial=1))):
        place = order[np.minimum(first + i, len(order) - 1)]
        found.append(np.where((i < copies) & (place != cells), place, -1))
    return found


def separate(field: Field, photo_at: Indices, movable: Indices, shape: Shape) -> Indices:
    """Exchange photos that touch their doubles with the best ones elsewhere that then touch none of theirs."""
    photo_at = photo_at.copy()
    for _ in range(3):
        crowded = [cell for cell in movable.tolist() if _touches(photo_at, shape, cell, photo_at[cell])]
        if not crowded:
            break
        vectors = field.cell_vectors(photo_at, 1)
        for cell in crowded:
            if _touches(photo_at, shape, cell, photo_at[cell]):
                _exchange(field, vectors, photo_at, movable, shape, cell)
    return photo_at


def _exchange(field: Field, vectors: Matrix, photo_at: Indices, movable: Indices, shape: Shape, cell: int) -> None:
    """Exchange one cell's photo, in place, for the one that suits both cells best without touching a double."""
    here, there = field.photo_vectors[photo_at[cell]], field.photo_vectors[photo_at[movable]]
    gain = vectors[movable] @ here + there @ vectors[cell] - (there * vectors[movable]).sum(axis=1)
    for other in movable[np.argsort(-gain, kind="stable")].tolist():
        moved = photo_at.copy()
        moved[[cell, other]] = photo_at[[other, cell]]
        if not any(_touches(moved, shape, place, moved[place]) for place in (cell, other)):
            photo_at[:] = moved
            return


def _touches(photo_at: Indices, shape: Shape, cell: int, photo: int) -> bool:
    """Whether a photo in a cell would touch another copy of itself."""
    doubles = np.flatnonzero(photo_at == photo)
    squares = ((shape.cells[doubles] - shape.cells[cell]) ** 2).sum(axis=1)
    return bool(((squares <= TOUCHING) & (doubles != cell)).any())
