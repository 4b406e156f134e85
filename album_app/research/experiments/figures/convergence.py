"""Convergence of the loss and of the SMI over the iterations of Algorithm 1."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from album_app.research.experiments import study
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.research.experiments.synthetic_data import DIMENSION, semi_supervised
from album_app.solver import LsmiSinkhorn, State

PAIRS, UNPAIRED, ITERATIONS = 50, 500, 20
# Sinkhorn is run to convergence and the stopping rule is off, so that every curve has all its points
EXACT = LsmiSinkhorn(iterations=ITERATIONS, eta=0.0, start="random", dtype="float64", sweeps=10_000, tolerance=1e-12)
DEFAULT, CHOSEN, SHIPPED = "lambda 0.001, beta 0.5", "lambda 0.0001, beta 0.2", "lambda 0.0001, beta 0.2, as shipped"
SOLVERS = {
    DEFAULT: EXACT,
    CHOSEN: replace(EXACT, lam=1e-4, beta=0.2),
    SHIPPED: LsmiSinkhorn(lam=1e-4, beta=0.2, iterations=ITERATIONS),
}
"""The solver's own settings; those that cross-validation mostly selects; the same in the shipped precision, with the
stopping rule on."""
CASES = {DEFAULT: "default settings", CHOSEN: "selected settings", SHIPPED: "selected settings as shipped"}
"""The names of the solvers in claims."""
SETTLED = 0.01
"""A curve has settled if its distance from its end is at most this share of its whole change."""
ROUNDING = 1e-9


def settings(request: Request) -> dict[str, Any]:
    data = f"y = 0.5 x + N(0, 0.01), {DIMENSION} dimensions"
    return {"data": data, "n": PAIRS, "n_x = n_y": UNPAIRED, **{f"“{name}”": each for name, each in SOLVERS.items()}}


def units(request: Request) -> list[Unit]:
    return request.seed_units(solver=SOLVERS)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    seed = int(unit["seed"])
    found: list[Row] = []

    def note(state: State) -> None:
        smi = state.model.smi(state.alpha)
        found.append(
            {"iteration": state.t - 1, "loss_alpha": state.objective[-2], "loss": state.objective[-1], "smi": smi}
        )

    solver = replace(SOLVERS[str(unit["solver"])], seed=seed)
    solution = solver.solve(semi_supervised("linear", PAIRS, UNPAIRED, UNPAIRED, seed), on_step=note)
    found[-1]["at_rest"] = int(solution.converged)
    return found


def settled_at(curve: Sequence[float]) -> int:
    """The iteration (from 1) after which a curve stays within SETTLED of its end."""
    way = max(abs(value - curve[-1]) for value in curve) or 1.0
    return max((k for k, value in enumerate(curve, 1) if abs(value - curve[-1]) > SETTLED * way), default=0) + 1


def claims(rows: Sequence[Row]) -> list[Claim]:
    return [claim for name in SOLVERS for claim in _claims(name, study.agreeing(rows, {"solver": name}))]


def _claims(name: str, rows: Sequence[Row]) -> list[Claim]:
    runs = list(study.groups(rows, ["seed"]).values())
    if not runs:
        return []
    found = []
    for column in ("loss", "smi"):
        at = [settled_at([float(row[column]) for row in run]) for run in runs]
        text = f"the {column} settles in fewer than 5 iterations"
        measured = f"at iteration {_between(at)} in {len(at)} runs"
        found.append(Claim(text, measured, max(at) < 5, "converges quickly", case=CASES[name]))
    rise = max(_largest_rise(run) for run in runs)
    text, measured = "the loss never rises (Proposition 1)", f"largest relative rise {rise:.1e}"
    found.append(Claim(text, measured, rise <= ROUNDING, "Proposition 1", case=CASES[name]))
    if name == SHIPPED:
        rest = sum(int(run[-1]["at_rest"]) for run in runs)
        text = f"the stopping rule is met within T = {ITERATIONS}"
        found.append(Claim(text, f"in {rest} of {len(runs)} runs", rest == len(runs), case=CASES[name]))
    return found


def _between(numbers: Sequence[int]) -> str:
    """ "3 to 5", or "3" where all are the same number."""
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least} to {most}"


def _largest_rise(run: Sequence[Row]) -> float:
    steps = [float(row[half]) for row in run for half in ("loss_alpha", "loss")]
    return max((after - before) / abs(before) for before, after in pairwise(steps))


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """The iterations at which curves settle, and by how much J rises as shipped."""
    found = {"runs": str(len(study.groups(rows, ["seed"])))}
    for key, name in (("default", DEFAULT), ("chosen", CHOSEN)):
        runs = list(study.groups(study.agreeing(rows, {"solver": name}), ["seed"]).values())
        for column in ("loss", "smi"):
            at = [settled_at([float(row[column]) for row in run]) for run in runs]
            found[f"{key}_{column}"] = _between(at)
    shipped = list(study.groups(study.agreeing(rows, {"solver": SHIPPED}), ["seed"]).values())
    rest = sum(int(run[-1]["at_rest"]) for run in shipped)
    return {**found, "ended": str(len(shipped) - rest), "rise": f"{max(map(_largest_rise, shipped)):.0e}"}


def plot(rows: Sequence[Row], figure: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    for axes, column in zip(figure.subplots(1, 2), ("loss", "smi"), strict=True):
        for name in (DEFAULT, CHOSEN):
            study.curve(axes, study.agreeing(rows, {"solver": name}), column, "iteration", name)
        axes.set(xlabel="iteration", ylabel=column, title=column)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(alpha=0.3)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)


EXPERIMENTS = [
    Experiment(
        name="convergence",
        what="Loss and SMI over the iterations, y = 0.5 x + N(0, 0.01), n = 50, n_x = n_y = 500 (the paper's Fig. 1).",
        takes="1 minute",
        needs="nothing",
        seeds=5,
        quick_seeds=2,
        quoted=quoted,
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Curves", ["solver", "iteration"], ["loss", "smi"])],
    )
]
