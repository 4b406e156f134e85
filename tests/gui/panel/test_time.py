"""The Time section and the months of the tray, as a person uses them."""

import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QSlider
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.sheet_view import lines_about_cell
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import pinned
from album_app.layout.editing.timeline import USUAL_WEIGHT, flow
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import ShapeSpec
from album_app.photos.decoding.header import FILE
from album_app.photos.tables import read_table
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.hands import press_button


@pytest.fixture
def window(open_window: OpenWindow, photo_folder: PhotoFolder, qtbot: QtBot) -> MainWindow:
    """Twenty-four photos from January to December, each of which tells it by its name but the last two."""
    folder: Path = photo_folder(24)
    for k, file in enumerate(sorted(folder.iterdir())):
        day = datetime(2024, 1 + k // 2, 5 + 10 * (k % 2))
        if k < 22:
            file.rename(folder / f"IMG_{day:%Y%m%d}_120000.jpg")
        else:
            os.utime(file, (day.timestamp(), day.timestamp()))
    window = open_window(0, folder)
    wait_until_settled(qtbot, window.session)
    return window


def named(window: MainWindow, kind: type, text: str) -> QPushButton | QCheckBox:
    return next(widget for widget in window.workspace.panel.findChildren(kind) if widget.text() == text)


def begin(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.document_changed, timeout=WAIT_MS):
        named(window, QPushButton, "Timeline").click()
    wait_until_settled(qtbot, window.session)


def test_a_timeline_is_one_step_that_can_be_undone_and_ended(window: MainWindow, qtbot: QtBot) -> None:
    before = window.session.document.layout.photo_at.tolist()
    begin(window, qtbot)
    document = window.session.document
    assert document.options.time_weight == USUAL_WEIGHT and {cell[1] for cell in document.pins.values()} == {0, 5}
    assert flow(document.layout, document.album.photos) > 0.8
    assert window.workspace.canvas.time_marks[0].words == "Jan 2024"
    window.session.undo_stack.undo()
    assert window.session.document.layout.photo_at.tolist() == before and not window.workspace.canvas.time_marks
    window.session.undo_stack.redo()
    named(window, QPushButton, "No timeline").click()
    assert not window.session.document.options.time_weight and not window.session.document.pins


def test_the_slider_weighs_time(window: MainWindow, qtbot: QtBot) -> None:
    slider = next(s for s in window.workspace.panel.findChildren(QSlider) if s.accessibleName() == "Weight of time")
    slider.setValue(60)
    assert window.session.document.options.time_weight == 0.6 and not window.session.document.pins
    wait_until_settled(qtbot, window.session)
    window.session.undo_stack.undo()
    assert slider.value() == 0


def test_marks_can_be_done_without(window: MainWindow, qtbot: QtBot) -> None:
    begin(window, qtbot)
    named(window, QCheckBox, "Months along the edge").click()
    assert not window.workspace.canvas.time_marks
    named(window, QCheckBox, "Months along the edge").click()
    assert window.workspace.canvas.time_marks


def test_photos_dated_by_their_files_alone_are_told(window: MainWindow) -> None:
    reported = [label.text() for label in window.workspace.panel.findChildren(QLabel)]
    assert "2 photos are dated by their file time only." in reported


def test_the_card_of_such_a_photo_tells_it(window: MainWindow) -> None:
    document = window.session.document
    late = next(k for k, photo in enumerate(document.album.photos) if photo.date is None)
    assert lines_about_cell(document, document.layout.cell_of(late))[1] == "5 December 2024, 00:00 (the file's time)"


def test_the_tray_lists_the_photos_of_a_month(window: MainWindow) -> None:
    tray = window.workspace.tray
    months = [tray.months.itemText(place) for place in range(tray.months.count())]
    assert months[:2] == ["All months", "January 2024 (2)"] and len(months) == 13
    tray.months.setCurrentIndex(3)
    tray.months.activated.emit(3)
    names = [tray.model.line(row).title for row in range(len(tray.model.rows))]
    assert names == ["IMG_20240305_120000.jpg", "IMG_20240315_120000.jpg"]


def chapters_of_pins(window: MainWindow, qtbot: QtBot, photo: int) -> None:
    """Pin a photo to the first page of a book and make its pages chapters."""
    window.parts.reshaping.start(ShapeSpec("pages", rows=2, columns=3))
    qtbot.waitUntil(lambda: window.session.document.shape.pages is not None, timeout=WAIT_MS)
    window.session.edit(pinned, "Pin", Pins({photo: (0, 0)}))
    named(window, QPushButton, "Timeline").click()
    qtbot.waitUntil(lambda: window.session.document.has_chapters, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)


def test_pins_that_break_the_order_of_chapters_can_be_removed(window: MainWindow, qtbot: QtBot) -> None:
    chapters_of_pins(window, qtbot, 20)
    assert window.message_bar.text == "1 pin keeps its photo on a page of another time."
    press_button(qtbot, window.message_bar, "Remove this pin")
    assert not window.session.document.pins and not window.message_bar.isVisible()
    window.session.edit(pinned, "Pin", Pins({20: (0, 0)}))
    assert not window.message_bar.isVisible(), "a pin that is set in a book of chapters is meant to be there"


def test_a_pin_on_the_page_of_its_time_is_no_trouble(window: MainWindow, qtbot: QtBot) -> None:
    chapters_of_pins(window, qtbot, 1)
    assert "pin keeps" not in window.message_bar.text


def test_a_timeline_follows_the_years_of_a_table(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    names = [photo.name for photo in window.session.document.album.photos]
    (tmp_path / "works.csv").write_text(
        "\n".join(["file,year", *(f"{name},{1800 + 5 * k}" for k, name in enumerate(names))])
    )
    undated = replace(
        window.session.document.album,
        photos=tuple(replace(photo, taken_by=FILE) for photo in window.session.document.album.photos),
    )
    table = read_table(tmp_path / "works.csv")
    document = replace(window.session.document, album=undated, table=table)
    window.session.open_document(document)
    wait_until_settled(qtbot, window.session)
    assert named(window, QLabel, "Dates from the column “year” of the table.")
    begin(window, qtbot)
    document = window.session.document
    assert flow(document.layout, document.dated_photos) > 0.8
    assert window.workspace.canvas.time_marks[0].words == "1800"
    named(window, QPushButton, "No timeline").click()
    assert not window.session.document.options.time_weight and not window.session.document.pins


def test_files_written_within_days_make_no_timeline(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    wait_until_settled(qtbot, window.session)
    with qtbot.waitSignal(window.session.problem, timeout=WAIT_MS):
        named(window, QPushButton, "Timeline").click()
    assert not window.session.document.pins and not window.session.document.options.time_weight
