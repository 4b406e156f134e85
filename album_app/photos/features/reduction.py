"""What is done to the rows of a whole album: fewer dimensions, comparable spreads."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.photos.features.extractor import Features
from album_app.solver.threads import one_thread


@dataclass(frozen=True, eq=False)
class Reduction:
    """Rows in fewer dimensions, and the share of their squared distances that is kept."""

    features: Features
    kept: float


def pca(rows: Features, limit: int) -> Reduction:
    """The rows seen from their mean along their `limit` widest directions: the nearest distances so few can keep.

    Each direction points to where its farthest row is, so equal rows give equal features.
    """
    centred = rows - rows.mean(axis=0, dtype=np.float64)  # (n, d)
    total = float((centred**2).sum())
    with one_thread():  # sharing it costs more than it saves, and very much more on a busy machine
        turned = _along_widest(centred, min(limit, *rows.shape))
    farthest = np.abs(turned).argmax(axis=0)
    turned *= np.where(np.take_along_axis(turned, farthest[None], axis=0) < 0, -1.0, 1.0)
    kept = float((turned**2).sum()) / total if total > 0 else 1.0
    return Reduction(turned.astype(np.float32), min(kept, 1.0))


def _along_widest(centred: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """(n, count) coordinates along the widest directions, found from the smaller of the two Gram matrices."""
    photos, dimensions = centred.shape
    if photos < dimensions:
        squares, vectors = np.linalg.eigh(centred @ centred.T)
        along = vectors[:, ::-1][:, :count] * np.sqrt(np.clip(squares[::-1][:count], 0, None))
    else:
        _, directions = np.linalg.eigh(centred.T @ centred)
        along = centred @ directions[:, ::-1][:, :count]
    return np.asarray(along, np.float64)


def standardise(rows: Features) -> Features:
    """The rows about their mean, scaled as a whole so that two of them differ by one on (root mean square) average.

    One scale for all columns keeps the distances within the rows as they are to each other.
    """
    centred = rows - rows.mean(axis=0, dtype=np.float64)
    spread = float(np.sqrt(2 * (centred**2).sum(axis=1).mean()))
    scaled: Features = (centred / (spread or 1.0)).astype(np.float32)
    return scaled
