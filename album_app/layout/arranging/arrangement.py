"""Who takes part and where: photos, cells and pins of one arrangement, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.arranging.space import Space
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Shape

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Arrangement:
    """The photos to lay out and the cells to lay them on."""

    space: Space
    shape: Shape
    pins: Pins  # only those of photos that take part
    photos: Indices  # those that take part, ascending
    held: Pins = field(default_factory=Pins)  # photos that take no part but keep their cells

    @classmethod
    def of(
        cls,
        features: ArrayLike,
        shape: Shape,
        pins: Pins,
        active: Sequence[int] | None = None,
        known: Space | None = None,
        held: Pins | None = None,
    ) -> Arrangement:
        """Check everything the user gave; a pin of a photo that does not take part is left aside."""
        space = Space.of(features, known)
        photos = _taking_part(active, len(space.points))
        for photo, cell in pins.items():
            if not 0 <= photo < len(space.points):
                raise UsageError(
                    tr(
                        "Photo {photo} is pinned, but there are only {count} photos.",
                        photo=photo,
                        count=len(space.points),
                    )
                )
            if cell not in shape:
                raise UsageError(
                    tr(
                        "Photo {photo} is pinned to the cell {cell}, which the shape does not have.",
                        photo=photo,
                        cell=cell,
                    )
                )
        present = set(photos.tolist())
        if not pins.keys() <= present:
            pins = Pins({photo: cell for photo, cell in pins.items() if photo in present})
        return cls(space, shape, pins, photos, held or Pins())

    @cached_property
    def pinned_photos(self) -> Indices:
        """The pinned photos."""
        return np.array(list(self.pins), dtype=np.int64)

    @cached_property
    def pinned_cells(self) -> Indices:
        """The cells of the pinned photos, in the same order."""
        return self._indices(self.pins)

    @cached_property
    def held_cells(self) -> Indices:
        """The cells of the photos that take no part."""
        return self._indices(self.held)

    def _indices(self, pins: Pins) -> Indices:
        return np.array([self.shape.index_of(cell) for cell in pins.values()], dtype=np.int64)

    @cached_property
    def loose_photos(self) -> Indices:
        """The photos that may go anywhere."""
        return np.setdiff1d(self.photos, self.pinned_photos)

    @cached_property
    def free_cells(self) -> Indices:
        """The cells that nobody has yet."""
        return np.setdiff1d(np.arange(self.shape.count), np.concatenate([self.pinned_cells, self.held_cells]))

    def with_pins_only(self) -> Indices:
        """The sheet (cells,) with nothing but the pinned and the held photos on it."""
        photo_at = np.full(self.shape.count, -1, dtype=np.int64)
        photo_at[self.pinned_cells] = self.pinned_photos
        photo_at[self.held_cells] = list(self.held)
        return photo_at

    def roughness(self, photo_at: Indices) -> float:
        """Mean squared distance between horizontal and vertical neighbours on a sheet, 0 where there are none."""
        grid = np.full(self.shape.mask.shape, -1, dtype=np.int64)
        grid[self.shape.mask] = photo_at
        a = np.concatenate([grid[:, 1:].ravel(), grid[1:].ravel()])
        b = np.concatenate([grid[:, :-1].ravel(), grid[:-1].ravel()])
        both = (a >= 0) & (b >= 0)
        steps = self.space.points[a[both]] - self.space.points[b[both]]
        return float((steps**2).sum(axis=1).mean()) if len(steps) else 0.0


def _taking_part(active: Sequence[int] | None, count: int) -> Indices:
    if active is None:
        return np.arange(count)
    photos = np.unique(np.asarray(active, dtype=np.int64))
    if len(photos) == 0:
        raise UsageError(tr("There is no photo to lay out: all of them are left out."))
    if photos[0] < 0 or photos[-1] >= count:
        raise UsageError(
            tr(
                "Photos are numbered 0 to {last}; {photo} is none.",
                last=count - 1,
                photo=photos[0] if photos[0] < 0 else photos[-1],
            )
        )
    return photos
