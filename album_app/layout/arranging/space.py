"""Photos as points: features checked, centred, scaled, and rotated onto the few axes that hold their variance."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.language import tr
from album_app.photos.features.reduction import along_principal_axes
from album_app.solver.threads import one_thread

KEPT_VARIANCE_SHARE = 0.95
"""The share of the variance that the kept axes hold at least."""

ENTRIES_FOR_THREADS = 2_000_000
"""Tables with fewer entries are reduced on one thread, because sharing the work costs more time than it saves."""

ROWS_AT_ONCE = 4096
"""The number of photos that are scaled at a time, so that a large table is never held twice in double precision."""

PHOTOS_COMPARED = 200
"""The number of photos by whose distances two spaces are compared."""

EQUAL_CORRELATION = 0.99
"""Two spaces agree if these distances have at least this correlation."""

MOST_AXES = 96
"""The most axes that are kept; further ones cost time and do not change which photos are near each other."""

ENTRIES_TO_KEEP = 2_000_000
"""Features with at most this many entries are kept whole, so that small sheets compare photos by all of them."""


@dataclass(frozen=True, eq=False)
class Space:
    """All photos of an album as points of total variance 1; the same features always give the same points."""

    points: NDArray[np.float32]  # (photos, axes)
    key: int  # tells one set of features from another
    features: NDArray[np.floating] | None = field(default=None, repr=False)  # (photos, d) those of few photos, as given
    unit: tuple[float, float] = (1.0, 1.0)  # the two numbers by which features were divided, one after the other

    @property
    def name(self) -> str:
        """A name made from the numbers, for features that come without a key."""
        return f"numbers:{len(self.points)}:{self.key:08x}"

    @cached_property
    def directness(self) -> float:
        """How well a sheet can show how photos vary: 1 if along one axis, 1 / sqrt(k) if equally along k axes."""
        variances = self.points.var(axis=0)
        return float(np.sqrt((variances**2).sum()) / max(float(variances.sum()), 1e-12))

    @classmethod
    def of(cls, features: ArrayLike, known: Space | None = None) -> Space:
        """The space of these features; `known` is returned where it was made from equal features."""
        values = _checked(features)
        key = zlib.crc32(np.ascontiguousarray(values).data, values.shape[1])
        if known is not None and known.key == key and len(known.points) == len(values):
            return known
        with one_thread(values.size < ENTRIES_FOR_THREADS):
            scaled, unit = _scaled(values)
            points = np.ascontiguousarray(_reduced(scaled))
        points.setflags(write=False)
        few = unit is not None and values.size <= ENTRIES_TO_KEEP and points.shape[1] < values.shape[1]
        return cls(points, key, values, unit) if few and unit is not None else cls(points, key)

    def agrees_with(self, other: Space) -> bool:
        """Whether the photos that two spaces share have nearly the same distances in both, up to a factor."""
        count = min(len(self.points), len(other.points))
        some = np.unique(np.linspace(0, count - 1, PHOTOS_COMPARED).astype(np.int64))
        apart = np.triu_indices(len(some), 1)
        here, there = self.distances(some, some)[apart], other.distances(some, some)[apart]
        if len(here) < 2 or not (here.std() and there.std()):
            return False
        return bool(np.corrcoef(here, there)[0, 1] >= EQUAL_CORRELATION)

    def distances(self, photos: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.float32]:
        """Euclidean distances between photos and others: (photos, others)."""
        return _distances(self.points[photos], self.points[others])

    def table(self, photos: NDArray[np.int64]) -> NDArray[np.float32]:
        """All distances between some photos, by their whole features where these are kept: (photos, photos)."""
        if self.features is None:
            return self.distances(photos, photos)
        size, spread = self.unit
        rows = self.features[photos] / size
        rows = ((rows - rows.mean(axis=0)) / spread).astype(np.float32)
        return _distances(rows, rows)

    def nearest(self, photos: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each of `photos` the position in `others` of the one most like it."""
        found = [away.argmin(axis=1) for away in self._distances_in_parts(photos, others)]
        return np.concatenate([np.zeros(0, dtype=np.int64), *found])

    def most_like(self, photos: NDArray[np.int64], others: NDArray[np.int64], count: int) -> NDArray[np.int64]:
        """For each of `photos` the `count` of `others` most like it, or all of them, nearest first: (photos, count)."""
        count = min(count, len(others))
        found = [np.zeros((0, count), dtype=np.int64)]
        for away in self._distances_in_parts(photos, others):
            few = np.sort(np.argpartition(away, count - 1, axis=1)[:, :count], axis=1)
            order = np.take_along_axis(away, few, axis=1).argsort(axis=1, kind="stable")
            found.append(np.take_along_axis(few, order, axis=1))
        return np.asarray(others[np.concatenate(found)])

    def _distances_in_parts(
        self, photos: NDArray[np.int64], others: NDArray[np.int64]
    ) -> Iterator[NDArray[np.float32]]:
        """The distances between photos and others, for some photos at a time to save memory."""
        step = max(1, 4_000_000 // max(len(others), 1))
        return (self.distances(photos[start : start + step], others) for start in range(0, len(photos), step))


def _distances(x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float32]:
    squares = (x * x).sum(axis=1)[:, None] + (y * y).sum(axis=1) - 2.0 * (x @ y.T)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares))


def _checked(features: ArrayLike) -> NDArray[np.floating]:
    values = np.asarray(features)
    if values.ndim != 2 or 0 in values.shape:
        raise UsageError(tr("Features must be a table with a row per photo, not of shape {shape}.", shape=values.shape))
    if not (np.issubdtype(values.dtype, np.number) or values.dtype == bool) or np.iscomplexobj(values):
        raise UsageError(tr("Features must be numbers, not {dtype}.", dtype=values.dtype))
    if not np.issubdtype(values.dtype, np.floating):
        values = values.astype(np.float64)
    finite = np.isfinite(values)
    bad = np.flatnonzero(~finite.all(axis=1))
    if len(bad):
        raise UsageError(
            tr(
                "The features of {count} photos are not finite numbers; the first is photo {first}, by row {first} and "
                "column {column} of the table.",
                count=len(bad),
                first=bad[0],
                column=int(np.argmin(finite[bad[0]])),
            )
        )
    return values


def _scaled(values: NDArray[np.floating]) -> tuple[NDArray[np.float32], tuple[float, float] | None]:
    """The values centred and divided to a total variance of 1, and both divisors; zeros and None if all are equal."""
    size = max(float(values.max()), -float(values.min())) or 1.0
    parts = [slice(start, start + ROWS_AT_ONCE) for start in range(0, len(values), ROWS_AT_ONCE)]
    mean = sum((values[part] / size).sum(axis=0, dtype=np.float64) for part in parts) / len(values)
    centred = np.empty(values.shape, np.float32)
    for part in parts:
        centred[part] = values[part] / size - mean
    spread = float(np.sqrt(sum(float(np.vdot(centred[part], centred[part])) for part in parts) / len(values)))
    if spread < 1e-6:
        return np.zeros(values.shape, dtype=np.float32), None
    centred /= np.float32(spread)
    return centred, (size, spread)


def _reduced(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """The coordinates on the leading principal axes."""
    if points.shape[1] <= 4:
        return points
    count = min(MOST_AXES, *points.shape)
    if min(points.shape) > 2 * count:
        points = _within_range(points, count)
    turned = along_principal_axes(points, count)
    held = np.cumsum((turned**2).mean(axis=0, dtype=np.float64))
    kept = int(np.searchsorted(held, KEPT_VARIANCE_SHARE * held[-1])) + 1
    return turned[:, :kept]


def _within_range(points: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """A large table projected onto the few dimensions with most of its variance, by a randomised range finder."""
    draws = np.random.default_rng(0).standard_normal((points.shape[1], count + 8)).astype(np.float32)
    basis, _ = np.linalg.qr(points.T @ (points @ draws))
    return np.asarray(points @ basis)
