"""Ways to mirror or turn a shape onto itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.shape import Shape


@dataclass(frozen=True, eq=False)
class Symmetry:
    """What lay in the cell `before[i]` lies in cell i afterwards; coordinates y become matrix y + shift.

    >>> from album_app.layout import rectangle
    >>> as_it_is, mirrored, *_ = symmetries(rectangle(1, 3))
    >>> as_it_is.before.tolist(), mirrored.before.tolist()
    ([0, 1, 2], [2, 1, 0])
    """

    before: NDArray[np.int64]  # (m,)
    matrix: NDArray[np.float64]  # (2, 2)
    shift: NDArray[np.float64]  # (2,)


def symmetries(shape: Shape) -> list[Symmetry]:
    """All of them, first that which leaves every cell where it is; the pages of a book are never turned.

    >>> from album_app.layout import rectangle
    >>> [len(symmetries(rectangle(rows, columns))) for rows, columns in ((3, 3), (3, 4))]
    [8, 4]
    """
    index = np.full(shape.mask.shape, -1, dtype=np.int64)
    index[shape.mask] = np.arange(shape.count)
    found = []
    scale = max(int(shape.places.max()), 1)
    for lying, axes in ((index, np.eye(2)), (index.T, np.eye(2)[::-1])):
        for down in (1, -1):
            for across in (1, -1):
                grid = lying[::down, ::across]
                if grid.shape == shape.mask.shape and np.array_equal(grid >= 0, shape.mask):
                    signs = np.array([down, across])
                    shift = (1 - signs) / 2 * (np.array(shape.mask.shape) - 1) / scale
                    found.append(Symmetry(grid[shape.mask], signs[:, None] * axes, shift))
    return found if shape.pages is None else found[:1]
