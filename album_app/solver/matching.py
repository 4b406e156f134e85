"""Match two sets of samples one to one, given a few pairs: `match_samples` is one call for the best way we know.

1. Candidates of `TensorSinkhorn` are compared on held-out pairs: how many strangers does the plan put above the true
   partner? The logarithms of the best plans are averaged.
2. Several ways to finish start from this average: leave it, solve again from it, or train regressions on it. They are
   compared on the same held-out pairs. A temperature that suits these pairs turns the scores of each of the best two
   into probabilities, and the logarithms of these are averaged.
3. The average is rounded to a matching, and its own probabilities are the confidence in each match.

The regressions of step 2 predict y from x and x from y by ridge regression (`both_ways`). `self_trained` repeats this:
it adds the surest matches to the pairs and fits both regressions again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import exp
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from album_app.solver.arrays import Array, namespace, to_host
from album_app.solver.density_ratio import signed_roots, squared_distances
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn, threads_for
from album_app.solver.problem import FEWEST_PAIRS, Problem, Rows, parts_of
from album_app.solver.sinkhorn import sinkhorn
from album_app.solver.state import Solution, State
from album_app.solver.tensor_sinkhorn import HELD_ITERATIONS, Embedding, TensorModel, TensorSinkhorn
from album_app.work import OnProgress, Stop, check, report

Matrix = NDArray[np.float64]

EMBEDDINGS: tuple[Mapping[str, Any], ...] = (
    {"embedding": "gaussian", "width": 3.0},
    {"embedding": "gaussian", "width": 3.0, "roots": True},
    {"embedding": "gaussian", "width": 1.2, "roots": True},
    {"embedding": "standardised"},
    {"embedding": "standardised", "roots": True},
)
LAMBDAS = (1e-3, 1e-4, 1e-5)
"""The candidates for the tensor model are all combinations of an embedding and a final lambda."""

FOLDS = 3
"""Parts of the pairs, each of which is held out once."""

HELD_OUT_ITERATIONS = 8
"""Iterations of a candidate without the held-out pairs; the final plans take the solver's own number."""

SELECTION_SAMPLES = 1000
"""Unpaired samples of a side, drawn at random, on which candidates are compared; the final plans take all of them."""

AVERAGED_PLANS, MOST_AVERAGED_PLANS = 4, 8
"""The number of best candidates whose log plans are averaged, and the most if held-out pairs rank several equally.

This and the other numbers below were chosen on other seeds than those reported.
"""

LOWEST_LOG = -30.0
"""Logarithms of a plan are cut off this far below the largest one of their row, so that none dominates the average."""

AGAIN_ROUNDS, AGAIN_ITERATIONS = 2, 4
"""How often the average starts the best candidates again, and for how many iterations each."""

RIDGES = ((1e-3, False), (1e-2, False), (1e-1, False), (1e-2, True))
"""Lambda and whether square roots are taken, in the self-trained regressions."""

PAIR_RIDGES = (1e-2, 1e-1)
"""Lambda in the self-trained regressions that start from the pairs instead of the plan."""

COMBINED_FINISHES = 2
"""The number of best ways to finish that are combined; all that held-out pairs rank equally to the last one join
them."""

TEMPERATURES = np.geomspace(1e-3, 1e1, 17)
"""Candidates for the temperature, in units of the scores' standard deviation."""

TEMPERATURE_SWEEPS = 60
"""Sinkhorn's sweeps from scores to probabilities."""


class Matching(NamedTuple):
    """x'_rows[k] belongs to y'_columns[k], with a confidence between 0 and 1: the estimated chance that it is right.

    >>> x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
    >>> found = match_samples(x[::3], -x[::3], x, -x)
    >>> found.rows.shape, found.columns.shape, bool((found.confidence <= 1.0).all())
    ((30,), (30,), True)
    """

    rows: Rows  # (m,), m = min(n_x, n_y), ascending
    columns: Rows  # (m,)
    confidence: Matrix  # (m,)


def match_samples(
    x_pairs: object,
    y_pairs: object,
    x: object,
    y: object,
    *,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Matching:
    """Match rows of x (n_x, d_x) and of y (n_y, d_y) one to one, by the pairs (x_pairs[i], y_pairs[i]).

    Samples are arrays, tensors, lists or tables; tables are read by the column names of x and of y. There are
    min(n_x, n_y) matches. Settings are selected by how high held-out partners rank. With fewer than four different
    pairs none is held out: the settings are fixed, and the confidence, at most 1/2, tells likely matches from less
    likely ones but not how many are right. Memory and time grow with n_x n_y.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.standard_normal((80, 6))
    >>> y = x @ rng.standard_normal((6, 6))
    >>> rows, columns, confidence = match_samples(x[:20], y[:20], x[20:], y[20:][::-1])
    >>> bool((columns == 59 - rows).mean() > 0.9)
    True
    """
    problem = Problem(x_pairs, y_pairs, x, y)
    with threads_for(problem):
        return matched(match_scores(problem, seed, on_progress, stop))


@dataclass(frozen=True, eq=False)
class Scores:
    """How well each x' (row) and each y' (column) belong together, and the temperature that makes it a probability."""

    values: Matrix  # (n_x, n_y), larger is better
    temperature: float
    solvers: tuple[TensorSinkhorn, ...]  # those whose plans were averaged
    finish: str  # the ways that were chosen to finish
    tested: int  # how many different pairs were held out in turn


def matched(scores: Scores) -> Matching:
    """The one-to-one matching with the largest sum of scores, and how sure each match is."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(scores.values, maximize=True)
    chances = probabilities(scores.values, scores.temperature)
    most = (scores.tested + 1.0) / (scores.tested + 2.0)  # Laplace's rule of succession: n tests cannot promise more
    return Matching(rows, columns, most * chances[rows, columns])


def probabilities(values: Matrix, temperature: float) -> Matrix:
    """The chance that x'_i and y'_j are partners: the smaller one of their shares in row i and in column j.

    The shares are those of the transport plan whose logits are the scores divided by the temperature. If one side has
    more samples, one more row or column of equal scores takes what stays without a partner.

    >>> probabilities(np.array([[5.0, 0.0, 0.0], [0.0, 5.0, 0.0]]), temperature=0.5).round(1)
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    (n_x, n_y), logits, marginals = values.shape, values / max(temperature, 1e-300), None
    if n_x != n_y:
        logits = np.pad(logits, ((0, n_x < n_y), (0, n_y < n_x)))
        row, column = np.ones(logits.shape[0]), np.ones(logits.shape[1])
        (row if n_x < n_y else column)[-1] = abs(n_x - n_y)
        marginals = row / max(n_x, n_y), column / max(n_x, n_y)
    plan = sinkhorn(logits, sweeps=TEMPERATURE_SWEEPS, tolerance=1e-4, marginals=marginals).plan
    shares = plan / np.maximum(plan.sum(axis=1, keepdims=True), 1e-300)
    return np.asarray(np.minimum(shares, plan / np.maximum(plan.sum(axis=0, keepdims=True), 1e-300)))[:n_x, :n_y]


def match_scores(
    problem: Problem, seed: int = 0, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> Scores:
    """Steps 1 and 2: the scores behind `match_samples`, with the settings that were selected."""
    different = len(problem.equal_pairs)
    if different < FEWEST_PAIRS:
        first = tuple(TensorSinkhorn(seed=seed, lam=LAMBDAS[1], **each) for each in EMBEDDINGS[:AVERAGED_PLANS])
        values = averaged([log_plan(solver.solve(problem)) for solver in first])
        return Scores(values, 1.0, first, "plan", 0)
    few = _fewer(problem, seed)
    firsts = [_Fitted(seed=seed, **embedding).fit_features(few) for embedding in EMBEDDINGS]
    groups = [[replace(first, lam=lam) for lam in LAMBDAS] for first in firsts]  # a group shares its features
    solvers = [solver for group in groups for solver in group]
    folds, total = held_out_folds(problem, seed), FOLDS * (len(groups) + 1) + 1
    plans: list[list[Matrix]] = []
    for fold in folds:
        plans.append([])
        for group in groups:
            check(stop)
            quick = [replace(solver, iterations=HELD_OUT_ITERATIONS) for solver in group]
            plans[-1] += _log_plans(fold.problem, quick)
            report(on_progress, sum(map(len, plans)) // len(LAMBDAS), total)
    ranks = mean_log_ranks(folds, plans)
    best = _best(ranks, AVERAGED_PLANS)[:MOST_AVERAGED_PLANS]
    chosen = tuple(solvers[k] for k in best)
    finished: list[dict[str, Matrix]] = []
    for fold, found in zip(folds, plans, strict=True):
        check(stop)
        start = averaged([found[k] for k in best])
        finished.append({name: finish(fold.problem, start, chosen) for name, finish in FINISHES.items()})
        report(on_progress, FOLDS * len(groups) + len(finished), total)
    by_finish = mean_log_ranks(folds, [list(each.values()) for each in finished])
    names = [list(FINISHES)[k] for k in _best(by_finish, COMBINED_FINISHES)]
    temperatures = {name: _temperature(folds, [each[name] for each in finished]) for name in names}
    temperature = _temperature(folds, [_combined(each, temperatures) for each in finished])
    check(stop)
    if few is not problem:
        chosen = tuple(solver.fit_features(problem) for solver in chosen)
    start = averaged([log_plan(solver.solve(problem)) for solver in chosen])
    values = _combined({name: FINISHES[name](problem, start, chosen) for name in names}, temperatures)
    report(on_progress, total, total)
    return Scores(values, temperature * float(values.std()), chosen, " and ".join(names), different)


@dataclass
class _Fitted(TensorSinkhorn):
    """A solver whose features are fitted once, to samples that several problems share."""

    embeddings: tuple[Embedding, Embedding] | None = field(default=None, kw_only=True, repr=False)

    def fit_features(self, problem: Problem) -> Self:
        model = super().model(problem.to(self.device))
        return replace(self, embeddings=(model.x_embedding, model.y_embedding))

    def model(self, problem: Problem) -> TensorModel:
        """The tensor model with the fitted features."""
        assert self.embeddings is not None
        return TensorModel.with_embeddings(problem, *self.embeddings)


def _best(ranks: Matrix, count: int) -> Rows:
    """The candidates with the lowest ranks, best first, and all that tie with the last of them."""
    order = np.argsort(ranks, kind="stable")
    return np.asarray(order[ranks[order] <= ranks[order][min(count, len(order)) - 1] + 1e-12])


def _combined(scores: Mapping[str, Matrix], temperatures: Mapping[str, float]) -> Matrix:
    """The mean of the log probabilities of several scores, each at its own temperature."""
    logs = [
        np.log(np.maximum(probabilities(scores[name], temperature * float(scores[name].std())), exp(LOWEST_LOG)))
        for name, temperature in temperatures.items()
    ]
    return np.asarray(np.mean(logs, axis=0))


def _log_plans(problem: Problem, solvers: Sequence[TensorSinkhorn]) -> list[Matrix]:
    """The log plans of solvers that share their features."""
    start = solvers[0].init(problem)
    return [log_plan(solver.run(solver.adopt(start))) for solver in solvers]


def log_plan(found: Solution | State) -> Matrix:
    """log pi (n_x, n_y), finite where pi is 0."""
    return np.log(np.maximum(to_host(found.plan), np.finfo(np.float64).tiny))


def averaged(log_plans: Sequence[Matrix]) -> Matrix:
    """The mean of log plans, each row shifted to a maximum of 0."""
    return np.asarray(
        np.mean([np.maximum(plan - plan.max(axis=1, keepdims=True), LOWEST_LOG) for plan in log_plans], axis=0)
    )


def _leave(problem: Problem, start: Matrix, solvers: Sequence[TensorSinkhorn]) -> Matrix:
    """The average of the plans, unchanged."""
    return start


def _again(problem: Problem, start: Matrix, solvers: Sequence[TensorSinkhorn]) -> Matrix:
    """Solve again, several times: every solver continues from the averaged plan, with its final epsilon and lambda."""
    states = [solver.init(problem) for solver in solvers]
    for _ in range(AGAIN_ROUNDS):
        plan = sinkhorn(start, sweeps=200, tolerance=1e-6).plan
        found = []
        for solver, state in zip(solvers, states, strict=True):
            last = replace(solver, iterations=HELD_ITERATIONS)
            state = replace(state, h_plan=state.model.expectation(_like(plan, state.plan)), t=2)
            for _ in range(AGAIN_ITERATIONS):
                state = LsmiSinkhorn.step(last, LsmiSinkhorn.adopt(last, state))
            found.append(log_plan(state))
        start = averaged(found)
    return start


def _like(plan: Matrix, other: Array) -> Array:
    xp = namespace(other)
    return xp.asarray(plan, dtype=other.dtype, device=other.device)


def _regress(problem: Problem, start: Matrix, solvers: Sequence[TensorSinkhorn], lam: float, roots: bool) -> Matrix:
    """Ridge regressions both ways, trained on the surest matches of the plan, then on more and more of their own."""
    return self_trained(problem, start, lam, roots)


def _from_pairs(problem: Problem, start: Matrix, solvers: Sequence[TensorSinkhorn], lam: float) -> Matrix:
    """Ridge regressions both ways, trained on the pairs, then on more and more of their own matches."""
    return self_trained(problem, both_ways(problem, lam), lam)


Finish = Callable[[Problem, Matrix, Sequence[TensorSinkhorn]], Matrix]
FINISHES: dict[str, Finish] = {
    "plan": _leave,
    "plan again": _again,
    **{
        f"regression, lambda {lam}{', roots' if roots else ''}": partial(_regress, lam=lam, roots=roots)
        for lam, roots in RIDGES
    },
    **{f"regression from the pairs, lambda {lam}": partial(_from_pairs, lam=lam) for lam in PAIR_RIDGES},
}
"""The ways to finish, by name."""


@dataclass(frozen=True, eq=False)
class Fold:
    """A problem without some of its pairs, whose samples are the last ones among the unpaired samples of both sides."""

    problem: Problem
    count: int  # how many pairs are held out


def held_out_folds(problem: Problem, seed: int = 0, folds: int = FOLDS) -> list[Fold]:
    """The pairs in equal parts, each held out once, with at most 1000 unpaired samples of each side.

    Equal pairs are held out together: a pair whose copy is fitted would be no test.
    """
    xp, found, few = namespace(problem.x), [], _fewer(problem, seed)
    for groups in parts_of(problem.equal_pairs, folds, seed):
        part = np.concatenate(groups)
        rest = problem.with_pairs(np.setdiff1d(np.arange(problem.n), part))
        x, y = (
            xp.concat([unpaired, pairs[part, :]])
            for unpaired, pairs in ((few.x, problem.x_pairs), (few.y, problem.y_pairs))
        )
        found.append(Fold(Problem(rest.x_pairs, rest.y_pairs, x, y), len(part)))
    return found


def _fewer(problem: Problem, seed: int) -> Problem:
    """The problem with at most 1000 unpaired samples of each side."""
    if max(problem.n_x, problem.n_y) <= SELECTION_SAMPLES:
        return problem
    return problem.with_unpaired(*problem.landmarks(SELECTION_SAMPLES, seed))


def mean_log_ranks(folds: Sequence[Fold], scores: Sequence[Sequence[Matrix]]) -> Matrix:
    """For each candidate the mean of log(1 + strangers above the held-out partner), over rows and columns.

    `scores` holds one list for each fold: the matrices (n_x, n_y) of the candidates.
    """
    ranks = [[_log_rank(each, fold.count) for each in found] for fold, found in zip(folds, scores, strict=True)]
    return np.asarray(np.average(ranks, axis=0, weights=[fold.count for fold in folds]))


def _log_rank(scores: Matrix, count: int) -> float:
    found = []
    for each in (scores, scores.T):
        held_out = each[-count:]
        own = np.diagonal(held_out[:, -count:])[:, None]
        above = (held_out > own).sum(axis=1) + 0.5 * ((held_out == own).sum(axis=1) - 1)
        found.append(np.log1p(above).mean())
    return float(np.mean(found))


def _temperature(folds: Sequence[Fold], scores: Sequence[Matrix]) -> float:
    """The temperature, in standard deviations of the scores, at which held-out partners are most likely."""
    likelihoods = []
    for temperature in TEMPERATURES:
        found = []
        for fold, values in zip(folds, scores, strict=True):
            chances = probabilities(values, temperature * float(values.std()))
            found.append(np.log(np.maximum(np.diagonal(chances[-fold.count :, -fold.count :]), 1e-12)))
        likelihoods.append(float(np.concatenate(found).mean()))
    return float(TEMPERATURES[int(np.argmax(likelihoods))])


PAIR_WEIGHT = 2.0
"""A given pair counts as much as this many matches that were added to the pairs."""

FIRST_SHARE, SHARE_STEP = 0.2, 0.1
"""The share of all matches that is added to the pairs first, and by how much it grows each time, up to all matches."""


def both_ways(problem: Problem, lam: float, roots: bool = False, added: tuple[Rows, Rows] | None = None) -> Matrix:
    """Scores (n_x, n_y): minus the squared errors of both regressions, each divided by its mean.

    The regressions are fitted to the pairs and to the unpaired rows `added` to them, on features of mean 0 and
    variance 1; `lam` is the penalty per sample. With `roots` features are replaced by their signed square roots.

    >>> x = np.linspace(-1.0, 1.0, 21)[:, None]
    >>> scores = both_ways(Problem(x[::5], 3.0 * x[::5], x, 3.0 * x), lam=1e-3)
    >>> bool((scores.argmax(axis=1) == np.arange(21)).all())
    True
    """
    rows, columns = added if added is not None else (np.zeros(0, np.int64), np.zeros(0, np.int64))
    n, x, y = problem.n, standardised(problem.all_x, roots), standardised(problem.all_y, roots)
    x_known, y_known = np.concatenate([x[:n], x[n + rows]]), np.concatenate([y[:n], y[n + columns]])
    weights = np.concatenate([np.full(n, PAIR_WEIGHT), np.ones(len(rows))])
    forward = squared_distances(_predicted(x_known, y_known, weights, lam, x[n:]), y[n:])
    backward = squared_distances(x[n:], _predicted(y_known, x_known, weights, lam, y[n:]))
    return -_relative(forward) - _relative(backward)


def self_trained(problem: Problem, scores: Matrix, lam: float, roots: bool = False) -> Matrix:
    """Scores (n_x, n_y) of regressions that start from other scores: 20 % of the matches first, at last all of them.

    >>> rng = np.random.default_rng(0)
    >>> x, mixing = rng.standard_normal((60, 3)), rng.standard_normal((3, 3))
    >>> problem = Problem(x[:4], x[:4] @ mixing, x[4:], x[4:] @ mixing)
    >>> found = self_trained(problem, both_ways(problem, 1e-2), 1e-2)
    >>> bool((found.argmax(axis=1) == np.arange(56)).mean() > 0.9)
    True
    """
    for share in np.arange(FIRST_SHARE, 1.0 + SHARE_STEP / 2, SHARE_STEP):
        rows, columns, margins = surest(scores)
        kept = np.argsort(-margins, kind="stable")[: max(1, round(share * len(rows)))]
        scores = both_ways(problem, lam, roots, (rows[kept], columns[kept]))
    return scores


def surest(scores: Matrix) -> tuple[Rows, Rows, Matrix]:
    """The one-to-one matching with the largest sum of scores, and by how much each match beats its best rival."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(scores, maximize=True)
    own, rivals = scores[rows, columns], scores.copy()
    rivals[rows, columns] = -np.inf
    margins = own - np.maximum(rivals.max(axis=1)[rows], rivals.max(axis=0)[columns])
    return rows, columns, margins


def standardised(samples: object, roots: bool) -> Matrix:
    """Features of mean 0 and variance 1, or 0 where nothing varies; with `roots` those of their signed square roots."""
    values = to_host(samples)
    values = signed_roots(values) if roots else values
    deviations = values - values.mean(axis=0)
    return np.asarray(deviations / np.maximum(deviations.std(axis=0), 1e-12 * np.abs(values).max() + 1e-300))


def _predicted(x: Matrix, y: Matrix, weights: Matrix, lam: float, new: Matrix) -> Matrix:
    """The ridge regression of y on x at new samples; in the smaller of the two equivalent forms."""
    total = lam * max(weights.sum(), 1.0)
    root = np.sqrt(weights)[:, None]
    x, y = x * root, y * root
    if len(x) < x.shape[1]:
        return np.asarray(new @ (x.T @ np.linalg.solve(x @ x.T + total * np.eye(len(x)), y)))
    return np.asarray(new @ np.linalg.solve(x.T @ x + total * np.eye(x.shape[1]), x.T @ y))


def _relative(distances: Matrix) -> Matrix:
    return distances / max(float(distances.mean()), np.finfo(np.float64).tiny)
