"""Pins from the words of the command line."""

import posixpath
import re
from collections.abc import Sequence
from pathlib import Path

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import mark, retell, tr
from album_app.layout.pins import Pins, read_pins_csv
from album_app.layout.shapes.shape import Cell, Shape
from album_app.photos.album import Album

_PIN = re.compile(
    r"(?P<path>.+)@\s*(?:(?P<page>\d{1,6})\s*:)?\s*(?P<row>\d{1,6})\s*,\s*(?P<column>\d{1,6})\s*", re.DOTALL
)


def split_pin(words: str) -> tuple[str, int | None, Cell]:
    """The path, the page if there is one, and the cell of PATH@PAGE:ROW,COL.

    The last @ counts, since a path may have its own.
    """
    parts = _PIN.fullmatch(words)
    if parts is None:
        raise UsageError(
            tr("“{words}” is no pin; write PATH@ROW,COL, for example beach/img12.jpg@0,4.", words=printable(words))
        )
    page = None if parts["page"] is None else int(parts["page"])
    return parts["path"], page, (int(parts["row"]), int(parts["column"]))


def chosen_pins(album: Album, shape: Shape, words: Sequence[str], file: Path | None) -> Pins:
    """The pins of a CSV file, if there is one, and those written as PATH@ROW,COL."""
    names = [photo.name for photo in album.photos]
    pins = read_pins_csv(file, names, shape) if file is not None else Pins()
    for pin in words:
        path, page, within = split_pin(pin)
        photo, cell = _photo(album, path), _on_sheet(pin, page, within, shape)
        if cell not in shape:
            raise UsageError(_outside(printable(pin), shape))
        if photo in pins or pins.at(cell) is not None:
            photo_again = mark("The pin “{pin}” uses a photo that another pin has already.")
            cell_again = mark("The pin “{pin}” uses a cell that another pin has already.")
            raise UsageError(tr(photo_again if photo in pins else cell_again, pin=printable(pin)))
        pins = pins.pin(photo, cell)
    return pins


def _outside(pin: str, shape: Shape) -> str:
    whole = mark(
        "The pin “{pin}” names a cell outside the shape: rows go from 0 to {rows}, columns from 0 to {columns}."
    )
    holed = mark(
        "The pin “{pin}” names a cell outside the shape: rows go from 0 to {rows}, columns from 0 to {columns}, "
        "and not all are part of it."
    )
    return tr(holed if _has_holes(shape) else whole, pin=pin, rows=shape.rows - 1, columns=shape.columns - 1)


def _on_sheet(pin: str, page: int | None, cell: Cell, shape: Shape) -> Cell:
    """A cell of a page, counted from 1, on the whole sheet."""
    if shape.pages is None and page is None:
        return cell
    if shape.pages is None or page is None:
        right = "PATH@ROW,COL" if shape.pages is None else "PATH@PAGE:ROW,COL"
        raise UsageError(tr("The pin “{pin}” is to be written as {right} here.", pin=printable(pin), right=right))
    pages = shape.pages
    if not 1 <= page <= pages.count or cell[0] >= pages.rows or cell[1] >= pages.columns:
        raise UsageError(
            tr(
                "The pin “{pin}” names no cell of the book: pages go from 1 to {pages}, rows from 0 to {rows}, "
                "columns from 0 to {columns}.",
                pin=printable(pin),
                pages=pages.count,
                rows=pages.rows - 1,
                columns=pages.columns - 1,
            )
        )
    top, left = pages.origin(page - 1)
    return top + cell[0], left + cell[1]


def _photo(album: Album, path: str) -> int:
    """The photo at a path relative to the folder, or at a full path inside it."""
    places = [path, posixpath.normpath(path.replace("\\", "/"))]
    places += [Path(path).relative_to(root).as_posix() for root in album.roots if Path(path).is_relative_to(root)]
    for place in places:
        photo = album.index_of(place)
        if photo is not None:
            return photo
    for item in album.skipped:
        if item.name in places:
            text = mark("The pinned file {path} cannot be read as a photo: {reason}.")
            raise UsageError(tr(text, path=printable(path), reason=retell(item.reason)))
    raise UsageError(
        tr("There is no photo {path} in {folder} to pin.", path=printable(path), folder=printable(str(album.roots[0])))
    )


def _has_holes(shape: Shape) -> bool:
    return shape.count < shape.rows * shape.columns
