"""A text as exactly the wanted number of cells: which pen, which widths, and the last few cells."""

from bisect import bisect
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from math import log

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.layout.shapes.areas import Mask, Reals, ink_window, neighbours
from album_app.layout.shapes.letters import glyph, text_lines
from album_app.layout.shapes.strokes import Cut, Pen, cut
from album_app.layout.shapes.topology import is_simple

Cell = tuple[int, int]

LIGHTEST, BOLDEST = 0.08, 0.30  # stroke width by height of capitals at weight 0 and 1
SMALLEST = 5
WIDER = (0, 1, -1, 2)
PENS_TRIED = 6
PENS_WIDENED = 2


@dataclass(frozen=True)
class Setting:
    """How a text is drawn: the pen, and by how many columns each kind of character is wider."""

    pen: Pen
    wider: dict[str, int]
    cost: float

    def cut(self, character: str) -> Cut:
        """The character in cells."""
        return cut(character, self.pen, self.wider[character])


@dataclass(frozen=True, eq=False)
class Page:
    """The text on its grid: cells, ink per cell, and the number of the character whose box a cell lies in (or -1)."""

    mask: Mask
    ink: Reals
    owner: NDArray[np.int64]


@lru_cache(maxsize=64)
def set_text(text: str, count: int, weight: float = 0.5, spacing: float = 0.5) -> tuple[Mask, tuple[Cell, ...]]:
    """The mask of a text with exactly `count` cells, and the cell in the middle of each visible character."""
    if not (0 <= weight <= 1 and 0 <= spacing <= 1):
        raise UsageError("Weight and spacing of the letters lie between 0 and 1.")
    lines = text_lines(text)
    characters = Counter("".join(lines).replace(" ", ""))
    least = sum(int(cut(c, Pen(SMALLEST, 1, 1)).mask.sum()) * times for c, times in characters.items())
    if count < least:
        raise UsageError(
            f"“{' '.join(lines)}” needs at least {least} cells to be readable, not {count}: shorten it or ask for more."
        )
    page = _composed(lines, _best_setting(characters, count, weight), spacing)
    mask = _exact(page, count)
    window = ink_window(mask)
    mask, owner = mask[window], page.owner[window]
    return mask, tuple(_middle(mask & (owner == number)) for number in range(sum(characters.values())))


def _best_setting(characters: Counter[str], count: int, weight: float) -> Setting:
    """The pen and the widths that draw these characters with about `count` cells, near the wanted weight, clearly."""
    wanted = LIGHTEST * (BOLDEST / LIGHTEST) ** weight
    pens = sorted(_pens(characters, count), key=lambda pen: _miss(pen, wanted))[:PENS_TRIED]
    settings = sorted((_plain(characters, pen, count, wanted) for pen in pens), key=lambda setting: setting.cost)
    widened = [_widened(characters, setting, count) for setting in settings[:PENS_WIDENED]]
    return min(widened, key=lambda setting: setting.cost)


def _miss(pen: Pen, wanted: float) -> float:
    """How far a pen is from the wanted weight."""
    return abs(log((pen.upright + pen.flat) / (2 * pen.height) / wanted))


def _pens(characters: Counter[str], count: int) -> list[Pen]:
    """Pens of every thinkable weight, each in the heights that give about `count` cells."""
    ink = np.array([_outline(character) for character in characters]).T @ np.array(list(characters.values()))
    off: dict[Pen, float] = {}
    for upright in range(1, 2 + int(np.sqrt(count))):
        for flat in {upright, max(1, upright - 1), max(1, round(0.8 * upright))}:
            lowest = max(SMALLEST, 3 * flat + 2, int(upright / 0.36))
            heights = range(lowest, lowest + 2 + int(4 * np.sqrt(count)))
            best = lowest + bisect(heights, count, key=lambda height: int(_estimate(ink, Pen(height, upright, flat))))
            for height in range(max(lowest, best - 2), best + 2):
                off[Pen(height, upright, flat)] = abs(_estimate(ink, Pen(height, upright, flat)) / count - 1)
    return [pen for pen in off if off[pen] < 0.2] or [min(off, key=lambda pen: off[pen])]


def _estimate(ink: Reals, pen: Pen) -> float:
    """About how many cells a text has: the area of its ink, and the outline times the swelling."""
    across, down = pen.swelling()
    return float(ink[0] + 0.9 * (ink[1] * across + ink[2] * down)) * pen.scale**2


@lru_cache(maxsize=512)
def _outline(character: str) -> tuple[float, float, float]:
    """Pixels of ink, and the lengths of its upright and of its flat edges."""
    masks = [np.pad(piece.mask, 1) for piece in glyph(character)]
    edges = [[float(np.diff(mask, axis=axis).sum()) for mask in masks] for axis in (1, 0)]
    return float(sum(mask.sum() for mask in masks)), sum(edges[0]), sum(edges[1])


def _plain(characters: Counter[str], pen: Pen, count: int, wanted: float) -> Setting:
    """A pen with every character at its natural width."""
    cuts = {character: cut(character, pen) for character in characters}
    loss = sum(cuts[c].loss * times for c, times in characters.items()) / characters.total()
    loss = (loss + max(piece.loss for piece in cuts.values())) / 2
    off = abs(sum(int(cuts[c].mask.sum()) * times for c, times in characters.items()) / count - 1)
    cost = 0.8 * _miss(pen, wanted) + loss + 0.5 * off + 5 * max(0.0, off - 0.06)
    return Setting(pen, dict.fromkeys(characters, 0), cost)


def _widened(characters: Counter[str], setting: Setting, count: int) -> Setting:
    """The same pen with the widths that bring the number of cells nearest to `count` at the least loss.

    Every number of cells that some widths reach is kept with its cheapest way (a knapsack over the characters).
    """
    limit = 2 * count + 1
    costs = np.full(limit, np.inf)
    costs[0] = 0.0
    taken: list[NDArray[np.int64]] = []
    for character, times in characters.items():
        options = [cut(character, setting.pen, wider) for wider in WIDER]
        tried = np.full((len(WIDER), limit), np.inf)
        for row, (option, wider) in enumerate(zip(options, WIDER, strict=True)):
            size = int(option.mask.sum()) * times
            if size < limit:
                price = (option.loss - options[0].loss + 0.06 * abs(wider)) * times / characters.total()
                tried[row, size:] = costs[: limit - size] + price
        taken.append(tried.argmin(axis=0))
        costs = tried.min(axis=0)
    total = costs + 6.0 * np.abs(np.arange(limit) - count) / count
    at = int(total.argmin())
    cost, wider_of = setting.cost + float(total[at]), {}
    for character, choice in zip(reversed(characters), reversed(taken), strict=True):
        wider_of[character] = WIDER[choice[at]]
        at -= int(cut(character, setting.pen, wider_of[character]).mask.sum()) * characters[character]
    return Setting(setting.pen, wider_of, cost)


def _composed(lines: list[str], setting: Setting, spacing: float) -> Page:
    """The lines under one another, centred; between characters at least one empty column, between lines one row."""
    height = setting.pen.height
    gap = max(1, round(0.32 * spacing * height))
    between = max(1, round((0.1 + 0.3 * spacing) * height))
    pages, number = [], 0
    for line in lines:
        pages.append(_line(line, setting, gap, number))
        number += len(line.replace(" ", ""))
    width = max(page.mask.shape[1] for page in pages)
    stacked: list[Page] = []
    for page in pages:
        if stacked:
            stacked.append(_blank(between, width))
        left = (width - page.mask.shape[1]) // 2
        stacked.append(_padded(page, left, width - page.mask.shape[1] - left))
    return Page(*(np.concatenate([getattr(page, name) for page in stacked]) for name in ("mask", "ink", "owner")))


def _line(line: str, setting: Setting, gap: int, number: int) -> Page:
    """One line of text; its last character may grow by one column, which is kept free for it."""
    cuts = [setting.cut(character) if character != " " else None for character in line]
    top = min(piece.top for piece in cuts if piece)
    bottom = max(piece.top + piece.mask.shape[0] for piece in cuts if piece)
    space = max(gap + 2, round(0.3 * setting.pen.height) + gap)
    page, parts = _blank(bottom - top, 0), []
    at = 0
    for piece in cuts:
        if piece is None:
            at += space - gap
            continue
        parts.append((at, piece))
        at += piece.mask.shape[1] + gap
    page = _blank(bottom - top, at - gap + 1)
    for offset, (at, piece) in enumerate(parts):
        rows, columns = piece.mask.shape
        window = np.s_[piece.top - top : piece.top - top + rows, at : at + columns]
        page.mask[window], page.ink[window] = piece.mask, piece.ink
        page.owner[:, at : at + columns + (offset == len(parts) - 1)] = number + offset
    return page


def _blank(rows: int, columns: int) -> Page:
    return Page(
        np.zeros((rows, columns), dtype=bool), np.zeros((rows, columns)), np.full((rows, columns), -1, dtype=np.int64)
    )


def _padded(page: Page, left: int, right: int) -> Page:
    sides = ((0, 0), (left, right))
    return Page(np.pad(page.mask, sides), np.pad(page.ink, sides), np.pad(page.owner, sides, constant_values=-1))


def _exact(page: Page, count: int) -> Mask:
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
            raise UsageError(f"This text cannot be drawn with exactly {count} cells; try another number.")
        mask[cell] = missing > 0
    return mask


def _middle(mask: Mask) -> Cell:
    """The cell nearest to the centroid of a mask's cells."""
    cells = np.argwhere(mask)
    row, column = cells[((cells - cells.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    return int(row), int(column)
