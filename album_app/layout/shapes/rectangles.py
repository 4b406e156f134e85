"""Rows and columns for a number of photos."""

import math

import numpy as np

from album_app.errors import UsageError
from album_app.language import tr

MAX_CELLS = 100_000
ASPECT = 1.25
"""Columns by rows of a sheet for which nothing else was asked."""
NEARLY = 1.15
"""Factor: a sheet without empty cells may be this much wider or higher than was asked for."""
HOLE = 0.04
"""How far off the proportions, as a logarithm, a sheet may be to have an empty cell less, where none were asked for."""


def best_rectangle(wanted: int, aspect: float = ASPECT) -> tuple[int, int]:
    """Rows and columns for at least the wanted number of cells: none or few empty, near columns / rows = aspect.

    Without empty cells a sheet may be up to twice as wide as high, or NEARLY times off an aspect that was asked for.
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
    full = (holes == 0) & (off <= np.log(2 / ASPECT if free else NEARLY) + 1e-9)
    price = off + (3 / wanted + HOLE * free) * holes - full
    best = int(np.where(fits, price, np.inf).argmin())
    return int(rows[best]), int(columns[best])


ASPECT_WEIGHT = 0.3
"""What another aspect costs a rectangle that grows, by the logarithm of their ratio; empty cells cost their share."""


def grown(rows: int, columns: int, count: int) -> tuple[int, int]:
    """A rectangle with room for `count` cells whose sides are at least these: few empty cells, about their aspect.

    >>> grown(4, 5, 24), grown(4, 5, 18), grown(16, 20, 351)
    ((4, 6), (4, 5), (17, 21))
    """

    def cost(sides: tuple[int, int]) -> float:
        down, across = sides
        return (down * across - count) / count + ASPECT_WEIGHT * abs(math.log(across * rows / (down * columns)))

    return min(((down, max(columns, -(-count // down))) for down in range(rows, rows + max(rows, count))), key=cost)
