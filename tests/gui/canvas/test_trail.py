"""While tiles glide, a cell that one has left shows what lay there, dimmed, until the next one comes: never a hole."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.canvas.sheet_view import SheetView
from tests.gui.conftest import OpenCanvas
from tests.gui.hands import layout_of, middle


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time as the canvas sees it."""
    now = [1000.0]
    monkeypatch.setattr(SheetView, "now", property(lambda view: now[0]))
    return now


def colour_in(canvas: Canvas, cell: tuple[int, int]) -> np.ndarray:
    canvas.repaint_tiles()
    image = canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.array(QColor(image.pixel(middle(canvas, cell))).getRgb()[:3], float)


def test_what_a_tile_leaves_behind_is_dimmed_until_the_next_one_comes(
    open_canvas: OpenCanvas, clock: list[float]
) -> None:
    canvas = open_canvas(12)
    layout = layout_of(canvas.session)
    background = np.array(QColor(canvas.colours.cell).getRgb()[:3], float)
    cells = [layout.shape.cell(place) for place in (0, layout.shape.count - 1)]
    before = [colour_in(canvas, cell) for cell in cells]
    order = layout.photo_at.copy()
    order[[0, -1]] = order[[-1, 0]]
    canvas.session.accept_layout(replace(layout, photo_at=order))
    clock[0] += 0.2 * canvas.scene.glide.seconds
    for cell, colour in zip(cells, before, strict=True):
        np.testing.assert_allclose(colour_in(canvas, cell), (colour + background) / 2, atol=3)
    clock[0] += canvas.scene.glide.seconds
    for cell, colour in zip(cells, reversed(before), strict=True):
        np.testing.assert_allclose(colour_in(canvas, cell), colour, atol=1)


def test_cells_that_become_empty_are_empty_at_once(open_canvas: OpenCanvas, clock: list[float]) -> None:
    canvas = open_canvas(12)
    layout = layout_of(canvas.session)
    order = layout.photo_at.copy()
    order[[0, 1]] = -1, order[0]
    canvas.session.accept_layout(replace(layout, photo_at=order))
    clock[0] += 0.9 * canvas.scene.glide.seconds
    background = np.array(QColor(canvas.colours.cell).getRgb()[:3], float)
    np.testing.assert_allclose(colour_in(canvas, layout.shape.cell(0)), background, atol=12)
