"""SMI by every method that takes part in the experiments on it, one method and one run at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from album_app.baselines import Estimate, gromov_smi, lsmi, lsmi_opt
from album_app.baselines.estimate import Matrix
from album_app.baselines.gromov import EPSILON as GROMOV_EPSILON
from album_app.baselines.gromov import ITERATIONS as GROMOV_ITERATIONS
from album_app.experiments.study import Request, Row
from album_app.solver import LsmiSinkhorn, Problem, select
from album_app.solver.selection import BETAS, LAMBDAS

TRUTH, OURS = "LSMI (full)", "LSMI-Sinkhorn"
PEERS = ("LSMI", "LSMI (opt)", "Gromov-SMI")
"""The paper's other methods, with the basis that its authors' code gives them: x and y drawn apart."""
OUR_BASIS = {peer: f"{peer}, our basis" for peer in PEERS}
"""The same with the basis of LSMI-Sinkhorn, half pairs and half strangers: how much the basis alone brings."""
METHODS = (TRUTH, *PEERS, *OUR_BASIS.values(), OURS)
SELECTED = "LSMI-Sinkhorn (epsilon selected)"
"""LSMI-Sinkhorn with epsilon cross-validated like lambda and beta; the paper keeps it at 0.3."""
EPSILON, EPSILONS = 0.3, (0.1, 0.3)
STYLES: dict[str, dict[str, Any]] = {
    TRUTH: {"color": "tab:blue", "linestyle": "--"},
    **{peer: {"color": colour} for peer, colour in zip(PEERS, ("tab:orange", "tab:green", "tab:red"), strict=True)},
    **{
        name: {"color": colour, "linestyle": ":"}
        for name, colour in zip(OUR_BASIS.values(), ("tab:orange", "tab:green", "tab:red"), strict=True)
    },
    OURS: {"color": "black", "linewidth": 2.5},
    SELECTED: {"color": "black", "linestyle": "--"},
}
"""How curves are drawn: ours in black, a peer in its colour, dotted with our basis."""


@dataclass(frozen=True)
class Case:
    """One run's data: a name, the number of pairs, a seed, and who makes a problem, a truth and a plan of them."""

    data: str
    n: int
    seed: int
    problem_of: Callable[[str, int, int], Problem]
    truth_of: Callable[[str], Estimate]
    gromov_of: Callable[[str, int, int], Matrix]

    @property
    def problem(self) -> Problem:
        """What is to be solved."""
        return self.problem_of(self.data, self.n, self.seed)


def measure(case: Case, method: str, request: Request) -> Row:
    """The SMI of a case by one method."""
    return _MEASURES[method](case, request)


def _truth(case: Case, request: Request) -> Row:
    full = case.truth_of(case.data)
    return {"smi": full.smi, "lam": full.lam}


def _lsmi(draw: str, case: Case, request: Request) -> Row:
    return _row(lsmi(case.problem, seed=case.seed, draw=draw))


def _lsmi_opt(draw: str, case: Case, request: Request) -> Row:
    return _row(lsmi_opt(case.problem, full=case.truth_of(case.data), seed=case.seed, draw=draw))


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
    TRUTH: _truth,
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
        "our basis": "the pairs, at most half of it; the others are x and y coupled at random",
        "basis of the peers": "x and y of the pairs, drawn apart, as in the authors' code",
        "Gromov-Wasserstein": f"squared loss, epsilon {GROMOV_EPSILON}, {GROMOV_ITERATIONS} iterations",
    }


def methods_at(n: int, more: Sequence[str], more_at: Sequence[int]) -> tuple[str, ...]:
    """The methods that are measured with n pairs."""
    return (*METHODS, *more) if n in more_at else METHODS
