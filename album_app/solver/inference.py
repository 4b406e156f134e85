"""How sure an estimate of SMI is: an interval from reweighted samples, a p-value from shuffled pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist, fmean, stdev

import numpy as np

from album_app.solver.arrays import InvalidInput
from album_app.solver.problem import Problem
from album_app.solver.state import Solution
from album_app.work import OnProgress, Stop, check, report

FEWEST_PAIRS = 4
"""With fewer pairs there are too few ways to shuffle them."""


@dataclass(frozen=True)
class Inference:
    """An estimate of SMI, the interval it scatters in, and how often shuffled pairs give as much."""

    smi: float
    low: float
    high: float
    p_value: float
    level: float
    chance: float  # what shuffled pairs give on average: above 0, since no estimate is below it


def infer(
    problem: Problem,
    solve: Callable[[Problem], Solution],
    *,
    resamples: int = 100,
    permutations: int = 99,
    level: float = 0.95,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Inference:
    """Estimate SMI with an interval and a test of independence; settings stay as they are in every solve.

    The interval is the estimate and so many standard deviations of estimates in which every sample counts by a random
    weight (a Bayesian bootstrap): it tells how the estimate scatters, not how far regularisation draws it towards 0.
    The p-value is exact for any number of permutations, and never below 1 / (1 + permutations). Few pairs look somewhat
    dependent by chance alone, and `chance` tells by how much: what counts is how far the estimate is above it.

    >>> from album_app.solver import LsmiSinkhorn
    >>> x = np.linspace(-1.0, 1.0, 30)[:, None]
    >>> answer = infer(Problem(x[::3], x[::3], x, x), LsmiSinkhorn().solve, resamples=2, permutations=19)
    >>> answer.low < answer.smi < answer.high, answer.p_value
    (True, 0.05)
    """
    if problem.n < FEWEST_PAIRS:
        raise InvalidInput(f"x and y must hold at least {FEWEST_PAIRS} pairs to infer anything from, not {problem.n}")
    if resamples < 2 or permutations < 1 or not 0.0 < level < 1.0:
        raise InvalidInput("resamples must be at least 2, permutations at least 1, level between 0 and 1")
    rng, total, done = np.random.default_rng(seed), 1 + resamples + permutations, 0

    def smi(of: Problem) -> float:
        nonlocal done
        check(stop)
        found = solve(of).smi
        done += 1
        report(on_progress, done, total)
        return found

    estimate = smi(problem)
    reach = NormalDist().inv_cdf(0.5 + level / 2.0) * stdev(smi(_reweighted(problem, rng)) for _ in range(resamples))
    shuffled = [smi(_shuffled(problem, rng)) for _ in range(permutations)]
    p_value = (1 + sum(other >= estimate for other in shuffled)) / (1 + permutations)
    return Inference(estimate, max(estimate - reach, 0.0), estimate + reach, p_value, level, fmean(shuffled))


def _reweighted(problem: Problem, rng: np.random.Generator) -> Problem:
    """Every sample counts by a random weight of mean 1."""
    pairs, x, y = (
        rng.exponential(size=count) * (1.0 if weights is None else np.asarray(weights))
        for count, weights in (
            (problem.n, problem.pair_weights),
            (problem.n_x, problem.x_weights),
            (problem.n_y, problem.y_weights),
        )
    )
    return replace(problem, pair_weights=pairs, x_weights=x, y_weights=y)


def _shuffled(problem: Problem, rng: np.random.Generator) -> Problem:
    """The pairs' y in another order, as if x and y were independent."""
    return replace(problem, y_pairs=problem.y_pairs[rng.permutation(problem.n), :])
