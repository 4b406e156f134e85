"""Drawn large: letters as ink, emoji as solid figures."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from album_app.fonts import BUILT_IN, Font, can_shape
from album_app.layout.shapes.lettering.areas import Mask, ink_window
from album_app.layout.shapes.lettering.ink import Ink, stroke_widths, without_specks

SIZE = 200
COLOUR_APART = 90  # how far a colour is from that of the body to be a feature of a picture


def drawn(text: str, font: Font, size: float, leftwards: bool = False) -> Ink | None:
    """Letters in a font, cut to their ink; None where there is none."""
    sized = font.at(size)
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
    sized = font.at(SIZE)
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
