"""Heat maps of the transport plan: uniform on independent data, on the diagonal where x and y belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, average
from album_app.experiments.synthetic_data import DATA_SETS, synthetic_pairs
from album_app.solver import LsmiSinkhorn, Problem

PAIRS, UNPAIRED = 50, 500
RANKS = 5
"""Mass counts as near the diagonal within this many ranks of it."""
BY_CHANCE = (2 * RANKS + 1) / UNPAIRED


def settings(request: Request) -> dict[str, Any]:
    return {"n": PAIRS, "n_x = n_y": UNPAIRED, "beta": 0.5, "epsilon": 0.3, "lambda": 1e-3, "ranks": RANKS}


def units(request: Request) -> list[Unit]:
    return request.seed_units(data=DATA_SETS)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    plan = solved_plan(str(unit["data"]), int(unit["seed"]))
    rank = np.arange(UNPAIRED)
    near = np.abs(rank[:, None] - rank[None, :]) <= RANKS
    entropy = -float(np.sum(plan * np.log(np.maximum(plan, 1e-300)))) / np.log(plan.size)
    return [{"near_diagonal": float(plan[near].sum()), "on_diagonal": float(np.trace(plan)), "entropy": entropy}]


def solved_plan(name: str, seed: int) -> NDArray[np.float64]:
    """The plan of unpaired samples whose true partners share their place, in the order of x's first coordinate."""
    x, y = synthetic_pairs(name, PAIRS + UNPAIRED, seed)
    order = PAIRS + np.argsort(x[PAIRS:, 0])
    problem = Problem(x[:PAIRS], y[:PAIRS], x[order], y[order])
    return np.asarray(LsmiSinkhorn(seed=seed).solve(problem).plan, np.float64)


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for name in DATA_SETS:
        share = average(rows, "near_diagonal", data=name)
        text = f"{name}: mass within {RANKS} ranks of the diagonal"
        measured = f"{share:.3f}, {BY_CHANCE:.3f} by chance"
        if name == "random":
            found.append(Claim(f"{text} as by chance: the plan is uniform", measured, share < 1.5 * BY_CHANCE))
        else:
            found.append(Claim(f"{text} far beyond chance", measured, share > 3 * BY_CHANCE))
    return found


def plot(rows: Sequence[Row], figure: Any) -> None:
    for axes, name in zip(figure.subplots(1, len(DATA_SETS)), DATA_SETS, strict=True):
        plan = solved_plan(name, 0) * UNPAIRED
        blocks = plan.reshape(100, 5, 100, 5).sum((1, 3))
        axes.imshow(blocks, cmap="magma", vmax=np.quantile(blocks, 0.995))
        share = average(rows, "near_diagonal", data=name)
        axes.set(title=f"{name}\n{share:.2f} near the diagonal", xticks=[], yticks=[])


EXPERIMENTS = [
    Experiment(
        name="plan",
        what="Heat maps of the transport plan on the four synthetic data sets (the paper's Fig. 4).",
        takes="1 minute",
        needs="nothing",
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Where the mass is", ["data"], ["near_diagonal", "on_diagonal", "entropy"])],
    )
]
