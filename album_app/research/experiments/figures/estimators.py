"""SMI by every method that takes part in the experiments on it, one method and one run at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from album_app.baselines import Estimate, gromov_smi, lsmi, lsmi_full, lsmi_opt
from album_app.baselines.estimate import Matrix
from album_app.baselines.gromov import EPSILON as GROMOV_EPSILON
from album_app.baselines.gromov import ITERATIONS as GROMOV_ITERATIONS
from album_app.research.experiments.study import Request, Row, Unit
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
"""The same with the basis of LSMI-Sinkhorn, half pairs and half strangers: how much the basis alone brings."""
METHODS = (*YARDSTICKS, *PEERS, *OUR_BASIS.values(), OURS)
SELECTED = "LSMI-Sinkhorn (epsilon selected)"
"""LSMI-Sinkhorn with epsilon cross-validated like lambda and beta; the paper keeps it at 0.3."""
EPSILON, EPSILONS = 0.3, (0.1, 0.3)
STYLES: dict[str, dict[str, Any]] = {
    TRUTH: {"color": "tab:blue", "linestyle": "--"},
    OUR_TRUTH: {"color": "tab:blue", "linestyle": ":"},
    **{peer: {"color": colour} for peer, colour in zip(PEERS, ("tab:orange", "tab:green", "tab:red"), strict=True)},
    **{
        name: {"color": colour, "linestyle": ":"}
        for name, colour in zip(OUR_BASIS.values(), ("tab:orange", "tab:green", "tab:red"), strict=True)
    },
    OURS: {"color": "black", "linewidth": 2.5},
    SELECTED: {"color": "black", "linestyle": "--"},
}
"""The curves that are drawn, and how: ours in black, a peer in its colour, dotted with our basis."""


@dataclass(frozen=True)
class Case:
    """One run's data: a name, the number of pairs, a seed, and who makes a problem, a truth and a plan of them."""

    data: str
    n: int
    seed: int
    problem_of: Callable[[str, int, int], Problem]
    truth_of: Callable[[str, str], Estimate]  # of the data and the yardstick by their names
    gromov_of: Callable[[str, int, int], Matrix]

    @property
    def problem(self) -> Problem:
        """What is to be solved."""
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
    """How lambda and beta are cross-validated, in the terms of `select`: over the paper's candidates, or over few."""
    if request.quick:
        return {"lams": LAMBDAS[::3], "betas": BETAS[:1], "folds": 2}
    return {"lams": LAMBDAS, "betas": BETAS, "folds": 5}


def method_settings(request: Request) -> dict[str, Any]:
    """What the experiments on SMI have in common."""
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
    """Every unit by every method, by some methods at some n only, and by the yardsticks with the first seed only."""
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
