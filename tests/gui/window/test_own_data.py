"""A table of one's own in the window: filters, colours, one folder alone, and what the project remembers."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QInputDialog, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.sheet_view import line_about_cell
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.dialogs.export.form import ExportForm
from album_app.gui.panel.look import LookSection
from album_app.gui.panel.quality import QualitySection
from album_app.gui.state.photo_words import PhotoWords
from album_app.gui.tray.filters import Wish
from album_app.gui.tray.tray import Ranking
from album_app.gui.window.large_view.controls import facts_of
from album_app.gui.window.large_view.panes import Pane, PhotoZoom
from album_app.gui.window.main_window import MainWindow
from album_app.layout.colouring import PALETTE
from album_app.layout.editing.edits import all_again, captioned, coloured_by, pinned, reshaped
from album_app.layout.editing.stacks import stacked
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import load_project, save_project
from album_app.layout.shapes.shape import ShapeSpec, rectangle
from album_app.render.page.settings import RenderSettings, hexadecimal
from album_app.render.presets import Choice
from tests.gui.conftest import OpenWindow, answer, make_photos, wait_until_settled, wait_until_sharp
from tests.gui.hands import document_of, layout_of, pick

PHOTOS = 20


@pytest.fixture
def album_window(qtbot: QtBot, open_window: OpenWindow, tmp_path: Path) -> MainWindow:
    """Fourteen cats and six dogs, each in a folder of their own."""
    make_photos(tmp_path / "album" / "cats", 14)
    make_photos(tmp_path / "album" / "dogs", 6, start=14)
    window = open_window(0, tmp_path / "album")
    wait_until_settled(qtbot, window.session)
    qtbot.waitUntil(lambda: "folder" in window.parts.facets.facets)
    return window


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    lines = [f"photo-{k:04d}.jpg,{'even' if k % 2 == 0 else 'odd'},{k}" for k in range(PHOTOS)]
    path.write_text("\n".join(["file,parity,number", *lines]))
    return path


def opened(qtbot: QtBot, window: MainWindow, table: Path) -> MainWindow:
    """The window after a table fell on it."""
    window.files.take_dropped([table])
    qtbot.waitUntil(lambda: "number" in window.parts.facets.facets)
    return window


def listed(window: MainWindow) -> list[int]:
    return list(window.workspace.tray.model.rows)


def test_columns_filter_the_tray_and_the_sheet(qtbot: QtBot, album_window: MainWindow, table: Path) -> None:
    window = opened(qtbot, album_window, table)
    bar, canvas = window.workspace.tray.facet_bar, window.workspace.canvas
    assert [bar.columns.itemText(k) for k in range(bar.columns.count())] == ["parity", "number", "Folder"]
    bar.choose("parity", Wish("odd"))
    assert listed(window) == list(range(1, PHOTOS, 2)) and canvas.highlight == frozenset(listed(window))
    bar.choose("number", None)
    bar.low.setText("5")
    bar.low.textEdited.emit("5")
    qtbot.waitUntil(lambda: listed(window) == [5, 7, 9, 11, 13, 15, 17, 19])
    bar.choose("folder", Wish("dogs"))
    assert listed(window) == [15, 17, 19], "all wishes count together"
    assert bar.picked is not None and bar.picked.words == "parity: odd · number: 5– · Folder: dogs"
    bar.choose("number", Wish(low="soon"))
    assert bar.low.property("role") == "wrong" and listed(window) == [15, 17, 19], "no number narrows nothing"
    bar.clear_button.click()
    assert len(listed(window)) == PHOTOS and canvas.highlight is None


def test_frames_take_colours_with_a_legend(qtbot: QtBot, album_window: MainWindow, table: Path) -> None:
    window = opened(qtbot, album_window, table)
    canvas = window.workspace.canvas
    look, quality = window.findChild(LookSection), window.findChild(QualitySection)
    assert look is not None and quality is not None
    pick(next(box for box in look.findChildren(QComboBox) if box.findData("parity") >= 0), "parity")
    assert document_of(window.session).colour_by == "parity" and canvas.colouring is not None
    assert window.session.undo_stack.undoText() == "Colour by parity"
    wait_until_sharp(qtbot, canvas)
    image = canvas.grab().toImage()
    layout = layout_of(window.session)
    for cell in map(layout.shape.cell, range(layout.shape.count)):
        photo = layout.photo_in(cell)
        if photo is not None:
            corner = canvas.cell_rect(cell).topLeft()
            seen = image.pixelColor(round(corner.x()) + 2, round(corner.y() + canvas.cell_rect(cell).height() / 2))
            assert seen == QColor(*PALETTE[photo % 2])
    (alike,) = (label for label in quality.findChildren(QLabel) if "parity" in label.text())
    assert "same parity; by chance 47 %" in alike.text()
    window.session.undo_stack.undo()
    assert canvas.colouring is None and alike.isHidden()


def test_one_folder_alone_and_everything_again(qtbot: QtBot, album_window: MainWindow) -> None:
    window, session = album_window, album_window.session
    shape = document_of(session).shape
    session.edit(pinned, "Pin", Pins({0: shape.cell(3)}))
    wait_until_settled(qtbot, session)
    before = document_of(session)
    bar = window.workspace.tray.facet_bar
    bar.choose("folder", Wish("dogs"))
    bar.alone.click()
    wait_until_settled(qtbot, session)
    assert set(layout_of(session).shown) == set(range(14, 20)) and document_of(session).shape.count < shape.count
    assert not window.workspace.tray.all_again.isHidden() and bar.picked is None
    session.edit(captioned, 15, "Rex")
    window.workspace.tray.all_again.click()
    after = document_of(session)
    assert np.array_equal(layout_of(session).photo_at, before.layout.photo_at)  # type: ignore[union-attr]
    assert after.pins == before.pins and after.captions == {15: "Rex"} and not after.alone
    for _ in range(3):
        session.undo_stack.undo()
    assert document_of(session) is before or document_of(session).pins == before.pins


def test_photos_set_aside_come_back_after_the_project_was_saved(
    qtbot: QtBot, album_window: MainWindow, tmp_path: Path
) -> None:
    window = album_window
    window.workspace.tray.field.setText("photo-0003")
    window.workspace.tray.show_alone()
    wait_until_settled(qtbot, window.session)
    save_project(document_of(window.session), tmp_path / "alone.album")
    project: Document = load_project(tmp_path / "alone.album")
    assert project.alone == "photo-0003" and len(project.aside) == PHOTOS - 1 == len(project.excluded)
    edit = all_again(project)
    assert edit is not None and not edit.document.excluded and not edit.document.alone
    assert edit.document.shape.count >= PHOTOS


def test_a_table_that_does_not_fit_or_is_gone_is_told(
    qtbot: QtBot, album_window: MainWindow, table: Path, tmp_path: Path
) -> None:
    window = opened(qtbot, album_window, table)
    reported: list[str] = []
    window.session.problem.connect(lambda error: reported.append(str(error)))
    (tmp_path / "other.csv").write_text("file,x\nnobody.jpg,1\n")
    window.files.take_table(tmp_path / "other.csv")
    qtbot.waitUntil(lambda: bool(reported))
    assert reported[0].startswith("No column of the table other.csv names photos") and document_of(window.session).table
    window.session.edit(coloured_by, "parity", "parity")
    save_project(document_of(window.session), tmp_path / "t.album")
    table.unlink()
    window.session.open_document(load_project(tmp_path / "t.album"), tmp_path / "t.album")
    assert "table.csv was not found where it was" in reported[1]
    assert document_of(window.session).colour_by == "parity", "it is coloured again once the table is back"
    window.actions_table["close_table"].trigger()
    assert document_of(window.session).table is None


def test_the_export_draws_the_colours_and_keeps_presets(
    qtbot: QtBot, album_window: MainWindow, table: Path, tmp_path: Path
) -> None:
    window = opened(qtbot, album_window, table)
    window.session.edit(coloured_by, "parity", "parity")
    window.files.export()
    (dialog,) = window.findChildren(ExportDialog)
    form = dialog.findChild(ExportForm)
    assert form is not None
    form.become(Choice("SVG", RenderSettings(paper="A4", caption="{parity}", columns=("file", "parity", "number"))))
    assert form.choice.settings.colour_by == "parity" and form.choice.settings.caption == "{parity}"
    form.hanging_list.setChecked(True)
    form.preset_to_save.emit()
    dialog.findChild(QInputDialog).textValueSelected.emit("Wall")
    preset = next(box for box in form.findChildren(QComboBox) if box.accessibleName() == "Start from")
    forget = next(each for each in form.findChildren(QToolButton) if each.accessibleName() == "Delete this preset")
    qtbot.waitUntil(lambda: preset.findText("Wall") > 0)
    assert preset.currentText() == "Wall" and forget.isVisibleTo(form)
    dialog.export_to(tmp_path / "wall.svg")
    qtbot.waitUntil(lambda: (tmp_path / "wall.csv").exists() and form.isEnabled())  # no clicks while it writes
    text = (tmp_path / "wall.svg").read_text("utf-8")
    assert [text.count(hexadecimal(colour)) for colour in PALETTE[:2]] == [11, 11]
    assert (tmp_path / "wall.csv").read_text("utf-8").count("even") == PHOTOS // 2
    forget.click()
    answer(qtbot, dialog, "Delete")
    qtbot.waitUntil(lambda: preset.findText("Wall") < 0)
    dialog.done(0)


def test_words_are_found_at_once_in_the_table_and_in_captions(
    qtbot: QtBot, album_window: MainWindow, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(qtbot, album_window, table)
    tray, canvas = window.workspace.tray, window.workspace.canvas
    monkeypatch.setattr(PhotoWords, "search", lambda self, text: None)
    window.session.edit(captioned, 4, "An odd old mill")
    tray.field.setText("odd")
    tray.relist()
    assert listed(window) == sorted([4, *range(1, PHOTOS, 2)]) and canvas.highlight == frozenset(listed(window))
    assert tray.empty_note.text() == "11 of 20"
    tray.field.setText("nothing-like-it")
    tray.facet_bar.choose("parity", Wish("odd"))
    monkeypatch.setattr(PhotoWords, "is_searching", True)
    tray.relist()
    assert listed(window) == [] and canvas.highlight == frozenset(range(1, PHOTOS, 2)), "the column still holds"


def test_a_list_by_likeness_says_how_many_it_lists(qtbot: QtBot, album_window: MainWindow) -> None:
    tray = album_window.workspace.tray
    tray.show_ranking(Ranking("Like this", (3, 1, 4), 3))
    assert tray.empty_note.isVisible() and tray.empty_note.text() == "3 of 20"


def test_the_list_of_values_is_as_wide_as_its_longest_value(
    qtbot: QtBot, album_window: MainWindow, tmp_path: Path
) -> None:
    long = "African hunting dogs before a distant range of hills"
    lines = [f"photo-{k:04d}.jpg,{long if k % 2 else 'Sea'},{k}" for k in range(PHOTOS)]
    (tmp_path / "titles.csv").write_text("\n".join(["file,title,number", *lines]))
    window = opened(qtbot, album_window, tmp_path / "titles.csv")
    bar = window.workspace.tray.facet_bar
    bar.choose("title", None)
    values = bar.values
    values.showPopup()
    view = values.view()
    assert values.width() < view.fontMetrics().horizontalAdvance(long) <= view.viewport().width()
    values.hidePopup()


def test_what_the_table_says_is_shown_wherever_a_photo_is_described(
    qtbot: QtBot, album_window: MainWindow, table: Path
) -> None:
    window = opened(qtbot, album_window, table)
    document, cell = document_of(window.session), layout_of(window).cell_of(3)
    assert "parity: odd · number: 3" in line_about_cell(document, cell), "the card, the status bar, and aloud"
    assert "file:" not in line_about_cell(document, cell), "the name is said already"
    facts = facts_of(document, Pane(3, PhotoZoom(64, 48, (640, 480), 1)), [], True, None)
    assert facts[1:3] == ["parity: odd", "number: 3"]


def test_the_notice_about_a_table_counts_the_photos_that_have_a_line(
    qtbot: QtBot, album_window: MainWindow, table: Path
) -> None:
    notices: list[str] = []
    album_window.session.notice.connect(notices.append)
    table.write_text("\n".join(table.read_text().splitlines()[:-2]))
    opened(qtbot, album_window, table)
    qtbot.waitUntil(lambda: any("table.csv: 3 columns for 18 photos." in words for words in notices))


def test_stacked_photos_without_a_cell_are_counted_apart(qtbot: QtBot, album_window: MainWindow) -> None:
    window, session = album_window, album_window.session
    session.edit(stacked, [(0, 1)])
    spec = ShapeSpec("rectangle", 2, 2)
    session.edit(reshaped, "Shape", spec, rectangle(2, 2))
    wait_until_settled(qtbot, session)
    words = " ".join(label.text() for label in window.workspace.panel.findChildren(QLabel)).replace("\u00a0", " ")
    below = 0 if 0 in layout_of(window).shown else 1
    more = ", 1 of them under another photo" if below else ""
    assert f"19 photos for 4 cells, 2 × 2; {15 + below} photos have no cell{more}" in words
