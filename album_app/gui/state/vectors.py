"""The feature vectors of the open album: complete tables by name, and colours row by row while photos still arrive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.options import DEFAULT_FEATURES
from album_app.photos.features.table import comes_with_thumbnails

Features = NDArray[np.float32]

MISJUDGED_SHARE = 0.25
"""Share of the typical distance between two photos by which a preview's colours may be off.

Previews made from the photos themselves are off by 0.02 on average and by at most 0.05, measured on 300 photos of BSDS.
"""


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """The feature vectors of an album and the name of their features."""

    name: str
    rows: Features
    complete: bool = True  # False while the mean stands in for photos that are still to be read


def colour_for(wanted: str) -> str:
    """The features to get with the thumbnails themselves, where these ones are wanted: the very ones if they can be."""
    return next(name for name in (wanted, DEFAULT_FEATURES, "rgb") if comes_with_thumbnails(name))


class Vectors:
    """Rows are photo indices; a table may be longer than an older document's album.

    `colour` names the features that come with the thumbnails, and stand in for slower ones until those are there.
    """

    def __init__(self, colour: str) -> None:
        self.colour = colour
        self._tables: dict[str, Features] = {}
        self._cuts: dict[tuple[int, int], Features] = {}  # the same array each time, so that it is known again
        self._colours: Features = np.empty((0, 0), np.float32)
        self._lent = False  # whether others have the very array of the colours, which then stays as it is
        self._known = np.zeros(0, bool)  # the photos whose colours are there
        self._stand_in: Features | None = None
        self._rough: dict[int, Features] = {}  # colours by previews, of photos whose own are not known yet
        self._moved: dict[int, float] = {}  # how far from those the photos' own colours turned out to be

    def follow(self, count: int, changed: Sequence[int]) -> None:
        """There are `count` photos now; those `changed` are other files than before, of which nothing is known."""
        more = max(0, count - len(self._known))
        if more:
            self._known = np.append(self._known, np.zeros(more, bool))
            self._colours = np.vstack([self._colours, np.zeros((more, self._colours.shape[1]), np.float32)])
            self._lent, self._stand_in = False, None
        if changed:
            self._own_colours()
            self._known[changed], self._colours[changed] = False, 0
            for photo in changed:
                self._rough.pop(photo, None)
                self._moved.pop(photo, None)
            self._tables = {name: table[: min(changed)] for name, table in self._tables.items()}
            self._cuts, self._stand_in = {}, None

    def add_rough_colours(self, photos: Sequence[int], rows: Features) -> None:
        """Colours by previews, until the photos' own are known."""
        new = [(photo, row) for photo, row in zip(photos, rows, strict=True) if not self._known[photo]]
        if new:
            self.add_colours([photo for photo, _ in new], np.stack([row for _, row in new]))
            self._rough.update(new)

    def take_misjudged(self) -> tuple[int, ...] | None:
        """Photos whose own colours are far from those of their previews, so that they lie in the wrong place.

        They are named once, when no photo has colours by its preview any more; None at other times.
        """
        if self._rough or not self._moved:
            return None
        moved, self._moved = self._moved, {}
        spread = float(np.sqrt(2 * self._colours[self._known].var(axis=0).sum()))
        return tuple(photo for photo, distance in moved.items() if distance > MISJUDGED_SHARE * spread)

    def add_colours(self, photos: Sequence[int], rows: Features) -> None:
        for photo, row in zip(photos, rows, strict=True):
            if photo in self._rough:
                self._moved[photo] = float(np.linalg.norm(self._rough.pop(photo) - row))
        if not self._colours.size:
            self._colours = np.zeros((len(self._known), rows.shape[1]), np.float32)
        self._own_colours()
        self._colours[list(photos)] = rows
        self._known[list(photos)] = True
        self._stand_in = None

    def take_over(self, former: "Vectors", same: Mapping[int, int]) -> dict[int, int]:
        """Keep the colours of files that were in an album that was open before; of which ones they were known."""
        known = {now: before for now, before in same.items() if former.colour == self.colour and former._known[before]}
        if known:
            self.add_colours(list(known), former._colours[list(known.values())])
        return known

    @property
    def colours_ready(self) -> int:
        return int(self._known.sum())

    @property
    def all_colours_ready(self) -> bool:
        return bool(self._known.all())

    def complete_colours(self) -> None:
        """Every thumbnail has been read: what there is of colours is all there will be."""
        table = self._colour_table()
        if table is not None:
            self.put(self.colour, table)

    def put(self, name: str, table: Features) -> None:
        self._tables[name] = table

    def complete(self, name: str, count: int) -> Features | None:
        """The wanted features of the first `count` photos, None while there are none."""
        if name == self.colour and name not in self._tables and self.all_colours_ready:
            self.complete_colours()
        table = self._tables.get(name)
        if table is None or len(table) < count:
            return None
        return table if len(table) == count else self._cuts.setdefault((id(table), count), table[:count])

    def best(self, name: str, count: int) -> FeatureTable | None:
        """The wanted features, or colours as far as they are known (the mean for the others), or None."""
        for known in (name, self.colour):
            table = self.complete(known, count)
            if table is not None:
                return FeatureTable(known, table)
        stand_in = self._colour_table()
        if stand_in is None:
            return None
        return FeatureTable(self.colour, stand_in if len(stand_in) == count else stand_in[:count], complete=False)

    def _colour_table(self) -> Features | None:
        if self._stand_in is None and self._known.any():
            self._lent = self.all_colours_ready
            self._stand_in = self._colours if self._lent else self._colours.copy()
            self._stand_in[~self._known] = self._colours.sum(axis=0) / self._known.sum()
        return self._stand_in

    def _own_colours(self) -> None:
        """Copy the array of the colours if others hold it, because it is about to be changed."""
        if self._lent:
            self._colours, self._lent = self._colours.copy(), False
