"""Operations on the feature rows of a whole album: fewer dimensions by principal axes, comparable spreads."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from album_app.photos.features.extractor import Features
from album_app.solver.threads import one_thread

Real = TypeVar("Real", np.float32, np.float64)


def along_principal_axes(centred: NDArray[Real], count: int) -> NDArray[Real]:
    """(n, count) coordinates of points about their mean, widest direction first.

    They come from the smaller of the two Gram matrices. Each axis points towards its farthest point: libraries leave
    the direction open, and here equal points must give equal coordinates.

    >>> along_principal_axes(np.array([[-1.0, -1.0], [-1.0, -1.0], [2.0, 2.0]]), 1).round(2)
    array([[-1.41],
           [-1.41],
           [ 2.83]])
    """
    points, dimensions = centred.shape
    if points < dimensions:
        exact = centred.astype(np.float64)  # the squares of small numbers are lost in single precision
        squares, vectors = np.linalg.eigh(exact @ exact.T)
        turned = vectors[:, ::-1][:, :count] * np.sqrt(np.clip(squares[::-1][:count], 0, None))
    else:
        _, axes = np.linalg.eigh(centred.T @ centred / centred.dtype.type(points))
        turned = centred @ axes[:, ::-1][:, :count]
    farthest = np.abs(turned).argmax(axis=0)[None]
    turned *= np.where(np.take_along_axis(turned, farthest, axis=0) < 0, -1, 1)
    return np.asarray(turned, centred.dtype)


@dataclass(frozen=True, eq=False)
class Reduction:
    """Rows in fewer dimensions, and the share of their squared distances that is kept."""

    features: Features
    kept: float


def pca(rows: Features, limit: int) -> Reduction:
    """The rows about their mean along their `limit` widest directions, which keep most of the squared distances."""
    centred = rows - rows.mean(axis=0, dtype=np.float64)  # (n, d)
    total = float((centred**2).sum())
    with one_thread():  # several threads cost more than they save, most of all on a busy machine
        turned = along_principal_axes(centred, min(limit, *rows.shape))
    kept = float((turned**2).sum()) / total if total > 0 else 1.0
    return Reduction(turned.astype(np.float32), min(kept, 1.0))


def standardise(rows: Features) -> Features:
    """The rows about their mean, scaled as a whole so that two of them differ by one on (root mean square) average.

    One scale for all columns keeps the distances within the rows as they are to each other.
    """
    centred = rows - rows.mean(axis=0, dtype=np.float64)
    spread = float(np.sqrt(2 * (centred**2).sum(axis=1).mean()))
    scaled: Features = (centred / (spread or 1.0)).astype(np.float32)
    return scaled
