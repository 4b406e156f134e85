"""The look that most eyes chose is offered once the first sheet stands; nothing moves before the click."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from album_app.gui.panel.look import LookOffer, time_words
from album_app.gui.state import load_steps
from album_app.gui.window.main_window import MainWindow
from album_app.layout.project.project_file import save_project
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.hands import document_of, layout_of
from tests.gui.panel.panel_hands import choose, control


def offer_of(window: MainWindow) -> LookOffer:
    return window.workspace.panel.findChildren(LookOffer)[0]


def wait_until_scored(qtbot: QtBot, window: MainWindow) -> None:
    wait_until_settled(qtbot, window.session)
    qtbot.waitUntil(lambda: "dpq16" in layout_of(window.session).scores, timeout=WAIT_MS)
    qtbot.wait(1)


@pytest.fixture(autouse=True)
def content_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in the photos is known without a network."""
    extract = load_steps.extract
    monkeypatch.setattr(load_steps, "extract", lambda photos, name, task, pace: extract(photos, "rgb", task))


def test_content_is_offered_and_one_click_compares_by_it(window: MainWindow, qtbot: QtBot) -> None:
    offer, before = offer_of(window), layout_of(window.session).photo_at
    qtbot.waitUntil(offer.isVisible, timeout=WAIT_MS)
    assert offer.findChildren(QLabel)[0].text() == "Compare by content too? It takes a moment."
    assert document_of(window).options.features == "lab"
    assert (layout_of(window.session).photo_at == before).all(), "nothing moves before the answer"
    offer.findChildren(QPushButton)[0].click()
    assert document_of(window).options.features == "blend" and offer.isHidden()
    assert control(window, QComboBox, "Compare by").currentData() == "blend"
    wait_until_scored(qtbot, window)
    window.session.undo_stack.undo()
    wait_until_scored(qtbot, window)
    assert document_of(window).options.features == "lab" and offer.isHidden(), "it was tried, and taken back"


def test_a_no_holds_for_other_albums_too(window: MainWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    offer = offer_of(window)
    qtbot.waitUntil(offer.isVisible, timeout=WAIT_MS)
    offer.findChildren(QToolButton)[0].click()
    assert offer.isHidden() and not window.session.undo_stack.canUndo()
    window.files.open_paths([photo_folder(20, "others")])
    qtbot.waitUntil(lambda: document_of(window).album.roots[0].name == "others", timeout=WAIT_MS)
    wait_until_scored(qtbot, window)
    assert offer.isHidden()


def test_a_look_chosen_by_hand_is_left_alone(window: MainWindow, qtbot: QtBot) -> None:
    offer = offer_of(window)
    qtbot.waitUntil(offer.isVisible, timeout=WAIT_MS)
    choose(window, "Compare by", "rgb")
    assert offer.isHidden()
    choose(window, "Compare by", "lab")
    wait_until_scored(qtbot, window)
    assert offer.isHidden()


def test_a_project_keeps_the_look_it_was_saved_with(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "Compare by", "rgb")
    wait_until_scored(qtbot, window)
    file = document_of(window).album.roots[0].parent / "kept.album"
    save_project(document_of(window), file)
    window.preferences.set("confirm_unsaved", False)
    window.files.open_paths([file])
    qtbot.waitUntil(lambda: window.session.path == file, timeout=WAIT_MS)
    wait_until_scored(qtbot, window)
    assert document_of(window).options.features == "rgb" and offer_of(window).isHidden()


def test_few_photos_are_not_worth_it(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    wait_until_scored(qtbot, window)
    assert offer_of(window).isHidden()


@pytest.mark.parametrize(
    ("photos", "words"), [(20, "a moment"), (1000, "about a minute"), (2000, "some minutes"), (30_000, "a while")]
)
def test_the_time_is_told_by_the_number_of_photos_and_not_to_the_minute(photos: int, words: str) -> None:
    assert time_words(photos).startswith(f"It takes {words}")


def test_what_only_researchers_want_stands_apart_at_the_end_of_the_list(window: MainWindow) -> None:
    combo = control(window, QComboBox, "Compare by")
    assert isinstance(combo, QComboBox)
    words = [combo.itemText(place) for place in range(combo.count())]
    assert words[-4:] == ["For researchers", "ResNet20", "Torchvision model", "Vectors from a file"] and words[-5] == ""
    model = combo.model()
    assert not model.flags(model.index(combo.count() - 4, 0)) & Qt.ItemFlag.ItemIsEnabled
