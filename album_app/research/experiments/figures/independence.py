"""The test of independence: SMI compared with that of shuffled pairs, and how often the test finds dependence.

No estimate of SMI is below 0, so independent data give a positive one, too. The second experiment compares the power of
the test with that of HSIC and of distance correlation, and asks whether unpaired samples add to it.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.baselines.dependence import distance_correlation_p_value, hsic_p_value
from album_app.research.experiments import study
from album_app.research.experiments.figures.estimators import EPSILON, validation
from album_app.research.experiments.figures.gaussian import UNPAIRED, problem_of, true_smi
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.solver import LsmiSinkhorn, Problem, select
from album_app.solver.inference import infer

CORRELATIONS, PAIRS = (0.0, 0.5, 0.8), (10, 50)
QUICK = ((0.0, 0.8), (50,))
PERMUTATIONS, QUICK_PERMUTATIONS = 39, 9
LEVEL = 0.05
"""The test raises an alarm at a p-value of at most this."""


def settings(request: Request) -> dict[str, Any]:
    return {
        "data": f"jointly Gaussian, one feature each of correlation rho, n_x = n_y = {UNPAIRED} of other pairs",
        "solver": f"{LsmiSinkhorn(epsilon=EPSILON)}, except lam and beta",
        "lam and beta": f"cross-validated on the pairs as they are: {validation(request)}",
        "by chance": f"the mean SMI of {_permutations(request)} problems whose pairs are shuffled; p from the same",
    }


def _permutations(request: Request) -> int:
    return QUICK_PERMUTATIONS if request.quick else PERMUTATIONS


def units(request: Request) -> list[Unit]:
    correlations, pairs = QUICK if request.quick else (CORRELATIONS, PAIRS)
    return request.seed_units(rho=correlations, n=pairs)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    rho, seed = float(unit["rho"]), int(unit["seed"])
    problem = problem_of(f"1 {rho}", int(unit["n"]), seed)
    solver = select(problem, LsmiSinkhorn(epsilon=EPSILON), **validation(request)).solver
    found = infer(problem, solver.solve, resamples=2, permutations=_permutations(request), seed=seed)
    above = {"by chance": found.chance, "above chance": found.smi - found.chance}
    alarm = int(found.p_value <= LEVEL)
    return [{"smi": found.smi, **above, "truth": true_smi(1, rho), "p": found.p_value, "alarm": alarm}]


def claims(rows: Sequence[Row]) -> list[Claim]:
    cases = dict.fromkeys((float(row["rho"]), int(row["n"])) for row in rows)
    return [_told_apart(rho, n, study.agreeing(rows, {"rho": rho, "n": n})) for rho, n in cases]


def _told_apart(rho: float, n: int, rows: Sequence[Row]) -> Claim:
    verdict = study.paired(study.numbers(rows, "above chance"))
    smi, chance = study.average(rows, "smi"), study.average(rows, "by chance")
    means = f"SMI {smi:.3f}, by chance {chance:.3f}, truth {true_smi(1, rho):.3f}"
    alarms = f"p at most {LEVEL} in {sum(study.numbers(rows, 'alarm')):.0f} of {len(rows)} runs"
    text, measured = "SMI is more than shuffled pairs give", f"{means}: more by {verdict}; {alarms}"
    return Claim(text, measured, verdict.holds, case=f"rho = {rho}", scope=f"n = {n}")


def plot(rows: Sequence[Row], figure: Any) -> None:
    correlations = list(dict.fromkeys(float(row["rho"]) for row in rows))
    for axes, rho in zip(np.ravel(figure.subplots(1, len(correlations))), correlations, strict=True):
        here = study.agreeing(rows, {"rho": rho})
        for column in ("smi", "by chance", "above chance"):
            study.curve(axes, here, column, "n", column)
        axes.axhline(true_smi(1, rho), color="tab:purple", linewidth=1, label="the true SMI")
        axes.set(title=f"rho = {rho}", xlabel="pairs n", ylabel="SMI", xticks=sorted({int(row["n"]) for row in rows}))
        axes.grid(alpha=0.3)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=8)


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """Means with ten pairs of independent data, and how often the test raises an alarm."""
    none, strong = (study.agreeing(rows, {"rho": rho}) for rho in (0.0, 0.8))
    return {
        "smi": f"{study.average(none, 'smi', n=10):.2f}",
        "chance": f"{study.average(none, 'by chance', n=10):.2f}",
        "alarms": f"{sum(study.numbers(none, 'alarm')):.0f} of {len(none)}",
        "strong_alarms": f"{sum(study.numbers(strong, 'alarm')):.0f} of {len(strong)}",
    }


SHUFFLES = 19
"""Shuffled pairings per test of the power study; with 19 of them the smallest possible p-value is `LEVEL`."""
POWER_PAIRS, POWER_UNPAIRED = 20, 60
"""Pairs and unpaired samples of each side in a test of the power study."""
RUNS, QUICK_RUNS = 200, 10
"""Tests per case and method; one unit of the experiment runs all of them."""
SOLVER = LsmiSinkhorn(basis=40, lam=1e-2, iterations=5)
WITH, WITHOUT = "SMI, 60 unpaired samples", "SMI, pairs alone"
METHODS = (WITH, WITHOUT, "HSIC", "distance correlation")
CASES = ("independent", "rho = 0.5", "circle", "clusters")

Samples = tuple[NDArray[np.float64], NDArray[np.float64]]


def draw(case: str, count: int, rng: np.random.Generator) -> Samples:
    """Draw `count` pairs of a case: x (count, 1) and y (count, 1)."""
    x, noise = rng.standard_normal((2, count, 1))
    if case == "circle":
        angle = rng.uniform(0.0, 2.0 * np.pi, (count, 1))
        return np.cos(angle) + 0.1 * x, np.sin(angle) + 0.1 * noise
    if case == "clusters":  # at the corners of a square, one of which is shifted down: y depends on x
        corner = rng.integers(0, 4, (count, 1))
        return (corner % 2) + 0.3 * x, np.where(corner == 3, 1.0, corner // 2 - 0.5 * (corner % 2)) + 0.3 * noise
    rho = 0.5 if case == "rho = 0.5" else 0.0
    return x, rho * x + sqrt(1.0 - rho**2) * noise


def power_settings(request: Request) -> dict[str, Any]:
    return {
        "tests": f"{SHUFFLES} permutations of the pairs, alarm at p <= {LEVEL}",
        WITH: f"{SOLVER}, n_x = n_y = {POWER_UNPAIRED} of other pairs",
        WITHOUT: "the same solver; the unpaired samples are those of the pairs, torn apart",
        "runs of a case": QUICK_RUNS if request.quick else RUNS,
    }


def power_units(request: Request) -> list[Unit]:
    return request.seed_units(case=CASES, n=(POWER_PAIRS,))


def measure_power(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    case, n, seed = str(unit["case"]), int(unit["n"]), int(unit["seed"])
    runs = QUICK_RUNS if request.quick else RUNS
    alarms: dict[str, list[bool]] = {method: [] for method in METHODS}
    for run in range(runs):
        rng = np.random.default_rng([seed, CASES.index(case), n, run])
        x, y = draw(case, n, rng)
        free_x, free_y = draw(case, POWER_UNPAIRED, rng)[0], draw(case, POWER_UNPAIRED, rng)[1]
        found = {
            WITH: smi_p_value(Problem(x, y, free_x, free_y), run),
            WITHOUT: smi_p_value(Problem(x, y, x, y), run),
            "HSIC": hsic_p_value(x, y, permutations=SHUFFLES, seed=run),
            "distance correlation": distance_correlation_p_value(x, y, permutations=SHUFFLES, seed=run),
        }
        for method, p_value in found.items():
            alarms[method].append(p_value <= LEVEL)
    return [{"method": method, "power": float(np.mean(each)), "runs": runs} for method, each in alarms.items()]


def smi_p_value(problem: Problem, seed: int) -> float:
    """The p-value of `infer`, without its interval and bound."""
    rng, own = np.random.default_rng(seed), SOLVER.solve(problem).smi
    shuffled = (replace(problem, y_pairs=problem.y_pairs[rng.permutation(problem.n)]) for _ in range(SHUFFLES))
    return (1 + sum(SOLVER.solve(each).smi >= own for each in shuffled)) / (1 + SHUFFLES)


def power_claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for case, n in dict.fromkeys((str(row["case"]), int(row["n"])) for row in rows):
        power = {method: _power(rows, case, n, method) for method in METHODS}
        runs = sum(study.numbers(study.agreeing(rows, {"case": case, "n": n, "method": WITH}), "runs"))
        for peer in METHODS[1:]:
            if case == "independent":
                continue
            error = sqrt(sum(power[each] * (1.0 - power[each]) for each in (WITH, peer)) / runs)
            apart = power[WITH] - power[peer]
            holds = None if abs(apart) < 2.0 * error else apart > 0.0
            text = f"the test with unpaired samples finds dependence more often than {peer}"
            measured = f"{power[WITH]:.2f} and {power[peer]:.2f} of {runs:.0f} runs"
            found.append(Claim(text, measured, holds, case=case, scope=f"n = {n}", peer=peer))
    return found


def _power(rows: Sequence[Row], case: str, n: int, method: str) -> float:
    return float(
        np.mean(study.numbers(study.agreeing(rows, {"case": case, "n": n, "method": method}), "power") or [np.nan])
    )


def plot_power(rows: Sequence[Row], figure: Any) -> None:
    cases = list(dict.fromkeys((str(row["case"]), int(row["n"])) for row in rows))
    axes = figure.subplots()
    figure.set_size_inches(9, 3.6)
    for place, method in enumerate(METHODS):
        heights = [_power(rows, case, n, method) for case, n in cases]
        axes.bar(np.arange(len(cases)) + 0.2 * (place - 1.5), heights, 0.2, label=method)
    axes.axhline(LEVEL, color="black", linewidth=0.8, linestyle=":")
    axes.set(ylabel="share of alarms", ylim=(0, 1), xticks=range(len(cases)))
    axes.set_xticklabels([f"{case}\nn = {n}" for case, n in cases])
    axes.legend(fontsize=8)


def power_quoted(rows: Sequence[Row]) -> dict[str, str]:
    """Shares of alarms by case and method."""
    short = {WITH: "with", WITHOUT: "without", "HSIC": "hsic", "distance correlation": "dcor"}
    keys = {"independent": "none", "rho = 0.5": "rho", "circle": "circle", "clusters": "clusters"}
    found = {
        f"{key}_{short[method]}": f"{_power(rows, case, POWER_PAIRS, method):.2f}"
        for case, key in keys.items()
        for method in METHODS
    }
    helped = [claim for claim in power_claims(rows) if claim.peer == WITHOUT]
    more = sum(claim.holds is True for claim in helped)
    fewer = sum(claim.holds is False for claim in helped)
    return {**found, "helped": str(more), "harmed": str(fewer), "cases": str(len(helped))}


EXPERIMENTS = [
    Experiment(
        name="independence",
        what="Ours: SMI of independent and of dependent data, what shuffled pairs give, and the test on it.",
        takes="2 minutes",
        needs="nothing",
        seeds=10,
        quick_seeds=3,
        settings=settings,
        quoted=quoted,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[
            Table(
                "SMI, and what chance gives", ["rho", "truth", "n"], ["smi", "by chance", "above chance", "p", "alarm"]
            )
        ],
    ),
    Experiment(
        name="power",
        what="Ours: how often tests of independence find dependence: SMI, HSIC, distance correlation, 200 runs a case.",
        takes="10 minutes",
        needs="nothing",
        seeds=1,
        first_seed=70,
        settings=power_settings,
        quoted=power_quoted,
        units=power_units,
        measure=measure_power,
        claims=power_claims,
        plot=plot_power,
        tables=[Table("Share of alarms", ["case", "n", "method"], ["power", "runs"])],
    ),
]
