"""The side panel: each control changes the document by a named edit and follows undo."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMoveEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QSpinBox,
)
from pytestqt.qtbot import QtBot

from album_app.cli import main
from album_app.gui.controls.sections import LabelledSlider
from album_app.gui.panel.look import LookSection
from album_app.gui.panel.pins import PinList
from album_app.gui.panel.shape import ShapePreview
from album_app.gui.panel.shape_fields import TextField
from album_app.gui.panel.time import TimeSection
from album_app.layout.editing.edits import pinned, reshaped, resized, unpinned
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import ShapeSpec, rectangle
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.hands import accept_proposal, document_of, layout_of, undo
from tests.gui.panel.panel_hands import after_edit, choose, control


def test_every_drawn_shape(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(30)
    for kind in ("circle", "heart", "diamond", "ring", "triangle", "hexagon"):
        assert after_edit(qtbot, window, partial(choose, window, "Shape", kind)) == f"Shape: {kind.capitalize()}"
        document = window.session.document
        assert document.spec.kind == kind and document.shape.count == 30
        window.session.undo_stack.undo()
        assert control(window, QComboBox, "Shape").currentData() == "auto"


def test_rows_keep_a_cell_for_every_photo(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(24)
    choose(window, "Shape", "rectangle")
    rows, columns = control(window, QSpinBox, "Rows"), control(window, QSpinBox, "Columns")
    after_edit(qtbot, window, lambda: rows.setValue(3))
    assert columns.value() == 8
    assert window.session.document.shape.count == 24
    control(window, QCheckBox, "Keep a cell for every photo").setChecked(False)
    after_edit(qtbot, window, lambda: columns.setValue(4))
    assert (rows.value(), window.session.document.shape.count) == (3, 12)
    assert len(window.session.document.layout.shown) == 12


def test_text_shows_while_it_is_typed(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(60)
    choose(window, "Shape", "text")
    field = control(window, TextField, "Text")
    name = after_edit(qtbot, window, lambda: qtbot.keyClicks(field, "HI"))
    document = window.session.document
    assert name == "Shape: Text" and document.spec.text == "HI" and len(document.shape.centres) == 2
    assert window.actions_table["pin_letters"].isEnabled()
    window.actions_table["pin_letters"].trigger()
    accept_proposal(qtbot, window)
    assert set(window.session.document.pins.values()) == set(document.shape.centres)


def test_a_mask_from_a_picture(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    picture = Image.new("L", (60, 60), 255)
    ImageDraw.Draw(picture).rectangle((15, 5, 44, 54), fill=0)
    picture.save(tmp_path / "mask.png")
    window = open_window(20)
    choose(window, "Shape", "mask")
    dialog = window.findChildren(QFileDialog)[-1]

    def accept() -> None:
        dialog.filesSelected.emit([str(tmp_path / "mask.png")])
        dialog.done(1)

    assert Path(dialog.directory().path()) == tmp_path / "photos", "it begins where the album is"
    after_edit(qtbot, window, accept)
    assert window.session.document.spec.kind == "mask"
    dark = window.session.document.shape
    after_edit(qtbot, window, control(window, QCheckBox, "Photos where it is light").click)
    light = window.session.document.shape
    assert not light.same_cells(dark) and not light.mask[light.rows // 2, light.columns // 2]
    window.session.undo_stack.undo()
    assert not control(window, QCheckBox, "Photos where it is light").isChecked()
    control(window, QPushButton, "Choose a black and white picture as mask").click()
    again = window.findChildren(QFileDialog)[-1]
    assert Path(again.directory().path()) == tmp_path, "and the next time where the last mask was"
    again.reject()


def test_an_impossible_shape_is_explained_in_place(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(3)
    choose(window, "Shape", "text")
    qtbot.keyClicks(control(window, TextField, "Text"), "A VERY LONG TEXT FOR THREE PHOTOS")
    labels = window.workspace.panel.findChildren(QLabel)
    qtbot.waitUntil(lambda: any("cells" in label.text() and "photos for" not in label.text() for label in labels))


def test_features_change_and_come_back(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    assert after_edit(qtbot, window, lambda: choose(window, "Compare by", "rgb")).startswith("Compare by")
    assert window.session.document.options.features == "rgb"
    assert window.parts.photos.vectors.complete("rgb", 12) is not None
    window.session.undo_stack.undo()
    assert control(window, QComboBox, "Compare by").currentData() == "lab"


def test_a_model_that_does_not_exist_is_refused(open_window: OpenWindow) -> None:
    window = open_window(3)
    choose(window, "Compare by", "torchvision")
    control(window, QLineEdit, "Model").setText("@")
    control(window, QPushButton, "Use this model").click()
    assert window.message_bar.isVisible() and "torchvision:@" in window.message_bar.text
    assert window.session.document.options.features == "lab" and not window.session.undo_stack.canUndo()
    assert control(window, QComboBox, "Compare by").currentData() == "lab", "what is at work is shown again"


def test_following_the_pins(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    slider = control(window, QSlider, "Follow the pins")
    assert after_edit(qtbot, window, lambda: slider.setValue(90)) == "Follow the pins"
    assert window.session.document.options.follow == 0.9
    window.session.undo_stack.undo()
    assert slider.value() == 50


def test_the_list_of_pins(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    window.session.drop([3], (0, 0))
    window.session.drop([4], (1, 1))
    pins = window.workspace.panel.findChild(PinList)
    assert [pins.item(k).data(Qt.ItemDataRole.UserRole) for k in range(pins.count())] == [3, 4]
    assert not pins.item(0).icon().isNull()
    pins.setCurrentRow(1)
    control(window, QPushButton, "Show the pinned photo").click()
    assert window.session.selected == (4,)
    qtbot.keyClick(pins, Qt.Key.Key_Delete)
    assert dict(window.session.document.pins) == {3: (0, 0)}
    assert window.session.undo_stack.undoText() == "Unpin photo-0004"


def test_the_list_of_pins_follows_the_selection(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    session = window.session
    session.drop([3], (0, 0))
    session.drop([4], (1, 1))
    go, unpin = (control(window, QPushButton, name) for name in ("Show the pinned photo", "Unpin the chosen"))
    session.select((7,))
    assert not go.isEnabled() and not unpin.isEnabled()
    session.select((4,), (1, 1))
    assert go.isEnabled() and unpin.isEnabled()
    unpin.click()
    assert dict(session.document.pins) == {3: (0, 0)} and not unpin.isEnabled()


def test_the_buttons_never_move_while_pins_join(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    with qtbot.waitSignal(window.parts.solving.scored, timeout=WAIT_MS):
        window.session.drop([3], (0, 0))
    QApplication.processEvents()
    section = next(section for section in window.workspace.sections if section.title == "Pins")
    moves: list[tuple[int, int]] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QMoveEvent) and event.pos() != event.oldPos():
                moves.append((event.oldPos().y(), event.pos().y()))
            return False

    watch = Watch(window)
    section.installEventFilter(watch)
    for photo, cell in ((4, (1, 1)), (5, (2, 2))):
        height = section.height()
        after_edit(qtbot, window, partial(window.session.drop, [photo], cell))
        qtbot.waitUntil(lambda height=height: section.height() > height, timeout=WAIT_MS)
    assert not moves


def test_pictures_of_the_pins_are_of_one_size(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for name, size in (("wide", (90, 30)), ("tall", (30, 90))):
        Image.new("RGB", size, "red").save(tmp_path / f"{name}.png")
    window = open_window(0, tmp_path)
    wait_until_settled(qtbot, window.session)
    window.session.edit(pinned, "Pin", Pins({0: (0, 0), 1: (0, 1)}))
    pins = window.workspace.panel.findChild(PinList)
    sizes = {pins.item(row).icon().actualSize(pins.iconSize()) for row in range(2)}
    assert sizes == {pins.iconSize()}


def test_the_solvers_numbers(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    seed = control(window, QSpinBox, "Seed")
    assert after_edit(qtbot, window, lambda: seed.setValue(5)) == "Set Seed"
    after_edit(qtbot, window, lambda: control(window, QCheckBox, "Refine the sheet").setChecked(False))
    assert window.session.document.options.seed == 5 and not window.session.document.options.refine
    after_edit(qtbot, window, control(window, QPushButton, "Reset to the defaults").click)
    assert window.session.document.options.seed == 0 and window.session.document.options.refine


def test_a_pin_that_the_others_contradict_is_marked(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(100)
    session = window.session
    layout = session.document.layout
    lattice = [(row, column) for row in (0, 3, 6, 9) for column in (0, 3, 6, 9)]
    pins = {layout.photo_in(cell): cell for cell in lattice}
    stray = layout.photo_in((0, 0))
    session.edit(pinned, "Pin", Pins(pins | {stray: (9, 8)}))
    shown = control(window, PinList, "Pinned photos")
    qtbot.waitUntil(lambda: bool(remarks_of(shown)), timeout=20_000)
    marked = remarks_of(shown)
    assert marked["row 10, column 9"] == (
        "The other pins would put this photo far from here.\nIt stays where you pinned it."
    )
    assert "row 4, column 4" not in marked, "not one that agrees with those around it"
    assert set(marked) < set(places_of(shown)) and len(places_of(shown)) == len(lattice), "all places are named"
    row = next(row for row, place in enumerate(places_of(shown)) if place == "row 10, column 9")
    assert shown.item(row).data(Qt.ItemDataRole.AccessibleDescriptionRole).startswith("The other pins")
    session.edit(unpinned, [stray])
    assert not remarks_of(shown)


def places_of(shown: PinList) -> list[str]:
    return [shown.item(row).text().split("\n")[1] for row in range(shown.count())]


def remarks_of(shown: PinList) -> dict[str, str]:
    """What is said about single pins, by their place."""
    items = [shown.item(row) for row in range(shown.count())]
    return {place: item.toolTip() for place, item in zip(places_of(shown), items, strict=True) if item.toolTip()}


def test_a_crowded_sheet_asks_which_photos_to_show(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    assert not control(window, QComboBox, "Show").isVisible(), "every photo has a cell"
    spec = ShapeSpec("rectangle", rows=2, columns=3)
    after_edit(qtbot, window, lambda: window.session.edit(reshaped, "Shape", spec, rectangle(2, 3)))
    assert control(window, QComboBox, "Show").isVisible()
    name = after_edit(qtbot, window, lambda: choose(window, "Show", "best"))
    assert name == "Which photos are shown" and document_of(window).options.choose == "best"
    undo(window)
    assert control(window, QComboBox, "Show").currentData() == "varied"


def test_vectors_from_a_file_arrange_the_sheet_and_wrong_ones_are_refused(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    np.save(tmp_path / "good.npy", np.arange(12, dtype=np.float32)[:, None])
    np.save(tmp_path / "short.npy", np.zeros((5, 2), np.float32))
    window = open_window(12)

    def choose_file(name: str) -> None:
        choose(window, "Compare by", "vectors")
        dialog = window.findChildren(QFileDialog)[-1]
        dialog.filesSelected.emit([str(tmp_path / name)])
        dialog.done(1)

    after_edit(qtbot, window, lambda: choose_file("good.npy"))
    assert document_of(window).layout_features.endswith("good.npy")
    before = document_of(window).layout.photo_at.tolist()
    choose_file("short.npy")
    qtbot.waitUntil(lambda: "5 rows for 12 photos" in window.message_bar.text)
    assert document_of(window).layout.photo_at.tolist() == before
    assert document_of(window).layout_features.endswith("good.npy")


def test_vectors_without_names_say_which_photo_a_row_was_taken_for(
    open_window: OpenWindow, photo_folder: PhotoFolder, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = photo_folder(12)
    for number, path in enumerate(sorted(folder.iterdir())):
        path.rename(folder / f"{number}.jpg")
    np.save(tmp_path / "rows.npy", np.arange(12, dtype=np.float32)[:, None])
    window, told = open_window(0, folder), []
    wait_until_settled(qtbot, window.session)
    window.session.notice.connect(told.append)
    choose(window, "Compare by", "vectors")
    dialog = window.findChildren(QFileDialog)[-1]
    dialog.filesSelected.emit([str(tmp_path / "rows.npy")])
    dialog.done(1)
    qtbot.waitUntil(lambda: any("Row 3 of rows.npy was taken for 2.jpg, not for 10.jpg" in text for text in told))


def test_a_panel_made_for_an_open_album_offers_what_its_look_needs(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(4)
    late = LookSection(window.session, window.parts.solving, window.preferences, window.parts.facets)
    qtbot.addWidget(late)
    assert late.findChildren(LabelledSlider)[0].isHidden(), "colours are not mixed with anything"


def test_a_project_that_the_program_starts_with_fills_the_panel(
    open_window: OpenWindow, photo_folder: PhotoFolder, tmp_path: Path, qtbot: QtBot
) -> None:
    project = tmp_path / "pinned.album"
    folder = str(photo_folder(6))
    words = ["arrange", folder, "--project", str(project), "--pin-preset", "corners", "--time-weight", "0.4"]
    assert main([*words, "--quiet"]) == 0
    window = open_window(0, project)
    wait_until_settled(qtbot, window.session)
    assert window.findChildren(PinList)[0].count() == 4
    assert window.findChildren(ShapePreview)[0].isHidden(), "rows and columns need no picture"
    assert window.findChildren(TimeSection)[0].findChildren(LabelledSlider)[0].value == pytest.approx(0.4, abs=0.01)


def test_a_number_of_photos_gives_rows_and_columns_with_room_for_large_ones(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(40)
    after_edit(qtbot, window, lambda: choose(window, "Shape", "rectangle"))
    photos = control(window, QSpinBox, "Photos on the sheet")
    assert isinstance(photos, QSpinBox) and photos.value() == 40
    after_edit(qtbot, window, lambda: photos.setValue(12))
    assert len(layout_of(window).shown) == 12 and photos.value() == 12
    after_edit(qtbot, window, lambda: window.session.edit(resized, [layout_of(window).shown[0]], 2))
    after_edit(qtbot, window, lambda: photos.setValue(21))
    assert len(layout_of(window).shown) == 21 and layout_of(window).shape.count == 24
