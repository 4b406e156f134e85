"""Sizes and crops by hand: keys, corner, Alt-drag, Alt-wheel; what is seen is what is exported."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.canvas.sheet_view import WHOLE_SHEET
from album_app.gui.state.jobs import JobKind
from album_app.gui.window.main_window import MainWindow
from album_app.layout.crops import HandCrop
from album_app.layout.layout import Layout
from album_app.layout.project.project_file import load_project, save_project
from album_app.layout.shapes.shape import ShapeSpec
from album_app.photos.faces import Focus
from album_app.render import RenderSettings, plan_page, preview
from tests.gui.conftest import WAIT_MS, OpenWindow, parts_of, wait_until_settled
from tests.gui.hands import canvas_of, document_of, layout_of

LEFT, ALT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier
NO_KEY = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Nine photos whose colours tell where one looks: red grows to the right, green downwards."""
    for number in range(9):
        pixels = np.zeros((80, 160, 3), np.uint8)
        pixels[..., 0] = np.linspace(0, 255, 160)
        pixels[..., 1] = np.linspace(0, 255, 80)[:, None]
        pixels[..., 2] = 25 * number
        Image.fromarray(pixels).save(tmp_path / f"{number}.png")
    opened = open_window()
    opened.files.open_paths([tmp_path])
    qtbot.waitUntil(lambda: opened.session.document is not None, timeout=WAIT_MS)
    wait_until_settled(qtbot, opened.session)
    return opened


def select(window: MainWindow, photo: int) -> tuple[int, int]:
    cell = layout_of(window).cell_of(photo)
    assert cell is not None
    window.session.select((photo,), cell)
    return cell


def is_complete(layout: Layout, photos: int) -> bool:
    return layout.shown == tuple(range(photos)) and layout.repeats == 0


def drag(
    canvas: Canvas, start: QPointF, end: QPointF, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    QTest.mousePress(canvas, LEFT, keys, start.toPoint())
    for point in ((start + end) / 2, end):
        event = QMouseEvent(QMouseEvent.Type.MouseMove, point, canvas.mapToGlobal(point), LEFT, LEFT, keys)
        QApplication.sendEvent(canvas, event)
    QTest.mouseRelease(canvas, LEFT, keys, end.toPoint())


def seen(canvas: Canvas, cell: tuple[int, int], qtbot: QtBot) -> tuple[float, float]:
    """Where in its photo the middle of a tile lies, by its colour."""
    photo, jobs = canvas.scene.photo_in(cell), parts_of(canvas.session).jobs

    def is_as_it_stays() -> bool:  # a closer look at the file may change a colour by a shade
        looking = any(map(jobs.running, (JobKind.TILES, JobKind.DETAILS, JobKind.DETAIL_TILES)))
        return canvas.at_rest and canvas.scene.tile_cache.is_sharp(np.array([photo])) and not looking

    qtbot.waitUntil(is_as_it_stays, timeout=WAIT_MS)
    colour = canvas.grab().toImage().pixelColor(canvas.cell_rect(cell).center().toPoint())
    return colour.red() / 255, colour.green() / 255


def test_a_photo_is_made_larger_and_smaller_by_keys_and_undone(window: MainWindow, qtbot: QtBot) -> None:
    select(window, 4)
    window.actions_table["larger"].trigger()
    assert document_of(window).sizes == {4: 2} and layout_of(window).sizes == {4: 2}
    wait_until_settled(qtbot, window.session)
    canvas, layout = canvas_of(window), layout_of(window)
    assert layout.sizes == {4: 2} and is_complete(layout, 9) and layout.shape.count >= 12
    wide, usual = (canvas.cell_rect(layout.positions[photo]).width() for photo in (4, 0))
    assert wide > 1.9 * usual
    row, column = layout.positions[4]
    assert canvas.cell_at(canvas.cell_rect((row + 1, column + 1)).center()) == (row, column), "one frame, one cell"
    window.actions_table["smaller"].trigger()
    wait_until_settled(qtbot, window.session)
    assert document_of(window).sizes == {} and is_complete(layout_of(window), 9)
    window.session.undo_stack.undo()
    window.session.undo_stack.undo()
    assert document_of(window).sizes == {}


def test_the_corner_of_the_selected_tile_makes_it_larger(window: MainWindow, qtbot: QtBot) -> None:
    window.parts.reshaping.start(ShapeSpec("rectangle", rows=4, columns=4))
    qtbot.waitUntil(lambda: document_of(window).shape.count == 16, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    canvas = canvas_of(window)
    photo = layout_of(window).photo_in((0, 0))
    assert photo is not None
    select(window, photo)
    qtbot.waitUntil(lambda: canvas.at_rest, timeout=WAIT_MS)
    corner = canvas.hand.handle
    assert corner is not None
    drag(canvas, corner.center(), canvas.cell_rect((1, 1)).center())
    assert document_of(window).sizes == {photo: 2}
    wait_until_settled(qtbot, window.session)
    assert is_complete(layout_of(window), 9)


def test_alt_drag_and_wheel_crop_within_the_frame_as_it_is_exported(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    canvas, cell = canvas_of(window), select(window, 4)
    assert seen(canvas, cell, qtbot) == pytest.approx((0.5, 0.5), abs=0.04)
    rect = canvas.cell_rect(cell)  # a message about near-duplicates may have moved the sheet
    drag(canvas, rect.center(), rect.center() + QPointF(0.4 * rect.width(), 0), ALT)
    crop = document_of(window).crops[4]
    assert crop.x == pytest.approx(0.5 - 0.4 * 0.5, abs=0.02) and crop.zoom == 1.0
    assert seen(canvas, cell, qtbot) == pytest.approx((crop.x, 0.5), abs=0.04)
    rect = canvas.cell_rect(cell)
    at, to = rect.center(), canvas.mapToGlobal(rect.center())
    phase = Qt.ScrollPhase.NoScrollPhase
    turn = QWheelEvent(at, to, QPoint(), QPoint(0, 600), Qt.MouseButton.NoButton, ALT, phase, False)
    QApplication.sendEvent(canvas, turn)
    crop = document_of(window).crops[4]
    assert crop.zoom == pytest.approx(1.15**5, abs=0.01) and canvas.zoom > 0
    document, layout = document_of(window), layout_of(window)
    thumbnails = [np.asarray(Image.open(photo.path)) for photo in document.album.photos]
    settings, crops = RenderSettings(cell=60), window.parts.photos.crops
    drawn = preview(layout, thumbnails, settings, 2000, album=document.album, crops=crops)
    x, y, width, height = plan_page(layout, settings).tile_rect(cell)
    red, green, _ = drawn.getpixel((x + width // 2, y + height // 2))
    assert seen(canvas, cell, qtbot) == pytest.approx((red / 255, green / 255), abs=0.03)
    save_project(document, tmp_path / "crops.album")
    assert load_project(tmp_path / "crops.album").crops == {4: crop}
    QTest.mouseDClick(canvas, LEFT, ALT, rect.center().toPoint())
    assert document_of(window).crops == {}
    window.session.undo_stack.undo()
    assert document_of(window).crops == {4: crop} and isinstance(crop, HandCrop)


def test_rows_of_whole_photos_fill_the_window_and_come_back(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.parts.reshaping.start(ShapeSpec("rows"))
    qtbot.waitUntil(lambda: document_of(window).shape.is_justified, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    canvas, layout = canvas_of(window), layout_of(window)
    qtbot.waitUntil(lambda: canvas.at_rest, timeout=WAIT_MS)
    for cell in layout.positions.values():
        rect = canvas.cell_rect(cell)
        assert rect.width() / rect.height() == pytest.approx(2.0, abs=0.05)
        assert canvas.cell_at(rect.center()) == cell
    assert canvas.rect().contains(canvas.sheet_rect().toRect()) and canvas.hand.handle is None
    save_project(document_of(window), tmp_path / "rows.album")
    again = load_project(tmp_path / "rows.album")
    assert again.layout is not None and np.allclose(again.layout.frames().boxes, layout.frames().boxes)


def test_rows_have_no_cells_for_sizes_that_they_cannot_show(window: MainWindow, qtbot: QtBot) -> None:
    select(window, 4)
    window.actions_table["larger"].trigger()
    window.parts.reshaping.start(ShapeSpec("rows"))
    qtbot.waitUntil(lambda: document_of(window).shape.is_justified, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert document_of(window).shape.count == 9 and is_complete(layout_of(window), 9)
    window.parts.reshaping.start(ShapeSpec())
    qtbot.waitUntil(lambda: document_of(window).shape.count >= 12, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert layout_of(window).sizes == {4: 2} and is_complete(layout_of(window), 9)


FACE_AT_RIGHT = Focus(faces=((0.85, 0.3, 0.95, 0.6),))


@pytest.mark.parametrize("reduced", [False, True])
def test_a_crop_shifts_to_a_face_that_was_found_and_what_stays_is_still(
    window: MainWindow, qtbot: QtBot, reduced: bool
) -> None:
    canvas, photos = canvas_of(window), window.parts.photos
    canvas.set_motion(reduced)
    cell, other = layout_of(window).cell_of(4), layout_of(window).cell_of(5)
    assert cell is not None and other is not None
    before, still = seen(canvas, cell, qtbot), seen(canvas, other, qtbot)
    photos.put_foci({4: FACE_AT_RIGHT})
    canvas.repaint_tiles()
    colour = canvas.grab().toImage().pixelColor(canvas.cell_rect(cell).center().toPoint())
    assert canvas.scene.is_changing(canvas.now) != reduced
    assert reduced or colour.red() / 255 == pytest.approx(before[0], abs=0.2), "it starts where it was"
    after = seen(canvas, cell, qtbot)
    assert after[0] == pytest.approx(0.75, abs=0.05) and before[0] == pytest.approx(0.5, abs=0.05)
    assert seen(canvas, other, qtbot) == pytest.approx(still, abs=1.5 / 255)


@pytest.mark.parametrize("reduced", [False, True])
def test_a_photo_that_is_made_larger_is_seen_to_grow(window: MainWindow, qtbot: QtBot, reduced: bool) -> None:
    canvas = canvas_of(window)
    qtbot.waitUntil(lambda: canvas.at_rest, timeout=WAIT_MS)
    canvas.set_motion(reduced)
    select(window, 4)
    window.actions_table["larger"].trigger()
    assert canvas.scene.is_changing(canvas.now) != reduced
    wait_until_settled(qtbot, window.session)
    qtbot.waitUntil(lambda: canvas.at_rest, timeout=WAIT_MS)
    assert not canvas.scene.is_changing(canvas.now)


def test_padlocks_appear_and_vanish_quietly(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    window.actions_table["hold"].trigger()
    assert 0.0 <= canvas.holds.opacities(canvas.now)[WHOLE_SHEET] < 1.0
    qtbot.waitUntil(lambda: canvas.at_rest, timeout=WAIT_MS)
    assert canvas.holds.opacities(canvas.now) == {WHOLE_SHEET: 1.0}
    canvas.set_motion(reduced=True)
    window.actions_table["hold"].trigger()
    assert canvas.holds.opacities(canvas.now) == {}
