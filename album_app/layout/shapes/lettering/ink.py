"""Ink: one piece of something drawn large, its strokes, counters and bays; and drawings taken to pieces."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.lettering.areas import Mask, opening_labels, pieces_and_holes

PAD = 50
# pixels of
SPECK = 60  # the largest pieces and holes that are of no account
MARK = 50  # the longer side of the smallest pieces that are more than dots and accents
FATTEST = 50  # the width of the widest strokes; what is wider is a solid figure
SLIVER = 4  # the distance to ink in the middle of the thinnest gaps that count


@dataclass(frozen=True, eq=False)
class Ink:
    """One piece of a sign, drawn large: rows downwards from `top`, which counts from the baseline."""

    mask: Mask
    top: int
    left: int
    upright: int = 0  # how wide its upright strokes are,
    flat: int = 0  # how high its flat ones; both 0 in a picture, which has none

    @cached_property
    def depth(self) -> NDArray[np.float64]:
        """Pixels from each inked one to the edge, padded all around."""
        return _distance(np.pad(self.mask, PAD))

    @cached_property
    def clearance(self) -> NDArray[np.float64]:
        """Pixels from each one without ink to the edge, padded all around."""
        return _distance(~np.pad(self.mask, PAD))

    @property
    def solid(self) -> bool:
        """Whether it is a picture, whose parts are no strokes."""
        return not self.upright

    @property
    def pieces(self) -> int:
        """How many pieces it is made of: one, unless it is a picture, or a group of dots."""
        return self._topology[0]

    @property
    def holes(self) -> int:
        """How many counters the piece encloses."""
        return self._topology[1]

    @cached_property
    def _topology(self) -> tuple[int, int]:
        return pieces_and_holes(self.mask)

    @cached_property
    def openings(self) -> NDArray[np.int64]:
        """Its counters and bays, numbered from 1; 0 everywhere else; slivers and those of marks are of no account."""
        if max(self.mask.shape) < MARK:
            return np.zeros(self.mask.shape, dtype=np.int64)
        return opening_labels(self.mask, ~self.mask & (self.clearance[PAD:-PAD, PAD:-PAD] >= SLIVER))

    @property
    def bottom(self) -> int:
        """First row below the piece, counted downwards from the baseline."""
        return self.top + int(self.mask.shape[0])

    @property
    def right(self) -> int:
        """First column right of the piece."""
        return self.left + int(self.mask.shape[1])


def stroke_widths(mask: Mask) -> tuple[int, int]:
    """How wide the upright strokes of a drawing are and how high its flat ones, by the ink on either side of pixels."""
    across, down = _run_lengths(mask), _run_lengths(mask.T).T
    upright, flat = mask & (across <= down), mask & (down <= across)
    wide, high = (int(np.median(runs[side])) if side.any() else 0 for runs, side in ((across, upright), (down, flat)))
    if min(wide or high, high or wide) > FATTEST:
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
    """A drawing without pieces and holes too small to matter."""
    from scipy import ndimage

    for side in (True, False):
        labels = ndimage.label(mask == side, structure=np.ones((3, 3)) if side else None)[0]
        small = np.bincount(labels.ravel()) < SPECK
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
    """Pieces with small ones that lie near each other as one group, which keeps together when it has to give way."""
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
