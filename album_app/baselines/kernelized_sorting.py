"""Kernelized sorting (Quadrianto et al., 2010): the permutation that makes x and y most dependent by HSIC.

max over permutations Pi of tr(K Pi^T L Pi), K and L the centred Gram matrices, by iterated linear assignment:
Pi_(t+1) = argmax_Pi tr(Pi^T L Pi_t K), the best permutation for the objective linearised at the last one.
Pairs are kept: they stand in the Gram matrices at fixed places.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from album_app.baselines.estimate import Estimate, Matrix
from album_app.baselines.lsmi import lsmi_of_matching
from album_app.baselines.lsom import need_square
from album_app.solver import Problem
from album_app.solver.arrays import to_host
from album_app.solver.kernels import Gaussian
from album_app.solver.start import starting_logits


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
