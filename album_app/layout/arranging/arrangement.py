"""Who takes part and where: photos, cells, pins and held cells of one arrangement, checked once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.arranging.space import Space
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Cell, Shape

Indices = NDArray[np.int64]


CellsOrMask = Sequence[Cell] | NDArray[np.bool_]
"""Some cells of a shape: (row, column) each, or a mask (cells,) that is True for them."""


def all_but(shape: Shape, cells: Iterable[Cell]) -> NDArray[np.bool_]:
    """A mask over the cells of a shape that is False for some of them: what to hold while these are arranged."""
    mask = np.ones(shape.count, bool)
    mask[[shape.index_of(cell) for cell in cells]] = False
    return mask


@dataclass(frozen=True, eq=False)
class Held:
    """Cells that keep exactly what they show: a photo, or nothing."""

    cells: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # ascending
    photos: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # in these cells, -1 = empty

    @classmethod
    def of(cls, shape: Shape, hold: CellsOrMask, layout: Layout) -> Held:
        """Hold cells of a shape as a layout shows them; cells that the layout's shape does not have are not held."""
        if isinstance(hold, np.ndarray) and hold.dtype == bool:
            if hold.shape != (shape.count,):
                raise UsageError(
                    tr("A mask of held cells needs {cells} entries, not {count}.", cells=shape.count, count=hold.size)
                )
            wanted = [shape.cell(index) for index in np.flatnonzero(hold).tolist()]
        else:
            wanted = [(int(row), int(column)) for row, column in hold]
        for cell in wanted:
            if cell not in shape:
                raise UsageError(tr("The cell {cell} is to be held, but the shape does not have it.", cell=cell))
        known = sorted((shape.index_of(cell), layout.shape.index_of(cell)) for cell in wanted if cell in layout.shape)
        if not known:
            return cls()
        cells, there = np.unique(np.array(known, dtype=np.int64), axis=0).T
        return cls(cells, layout.photo_at[there])

    @property
    def shown(self) -> Indices:
        """The photos in held cells."""
        return self.photos[self.photos >= 0]

    def only(self, which: NDArray[np.bool_]) -> Held:
        """Some of the held cells."""
        return Held(self.cells[which], self.photos[which])


@dataclass(frozen=True, eq=False)
class Quality:
    """How good photos are, and the share of coverage that may be lost by choosing good ones."""

    values: NDArray[np.float32]  # (photos,) from 0 to 1, below 0 for photos that are too small
    most_lost: float  # share of coverage
    whole: Space  # photos with all their features, by which coverage is measured

    @classmethod
    def of(cls, values: NDArray[np.float32], most_lost: float, features: ArrayLike) -> Quality:
        """The quality of photos with these features (photos, d)."""
        return cls(values, most_lost, Space(np.asarray(features, np.float32), key=0))


@dataclass(frozen=True, eq=False)
class Arrangement:
    """The photos to lay out and the cells to lay them on."""

    space: Space
    shape: Shape
    pins: Pins  # only those of photos that take part
    photos: Indices  # those that take part, ascending
    missing: Pins = field(default_factory=Pins)  # photos whose features are not known, but which keep their cells
    held: Held = field(default_factory=Held)  # cells that keep what they show
    quality: Quality | None = None  # used where photos are chosen; None: all are equally good
    lone: frozenset[int] = frozenset()  # pinned photos that attract no others

    @classmethod
    def of(
        cls,
        features: ArrayLike,
        shape: Shape,
        pins: Pins,
        active: Sequence[int] | None = None,
        known: Space | None = None,
        missing: Pins | None = None,
        held: Held | None = None,
    ) -> Arrangement:
        """Check everything the user gave.

        A pin of a photo that does not take part is ignored. A cell is not held if a pin or a missing photo is to lie
        there, or if the photo that it shows is pinned elsewhere or takes no part.
        """
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
        missing = missing or Pins()
        arrangement = cls(space, shape, pins, photos, missing)
        if held is None:
            return arrangement
        taken = np.concatenate([arrangement.pinned_cells, arrangement.missing_cells])
        stays = (held.photos < 0) | np.isin(held.photos, arrangement.loose_photos)
        return replace(arrangement, held=held.only(stays & ~np.isin(held.cells, taken)))

    @cached_property
    def pinned_photos(self) -> Indices:
        """The pinned photos."""
        return np.array(list(self.pins), dtype=np.int64)

    @cached_property
    def pinned_cells(self) -> Indices:
        """The cells of the pinned photos, in the same order."""
        return self._indices(self.pins)

    @cached_property
    def pulling_photos(self) -> Indices:
        """The pinned photos that attract photos like them."""
        return self.pinned_photos[self._pulls]

    @cached_property
    def pulling_cells(self) -> Indices:
        """The cells of the pinned photos that attract photos like them, in the same order."""
        return self.pinned_cells[self._pulls]

    @cached_property
    def _pulls(self) -> NDArray[np.bool_]:
        return np.array([photo not in self.lone for photo in self.pins], dtype=bool)

    def cell_of_pin(self, photo: int) -> int:
        """The index of the cell that a photo is pinned to."""
        return self.shape.index_of(self.pins[photo])

    def cells_of_pin(self, photo: int) -> Indices:
        """The indices of the cells that a pinned photo covers: several if it is large."""
        return np.append(self.held.cells[self.held.photos == photo], self.cell_of_pin(photo))

    @cached_property
    def missing_cells(self) -> Indices:
        """The cells of the missing photos."""
        return self._indices(self.missing)

    @cached_property
    def placed_photos(self) -> Indices:
        """The photos whose cells are settled before anything is arranged: pinned or held."""
        return np.concatenate([self.pinned_photos, self.held.shown])

    @cached_property
    def fixed_cells(self) -> Indices:
        """The cells that no photo may move to or from."""
        return np.concatenate([self.pinned_cells, self.missing_cells, self.held.cells])

    def _indices(self, pins: Pins) -> Indices:
        return np.array([self.shape.index_of(cell) for cell in pins.values()], dtype=np.int64)

    @cached_property
    def loose_photos(self) -> Indices:
        """The photos that may go anywhere."""
        return np.setdiff1d(self.photos, self.placed_photos)

    @cached_property
    def free_cells(self) -> Indices:
        """The cells that loose photos may go to."""
        return np.setdiff1d(np.arange(self.shape.count), self.fixed_cells)

    def fixed_sheet(self) -> Indices:
        """The sheet (cells,) with nothing on it but pinned, missing and held photos."""
        photo_at = np.full(self.shape.count, -1, dtype=np.int64)
        photo_at[self.held.cells] = self.held.photos
        photo_at[self.pinned_cells] = self.pinned_photos
        photo_at[self.missing_cells] = list(self.missing)
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
