"""SMI on the paper's synthetic data: LSMI-Sinkhorn beside LSMI, LSMI (opt), Gromov-SMI and the truth, LSMI (full)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from album_app.baselines import Estimate, gromov_smi, lsmi, lsmi_full, lsmi_opt
from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, average
from album_app.experiments.synthetic import DATA_SETS, semi_supervised, synthetic_pairs
from album_app.solver import Problem
from album_app.solver.selection import BETAS, LAMBDAS, select

METHODS = ("LSMI (full)", "LSMI", "LSMI (opt)", "Gromov-SMI", "LSMI-Sinkhorn")
"""The paper's methods, the truth first and its own last."""
COUPLED = "LSMI, coupled basis"
"""LSMI with the basis of LSMI-Sinkhorn, half pairs and half strangers: how much of the gain the basis alone brings."""
PAIRS = tuple(range(10, 101, 10))
QUICK_PAIRS = (50,)
TRUTH_PAIRS = 10_000
AUTHORS = {"random": (0.01, 0.53), "linear": (2.56, 2.30), "nonlinear": (2.35, 1.81), "pca": (2.23, 1.70)}
"""What the authors' code reaches at n = 50: its LSMI (full), its LSMI-Sinkhorn."""


def estimates(problem: Problem, full: Estimate, seed: int, quick: bool) -> list[Row]:
    """The SMI by each method, as rows; `full` is the truth."""
    selected = select(problem, lams=LAMBDAS[1:] if quick else LAMBDAS, betas=BETAS[:2] if quick else BETAS)
    return [
        {"method": "LSMI (full)", "smi": full.smi, "lam": full.lam},
        {"method": "LSMI", "smi": lsmi(problem, seed=seed).smi},
        {"method": "LSMI (opt)", "smi": lsmi_opt(problem, full=full, seed=seed).smi},
        {"method": COUPLED, "smi": lsmi(problem, seed=seed, coupled=True).smi},
        {"method": "Gromov-SMI", "smi": gromov_smi(problem, seed=seed).smi},
        {
            "method": "LSMI-Sinkhorn",
            "smi": selected.solver.solve(problem).smi,
            "lam": selected.solver.lam,
            "beta": selected.solver.beta,
        },
    ]


def smi_settings(unpaired: str) -> dict[str, Any]:
    return {
        "unpaired": unpaired,
        "b": 200,
        "epsilon": 0.3,
        "T": 20,
        "lambda": f"cross-validated over {LAMBDAS}",
        "beta": f"cross-validated over {BETAS}",
        "Gromov-Wasserstein": "squared loss, epsilon 0.005, 20 iterations",
    }


def smi_table() -> Table:
    return Table("SMI", ["data", "n", "method"], ["smi"])


def plot_estimates(rows: Sequence[Row], figure: Any) -> None:
    """One panel a data set, SMI over the number of pairs, one line a method."""
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    for axes, name in zip(np.ravel(figure.subplots(1, len(names))), names, strict=True):
        here = sorted({int(row["n"]) for row in rows if row["data"] == name})
        for method in (*METHODS, COUPLED):
            values = [average(rows, "smi", data=name, n=n, method=method) for n in here]
            axes.plot(here, values, marker="o", ms=3, ls="--" if method in (METHODS[0], COUPLED) else "-", label=method)
        axes.set(title=name, xlabel="pairs n")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
    axes.legend(fontsize=7)


@cache
def _truth(name: str) -> Estimate:
    return lsmi_full(*synthetic_pairs(name, TRUTH_PAIRS, 0))


def _measure(n_x: int, n_y: int, unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    name, seed = str(unit["data"]), int(unit["seed"])
    problem = semi_supervised(name, int(unit["n"]), n_x, n_y, seed)
    return estimates(problem, _truth(name), seed, request.quick)


def units(request: Request) -> list[Unit]:
    return request.seed_units(data=DATA_SETS, n=QUICK_PAIRS if request.quick else PAIRS)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Nearest to the truth where there is dependence, near zero where there is none, beside the authors' code."""
    found = []
    for name in DATA_SETS:
        many = [row for row in rows if row["data"] == name and int(row["n"]) >= 50]
        values = {method: average(many, "smi", method=method) for method in METHODS}
        listed = ", ".join(f"{method} {value:.2f}" for method, value in values.items())
        ours, truth = values["LSMI-Sinkhorn"], values["LSMI (full)"]
        if name == "random":
            found.append(Claim("random: near zero for n >= 50", listed, ours < 0.15))
        else:
            peers = [abs(values[method] - truth) for method in METHODS[1:-1]]
            text = f"{name}: nearest to LSMI (full) for n >= 50"
            found.append(Claim(text, listed, abs(ours - truth) <= min(peers)))
        found.append(_beside_the_authors(name, rows))
    return found


def _beside_the_authors(name: str, rows: Sequence[Row]) -> Claim:
    ours, truth = (average(rows, "smi", data=name, n=50, method=method) for method in (METHODS[-1], METHODS[0]))
    their_truth, theirs = AUTHORS[name]
    text = f"{name}, n = 50: as near to LSMI (full) as the authors' code"
    measured = f"{ours:.2f} of {truth:.2f}; the authors' {theirs} of {their_truth}"
    return Claim(text, measured, abs(ours - truth) <= abs(theirs - their_truth))


def _experiment(name: str, n_x: int, n_y: int, figure: str, measure: Callable[..., list[Row]]) -> Experiment:
    return Experiment(
        name=name,
        what=f"SMI on random, linear, nonlinear and PCA data, n = 10..100, n_x = {n_x}, n_y = {n_y} ({figure}).",
        takes="2 to 3 hours with 20 seeds",
        needs="nothing",
        seeds=20,
        settings=lambda request: smi_settings(f"n_x = {n_x}, n_y = {n_y}"),
        units=units,
        measure=measure,
        claims=claims,
        plot=plot_estimates,
        tables=[smi_table()],
    )


EXPERIMENTS = [
    _experiment("synthetic", 500, 500, "the paper's Fig. 3", partial(_measure, 500, 500)),
    _experiment("synthetic-unequal", 1000, 500, "the paper's Fig. 5", partial(_measure, 1000, 500)),
]
