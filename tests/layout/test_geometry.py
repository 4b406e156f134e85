"""Frames and pixels: there and back, without seams."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from album_app.layout.geometry import SheetGeometry
from album_app.layout.shapes.frames import Frames, unit_frames
from album_app.layout.shapes.shape import rectangle

SIDES = st.integers(1, 20)
FRAMES = st.builds(
    lambda rows, columns, shift: unit_frames(np.ones((rows, columns), dtype=bool), shift),
    SIDES,
    SIDES,
    st.sampled_from([0, 0.25, 0.5]),
)
GEOMETRIES = st.builds(
    SheetGeometry,
    frames=FRAMES,
    cell_width=st.floats(1, 200),
    cell_height=st.floats(1, 200),
    gap=st.floats(0, 20),
    left=st.floats(0, 50),
    top=st.floats(0, 50),
    right=st.floats(0, 50),
    bottom=st.floats(0, 50),
)


def squares(rows: int, columns: int) -> Frames:
    return rectangle(rows, columns).frames()


@given(sheet=GEOMETRIES, inside=st.tuples(*[st.floats(0.01, 0.99)] * 4))
def test_a_point_in_a_frame_leads_back_to_its_cell(sheet: SheetGeometry, inside: tuple[float, ...]) -> None:
    rows, columns = sheet.frames.grid.shape
    cell = int(inside[0] * rows), int(inside[1] * columns)
    x, y, width, height = sheet.rect(cell)
    assert sheet.cell_at(x + inside[2] * width, y + inside[3] * height) == cell


@given(GEOMETRIES)
def test_the_sheet_ends_where_its_last_frame_and_margin_end(sheet: SheetGeometry) -> None:
    x, y, width, height = sheet.rects.T
    assert (x + width).max() + sheet.right == pytest.approx(sheet.width)
    assert (y + height).max() + sheet.bottom == pytest.approx(sheet.height)


def test_outside_the_sheet_there_is_no_cell() -> None:
    sheet = SheetGeometry(squares(2, 3), 10, 10, 2, 5, 5, 5, 5)
    assert (sheet.width, sheet.height) == (44, 32)
    assert sheet.cell_at(5, 5) == (0, 0)
    assert sheet.cell_at(15.5, 5) == (0, 0), "the gap belongs half to either side"
    assert sheet.cell_at(16.5, 5) == (0, 1)
    for point in ((0, 10), (10, 0), (43, 10), (10, 31), (float("nan"), 3), (float("inf"), 3)):
        assert sheet.cell_at(*point) is None


@given(st.floats(1.5, 60), st.integers(1, 30))
def test_pixels_of_neighbours_meet(cell: float, columns: int) -> None:
    right = 0
    for x, _, width, _ in SheetGeometry(squares(1, columns), cell, cell).pixel_rects.tolist():
        assert x == right
        right = x + width


def test_what_a_rectangle_overlaps() -> None:
    sheet = SheetGeometry(squares(10, 10), 10, 10)
    found = [sheet.frames.cell(number) for number in sheet.frames_within(15, 25, 20, 10)]
    assert found == [(row, column) for row in (2, 3) for column in (1, 2, 3)]
    assert len(sheet.frames_within(-50, -50, 1000, 1000)) == 100
    assert len(sheet.frames_within(500, 500, 10, 10)) == 0
