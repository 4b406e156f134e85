"""A hexagonal grid, added by a recipe, in the window: seen, hit, walked, dropped on, mapped, saved."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.maps import CONFIDENCE
from album_app.gui.window.main_window import MainWindow
from album_app.layout.project.project_file import load_project
from tests.gui.conftest import OpenWindow, wait_until_settled
from tests.gui.hands import (
    KEY,
    LEFT,
    NO_KEY,
    canvas_of,
    document_of,
    drag,
    layout_of,
    middle,
    photo_in,
    pins,
    press_and_move,
    save_as,
    type_keys,
)
from tests.gui.panel.panel_hands import after_edit, choose
from tests.recipes import recipes_followed


@pytest.fixture
def window(open_window: OpenWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    with recipes_followed():
        window = open_window(12)
        assert after_edit(qtbot, window, lambda: choose(window, "Shape", "hexagonal")) == "Shape: Hexagonal grid"
        qtbot.waitUntil(lambda: canvas_of(window).at_rest)
        yield window


def test_every_second_row_is_half_a_cell_to_the_right_where_photos_are_painted_and_hit(window: MainWindow) -> None:
    canvas, shape = canvas_of(window), document_of(window).shape
    assert (shape.rows, shape.columns) == (3, 4)
    first, below = canvas.cell_rect((0, 0)), canvas.cell_rect((1, 0))
    step = canvas.scene.view.step / canvas.ratio
    assert abs(below.left() - first.left() - step / 2) <= 1 and below.top() == first.top() + step
    picture = canvas.grab().toImage()
    ground = picture.pixelColor(2, 2)
    for index in range(shape.count):
        cell = shape.cell(index)
        assert canvas.cell_at(canvas.cell_rect(cell).center()) == cell
        corners = (
            canvas.cell_rect(cell).topLeft() + QPointF(5, 5),
            canvas.cell_rect(cell).bottomRight() - QPointF(6, 6),
        )
        assert all(picture.pixelColor(corner.toPoint()) != ground for corner in corners)
    free = QPointF(first.left() + step / 8, below.center().y())
    assert canvas.cell_at(free) is None and picture.pixelColor(free.toPoint()) == ground
    assert canvas.rect().contains(canvas.sheet_rect().toRect())


def test_arrows_walk_from_cell_to_touching_cell_and_back(window: MainWindow) -> None:
    canvas, shape = canvas_of(window), document_of(window).shape
    canvas.setFocus()
    type_keys(canvas, KEY.Key_Home)
    way = [window.session.cell]
    for key in (KEY.Key_Down, KEY.Key_Right, KEY.Key_Down, KEY.Key_Up, KEY.Key_Left, KEY.Key_Up):
        type_keys(canvas, key)
        way.append(window.session.cell)
    assert way == [(0, 0), (1, 0), (1, 1), (2, 1), (1, 1), (1, 0), (0, 0)]
    around = shape.frames().touching
    steps = pairwise(way)
    assert all(shape.index_of(there) in around[shape.index_of(here)] for here, there in steps if here and there)


def test_a_photo_is_dropped_and_a_rubber_band_drawn_on_shifted_rows(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    photo = photo_in(window, (0, 0))
    drag(canvas, (0, 0), (1, 2))
    assert pins(window) == {photo: (1, 2)}
    wait_until_settled(qtbot, window.session)
    assert photo_in(window, (1, 2)) == photo
    qtbot.waitUntil(lambda: canvas.at_rest)
    left, right = canvas.cell_rect((1, 0)), canvas.cell_rect((0, 0))
    start = QPoint(round(right.left() - 8), round(right.center().y()))
    end = QPoint(round(left.left() - left.width() / 4), round(left.center().y()))
    press_and_move(canvas, start, end)
    QTest.mouseRelease(canvas, LEFT, NO_KEY, end)
    assert window.session.selected == (photo_in(window, (0, 0)),), "left of the row below, which begins farther right"


def test_a_map_lies_on_the_cells(window: MainWindow) -> None:
    canvas = canvas_of(window)
    before = canvas.grab().toImage()
    canvas.heatmap.switch(CONFIDENCE)
    after = canvas.grab().toImage()
    changed = [
        before.pixelColor(middle(canvas, cell)) != after.pixelColor(middle(canvas, cell)) for cell in ((0, 0), (1, 3))
    ]
    row = canvas.cell_rect((1, 0))
    free = QPointF(QRectF(canvas.cell_rect((0, 0))).left() + row.width() / 8, row.center().y()).toPoint()
    assert all(changed) and before.pixelColor(free) == after.pixelColor(free)


def test_a_saved_sheet_is_hexagonal_again(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    save_as(qtbot, window, tmp_path / "hexagons.album")
    document = load_project(tmp_path / "hexagons.album")
    assert document.shape.same_cells(document_of(window).shape) and document.layout is not None
    assert document.layout.photo_at.tolist() == layout_of(window).photo_at.tolist()
