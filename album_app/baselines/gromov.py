"""Gromov-SMI: Gromov-Wasserstein pairs the unpaired samples, then LSMI takes all pairs."""

from __future__ import annotations

import warnings

import numpy as np

from album_app.baselines.estimate import Estimate, Matrix
from album_app.baselines.lsmi import DRAWS, lsmi_of_matching
from album_app.solver import Problem
from album_app.solver.arrays import to_host
from album_app.solver.kernels import squared_distances

EPSILON = 0.005
ITERATIONS = 20


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


def gromov_plan(problem: Problem, *, epsilon: float = EPSILON, iterations: int = ITERATIONS) -> Matrix:
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
