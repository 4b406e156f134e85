"""Words in the tray's filter find what photos show, and names stand over the regions of the sheet."""

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from album_app.gui.state.photo_words import PhotoWords
from album_app.layout.evaluation.region_names import Label
from album_app.photos.classes import Classes
from album_app.photos.everyday_words import word_for
from tests.gui.conftest import OpenWindow

DOGS = {9: 0.9, 4: 0.6, 2: 0.3}


@pytest.fixture
def dogs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Albums whose photos 9, 4 and 2 show dogs; how often the network was asked."""
    dog, asked = word_for("dog"), list[int]()
    assert dog is not None

    def classes_of(photos: list[object], **unused: object) -> Classes:
        asked.append(len(photos))
        numbers = np.zeros((len(photos), 10), np.int16)
        numbers[:, 0] = min(dog.classes)
        probabilities = np.zeros((len(photos), 10), np.float32)
        for photo, probability in DOGS.items():
            probabilities[photo, 0] = probability
        return Classes(numbers, probabilities)

    monkeypatch.setattr("album_app.photos.classes.classes_of", classes_of)
    return asked


def test_a_word_lists_what_shows_it_best_first(open_window: OpenWindow, dogs: list[int], qtbot: QtBot) -> None:
    window = open_window(12)
    tray, words = window.workspace.tray, window.parts.words
    with qtbot.waitSignal(words.found):
        tray.field.setText("dogs")
    assert tray.model.rows == [9, 4, 2]
    assert window.workspace.canvas.highlight == {9, 4, 2}
    assert tray.model.row_of(4) == 1
    with qtbot.waitSignal(words.found):
        tray.field.setText("Hund")
    assert tray.model.rows == [9, 4, 2] and dogs == [12], "the network is asked once"


def test_names_of_files_follow_what_photos_show(open_window: OpenWindow, dogs: list[int], qtbot: QtBot) -> None:
    window = open_window(12)
    tray = window.workspace.tray
    with qtbot.waitSignal(window.parts.words.found):
        tray.field.setText("dog")
    tray.field.setText("0004")
    tray.relist()
    assert tray.model.rows == [4], "another text has nothing to do with dogs"


def test_an_unknown_word_names_those_that_are_known(open_window: OpenWindow, dogs: list[int], qtbot: QtBot) -> None:
    window = open_window(12)
    tray = window.workspace.tray
    tray.field.setText("helicopter")
    tray.relist()
    qtbot.waitUntil(lambda: not tray.model.rows)
    assert any("airplane" in label.text() for label in tray.findChildren(QLabel))
    assert dogs == []


def test_names_stand_over_regions_until_they_are_switched_off(
    open_window: OpenWindow, dogs: list[int], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    label = Label("blue", 1.5, 1.5, (0, 1), 0.8)
    monkeypatch.setattr("album_app.layout.evaluation.region_names.region_names", lambda *arguments: [label])
    window = open_window(12)
    canvas, action = window.workspace.canvas, window.actions_table["names"]
    plain = canvas.grab().toImage()
    words: PhotoWords = window.parts.words
    with qtbot.waitSignal(words.named):
        action.trigger()
    assert canvas.region_labels == [label]
    assert canvas.grab().toImage() != plain
    action.trigger()
    assert canvas.region_labels == []
    assert canvas.grab().toImage() == plain
