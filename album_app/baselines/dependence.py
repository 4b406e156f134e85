"""Measures of dependence that ours is compared with: estimators of SMI, and permutation tests of independence.

LSMI estimates SMI from pairs alone (Suzuki et al., 2009):
r_alpha(x, y) = sum_l alpha_l K(x_l, x) L(y_l, y) with a basis (x_l, y_l) drawn from the paired samples, H the mean of
phi phi^T over all combinations of the paired samples, h the mean of phi over the pairs, alpha = (H + lambda I)^-1 h.
LSMI chooses lambda by the two-fold hold-out error; LSMI (opt) is given the lambda that was best for LSMI (full).

What LSMI converges to depends on how the basis is drawn (`DRAWS`) and how large it is, since the true SMI of the
paper's data is far beyond what a few functions can represent. LSMI (full), the paper's ground truth, is LSMI of very
many pairs; the paper says b = 200, but its authors' code takes 500.

Gromov-SMI pairs the unpaired samples by Gromov-Wasserstein; then LSMI takes all pairs.

HSIC and distance correlation test independence from pairs alone. Both statistics are sums over the products of two
centred matrices, so shuffling the pairs shuffles the rows and columns of one of them.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.solver import InvalidInput, Problem, density_ratio
from album_app.solver.arrays import to_host
from album_app.solver.density_ratio import Gaussian, squared_distances
from album_app.solver.problem import FEWEST_PAIRS
from album_app.solver.selection import LAMBDAS

Matrix = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Estimate:
    """An SMI, the ratio model behind it, and how the unpaired samples were paired, if they were.

    >>> from album_app.baselines import lsmi_of_pairs
    >>> x = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> estimate = lsmi_of_pairs(x, x)
    >>> near, far = estimate.ratio(x[:1], x[[0, -1]])[0]
    >>> bool(near > 1.0 > far)
    True
    """

    smi: float
    lam: float
    alpha: Matrix  # (b,)
    x_kernel: Gaussian
    y_kernel: Gaussian
    plan: Matrix | None = None  # (n_x, n_y)

    def ratio(self, x: Matrix, y: Matrix) -> Matrix:
        """r_alpha at all combinations of the rows of x (m, d_x) and of y (k, d_y), (m, k)."""
        return np.asarray(density_ratio.ratio(self.alpha, self.x_kernel(x), self.y_kernel(y)))


DRAWS = ("strangers", "pairs", "coupled")
"""How the basis is drawn from the pairs. "strangers": x and y independently of each other, as the paper's authors do.
"pairs": pairs, as Suzuki et al. do. "coupled": half pairs and half strangers, as our solver does."""

FULL_BASIS = 500
"""b of LSMI (full) in the authors' code."""

UNTESTED_LAMBDA = 1e-2
"""Lambda of LSMI where there are too few pairs to hold any out."""


def lsmi(
    problem: Problem, *, lam: float | None = None, basis: int = 200, seed: int = 0, draw: str = DRAWS[0]
) -> Estimate:
    """LSMI from the problem's pairs; its unpaired samples are not used.

    >>> x = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> lsmi(Problem(x, x, x, x)).smi == lsmi(Problem(x, x, x[:1], x[:1])).smi > 0.5
    True
    """
    x, y = to_host(problem.x_pairs), to_host(problem.y_pairs)
    return lsmi_of_pairs(x, y, lam=lam, basis=basis, seed=seed, draw=draw)


def lsmi_opt(problem: Problem, *, full: Estimate, basis: int = 200, seed: int = 0, draw: str = DRAWS[0]) -> Estimate:
    """LSMI (opt): LSMI from the problem's few pairs, with the lambda that was best for LSMI (full).

    >>> x = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> full = lsmi_full(x, x)
    >>> lsmi_opt(Problem(x[::4], x[::4], x, x), full=full).lam == full.lam
    True
    """
    return lsmi(problem, lam=full.lam, basis=basis, seed=seed, draw=draw)


def lsmi_full(x: Matrix, y: Matrix, *, basis: int = FULL_BASIS, seed: int = 0, draw: str = DRAWS[0]) -> Estimate:
    """LSMI (full): the paper's ground truth, from very many pairs (n, d_x) and (n, d_y).

    >>> x = np.linspace(-1.0, 1.0, 400)[:, None]
    >>> lsmi_full(x, x).smi > lsmi_full(x, np.random.default_rng(0).permutation(x)).smi
    True
    """
    return lsmi_of_pairs(x, y, basis=basis, seed=seed, draw=draw)


def lsmi_of_pairs(
    x: Matrix, y: Matrix, *, lam: float | None = None, basis: int = 200, seed: int = 0, draw: str = DRAWS[0]
) -> Estimate:
    """LSMI of pairs (n, d_x) and (n, d_y); lambda by hold-out where it is not given.

    >>> x = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> lsmi_of_pairs(x, x, lam=0.1).smi < lsmi_of_pairs(x, x, lam=0.001).smi
    True
    """
    if len(x) == 0 or len(x) != len(y):
        raise InvalidInput(f"LSMI needs pairs: as many x as y, at least one, not {len(x)} and {len(y)}")
    if lam is None:
        lam = best_lambda(x, y, basis, seed, draw) if len(x) >= FEWEST_PAIRS else UNTESTED_LAMBDA
    return lsmi_by_lambda(x, y, [lam], basis, seed, draw)[0]


def best_lambda(x: Matrix, y: Matrix, basis: int = 200, seed: int = 0, draw: str = DRAWS[0]) -> float:
    """The lambda with the smallest hold-out error J_te, two folds, each once for training and once for testing."""
    first, second = halves(len(x), seed)
    errors = dict.fromkeys(LAMBDAS, 0.0)
    for train, test in ((first, second), (second, first)):
        fitted = lsmi_by_lambda(x[train], y[train], LAMBDAS, basis, seed, draw)
        for lam, error in zip(LAMBDAS, hold_out_errors(fitted, x[test], y[test]), strict=True):
            errors[lam] += error
    return min(LAMBDAS, key=lambda lam: errors[lam])


def halves(count: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The two folds of `count` pairs."""
    order = np.random.default_rng(seed).permutation(count)
    return order[: count // 2], order[count // 2 :]


def hold_out_errors(estimates: Sequence[Estimate], x: Matrix, y: Matrix) -> list[float]:
    """J_te: half the mean of r^2 over all combinations of the held-out samples, less the mean of r over their pairs.

    The estimates have the same basis, and differ in alpha alone.
    """
    K, L = estimates[0].x_kernel(x), estimates[0].y_kernel(y)
    H, h = density_ratio.design(K, L), density_ratio.mean_over_pairs(K, L)
    return [float(0.5 * each.alpha @ H @ each.alpha - each.alpha @ h) for each in estimates]


def _rows(count: int, basis: int, seed: int, draw: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows of x and of y that form the basis, drawn by `draw`, one of `DRAWS`, from `count` pairs."""
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(count)[: {"strangers": 0, "pairs": basis, "coupled": -(-basis // 2)}[draw]]
    strangers = 0 if draw == "pairs" else basis - len(pairs)
    x_rows, y_rows = (np.concatenate([pairs, rng.permutation(count)[:strangers]]) for _ in range(2))
    return x_rows, y_rows


def lsmi_by_lambda(x: Matrix, y: Matrix, lams: Sequence[float], basis: int, seed: int, draw: str) -> list[Estimate]:
    """LSMI of pairs with each of these lambdas, all with the same basis."""
    x_rows, y_rows = _rows(len(x), basis, seed, draw)
    x_kernel, y_kernel = Gaussian.fit(x, x_rows), Gaussian.fit(y, y_rows)
    K, L = x_kernel(x), y_kernel(y)
    H, h, mean_phi = density_ratio.design(K, L), density_ratio.mean_over_pairs(K, L), density_ratio.mean_over_all(K, L)
    found = []
    for lam in lams:
        alpha = density_ratio.fit(density_ratio.factorise(H, lam), h)
        found.append(Estimate(density_ratio.squared_loss_mi(alpha, H, mean_phi), lam, alpha, x_kernel, y_kernel))
    return found


def lsmi_of_matching(
    problem: Problem, plan: Matrix, *, basis: int = 200, seed: int = 0, draw: str = DRAWS[0]
) -> Estimate:
    """LSMI of the pairs and of unpaired samples matched one to one by a plan (n_x, n_y)."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(plan, maximize=True)
    x = np.concatenate([to_host(problem.x_pairs), to_host(problem.x)[rows]])
    y = np.concatenate([to_host(problem.y_pairs), to_host(problem.y)[columns]])
    return replace(lsmi_of_pairs(x, y, basis=basis, seed=seed, draw=draw), plan=plan)


GROMOV_EPSILON = 0.005
"""The entropic regularisation of the Gromov-Wasserstein plan, as in the paper."""

GROMOV_ITERATIONS = 20
"""Iterations of the Gromov-Wasserstein plan; the paper gives it and LSMI-Sinkhorn equally many."""


def gromov_smi(
    problem: Problem, *, plan: Matrix | None = None, basis: int = 200, seed: int = 0, draw: str = DRAWS[0]
) -> Estimate:
    """Match min(n_x, n_y) unpaired samples by the entropic Gromov-Wasserstein plan, then LSMI with all pairs.

    The paper does not say how it reads a matching off the plan; here it is the assignment with the largest sum of pi.
    `plan` is what `gromov_plan` finds, where it is known already: it does not depend on the pairs.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> gromov_smi(Problem(x[::6], x[::6], x, x)).smi > 0.3
    True
    """
    plan = gromov_plan(problem) if plan is None else plan
    return lsmi_of_matching(problem, plan, basis=basis, seed=seed, draw=draw)


def gromov_plan(problem: Problem, *, epsilon: float = GROMOV_EPSILON, iterations: int = GROMOV_ITERATIONS) -> Matrix:
    """The plan (n_x, n_y) that keeps distances, by POT with the squared loss; distances are scaled to at most 1.

    min_Pi sum_ii'jj' pi_ij pi_i'j' (D(x_i, x_i') - D(y_j, y_j'))^2 + epsilon H(Pi), uniform marginals, with the paper's
    H(Pi) = sum pi (log pi - 1); POT's H has the other sign. Without a finite plan it warns and takes all pi as equal.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> plan = gromov_plan(Problem(x[:0], x[:0], x, x[::2]))
    >>> plan.shape, round(float(plan.sum()), 6)
    ((30, 15), 1.0)
    """
    import ot

    x_distances, y_distances = (_scaled_distances(to_host(side)) for side in (problem.x, problem.y))
    p, q = ot.unif(problem.n_x), ot.unif(problem.n_y)
    with warnings.catch_warnings():
        # it is stopped after a fixed number of iterations and sweeps, converged or not
        warnings.filterwarnings("ignore", "Sinkhorn did not converge|Solver failed to produce", UserWarning)
        plan = ot.gromov.entropic_gromov_wasserstein(
            x_distances, y_distances, p, q, "square_loss", epsilon=epsilon, max_iter=iterations
        )
    if np.isfinite(plan).all():
        return np.asarray(plan)
    warnings.warn("Gromov-Wasserstein found no finite plan: all its entries are taken as equal", stacklevel=2)
    return np.outer(p, q)


def _scaled_distances(samples: Matrix) -> Matrix:
    distances = np.sqrt(squared_distances(samples, samples))
    return np.asarray(distances / max(float(distances.max()), np.finfo(float).tiny))


def hsic_p_value(x: Matrix, y: Matrix, *, permutations: int = 99, seed: int = 0) -> float:
    """HSIC with Gaussian kernels of median width (Gretton et al., 2008): the p-value of pairs (n, d_x) and (n, d_y).

    >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
    >>> hsic_p_value(x, x**2, permutations=19)
    0.05
    """
    K, L = centred_gram(x), centred_gram(y)
    return _p_value(K, L, permutations, seed)


def distance_correlation_p_value(x: Matrix, y: Matrix, *, permutations: int = 99, seed: int = 0) -> float:
    """Distance correlation (Szekely et al., 2007): the p-value of pairs (n, d_x) and (n, d_y).

    The denominator of the correlation does not depend on the order of the pairs, so the covariance decides.

    >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
    >>> distance_correlation_p_value(x, x, permutations=19)
    0.05
    """
    K, L = (_centred(np.sqrt(squared_distances(side, side))) for side in (x, y))
    return _p_value(K, L, permutations, seed)


def centred_gram(samples: Matrix) -> Matrix:
    """The centred Gram matrix (n, n) of samples (n, d) by a Gaussian kernel of median width."""
    samples = to_host(samples)
    return _centred(Gaussian.fit(samples, np.arange(len(samples)))(samples))


def _p_value(K: Matrix, L: Matrix, permutations: int, seed: int) -> float:
    rng, own = np.random.default_rng(seed), float((K * L).sum())
    orders = [rng.permutation(len(L)) for _ in range(permutations)]
    return (1 + sum(float((K * L[np.ix_(order, order)]).sum()) >= own for order in orders)) / (1 + permutations)


def _centred(matrix: Matrix) -> Matrix:
    matrix = matrix - matrix.mean(axis=0)
    return np.asarray(matrix - matrix.mean(axis=1, keepdims=True))
