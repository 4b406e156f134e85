"""The state of Algorithm 1 between two steps, and its answer."""

from dataclasses import dataclass
from math import inf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from album_app.solver.arrays import (
    Array,
    InvalidInput,
    as_array,
    is_torch_array,
    namespace,
    row_blocks,
    to_host,
    to_namespace,
    widen,
)
from album_app.solver.model import PaperModel, RatioModel
from album_app.solver.problem import samples_of
from album_app.solver.sinkhorn import Transport


class HasRatio(Protocol):
    """What a solve may start from: an earlier answer, or anything else that says how samples belong together.

    >>> from album_app.solver import LsmiSinkhorn, Problem
    >>> class Alike:
    ...     def ratio(self, x: Array, y: Array) -> Array:
    ...         return -((x - y.T) ** 2)
    >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
    >>> LsmiSinkhorn().solve(Problem(x[::4], x[::4], x, x), warm=Alike()).plan.shape
    (20, 20)
    """

    def ratio(self, x: Array, y: Array) -> Array:
        """At all combinations of the rows of x (m, d_x) and of y (k, d_y), (m, k)."""


@dataclass(frozen=True, eq=False)
class State:
    """Where Algorithm 1 stands before iteration t; never changed, only replaced.

    >>> from album_app.solver import LsmiSinkhorn, Problem
    >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
    >>> solver = LsmiSinkhorn()
    >>> first = solver.init(Problem(x[::4], x[::4], x, x))
    >>> second = solver.step(first)
    >>> first.t, second.t, second.plan.shape
    (1, 2, (20, 20))
    """

    model: RatioModel
    W: Array  # what the model needs of H + lambda I; in the paper's model (b, b), its inverse Cholesky factor
    transport: Transport  # Pi^(t) and its potentials
    h_plan: Array  # (b,), sum_ij pi_ij phi(x'_i, y'_j)
    entropy: float  # H(Pi) = sum pi (log pi - 1)
    alpha: Array  # (b,), alpha^(t); zeros before the first iteration
    beta: float  # as used: 0 without pairs
    scale: float  # (1 - beta) / epsilon, by which the ratio becomes the plan's logits
    t: int = 1
    change: float = inf  # ||Pi^(t) - Pi^(t-1)||_F
    norm: float = 1.0  # ||Pi^(t)||_F
    resolution: float = 0.0  # relative changes of Pi^(t) below this are made of rounding errors
    objective: tuple[float, ...] = ()  # J after each half step

    @property
    def plan(self) -> Array:
        """Pi^(t), (n_x, n_y)."""
        return self.transport.plan

    @property
    def paper_model(self) -> PaperModel:
        """The model of a state of `LsmiSinkhorn`, with its kernels."""
        if not isinstance(self.model, PaperModel):
            raise TypeError("only a state of LsmiSinkhorn has the paper's model")
        return self.model

    @property
    def potentials(self) -> tuple[Array, Array]:
        """f (n_x,) and g (n_y,) with log pi_ij = scale C_ij + f_i + g_j."""
        return self.transport.f, self.transport.g

    @property
    def relative_change(self) -> float:
        """What the last iteration changed in the plan, as a share of the plan."""
        return self.change / self.norm

    def ratio(self, x: Array, y: Array) -> Array:
        """r_alpha at all combinations of the rows of x (m, d_x) and of y (k, d_y), (m, k)."""
        return self.model.ratio(self.alpha, x, y)


@dataclass(frozen=True, eq=False)
class Solution:
    """The answer: plan, ratio and SMI, whether the iteration came to rest, and what was degenerate about it.

    >>> from album_app.solver import LsmiSinkhorn, Problem
    >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
    >>> solution = LsmiSinkhorn().solve(Problem(x[::4], -x[::4], x, -x))
    >>> rows, columns = solution.match()  # -x is the partner of x
    >>> bool((rows == columns).all())
    True
    >>> bool(solution.expected(np.array([[0.5]]))[0, 0] < 0.0)
    True
    >>> constant = LsmiSinkhorn().solve(Problem(x[::4], 0 * x[::4], x, 0 * x))
    >>> constant.degenerate
    'all samples of y coincide, so no dependence can be seen'
    >>> solution = LsmiSinkhorn().solve(Problem(x[::4], x[::4], x, x))
    >>> solution, solution.relative_change < 1e-3
    (Solution(smi=0.522, iterations=20, converged=False), True)
    """

    state: State
    smi: float
    converged: bool
    degenerate: str = ""  # why the answer says little, in a sentence, such as too few pairs; empty where it is sound
    landmarks: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None  # rows of x and y in the plan; None for all

    @property
    def plan(self) -> Array:
        """Pi, (n_x, n_y): how much of x'_i goes to y'_j; rows and columns sum to the problem's marginals."""
        return self.state.plan

    @property
    def alpha(self) -> Array:
        """The ratio model's coefficients, (b,)."""
        return self.state.alpha

    @property
    def objective(self) -> tuple[float, ...]:
        """J after each half step."""
        return self.state.objective

    @property
    def iterations(self) -> int:
        """How often the loop of Algorithm 1 ran."""
        return self.state.t - 1

    @property
    def relative_change(self) -> float:
        """What the last iteration changed in the plan, as a share of the plan (both by the Frobenius norm)."""
        return self.state.relative_change

    @property
    def potentials(self) -> tuple[Array, Array]:
        """Sinkhorn's f (n_x,) and g (n_y,): log pi_ij = (1 - beta) r_alpha(x'_i, y'_j) / epsilon + f_i + g_j."""
        return self.state.potentials

    def ratio(self, x: Array, y: Array) -> Array:
        """r_alpha at all combinations of the rows of x (m, d_x) and of y (k, d_y), (m, k)."""
        return self.state.ratio(self._new("x", x), self._new("y", y))

    def score(self, x: Array, y: Array) -> float:
        """Minus the hold-out error J_te, Eq. (3), of fresh pairs (m, d_x) and (m, d_y); larger is better.

        The first term of J_te needs no pairs, so it is taken over all fitted samples.
        """
        model, x, y = self.state.model, self._new("x", x), self._new("y", y)
        if x.shape[0] != y.shape[0]:
            raise InvalidInput(f"x and y must hold as many samples, not {x.shape[0]} and {y.shape[0]}")
        if x.shape[0] == 0:
            raise InvalidInput("x and y must hold at least one pair to score")
        at_pairs = model.ratios_of_pairs(self.alpha, x, y)
        return float(namespace(at_pairs).mean(at_pairs)) - 0.5 * model.mean_square(self.alpha)

    def shares(self, x: Array) -> Array:
        """How the plan would share each of m new samples among the unpaired y: (m, n_y), rows sum to 1."""
        x, y = self._new("x", x), self.state.model.problem.y
        xp = namespace(x)
        logits = self.state.scale * self.state.ratio(x, y) + self.potentials[1]
        logits = xp.exp(logits - xp.max(logits, axis=1, keepdims=True))
        return logits / xp.sum(logits, axis=1, keepdims=True)

    def expected(self, x: Array) -> Array:
        """Where the plan sends each of m samples on average: (m, d_y), in the units of y."""
        x, y = self._new("x", x), self.state.model.problem.y
        xp = namespace(x)
        blocks = (self.shares(x[rows, :]) for rows in row_blocks(x, y.shape[0]))  # one at a time
        return xp.concat([block @ xp.astype(y, block.dtype, copy=False) for block in blocks], axis=0)

    def match(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Match unpaired x and y one to one by the largest sum of log pi: rows of x and of y in the problem.

        There are min(n_x, n_y) matches; with landmarks, only the landmarks are matched.
        """
        from scipy.optimize import linear_sum_assignment

        plan = to_host(self.plan)
        rows, columns = linear_sum_assignment(-np.log(np.maximum(plan, np.finfo(np.float64).tiny)))
        return (rows, columns) if self.landmarks is None else (self.landmarks[0][rows], self.landmarks[1][columns])

    def _new(self, name: str, values: object) -> Array:
        """New samples of x or y with the features of the fitted ones, in arrays of the same kind."""
        fitted = getattr(self.state.model.problem, name)
        array = values if is_torch_array(values) else as_array(values, name)
        samples = samples_of(array, name, fitted, f"the fitted {name}")
        if is_torch_array(samples) == is_torch_array(fitted):
            return samples
        return to_namespace(to_host(samples), widen(fitted[:1, :]))

    def __repr__(self) -> str:
        why = f", degenerate={self.degenerate!r}" if self.degenerate else ""
        return f"Solution(smi={self.smi:.3f}, iterations={self.iterations}, converged={self.converged}{why})"
