"""Reading JSON from unknown sources with checks, and writing large JSON in small pieces."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

from album_app.errors import UsageError
from album_app.language import StoredText, packed_text, short_number, tr, unpacked_text

LONGEST_TEXT = 200_000
"""Characters of a single text."""

MOST_ITEMS = 1_000_000
"""Entries of a single list or group."""

MOST_VALUES = 4_000_000
"""The most values of a whole document, counted before it is read: small files could expand to much memory."""


KEY_AND_VALUES = "_key"
"""Follows the name of a text in JSON where its key and values are kept."""


def with_stored_text(name: str, text: str) -> dict[str, Any]:
    """A text under a name: in English, which every version reads, and as key and values, which can be translated."""
    packed = {f"{name}{KEY_AND_VALUES}": packed_text(text)} if isinstance(text, StoredText) else {}
    return {name: str(text), **packed}


@dataclass(frozen=True)
class Node:
    """A value of a JSON document and where it was found."""

    value: Any
    where: str
    source: str

    @classmethod
    def parse(cls, text: bytes, source: str) -> Node:
        """The whole of a JSON document; NaN and infinities are no JSON."""
        try:
            value = read_json(text)
        except OverflowError as error:
            raise UsageError(
                tr("“{source}” is too large for a project: {error}.", source=source, error=error)
            ) from error
        except ValueError as error:
            raise UsageError(
                tr("“{source}” is damaged or not a project of Album App: it holds no valid JSON.", source=source)
            ) from error
        return cls(value, "", source)

    def fail(self, wanted: str) -> NoReturn:
        """Say that this value is not what it should be."""
        where = self.where or tr("the whole of it")
        raise UsageError(
            tr("“{source}” is damaged: {where} should be {wanted}.", source=self.source, where=where, wanted=wanted)
        )

    def __getitem__(self, key: str) -> Node:
        if not isinstance(self.value, dict):
            self.fail(tr("a group of named values"))
        where = f"{self.where}.{key}" if self.where else key
        if key not in self.value:
            raise UsageError(tr("“{source}” is damaged: {where} is missing.", source=self.source, where=where))
        return Node(self.value[key], where, self.source)

    def get(self, key: str) -> Node | None:
        """The value called `key`, or None where it is absent or null."""
        if not isinstance(self.value, dict):
            self.fail(tr("a group of named values"))
        return self[key] if self.value.get(key) is not None else None

    def entries(self) -> Iterator[tuple[str, Node]]:
        """All named values."""
        if not isinstance(self.value, dict) or len(self.value) > MOST_ITEMS:
            self.fail(tr("a group of named values"))
        for key in self.value:
            yield key, self[key]

    def items(self, length: int | None = None) -> list[Node]:
        """The members of a list, of a fixed length where one is given."""
        if not isinstance(self.value, list) or len(self.value) > MOST_ITEMS:
            self.fail(tr("a list"))
        if length is not None and len(self.value) != length:
            self.fail(tr("a list of {length}", length=length))
        return [Node(value, f"{self.where}[{index}]", self.source) for index, value in enumerate(self.value)]

    def integer(self, low: int, high: int) -> int:
        """A whole number within bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not low <= self.value <= high:
            self.fail(tr("a whole number from {low} to {high}", low=low, high=high))
        return self.value

    def number(self, low: float = -1e300, high: float = 1e300) -> float:
        """A finite number within bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float) or not low <= self.value <= high:
            self.fail(
                tr("a finite number")
                if low == -1e300
                else tr("a number from {low} to {high}", low=short_number(low), high=short_number(high))
            )
        return float(self.value)

    def boolean(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail(tr("true or false"))
        return self.value

    def text(self) -> str:
        """A text of sensible length."""
        if not isinstance(self.value, str) or len(self.value) > LONGEST_TEXT or "\0" in self.value:
            self.fail(tr("a text"))
        return self.value

    def stored_text(self, name: str) -> str:
        """A text that `with_stored_text` put under a name; empty where there is none."""
        plain, packed = self.get(name), self.get(f"{name}{KEY_AND_VALUES}")
        if packed is None:
            return plain.text() if plain else ""
        try:
            text = unpacked_text(packed.value)
        except ValueError:
            packed.fail(tr("a text"))
        Node(text, packed.where, packed.source).text()
        return text

    def like(self, default: Any) -> Any:
        """A value of the kind that `default` is."""
        if isinstance(default, bool):
            return self.boolean()
        if isinstance(default, int):
            return self.integer(-(2**53), 2**53)
        return self.number() if isinstance(default, float) else self.text()


def read_json(text: bytes) -> Any:
    """Any JSON without NaN and infinities, a ValueError if it is none; an OverflowError, at once, for too much."""
    if sum(map(text.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise OverflowError(tr("it holds more than {most} values", most=MOST_VALUES))
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def finite(value: float) -> float | None:
    """A number as JSON can hold it."""
    return float(value) if math.isfinite(value) else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


ITEMS_PER_PIECE = 250
"""List items that are encoded in one call, which other threads have to wait for."""


@dataclass(frozen=True)
class Written:
    """A value that is JSON already, in pieces."""

    pieces: tuple[str, ...]


def json_pieces(value: Any, items: int = ITEMS_PER_PIECE) -> Iterator[str]:
    """The JSON of a value, which may have parts that are written already; a piece holds at most `items` list items.

    >>> "".join(json_pieces({"format": "book", "pages": [1, 2], "notes": Written(("[", "]"))}))
    '{"format":"book","pages":[1,2],"notes":[]}'
    """
    if isinstance(value, Written):
        yield from value.pieces
    elif isinstance(value, dict):
        for place, (name, part) in enumerate(value.items()):
            yield f"{',' if place else '{'}{_text(name)}:"
            yield from json_pieces(part, items)
        yield "}" if value else "{}"
    elif isinstance(value, list | tuple) and len(value) > items:
        yield from list_pieces(value, items)
    else:
        yield _text(value)


def list_pieces(values: Iterable[Any], items: int = ITEMS_PER_PIECE) -> Iterator[str]:
    """The JSON of a list, whose values are made as they are needed, `items` at a time."""
    left, before = iter(values), "["
    while few := list(islice(left, items)):
        yield before + _text(few)[1:-1]
        before = ","
    yield "[]" if before == "[" else "]"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
