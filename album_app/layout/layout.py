"""What arranging gives: one photo per cell, and what is known about it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from album_app.language import shown, tr
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.shapes.frames import Frames, with_blocks
from album_app.layout.shapes.pages import with_filled_pages
from album_app.layout.shapes.shape import USUAL_ASPECT, Cell, Shape

STAGES = ("first", "rounded", "refined")


class Guide:
    """What the solver knows beyond the layout itself; `arrange` fills in a subclass, and it is never saved."""


@dataclass(frozen=True, eq=False, repr=False)
class Layout:
    """A complete sheet: every pin in its cell, at most one photo per cell.

    A large photo is in each of the cells that it covers: with size 2 in four cells, of which the upper left one is its
    cell. `frames` has one frame for all of them.

    >>> from album_app.layout import rectangle
    >>> layout = Layout(rectangle(1, 3), np.array([2, -1, 0]), np.zeros(3))
    >>> layout
    Layout(2 photos on 1x3, 0 pinned, smi=0.000)
    >>> layout.shown, layout.cell_of(0), layout.photo_in((0, 1)) is None
    ((0, 2), (0, 2), True)
    """

    shape: Shape
    photo_at: NDArray[np.int64]  # (cells,) photo index, -1 = empty
    confidence: NDArray[np.float32]  # (cells,) 0..1
    pins: Pins = field(default_factory=Pins)
    smi: float = 0.0
    resembles: Mapping[int, int] = field(default_factory=dict)  # left-out photo -> the shown one most like it
    stage: str = "refined"
    seconds: Mapping[str, float] = field(default_factory=dict)
    guide: Guide | None = None
    scores: Mapping[str, float] = field(default_factory=dict)  # dpq16, pin_pull, coverage, smi_z: those computed so far
    arranged: bool = True  # False for photos in reading order: no solve starts from it
    options: Options | None = None  # that it was arranged with, where that is known
    converged: bool = True  # whether the solver's plan had come to rest
    trace: tuple[tuple[float, float], ...] = ()  # (seconds, SMI) of each sheet on the way to this one, while it is open
    fresh_roughness: float = 0.0  # mean squared distance of neighbours when it was last found afresh; 0 = not known
    features_key: str = ""  # names the features, and their version, that it was arranged with; empty = not known
    degenerate: str = ""  # why the solver's plan says little, in a sentence; empty where it is sound
    sizes: Mapping[int, int] = field(default_factory=dict)  # photos that cover size x size cells, for sizes from 2 on
    aspects: NDArray[np.floating] | None = None  # (photos,) width by height; justified rows and filled pages need them
    lone: frozenset[int] = frozenset()  # pinned photos that attracted no others: they were put in place one by one

    def __post_init__(self) -> None:
        photo_at = np.array(self.photo_at, dtype=np.int64)
        confidence = np.array(self.confidence, dtype=np.float32)
        if photo_at.shape != (self.shape.count,) or confidence.shape != (self.shape.count,):
            raise ValueError("a layout needs one photo index and one confidence per cell of its shape")
        for name, array in (("photo_at", photo_at), ("confidence", confidence)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        photos, pins = f"{len(self.positions)} photos", f"{len(self.pins)} pinned"
        return f"Layout({photos} on {self.shape.name}, {pins}, smi={self.smi:.3f})"

    @property
    def caution(self) -> str:
        """A sentence on what limits SMI and confidence here; empty where nothing does.

        A refined sheet was only guided by the plan, so it need not have come to rest.
        """
        if self.degenerate:
            return tr("SMI and confidence say little here: {reason}.", reason=shown(self.degenerate))
        if not self.converged and self.stage != "refined":
            return tr("The plan was still moving when arranging went on from it; more iterations may turn the sheet.")
        return ""

    @property
    def filled_cells(self) -> list[Cell]:
        """Every cell that shows a photo, or a part of a large one."""
        return [(row, column) for row, column in self.shape.cells[self.photo_at >= 0].tolist()]

    @cached_property
    def positions(self) -> Mapping[int, Cell]:
        """Shown photo -> its cell, the first one row by row where it is repeated."""
        placed: dict[int, Cell] = {}
        for photo, (row, column) in zip(self.photo_at.tolist(), self.shape.cells.tolist(), strict=True):
            if photo >= 0:
                placed.setdefault(photo, (row, column))
        return placed

    @property
    def in_order(self) -> NDArray[np.int64]:
        """The photos of the cells in the order one reads, -1 for empty ones: (cells,)."""
        return self.photo_at[self.shape.reading]

    def frames(self, gap: float = 0.0, caption: float = 0.0) -> Frames:
        """The rectangle of every photo and every empty cell, in sheet units; `shapes.frames` says how to use it.

        Gap and caption, as shares of the step from one column to the next, matter to justified rows and filled pages.
        """
        known: dict[tuple[float, float], Frames] = self.__dict__.setdefault("_frames", {})
        key = (gap, caption) if self.shape.needs_aspects else (0.0, 0.0)
        if key not in known:
            known.clear()
            known[key] = self._frames_for(*key)
        return known[key]

    def _frames_for(self, gap: float, caption: float) -> Frames:
        shape = self.shape
        if shape.is_justified:
            frames = shape.justified(self._aspect_at, gap, caption)
        else:
            blocks = [(*cell, self.sizes[photo]) for photo, cell in self.blocks.items()]
            frames = with_blocks(shape.frames(), blocks) if blocks else shape.frames()
        if shape.pages is None or not shape.fills_pages:
            return frames
        first = shape.index[tuple(frames.cells.T)]
        filled, aspects = self.photo_at[first] >= 0, self._aspect_at[first]
        return with_filled_pages(frames, shape.pages, filled, aspects, gap, caption, shape.is_justified)

    @property
    def _aspect_at(self) -> NDArray[np.float64]:
        """Width by height of the photo in each cell; the mean of all where there is none."""
        found = np.full(self.shape.count, np.nan)
        if self.aspects is not None:
            known = np.flatnonzero((self.photo_at >= 0) & (self.photo_at < len(self.aspects)))
            found[known] = self.aspects[self.photo_at[known]]
        usual = np.exp(np.nanmean(np.log(found))) if np.isfinite(found).any() else USUAL_ASPECT
        return np.where(np.isfinite(found), found, usual)

    @cached_property
    def blocks(self) -> Mapping[int, Cell]:
        """The upper left cell of each large photo that fills all cells of its block."""
        return {photo: cell for photo, cell in self.positions.items() if self._is_block(photo, cell)}

    def _is_block(self, photo: int, cell: Cell) -> bool:
        size, (row, column) = self.sizes.get(photo, 1), cell
        if size < 2 or self.shape.shift or self.shape.is_justified:
            return False
        inside = self.shape.index[row : row + size, column : column + size]
        if inside.shape != (size, size) or (inside < 0).any():
            return False
        return bool((self.photo_at[inside] == photo).all())

    @cached_property
    def shown(self) -> tuple[int, ...]:
        """The photos on the sheet, sorted, each once."""
        return tuple(sorted(self.positions))

    @cached_property
    def repeats(self) -> int:
        """How many frames show a photo that another frame shows as well."""
        return self.filled - len(self.positions)

    @property
    def covered(self) -> int:
        """How many cells lie under large photos, not counting one cell for each of these."""
        return sum(self.sizes[photo] ** 2 - 1 for photo in self.blocks)

    @property
    def filled(self) -> int:
        """How many frames show a photo."""
        return int((self.photo_at >= 0).sum()) - self.covered

    def without(self, photos: Collection[int]) -> "Layout":
        """The same sheet with the cells of some photos empty."""
        if not photos:
            return self
        photo_at = np.where(np.isin(self.photo_at, list(photos)), -1, self.photo_at)
        pins = Pins({photo: cell for photo, cell in self.pins.items() if photo not in photos})
        return replace(self, photo_at=photo_at, pins=pins)

    def without_repeats(self) -> "Layout":
        """The layout with each photo in one cell, its pin's or else the first one; the other cells are empty."""
        if not self.repeats:
            return self
        photo_at = np.full_like(self.photo_at, -1)
        for photo in self.shown:
            cell = self.cell_of(photo)
            if cell is not None:
                photo_at[self.shape.index_of(cell)] = photo
        for photo in self.blocks:
            photo_at[self.photo_at == photo] = photo
        return replace(self, photo_at=photo_at, scores={})

    def cell_of(self, photo: int) -> Cell | None:
        """Where a photo is, or None if it is left out; a pinned one is where its pin is."""
        return self.pins.get(photo) or self.positions.get(photo)

    def frame_aspect(self, photo: int) -> float:
        """Width divided by height of the frame of a photo; 1 where it has none."""
        cell = self.cell_of(photo)
        if cell is None:
            return 1.0
        frames = self.frames()
        _, _, width, height = frames.boxes[frames.of(cell)].tolist()
        return float(width / height)

    def photo_in(self, cell: Cell) -> int | None:
        """The photo in a cell, or None if it is empty; KeyError for a cell outside the shape."""
        photo = int(self.photo_at[self.shape.index_of(cell)])
        return photo if photo >= 0 else None
