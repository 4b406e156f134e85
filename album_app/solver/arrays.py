"""One implementation for numpy and torch: the array namespace of the data, its device, and the precisions there."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, timedelta
from types import ModuleType
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_torch_array
from array_api_compat import device as device_of
from numpy.typing import NDArray

from album_app.errors import UsageError

__all__ = [
    "Array",
    "InvalidInput",
    "as_array",
    "device_of",
    "epsilon_of",
    "is_torch_array",
    "move",
    "namespace",
    "row_blocks",
    "to_host",
    "to_namespace",
    "wide_dtype",
    "widen",
]

Array = Any
"""A numpy array or a torch tensor; which of the two is decided by the data."""

_NUMPY = array_namespace(np.zeros(0))


class InvalidInput(UsageError, ValueError):
    """An argument of the solver is wrong; the message names it and says what was wrong.

    >>> from album_app.solver import LsmiSinkhorn
    >>> LsmiSinkhorn(beta=2.0)
    Traceback (most recent call last):
    album_app.solver.arrays.InvalidInput: beta must be between 0 and 1, not 2.0
    """


def namespace(*arrays: Array) -> ModuleType:
    """The functions that work on these arrays: those of numpy or those of torch."""
    return _NUMPY if type(arrays[0]) is np.ndarray else array_namespace(*arrays)


def as_array(values: object, name: str) -> Array:
    """`values` as a numpy array, or the torch tensor it already is."""
    if is_torch_array(values):
        return values.detach()
    if np.ma.is_masked(values):
        raise InvalidInput(f"{name} must hold no masked numbers: leave those samples out, or fill them")
    if hasattr(values, "toarray"):
        raise InvalidInput(f"{name} must be an array of numbers, not a sparse one: call its toarray()")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{name} must be an array of numbers: {error}") from None
    if array.dtype.kind in "biufc":
        return array
    dates = _first(array, lambda value: isinstance(value, DATES))
    if dates is not None:
        raise InvalidInput(
            f"{name} must be an array of numbers, but {_place(values, dates)} holds a date or a time: turn these into "
            "numbers, such as days since the first"
        )
    try:
        return _numbers(values, array)
    except (TypeError, ValueError) as error:
        word = _first(array, _is_no_number)
        said = str(error) if word is None else f"{_place(values, word)} holds {array.item(word)!r:.60}"
        raise InvalidInput(f"{name} must be an array of numbers, but {said}") from None


DATES = (date, timedelta, np.datetime64, np.timedelta64)
"""Values that NumPy would turn into nanoseconds; pandas' own kinds of them are among these."""


def _first(array: NDArray[Any], wanted: Callable[[Any], bool]) -> tuple[int, ...] | None:
    """The place of the first value of a kind, row by row."""
    return next((place for place in np.ndindex(array.shape) if wanted(array[place])), None)


def _is_no_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return True
    return False


def _place(values: object, place: tuple[int, ...]) -> str:
    """Where a value stands, with the name of its column in a table."""
    if len(place) < 2:
        return "row " + " ".join(map(str, place)) if place else "it"
    names = getattr(values, "columns", None)
    return f"row {place[0]} of column {place[1] if names is None else list(names)[place[1]]!r}"


def _numbers(values: Any, array: NDArray[Any]) -> NDArray[np.float64]:
    """Numbers that are kept as objects; gaps become NaN, of which tables of pandas have a kind of their own."""
    if hasattr(values, "to_numpy"):
        with suppress(TypeError):
            return np.asarray(values.to_numpy(dtype=float, na_value=np.nan))
    return array.astype(float)


def to_host(values: Array) -> NDArray[np.float64]:
    """`values` as a numpy float64 array in main memory."""
    if is_torch_array(values):
        values = values.detach().cpu().numpy()
    return np.ascontiguousarray(values, dtype=np.float64)


def to_namespace(values: NDArray[Any], like: Array) -> Array:
    """Numpy numbers as an array of the kind, device and dtype of `like`."""
    return namespace(like).asarray(values, dtype=like.dtype, device=device_of(like))


def move(values: Array, device: str | None) -> Array:
    """`values` unchanged, or as a torch tensor on the device that was asked for."""
    if device is None:
        return values
    import torch

    try:
        tensor = values if is_torch_array(values) else torch.asarray(values)
        single = tensor.dtype == torch.float64 and torch.device(device).type == "mps"
        return (tensor.float() if single else tensor).to(device)
    except (RuntimeError, AssertionError, TypeError) as error:
        raise InvalidInput(f"device {device!r} cannot be used here: {str(error).splitlines()[0]}") from None


def wide_dtype(array: Array) -> Any:
    """The widest floating type of the array's device: float64, but float32 on Apple's GPUs."""
    xp = namespace(array)
    return xp.float32 if "mps" in str(device_of(array)) else xp.float64


def widen(array: Array) -> Array:
    """The array in the widest floating type of its device."""
    return namespace(array).astype(array, wide_dtype(array), copy=False)


def epsilon_of(dtype: Any, array: Array) -> float:
    """The rounding unit of a floating type in the array's namespace."""
    return float(namespace(array).finfo(dtype).eps)


BLOCK_ENTRIES = 2**18
"""The entries of a large matrix that are computed at a time, so that they stay in the processor's cache."""


def row_blocks(matrix: Array, width: int | None = None) -> Iterator[slice]:
    """Slices of a matrix in blocks of rows; `width` is the number of entries computed per row, if not its columns."""
    rows = max(1, BLOCK_ENTRIES // (width or matrix.shape[1]))
    return (slice(start, start + rows) for start in range(0, matrix.shape[0], rows))
