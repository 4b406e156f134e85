"""Algorithm 1, LSMI-Sinkhorn: alternate between the density ratio's alpha and the transport plan Pi.

The starts come first, then the settings with their allowed values, then the algorithm.
Equation and line numbers are those of Liu et al., "LSMI-Sinkhorn", ECML PKDD 2021.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.language import StoredText
from album_app.solver.arrays import Array, InvalidInput, device_of, epsilon_of, namespace, row_blocks, to_host
from album_app.solver.model import PaperModel, RatioModel
from album_app.solver.problem import Problem, check_posed
from album_app.solver.sinkhorn import Transport, sinkhorn
from album_app.solver.state import HasRatio, Solution, State
from album_app.solver.threads import one_thread
from album_app.work import Stop

AXES = 2
"""The number of principal axes that the start "axes" lays along each other; a sheet of cells has two."""


def starting_logits(problem: Problem, start: str, seed: int) -> Array:
    """Logits (n_x, n_y) of one of the starts in float32; without pairs "axes" stands in for "uniform"."""
    name = "axes" if start == "uniform" and problem.n == 0 else start
    xp = namespace(problem.x)
    return xp.asarray(START[name](problem, seed), dtype=xp.float32, device=device_of(problem.x))


def _uniform(problem: Problem, seed: int) -> NDArray[np.float32]:
    """All pi_ij are equal. The start does not depend on the seed, so the pairs alone decide the first step."""
    return np.zeros((problem.n_x, problem.n_y), np.float32)


def _random(problem: Problem, seed: int) -> NDArray[np.float32]:
    """The paper's start: random entries, here uniform on (0, 1] and then scaled to the marginals."""
    draws = np.random.default_rng(seed).random((problem.n_x, problem.n_y), np.float32)
    return np.asarray(np.log(1.0 - draws))


def _axes(problem: Problem, seed: int) -> NDArray[np.float64]:
    """Large where the principal coordinates of x'_i and y'_j agree."""
    x, y = _principal(to_host(problem.x)), _principal(to_host(problem.y))
    axes = min(x.shape[1], y.shape[1])
    return x[:, :axes] @ y[:, :axes].T


def _principal(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """The leading principal coordinates, standardised; each axis points towards its longer tail."""
    deviations = samples - samples.mean(axis=0)
    size = np.abs(deviations).max()
    if size == 0.0:
        return np.zeros((len(samples), 1))
    left, values, _ = np.linalg.svd(deviations / size, full_matrices=False)
    coordinates = left[:, : min(AXES, int(np.sum(values > 1e-6 * values[0])))] * np.sqrt(len(samples))
    tails = np.sum(coordinates**3, axis=0)
    return np.asarray(coordinates * np.where(tails < 0.0, -1.0, 1.0))


START: dict[str, Callable[[Problem, int], NDArray[Any]]] = {
    "uniform": _uniform,
    "random": _random,
    "axes": _axes,
}
"""The starts by name."""


ALLOWED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "basis": (lambda value: index(value) >= 1, "a whole number, at least 1"),
    "beta": (lambda value: 0.0 <= value <= 1.0, "between 0 and 1"),
    "epsilon": (lambda value: 0.0 < value < inf, "positive"),
    "lam": (lambda value: 0.0 <= value < inf, "at least 0"),
    "iterations": (lambda value: index(value) >= 1, "a whole number, at least 1"),
    "eta": (lambda value: value >= 0.0, "at least 0"),
    "seed": (lambda value: index(value) >= 0, "a whole number, at least 0"),
    "start": (lambda value: value in START, f"one of {', '.join(START)}"),
    "dtype": (lambda value: value in (None, "float32", "float64"), "float32, float64 or None"),
    "width": (lambda value: 0.0 < value < inf, "positive"),
    "roots": (lambda value: value in (False, True), "True or False"),
    "landmarks": (lambda value: value is None or index(value) >= 1, "a whole number, at least 1, or None"),
    "sweeps": (lambda value: index(value) >= 1, "a whole number, at least 1"),
    "tolerance": (lambda value: value is None or value >= 0.0, "at least 0 or None"),
}
"""For each setting, a test of its value and the values that pass the test."""


@dataclass
class Settings:
    """The settings of `LsmiSinkhorn`, which documents them, and of its scikit-learn estimator."""

    basis: int = 200  # b
    beta: float = 0.5
    epsilon: float = 0.3
    lam: float = 1e-3  # lambda
    iterations: int = 20  # T
    eta: float = 1e-9
    seed: int = 0
    start: str = "uniform"
    dtype: str | None = None
    device: str | None = None
    width: float = field(default=1.0, kw_only=True)
    roots: bool = field(default=False, kw_only=True)
    landmarks: int | None = field(default=None, kw_only=True)
    sweeps: int = field(default=100, kw_only=True)
    tolerance: float | None = field(default=None, kw_only=True)

    def check(self) -> None:
        """Refuse a setting that has no meaning, with a sentence that names it."""
        for name, (allowed, wanted) in ALLOWED.items():
            value = getattr(self, name)
            try:
                good = allowed(value)
            except TypeError:
                good = False
            if not good:
                raise InvalidInput(f"{name} must be {wanted}, not {value!r}")
        if self.dtype == "float64" and str(self.device).startswith("mps"):
            raise InvalidInput("dtype must be float32 or None on device mps, which has no float64")


ONE_THREAD_ENTRIES = 1_000_000
"""A plan with fewer entries is solved on one thread, because sharing the work costs more time than it saves."""


def threads_for(problem: Problem) -> AbstractContextManager[None]:
    """A block that runs on one thread where the plan of a problem is small."""
    return one_thread(problem.n_x * problem.n_y < ONE_THREAD_ENTRIES)


FLOAT32_TOLERANCE = 1e-5
"""The l1 error of the marginals at which Sinkhorn's algorithm stops in float32."""

COARSEST_TOLERANCE = 0.01
"""The largest l1 error at which it stops while the plan still changes a lot from iteration to iteration."""

VISIBLE_ERROR = 0.05
"""A plan whose marginals are off by more than this l1 error is reported as degenerate."""

OnStep = Callable[[State], None]
Rule = Callable[[State], bool]
"""A stopping rule: returns True for a state at which the iteration may end."""


@dataclass
class LsmiSinkhorn(Settings):
    """LSMI-Sinkhorn with its settings, named as in the paper; `solve` runs it, `init` and `step` are its parts.

    `basis` is b, `lam` lambda, `iterations` T, the largest number of iterations.
    `start` is "uniform" (all pi_ij are equal), "random" (the paper's) or "axes" (the principal axes of x are laid along
    those of y). Without pairs "axes" replaces "uniform", because nothing else would break the symmetry.
    `dtype` is "float32", "float64" or None: float32 wherever its rounding cannot be seen in the plan.
    `device` moves the problem to a torch device; None leaves the arrays where they are.
    `width` multiplies the kernel widths of the median rule; with `roots` the kernels see the signed square roots of
    all features.
    `landmarks` is the largest number of unpaired samples of a side that enter the plan, drawn at random; the ratio is
    a function and applies to all samples.
    `sweeps` bounds Sinkhorn's sweeps in one iteration; `tolerance` is the l1 error of the marginals at which they end.

    >>> import numpy as np
    >>> x = np.linspace(-1.0, 1.0, 41)[:, None]
    >>> solution = LsmiSinkhorn(lam=0.01).solve(Problem(x[::4], x[::4] ** 3, x, x**3))  # 11 pairs, 41 unpaired a side
    >>> f"SMI {solution.smi:.1f}", solution.plan.shape
    ('SMI 0.5', (41, 41))
    """

    def __post_init__(self) -> None:
        """Refuse settings that have no meaning; `init` checks again, because settings can be changed at any time."""
        self.check()

    def solve(
        self,
        problem: Problem,
        warm: HasRatio | None = None,
        on_step: OnStep | None = None,
        stop: Stop | None = None,
        until: Rule | None = None,
    ) -> Solution:
        """Run Algorithm 1. `on_step` sees every state; once `stop` returns True, the last state is the answer.

        `warm` is an earlier answer to start from; its problem may have had other pairs or samples of the same features.
        """
        check_posed(problem)
        with threads_for(problem):
            solution = self.run(self.init(problem, warm), on_step, stop, until)  # line 1
        return replace(solution, landmarks=self._landmarks(problem))

    def run(
        self, state: State, on_step: OnStep | None = None, stop: Stop | None = None, until: Rule | None = None
    ) -> Solution:
        """Lines 2 to 6: iterate from a state to the answer; `until` is the stopping rule, by default `settled`.

        The rule is asked after every iteration. There is at least one, because alpha is 0 before it.

        >>> import numpy as np
        >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
        >>> solver = LsmiSinkhorn()
        >>> state = solver.init(Problem(x[::4], x[::4], x, x))
        >>> solver.run(state, until=lambda state: state.t > 3).iterations
        3
        """
        until = until or self.settled
        while state.t == 1 or (state.t <= self.iterations and not until(state)):  # line 2
            state = self.step(state)  # lines 3 to 5
            if on_step is not None:
                on_step(state)
            if stop is not None and stop():
                break
        return self.solution(state, until)  # line 6

    def init(self, problem: Problem, warm: HasRatio | None = None) -> State:
        """Line 1: the ratio model, and Pi^(1) by `start`, or as the plan of an earlier answer's ratio."""
        self.check()
        if (rows := self._landmarks(problem)) is not None:
            problem = problem.with_unpaired(*rows)
        problem = problem.to(self.device)
        model = self.model(problem)
        if warm is not None:
            logits = self._scale(problem) * warm.ratio(problem.x, problem.y)
        else:
            logits = starting_logits(problem, self.start, self.seed)
        xp = namespace(logits)
        logits = xp.astype(logits, getattr(xp, self.dtype or "float32"), copy=False)
        transport = self._transport(logits, problem)
        entropy = _entropy(transport, float(xp.sum(transport.plan * logits)))
        h_plan = model.expectation(transport.plan)
        return self.adopt(State(model, None, transport, h_plan, entropy, 0.0 * h_plan, 0.0, 0.0))

    def model(self, problem: Problem) -> RatioModel:
        """The ratio model of Eq. (2) on the samples of a problem."""
        return PaperModel.of(problem, self.basis, self.seed, self.width, self.roots)

    def _landmarks(self, problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """The rows of unpaired x and y that enter the plan; None for all."""
        return None if self.landmarks is None else problem.landmarks(self.landmarks, self.seed)

    def adopt(self, state: State) -> State:
        """A state with this solver's lambda, beta and epsilon in place of those it was made with."""
        problem = state.model.problem
        W = state.model.factor(self.lam)
        return replace(state, W=W, beta=self._beta(problem), scale=self._scale(problem))

    def _beta(self, problem: Problem) -> float:
        """The share of the pairs in h: beta, or 0 without pairs."""
        return self.beta if problem.n else 0.0

    def _scale(self, problem: Problem) -> float:
        """(1 - beta) / epsilon: the ratio times this factor is the logit of the plan, Eq. (6)."""
        return (1.0 - self._beta(problem)) / self.epsilon

    def step(self, state: State) -> State:
        """Lines 3 to 5: one iteration of Algorithm 1."""
        model, beta, scale = state.model, state.beta, state.scale

        # line 3: alpha^(t+1) = argmin_alpha J(Pi^(t), alpha) = (H + lambda I)^-1 h, Eq. (8)
        alpha = model.fit(state.W, beta * model.h_pairs + (1.0 - beta) * state.h_plan)
        J_alpha = self.objective(model, alpha, state.h_plan, state.entropy, beta)

        # line 4: Pi^(t+1) = argmin_Pi J(Pi, alpha^(t+1)), Eq. (6), by Sinkhorn's algorithm on C_alpha
        dtype = self._dtype(model, scale * alpha)
        transport = self._transport(model.cost(scale * alpha, dtype), model.problem, state)
        h_plan = model.expectation(transport.plan)
        entropy = _entropy(transport, scale * float(namespace(alpha).sum(alpha * h_plan)))
        J_plan = self.objective(model, alpha, h_plan, entropy, beta)

        # line 5: t = t + 1
        change, norm = _norms(transport.plan, state.plan)
        return replace(
            state,
            transport=transport,
            h_plan=h_plan,
            entropy=entropy,
            alpha=alpha,
            t=state.t + 1,
            change=change,
            norm=norm,
            resolution=self._resolution(scale * alpha, dtype),
            objective=(*state.objective, J_alpha, J_plan),
        )

    def settled(self, state: State) -> bool:
        """The end of line 2: ||Pi^(t) - Pi^(t-1)||_F <= eta, or, in float32, a relative change below about 1e-5."""
        return state.change <= max(self.eta, state.resolution * state.norm)

    def solution(self, state: State, until: Rule | None = None) -> Solution:
        """Line 6: the answer of a state, whose index is t; the paper's, t - 1, differs by at most eta once settled."""
        transport, degenerate = state.transport, state.model.degenerate
        if not degenerate and transport.error > VISIBLE_ERROR:
            degenerate = StoredText(
                "the plan's marginals are still off by {share} after {sweeps} sweeps, "
                "so epsilon is small for these ratios",
                share=f"{transport.error:.0%}",
                sweeps=transport.sweeps,
            )
        degenerate = degenerate or state.model.problem.too_few
        return Solution(state, state.model.smi(state.alpha), (until or self.settled)(state), degenerate)

    def objective(self, model: RatioModel, alpha: Array, h_plan: Array, entropy: float, beta: float) -> float:
        """J(Pi, alpha) of Eq. (5)."""
        xp = namespace(alpha)
        h = beta * model.h_pairs + (1.0 - beta) * h_plan
        residual = 0.5 * model.design_times(alpha) + 0.5 * self.lam * alpha - h
        return float(xp.sum(alpha * residual)) + self.epsilon * entropy

    def _transport(self, logits: Array, problem: Problem, state: State | None = None) -> Transport:
        """Sinkhorn's algorithm in the precision of the logits, from the potentials of the state before.

        In float32 the error of the marginals may be as large as a hundredth of the plan's last relative change.
        """
        xp = namespace(logits)
        tolerance = 1e-9
        if logits.dtype == xp.float32:
            tolerance = (
                min(max(FLOAT32_TOLERANCE, 0.01 * state.relative_change), COARSEST_TOLERANCE)
                if state
                else FLOAT32_TOLERANCE
            )
        potentials = None
        if state:
            f, g = state.potentials
            potentials = xp.astype(f, logits.dtype, copy=False), xp.astype(g, logits.dtype, copy=False)
        tolerance = tolerance if self.tolerance is None else self.tolerance
        return sinkhorn(logits, potentials, self.sweeps, tolerance, problem.marginals)

    def _dtype(self, model: RatioModel, weights: Array) -> Any:
        """The plan's precision: `dtype`, or else float32 where its rounding changes log pi by less than 0.01."""
        xp = namespace(weights)
        if self.dtype is not None:
            return getattr(xp, self.dtype)
        rounding = epsilon_of(xp.float32, weights) * model.bound(weights)
        return xp.float32 if rounding < 0.01 else weights.dtype

    def _resolution(self, weights: Array, dtype: Any) -> float:
        """The smallest relative change of a plan that this precision can show."""
        xp = namespace(weights)
        if dtype != xp.float32:
            return 0.0
        return max(FLOAT32_TOLERANCE, epsilon_of(dtype, weights) * sqrt(float(xp.sum(weights * weights))))


def _entropy(transport: Transport, mean_logit: float) -> float:
    """H(Pi) = sum pi (log pi - 1) with log pi = logit + f + g, from sums over rows and columns."""
    xp = namespace(transport.f)
    rows, columns = transport.row_sums * transport.f, transport.column_sums * transport.g
    return mean_logit + float(xp.sum(rows)) + float(xp.sum(columns)) - 1.0


def _norms(plan: Array, other: Array) -> tuple[float, float]:
    """||plan - other||_F and ||plan||_F, a block at a time so that large plans need no third copy."""
    xp = namespace(plan)
    change = norm = 0.0
    for rows in row_blocks(plan):
        block = xp.reshape(plan[rows, :], (-1,))
        difference = block - xp.reshape(other[rows, :], (-1,))
        change += float(difference @ difference)
        norm += float(block @ block)
    return sqrt(change), sqrt(norm)
