"""LSOM, least-squares object matching (Yamada et al., 2011, 2015): the Hungarian method in place of Sinkhorn's.

As the paper's Discussion puts it: min over Pi, alpha of 1/2 alpha^T H alpha - alpha^T h_Pi + lambda/2 ||alpha||^2
with n' Pi a permutation matrix, and SMI = h_Pi^T alpha / 2 - 1/2. It needs as many unpaired x as y.
"""

from __future__ import annotations

import numpy as np

from album_app.baselines.estimate import Estimate, Matrix
from album_app.solver import InvalidInput, Problem
from album_app.solver.arrays import to_host
from album_app.solver.density_ratio import fit
from album_app.solver.model import PaperModel
from album_app.solver.start import starting_logits


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
