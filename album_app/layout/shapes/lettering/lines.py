"""The lines of a text as signs: which font has each word, where long lines break, what comes first on a line."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.shapes.lettering.letters import built_in_strokes, glyph, has, unknown
from album_app.layout.shapes.lettering.signs import Sign, as_seen, is_emoji, parts, text_lines
from album_app.photos.fonts import BUILT_IN, Font, find_font, font_with

Word = tuple[Sign, ...]
Line = tuple[Sign | None, ...]
"""Signs from left to right, None for the blank between two words."""

LETTER_GAP = 0.32  # all by the height of capitals: at full spacing,
BLANK = 0.3
LEAST_LINE_GAP, LINE_GAP = 0.1, 0.3
NO_LETTERS = ("Cc", "Cs", "Cn", "Mn", "Mc", "Me")  # what no text begins with
WORTH_A_BREAK = 1.15  # by how much letters must gain for another line


@dataclass(frozen=True)
class Lines:
    """The lines of a text, and what is to be said of its fonts."""

    lines: tuple[Line, ...]
    remark: str


@lru_cache(maxsize=64)
def lines_of(text: str, font: str, spacing: float, wrap: bool, aspect: float) -> Lines:
    """The lines of a text; where it has no line breaks of its own it breaks where that makes its letters largest."""
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
    """The signs of a word in the wanted font, or where that lacks letters in another, if there is one with all."""
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
    if unicodedata.category(text[0]) in NO_LETTERS:
        return None
    return font_with(text, is_emoji(text)) or font_with(text, emoji=True)


def _found(words: Sequence[Word], wanted: Font) -> str:
    """Which fonts were found for what the wanted one lacks."""
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
    """Words on as many lines as make letters largest on a sheet of this aspect; few where that is much the same."""
    spans = [(first, last) for last in range(1, len(words) + 1) for first in range(last)]
    limits = {_width(words[first:last], spacing) for first, last in spans}
    widest = max(_width([word], spacing) for word in words)
    best, largest = [words], 0.0
    for limit in sorted((limit for limit in limits if limit >= widest), reverse=True):
        lines = _filled(words, limit, spacing)
        high = sum(map(_height, lines)) + (len(lines) - 1) * (LEAST_LINE_GAP + LINE_GAP * spacing)
        size = min(aspect / limit, 1 / high)
        if size > largest * (WORTH_A_BREAK if len(lines) > len(best) else 1):
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
    return sum(_ink_width(sign) / capital + gap for sign in signs) - gap + (BLANK + gap) * (len(words) - 1)


def _height(words: Sequence[Word]) -> float:
    """How high words on one line are, by the height of capitals."""
    pieces = [piece for word in words for sign in word for piece in glyph(sign)]
    high = max(piece.bottom for piece in pieces) - min(piece.top for piece in pieces)
    return high / built_in_strokes().capital


def _ink_width(sign: Sign) -> int:
    pieces = glyph(sign)
    return max(piece.right for piece in pieces) - min(piece.left for piece in pieces)
