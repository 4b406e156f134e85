"""Letters as pictures, from a font or from the built-in alphabet."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.shapes.lettering.areas import Mask, ink_window
from album_app.layout.shapes.lettering.ink import Ink, pieces_of, stroke_widths, with_dots_together, without_specks
from album_app.layout.shapes.lettering.signs import Sign, is_emoji, letters_in
from album_app.photos.fonts import BUILT_IN, Font, can_shape

SIZE = 200
COLOUR_APART = 90  # how far a colour is from that of the body to be a feature of a picture


def drawn(text: str, font: Font, size: float, leftwards: bool = False) -> Ink | None:
    """Letters in a font, cut to their ink; None where there is none."""
    sized = font.at(size, text)
    way = "rtl" if leftwards and can_shape() else None
    image = Image.new("L", (int(sized.getlength(text)) + 2 * SIZE, 4 * SIZE))
    left, baseline = SIZE // 2, 2 * SIZE
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
    """An emoji as a solid figure that stands on the line, features in its midst left out; None where there is none."""
    sized = font.at(SIZE, text)
    image = Image.new("RGBA", (int(sized.getlength(text)) + 8, int(2 * sized.size)))
    ImageDraw.Draw(image).text((4, 4), text, font=sized, fill="black", embedded_color=True, anchor="la")
    pixels = np.pad(np.asarray(image).astype(np.int64), ((1, 1), (1, 1), (0, 0)))
    body = pixels[..., 3] >= 128
    if not body.any():
        return None
    figure = Image.fromarray(_without_features(pixels[..., :3], body)[ink_window(body)])
    figure = figure.resize((max(1, round(figure.width * height / figure.height)), height))
    return Ink(without_specks(np.asarray(figure)), -height, 0)


def _without_features(colours: NDArray[np.int64], body: Mask) -> Mask:
    """A picture's body without what lies amid it in quite another colour: eyes, a mouth."""
    from scipy import ndimage

    usual = np.median(colours[body], axis=0)
    other = body & (np.abs(colours - usual).max(axis=-1) > COLOUR_APART)
    labels = ndimage.label(other)[0]
    rim = body & ndimage.binary_dilation(~body, iterations=2)
    featureless: Mask = body & ~(other & ~np.isin(labels, np.unique(labels[rim])))
    return featureless


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
    ink = drawn(symbol, BUILT_IN, SIZE)
    if ink is None:
        raise ValueError(f"the built-in font has no ink for {symbol!r}")
    return ink


# all by the height of capitals
EMOJI_HEIGHT = 1.25
LARGEST_DOT, DOT_GAP = 0.22, 0.15


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
        ink = drawn(sign.text, sign.font, SIZE * _enlarged(sign.font), sign.leftwards)
        pieces = with_dots_together(pieces_of(ink), LARGEST_DOT * capital, DOT_GAP * capital) if ink else []
    if not pieces:
        raise unknown(sign.text)
    return tuple(pieces)


def has(font: Font, part: str) -> bool:
    """Whether a font can draw a part of a text; the built-in one makes up for the accents it lacks."""
    return can_draw(part) if font == BUILT_IN else not font.lacks(part)


def strokes_of(signs: Iterable[Sign]) -> Strokes:
    """The usual strokes of some signs; pictures have none."""
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
    top, bottom = (font.at(SIZE, "H").getbbox("H", anchor="ls")[side] for side in (1, 3))
    return built_in_strokes().capital / max(bottom - top, SIZE / 4)
