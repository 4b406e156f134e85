"""LSMI-Sinkhorn as a scikit-learn estimator: `SmiEstimator(...).fit(x, y, x_unpaired, y_unpaired).smi_`.

A thin adapter around `LsmiSinkhorn`: it reads tables by their column names, keeps the solution, and offers what
scikit-learn's tools ask for. scikit-learn itself is not needed. A fitted estimator is saved as an .npz file of plain
arrays and one JSON text, which is read without pickle.
"""

import json
import types
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Self, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from album_app.solver.arrays import Array, InvalidInput, as_array, is_torch_array
from album_app.solver.inference import Inference, infer
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn, Settings
from album_app.solver.model import PaperModel, RatioModel
from album_app.solver.problem import Problem, by_names, column_names, samples_of
from album_app.solver.state import Solution

try:
    from sklearn.exceptions import NotFittedError
except ImportError:

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """scikit-learn's error of the same name, where scikit-learn is not installed."""


class NotFitted(InvalidInput, NotFittedError):  # type: ignore[misc]
    """A result was asked for before `fit`.

    >>> SmiEstimator().smi_
    Traceback (most recent call last):
    album_app.solver.estimator.NotFitted: this SmiEstimator is not fitted yet: call fit(x, y, x_unpaired, y_unpaired)
    """


@dataclass
class SmiEstimator(Settings):
    """An estimator of squared-loss mutual information with the settings of `LsmiSinkhorn`.

    `random_state` is scikit-learn's name for `seed`: a whole number or a generator of random numbers takes its place.

    >>> x = np.linspace(-1.0, 1.0, 20)
    >>> estimator = SmiEstimator().set_params(lam=0.01).fit(x[::4], x[::4], x, x)
    >>> estimator.get_params()["lam"], estimator.plan_.shape, estimator.ratio([0.0, 0.5, 1.0], [0.0, 1.0]).shape
    (0.01, (20, 20), (3, 2))
    >>> estimator.save("estimator.npz")
    >>> SmiEstimator.load("estimator.npz").smi_ == estimator.smi_
    True
    """

    random_state: Any = field(default=None, kw_only=True)

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
        """Solve for pairs (x_i, y_i), the rows of x and y, and for unpaired samples of both sides.

        Without unpaired samples the pairs' own samples are used as if they were unpaired.
        Samples are arrays, tensors, lists or tables (pandas, polars) of numbers; a single column may be a series.
        Unpaired tables are read by the column names of the paired ones. Without any pair nothing says how x and y
        belong together: the plan follows its start, and SMI has no meaning.
        """
        if y is None:
            raise InvalidInput("requires y to be passed, but the target y is None")
        columns = column_names(x), column_names(y)
        pairs = _matrix(x, columns[0], "paired x"), _matrix(y, columns[1], "paired y")
        unpaired = [
            own if given is None else _matrix(given, names, label)
            for own, given, names, label in zip(
                pairs, (x_unpaired, y_unpaired), columns, ("unpaired x", "unpaired y"), strict=True
            )
        ]
        weights = {"pair_weights": pair_weights, "x_weights": x_weights, "y_weights": y_weights}
        solver = self.solver()
        self._keep(solver, solver.solve(Problem(*pairs, *unpaired, **weights)), columns)
        return self

    def solver(self) -> LsmiSinkhorn:
        """The solver with these settings; settings that have no meaning are refused here."""
        settings = {each.name: getattr(self, each.name) for each in fields(Settings)}
        if isinstance(self.random_state, np.random.Generator):
            settings["seed"] = int(self.random_state.integers(2**31))
        elif isinstance(self.random_state, np.random.RandomState):
            settings["seed"] = int(self.random_state.randint(2**31 - 1))
        elif self.random_state is not None:
            settings["seed"] = self.random_state
        return LsmiSinkhorn(**settings)

    def _keep(
        self, solver: LsmiSinkhorn, solution: Solution, columns: tuple[list[Any] | None, list[Any] | None]
    ) -> None:
        self.solver_: LsmiSinkhorn = solver  # with the seed that was drawn, so that inference repeats the same solve
        self.solution_: Solution = solution
        self.columns_: tuple[list[Any] | None, list[Any] | None] = columns  # names of x's and y's features, if any
        self.n_features_in_ = int(solution.state.model.problem.x.shape[1])
        names = columns[0]
        if names is not None and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif "feature_names_in_" in self.__dict__:
            del self.feature_names_in_

    @property
    def smi_(self) -> float:
        """The squared-loss mutual information of x and y."""
        return self._fitted.smi

    @property
    def plan_(self) -> Array:
        """Pi, (n_x, n_y): how much of each unpaired x goes to each unpaired y (of those in `landmarks_`, if any)."""
        return self._fitted.plan

    @property
    def landmarks_(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """The rows of unpaired x and y that entered the plan; None for all."""
        return self._fitted.landmarks

    @property
    def converged_(self) -> bool:
        """Whether the stopping rule was met."""
        return self._fitted.converged

    @property
    def degenerate_(self) -> str:
        """Why the answer says little, in a sentence; empty where it is sound."""
        return self._fitted.degenerate

    @property
    def n_iter_(self) -> int:
        """The number of iterations of Algorithm 1."""
        return self._fitted.iterations

    def ratio(self, x: object, y: object) -> Array:
        """p(x, y) / p(x) p(y) as estimated, at all combinations of the rows of x (m, d_x) and of y (k, d_y): (m, k)."""
        return self._fitted.ratio(self._new_x(x), self._new_y(y))

    def predict(self, x: object) -> Array:
        """The mean of y that the plan expects for each row of x: (m, d_y)."""
        return self._fitted.expected(self._new_x(x))

    def match(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Unpaired x and y matched one to one, as rows of `x_unpaired` and rows of `y_unpaired`."""
        return self._fitted.match()

    def score(self, x: object, y: object) -> float:
        """Minus the hold-out error J_te of pairs that were not fitted; larger is better."""
        return self._fitted.score(self._new_x(x), self._new_y(y))

    def infer(self, **options: Any) -> Inference:
        """SMI with an interval, a lower bound and a test of independence, with the settings of the fit.

        The options are those of `infer`.
        """
        problem = self._fitted.state.model.problem
        return infer(problem, self.solver_, **{"seed": self.solver_.seed, **options})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def set_params(self, **params: Any) -> Self:
        """Change settings; a solution stays until the next `fit`."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise InvalidInput(f"there is no setting {name!r}; there are {', '.join(known)}")
            setattr(self, name, value)
        return self

    def save(self, path: Path | str, *, replace: bool = False) -> None:
        """Write the solution and the settings of its fit to an .npz file, which holds numbers and text only.

        An estimator that was saved there before is replaced; any other file raises FileExistsError unless `replace`.
        """
        extra = {**asdict(self.solver_), "columns": self.columns_} if self._fitted else {}
        _save(Path(path), self._fitted, extra, replace)

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """The fitted estimator that `save` wrote."""
        solution, settings = _load(Path(path))
        x_columns, y_columns = map(_names, settings.pop("columns"))
        estimator = cls(**settings)
        estimator._keep(estimator.solver(), solution, (x_columns, y_columns))
        return estimator

    @property
    def _fitted(self) -> Solution:
        if "solution_" not in self.__dict__:
            raise NotFitted(f"this {type(self).__name__} is not fitted yet: call fit(x, y, x_unpaired, y_unpaired)")
        return self.solution_

    def _new_x(self, values: object) -> Array:
        return _matrix(values, self.columns_[0], "x")

    def _new_y(self, values: object) -> Array:
        return _matrix(values, self.columns_[1], "y")

    def __sklearn_is_fitted__(self) -> bool:
        return "solution_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True, multi_output=True),
            input_tags=InputTags(),
        )


def _names(columns: list[Any] | None) -> list[Any] | None:
    """Column names as they were before they were written to a file, where tuples of names become lists."""
    return None if columns is None else [tuple(name) if isinstance(name, list) else name for name in columns]


def _matrix(values: object, columns: list[Any] | None, name: str) -> Array:
    """A matrix of numbers with samples as rows; a table's columns in the order of those that were fitted."""
    array = as_array(by_names(values, columns, name), name)
    return samples_of(array[:, None] if array.ndim == 1 else array, name)


FILE_VERSION = 2
"""The version of the file format; files of other versions are refused."""


def _save(path: Path, solution: Solution, settings: Mapping[str, Any], replace: bool = False) -> None:
    """Write a solution and the settings it was found with.

    A file that holds no solution of this library is replaced only if the caller asks for it.
    """
    from album_app.own_files import SOLUTION, mark_archive
    from album_app.paths import Replacing, atomic_write

    arrays: dict[str, NDArray[Any]] = {}
    tree = {"version": FILE_VERSION, "settings": settings, "solution": solution}
    try:
        text = json.dumps(_packed(tree, arrays))
    except TypeError as error:
        raise InvalidInput(
            f"a solver is saved with the names of its columns, which must be text or numbers: {error}"
        ) from None
    with atomic_write(path, SOLUTION, Replacing(replace)) as temporary:
        with temporary.open("wb") as file:
            np.savez(file, tree=np.asarray(text), **arrays)  # type: ignore[arg-type]
        mark_archive(temporary, SOLUTION)


def _load(path: Path) -> tuple[Solution, dict[str, Any]]:
    """The solution, in numpy arrays, and the settings that `_save` wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        tree = json.loads(str(arrays["tree"]))
        if tree["version"] != FILE_VERSION:
            raise InvalidInput(f"{path} was written by another version of this library ({tree['version']})")
        return _unpacked(tree["solution"], Solution, arrays), tree["settings"]
    except (KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{path} does not hold a fitted solver") from error


def _packed(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """A value as JSON takes it; its arrays are put aside by name."""
    if is_dataclass(value):
        return {each.name: _packed(getattr(value, each.name), arrays) for each in fields(value)}
    if isinstance(value, Mapping):
        return {name: _packed(each, arrays) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_packed(each, arrays) for each in value]
    if is_torch_array(value):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray):
        name = f"array{len(arrays)}"
        arrays[name] = value
        return {"array": name}
    return value.item() if isinstance(value, np.generic) else value


def _unpacked(tree: Any, kind: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    """The value that `_packed` took apart; `kind` is its type, as far as it is known."""
    if isinstance(tree, dict) and set(tree) == {"array"}:
        return arrays[tree["array"]]
    kind = PaperModel if kind is RatioModel else kind  # the estimator's solver has the paper's model
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return kind(**{name: _unpacked(each, hints[name], arrays) for name, each in tree.items()})
    if isinstance(tree, list):
        kept = [_unpacked(each, Any, arrays) for each in tree]
        return tuple(kept) if _is_tuple(kind) else kept
    return tree


def _is_tuple(kind: Any) -> bool:
    """Whether a type is a tuple, or a tuple or nothing."""
    kinds = get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    return any(get_origin(each) is tuple for each in kinds)
