"""Rectangle, circle, heart and others with just the wanted number of cells, and masks from dark parts of a picture."""

import math
import os
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.language import mark, shown, tr
from album_app.layout.shapes.lettering.ink import Mask, Reals, area_means, ink_window, neighbours, trimmed
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.sandbox import decode, opacity

MAX_CELLS = 100_000
"""The most cells of a sheet."""

ASPECT = 1.25
"""Columns divided by rows of a sheet whose proportions nobody chose."""

ASPECT_TOLERANCE = 1.15
"""Factor: a sheet without empty cells may be this much wider or higher than the proportions that were chosen."""

EMPTY_CELL_COST = 0.04
"""Where nobody chose proportions, one empty cell less is worth this deviation from `ASPECT`, as a logarithm."""

Points = NDArray[np.floating[Any]]
Level = Callable[[Points, Points], Points]
"""A function of x and y, in cells, y upwards: a figure consists of the cells with the lowest levels."""

RING_HOLE_SHARE = 0.5
"""The radius of a ring's hole, as a share of the ring's own radius."""

HEART_POINTS = 2048
"""The number of points by which the edge of a heart is drawn."""

HEART_AREA = 180 * np.pi
"""The area of the heart curve x = 16 sin^3 t, y = 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t."""

HEART_REACH = 17.0
"""The largest distance of this curve from its middle."""

NUB_COST = 4.0
"""The cost of a side of a round figure that ends in too few cells, in cells that lie off the figure by one."""

HEART_SHIFTS = (0.0, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875)
"""Where the middle of a heart may lie between two rows of cells; the first of equally good ones is taken."""

HEART_POINT_ROWS = 4
"""The number of lowest rows of a heart that should form its point."""

NO_NOTCH_COST = 3.0
"""The cost of a heart without a notch, in cells."""

BLUNT_COST = 2.0
"""The factor of `_bluntness` in the cost of a heart: how far its lowest rows are from a point."""

OUTSIDE_LEVEL = 1e6
"""It is added to the level of cells that the figure must not have."""

HEXAGON_SHIFT = 0.5
"""Every second row of a hexagon lies this share of a cell to the right, so that each cell touches six others."""

OUTLINES_COMPARED = 8
"""The number of symmetric outlines of a size that are compared, those of the least levels."""


def best_rectangle(wanted: int, aspect: float = ASPECT) -> tuple[int, int]:
    """Rows and columns for at least the wanted number of cells: few or none empty, near columns / rows = aspect.

    Without empty cells a sheet may be up to twice as wide as high, or off a chosen aspect by ASPECT_TOLERANCE.
    """
    if not (np.isfinite(aspect) and 0.01 <= aspect <= 100):
        raise UsageError(
            tr("The aspect of a sheet (columns / rows) must lie between 0.01 and 100, not {aspect}.", aspect=aspect)
        )
    rows = np.arange(1, wanted + 1)
    columns = -(-wanted // rows)
    holes = rows * columns - wanted
    fits = rows * columns <= MAX_CELLS
    off = np.abs(np.log(columns / rows / aspect))
    free = aspect == ASPECT
    full = (holes == 0) & (off <= np.log(2 / ASPECT if free else ASPECT_TOLERANCE) + 1e-9)
    price = off + (3 / wanted + EMPTY_CELL_COST * free) * holes - full
    best = int(np.where(fits, price, np.inf).argmin())
    return int(rows[best]), int(columns[best])


ASPECT_WEIGHT = 0.3
"""The cost of a growing rectangle for another aspect is this times the logarithm of their ratio; empty cells cost their
share."""


def grown(rows: int, columns: int, count: int) -> tuple[int, int]:
    """A rectangle with room for `count` cells whose sides are at least these: few empty cells, about their aspect.

    >>> grown(4, 5, 24), grown(4, 5, 18), grown(16, 20, 351)
    ((4, 6), (4, 5), (17, 21))
    """

    def cost(sides: tuple[int, int]) -> float:
        down, across = sides
        return (down * across - count) / count + ASPECT_WEIGHT * abs(math.log(across * rows / (down * columns)))

    return min(((down, max(columns, -(-count // down))) for down in range(rows, rows + max(rows, count))), key=cost)


def circle(count: int) -> Mask:
    """A disc, as round as cells can be."""
    radius = np.sqrt(count / np.pi)
    return _mirrored(np.hypot, count, radius, upright=True)


def ring(count: int) -> Mask:
    """A disc with a hole in its middle."""
    radius = np.sqrt(count / np.pi / (1 - RING_HOLE_SHARE**2))
    middle = radius * (1 + RING_HOLE_SHARE) / 2
    return _mirrored(lambda x, y: np.abs(np.hypot(x, y) - middle), count, radius, upright=True)


def heart(count: int) -> Mask:
    """A heart; the level of a point is its distance from the middle, as a share of the edge's in that direction."""
    t = np.linspace(-np.pi, np.pi, HEART_POINTS)
    x, y = 16 * np.sin(t) ** 3, 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    order = np.argsort(np.arctan2(x, y))
    angles, edge = np.arctan2(x, y)[order], np.hypot(x, y)[order]
    size = np.sqrt(count / HEART_AREA)

    def level(x: Points, y: Points) -> Points:
        scaled: Points = (
            np.hypot(x, y) / np.interp(np.arctan2(x, y), angles, edge, period=2 * np.pi) * size * HEART_REACH
        )
        return scaled

    return _mirrored(level, count, size * HEART_REACH, upright=False)


def _mirrored(level: Level, count: int, reach: float, upright: bool) -> Mask:
    """The `count` cells of least level that are mirrored and smooth, over where the figure's axes lie on the grid.

    `upright`: the figure is also mirrored top to bottom where that does not cost smoothness.
    """
    best_cost, best = np.inf, np.ones((1, count), dtype=bool)
    downs = (0.0, 0.5, 0.25, 0.75) if upright else HEART_SHIFTS
    for (down, across), both in product(product(downs, (0.0, 0.5)), (True, False)):
        if both and (not upright or down not in (0.0, 0.5)):
            continue
        levels = level(*np.meshgrid(_centres(reach, across), _centres(reach, down)[::-1]))
        edge = np.partition(levels.ravel(), count - 1)[count - 1]
        for bounds in _bounds(levels <= edge) if upright else [np.zeros_like(levels)]:
            for mask in _cheapest(levels - edge + bounds, count, both):
                cost = np.maximum(0, levels[mask] - edge).sum() + np.maximum(0, edge - levels[~mask]).sum()
                cost += min(2.0, count / 30) * _roughness(mask) + (0.0 if both or not upright else 0.5)
                cost += NUB_COST * _nubs(mask, count) if upright else BLUNT_COST * _bluntness(mask)
                if cost < best_cost - 1e-9:
                    best_cost, best = cost, mask
    return trimmed(best)


def _bounds(mask: Mask) -> Iterator[Points]:
    """What is added to the levels: nothing, or so much that the outermost rows, columns, or both are avoided."""
    rows, columns = ink_window(mask)
    for down, across in product((False, True), repeat=2):
        outside = np.zeros(mask.shape)
        if down:
            outside[: rows.start + 1] = outside[rows.stop - 1 :] = OUTSIDE_LEVEL
        if across:
            outside[:, : columns.start + 1] = outside[:, columns.stop - 1 :] = OUTSIDE_LEVEL
        yield outside


def _nubs(mask: Mask, count: int) -> int:
    """The number of sides of a round figure, out of four, whose outermost row is too short for its radius."""
    figure = trimmed(mask)
    least = (2 * np.sqrt(count / np.pi)) ** 0.5
    return int(sum(side.sum() < least for side in (figure[0], figure[-1], figure[:, 0], figure[:, -1])))


def _bluntness(mask: Mask) -> float:
    """How far a heart is from its point and its notch.

    Each of the lowest rows is a cell shorter on either side, the last has one or two; the first one has a gap.
    """
    figure = trimmed(mask)
    widths = figure.sum(axis=1)[-HEART_POINT_ROWS:]
    steps = np.abs(-np.diff(widths) - 2) / 2
    no_notch = figure[0, figure.shape[1] // 2]
    return float(steps.sum() + max(0, widths[-1] - 2) + NO_NOTCH_COST * no_notch)


def _roughness(mask: Mask) -> int:
    """The number of cells that protrude singly, plus the number of those missing from a straight edge."""
    padded = np.pad(mask, 1).astype(np.int64)
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return int((mask & (around < 2)).sum() + (~mask & (around > 2)).sum())


def _centres(reach: float, shift: float) -> Points:
    """Cell centres along one axis, equally many on either side; `shift` 0 puts a centre on the axis, 0.5 an edge."""
    steps = int(np.ceil(reach)) + 3
    return np.arange(-steps, steps + (shift != 0.5)) + shift


def _cheapest(levels: Points, count: int, both: bool) -> Iterator[Mask]:
    """The sets of `count` cells that equal their mirror images, by ascending sums of levels."""
    orbit = np.arange(levels.size).reshape(levels.shape)
    orbit = np.minimum(orbit, orbit[:, ::-1])
    if both:
        orbit = np.minimum(orbit, orbit[::-1])
    first, inverse, sizes = np.unique(orbit.ravel(), return_inverse=True, return_counts=True)
    weight = levels.ravel()[first] * sizes
    by_size = {size: np.flatnonzero(sizes == size) for size in (1, 2, 4)}
    by_size = {size: of[np.argsort(weight[of], kind="stable")] for size, of in by_size.items()}
    sums = {size: np.concatenate([[0.0], np.cumsum(weight[of])]) for size, of in by_size.items()}
    ways = _ways(count, {size: len(of) for size, of in by_size.items()})
    for taken in sorted(ways, key=lambda taken: float(sum(sums[size][k] for size, k in taken.items())))[
        :OUTLINES_COMPARED
    ]:
        chosen = np.zeros(len(first), dtype=bool)
        for size, k in taken.items():
            chosen[by_size[size][:k]] = True
        yield chosen[inverse.ravel()].reshape(levels.shape)


def _ways(count: int, available: dict[int, int]) -> Iterator[dict[int, int]]:
    """How many orbits of 1, 2 and 4 cells can make up `count` cells."""
    for ones in range(min(count, available[1]) + 1):
        rest = count - ones
        twos_tried = range(min(rest // 2, available[2]) + 1) if available[4] else (rest // 2,)
        for twos in twos_tried:
            fours, left_over = divmod(rest - 2 * twos, 4)
            if not left_over and twos <= available[2] and fours <= available[4]:
                yield {1: ones, 2: twos, 4: fours}


def triangle(count: int) -> Mask:
    """Equal sides, point up."""
    return _rows(count, np.sqrt(count * np.sqrt(3)), lambda at: at)


def diamond(count: int) -> Mask:
    """A square standing on its corner."""
    return _rows(count, np.sqrt(2 * count), lambda at: 1 - np.abs(2 * at - 1))


def hexagon(count: int) -> Mask:
    """A hexagon of hexagonal cells, which touch six others: each row from the middle on is one cell shorter."""
    return _rows(count, np.sqrt(count / 0.75), lambda at: 1 - np.abs(at - 0.5), HEXAGON_SHIFT)


def _rows(count: int, height: float, profile: Callable[[Points], Points], shift: float = 0.0) -> Mask:
    """Centred rows with `count` cells in all, whose widths follow a profile: a function of 0..1, from top to bottom.

    Where every second row is shifted by half a cell, its width is even where those of the others are odd.
    """
    options = []
    for rows, parity in product(range(max(1, int(height) - 1), int(height) + 4), (1, 0)):
        wanted = profile((np.arange(rows) + 0.5) / rows)
        wanted = wanted * (count / wanted.sum())
        widths = _apportion(wanted, count, (parity + 2 * (np.arange(rows) % 2 * shift)).astype(np.int64) % 2)
        if widths is not None:
            kinks = np.abs(np.diff(widths - wanted, 2)).mean() if rows > 2 else 0.0
            miss = np.abs(widths - wanted).mean() + 0.3 * abs(rows - height) + 0.5 * kinks + (0.0 if parity else 0.3)
            options.append((float(miss), rows, widths))
    widths = min(options, key=lambda option: option[:2])[2] if options else np.array([count])
    left = (widths.max() - widths) / 2 - np.arange(len(widths)) % 2 * shift
    left = (left - left.min())[:, None]
    columns = np.arange((left[:, 0] + widths).max())
    mask: Mask = (columns >= left) & (columns < left + widths[:, None])
    return mask


def _apportion(wanted: Points, count: int, parity: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Whole widths of some parities nearest to those wanted: rounded down, the largest remainders raised by two."""
    least = 2 - parity
    widths: NDArray[np.int64] = np.maximum(least, 2 * np.floor((wanted - parity) / 2).astype(np.int64) + parity)
    missing = count - int(widths.sum())
    if missing % 2 or not 0 <= missing // 2 <= len(widths):
        return None
    middle_first = np.abs(np.arange(len(widths)) - (len(widths) - 1) / 2)
    order = np.lexsort((middle_first, np.round(widths - wanted, 9)))
    widths[order[: missing // 2]] += 2
    return widths


MASK_PIXELS = 1600
"""The longer side to which the picture of a mask is reduced."""

HEIGHTS_TRIED = 7
"""The number of heights, in cells, that are compared for a mask."""


def mask_from_picture(path: str | os.PathLike[str], count: int, inverted: bool = False) -> Mask:
    """The dark (or light) parts of a picture as exactly `count` cells, without empty rows and columns around them."""
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
    """How dark (or light) each pixel is, 0..1; in a partly transparent picture without dark parts, how opaque."""
    try:
        dark = 1 - np.asarray(decode(path, (MASK_PIXELS, MASK_PIXELS)).convert("L")) / 255
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
    """How opaque each pixel is, 0..1; a single 0 where nothing of the picture is transparent."""
    opaque = opacity(path, (MASK_PIXELS, MASK_PIXELS)) / 255
    return opaque if opaque.size and opaque.min() < 0.5 else np.zeros((1, 1))
