"""Estimates of SMI by all methods, and how near each comes to LSMI (full): tables, plot and claims."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from album_app.baselines import Estimate, gromov_smi, lsmi, lsmi_full, lsmi_opt
from album_app.baselines.dependence import GROMOV_EPSILON, GROMOV_ITERATIONS, Matrix
from album_app.research.experiments import study
from album_app.research.experiments.study import Claim, Request, Row, Table, Unit, Verdict
from album_app.solver import LsmiSinkhorn, Problem, select
from album_app.solver.selection import BETAS, LAMBDAS

OURS = "LSMI-Sinkhorn"
TRUTH, SMALL_TRUTH, OUR_TRUTH = "LSMI (full)", "LSMI (full), b = 200", "LSMI (full), our basis"
YARDSTICKS = {TRUTH: ("strangers", 500), SMALL_TRUTH: ("strangers", 200), OUR_TRUTH: ("coupled", 200)}
"""The paper's ground truth as its authors' code computes it, with the b that the paper states, and with the basis of
LSMI-Sinkhorn: how the basis is drawn, and b. It is one estimate for all runs, so it has only the first seed."""
PEERS = ("LSMI", "LSMI (opt)", "Gromov-SMI")
"""The paper's other methods, with the basis that its authors' code gives them: x and y drawn apart."""
OUR_BASIS = {peer: f"{peer}, our basis" for peer in PEERS}
"""These methods with the basis of LSMI-Sinkhorn, half pairs and half strangers, which shows the effect of the basis."""
METHODS = (*YARDSTICKS, *PEERS, *OUR_BASIS.values(), OURS)
SELECTED = "LSMI-Sinkhorn (epsilon selected)"
"""LSMI-Sinkhorn with epsilon cross-validated like lambda and beta; the paper keeps it at 0.3."""
EPSILON, EPSILONS = 0.3, (0.1, 0.3)
STYLES: dict[str, dict[str, Any]] = {
    TRUTH: {"color": "tab:blue", "linestyle": "--"},
    SMALL_TRUTH: {"color": "tab:blue", "linestyle": "-.", "marker": "^"},
    OUR_TRUTH: {"color": "tab:blue", "linestyle": ":", "marker": "s"},
    **{peer: {"color": colour} for peer, colour in zip(PEERS, ("tab:orange", "tab:green", "tab:red"), strict=True)},
    **{
        name: {"color": colour, "linestyle": ":", "marker": "s"}
        for name, colour in zip(OUR_BASIS.values(), ("tab:orange", "tab:green", "tab:red"), strict=True)
    },
    OURS: {"color": "black", "linewidth": 2.5},
    SELECTED: {"color": "black", "linestyle": "--", "marker": "D"},
}
"""The styles of curves: ours is black, each peer has a colour, and peers with our basis are dotted, with squares."""


@dataclass(frozen=True)
class Case:
    """The data of one run: name, number of pairs, seed, and the functions that make its problem, truth and plan."""

    data: str
    n: int
    seed: int
    problem_of: Callable[[str, int, int], Problem]
    truth_of: Callable[[str, str], Estimate]  # of the data and the yardstick by their names
    gromov_of: Callable[[str, int, int], Matrix]

    @property
    def problem(self) -> Problem:
        """The problem of the run."""
        return self.problem_of(self.data, self.n, self.seed)


def measure(case: Case, method: str, request: Request) -> Row:
    """The SMI of a case by one method."""
    return _MEASURES[method](case, request)


def _truth(yardstick: str, case: Case, request: Request) -> Row:
    return _row(case.truth_of(case.data, yardstick))


def _lsmi(draw: str, case: Case, request: Request) -> Row:
    return _row(lsmi(case.problem, seed=case.seed, draw=draw))


def _lsmi_opt(draw: str, case: Case, request: Request) -> Row:
    full = case.truth_of(case.data, OUR_TRUTH if draw == "coupled" else TRUTH)
    return _row(lsmi_opt(case.problem, full=full, seed=case.seed, draw=draw))


def _gromov(draw: str, case: Case, request: Request) -> Row:
    plan = case.gromov_of(case.data, case.n, case.seed)
    return _row(gromov_smi(case.problem, plan=plan, seed=case.seed, draw=draw))


def _row(estimate: Estimate) -> Row:
    return {"smi": estimate.smi, "lam": estimate.lam}


def _ours(case: Case, request: Request) -> Row:
    return _solved(select(case.problem, **validation(request)).solver, case)


def _epsilon_selected(case: Case, request: Request) -> Row:
    return _solved(select(case.problem, epsilons=EPSILONS, **validation(request)).solver, case)


def _solved(solver: LsmiSinkhorn, case: Case) -> Row:
    smi = solver.solve(case.problem).smi
    return {"smi": smi, "lam": solver.lam, "beta": solver.beta, "epsilon": solver.epsilon}


_MEASURES: dict[str, Callable[[Case, Request], Row]] = {
    **{name: partial(_truth, name) for name in YARDSTICKS},
    **{
        name: partial(of, draw)
        for peer, of in zip(PEERS, (_lsmi, _lsmi_opt, _gromov), strict=True)
        for name, draw in ((peer, "strangers"), (OUR_BASIS[peer], "coupled"))
    },
    OURS: _ours,
    SELECTED: _epsilon_selected,
}


def validation(request: Request) -> dict[str, Any]:
    """The arguments of `select` for cross-validating lambda and beta: the paper's candidates, or few in a quick run."""
    if request.quick:
        return {"lams": LAMBDAS[::3], "betas": BETAS[:1], "folds": 2}
    return {"lams": LAMBDAS, "betas": BETAS, "folds": 5}


def method_settings(request: Request) -> dict[str, Any]:
    """The settings that all experiments on SMI share."""
    return {
        OURS: f"{LsmiSinkhorn(epsilon=EPSILON)}, except lam and beta; folds and basis by this seed in all runs",
        "lam and beta": f"cross-validated: {validation(request)}",
        **{
            name: f"basis of {draw}, b = {basis}; one estimate for all runs"
            for name, (draw, basis) in YARDSTICKS.items()
        },
        "our basis": "the pairs, at most half of it; the others are x and y coupled at random",
        "basis of the peers": "x and y of the pairs, drawn apart, as in the authors' code",
        "Gromov-Wasserstein": f"squared loss, epsilon {GROMOV_EPSILON}, {GROMOV_ITERATIONS} iterations",
    }


def with_methods(units: Sequence[Unit], more: Sequence[str] = (), more_at: Sequence[int] = ()) -> list[Unit]:
    """The units of all methods; some methods run at some n only, and the yardsticks with the first seed only."""
    first = units[0]["seed"]
    return [
        {**unit, "method": method}
        for unit in units
        for method in (*METHODS, *(more if unit["n"] in more_at else ()))
        if method not in YARDSTICKS or unit["seed"] == first
    ]


def full_by(yardstick: str, x: Matrix, y: Matrix) -> Estimate:
    """LSMI (full) of pairs by one of the yardsticks."""
    draw, basis = YARDSTICKS[yardstick]
    return lsmi_full(x, y, draw=draw, basis=basis)


SHOWN_PAIRS = (10, 50, 100)
SCOPES = {"n = 10": range(10, 11), "n >= 50": range(50, 101)}
"""Few pairs, and many pairs."""
SHORT = (".2f", ".2f")
"""Formats of a mean and its spread in claims."""


NEAR = 0.1
"""An estimate is near the truth if its error is at most this share of the truth."""


def with_errors(rows: Sequence[Row], yardstick: str = TRUTH) -> list[Row]:
    """The rows with their distances from LSMI (full)."""
    truth = {row["data"]: float(row["smi"]) for row in rows if row["method"] == yardstick}
    return [
        row if row["method"] in YARDSTICKS else {**row, "error": abs(float(row["smi"]) - truth[row["data"]])}
        for row in rows
    ]


def smi_tables() -> list[Table]:
    """Tables of SMI with few, some and many pairs side by side, and of every n with its error."""
    every = Table(
        "SMI; error = |SMI - LSMI (full)| of a run", ["data", "n", "method"], ["smi", "error"], {}, with_errors
    )
    return [study.side_by_side("SMI", ["data", "method"], "smi", SHOWN_PAIRS), every]


def plot_estimates(rows: Sequence[Row], figure: Any) -> None:
    """Plot SMI over the number of pairs: a panel per data set, a line per method with a band of standard deviation."""
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    for axes, name in zip(np.ravel(figure.subplots(1, len(names))), names, strict=True):
        for method, style in STYLES.items():
            if runs := study.agreeing(rows, {"data": name, "method": method}):
                study.curve(axes, runs, "smi", "n", method, **style)
        highest = max(max(line.get_ydata()) for line in axes.lines)
        axes.set(title=name, xlabel="pairs n", ylabel="SMI", ylim=(0, 1.2 * highest))
        axes.grid(alpha=0.3)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)
    figure.suptitle("SMI, mean and standard deviation of the runs", fontsize=10)


def nearness_claims(rows: Sequence[Row], names: Sequence[str], statement: str) -> list[Claim]:
    """Claims that ours is nearer than the paper's methods, with their basis and with ours, for few and many pairs."""
    found = []
    for name in names:
        for scope, pairs in SCOPES.items():
            here = study.agreeing(rows, {"data": name, "n": tuple(pairs)})
            if here:
                claim = partial(_nearer, rows=here, case=name, scope=scope)
                found.append(claim("each of the paper's methods", peers=PEERS, statement=statement))
                found.append(claim("each of them with our basis", peers=tuple(OUR_BASIS.values())))
    return found


def _nearer(
    methods: str, rows: Sequence[Row], peers: Sequence[str], case: str, scope: str, statement: str = ""
) -> Claim:
    """Whether ours is nearer to LSMI (full) than each peer; the measured text adds the verdicts by other yardsticks."""
    judged = with_errors(rows)
    verdicts = _compared(judged, peers)
    ours = f"ours is off by {study.average(judged, 'error', method=OURS):.2f}"
    errors = {peer: study.average(judged, "error", method=peer) for peer in verdicts}
    theirs = ", ".join(
        f"{peer.partition(',')[0]} by {errors[peer]:.2f} ({study.p_text(verdict.p_value)})"
        for peer, verdict in verdicts.items()
    )
    others = ", ".join(
        f"{name.partition(', ')[2]} {study.word(study.best_of(list(_compared(by, peers).values())))}"
        for name in YARDSTICKS
        if name != TRUTH and study.agreeing(rows, {"method": name})
        for by in [with_errors(rows, name)]
    )
    by_others = f"by the other yardsticks: {others}" if others else ""
    measured = "; ".join(filter(None, [f"{ours}, {theirs}", by_others]))
    text, holds = f"LSMI-Sinkhorn is nearer to LSMI (full) than {methods}", study.best_of(list(verdicts.values()))
    return Claim(text, measured, holds, statement, case=case, scope=scope)


def _compared(rows: Sequence[Row], peers: Sequence[str]) -> dict[str, Verdict]:
    return {peer: study.lower_by_seed(rows, "error", OURS, peer) for peer in peers}


def nearest_where(rows: Sequence[Row], names: Sequence[str], scope: str, peers: Sequence[str], by: str = TRUTH) -> str:
    """On which data LSMI-Sinkhorn is nearer to a yardstick than all these peers, in words."""
    cases = {}
    for name in names:
        here = study.agreeing(with_errors(rows, by), {"data": name, "n": tuple(SCOPES[scope])})
        cases[name.replace("_", " ")] = study.best_of(list(_compared(here, peers).values()))
    return study.sorted_out(cases, "nearer on", "a tie on", "not nearer on")


def nearness_quoted(rows: Sequence[Row], names: Sequence[str]) -> dict[str, str]:
    """The texts of the notes on which method comes nearest."""
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
    found = study.agreeing(rows, {"method": method})
    return f"{method} {study.spread(study.numbers(found, 'smi'), SHORT)}, off by {study.average(found, 'error'):.2f}"


def more_pairs_claims(rows: Sequence[Row], names: Sequence[str], statement: str) -> list[Claim]:
    """Whether the estimate comes nearer to the truth from 50 pairs to 100."""
    rows = [{**row, "pairs": str(row["n"])} for row in study.agreeing(with_errors(rows), {"method": OURS})]
    found = []
    for name in names:
        here = study.agreeing(rows, {"data": name})
        few, many = (study.average(here, "error", n=n) for n in (50, 100))
        if many == many:
            verdict = study.lower_by_seed(here, "error", "100", "50", by="pairs")
            text = "nearer to LSMI (full) with 100 pairs than with 50"
            measured = f"off by {many:.2f} after {few:.2f}, nearer by {verdict}"
            found.append(Claim(text, measured, verdict.holds, statement, case=name))
    return found


def near_truth_claims(rows: Sequence[Row], names: Sequence[str], statement: str) -> list[Claim]:
    """Whether the mean estimate with 100 pairs lies within a tenth of the truth."""
    found = []
    for name in names:
        here = study.agreeing(rows, {"data": name})
        smi, truth = study.average(here, "smi", method=OURS, n=100), study.average(here, "smi", method=TRUTH)
        if smi == smi:
            off = abs(smi - truth) / truth
            text, measured = (
                "the mean estimate is within a tenth of LSMI (full)",
                f"{smi:.2f} of {truth:.2f}, {off:.0%} off",
            )
            found.append(Claim(text, measured, off <= NEAR, statement, case=name, scope="n = 100"))
    return found
