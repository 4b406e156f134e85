"""A photo over the whole window: zoom, pan, neighbours, facts, and back to the same view."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from album_app.gui.tray.model import EXCLUDED, STACKED
from album_app.gui.window.large_view.controls import BETWEEN
from album_app.gui.window.large_view.lightbox import GROUND, Lightbox
from album_app.gui.window.large_view.panes import PhotoZoom
from album_app.gui.window.main_window import MainWindow
from album_app.layout.crops import HandCrop
from album_app.layout.editing.edits import excluded
from album_app.layout.editing.stacks import stacked
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.hands import (
    CTRL,
    KEY,
    LEFT,
    NO_KEY,
    SHIFT,
    canvas_of,
    click,
    document_of,
    layout_of,
    middle,
    photo_in,
    tray_of,
    turn_wheel,
    type_keys,
)


def open_at(window: MainWindow, cell: tuple[int, int] = (1, 1)) -> Lightbox:
    """Double-click a photo on the sheet."""
    canvas = canvas_of(window)
    QTest.mouseDClick(canvas, LEFT, NO_KEY, middle(canvas, cell))
    lightbox = window.findChild(Lightbox)
    assert isinstance(lightbox, Lightbox) and lightbox.isVisible()
    return lightbox


@pytest.fixture
def large(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """Four photos larger than the window, taken with a camera."""
    for k in range(4):
        picture = Image.linear_gradient("L").resize((3000, 2000)).convert("RGB")
        exif = Image.Exif()
        exif[0x010F], exif[0x0110] = "Kamera", "K 100"
        exif.get_ifd(0x8769).update(
            {
                0x9003: f"2024:05:0{k + 1} 14:15:00",
                0x829A: 0.004,
                0x829D: 2.8,
                0x8827: 400,
                0x920A: 50.0,
                0xA434: "Lens",
            }
        )
        picture.save(tmp_path / f"large-{k}.jpg", exif=exif)
    window = open_window(0, tmp_path)
    wait_until_settled(qtbot, window.session)
    return window


def test_it_covers_the_window_and_esc_goes_back_to_the_same_view(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    turn_wheel(canvas, middle(canvas, (1, 1)), 2)
    before = canvas.scene.view
    lightbox = open_at(window)
    assert lightbox.photo == photo_in(window, (1, 1)) and lightbox.geometry() == window.rect()
    assert QApplication.focusWidget() is lightbox or not QApplication.focusWidget()
    picture = lightbox.grab().toImage()
    assert picture.pixelColor(1, 1) == GROUND
    window.resize(window.width() - 60, window.height())
    QApplication.processEvents()
    assert lightbox.geometry() == window.rect()
    window.resize(window.width() + 60, window.height())
    type_keys(lightbox, KEY.Key_Escape)
    assert not lightbox.isVisible() and canvas.scene.view == before and canvas.hasFocus()


def test_the_arrows_walk_over_the_sheet(window: MainWindow) -> None:
    lightbox, layout = open_at(window, (0, 0)), layout_of(window)
    type_keys(lightbox, KEY.Key_Right)
    assert lightbox.photo == layout.photo_in((0, 1))
    type_keys(lightbox, KEY.Key_Down)
    assert lightbox.photo == layout.photo_in((1, 1)) and "row 2, column 2" in lightbox.facts
    type_keys(lightbox, KEY.Key_Up, KEY.Key_Up)
    assert lightbox.photo == layout.photo_in((0, 1)), "there is nothing above the first row"


def test_the_keyboard_stays_in_it_until_esc(window: MainWindow) -> None:
    lightbox = open_at(window)
    type_keys(lightbox, KEY.Key_Tab, KEY.Key_Tab, KEY.Key_Backtab)
    assert window.focusWidget() in lightbox.findChildren(QToolButton)
    type_keys(window.focusWidget(), KEY.Key_Escape)
    assert not lightbox.isVisible() and canvas_of(window).hasFocus()


def test_what_appears_beneath_gets_the_keyboard_only_afterwards(window: MainWindow, qtbot: QtBot) -> None:
    lightbox, field = open_at(window), tray_of(window).field
    field.setFocus()
    qtbot.waitUntil(lambda: window.focusWidget() is lightbox)
    type_keys(lightbox, KEY.Key_Escape)
    assert not lightbox.isVisible() and window.focusWidget() is field


@pytest.mark.parametrize(("key", "keys"), [("Z", CTRL), ("Backspace", CTRL), ("Delete", NO_KEY), ("A", CTRL)])
def test_no_shortcut_changes_what_is_hidden(window: MainWindow, key: str, keys: Qt.KeyboardModifier) -> None:
    click(canvas_of(window), (1, 1))
    type_keys(canvas_of(window), KEY.Key_P)
    document, selected = document_of(window), window.session.selected
    type_keys(open_at(window), getattr(KEY, f"Key_{key}"), modifiers=keys)
    assert document_of(window) is document and window.session.selected == selected


def test_ctrl_0_and_ctrl_1_zoom_the_photo_and_not_the_sheet(large: MainWindow) -> None:
    lightbox, before = open_at(large, (0, 0)), canvas_of(large).zoom
    type_keys(lightbox, KEY.Key_1, modifiers=CTRL)
    assert lightbox.zoom.scale == 1.0 and canvas_of(large).zoom == before
    type_keys(lightbox, KEY.Key_0, modifiers=CTRL)
    assert lightbox.zoom.is_fitted


def test_a_photo_under_another_one_is_compared_with_those_of_its_stack(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit(stacked, [(3, 7, 5)])
    wait_until_settled(qtbot, window.session)
    tray = tray_of(window)
    tray.show_section(STACKED)
    tray.list.setFocus()
    tray.list.setCurrentIndex(tray.model.index(0))
    type_keys(tray.list, KEY.Key_Return)
    lightbox = window.findChild(Lightbox)
    assert lightbox.photo == 5 and "photo 2 of 3" in lightbox.facts
    type_keys(lightbox, KEY.Key_Right)
    assert lightbox.photo == 7 and window.session.selected == (7,)
    type_keys(lightbox, KEY.Key_Right, KEY.Key_Left, KEY.Key_Up)
    assert lightbox.photo == 3, "also the one that is shown"
    type_keys(lightbox, KEY.Key_Right)
    assert lightbox.photo == 5, "and back"


def test_photos_without_a_cell_are_walked_as_the_tray_lists_them(window: MainWindow) -> None:
    window.session.edit(excluded, [2, 9, 11])
    tray = tray_of(window)
    tray.show_section(EXCLUDED)
    tray.list.setFocus()
    tray.list.setCurrentIndex(tray.model.index(0))
    type_keys(tray.list, KEY.Key_Return)
    lightbox = window.findChild(Lightbox)
    type_keys(lightbox, KEY.Key_Down, KEY.Key_Right, KEY.Key_Right)
    assert lightbox.photo == 11 and "photo 3 of 3" in lightbox.facts


def test_zoom_to_100_percent_pan_and_back(large: MainWindow, qtbot: QtBot) -> None:
    lightbox = open_at(large, (0, 0))
    assert lightbox.zoom.is_fitted and lightbox.zoom.scale < 1
    QTest.mouseDClick(lightbox, LEFT, NO_KEY, lightbox.rect().center())
    assert lightbox.zoom.scale == 1.0

    def sharp() -> bool:
        return lightbox.pane.pixels is not None and lightbox.pane.pixels.shape[:2] == (2000, 3000)

    qtbot.waitUntil(sharp, timeout=WAIT_MS)
    at = lightbox.zoom.rect[0]
    QTest.mousePress(lightbox, LEFT, NO_KEY, QPoint(300, 300))
    QTest.mouseMove(lightbox, QPoint(360, 300))
    QTest.mouseRelease(lightbox, LEFT, NO_KEY, QPoint(360, 300))
    assert lightbox.zoom.rect[0] == at + 60 and lightbox.isVisible(), "a drag does not close it"
    type_keys(lightbox, KEY.Key_0)
    assert lightbox.zoom.is_fitted


def test_the_wheel_zooms_at_the_pointer(large: MainWindow) -> None:
    lightbox = open_at(large, (0, 0))
    left, top, width, height = lightbox.zoom.rect
    point = QPointF(left + width / 4, top + height / 4)
    wheel = QWheelEvent(
        point, point, QPoint(), QPoint(0, 360), Qt.MouseButton.NoButton, NO_KEY, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(lightbox, wheel)
    left, top, wider, higher = lightbox.zoom.rect
    assert wider > width
    assert (point.x() - left) / wider == pytest.approx(0.25) and (point.y() - top) / higher == pytest.approx(0.25)


def test_facts_come_when_they_are_asked_for(large: MainWindow, qtbot: QtBot) -> None:
    lightbox = open_at(large, (0, 0))
    assert len(lightbox.facts) == 2
    type_keys(lightbox, KEY.Key_I)
    taken_with = "Kamera K 100 · 1/250 s · f/2.8 · ISO 400 · 50 mm · Lens"
    qtbot.waitUntil(lambda: taken_with in lightbox.facts, timeout=WAIT_MS)
    reported = lightbox.accessibleName()
    assert "May 2024, 14:15" in reported and "3000 × 2000" in reported and "kB" in reported
    type_keys(lightbox, KEY.Key_I)
    assert len(lightbox.facts) == 2


def test_a_date_that_only_the_file_tells_is_told_as_such(window: MainWindow) -> None:
    lightbox = open_at(window, (0, 0))
    type_keys(lightbox, KEY.Key_I)
    assert lightbox.facts[1].endswith("(the file's time)")


def test_a_click_beside_the_photo_goes_back(window: MainWindow) -> None:
    lightbox = open_at(window)
    QTest.mouseClick(lightbox, LEFT, NO_KEY, lightbox.rect().center() - QPoint(0, 30))
    assert lightbox.isVisible()
    QTest.mouseClick(lightbox, LEFT, NO_KEY, QPoint(4, 4))
    assert not lightbox.isVisible()


def test_it_closes_with_its_album(window: MainWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    lightbox = open_at(window)
    with qtbot.waitSignal(window.session.opened, timeout=WAIT_MS):
        window.parts.loading.open_paths([photo_folder(3, "other", start=40)])
    assert not lightbox.isVisible()


def test_a_long_name_is_shortened_in_its_middle(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    name = f"first {'so long a name ' * 12}last.png"
    Image.new("RGB", (40, 30), "red").save(tmp_path / name)
    window = open_window(0, tmp_path)
    wait_until_settled(qtbot, window.session)
    lightbox = open_at(window, (0, 0))
    assert lightbox.facts[0] == name
    shown = lightbox.line_within(600, lightbox.fontMetrics())
    assert lightbox.fontMetrics().horizontalAdvance(shown) <= 600
    assert shown.startswith("first") and f"last.png{BETWEEN}row 1" in shown and "…" in shown


def test_it_says_whether_a_photo_is_still_being_read(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[Callable[[None], None]] = []
    details, pictures = window.parts.details, window.parts.photos.pictures
    monkeypatch.setattr(type(details), "read", lambda self, photo, side, answer: answers.append(answer))
    monkeypatch.setattr(type(pictures), "look", lambda self, photo: None)
    lightbox = open_at(window)
    assert lightbox.accessibleName().endswith("being read…")
    answers[-1](None)
    assert lightbox.accessibleName().endswith("cannot be shown")


def button(lightbox: Lightbox, name: str) -> QToolButton:
    return next(each for each in lightbox.findChildren(QToolButton) if each.accessibleName().startswith(name))


def test_buttons_on_the_screen_walk_pin_exclude_and_close(window: MainWindow, qtbot: QtBot) -> None:
    lightbox, layout = open_at(window, (0, 0)), layout_of(window)
    button(lightbox, "Photo on the right").click()
    photo = layout.photo_in((0, 1))
    assert lightbox.photo == photo
    button(lightbox, "Pin it").click()
    assert document_of(window).pins[photo] == (0, 1) and button(lightbox, "Unpin").isChecked()
    button(lightbox, "Unpin").click()
    assert not document_of(window).pins
    wait_until_settled(qtbot, window.session)
    button(lightbox, "Exclude").click()
    assert photo in document_of(window).excluded and "excluded" in lightbox.facts
    wait_until_settled(qtbot, window.session)
    type_keys(lightbox, KEY.Key_Right)
    assert lightbox.photo == layout_of(window).photo_in((0, 2)), "the arrows go on from where it lay"
    button(lightbox, "Close").click()
    assert not lightbox.isVisible()


def test_the_strip_leads_to_the_neighbours(window: MainWindow) -> None:
    lightbox = open_at(window, (1, 1))
    order = [photo for photo, _ in lightbox.strip]
    assert order == [photo_in(window, (row, column)) for row in range(4) for column in range(5)]
    QTest.mouseClick(lightbox, LEFT, NO_KEY, lightbox.strip[8][1].center().toPoint())
    assert lightbox.photo == order[8] and window.session.selected == (order[8],)


def test_selected_photos_are_seen_side_by_side_and_zoomed_together(large: MainWindow) -> None:
    large.session.select((0, 1, 3), None)
    large.actions_table["large"].trigger()
    lightbox = large.findChild(Lightbox)
    assert [pane.photo for pane in lightbox.panes] == [0, 1, 3] and lightbox.photo == 3
    type_keys(lightbox, KEY.Key_1)
    assert [pane.zoom.scale for pane in lightbox.panes] == [1.0, 1.0, 1.0]
    right = lightbox.width()
    QTest.mousePress(lightbox, LEFT, NO_KEY, QPoint(right - 60, 60))
    QTest.mouseMove(lightbox, QPoint(right - 20, 80))
    QTest.mouseRelease(lightbox, LEFT, NO_KEY, QPoint(right - 20, 80))
    assert len({(pane.zoom.x, pane.zoom.y) for pane in lightbox.panes}) == 1
    type_keys(lightbox, KEY.Key_Left)
    assert lightbox.photo == 1 and large.session.selected == (0, 1, 3)
    type_keys(lightbox, KEY.Key_C, KEY.Key_C)
    assert sorted(pane.photo for pane in lightbox.panes) == [0, 1, 2, 3]
    type_keys(lightbox, KEY.Key_Escape)
    assert [pane.photo for pane in lightbox.panes] == [1] and lightbox.isVisible()
    type_keys(lightbox, KEY.Key_Escape)
    assert not lightbox.isVisible()


def test_a_small_photo_is_enlarged_twice_and_a_large_one_stays_within_the_room() -> None:
    small = PhotoZoom.fitted(40, 30, (800, 600))
    assert small.scale == 2.0 and small.zoomed(1.0, (0, 0)).scale == 1.0
    pushed = PhotoZoom.fitted(3000, 2000, (800, 600)).zoomed(1.0, (400, 300)).panned(9000, -9000)
    assert pushed.rect == (0.0, 600.0 - 2000.0, 3000.0, 2000.0)


def crop_of(window: MainWindow, photo: int) -> HandCrop | None:
    return document_of(window).crops.get(photo)


def test_a_crop_is_chosen_over_the_whole_photo_and_is_one_step_of_undo(large: MainWindow) -> None:
    lightbox, photo = open_at(large, (0, 0)), photo_in(large, (0, 0))
    button(lightbox, "Crop").click()
    before, shown = lightbox.cropping.box, lightbox.shown.photo_rect
    assert before == pytest.approx((1 / 6, 0.0, 5 / 6, 1.0)), "a square of a photo that is 3 : 2"
    middle_of_photo = shown.center().toPoint()
    QTest.mousePress(lightbox, LEFT, NO_KEY, middle_of_photo)
    QTest.mouseMove(lightbox, middle_of_photo + QPoint(round(0.1 * shown.width()), 40))
    QTest.mouseMove(lightbox, middle_of_photo + QPoint(4000, 40))
    QTest.mouseRelease(lightbox, LEFT, NO_KEY, middle_of_photo + QPoint(4000, 40))
    assert lightbox.cropping.box == pytest.approx((1 / 3, 0.0, 1.0, 1.0), abs=1e-3), "the outline stays on the photo"
    turn_wheel(lightbox, middle_of_photo, 3)
    left, top, right, bottom = lightbox.cropping.box
    assert right - left < 0.6 and (right - left) * 3000 == pytest.approx((bottom - top) * 2000, rel=1e-3)
    assert crop_of(large, photo) is None, "nothing is changed before it is kept"
    chosen = lightbox.cropping.chosen
    type_keys(lightbox, KEY.Key_Return)
    assert lightbox.isVisible() and not lightbox.cropping.is_on and crop_of(large, photo) == chosen
    type_keys(lightbox, KEY.Key_Z, modifiers=CTRL)
    assert crop_of(large, photo) is None and not large.session.undo_stack.canUndo()
    type_keys(lightbox, KEY.Key_Z, modifiers=CTRL | SHIFT)
    assert crop_of(large, photo) == chosen


def test_a_crop_is_chosen_by_keys_and_left_as_it_was(large: MainWindow) -> None:
    lightbox, photo = open_at(large, (0, 0)), photo_in(large, (0, 0))
    type_keys(lightbox, KEY.Key_K, KEY.Key_Right, KEY.Key_Right, KEY.Key_Plus)
    assert lightbox.cropping.chosen is not None and lightbox.cropping.chosen.x == pytest.approx(0.52)
    assert "by hand" in lightbox.accessibleName()
    type_keys(lightbox, KEY.Key_0)
    assert lightbox.cropping.chosen is None and "chosen by the program" in lightbox.accessibleName()
    type_keys(lightbox, KEY.Key_Left, modifiers=SHIFT)
    type_keys(lightbox, KEY.Key_Escape)
    assert lightbox.isVisible() and not lightbox.cropping.is_on and crop_of(large, photo) is None
    type_keys(lightbox, KEY.Key_K, KEY.Key_Left, KEY.Key_PageDown)
    assert crop_of(large, photo) is not None and lightbox.photo != photo and lightbox.cropping.photo == lightbox.photo
    QTest.mouseDClick(lightbox, LEFT, NO_KEY, lightbox.shown.photo_rect.center().toPoint())
    type_keys(lightbox, KEY.Key_Escape, KEY.Key_Escape)
    assert not lightbox.isVisible() and len(document_of(large).crops) == 1


def test_a_corner_of_the_outline_is_pulled_and_the_opposite_one_stays(large: MainWindow) -> None:
    open_at(large, (0, 0)).begin_crop()
    lightbox = large.findChild(Lightbox)
    outline = lightbox.cropping.outline(lightbox.shown.photo_rect)
    corner, half = outline.bottomRight().toPoint(), QPoint(round(outline.width() / 2), round(outline.height() / 2))
    QTest.mousePress(lightbox, LEFT, NO_KEY, corner)
    QTest.mouseMove(lightbox, corner - half)
    after = lightbox.cropping.outline(lightbox.shown.photo_rect)
    assert (after.topLeft() - outline.topLeft()).manhattanLength() < 2
    assert after.width() == pytest.approx(outline.width() / 2, abs=2)
    QTest.mouseMove(lightbox, corner + half)
    QTest.mouseRelease(lightbox, LEFT, NO_KEY, corner + half)
    assert lightbox.cropping.outline(lightbox.shown.photo_rect).width() == pytest.approx(outline.width(), abs=2)


def test_captions_are_written_from_photo_to_photo_across_the_rows(window: MainWindow, qtbot: QtBot) -> None:
    lightbox, last, first = open_at(window, (0, 4)), photo_in(window, (0, 4)), photo_in(window, (1, 0))
    button(lightbox, "Caption").click()
    qtbot.keyClicks(lightbox.caption_field, "End of the row")
    type_keys(lightbox.caption_field, KEY.Key_Tab)
    assert lightbox.photo == first and lightbox.caption_field.isVisible()
    qtbot.keyClicks(lightbox.caption_field, "Next row")
    type_keys(lightbox.caption_field, KEY.Key_Return)
    assert document_of(window).captions == {last: "End of the row", first: "Next row"} and lightbox.hasFocus()


def test_a_photo_is_always_shown_from_here_and_a_refusal_is_seen(window: MainWindow, qtbot: QtBot) -> None:
    lightbox, photo = open_at(window), photo_in(window, (1, 1))
    type_keys(lightbox, KEY.Key_A)
    assert document_of(window).always_shown == {photo} and "always shown" in lightbox.facts
    button(lightbox, "Always show").click()
    assert not document_of(window).always_shown
    window.session.edit(excluded, [other for other in document_of(window).active if other != photo])
    wait_until_settled(qtbot, window.session)
    type_keys(lightbox, KEY.Key_X)
    assert lightbox.line_within(600, lightbox.fontMetrics()) == "The last photo cannot be excluded."


def test_a_crop_that_is_chosen_from_the_menu_leads_back_to_the_sheet(window: MainWindow) -> None:
    canvas, photo, crop = canvas_of(window), photo_in(window, (1, 1)), window.actions_table["crop"]
    click(canvas, (1, 1))
    crop.trigger()
    lightbox = window.findChild(Lightbox)
    assert lightbox.isVisible() and lightbox.cropping.photo == photo
    type_keys(lightbox, KEY.Key_Plus)
    button(lightbox, "Done").click()
    assert not lightbox.isVisible() and crop_of(window, photo) is not None and canvas.hasFocus()
    crop.trigger()
    type_keys(lightbox, KEY.Key_0, KEY.Key_Escape)
    assert not lightbox.isVisible() and crop_of(window, photo) is not None
    crop.trigger()
    type_keys(lightbox, KEY.Key_0)
    lightbox.close_view()
    assert not lightbox.isVisible() and crop_of(window, photo) is None
    open_at(window, (1, 1))
    type_keys(lightbox, KEY.Key_K, KEY.Key_Return)
    assert lightbox.isVisible() and not lightbox.cropping.is_on, "from the large view it leads back there"
