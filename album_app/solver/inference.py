"""How sure an estimate of SMI is: interval, lower bound and p-value.

The interval comes from reweighted samples, the bound from held-out pairs, the p-value from shuffled pairs.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist, fmean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.solver.arrays import InvalidInput, namespace, to_host
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn
from album_app.solver.problem import FEWEST_PAIRS, Problem, check_posed, parts_of
from album_app.solver.state import Solution
from album_app.work import OnProgress, Stop, check, report

Solve = LsmiSinkhorn | Callable[[Problem], Solution]
"""A solver, or a function that gives an answer to a problem."""


@dataclass(frozen=True)
class Inference:
    """An estimate of SMI, the interval in which it scatters, a lower bound, and a test of independence."""

    smi: float
    low: float  # the ends of the interval
    high: float
    p_value: float  # how often shuffled pairs give as large an SMI
    level: float  # of the interval
    chance: float  # the mean SMI of shuffled pairs: above 0, because no estimate is below 0
    bound: float  # the cross-fitted lower bound; it may be negative


def infer(
    problem: Problem,
    solve: Solve,
    *,
    resamples: int = 100,
    permutations: int = 99,
    level: float = 0.95,
    folds: int = 5,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Inference:
    """Estimate SMI with an interval, a lower bound and a test of independence; settings are the same in every solve.

    The interval is the estimate plus and minus a multiple of the standard deviation of `resamples` estimates in which
    every sample counts by a random weight (a Bayesian bootstrap). `level` is about the mean estimate over other
    samples: from strong dependence nearly no interval holds the true SMI, because the estimate is biased
    (assets/LIBRARY.md has figures).
    The p-value is exact for any number of permutations, if the pairs are independent draws, their weights do not depend
    on y, and the settings were not chosen by these pairs; it is never below 1 / (1 + permutations). Copies of a pair
    count as one draw (see `Problem.draws`). Few pairs look somewhat dependent by chance; `chance` says how much, and
    `bound` (see `lower_bound`) does not have this bias.

    >>> from album_app.solver import LsmiSinkhorn
    >>> x = np.linspace(-1.0, 1.0, 30)[:, None]
    >>> answer = infer(Problem(x[::3], x[::3], x, x), LsmiSinkhorn(), resamples=2, permutations=19)
    >>> answer.low < answer.smi < answer.high, answer.p_value
    (True, 0.05)
    """
    check_posed(problem)
    answer, count = _function(solve), len(problem.draws)
    if count < FEWEST_PAIRS:  # there are too few ways to shuffle them
        raise InvalidInput(
            f"x and y must hold at least {FEWEST_PAIRS} different pairs to infer anything from, not {count}"
        )
    if resamples < 2 or permutations < 1 or not 0.0 < level < 1.0:
        raise InvalidInput("resamples must be at least 2, permutations at least 1, level between 0 and 1")
    rng, done = np.random.default_rng(seed), 0
    total = 1 + resamples + permutations + min(folds, count)

    def solved(of: Problem) -> Solution:
        nonlocal done
        check(stop)
        found = answer(of)
        done += 1
        report(on_progress, done, total)
        return found

    def smi(of: Problem) -> float:
        return solved(of).smi

    estimate = smi(problem)
    reach = NormalDist().inv_cdf(0.5 + level / 2.0) * stdev(smi(reweighted(problem, rng)) for _ in range(resamples))
    shuffled = [smi(with_shuffled_pairs(problem, rng)) for _ in range(permutations)]
    p_value = (1 + sum(other >= estimate for other in shuffled)) / (1 + permutations)
    low, high = max(estimate - reach, 0.0), estimate + reach
    bound = lower_bound(problem, solved, folds=folds, seed=seed)
    return Inference(estimate, low, high, p_value, level, fmean(shuffled), bound)


def lower_bound(problem: Problem, solve: Solve, *, folds: int = 5, seed: int = 0) -> float:
    """The cross-fitted lower bound of SMI: E[r(x, y)] - E[r(x, y')^2] / 2 - 1/2, the first mean over held-out pairs.

    SMI is the largest value that any function r reaches in this expression, where x and y are a pair and x and y' are
    independent; so a function r that was fitted to other pairs stays below SMI on average, but for the overlap of the
    samples that judge its square with those that it was fitted to. A fit to few pairs varies too much, which makes the
    expression negative. Therefore r is first shrunk towards its mean, by the factor that is best for the pairs of the
    other folds. The bound is around 0 for independent data, where the plain estimate is always above 0. It may be
    negative.

    >>> from album_app.solver import LsmiSinkhorn
    >>> x = np.linspace(-1.0, 1.0, 60)[:, None]
    >>> lower_bound(Problem(x[::3], x[::3], x, x), LsmiSinkhorn()) > 0.3
    True
    """
    check_posed(problem)
    answer = _function(solve)
    if (count := len(problem.draws)) < 2:
        raise InvalidInput(f"x and y must hold at least 2 different pairs, one of which is held out, not {count}")
    parts = [np.concatenate(rows) for rows in parts_of(problem.draws, folds, seed)]
    weights = np.ones(problem.n) if problem.pair_weights is None else to_host(problem.pair_weights)
    shares = np.array([weights[part].sum() for part in parts]) / weights.sum()
    gains, variances = np.zeros(len(parts)), np.zeros(len(parts))  # of r - mean(r): held-out mean, variance
    for k, part in enumerate(parts):
        held_out = problem.with_pairs(part)
        solution = answer(problem.with_pairs(np.setdiff1d(np.arange(problem.n), part)))
        model, alpha = solution.state.model, solution.alpha
        at_pairs = model.ratios_of_pairs(alpha, held_out.x_pairs, held_out.y_pairs)
        mean = model.mean(alpha)
        counts = held_out.pair_shares
        gains[k] = float(namespace(at_pairs).mean(at_pairs) if counts is None else at_pairs @ counts) - mean
        variances[k] = max(model.mean_square(alpha) - mean**2, 0.0)
    others = [np.arange(len(parts)) != k for k in range(len(parts))]
    best = [
        (shares[rest] @ gains[rest]) / max(float(shares[rest] @ variances[rest]), np.finfo(float).tiny)
        for rest in others
    ]
    shrunk = np.clip(best, 0.0, 1.0)  # the mean is 1 after shrinking, so the constants cancel
    return float(shares @ (shrunk * gains - 0.5 * shrunk**2 * variances))


def _function(solve: Solve) -> Callable[[Problem], Solution]:
    """The function that solves: a solver's own, or what was given."""
    if isinstance(solve, LsmiSinkhorn):
        return solve.solve
    if not callable(solve):
        raise InvalidInput(f"solve must be a solver or its method solve, not {type(solve).__name__}")
    return solve


def reweighted(problem: Problem, rng: np.random.Generator) -> Problem:
    """Every sample counts by a random weight of mean 1, copies of a pair by that of their draw."""
    pairs = _of_pairs(problem, rng.exponential(size=len(problem.draws)))
    x, y = (rng.exponential(size=count) for count in (problem.n_x, problem.n_y))
    before = problem.pair_weights, problem.x_weights, problem.y_weights
    after = [
        times if weights is None else times * to_host(weights)
        for times, weights in zip((pairs, x, y), before, strict=True)
    ]
    return replace(problem, pair_weights=after[0], x_weights=after[1], y_weights=after[2])


def with_shuffled_pairs(problem: Problem, rng: np.random.Generator) -> Problem:
    """The pairs' y in another order, as if x and y were independent; copies of a pair get copies of one y."""
    firsts = np.array([rows[0] for rows in problem.draws])
    return replace(problem, y_pairs=problem.y_pairs[_of_pairs(problem, rng.permutation(firsts)), :])


def _of_pairs(problem: Problem, values: NDArray[Any]) -> NDArray[Any]:
    """Values of the draws as values (n,) of the pairs."""
    found = np.empty(problem.n, values.dtype)
    for value, rows in zip(values, problem.draws, strict=True):
        found[rows] = value
    return found
