"""The density ratio r_alpha, Eq. (2): Gaussian kernels K and L, and the least-squares fit, Eqs. (3), (4), (7) and (8).

The fit consists of pure functions of kernel values. Kernel matrices hold one column per sample: K (b, n) between basis
and x, L (b, n) between basis and y. Means count all samples equally, or by weights p (n,) of x and q (n,) of y that sum
to 1.

LSMI of pairs takes four calls. In this example y is x itself, so one kernel matrix serves both sides:

>>> x = np.linspace(-1.0, 1.0, 50)[:, None]
>>> K = Gaussian.fit(x, rows=np.array([12, 25, 37]))(x)  # (b, n)
>>> H, h = design(K, K), mean_over_pairs(K, K)
>>> alpha = fit(factorise(H, lam=1e-3), h)
>>> bool(np.allclose((H + 1e-3 * np.eye(3)) @ alpha, h))
True
>>> ratio(alpha, K, K).shape, squared_loss_mi(alpha, H, mean_over_all(K, K)) > 0.0
((50, 50), True)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from album_app.solver.arrays import Array, device_of, epsilon_of, namespace, to_namespace, widen

MEDIAN_SAMPLES = 500
"""The median is taken over the distances between at most this many samples, drawn at random."""

ROUNDING = 1e-6
"""Distances smaller than this share of the largest are taken for zero: they are made of rounding errors."""


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
    """The median distance between different rows; where most coincide, the mean; 0 where all do.

    The ratio model takes it over the pairs and the unpaired samples together. The paper takes the unpaired ones alone,
    and the zeros between a sample and itself along with them.
    """
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
    """The values at two places of the sorted array; with numpy a partial sort finds them."""
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
    constant: bool  # whether all samples coincide, so that the kernel is 1 everywhere
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


def design(K: Array, L: Array, p: Array | None = None, q: Array | None = None) -> Array:
    """H (b, b), the mean of phi phi^T over all combinations of the columns of K and L.

    phi = k o l separates, so the mean over pairs is a product of two means: O((n_x + n_y) b^2).
    """
    return _mean_square(K, p) * _mean_square(L, q)


def _mean_square(K: Array, p: Array | None) -> Array:
    return K @ K.T / K.shape[1] if p is None else (K * p) @ K.T


def _mean(K: Array, p: Array | None) -> Array:
    return namespace(K).mean(K, axis=1) if p is None else K @ p


def mean_over_pairs(K: Array, L: Array, p: Array | None = None) -> Array:
    """The first sum of h (b,), Eq. (4): the mean of phi(x_i, y_i) over paired columns of K and L."""
    return _mean(K * L, p)


def mean_over_plan(K: Array, L: Array, plan: Array) -> Array:
    """The second sum of h (b,), Eq. (4): sum_ij pi_ij phi(x'_i, y'_j)."""
    xp = namespace(plan)
    K, L = xp.astype(K, plan.dtype, copy=False), xp.astype(L, plan.dtype, copy=False)
    return widen(xp.sum((K @ plan) * L, axis=1))


def mean_over_all(K: Array, L: Array, p: Array | None = None, q: Array | None = None) -> Array:
    """The mean of phi (b,) over all combinations of the columns of K and L."""
    return _mean(K, p) * _mean(L, q)


def factorise(H: Array, lam: float) -> Array:
    """The inverse Cholesky factor W (b, b) of H + lambda I, so that (H + lambda I)^-1 = W^T W.

    Lambda is raised to the rounding error of H where it is smaller: below, Cholesky would factorise rounding errors.
    """
    xp = namespace(H)
    b = H.shape[0]
    identity = xp.eye(b, dtype=H.dtype, device=device_of(H))
    floor = 4.0 * b * epsilon_of(H.dtype, H) * float(xp.max(xp.abs(H)))
    return _inverse_of_lower(xp.linalg.cholesky(H + max(lam, floor) * identity))


def _inverse_of_lower(factor: Array) -> Array:
    """The inverse of a lower triangular matrix, by quarters: cheaper than an inverse that ignores the zeros."""
    xp = namespace(factor)
    half = factor.shape[0] // 2
    if half < 16:
        return xp.linalg.inv(factor)
    top, bottom = _inverse_of_lower(factor[:half, :half]), _inverse_of_lower(factor[half:, half:])
    corner = -(bottom @ (factor[half:, :half] @ top))
    zeros = xp.zeros_like(factor[:half, half:])
    return xp.concat([xp.concat([top, zeros], axis=1), xp.concat([corner, bottom], axis=1)], axis=0)


def fit(W: Array, h: Array) -> Array:
    """alpha (b,) = (H + lambda I)^-1 h, Eq. (8), the minimum of Eq. (7)."""
    return W.T @ (W @ h)


def ratio(alpha: Array, K: Array, L: Array, dtype: object = None) -> Array:
    """r_alpha (n, m) of Eq. (2) at all combinations of columns: C_alpha = K^T diag(alpha) L."""
    xp = namespace(K, L)
    weighted = alpha[:, None] * L
    if dtype is not None:
        K, weighted = xp.astype(K, dtype, copy=False), xp.astype(weighted, dtype, copy=False)
    return K.T @ weighted


def squared_loss_mi(alpha: Array, H: Array, mean_phi: Array) -> float:
    """The estimate of Eq. (1): the mean of (r_alpha - 1)^2 / 2 over all combinations, by H and the mean of phi."""
    xp = namespace(H)
    square = float(xp.sum(alpha * (H @ alpha)))
    return max(0.5 * square - float(xp.sum(alpha * mean_phi)) + 0.5, 0.0)
