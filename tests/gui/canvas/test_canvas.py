"""The canvas on a session: what it paints, how it moves, what it tells."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.canvas import Canvas, CanvasColours
from album_app.gui.canvas.sheet_view import SHARPEN_MS, SheetView
from album_app.gui.state import details
from album_app.gui.state.pictures import DAMAGED, Pixels
from album_app.gui.style.theme import DARK, PALETTES
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import ShapeSpec
from album_app.photos.album import Photo
from tests.gui.conftest import (
    WAIT_MS,
    MakeParts,
    OpenCanvas,
    OpenSession,
    PhotoFolder,
    canvas_on,
    parts_of,
    wait_until_settled,
    wait_until_sharp,
    with_torn_photo,
)
from tests.gui.hands import KEY, document_of, layout_of, middle, press_and_move, turn_wheel, type_keys


def turned(layout: Layout) -> Layout:
    """The same photos in the opposite order."""
    return replace(layout, photo_at=layout.photo_at[::-1])


def colour_of(canvas: Canvas, photo: int) -> QColor:
    """The colour that a photo of the test album has all over."""
    image = parts_of(canvas.session).photos.pictures.image(photo)
    assert image is not None
    return image.pixelColor(image.rect().center())


def shown_at(canvas: Canvas, place: QPoint) -> QColor:
    return canvas.grab().toImage().pixelColor(place)


def alike(one: QColor, other: QColor, tolerance: int = 10) -> bool:
    pairs = zip(one.getRgb(), other.getRgb(), strict=True)
    return all(abs(a - b) <= tolerance for a, b in pairs)


@pytest.mark.parametrize("count", [1, 3, 12])
def test_every_photo_is_painted_in_its_cell(open_canvas: OpenCanvas, count: int) -> None:
    canvas = open_canvas(count)
    picture = canvas.grab().toImage()
    layout = layout_of(canvas.session)
    for photo, cell in layout.positions.items():
        assert alike(picture.pixelColor(middle(canvas, cell)), colour_of(canvas, photo))
    corner = picture.pixelColor(2, 2)
    assert corner == QColor(canvas.colours.background)


def test_no_album_is_an_empty_canvas(open_canvas: OpenCanvas, make_parts: MakeParts) -> None:
    canvas = open_canvas(session=make_parts().session)
    assert shown_at(canvas, QPoint(350, 250)) == QColor(canvas.colours.background)
    assert canvas.cell_at(QPointF(350, 250)) is None
    for key in (KEY.Key_Right, KEY.Key_P, KEY.Key_M, KEY.Key_A, KEY.Key_Delete, KEY.Key_Return, KEY.Key_Escape):
        type_keys(canvas, key)


def test_another_album_replaces_everything(open_canvas: OpenCanvas, photo_folder: PhotoFolder, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    parts_of(canvas.session).loading.open_paths([photo_folder(3, "other", start=40)])
    qtbot.waitUntil(lambda: len(document_of(canvas.session).album) == 3)
    wait_until_settled(qtbot, canvas.session)
    wait_until_sharp(qtbot, canvas)
    assert len(canvas.scene.glide.photos) == 3
    layout = layout_of(canvas.session)
    for photo, cell in layout.positions.items():
        assert alike(shown_at(canvas, middle(canvas, cell)), colour_of(canvas, photo))


def test_photos_that_cannot_be_read_have_a_tile_of_their_own(
    open_canvas: OpenCanvas, photo_folder: PhotoFolder, open_session: OpenSession, qtbot: QtBot
) -> None:
    session = open_session(folder=with_torn_photo(photo_folder(4)))
    photo = document_of(session).album.index_of("torn.png")
    assert photo is not None and parts_of(session).photos.pictures.state(photo) == DAMAGED
    canvas = open_canvas(session=session)
    session.drop([photo], (0, 0))
    wait_until_settled(qtbot, session)
    wait_until_sharp(qtbot, canvas)
    assert layout_of(session).cell_of(photo) == (0, 0), "a pinned photo takes part, read or not"
    tile = canvas.grab(canvas.cell_rect((0, 0)).toRect().adjusted(8, 30, -8, -8)).toImage()
    ink = QColor(canvas.colours.error).hue()
    hues = {tile.pixelColor(x, y).hue() for x in range(tile.width()) for y in range(tile.height())}
    assert any(abs(hue - ink) < 8 for hue in hues if hue >= 0)


def test_pins_wear_a_badge(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    before = canvas.grab().toImage()
    photo = layout_of(canvas.session).photo_in((0, 0))
    assert photo is not None
    canvas.session.drop([photo], (0, 0))
    wait_until_sharp(qtbot, canvas)
    rect = canvas.cell_rect((0, 0))
    spot = QPoint(round(rect.right()) - 6, round(rect.top()) + 3)
    assert canvas.grab().toImage().pixelColor(spot) != before.pixelColor(spot)


def test_a_theme_changes_the_ground(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(3)
    canvas.set_colours(CanvasColours.from_palette(PALETTES[DARK]))
    assert shown_at(canvas, QPoint(2, 2)) == QColor(PALETTES[DARK].canvas)


def test_tiles_glide_to_a_new_layout(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    layout = turned(layout_of(canvas.session))
    canvas.session.layout_changed.emit(layout)
    assert canvas.moving
    corner = canvas.scene.rect_of((0, 0)).topLeft()
    ((_, place),) = canvas.scene.rects_of(canvas.scene.tiles_in([(0, 0)]), canvas.now)
    assert (place.topLeft() - corner).manhattanLength() > 1
    qtbot.waitUntil(lambda: not canvas.moving, timeout=WAIT_MS)
    wait_until_sharp(qtbot, canvas)
    photo = layout.photo_in((0, 0))
    assert photo is not None and alike(shown_at(canvas, middle(canvas, (0, 0))), colour_of(canvas, photo))


def test_reduced_motion_jumps(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(12)
    canvas.set_motion(reduced=True)
    canvas.session.layout_changed.emit(turned(layout_of(canvas.session)))
    assert not canvas.moving


def test_another_shape_is_fitted_and_the_tiles_glide_there(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    parts_of(canvas.session).reshaping.start(ShapeSpec("rectangle", rows=2, columns=6))
    qtbot.waitUntil(lambda: canvas.scene.frames.grid.shape[1] == 6)
    assert canvas.moving
    wait_until_settled(qtbot, canvas.session)
    wait_until_sharp(qtbot, canvas)
    assert canvas.sheet_rect().width() <= canvas.width()
    assert canvas.sheet_rect().height() < canvas.sheet_rect().width()


def test_zoomed_tiles_become_sharp(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    asked: list[int] = []
    parts_of(canvas.session).details.arrived.connect(asked.extend)
    turn_wheel(canvas, middle(canvas, (0, 0)), 5)
    picture = canvas.grab().toImage()
    photo = layout_of(canvas.session).photo_in((0, 0))
    assert photo is not None
    assert alike(picture.pixelColor(middle(canvas, (0, 0))), colour_of(canvas, photo)), "rough tiles show at once"
    wait_until_sharp(qtbot, canvas)
    qtbot.waitUntil(lambda: photo in asked, timeout=WAIT_MS)
    assert canvas.scene.tile_cache.is_sharp(np.array([photo]))


def test_tiles_become_sharp_though_the_first_painting_came_late(open_session: OpenSession, qtbot: QtBot) -> None:
    canvas = canvas_on(parts_of(open_session(6)))
    qtbot.addWidget(canvas)
    canvas.show()
    canvas.show_layout()
    timers = [timer for timer in canvas.findChildren(QTimer) if timer.isSingleShot()]
    (sharpening,) = [timer for timer in timers if timer.interval() == SHARPEN_MS]
    sharpening.timeout.emit()  # as on a busy machine, before anything was painted
    sharpening.stop()
    supply = canvas.scene.tile_cache
    qtbot.waitUntil(lambda: supply.is_sharp(np.arange(6)), timeout=WAIT_MS)


def test_what_is_read_for_smaller_tiles_does_not_pass_for_sharp_on_larger_ones(
    open_canvas: OpenCanvas, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas, read, sides, slow = open_canvas(4), details.read_parts, list[int](), threading.Event()
    jobs = parts_of(canvas.session).jobs

    def read_late(photos: Sequence[Photo], parts: Sequence[details.Part]) -> Iterator[Pixels | None]:
        sides.append(parts[0][1])
        slow.wait(WAIT_MS / 1000)
        return read(photos, parts)

    qtbot.waitUntil(lambda: not jobs.running("details"), timeout=WAIT_MS)
    monkeypatch.setattr(details, "read_parts", read_late)
    canvas.zoom_by(1.5)
    qtbot.waitUntil(lambda: bool(sides) and jobs.running("details"), timeout=WAIT_MS)
    canvas.zoom_by(1.5)
    canvas.repaint()
    assert not jobs.running("details"), "nobody waits for it any more"
    slow.set()
    qtbot.waitUntil(lambda: len(sides) == 2 and not jobs.running("details"), timeout=WAIT_MS)
    assert sides[1] == canvas.scene.view.side > sides[0]


def test_the_originals_are_read_once_per_size(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(4)
    requests: list[int] = []
    request = parts_of(canvas.session).details.request_parts
    parts_of(canvas.session).details.request_parts = lambda parts: (requests.append(1), request(parts))  # type: ignore
    canvas.zoom_by(1.3)
    wait_until_sharp(qtbot, canvas)
    for _ in range(5):
        canvas.repaint_tiles()
        wait_until_sharp(qtbot, canvas)
    assert len(requests) == 1


def test_the_sheet_stays_fitted_when_the_window_grows(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(12)
    zoom = canvas.zoom
    canvas.resize(1000, 800)
    assert canvas.zoom > zoom
    area = canvas.sheet_rect()
    assert canvas.rect().contains(area.toAlignedRect())


def test_high_pixel_ratios_paint_more_pixels(open_canvas: OpenCanvas, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = open_canvas(12)
    side = canvas.scene.view.side
    monkeypatch.setattr(SheetView, "ratio", 2.0)
    canvas.fit()
    canvas.repaint()
    assert canvas.scene.buffer.width == 2 * canvas.width()
    assert abs(canvas.scene.view.side - 2 * side) <= 2
    for cell in layout_of(canvas.session).positions.values():
        assert canvas.cell_at(canvas.cell_rect(cell).center()) == cell


def test_going_to_a_photo_brings_it_into_sight(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(12)
    canvas.zoom_by(6, QPointF(0, 0))
    layout = layout_of(canvas.session)
    cell = layout.shape.cell(layout.shape.count - 1)
    photo = layout.photo_in(cell)
    assert photo is not None
    canvas.go_to(photo)
    assert canvas.rect().contains(middle(canvas, cell))
    assert canvas.session.selected == (photo,) and canvas.session.cell == cell
    assert canvas.flash is not None


def test_a_layout_that_arrives_during_a_drag_does_not_lose_the_photo(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    photo = layout_of(canvas.session).photo_in((0, 0))
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (1, 2)))
    canvas.session.layout_changed.emit(turned(layout_of(canvas.session)))
    wait_until_sharp(qtbot, canvas)
    cells = [cell for cell in map(layout_of(canvas.session).shape.cell, range(12)) if cell not in ((1, 2), (0, 0))]
    painted = [shown_at(canvas, middle(canvas, cell)) for cell in cells]
    assert photo is not None and not any(alike(colour, colour_of(canvas, photo)) for colour in painted)
    type_keys(canvas, KEY.Key_Escape)
    wait_until_sharp(qtbot, canvas)
    cell = layout_of(canvas.session).cell_of(photo)
    assert cell is not None and alike(shown_at(canvas, middle(canvas, cell)), colour_of(canvas, photo))


def test_an_error_while_painting_is_told_and_survived(
    open_canvas: OpenCanvas, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = open_canvas(3)

    def fail(*ignored: object) -> None:
        raise ValueError("no such tile")

    monkeypatch.setattr(canvas.scene, "compose", fail)
    with qtbot.captureExceptions() as errors:
        canvas.repaint_tiles()
        QApplication.processEvents()
    assert errors and all(isinstance(error[1], ValueError) for error in errors)
    monkeypatch.undo()
    canvas.repaint_tiles()
    layout = layout_of(canvas.session)
    for photo, cell in layout.positions.items():
        assert alike(shown_at(canvas, middle(canvas, cell)), colour_of(canvas, photo))
