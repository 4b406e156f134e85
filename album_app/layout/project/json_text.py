"""JSON written a little at a time: one call for very many photos would keep all other threads waiting."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

FEW = 250


@dataclass(frozen=True)
class Written:
    """A value that is JSON already, in pieces."""

    pieces: tuple[str, ...]


def json_pieces(value: Any) -> Iterator[str]:
    """The JSON of a value, which may have parts that are written already.

    >>> "".join(json_pieces({"format": "book", "pages": [1, 2], "notes": Written(("[", "]"))}))
    '{"format":"book","pages":[1,2],"notes":[]}'
    """
    if isinstance(value, Written):
        yield from value.pieces
    elif isinstance(value, dict):
        for place, (name, part) in enumerate(value.items()):
            yield f"{',' if place else '{'}{_text(name)}:"
            yield from json_pieces(part)
        yield "}" if value else "{}"
    elif isinstance(value, list | tuple) and len(value) > FEW:
        yield from list_pieces(value)
    else:
        yield _text(value)


def list_pieces(items: Iterable[Any]) -> Iterator[str]:
    """The JSON of a list, whose items are made as they are needed."""
    left, before = iter(items), "["
    while few := list(islice(left, FEW)):
        yield before + _text(few)[1:-1]
        before = ","
    yield "[]" if before == "[" else "]"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
