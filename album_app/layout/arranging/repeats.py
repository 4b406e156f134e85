"""Copies of a repeated photo are kept apart: a price for placing one near another, and a last repair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Indices
from album_app.layout.arranging.field import Field
from album_app.layout.arranging.guide import Matrix
from album_app.layout.shapes.shape import Shape
from album_app.work import Stop, check

COPY_COST = 4.0
"""The price of a photo next to a copy of it; photos have the variance 1."""

COPIES_COMPARED = 4
"""The number of copies before and after a cell in reading order that are compared: there may be thousands in all."""

ROUNDS = 3
"""Passes of a repair over the sheet."""


@dataclass(frozen=True, eq=False)
class CopyPrice:
    """The price of copies near each other on a shape: it falls linearly to 0 at the distance `reach`."""

    cells: NDArray[np.float32]  # (m, 2) where they lie
    reach: float  # in cells

    @classmethod
    def of(cls, shape: Shape, photos: int) -> CopyPrice:
        """The reach is half the side of a square of `photos` cells, about the distance that copies can keep."""
        return cls(shape.positions(shape.cells).astype(np.float32), max(2.0, 0.5 * photos**0.5))

    def __call__(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """The price (B, K, K) of each of the groups' photos (B, K) in each of the groups' cells (B, K)."""
        price = np.zeros((*cells.shape, cells.shape[1]), np.float32)
        for copy in copies_near(photo_at, cells, photos):
            squares = ((self.cells[cells][:, :, None] - self.cells[copy]) ** 2).sum(axis=-1)
            near = COPY_COST * np.maximum(1.0 - np.sqrt(squares) / self.reach, 0.0)
            np.maximum(price, np.where(copy >= 0, near, 0.0), out=price)
        return price


def copies_near(photo_at: Indices, cells: Indices, photos: Indices) -> list[Indices]:
    """The cells of other copies of the groups' photos, those next in reading order: arrays (B, K, K), -1 for none.

    `cells` (B, K) hold `photos` (B, K); entry (b, i, j) is about photo j in cell i.
    """
    size = len(photo_at)
    copies = np.sort(photo_at * size + np.arange(size))
    most = int(np.bincount(photo_at[photo_at >= 0], minlength=1).max())
    place = np.searchsorted(copies, photos[:, None, :] * size + cells[:, :, None])
    found = []
    for step in range(-min(COPIES_COMPARED, most), min(COPIES_COMPARED, most)):
        photo, cell = np.divmod(copies[np.clip(place + step, 0, size - 1)], size)
        inside = (place + step >= 0) & (place + step < size)
        own = cell == cells[:, None, :]
        found.append(np.where(inside & (photo == photos[:, None, :]) & ~own, cell, -1))
    return found


def separate(field: Field, photo_at: Indices, movable: Indices, shape: Shape, stop: Stop | None = None) -> Indices:
    """Exchange photos that touch a copy with the best photos elsewhere, so that neither touches a copy afterwards."""
    photo_at, around = photo_at.copy(), shape.frames().touching
    for _ in range(ROUNDS):
        crowded = movable[_touching(photo_at, around)[movable]]
        if not len(crowded):
            break
        vectors = field.cell_vectors(photo_at, 1)
        for cell in crowded.tolist():
            check(stop)
            other = _partner(field, vectors, photo_at, movable, around, cell)
            photo_at[[cell, other]] = photo_at[[other, cell]]
    return photo_at


def _partner(field: Field, vectors: Matrix, photo_at: Indices, movable: Indices, around: Indices, cell: int) -> int:
    """The best cell to exchange photos with so that neither touches a copy; `cell` itself if there is none."""
    photo = photo_at[cell]
    if not (photo_at[around[cell]] == photo)[around[cell] >= 0].any():
        return cell
    seen_there = ((photo_at[around] == photo) & (around >= 0) & (around != cell)).any(axis=1)
    seen_here = np.isin(photo_at, photo_at[around[cell]][around[cell] >= 0])
    open_cells = movable[~seen_there[movable] & ~seen_here[movable]]
    if not len(open_cells):
        return cell
    here, there = field.photo_vectors[photo], field.photo_vectors[photo_at[open_cells]]
    elsewhere = vectors[field.rows[open_cells]]
    gain = elsewhere @ here + there @ vectors[field.rows[cell]] - (there * elsewhere).sum(axis=1)
    return int(open_cells[gain.argmax()])


def _touching(photo_at: Indices, around: Indices) -> NDArray[np.bool_]:
    """Whether each cell's photo touches another copy of itself, by an edge or a corner: (m,)."""
    same = (photo_at[around] == photo_at[:, None]) & (around >= 0)
    return np.asarray(same.any(axis=1) & (photo_at >= 0))
