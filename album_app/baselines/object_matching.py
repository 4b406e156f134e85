"""Matching by permutations: LSOM and kernelized sorting.

LSOM, least-squares object matching (Yamada et al., 2011, 2015), takes the Hungarian method in place of Sinkhorn's. In
the paper's Discussion: min over Pi, alpha of 1/2 alpha^T H alpha - alpha^T h_Pi + lambda/2 ||alpha||^2 with n' Pi a
permutation matrix, and SMI = h_Pi^T alpha / 2 - 1/2. It needs as many unpaired x as y.

Kernelized sorting (Quadrianto et al., 2010) finds the permutation that makes x and y most dependent by HSIC: max over
permutations Pi of tr(K Pi^T L Pi), K and L the centred Gram matrices, by iterated linear assignment:
Pi_(t+1) = argmax_Pi tr(Pi^T L Pi_t K), the best permutation for the objective linearised at the last one. Pairs keep
their fixed places in the Gram matrices.
"""

import numpy as np
from numpy.typing import NDArray

from album_app.baselines.lsmi import Estimate, Matrix, lsmi_of_matching
from album_app.solver import InvalidInput, Problem
from album_app.solver.arrays import to_host
from album_app.solver.density_ratio import fit
from album_app.solver.kernels import Gaussian
from album_app.solver.lsmi_sinkhorn import starting_logits
from album_app.solver.model import PaperModel


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
    """A clear sentence where a method for square problems is given another one."""
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

    K, L, n = _centred_gram(problem.all_x), _centred_gram(problem.all_y), problem.n
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


def _centred_gram(samples: Matrix) -> Matrix:
    samples = to_host(samples)
    gram = Gaussian.fit(samples, np.arange(len(samples)))(samples)
    gram = gram - gram.mean(axis=0)
    return np.asarray(gram - gram.mean(axis=1, keepdims=True))
