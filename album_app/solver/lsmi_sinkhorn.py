"""Algorithm 1, LSMI-Sinkhorn: alternate between the density ratio's alpha and the transport plan Pi.

Equation and line numbers are those of Liu et al., "LSMI-Sinkhorn", ECML PKDD 2021.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from operator import index
from typing import Any

from album_app.solver.arrays import Array, InvalidInput, epsilon_of, namespace, row_blocks
from album_app.solver.density_ratio import fit
from album_app.solver.estimator import Estimator
from album_app.solver.kernels import TRANSFORMS
from album_app.solver.model import Model
from album_app.solver.problem import Problem
from album_app.solver.sinkhorn import Transport, sinkhorn
from album_app.solver.start import START, starting_logits
from album_app.solver.state import HasRatio, Solution, State
from album_app.solver.threads import one_thread
from album_app.work import Stop

SMALL = 1_000_000
"""Plans with fewer entries are solved on one thread: sharing them costs more than it saves."""

SINGLE = 1e-5
"""The l1 error of the marginals that Sinkhorn's algorithm aims for in float32."""

COARSEST = 0.01
"""The error it aims for while the plan still moves by more."""

VISIBLE_ERROR = 0.05
"""A plan whose marginals are off by more than this share is called degenerate."""

SETTINGS: dict[str, tuple[Callable[[Any], bool], str]] = {
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
    "transform": (lambda value: value in TRANSFORMS, f"one of {', '.join(TRANSFORMS)}"),
    "landmarks": (lambda value: value is None or index(value) >= 1, "a whole number, at least 1, or None"),
    "sweeps": (lambda value: index(value) >= 1, "a whole number, at least 1"),
    "tolerance": (lambda value: value is None or value >= 0.0, "at least 0 or None"),
}
"""What each setting has to be."""

OnStep = Callable[[State], None]
Rule = Callable[[State], bool]
"""A stopping rule: whether a state is at rest."""


@dataclass
class LsmiSinkhorn(Estimator):
    """LSMI-Sinkhorn with its settings, named as in the paper; `solve` runs it, `init` and `step` are its parts.

    `fit(x, y, x_unpaired, y_unpaired)` and what follows it, as notebooks and scikit-learn expect, are `Estimator`'s.

    `start` is "uniform" (every pi_ij the same), "random" (the paper's) or "axes" (principal axes of x laid along
    those of y), which also replaces "uniform" without pairs, since nothing would break the symmetry then.
    `dtype` is "float32", "float64" or None: float32 wherever its rounding cannot be seen in the plan.
    `device` moves the problem to a torch device; without one the work is done where the problem's arrays live.
    `width` multiplies the kernel widths of the median rule; `transform` is "none" or "sqrt", what is done to every
    feature of x and y before distances are taken.
    `landmarks` bounds how many unpaired samples of a side are looked at, drawn at random; the ratio reaches all.
    `sweeps` and `tolerance` bound Sinkhorn's work in one iteration and the l1 error of the marginals it aims for.

    >>> import numpy as np
    >>> x = np.linspace(-1.0, 1.0, 41)[:, None]
    >>> solver = LsmiSinkhorn(lam=0.01).fit(x[::4], x[::4] ** 3, x, x**3)  # 11 pairs, and 41 of each side
    >>> f"SMI {solver.smi_:.1f}"
    'SMI 0.5'
    >>> solution = LsmiSinkhorn(lam=0.01).solve(Problem(x[::4], x[::4] ** 3, x, x**3))
    >>> solution.smi == solver.smi_, solution.plan.shape
    (True, (41, 41))
    """

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
    transform: str = field(default="none", kw_only=True)
    landmarks: int | None = field(default=None, kw_only=True)
    sweeps: int = field(default=100, kw_only=True)
    tolerance: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing; `init` does so again, since settings may be set at any time."""
        for name, (good, wanted) in SETTINGS.items():
            value = getattr(self, name)
            try:
                allowed = good(value)
            except TypeError:
                allowed = False
            if not allowed:
                raise InvalidInput(f"{name} must be {wanted}, not {value!r}")
        if self.dtype == "float64" and str(self.device).startswith("mps"):
            raise InvalidInput("dtype must be float32 or None on device mps, which knows no float64")

    def solve(
        self,
        problem: Problem,
        warm: HasRatio | None = None,
        on_step: OnStep | None = None,
        stop: Stop | None = None,
        until: Rule | None = None,
    ) -> Solution:
        """Run Algorithm 1; `on_step` sees every state, and once `stop` says so the last state is the answer.

        `warm` is an earlier answer, also to a problem with other pairs or samples of the same features.
        """
        with one_thread(problem.n_x * problem.n_y < SMALL):
            return self.run(self.init(problem, warm), on_step, stop, until)  # line 1

    def run(
        self, state: State, on_step: OnStep | None = None, stop: Stop | None = None, until: Rule | None = None
    ) -> Solution:
        """Lines 2 to 6: iterate from a state to the answer; `until` is the stopping rule, by default `settled`.

        >>> import numpy as np
        >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
        >>> solver = LsmiSinkhorn()
        >>> state = solver.init(Problem(x[::4], x[::4], x, x))
        >>> solver.run(state, until=lambda state: state.t > 3).iterations
        3
        """
        until = until or self.settled
        while state.t <= self.iterations and not until(state):  # line 2
            state = self.step(state)  # lines 3 to 5
            if on_step is not None:
                on_step(state)
            if stop is not None and stop():
                break
        return self.solution(state, until)  # line 6

    def init(self, problem: Problem, warm: HasRatio | None = None) -> State:
        """Line 1: the ratio model, and Pi^(1) by `start`, or as the plan of an earlier answer's ratio."""
        self.__post_init__()
        if self.landmarks is not None:
            problem = problem.with_unpaired(*problem.landmarks(self.landmarks, self.seed))
        problem = problem.to(self.device)
        model = Model.of(problem, self.basis, self.seed, self.width, self.transform)
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

    def adopt(self, state: State) -> State:
        """A state with this solver's lambda, beta and epsilon in place of those it was made with."""
        problem = state.model.problem
        W = state.model.factor(self.lam)
        return replace(state, W=W, beta=self._beta(problem), scale=self._scale(problem))

    def _beta(self, problem: Problem) -> float:
        """The share of the pairs in h: beta, but nothing where there are none."""
        return self.beta if problem.n else 0.0

    def _scale(self, problem: Problem) -> float:
        """What turns the ratio into logits of the plan, Eq. (6)."""
        return (1.0 - self._beta(problem)) / self.epsilon

    def step(self, state: State) -> State:
        """Lines 3 to 5: one iteration of Algorithm 1."""
        model, beta, scale = state.model, state.beta, state.scale

        # line 3: alpha^(t+1) = argmin_alpha J(Pi^(t), alpha) = (H + lambda I)^-1 h, Eq. (8)
        alpha = fit(state.W, beta * model.h_pairs + (1.0 - beta) * state.h_plan)
        J_alpha = self.objective(model, alpha, state.h_plan, state.entropy, beta)

        # line 4: Pi^(t+1) = argmin_Pi J(Pi, alpha^(t+1)), Eq. (6), by Sinkhorn's algorithm on C_alpha
        dtype = self._dtype(scale * alpha)
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
        """The end of line 2: ||Pi^(t) - Pi^(t-1)||_F <= eta, or as near to it as the precision can tell."""
        return state.change <= max(self.eta, state.resolution * state.norm)

    def solution(self, state: State, until: Rule | None = None) -> Solution:
        """Line 6: the answer that a state holds. (The paper's index t - 1 is the state at rest; ours is the last.)"""
        transport, degenerate = state.transport, state.model.degenerate
        if not degenerate and transport.error > VISIBLE_ERROR:
            degenerate = (
                f"the plan's marginals are still off by {transport.error:.0%} after {transport.sweeps} sweeps,"
                " so epsilon is small for these ratios"
            )
        return Solution(state, state.model.smi(state.alpha), (until or self.settled)(state), degenerate)

    def objective(self, model: Model, alpha: Array, h_plan: Array, entropy: float, beta: float) -> float:
        """J(Pi, alpha) of Eq. (5)."""
        xp = namespace(alpha)
        h = beta * model.h_pairs + (1.0 - beta) * h_plan
        residual = 0.5 * (model.H @ alpha) + 0.5 * self.lam * alpha - h
        return float(xp.sum(alpha * residual)) + self.epsilon * entropy

    def _transport(self, logits: Array, problem: Problem, state: State | None = None) -> Transport:
        """Sinkhorn's algorithm in the precision of the logits, from the potentials of the state before.

        In float32 the marginals need not be nearer than a hundredth of what the plan moved by in the iteration before.
        """
        xp = namespace(logits)
        tolerance = 1e-9
        if logits.dtype == xp.float32:
            tolerance = min(max(SINGLE, 0.01 * state.relative_change), COARSEST) if state else SINGLE
        potentials = None
        if state:
            f, g = state.potentials
            potentials = xp.astype(f, logits.dtype, copy=False), xp.astype(g, logits.dtype, copy=False)
        tolerance = tolerance if self.tolerance is None else self.tolerance
        return sinkhorn(logits, potentials, self.sweeps, tolerance, problem.marginals)

    def _dtype(self, weights: Array) -> Any:
        """The plan's precision: as asked for, or float32 where its rounding moves log pi by less than a hundredth."""
        xp = namespace(weights)
        if self.dtype is not None:
            return getattr(xp, self.dtype)
        rounding = epsilon_of(xp.float32, weights) * float(xp.sum(xp.abs(weights)))
        return xp.float32 if rounding < 0.01 else weights.dtype

    def _resolution(self, weights: Array, dtype: Any) -> float:
        """How finely a plan of this precision can be told from another, relative to its norm."""
        if dtype != namespace(weights).float32:
            return 0.0
        return max(SINGLE, epsilon_of(dtype, weights) * sqrt(float(weights @ weights)))


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
