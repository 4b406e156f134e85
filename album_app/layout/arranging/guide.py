"""What the solver knows about a sheet: photos are its x, cells its y, pins its pairs, and its answer is a guide.

`learn` is the only bridge to the solver. The guide that it returns is a transport plan between all photos and all
cells, kept as factors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.space import Space
from album_app.layout.layout import Guide
from album_app.layout.options import Options
from album_app.layout.shapes.shape import Symmetry
from album_app.solver import HasRatio, LsmiSinkhorn, Problem, Rule, Solution, State
from album_app.solver.arrays import Array
from album_app.solver.model import PaperModel, RatioModel
from album_app.solver.problem import some_of
from album_app.solver.threads import one_thread
from album_app.work import Stop, check

Matrix = NDArray[np.float32]

RANK = 10
"""The number of axes that the plan's logarithm is reduced to for refinement: it is smooth over the sheet, so few
suffice."""

CHUNK_ENTRIES = 2_000_000
"""The entries of the plan that are computed at a time."""


@dataclass(frozen=True, eq=False)
class PlanGuide(Guide):
    """log pi(photo, cell) = photo_factors . cell_factors + photo_potential + cell_potential.

    The solver may have seen only some photos and cells (landmarks). Its ratio is a function, so factors and potentials
    exist for all cells, and for all photos that are meant for the sheet, pinned ones included.
    """

    space: Space
    solution: Solution
    photos: Indices  # (a,) those meant for the sheet, ascending; rows of photo_factors
    coordinates: NDArray[np.float64]  # (m, 2) of the cells
    photo_factors: Matrix  # (a, b)
    cell_factors: Matrix  # (m, b)
    seen_rows: Indices  # rows of photo_factors the solver saw
    seen_cells: Indices  # cells the solver saw
    seen_potential: Matrix  # (seen_cells,) g of Sinkhorn
    selected: LsmiSinkhorn | None = None  # the solver, where its settings were selected by the pins

    @classmethod
    def of(
        cls,
        arrangement: Arrangement,
        solution: Solution,
        seen_photos: Indices,
        seen_cells: Indices,
        selected: LsmiSinkhorn | None = None,
        meant: Indices | None = None,
    ) -> PlanGuide:
        """Extend a solver's answer from what it saw to the photos that are `meant` (None: all) and to all cells."""
        state, photos = solution.state, arrangement.photos if meant is None else meant
        rank = state.alpha.shape[-1]
        points, cells = arrangement.space.points[photos], arrangement.shape.coordinates
        return cls(
            arrangement.space,
            solution,
            photos,
            cells,
            _in_chunks(lambda part: _photo_factors(state, part), points, rank),
            _in_chunks(state.model.y_factors, cells, rank),
            np.searchsorted(photos, seen_photos),
            seen_cells,
            np.asarray(state.potentials[1], dtype=np.float32),
            selected,
        )

    def turned(self, way: Symmetry) -> PlanGuide:
        """The plan for the mirrored or turned sheet; later solves can start from it."""
        state, after = self.solution.state, np.empty_like(way.before)
        after[way.before] = np.arange(len(after))
        kernel = state.paper_model.y_kernel
        kernel = replace(kernel, centre=way.matrix @ kernel.centre + way.shift, basis=kernel.basis @ way.matrix.T)
        state = replace(state, model=replace(state.paper_model, y_kernel=kernel))
        return replace(
            self,
            solution=replace(self.solution, state=state),
            cell_factors=self.cell_factors[way.before],
            seen_cells=after[self.seen_cells],
        )

    @cached_property
    def photo_potential(self) -> Matrix:
        """f (a,) that gives each row the sum 1, over the cells the solver saw."""
        return self._over_seen_cells[0]

    @cached_property
    def barycentres(self) -> NDArray[np.float64]:
        """Where the plan sends each photo on average: (a, 2) in the cells' coordinates."""
        return self._over_seen_cells[1]

    @cached_property
    def _over_seen_cells(self) -> tuple[Matrix, NDArray[np.float64]]:
        photo_factors, factors = self.photo_factors, self.cell_factors[self.seen_cells].T
        model = self.solution.state.model
        parts = model.L_parts if isinstance(model, PaperModel) else None
        if parts is not None:  # the cells' factors have a low rank
            few, factors = (np.asarray(part, dtype=np.float32) for part in parts)
            photo_factors = photo_factors @ few
        places = self.coordinates[self.seen_cells].astype(np.float32)
        potential, centres = [], []
        for part in _chunks(len(self.photos), len(self.seen_cells)):
            weights = photo_factors[part] @ factors + self.seen_potential
            log_sums = _exponentiate(weights)
            potential.append(-log_sums)
            centres.append(weights @ places)
        return np.concatenate(potential), np.concatenate(centres).astype(np.float64)

    @cached_property
    def cell_potential(self) -> Matrix:
        """g (m,) that gives each column the sum 1, over the photos the solver saw."""
        return self._over_seen_photos[0]

    @cached_property
    def confidence(self) -> Matrix:
        """1 - normalised entropy of each cell's column: (m,); 0 = no opinion, 1 = one photo has it all."""
        return self._over_seen_photos[1]

    @cached_property
    def _over_seen_photos(self) -> tuple[Matrix, Matrix]:
        factors, potential = self.photo_factors[self.seen_rows].T, self.photo_potential[self.seen_rows]
        potentials, confidence = [], []
        largest = np.log(max(len(self.seen_rows), 2))
        for part in _chunks(len(self.cell_factors), len(self.seen_rows)):
            shares = self.cell_factors[part] @ factors + potential
            potentials.append(-_exponentiate(shares))
            entropy = -(shares * np.log(np.maximum(shares, 1e-30))).sum(axis=1)
            confidence.append(np.clip(1.0 - entropy / largest, 0.0, 1.0))
        return np.concatenate(potentials), np.concatenate(confidence).astype(np.float32)

    @cached_property
    def axes(self) -> tuple[Matrix, Matrix]:
        """Photos (a, RANK) and cells (m, RANK) whose products are the logits, up to what a photo or a cell adds.

        Scaled so that these products have variance 1 over the plan; zeros where the plan has no opinion.
        """
        photos, cells = self.photo_factors, self.cell_factors
        photo_mean, cell_mean = photos.mean(axis=0), cells.mean(axis=0)
        draws = np.random.default_rng(0).standard_normal((len(cells), RANK + 8)).astype(np.float32)
        mixed = cells.T @ draws - np.outer(cell_mean, draws.sum(axis=0))
        basis, _ = np.linalg.qr(photos @ mixed - photo_mean @ mixed)
        leading = basis.T @ photos - np.outer(basis.sum(axis=0), photo_mean)
        left, values, right = np.linalg.svd(leading @ cells.T - (leading @ cell_mean)[:, None], full_matrices=False)
        spread = float(np.sqrt((values**2).sum() / (len(photos) * len(cells))))
        if not spread > 1e-6:
            return np.zeros((len(photos), 1), np.float32), np.zeros((len(cells), 1), np.float32)
        turned = np.ascontiguousarray((values[:RANK, None] * right[:RANK]).T)
        return (basis @ left)[:, :RANK] / np.float32(spread), turned

    def logits(self, rows: Indices, cells: Indices) -> Matrix:
        """log pi up to potentials, (rows, cells)."""
        return np.asarray(self.photo_factors[rows] @ self.cell_factors[cells].T)

    def column(self, cell: int) -> Matrix:
        """How the plan shares a cell among the photos: (a,), sum 1."""
        shares = (self.photo_factors @ self.cell_factors[cell] + self.photo_potential)[None]
        _exponentiate(shares)
        return np.asarray(shares[0])

    def row(self, photo: int) -> Matrix:
        """How the plan shares a photo among the cells, even a photo that is not meant for the sheet: (m,), sum 1."""
        factors = _photo_factors(self.solution.state, self.space.points[photo : photo + 1])[0]
        shares = (self.cell_factors @ factors + self.cell_potential)[None]
        _exponentiate(shares)
        return np.asarray(shares[0])


def _photo_factors(state: State, points: Matrix) -> Matrix:
    """The factors (n, b) of photos with these points."""
    return np.asarray(state.model.x_factors(state.scale * state.alpha, points.astype(np.float64)), dtype=np.float32)


def _in_chunks(function: Callable[[NDArray[Any]], NDArray[Any]], rows: NDArray[Any], width: int) -> Matrix:
    """A function's values for all rows, `width` numbers each, in chunks so that few are in double precision at once."""
    values = np.empty((len(rows), width), np.float32)
    for part in _chunks(len(rows), width):
        values[part] = function(rows[part])
    return values


def _chunks(rows: int, width: int) -> list[slice]:
    step = max(1, CHUNK_ENTRIES // max(width, 1))
    return [slice(i, i + step) for i in range(0, rows, step)]


def _exponentiate(logits: Matrix) -> Matrix:
    """Turn rows of logits into shares that sum to 1, in place; returns the logarithms of their sums."""
    top = logits.max(axis=1, keepdims=True)
    np.exp(np.subtract(logits, top, out=logits), out=logits)
    sums = logits.sum(axis=1, keepdims=True)
    logits /= sums
    return np.asarray((top + np.log(sums))[:, 0])


MOST_BETA = 0.95
"""The largest beta: the density ratio enters the plan with the weight 1 - beta, and at 0 no photo would prefer a
cell."""

SWEEPS = 30
"""The most Sinkhorn sweeps per iteration: each iteration starts from the potentials of the last one, so few suffice."""

SETTLED_CHANGE = 0.1
"""A plan whose last relative change is at most this is good enough to be refined."""

MOST_ITERATIONS = 8
"""The most iterations where refinement follows; without pins the plan may go on changing for a long time."""

LAMBDAS = (1.0, 0.3, 0.1, 0.01, 0.001)
"""Candidates for lambda where it is selected: the paper's, and larger ones, since pins are few."""

SELECTION_SAMPLES = 100
"""The number of unpaired photos, of unpaired cells and of basis functions that cross-validation uses."""

NEGLIGIBLE_FOR_SHEETS = 1e-3
"""Singular values of the cells' kernel below this share of the largest one are left out.

That changes a plan by about 1 %, and the solver takes a fifth less time for an edit of 320 photos.
"""

MOST_WARM_ITERATIONS = 1
"""The most iterations that start from an earlier plan; the first one already contains the effect of a moved pin."""

START_RATIO = 0.03
"""The ratio at the start, where a photo lay one standard deviation from the middle and a cell lies as far in the same
direction. It is large enough to decide which way round the sheet lies, and too small to decide anything else."""

MOST_WITHOUT_SAMPLING = 1000
"""Up to this many photos or cells, the solver sees all of them."""

LANDMARKS = 800
"""The size of the sample of photos, and of that of cells, where there are more; pins are always seen."""


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
        start = _start(warm, None if places is None else places[photos])
        return guide(solver.run(solver.init(problem, start), on_step, until=enough))


def _ending(solver: LsmiSinkhorn, refine: bool, warm: bool) -> tuple[LsmiSinkhorn, Rule]:
    """The solver with the number of iterations that is worth its time, and its stopping rule."""
    if not refine:
        return solver, solver.settled
    return replace(
        solver, iterations=min(MOST_WARM_ITERATIONS if warm else MOST_ITERATIONS, solver.iterations)
    ), _good_enough


def _start(warm: PlanGuide | None, places: NDArray[np.float64] | None) -> HasRatio | None:
    """What the plan starts from: the places where photos lay, else an earlier plan; None without either."""
    if places is not None:
        return _EarlierPlaces(places)
    return warm.solution if warm is not None else None


@dataclass(frozen=True, eq=False)
class _EarlierPlaces:
    """A ratio that is larger the more a cell lies in the direction from the middle in which the photo lay.

    It is 0 for photos that were not shown.
    """

    places: NDArray[np.float64]  # (n_x, 2), nan where a photo was not shown

    def ratio(self, x: Array, y: Array) -> Array:
        """For the photos x (n_x, d) in their order and the cells y (n_y, 2): (n_x, n_y)."""
        towards = (self.places - np.nanmean(self.places, axis=0)) / np.maximum(np.nanstd(self.places, axis=0), 1e-9)
        cells = (y - y.mean(axis=0)) / np.maximum(y.std(axis=0), 1e-9)
        return START_RATIO * np.nan_to_num(towards) @ cells.T


def _good_enough(state: State) -> bool:
    """The stopping rule where refinement follows."""
    return state.relative_change <= SETTLED_CHANGE


def pose(arrangement: Arrangement, photos: Indices, cells: Indices) -> Problem:
    """The solver's problem: pins are the pairs, these loose photos and free cells the unpaired samples."""
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
    """The solver for plans that are refined later: its model leaves out more singular values of the cells' kernel."""

    def model(self, problem: Problem) -> RatioModel:
        """The model with fewer singular values than estimates of mutual information need."""
        return PaperModel.of(problem, self.basis, self.seed, self.width, self.roots, NEGLIGIBLE_FOR_SHEETS)


def _selected(
    problem: Problem, solver: LsmiSinkhorn, earlier: LsmiSinkhorn | None, stop: Stop | None
) -> LsmiSinkhorn | None:
    """The solver with lambda and beta selected by the pins; None where these say too little.

    The selection for an `earlier` sheet is used again, because selecting anew would delay the answer to a moved pin.
    """
    if earlier is not None:
        return replace(solver, lam=earlier.lam, beta=earlier.beta)
    from album_app.solver.selection import select

    basis, iterations = min(solver.basis, SELECTION_SAMPLES), min(solver.iterations, MOST_ITERATIONS)
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
