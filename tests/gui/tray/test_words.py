"""Words in the tray's filter find what photos show, and names stand over the regions of the sheet."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.preferences import PreferencesDialog
from album_app.gui.state.jobs import JobKind
from album_app.gui.state.photo_words import PhotoWords
from album_app.layout.evaluation.region_names import Label
from album_app.photos import classes
from album_app.photos.classes import Classes, word_for
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled, wait_until_sharp
from tests.gui.hands import KEY, canvas_of, document_of, layout_of, pins, proposed, type_keys, undo

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


def test_while_photos_are_looked_at_nothing_is_dimmed_and_that_is_said(
    open_window: OpenWindow, dogs: list[int], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    known = classes.classes_of
    monkeypatch.setattr(classes, "classes_of", lambda *those, **more: may_go_on.wait(60) and known(*those, **more))
    window = open_window(12)
    tray, words, canvas = window.workspace.tray, window.parts.words, canvas_of(window)
    tray.field.setText("dogs")
    qtbot.waitUntil(lambda: words.is_searching, timeout=WAIT_MS)
    assert tray.empty_note.text() == "Looking for “dogs” in the photos…" and canvas.highlight is None
    with qtbot.waitSignal(words.found, timeout=WAIT_MS):
        may_go_on.set()
    assert canvas.highlight == {9, 4, 2} and tray.empty_note.text() == "3 of 12"


def test_what_is_found_is_listed_while_other_photos_are_looked_at(
    open_window: OpenWindow, dogs: list[int], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    known = classes.classes_of

    def in_parts(photos: list[object], on_part: Callable[[Classes], None], **more: object) -> Classes:
        whole = known(photos, **more)
        first = whole.probabilities.copy()
        first[[2, 4]] = 0
        on_part(Classes(whole.numbers, first))
        may_go_on.wait(60)
        return whole

    monkeypatch.setattr(classes, "classes_of", in_parts)
    window = open_window(12)
    tray, words = window.workspace.tray, window.parts.words
    with qtbot.waitSignal(words.found, timeout=WAIT_MS):
        tray.field.setText("dogs")
    assert words.is_searching and tray.model.rows == [9] and tray.empty_note.text().startswith("1 of 12")
    with qtbot.waitSignal(words.found, timeout=WAIT_MS):
        may_go_on.set()
    assert tray.model.rows == [9, 4, 2]


def test_looking_that_was_cancelled_says_that_nothing_is_called_so(
    open_window: OpenWindow, dogs: list[int], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    monkeypatch.setattr(classes, "classes_of", lambda *those, **more: may_go_on.wait(60))
    window = open_window(12)
    tray, words = window.workspace.tray, window.parts.words
    tray.field.setText("dogs")
    qtbot.waitUntil(lambda: words.is_searching, timeout=WAIT_MS)
    window.parts.jobs.cancel(JobKind.WORDS)
    may_go_on.set()
    assert not words.is_searching and tray.empty_note.text() == "Nothing is called “dogs”."


def test_esc_takes_the_words_away_before_it_leaves_the_line(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    field, canvas = window.workspace.tray.field, canvas_of(window)
    window.actions_table["filter"].trigger()
    field.setText("0004")
    qtbot.waitUntil(lambda: canvas.highlight == {4}, timeout=WAIT_MS)
    type_keys(field, KEY.Key_Escape)
    assert field.text() == "" and window.focusWidget() is field
    qtbot.waitUntil(lambda: canvas.highlight is None, timeout=WAIT_MS)
    type_keys(field, KEY.Key_Escape)
    assert window.focusWidget() is canvas


def test_regions_are_named_by_the_colours_of_the_pictures_in_memory(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for place in range(60):
        red = place % 2 == 0
        shade = np.random.default_rng(place).integers(170, 250, (24, 32))
        picture = np.full((24, 32, 3), 20, np.uint8)
        picture[:, :, 0 if red else 2] = shade
        Image.fromarray(picture).save(tmp_path / f"{'red' if red else 'blue'}-{place}.png")
    window = open_window(0, tmp_path)
    wait_until_settled(qtbot, window.session)
    with qtbot.waitSignal(window.parts.words.named, timeout=WAIT_MS) as named:
        window.actions_table["names"].trigger()
    layout = layout_of(window)
    names = [document_of(window).album.photos[photo].name for photo in layout.photo_at.tolist()]
    assert {label.word for label in named.args[0]} == {"red", "blue"}
    for label in named.args[0]:
        inside = [names[cell] for cell in label.cells if layout.photo_at[cell] >= 0]
        assert sum(name.startswith(label.word) for name in inside) > 0.8 * len(inside)
    assert window.message_bar.isHidden() or "wrong" not in window.message_bar.text


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
    wait_until_sharp(qtbot, canvas)
    plain = canvas.grab().toImage()
    words: PhotoWords = window.parts.words
    with qtbot.waitSignal(words.named):
        action.trigger()
    assert canvas.region_labels == [label]
    assert canvas.grab().toImage() != plain
    action.trigger()
    assert canvas.region_labels == []
    assert canvas.grab().toImage() == plain


def test_what_a_word_finds_is_pinned_to_a_place(open_window: OpenWindow, dogs: list[int], qtbot: QtBot) -> None:
    window = open_window(12)
    window.parts.proposals.read_seconds = 0.0
    tray = window.workspace.tray
    window.actions_table["pin_word"].trigger()
    assert not tray.places.isVisible() and "such as “dog”" in window.notice.text()
    with qtbot.waitSignal(window.parts.words.found):
        tray.field.setText("dog")
    assert tray.pin_button.isVisible()
    window.actions_table["pin_word"].trigger()
    assert tray.places.isVisible()
    tray.places.buttons["bottom-right"].click()
    assert not tray.places.isVisible()
    ghosts = proposed(qtbot, window).ghosts
    shape = document_of(window).shape
    assert set(ghosts) == {9, 4, 2} and (shape.rows - 1, shape.columns - 1) in ghosts.values()
    assert "“dog”" in canvas_of(window).proposal_bar.accept_button.accessibleDescription()
    canvas_of(window).setFocus()
    type_keys(canvas_of(window), KEY.Key_Return)
    assert pins(window) == dict(ghosts)
    wait_until_settled(qtbot, window.session)
    undo(window)
    assert not pins(window)


def test_the_best_hit_can_go_to_the_selected_cell(open_window: OpenWindow, dogs: list[int], qtbot: QtBot) -> None:
    window = open_window(12)
    tray = window.workspace.tray
    with qtbot.waitSignal(window.parts.words.found):
        tray.field.setText("dog")
    window.session.select((), (1, 1))
    tray.ask_place()
    assert tray.places.cell_button.isVisible()
    tray.places.cell_button.click()
    assert proposed(qtbot, window).ghosts == {9: (1, 1)}


def test_likeness_is_narrowed_by_more_and_less(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    tray, session, act = window.workspace.tray, window.session, window.actions_table
    session.select((3,))
    act["less_like"].trigger()
    assert tray.ranking is None and "Use “Find similar” first" in window.notice.text()
    act["similar"].trigger()
    qtbot.waitUntil(lambda: tray.ranking is not None)
    assert tray.ranking is not None and tray.model.rows[0] == 3 and 3 in window.workspace.canvas.highlight
    session.select((5,))
    act["more_like"].trigger()
    qtbot.waitUntil(lambda: tray.ranking is not None and tray.ranking.like == (3, 5))
    session.select((7,))
    act["less_like"].trigger()
    qtbot.waitUntil(lambda: tray.ranking is not None and tray.ranking.unlike == (7,))
    assert tray.ranking.title == "Similar to 2 photos, unlike photo-0007"
    assert tray.model.rows[:2] == [3, 5] and 7 not in tray.model.rows
    tray.show_section("all")
    assert tray.ranking is None and window.workspace.canvas.highlight is None


def test_as_many_outliers_as_asked_for_are_listed(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("album_app.photos.find.outliers", lambda photos, **unused: list(range(len(photos)))[::-1])
    window = open_window(30)
    tray = window.workspace.tray
    window.actions_table["outliers"].trigger()
    qtbot.waitUntil(lambda: tray.ranking is not None)
    assert tray.count.isVisible() and tray.model.rows == list(range(29, 9, -1))
    tray.count.setValue(3)
    assert tray.model.rows == [29, 28, 27] and window.workspace.canvas.highlight == {29, 28, 27}


def test_a_text_image_model_of_the_preferences_finds_any_words(
    open_window: OpenWindow, dogs: list[int], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[tuple[str, str]]()

    def text_scores(photos: list[object], text: str, file: str, **unused: object) -> np.ndarray:
        asked.append((text, file))
        return np.array([{3: 0.4, 7: 0.8}.get(photo, 0.01) for photo in range(len(photos))], np.float32)

    monkeypatch.setattr("album_app.photos.text_model.text_scores", text_scores)
    window = open_window(12)
    window.actions_table["preferences"].trigger()
    dialog = window.findChild(PreferencesDialog)
    monkeypatch.setattr(
        "album_app.gui.controls.ask_user.files", lambda *given, **unused: given[4]([Path("/models/clip.bin")])
    )
    choose, forget = (
        next(made for made in dialog.findChildren(QPushButton) if made.accessibleName() == name)
        for name in ("Text-image model", "Use no text-image model")
    )
    choose.click()
    assert choose.text() == "clip.bin" and not forget.isHidden()
    tray = window.workspace.tray
    with qtbot.waitSignal(window.parts.words.found):
        tray.field.setText("children at play")
    assert tray.model.rows == [7, 3] and window.workspace.canvas.highlight == {7, 3}
    assert asked == [("children at play", str(Path("/models/clip.bin")))] and dogs == []
    forget.click()
    assert forget.isHidden() and not window.preferences.get("text_model")
    with qtbot.waitSignal(window.parts.words.found):
        tray.field.setText("dog")
    assert tray.model.rows == [9, 4, 2] and len(asked) == 1
