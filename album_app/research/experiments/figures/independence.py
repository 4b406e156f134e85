"""SMI of independent data: the estimate compared with that of shuffled pairs, and the test of independence."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from album_app.research.experiments import study
from album_app.research.experiments.figures.estimators import EPSILON, validation
from album_app.research.experiments.figures.gaussian import UNPAIRED, problem_of, true_smi
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.solver import LsmiSinkhorn, select
from album_app.solver.inference import infer

CORRELATIONS, PAIRS = (0.0, 0.5, 0.8), (10, 50)
QUICK = ((0.0, 0.8), (50,))
PERMUTATIONS, QUICK_PERMUTATIONS = 39, 9
LEVEL = 0.05
"""A run raises an alarm at a p-value up to this."""


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
    )
]
