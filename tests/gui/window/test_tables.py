"""Rows added to the program's tables appear in the window, which has never heard of them."""

import pytest
from PySide6.QtWidgets import QComboBox, QSpinBox
from pytestqt.qtbot import QtBot

from album_app.gui.commands.file_commands import photo_files
from album_app.gui.dialogs.preferences import PreferencesDialog
from album_app.gui.panel.shape import picture_files
from album_app.gui.state.preferences import Preferences
from album_app.layout.shapes.shape import KINDS, Kind, rectangle
from album_app.photos.features import EXTRACTORS
from album_app.photos.features.rgb import Rgb
from album_app.photos.features.table import Entry
from tests.gui.conftest import OpenWindow
from tests.gui.dialogs.dialog_hands import named
from tests.gui.hands import document_of, undo
from tests.gui.panel.panel_hands import after_edit, choose, control


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> Entry:
    row = Entry(title="Light", sentence="How light it is.", usage="light", make=lambda words: Rgb(1), seconds=3)
    monkeypatch.setitem(EXTRACTORS, "light", row)
    return row


def test_an_extractor_is_in_the_panel(light: Entry, open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    combo = control(window, QComboBox, "Compare by")
    assert isinstance(combo, QComboBox) and combo.itemText(combo.findData("light")) == "Light"
    assert after_edit(qtbot, window, lambda: choose(window, "Compare by", "light")) == "Compare by “Light”"
    assert combo.toolTip() == "How light it is. A thousand photos take about 3 seconds, more on a busy computer."
    features = window.parts.photos.vectors.complete("light", 6)
    assert features is not None and features.shape == (6, 3), "and the sheet is arranged by it"


def test_an_extractor_is_in_the_preferences(light: Entry, open_window: OpenWindow) -> None:
    window = open_window(3)
    window.actions_table["preferences"].trigger()
    dialog = window.findChild(PreferencesDialog)
    assert dialog is not None
    combo = named(dialog, QComboBox, "New albums are arranged by")
    assert isinstance(combo, QComboBox) and combo.findText("Light") == combo.findData("light") >= 0
    preferences = Preferences()
    preferences.set("features", "light")
    preferences.save()
    assert Preferences().get("features") == "light"
    dialog.close()


def test_undo_and_panel_use_the_same_words(open_window: OpenWindow) -> None:
    window = open_window(3)
    combo = control(window, QComboBox, "Compare by")
    assert isinstance(combo, QComboBox)
    assert {name: combo.itemText(combo.findData(name)) for name in EXTRACTORS} == {
        name: entry.title for name, entry in EXTRACTORS.items()
    }
    for name in ("rgb", "resnet20", "semantic"):
        choose(window, "Compare by", name)
        assert window.session.undo_stack.undoText() == f"Compare by “{EXTRACTORS[name].title}”"
        undo(window)


def test_a_shape_is_in_the_panel(monkeypatch: pytest.MonkeyPatch, open_window: OpenWindow, qtbot: QtBot) -> None:
    monkeypatch.setitem(KINDS, "column", Kind("Column", lambda spec, wanted: rectangle(wanted, 1)))
    window = open_window(6)
    assert after_edit(qtbot, window, lambda: choose(window, "Shape", "column")) == "Shape: Column"
    assert document_of(window).shape.rows == 6
    assert control(window, QSpinBox, "Cells").isVisible()


@pytest.mark.parametrize("filters", [photo_files(), picture_files()])
def test_file_dialogs_offer_every_kind_of_picture_that_is_read(filters: str) -> None:
    assert {"*.jpg", "*.jfif", "*.heic", "*.avif", "*.j2k"} <= set(filters.partition("(")[2].partition(")")[0].split())
