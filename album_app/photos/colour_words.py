"""Colours by their everyday names: which share of a picture has each of eleven colours."""

import numpy as np
from numpy.typing import NDArray

from album_app.language import mark
from album_app.photos.features.extractor import Image

Numbers = NDArray[np.floating]

COLOUR_WORDS = (
    *(mark("black"), mark("white"), mark("grey"), mark("red"), mark("orange"), mark("brown"), mark("yellow")),
    *(mark("green"), mark("blue"), mark("purple"), mark("pink")),
)
BLACK_BELOW, WHITE_FROM = 0.18, 0.85
"""Brightness, from 0 to 1: darker pixels are black, lighter ones without colour are white."""
GREY_BELOW = 0.16
"""Saturation below which a pixel has no colour."""
BROWN_BELOW, PINK_BELOW = 0.62, 0.55
"""Orange that is darker than the first is brown; light red that is less saturated than the second is pink."""
HUES = ((15, "red"), (45, "orange"), (70, "yellow"), (165, "green"), (255, "blue"), (295, "purple"), (345, "pink"))
"""The hue in degrees at which each colour ends; the last stretch is red again."""
MOST_PIXELS = 32
"""Pixels along a side that are looked at."""


def colour_shares(picture: Image) -> Numbers:
    """The share of a picture's pixels that each of COLOUR_WORDS describes; the shares add up to 1.

    >>> shares = colour_shares(np.full((4, 4, 3), (30, 60, 220), np.uint8))
    >>> COLOUR_WORDS[shares.argmax()], float(shares.max())
    ('blue', 1.0)
    """
    step = max(1, -(-max(picture.shape[:2]) // MOST_PIXELS))
    pixels = picture[::step, ::step].reshape(-1, 3).astype(np.float32) / 255
    brightness, lowest = pixels.max(axis=1), pixels.min(axis=1)
    span = brightness - lowest
    saturation = span / np.maximum(brightness, 1e-6)
    words = _hue_words(_hue(pixels, brightness, span))
    number = {word: place for place, word in enumerate(COLOUR_WORDS)}
    words[(words == number["orange"]) & (brightness < BROWN_BELOW)] = number["brown"]
    words[(words == number["red"]) & (saturation < PINK_BELOW) & (brightness > BROWN_BELOW)] = number["pink"]
    words[saturation < GREY_BELOW] = number["grey"]
    words[(saturation < GREY_BELOW) & (brightness >= WHITE_FROM)] = number["white"]
    words[brightness < BLACK_BELOW] = number["black"]
    return np.bincount(words, minlength=len(COLOUR_WORDS)) / max(1, len(words))


def _hue(pixels: Numbers, brightness: Numbers, span: Numbers) -> Numbers:
    """Degrees around the colour circle: red 0, green 120, blue 240."""
    red, green, blue = pixels.T
    safe = np.maximum(span, 1e-6)
    hue: Numbers = np.where(
        brightness == red,
        (green - blue) / safe % 6,
        np.where(brightness == green, (blue - red) / safe + 2, (red - green) / safe + 4),
    )
    hue *= 60
    return hue


def _hue_words(hue: Numbers) -> NDArray[np.intp]:
    ends = np.array([end for end, _ in HUES])
    names = [COLOUR_WORDS.index(word) for _, word in (*HUES, (360, "red"))]
    words: NDArray[np.intp] = np.array(names, np.intp)[np.searchsorted(ends, hue, side="right")]
    return words
