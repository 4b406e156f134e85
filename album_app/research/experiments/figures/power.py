"""Ours: the power of the test of independence next to HSIC and distance correlation, and what unpaired samples add."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.baselines.independence import distance_correlation_p_value, hsic_p_value
from album_app.research.experiments import study
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.solver import LsmiSinkhorn, Problem

PERMUTATIONS, LEVEL = 19, 0.05
PAIRS, QUICK_PAIRS = (20,), (20,)
UNPAIRED = 60
RUNS, QUICK_RUNS = 200, 10
"""Tests of one case; one unit of the experiment makes all of them."""
SOLVER = LsmiSinkhorn(basis=40, lam=1e-2, iterations=5)
WITH, WITHOUT = "SMI, 60 unpaired samples", "SMI, pairs alone"
METHODS = (WITH, WITHOUT, "HSIC", "distance correlation")
CASES = ("independent", "rho = 0.5", "circle", "clusters")

Samples = tuple[NDArray[np.float64], NDArray[np.float64]]


def draw(case: str, count: int, rng: np.random.Generator) -> Samples:
    """Pairs (count, 1) and (count, 1) of a case."""
    x, noise = rng.standard_normal((2, count, 1))
    if case == "circle":
        angle = rng.uniform(0.0, 2.0 * np.pi, (count, 1))
        return np.cos(angle) + 0.1 * x, np.sin(angle) + 0.1 * noise
    if case == "clusters":  # on the corners of a square, each coordinate independent of which corner but one
        corner = rng.integers(0, 4, (count, 1))
        return (corner % 2) + 0.3 * x, np.where(corner == 3, 1.0, corner // 2 - 0.5 * (corner % 2)) + 0.3 * noise
    rho = 0.5 if case == "rho = 0.5" else 0.0
    return x, rho * x + sqrt(1.0 - rho**2) * noise


def settings(request: Request) -> dict[str, Any]:
    return {
        "tests": f"{PERMUTATIONS} permutations of the pairs, alarm at p <= {LEVEL}",
        WITH: f"{SOLVER}, n_x = n_y = {UNPAIRED} of other pairs",
        WITHOUT: "the same solver; the unpaired samples are those of the pairs, torn apart",
        "runs of a case": QUICK_RUNS if request.quick else RUNS,
    }


def units(request: Request) -> list[Unit]:
    return request.seed_units(case=CASES, n=QUICK_PAIRS if request.quick else PAIRS)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    case, n, seed = str(unit["case"]), int(unit["n"]), int(unit["seed"])
    runs = QUICK_RUNS if request.quick else RUNS
    alarms: dict[str, list[bool]] = {method: [] for method in METHODS}
    for run in range(runs):
        rng = np.random.default_rng([seed, CASES.index(case), n, run])
        x, y = draw(case, n, rng)
        free_x, free_y = draw(case, UNPAIRED, rng)[0], draw(case, UNPAIRED, rng)[1]
        found = {
            WITH: smi_p_value(Problem(x, y, free_x, free_y), run),
            WITHOUT: smi_p_value(Problem(x, y, x, y), run),
            "HSIC": hsic_p_value(x, y, permutations=PERMUTATIONS, seed=run),
            "distance correlation": distance_correlation_p_value(x, y, permutations=PERMUTATIONS, seed=run),
        }
        for method, p_value in found.items():
            alarms[method].append(p_value <= LEVEL)
    return [{"method": method, "power": float(np.mean(each)), "runs": runs} for method, each in alarms.items()]


def smi_p_value(problem: Problem, seed: int) -> float:
    """The p-value of `infer`, without its interval and bound."""
    rng, own = np.random.default_rng(seed), SOLVER.solve(problem).smi
    shuffled = (replace(problem, y_pairs=problem.y_pairs[rng.permutation(problem.n)]) for _ in range(PERMUTATIONS))
    return (1 + sum(SOLVER.solve(each).smi >= own for each in shuffled)) / (1 + PERMUTATIONS)


def claims(rows: Sequence[Row]) -> list[Claim]:
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


def plot(rows: Sequence[Row], figure: Any) -> None:
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


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """Shares of alarms by case and method."""
    short = {WITH: "with", WITHOUT: "without", "HSIC": "hsic", "distance correlation": "dcor"}
    keys = {"independent": "none", "rho = 0.5": "rho", "circle": "circle", "clusters": "clusters"}
    found = {
        f"{key}_{short[method]}": f"{_power(rows, case, PAIRS[0], method):.2f}"
        for case, key in keys.items()
        for method in METHODS
    }
    helped = [claim for claim in claims(rows) if claim.peer == WITHOUT]
    more = sum(claim.holds is True for claim in helped)
    fewer = sum(claim.holds is False for claim in helped)
    return {**found, "helped": str(more), "harmed": str(fewer), "cases": str(len(helped))}


EXPERIMENTS = [
    Experiment(
        name="power",
        what="Ours: how often tests of independence find dependence: SMI, HSIC, distance correlation, 200 runs a case.",
        takes="10 minutes",
        needs="nothing",
        seeds=1,
        first_seed=70,
        settings=settings,
        quoted=quoted,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Share of alarms", ["case", "n", "method"], ["power", "runs"])],
    )
]
