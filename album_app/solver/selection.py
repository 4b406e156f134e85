"""Model selection: choose lambda, beta and other settings by cross-validation on the pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import erfc, log, sqrt
from statistics import fmean
from sys import float_info
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.solver import density_ratio
from album_app.solver.arrays import Array, InvalidInput, namespace, to_host
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn, threads_for
from album_app.solver.problem import FEWEST_PAIRS, Problem, Rows, check_posed, parts_of
from album_app.solver.state import State
from album_app.work import OnProgress, Stop, check, report

LAMBDAS = (1e-1, 1e-2, 1e-3, 1e-4)
"""The paper's candidates for lambda."""

BETAS = (0.2, 0.4, 0.6, 0.8, 1.0)
"""The paper's candidates for beta."""

MATCHING: dict[str, Any] = {
    "by": "rank",
    "lams": (1e-4, 1e-5, 1e-6, 1e-7),
    "betas": (0.2,),
    "widths": (1.0, 2.0, 3.0),
}
"""Candidates for matching: `select(problem, **MATCHING)`. Wide kernels with little regularisation distinguish
neighbours best. Widths are multiples of the one that the median rule gives. Features are transformed by the caller."""

SIGNIFICANCE = 0.01
"""The p-value below which the held-out pairs count as dependent."""

SETTLED_CHANGE = 0.01
"""A solve without held-out pairs ends once the plan changes by less than this share of the uniform plan's norm."""


@dataclass(frozen=True)
class Candidate:
    """One choice of settings with its scores on held-out pairs, averaged over the folds."""

    solver: LsmiSinkhorn
    error: float  # J_te
    log_rank: float  # mean of log((1 + strangers that the plan puts above the partner) / (1 + strangers))
    smi: float  # of the ratio that was fitted without the held-out pairs
    p_value: float  # how often independent pairs would be ranked as high as the held-out ones


CRITERIA: dict[str, tuple[Callable[[Candidate], float], str]] = {
    "error": (lambda candidate: candidate.error, "hold-out error"),
    "rank": (lambda candidate: candidate.log_rank, "log-rank of held-out partners in the plan"),
}
"""The criterion to minimise: the paper's J_te, for estimates of SMI, or the rank, for matching."""


@dataclass(frozen=True)
class Selection:
    """The solver with the settings that were selected, the candidates, and why this one.

    >>> x = np.linspace(-1.0, 1.0, 41)[:, None]
    >>> chosen = select(Problem(x[::4], x[::4], x, x), lams=[1e-1, 1e-3], betas=[0.5], folds=3)
    >>> len(chosen.candidates), chosen.reason
    (2, 'smallest hold-out error ...')
    >>> chosen.among(lambda solver: solver.lam == 1e-3).solver.lam
    0.001
    """

    solver: LsmiSinkhorn
    candidates: tuple[Candidate, ...]
    reason: str
    dependent: bool | None  # whether the held-out pairs spoke for dependence; None if there were too few

    def among(self, keep: Callable[[LsmiSinkhorn], bool], by: str = "error") -> Selection:
        """The selection among a part of the candidates."""
        return _choose(tuple(each for each in self.candidates if keep(each.solver)), by)


def select(
    problem: Problem,
    solver: LsmiSinkhorn | None = None,
    *,
    by: str = "error",
    lams: Sequence[float] = LAMBDAS,
    betas: Sequence[float] = BETAS,
    epsilons: Sequence[float] | None = None,
    widths: Sequence[float] | None = None,
    roots: Sequence[bool] | None = None,
    folds: int = 5,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Selection:
    """Choose settings for a problem by cross-validation on its pairs; the solver keeps those without candidates.

    Each fold of the pairs is held out once, the ratio is fitted to the other pairs and the unpaired samples, and
    the setting with the smallest mean error J_te wins: Eq. (3), whose first term is here, unlike in the paper, taken
    over all samples. The paper's hold-out has two folds; more of them leave more pairs to fit to, so that the setting
    suits the whole problem rather than one with half of its pairs.
    `by="rank"` chooses instead the plan that ranks held-out partners highest among all strangers.

    A guard for independent data, where the plan would confirm whatever the few pairs suggest: if the winner does not
    rank the held-out partners above the unpaired samples (one-sided test at 1 %), the pairs give no evidence of
    dependence, and the candidate of least dependence is taken. With fewer than 4 pairs the settings stay as they are.
    Copies of a pair are held out together and count once (see `Problem.draws`).

    >>> x = np.linspace(-1.0, 1.0, 41)[:, None]
    >>> select(Problem(x[::4], x[::4], x, x), lams=[1e-1, 1e-3], betas=[0.5], folds=3).dependent
    True
    >>> select(Problem(x[:2], x[:2], x, x)).reason
    '2 pairs are too few to hold any out, so the settings stay'
    """
    check_posed(problem)
    solver = solver or LsmiSinkhorn()
    _check(by, folds, {"lams": lams, "betas": betas})
    if (count := len(problem.draws)) < FEWEST_PAIRS:
        pairs = f"{count} pairs" if count == problem.n else f"{count} different pairs"
        return Selection(solver, (), f"{pairs} are too few to hold any out, so the settings stay", None)
    kernels = [
        replace(solver, width=width, roots=rooted)
        for width, rooted in product(widths or [solver.width], roots or [solver.roots])
    ]
    grid = list(product(epsilons or [solver.epsilon], lams, betas))
    settings = [
        [replace(kernel, epsilon=epsilon, lam=lam, beta=beta) for epsilon, lam, beta in grid] for kernel in kernels
    ]
    with threads_for(problem):
        return _choose(_candidates(problem, settings, folds, on_progress, stop), by)


def _check(by: str, folds: int, candidates: Mapping[str, Sequence[float]]) -> None:
    if folds < 2:
        raise InvalidInput(f"folds must be at least 2, not {folds}")
    if by not in CRITERIA:
        raise InvalidInput(f"by must be one of {', '.join(CRITERIA)}, not {by!r}")
    for name, values in candidates.items():
        if not len(values):
            raise InvalidInput(f"{name} must hold at least one candidate")


def _choose(candidates: tuple[Candidate, ...], by: str) -> Selection:
    criterion, words = CRITERIA[by]
    best = min(candidates, key=criterion)
    dependent = best.p_value < SIGNIFICANCE
    reason = f"smallest {words} {criterion(best):.3g}"
    if not dependent:
        best = min(candidates, key=lambda candidate: candidate.smi)
        reason = "no evidence of dependence in the held-out pairs, so the candidate of least dependence"
    return Selection(replace(best.solver), candidates, reason, dependent)


def _candidates(
    problem: Problem, settings: list[list[LsmiSinkhorn]], folds: int, on_progress: OnProgress | None, stop: Stop | None
) -> tuple[Candidate, ...]:
    """The candidates with their means over the folds; candidates in one list share their kernels."""
    parts = parts_of(problem.draws, folds, settings[0][0].seed)
    outcomes: list[list[_Outcome]] = []
    done, most = 0, len(parts) * sum(map(len, settings))
    for alike in settings:
        here: list[list[_Outcome]] = [[] for _ in alike]
        for part in parts:
            fold = Fold.of(problem, part, alike[0])
            for setting, found in zip(alike, here, strict=True):
                check(stop)
                found.append(fold.outcome(setting))
                done += 1
                report(on_progress, done, most)
        outcomes += here
    flat = [setting for alike in settings for setting in alike]
    return tuple(_candidate(*both) for both in zip(flat, outcomes, strict=True))


def _candidate(setting: LsmiSinkhorn, outcomes: list[_Outcome]) -> Candidate:
    ranks, log_ranks, ratios, weights = (
        np.concatenate([getattr(outcome, name) for outcome in outcomes])
        for name in ("ranks", "log_ranks", "ratios", "weights")
    )
    # under independence the ranks are uniform on [0, 1]: mean 1/2, variance 1/12
    p_value = max(0.5 * erfc((0.5 - float(ranks.mean())) * sqrt(6 * len(ranks))), float_info.min)
    error = 0.5 * fmean(outcome.square for outcome in outcomes) - float(np.average(ratios, weights=weights))
    smi = fmean(outcome.smi for outcome in outcomes)
    return Candidate(setting, error, float(np.average(log_ranks, weights=weights)), smi, p_value)


@dataclass(frozen=True, eq=False)
class _Outcome:
    """The scores of one choice of settings on one fold."""

    square: float  # mean of r^2 over all combinations of samples
    ratios: NDArray[np.float64]  # (m,), r at the held-out pairs
    ranks: NDArray[np.float64]  # (m,), share of strangers that r places above the partner
    log_ranks: NDArray[np.float64]  # (m,)
    weights: NDArray[np.float64]  # (m,), of the held-out pairs, each with its copies
    smi: float


@dataclass(frozen=True, eq=False)
class Fold:
    """Algorithm 1 before its first iteration, without the held-out pairs, and the kernel values of the latter."""

    start: State
    K: Array  # (b, m), of the held-out x
    L: Array  # (b, m), of the held-out y
    weights: NDArray[np.float64]  # (m,)

    @classmethod
    def of(cls, problem: Problem, held_out: list[Rows], solver: LsmiSinkhorn) -> Fold:
        """Build the model from everything but the held-out pairs, of whose copies the first one is judged."""
        problem = problem.to(solver.device)
        start = solver.init(problem.with_pairs(np.setdiff1d(np.arange(problem.n), np.concatenate(held_out))))
        x_kernel, y_kernel = start.paper_model.x_kernel, start.paper_model.y_kernel
        weights = np.ones(problem.n) if problem.pair_weights is None else to_host(problem.pair_weights)
        copies = sorted(held_out, key=lambda rows: int(rows[0]))
        firsts = np.array([rows[0] for rows in copies])
        K, L = x_kernel(problem.x_pairs[firsts, :]), y_kernel(problem.y_pairs[firsts, :])
        return cls(start, K, L, np.array([weights[rows].sum() for rows in copies]))

    def outcome(self, setting: LsmiSinkhorn) -> _Outcome:
        """Solve without the held-out pairs, then score the ratio on them.

        The first term of J_te needs no pairs, so it is taken over all samples: with the few held-out ones alone,
        as the paper writes it, it would be the noisier part of the error.
        """
        model = self.start.paper_model
        quick = replace(setting, eta=max(setting.eta, SETTLED_CHANGE / sqrt(model.K.shape[1] * model.L.shape[1])))
        solution = quick.run(quick.adopt(self.start))
        alpha, xp = solution.alpha, namespace(solution.alpha)
        own = xp.sum(alpha[:, None] * self.K * self.L, axis=0)  # (m,)
        square = float(xp.sum(alpha * (model.H @ alpha)))
        ys, xs = density_ratio.ratio(alpha, self.K, model.L), density_ratio.ratio(alpha, self.L, model.K)
        held_out = _HeldOut(to_host(own), to_host(ys), to_host(xs))
        f, g = map(to_host, solution.potentials)
        log_ranks = held_out.by_plan(solution.state.scale, f, g).log_ranks
        return _Outcome(square, held_out.own, held_out.ranks, log_ranks, self.weights, solution.smi)


@dataclass(frozen=True, eq=False)
class _HeldOut:
    """The score of held-out pairs against random pairs: by the ratio, or by the logarithm of the plan."""

    own: NDArray[np.float64]  # (m,), x_i with its partner
    ys: NDArray[np.float64]  # (m, n_y), x_i with the unpaired y
    xs: NDArray[np.float64]  # (m, n_x), y_i with the unpaired x

    def by_plan(self, scale: float, f: NDArray[np.float64], g: NDArray[np.float64]) -> _HeldOut:
        """log pi as if the held-out pairs had been unpaired samples; the other potentials determine theirs.

        Some samples have a large ratio with many others. The potentials make up for that; the ratio alone would take it
        for a match.
        """
        to_ys, to_xs = scale * self.ys + g, scale * self.xs + f
        own_f = -_log_sum_exp(to_ys) - log(self.xs.shape[1])
        own_g = -_log_sum_exp(to_xs) - log(self.ys.shape[1])
        own = scale * self.own + own_f + own_g
        return _HeldOut(own, to_ys + own_f[:, None], to_xs + own_g[:, None])

    @property
    def ranks(self) -> NDArray[np.float64]:
        """(m,), the share of strangers above the partner, over both sides."""
        return np.asarray(np.mean([_above(self.own, each) / each.shape[1] for each in (self.ys, self.xs)], axis=0))

    @property
    def log_ranks(self) -> NDArray[np.float64]:
        """(m,), log((1 + strangers above) / (1 + strangers)), over both sides."""
        both = [np.log((_above(self.own, each) + 1.0) / (each.shape[1] + 1.0)) for each in (self.ys, self.xs)]
        return np.asarray(np.mean(both, axis=0))


def _above(own: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many of each row of `others` (m, k) lie above `own` (m,), ties counting half."""
    return np.asarray(np.sum((others > own[:, None]) + 0.5 * (others == own[:, None]), axis=1))


def _log_sum_exp(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    top = rows.max(axis=1)
    return np.asarray(np.log(np.exp(rows - top[:, None]).sum(axis=1)) + top)
