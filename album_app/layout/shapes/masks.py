"""A picture as a mask: where it is dark (or light, if that is wanted) there are cells."""

import os

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.language import mark, shown, tr
from album_app.layout.shapes.lettering.areas import Mask, Reals, area_means, ink_window, neighbours, trimmed
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.sandbox import decode, opacity

LARGEST_SIDE = 1600
HEIGHTS_TRIED = 7


def mask_from_picture(path: str | os.PathLike[str], count: int, inverted: bool = False) -> Mask:
    """The dark (or light) parts of a picture as exactly `count` cells, without empty rows or columns around them."""
    dark = _darkness(path, inverted)
    dark = dark[ink_window(dark >= 0.5)]
    best = min(_grids(dark, count), key=lambda covered: abs(int((covered >= 0.5).sum()) - count))
    # Where cells are equally covered, those with more covered cells around them keep the figure together.
    merit = best + neighbours(best >= 0.5) / 1000
    mask = np.zeros(best.shape, dtype=bool)
    mask.ravel()[np.argsort(-merit, axis=None, kind="stable")[:count]] = True
    return trimmed(mask)


def _grids(dark: Reals, count: int) -> list[Reals]:
    """The picture reduced to grids of square cells that hold about `count` dark ones, and at least as many in all."""
    height, width = dark.shape
    ideal = np.sqrt(count / dark.mean() * height / width)
    grids: list[Reals] = []
    rows = max(1, round(ideal) - HEIGHTS_TRIED // 2)
    while len(grids) < HEIGHTS_TRIED:
        columns = max(1, round(rows * width / height))
        if rows * columns >= count:
            grids.append(area_means(dark, rows, columns))
        rows += 1
    return grids


def _darkness(path: str | os.PathLike[str], inverted: bool) -> Reals:
    """How dark (or light) each pixel is, 0..1; a picture with nothing dark but its own transparency counts by that."""
    try:
        dark = 1 - np.asarray(decode(path, (LARGEST_SIDE, LARGEST_SIDE)).convert("L")) / 255
        if (dark < 0.5).all():
            dark = _opacity(path)
    except Undecodable as fault:
        reason = shown(fault.reason)
        raise UsageError(tr("The mask {path} cannot be read: {reason}.", path=path, reason=reason)) from fault
    if inverted:
        dark = 1 - dark
    if (dark < 0.5).all():
        no_light = mark("The mask {path} has nothing light in it; draw the shape in white on black.")
        no_dark = mark("The mask {path} has nothing dark in it; draw the shape in black on white.")
        raise UsageError(tr(no_light if inverted else no_dark, path=path))
    return dark


def _opacity(path: str | os.PathLike[str]) -> NDArray[np.float64]:
    """How opaque each pixel is where a picture is partly transparent, else nothing."""
    opaque = opacity(path, (LARGEST_SIDE, LARGEST_SIDE)) / 255
    return opaque if opaque.size and opaque.min() < 0.5 else np.zeros((1, 1))
