"""The one bridge to the solver: photos as x, cells as y, pins as pairs; back comes a guide."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from album_app.layout.guide import PlanGuide
from album_app.layout.landmarks import draw_landmarks
from album_app.layout.options import Options
from album_app.layout.table import Indices, Table
from album_app.solver import LsmiSinkhorn, Problem, State
from album_app.solver.threads import one_thread
from album_app.work import Stop, check

MOST_BETA = 0.95
"""A plan learns from the ratio by the share 1 - beta; with nothing left of it, no photo would prefer any cell."""

SWEEPS = 30
"""Sinkhorn's sweeps per iteration: the potentials are carried over, so few are enough."""

SETTLED = 0.1
"""A plan that changes by less than this share of itself is good enough to be refined."""

STEPS = 8
"""At most so many iterations where refinement follows: without pins a plan may turn for long before it settles."""

WARM_STEPS = 1
"""The same where an earlier plan is at hand: what a moved pin changes is in the first iteration."""


def learn(
    table: Table,
    options: Options,
    warm: PlanGuide | None = None,
    on_guide: Callable[[PlanGuide], None] | None = None,
    stop: Stop | None = None,
) -> PlanGuide | None:
    """Solve LSMI-Sinkhorn for a table; None where no photo or no cell is left to choose.

    Where the sheet will be refined the iteration ends as soon as the plan settles, otherwise as the paper says.
    `on_guide` sees what the first iteration knows. Raises `Stopped`.
    """
    if not len(table.loose_photos) or not len(table.free_cells):
        return None
    photos, cells = draw_landmarks(table, options.seed)
    problem = pose(table, photos, cells)
    solver = solver_for(problem, options)
    scale = (1.0 - (solver.beta if problem.n else 0.0)) / solver.epsilon
    settled, most = (SETTLED, WARM_STEPS if warm else STEPS) if options.refine else (0.0, solver.iterations)
    with one_thread():
        check(stop)
        state = solver.init(problem, warm.state if warm is not None else None)
        while state.t <= min(most, solver.iterations) and state.change > max(settled * _size(state), solver.eta):
            check(stop)
            state = solver.step(state)
            if on_guide is not None and state.t == 2:
                on_guide(PlanGuide.of(table, state, scale, photos, cells))
        return PlanGuide.of(table, state, scale, photos, cells)


def pose(table: Table, photos: Indices, cells: Indices) -> Problem:
    """The problem that these loose photos and free cells, and all pins, are to the solver."""
    points, places = table.space.points, table.shape.coordinates
    return Problem(
        points[table.pinned_photos].astype(np.float64),
        places[table.pinned_cells],
        points[photos].astype(np.float64),
        places[cells],
    )


def solver_for(problem: Problem, options: Options) -> LsmiSinkhorn:
    """The solver with the user's settings."""
    return LsmiSinkhorn(
        basis=options.basis,
        beta=min(options.beta, MOST_BETA),
        epsilon=options.epsilon,
        lam=options.lam,
        iterations=options.iterations,
        seed=options.seed,
        sweeps=SWEEPS,
    )


def _size(state: State) -> float:
    """The Frobenius norm of a state's plan."""
    return float(np.sqrt(np.vdot(state.plan, state.plan)))
