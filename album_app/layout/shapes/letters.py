"""Characters as ink: Pillow's built-in font drawn large, the same on every machine, with accents put on by hand."""

import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from album_app.errors import UsageError
from album_app.layout.shapes.areas import Mask, ink_window
from album_app.layout.shapes.topology import openings, pieces_and_holes

SIZE = 200
PAD = 50
MAX_CHARACTERS = 100

# The font has no accented letters, but it has the marks: the symbol drawn, its width and height by that of capitals,
# and whether it stands on its head.
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
_SAME = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "\u00a0": " ", "\t": " ", "„": "“", "‚": ",", "ı": "i"})


@dataclass(frozen=True, eq=False)
class Ink:
    """One connected piece of a character, drawn large: rows downwards from `top`, which counts from the baseline."""

    mask: Mask
    top: int
    left: int

    @cached_property
    def depth(self) -> NDArray[np.float64]:
        """Pixels from each inked one to the edge, padded all around."""
        return _distance(np.pad(self.mask, PAD))

    @cached_property
    def clearance(self) -> NDArray[np.float64]:
        """Pixels from each one without ink to the edge, padded all around."""
        return _distance(~np.pad(self.mask, PAD))

    @cached_property
    def holes(self) -> int:
        """How many counters the piece encloses."""
        return pieces_and_holes(self.mask)[1]

    @cached_property
    def openings(self) -> int:
        """How many counters and bays the piece has."""
        return openings(self.mask)

    @property
    def bottom(self) -> int:
        """First row below the piece, counted downwards from the baseline."""
        return self.top + int(self.mask.shape[0])

    @property
    def right(self) -> int:
        """First column right of the piece."""
        return self.left + int(self.mask.shape[1])


def text_lines(text: str) -> list[str]:
    """The lines of a text, accents composed, blanks tidied; both a line break and a written \\n begin a new line."""
    plain = unicodedata.normalize("NFC", text.replace("\\n", "\n")).translate(_SAME)
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        raise UsageError("The text is empty: type at least one letter.")
    if sum(map(len, lines)) > MAX_CHARACTERS:
        raise UsageError(f"The text is too long for a sheet: at most {MAX_CHARACTERS} characters.")
    for character in "".join(lines).replace(" ", ""):
        glyph(character)
    return lines


@lru_cache(maxsize=128)
def glyph(character: str) -> tuple[Ink, ...]:
    """The pieces of a character, the largest first; UsageError if the font cannot draw it."""
    base, *marks = list(unicodedata.normalize("NFD", character))
    pieces = _pieces(_draw(base, character))
    if any(mark in _ABOVE for mark in marks) and base in "ij":
        pieces = pieces[:1]
    for mark in marks:
        pieces += _mark(mark, pieces, character)
    return tuple(pieces)


@lru_cache(maxsize=1)
def measures() -> tuple[int, int, int]:
    """Of the large letters: the height of capitals, the width of upright strokes, the height of flat ones."""
    upright, flat = glyph("I")[0].mask, glyph("L")[0].mask
    return upright.shape[0], upright.shape[1], int(flat[:, -2].sum())


def _mark(mark: str, letter: list[Ink], character: str) -> list[Ink]:
    """The pieces of an accent, put over (or under) the middle of its letter."""
    if mark not in _ABOVE and mark not in _BELOW:
        raise _unknown(character)
    symbol, width, height, flipped = _ABOVE.get(mark) or _BELOW[mark]
    capital = measures()[0]
    size = round(width * capital), round(height * capital)
    drawn = np.asarray(Image.fromarray(_draw(symbol, character).mask).resize(size))
    gap = capital // 12
    above, below = min(ink.top for ink in letter) - gap - size[1], max(ink.bottom for ink in letter) + gap
    middle = (min(ink.left for ink in letter) + max(ink.right for ink in letter)) // 2
    placed = Ink(drawn[::-1] if flipped else drawn, above if mark in _ABOVE else below, middle - size[0] // 2)
    return _pieces(placed)


def _draw(symbol: str, character: str) -> Ink:
    """A symbol in the built-in font, cut to its ink."""
    font = _font()
    if any(_bytes(part) == _bytes("\U0010ffff") for part in symbol):
        raise _unknown(character)
    image = Image.new("L", (SIZE * (len(symbol) + 1) + 2 * PAD, 2 * SIZE))
    ImageDraw.Draw(image).text((PAD, int(1.3 * SIZE)), symbol, fill=255, font=font, anchor="ls")
    mask = np.asarray(image) >= 128
    if not mask.any():
        raise _unknown(character)
    rows, columns = ink_window(mask)
    return Ink(mask[rows, columns], rows.start - int(1.3 * SIZE), columns.start - PAD)


def _pieces(ink: Ink) -> list[Ink]:
    """The connected pieces of a drawing, the largest first."""
    from scipy import ndimage

    labels = ndimage.label(ink.mask, structure=np.ones((3, 3)))[0]
    pieces = []
    for label, (rows, columns) in enumerate(ndimage.find_objects(labels), start=1):
        pieces.append(Ink(labels[rows, columns] == label, ink.top + rows.start, ink.left + columns.start))
    return sorted(pieces, key=lambda piece: -int(piece.mask.sum()))


def _distance(mask: Mask) -> NDArray[np.float64]:
    from scipy import ndimage

    distance: NDArray[np.float64] = ndimage.distance_transform_edt(mask)
    return distance


@lru_cache(maxsize=1)
def _font() -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size=SIZE)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise UsageError("Letters need a Pillow with FreeType, which this installation lacks.")
    return font


@lru_cache(maxsize=512)
def _bytes(symbol: str) -> bytes:
    return bytes(_font().getmask(symbol))


def _unknown(character: str) -> UsageError:
    name = unicodedata.name(character[0], f"U+{ord(character[0]):04X}").lower()
    shown = f"“{character}”" if character.isprintable() else name
    return UsageError(f"The built-in font has no letter for {shown}.")
