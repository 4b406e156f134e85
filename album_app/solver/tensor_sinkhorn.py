"""Algorithm 1 with a full tensor basis in place of the paper's: better for matching, and simpler to solve.

The paper's model, Eq. (2), couples the l-th basis function of x with the l-th one of y alone. Here every feature of x
is coupled with every feature of y:

    r_A(x, y) = 1 + F(x)^T A G(y),    A (p, q)

F and G are centred features of x and of y on their principal axes, so that the means of F F^T and of G G^T over all
samples are diagonal, with spectra s and t. Therefore H is diagonal as well, with the entries s_k t_l, and Eq. (8)
becomes an elementwise quotient:

    A = C / (s t^T + lambda),    C = beta / n sum_i F(x_i) G(y_i)^T + (1 - beta) sum_ij pi_ij F(x'_i) G(y'_j)^T

Everything else is Algorithm 1 as it stands: the problem, Sinkhorn's algorithm, the loop, the objective. Two things are
added to the loop, because the objective has more local minima: epsilon and lambda fall during the first iterations, and
the first iteration uses the pairs alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any

import numpy as np

from album_app.solver.arrays import Array, InvalidInput, namespace, widen
from album_app.solver.density_ratio import Gaussian, signed_roots
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn
from album_app.solver.problem import Problem, some_of
from album_app.solver.state import State

FIRST_EPSILON, FIRST_LAMBDA = 1.0, 1e-2
"""Epsilon and lambda in the first iteration; both fall geometrically to the solver's own values."""

HELD_ITERATIONS = 5
"""The last iterations, in which epsilon and lambda have their final values."""

NEGLIGIBLE_VARIANCE = 1e-10
"""Directions whose variance is below this share of the largest one are left out: they hold only rounding errors."""

EMBEDDINGS = ("gaussian", "standardised")
"""The features F and G: Gaussian kernels with the samples, or the samples' own features with unit variance."""


@dataclass(frozen=True, eq=False)
class Embedding:
    """Centred features on their principal axes, with total variance 1, as a function of samples.

    >>> samples = np.random.default_rng(0).standard_normal((200, 3))
    >>> embedding = Embedding.fit(samples, None, "standardised")
    >>> features = embedding(samples)
    >>> features.shape, round(float((features**2).mean(axis=0).sum()), 6)
    ((200, 3), 1.0)
    >>> bool(np.allclose(features.T @ features / 200, np.diag(embedding.spectrum)))
    True
    """

    kernel: Gaussian | None  # None: the samples' own features
    roots: bool  # whether the samples' own features are replaced by their signed square roots
    centre: Array  # (m,)
    axes: Array  # (m, p)
    spectrum: Array  # (p,), the variances of the features, descending; their sum is 1, or 0 where all samples coincide

    @classmethod
    def fit(
        cls,
        samples: Array,
        shares: Array | None,
        embedding: str,
        *,
        width: float = 1.0,
        roots: bool = False,
        basis: int = 400,
        axes: int = 150,
        seed: int = 0,
    ) -> Embedding:
        """Features of samples (n, d) that count by `shares` (n,), or equally: at most `axes` of them.

        Gaussian features are Nystrom features: kernels with at most `basis` samples, made orthonormal.
        """
        kernel, whitening = None, None
        if embedding == "gaussian":
            rows = some_of(samples.shape[0], basis, np.random.default_rng(seed))
            kernel = Gaussian.fit(samples, rows, width, roots)
            values = kernel(samples).T  # (n, b)
            whitening = _inverse_root(values[rows, :])
        else:
            values = signed_roots(widen(samples)) if roots else widen(samples)
        xp = namespace(values)
        centre = xp.mean(values, axis=0) if shares is None else shares @ values
        deviations = values - centre
        if whitening is None:
            spread = xp.sqrt(_means(deviations * deviations, shares))
            seen = spread > 1e-9 * (xp.abs(centre) + xp.max(spread))
            whitening = xp.where(seen, 1.0 / xp.where(seen, spread, xp.ones_like(spread)), xp.zeros_like(spread))
            whitening = whitening[:, None] * xp.eye(len(whitening), dtype=values.dtype)
        features = deviations @ whitening
        weighted = features if shares is None else features * shares[:, None]
        variances, vectors = xp.linalg.eigh(weighted.T @ features / (features.shape[0] if shares is None else 1.0))
        kept = variances > max(float(variances[-1]) * NEGLIGIBLE_VARIANCE, 1e-300)
        if not bool(xp.any(kept)):
            return cls(kernel, roots, centre, xp.zeros_like(whitening[:, :1]), 0.0 * variances[-1:])
        variances, vectors = xp.flip(variances[kept])[:axes], xp.flip(vectors[:, kept], axis=1)[:, :axes]
        total = float(xp.sum(variances))
        return cls(kernel, roots, centre, whitening @ vectors / total**0.5, variances / total)

    def __call__(self, samples: Array) -> Array:
        """The features (m, p) of m samples."""
        if self.kernel is not None:
            return (self.kernel(samples).T - self.centre) @ self.axes
        values = signed_roots(widen(samples)) if self.roots else widen(samples)
        return (values - self.centre) @ self.axes

    @property
    def constant(self) -> bool:
        """Whether all samples coincide."""
        return float(self.spectrum[0]) == 0.0


def _means(values: Array, shares: Array | None) -> Array:
    return namespace(values).mean(values, axis=0) if shares is None else shares @ values


def _inverse_root(gram: Array) -> Array:
    """R (b, r) with R R^T = gram^-1 on the directions that are not negligible."""
    xp = namespace(gram)
    values, vectors = xp.linalg.eigh(0.5 * (gram + gram.T))
    kept = values > float(values[-1]) * NEGLIGIBLE_VARIANCE
    return vectors[:, kept] / xp.sqrt(values[kept])


@dataclass(frozen=True, eq=False)
class TensorModel:
    """r_A(x, y) = 1 + F(x)^T A G(y) on the samples of a problem."""

    problem: Problem
    x_embedding: Embedding
    y_embedding: Embedding
    F: Array  # (n_x, p), of the unpaired x'
    G: Array  # (n_y, q), of the unpaired y'
    h_pairs: Array  # (p, q), the mean of F(x_i) G(y_i)^T over the pairs; zeros without any

    @classmethod
    def of(cls, problem: Problem, embedding: str, **settings: Any) -> TensorModel:
        """Fit F and G to all samples of a problem; the settings are those of `Embedding.fit`."""
        p, q = problem.all_shares
        x_embedding = Embedding.fit(problem.all_x, p, embedding, **settings)
        y_embedding = Embedding.fit(problem.all_y, q, embedding, **settings)
        return cls.with_embeddings(problem, x_embedding, y_embedding)

    @classmethod
    def with_embeddings(cls, problem: Problem, x_embedding: Embedding, y_embedding: Embedding) -> TensorModel:
        """The model of a problem whose F and G were fitted before, to these samples in any order."""
        n, F, G = problem.n, x_embedding(problem.all_x), y_embedding(problem.all_y)
        h_pairs = namespace(F).zeros_like(x_embedding.spectrum[:, None] * y_embedding.spectrum)
        if n:
            shares = problem.pair_shares
            paired = F[:n, :] / n if shares is None else F[:n, :] * shares[:, None]
            h_pairs = paired.T @ G[:n, :]
        return cls(problem, x_embedding, y_embedding, F[n:, :], G[n:, :], h_pairs)

    @property
    def H(self) -> Array:
        """The diagonal of H as a matrix (p, q): s t^T."""
        return self.x_embedding.spectrum[:, None] * self.y_embedding.spectrum

    @property
    def degenerate(self) -> str:
        """Why the features cannot show any dependence, in a sentence; empty if they can."""
        sides = [name for name, side in (("x", self.x_embedding), ("y", self.y_embedding)) if side.constant]
        return f"all samples of {' and of '.join(sides)} coincide, so no dependence can be seen" if sides else ""

    def expectation(self, plan: Array) -> Array:
        """sum_ij pi_ij F(x'_i) G(y'_j)^T, (p, q)."""
        xp = namespace(plan)
        F, G = xp.astype(self.F, plan.dtype, copy=False), xp.astype(self.G, plan.dtype, copy=False)
        return widen((F.T @ plan) @ G)

    def cost(self, alpha: Array, dtype: Any = None) -> Array:
        """F A G^T, (n_x, n_y): the ratio without its constant, which no plan depends on."""
        xp = namespace(alpha)
        dtype = alpha.dtype if dtype is None else dtype
        return xp.astype(self.F @ alpha, dtype, copy=False) @ xp.astype(self.G, dtype, copy=False).T

    def factor(self, lam: float) -> Array:
        """1 / (s t^T + lambda), (p, q)."""
        return 1.0 / (self.H + max(lam, 1e-15))

    def fit(self, factor: Array, h: Array) -> Array:
        """A (p, q) = C / (s t^T + lambda), Eq. (8)."""
        return factor * h

    def design_times(self, alpha: Array) -> Array:
        """H A, (p, q)."""
        return self.H * alpha

    def ratio(self, alpha: Array, x: Array, y: Array) -> Array:
        """r_A at all combinations of the rows of x (m, d_x) and of y (k, d_y), (m, k)."""
        return 1.0 + self.x_factors(alpha, x) @ self.y_factors(y).T

    def x_factors(self, alpha: Array, x: Array) -> Array:
        """F(x)^T A, (m, q)."""
        return self.x_embedding(x) @ alpha

    def y_factors(self, y: Array) -> Array:
        """G(y), (k, q)."""
        return self.y_embedding(y)

    def ratios_of_pairs(self, alpha: Array, x: Array, y: Array) -> Array:
        """r_A at pairs of rows, (m, d_x) and (m, d_y) to (m,)."""
        return 1.0 + namespace(alpha).sum((self.x_embedding(x) @ alpha) * self.y_embedding(y), axis=1)

    def smi(self, alpha: Array) -> float:
        """The estimate of Eq. (1): the mean of r_A is 1, so half its variance, sum_kl s_k t_l A_kl^2 / 2."""
        return 0.5 * float(namespace(alpha).sum(self.H * alpha * alpha))

    def mean(self, alpha: Array) -> float:
        """The mean of r_A over all combinations of samples: 1, because F and G are centred."""
        return 1.0

    def mean_square(self, alpha: Array) -> float:
        """The mean of r_A^2 over all combinations of samples: 1 + sum_kl s_k t_l A_kl^2."""
        return 1.0 + 2.0 * self.smi(alpha)

    def bound(self, alpha: Array) -> float:
        """max ||F(x')|| ||A||_F max ||G(y')||, by the inequality of Cauchy and Schwarz."""
        xp = namespace(alpha)
        F, G = (float(xp.max(xp.sum(side * side, axis=1))) for side in (self.F, self.G))
        return sqrt(F * G * float(xp.sum(alpha * alpha)))


@dataclass
class TensorSinkhorn(LsmiSinkhorn):
    """Algorithm 1 with the tensor model; the settings that it shares with `LsmiSinkhorn` have the same meaning.

    `epsilon` and `lam` are the values of the last iterations. `embedding` is "gaussian" or "standardised"; `basis` is
    the number of samples whose kernels make up Gaussian features, `axes` the largest number of features of a side.

    >>> x = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> rows, columns = TensorSinkhorn().solve(Problem(x[::8], -x[::8], x, -x)).match()  # -x is the partner of x
    >>> bool((rows == columns).all())
    True
    """

    basis: int = 400
    beta: float = 0.1
    epsilon: float = 0.1
    lam: float = 1e-4
    width: float = field(default=3.0, kw_only=True)
    sweeps: int = field(default=60, kw_only=True)
    embedding: str = field(default="gaussian", kw_only=True)
    axes: int = field(default=150, kw_only=True)

    def check(self) -> None:
        """Refuse a setting that has no meaning, with a sentence that names it."""
        super().check()
        if self.embedding not in EMBEDDINGS:
            raise InvalidInput(f"embedding must be one of {', '.join(EMBEDDINGS)}, not {self.embedding!r}")
        if self.axes < 1:
            raise InvalidInput(f"axes must be at least 1, not {self.axes!r}")

    def model(self, problem: Problem) -> TensorModel:
        """The tensor model on the samples of a problem."""
        kernels = {"width": self.width, "roots": self.roots, "basis": self.basis}
        return TensorModel.of(problem, self.embedding, **kernels, axes=self.axes, seed=self.seed)

    def step(self, state: State) -> State:
        """One iteration of Algorithm 1 with the epsilon and lambda of this iteration."""
        now = self._annealed(state.t)
        return super(TensorSinkhorn, now).step(now.adopt(state))

    def adopt(self, state: State) -> State:
        """A state with this solver's lambda, beta and epsilon; the first iteration fits A to the pairs alone."""
        state = super().adopt(state)
        return replace(state, beta=1.0) if state.t == 1 and state.beta > 0.0 else state

    def settled(self, state: State) -> bool:
        """The stopping rule of line 2, from the iteration on in which epsilon and lambda have their final values."""
        return state.t > self.iterations - HELD_ITERATIONS + 1 and super().settled(state)

    def _annealed(self, t: int) -> TensorSinkhorn:
        """The solver of iteration t: epsilon and lambda fall geometrically until the last iterations."""
        falling = max(self.iterations - HELD_ITERATIONS, 1)
        left = max(0.0, 1.0 - (t - 1) / falling)
        epsilon, lam = (
            last * (max(first, last) / last) ** left if last > 0.0 else last
            for first, last in ((FIRST_EPSILON, self.epsilon), (FIRST_LAMBDA, self.lam))
        )
        return replace(self, epsilon=epsilon, lam=lam)
