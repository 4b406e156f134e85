"""LSMI (full), the paper's ground truth: what it is on the paper's own data depends on lambda and on the basis.

The authors' code adds noise of standard deviation 0.01 to its linear data, where the paper's N(0, 0.01) and ours have a
variance of 0.01; "linear, as in the authors' code" are such data.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from album_app.baselines.dependence import Estimate, Matrix, halves, hold_out_errors, lsmi_by_lambda
from album_app.research.experiments import study
from album_app.research.experiments.figures.estimators import OUR_TRUTH, SMALL_TRUTH, STYLES, TRUTH, YARDSTICKS
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.research.experiments.synthetic_data import DATA_SETS, DIMENSION, synthetic_pairs
from album_app.solver.selection import LAMBDAS

AUTHORS_LINEAR = "linear, as in the authors' code"
DATA = (*(name for name in DATA_SETS if name != "random"), AUTHORS_LINEAR)
SMALLER = (1e-5, 1e-6, 1e-7)
"""Candidates for lambda below the paper's."""
CANDIDATES = (*LAMBDAS, *SMALLER)
PAIRS, QUICK_PAIRS = 10_000, 600


def settings(request: Request) -> dict[str, Any]:
    return {
        "pairs": QUICK_PAIRS if request.quick else PAIRS,
        AUTHORS_LINEAR: "y = 0.5 x + noise of standard deviation 0.01",
        **{name: f"basis of {draw}, b = {basis}" for name, (draw, basis) in YARDSTICKS.items()},
        "error": "the hold-out error, two folds, each once for fitting and once for judging",
    }


def units(request: Request) -> list[Unit]:
    return request.seed_units(data=DATA[:1] if request.quick else DATA, method=YARDSTICKS)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    seed, (draw, basis) = int(unit["seed"]), YARDSTICKS[str(unit["method"])]
    x, y = _pairs(str(unit["data"]), QUICK_PAIRS if request.quick else PAIRS, seed)

    def by_lambda(some: Any) -> list[Estimate]:
        return lsmi_by_lambda(x[some], y[some], CANDIDATES, basis, seed, draw)

    first, second = halves(len(x), seed)
    errors = [hold_out_errors(by_lambda(fit), x[rest], y[rest]) for fit, rest in ((first, second), (second, first))]
    return [
        {"lam": full.lam, "smi": full.smi, "error": (one + other) / 2}
        for full, one, other in zip(by_lambda(slice(None)), *errors, strict=True)
    ]


@cache
def _pairs(name: str, count: int, seed: int) -> tuple[Matrix, Matrix]:
    if name != AUTHORS_LINEAR:
        return synthetic_pairs(name, count, seed)
    x, noise = np.random.default_rng([seed, count]).standard_normal((2, count, DIMENSION))
    return x, 0.5 * x + 0.01 * noise


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for name in dict.fromkeys(str(row["data"]) for row in rows):
        for method in YARDSTICKS:
            here = [{**row, "at": str(row["lam"])} for row in study.agreeing(rows, {"data": name, "method": method})]
            found.append(_settled(f"{name}, {method}", here))
    return found


def _settled(where: str, rows: Sequence[Row]) -> Claim:
    """Whether the smallest of the paper's lambdas fits held-out pairs better than a thousandth of it."""
    last, least = LAMBDAS[-1], SMALLER[-1]
    verdict = study.lower_by_seed(rows, "error", str(last), str(least), by="at")
    smi = ", ".join(f"{study.average(rows, 'smi', lam=lam):.2f} with {lam:g}" for lam in _lams(rows) if lam <= last)
    text = "the hold-out error is no smaller below the paper's candidates for lambda"
    return Claim(
        text, f"SMI {smi}; smaller error with {last:g} than with {least:g} by {verdict}", verdict.holds, case=where
    )


def _lams(rows: Sequence[Row]) -> list[float]:
    return sorted(set(study.numbers(rows, "lam")), reverse=True)


def plot(rows: Sequence[Row], figure: Any) -> None:
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    figure.set_size_inches(11, 4)
    for axes, name in zip(np.ravel(figure.subplots(1, len(names), sharey=True)), names, strict=True):
        for method in YARDSTICKS:
            style = STYLES.get(method, {"color": "tab:cyan", "linestyle": "-."})
            study.curve(axes, study.agreeing(rows, {"data": name, "method": method}), "smi", "lam", method, **style)
        axes.axvline(LAMBDAS[-1], color="grey", linewidth=1, label="the smallest lambda of the paper")
        axes.set(title=name, xlabel="lambda", xscale="log")
        axes.title.set_fontsize(9)
        axes.grid(alpha=0.3)
    figure.supylabel("LSMI (full)")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=8)


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """LSMI (full) by data and by the setting that was changed: b, the basis or lambda."""
    usual = LAMBDAS[-1]
    changes = {"full": (TRUTH, usual), "b200": (SMALL_TRUTH, usual), "our_basis": (OUR_TRUTH, usual)}
    changes |= {f"1e{exponent}": (TRUTH, lam) for exponent, lam in zip((5, 6, 7), SMALLER, strict=True)}
    names = {**{name: name for name in DATA}, AUTHORS_LINEAR: "authors_linear"}
    return {
        f"{key}_{change}": f"{study.average(rows, 'smi', data=name, method=method, lam=lam):.2f}"
        for name, key in names.items()
        for change, (method, lam) in changes.items()
    }


EXPERIMENTS = [
    Experiment(
        name="yardstick",
        what="Ours: what LSMI (full), the paper's ground truth, gives with other lambdas and another basis.",
        takes="10 minutes",
        needs="nothing",
        seeds=3,
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        quoted=quoted,
        tables=[Table("LSMI (full)", ["data", "method", "lam"], ["smi", "error"])],
    )
]
