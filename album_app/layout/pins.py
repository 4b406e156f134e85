"""Pins: the photos that a person put in place, each in one cell."""

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable
from album_app.language import reason, tr
from album_app.layout.shapes.pages import Pages
from album_app.layout.shapes.shape import Cell, Shape
from album_app.own_files import PIN_COLUMNS, PIN_LIST
from album_app.paths import NOTHING_FOREIGN, Replacing, atomic_write, read_bounded

LARGEST_FILE = 64_000_000
"""Bytes; larger lists of pins are refused before they are read."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters at which spreadsheets begin to read a formula."""

QUOTE = "'"
"""The character in front of a text that spreadsheets do not read as a formula."""


def _cell(cell: Cell) -> Cell:
    """The cell in plain numbers."""
    try:
        row, column = cell
    except TypeError:
        raise TypeError(f"a photo is pinned to a cell, (row, column), not to {cell!r:.60}") from None
    return int(row), int(column)


class Pins(Mapping[int, Cell]):
    """Photo index -> cell, immutable; no photo and no cell twice.

    >>> pins = Pins({4: (0, 0)}).pin(7, (2, 3))
    >>> dict(pins), dict(pins.unpin(4))
    ({4: (0, 0), 7: (2, 3)}, {7: (2, 3)})
    """

    __slots__ = ("_cells", "_photos")

    def __init__(self, pins: Mapping[int, Cell] | None = None) -> None:
        self._cells: dict[int, Cell] = {int(photo): _cell(cell) for photo, cell in (pins or {}).items()}
        self._photos = {cell: photo for photo, cell in self._cells.items()}
        if len(self._photos) < len(self._cells):
            raise UsageError(tr("Two photos cannot be pinned to the same cell."))

    def __getitem__(self, photo: int) -> Cell:
        return self._cells[photo]

    def __iter__(self) -> Iterator[int]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __hash__(self) -> int:
        return hash(frozenset(self._cells.items()))

    def __repr__(self) -> str:
        return f"Pins({self._cells})"

    def at(self, cell: Cell) -> int | None:
        """The photo pinned to a cell, if there is one."""
        return self._photos.get(cell)

    def pin(self, photo: int, cell: Cell) -> "Pins":
        """Pin a photo to a cell; it leaves its old cell, and a photo pinned in the new cell is unpinned."""
        others = {p: c for p, c in self._cells.items() if p != photo and c != cell}
        return Pins({**others, photo: cell})

    def unpin(self, photo: int) -> "Pins":
        """Let a photo go; one that is not pinned stays so."""
        return Pins({p: c for p, c in self._cells.items() if p != photo})

    def swap(self, a: int, b: int) -> "Pins":
        """Exchange the places of two photos; if only one is pinned, the other takes over its pin."""
        other = {a: b, b: a}
        return Pins({other.get(photo, photo): cell for photo, cell in self._cells.items()})

    def carry(self, old: Shape, new: Shape) -> "Pins":
        """The same pins on another shape: same relative position, nearest free cell; what finds none is lost."""
        if old.same_cells(new):
            return self
        targets = {photo: _relative(cell, old, new) for photo, cell in self._cells.items()}
        gaps = {photo: float(_squared(new, target).min()) for photo, target in targets.items()}
        taken = np.zeros(new.count)
        carried: dict[int, Cell] = {}
        for photo in sorted(targets, key=lambda photo: (gaps[photo], photo))[: new.count]:
            nearest = int((_squared(new, targets[photo]) + taken).argmin())
            taken[nearest] = np.inf
            carried[photo] = new.cell(nearest)
        return Pins({photo: carried[photo] for photo in self._cells if photo in carried})


@dataclass(frozen=True)
class PinHome:
    """Where pins were put by hand, and where they were carried from there: other shapes must not make them drift."""

    pins: Pins
    shape: Shape
    carried: Pins
    carried_to: Shape

    @classmethod
    def carry(cls, pins: Pins, shape: Shape, home: "PinHome | None", to: Shape) -> "PinHome":
        """Take pins to another shape, from the one where they were put unless they were moved since."""
        if home is not None and home.carried == pins and home.carried_to.same_cells(shape):
            pins, shape = home.pins, home.shape
        return cls(pins, shape, pins.carry(shape, to), to)


def _relative(cell: Cell, old: Shape, new: Shape) -> tuple[float, float]:
    """Where a cell lies on the new sheet when the old one is stretched over it, corners onto corners.

    From book to book it stays on its page, if that is there.
    """
    if old.pages is not None and new.pages is not None:
        page = int(old.pages.page_of(cell)[0])
        (top, left), (new_top, new_left) = old.pages.origin(page), new.pages.origin(min(page, new.pages.count - 1))
        row, column = _stretched((cell[0] - top, cell[1] - left), old.pages, new.pages)
        return new_top + row, new_left + column
    return _stretched(cell, old, new)


def _stretched(cell: Cell, old: Shape | Pages, new: Shape | Pages) -> tuple[float, float]:
    row = cell[0] / (old.rows - 1) if old.rows > 1 else 0.5
    column = cell[1] / (old.columns - 1) if old.columns > 1 else 0.5
    return row * (new.rows - 1), column * (new.columns - 1)


def _squared(shape: Shape, position: tuple[float, float]) -> NDArray[np.float64]:
    """Squared distances of all cells from a position."""
    squared: NDArray[np.float64] = ((shape.cells - np.asarray(position)) ** 2).sum(axis=1)
    return squared


def write_pins_csv(
    path: str | os.PathLike[str], pins: Pins, names: Sequence[str], replacing: Replacing = NOTHING_FOREIGN
) -> None:
    """Write pins as photo, row, column; `names` are the album's, by photo index."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(PIN_COLUMNS)
    writer.writerows([harmless(names[photo]), *cell] for photo, cell in sorted(pins.items(), key=lambda pin: pin[1]))
    try:
        with atomic_write(path, PIN_LIST, replacing) as temporary:
            temporary.write_bytes(text.getvalue().encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise AlbumError(
            tr("The pins could not be written to {path}: {reason}.", path=_shown(path), reason=reason(error))
        ) from error


def read_pins_csv(path: str | os.PathLike[str], names: Sequence[str], shape: Shape | None = None) -> Pins:
    """Read photo, row, column lines; a wrong name, cell or line is a UsageError that says which."""
    try:
        text = read_bounded(path, LARGEST_FILE).decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise AlbumError(
            tr("The pins in {path} could not be read: {reason}.", path=_shown(path), reason=reason(error))
        ) from error
    index = {name: photo for photo, name in enumerate(names)}
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    pins: dict[int, Cell] = {}
    taken: set[Cell] = set()
    try:
        for row in reader:
            where = tr("Line {line} of {path}", line=reader.line_num, path=_shown(path))
            if not row or (not pins and row[0].strip().lower() == "photo"):
                continue
            photo, cell = _parse_line(row, index, where)
            if photo in pins or cell in taken:
                raise UsageError(tr("{where} pins a photo or a cell for the second time.", where=where))
            if shape is not None and cell not in shape:
                raise UsageError(
                    tr(
                        "{where} names the cell {row},{column}, which the shape does not have.",
                        where=where,
                        row=cell[0],
                        column=cell[1],
                    )
                )
            pins[photo] = cell
            taken.add(cell)
    except csv.Error as error:
        raise UsageError(
            tr("Line {line} of {path} is no CSV: {error}.", line=reader.line_num, path=_shown(path), error=error)
        ) from error
    return Pins(pins)


def harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula: a quote in front, also where there is one already."""
    return QUOTE + name if name.startswith((*FORMULA, QUOTE)) else name


def _delimiter(text: str) -> str:
    """What spreadsheets put between values: a semicolon where the comma is for decimals."""
    first = text.lstrip().split("\n", 1)[0]
    return ";" if first.count(";") >= 2 and first.count(",") < 2 else ","


def _shown(path: str | os.PathLike[str]) -> str:
    return f"“{printable(Path(path).name)}”"


def _parse_line(row: list[str], index: Mapping[str, int], where: str) -> tuple[int, Cell]:
    try:
        cell = int(row[1]), int(row[2])
        plain = row[0].removeprefix(QUOTE)  # as `harmless` put it there; in a file of other origin it may be the name's
        name = plain if plain in index else row[0]
    except (IndexError, ValueError):
        raise UsageError(tr("{where} is not of the form photo,row,column.", where=where)) from None
    if name not in index:
        raise UsageError(
            tr("{where} names “{name}”, which is not a photo of the album.", where=where, name=printable(name))
        )
    return index[name], cell
