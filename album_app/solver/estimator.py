"""What notebooks and scikit-learn's tools expect of an estimator: `fit`, attributes with a trailing underscore, params.

Nothing of scikit-learn is imported unless scikit-learn itself asks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from album_app.solver.arrays import (
    Array,
    InvalidInput,
    as_array,
    is_torch_array,
    namespace,
    to_host,
    to_namespace,
    widen,
)
from album_app.solver.inference import Inference, infer
from album_app.solver.problem import Problem, samples_of
from album_app.solver.state import Solution
from album_app.solver.storage import load_solution, save_solution


class NotFitted(InvalidInput, AttributeError):
    """Something was asked of a solver that was not fitted to any data yet.

    >>> from album_app.solver import LsmiSinkhorn
    >>> LsmiSinkhorn().smi_
    Traceback (most recent call last):
    album_app.solver.estimator.NotFitted: nothing was fitted yet: call fit(x, y, x_unpaired, y_unpaired) first
    """


class Estimator(ABC):
    """A dataclass of settings that can be fitted to samples, and asked about them afterwards.

    >>> from album_app.solver import LsmiSinkhorn
    >>> x = np.linspace(-1.0, 1.0, 20)
    >>> solver = LsmiSinkhorn().set_params(lam=0.01).fit(x[::4], x[::4], x, x)
    >>> solver.get_params()["lam"], solver.plan_.shape, solver.ratio([0.0, 0.5, 1.0], [0.0, 1.0]).shape
    (0.01, (20, 20), (3, 2))
    >>> solver.save("solver.npz")
    >>> LsmiSinkhorn.load("solver.npz").smi_ == solver.smi_
    True
    """

    solution_: Solution
    columns_: tuple[list[Any] | None, list[Any] | None]  # the names of x's and y's features, where tables were given
    landmarks_: tuple[NDArray[np.int64], NDArray[np.int64]] | None  # the unpaired samples looked at, if not all

    landmarks: int | None
    seed: int

    @abstractmethod
    def solve(self, problem: Problem) -> Solution:
        """The answer to a problem."""

    def fit(
        self,
        x: object,
        y: object,
        x_unpaired: object = None,
        y_unpaired: object = None,
        *,
        pair_weights: object = None,
        x_weights: object = None,
        y_weights: object = None,
    ) -> Self:
        """Solve for pairs (x_i, y_i), rows of x and y, and unpaired samples; without these the pairs' own, torn apart.

        Arrays, tensors, lists or tables (pandas, polars) of numbers; one column may also be given as a plain series.
        Unpaired tables are read by the column names of the paired ones. Without any pair nothing tells how x and y
        belong together: the plan then follows its start, and SMI says nothing.
        """
        columns = _columns(x), _columns(y)
        pairs = _matrix(x, columns[0], "paired x"), _matrix(y, columns[1], "paired y")
        unpaired = [
            own if given is None else _matrix(given, names, said)
            for own, given, names, said in zip(
                pairs, (x_unpaired, y_unpaired), columns, ("unpaired x", "unpaired y"), strict=True
            )
        ]
        weights = {"pair_weights": pair_weights, "x_weights": x_weights, "y_weights": y_weights}
        self.fit_problem(Problem(*pairs, *unpaired, **weights))
        self.columns_ = columns
        return self

    def fit_problem(self, problem: Problem) -> Self:
        """The same for a problem that is already posed."""
        self.solution_ = self.solve(problem)
        self.landmarks_ = None if self.landmarks is None else problem.landmarks(self.landmarks, self.seed)
        self.columns_ = None, None
        return self

    @property
    def smi_(self) -> float:
        """The squared-loss mutual information of x and y."""
        return self._fitted.smi

    @property
    def plan_(self) -> Array:
        """Pi, (n_x, n_y): how much of each unpaired x goes to each unpaired y (of those in `landmarks_`, if any)."""
        return self._fitted.plan

    @property
    def converged_(self) -> bool:
        """Whether the iteration came to rest."""
        return self._fitted.converged

    @property
    def degenerate_(self) -> str:
        """Why the answer says little, in a sentence; empty where it is sound."""
        return self._fitted.degenerate

    @property
    def n_iter_(self) -> int:
        """How often the loop of Algorithm 1 ran."""
        return self._fitted.iterations

    def ratio(self, x: object, y: object) -> Array:
        """p(x, y) / p(x) p(y) as estimated, at all combinations of the rows of x (m, d_x) and of y (k, d_y): (m, k)."""
        return self._fitted.ratio(self._new_x(x), self._new_y(y))

    def predict(self, x: object) -> Array:
        """The mean of y that the plan expects for each row of x: (m, d_y)."""
        return self._fitted.expected(self._new_x(x))

    def match(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Unpaired x and y matched one to one, as rows of `x_unpaired` and rows of `y_unpaired`."""
        rows, columns = self._fitted.match()
        return (rows, columns) if self.landmarks_ is None else (self.landmarks_[0][rows], self.landmarks_[1][columns])

    def score(self, x: object, y: object) -> float:
        """How well the ratio suits pairs held out of the fit: minus their hold-out error J_te; more is better."""
        state = self._fitted.state
        model, alpha, xp = state.model, state.alpha, namespace(state.alpha)
        new_x, new_y = self._new_x(x), self._new_y(y)
        if new_x.shape[0] != new_y.shape[0]:
            raise InvalidInput(f"x and y must hold as many samples, not {new_x.shape[0]} and {new_y.shape[0]}")
        at_pairs = model.ratios_of_pairs(alpha, new_x, new_y)
        return float(xp.mean(at_pairs)) - 0.5 * float(xp.sum(alpha * (model.H @ alpha)))

    def infer(self, **how: Any) -> Inference:
        """SMI with an interval and the p-value of a test of independence; `how` is as for `inference.infer`."""
        return infer(self._fitted.state.model.problem, self.solve, **{"seed": self.seed, **how})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **params: Any) -> Self:
        """Change settings; what was fitted before stays until the next `fit`."""
        unknown = [name for name in params if name not in self.get_params()]
        if unknown:
            raise InvalidInput(f"there is no setting {unknown[0]!r}; there are {', '.join(self.get_params())}")
        changed = replace(self, **params)  # type: ignore[type-var]
        for name in params:
            setattr(self, name, getattr(changed, name))
        return self

    def clone(self) -> Self:
        """A solver with the same settings that was fitted to nothing."""
        return replace(self)  # type: ignore[type-var]

    def save(self, path: Path | str) -> None:
        """Write settings and answer to an .npz file, which holds nothing but numbers and text."""
        save_solution(Path(path), self._fitted, {**self.get_params(), "columns": self.columns_}, self.landmarks_)

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """The solver that `save` wrote, fitted as it was."""
        solution, settings, landmarks = load_solution(Path(path))
        x_columns, y_columns = map(_names, settings.pop("columns"))
        solver = cls(**settings)
        solver.solution_, solver.landmarks_, solver.columns_ = solution, landmarks, (x_columns, y_columns)
        return solver

    @property
    def _fitted(self) -> Solution:
        if "solution_" not in self.__dict__:
            raise NotFitted("nothing was fitted yet: call fit(x, y, x_unpaired, y_unpaired) first")
        return self.solution_

    def _new_x(self, values: object) -> Array:
        fitted = self._fitted.state.model.problem.x
        return _like(_matrix(values, self.columns_[0], "x"), "x", fitted)

    def _new_y(self, values: object) -> Array:
        fitted = self._fitted.state.model.problem.y
        return _like(_matrix(values, self.columns_[1], "y"), "y", fitted)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=True), input_tags=InputTags())


def _columns(table: object) -> list[Any] | None:
    columns = getattr(table, "columns", None)
    return None if columns is None else list(columns)


def _names(columns: list[Any] | None) -> list[Any] | None:
    """Column names as they were before they were written to a file, where tuples of names become lists."""
    return None if columns is None else [tuple(name) if isinstance(name, list) else name for name in columns]


def _matrix(values: object, columns: list[Any] | None, name: str) -> Array:
    """A matrix of numbers with samples as rows; a table's columns in the order of those that were fitted."""
    own = _columns(values)
    if columns is not None and own is not None and own != columns:
        missing = [column for column in columns if column not in own]
        if missing:
            raise InvalidInput(f"{name} must have the column {missing[0]!r}")
        values = values[columns]  # type: ignore[index]
    array = as_array(values, name)
    return samples_of(array[:, None] if array.ndim == 1 else array, name)


def _like(samples: Array, name: str, fitted: Array) -> Array:
    """New samples, with as many features as those that were fitted, as arrays of their kind."""
    samples = samples_of(samples, name, fitted, f"the fitted {name}")
    return (
        samples
        if is_torch_array(samples) == is_torch_array(fitted)
        else to_namespace(to_host(samples), widen(fitted[:1, :]))
    )
