"""Convergence of the loss and of the SMI over the iterations of Algorithm 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, average, groups
from album_app.experiments.synthetic_data import DIMENSION, semi_supervised
from album_app.solver import LsmiSinkhorn, State

PAIRS, UNPAIRED, ITERATIONS = 50, 500, 20
# Sinkhorn is run to convergence and the stopping rule is off, so that every curve has all its points
SOLVER = LsmiSinkhorn(iterations=ITERATIONS, eta=0.0, start="random", dtype="float64", sweeps=10_000, tolerance=1e-12)
SETTLED = 0.01
"""A curve has settled where it is within this share of its whole way from its end."""
ROUNDING = 1e-9


def settings(request: Request) -> dict[str, Any]:
    data = f"y = 0.5 x + N(0, 0.01), {DIMENSION} dimensions"
    return {"data": data, "n": PAIRS, "n_x = n_y": UNPAIRED, "solver, but for its seed": SOLVER}


def units(request: Request) -> list[Unit]:
    return request.seed_units()


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    seed = int(unit["seed"])
    found: list[Row] = []

    def note(state: State) -> None:
        smi = state.model.smi(state.alpha)
        found.append(
            {"iteration": state.t - 1, "loss_alpha": state.objective[-2], "loss": state.objective[-1], "smi": smi}
        )

    replace(SOLVER, seed=seed).solve(semi_supervised("linear", PAIRS, UNPAIRED, UNPAIRED, seed), on_step=note)
    return found


def settled_at(curve: Sequence[float]) -> int:
    """The iteration (from 1) after which a curve stays within SETTLED of its end."""
    way = max(abs(value - curve[-1]) for value in curve) or 1.0
    return max((k for k, value in enumerate(curve, 1) if abs(value - curve[-1]) > SETTLED * way), default=0) + 1


def claims(rows: Sequence[Row]) -> list[Claim]:
    runs = list(groups(rows, ["seed"]).values())
    loss = max(settled_at([float(row["loss"]) for row in run]) for run in runs)
    smi = max(settled_at([float(row["smi"]) for row in run]) for run in runs)
    rises = [_largest_rise(run) for run in runs]
    return [
        Claim("the loss settles within 5 iterations", f"at iteration {loss}", loss <= 5),
        Claim("the SMI settles within 5 iterations", f"at iteration {smi}", smi <= 5),
        Claim(
            "the loss never rises (Proposition 1)", f"largest relative rise {max(rises):.1e}", max(rises) <= ROUNDING
        ),
    ]


def _largest_rise(run: Sequence[Row]) -> float:
    steps = [float(row[half]) for row in run for half in ("loss_alpha", "loss")]
    return max((after - before) / abs(before) for before, after in pairwise(steps))


def plot(rows: Sequence[Row], figure: Any) -> None:
    for axes, column in zip(figure.subplots(1, 2), ("loss", "smi"), strict=True):
        iterations = range(1, ITERATIONS + 1)
        for run in groups(rows, ["seed"]).values():
            axes.plot([row["iteration"] for row in run], [row[column] for row in run], color="tab:blue", alpha=0.2)
        axes.plot(iterations, [average(rows, column, iteration=k) for k in iterations], color="tab:blue", marker="o")
        axes.set(xlabel="iteration", ylabel=column, title=column)
        axes.grid(alpha=0.3)


EXPERIMENTS = [
    Experiment(
        name="convergence",
        what="Loss and SMI over the iterations, y = 0.5 x + N(0, 0.01), n = 50, n_x = n_y = 500 (the paper's Fig. 1).",
        takes="1 minute",
        needs="nothing",
        seeds=20,
        quick_seeds=2,
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Curves", ["iteration"], ["loss", "smi"])],
    )
]
