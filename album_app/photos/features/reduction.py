"""What is done to the rows of a whole album: fewer dimensions, comparable spreads."""

from dataclasses import dataclass

import numpy as np

from album_app.photos.features.extractor import Features
from album_app.solver.principal_axes import along_principal_axes
from album_app.solver.threads import one_thread


@dataclass(frozen=True, eq=False)
class Reduction:
    """Rows in fewer dimensions, and the share of their squared distances that is kept."""

    features: Features
    kept: float


def pca(rows: Features, limit: int) -> Reduction:
    """The rows seen from their mean along their `limit` widest directions: the nearest distances so few can keep."""
    centred = rows - rows.mean(axis=0, dtype=np.float64)  # (n, d)
    total = float((centred**2).sum())
    with one_thread():  # sharing it costs more than it saves, and very much more on a busy machine
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
