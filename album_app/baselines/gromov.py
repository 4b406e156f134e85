"""Gromov-SMI: Gromov-Wasserstein pairs the unpaired samples, then LSMI takes all pairs."""

from __future__ import annotations

import warnings

import numpy as np

from album_app.baselines.estimate import Estimate, Matrix
from album_app.baselines.lsmi import lsmi_of_matching
from album_app.solver import Problem
from album_app.solver.arrays import to_host
from album_app.solver.kernels import squared_distances

EPSILON = 0.005
ITERATIONS = 20


def gromov_smi(problem: Problem, *, plan: Matrix | None = None, basis: int = 200, seed: int = 0) -> Estimate:
    """Match min(n_x, n_y) unpaired samples by the entropic Gromov-Wasserstein plan, then LSMI with all pairs.

    `plan` is what `gromov_plan` finds, where it is known already: it does not depend on the pairs.
    """
    return lsmi_of_matching(problem, gromov_plan(problem) if plan is None else plan, basis=basis, seed=seed)


def gromov_plan(problem: Problem, *, epsilon: float = EPSILON, iterations: int = ITERATIONS) -> Matrix:
    """The plan (n_x, n_y) that keeps distances, by POT with the squared loss; distances are scaled to at most 1.

    min_Pi sum_ii'jj' pi_ij pi_i'j' (D(x_i, x_i') - D(y_j, y_j'))^2 + epsilon H(Pi), uniform marginals.
    """
    import ot

    x_distances, y_distances = (_scaled_distances(to_host(side)) for side in (problem.x, problem.y))
    p, q = ot.unif(problem.n_x), ot.unif(problem.n_y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is stopped after a fixed number of iterations, converged or not
        plan = ot.gromov.entropic_gromov_wasserstein(
            x_distances, y_distances, p, q, "square_loss", epsilon=epsilon, max_iter=iterations
        )
    return plan if np.isfinite(plan).all() else np.outer(p, q)


def _scaled_distances(samples: Matrix) -> Matrix:
    distances = np.sqrt(squared_distances(samples, samples))
    return np.asarray(distances / max(float(distances.max()), np.finfo(float).tiny))
