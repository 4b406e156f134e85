"""Photos that suit a word go to a named place: corners, edges, the middle or a cell."""

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.layout import rectangle
from album_app.layout.evaluation.suggest import MOST_PINS, PLACES, place_cells, with_place_pins
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import ShapeSpec, build_shape


@pytest.mark.parametrize("place", PLACES)
def test_pins_lie_at_their_place(place: str) -> None:
    rows, columns = zip(*place_cells(rectangle(9, 12), place, 10), strict=True)
    assert len(rows) == MOST_PINS
    middle_row, middle_column = sum(rows) / len(rows) - 4, sum(columns) / len(columns) - 5.5
    assert ("top" in place, "bottom" in place) == (middle_row < -2, middle_row > 2)
    assert ("left" in place, "right" in place) == (middle_column < -3, middle_column > 3)


@pytest.mark.parametrize(
    ("place", "cells"),
    [
        ("top-left", [(0, 0), (0, 1), (1, 0)]),
        ("top-right", [(0, 12), (0, 11), (1, 12)]),
        ("bottom-left", [(8, 0), (7, 0), (8, 1)]),
        ("bottom-right", [(8, 12), (7, 12), (8, 11)]),
        ("top", [(0, 6), (0, 2), (0, 10)]),
        ("bottom", [(8, 6), (8, 2), (8, 10)]),
        ("left", [(4, 0), (1, 0), (7, 0)]),
        ("right", [(4, 12), (1, 12), (7, 12)]),
        ("middle", [(4, 6), (3, 6), (4, 5)]),
    ],
)
def test_the_best_photo_lies_in_the_middle_of_its_place(place: str, cells: list[tuple[int, int]]) -> None:
    assert list(place_cells(rectangle(9, 13), place, 3)) == cells


def test_an_edge_has_pins_along_its_length_and_a_corner_has_them_together() -> None:
    left = place_cells(rectangle(9, 12), "left", 3)
    assert {column for _, column in left} == {0} and max(left)[0] - min(left)[0] >= 5
    assert set(place_cells(rectangle(9, 12), "top-left", 3)) == {(0, 0), (0, 1), (1, 0)}


def test_pinned_photos_and_their_cells_stay() -> None:
    pins = with_place_pins(Pins({4: (0, 0)}), [4, 7, 5], rectangle(4, 5), "top-left")
    assert pins[4] == (0, 0) and set(pins) == {4, 5, 7} and len(set(pins.values())) == 3


def test_a_cell_takes_the_best_photo_alone() -> None:
    assert dict(with_place_pins(Pins(), [3, 1, 2], rectangle(4, 5), (2, 2))) == {3: (2, 2)}


def test_photos_go_to_the_nearest_cells_of_the_place() -> None:
    shape = rectangle(6, 6)
    lying = Layout(shape, np.arange(36), np.ones(36, np.float32), Pins())
    pins = with_place_pins(Pins(), [33, 3, 15], shape, "right", lying)  # in column 3, rows 5, 0 and 2
    assert pins[3] < pins[15] < pins[33]


def test_letters_have_places_too() -> None:
    shape = build_shape(ShapeSpec("text", text="O"), 60)
    cells = place_cells(shape, "middle", 3)
    assert len(set(cells)) == 3 and all(cell in shape for cell in cells)


def test_an_unknown_place_names_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"“under the table”.*top-left, top, .*bottom-right"):
        place_cells(rectangle(4, 5), "under the table", 1)
