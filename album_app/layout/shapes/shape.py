"""What a sheet looks like before any photo is on it: a set of cells, and what the user asked for to get it."""

import math
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.language import StoredText, mark, number, tr
from album_app.layout.shapes import outlines
from album_app.layout.shapes.frames import Cell as Cell
from album_app.layout.shapes.frames import Frames, justified, justified_within, unit_frames
from album_app.layout.shapes.lettering.ink import Mask
from album_app.layout.shapes.pages import Pages, pages_needed

USUAL_PAGE = (4, 5)
"""Rows and columns of a book's pages where neither these nor the number of pages were chosen."""

USUAL_ASPECT = 4 / 3
"""Width by height of a photo whose proportions are not known."""

AXES = np.eye(2), np.eye(2)[::-1]
"""The matrices that keep rows and columns, or exchange them."""


@dataclass(frozen=True, eq=False)
class Shape:
    """The cells of a sheet, row by row: where `mask` is True there is a cell.

    >>> corner = Shape(np.array([[True, True], [True, False]]), "corner")
    >>> corner.count, corner.cells.tolist(), (1, 1) in corner
    (3, [[0, 0], [0, 1], [1, 0]], False)
    """

    mask: NDArray[np.bool_]  # (rows, columns), read-only
    name: str
    centres: tuple[Cell, ...] = ()
    remark: str = ""  # a sentence for the user about it
    readable_from: int = 0  # the number of cells from which its letters are readable; 0 where they are
    pages: Pages | None = None  # of a book; the mask is theirs
    shift: float = 0.0  # every second row lies this share of a cell farther to the right, as in a hexagon
    is_justified: bool = False  # rows of whole photos: the photos' proportions give the frames
    fills_pages: bool = False  # the photos of a page with empty cells grow until they fill it

    def __post_init__(self) -> None:
        mask = np.array(self.mask, dtype=bool)
        if mask.ndim != 2 or not mask.any():
            raise UsageError(tr("A shape needs at least one cell."))
        object.__setattr__(self, "mask", _frozen(mask))
        if any(centre not in self for centre in self.centres):
            raise ValueError("the centre of a character must be a cell of its shape")
        if self.shift and (self.pages is not None or self.is_justified):
            raise ValueError("only a plain sheet has shifted rows")

    @property
    def rows(self) -> int:
        """Height of the sheet in cells."""
        return int(self.mask.shape[0])

    @property
    def columns(self) -> int:
        """Width of the sheet in cells."""
        return int(self.mask.shape[1])

    @property
    def extent(self) -> tuple[float, float]:
        """Height and width of the sheet in cells, including the shift of rows."""
        return self._units.height, self._units.width

    @cached_property
    def _units(self) -> Frames:
        return unit_frames(self.mask, self.shift)

    @property
    def needs_aspects(self) -> bool:
        """Whether frames depend on the photos' proportions."""
        return self.is_justified or self.fills_pages

    def frames(self, gap: float = 0.0, caption: float = 0.0) -> Frames:
        """The frames of the sheet before any photo is on it, one per cell; see `frames` for the units of length."""
        return self.justified(np.full(self.count, USUAL_ASPECT), gap, caption) if self.is_justified else self._units

    def justified(self, aspects: NDArray[np.floating], gap: float = 0.0, caption: float = 0.0) -> Frames:
        """Frames for whole photos, whose width by height is `aspects`, one per cell; on each page of a book."""
        if self.pages is None:
            return justified(self._units, aspects, gap, caption)
        boxes, page_of = self._units.boxes.copy(), self.pages.page_of(self.cells)
        for page in range(self.pages.count):
            part, (top, left) = np.flatnonzero(page_of == page), self.pages.origin(page)
            room = np.array([left, top, self.pages.columns, self.pages.rows], np.float64)
            boxes[part] = justified_within(self._units, aspects[part], gap, caption, part, room)
        return replace(self._units, boxes=_frozen(boxes))

    @property
    def count(self) -> int:
        """Number of cells."""
        return len(self.cells)

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """All cells, row by row: (count, 2)."""
        return _frozen(np.argwhere(self.mask).astype(np.int64))

    @cached_property
    def entries(self) -> NDArray[np.int64]:
        """Where cells lie in an array for sums over neighbourhoods, (count, 2): pages far apart, rows not shifted."""
        return self.cells if self.pages is None else _frozen(self.pages.places(self.cells))

    @cached_property
    def places(self) -> NDArray[Any]:
        """Where cells lie when their distances count: (count, 2), as they are seen, but with pages far apart."""
        return _frozen(self.positions(self.entries))

    def positions(self, cells: ArrayLike) -> NDArray[Any]:
        """Where cells lie, as (row, column) with shifted columns: (k, 2), of one cell (2,).

        A point between two rows is shifted with the nearer row.
        """
        found = np.asarray(cells)
        if not self.shift:
            return found
        rows, columns = found[..., 0], found[..., 1]
        return np.stack([rows, columns + np.floor(rows + 0.5) % 2 * self.shift], axis=-1)

    @cached_property
    def coordinates(self) -> NDArray[np.float64]:
        """The places scaled into the unit square by one factor for both axes: (count, 2)."""
        return _frozen(self.places / max(self.places.max(), 1))

    @property
    def reach(self) -> int:
        """The widest neighbourhood of a cell: all of the sheet, or of its page."""
        return max(self.rows, self.columns) if self.pages is None else self.pages.reach

    @property
    def together(self) -> int:
        """The number of cells of the sheet, or of one page."""
        return self.count if self.pages is None else self.pages.size

    @cached_property
    def reading(self) -> NDArray[np.int64]:
        """The rows of `cells` in the order one reads: page by page, each row by row."""
        if self.pages is None:
            return _frozen(np.arange(self.count))
        return _frozen(np.argsort(self.pages.page_of(self.cells), kind="stable"))

    @cached_property
    def bounds(self) -> tuple[int, int, int, int]:
        """First row, first column, last row and last column that hold a cell."""
        low, high = self.cells.min(axis=0), self.cells.max(axis=0)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    @cached_property
    def corners(self) -> tuple[Cell, ...]:
        """The cells nearest to the corners of the bounds, row by row; no cell twice."""
        top, left, bottom, right = self.bounds
        return self._distinct([(top, left), (top, right), (bottom, left), (bottom, right)])

    @cached_property
    def edge_middles(self) -> tuple[Cell, ...]:
        """The cells nearest to the middles of the edges: top, right, bottom, left; no cell twice."""
        top, left, bottom, right = self.bounds
        row, column = (top + bottom) / 2, (left + right) / 2
        return self._distinct([(top, column), (row, right), (bottom, column), (row, left)])

    @cached_property
    def index(self) -> NDArray[np.int64]:
        """Which row of `cells` holds each cell of the grid, -1 where there is none: (rows, columns)."""
        return _frozen(np.where(self.mask, self.mask.cumsum().reshape(self.mask.shape) - 1, -1))

    def __contains__(self, cell: object) -> bool:
        if not (isinstance(cell, tuple) and len(cell) == 2):
            return False
        row, column = cell
        return 0 <= row < self.rows and 0 <= column < self.columns and bool(self.mask[row, column])

    def index_of(self, cell: Cell) -> int:
        """The row of `cells` that holds this cell; KeyError if it is not part of the shape."""
        if cell not in self:
            raise KeyError(cell)
        return int(self.index[cell])

    def cell(self, index: int) -> Cell:
        """The cell at a row of `cells`."""
        row, column = self.cells[index]
        return int(row), int(column)

    def nearest_free(self, position: ArrayLike, taken: Collection[Cell] = ()) -> Cell | None:
        """The cell nearest to a (row, column) that may lie between or outside cells, avoiding those taken."""
        at = np.asarray(position, dtype=np.float64)
        distance = ((self.positions(self.cells) - self.positions(at)) ** 2).sum(axis=1)
        distance[[self.index_of(cell) for cell in taken if cell in self]] = np.inf
        best = int(distance.argmin())
        return self.cell(best) if np.isfinite(distance[best]) else None

    def same_cells(self, other: "Shape") -> bool:
        """Whether two shapes have the same cells in the same places on the same pages, whatever their names."""
        alike = (self.pages, self.shift, self.is_justified) == (other.pages, other.shift, other.is_justified)
        return alike and np.array_equal(self.mask, other.mask)

    def _distinct(self, positions: list[tuple[float, float]]) -> tuple[Cell, ...]:
        return tuple(dict.fromkeys(cell for cell in map(self.nearest_free, positions) if cell is not None))


@dataclass(frozen=True)
class ShapeSpec:
    """What the user asked for; `build_shape` turns it into cells once the number of photos is known.

    >>> build_shape(ShapeSpec("rectangle", rows=2, columns=3), photos=100).count
    6
    """

    kind: str = "auto"
    rows: int = 0
    columns: int = 0
    aspect: float = outlines.ASPECT
    text: str = ""
    weight: float = 0.5
    spacing: float = 0.5
    font: str = ""  # the name of a font or its file, the built-in one if empty
    wrap: bool = True  # break long lines so that letters are as large as they can be
    mask: str = ""
    inverted: bool = False  # of a mask: photos go where it is light
    cells: int = 0
    pages: int = 0  # of a book of rows x columns each; 0: as many as the photos need
    chapters: bool = False  # pages follow each other in time and break where it pauses longest
    justified: bool = False  # rows of whole photos, also on the pages of a book
    fill_pages: bool = False  # photos of a page with empty cells grow until they fill it
    photo_aspect: float = USUAL_ASPECT  # the mean width by height of the photos, which justified rows go by

    @property
    def has_sizes(self) -> bool:
        """Whether photos may cover several cells: neither in justified nor in shifted rows."""
        return not (self.justified or self.kind == "rows" or KINDS[self.kind].shift)

    @property
    def grows(self) -> bool:
        """Whether the shape is another one for another number of photos."""
        asks = KINDS[self.kind].asks
        return asks != "size" and not (self.pages if asks == "pages" else self.cells)


@dataclass(frozen=True)
class Kind:
    """A kind of shape: how it is called, how it is built for a number of cells, and what it asks of the user."""

    title: str
    build: Callable[[ShapeSpec, int], Shape]
    asks: str = "cells"  # what the user gives: aspect, size, pages, text, mask, or only the number of cells
    shift: float = 0.0  # of every second row, a share of a cell


def build_shape(spec: ShapeSpec, photos: int) -> Shape:
    """The shape that a spec means for a number of photos; above MAX_CELLS, some photos will be left out.

    >>> [build_shape(ShapeSpec(), photos).name for photos in (60, 320, 1000)]  # no empty cells where that can be
    ['6x10', '16x20', '25x40']
    """
    kind = KINDS.get(spec.kind)
    if kind is None:
        kinds = ", ".join(KINDS)
        raise UsageError(tr("There is no shape called “{kind}”; choose one of {kinds}.", kind=spec.kind, kinds=kinds))
    wanted = spec.cells or min(photos, outlines.MAX_CELLS)
    if kind.asks != "size" and not 1 <= wanted <= outlines.MAX_CELLS:
        raise UsageError(
            tr("A sheet has 1 to {most} cells, not {wanted}.", most=number(outlines.MAX_CELLS), wanted=wanted)
        )
    return replace(kind.build(spec, wanted), shift=kind.shift)


def figure(title: str, draw: Callable[[int], Mask], shift: float = 0.0) -> Kind:
    """A figure that is drawn with exactly the wanted number of cells, without empty rows or columns around it."""
    return Kind(title, lambda spec, wanted: Shape(draw(wanted), spec.kind), shift=shift)


def _text(spec: ShapeSpec, wanted: int) -> Shape:
    from album_app.layout.shapes.lettering.typesetting import set_text

    try:
        drawn = set_text(spec.text, wanted, spec.weight, spec.spacing, spec.font, spec.wrap, spec.aspect)
    except OSError as fault:  # a glyph that only this text needs may be damaged
        raise UsageError(tr("The font {path} cannot be read.", path=spec.font or tr("of this text"))) from fault
    name = " ".join(spec.text.replace("\\n", " ").split())
    return Shape(drawn.mask, name, drawn.centres, drawn.remark, drawn.readable_from)


def _mask(spec: ShapeSpec, wanted: int) -> Shape:
    from album_app.layout.shapes.outlines import mask_from_picture

    if not spec.mask:
        raise UsageError(tr("Choose a black-and-white picture for the mask."))
    return Shape(mask_from_picture(spec.mask, wanted, spec.inverted), Path(spec.mask).stem)


def rectangle(rows: int, columns: int) -> Shape:
    """A full sheet of rows x columns.

    >>> rectangle(2, 3).cells.tolist()
    [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    """
    try:
        rows, columns = index(rows), index(columns)
    except TypeError:
        raise TypeError(f"rows and columns must be whole numbers, not {rows!r} and {columns!r}") from None
    _check(mark("A sheet has 1 to {most} cells; {rows} x {columns} does not fit."), rows, columns)
    return Shape(np.ones((rows, columns), dtype=bool), f"{rows}x{columns}")


def book(pages: int, rows: int, columns: int) -> Shape:
    """The shape of a book with `pages` pages of rows x columns."""
    too_many = mark("A book has 1 to {most} cells; {pages} pages of {rows} x {columns} do not fit.")
    _check(too_many, rows, columns, pages)
    laid = Pages.of(pages, rows, columns)
    return Shape(laid.mask, book_name(pages, rows, columns), pages=laid)


def book_name(pages: int, rows: int, columns: int) -> str:
    """The name of a book's shape, such as "12 pages of 4x5"."""
    name = mark("{pages} pages of {rows}x{columns}") if pages > 1 else mark("{pages} page of {rows}x{columns}")
    return StoredText(name, pages=pages, rows=rows, columns=columns)


def _check(complaint: str, rows: int, columns: int, pages: int = 1) -> None:
    if min(pages, rows, columns) < 1 or pages * rows * columns > outlines.MAX_CELLS:
        raise UsageError(tr(complaint, most=number(outlines.MAX_CELLS), pages=pages, rows=rows, columns=columns))


def _book(spec: ShapeSpec, wanted: int) -> Shape:
    rows, columns = spec.rows, spec.columns
    if not rows or not columns:
        rows, columns = outlines.best_rectangle(-(-wanted // spec.pages), spec.aspect) if spec.pages else USUAL_PAGE
    shape = book(spec.pages or pages_needed(wanted, rows * columns, spec.chapters), rows, columns)
    return replace(shape, is_justified=spec.justified, fills_pages=spec.fill_pages)


def rows_of_photos(photos: int, aspect: float, photo_aspect: float) -> Shape:
    """Justified rows of whole photos that together have about an aspect (width by height).

    Shorter rows lie between others: photos are pinned in corners, and a short row needs a free choice of wide photos.

    >>> rows_of_photos(24, aspect=1.25, photo_aspect=1.25).mask.sum(axis=1).tolist()
    [5, 5, 4, 5, 5]
    """
    rows = max(1, min(photos, round(np.sqrt(photos * photo_aspect / aspect))))
    ends = (2 * np.arange(rows + 1) * photos + rows) // (2 * rows)
    counts = np.diff(ends)
    return Shape(np.arange(counts.max()) < counts[:, None], mark("rows"), is_justified=True)


KINDS: dict[str, Kind] = {
    "auto": Kind(
        mark("Automatic"), lambda spec, wanted: rectangle(*outlines.best_rectangle(wanted, spec.aspect)), "aspect"
    ),
    "rectangle": Kind(mark("Rows × columns"), lambda spec, wanted: rectangle(spec.rows, spec.columns), "size"),
    "rows": Kind(
        mark("Rows"),
        lambda spec, wanted: rows_of_photos(wanted, spec.aspect, spec.photo_aspect),
        "aspect",
    ),
    "pages": Kind(mark("Pages of a book"), _book, "pages"),
    "text": Kind(mark("Text"), _text, "text"),
    "mask": Kind(mark("Picture as mask"), _mask, "mask"),
    "circle": figure(mark("Circle"), outlines.circle),
    "triangle": figure(mark("Triangle"), outlines.triangle),
    "heart": figure(mark("Heart"), outlines.heart),
    "ring": figure(mark("Ring"), outlines.ring),
    "diamond": figure(mark("Diamond"), outlines.diamond),
    "hexagon": figure(mark("Hexagon"), outlines.hexagon, outlines.HEXAGON_SHIFT),
}
"""Panel, command and project file know the kinds from here."""


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


Counts = NDArray[np.int64]
LeftOver = Callable[[Counts, Counts], NDArray[np.float64]]
"""A function that gives the share of an area that sheets of these rows and columns leave unused."""

MOST_LEFT_OVER = 0.1
"""A sheet may leave this share of the area unused, if any sheet uses more."""

UNUSED_AREA_WEIGHT = 1.5
"""The weight of the share of unused area against the share of photos that are left out."""

LEAST_PHOTOS_SHARE = 0.5
"""The least share of the photos that a sheet has cells for."""

MOST_GROWTH = 1.25
"""A sheet that keeps all of its photos on another paper has at most this many times as many cells as before. Set by
hand: with more the sheet no longer shows about as many photos as the user chose."""


def filling_rectangle(photos: int, left_over: LeftOver, most: int = 0) -> Cell:
    """The rows and columns for at most `photos` photos that leave the least area unused and the fewest photos out.

    If there are up to `most` photos, no photo is left out where a slightly larger sheet uses the area well.
    """
    if most > photos:
        rows, columns = _sheets(photos, min(most, int(MOST_GROWTH * photos), outlines.MAX_CELLS))
        uncovered = left_over(rows, columns)
        cost = np.where(uncovered <= MOST_LEFT_OVER, UNUSED_AREA_WEIGHT * uncovered + rows * columns / photos, np.inf)
        if cost.size and np.isfinite(cost.min()):
            best = int(cost.argmin())
            return int(rows[best]), int(columns[best])
    few = min(photos, outlines.MAX_CELLS)
    rows, columns = _sheets(max(1, math.ceil(LEAST_PHOTOS_SHARE * few)), few)
    uncovered = left_over(rows, columns)
    cost = UNUSED_AREA_WEIGHT * uncovered + 1 - rows * columns / photos
    best = int(np.where(uncovered <= MOST_LEFT_OVER, cost, 2 + uncovered).argmin())
    return int(rows[best]), int(columns[best])


def _sheets(least: int, most: int) -> tuple[Counts, Counts]:
    """Every full sheet of at least `least` and at most `most` cells."""
    rows = np.arange(1, most + 1)
    fewest, widest = -(-least // rows), most // rows
    count = np.maximum(0, widest - fewest + 1)
    first = np.repeat(np.cumsum(count) - count, count)
    return np.repeat(rows, count), np.repeat(fewest, count) + np.arange(count.sum()) - first


def grid_instead(shape: Shape, photos: int) -> Cell:
    """The rows and columns to start from where a shape becomes a full sheet: its own if it is one, else the photos'."""
    if shape.mask.all():
        return shape.rows, shape.columns
    return outlines.best_rectangle(min(max(photos, 1), outlines.MAX_CELLS))


def nameable() -> list[str]:
    """The kinds of shape that are chosen by their name alone."""
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


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A turned or mirrored sheet: what lay in cell `before[i]` lies in cell i afterwards; y becomes matrix y + shift.

    >>> from album_app.layout import rectangle
    >>> as_it_is, mirrored, *_ = symmetries(rectangle(1, 3))
    >>> as_it_is.before.tolist(), mirrored.before.tolist()
    ([0, 1, 2], [2, 1, 0])
    """

    before: NDArray[np.int64]  # (m,)
    matrix: NDArray[np.float64]  # (2, 2)
    shift: NDArray[np.float64]  # (2,)


def symmetries(shape: Shape) -> list[Symmetry]:
    """All symmetries of a shape, the identity first; the pages of a book are never turned.

    Justified rows stay rows.

    >>> from album_app.layout import rectangle
    >>> [len(symmetries(rectangle(rows, columns))) for rows, columns in ((3, 3), (3, 4))]
    [8, 4]
    """
    kept = AXES[:1] if shape.is_justified else AXES
    turns = [(axes, np.array([down, across])) for axes in kept for down in (1, -1) for across in (1, -1)]
    found = [way for axes, signs in turns if (way := _symmetry(shape, axes, signs)) is not None]
    return found if shape.pages is None else found[:1]


def _symmetry(shape: Shape, axes: NDArray[np.float64], signs: NDArray[np.int64]) -> Symmetry | None:
    """Rows and columns exchanged or not, either mirrored or not: None where cells would not lie on cells."""
    positions = shape.positions(shape.cells)
    shift = (1 - signs) / 2 * (positions.min(axis=0) + positions.max(axis=0))
    sources = (signs * (positions - shift)) @ axes
    rows = np.floor(sources[:, 0] + 0.5)
    columns = np.floor(sources[:, 1] + 0.5 - rows % 2 * shape.shift)
    cells = np.stack([rows, columns], axis=1).astype(np.int64).clip(0, np.array(shape.mask.shape) - 1)
    before = shape.index[tuple(cells.T)]
    if not np.array_equal(np.where(before[:, None] < 0, np.nan, positions[before]), sources):
        return None
    return Symmetry(before, signs[:, None] * axes, shift / max(shape.places.max(), 1))
