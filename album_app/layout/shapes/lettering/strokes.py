"""From ink to cells: a sign drawn large becomes a few cells with strokes of a wanted width."""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.lettering.ink import (
    INK_MARGIN,
    Ink,
    Mask,
    Reals,
    area_means,
    bent_means,
    euler_number,
    ink_window,
    neighbours,
    pieces_and_holes,
)
from album_app.layout.shapes.lettering.letters import Sign, Strokes, glyph, letters_in

LARGEST_EROSION_SHARE = 0.4
"""At most this share of a stroke's width is removed on either side to make it thinner."""

GROWTH_SHARES = (1.0, 0.7, 0.4, 0.2, 0.0)
"""Shares of the wanted growth of strokes, tried until counters and bays stay open."""

LEAST_OPEN_SHARE = 0.15
"""Growing strokes must leave this share of each counter and bay open."""

USUAL_OPEN_SHARE = 0.4
"""Letters whose counters and bays keep a smaller share open on average are crowded."""

CROWDING_COST = 4.0
"""The loss of a crowded letter, per share of its counters and bays that is not open."""

BENDS = np.linspace(-0.6, 0.6, 7)
"""Candidates for how many cells the middle of a sign is moved, so that strokes cover whole cells."""

BENDS_TRIED = 12
"""The number of combinations of bends that are examined, those with the least blur."""

PIECES_OF_DENSE_SIGNS = 4
"""The pieces of a letter with at least this many pieces may touch."""

CELLS_FOR_BENDING = 1200
"""Signs of more cells are not bent, because their strokes are many cells wide."""

NEARBY_SHIFTS = sorted(product(range(-4, 5), repeat=2), key=lambda by: abs(by[0]) + abs(by[1]))  # rows and columns

THRESHOLDS = np.array([0.5, 0.42, 0.58, 0.35, 0.65])
"""Shares of ink from which on a cell belongs to a sign; the first is the usual one, others cost something."""


@dataclass(frozen=True)
class Pen:
    """How letters are drawn: the height of capitals, and the widths of upright and of flat strokes, in cells.

    `large` has these measures in pixels, in the drawing that becomes cells.
    """

    height: int
    upright: int
    flat: int
    large: Strokes

    def swelling(self) -> tuple[float, float]:
        """The pixels by which capitals must grow on each side, across and down, to have strokes of these widths."""
        large = self.large
        down = swelling(large.capital, large.flat, self.height, self.flat)
        across = (self.upright * (large.capital + 2 * down) / self.height - large.upright) / 2
        return max(across, -LARGEST_EROSION_SHARE * large.upright), down

    @property
    def scale(self) -> float:
        """Cells per pixel of ink."""
        return self.height / (self.large.capital + 2 * self.swelling()[1])


def swelling(pixels: int, stroke: int, cells: int, wanted: int) -> float:
    """By how many pixels ink must grow on each side so that, reduced to `cells`, a stroke is `wanted` cells wide."""
    if cells <= wanted:
        return 0.0
    grow = (wanted * pixels - stroke * cells) / (2 * (cells - wanted))
    return min(max(grow, -LARGEST_EROSION_SHARE * stroke), INK_MARGIN - 5.0)


@dataclass(frozen=True, eq=False)
class Cut:
    """A sign in cells: its own cells, the share of ink in each, and how much was lost in the reduction."""

    mask: Mask
    ink: Reals
    top: int  # row of the mask's first row, counted downwards from the baseline
    loss: float  # blurred share of the ink, more if pieces or holes are wrong
    readable: bool  # whether pieces, holes and bays are right
    letters: int = 1  # how many letters have joined in it


@dataclass(frozen=True, eq=False)
class Placed:
    """One piece of a sign in cells, and where it lies."""

    piece: Ink
    mask: Mask
    ink: Reals
    loss: float
    readable: bool
    top: int
    left: int


@lru_cache(maxsize=2048)
def cut(sign: Sign, pen: Pen, wider: int = 0) -> Cut:
    """A sign in cells, its main piece made wider (or narrower) by some columns; pieces to its right are moved."""
    main, *others = glyph(sign)
    placed = [_place(main, pen, wider, main.left)]
    for piece in others:
        part = _place(piece, pen, 0, main.left)
        moved_right = wider if piece.left >= main.right else 0
        placed.append(_clear(replace(part, left=part.left + moved_right), placed))
    whole = _together(placed)
    dense = len(placed) >= PIECES_OF_DENSE_SIGNS and letters_in(sign.text) == 1
    apart = dense or not any(_touches(part, placed[:place]) for place, part in enumerate(placed))
    return replace(whole, readable=whole.readable and apart, letters=letters_in(sign.text))


def _together(parts: list[Placed]) -> Cut:
    top, left = min(part.top for part in parts), min(part.left for part in parts)
    bottom = max(part.top + part.mask.shape[0] for part in parts)
    right = max(part.left + part.mask.shape[1] for part in parts)
    mask, ink = np.zeros((bottom - top, right - left), dtype=bool), np.zeros((bottom - top, right - left))
    for part in parts:
        rows, columns = part.mask.shape
        window = np.s_[part.top - top : part.top - top + rows, part.left - left : part.left - left + columns]
        mask[window] |= part.mask
        ink[window] = np.maximum(ink[window], part.ink)
    return Cut(mask, ink, top, max(part.loss for part in parts), all(part.readable for part in parts))


def _clear(part: Placed, placed: list[Placed]) -> Placed:
    """A further piece (the dot of an i, an accent) moved away until it no longer touches the pieces before it."""
    away = part
    for other in placed:
        down, across = _away(part.piece, other.piece)
        for _ in range(8):
            if not _touches(away, [other]):
                break
            away = replace(away, top=away.top + down, left=away.left + across)
    if not _touches(away, placed):
        return away
    aside = (replace(part, top=part.top + down, left=part.left + across) for down, across in NEARBY_SHIFTS)
    return next((moved for moved in aside if not _touches(moved, placed)), away)


def _touches(part: Placed, placed: list[Placed]) -> bool:
    """Whether a piece lies on others or shares a corner with them."""
    around = neighbours(np.pad(part.mask, 1)) > 0
    around[1:-1, 1:-1] |= part.mask
    for other in placed:
        top, left = other.top - part.top + 1, other.left - part.left + 1
        below, right = top + other.mask.shape[0], left + other.mask.shape[1]
        mine = around[max(top, 0) : max(below, 0), max(left, 0) : max(right, 0)]
        theirs = other.mask[max(-top, 0) :, max(-left, 0) :][: mine.shape[0], : mine.shape[1]]
        if (mine & theirs).any():
            return True
    return False


def _away(piece: Ink, other: Ink) -> tuple[int, int]:
    """The direction, down and across, in which one piece lies from another."""
    if piece.bottom <= other.top or piece.top >= other.bottom:
        return (-1, 0) if piece.top < other.top else (1, 0)
    return (0, -1) if piece.left < other.left else (0, 1)


def _place(piece: Ink, pen: Pen, wider: int, origin: int) -> Placed:
    """One piece in cells."""
    across, down = pen.swelling() if not piece.solid else (0.0, 0.0)
    top, bottom = round(pen.scale * (piece.top - 2 * down)), round(pen.scale * piece.bottom)
    top = min(top, bottom - _least(piece, pen.flat, 1))
    width = max(_least(piece, pen.upright, 0), round(pen.scale * (piece.mask.shape[1] + 2 * across)) + wider)
    left = round(pen.scale * (piece.left - origin))
    mask, ink, loss, faults = _reduced(piece, _swollen(piece, pen, bottom - top, width), bottom - top, width)
    return Placed(piece, mask, ink, loss + faults, not faults, top, left)


def _least(piece: Ink, stroke: int, axis: int) -> int:
    """The least rows (or columns) of a piece: those of a stroke, or of the dots of a group and gaps between them."""
    if piece.solid:
        return stroke
    inked = np.pad(piece.mask.any(axis=axis), 1)
    runs = int((inked[1:] & ~inked[:-1]).sum())
    return runs * (stroke + 1) - 1


def _swollen(piece: Ink, pen: Pen, rows: int, columns: int) -> Mask:
    """The piece, with a margin, with strokes that get the pen's width once it is reduced to these rows and columns.

    The strokes are thinner where counters and bays would close otherwise.
    """
    if piece.solid:
        return np.pad(piece.mask, INK_MARGIN)
    across = swelling(piece.mask.shape[1], piece.upright, columns, pen.upright)
    down = swelling(piece.mask.shape[0], piece.flat, rows, pen.flat)
    sizes = np.bincount(piece.openings.ravel())
    for share in GROWTH_SHARES:
        grown = _grown(piece, min(across, share * across), min(down, share * down))
        left = np.bincount(piece.openings[~grown[INK_MARGIN:-INK_MARGIN, INK_MARGIN:-INK_MARGIN]], minlength=len(sizes))
        if max(across, down) <= 0 or (left >= LEAST_OPEN_SHARE * sizes)[1:].all():
            break
    return grown if grown.any() else np.pad(piece.mask, INK_MARGIN)


def _grown(piece: Ink, across: float, down: float) -> Mask:
    """The piece with its edge moved outwards, or inwards if negative: equally all around, the rest along one axis."""
    from scipy import ndimage

    shared = sorted((across, down, 0.0))[1]
    mask = piece.clearance <= shared if shared >= 0 else piece.depth > -shared
    for axis, rest in ((1, across - shared), (0, down - shared)):
        size = 2 * round(abs(rest)) + 1
        if size > 1:
            mask = (ndimage.maximum_filter1d if rest > 0 else ndimage.minimum_filter1d)(mask, size, axis=axis)
    return mask


def _reduced(piece: Ink, swollen: Mask, rows: int, columns: int) -> tuple[Mask, Reals, float, float]:
    """Cells, ink per cell by area, loss and faults.

    The middle is moved up or down, left or right, so that strokes cover whole cells.
    """
    window = ink_window(swollen)
    mask, gaps = swollen[window], _gaps(np.pad(piece.openings, INK_MARGIN)[window], rows, columns)
    bends = BENDS if rows * columns <= CELLS_FOR_BENDING and not piece.solid else np.zeros(1)
    ink = bent_means(bent_means(mask, rows, bends).transpose(0, 2, 1), columns, bends)
    ink = ink.transpose(1, 0, 3, 2).reshape(-1, rows, columns)
    bend = np.abs(bends)[:, None] + np.abs(bends)[None, :]
    blur = np.minimum(ink, 1 - ink).sum(axis=(1, 2)) / ink.sum(axis=(1, 2)) + 0.02 * bend.ravel()
    clearest = np.argsort(blur, kind="stable")[:BENDS_TRIED]
    ink, blur = ink[clearest], blur[clearest]
    cells = ink >= THRESHOLDS[:, None, None, None]
    loss = blur + 0.7 * np.abs(THRESHOLDS - 0.5)[:, None] + (euler_number(cells) != piece.pieces - piece.holes)
    best = np.ones((rows, columns), dtype=bool), np.ones((rows, columns)), np.inf, 0.0
    for option in np.argsort(loss, axis=None, kind="stable")[:BENDS_TRIED]:
        at = np.unravel_index(option, loss.shape)
        if loss[at] >= best[2] + best[3]:
            break
        found = cells[at], ink[at[1]], float(loss[at]) + _crowding(cells[at], gaps), _faults(cells[at], piece, gaps)
        best = min(best, found, key=lambda option: option[2] + option[3])
    return best


def _gaps(openings: NDArray[np.int64], rows: int, columns: int) -> Mask:
    """For each counter or bay of a piece the cells that it covers most: (openings, rows, columns)."""
    shares = [area_means(openings == number, rows, columns) for number in range(1, int(openings.max()) + 1)]
    return np.array([share >= 0.5 * share.max() for share in shares], dtype=bool).reshape(-1, rows, columns)


def _crowding(mask: Mask, gaps: Mask) -> float:
    """The loss of letters whose strokes leave too little of counters and bays open: an N looks like a block then."""
    if not len(gaps):
        return 0.0
    left_open = (gaps & ~mask).sum(axis=(1, 2)) / gaps.sum(axis=(1, 2))
    return CROWDING_COST * max(0.0, USUAL_OPEN_SHARE - float(left_open.mean()))


def _faults(mask: Mask, piece: Ink, gaps: Mask) -> float:
    """The loss of a piece in cells that is torn apart or closed up, or whose bays are filled."""
    torn = not piece.solid and pieces_and_holes(mask) != (piece.pieces, piece.holes)
    return 1.0 * torn + 0.3 * float((~(gaps & ~mask).any(axis=(1, 2))).sum())
