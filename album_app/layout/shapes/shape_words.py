"""Shapes in the words of the command line."""

import re

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.shapes.shape import KINDS, ShapeSpec


def nameable() -> list[str]:
    """The kinds that need no more than their name."""
    return [name for name, kind in KINDS.items() if kind.asks in ("aspect", "cells")]


def parse_shape(words: str) -> ShapeSpec:
    """A spec from the words of the command line: "16x20", "4:3", "auto", "heart".

    >>> spec = parse_shape("4:3")
    >>> spec.kind, round(spec.aspect, 3)
    ('auto', 1.333)
    """
    name = words.strip().lower()
    size = re.fullmatch(r"(\d{1,6})\s*[x\u00d7*]\s*(\d{1,6})", name)
    if size:
        return ShapeSpec("rectangle", rows=int(size[1]), columns=int(size[2]))
    sides = re.fullmatch(r"(\d{1,4}(?:\.\d{1,4})?)\s*:\s*(\d{1,4}(?:\.\d{1,4})?)", name)
    if sides and float(sides[2]) > 0:
        return ShapeSpec(aspect=float(sides[1]) / float(sides[2]))
    if name in nameable():
        return ShapeSpec(name)
    known = ", ".join(nameable())
    raise UsageError(
        tr(
            "“{words}” is no shape; try 16x20 (rows x columns), 4:3 (width : height), {known}.",
            words=words,
            known=known,
        )
    )
