"""Algorithm 1 for very many unpaired samples: each iteration plans the transport of a random batch.

alpha needs only h, which is a mean over the plan. So a plan of some thousand samples, drawn anew in every iteration,
is enough if h is averaged over the iterations. H, the kernel widths and the basis are those of all samples. Memory
grows with the samples and with the square of the batch, never with the square of the samples.
"""

from dataclasses import replace
from math import inf

import numpy as np

from album_app.solver import density_ratio
from album_app.solver.arrays import Array, InvalidInput, namespace
from album_app.solver.density_ratio import Gaussian
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn
from album_app.solver.model import PaperModel, draw_basis
from album_app.solver.problem import Problem, check_posed, some_of
from album_app.solver.sinkhorn import sinkhorn
from album_app.solver.state import Solution, State
from album_app.work import OnProgress, Stop, check, report

BATCH_SAMPLES = 1000
"""Unpaired samples of each side in a batch."""

ITERATIONS = 30
"""Batches; more of them bring the answer nearer to that of all samples at once."""

SETTLING_ITERATIONS = 8
"""First iterations, in which h follows the batches quickly; afterwards it is their running mean."""

SETTLING_WEIGHT = 0.5
"""The weight of a new batch in h during these iterations."""

BLOCK_SAMPLES = 5000
"""Samples whose kernel values are held in memory at a time."""

TOLERANCE = 1e-3
"""The l1 error of the marginals of a batch's plan, which is far below the scatter between batches."""


def solve_in_batches(
    problem: Problem,
    solver: LsmiSinkhorn | None = None,
    *,
    batch: int = BATCH_SAMPLES,
    iterations: int = ITERATIONS,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Solution:
    """LSMI-Sinkhorn for very many unpaired samples; the plan of the answer is that of the last batch.

    It takes `iterations` batches of `batch` samples of each side, without a stopping rule, so that `converged` says
    only that it reached the last one.

    `ratio`, `expected` and `smi` of the answer are about all samples; its `landmarks` are the rows of the last batch,
    and `match` matches these.

    >>> x = np.random.default_rng(0).standard_normal((5000, 1))
    >>> solution = solve_in_batches(Problem(x[:50], x[:50], x, x), batch=200, iterations=12)
    >>> solution.plan.shape, bool(abs(solution.expected(np.array([[1.0]]))[0, 0] - 1.0) < 0.2)
    ((200, 200), True)
    """
    check_posed(problem)
    solver = solver or LsmiSinkhorn()
    solver.check()
    if batch < 1 or iterations < 1:
        raise InvalidInput(f"batch and iterations must be at least 1, not {batch} and {iterations}")
    if problem.x_weights is not None or problem.y_weights is not None or problem.pair_weights is not None:
        raise InvalidInput("samples that are solved in batches must not have weights")
    problem = problem.to(solver.device)
    rng = np.random.default_rng(solver.seed)
    whole = _Whole(problem, solver)
    beta = solver.beta if problem.n else 0.0
    scale = (1.0 - beta) / solver.epsilon
    W = density_ratio.factorise(whole.H, solver.lam)
    h_plan = whole.mean_phi  # of the uniform plan
    alpha = density_ratio.fit(W, beta * whole.h_pairs + (1.0 - beta) * h_plan)
    for t in range(1, iterations + 1):
        check(stop)
        rows = some_of(problem.n_x, batch, rng), some_of(problem.n_y, batch, rng)
        part = problem.with_unpaired(*rows)
        K, L = whole.x_kernel(part.x), whole.y_kernel(part.y)
        xp = namespace(K)
        logits = density_ratio.ratio(scale * alpha, K, L, getattr(xp, solver.dtype or "float32"))
        transport = sinkhorn(logits, None, solver.sweeps, TOLERANCE)
        weight = SETTLING_WEIGHT if t <= SETTLING_ITERATIONS else 1.0 / (t - SETTLING_ITERATIONS)
        h_plan = (1.0 - weight) * h_plan + weight * density_ratio.mean_over_plan(K, L, transport.plan)
        alpha = density_ratio.fit(W, beta * whole.h_pairs + (1.0 - beta) * h_plan)
        report(on_progress, t, iterations)
    model = PaperModel(part, whole.x_kernel, whole.y_kernel, K, L, whole.H, whole.h_pairs, whole.mean_phi)
    state = State(model, W, transport, h_plan, inf, alpha, beta, scale, t=iterations + 1)
    return replace(Solution(state, model.smi(alpha), True, model.degenerate or problem.too_few), landmarks=rows)


class _Whole:
    """Kernels, H and the means of phi over all samples, block by block."""

    def __init__(self, problem: Problem, solver: LsmiSinkhorn) -> None:
        x, y = problem.all_x, problem.all_y
        x_rows, y_rows = draw_basis(problem, solver.basis, solver.seed)
        self.x_kernel = Gaussian.fit(x, x_rows, solver.width, solver.roots)
        self.y_kernel = Gaussian.fit(y, y_rows, solver.width, solver.roots)
        (x_square, x_mean), (y_square, y_mean) = _means(self.x_kernel, x), _means(self.y_kernel, y)
        self.H, self.mean_phi = x_square * y_square, x_mean * y_mean
        self.h_pairs = 0.0 * self.mean_phi
        if problem.n:
            K, L = self.x_kernel(problem.x_pairs), self.y_kernel(problem.y_pairs)
            self.h_pairs = density_ratio.mean_over_pairs(K, L)


def _means(kernel: Gaussian, samples: Array) -> tuple[Array, Array]:
    """The means of k k^T (b, b) and of k (b,) over samples."""
    square, mean = 0.0, 0.0
    for start in range(0, samples.shape[0], BLOCK_SAMPLES):
        values = kernel(samples[start : start + BLOCK_SAMPLES, :])
        square = square + values @ values.T / samples.shape[0]
        mean = mean + namespace(values).sum(values, axis=1) / samples.shape[0]
    return square, mean
