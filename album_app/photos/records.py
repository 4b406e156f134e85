"""Records (dataclasses) written as JSON and arrays, one way for the cache and for the pipes of helper processes.

A record becomes the list of its fields, without the last ones that have their default values, so that a field may be
added at the end. An array becomes its length or shape; its numbers stand apart, in the order in which arrays occur.
`stored` and `restored` keep a record as bytes: a line of JSON with the names of its fields, then the numbers.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from album_app.language import packed_text, unpacked_text

Record = TypeVar("Record")
Numbers = NDArray[Any]
Kind = np.dtype[Any]
"""The kind of an array's numbers. This type and `Numbers` have names because Python evaluates annotations of an inner
function whenever the outer one runs: spelled out, they took 8 microseconds a record."""
Arrays = list[Numbers]
Take = Callable[[Any, Kind], Numbers]
"""Gives the next array, which has this length or shape and this kind of numbers."""
Reader = Callable[[Any, Take], Any]


_PLAIN = frozenset({bool, int, float, str, NoneType})
"""Types of values that JSON holds as they are; most fields are of one of them."""


def packed(value: Any, arrays: Arrays) -> Any:
    """A value for JSON, be it a record or made of records; its arrays are appended to `arrays`."""
    kind: Any = type(value)
    return _packer_of(kind)(value, arrays)


@cache
def _packer_of(kind: Any) -> Callable[[Any, Arrays], Any]:
    """What `packed` does with values of a type."""
    if kind in _PLAIN:
        return lambda value, _: value
    if is_dataclass(kind):
        return _record_packer(kind)
    if issubclass(kind, str):
        return lambda value, _: packed_text(value)
    if issubclass(kind, np.ndarray):
        return _packed_array
    if issubclass(kind, bytes):
        return lambda value, arrays: _packed_array(np.frombuffer(value, np.uint8), arrays)
    if issubclass(kind, Mapping):
        return lambda value, arrays: [[packed(name, arrays), packed(each, arrays)] for name, each in value.items()]
    if issubclass(kind, AbstractSet):
        return lambda value, arrays: _packed_array(np.array(sorted(value), np.int64), arrays)
    if issubclass(kind, datetime):
        return lambda value, _: value.isoformat()
    if issubclass(kind, Path):
        return lambda value, _: os.fspath(value)
    return lambda value, arrays: [packed(each, arrays) for each in value]


def _packed_array(array: NDArray[Any], arrays: Arrays) -> int | list[int]:
    arrays.append(array)
    return _shape(array)


def _shape(array: NDArray[Any]) -> int | list[int]:
    return len(array) if array.ndim == 1 else list(array.shape)


def _record_packer(kind: Any) -> Callable[[Any, Arrays], Any]:
    names, defaults = zip(*_defaults(kind), strict=True)

    def pack(record: Any, arrays: Arrays) -> list[Any]:
        values = [getattr(record, name) for name in names]
        while values and _is_default(values[-1], defaults[len(values) - 1]):
            values.pop()
        return [value if type(value) in _PLAIN else packed(value, arrays) for value in values]

    return pack


def _is_default(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


@cache
def _defaults(kind: Any) -> list[tuple[str, Any]]:
    """The fields of a record and their default values."""
    return [(field.name, field.default) for field in fields(kind) if field.init]


def named(record: Any, arrays: Arrays) -> dict[str, Any]:
    """A record for JSON by the names of its fields."""
    kind: Any = type(record)
    return {name: packed(getattr(record, name), arrays) for name, _ in _defaults(kind)}


def unpacked(kind: Any, content: Any, arrays: Sequence[NDArray[Any]]) -> Any:
    """A value of a type from what `packed` made of it; a ValueError or TypeError where it cannot be one."""
    rest = iter(arrays)

    def take(shape: Any, numbers: Kind) -> Numbers:
        array = next(rest, None)
        if array is None or _shape(array) != shape or array.dtype != numbers:
            raise ValueError("not the array that was promised")
        return array

    return reader_of(kind)(content, take)


def stored(record: Any) -> bytes:
    """A record whose arrays are rows of real numbers as bytes: a line of JSON, then the numbers."""
    arrays: Arrays = []
    line = json.dumps(named(record, arrays))
    return b"\n".join([line.encode(), b"".join(np.asarray(array, "<f4").tobytes() for array in arrays)])


def restored(kind: type[Record], content: bytes) -> Record | None:
    """A record from what `stored` made of it; None where it cannot be one, or where its numbers are not finite."""
    line, _, rest = content.partition(b"\n")
    place = 0

    def take(length: int, _: Kind) -> Numbers:
        nonlocal place
        row = numbers[place : place + length]
        place += length
        return row

    try:
        numbers = np.frombuffer(rest, "<f4")
        readers = _readers(cast(Any, kind))
        record = kind(**{name: readers[name](value, take) for name, value in json.loads(line.decode()).items()})
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return record if place == len(numbers) and np.isfinite(numbers).all() else None


@cache
def reader_of(kind: Any) -> Reader:
    """What makes a value of this type of what `packed` made of it."""
    origin, inside = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _record_reader(kind)
    if NoneType in inside:
        (other,) = set(inside) - {NoneType}
        present = reader_of(other)
        return lambda content, take: None if content is None else present(content, take)
    if origin is np.ndarray:
        return _array_reader(np.dtype(get_args(inside[1])[0]))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        name, value = map(reader_of, inside)
        return lambda content, take: {name(each, take): value(other, take) for each, other in content}
    if origin is frozenset:
        numbers = _array_reader(np.dtype(np.int64))
        return lambda content, take: frozenset(numbers(content, take).tolist())
    if origin is tuple and inside[-1] is not ...:
        readers = tuple(map(reader_of, inside))
        return lambda content, take: tuple(read(each, take) for read, each in zip(readers, content, strict=True))
    if isinstance(origin, type) and issubclass(origin, Sequence):
        one, whole = reader_of(inside[0]), list if origin is list else tuple
        return lambda content, take: whole([one(each, take) for each in content])
    return _SIMPLE[kind]


def _record_reader(kind: Any) -> Reader:
    readers = tuple(_readers(kind).values())

    def read(content: Any, take: Take) -> Any:
        if len(content) > len(readers):
            raise ValueError("more fields than there are")
        return kind(*[reader(each, take) for reader, each in zip(readers, content, strict=False)])

    return read


@cache
def _readers(kind: Any) -> dict[str, Reader]:
    hints = get_type_hints(kind)
    return {name: reader_of(hints[name]) for name, _ in _defaults(kind)}


def _array_reader(dtype: np.dtype[Any]) -> Reader:
    return lambda content, take: take(content, dtype)


def _plain(kind: Callable[[Any], Any], *kinds: type) -> Reader:
    """Takes values of these types alone: text is no number."""

    def read(content: Any, _: Take) -> Any:
        if type(content) not in kinds:
            raise TypeError(f"{content!r} is of another type")
        return kind(content)

    return read


_SIMPLE: Mapping[Any, Reader] = {
    bool: _plain(bool, bool),
    int: _plain(int, int),
    float: _plain(float, float, int),
    str: lambda content, _: content if type(content) is str else unpacked_text(content),
    bytes: lambda content, take: take(content, np.dtype(np.uint8)).tobytes(),
    Path: lambda content, _: Path(content),
    datetime: lambda content, _: datetime.fromisoformat(content),
    NoneType: lambda content, _: None,
}
