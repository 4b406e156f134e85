"""Model selection: lambda and beta (and epsilon, if asked) by the error on pairs that were held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import sqrt
from statistics import NormalDist, fmean

import numpy as np
from numpy.typing import NDArray

from album_app.solver import density_ratio
from album_app.solver.arrays import Array, InvalidInput, namespace, to_host
from album_app.solver.lsmi_sinkhorn import SMALL, LsmiSinkhorn, State
from album_app.solver.problem import Problem
from album_app.solver.threads import one_thread
from album_app.work import OnProgress, Stop, check, report

LAMBDAS = (1e-1, 1e-2, 1e-3, 1e-4)
"""The paper's candidates for lambda."""

BETAS = (0.2, 0.4, 0.6, 0.8, 1.0)
"""The paper's candidates for beta."""

FEWEST_PAIRS = 4
"""With fewer pairs none can be spared to be held out, and the settings stay as they are."""

SIGNIFICANCE = 0.01
"""Pairs speak for dependence if independent ones would look like them less often than this."""

SETTLED = 0.01
"""Hold-out solves end once the plan moves by less than this share of the uniform plan's norm."""


@dataclass(frozen=True)
class Candidate:
    """One setting and how it did on held-out pairs, averaged over the folds."""

    lam: float
    beta: float
    epsilon: float
    error: float  # J_te
    smi: float  # of the ratio that was fitted without the held-out pairs
    p_value: float  # how often independent pairs would be ranked as high as the held-out ones


@dataclass(frozen=True)
class Selection:
    """The solver with the settings that were selected, the candidates, and why this one."""

    solver: LsmiSinkhorn
    candidates: tuple[Candidate, ...]
    reason: str
    dependent: bool | None  # whether the held-out pairs spoke for dependence; None if there were too few

    def with_epsilon(self, epsilon: float) -> Selection:
        """What would have been selected if this epsilon had been the only candidate."""
        solver = replace(self.solver, epsilon=epsilon)
        return _choose(solver, tuple(each for each in self.candidates if each.epsilon == epsilon))


def select(
    problem: Problem,
    solver: LsmiSinkhorn | None = None,
    *,
    lams: Sequence[float] = LAMBDAS,
    betas: Sequence[float] = BETAS,
    epsilons: Sequence[float] | None = None,
    folds: int = 5,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Selection:
    """Choose lambda and beta for a problem by cross-validation on its pairs.

    Each fold of the pairs is held out once, the ratio is fitted to the other pairs and the unpaired samples, and
    the setting with the smallest mean error J_te wins. The paper's hold-out has two folds; more of them leave more
    pairs to fit to, so that the setting suits the whole problem rather than one with half of its pairs.

    A guard for independent data, where the plan would confirm whatever the few pairs suggest: if the winner does not
    rank the held-out partners above the unpaired samples (one-sided test at 1 %), the pairs give no evidence of
    dependence, and the candidate of least dependence is taken. With fewer than 4 pairs the settings stay as they are.
    """
    solver = solver or LsmiSinkhorn()
    if folds < 2:
        raise InvalidInput(f"folds must be at least 2, not {folds}")
    if problem.n < FEWEST_PAIRS:
        return Selection(solver, (), f"{problem.n} pairs are too few to hold any out, so the settings stay", None)
    settings = [
        replace(solver, lam=lam, beta=beta, epsilon=epsilon)
        for epsilon, lam, beta in product(epsilons or [solver.epsilon], lams, betas)
    ]
    with one_thread(problem.n_x * problem.n_y < SMALL):
        candidates = _candidates(problem, settings, min(folds, problem.n), on_progress, stop)
    return _choose(solver, candidates)


def _choose(solver: LsmiSinkhorn, candidates: tuple[Candidate, ...]) -> Selection:
    best = min(candidates, key=lambda candidate: candidate.error)
    dependent = best.p_value < SIGNIFICANCE
    reason = f"smallest hold-out error {best.error:.3g}"
    if not dependent:
        best = min(candidates, key=lambda candidate: candidate.smi)
        reason = "no evidence of dependence in the held-out pairs, so the candidate of least dependence"
    return Selection(replace(solver, lam=best.lam, beta=best.beta, epsilon=best.epsilon), candidates, reason, dependent)


def _candidates(
    problem: Problem, settings: list[LsmiSinkhorn], folds: int, on_progress: OnProgress | None, stop: Stop | None
) -> tuple[Candidate, ...]:
    """Every setting with its means over the folds."""
    order = np.random.default_rng(settings[0].seed).permutation(problem.n)
    parts = [np.sort(part) for part in np.array_split(order, folds)]
    outcomes: list[list[_Outcome]] = [[] for _ in settings]
    done = 0
    for part in parts:
        fold = _Fold.of(problem, part, settings[0])
        for setting, outcome in zip(settings, outcomes, strict=True):
            check(stop)
            outcome.append(fold.outcome(setting))
            done += 1
            report(on_progress, done, len(parts) * len(settings))
    return tuple(_candidate(*both) for both in zip(settings, outcomes, strict=True))


def _candidate(setting: LsmiSinkhorn, outcomes: list[_Outcome]) -> Candidate:
    ranks = np.concatenate([outcome.ranks for outcome in outcomes])
    # under independence the ranks are uniform on [0, 1]: mean 1/2, variance 1/12
    p_value = NormalDist().cdf((float(ranks.mean()) - 0.5) * sqrt(12 * len(ranks)))
    squares = fmean(outcome.square for outcome in outcomes)
    held_out = fmean(np.concatenate([outcome.ratios for outcome in outcomes]).tolist())
    smi = fmean(outcome.smi for outcome in outcomes)
    return Candidate(setting.lam, setting.beta, setting.epsilon, 0.5 * squares - held_out, smi, p_value)


@dataclass(frozen=True, eq=False)
class _Outcome:
    """What one setting makes of one fold."""

    square: float  # mean of r^2 over all combinations of samples
    ratios: NDArray[np.float64]  # (m,), r at the held-out pairs
    ranks: NDArray[np.float64]  # (m,), share of strangers that r places above the partner
    smi: float


@dataclass(frozen=True, eq=False)
class _Fold:
    """Algorithm 1 before its first iteration, without some of the pairs, and the kernels of the pairs left out."""

    start: State
    K: Array  # (b, m), of the held-out x
    L: Array  # (b, m), of the held-out y

    @classmethod
    def of(cls, problem: Problem, held_out: NDArray[np.int64], solver: LsmiSinkhorn) -> _Fold:
        """Build the model from everything but the held-out pairs."""
        problem = problem.to(solver.device)
        start = solver.init(problem.with_pairs(np.setdiff1d(np.arange(problem.n), held_out)))
        x_kernel, y_kernel = start.model.x_kernel, start.model.y_kernel
        return cls(start, x_kernel(problem.x_pairs[held_out, :]), y_kernel(problem.y_pairs[held_out, :]))

    def outcome(self, setting: LsmiSinkhorn) -> _Outcome:
        """Solve without the held-out pairs, then judge the ratio by them.

        The first term of J_te needs no pairs, so it is taken over all samples: with the few held-out ones alone,
        as the paper writes it, it would be the noisier part of the error.
        """
        model = self.start.model
        quick = replace(setting, eta=max(setting.eta, SETTLED / sqrt(model.K.shape[1] * model.L.shape[1])))
        solution = quick.run(replace(self.start, W=model.factor(setting.lam), beta=setting.beta))
        alpha, xp = solution.alpha, namespace(solution.alpha)
        own = xp.sum(alpha[:, None] * self.K * self.L, axis=0)  # (m,)
        partners = density_ratio.ratio(alpha, self.K, model.L)  # (m, n_y)
        partners_back = density_ratio.ratio(alpha, self.L, model.K)  # (m, n_x)
        ranks = 0.5 * (_rank(own, partners) + _rank(own, partners_back))
        square = float(xp.sum(alpha * (model.H @ alpha)))
        return _Outcome(square, to_host(own), ranks, solution.smi)


def _rank(own: Array, others: Array) -> NDArray[np.float64]:
    """The share of each row of `others` (m, k) that lies above `own` (m,), ties counting half."""
    values, rows = to_host(own)[:, None], to_host(others)
    return np.asarray(np.mean((rows > values) + 0.5 * (rows == values), axis=1))
