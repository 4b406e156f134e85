"""Pins at a named place of a sheet: the photos that suit a word best go to a corner, an edge, the middle or a cell."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from album_app.errors import UsageError
from album_app.language import mark, tr
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Cell, Shape

Point = tuple[float, float]
"""A position on the sheet as shares of its height and width."""

MOST_PINS = 3
"""Photos that are pinned to a corner or an edge. Chosen on albums of 1,000 and 1,500 photos: with one pin the photos
of a word lie up to twice as far away from an edge, and with more than three the sheet becomes less smooth."""

PLACES: dict[str, tuple[str, tuple[Point, ...]]] = {
    "top-left": (mark("top left"), ((0, 0),)),
    "top": (mark("top"), ((0, 1 / 2), (0, 1 / 6), (0, 5 / 6))),
    "top-right": (mark("top right"), ((0, 1),)),
    "left": (mark("left"), ((1 / 2, 0), (1 / 6, 0), (5 / 6, 0))),
    "middle": (mark("middle"), ((1 / 2, 1 / 2),)),
    "right": (mark("right"), ((1 / 2, 1), (1 / 6, 1), (5 / 6, 1))),
    "bottom-left": (mark("bottom left"), ((1, 0),)),
    "bottom": (mark("bottom"), ((1, 1 / 2), (1, 1 / 6), (1, 5 / 6))),
    "bottom-right": (mark("bottom right"), ((1, 1),)),
}
"""The places by their names on the command line: what people call each, and the points where its pins lie, row by row.

An edge has points along its whole length, so that two words on opposite sides make an axis of the sheet.
"""


def check_place(place: str) -> None:
    """Refuse a place that no sheet has."""
    if place not in PLACES:
        text = mark("There is no place “{place}” on a sheet; choose one of {places}, or ROW,COL.")
        raise UsageError(tr(text, place=place, places=", ".join(PLACES)))


def place_cells(shape: Shape, place: str | Cell, count: int, taken: Iterable[Cell] = ()) -> list[Cell]:
    """At most `count` free cells for pins at a place: along an edge, or next to each other at the other places."""
    if isinstance(place, tuple):
        return [place][:count]
    check_place(place)
    top, left, bottom, right = shape.bounds
    points = PLACES[place][1]
    used, cells = set(taken), list[Cell]()
    for k in range(min(count, MOST_PINS)):
        down, across = points[k % len(points)]
        cell = shape.nearest_free((top + down * (bottom - top), left + across * (right - left)), used)
        if cell is None:
            break
        used.add(cell)
        cells.append(cell)
    return cells


def with_place_pins(
    pins: Pins, ranked: Sequence[int], shape: Shape, place: str | Cell, lying: Layout | None = None
) -> Pins:
    """The pins, and the first of the `ranked` photos pinned at a place; photos that are pinned already stay there.

    Where a sheet is `lying` there already, each photo goes to the cell of the place that is nearest to it.
    """
    free = [photo for photo in ranked if photo not in pins]
    taken = () if isinstance(place, tuple) else pins.values()
    cells = place_cells(shape, place, len(free), taken)
    photos = free[: len(cells)]
    if lying is not None:
        photos = _least_moved(photos, cells, lying.positions)
    for photo, cell in zip(photos, cells, strict=True):
        pins = pins.pin(photo, cell)
    return pins


def _least_moved(photos: Sequence[int], cells: Sequence[Cell], positions: Mapping[int, Cell]) -> list[int]:
    """The photos in the order of the cells that moves those on the sheet least."""
    from scipy.optimize import linear_sum_assignment  # a starting window does without SciPy

    at = np.array([positions.get(photo, (np.nan, np.nan)) for photo in photos], np.float64).reshape(-1, 1, 2)
    away = np.nan_to_num(((at - np.array(cells, np.float64).reshape(1, -1, 2)) ** 2).sum(axis=2))
    rows, columns = linear_sum_assignment(away)
    order = np.argsort(columns)
    return [photos[row] for row in rows[order]]
