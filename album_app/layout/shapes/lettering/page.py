"""The page of a text: its signs side by side, its lines under one another, and the last few cells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.shapes.lettering.areas import Mask, Reals, neighbours
from album_app.layout.shapes.lettering.lines import BLANK, LEAST_LINE_GAP, LETTER_GAP, LINE_GAP, Line
from album_app.layout.shapes.lettering.signs import Sign
from album_app.layout.shapes.lettering.strokes import Cut
from album_app.layout.shapes.lettering.topology import is_simple

Cell = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Page:
    """The text on its grid: cells, ink per cell, and the number of the letter whose box a cell lies in (or -1)."""

    mask: Mask
    ink: Reals
    owner: NDArray[np.int64]


def composed(lines: Sequence[Line], height: int, spacing: float, cut: Callable[[Sign], Cut]) -> Page:
    """The lines under one another, centred; between signs at least one empty column, between lines one row."""
    gap = max(1, round(LETTER_GAP * spacing * height))
    between = max(1, round((LEAST_LINE_GAP + LINE_GAP * spacing) * height))
    blank = max(gap + 2, round(BLANK * height) + gap) - gap
    pages, number = [], 0
    for line in lines:
        pages.append(_line([cut(sign) if sign else None for sign in line], gap, blank, number))
        number = int(pages[-1].owner.max()) + 1
    width = max(page.mask.shape[1] for page in pages)
    stacked: list[Page] = []
    for page in pages:
        if stacked:
            stacked.append(_blank(between, width))
        left = (width - page.mask.shape[1]) // 2
        stacked.append(_padded(page, left, width - page.mask.shape[1] - left))
    return Page(*(np.concatenate([getattr(page, name) for page in stacked]) for name in ("mask", "ink", "owner")))


def _line(cuts: Sequence[Cut | None], gap: int, blank: int, number: int) -> Page:
    """One line of text; its last sign may grow by one column, which is kept free for it."""
    top = min(piece.top for piece in cuts if piece)
    bottom = max(piece.top + piece.mask.shape[0] for piece in cuts if piece)
    parts, at = [], 0
    for piece in cuts:
        if piece is None:
            at += blank
            continue
        parts.append((at, piece))
        at += piece.mask.shape[1] + gap
    page = _blank(bottom - top, at - gap + 1)
    for offset, (at, piece) in enumerate(parts):
        rows, columns = piece.mask.shape
        window = np.s_[piece.top - top : piece.top - top + rows, at : at + columns]
        page.mask[window], page.ink[window] = piece.mask, piece.ink
        wide = columns + (offset == len(parts) - 1)
        page.owner[:, at : at + wide] = number + np.arange(wide) * piece.letters // wide
        number += piece.letters
    return page


def _blank(rows: int, columns: int) -> Page:
    return Page(
        np.zeros((rows, columns), dtype=bool), np.zeros((rows, columns)), np.full((rows, columns), -1, dtype=np.int64)
    )


def _padded(page: Page, left: int, right: int) -> Page:
    sides = ((0, 0), (left, right))
    return Page(np.pad(page.mask, sides), np.pad(page.ink, sides), np.pad(page.owner, sides, constant_values=-1))


def exact(page: Page, count: int) -> Mask:
    """Add the cells with most ink, or take away those with least, until there are `count`; strokes and holes stay."""
    mask = page.mask.copy()
    while missing := count - int(mask.sum()):
        around = neighbours(mask)
        merit = page.ink + around / 16
        if missing > 0:
            allowed = ~mask & (page.owner >= 0) & (around > 0)
        else:
            allowed, merit = mask & (around < 8), -merit
        order = np.flatnonzero(allowed)[np.argsort(-merit[allowed], kind="stable")]
        cells = (divmod(int(index), mask.shape[1]) for index in order)
        cell = next((cell for cell in cells if is_simple(mask, *cell)), None)
        if cell is None:
            raise UsageError(
                tr("This text cannot be drawn with exactly {count} cells; try another number.", count=count)
            )
        mask[cell] = missing > 0
    return mask


def middle(mask: Mask) -> Cell:
    """The cell nearest to the centroid of a mask's cells."""
    cells = np.argwhere(mask)
    row, column = cells[((cells - cells.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    return int(row), int(column)
