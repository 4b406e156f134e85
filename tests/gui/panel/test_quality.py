"""How good the sheet is: in plain words for everybody, in numbers and a plot for researchers, one source for each."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.panel.quality import MisfitsLine, PointsPicture, QualitySection
from album_app.gui.panel.researchers import ConvergencePlot, ScoreTable, _points
from album_app.gui.state import load_steps, recent
from album_app.gui.state.jobs import JobKind
from album_app.gui.state.load_steps import new_document
from album_app.gui.style import theme
from album_app.gui.style.wording import neighbours_grade, pins_grade
from album_app.gui.tray.model import ALL, EXCLUDED, SECTIONS, STACKED, UNPLACED, section_rows
from album_app.gui.window.main_window import MainWindow
from album_app.layout.arranging.arrange import arrange
from album_app.layout.editing.edits import Edit, excluded, included
from album_app.layout.editing.stacks import stacked, unstacked
from album_app.layout.evaluation.scores import layout_scores
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.project.project_file import save_project
from album_app.layout.shapes.shape import ShapeSpec, rectangle
from album_app.photos.album import scan
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.hands import canvas_of, document_of, drag, layout_of, press_button, tray_of, undo
from tests.gui.panel.panel_hands import after_edit, control, unfold


def open_numbers(window: MainWindow) -> None:
    window.workspace.sections[-1].set_open(True)


def text_of(window: MainWindow, name: str) -> str:
    label = control(window, QLabel, name)
    assert isinstance(label, QLabel)
    return label.text()


def wait_for_scores(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "dpq16" in layout_of(window).scores, timeout=WAIT_MS)


def test_quality_is_told_in_words_and_points(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(20)
    wait_for_scores(window, qtbot)
    assert text_of(window, "Pins") == "None yet"
    after_edit(qtbot, window, lambda: window.session.drop([0], (0, 0)))
    qtbot.waitUntil(lambda: "pin_pull" in layout_of(window).scores, timeout=WAIT_MS)
    neighbours, pins = neighbours_grade(layout_of(window)), pins_grade(layout_of(window))
    assert neighbours is not None and pins is not None
    assert (text_of(window, "Neighbours"), text_of(window, "Pins")) == (
        neighbours.words.capitalize(),
        pins.words.capitalize(),
    )
    points = [picture.filled for picture in window.workspace.sections[-2].findChildren(PointsPicture)]
    assert points == [neighbours.points, pins.points] and all(0 < point <= 4 for point in points)
    plain = [label.text() for label in window.workspace.sections[-2].findChildren(QLabel)]
    assert not any(word in text for text in (*plain, window.summary.text()) for word in ("SMI", "DPQ", "%", "z "))


def test_points_that_are_not_reached_are_hollow_in_high_contrast(qtbot: QtBot) -> None:
    before = theme.current().name
    palette = theme.apply(theme.CONTRAST)
    points = PointsPicture()
    qtbot.addWidget(points)
    points.filled = 1
    points.resize(points.sizeHint())
    picture = points.grab().toImage()
    first, second = (picture.pixelColor(7 + 14 * point, 7) for point in range(2))
    theme.apply(before)
    assert first == QColor(palette.accent) and second == QColor(palette.surface) != QColor(palette.line)


def test_a_reopened_project_is_measured_by_the_features_of_its_layout(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, ready = photo_folder(36), threading.Event()
    other, options = np.random.default_rng(1).random((36, 3), np.float32), Options(features="rgb:5")
    document = new_document(scan(folder), options)
    layout = arrange(other, document.shape, options=options, features_key="rgb:5/1")
    save_project(replace(document, layout=layout), folder.with_suffix(".album"))
    monkeypatch.setattr(load_steps, "extract", lambda photos, name, task, pace: (ready.wait(20), other)[1])
    window = open_window(0, folder.with_suffix(".album"))
    open_numbers(window)
    qtbot.waitUntil(lambda: window.parts.jobs.running(JobKind.FEATURES), timeout=WAIT_MS)
    window.parts.solving.score()
    qtbot.wait(20)
    assert text_of(window, "Neighbours") == "Not measured yet" == text_of(window, "DPQ₁₆").capitalize()
    assert not layout_of(window).scores and not window.workspace.panel.findChild(MisfitsLine).photos
    ready.set()
    wait_for_scores(window, qtbot)
    assert layout_of(window).scores["dpq16"] == pytest.approx(layout_scores(layout, other)["dpq16"])
    assert text_of(window, "Features") == "rgb:5" and np.array_equal(layout_of(window).photo_at, layout.photo_at)
    assert text_of(window, "What neighbours are measured by") == "Measured by “Red, green and blue”."


@pytest.mark.parametrize(
    ("dpq", "distance", "points", "words"),
    [
        (0.9, 0.4, 4, "very smooth"),
        (0.7, 0.4, 3, "smooth"),
        (0.55, 0.4, 2, "a little mixed"),
        (0.4, 0.4, 1, "mixed"),
        (0.9, 0.8, 3, "smooth"),
        (0.9, 0.9, 2, "a little mixed"),
        (0.7, 1.1, 1, "mixed"),
    ],
)
def test_words_for_neighbours(dpq: float, distance: float, points: int, words: str) -> None:
    scores = {"dpq16": dpq, "neighbour_distance": distance}
    grade = neighbours_grade(Layout(rectangle(1, 3), np.arange(3), np.ones(3, np.float32), Pins(), scores=scores))
    assert grade is not None and (grade.points, grade.words) == (points, words)


def places_agree(window: MainWindow) -> tuple[int, ...]:
    """Check every place that shows a number against the lists of the tray, and return the numbers."""
    tray, document, damaged = tray_of(window), document_of(window), window.parts.photos.pictures.damaged
    listed = {section: len(section_rows(document, section, damaged)) for section in SECTIONS}
    for section, button in tray.section_buttons.items():
        assert button.text() == f"{SECTIONS[section]} {listed[section]}"
    photos, unplaced, stacked = listed[ALL], listed[UNPLACED], listed[STACKED]
    shown, cells = len(layout_of(window).shown), document.shape.count
    assert shown + unplaced + stacked == photos
    assert photos + listed[EXCLUDED] == len(document.album), "no photo is lost, and none counted twice"
    first = f"{shown} of {photos}" if unplaced or not stacked else str(shown)
    more = f", {stacked} more in stacks" if stacked else ""
    assert window.summary.text().startswith(f"{first} photos on {cells} cells{more}")
    assert text_of(window, "Shown") == f"{shown} / {photos} / {cells}"
    words = (
        [f"{shown} of {photos} photos are on the sheet"] if unplaced else [f"{photos} photos are", f"{shown} photos"]
    )
    assert any(word in text_of(window, "Photos on the sheet") for word in words)
    assert not unplaced or f"{unplaced} are not" in text_of(window, "Photos on the sheet").replace("is", "are")
    no_cell = f"{unplaced} photo{'s have' if unplaced > 1 else ' has'} no cell" if unplaced else ""
    below = sum(photo in document.covered for photo in section_rows(document, UNPLACED, damaged))
    under = f", {below} of them under {'other photos' if below > 1 else 'another photo'}" if below else ""
    assert text_of(window, "Size of the sheet").endswith(no_cell + under)
    assert unplaced or "no cell" not in text_of(window, "Size of the sheet")
    months = [tray.months.itemText(place) for place in range(1, tray.months.count())]
    assert sum(int(month.rpartition("(")[2].rstrip(")")) for month in months) == photos, "every photo has its month"
    dialog = ExportDialog(
        *(window, window.session, window.parts.photos, window.parts.jobs, window.parts.reshaping),
        *(window.preferences, "", lambda lost: None),
    )
    said = next(
        label.text() for label in dialog.findChildren(QLabel) if label.accessibleName() == "Remarks on the export"
    )
    dialog.reject()
    dialog.deleteLater()
    assert (f"{no_cell}." in said) if unplaced else ("no cell" not in said)
    return photos, shown, unplaced, stacked, listed[EXCLUDED]


def test_every_place_shows_the_same_counts_after_every_edit(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(20)
    session = window.session
    assert places_agree(window) == (20, 20, 0, 0, 0)
    after_edit(qtbot, window, lambda: session.edit(excluded, [3, 4]))
    assert places_agree(window) == (18, 18, 0, 0, 2)
    after_edit(qtbot, window, lambda: session.edit(stacked, [(5, 6, 7), (8, 9)]))
    assert places_agree(window) == (18, 15, 0, 3, 2)
    window.parts.reshaping.start(ShapeSpec("rectangle", rows=3, columns=4))
    qtbot.waitUntil(lambda: document_of(window).shape.count == 12, timeout=WAIT_MS)
    wait_until_settled(qtbot, session)
    photos, shown, *_, gone = places_agree(window)
    assert (photos, shown, gone) == (18, 12, 2)
    after_edit(qtbot, window, lambda: session.edit(included, [3]))
    assert places_agree(window)[0] == 19
    after_edit(qtbot, window, lambda: session.drop([0], (0, 0)))
    after_edit(qtbot, window, lambda: session.edit(unstacked, [5]))
    assert places_agree(window)[0] == 19
    folder = document_of(window).album.photos[0].path.parent
    more = [folder.parent / f"more-{k}.jpg" for k in range(3)]
    for k, path in enumerate(more):
        Image.new("RGB", (60, 40), (80 * k, 90, 20)).save(path)
    after_edit(qtbot, window, lambda: window.parts.loading.add_files(more))
    assert places_agree(window)[0] == 22
    document = document_of(window)
    after_edit(qtbot, window, lambda: session.apply(Edit("Miss", replace(document, missing=frozenset({11, 22})))))
    places_agree(window)
    while session.undo_stack.canUndo():
        undo(window)
        wait_until_settled(qtbot, session)
        places_agree(window)
    assert places_agree(window) == (20, 20, 0, 0, 0)
    assert [album.photos for album in recent.recent_albums()] == [20]


def test_photos_without_a_cell_are_one_list_with_the_reason(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(20)
    button = control(window, QPushButton, "List the photos without a cell")
    assert not button.isVisible()
    after_edit(qtbot, window, lambda: window.session.edit(excluded, [3]))
    window.parts.reshaping.start(ShapeSpec("rectangle", rows=3, columns=6))
    qtbot.waitUntil(lambda: document_of(window).shape.count == 18, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    unfold(window, QualitySection)
    press_button(qtbot, window.workspace.panel, "Show them")
    model = tray_of(window).model
    lines = [model.line(row) for row in range(len(model.rows))]
    details = {line.photo: line.detail for line in lines if line is not None}
    assert len(details) == 1
    assert next(iter(details.values())).startswith("No cell left; like photo-")


def test_the_numbers_are_under_a_fold_and_none_is_lost(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(20)
    table = window.workspace.panel.findChild(ScoreTable)
    assert isinstance(table, ScoreTable) and not table.isVisible()
    open_numbers(window)
    assert table.isVisible()
    window.session.drop([0], (0, 0))
    qtbot.waitUntil(lambda: "pin_pull" in layout_of(window).scores, timeout=WAIT_MS)
    assert 0 < float(text_of(window, "DPQ₁₆")) <= 1 and 0 < float(text_of(window, "Pin pull")) <= 1
    assert "z" in text_of(window, "SMI") and text_of(window, "Shown") == "20 / 20 / 20"


def test_whether_the_plan_can_be_trusted_is_told(open_window: OpenWindow) -> None:
    window = open_window(6)
    open_numbers(window)
    trusted = replace(layout_of(window), converged=True, degenerate="")
    for layout, plan in (
        (trusted, "at rest"),
        (replace(trusted, converged=False), "still moving"),
        (replace(trusted, degenerate="no pins to learn from"), "says little"),
    ):
        window.session.accept_layout(layout)
        assert text_of(window, "Plan") == plan
        texts = [label.text() for label in window.workspace.panel.findChildren(QLabel) if label.isVisible()]
        assert not layout.caution or layout.caution in texts


def test_the_way_to_the_last_layout_is_plotted_and_follows_undo(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(30)
    open_numbers(window)
    plot, shown = window.workspace.panel.findChild(ConvergencePlot), set()
    assert isinstance(plot, ConvergencePlot)
    before = plot.accessibleDescription()
    window.session.layout_changed.connect(lambda layout: shown.add((plot.isVisible(), plot.height())))
    after_edit(qtbot, window, lambda: drag(canvas_of(window), (0, 0), (1, 1)))
    assert shown == {(True, plot.sizeHint().height())}, "it keeps its room while the sheet is arranged"
    after, trace = plot.accessibleDescription(), layout_of(window).trace
    assert before and after != before and len(trace) > 1
    assert after.startswith(f"{len(trace)} steps in ")
    assert after.endswith(f"SMI {trace[0][1]:.3f} → {trace[-1][1]:.3f}")
    assert QColor(theme.current().accent) in colours_of(plot)
    undo(window)
    assert plot.accessibleDescription() == before
    window.actions_table["redo"].trigger()
    assert plot.accessibleDescription() == after


@pytest.mark.parametrize(("smi", "share"), [((0.5, 0.501), 0.1), ((0.5, 0.9), 1.0)])
def test_a_small_change_looks_small_in_the_plot(smi: tuple[float, float], share: float) -> None:
    area = QRectF(0, 0, 200, 50)
    first, last = _points(tuple((0.1 * k, value) for k, value in enumerate(smi)), area)
    assert area.contains(first) and area.contains(last)
    assert 0 < first.y() - last.y() <= share * area.height() + 1e-6
    assert first.y() - last.y() >= 0.9 * area.height() or share < 1


def colours_of(widget: QWidget) -> list[QColor]:
    picture = widget.grab().toImage()
    return [picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height())]


def test_the_panel_keeps_its_width_whatever_the_sheet_is_worth(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(30)
    panel, inside = window.workspace.panel, window.workspace.panel.widget()
    wait_for_scores(window, qtbot)
    before = panel.width(), inside.minimumSizeHint().width()
    after_edit(qtbot, window, lambda: window.session.drop([3], (0, 0)))
    wait_for_scores(window, qtbot)
    qtbot.waitUntil(lambda: text_of(window, "Pins") != "None yet", timeout=WAIT_MS)
    assert (panel.width(), inside.minimumSizeHint().width()) == before
    for section in window.workspace.sections[:-1]:
        section.set_open(False)
    assert panel.width() == before[0]
