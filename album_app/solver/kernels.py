"""Gaussian kernels K and L of the ratio model, their widths by the median rule or a multiple of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from album_app.solver.arrays import Array, namespace, to_namespace, widen

MEDIAN_SAMPLES = 500
"""The median is taken over the distances between at most this many samples, drawn at random."""


def squared_distances(x: Array, y: Array) -> Array:
    """||x_i - y_j||^2 for all rows, (n, d) and (m, d) to (n, m); never negative.

    >>> squared_distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0]]))
    array([[25.,  1.]])
    """
    xp = namespace(x, y)
    squares = x @ y.T  # (n, m)
    squares *= -2.0
    squares += xp.sum(x * x, axis=1)[:, None]
    squares += xp.sum(y * y, axis=1)[None, :]
    return xp.maximum(squares, to_namespace(np.zeros(()), squares), out=squares)


def median_distance(x: Array) -> float:
    """The median distance between distinct samples; where most coincide, the mean; 0 where all do."""
    xp = namespace(x)
    if x.shape[0] > MEDIAN_SAMPLES:
        x = x[np.random.default_rng(0).permutation(x.shape[0])[:MEDIAN_SAMPLES], :]
    n = x.shape[0]
    squares = xp.reshape(squared_distances(x, x), (-1,))
    if n < 2:
        return 0.0
    middle = (n * n + n) // 2  # n zeros of the diagonal come first
    below, above = _ordered(squares, middle - 1, middle)
    median = sqrt((below + above) / 2.0)
    if median > ROUNDING * sqrt(float(xp.max(squares))):
        return median
    return float(xp.mean(xp.sqrt(xp.sort(squares, stable=False)[n:])))


def _ordered(values: Array, first: int, second: int) -> tuple[float, float]:
    """What stands at two places of the sorted values; numpy need not sort all of them for that."""
    if isinstance(values, np.ndarray):
        ordered = np.partition(values, (first, second))
    else:
        ordered = namespace(values).sort(values, stable=False)
    return float(ordered[first]), float(ordered[second])


def signed_roots(samples: Array) -> Array:
    """The square root of every feature's absolute value, with the feature's sign: it shortens long tails.

    >>> signed_roots(np.array([[4.0, -9.0]]))
    array([[ 2., -3.]])
    """
    xp = namespace(samples)
    return xp.sign(samples) * xp.sqrt(xp.abs(samples))


ROUNDING = 1e-6
"""Distances smaller than this share of the largest are taken for zero: they are made of rounding errors."""


@dataclass(frozen=True, eq=False)
class Gaussian:
    """K(x, x') = exp(-||x - x'||^2 / (2 sigma^2)) against b basis vectors, of samples centred and divided by sigma.

    >>> samples = np.array([[0.0], [1.0], [2.0]])
    >>> kernel = Gaussian.fit(samples, rows=np.array([0, 2]))
    >>> kernel(samples).round(2)
    array([[1.  , 0.37, 0.02],
           [0.02, 0.37, 1.  ]])
    """

    centre: Array  # (d,)
    width: float  # sigma
    basis: Array  # (b, d), centred and scaled
    constant: bool  # all samples coincide, so the kernel says nothing
    roots: bool = False  # whether distances are taken between signed square roots of the features

    @classmethod
    def fit(cls, samples: Array, rows: Array, width: float = 1.0, roots: bool = False) -> Gaussian:
        """Centre and width from the samples (n, d), basis from the given rows; `width` multiplies the median rule's."""
        xp = namespace(samples)
        samples = signed_roots(widen(samples)) if roots else widen(samples)
        centre = xp.mean(samples, axis=0)
        deviations = samples - centre
        size = float(xp.max(xp.abs(deviations)))
        constant = size <= max(1e-12 * float(xp.max(xp.abs(samples))), 1e-100)
        if constant:
            return cls(centre, 1.0, xp.zeros_like(samples[rows, :]), True, roots)
        sigma = width * size * median_distance(deviations / size) / sqrt(2.0)
        return cls(centre, sigma, deviations[rows, :] / sigma, False, roots)

    def __call__(self, samples: Array) -> Array:
        """The kernel's values (b, m) between the basis and m samples."""
        xp = namespace(samples)
        samples = signed_roots(widen(samples)) if self.roots else widen(samples)
        scaled = (samples - self.centre) / self.width
        exponents = squared_distances(self.basis, scaled)
        exponents *= -0.5
        return xp.exp(exponents) if not self.constant else xp.ones_like(exponents)
