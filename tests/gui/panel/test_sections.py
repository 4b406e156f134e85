"""Each control of the side panel: what it sets, what the edit is called, and that undo brings it back."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from album_app.gui.panel.shape import ShapePicture, ShapePreview
from album_app.gui.panel.shape_fields import TextField
from album_app.gui.state.load_steps import new_document
from album_app.gui.style import theme
from album_app.gui.window.main_window import MainWindow
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.editing.edits import pinned
from album_app.layout.editing.stacks import stacked
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Shape, ShapeSpec
from album_app.photos.album import scan
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.hands import (
    CTRL,
    KEY,
    SHIFT,
    canvas_of,
    document_of,
    drag,
    layout_of,
    pins,
    tray_of,
    type_keys,
    undo,
)
from tests.gui.panel.panel_hands import after_edit, choose, control
from tests.gui.panel.test_quality import colours_of

NOT_YET_MS = 600_000


CONTROLS: list[tuple[ShapeSpec, type, str, int, dict[str, Any]]] = [
    (ShapeSpec(), QSlider, "Aspect of the sheet", 100, {"aspect": 2.297}),
    (ShapeSpec("text", text="HI"), QSlider, "Weight of the letters", 0, {"weight": 0.0}),
    (ShapeSpec("text", text="HI"), QSlider, "Spacing of the letters", 80, {"spacing": 0.8}),
    (ShapeSpec("circle"), QSpinBox, "Cells", 13, {"cells": 13}),
]


def test_every_control_of_the_shape(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(40)
    for spec, kind, name, value, changed in CONTROLS:
        if spec != document_of(window).spec:
            after_edit(qtbot, window, partial(window.parts.reshaping.start, spec))
        shape, widget = document_of(window).shape, control(window, kind, name)
        before = widget.value()
        assert after_edit(qtbot, window, partial(widget.setValue, value)).startswith("Shape: "), name
        assert document_of(window).spec == replace(spec, **changed), name
        assert not document_of(window).shape.same_cells(shape), name
        undo(window)
        assert document_of(window).shape is shape and widget.value() == before, name


@pytest.fixture
def previews(monkeypatch: pytest.MonkeyPatch) -> list[Shape]:
    """Every shape that the preview shows."""
    shown: list[Shape] = []
    real = ShapePreview.set_shape
    monkeypatch.setattr(ShapePreview, "set_shape", lambda self, shape: (shown.append(shape), real(self, shape))[1])
    return shown


def test_letters_show_before_the_sheet_follows(open_window: OpenWindow, qtbot: QtBot, previews: list[Shape]) -> None:
    window = open_window(60)
    window.workspace.shape.apply_timer.setInterval(NOT_YET_MS)  # fonts may have to be read first
    choose(window, "Shape", "text")
    previews.clear()
    qtbot.keyClicks(control(window, TextField, "Text"), "HI")
    qtbot.waitUntil(lambda: bool(previews), timeout=WAIT_MS)
    assert document_of(window).spec.kind == "auto" and len(previews[0].centres) == 2
    description = control(window, ShapePreview, "Preview of the shape").accessibleDescription()
    assert description == f"{previews[0].name}, {previews[0].count} cells"
    window.workspace.shape.apply_timer.setInterval(0)
    qtbot.waitUntil(lambda: document_of(window).spec.kind == "text", timeout=WAIT_MS)
    assert document_of(window).shape.same_cells(previews[0])


def test_the_marks_in_letters_are_explained_beside_their_colour(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(60)
    preview = control(window, ShapePreview, "Preview of the shape")
    words = next(label for label in preview.findChildren(QLabel) if label.text().startswith("The middle of a letter"))
    assert not words.isVisible()
    after_edit(qtbot, window, lambda: window.parts.reshaping.start(ShapeSpec("text", text="HI")))
    window.workspace.panel.ensureWidgetVisible(preview)
    QApplication.processEvents()
    assert words.isVisible() and "“Letters”, under Pins" in words.text()
    assert control(window, QPushButton, "Pin a photo to the middle of each letter").text() == "Letters"
    for name in ("theme_dark", "theme_light"):
        window.actions_table[name].trigger()
        QApplication.processEvents()
        pin, parts = QColor(theme.current().pin), (preview.findChild(ShapePicture), words.parentWidget())
        assert all(pin in colours_of(part) for part in parts), "the same colour in the picture and next to the words"


def test_the_preview_has_as_many_cells_as_the_sheet_will_have(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, previews: list[Shape]
) -> None:
    for k in range(4):
        picture = Image.linear_gradient("L").rotate(90 * k).convert("RGB")
        picture.save(tmp_path / f"{k}-a.jpg")
        picture.resize((200, 200)).save(tmp_path / f"{k}-b.jpg")
    window = open_window(0, tmp_path)
    wait_until_settled(qtbot, window.session)
    window.session.edit(stacked, [(0, 1), (2, 3), (4, 5), (6, 7)])
    qtbot.waitUntil(lambda: len(window.parts.photos.taking_part()) == 4, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    previews.clear()
    choose(window, "Shape", "circle")
    qtbot.waitUntil(lambda: document_of(window).spec.kind == "circle", timeout=WAIT_MS)
    assert len(previews) >= 2 and {shape.count for shape in previews} == {document_of(window).shape.count}


def test_a_shape_just_chosen_does_not_hit_the_next_album(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    window, other = open_window(24), new_document(scan(photo_folder(5, "other")), Options())
    choose(window, "Shape", "heart")
    window.session.open_document(other)
    wait_until_settled(qtbot, window.session)
    assert not window.workspace.shape.is_ahead and not window.parts.jobs.running("shape")
    assert document_of(window).spec == ShapeSpec() and not window.session.undo_stack.canUndo()
    assert control(window, QComboBox, "Shape").currentData() == "auto"


def shown_texts(section: QWidget) -> list[str]:
    return [label.text() for label in section.findChildren(QLabel) if label.isVisible()]


def field_of(window: MainWindow, name: str) -> QWidget:
    kinds = {"Rows": QSpinBox, "Text": TextField, "Model": QLineEdit, "Seed": QSpinBox}
    return control(window, kinds[name], name) if name in kinds else tray_of(window).field


def test_undo_reaches_the_sheet_from_a_field_without_typed_text(window: MainWindow) -> None:
    drag(canvas_of(window), (0, 0), (1, 1))
    for name in ("Rows", "Text", "Model", "Seed", "Filter"):
        field = field_of(window, name)
        type_keys(field, KEY.Key_Z, modifiers=CTRL)
        assert pins(window) == {}, name
        type_keys(field, KEY.Key_Z, modifiers=CTRL | SHIFT)
        assert len(pins(window)) == 1, name


def test_undo_in_a_spin_box_takes_back_what_it_did_to_the_sheet(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "Shape", "rectangle")
    rows = control(window, QSpinBox, "Rows")
    rows.setFocus()
    before = rows.value()
    after_edit(qtbot, window, lambda: type_keys(rows, KEY.Key_Up))
    assert document_of(window).shape.rows == before + 1
    type_keys(rows, KEY.Key_Z, modifiers=CTRL)
    assert document_of(window).shape.rows == rows.value() == before


def test_undo_takes_a_shape_back_that_the_sheet_has_not_followed_yet(window: MainWindow, qtbot: QtBot) -> None:
    drag(canvas_of(window), (0, 0), (1, 1))
    before = document_of(window).spec
    choose(window, "Shape", "heart")
    undo(window)
    assert control(window, QComboBox, "Shape").currentData() == before.kind
    assert not window.workspace.shape.is_ahead and not window.parts.jobs.running("shape")
    assert document_of(window).spec == before and len(pins(window)) == 1


def test_undo_takes_typed_text_back_first(window: MainWindow) -> None:
    field = tray_of(window).field
    drag(canvas_of(window), (0, 0), (1, 1))
    field.setFocus()
    QTest.keyClicks(field, "abc")
    type_keys(field, KEY.Key_Z, modifiers=CTRL)
    assert field.text() == "" and len(pins(window)) == 1
    type_keys(field, KEY.Key_Z, modifiers=CTRL)
    assert pins(window) == {}


def test_undone_letters_leave_the_field(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "Shape", "text")
    field = control(window, TextField, "Text")
    after_edit(qtbot, window, lambda: qtbot.keyClicks(field, "HI"))
    assert field.hasFocus() and field.text() == "HI"
    undo(window)
    assert field.text() == "" and document_of(window).spec.kind == "auto"


def test_colour_and_content_are_mixed(open_window: OpenWindow) -> None:
    window = open_window(4)
    window.session.undo_stack.merge_seconds = 3600.0  # however slow the machine is between the two
    slider = control(window, QSlider, "Mix of colour and content")
    assert not slider.isVisible()
    choose(window, "Compare by", "blend")
    assert document_of(window).options.features == "blend:0.7" and slider.isVisible(), "more content than colour"
    slider.setValue(40)
    assert document_of(window).options.features == "blend:0.4"
    assert window.session.undo_stack.undoText() == "Mix of colour and content"
    undo(window)
    assert document_of(window).options.features == "lab" and not slider.isVisible(), "a slider's way is one edit"


def test_spare_cells(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(4)
    after_edit(qtbot, window, lambda: window.parts.reshaping.start(ShapeSpec("rectangle", rows=2, columns=3)))
    for fill, filled in (("empty", 4), ("repeat", 6)):
        assert after_edit(qtbot, window, partial(choose, window, "Spare cells", fill)) == "Spare cells"
        assert int((layout_of(window).photo_at >= 0).sum()) == filled
        undo(window)
        assert control(window, QComboBox, "Spare cells").currentData() == document_of(window).options.fill == "end"


NUMBERS = [("β", "beta", 0.4), ("ε", "epsilon", 0.05), ("λ", "lam", 0.01), ("b", "basis", 40), ("T", "iterations", 7)]


def test_every_number_of_the_solver(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    for name, field, value in NUMBERS:
        box, before = control(window, QAbstractSpinBox, f"{name}: "), document_of(window).options
        assert getattr(before, field) != value
        assert after_edit(qtbot, window, partial(box.setValue, value)) == f"Set {name}"
        assert box.text() == f"{value:g}", "without a tail of zeros"
        assert document_of(window).options == replace(before, **{field: value})
        undo(window)
        assert document_of(window).options == before and box.value() == getattr(before, field)


def test_cross_validation_chooses_for_the_user(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(60)
    placed = dict(sorted(layout_of(window).positions.items())[:40])
    after_edit(qtbot, window, lambda: window.session.edit(pinned, "Pin", Pins(placed)))
    check = control(window, QCheckBox, "Choose β and λ by cross-validation")
    assert after_edit(qtbot, window, check.click) == "Cross-validation"
    section = window.workspace.sections[-1]
    section.set_open(True)
    boxes = {name: control(window, QAbstractSpinBox, f"{name}: ").isVisible() for name in ("β", "λ", "ε")}
    assert document_of(window).options.auto and boxes == {"β": False, "λ": False, "ε": True}
    guide = layout_of(window).guide
    assert isinstance(guide, PlanGuide) and guide.selected is not None
    assert f"Chosen: β = {guide.selected.beta:g}, λ = {guide.selected.lam:g}" in shown_texts(section)
    assert not window.message_bar.isVisible(), window.message_bar.text
    undo(window)
    assert not check.isChecked() and control(window, QAbstractSpinBox, "β: ").isVisible()


def test_pins_that_say_too_little_choose_nothing(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    after_edit(qtbot, window, control(window, QCheckBox, "Choose β and λ by cross-validation").click)
    section = window.workspace.sections[-1]
    section.set_open(True)
    assert any(text.startswith("The pins say too little to choose by") for text in shown_texts(section))
