"""The one bridge to the solver: photos as x, cells as y, pins as pairs; back comes a guide."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.options import Options
from album_app.solver import HasRatio, LsmiSinkhorn, Problem, Rule, Solution, State
from album_app.solver.arrays import Array
from album_app.solver.model import PaperModel, RatioModel
from album_app.solver.problem import some_of
from album_app.solver.threads import one_thread
from album_app.work import Stop, check

MOST_BETA = 0.95
"""The largest beta; the plan learns from the density ratio by the share 1 - beta, and with 0 no photo would prefer any
cell."""

SWEEPS = 30
"""Sinkhorn's sweeps per iteration: the potentials are carried over, so few are enough."""

SETTLED = 0.1
"""A plan that changes by less than this share of itself is good enough to be refined."""

STEPS = 8
"""The most iterations where refinement follows; without pins the plan may change for a long time before it settles."""

LAMBDAS = (1.0, 0.3, 0.1, 0.01, 0.001)
"""Candidates for lambda where it is selected: the paper's, and larger ones, since pins are few."""

SELECTION_SAMPLES = 100
"""The number of unpaired photos, of unpaired cells and of basis functions that cross-validation uses."""

NEGLIGIBLE_FOR_SHEETS = 1e-3
"""Singular values of the cells' kernel below this share of the largest one are left out.

It changes a plan by about 1 % and makes the solver's part of an edit of 320 photos a fifth shorter.
"""

WARM_STEPS = 1
"""The most iterations where an earlier plan exists; the first one already contains the effect of a moved pin."""

TILT = 0.03
"""How much larger that ratio is a standard deviation further out: enough to tell left from right, no more."""

MOST_WITHOUT_SAMPLING = 1000
"""Up to this many photos or cells, the solver sees all of them."""

LANDMARKS = 800
"""The size of the sample of a larger number; pins are always in it."""


def learn(
    arrangement: Arrangement,
    options: Options,
    warm: PlanGuide | None = None,
    on_guide: Callable[[PlanGuide], None] | None = None,
    stop: Stop | None = None,
    *,
    shown: Indices | None = None,
    places: NDArray[np.float64] | None = None,
) -> PlanGuide | None:
    """Solve LSMI-Sinkhorn for an arrangement; None where no photo or no cell is left to choose.

    Where the sheet will be refined the iteration ends as soon as the plan settles, otherwise as the paper says.
    `shown` are the loose photos that will be on the sheet (None: all); the plan is made for them and reaches the
    others. `places` (photos, 2) are where photos lay on an earlier sheet: the plan starts the same way round.
    `on_guide` sees what the first iteration knows. Raises `Stopped`.
    """
    if not len(arrangement.loose_photos) or not len(arrangement.free_cells):
        return None
    photos, cells = draw_landmarks(arrangement, options.seed, shown)
    problem = pose(arrangement, photos, cells)
    earlier = warm.selected if warm is not None else None
    selected = _selected(problem, solver_for(options), earlier, stop) if options.auto else None
    solver, enough = _ending(selected or solver_for(options), options.refine, warm is not None)
    meant = None if shown is None else np.union1d(shown, arrangement.placed_photos)

    def guide(solution: Solution) -> PlanGuide:
        return PlanGuide.of(arrangement, solution, photos, cells, selected, meant)

    def on_step(state: State) -> None:
        check(stop)
        if on_guide is not None and state.t == 2:
            on_guide(guide(solver.solution(state, enough)))

    with one_thread():
        check(stop)
        begin = _beginning(warm, None if places is None else places[photos])
        return guide(solver.run(solver.init(problem, begin), on_step, until=enough))


def _ending(solver: LsmiSinkhorn, refine: bool, warm: bool) -> tuple[LsmiSinkhorn, Rule]:
    """The solver with as many iterations as are worth it, and the rule by which it ends before."""
    if not refine:
        return solver, solver.settled
    return replace(solver, iterations=min(WARM_STEPS if warm else STEPS, solver.iterations)), _good_enough


def _beginning(warm: PlanGuide | None, lay: NDArray[np.float64] | None) -> HasRatio | None:
    """What the plan starts from: where photos lay, else an earlier plan, if there is any."""
    if lay is not None:
        return _AsTheyLay(lay)
    return warm.solution if warm is not None else None


@dataclass(frozen=True, eq=False)
class _AsTheyLay:
    """A ratio that is larger where a cell lies the same way from the middle as a photo did; 0 for photos not seen."""

    places: NDArray[np.float64]  # (n_x, 2), nan where a photo was not shown

    def ratio(self, x: Array, y: Array) -> Array:
        """For the photos x (n_x, d) in their order and the cells y (n_y, 2): (n_x, n_y)."""
        towards = (self.places - np.nanmean(self.places, axis=0)) / np.maximum(np.nanstd(self.places, axis=0), 1e-9)
        cells = (y - y.mean(axis=0)) / np.maximum(y.std(axis=0), 1e-9)
        return TILT * np.nan_to_num(towards) @ cells.T


def _good_enough(state: State) -> bool:
    """The stopping rule where refinement follows."""
    return state.relative_change <= SETTLED


def pose(arrangement: Arrangement, photos: Indices, cells: Indices) -> Problem:
    """The problem that these loose photos and free cells, and all pins, are to the solver."""
    points, places = arrangement.space.points, arrangement.shape.coordinates
    return Problem(
        points[arrangement.pulling_photos].astype(np.float64),
        places[arrangement.pulling_cells],
        points[photos].astype(np.float64),
        places[cells],
    )


def solver_for(options: Options) -> LsmiSinkhorn:
    """The solver with the user's settings."""
    kind = _ForSheets if options.refine else LsmiSinkhorn
    return kind(
        basis=options.basis,
        beta=min(options.beta, MOST_BETA),
        epsilon=options.epsilon,
        lam=options.lam,
        iterations=options.iterations,
        seed=options.seed,
        sweeps=SWEEPS,
    )


class _ForSheets(LsmiSinkhorn):
    """The solver for plans that are refined afterwards: it leaves more of the cells' kernel out."""

    def model(self, problem: Problem) -> RatioModel:
        """The model with fewer singular values than estimates of mutual information need."""
        return PaperModel.of(problem, self.basis, self.seed, self.width, self.roots, NEGLIGIBLE_FOR_SHEETS)


def _selected(
    problem: Problem, solver: LsmiSinkhorn, earlier: LsmiSinkhorn | None, stop: Stop | None
) -> LsmiSinkhorn | None:
    """The solver with lambda and beta selected by the pins; None where these say too little.

    What was selected for an `earlier` sheet is used again: a moved pin is to be answered at once.
    """
    if earlier is not None:
        return replace(solver, lam=earlier.lam, beta=earlier.beta)
    from album_app.solver.selection import select

    basis, iterations = min(solver.basis, SELECTION_SAMPLES), min(solver.iterations, STEPS)
    quick = replace(solver, basis=basis, iterations=iterations, landmarks=SELECTION_SAMPLES)
    found = select(problem, quick, lams=LAMBDAS, stop=stop)
    if not found.dependent:
        return None
    return replace(solver, lam=found.solver.lam, beta=min(found.solver.beta, MOST_BETA))


def draw_landmarks(arrangement: Arrangement, seed: int, shown: Indices | None = None) -> tuple[Indices, Indices]:
    """The loose photos, of all or of those to be shown, and the free cells that the solver sees, each ascending."""
    rng = np.random.default_rng(seed)
    photos = arrangement.loose_photos if shown is None else shown
    return _some(photos, rng), _some(arrangement.free_cells, rng)


def _some(indices: Indices, rng: np.random.Generator) -> Indices:
    return indices if len(indices) <= MOST_WITHOUT_SAMPLING else indices[some_of(len(indices), LANDMARKS, rng)]
