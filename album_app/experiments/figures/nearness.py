"""How near estimates of SMI come to LSMI (full): tables, plot and claims, from the rows that `estimates` makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from album_app.experiments.drawing import curve
from album_app.experiments.study import Claim, Row, Table, agreeing, average, numbers, spread

TRUTH, OURS = "LSMI (full)", "LSMI-Sinkhorn"
METHODS = (TRUTH, "LSMI", "LSMI (opt)", "Gromov-SMI", OURS)
"""The paper's methods, the truth first and its own last."""
COUPLED = "LSMI, coupled basis"
"""LSMI with the basis of LSMI-Sinkhorn, half pairs and half strangers: how much of the gain the basis alone brings."""
SELECTED = "LSMI-Sinkhorn (epsilon selected)"
"""LSMI-Sinkhorn with epsilon cross-validated like lambda and beta; the paper keeps it at 0.3."""
SHOWN_PAIRS = (10, 50, 100)
SCOPES = {"n = 10": range(10, 11), "n >= 50": range(50, 101)}
"""Few pairs and many."""
SHORT = (".2f", ".2f")
"""How claims write a mean and its spread."""


def with_errors(rows: Sequence[Row]) -> list[Row]:
    """Every run with its distance from LSMI (full), which is one estimate and stands there once."""
    truth = {row["data"]: float(row["smi"]) for row in rows if row["method"] == TRUTH}
    return [
        row if row["method"] == TRUTH else {**row, "error": abs(float(row["smi"]) - truth[row["data"]])}
        for row in rows
        if row["method"] != TRUTH or row["seed"] == 0
    ]


def smi_tables() -> list[Table]:
    def table(title: str, by: list[str], **where: int) -> Table:
        return Table(f"{title}; error = |SMI - LSMI (full)| of a run", by, ["smi", "error"], where, with_errors)

    shown = [table(f"SMI at n = {n}", ["data", "method"], n=n) for n in SHOWN_PAIRS]
    return [*shown, table("SMI", ["data", "n", "method"])]


def plot_estimates(rows: Sequence[Row], figure: Any) -> None:
    """One panel a data set, SMI over the number of pairs, one line a method in a band of its standard deviation."""
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    methods = [name for name in (*METHODS, COUPLED, SELECTED) if agreeing(rows, {"method": name})]
    for axes, name in zip(np.ravel(figure.subplots(1, len(names))), names, strict=True):
        for method in methods:
            style = "-" if method in METHODS[1:] else "--"
            curve(axes, agreeing(rows, {"data": name, "method": method}), "smi", "n", method, linestyle=style)
        highest = max(max(line.get_ydata()) for line in axes.lines)
        axes.set(title=name, xlabel="pairs n", ylim=(0, 1.2 * highest))
        axes.grid(alpha=0.3)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)
    figure.suptitle("SMI, mean and standard deviation of the runs", fontsize=10)


def nearness_claims(rows: Sequence[Row], names: Sequence[str]) -> list[Claim]:
    """With few pairs and with many: nearest of the paper's methods, and nearer than LSMI with the same basis."""
    rows = with_errors(rows)
    found = []
    for name in names:
        for scope, pairs in SCOPES.items():
            here = agreeing(rows, {"data": name, "n": tuple(pairs)})
            if here:
                where, peers = f"{name}, {scope}", METHODS[1:-1]
                found.append(_nearer(f"{where}: LSMI-Sinkhorn nearest of the paper's methods", here, peers))
                found.append(_nearer(f"{where}: nearer than LSMI with the same basis", here, (COUPLED,)))
    return found


def _nearer(text: str, rows: Sequence[Row], peers: Sequence[str]) -> Claim:
    errors = {method: average(rows, "error", method=method) for method in (*peers, OURS)}
    return Claim(text, measured(rows, (*peers, OURS)), min(errors, key=lambda method: errors[method]) == OURS)


def measured(rows: Sequence[Row], methods: Sequence[str]) -> str:
    """The truth, then mean and spread of each method and its mean error in a run."""
    return f"truth {average(rows, 'smi', method=TRUTH):.2f}; " + "; ".join(_run_by_run(rows, each) for each in methods)


def _run_by_run(rows: Sequence[Row], method: str) -> str:
    found = agreeing(rows, {"method": method})
    return f"{method} {spread(numbers(found, 'smi'), SHORT)}, off by {average(found, 'error'):.2f}"


def more_pairs_claims(rows: Sequence[Row], names: Sequence[str]) -> list[Claim]:
    """Whether the estimate comes nearer to the truth from 50 pairs to 100."""
    rows = agreeing(with_errors(rows), {"method": OURS})
    found = []
    for name in names:
        few, many = (average(rows, "error", data=name, n=n) for n in (50, 100))
        if many == many:
            text = f"{name}: nearer to the truth with 100 pairs than with 50"
            found.append(Claim(text, f"LSMI-Sinkhorn is off by {many:.2f} after {few:.2f}", many < few))
    return found
