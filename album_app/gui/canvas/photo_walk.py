"""Where arrows lead from a photo that is seen large: over the sheet, through its stack, or along the tray's list."""

from collections.abc import Sequence

from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell


def row_of_photos(document: Document, photo: int, listed: Sequence[int]) -> tuple[int, ...]:
    """The photos that one without a cell is seen among: those of its stack, else those listed; none for one with."""
    if document.layout is not None and document.layout.cell_of(photo) is not None:
        return ()
    if photo in document.covered:
        return tuple(sorted(document.stack_of[document.covered[photo]]))
    return tuple(listed) if photo in listed else ()


def next_photo(
    document: Document, row: Sequence[int], photo: int, down: int, across: int, last: Cell | None = None
) -> int | None:
    """The next photo of the row, or of the sheet where there is no row, in the direction of an arrow.

    A photo that has lost its cell meanwhile is left from `last`, the cell where it lay.
    """
    if row:
        place = row.index(photo) + down + across
        return row[place] if 0 <= place < len(row) else None
    layout = document.layout
    return None if layout is None else _beside(layout, layout.cell_of(photo) or last, down, across)


def _beside(layout: Layout, cell: Cell | None, down: int, across: int) -> int | None:
    if cell is None:
        return None
    row, column = cell[0] + down, cell[1] + across
    while 0 <= row < layout.shape.rows and 0 <= column < layout.shape.columns:
        other = layout.photo_in((row, column)) if (row, column) in layout.shape else None
        if other is not None:
            return other
        row, column = row + down, column + across
    return None
