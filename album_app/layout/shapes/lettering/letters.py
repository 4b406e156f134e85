"""Signs as ink, drawn large in their fonts, capitals of all fonts equally high."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from album_app.errors import UsageError
from album_app.fonts import BUILT_IN, Font, can_shape
from album_app.language import tr
from album_app.layout.shapes.lettering import built_in
from album_app.layout.shapes.lettering.built_in import Strokes, built_in_strokes
from album_app.layout.shapes.lettering.drawing import SIZE, drawn, pictured
from album_app.layout.shapes.lettering.ink import Ink, pieces_of, with_dots_together
from album_app.layout.shapes.lettering.signs import Sign, is_emoji, letters_in

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
        return built_in.letter(sign.text)
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
    return built_in.can_draw(part) if font == BUILT_IN else not font.lacks(part)


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
    top, bottom = (font.at(SIZE).getbbox("H", anchor="ls")[side] for side in (1, 3))
    return built_in_strokes().capital / max(bottom - top, SIZE / 4)
