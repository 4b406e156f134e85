"""A timeline begun and ended as edits, without a look at the photos: which cells are pinned, and what time weighs."""

from collections.abc import Sequence

import numpy as np

from album_app.language import tr, trn
from album_app.layout.editing.edits import Edit, pinned, with_options
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell, Shape
from album_app.photos.time_order import moments

USUAL_WEIGHT = 0.3
"""Of time, where a timeline is asked for and no weight is named: on the sample album, compared by colour or by content,
the least weight by which column and date agree with a rank correlation above 0.9."""

MOST_PINNED = 8
"""Along a side: with more of them the sheet follows time no better, and neighbours match less."""


def along_time(document: Document, pins: Pins) -> Edit | None:
    """Sides pinned by date, and photos compared by date as well."""
    edit = pinned(document, tr("Timeline"), pins)
    before = document if edit is None else edit.document
    weight = document.options.time_weight or USUAL_WEIGHT
    weighed = with_options(before, tr("Timeline"), time_weight=weight)
    return weighed or edit


def without_time(document: Document) -> Edit | None:
    """Photos compared by look alone, and the pins of the timeline let go."""
    ended = _timeline_photos(document)
    rest = Pins({photo: cell for photo, cell in document.pins.items() if photo not in ended})
    edit = pinned(document, tr("No timeline"), rest)
    return with_options(document if edit is None else edit.document, tr("No timeline"), time_weight=0.0) or edit


def _timeline_photos(document: Document) -> set[int]:
    """The photos pinned along the sides that are as early, or as late, as those that a timeline pins there."""
    photos, pins, when = document.album.photos, document.pins, moments(document.album.photos)
    free = [photo for photo in document.active if photo not in pins and photos[photo].taken is not None]
    trusted = [photo for photo in free if photos[photo].date is not None]
    found = set()
    for side, sign in zip(side_cells(document.shape), (1, -1), strict=True):
        for photo in (pins.at(cell) for cell in side):
            if photo is not None and photos[photo].taken is not None:
                others = free if photos[photo].date is None else trusted
                if int((sign * when[others] < sign * when[photo]).sum()) < len(side):
                    found.add(photo)
    return found


def side_cells(shape: Shape) -> tuple[list[Cell], list[Cell]]:
    """Some of the cells farthest left and farthest right, from top to bottom: every other one of a column, or fewer.

    >>> from album_app.layout import rectangle
    >>> side_cells(rectangle(3, 4))
    ([(0, 0), (2, 0)], [(0, 3), (2, 3)])
    """
    cells = [(row, column) for row, column in shape.cells.tolist()]
    column = max(1, round(shape.count / shape.columns))
    count = min(MOST_PINNED, (column + 1) // 2)
    sides = (sorted(cells, key=lambda cell: (sign * cell[1], cell[0]))[:column] for sign in (1, -1))
    left, right = (evenly(sorted(side), count) for side in sides)
    return left, right


def evenly(cells: Sequence[Cell], count: int) -> list[Cell]:
    """So many of the cells, evenly from the first to the last; one of them is that in the middle."""
    places = np.linspace(0, len(cells) - 1, count).round().astype(int) if count > 1 else [len(cells) // 2]
    return [cells[place] for place in places]


def file_time_words(count: int) -> str:
    """A sentence on photos that are dated by their files alone; "" where there are none.

    >>> file_time_words(12)
    '12 photos are dated by their file time only.'
    """
    if not count:
        return ""
    return trn(
        "{count} photo is dated by its file time only.", "{count} photos are dated by their file time only.", count
    )
