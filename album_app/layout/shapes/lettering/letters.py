"""A text as signs (letters with their marks, letters that join, emoji), drawn by a font or the built-in alphabet."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.shapes.lettering.ink import (
    Ink,
    Mask,
    ink_window,
    pieces_of,
    stroke_widths,
    with_dots_together,
    without_specks,
)
from album_app.photos.fonts import BUILT_IN, Font, can_shape

MAX_CHARACTERS = 100
"""Longer texts are refused."""

ZERO_WIDTH_JOINER, AS_EMOJI = "\u200d", "\ufe0f"
SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
FIRST_EMOJI = 0x1F000
JOINING_CLASS = 9
"""The Unicode combining class of signs that join a consonant with the next one."""

JOINED_SCRIPTS = {"ARABIC", "SYRIAC", "MANDAIC", "MONGOLIAN", "NKO", "ADLAM", "DEVANAGARI", "BENGALI", "GURMUKHI"}
_PLAIN_CHARACTERS = str.maketrans(
    {"–": "-", "—": "-", "−": "-", "‐": "-", "\u00a0": " ", "\t": " ", "„": "“", "‚": ",", "ı": "i"}
)
DRAWING_SIZE = 200
"""The size of the font in which signs are drawn, in pixels, before they become cells."""

FEATURE_COLOUR_DIFFERENCE = 90
"""A part of an emoji is a feature, such as an eye, if some channel differs by more than this from its usual colour."""


@dataclass(frozen=True)
class Sign:
    """What is drawn in one go, the font to draw it with, and whether it is read from right to left."""

    text: str
    font: Font = BUILT_IN
    leftwards: bool = False


def text_lines(text: str) -> list[str]:
    """The lines of a text, accents composed, blanks tidied; both a line break and a written \\n begin a new line."""
    plain = unicodedata.normalize("NFC", text.replace("\\n", "\n")).translate(_PLAIN_CHARACTERS)
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        raise UsageError(tr("The text is empty: type at least one letter."))
    if sum(map(len, lines)) > MAX_CHARACTERS:
        raise UsageError(tr("The text is too long for a sheet: at most {most} characters.", most=MAX_CHARACTERS))
    return lines


def parts(word: str) -> list[str]:
    """The parts of a word that are drawn in one go."""
    found: list[str] = []
    for character in word:
        if found and _belongs(found[-1], character):
            found[-1] += character
        else:
            found.append(character)
    return found


def is_emoji(part: str) -> bool:
    """Whether a part of a text is meant as a picture."""
    return AS_EMOJI in part or ord(part[0]) >= FIRST_EMOJI


def letters_in(part: str) -> int:
    """How many letters join in a part of a text: one, unless its script joins them."""
    joined = [character for character in part if _joined_script(character)]
    return max(1, sum(unicodedata.category(character)[0] != "M" for character in joined))


def _belongs(part: str, character: str) -> bool:
    """Whether a character is drawn together with those before it."""
    if unicodedata.category(character)[0] == "M" or character == ZERO_WIDTH_JOINER or ord(character) in SKIN_TONES:
        return True
    if part[-1] == ZERO_WIDTH_JOINER or unicodedata.combining(part[-1]) == JOINING_CLASS:
        return True
    if ord(character) in FLAG_LETTERS:
        return len(part) == 1 and ord(part) in FLAG_LETTERS
    return _joined_script(character) and _joined_script(part[0])


def _joined_script(character: str) -> bool:
    return unicodedata.name(character, "").split(" ")[0] in JOINED_SCRIPTS


def leftwards(part: str) -> bool | None:
    """Whether a part of a text is read from right to left; None where its neighbours decide that."""
    kinds = [unicodedata.bidirectional(character) for character in part]
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), None)


def is_number(part: str) -> bool:
    """Whether a part of a text is a digit, which is read from left to right in every script."""
    return unicodedata.bidirectional(part[0]) in ("EN", "AN")


def as_seen(line: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """The places of a line's parts (blanks among them) from left to right, each with whether it is read leftwards.

    This is the Unicode bidirectional algorithm for a line without explicit directions: levels, then reversals.
    """
    levels = _levels(line)
    order = list(range(len(line)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = order[start:end][::-1]
            start = max(end, start + 1)
    return ((place, levels[place] % 2 == 1) for place in order)


def _levels(line: Sequence[str]) -> list[int]:
    """How deep each part is nested: odd where it is read leftwards."""
    strong = [leftwards(part) for part in line]
    base = int(next((way for way in strong if way is not None), False))
    before = _nearest(strong, bool(base))
    after = _nearest(strong[::-1], bool(base))[::-1]
    numbers = [is_number(part) or _in_number(line, place) for place, part in enumerate(line)]
    levels = []
    for number, way, ahead, behind in zip(numbers, strong, before, after, strict=True):
        if way is not None:
            levels.append(int(way))
        elif number:
            levels.append(2 if ahead else 0)
        else:
            levels.append(int(ahead) if ahead == behind else base)
    return [2 if base and not level % 2 else level for level in levels]


def _in_number(line: Sequence[str], place: int) -> bool:
    """Whether a part stands between two digits, as a decimal point does."""
    around = [*line[place - 1 : place], *line[place + 1 : place + 2]]
    return line[place] != " " and len(around) == 2 and all(map(is_number, around))


def _nearest(ways: list[bool | None], base: bool) -> list[bool]:
    """For each part the direction of the last one before it (or its own) that has one."""
    found = []
    for way in ways:
        base = base if way is None else way
        found.append(base)
    return found


def drawn(text: str, font: Font, size: float, leftwards: bool = False) -> Ink | None:
    """Letters in a font, cut to their ink; None where there is none."""
    sized = font.at(size, text)
    way = "rtl" if leftwards and can_shape() else None
    image = Image.new("L", (int(sized.getlength(text)) + 2 * DRAWING_SIZE, 4 * DRAWING_SIZE))
    left, baseline = DRAWING_SIZE // 2, 2 * DRAWING_SIZE
    ImageDraw.Draw(image).text((left, baseline), text, fill=255, font=sized, anchor="ls", direction=way)
    mask = np.asarray(image) >= 128
    if font != BUILT_IN:
        mask = without_specks(mask)
    if not mask.any():
        return None
    rows, columns = ink_window(mask)
    mask = mask[rows, columns]
    return Ink(mask, rows.start - baseline, columns.start - left, *stroke_widths(mask))


def pictured(text: str, font: Font, height: int) -> Ink | None:
    """An emoji as a solid figure that stands on the line, without features inside it; None if the font has none."""
    sized = font.at(DRAWING_SIZE, text)
    image = Image.new("RGBA", (int(sized.getlength(text)) + 8, int(2 * sized.size)))
    ImageDraw.Draw(image).text((4, 4), text, font=sized, fill="black", embedded_color=True, anchor="la")
    pixels = np.pad(np.asarray(image).astype(np.int64), ((1, 1), (1, 1), (0, 0)))
    body = pixels[..., 3] >= 128
    if not body.any():
        return None
    figure = Image.fromarray(without_features(pixels[..., :3], body)[ink_window(body)])
    figure = figure.resize((max(1, round(figure.width * height / figure.height)), height))
    return Ink(without_specks(np.asarray(figure)), -height, 0)


def without_features(colours: NDArray[np.int64], body: Mask) -> Mask:
    """A picture's body without the parts inside it that have a very different colour, such as eyes and a mouth."""
    from scipy import ndimage

    usual = np.median(colours[body], axis=0)
    other = body & (np.abs(colours - usual).max(axis=-1) > FEATURE_COLOUR_DIFFERENCE)
    labels = ndimage.label(other)[0]
    rim = body & ndimage.binary_dilation(~body, iterations=2)
    featureless: Mask = body & ~(other & ~np.isin(labels, np.unique(labels[rim])))
    return featureless


# The built-in font has no accented letters, so accents are drawn by other symbols. For each mark: the symbol, its width
# and height in heights of capitals, and whether it is turned upside down.
_ABOVE = {
    "\u0300": ("`", 0.26, 0.20, False),
    "\u0301": ("´", 0.26, 0.20, False),
    "\u0302": ("^", 0.44, 0.22, False),
    "\u0303": ("~", 0.56, 0.18, False),
    "\u0304": ("-", 0.44, 0.11, False),
    "\u0306": ("^", 0.44, 0.18, True),
    "\u0307": ("·", 0.17, 0.17, False),
    "\u0308": ("··", 0.50, 0.17, False),
    "\u030a": ("°", 0.32, 0.30, False),
    "\u030b": ("´´", 0.52, 0.20, False),
    "\u030c": ("^", 0.44, 0.22, True),
}
_BELOW = {
    "\u0323": ("·", 0.17, 0.17, False),
    "\u0326": (",", 0.22, 0.26, False),
    "\u0327": (",", 0.22, 0.26, False),
    "\u0328": (",", 0.22, 0.26, True),
}


@dataclass(frozen=True)
class Strokes:
    """Measures of signs drawn large: the height of capitals, the width of upright strokes, the height of flat ones."""

    capital: int
    upright: int
    flat: int


@lru_cache(maxsize=1)
def built_in_strokes() -> Strokes:
    """The strokes of the built-in font."""
    upright, flat = _symbol("I").mask, _symbol("L").mask
    return Strokes(upright.shape[0], upright.shape[1], int(flat[:, -2].sum()))


def can_draw(part: str) -> bool:
    """Whether the built-in font has a letter, or at least what its accents are made of."""
    base, *marks = list(unicodedata.normalize("NFD", part))
    return not BUILT_IN.lacks(base) and all(mark in _ABOVE or mark in _BELOW for mark in marks)


def built_in_letter(part: str) -> tuple[Ink, ...]:
    """The pieces of a letter that the built-in font can draw, the largest first, those of accents last."""
    base, *marks = list(unicodedata.normalize("NFD", part))
    pieces = pieces_of(_symbol(base))
    if any(mark in _ABOVE for mark in marks) and base in "ij":
        pieces = pieces[:1]
    for mark in marks:
        pieces += _mark(mark, pieces)
    usual = built_in_strokes()
    return tuple(replace(piece, upright=usual.upright, flat=usual.flat) for piece in pieces)


def _mark(mark: str, letter: list[Ink]) -> list[Ink]:
    """The pieces of an accent, put over (or under) the middle of its letter."""
    symbol, width, height, flipped = _ABOVE.get(mark) or _BELOW[mark]
    capital = built_in_strokes().capital
    size = round(width * capital), round(height * capital)
    ink = np.asarray(Image.fromarray(_symbol(symbol).mask).resize(size))
    gap = capital // 12
    above, below = min(piece.top for piece in letter) - gap - size[1], max(piece.bottom for piece in letter) + gap
    middle = (min(piece.left for piece in letter) + max(piece.right for piece in letter)) // 2
    top = above if mark in _ABOVE else below
    return pieces_of(Ink(ink[::-1] if flipped else ink, top, middle - size[0] // 2, *stroke_widths(ink)))


def _symbol(symbol: str) -> Ink:
    """A symbol in the built-in font, cut to its ink."""
    ink = drawn(symbol, BUILT_IN, DRAWING_SIZE)
    if ink is None:
        raise ValueError(f"the built-in font has no ink for {symbol!r}")
    return ink


EMOJI_HEIGHT = 1.25
"""The height of an emoji, in heights of capitals."""

LARGEST_DOT, DOT_GAP = 0.22, 0.15
"""Pieces up to the first size are dots, and dots nearer than the second form a group; in heights of capitals."""


@lru_cache(maxsize=512)
def glyph(sign: Sign) -> tuple[Ink, ...]:
    """The pieces of a sign, the largest first; UsageError if its font cannot draw it."""
    capital = built_in_strokes().capital
    if not has(sign.font, sign.text):
        raise unknown(sign.text)
    if letters_in(sign.text) > 1 and not can_shape():
        raise UsageError(
            tr("The letters of “{letters}” join: to draw them, install the library FriBiDi.", letters=sign.text)
        )
    if sign.font == BUILT_IN:
        return built_in_letter(sign.text)
    if is_emoji(sign.text) or sign.font.pictures:
        picture = pictured(sign.text, sign.font, round(EMOJI_HEIGHT * capital))
        pieces = [picture] if picture else []
    else:
        ink = drawn(sign.text, sign.font, DRAWING_SIZE * _enlarged(sign.font), sign.leftwards)
        pieces = with_dots_together(pieces_of(ink), LARGEST_DOT * capital, DOT_GAP * capital) if ink else []
    if not pieces:
        raise unknown(sign.text)
    return tuple(pieces)


def has(font: Font, part: str) -> bool:
    """Whether a font can draw a part of a text; the built-in one makes up for the accents it lacks."""
    return can_draw(part) if font == BUILT_IN else not font.lacks(part)


def strokes_of(signs: Iterable[Sign]) -> Strokes:
    """The median strokes of some signs, without pictures, which have none."""
    mains = [main for sign in signs if not (main := glyph(sign)[0]).solid]
    usual = built_in_strokes()
    if not mains:
        return usual
    upright, flat = (int(np.median([getattr(main, side) for main in mains])) for side in ("upright", "flat"))
    return Strokes(usual.capital, upright, flat)


def unknown(part: str) -> UsageError:
    """What to say where no font has the letters."""
    name = unicodedata.name(part[0], f"U+{ord(part[0]):04X}").lower()
    shown = f"“{part}”" if part.isprintable() else name
    return UsageError(tr("No font on this computer has a letter for {shown}.", shown=shown))


@lru_cache(maxsize=64)
def _enlarged(font: Font) -> float:
    """How much larger than the built-in font a font must be drawn for capitals of the same height."""
    if font.lacks("H"):
        return 1.0
    top, bottom = (font.at(DRAWING_SIZE, "H").getbbox("H", anchor="ls")[side] for side in (1, 3))
    return built_in_strokes().capital / max(bottom - top, DRAWING_SIZE / 4)
