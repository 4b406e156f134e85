"""From ink to cells: a character drawn large becomes a few cells with strokes of a wanted width."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from album_app.layout.shapes.areas import Mask, Reals, bent_means, trimmed
from album_app.layout.shapes.letters import PAD, Ink, glyph, measures
from album_app.layout.shapes.topology import euler_number, openings, pieces_and_holes

BENDS = np.linspace(-0.6, 0.6, 7)
BENDS_TRIED = 12
BENDABLE = 1200  # cells; in larger letters strokes are many cells wide and need no bending
THRESHOLDS = np.array([0.5, 0.42, 0.58, 0.35, 0.65])


@dataclass(frozen=True)
class Pen:
    """How letters are drawn: the height of capitals, the widths of upright and of flat strokes, all in cells."""

    height: int
    upright: int
    flat: int

    def swelling(self) -> tuple[float, float]:
        """By how many pixels capitals must grow on each side, across and down, for strokes of these widths."""
        capital, stem, bar = measures()
        down = swelling(capital, bar, self.height, self.flat)
        return (self.upright * (capital + 2 * down) / self.height - stem) / 2, down

    @property
    def scale(self) -> float:
        """Cells per pixel of ink."""
        return self.height / (measures()[0] + 2 * self.swelling()[1])


def swelling(pixels: int, stroke: int, cells: int, wanted: int) -> float:
    """By how much ink must grow on each side so that, squeezed into `cells`, a stroke of it is `wanted` cells wide."""
    if cells <= wanted:
        return 0.0
    grow = (wanted * pixels - stroke * cells) / (2 * (cells - wanted))
    return min(max(grow, -0.4 * stroke), PAD - 5.0)


@dataclass(frozen=True, eq=False)
class Cut:
    """A character in cells: which are its own, how much ink each holds, and how much was lost on the way."""

    mask: Mask
    ink: Reals
    top: int  # row of the mask's first row, counted downwards from the baseline
    loss: float  # blurred share of the ink, more if pieces or holes are wrong


@dataclass(frozen=True, eq=False)
class Placed:
    """One piece of a character in cells, and where it lies."""

    piece: Ink
    mask: Mask
    ink: Reals
    loss: float
    top: int
    left: int


@lru_cache(maxsize=2048)
def cut(character: str, pen: Pen, wider: int = 0) -> Cut:
    """A character in cells, its main piece made wider (or narrower) by some columns."""
    main, *others = glyph(character)
    placed = [_place(main, pen, wider, main.left)]
    for piece in others:
        placed.append(_clear(_place(piece, pen, 0, main.left), placed))
    return _together(placed)


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
    return Cut(mask, ink, top, max(part.loss for part in parts))


def _clear(part: Placed, placed: list[Placed]) -> Placed:
    """A further piece (the dot of an i, an accent) moved away until it no longer touches what is there."""
    for other in placed:
        down, across = _away(part.piece, other.piece)
        for _ in range(8):
            if pieces_and_holes(_together([other, part]).mask)[0] > 1:
                break
            part = replace(part, top=part.top + down, left=part.left + across)
    return part


def _away(piece: Ink, other: Ink) -> tuple[int, int]:
    """The direction, down and across, in which one piece lies from another."""
    if piece.bottom <= other.top or piece.top >= other.bottom:
        return (-1, 0) if piece.top < other.top else (1, 0)
    return (0, -1) if piece.left < other.left else (0, 1)


def _place(piece: Ink, pen: Pen, wider: int, origin: int) -> Placed:
    """One piece in cells."""
    across, down = pen.swelling()
    top, bottom = round(pen.scale * (piece.top - 2 * down)), round(pen.scale * piece.bottom)
    top = min(top, bottom - pen.flat)
    width = max(pen.upright, round(pen.scale * (piece.mask.shape[1] + 2 * across)) + wider)
    _, stem, bar = measures()
    grown = _grown(
        piece,
        swelling(piece.mask.shape[1], stem, width, pen.upright),
        swelling(piece.mask.shape[0], bar, bottom - top, pen.flat),
    )
    mask, ink, loss = _reduced(piece, grown, bottom - top, width)
    return Placed(piece, mask, ink, loss, top, round(pen.scale * (piece.left - origin)))


def _grown(piece: Ink, across: float, down: float) -> Mask:
    """The piece with its edge moved outwards (inwards where negative): alike all around, the rest along one axis."""
    from scipy import ndimage

    shared = sorted((across, down, 0.0))[1]
    mask = piece.clearance <= shared if shared >= 0 else piece.depth > -shared
    for axis, rest in ((1, across - shared), (0, down - shared)):
        size = 2 * round(abs(rest)) + 1
        if size > 1:
            mask = (ndimage.maximum_filter1d if rest > 0 else ndimage.minimum_filter1d)(mask, size, axis=axis)
    return trimmed(mask) if mask.any() else piece.mask


def _reduced(piece: Ink, mask: Mask, rows: int, columns: int) -> tuple[Mask, Reals, float]:
    """Ink per cell by area, the middle bent up or down, left or right, to where strokes fall on whole cells."""
    bends = BENDS if rows * columns <= BENDABLE else np.zeros(1)
    ink = bent_means(bent_means(mask, rows, bends).transpose(0, 2, 1), columns, bends)
    ink = ink.transpose(1, 0, 3, 2).reshape(-1, rows, columns)
    bend = np.abs(bends)[:, None] + np.abs(bends)[None, :]
    blur = np.minimum(ink, 1 - ink).sum(axis=(1, 2)) / ink.sum(axis=(1, 2)) + 0.02 * bend.ravel()
    clearest = np.argsort(blur, kind="stable")[:BENDS_TRIED]
    ink, blur = ink[clearest], blur[clearest]
    cells = ink >= THRESHOLDS[:, None, None, None]
    loss = blur + 0.7 * np.abs(THRESHOLDS - 0.5)[:, None] + (euler_number(cells) != 1 - piece.holes)
    best = np.inf, np.ones((rows, columns), dtype=bool), np.ones((rows, columns))
    for option in np.argsort(loss, axis=None, kind="stable")[:BENDS_TRIED]:
        at = np.unravel_index(option, loss.shape)
        if loss[at] >= best[0]:
            break
        best = min(best, (loss[at] + _faults(cells[at], piece), cells[at], ink[at[1]]), key=lambda found: found[0])
    return best[1], best[2], float(best[0])


def _faults(mask: Mask, piece: Ink) -> float:
    """What is wrong with a piece in cells: torn apart or closed up, or its bays filled in."""
    torn = pieces_and_holes(mask) != (1, piece.holes)
    return 1.0 * torn + 0.3 * max(0, piece.openings - openings(mask))
