"""Large sheets: the solver sees some photos and cells, drawn at random; its answer is a function that reaches all."""

from __future__ import annotations

import numpy as np

from album_app.layout.table import Indices, Table

WHOLE = 1000
"""Up to so many photos or cells are seen whole."""

LANDMARKS = 800
"""How many of a larger number are seen; pins always are."""


def draw_landmarks(table: Table, seed: int) -> tuple[Indices, Indices]:
    """The loose photos and the free cells that the solver sees, each ascending."""
    rng = np.random.default_rng(seed)
    return _some(table.loose_photos, rng), _some(table.free_cells, rng)


def _some(indices: Indices, rng: np.random.Generator) -> Indices:
    if len(indices) <= WHOLE:
        return indices
    return np.sort(rng.choice(indices, LANDMARKS, replace=False))
