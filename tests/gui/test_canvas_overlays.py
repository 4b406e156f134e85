"""What the canvas tells over its tiles: cards, maps, alternatives."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.gui.canvas import Canvas
from album_app.gui.session import Session
from album_app.layout.shapes import Cell
from tests.gui.conftest import OpenCanvas
from tests.gui.hands import KEY, LEFT, NO_KEY, document_of, layout_of, middle, type_keys


def test_the_hovered_cell_is_described(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    told: list[str] = []
    canvas.hint.connect(told.append)
    QTest.mouseMove(canvas, middle(canvas, (1, 1)))
    photo = layout_of(canvas.session).photo_in((1, 1))
    assert photo is not None
    name = document_of(canvas.session).album.photos[photo].name
    assert told and name in told[-1] and "Confidence" in told[-1]
    qtbot.waitUntil(lambda: canvas.card_cell == (1, 1))
    QTest.mouseMove(canvas, QPoint(1, 1))
    assert told[-1] == "" and canvas.card_cell is None


def test_the_confidence_map_covers_the_cells(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(12)
    before = canvas.grab().toImage()
    canvas.set_overlay("confidence")
    after = canvas.grab().toImage()
    assert all(after.pixelColor(middle(canvas, c)) != before.pixelColor(middle(canvas, c)) for c in ((0, 0), (1, 2)))
    assert canvas.maps.legend is not None and canvas.maps.legend[0].endswith("% sure")
    canvas.set_overlay("")
    assert canvas.grab().toImage() == before


def test_the_places_of_a_photo_follow_the_selection(open_canvas: OpenCanvas, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = open_canvas(12)
    asked: list[int] = []

    def places(photo: int, answer: Callable[[np.ndarray], None]) -> None:
        asked.append(photo)
        answer(np.linspace(0, 0.1, document_of(canvas.session).shape.count))

    monkeypatch.setattr(canvas.session, "places", places)
    told: list[str] = []
    canvas.session.notice.connect(told.append)
    canvas.set_overlay("places")
    assert told == ["Select a photo to see where else it could go."] and canvas.maps.image is None
    canvas.session.select((4,), None)
    assert asked == [4] and canvas.maps.values is not None and canvas.maps.values.max() == 1.0
    canvas.session.select((5,), None)
    assert asked == [4, 5]


# ---- alternatives


@pytest.fixture
def offering(open_canvas: OpenCanvas, monkeypatch: pytest.MonkeyPatch) -> Canvas:
    """A canvas whose cells all have the photos 1, 2 and 3 as alternatives."""
    canvas = open_canvas(12)

    def alternatives(cell: Cell, answer: Callable[[list[tuple[int, float]]], None]) -> None:
        answer([(1, 0.5), (2, 0.3), (3, 0.001)])

    monkeypatch.setattr(canvas.session, "alternatives", alternatives)
    return canvas


def test_one_click_on_an_alternative_pins_it(offering: Canvas) -> None:
    cell = layout_of(offering.session).cell_of(5)
    assert cell is not None
    offering.session.select((5,), cell)
    type_keys(offering, KEY.Key_A)
    buttons = offering.strip.buttons
    assert [button.photo for button in buttons] == [1, 2, 3]
    assert buttons[0].accessibleName().endswith("50 %") and buttons[2].accessibleName().endswith("less than 1 %")
    assert offering.rect().contains(offering.strip.geometry())
    QTest.mouseClick(buttons[1], LEFT, NO_KEY)
    assert dict(document_of(offering.session).pins) == {2: cell}
    assert 2 not in [button.photo for button in offering.strip.buttons], "what is in the cell is no alternative"


def test_the_strip_works_by_keyboard_and_escape_closes_it(offering: Canvas) -> None:
    cell = layout_of(offering.session).cell_of(5)
    offering.show_alternatives(cell)
    offering.strip.buttons[0].setFocus()
    QTest.keyClick(offering.strip.buttons[0], Qt.Key.Key_Right)
    assert QApplication.focusWidget() is offering.strip.buttons[1]
    QTest.keyClick(offering.strip.buttons[1], Qt.Key.Key_Return)
    assert dict(document_of(offering.session).pins) == {2: cell}
    type_keys(offering, KEY.Key_Escape)
    assert not offering.strip.isVisible()


def test_the_strip_follows_the_selected_cell(offering: Canvas) -> None:
    offering.show_alternatives((0, 0))
    offering.session.select((), (1, 1))
    assert offering.strip.cell == (1, 1)
    offering.show_alternatives(None)
    offering.session.select((), (0, 0))
    assert not offering.strip.isVisible()


def test_the_canvas_has_a_name() -> None:
    assert Canvas(Session()).accessibleName() == "Sheet"
