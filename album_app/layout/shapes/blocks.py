"""Blocks of cells for large photos: where each finds room, and a sheet with the blocks on it at once."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.pages import Pages
from album_app.layout.shapes.shape import Cell, Shape

Indices = NDArray[np.int64]
LARGEST_SIZE = 6
"""A photo covers at most this many cells along each side."""


@dataclass(frozen=True)
class Variation:
    """How much the sizes of photos vary, which photos are larger because of that, and the grid before it grew."""

    amount: float = 0.0  # 0 to 1
    photos: frozenset[int] = frozenset()
    rows: int = 0  # of a sheet with a chosen number of rows and columns, 0 for any other
    columns: int = 0


def block_places(
    shape: Shape,
    sizes: Mapping[int, int],
    pins: Mapping[int, Cell],
    targets: Mapping[int, tuple[float, float]],
    taken: Indices | None = None,
) -> dict[int, Cell]:
    """The upper left cells of the blocks of large photos; a photo that finds no room is missing.

    A pinned photo has its block at its pin. Any other has the free window whose middle is nearest to its target, a
    (row, column). Blocks cover neither pinned nor `taken` cells (their indices), lie within one page, and do not exist
    on shifted or justified rows.

    >>> from album_app.layout.shapes.shape import rectangle
    >>> block_places(rectangle(3, 4), {7: 2, 8: 3}, {7: (1, 2)}, {8: (0.0, 0.0)})
    {7: (1, 2)}
    """
    if shape.shift or shape.is_justified:
        return {}
    free = shape.mask.copy()
    if taken is not None:
        free[tuple(shape.cells[taken].T)] = False
    for cell in pins.values():
        free[cell] = False
    places: dict[int, Cell] = {}
    for photo in sorted(sizes, key=lambda photo: (photo not in pins, -sizes[photo], photo)):
        size = sizes[photo]
        if photo in pins:
            row, column = pins[photo]
            free[row, column] = True
            there = free[row : row + size, column : column + size].sum() == size**2
            found: Cell | None = (row, column) if there else None
            free[row, column] = False
        else:
            at = targets[photo]
            book = shape.pages
            found = nearest_window(free, size, at) if book is None else _window_in_book(book, free, size, at)
        if found is not None:
            places[photo] = found
            free[found[0] : found[0] + size, found[1] : found[1] + size] = False
    return places


def _window_in_book(pages: Pages, free: NDArray[np.bool_], size: int, target: tuple[float, float]) -> Cell | None:
    """The nearest free square on the page that a point lies on, or else on the next page before or after that."""
    own = min(max(0, int(pages.page_of((int(target[0]), int(target[1])))[0])), pages.count - 1)
    top, left = pages.origin(own)
    within = target[0] - top, target[1] - left
    for page in sorted(range(pages.count), key=lambda page: (abs(page - own), page)):
        down, over = pages.origin(page)
        found = nearest_window(free[down : down + pages.rows, over : over + pages.columns], size, within)
        if found is not None:
            return down + found[0], over + found[1]
    return None


def nearest_window(free: NDArray[np.bool_], size: int, target: tuple[float, float]) -> Cell | None:
    """The upper left cell of the free square whose middle is nearest to a point (row, column); None without any."""
    if min(free.shape) < size:
        return None
    sums = np.pad(free.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    full = sums[size:, size:] - sums[:-size, size:] - sums[size:, :-size] + sums[:-size, :-size] == size**2
    cells = np.argwhere(full)
    if not len(cells):
        return None
    best = cells[((cells + size / 2 - target) ** 2).sum(axis=1).argmin()]
    return int(best[0]), int(best[1])


def middles(shape: Shape, photo_at: Indices, sizes: Mapping[int, int]) -> dict[int, tuple[float, float]]:
    """The middle of the cells that each large photo has on a sheet, as (row, column); without any, that of all cells.

    In a book only the cells on the page that has most of them count.
    """
    found = {}
    for photo in sizes:
        cells = shape.cells[photo_at == photo]
        if shape.pages is not None and len(cells):
            page = shape.pages.page_of(cells)
            cells = cells[page == np.bincount(page).argmax()]
        row, column = ((cells if len(cells) else shape.cells).mean(axis=0) + 0.5).tolist()
        found[photo] = row, column
    return found


def with_blocks_at(shape: Shape, photo_at: Indices, sizes: Mapping[int, int], places: Mapping[int, Cell]) -> Indices:
    """The photos of the cells with large photos in their blocks; displaced ones go to the nearest empty cells.

    Every photo that has no block is in one cell at most. Where there are too few empty cells, photos are left out.
    """
    after = photo_at.copy()
    for photo in {*sizes, *np.unique(after[after >= 0][_repeated(after[after >= 0])]).tolist()}:
        own = np.flatnonzero(after == photo)
        after[own if photo in places else own[1:]] = -1
    displaced: list[tuple[int, int]] = []  # (photo, cell that it had)
    for photo, (row, column) in places.items():
        size = sizes[photo]
        window = shape.index[row : row + size, column : column + size].ravel()
        displaced += [(int(after[cell]), int(cell)) for cell in window if after[cell] >= 0]
        after[window] = photo
    for photo, cell in displaced:
        empty = np.flatnonzero(after < 0)
        if not len(empty):
            break
        after[empty[((shape.cells[empty] - shape.cells[cell]) ** 2).sum(axis=1).argmin()]] = photo
    return after


def exchanged(
    shape: Shape, photo_at: Indices, sizes: Mapping[int, int], places: Mapping[int, Cell], photo: int, cell: Cell
) -> Indices | None:
    """The photos of the cells after a photo on the sheet changed places with the one in a cell; None without room.

    Large photos have their blocks at `places`. If one of the two is larger, its block moves to the window nearest to
    the other one's cell, and all photos from there go to the cells that it left.

    >>> from album_app.layout.shapes.shape import rectangle
    >>> exchanged(rectangle(2, 4), np.array([9, 9, 1, 2, 9, 9, 3, 4]), {9: 2}, {9: (0, 0)}, 4, (0, 0)).tolist()
    [4, 1, 9, 9, 2, 3, 9, 9]
    """
    target = shape.index_of(cell)
    other, here = int(photo_at[target]), int(np.flatnonzero(photo_at == photo)[0])
    sides = [sizes[one] if one in places else 1 for one in (photo, other)]
    after = photo_at.copy()
    if sides[0] == sides[1]:
        theirs = np.flatnonzero(photo_at == other) if other in places else np.array([target])
        own = np.flatnonzero(photo_at == photo) if photo in places else np.array([here])
        after[theirs], after[own] = photo, other
        return after
    large, wanted = (photo, cell) if sides[0] > sides[1] else (other, shape.cell(here))
    size, free = max(sides), shape.mask.copy()
    for one, (row, column) in places.items():
        if one != large:
            free[row : row + sizes[one], column : column + sizes[one]] = False
    found = nearest_window(free, size, (wanted[0] + size / 2, wanted[1] + size / 2))
    if found is None or not all(0 <= wanted[axis] - found[axis] < size for axis in (0, 1)):
        return None
    window = shape.index[found[0] : found[0] + size, found[1] : found[1] + size].ravel()
    origin = np.flatnonzero(photo_at == large)
    left, entered = np.setdiff1d(origin, window), np.setdiff1d(window, origin)
    after[window] = large
    after[left] = photo_at[entered]
    if large == other:  # the dropped photo goes to the cell it was dropped on, or as near as possible
        nearest = left[((shape.cells[left] - shape.cells[target]) ** 2).sum(axis=1).argmin()]
        after[left[left != nearest]] = photo_at[entered[entered != here]]
        after[nearest] = photo
    return after


def _repeated(photos: Indices) -> NDArray[np.bool_]:
    """Which photos occur more than once."""
    _, inverse, counts = np.unique(photos, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse] > 1)
