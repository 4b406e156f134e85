"""What the canvas tells over its tiles: cards, maps, alternatives."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PIL import ExifTags, Image
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.gui.canvas import overlays
from album_app.gui.canvas.canvas import Canvas
from album_app.gui.canvas.maps import heat_image
from album_app.gui.canvas.tiles import marks
from album_app.gui.canvas.tiles.marks import CanvasColours, badge_rect
from album_app.gui.style import theme
from album_app.layout.evaluation.insight import alternatives_at, places_for
from album_app.layout.shapes.shape import Cell, ShapeSpec
from tests.gui.conftest import WAIT_MS, MakeParts, OpenCanvas, OpenSession, PhotoFolder, canvas_on, parts_of
from tests.gui.hands import KEY, LEFT, NO_KEY, document_of, layout_of, middle, type_keys


def test_the_hovered_cell_is_described(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    reported: list[str] = []
    canvas.hint.connect(reported.append)
    QTest.mouseMove(canvas, middle(canvas, (1, 1)))
    photo = layout_of(canvas.session).photo_in((1, 1))
    assert photo is not None
    name = document_of(canvas.session).album.photos[photo].name
    assert reported and name in reported[-1] and "row 2, column 2" in reported[-1] and "%" not in reported[-1]
    qtbot.waitUntil(lambda: canvas.card_cell == (1, 1))
    QTest.mouseMove(canvas, QPoint(1, 1))
    assert reported[-1] == "" and canvas.card_cell is None


def test_the_status_bar_follows_a_new_layout_under_a_resting_pointer(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(12)
    reported: list[str] = []
    canvas.hint.connect(reported.append)
    QTest.mouseMove(canvas, middle(canvas, (1, 1)))
    layout = layout_of(canvas.session)
    turned = replace(layout, photo_at=layout.photo_at[::-1].copy())
    canvas.session.accept_layout(turned)
    photo = turned.photo_in((1, 1))
    assert photo is not None and photo != layout.photo_in((1, 1))
    assert document_of(canvas.session).album.photos[photo].name in reported[-1] and len(reported) == 2


def test_the_status_bar_follows_a_pin_that_goes(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(12)
    reported: list[str] = []
    canvas.hint.connect(reported.append)
    photo = layout_of(canvas.session).photo_in((1, 1))
    assert photo is not None
    canvas.session.drop([photo], (1, 1))
    QTest.mouseClick(canvas, LEFT, NO_KEY, middle(canvas, (1, 1)))
    QTest.mouseMove(canvas, middle(canvas, (1, 1)) + QPoint(3, 3))
    assert "Pinned" in reported[-1]
    type_keys(canvas, KEY.Key_Delete)
    assert "Pinned" not in reported[-1] and "row 2, column 2" in reported[-1]


def test_only_the_pinned_photo_wears_the_pin(open_canvas: OpenCanvas, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = open_canvas(12)
    session, layout = canvas.session, layout_of(canvas.session)
    pinned, other = layout.photo_in((0, 0)), layout.photo_in((1, 1))
    assert pinned is not None and other is not None
    session.drop([pinned], (0, 0))
    worn: list[int] = []
    monkeypatch.setattr(marks, "paint_pins", lambda painter, tiles, *rest: worn.append(len(tiles)))
    canvas.grab()
    traded = layout_of(session).photo_at.copy()
    ends = [layout.shape.index_of(cell) for cell in ((0, 0), (1, 1))]
    traded[ends] = traded[ends[::-1]]
    session.accept_layout(replace(layout_of(session), photo_at=traded))
    canvas.grab()
    assert worn[0] == 1 and worn[-1] == 0
    QTest.mouseClick(canvas, LEFT, NO_KEY, badge_rect(canvas.cell_rect((0, 0)), 1.0).center().toPoint())
    assert pinned in document_of(session).pins and session.selected == (other,)


def test_the_hovered_cell_tells_when_the_photo_was_taken(
    open_canvas: OpenCanvas, open_session: OpenSession, photo_folder: PhotoFolder, qtbot: QtBot
) -> None:
    folder, exif = photo_folder(1), Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = "2019:08:03 16:20:05"
    Image.new("RGB", (48, 36), "teal").save(folder / "photo-0000.jpg", exif=exif)
    canvas = open_canvas(session=open_session(folder=folder))
    reported: list[str] = []
    canvas.hint.connect(reported.append)
    QTest.mouseMove(canvas, middle(canvas, (0, 0)))
    assert "photo-0000.jpg · 3 August 2019, 16:20" in reported[-1]
    before = canvas.grab().toImage()
    qtbot.waitUntil(lambda: canvas.card_cell == (0, 0), timeout=WAIT_MS)
    assert canvas.grab().toImage() != before, "the card next to the cell"


@pytest.mark.parametrize("most_glowing", [300, 2], ids=["few", "many"])
def test_selected_tiles_get_an_outline_and_keep_their_colours(qapp: QApplication, most_glowing: int) -> None:
    tiles = [QRectF(20 + 80 * k, 20, 60, 60) for k in range(3)]
    picture = QImage(260, 100, QImage.Format.Format_RGB32)
    picture.fill(QColor("#606060"))
    bare = picture.copy()
    with QPainter(picture) as painter:
        colours = CanvasColours.from_palette(theme.current())
        overlays.paint_selection(painter, tiles, colours, 1.0, most_glowing=most_glowing)
    for tile in tiles:
        left, middle_row = round(tile.left()), round(tile.center().y())
        assert picture.pixel(tile.center().toPoint()) == bare.pixel(tile.center().toPoint())
        around = [QPoint(left + dx, middle_row) for dx in range(-3, 4)]
        assert any(picture.pixel(point) != bare.pixel(point) for point in around)


def test_selection_is_an_outline_and_leaves_the_colours_alone(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(12)
    before = canvas.grab().toImage()
    canvas.session.select(range(12))
    after = canvas.grab().toImage()
    for cell in ((0, 0), (1, 2)):
        assert after.pixelColor(middle(canvas, cell)) == before.pixelColor(middle(canvas, cell))
        edge = canvas.cell_rect(cell).topLeft().toPoint() + QPoint(30, 0)
        around = [edge + QPoint(0, dy) for dy in range(-3, 4)]
        assert any(after.pixelColor(point) != before.pixelColor(point) for point in around)


def test_the_confidence_map_covers_the_cells(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(12)
    before = canvas.grab().toImage()
    canvas.set_overlay("confidence")
    after = canvas.grab().toImage()
    assert all(after.pixelColor(middle(canvas, c)) != before.pixelColor(middle(canvas, c)) for c in ((0, 0), (1, 2)))
    assert canvas.heatmap.legend == ("unsure", "sure of its place")
    canvas.set_overlay("")
    assert canvas.grab().toImage() == before


def test_the_places_of_a_photo_follow_the_selection(open_canvas: OpenCanvas, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = open_canvas(12)
    asked: list[int] = []

    def places(photo: int, answer: Callable[[np.ndarray], None]) -> None:
        asked.append(photo)
        answer(np.linspace(0, 0.1, document_of(canvas.session).shape.count))

    monkeypatch.setattr(parts_of(canvas.session).advice, "places", places)
    reported: list[str] = []
    canvas.session.notice.connect(reported.append)
    canvas.set_overlay("places")
    assert reported == ["Select a photo to see where else it could go."] and canvas.heatmap.image is None
    canvas.session.select((4,), None)
    shape = document_of(canvas.session).shape
    assert asked == [4] and canvas.heatmap.image == heat_image(shape, np.linspace(0, 1, shape.count))
    canvas.session.select((5,), None)
    assert asked == [4, 5]


def test_the_places_of_a_photo_are_what_the_sheet_would_lose(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    canvas.session.select((4,), None)
    canvas.set_overlay("places")
    qtbot.waitUntil(lambda: canvas.heatmap.image is not None, timeout=WAIT_MS)
    shares = places_for(layout_of(canvas.session), 4)
    assert shares.max() == 1.0
    assert canvas.heatmap.image == heat_image(document_of(canvas.session).shape, shares / shares.max())


@pytest.fixture
def offering(open_canvas: OpenCanvas, monkeypatch: pytest.MonkeyPatch) -> Canvas:
    """A canvas whose cells all have the photos 1, 2 and 3 as alternatives."""
    canvas = open_canvas(12)

    def alternatives(cell: Cell, answer: Callable[[list[tuple[int, float]]], None]) -> None:
        answer([(1, 0.5), (2, 0.3), (3, 0.001)])

    monkeypatch.setattr(parts_of(canvas.session).advice, "alternatives", alternatives)
    return canvas


def test_the_alternatives_are_those_that_fit_best(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    layout = layout_of(canvas.session)
    type_keys(canvas, KEY.Key_Right, KEY.Key_A)
    qtbot.waitUntil(canvas.strip.isVisible, timeout=WAIT_MS)
    offered = [button.photo for button in canvas.strip.buttons]
    assert offered == [photo for photo, _ in alternatives_at(layout, (0, 0)) if photo != layout.photo_in((0, 0))]
    assert len(offered) >= 7
    type_keys(canvas.strip.buttons[0], KEY.Key_Return)
    assert dict(document_of(canvas.session).pins) == {offered[0]: (0, 0)}


def test_one_click_on_an_alternative_pins_it(offering: Canvas) -> None:
    cell = layout_of(offering.session).cell_of(5)
    assert cell is not None
    offering.session.select((5,), cell)
    type_keys(offering, KEY.Key_A)
    buttons = offering.strip.buttons
    assert [button.photo for button in buttons] == [1, 2, 3]
    assert [button.accessibleName().partition(", ")[2] for button in (buttons[0], buttons[2])] == [
        "fits a little worse",
        "fits poorly",
    ]
    assert offering.rect().contains(offering.strip.geometry())
    QTest.mouseClick(buttons[1], LEFT, NO_KEY)
    assert dict(document_of(offering.session).pins) == {2: cell}
    assert 2 not in [button.photo for button in offering.strip.buttons], "what is in the cell is no alternative"


def test_the_strip_works_by_keyboard_and_escape_closes_it(offering: Canvas) -> None:
    cell = layout_of(offering.session).cell_of(5)
    offering.session.select((5,), cell)
    type_keys(offering, KEY.Key_A)
    assert QApplication.focusWidget() is offering.strip.buttons[0], "the best one is under the fingers"
    QTest.keyClick(offering.strip.buttons[0], Qt.Key.Key_Right)
    assert QApplication.focusWidget() is offering.strip.buttons[1]
    QTest.keyClick(offering.strip.buttons[1], Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is offering.strip.buttons[2]
    QTest.keyClick(offering.strip.buttons[2], Qt.Key.Key_Left)
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


def test_a_narrow_canvas_shows_the_best_alternatives_only(offering: Canvas) -> None:
    offering.show_alternatives(layout_of(offering.session).cell_of(5))
    assert all(button.isVisible() for button in offering.strip.buttons)
    offering.resize(230, 400)
    shown = [button for button in offering.strip.buttons if button.isVisible()]
    assert 1 <= len(shown) < len(offering.strip.buttons) and shown == offering.strip.buttons[: len(shown)]
    assert offering.rect().contains(offering.strip.geometry())
    offering.resize(700, 500)
    assert all(button.isVisible() for button in offering.strip.buttons)


def test_the_strip_closes_when_its_cell_is_gone(offering: Canvas, qtbot: QtBot) -> None:
    offering.show_alternatives((2, 3))
    assert offering.strip.isVisible()
    parts_of(offering.session).reshaping.start(ShapeSpec("rectangle", rows=2, columns=2))
    qtbot.waitUntil(lambda: document_of(offering.session).shape.count == 4, timeout=WAIT_MS)
    assert not offering.strip.isVisible() and offering.strip.cell is None
    offering.show_alternatives((2, 3))
    assert not offering.strip.isVisible()


def test_the_strip_follows_without_taking_the_keyboard(offering: Canvas) -> None:
    offering.show_alternatives((0, 0))
    offering.setFocus()
    offering.session.select((), (1, 1))
    assert offering.strip.isVisible() and offering.hasFocus()


def test_the_canvas_has_a_name(make_parts: MakeParts) -> None:
    assert canvas_on(make_parts()).accessibleName() == "Sheet"
