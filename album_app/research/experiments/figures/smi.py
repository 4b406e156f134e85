"""SMI on the paper's synthetic data: LSMI-Sinkhorn, LSMI, LSMI (opt), Gromov-SMI and the truth, LSMI (full)."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from statistics import fmean
from typing import Any

from album_app.baselines import Estimate, gromov_plan
from album_app.baselines.dependence import Matrix
from album_app.research.experiments import study
from album_app.research.experiments.figures import estimators
from album_app.research.experiments.figures.estimators import EPSILONS, Case
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Unit
from album_app.research.experiments.synthetic_data import (
    DATA_SETS,
    DIMENSION,
    MOST_PAIRS,
    semi_supervised,
    synthetic_pairs,
)
from album_app.solver import Problem

NEAR_ZERO = 0.15
"""Estimates on independent data below this count as near zero."""
DEPENDENT = [name for name in DATA_SETS if name != "random"]
PAIRS = tuple(range(10, MOST_PAIRS + 1, 10))
QUICK_PAIRS = (50,)
TRUTH_PAIRS, QUICK_TRUTH_PAIRS = 10_000, 2000
QUICK_SHARE = 0.6
"""The size of a quick run, as a share of the full one."""
AUTHORS = {
    "random": (0.01, 0.18, 10),
    "linear": (2.56, 2.14, 6),
    "nonlinear": (2.35, 1.97, 6),
    "pca": (2.23, 1.57, 6),
}
"""Results of the authors' code at n = 50: its LSMI (full), the mean of its LSMI-Sinkhorn, and their number of seeds."""


@cache
def truth_of(pairs: int, name: str, yardstick: str) -> Estimate:
    return estimators.full_by(yardstick, *synthetic_pairs(name, pairs, 0))


@lru_cache(maxsize=1)
def _gromov(name: str, n_x: int, n_y: int, seed: int) -> Matrix:
    return gromov_plan(semi_supervised(name, 0, n_x, n_y, seed))


def _problem(sizes: tuple[int, int], name: str, n: int, seed: int) -> Problem:
    return semi_supervised(name, n, *sizes, seed)


def _plan(sizes: tuple[int, int], name: str, n: int, seed: int) -> Matrix:
    """The Gromov-Wasserstein plan, which all n share because it does not depend on the pairs."""
    return _gromov(name, *sizes, seed)


def _units(more: Sequence[str], request: Request) -> list[Unit]:
    pairs = QUICK_PAIRS if request.quick else PAIRS
    return estimators.with_methods(request.seed_units(data=DATA_SETS, n=pairs), more, estimators.SHOWN_PAIRS)


def claims(statement: str, rows: Sequence[Row]) -> list[Claim]:
    """Claims: near zero on independent data; elsewhere nearest to the truth, and nearer with more pairs."""
    near = estimators.nearness_claims(rows, DEPENDENT, statement)
    near += [_small_gromov(name, rows) for name in DEPENDENT]
    near += estimators.near_truth_claims(rows, DEPENDENT, "near when n increases")
    return [_near_zero(rows), *near, *estimators.more_pairs_claims(rows, DEPENDENT, "near when n increases")]


def unequal_claims(experiments: Mapping[str, Sequence[Row]]) -> list[Claim]:
    """Whether Gromov-SMI is farther from the truth with n_x = 1000, n_y = 500 than with 500 each, run by run."""
    if not {"synthetic", "synthetic-unequal"} <= set(experiments):
        return []
    equal, unequal, found = experiments["synthetic"], experiments["synthetic-unequal"], []
    for name in DEPENDENT:
        rows = [
            {**row, "sizes": sizes}
            for sizes, each in (("equal", equal), ("unequal", unequal))
            for row in study.agreeing(estimators.with_errors(each), {"data": name, "method": "Gromov-SMI"})
        ]
        means = [study.average(rows, "error", sizes=sizes) for sizes in ("equal", "unequal")]
        verdict = study.lower_by_seed(rows, "error", "equal", "unequal", by="sizes")
        text = "Gromov-SMI is farther from LSMI (full) with n_x = 1000, n_y = 500 than with 500 each"
        measured = f"off by {means[1]:.2f} and {means[0]:.2f}: farther by {verdict}"
        found.append(Claim(text, measured, verdict.holds, "Gromov-SMI is worse with unequal numbers", case=name))
    return found


def _small_gromov(name: str, rows: Sequence[Row]) -> Claim:
    truth = study.average(rows, "smi", data=name, method=estimators.TRUTH)
    gromov = study.agreeing(rows, {"data": name, "method": "Gromov-SMI"})
    verdict = study.below(gromov, "smi", truth)
    text = "Gromov-SMI is below LSMI (full)"
    measured = f"{study.spread(study.numbers(gromov, 'smi'), estimators.SHORT)} of {truth:.2f}: below by {verdict}"
    return Claim(text, measured, verdict.holds, "Gromov-SMI is small", case=name, scope="all n")


def _near_zero(rows: Sequence[Row]) -> Claim:
    ours = study.agreeing(rows, {"data": "random", "method": estimators.OURS})
    found, verdict = study.numbers(ours, "smi"), study.below(ours, "smi", NEAR_ZERO)
    above = sum(smi > NEAR_ZERO for smi in found)
    text = f"LSMI-Sinkhorn is near zero (below {NEAR_ZERO})"
    measured = (
        f"{study.spread(found, estimators.SHORT)}: below by {verdict};"
        f" {above} of {len(found)} runs above, the largest {max(found, default=0.0):.2f}"
    )
    return Claim(text, measured, verdict.holds, "small on random data", case="random", scope="all n")


def claims_against_the_authors(rows: Sequence[Row]) -> list[Claim]:
    """The claims, and comparisons with the authors' code on data of equal size."""
    compared = [
        _against_the_authors(name, method, rows)
        for name in DATA_SETS
        for method in (estimators.OURS, estimators.SELECTED)
    ]
    return claims("nearest on synthetic data", rows) + compared


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """Which method comes nearest, the effect of more pairs, and comparisons with the authors' code."""
    more = {claim.case: claim.holds for claim in estimators.more_pairs_claims(rows, DEPENDENT, "")}
    against = {
        method: {name: _against_the_authors(name, method, rows).holds for name in DATA_SETS}
        for method in (estimators.OURS, estimators.SELECTED)
    }
    curves = {
        f"{name}_{n}": f"{study.average(rows, 'smi', data=name, n=n, method=estimators.OURS):.2f}"
        for name in DEPENDENT
        for n in estimators.SHOWN_PAIRS
    }
    return {
        **estimators.nearness_quoted(rows, DEPENDENT),
        **curves,
        "more_pairs": study.sorted_out(more, "nearer on", "a tie on", "farther off on"),
        "authors": study.sorted_out(against[estimators.OURS], "nearer on", "a tie on", "not nearer on"),
        "authors_selected": study.sorted_out(against[estimators.SELECTED], "nearer on", "a tie on", "not nearer on"),
    }


def _against_the_authors(name: str, method: str, rows: Sequence[Row]) -> Claim:
    rows = study.agreeing(rows, {"data": name, "n": 50})
    truth, smi = (
        study.average(rows, "smi", method=estimators.TRUTH),
        study.numbers(study.agreeing(rows, {"method": method}), "smi"),
    )
    their_truth, theirs, runs = AUTHORS[name]
    off, their_off = abs(fmean(smi) - truth) if smi else float("nan"), abs(theirs - their_truth)
    verdict = study.against_a_mean(smi, their_off - off, runs)
    text = f"the mean of {method} is nearer to LSMI (full) than the authors' code"
    measured = (
        f"{study.spread(smi, estimators.SHORT)} of {truth:.2f}: off by {off:.2f};"
        f" the authors' {theirs} of {their_truth} ({runs} seeds): off by {their_off:.2f}; nearer by {verdict}"
    )
    return Claim(text, measured, verdict.holds, case=name, scope="n = 50")


def _experiment(
    name: str,
    sizes: tuple[int, int],
    figure: str,
    more: Sequence[str],
    claims: Callable[[Sequence[Row]], list[Claim]],
    seeds: int = 10,
) -> Experiment:
    unpaired = "n_x = {}, n_y = {}"
    data_sets = "random, linear, nonlinear and PCA data"

    def scaled(request: Request) -> tuple[int, int, int]:
        n_x, n_y = (int(size * (QUICK_SHARE if request.quick else 1)) for size in sizes)
        return n_x, n_y, QUICK_TRUTH_PAIRS if request.quick else TRUTH_PAIRS

    def settings(request: Request) -> dict[str, Any]:
        n_x, n_y, pairs = scaled(request)
        data = f"{DIMENSION} features of x and of y (PCA: {2 * DIMENSION} to {DIMENSION}), {unpaired.format(n_x, n_y)}"
        candidates = {
            estimators.SELECTED: f"epsilon cross-validated over {EPSILONS} too, at n = {estimators.SHOWN_PAIRS}"
        }
        full = {"pairs of LSMI (full)": f"{pairs} others"}
        return {
            "data": data,
            **full,
            **estimators.method_settings(request),
            **(candidates if estimators.SELECTED in more else {}),
        }

    def measured(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
        n_x, n_y, pairs = scaled(request)
        made = partial(_problem, (n_x, n_y)), partial(truth_of, pairs), partial(_plan, (n_x, n_y))
        case = Case(str(unit["data"]), int(unit["n"]), int(unit["seed"]), *made)
        return [estimators.measure(case, str(unit["method"]), request)]

    return Experiment(
        name=name,
        what=f"SMI on {data_sets}, n = 10..100, {unpaired.format(*sizes)} (the paper's {figure}).",
        takes="1 to 2 hours",
        needs="nothing",
        seeds=seeds,
        first_seed=study.UNSEEN,
        settings=settings,
        quoted=quoted,
        units=partial(_units, more),
        measure=measured,
        claims=claims,
        across=unequal_claims if sizes[0] != sizes[1] else lambda rows: [],
        plot=estimators.plot_estimates,
        tables=estimators.smi_tables(),
    )


EXPERIMENTS = [
    _experiment("synthetic", (500, 500), "Fig. 3", [estimators.SELECTED], claims_against_the_authors),
    _experiment("synthetic-unequal", (1000, 500), "Fig. 5", [], partial(claims, "best with unequal numbers"), seeds=9),
]
