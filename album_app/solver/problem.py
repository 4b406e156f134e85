"""What is to be solved: a few pairs and many unpaired samples, validated once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from album_app.solver.arrays import Array, InvalidInput, as_array, device_of, is_torch_array, move, namespace

LARGEST = 1e100
"""Numbers beyond this are refused: their squares would overflow."""


@dataclass(frozen=True, eq=False)
class Problem:
    """n pairs (x_i, y_i), n_x unpaired x' and n_y unpaired y'; samples are rows, all numpy or all torch."""

    x_pairs: Array  # (n, d_x)
    y_pairs: Array  # (n, d_y)
    x: Array  # (n_x, d_x)
    y: Array  # (n_y, d_y)

    def __post_init__(self) -> None:
        for name in ("x", "y", "x_pairs", "y_pairs"):
            object.__setattr__(self, name, self._validated(name))
        if self.x_pairs.shape[0] != self.y_pairs.shape[0]:
            raise InvalidInput(
                f"x_pairs and y_pairs must hold the same number of samples, not {self.n} and {self.y_pairs.shape[0]}"
            )
        kinds = {is_torch_array(array) for array in (self.x, self.y, self.x_pairs, self.y_pairs)}
        if len(kinds) > 1:
            raise InvalidInput("x, y, x_pairs and y_pairs must be all numpy arrays or all torch tensors, not a mixture")

    def _validated(self, name: str) -> Array:
        array = as_array(getattr(self, name), name)
        if name.endswith("pairs"):
            array = _pairs_like(array, getattr(self, name[0]))
        if array.ndim != 2:
            raise InvalidInput(f"{name} must be a matrix with samples as rows, not of shape {tuple(array.shape)}")
        if not name.endswith("pairs") and 0 in array.shape:
            raise InvalidInput(f"{name} must hold at least one sample and one feature, not shape {tuple(array.shape)}")
        if name.endswith("pairs") and array.shape[1] != getattr(self, name[0]).shape[1]:
            other = getattr(self, name[0]).shape[1]
            raise InvalidInput(f"{name} must have the {other} features of {name[0]}, not {array.shape[1]}")
        return _finite(array, name)

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

    def to(self, device: str | None) -> Problem:
        """The problem as torch tensors on a device; itself where none is named."""
        return self if device is None else Problem(*(move(a, device) for a in self._arrays()))

    def with_pairs(self, rows: Any) -> Problem:
        """The problem with only some of its pairs."""
        return Problem(self.x_pairs[rows, :], self.y_pairs[rows, :], self.x, self.y)

    def _arrays(self) -> tuple[Array, ...]:
        return self.x_pairs, self.y_pairs, self.x, self.y


def _pairs_like(pairs: Array, samples: Array) -> Array:
    """An empty list of pairs gets the shape (0, d); anything else is left to be judged."""
    xp = namespace(samples)
    if 0 in pairs.shape and pairs.ndim < 3 and pairs.shape[0] == 0:
        return xp.zeros((0, samples.shape[1]), dtype=samples.dtype, device=device_of(samples))
    return pairs


def _finite(array: Array, name: str) -> Array:
    """The array in floating point, or a sentence saying which entries cannot be used."""
    xp = namespace(array)
    if xp.isdtype(array.dtype, "complex floating"):
        raise InvalidInput(f"{name} must hold real numbers, not {array.dtype}")
    if not xp.isdtype(array.dtype, "real floating"):
        array = xp.astype(array, xp.float64)
    largest = min(LARGEST, float(xp.finfo(array.dtype).max))
    bad = int(xp.sum(xp.astype(~(xp.abs(array) <= largest), xp.int64)))  # NaN compares false
    if bad:
        raise InvalidInput(
            f"{name} must hold finite numbers, but {bad} of its entries are NaN, infinite or beyond 1e100"
        )
    return array
