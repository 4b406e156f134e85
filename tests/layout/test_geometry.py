"""Cells and pixels: there and back, without seams."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from album_app.layout.geometry import SheetGeometry
from album_app.layout.shapes.lattice import Lattice
from album_app.layout.shapes.shape import rectangle

GEOMETRIES = st.builds(
    SheetGeometry,
    rows=st.integers(1, 40),
    columns=st.integers(1, 40),
    cell_width=st.floats(1, 200),
    cell_height=st.floats(1, 200),
    gap=st.floats(0, 20),
    left=st.floats(0, 50),
    top=st.floats(0, 50),
    right=st.floats(0, 50),
    bottom=st.floats(0, 50),
    lattice=st.builds(Lattice, st.sampled_from([0, 0.25, 0.5])),
)


@given(sheet=GEOMETRIES, inside=st.tuples(*[st.floats(0.01, 0.99)] * 4))
def test_a_point_in_a_cell_leads_back_to_it(sheet: SheetGeometry, inside: tuple[float, ...]) -> None:
    cell = int(inside[0] * sheet.rows), int(inside[1] * sheet.columns)
    x, y, width, height = sheet.cell_rect(cell)
    assert sheet.cell_at(x + inside[2] * width, y + inside[3] * height) == cell
    assert sheet.position_of(x + width / 2, y + height / 2) == pytest.approx(sheet.lattice.positions(cell).tolist())


@given(GEOMETRIES)
def test_the_sheet_ends_where_its_last_cell_and_margin_end(sheet: SheetGeometry) -> None:
    x, y, width, height = np.max([sheet.cell_rect((row, sheet.columns - 1)) for row in range(sheet.rows)], axis=0)
    assert x + width + sheet.right == pytest.approx(sheet.width)
    assert y + height + sheet.bottom == pytest.approx(sheet.height)


def test_outside_the_sheet_there_is_no_cell() -> None:
    sheet = SheetGeometry(2, 3, 10, 10, 2, 5, 5, 5, 5)
    assert (sheet.width, sheet.height) == (44, 32)
    assert sheet.cell_at(5, 5) == (0, 0)
    assert sheet.cell_at(15.5, 5) == (0, 0), "the gap belongs half to either side"
    assert sheet.cell_at(16.5, 5) == (0, 1)
    for point in ((0, 10), (10, 0), (43, 10), (10, 31), (float("nan"), 3), (float("inf"), 3)):
        assert sheet.cell_at(*point) is None


def test_a_page_too_small_for_any_cell_has_none_under_any_point() -> None:
    sheet = SheetGeometry(3, 3, 0, 0, left=20, top=20)
    assert sheet.cell_at(20, 20) is None
    assert not len(sheet.touched(rectangle(3, 3).cells, 0, 0, 50, 50))


@given(st.floats(1.5, 60), st.integers(1, 30))
def test_pixels_of_neighbours_meet(cell: float, columns: int) -> None:
    sheet = SheetGeometry(1, columns, cell, cell)
    right = 0
    for column in range(columns):
        x, _, width, _ = sheet.pixel_rect((0, column))
        assert x == right
        right = x + width


def test_what_a_rectangle_touches() -> None:
    sheet, cells = SheetGeometry(10, 10, 10, 10), rectangle(10, 10).cells
    assert sheet.touched(cells, 15, 25, 20, 10).tolist() == [[row, column] for row in (2, 3) for column in (1, 2, 3)]
    assert len(sheet.touched(cells, -50, -50, 1000, 1000)) == 100
    assert len(sheet.touched(cells, 500, 500, 10, 10)) == 0


def test_many_positions_at_once() -> None:
    sheet = SheetGeometry(4, 4, 10, 10, gap=1, left=3, top=3, lattice=Lattice(0.5))
    cells = [(0, 0), (2, 3), (1, 3)]
    assert np.array_equal(sheet.corners_of(cells), [sheet.cell_rect(cell)[:2] for cell in cells])
