"""A document: everything about one sheet, as one immutable value; undo is keeping the older one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.result import Layout
from album_app.layout.shapes import Shape, ShapeSpec

if TYPE_CHECKING:
    from album_app.photos.album import Album

Setting = str | int | float | bool | None


@dataclass(frozen=True, eq=False)
class Document:
    """An album, the shape it goes into, the pins, the options, and the layout if there is one yet."""

    album: Album
    spec: ShapeSpec
    shape: Shape
    pins: Pins = field(default_factory=Pins)
    options: Options = field(default_factory=Options)
    excluded: frozenset[int] = frozenset()
    layout: Layout | None = None
    missing: frozenset[int] = frozenset()  # photos whose file was not found when the project was read
    settings: Mapping[str, Setting] = field(default_factory=dict)  # of the window and the export, kept as they are

    @property
    def active(self) -> tuple[int, ...]:
        """The photos that take part: neither excluded nor missing."""
        return tuple(i for i in range(len(self.album.photos)) if i not in self.excluded and i not in self.missing)
