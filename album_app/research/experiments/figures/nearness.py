"""How near estimates of SMI come to LSMI (full): tables, plot and claims, from the rows of `estimators`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from album_app.research.experiments.drawing import curve
from album_app.research.experiments.figures.estimators import (
    OUR_BASIS,
    OUR_TRUTH,
    OURS,
    PEERS,
    SMALL_TRUTH,
    STYLES,
    TRUTH,
    YARDSTICKS,
)
from album_app.research.experiments.study import (
    Claim,
    Row,
    Table,
    agreeing,
    average,
    numbers,
    side_by_side,
    sorted_out,
    spread,
    word,
)
from album_app.research.experiments.verdicts import Verdict, best_of, lower_by_seed, p_text

SHOWN_PAIRS = (10, 50, 100)
SCOPES = {"n = 10": range(10, 11), "n >= 50": range(50, 101)}
"""Few pairs and many."""
SHORT = (".2f", ".2f")
"""How claims write a mean and its spread."""


NEAR = 0.1
"""An estimate that is off by at most this share of the truth lies near it."""


def with_errors(rows: Sequence[Row], yardstick: str = TRUTH) -> list[Row]:
    """Every run with its distance from LSMI (full)."""
    truth = {row["data"]: float(row["smi"]) for row in rows if row["method"] == yardstick}
    return [
        row if row["method"] in YARDSTICKS else {**row, "error": abs(float(row["smi"]) - truth[row["data"]])}
        for row in rows
    ]


def smi_tables() -> list[Table]:
    """SMI with few, some and many pairs side by side; and every n with its error."""
    every = Table(
        "SMI; error = |SMI - LSMI (full)| of a run", ["data", "n", "method"], ["smi", "error"], {}, with_errors
    )
    return [side_by_side("SMI", ["data", "method"], "smi", SHOWN_PAIRS), every]


def plot_estimates(rows: Sequence[Row], figure: Any) -> None:
    """One panel a data set, SMI over the number of pairs, one line a method in a band of its standard deviation."""
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    for axes, name in zip(np.ravel(figure.subplots(1, len(names))), names, strict=True):
        for method, style in STYLES.items():
            if runs := agreeing(rows, {"data": name, "method": method}):
                curve(axes, runs, "smi", "n", method, **style)
        highest = max(max(line.get_ydata()) for line in axes.lines)
        axes.set(title=name, xlabel="pairs n", ylabel="SMI", ylim=(0, 1.2 * highest))
        axes.grid(alpha=0.3)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)
    figure.suptitle("SMI, mean and standard deviation of the runs", fontsize=10)


def nearness_claims(rows: Sequence[Row], names: Sequence[str], statement: str) -> list[Claim]:
    """With few pairs and with many: nearer than the paper's methods with their basis, and with ours."""
    found = []
    for name in names:
        for scope, pairs in SCOPES.items():
            here = agreeing(rows, {"data": name, "n": tuple(pairs)})
            if here:
                text = f"{name}, {scope}: LSMI-Sinkhorn is nearer to LSMI (full) than"
                found.append(_nearer(f"{text} each of the paper's methods", here, PEERS, statement))
                found.append(_nearer(f"{text} each of them with our basis", here, tuple(OUR_BASIS.values()), ""))
    return found


def _nearer(text: str, rows: Sequence[Row], peers: Sequence[str], statement: str) -> Claim:
    """Judged by LSMI (full); beside it stands what the other yardsticks would say."""
    judged = with_errors(rows)
    verdicts = _beside(judged, peers)
    ours = f"ours is off by {average(judged, 'error', method=OURS):.2f}"
    beside = ", ".join(
        f"{peer.partition(',')[0]} by {average(judged, 'error', method=peer):.2f} ({p_text(verdict.p_value)})"
        for peer, verdict in verdicts.items()
    )
    others = ", ".join(
        f"{name.partition(', ')[2]} {word(best_of(list(_beside(by, peers).values())))}"
        for name in YARDSTICKS
        if name != TRUTH and agreeing(rows, {"method": name})
        for by in [with_errors(rows, name)]
    )
    by_others = f"by the other yardsticks: {others}" if others else ""
    measured = "; ".join(filter(None, [f"{ours}, {beside}", by_others]))
    return Claim(text, measured, best_of(list(verdicts.values())), statement)


def _beside(rows: Sequence[Row], peers: Sequence[str]) -> dict[str, Verdict]:
    return {peer: lower_by_seed(rows, "error", OURS, peer) for peer in peers}


def nearest_where(rows: Sequence[Row], names: Sequence[str], scope: str, peers: Sequence[str], by: str = TRUTH) -> str:
    """On which data LSMI-Sinkhorn is nearer to a yardstick than all these peers, with few pairs or with many."""
    cases = {}
    for name in names:
        here = agreeing(with_errors(rows, by), {"data": name, "n": tuple(SCOPES[scope])})
        cases[name.replace("_", " ")] = best_of(list(_beside(here, peers).values()))
    return sorted_out(cases, "nearer on", "a tie on", "not nearer on")


def nearness_quoted(rows: Sequence[Row], names: Sequence[str]) -> dict[str, str]:
    """What the notes on SMI say of who comes nearest."""
    few, many = SCOPES
    return {
        "few": nearest_where(rows, names, few, PEERS),
        "many": nearest_where(rows, names, many, PEERS),
        "many_our_basis": nearest_where(rows, names, many, tuple(OUR_BASIS.values())),
        "many_our_basis_by_ours": nearest_where(rows, names, many, tuple(OUR_BASIS.values()), OUR_TRUTH),
        "many_by_b200": nearest_where(rows, names, many, PEERS, SMALL_TRUTH),
        "many_by_ours": nearest_where(rows, names, many, PEERS, OUR_TRUTH),
        "runs": str(len({row["seed"] for row in rows})),
    }


def run_by_run(rows: Sequence[Row], method: str) -> str:
    """The mean and spread of a method, and its mean error in a run."""
    found = agreeing(rows, {"method": method})
    return f"{method} {spread(numbers(found, 'smi'), SHORT)}, off by {average(found, 'error'):.2f}"


def more_pairs_claims(rows: Sequence[Row], names: Sequence[str], statement: str) -> list[Claim]:
    """Whether the estimate comes nearer to the truth from 50 pairs to 100."""
    rows = [{**row, "pairs": str(row["n"])} for row in agreeing(with_errors(rows), {"method": OURS})]
    found = []
    for name in names:
        here = agreeing(rows, {"data": name})
        few, many = (average(here, "error", n=n) for n in (50, 100))
        if many == many:
            verdict = lower_by_seed(here, "error", "100", "50", by="pairs")
            text = f"{name}: nearer to LSMI (full) with 100 pairs than with 50"
            measured = f"off by {many:.2f} after {few:.2f}, nearer by {verdict}"
            found.append(Claim(text, measured, verdict.holds, statement))
    return found


def near_truth_claims(rows: Sequence[Row], names: Sequence[str], statement: str) -> list[Claim]:
    """Whether the mean estimate with 100 pairs lies within a tenth of the truth."""
    found = []
    for name in names:
        here = agreeing(rows, {"data": name})
        smi, truth = average(here, "smi", method=OURS, n=100), average(here, "smi", method=TRUTH)
        if smi == smi:
            off = abs(smi - truth) / truth
            text = f"{name}, n = 100: the mean estimate is within a tenth of LSMI (full)"
            found.append(Claim(text, f"{smi:.2f} of {truth:.2f}, {off:.0%} off", off <= NEAR, statement))
    return found
