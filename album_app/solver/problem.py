"""What is to be solved: a few pairs and many unpaired samples, validated once."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.solver.arrays import (
    Array,
    InvalidInput,
    as_array,
    device_of,
    is_torch_array,
    move,
    namespace,
    to_host,
    to_namespace,
    widen,
)

LARGEST_NUMBER = 1e100
"""Larger numbers are refused, because the squares of their sums could overflow."""

FEWEST_PAIRS = 4
"""With fewer different pairs none is held out, and an estimate of SMI says little."""

Rows = NDArray[np.int64]
"""Row numbers."""


@dataclass(frozen=True, eq=False)
class Problem:
    """n pairs (x_i, y_i), n_x unpaired x' and n_y unpaired y'; samples are rows, all numpy or all torch.

    Weights say how many samples each one counts for; without them each counts for one. Those of the unpaired samples
    are also, as shares, the marginals of the plan. Paired tables (pandas, polars) are read by the column names of the
    unpaired ones; a series is a single column.

    >>> problem = Problem([[0.0]], [[1.0, 1.0]], [[1.0], [2.0]], [[3.0, 2.0]])
    >>> problem.n, problem.n_x, problem.n_y
    (1, 2, 1)
    >>> problem
    Problem(1 pairs, 2 more x with 1 features, 1 more y with 2 features)
    """

    x_pairs: Array  # (n, d_x)
    y_pairs: Array  # (n, d_y)
    x: Array  # (n_x, d_x)
    y: Array  # (n_y, d_y)
    pair_weights: Array | None = None  # (n,)
    x_weights: Array | None = None  # (n_x,)
    y_weights: Array | None = None  # (n_y,)

    def __post_init__(self) -> None:
        for side in ("x", "y"):
            columns, pairs = column_names(getattr(self, side)), getattr(self, f"{side}_pairs")
            object.__setattr__(self, f"{side}_pairs", by_names(pairs, columns, f"paired {side}"))
        for name in ("x", "y", "x_pairs", "y_pairs"):
            object.__setattr__(self, name, self._validated(name))
        if self.x_pairs.shape[0] != self.y_pairs.shape[0]:
            raise InvalidInput(
                f"paired x and paired y must hold as many samples, not {self.n} and {self.y_pairs.shape[0]}"
            )
        kinds = {is_torch_array(array) for array in (self.x, self.y, self.x_pairs, self.y_pairs)}
        if len(kinds) > 1:
            raise InvalidInput("paired and unpaired x and y must be all numpy arrays or all torch tensors")
        for name, samples in (("pair_weights", self.x_pairs), ("x_weights", self.x), ("y_weights", self.y)):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _weights(getattr(self, name), samples, name))

    def _validated(self, name: str) -> Array:
        paired = name.endswith("pairs")
        said = f"paired {name[0]}" if paired else f"unpaired {name}"  # here and in `fit`, whose x are the paired ones
        values = getattr(self, name)
        array = as_array(values, said)
        if array.ndim == 1 and hasattr(values, "to_frame"):  # a series of pandas or polars is one column
            array = array[:, None]
        if not paired:
            if array.ndim == 2 and 0 in array.shape:
                raise InvalidInput(f"{said} must hold at least one sample and feature, not shape {tuple(array.shape)}")
            return samples_of(array, said)
        unpaired = getattr(self, name[0])
        return samples_of(_pairs_like(array, unpaired), said, unpaired, f"unpaired {name[0]}")

    def __repr__(self) -> str:
        x, y = self.x.shape[1], self.y.shape[1]
        return f"Problem({self.n} pairs, {self.n_x} more x with {x} features, {self.n_y} more y with {y} features)"

    @property
    def n(self) -> int:
        """The number of pairs."""
        return int(self.x_pairs.shape[0])

    @property
    def n_x(self) -> int:
        """The number of unpaired x."""
        return int(self.x.shape[0])

    @property
    def n_y(self) -> int:
        """The number of unpaired y."""
        return int(self.y.shape[0])

    @property
    def all_x(self) -> Array:
        """Every x (n + n_x, d_x), the paired ones first."""
        return namespace(self.x).concat([self.x_pairs, self.x], axis=0)

    @property
    def all_y(self) -> Array:
        """Every y (n + n_y, d_y), the paired ones first."""
        return namespace(self.y).concat([self.y_pairs, self.y], axis=0)

    @cached_property
    def equal_pairs(self) -> list[Rows]:
        """The rows of equal pairs together, in the order of their first one."""
        return _alike(np.concatenate([to_host(self.x_pairs), to_host(self.y_pairs)], axis=1))

    @cached_property
    def draws(self) -> list[Rows]:
        """The rows of the pairs, copies of a pair together: each group counts as one draw of x and y.

        Continuous samples never coincide by chance, so equal pairs are taken for copies. Where some x occurs with
        several y, and some y with several x, samples are discrete, and every pair is a draw of its own.
        """
        groups = self.equal_pairs
        if len(groups) < self.n and all(
            len(_alike(to_host(side))) < len(groups) for side in (self.x_pairs, self.y_pairs)
        ):
            return list(np.arange(self.n)[:, None])
        return groups

    @property
    def too_few(self) -> str:
        """Why an estimate from these pairs says little, in a sentence; empty where there are enough of them."""
        return f"there are fewer than {FEWEST_PAIRS} different pairs" if len(self.draws) < FEWEST_PAIRS else ""

    @property
    def pair_shares(self) -> Array | None:
        """How much each pair counts (n,), sum 1; None where they count alike."""
        return _shares(self.pair_weights)

    @property
    def all_shares(self) -> tuple[Array | None, Array | None]:
        """How much each of all x and of all y counts, sums 1; None where they count alike."""
        return _shares(self._joined(self.x_weights, self.x)), _shares(self._joined(self.y_weights, self.y))

    @property
    def marginals(self) -> tuple[Array, Array] | None:
        """The marginals of the plan, (n_x,) and (n_y,); None where both are uniform."""
        if self.x_weights is None and self.y_weights is None:
            return None
        sides = (self.x_weights, self.x), (self.y_weights, self.y)
        x, y = (_shares(_ones(samples) if weights is None else weights) for weights, samples in sides)
        return x, y

    def to(self, device: str | None) -> Problem:
        """The problem as torch tensors on a device; itself where none is named."""
        if device is None:
            return self
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        return Problem(**{name: None if array is None else move(array, device) for name, array in arrays.items()})

    def with_pairs(self, rows: Any) -> Problem:
        """The problem with only some of its pairs."""
        weights = None if self.pair_weights is None else self.pair_weights[rows]
        return replace(self, x_pairs=self.x_pairs[rows, :], y_pairs=self.y_pairs[rows, :], pair_weights=weights)

    def with_unpaired(self, x_rows: Any, y_rows: Any) -> Problem:
        """The problem with only some of its unpaired samples."""
        x_weights, y_weights = (
            None if weights is None else weights[rows]
            for weights, rows in ((self.x_weights, x_rows), (self.y_weights, y_rows))
        )
        return replace(self, x=self.x[x_rows, :], y=self.y[y_rows, :], x_weights=x_weights, y_weights=y_weights)

    def landmarks(self, most: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The row numbers of at most `most` unpaired x and y, drawn at random, ascending."""
        rng = np.random.default_rng(seed)
        return some_of(self.n_x, most, rng), some_of(self.n_y, most, rng)

    def _joined(self, weights: Array | None, samples: Array) -> Array | None:
        """The weights of the pairs, then those of unpaired samples; None where all are 1."""
        if self.pair_weights is None and weights is None:
            return None
        of_pairs = _ones(self.x_pairs) if self.pair_weights is None else self.pair_weights
        return namespace(samples).concat([of_pairs, _ones(samples) if weights is None else weights])


def check_posed(problem: object) -> None:
    """Refuse anything but a problem, with a sentence that says how one is made."""
    if not isinstance(problem, Problem):
        raise InvalidInput(f"give a Problem(x_pairs, y_pairs, x, y) to solve, not a {type(problem).__name__}")


def parts_of(groups: list[Rows], count: int, seed: int) -> list[list[Rows]]:
    """Groups of rows in at most `count` parts of about equally many groups, drawn at random, to be held out in turn."""
    order = np.random.default_rng(seed).permutation(len(groups))
    return [[groups[k] for k in part] for part in np.array_split(order, max(1, min(count, len(groups))))]


def _alike(samples: NDArray[np.float64]) -> list[Rows]:
    """The numbers of equal rows together, in the order of their first one."""
    found: dict[bytes, list[int]] = {}
    for number, row in enumerate(samples + 0.0):  # -0.0 becomes 0.0
        found.setdefault(row.tobytes(), []).append(number)
    return [np.array(rows) for rows in found.values()]


def some_of(count: int, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """At most `most` of the numbers below `count`, drawn at random, ascending."""
    return np.arange(count) if count <= most else np.sort(rng.permutation(count)[:most])


def _ones(samples: Array) -> Array:
    return to_namespace(np.ones(samples.shape[0]), widen(samples[:1, :]))


def _shares(weights: Array | None) -> Array | None:
    return None if weights is None else weights / namespace(weights).sum(weights)


def _weights(values: object, samples: Array, name: str) -> Array:
    """Positive weights of samples, as an array of the samples' kind."""
    weights = to_host(as_array(values, name))
    if weights.shape != (samples.shape[0],):
        raise InvalidInput(f"{name} must hold {samples.shape[0]} numbers, not be of shape {weights.shape}")
    if not ((weights > 0.0) & (weights <= LARGEST_NUMBER)).all():
        raise InvalidInput(f"{name} must hold positive finite numbers; leave out samples that count for nothing")
    return to_namespace(weights, widen(samples[:1, :]))


def _pairs_like(pairs: Array, samples: Array) -> Array:
    """An empty list of pairs gets the shape (0, d); anything else is returned as it is, for `samples_of` to check."""
    xp = namespace(samples)
    if 0 in pairs.shape and pairs.ndim < 3 and pairs.shape[0] == 0:
        return xp.zeros((0, samples.shape[1]), dtype=samples.dtype, device=device_of(samples))
    return pairs


def column_names(table: object) -> list[Any] | None:
    """The names of a table's columns; None where there are none."""
    columns = getattr(table, "columns", None)
    return None if columns is None else list(columns)


def by_names(values: Any, columns: list[Any] | None, name: str) -> Any:
    """A table with these columns in this order; anything without names as it is."""
    own = column_names(values)
    if columns is None or own is None or own == columns:
        return values
    missing = [column for column in columns if column not in own]
    if missing:
        raise InvalidInput(f"{name} must have the column {missing[0]!r}")
    return values[columns]


def samples_of(array: Array, name: str, like: Array | None = None, of: str = "") -> Array:
    """Samples as rows in floating point; InvalidInput where they are none, or lack the features of `like`."""
    xp = namespace(array)
    if array.ndim != 2:
        hint = ": give a single feature as values[:, None]" if array.ndim == 1 else ""
        raise InvalidInput(f"{name} must be a matrix with samples as rows, not of shape {tuple(array.shape)}{hint}")
    if like is not None and array.shape[1] != like.shape[1]:
        raise InvalidInput(f"{name} must have as many features as {of}: {like.shape[1]}, not {array.shape[1]}")
    if xp.isdtype(array.dtype, "complex floating"):
        raise InvalidInput(f"{name} must hold real numbers, not {array.dtype}")
    if not xp.isdtype(array.dtype, "real floating"):
        array = xp.astype(array, xp.float64)
    largest = min(LARGEST_NUMBER, float(xp.finfo(array.dtype).max))
    bad = ~(xp.abs(array) <= largest)  # NaN compares false
    if xp.any(bad):
        rows, columns = xp.nonzero(bad)
        raise InvalidInput(
            f"{name} must hold finite numbers, but {len(rows)} of its entries are NaN, infinite or beyond 1e100, "
            f"the first in row {int(rows[0])}, column {int(columns[0])}"
        )
    return array
