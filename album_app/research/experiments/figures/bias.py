"""Ours: how far estimates of SMI are from the truth on Gaussian data, over correlations and numbers of pairs.

One feature of correlation rho on each side has the SMI rho^2 / (2 (1 - rho^2)), see `gaussian`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from album_app.research.experiments import study
from album_app.research.experiments.figures.estimators import EPSILON, validation
from album_app.research.experiments.figures.gaussian import UNPAIRED, problem_of, true_smi
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.solver import LsmiSinkhorn, TensorSinkhorn, select
from album_app.solver.inference import lower_bound

CORRELATIONS, PAIRS = (0.0, 0.5, 0.8), (10, 50, 200)
QUICK = ((0.0, 0.8), (10,))
DEFAULT, SELECTED, TENSOR = "default", "selected", "tensor"
BOUND, SELECTED_BOUND = "bound", "bound, selected"
ESTIMATORS = (DEFAULT, SELECTED, TENSOR, BOUND, SELECTED_BOUND)
TENSOR_SOLVER = TensorSinkhorn(width=1.0, epsilon=0.3, lam=1e-2, beta=0.5)
"""Regularised like the default of the paper's model; the settings for matching would fit noise."""


def settings(request: Request) -> dict[str, Any]:
    return {
        "data": f"jointly Gaussian, one feature each of correlation rho, n_x = n_y = {UNPAIRED} of other pairs",
        DEFAULT: LsmiSinkhorn(),
        SELECTED: f"{LsmiSinkhorn(epsilon=EPSILON)}, except lam and beta, by {validation(request)}",
        TENSOR: TENSOR_SOLVER,
        BOUND: "the cross-fitted lower bound, 5 folds, at the default settings, and at the selected ones",
    }


def units(request: Request) -> list[Unit]:
    correlations, pairs = QUICK if request.quick else (CORRELATIONS, PAIRS)
    return request.seed_units(rho=correlations, n=pairs)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    rho, seed = float(unit["rho"]), int(unit["seed"])
    problem, truth = problem_of(f"1 {rho}", int(unit["n"]), seed), true_smi(1, rho)
    selected = select(problem, LsmiSinkhorn(epsilon=EPSILON), **validation(request)).solver
    found = {
        DEFAULT: LsmiSinkhorn().solve(problem).smi,
        SELECTED: selected.solve(problem).smi,
        TENSOR: TENSOR_SOLVER.solve(problem).smi,
        BOUND: lower_bound(problem, LsmiSinkhorn().solve, seed=seed),
        SELECTED_BOUND: lower_bound(problem, selected.solve, seed=seed),
    }
    return [{"estimator": name, "smi": value, "truth": truth, "bias": value - truth} for name, value in found.items()]


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for estimator in ESTIMATORS:
        for rho, n in dict.fromkeys((float(row["rho"]), int(row["n"])) for row in rows):
            here = study.agreeing(rows, {"rho": rho, "n": n, "estimator": estimator})
            verdict = study.paired([-value for value in study.numbers(here, "bias")])
            text, case = "the estimate is below the true SMI on average", f"{estimator}, rho = {rho}"
            measured = f"{study.average(here, 'smi'):.3f} of {true_smi(1, rho):.3f}: {verdict}"
            found.append(Claim(text, measured, verdict.holds, case=case, scope=f"n = {n}"))
    return found


def plot(rows: Sequence[Row], figure: Any) -> None:
    correlations = list(dict.fromkeys(float(row["rho"]) for row in rows))
    pairs = sorted({int(row["n"]) for row in rows})
    figure.set_size_inches(11, 3.6)
    for axes, rho in zip(np.ravel(figure.subplots(1, len(correlations))), correlations, strict=True):
        for place, estimator in enumerate(ESTIMATORS):
            here = [
                study.numbers(study.agreeing(rows, {"rho": rho, "n": n, "estimator": estimator}), "bias") for n in pairs
            ]
            means = [np.mean(each) for each in here]
            errors = [np.std(each) / np.sqrt(len(each)) for each in here]
            shifted = np.arange(len(pairs)) + 0.08 * (place - 2)
            axes.errorbar(shifted, means, errors, marker="o", markersize=3, label=estimator)
        axes.axhline(0.0, color="black", linewidth=0.8)
        axes.set(title=f"rho = {rho}, true SMI {true_smi(1, rho):.3f}", xlabel="pairs n", ylabel="bias")
        axes.set_xticks(range(len(pairs)), [str(n) for n in pairs])
        axes.grid(alpha=0.3)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=8)


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """Mean estimates by estimator, rho and n."""
    short = {DEFAULT: "default", SELECTED: "selected", TENSOR: "tensor", BOUND: "bound", SELECTED_BOUND: "bound2"}
    found = {"runs": str(len({row["seed"] for row in rows}))}
    for estimator, key in short.items():
        for rho, n in dict.fromkeys((float(row["rho"]), int(row["n"])) for row in rows):
            mean = study.average(rows, "smi", estimator=estimator, rho=rho, n=n)
            found[f"{key}_rho{round(10 * rho)}_n{n}"] = f"{mean:.2f}"
            found[f"truth_rho{round(10 * rho)}"] = f"{true_smi(1, rho):.2f}"
    return found


EXPERIMENTS = [
    Experiment(
        name="bias",
        what="Ours: the bias of SMI by the default, the selected, the tensor model and the cross-fitted lower bound.",
        takes="4 minutes",
        needs="nothing",
        seeds=8,
        quick_seeds=2,
        first_seed=50,
        settings=settings,
        quoted=quoted,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("SMI and its bias", ["rho", "truth", "n", "estimator"], ["smi", "bias"])],
    )
]
