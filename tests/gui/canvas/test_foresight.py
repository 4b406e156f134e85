"""What is shown before the hand lets go: words, cells that would change, the sheet as it would become."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.canvas.tiles.marks import STAR_SHARE, STAR_SIZES
from album_app.gui.dialogs.compare import CompareDialog, score_words
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import always_shown
from album_app.layout.project.project_file import save_project
from tests.gui.conftest import WAIT_MS, wait_until_settled
from tests.gui.hands import (
    KEY,
    LEFT,
    NO_KEY,
    canvas_of,
    document_of,
    drag,
    layout_of,
    middle,
    press_and_move,
    type_keys,
)


def shown_on(canvas: Canvas) -> dict[int, int]:
    """Frame -> photo, as the canvas shows them."""
    glide = canvas.scene.glide
    return dict(zip(glide.frames.tolist(), glide.photos.tolist(), strict=True))


def test_the_hint_is_at_the_pointer_and_names_what_letting_go_does(window: MainWindow) -> None:
    canvas = canvas_of(window)
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (2, 2)))
    lines = canvas.hand.hint_lines
    assert lines[0].startswith("Pin ") and lines[1].startswith("hold Shift") and lines[2].startswith("Alt shows")
    assert sorted(canvas.hand.changes) == [(0, 0), (2, 2)]
    canvas.hand.hold_shift(True)
    assert canvas.hand.hint_lines[0].startswith("Swap ") and "pin both" in canvas.hand.hint_lines[0]
    canvas.hand.cancel()
    assert canvas.hand.hint_lines == [] and canvas.hand.changes == []


def test_alt_shows_the_sheet_that_letting_go_leads_to(window: MainWindow, qtbot: QtBot) -> None:
    canvas, before = canvas_of(window), layout_of(window)
    as_it_is = shown_on(canvas)
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (2, 2)))
    QTest.keyPress(canvas, KEY.Key_Alt)
    qtbot.waitUntil(lambda: shown_on(canvas) != as_it_is, timeout=WAIT_MS)
    foreseen = shown_on(canvas)
    assert window.session.document is not None and window.session.document.layout is before, "nothing is edited yet"
    QTest.keyRelease(canvas, KEY.Key_Alt)
    assert shown_on(canvas) == as_it_is
    QTest.mouseRelease(canvas, LEFT, NO_KEY, middle(canvas, (2, 2)))
    wait_until_settled(qtbot, window.session)
    assert shown_on(canvas) == foreseen


def test_a_cancelled_drag_leaves_nothing_of_what_alt_showed(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    type_keys(canvas, KEY.Key_H)
    as_it_is = shown_on(canvas)
    canvas.hand.carry_over([int(layout_of(window).photo_at[0])], canvas.cell_rect((2, 2)).center(), shift=False)
    canvas.hand.hold_alt(True)
    assert shown_on(canvas) != as_it_is, "on a held sheet no solve is needed"
    canvas.hand.cancel()
    assert shown_on(canvas) == as_it_is


def test_b_shows_the_sheet_before_the_last_edit_as_long_as_it_is_held(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    canvas.setFocus()
    before = shown_on(canvas)
    type_keys(canvas, KEY.Key_H)
    drag(canvas, (0, 0), (2, 2))
    after = shown_on(canvas)
    assert after != before
    canvas.zoom_in()
    zoom, at = canvas.zoom, canvas.cell_rect((0, 0))
    QTest.keyPress(canvas, KEY.Key_B)
    assert shown_on(canvas) == before and canvas.is_showing_before
    repeat = QKeyEvent(QKeyEvent.Type.KeyPress, KEY.Key_B, NO_KEY, "b", True)
    QApplication.sendEvent(canvas, repeat)
    assert shown_on(canvas) == before
    QTest.keyRelease(canvas, KEY.Key_B)
    assert shown_on(canvas) == after and not canvas.is_showing_before
    assert (canvas.zoom, canvas.cell_rect((0, 0))) == (zoom, at)


def test_two_versions_are_shown_side_by_side_with_their_scores(window: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(window)
    type_keys(canvas, KEY.Key_H)
    drag(canvas, (0, 0), (2, 2))
    window.actions_table["compare"].trigger()
    dialog = window.findChild(CompareDialog)
    assert dialog is not None
    assert [choice.currentText()[:11] for choice in dialog.choices] == ["Before “Swa", "Now"]
    qtbot.waitUntil(lambda: all(label.text() for label in dialog.scores), timeout=WAIT_MS)
    left, right = (picture.pixmap().toImage() for picture in dialog.pictures)
    assert not left.isNull() and left.size() == right.size() and left != right
    assert dialog.scores[0].text().startswith("Neighbours very smooth · DPQ₁₆")
    assert dialog.scores[0].text() != dialog.scores[1].text()
    dialog.choices[1].setCurrentIndex(dialog.choices[0].currentIndex())
    qtbot.waitUntil(lambda: dialog.scores[0].text() == dialog.scores[1].text(), timeout=WAIT_MS)
    dialog.close()


def test_a_project_is_shown_next_to_the_sheet_with_its_scores(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    canvas, before = canvas_of(window), layout_of(window)
    document = document_of(window)
    save_project(document, tmp_path / "first.album")
    save_project(replace(document, layout=None), tmp_path / "unfinished.album")
    type_keys(canvas, KEY.Key_H)
    drag(canvas, (0, 0), (2, 2))
    window.actions_table["compare"].trigger()
    dialog = window.findChild(CompareDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: all(label.text() for label in dialog.scores), timeout=WAIT_MS)
    swapped = dialog.scores[1].text()
    dialog.add(tmp_path / "first.album", 0)
    qtbot.waitUntil(lambda: dialog.choices[0].currentText() == "first", timeout=WAIT_MS)
    qtbot.waitUntil(lambda: score_words(before.scores) == dialog.scores[0].text(), timeout=WAIT_MS)
    assert dialog.scores[1].text() == swapped != dialog.scores[0].text()
    dialog.add(tmp_path / "unfinished.album", 1)
    qtbot.waitUntil(dialog.fault.isVisible, timeout=WAIT_MS)
    assert "unfinished.album" in dialog.fault.text() and dialog.choices[1].currentText() == "Now"
    dialog.choices[1].setCurrentIndex(dialog.choices[1].count() - 1)
    question = dialog.findChild(QFileDialog)
    assert question is not None and dialog.choices[1].currentText() == "Now", "until a project was chosen"
    dialog.close()


def test_alt_looks_ahead_and_leaves_the_keyboard_with_the_hand(window: MainWindow) -> None:
    canvas = canvas_of(window)
    canvas.setFocus()
    press_and_move(canvas, middle(canvas, (0, 0)), middle(canvas, (2, 3)))
    QTest.keyPress(canvas, KEY.Key_Alt, Qt.KeyboardModifier.AltModifier)
    QTest.keyRelease(canvas, KEY.Key_Alt)
    assert window.focusWidget() is canvas, "not the menu bar"
    QTest.keyPress(window.focusWidget(), KEY.Key_Shift)
    assert canvas.hand.carried is not None and canvas.hand.carried.swap
    QTest.keyRelease(window.focusWidget(), KEY.Key_Shift)
    type_keys(window.focusWidget(), KEY.Key_Escape)
    assert canvas.hand.carried is None and window.session.undo_stack.count() == 0
    QTest.keyPress(canvas, KEY.Key_Alt, Qt.KeyboardModifier.AltModifier)
    QTest.keyRelease(canvas, KEY.Key_Alt)
    assert window.focusWidget() is window.menuBar(), "with an empty hand Alt leads to the menus, as everywhere"


def test_photos_that_are_always_shown_wear_a_star(window: MainWindow, qtbot: QtBot) -> None:
    canvas, photo = canvas_of(window), layout_of(window).photo_in((1, 1))
    window.session.edit(always_shown, [photo])
    wait_until_settled(qtbot, window.session)
    qtbot.waitUntil(lambda: not canvas.moving, timeout=WAIT_MS)
    drawn = canvas.grab().toImage()
    starred = set()
    for other, cell in layout_of(window).positions.items():
        rect = canvas.cell_rect(cell)
        star = min(max(STAR_SIZES[0], STAR_SHARE * rect.width()), STAR_SIZES[1])
        middle_of_star = rect.topLeft() + QPointF(0.75 * star, 0.75 * star)
        if drawn.pixelColor(middle_of_star.toPoint()) == QColor("white"):
            starred.add(other)
    assert starred == {photo}
