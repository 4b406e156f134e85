"""The paper's ratio model, Eq. (2), on the samples of a problem: everything in Algorithm 1 that stays fixed.

`RatioModel` says what Algorithm 1 asks of a model. `PaperModel` is the paper's, and `tensor_sinkhorn.TensorModel`
couples every feature of x with every feature of y.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from album_app.language import StoredText
from album_app.solver import density_ratio
from album_app.solver.arrays import Array, namespace, to_host, widen
from album_app.solver.density_ratio import Gaussian
from album_app.solver.problem import Problem

LOW_RANK_ENTRIES = 50_000
"""For a plan with at least this many entries a low-rank factor of the kernel saves more time than it costs."""

NEGLIGIBLE_SINGULAR_VALUE = 1e-6
"""Singular values below this share of the largest one are left out, because single precision does not show them."""


class RatioModel(Protocol):
    """A linear model r(x, y) = sum_l alpha_l phi_l(x, y) of the density ratio, as Algorithm 1 uses it.

    alpha, h and H alpha have the same shape, which depends on the model: (b,) or (p, q).
    """

    @property
    def problem(self) -> Problem: ...

    @property
    def h_pairs(self) -> Array:
        """The mean of phi over the pairs, the first sum of Eq. (4); zeros without pairs."""

    @property
    def degenerate(self) -> str:
        """Why the model cannot show any dependence, in a sentence; empty if it can."""

    def expectation(self, plan: Array) -> Array:
        """The mean of phi under a plan: sum_ij pi_ij phi(x'_i, y'_j), the second sum of Eq. (4)."""

    def cost(self, alpha: Array, dtype: Any = None) -> Array:
        """C_alpha (n_x, n_y): r_alpha at all unpaired samples, up to a constant."""

    def factor(self, lam: float) -> Array:
        """What `fit` needs of H + lambda I; it is computed once."""

    def fit(self, factor: Array, h: Array) -> Array:
        """alpha = (H + lambda I)^-1 h, Eq. (8)."""

    def design_times(self, alpha: Array) -> Array:
        """H alpha."""

    def ratio(self, alpha: Array, x: Array, y: Array) -> Array:
        """r_alpha at all combinations of the rows of x (m, d_x) and of y (k, d_y), (m, k)."""

    def x_factors(self, alpha: Array, x: Array) -> Array:
        """Vectors (m, r) of new samples x whose products with `y_factors` are r_alpha, up to a constant."""

    def y_factors(self, y: Array) -> Array:
        """Vectors (k, r) of new samples y, whatever alpha is."""

    def ratios_of_pairs(self, alpha: Array, x: Array, y: Array) -> Array:
        """r_alpha at pairs of rows, (m, d_x) and (m, d_y) to (m,)."""

    def smi(self, alpha: Array) -> float:
        """The estimate of Eq. (1)."""

    def mean(self, alpha: Array) -> float:
        """The mean of r_alpha over all combinations of samples."""

    def mean_square(self, alpha: Array) -> float:
        """The mean of r_alpha^2 over all combinations of samples."""

    def bound(self, alpha: Array) -> float:
        """An upper bound on the absolute values that `cost` adds up in one entry; it decides the precision."""


@dataclass(frozen=True, eq=False)
class PaperModel:
    """r_alpha(x, y) = sum_l alpha_l K(x~_l, x) L(y~_l, y), Eq. (2), on the samples of a problem."""

    problem: Problem
    x_kernel: Gaussian
    y_kernel: Gaussian
    K: Array  # (b, n_x), of the unpaired x'
    L: Array  # (b, n_y), of the unpaired y'
    H: Array  # (b, b)
    h_pairs: Array  # (b,), the mean of phi over the pairs; zeros without any
    mean_phi: Array  # (b,), the mean of phi over all combinations
    L_parts: tuple[Array, Array] | None = None  # S (b, r) and U (r, n_y) with L = S U to single precision, if r << b

    @classmethod
    def of(
        cls,
        problem: Problem,
        basis: int,
        seed: int,
        width: float = 1.0,
        roots: bool = False,
        negligible: float = NEGLIGIBLE_SINGULAR_VALUE,
    ) -> PaperModel:
        """Draw the basis, set the widths by the median rule (times `width`), and sum over the samples once.

        Singular values of L below the share `negligible` of the largest one are left out of large plans.
        """
        n = problem.n
        x, y = problem.all_x, problem.all_y
        rows_x, rows_y = draw_basis(problem, basis, seed)
        x_kernel = Gaussian.fit(x, rows_x, width, roots)
        y_kernel = Gaussian.fit(y, rows_y, width, roots)
        K, L, (p, q) = x_kernel(x), y_kernel(y), problem.all_shares
        H, mean_phi = density_ratio.design(K, L, p, q), density_ratio.mean_over_all(K, L, p, q)
        h_pairs = 0.0 * mean_phi
        if n:
            h_pairs = density_ratio.mean_over_pairs(K[:, :n], L[:, :n], problem.pair_shares)
        parts = low_rank(L[:, n:], negligible) if problem.n_x * problem.n_y >= LOW_RANK_ENTRIES else None
        return cls(problem, x_kernel, y_kernel, K[:, n:], L[:, n:], H, h_pairs, mean_phi, parts)

    @property
    def degenerate(self) -> str:
        """Why the kernels cannot show any dependence, in a sentence; empty if they can."""
        sides = [name for name, kernel in (("x", self.x_kernel), ("y", self.y_kernel)) if kernel.constant]
        if not sides:
            return ""
        return StoredText("all samples of {sides} coincide, so no dependence can be seen", sides=" and of ".join(sides))

    def expectation(self, plan: Array) -> Array:
        """sum_ij pi_ij phi(x'_i, y'_j), (b,)."""
        if self.L_parts is None or plan.dtype != namespace(plan).float32:
            return density_ratio.mean_over_plan(self.K, self.L, plan)
        S, U = self.L_parts
        return namespace(S).sum((self.K @ widen(plan @ U.T)) * S, axis=1)

    def cost(self, alpha: Array, dtype: Any = None) -> Array:
        """C_alpha = K^T diag(alpha) L, (n_x, n_y)."""
        xp = namespace(alpha)
        if self.L_parts is None or dtype != xp.float32:
            return density_ratio.ratio(alpha, self.K, self.L, dtype)
        S, U = self.L_parts
        return xp.astype((self.K.T * alpha) @ S, dtype) @ U

    def factor(self, lam: float) -> Array:
        """The inverse Cholesky factor W (b, b) of H + lambda I."""
        return density_ratio.factorise(self.H, lam)

    def fit(self, factor: Array, h: Array) -> Array:
        """alpha (b,) = (H + lambda I)^-1 h, Eq. (8)."""
        return density_ratio.fit(factor, h)

    def design_times(self, alpha: Array) -> Array:
        """H alpha, (b,)."""
        return self.H @ alpha

    def bound(self, alpha: Array) -> float:
        """sum |alpha_l|: no kernel value is above 1."""
        xp = namespace(alpha)
        return float(xp.sum(xp.abs(alpha)))

    def ratio(self, alpha: Array, x: Array, y: Array) -> Array:
        """r_alpha at all combinations of new samples, (m, d_x) and (k, d_y) to (m, k)."""
        return density_ratio.ratio(alpha, self.x_kernel(x), self.y_kernel(y))

    def x_factors(self, alpha: Array, x: Array) -> Array:
        """alpha_l K(x~_l, x), (m, b)."""
        return (alpha[:, None] * self.x_kernel(x)).T

    def y_factors(self, y: Array) -> Array:
        """L(y~_l, y), (k, b)."""
        return self.y_kernel(y).T

    def ratios_of_pairs(self, alpha: Array, x: Array, y: Array) -> Array:
        """r_alpha at pairs of new samples, (m, d_x) and (m, d_y) to (m,)."""
        return namespace(alpha).sum(alpha[:, None] * self.x_kernel(x) * self.y_kernel(y), axis=0)

    def mean(self, alpha: Array) -> float:
        """The mean of r_alpha over all combinations of samples."""
        return float(namespace(alpha).sum(alpha * self.mean_phi))

    def mean_square(self, alpha: Array) -> float:
        """The mean of r_alpha^2 over all combinations of samples: alpha^T H alpha."""
        return float(namespace(alpha).sum(alpha * (self.H @ alpha)))

    def smi(self, alpha: Array) -> float:
        """The estimate of Eq. (1) over all (n + n_x)(n + n_y) combinations; 0 where a kernel is constant."""
        if self.degenerate:
            return 0.0
        return density_ratio.squared_loss_mi(alpha, self.H, self.mean_phi)


def low_rank(L: Array, negligible: float = NEGLIGIBLE_SINGULAR_VALUE) -> tuple[Array, Array] | None:
    """S (b, r) and U (r, n) in float32 with S U = L up to a negligible share; None where r would not be much below b.

    A kernel of few features is smooth and has a low rank: with two features, such as the coordinates of cells, about a
    quarter of b = 200. Products with L take most of the time of a large problem, and become cheaper by that factor.
    """
    xp = namespace(L)
    values, vectors = xp.linalg.eigh(L @ L.T)  # ascending
    S = vectors[:, values > values[-1] * negligible**2]
    return None if S.shape[1] > L.shape[0] // 2 else (S, xp.astype(S.T @ L, xp.float32))


def draw_basis(problem: Problem, basis: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of all x and of all y that form the basis: the pairs, and samples of either side coupled at random.

    Pairs fill at most half of the basis: without couples of strangers nothing pulls r down between the pairs, and the
    hold-out error is far smaller with both kinds. No sample is drawn twice before all of its side were
    drawn, and b is at most the size of the larger side. Each side has its own stream of random numbers, seeded by its
    data: exchanging x and y exchanges the draws, and samples are not coupled because they have the same row number.
    """
    n = problem.n
    size = min(basis, n + max(problem.n_x, problem.n_y))
    pairs = np.arange(n)
    if n > size / 2:
        pairs = np.sort(np.random.default_rng(seed).permutation(n)[: -(-size // 2)])
    rows_x, rows_y = (
        np.concatenate([pairs, n + _draw(samples, size - len(pairs), seed)]) for samples in (problem.x, problem.y)
    )
    return rows_x, rows_y


def _draw(samples: Array, count: int, seed: int) -> NDArray[np.int64]:
    """The numbers of `count` rows in random order; no row occurs twice before all have occurred once."""
    stream = np.random.default_rng([seed, zlib.crc32(to_host(samples).tobytes())])
    turns = -(-count // samples.shape[0])
    return np.concatenate([stream.permutation(samples.shape[0]) for _ in range(turns)])[:count]
