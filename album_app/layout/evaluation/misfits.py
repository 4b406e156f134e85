"""Photos that look out of place on a sheet: unlike all around them, and no surer of this cell than of another."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.layout.layout import Layout

NEAREST = 2
"""A photo is judged by so many of its neighbours, those most like it: at a border between two groups or beside another
misfit many are strangers."""

FENCE = 1.5
"""Outliers are those beyond the upper quartile by this many interquartile ranges..."""

USUAL = 1.5
"""...and this many times as unlike as the middle one."""

SURE = 0.5
"""A photo with at least this confidence has no other place as good: it may be odd, but not out of place."""

FEWEST = 30
"""On smaller sheets nothing can be called usual."""


def misfits(layout: Layout, features: ArrayLike) -> list[int]:
    """The photos that look out of place, the worst first; never a pinned one."""
    shown = layout.photo_at >= 0
    if not layout.arranged or shown.sum() < FEWEST:
        return []
    unlike = _unlikeness(layout, np.asarray(features, np.float32))
    low, middle, high = np.nanquantile(unlike[shown], (0.25, 0.5, 0.75))
    bound = max(high + FENCE * (high - low), USUAL * middle)
    pinned = np.isin(layout.photo_at, list(layout.pins))
    odd = shown & ~pinned & (layout.confidence < SURE) & (unlike > bound)
    worst_first = np.flatnonzero(odd)[np.argsort(-unlike[odd], kind="stable")]
    return list(dict.fromkeys(layout.photo_at[worst_first].tolist()))


def _unlikeness(layout: Layout, x: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean distance of each cell's photo to the nearest of its neighbours' photos: (cells,), NaN without any."""
    around = layout.shape.lattice.neighbours(layout.shape.index)
    apart = np.full(around.T.shape, np.inf, np.float32)
    for place, beside in enumerate(around.T):
        others = layout.photo_at[beside]
        there = np.flatnonzero((beside >= 0) & (others >= 0) & (layout.photo_at >= 0))
        apart[place, there] = np.linalg.norm(x[layout.photo_at[there]] - x[others[there]], axis=1)
    nearest = np.sort(apart, axis=0)[:NEAREST]
    counted = np.isfinite(nearest)
    total = np.where(counted, nearest, 0).sum(axis=0)
    return np.where(counted.any(axis=0), total / np.maximum(counted.sum(axis=0), 1), np.nan).astype(np.float32)
