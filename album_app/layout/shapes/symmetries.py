"""Ways to mirror or turn a shape onto itself."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.shape import Shape

AXES = np.eye(2), np.eye(2)[::-1]


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

    Justified rows stay rows.

    >>> from album_app.layout import rectangle
    >>> [len(symmetries(rectangle(rows, columns))) for rows, columns in ((3, 3), (3, 4))]
    [8, 4]
    """
    kept = AXES[:1] if shape.is_justified else AXES
    turns = [(axes, np.array([down, across])) for axes in kept for down in (1, -1) for across in (1, -1)]
    found = [way for axes, signs in turns if (way := _symmetry(shape, axes, signs)) is not None]
    return found if shape.pages is None else found[:1]


def _symmetry(shape: Shape, axes: NDArray[np.float64], signs: NDArray[np.int64]) -> Symmetry | None:
    """Rows and columns exchanged or not, either mirrored or not: None where cells would not lie on cells."""
    positions = shape.positions(shape.cells)
    shift = (1 - signs) / 2 * (positions.min(axis=0) + positions.max(axis=0))
    sources = (signs * (positions - shift)) @ axes
    rows = np.floor(sources[:, 0] + 0.5)
    columns = np.floor(sources[:, 1] + 0.5 - rows % 2 * shape.shift)
    cells = np.stack([rows, columns], axis=1).astype(np.int64).clip(0, np.array(shape.mask.shape) - 1)
    before = shape.index[tuple(cells.T)]
    if not np.array_equal(np.where(before[:, None] < 0, np.nan, positions[before]), sources):
        return None
    return Symmetry(before, signs[:, None] * axes, shift / max(shape.places.max(), 1))
