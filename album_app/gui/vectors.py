"""The feature vectors of the open album: complete tables by name, and colours row by row while photos still arrive."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.float32]

COLOUR = "rgb"
"""The features that come with the thumbnails themselves, and stand in for slower ones until those are there."""


class Vectors:
    """Rows are photo indices; a table may be longer than an older document's album, never reordered."""

    def __init__(self, count: int = 0) -> None:
        self._tables: dict[str, Features] = {}
        self._colours: dict[int, NDArray[np.float32]] = {}
        self._count = count
        self._stand_in: Features | None = None
        self._cuts: dict[tuple[int, int], Features] = {}  # the same array each time, so that it is known again

    def grow(self, count: int) -> None:
        """More photos joined the album."""
        self._count = max(self._count, count)

    def add_colours(self, photos: Sequence[int], rows: Features) -> None:
        self._colours.update(zip(photos, rows, strict=True))
        self._stand_in = None

    @property
    def colours_ready(self) -> int:
        return len(self._colours)

    def complete_colours(self) -> None:
        """Every thumbnail has been read: what there is of colours is all there will be."""
        stand_in = self._colour_table()
        if stand_in is not None:
            self._tables[COLOUR] = stand_in

    def put(self, name: str, table: Features) -> None:
        self._tables[name] = table

    def complete(self, name: str, count: int) -> Features | None:
        """The wanted features of the first `count` photos, None while there are none."""
        table = self._tables.get(name)
        if table is None or len(table) < count:
            return None
        return table if len(table) == count else self._cuts.setdefault((id(table), count), table[:count])

    def best(self, name: str, count: int) -> Features | None:
        """The wanted features, or colours as far as they are known (the mean for the others), or None."""
        table = self.complete(name, count)
        if table is None:
            table = self.complete(COLOUR, count)
        if table is None:
            stand_in = self._colour_table()
            table = None if stand_in is None else stand_in[:count]
        return table

    def _colour_table(self) -> Features | None:
        if self._stand_in is None and self._colours:
            photos = list(self._colours)
            rows = np.stack([self._colours[photo] for photo in photos])
            table = np.tile(rows.mean(axis=0), (max(self._count, max(photos) + 1), 1))
            table[photos] = rows
            self._stand_in = table
        return self._stand_in
