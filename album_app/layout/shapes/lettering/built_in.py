"""Letters of the built-in font, the same on every machine, with accents put on by hand."""

import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from PIL import Image

from album_app.fonts import BUILT_IN
from album_app.layout.shapes.lettering.drawing import SIZE, drawn
from album_app.layout.shapes.lettering.ink import Ink, pieces_of, stroke_widths

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


@dataclass(frozen=True)
class Strokes:
    """Of signs drawn large: the height of capitals, the width of upright strokes, the height of flat ones."""

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


def letter(part: str) -> tuple[Ink, ...]:
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
    ink = drawn(symbol, BUILT_IN, SIZE)
    if ink is None:
        raise ValueError(f"the built-in font has no ink for {symbol!r}")
    return ink
