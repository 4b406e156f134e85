"""Drawings and masks: the covered share of each cell, pieces, holes, strokes, counters and bays."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Reals = NDArray[np.float64]
INK_MARGIN = 50
"""Pixels of margin around ink, into which its strokes can grow."""

LARGEST_SPECK = 60
"""Pieces and holes of fewer pixels are removed from a drawing."""

LARGEST_MARK = 50
"""Pixels: pieces with a shorter longer side are dots and accents, which have no counters or bays."""

WIDEST_STROKE = 50
"""Pixels: what is wider in both directions is no stroke but a solid figure."""

LEAST_GAP_CLEARANCE = 4
"""Pixels: a counter or bay counts if some point in it is at least this far from ink."""


def area_means(image: NDArray[Any], rows: int, columns: int) -> Reals:
    """The mean of an image over each cell of a grid laid over it: (rows, columns)."""
    straight = np.zeros(1)
    means: Reals = bent_means(bent_means(image, rows, straight)[0].T, columns, straight)[0].T
    return means


def bent_means(image: NDArray[Any], cells: int, bends: Reals) -> Reals:
    """Means over `cells` stretches of an image's rows, for each bend: (bends, ..., cells, columns).

    A bend is the number of cells by which the middle of the image is moved; its ends stay.
    """
    pixels = image.shape[-2]
    at = np.arange(cells + 1) / cells
    edges = np.clip(at + bends[:, None] / cells * np.sin(np.pi * at), 0, 1) * pixels
    whole = np.minimum(edges.astype(np.int64), pixels - 1)
    shape = (len(bends), *(1,) * (image.ndim - 2), cells + 1, 1)
    first = np.zeros_like(image[..., :1, :], dtype=np.float64)
    sums = np.concatenate([first, np.cumsum(image, axis=-2, dtype=np.float64)], axis=-2)
    before, after = (np.moveaxis(sums[..., index, :], -3, 0) for index in (whole, whole + 1))
    upto = before + (after - before) * (edges - whole).reshape(shape)
    means: Reals = np.diff(upto, axis=-2) / np.diff(edges, axis=1).clip(1e-9).reshape(*shape[:-2], cells, 1)
    return means


def neighbours(mask: Mask) -> Reals:
    """How many of the eight cells around each are taken."""
    padded = np.pad(mask, 1).astype(np.float64)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    around: Reals = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] - mask
    return around


def trimmed(mask: Mask) -> Mask:
    """A mask without the empty rows and columns around it."""
    return mask[ink_window(mask)]


def ink_window(mask: Mask) -> tuple[slice, slice]:
    """The rows and columns from the first to the last that hold anything."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


_AROUND = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))


def pieces_and_holes(mask: Mask) -> tuple[int, int]:
    """How many separate pieces a mask has, and how many holes."""
    from scipy import ndimage

    pieces = ndimage.label(mask, structure=np.ones((3, 3)))[1]
    background = ndimage.label(np.pad(~mask, 1, constant_values=True))[1]
    return int(pieces), int(background) - 1


def openings(mask: Mask) -> int:
    """The number of holes and bays of a figure, without rounded corners: an M has some, a block has none."""
    return int(opening_labels(mask).max())


def opening_labels(mask: Mask, cores: Mask | None = None) -> NDArray[np.int64]:
    """The holes and bays of a figure (only those that have a core, if these are given), from 1; 0 everywhere else."""
    from scipy import ndimage

    labels, count = ndimage.label(~mask)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    at_corner = np.isin(np.arange(count + 1), labels[[0, 0, -1, -1], [0, -1, 0, -1]])
    large = sizes >= np.where(at_corner, 0.08, 0.004) * mask.size
    large[0] = False
    if cores is not None:
        large &= np.isin(np.arange(count + 1), labels[cores])
    numbers: NDArray[np.int64] = np.where(large, np.cumsum(large), 0)[labels]
    return numbers


def euler_number(masks: Mask) -> NDArray[np.int64]:
    """Pieces minus holes of each mask in a stack (..., rows, columns), by counting the patterns of two by two cells."""
    padded = np.pad(masks, [(0, 0)] * (masks.ndim - 2) + [(1, 1), (1, 1)]).astype(np.int8)
    a, b = padded[..., :-1, :-1], padded[..., :-1, 1:]
    c, d = padded[..., 1:, :-1], padded[..., 1:, 1:]
    filled = a + b + c + d
    diagonal = (filled == 2) & (a == d)
    quads = (filled == 1).astype(np.int64) - (filled == 3) - 2 * diagonal
    euler: NDArray[np.int64] = quads.sum(axis=(-2, -1)) // 4
    return euler


def is_simple(mask: Mask, row: int, column: int) -> bool:
    """Whether adding or removing a cell changes neither pieces nor holes, by Yokoi's connectivity number."""
    empty = [not _at(mask, row + down, column + right) for down, right in _AROUND]
    runs = sum(empty[k] and not (empty[k + 1] and empty[(k + 2) % 8]) for k in (0, 2, 4, 6))
    return runs == 1


def _at(mask: Mask, row: int, column: int) -> bool:
    return 0 <= row < mask.shape[0] and 0 <= column < mask.shape[1] and bool(mask[row, column])


@dataclass(frozen=True, eq=False)
class Ink:
    """One piece of a sign, drawn large: rows downwards from `top`, which counts from the baseline."""

    mask: Mask
    top: int
    left: int
    upright: int = 0  # width of its upright strokes, 0 in a picture, which has none
    flat: int = 0  # height of its flat strokes, 0 in a picture

    @cached_property
    def depth(self) -> NDArray[np.float64]:
        """The distance of each inked pixel from the edge of the ink, in pixels; with a margin all around."""
        return _distance(np.pad(self.mask, INK_MARGIN))

    @cached_property
    def clearance(self) -> NDArray[np.float64]:
        """The distance of each pixel without ink from the ink, in pixels; with a margin all around."""
        return _distance(~np.pad(self.mask, INK_MARGIN))

    @property
    def solid(self) -> bool:
        """Whether it is a picture, whose parts are no strokes."""
        return not self.upright

    @property
    def pieces(self) -> int:
        """The number of pieces that it consists of: one, unless it is a picture or a group of dots."""
        return self._topology[0]

    @property
    def holes(self) -> int:
        """The number of counters that it encloses."""
        return self._topology[1]

    @cached_property
    def _topology(self) -> tuple[int, int]:
        return pieces_and_holes(self.mask)

    @cached_property
    def openings(self) -> NDArray[np.int64]:
        """Its counters and bays, numbered from 1; 0 everywhere else, in very thin gaps and in all of a mark."""
        if max(self.mask.shape) < LARGEST_MARK:
            return np.zeros(self.mask.shape, dtype=np.int64)
        return opening_labels(
            self.mask,
            ~self.mask & (self.clearance[INK_MARGIN:-INK_MARGIN, INK_MARGIN:-INK_MARGIN] >= LEAST_GAP_CLEARANCE),
        )

    @property
    def bottom(self) -> int:
        """First row below the piece, counted downwards from the baseline."""
        return self.top + int(self.mask.shape[0])

    @property
    def right(self) -> int:
        """First column right of the piece."""
        return self.left + int(self.mask.shape[1])


def stroke_widths(mask: Mask) -> tuple[int, int]:
    """The width of the upright strokes of a drawing and the height of its flat ones: medians over its pixels."""
    across, down = _run_lengths(mask), _run_lengths(mask.T).T
    upright, flat = mask & (across <= down), mask & (down <= across)
    wide, high = (int(np.median(runs[side])) if side.any() else 0 for runs, side in ((across, upright), (down, flat)))
    if min(wide or high, high or wide) > WIDEST_STROKE:
        return 0, 0
    return max(2, wide or high), max(2, high or wide)


def _run_lengths(mask: Mask) -> NDArray[np.int64]:
    """For each pixel the length of the run of ink in its row that it belongs to."""
    edges = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    starts, ends = np.argwhere(edges == 1), np.argwhere(edges == -1)
    lengths = np.zeros(mask.shape, np.int64)
    lengths[mask] = np.repeat(ends[:, 1] - starts[:, 1], ends[:, 1] - starts[:, 1])
    return lengths


def without_specks(mask: Mask) -> Mask:
    """A drawing without very small pieces and holes."""
    from scipy import ndimage

    for side in (True, False):
        labels = ndimage.label(mask == side, structure=np.ones((3, 3)) if side else None)[0]
        small = np.bincount(labels.ravel()) < LARGEST_SPECK
        small[0] = False
        mask = np.where(small[labels], not side, mask)
    return mask


def pieces_of(ink: Ink) -> list[Ink]:
    """The connected pieces of a drawing, the largest first; a picture stays whole."""
    from scipy import ndimage

    if ink.solid:
        return [ink]
    labels = ndimage.label(ink.mask, structure=np.ones((3, 3)))[0]
    pieces = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labels), start=1):
        mask = labels[rows, columns] == number
        pieces.append(replace(ink, mask=mask, top=ink.top + rows.start, left=ink.left + columns.start))
    return sorted(pieces, key=lambda piece: -int(piece.mask.sum()))


def with_dots_together(pieces: list[Ink], largest: float, nearest: float) -> list[Ink]:
    """The pieces, with small ones that lie near each other joined into a group, which is moved as a whole."""
    dots = [piece for piece in pieces[1:] if max(piece.mask.shape) < largest]
    groups: list[Ink] = []
    for dot in dots:
        near = [group for group in groups if _apart(dot, group) < nearest]
        groups = [group for group in groups if group not in near] + [_united([dot, *near])]
    return [piece for piece in pieces if piece not in dots] + groups


def _apart(one: Ink, other: Ink) -> int:
    """How many pixels lie between the boxes of two pieces."""
    down = max(one.top, other.top) - min(one.bottom, other.bottom)
    across = max(one.left, other.left) - min(one.right, other.right)
    return max(down, across, 0)


def _united(inks: list[Ink]) -> Ink:
    """Several pieces as one."""
    top, left = min(ink.top for ink in inks), min(ink.left for ink in inks)
    mask = np.zeros((max(ink.bottom for ink in inks) - top, max(ink.right for ink in inks) - left), dtype=bool)
    for ink in inks:
        mask[ink.top - top : ink.bottom - top, ink.left - left : ink.right - left] |= ink.mask
    return replace(inks[0], mask=mask, top=top, left=left)


def _distance(mask: Mask) -> NDArray[np.float64]:
    from scipy import ndimage

    distance: NDArray[np.float64] = ndimage.distance_transform_edt(mask)
    return distance
