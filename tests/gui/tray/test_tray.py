"""The tray: sections, filter, selection shared with the sheet."""

from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QSplitter
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.tiles.marks import CanvasColours
from album_app.gui.canvas.tiles.tile_cache import picture_tile
from album_app.gui.canvas.tiles.tiles import Tile
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pictures
from album_app.gui.state.session import Session
from album_app.gui.style import theme
from album_app.gui.tray import photo_list
from album_app.gui.tray.model import ALL, EXCLUDED, SKIPPED, UNPLACED
from album_app.gui.tray.tray import Ranking, Tray
from album_app.layout.editing.drops import dropped
from album_app.layout.editing.edits import excluded
from album_app.layout.project.document import Counts
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.conftest import OpenSession, PhotoFolder, canvas_on, parts_of, wait_until_settled, with_torn_photo
from tests.gui.hands import CTRL, KEY, LEFT, NO_KEY, SHIFT, document_of, layout_of, type_keys

OpenTray = Callable[[Session], Tray]


@pytest.fixture
def open_tray(qtbot: QtBot) -> OpenTray:
    def make(session: Session) -> Tray:
        parts = parts_of(session)
        canvas = canvas_on(parts)
        qtbot.addWidget(canvas)
        tray = Tray(session, parts.photos, parts.tray_details, parts.words, parts.facets, canvas)
        qtbot.addWidget(tray)
        tray.resize(240, 600)
        tray.show()
        qtbot.waitExposed(tray)
        return tray

    return make


def names(tray: Tray) -> list[str]:
    return [tray.model.index(row).data() for row in range(tray.model.rowCount())]


def texts(tray: Tray) -> dict[str, str]:
    return {section: button.text() for section, button in tray.section_buttons.items() if not button.isHidden()}


def visible_texts(tray: Tray) -> list[str]:
    return [label.text() for label in tray.findChildren(QLabel) if label.isVisible()]


def crowd(open_session: OpenSession, qtbot: QtBot) -> Session:
    """Twelve photos, of which six find a cell."""
    session = open_session(12)
    parts_of(session).reshaping.start(ShapeSpec("rectangle", rows=2, columns=3))
    qtbot.waitUntil(lambda: document_of(session).shape.count == 6)
    wait_until_settled(qtbot, session)
    return session


def test_all_photos_are_listed_in_order(open_tray: OpenTray, open_session: OpenSession) -> None:
    tray = open_tray(open_session(12))
    assert names(tray) == [f"photo-{k:04d}.jpg" for k in range(12)]
    assert texts(tray) == {ALL: "All 12", UNPLACED: "Unplaced 0", SKIPPED: "Skipped 0"}


def test_left_out_photos_tell_what_they_resemble(open_tray: OpenTray, open_session: OpenSession, qtbot: QtBot) -> None:
    session = crowd(open_session, qtbot)
    tray = open_tray(session)
    tray.show_section(UNPLACED)
    layout = layout_of(session)
    assert tray.model.rows == sorted(layout.resembles) and len(tray.model.rows) == 6
    line = tray.model.line(0)
    assert line is not None and line.detail.startswith("No cell left; like photo-") and line.other in layout.shown


def test_skipped_files_tell_why(open_tray: OpenTray, open_session: OpenSession, photo_folder: PhotoFolder) -> None:
    folder = photo_folder(3)
    (folder / "notes.jpg").write_text("no picture")
    tray = open_tray(open_session(folder=folder))
    tray.show_section(SKIPPED)
    line = tray.model.line(0)
    assert line is not None and line.title == "notes.jpg" and line.detail and line.photo is None
    tray.list.selectAll()
    assert tray.list.picked == []
    tray.grab()


def test_photos_that_turn_out_damaged_are_among_the_skipped(
    open_tray: OpenTray, open_session: OpenSession, photo_folder: PhotoFolder
) -> None:
    session = open_session(folder=with_torn_photo(photo_folder(5)))
    assert list(parts_of(session).photos.pictures.damaged) == [5]
    tray = open_tray(session)
    tray.show_section(UNPLACED)
    assert tray.model.rows == []
    tray.show_section(SKIPPED)
    line = tray.model.line(0)
    assert line is not None and line.title == "torn.png" and line.detail == parts_of(session).photos.pictures.damaged[5]
    tray.field.setText("0003")
    tray.refresh()
    assert tray.model.rows == []


def test_a_photo_of_which_a_part_is_missing_is_shown_and_marked(
    open_tray: OpenTray, open_session: OpenSession, photo_folder: PhotoFolder
) -> None:
    folder = photo_folder(5)
    Image.effect_noise((640, 480), 50).save(folder / "torn.jpg")
    whole = (folder / "torn.jpg").read_bytes()
    (folder / "torn.jpg").write_bytes(whole[: len(whole) * 3 // 4])
    session = open_session(folder=folder)
    tray = open_tray(session)
    lines = {line.title: line.detail for row in range(6) if (line := tray.model.line(row)) is not None}
    assert "damaged: the lower" in lines["torn.jpg"]
    assert not any("damaged" in detail for title, detail in lines.items() if title != "torn.jpg")
    assert 5 in layout_of(session).shown


def test_excluded_photos_have_a_section_of_their_own(
    open_tray: OpenTray, open_session: OpenSession, qtbot: QtBot
) -> None:
    session = open_session(6)
    tray = open_tray(session)
    session.edit(excluded, [2])
    wait_until_settled(qtbot, session)
    assert not tray.section_buttons[EXCLUDED].isHidden()
    tray.show_section(EXCLUDED)
    line = tray.model.line(0)
    assert tray.model.rows == [2] and line is not None and line.detail == "You excluded it"
    session.undo_stack.undo()
    assert tray.model.rows == []


def test_the_filter_finds_names(open_tray: OpenTray, open_session: OpenSession, qtbot: QtBot) -> None:
    tray = open_tray(open_session(12))
    QTest.keyClicks(tray.field, "PHOTO 1")
    qtbot.waitUntil(lambda: len(tray.model.rows) < 12)
    assert names(tray) == ["photo-0001.jpg", "photo-0010.jpg", "photo-0011.jpg"]
    tray.field.setText("nowhere")
    qtbot.waitUntil(lambda: not tray.model.rows)
    assert any("nowhere" in text for text in visible_texts(tray))
    tray.field.clear()
    qtbot.waitUntil(lambda: len(tray.model.rows) == 12)


def test_selection_goes_both_ways(open_tray: OpenTray, open_session: OpenSession) -> None:
    session = open_session(12)
    tray = open_tray(session)
    view, where = tray.list, QItemSelectionModel.SelectionFlag
    view.selectionModel().setCurrentIndex(tray.model.index(3), where.ClearAndSelect)
    assert session.selected == (3,) and session.cell == layout_of(session).cell_of(3)
    session.select((5, 1, 7), None)
    assert view.picked == [1, 5, 7] and view.currentIndex().row() == 7
    session.select((), None)
    assert view.picked == []


def test_shift_and_ctrl_clicks_select_several(open_tray: OpenTray, open_session: OpenSession) -> None:
    session = open_session(12)
    tray = open_tray(session)

    def click(row: int, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        QTest.mouseClick(tray.list.viewport(), LEFT, keys, tray.list.visualRect(tray.model.index(row)).center())

    click(1)
    click(4, SHIFT)
    assert sorted(session.selected) == [1, 2, 3, 4]
    click(2, CTRL)
    assert sorted(session.selected) == [1, 3, 4]
    click(8)
    assert session.selected == (8,)


def test_a_press_on_a_selected_photo_keeps_the_others(open_tray: OpenTray, open_session: OpenSession) -> None:
    session = open_session(12)
    tray = open_tray(session)
    session.select((1, 2, 3), None)
    place = tray.list.visualRect(tray.model.index(2)).center()
    QTest.mousePress(tray.list.viewport(), LEFT, NO_KEY, place)
    assert sorted(session.selected) == [1, 2, 3]
    QTest.mouseRelease(tray.list.viewport(), LEFT, NO_KEY, place)
    assert session.selected == (2,)


def test_keys_of_the_tray(open_tray: OpenTray, open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    tray = open_tray(session)
    session.drop([4], (0, 0))
    session.select((4,), None)
    with qtbot.waitSignal(tray.large_requested) as large:
        type_keys(tray.list, KEY.Key_Return)
    with qtbot.waitSignal(tray.go_to_requested) as shown:
        type_keys(tray.list, KEY.Key_G)
    assert large.args == [4] and shown.args == [4]
    type_keys(tray.list, KEY.Key_Delete)
    assert not document_of(session).pins


def test_similar_photos_are_listed_with_a_way_back(open_tray: OpenTray, open_session: OpenSession) -> None:
    tray = open_tray(open_session(12))
    tray.show_ranking(Ranking("Similar to photo-0003", (3, 9, 1), 1, like=(3,)))
    assert tray.model.rows == [3, 9, 1]
    assert "Similar to photo-0003" in visible_texts(tray)
    tray.show_section(ALL)
    assert len(tray.model.rows) == 12 and "Similar to photo-0003" not in visible_texts(tray)


def test_an_edit_keeps_the_place_in_the_list(open_tray: OpenTray, open_session: OpenSession) -> None:
    session = open_session(40)
    tray = open_tray(session)
    bar = tray.list.verticalScrollBar()
    bar.setValue(bar.maximum())
    before = bar.value()
    assert before > 0
    session.edit(dropped, [2], (0, 0))
    assert bar.value() == before


def test_thumbnails_are_made_when_seen_and_not_all_kept(
    open_tray: OpenTray, open_session: OpenSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def noting(pictures: Pictures, photo: int, *args: Any) -> Tile:
        made.append(photo)
        return picture_tile(pictures, photo, *args)

    monkeypatch.setattr(photo_list, "picture_tile", noting)
    session = open_session(40)
    open_tray(session).grab()
    assert 0 < len(set(made)) < 40, "those in sight"
    thumbnails = photo_list.Thumbnails(parts_of(session).photos, CanvasColours.from_palette(theme.current()), most=38)
    pixmaps = [thumbnails.pixmap(photo, 10, 1.0) for photo in range(40)]
    assert all(thumbnails.pixmap(photo, 10, 1.0) is pixmaps[photo] for photo in range(2, 40))
    assert thumbnails.pixmap(1, 10, 1.0) is not pixmaps[1]


def test_what_a_filter_finds_is_listed_from_its_beginning(
    open_tray: OpenTray, open_session: OpenSession, qtbot: QtBot
) -> None:
    session = open_session(90)
    tray = open_tray(session)
    session.select([89], None)
    bar = tray.list.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() > 0)
    tray.field.setText("photo")
    qtbot.waitUntil(lambda: bar.value() == 0)
    assert len(names(tray)) == 90


def test_counts_of_thousands_are_not_cut_off(
    open_tray: OpenTray, open_session: OpenSession, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    session = open_session(3)
    splitter = QSplitter()
    qtbot.addWidget(splitter)
    tray = open_tray(session)
    for part in (tray, QLabel("sheet")):
        splitter.addWidget(part)
    splitter.setChildrenCollapsible(False)
    splitter.resize(700, 500)
    splitter.show()
    monkeypatch.setattr(PhotoStore, "counts", lambda store: Counts(*[8888] * 8))
    tray.refresh()
    splitter.setSizes([10, 690])
    for section, button in tray.section_buttons.items():
        tray.show_section(section)
        button.ensurePolished()
        QApplication.processEvents()
        assert button.text().endswith(" 8,888")
        assert button.contentsRect().width() >= button.fontMetrics().horizontalAdvance(button.text()), button.text()


def test_everything_has_a_name_for_screen_readers(open_tray: OpenTray, open_session: OpenSession) -> None:
    tray = open_tray(open_session(3))
    assert tray.field.accessibleName() and tray.list.accessibleName()
    assert tray.section_buttons[SKIPPED].accessibleName() == "Skipped files: 0"
    index = tray.model.index(0)
    assert "photo-0000.jpg" in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_photos_are_listed_by_date(open_tray: OpenTray, open_session: OpenSession, photo_folder: PhotoFolder) -> None:
    folder = photo_folder(4)
    for k, day in ((0, "20240503"), (1, "20210101"), (2, "20230707")):
        (folder / f"photo-000{k}.jpg").rename(folder / f"IMG_{day}_120000.jpg")
    tray = open_tray(open_session(folder=folder))
    by_name = names(tray)
    tray.sort_by("date")
    dated = [name for name in names(tray) if name.startswith("IMG")]
    assert dated == ["IMG_20210101_120000.jpg", "IMG_20230707_120000.jpg", "IMG_20240503_120000.jpg"]
    assert tray.model.row_of(tray.model.rows[0]) == 0
    tray.sort_by("name")
    assert names(tray) == by_name


def test_likeness_needs_a_photo_to_be_like(open_tray: OpenTray, open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    tray = open_tray(session)
    asked: list[bool] = []
    tray.likeness_requested.connect(lambda: asked.append(True))
    with qtbot.waitSignal(session.notice):
        tray.sort_by("likeness")
    assert not asked and tray.order.currentText() == "Name"
    session.select((3,))
    tray.sort_by("likeness")
    assert asked
    tray.show_ranking(Ranking("Similar to photo-0003", (3, 9, 1), 1, like=(3,)))
    assert tray.order.currentText() == "Likeness" and tray.model.rows == [3, 9, 1]
    tray.sort_by("date")
    assert len(tray.model.rows) == 12 and tray.order.currentText() == "Date"


def test_a_panorama_fills_its_square(open_tray: OpenTray, open_session: OpenSession, photo_folder: PhotoFolder) -> None:
    folder = photo_folder(2)
    Image.new("RGB", (1200, 90), "red").save(folder / "a-panorama.jpg")
    tray = open_tray(open_session(folder=folder))
    tray.list.scrollToTop()
    rect = tray.list.visualRect(tray.model.index(0))
    seen = tray.list.viewport().grab(rect).toImage()
    red = [
        QColor(seen.pixel(x, y)).red() > 200 and QColor(seen.pixel(x, y)).green() < 60
        for x in range(seen.width())
        for y in range(seen.height())
    ]
    assert sum(red) > 0.75 * len(red), "not a thin stripe in the middle"
