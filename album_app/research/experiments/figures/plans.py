"""Heat maps of the transport plan: uniform on independent data, on the diagonal where x and y belong together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.research.experiments import study
from album_app.research.experiments.figures.estimators import validation
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.research.experiments.synthetic_data import DATA_SETS, synthetic_pairs
from album_app.solver import LsmiSinkhorn, Problem
from album_app.solver.selection import select

PAIRS, UNPAIRED = 50, 500
RANKS = 5
"""Mass counts as near the diagonal within this many ranks of it."""
BY_CHANCE = (2 * RANKS + 1) / UNPAIRED
UNIFORM = 0.1
"""Nats from the uniform plan within which a plan counts as uniform; one over 9 of 10 entries has this distance."""
BLOCKS = 100
"""Rows and columns of a heat map."""


def settings(request: Request) -> dict[str, Any]:
    return {
        "n": PAIRS,
        "n_x = n_y": UNPAIRED,
        "solver, but for its seed": LsmiSinkhorn(),
        "cross-validated": validation(request),
        "near_diagonal": f"share of the mass within {RANKS} ranks of the diagonal, ranked by x's first coordinate",
        "on_diagonal": "share of the mass between true partners",
        "nats_from_uniform": f"sum of pi log(pi n_x n_y): 0 if uniform, {np.log(UNPAIRED):.1f} for a permutation",
    }


def units(request: Request) -> list[Unit]:
    return request.seed_units(data=DATA_SETS)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    problem, seed = ordered(str(unit["data"]), int(unit["seed"])), int(unit["seed"])
    solver = select(problem, LsmiSinkhorn(seed=seed), **validation(request)).solver
    plan = np.asarray(solver.solve(problem).plan, np.float64)
    return [{"lam": solver.lam, "beta": solver.beta, **scores(plan)}]


def ordered(name: str, seed: int) -> Problem:
    """Unpaired samples whose true partners share their place, in the order of x's first coordinate."""
    x, y = synthetic_pairs(name, PAIRS + UNPAIRED, seed)
    order = PAIRS + np.argsort(x[PAIRS:, 0])
    return Problem(x[:PAIRS], y[:PAIRS], x[order], y[order])


def scores(plan: NDArray[np.float64]) -> Row:
    """Measures of where the mass of a plan lies."""
    rank = np.arange(len(plan))
    near = np.abs(rank[:, None] - rank[None, :]) <= RANKS
    nats = float(np.sum(plan * np.log(np.maximum(plan * plan.size, 1e-300))))
    return {
        "near_diagonal": float(plan[near].sum()),
        "on_diagonal": float(np.trace(plan)),
        "nats_from_uniform": nats,
    }


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for name in DATA_SETS:
        here = study.agreeing(rows, {"data": name})
        near, nats = (study.average(here, column) for column in ("near_diagonal", "nats_from_uniform"))
        if name == "random":
            text = f"the plan is uniform, at most {UNIFORM} nats from it"
            verdict = study.below(here, "nats_from_uniform", UNIFORM)
            measured = f"{nats:.2f} nats: less by {verdict}"
            found.append(Claim(text, measured, verdict.holds, "uniform on random data", case=name))
        else:
            near_case, own_case = f"{name} within {RANKS} ranks of the diagonal", f"{name} on the diagonal itself"
            measured = f"{near:.3f}, {BY_CHANCE:.3f} by chance; {nats:.2f} nats from uniform"
            chance, half = (study.above(here, "near_diagonal", bound) for bound in (3 * BY_CHANCE, 0.5))
            text = "mass at least three times chance"
            found.append(Claim(text, f"{measured}: above by {chance}", chance.holds, case=near_case))
            share = study.average(here, "on_diagonal") * UNPAIRED
            held = study.above(here, "on_diagonal", 10.0 / UNPAIRED)
            concentrates, text = "concentrates on the diagonal", "more than ten times its share by chance"
            found.append(Claim(text, f"{share:.0f} times: {held}", held.holds, concentrates, case=own_case))
            text, measured = "mass more than half", f"{measured}: above by {half}"
            found.append(Claim(text, measured, half.holds, concentrates, case=near_case))
    return found


def plot(rows: Sequence[Row], figure: Any) -> None:
    from matplotlib.colors import PowerNorm

    figure.set_size_inches(9, 2.9)
    panels, images = figure.subplots(1, len(DATA_SETS)), []
    for axes, name in zip(panels, DATA_SETS, strict=True):
        row = study.agreeing(rows, {"data": name})[0]
        seed = int(row["seed"])
        solver = LsmiSinkhorn(seed=seed, lam=float(row["lam"]), beta=float(row["beta"]))
        plan = np.asarray(solver.solve(ordered(name, seed)).plan, np.float64) * UNPAIRED**2
        side = UNPAIRED // BLOCKS
        images.append(axes.imshow(plan.reshape(BLOCKS, side, BLOCKS, side).mean((1, 3)), cmap="magma"))
        nats = study.average(rows, "nats_from_uniform", data=name)
        axes.set(title=f"{name}: {nats:.2f} nats", xticks=[], yticks=[], xlabel="y', as the x' they belong to")
    panels[0].set_ylabel("x' by their first feature")
    highest = max(float(image.get_array().max()) for image in images)
    for image in images:
        image.set_norm(PowerNorm(0.5, 0.0, highest))
    figure.colorbar(images[-1], ax=panels, label="times uniform", shrink=0.75)


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """How many times its share by chance the diagonal holds, and the mass near it, by data set."""
    found = {"ranks": str(RANKS)}
    for name in DATA_SETS:
        found[f"{name}_times"] = f"{study.average(rows, 'on_diagonal', data=name) * UNPAIRED:.0f}"
        found[f"{name}_near"] = f"{study.average(rows, 'near_diagonal', data=name):.0%}"
    return found


EXPERIMENTS = [
    Experiment(
        name="plan",
        what="Heat maps of the transport plan on the four synthetic data sets (the paper's Fig. 4).",
        takes="2 minutes",
        needs="nothing",
        seeds=10,
        first_seed=study.UNSEEN,
        settings=settings,
        quoted=quoted,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Where the mass is", ["data"], ["near_diagonal", "on_diagonal", "nats_from_uniform"])],
    )
]
