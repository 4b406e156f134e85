"""Typesetting: words become cells, with line breaks, letter sizes and stroke widths chosen for the number of photos.

A text is first split into lines of signs (`lines_of`): each word gets a font, long lines are broken, and the signs of a
line are ordered from left to right. Then the signs are reduced to cells.
"""

import unicodedata
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

import numpy as np
from numpy.typing import NDArray

from album_app.errors import TooFewCells, UsageError
from album_app.language import listed, tr, trn
from album_app.layout.shapes.lettering.ink import Mask, Reals, ink_window, is_simple, neighbours
from album_app.layout.shapes.lettering.letters import (
    Sign,
    Strokes,
    as_seen,
    built_in_strokes,
    glyph,
    has,
    is_emoji,
    parts,
    strokes_of,
    text_lines,
    unknown,
)
from album_app.layout.shapes.lettering.strokes import LARGEST_EROSION_SHARE, Cut, Pen, cut
from album_app.photos.fonts import BUILT_IN, Font, find_font, font_with

Word = tuple[Sign, ...]
Line = tuple[Sign | None, ...]
"""Signs from left to right, None for the blank between two words."""

LETTER_GAP = 0.32
"""The gap between letters at full spacing, in heights of capitals."""

BLANK_WIDTH = 0.3
"""The width of a blank without the gaps around it, in heights of capitals."""

LEAST_LINE_GAP, LINE_GAP = 0.1, 0.3
"""The gap between lines without spacing, and what full spacing adds to it, in heights of capitals."""

CATEGORIES_WITHOUT_LETTERS = ("Cc", "Cs", "Cn", "Mn", "Mc", "Me")
"""Unicode categories of characters for which no font is looked for: controls, and marks without a letter."""

GAIN_OF_A_BREAK = 1.15
"""Factor: a text gets another line if its letters become larger by at least this much."""


@dataclass(frozen=True)
class Lines:
    """The lines of a text, and what is to be said of its fonts."""

    lines: tuple[Line, ...]
    remark: str


@lru_cache(maxsize=64)
def lines_of(text: str, font: str, spacing: float, wrap: bool, aspect: float) -> Lines:
    """The lines of a text; a text without line breaks is broken so that its letters become as large as possible."""
    wanted, missing = _wanted(font)
    rows = [[signs_of(word, wanted) for word in line.split(" ")] for line in text_lines(text)]
    if wrap and len(rows) == 1:
        rows = _broken(rows[0], spacing, aspect)
    return Lines(tuple(_seen(row) for row in rows), missing or _found([word for row in rows for word in row], wanted))


def _wanted(name: str) -> tuple[Font, str]:
    """The font that was asked for, or the built-in one and a sentence why."""
    try:
        return find_font(name), ""
    except UsageError:
        return BUILT_IN, tr("The font “{name}” is not on this computer; these are other letters.", name=name)


def signs_of(word: str, wanted: Font) -> Word:
    """The signs of a word in the wanted font; if that lacks letters, in another font that has all of them, if any."""
    drawn = parts(word)
    letters = [part for part in drawn if not is_emoji(part)]
    font = _font_for(letters, wanted) if letters else None
    return tuple(Sign(part, font if font and part in letters else _font_of(part, wanted)) for part in drawn)


def _font_of(part: str, wanted: Font) -> Font:
    font = _font_for([part], wanted)
    if font is None:
        raise unknown(part)
    return font


def _font_for(parts: list[str], wanted: Font) -> Font | None:
    """A font for parts of a text: the wanted one if it can draw them all, else any that can."""
    for font in (wanted, BUILT_IN):
        if all(has(font, part) for part in parts):
            return font
    text = "".join(parts)
    if unicodedata.category(text[0]) in CATEGORIES_WITHOUT_LETTERS:
        return None
    return font_with(text, is_emoji(text)) or font_with(text, emoji=True)


def _found(words: Sequence[Word], wanted: Font) -> str:
    """A sentence on the fonts that were used for letters that the wanted font lacks; "" if it has all."""
    found: dict[Font, list[str]] = {}
    for word in words:
        for font in dict.fromkeys(sign.font for sign in word if sign.font != wanted):
            found.setdefault(font, []).append("".join(sign.text for sign in word if sign.font == font))
    said = [
        tr("“{letters}” is set in {font}", letters=" ".join(texts), font=_called(font)) for font, texts in found.items()
    ]
    return tr("{said}: {font} has no such letters.", said=", ".join(said), font=_called(wanted)) if said else ""


def _called(font: Font) -> str:
    return tr("the built-in font") if font == BUILT_IN else font.name


def _seen(words: Sequence[Word]) -> Line:
    """Words as they stand on a line, from left to right."""
    line: list[Sign | None] = []
    for word in words:
        line += [None, *word] if line else word
    order = as_seen([" " if sign is None else sign.text for sign in line])
    return tuple(_turned(line[place], backwards) for place, backwards in order)


def _turned(sign: Sign | None, leftwards: bool) -> Sign | None:
    return Sign(sign.text, sign.font, leftwards) if sign else None


def _broken(words: list[Word], spacing: float, aspect: float) -> list[list[Word]]:
    """The words on lines so that letters are largest on a sheet of this aspect; a further line must gain enough."""
    spans = [(first, last) for last in range(1, len(words) + 1) for first in range(last)]
    limits = {_width(words[first:last], spacing) for first, last in spans}
    widest = max(_width([word], spacing) for word in words)
    best, largest = [words], 0.0
    for limit in sorted((limit for limit in limits if limit >= widest), reverse=True):
        lines = _filled(words, limit, spacing)
        high = sum(map(_height, lines)) + (len(lines) - 1) * (LEAST_LINE_GAP + LINE_GAP * spacing)
        size = min(aspect / limit, 1 / high)
        if size > largest * (GAIN_OF_A_BREAK if len(lines) > len(best) else 1):
            best, largest = lines, size
    return best


def _filled(words: list[Word], limit: float, spacing: float) -> list[list[Word]]:
    """Words on lines that are filled one after another up to a width."""
    lines: list[list[Word]] = [[]]
    for word in words:
        if lines[-1] and _width([*lines[-1], word], spacing) > limit:
            lines.append([])
        lines[-1].append(word)
    return lines


def _width(words: Sequence[Word], spacing: float) -> float:
    """How wide words on one line are, by the height of capitals."""
    gap = LETTER_GAP * spacing
    signs = [sign for word in words for sign in word]
    capital = built_in_strokes().capital
    return sum(_ink_width(sign) / capital + gap for sign in signs) - gap + (BLANK_WIDTH + gap) * (len(words) - 1)


def _height(words: Sequence[Word]) -> float:
    """How high words on one line are, by the height of capitals."""
    pieces = [piece for word in words for sign in word for piece in glyph(sign)]
    high = max(piece.bottom for piece in pieces) - min(piece.top for piece in pieces)
    return high / built_in_strokes().capital


def _ink_width(sign: Sign) -> int:
    pieces = glyph(sign)
    return max(piece.right for piece in pieces) - min(piece.left for piece in pieces)


Cell = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Grid:
    """The text on a grid: its cells, the ink in each, and the number of the letter in whose box a cell lies, or -1."""

    mask: Mask
    ink: Reals
    owner: NDArray[np.int64]


def composed(lines: Sequence[Line], height: int, spacing: float, cut: Callable[[Sign], Cut]) -> Grid:
    """The lines below each other, centred, with at least one empty column between signs and one row between lines."""
    gap = max(1, round(LETTER_GAP * spacing * height))
    between = max(1, round((LEAST_LINE_GAP + LINE_GAP * spacing) * height))
    blank = max(gap + 2, round(BLANK_WIDTH * height) + gap) - gap
    pages, number = [], 0
    for line in lines:
        pages.append(_line([cut(sign) if sign else None for sign in line], gap, blank, number))
        number = int(pages[-1].owner.max()) + 1
    width = max(page.mask.shape[1] for page in pages)
    stacked: list[Grid] = []
    for page in pages:
        if stacked:
            stacked.append(_blank(between, width))
        left = (width - page.mask.shape[1]) // 2
        stacked.append(_padded(page, left, width - page.mask.shape[1] - left))
    return Grid(*(np.concatenate([getattr(page, name) for page in stacked]) for name in ("mask", "ink", "owner")))


def _line(cuts: Sequence[Cut | None], gap: int, blank: int, number: int) -> Grid:
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


def _blank(rows: int, columns: int) -> Grid:
    return Grid(
        np.zeros((rows, columns), dtype=bool), np.zeros((rows, columns)), np.full((rows, columns), -1, dtype=np.int64)
    )


def _padded(page: Grid, left: int, right: int) -> Grid:
    sides = ((0, 0), (left, right))
    return Grid(np.pad(page.mask, sides), np.pad(page.ink, sides), np.pad(page.owner, sides, constant_values=-1))


def exact(page: Grid, count: int) -> Mask:
    """Add the cells with most ink, or remove those with least, until there are `count`; pieces and holes stay."""
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


LIGHTEST, BOLDEST = 0.08, 0.30
"""The width of strokes at weight 0 and at weight 1, in heights of capitals."""

LEAST_HEIGHT = 5
"""The least height of capitals, in cells."""

HEIGHTS_COMPARED = 25
"""The number of heights among which the least readable one is searched."""

COLUMNS_ADDED = (0, 1, -1, 2)
"""By how many columns a sign may be wider, so that the text has exactly the wanted number of cells."""

PENS_TRIED, MOST_PENS = 6, 24
"""The number of pens that are compared, and how many if none of these is readable."""

THIN_STROKES = (1, 1), (2, 1), (2, 2)
"""The widths of upright and flat strokes that are tried as well where no pen is readable."""

PENS_WIDENED = 2
"""The number of best pens for which the widths of signs are adjusted."""

UNREADABLE_COST = 3.0
"""The cost of a setting in which all signs are torn or closed up."""

Signs = Counter[Sign]


@dataclass(frozen=True)
class Setting:
    """How a text is drawn: the pen, and by how many columns each kind of sign is wider."""

    pen: Pen
    signs: Signs
    wider: dict[Sign, int]
    cost: float

    def cut(self, sign: Sign) -> Cut:
        """The sign in cells."""
        return cut(sign, self.pen, self.wider[sign])

    @property
    def unreadable(self) -> list[str]:
        """The signs that are torn or closed up."""
        return list(dict.fromkeys(sign.text for sign in self.signs if not self.cut(sign).readable))


@dataclass(frozen=True, eq=False)
class Lettering:
    """A text in cells: the mask, the cell in the middle of each letter, and what is to be said of it."""

    mask: Mask
    centres: tuple[Cell, ...]
    remark: str
    readable_from: int


@lru_cache(maxsize=64)
def set_text(
    text: str,
    count: int,
    weight: float = 0.5,
    spacing: float = 0.5,
    font: str = "",
    wrap: bool = True,
    aspect: float = 1.25,
) -> Lettering:
    """A text with exactly `count` cells, in lines that suit a sheet of an aspect (columns / rows)."""
    if not (0 <= weight <= 1 and 0 <= spacing <= 1):
        raise UsageError(tr("Weight and spacing of the letters lie between 0 and 1."))
    found = lines_of(text, font, spacing, wrap, aspect)
    signs = Counter(sign for line in found.lines for sign in line if sign)
    large = strokes_of(signs)
    if count < _size(signs, Pen(LEAST_HEIGHT, 1, 1, large)):
        needed, shown = _needed(signs, large), " ".join(text.replace("\\n", " ").split())
        words = tr(
            "“{shown}” needs at least {needed} cells to be readable: shorten it or ask for more.",
            shown=shown,
            needed=needed,
        )
        raise TooFewCells(words, needed)
    setting = _best_setting(signs, count, weight, large)
    page = composed(found.lines, setting.pen.height, spacing, setting.cut)
    mask = exact(page, count)
    window = ink_window(mask)
    mask, owner = mask[window], page.owner[window]
    centres = tuple(middle(mask & (owner == number)) for number in np.unique(owner[mask]))
    needed = _needed(setting.signs, setting.pen.large) if setting.unreadable else 0
    remark = " ".join(filter(None, (_unreadable(setting, count, needed), found.remark)))
    return Lettering(mask, centres, remark, needed)


def _unreadable(setting: Setting, count: int, needed: int) -> str:
    """A sentence on the signs that are hard to read, and what would help; "" if there are none."""
    if not setting.unreadable:
        return ""
    more = tr("the text needs about {needed} cells", needed=needed)
    return trn(
        "With {cells} cells {letters} is hard to read: {advice}.",
        "With {cells} cells {letters} are hard to read: {advice}.",
        len(setting.unreadable),
        cells=count,
        letters=listed([tr("“{name}”", name=letter) for letter in setting.unreadable]),
        advice=more if count < needed else tr("lighter strokes may help"),
    )


def _needed(signs: Signs, large: Strokes) -> int:
    """The number of cells from which signs are readable: with the smallest pen that makes all of them so."""
    pens = [Pen(height, 1, 1, large) for height in range(LEAST_HEIGHT, LEAST_HEIGHT + HEIGHTS_COMPARED)]
    clear = next((pen for pen in pens if all(cut(sign, pen).readable for sign in signs)), pens[-1])
    return _size(signs, clear)


def _size(signs: Signs, pen: Pen) -> int:
    """How many cells signs have with a pen, each at its natural width."""
    return sum(int(cut(sign, pen).mask.sum()) * times for sign, times in signs.items())


def _best_setting(signs: Signs, count: int, weight: float, large: Strokes) -> Setting:
    """The pen and the widths that draw these signs with about `count` cells, near the wanted weight, clearly."""
    wanted = LIGHTEST * (BOLDEST / LIGHTEST) ** weight * large.upright / built_in_strokes().upright
    pens = sorted(_pens(signs, count, large), key=lambda pen: _miss(pen, wanted))
    settings = [_plain(signs, pen, count, wanted) for pen in pens[:PENS_TRIED]]
    if all(setting.unreadable for setting in settings):
        others = dict.fromkeys([*pens[PENS_TRIED:MOST_PENS], *_thin_pens(signs, count, large)])
        settings += [_plain(signs, pen, count, wanted) for pen in others]
    settings.sort(key=lambda setting: setting.cost)
    widened = [_widened(setting, count) for setting in settings[:PENS_WIDENED]]
    return min(widened, key=lambda setting: setting.cost)


def _miss(pen: Pen, wanted: float) -> float:
    """How far a pen is from the wanted weight."""
    return abs(log((pen.upright + pen.flat) / (2 * pen.height) / wanted))


def _pens(signs: Signs, count: int, large: Strokes) -> list[Pen]:
    """Pens of all weights, each in the heights that give about `count` cells."""
    ink = np.array([(times, *_outline(sign)) for sign, times in signs.items()]).T
    off: dict[Pen, float] = {}
    for upright in range(1, 2 + int(np.sqrt(count))):
        for flat in {upright, max(1, upright - 1), max(1, round(0.8 * upright))}:
            lowest = max(LEAST_HEIGHT, 3 * flat + 2, int(upright / 0.36))
            heights = range(lowest, lowest + 2 + int(4 * np.sqrt(count)))
            pens = [Pen(height, upright, flat, large) for height in heights]
            best = bisect(pens, count, key=lambda pen: int(_estimate(ink, pen)))
            for pen in pens[max(0, best - 2) : best + 2]:
                off[pen] = abs(_estimate(ink, pen) / count - 1)
    return [pen for pen in off if off[pen] < 0.2] or [min(off, key=lambda pen: off[pen])]


def _thin_pens(signs: Signs, count: int, large: Strokes) -> list[Pen]:
    """Pens with the thinnest strokes, in the heights that give about `count` cells, counted instead of estimated."""
    found = []
    for upright, flat in THIN_STROKES:
        pens = [
            Pen(height, upright, flat, large)
            for height in range(LEAST_HEIGHT, LEAST_HEIGHT + 2 + int(4 * np.sqrt(count)))
        ]
        best = bisect(pens, count, key=lambda pen: _size(signs, pen))
        found += pens[max(0, best - 2) : best + 2]
    return found


def _estimate(ink: Reals, pen: Pen) -> float:
    """About how many cells a text has: the area of its ink, and the outline times the swelling of its strokes."""
    times, area, edges, wide, ends, high = ink
    across = np.maximum((pen.upright / pen.scale - wide) / 2, -LARGEST_EROSION_SHARE * wide)
    down = np.maximum((pen.flat / pen.scale - high) / 2, -LARGEST_EROSION_SHARE * high)
    return float(times @ (area + 0.9 * (edges * across + ends * down))) * pen.scale**2


@lru_cache(maxsize=512)
def _outline(sign: Sign) -> tuple[float, float, float, float, float]:
    """Pixels of ink, lengths of upright edges, width of upright strokes, lengths of flat edges, height of flat ones."""
    masks = [np.pad(piece.mask, 1) for piece in glyph(sign)]
    main = glyph(sign)[0]
    if main.solid:
        return float(masks[0].sum()), 0.0, 0.0, 0.0, 0.0
    edges = [[float(np.diff(mask, axis=axis).sum()) for mask in masks] for axis in (1, 0)]
    return float(sum(mask.sum() for mask in masks)), sum(edges[0]), main.upright, sum(edges[1]), main.flat


def _plain(signs: Signs, pen: Pen, count: int, wanted: float) -> Setting:
    """A pen with every sign at its natural width."""
    cuts = {sign: cut(sign, pen) for sign in signs}
    loss = sum(cuts[c].loss * times for c, times in signs.items()) / signs.total()
    loss = (loss + max(piece.loss for piece in cuts.values())) / 2
    off = abs(_size(signs, pen) / count - 1)
    torn = sum(not piece.readable for piece in cuts.values()) / len(cuts)
    cost = 0.8 * _miss(pen, wanted) + loss + 0.5 * off + 5 * max(0.0, off - 0.06) + UNREADABLE_COST * torn
    return Setting(pen, signs, dict.fromkeys(signs, 0), cost)


def _widened(setting: Setting, count: int) -> Setting:
    """The setting with the widths of signs that bring the number of cells nearest to `count` at the least loss.

    Every number of cells that some widths reach is kept with its cheapest way (a knapsack over the signs).
    """
    signs, limit = setting.signs, 2 * max(count, _size(setting.signs, setting.pen)) + 1
    costs = np.full(limit, np.inf)
    costs[0] = 0.0
    taken: list[NDArray[np.int64]] = []
    for sign, times in signs.items():
        options = [cut(sign, setting.pen, wider) for wider in COLUMNS_ADDED]
        tried = np.full((len(COLUMNS_ADDED), limit), np.inf)
        for row, (option, wider) in enumerate(zip(options, COLUMNS_ADDED, strict=True)):
            size = int(option.mask.sum()) * times
            if size < limit:
                price = (option.loss - options[0].loss + 0.06 * abs(wider)) * times / signs.total()
                tried[row, size:] = costs[: limit - size] + price
        taken.append(tried.argmin(axis=0))
        costs = tried.min(axis=0)
    total = costs + 6.0 * np.abs(np.arange(limit) - count) / count
    at = int(total.argmin())
    cost, wider_of = setting.cost + float(total[at]), {}
    for sign, choice in zip(reversed(signs), reversed(taken), strict=True):
        wider_of[sign] = COLUMNS_ADDED[choice[at]]
        at -= int(cut(sign, setting.pen, wider_of[sign]).mask.sum()) * signs[sign]
    return Setting(setting.pen, signs, wider_of, cost)
