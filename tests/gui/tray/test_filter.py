"""The tray's filter: what it finds is what names have in them, and nothing but the list changes while one types."""

import random
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QListView, QMessageBox
from pytestqt.qtbot import QtBot

from album_app.gui.tray.model import NameSearch, folded
from album_app.gui.tray.photo_list import TrayList
from album_app.gui.tray.tray import Ranking
from album_app.layout.editing.edits import captioned
from album_app.photos.album import Album, Photo, Skipped
from tests.gui.conftest import OpenWindow, answer

LETTERS = "aAbBß\u0130éÉ 9.\x01\x7f\udc80漢😀"


def album_of(names: list[str], skipped: list[str]) -> Album:
    photos = tuple(Photo(Path(name), name, 1, 0, 30, 20) for name in names)
    return Album((), photos, tuple(Skipped(Path(name), name, "no picture") for name in skipped))


def strange_names(seed: int) -> list[str]:
    rng = random.Random(seed)
    return list(dict.fromkeys("".join(rng.choices(LETTERS, k=rng.randint(1, 6))) for _ in range(60)))


@pytest.mark.parametrize("seed", range(5))
def test_words_are_found_where_names_have_them(seed: int, qtbot: QtBot) -> None:
    names, parent = strange_names(seed), QObject()
    album = album_of(names[8:], names[:8])
    search, rng = NameSearch(parent, names_per_step=7), random.Random(seed)
    for _ in range(40):
        words = ["".join(rng.choices(LETTERS.replace(" ", ""), k=rng.randint(1, 3))) for _ in range(rng.randint(0, 2))]
        found = search.with_words(album, words)
        for row, name in [*enumerate(names[8:]), *((-k - 1, name) for k, name in enumerate(names[:8]))]:
            assert found[row] == all(folded(word) in folded(name) for word in words), (name, words)


@pytest.mark.parametrize("name", ["Málaga.jpg", "Ma\u0301laga.jpg", "malaga.jpg", "MALAGA.jpg"])
@pytest.mark.parametrize("word", ["malaga", "Málaga", "ma\u0301l", "ÁLAGA"])
def test_accents_and_case_make_no_difference_either_way(name: str, word: str, qtbot: QtBot) -> None:
    parent = QObject()
    assert NameSearch(parent).with_words(album_of([name, "Straße.jpg"], []), [word]).tolist() == [True, False]
    assert NameSearch(parent).with_words(album_of([name, "Straße.jpg"], []), ["STRASSE"]).tolist() == [False, True]


def test_what_the_filter_finds_stands_out_on_the_sheet(open_window: OpenWindow) -> None:
    window = open_window(12)
    tray, canvas = window.workspace.tray, window.workspace.canvas
    before = canvas.grab().toImage()
    tray.field.setText("0007")
    tray.relist()
    assert canvas.highlight == {7}
    dimmed = canvas.grab().toImage()
    layout = window.session.document.layout
    hit, other = (canvas.cell_rect(layout.cell_of(photo)).center().toPoint() for photo in (7, 2))
    ratio = canvas.devicePixelRatioF()
    assert dimmed.pixel(hit * ratio) == before.pixel(hit * ratio)
    assert dimmed.pixel(other * ratio) != before.pixel(other * ratio)
    tray.field.clear()
    tray.relist()
    assert canvas.highlight is None and canvas.grab().toImage() == before


@pytest.mark.parametrize("words", ["morning", "LAKE the", "lake 0003"])
def test_words_of_a_caption_find_its_photo(open_window: OpenWindow, words: str) -> None:
    window = open_window(6)
    window.session.edit(captioned, 3, "Morning at the lake")
    window.workspace.tray.field.setText(words)
    window.workspace.tray.relist()
    assert window.workspace.tray.model.rows == [3] and window.workspace.canvas.highlight == {3}


def test_a_word_is_not_found_across_two_names(qtbot: QtBot) -> None:
    parent = QObject()
    found = NameSearch(parent).with_words(album_of(["ab", "cd"], []), ["bc"])
    assert not found.any() and len(found) == 2
    assert not NameSearch(parent).with_words(album_of(["ab", "cd"], []), ["b\0c"]).any()
    assert len(NameSearch(parent).with_words(album_of([], []), ["b"])) == 0


def test_names_are_made_before_anybody_types(qtbot: QtBot) -> None:
    parent = QObject()
    search = NameSearch(parent, names_per_step=10)
    album = album_of([f"{k}.jpg" for k in range(95)], [])
    search.follow(album)
    qtbot.waitUntil(lambda: search.is_ready)
    assert search.with_words(album, ["7.jpg"]).sum() == 9


def test_the_selection_outlives_the_filter(open_window: OpenWindow) -> None:
    window = open_window(12)
    tray, session = window.workspace.tray, window.session
    session.select((3, 7), None)
    announced: list[bool] = []
    session.selection_changed.connect(lambda: announced.append(True))
    for typed, listed in (("000", 10), ("0007", 1), ("000", 10), ("x", 0), ("", 12)):
        tray.field.setText(typed)
        tray.relist()
        assert tray.model.rowCount() == len(tray.model.rows) == listed
        assert set(tray.list.picked) == {3, 7} & set(tray.model.rows)
    assert session.selected == (3, 7) and not announced


def test_rows_are_found_in_every_order(open_window: OpenWindow) -> None:
    tray = open_window(12).workspace.tray
    for order in ("name", "date"):
        for typed in ("", "1"):
            tray.field.setText(typed)
            tray.sort_by(order)
            rows = tray.model.rows
            assert [tray.model.row_of(photo) for photo in rows] == list(range(len(rows)))
            assert tray.model.row_of(99) is None and (not typed or tray.model.row_of(2) is None)
    tray.show_ranking(Ranking("Similar to photo-0003", (3, 9, 1), 1, like=(3,)))
    assert [tray.model.row_of(photo) for photo in (9, 3, 4)] == [1, 0, None]


def test_what_is_told_anew_is_not_laid_out_anew(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[bool] = []

    def count(view: TrayList) -> None:
        laid_out.append(True)
        QListView.doItemsLayout(view)

    monkeypatch.setattr(TrayList, "doItemsLayout", count)
    window = open_window(12)
    tray = window.workspace.tray
    QApplication.processEvents()
    laid_out.clear()
    window.session.drop([5], (0, 0))
    QApplication.processEvents()
    line = tray.model.line(5)
    assert line is not None and line.pinned and not laid_out
    tray.field.setText("0005")
    tray.relist()
    QApplication.processEvents()
    assert laid_out


def test_select_all_and_undo_act_on_what_is_shown(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(24)
    tray, session, actions = window.workspace.tray, window.session, window.actions_table
    session.drop([3], (0, 0))
    tray.field.setFocus()
    qtbot.keyClicks(tray.field, "photo-000")
    actions["select_all"].trigger()
    assert session.selected == tuple(range(10))
    qtbot.keyClick(tray.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document.pins, "what was typed is taken back first"
    tray.field.clear()
    qtbot.keyClick(tray.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not session.document.pins, "an empty field leaves undo to the sheet"
    window.workspace.canvas.setFocus()
    actions["select_all"].trigger()
    assert len(session.selected) == 24


def test_pinning_many_photos_asks_before(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(24)
    session, actions, canvas = window.session, window.actions_table, window.workspace.canvas
    canvas.setFocus()
    session.select(range(24), (0, 0))
    qtbot.keyClick(canvas, Qt.Key.Key_P)
    assert window.findChild(QMessageBox).text() == "Pin 24 photos?" and not session.document.pins
    answer(qtbot, window, "Pin 24 photos")
    qtbot.waitUntil(lambda: len(session.document.pins) == 24)
    assert not actions["pin_here"].isEnabled() and actions["unpin"].isEnabled(), "pinned photos can only be unpinned"
    session.select(range(3), (0, 0))
    qtbot.keyClick(canvas, Qt.Key.Key_P)
    assert len(session.document.pins) == 21 and actions["pin_here"].isEnabled()
