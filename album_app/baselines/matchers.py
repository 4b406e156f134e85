"""Other ways to match unpaired samples.

By a few pairs: `method(problem, seed=0)` gives scores (n_x, n_y), and the matching is the assignment with the largest
sum of scores. Each of these methods has candidates for its settings, and `tuned` chooses among them as `match_samples`
does: by how many strangers stand above the partners of held-out pairs.

By permutations, which need as many unpaired x as y:

LSOM, least-squares object matching (Yamada et al., 2011, 2015), takes the Hungarian method in place of Sinkhorn's. In
the paper's Discussion: min over Pi, alpha of 1/2 alpha^T H alpha - alpha^T h_Pi + lambda/2 ||alpha||^2 with n' Pi a
permutation matrix, and SMI = h_Pi^T alpha / 2 - 1/2.

Kernelized sorting (Quadrianto et al., 2010) finds the permutation that makes x and y most dependent by HSIC: max over
permutations Pi of tr(K Pi^T L Pi), K and L the centred Gram matrices, by iterated linear assignment:
Pi_(t+1) = argmax_Pi tr(Pi^T L Pi_t K), the best permutation for the objective linearised at the last one. Pairs keep
their fixed places in the Gram matrices.
"""

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.baselines.dependence import Estimate, centred_gram, lsmi_of_matching
from album_app.solver import MATCHING, InvalidInput, Problem, matching, select
from album_app.solver.arrays import row_blocks, to_host
from album_app.solver.density_ratio import fit, squared_distances
from album_app.solver.lsmi_sinkhorn import starting_logits
from album_app.solver.model import PaperModel
from album_app.solver.problem import FEWEST_PAIRS

Matrix = NDArray[np.float64]
Matcher = Callable[..., Matrix]
"""A problem and a seed to scores (n_x, n_y), larger for samples that belong together."""
Candidate = Callable[[Problem], Matrix]

RIDGE_LAMBDAS = (1e-3, 1e-2, 1e-1)
"""Candidates for the penalty of ridge regression."""

CCA_PENALTIES = (1e-3, 1e-2, 1e-1, 1.0)
"""Candidates for the ridge penalty of canonical correlations."""

KEYPOINT_TEMPERATURES = (0.02, 0.05, 0.1, 0.3)
"""Candidates for the temperature of the softmax over keypoints, as shares of the largest squared distance."""

GROMOV_SHARES = (0.1, 0.5)
"""Candidates for the weight of the distances within each side; the rest is that of the distances to pairs."""

GROMOV_STEPS = 15
"""The most conditional gradient steps of fused Gromov-Wasserstein; each one solves a transport problem exactly."""


def tuned(problem: Problem, candidates: Sequence[Candidate], seed: int = 0) -> Matrix:
    """The scores of the candidate that ranks held-out partners highest; with too few pairs, of the first candidate."""
    best = 0
    if len(problem.equal_pairs) >= FEWEST_PAIRS and len(candidates) > 1:
        folds = matching.held_out_folds(problem, seed)
        found = [[candidate(fold.problem) for candidate in candidates] for fold in folds]
        best = int(np.argmin(matching.mean_log_ranks(folds, found)))
    return candidates[best](problem)


def tensor(problem: Problem, *, seed: int = 0) -> Matrix:
    """The scores behind `match_samples`.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> tensor(Problem(x[::3], -x[::3], x, -x)).shape
    (30, 30)
    """
    return matching.match_scores(problem, seed).values


def paper(problem: Problem, *, seed: int = 0) -> Matrix:
    """LSMI-Sinkhorn with the paper's model, settings selected by held-out rank: log pi.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> paper(Problem(x[::6], -x[::6], x, -x)).shape
    (30, 30)
    """
    solver = select(problem, **MATCHING).solver
    solver.seed = seed
    return matching.log_plan(solver.solve(problem))


def ridge(problem: Problem, *, seed: int = 0) -> Matrix:
    """Ridge regression from x to y and from y to x (Hoerl and Kennard, 1970): minus the squared errors of both.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> ridge(Problem(x[::6], -x[::6], x, -x)).shape
    (30, 30)
    """
    return tuned(problem, [partial(matching.both_ways, lam=lam, roots=roots) for lam, roots in _RIDGES], seed)


def self_trained_ridge(problem: Problem, *, seed: int = 0) -> Matrix:
    """Ridge regression both ways that adds its surest matches to the pairs (self-training; Yarowsky, 1995).

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> self_trained_ridge(Problem(x[::6], -x[::6], x, -x)).shape
    (30, 30)
    """
    return tuned(problem, [partial(_self_trained, lam=lam, roots=roots) for lam, roots in _RIDGES], seed)


_RIDGES = tuple(product(RIDGE_LAMBDAS, (False, True)))


def _self_trained(problem: Problem, lam: float, roots: bool) -> Matrix:
    return matching.self_trained(problem, matching.both_ways(problem, lam, roots), lam, roots)


def cca(problem: Problem, *, seed: int = 0) -> Matrix:
    """Canonical correlations with a ridge penalty (Hotelling, 1936; Vinod, 1976): products of canonical coordinates.

    Covariances within a side are those of all samples, the covariance between the sides is that of the pairs.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> cca(Problem(x[::6], -x[::6], x, -x)).shape
    (30, 30)
    """
    settings = product(CCA_PENALTIES, (False, True))
    return tuned(problem, [partial(_cca, penalty=penalty, roots=roots) for penalty, roots in settings], seed)


def _cca(problem: Problem, penalty: float, roots: bool) -> Matrix:
    n, x, y = problem.n, matching.standardised(problem.all_x, roots), matching.standardised(problem.all_y, roots)
    x, y = x @ _whitening(x, penalty), y @ _whitening(y, penalty)
    left, correlations, right = np.linalg.svd(x[:n].T @ y[:n] / max(n, 1), full_matrices=False)
    u, v = x[n:] @ left * np.sqrt(correlations), y[n:] @ right.T * np.sqrt(correlations)
    return np.asarray(-squared_distances(_unit(u), _unit(v)))


def keypoints(problem: Problem, *, seed: int = 0) -> Matrix:
    """Keypoint-guided transport, KPG-RL (Gu et al., NeurIPS 2022): the pairs are the keypoints.

    A sample is described by how near it is to each keypoint of its side, a softmax of distances; the cost of a match
    is the Jensen-Shannon divergence of the two descriptions. With as many x as y the assignment is the exact transport.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> keypoints(Problem(x[::6], -x[::6], x, -x)).shape
    (30, 30)
    """
    settings = product(KEYPOINT_TEMPERATURES, (False, True))
    return tuned(problem, [partial(_keypoints, temperature=each, roots=roots) for each, roots in settings], seed)


def _keypoints(problem: Problem, temperature: float, roots: bool) -> Matrix:
    x, y = (_relations(side, problem.n, temperature, roots) for side in (problem.all_x, problem.all_y))
    scores = np.empty((len(x), len(y)))
    for rows in row_blocks(scores, y.size):
        mean = 0.5 * (x[rows, None, :] + y[None, :, :])
        scores[rows] = (mean * np.log(mean)).sum(axis=2)
    x_entropy, y_entropy = ((side * np.log(side)).sum(axis=1) for side in (x, y))
    return np.asarray(scores - 0.5 * (x_entropy[:, None] + y_entropy))


def _relations(samples: Any, n: int, temperature: float, roots: bool) -> Matrix:
    """How near each unpaired sample is to each paired one: shares (m, n), above 0."""
    values = matching.standardised(samples, roots)
    distances = squared_distances(values[n:], values[:n])
    logits = -distances / (temperature * float(distances.max()))
    shares = np.exp(logits - logits.max(axis=1, keepdims=True)) + 1e-12
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def fused_gromov(problem: Problem, *, seed: int = 0) -> Matrix:
    """Fused Gromov-Wasserstein (Vayer et al., ICML 2019) by POT: distances within each side, and distances to pairs.

    The linear cost of a match is the mean squared difference of the distances to the paired samples of each side.

    >>> x = np.linspace(0.0, 1.0, 20)[:, None] ** 2
    >>> fused_gromov(Problem(x[::6], -x[::6], x, -x)).shape
    (20, 20)
    """
    return tuned(problem, [partial(_fused_gromov, share=share) for share in GROMOV_SHARES], seed)


def _fused_gromov(problem: Problem, share: float) -> Matrix:
    import ot

    n, x, y = problem.n, matching.standardised(problem.all_x, False), matching.standardised(problem.all_y, False)
    x_distances, y_distances = (_scaled(np.sqrt(squared_distances(side[n:], side))) for side in (x, y))
    linear = squared_distances(x_distances[:, :n], y_distances[:, :n]) / max(n, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plan = ot.gromov.fused_gromov_wasserstein(
            linear, x_distances[:, n:], y_distances[:, n:], alpha=share, max_iter=GROMOV_STEPS
        )
    return np.asarray(plan / max(float(plan.max()), 1e-300) - linear / max(float(linear.mean()), 1e-300) * 1e-3)


def _whitening(samples: Matrix, penalty: float) -> Matrix:
    values, vectors = np.linalg.eigh(samples.T @ samples / len(samples) + penalty * np.eye(samples.shape[1]))
    return np.asarray(vectors / np.sqrt(np.maximum(values, 1e-12)))


def _unit(rows: Matrix) -> Matrix:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))


def _scaled(distances: Matrix) -> Matrix:
    return distances / max(float(distances.max()), np.finfo(np.float64).tiny)


MATCHERS: dict[str, Matcher] = {
    "match_samples": tensor,
    "LSMI-Sinkhorn, by rank": paper,
    "ridge": ridge,
    "self-trained ridge": self_trained_ridge,
    "CCA": cca,
    "keypoint-guided transport": keypoints,
    "fused Gromov-Wasserstein": fused_gromov,
}
"""The methods by the names that tables and figures use."""


def lsom(
    problem: Problem, *, basis: int = 200, seed: int = 0, beta: float = 0.5, lam: float = 1e-3, iterations: int = 20
) -> Estimate:
    """Alternate between alpha and the best permutation until the permutation stays.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> estimate = lsom(Problem(x[::6], -x[::6], x, -x))
    >>> bool(np.array_equal(estimate.plan.argmax(axis=1), np.arange(30)))
    True
    """
    need_square(problem, "LSOM")
    model = PaperModel.of(problem, basis, seed)
    W = model.factor(lam)
    beta = beta if problem.n else 0.0
    n = problem.n_x

    def h(plan: Matrix) -> Matrix:
        return np.asarray(beta * model.h_pairs + (1.0 - beta) * model.expectation(plan))

    plan = np.full((n, n), 1.0 / n**2) if problem.n else _permutation(to_host(starting_logits(problem, "axes", seed)))
    for _ in range(iterations):
        alpha = fit(W, h(plan))
        before, plan = plan, _permutation(to_host(model.cost(alpha)))
        if np.array_equal(before, plan):
            break
    smi = max(0.5 * float(h(plan) @ alpha) - 0.5, 0.0)
    return Estimate(smi, lam, alpha, model.x_kernel, model.y_kernel, plan)


def need_square(problem: Problem, method: str) -> None:
    """Refuse a problem with different numbers of x and y where a method needs equal numbers."""
    if problem.n_x != problem.n_y:
        raise InvalidInput(
            f"{method} needs as many unpaired x as y, not {problem.n_x} and {problem.n_y}; "
            "LSMI-Sinkhorn has no such restriction"
        )


def _permutation(gain: Matrix) -> Matrix:
    """The permutation matrix with the largest gain, divided by n'."""
    from scipy.optimize import linear_sum_assignment

    plan = np.zeros_like(gain)
    plan[linear_sum_assignment(gain, maximize=True)] = 1.0 / len(gain)
    return plan


def kernelized_sorting(problem: Problem, *, basis: int = 200, seed: int = 0, iterations: int = 50) -> Estimate:
    """Match by kernelized sorting, then LSMI with the pairs and the matched samples.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> estimate = kernelized_sorting(Problem(x[::6], -x[::6], x, -x))
    >>> bool(np.array_equal(estimate.plan.argmax(axis=1), np.arange(30)))
    True
    """
    need_square(problem, "kernelized sorting")
    partner = sort_by_hsic(problem, iterations, seed)
    plan = np.zeros((problem.n_x, problem.n_y))
    plan[np.arange(problem.n_x), partner] = 1.0 / problem.n_x
    return lsmi_of_matching(problem, plan, basis=basis, seed=seed)


def sort_by_hsic(problem: Problem, iterations: int, seed: int = 0) -> NDArray[np.int64]:
    """For every unpaired x the unpaired y that it is matched with: the best permutation seen."""
    from scipy.optimize import linear_sum_assignment

    K, L, n = centred_gram(problem.all_x), centred_gram(problem.all_y), problem.n
    partner = linear_sum_assignment(to_host(starting_logits(problem, "axes", seed)), maximize=True)[1]
    best, best_gain = partner, -np.inf
    for _ in range(iterations):
        order = np.concatenate([np.arange(n), n + partner])  # the y that is matched to each x
        gain = float(np.sum(K * L[np.ix_(order, order)]))
        if gain <= best_gain * (1 + 1e-12):
            break
        best, best_gain = partner, gain
        partner = linear_sum_assignment(K[n:] @ L[order][:, n:], maximize=True)[1]
    return np.asarray(best)
