"""Colours by name or number, and the ink that reads well on them."""

from PIL import ImageColor

from album_app.errors import UsageError
from album_app.language import tr

Colour = tuple[int, int, int]

TRANSPARENT = ("transparent", "none")


def parse_colour(words: str) -> Colour:
    """Red, green and blue of "navy", "#1e1e1e" or "rgb(30, 30, 30)".

    >>> parse_colour("navy"), parse_colour("#1e1e1e")
    ((0, 0, 128), (30, 30, 30))
    """
    try:
        colour = ImageColor.getrgb(words.strip())
    except ValueError:
        raise UsageError(
            tr("“{words}” is no colour; write a name such as white or navy, or #rrggbb.", words=words)
        ) from None
    if len(colour) == 4 and colour[3] != 255:
        raise UsageError(
            tr("The colour “{words}” is half transparent; use a solid one, or “transparent”.", words=words)
        )
    return colour[0], colour[1], colour[2]


def hexadecimal(colour: Colour) -> str:
    """#rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def parse_background(words: str) -> str | None:
    """A background as the settings want it: the colour's words once they are known to be right, None if transparent.

    >>> parse_background("ivory")
    'ivory'
    >>> parse_background("transparent") is None
    True
    """
    if words.strip().lower() in TRANSPARENT:
        return None
    parse_colour(words)
    return words


def ink_on(background: Colour | None) -> Colour:
    """The colour of text on a background: nearly black, or nearly white on dark ones."""
    if background is None:
        return 118, 118, 118
    red, green, blue = background
    light = 0.299 * red + 0.587 * green + 0.114 * blue > 140
    return (38, 38, 38) if light else (236, 236, 236)
