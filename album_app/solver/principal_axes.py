"""Points seen along the directions in which they vary most, the same on every machine."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Real = TypeVar("Real", np.float32, np.float64)


def along_principal_axes(centred: NDArray[Real], count: int) -> NDArray[Real]:
    """(n, count) coordinates of points about their mean, widest direction first.

    Found from the smaller of the two Gram matrices. Each axis points to where its farthest point is, which no library
    promises: equal points give equal coordinates.

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
