"""The quiet bar and the status bar tell how it stands with the open album, and nothing that is over."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListView, QToolButton
from pytestqt.qtbot import QtBot

from album_app.errors import UsageError
from album_app.gui.canvas.sheet_view import lines_about_cell
from album_app.gui.state.jobs import JobKind
from album_app.gui.style.wording import photos_words, sentence
from album_app.gui.tray.model import LINE_ROLE
from album_app.gui.window.main_window import MainWindow
from album_app.gui.window.messages import INVITED
from album_app.gui.window.parts import Thresholds
from album_app.layout.editing.edits import excluded, with_options
from album_app.layout.evaluation import insight
from album_app.layout.evaluation.insight import Behind
from album_app.layout.project.project_file import load_project, save_project
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.hands import (
    KEY,
    SHIFT,
    canvas_of,
    choose,
    click,
    document_of,
    layout_of,
    photo_in,
    press_button,
    save_as,
    tray_of,
    type_keys,
    undo,
)


@pytest.fixture
def bereft(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A saved sheet of six photos, all of which have gone elsewhere since: four into one folder, two into another."""
    window = open_window(6)
    save_as(qtbot, window, tmp_path / "sheet.album")
    for photo in range(6):
        folder = tmp_path / ("some" if photo < 4 else "others")
        folder.mkdir(exist_ok=True)
        (tmp_path / "photos" / f"photo-{photo:04d}.jpg").rename(folder / f"photo-{photo:04d}.jpg")
    window.files.open_paths([tmp_path / "sheet.album"])
    qtbot.waitUntil(lambda: len(document_of(window).missing) == 6, timeout=WAIT_MS)
    return window


def find_in(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    press_button(qtbot, window.message_bar, "Find them…")
    choose(qtbot, window, folder)


def test_only_a_message_that_no_button_declines_has_a_cross(open_window: OpenWindow) -> None:
    bar = open_window(6).message_bar
    cross = next(button for button in bar.findChildren(QToolButton) if button.accessibleName() == "Close message")
    for choices, has_cross in ((("Recover", "Discard"), True), (("Show", "Not now"), False), (("Got it",), False)):
        bar.show_message("A sentence.", *((name, lambda: None) for name in choices))
        assert cross.isHidden() != has_cross, choices


def test_photos_still_missing_are_told_until_they_are_found(bereft: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    bar = bereft.message_bar
    assert bar.text == "6 photos were not found where the project says."
    assert bereft.summary.text().startswith("6 of 6 photos on 6 cells    6 missing")
    find_in(qtbot, bereft, tmp_path / "some")
    qtbot.waitUntil(lambda: bar.text == "2 photos are still missing.", timeout=WAIT_MS)
    assert bereft.focusWidget() is canvas_of(bereft)
    find_in(qtbot, bereft, tmp_path / "others")
    qtbot.waitUntil(lambda: not bar.isVisible(), timeout=WAIT_MS)
    assert bereft.focusWidget() is canvas_of(bereft)
    wait_until_settled(qtbot, bereft.session)
    assert "missing" not in bereft.summary.text()
    undo(bereft)
    assert bar.isVisible() and bar.text.startswith("2 photos")


def test_after_a_wrong_folder_another_can_be_tried(bereft: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    bar = bereft.message_bar
    find_in(qtbot, bereft, tmp_path / "photos")
    qtbot.waitUntil(lambda: "None of the missing" in bar.text, timeout=WAIT_MS)
    bar.findChild(QToolButton).click()
    find_in(qtbot, bereft, tmp_path / "some")
    qtbot.waitUntil(lambda: "2 photos are still missing" in bar.text, timeout=WAIT_MS)


def test_missing_photos_taken_out_are_not_told(bereft: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    find_in(qtbot, bereft, tmp_path / "some")
    qtbot.waitUntil(lambda: len(document_of(bereft).missing) == 2, timeout=WAIT_MS)
    bereft.session.edit(excluded, [4])
    assert bereft.message_bar.text == "1 photo is still missing."
    bereft.session.edit(excluded, [5])
    assert not bereft.message_bar.isVisible()


def test_a_complaint_goes_with_the_choice_it_was_about(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(3)
    window.session.edit(with_options, "Compare by a model", features="torchvision:resnet18@/nowhere.pth")
    qtbot.waitUntil(window.message_bar.isVisible, timeout=WAIT_MS)
    window.session.drop([1], (0, 0))
    complaint = "There is no weights file /nowhere.pth. The photos are compared by “Colour” again."
    assert window.message_bar.text == complaint
    window.session.edit(with_options, "Compare by red, green and blue", features="rgb")
    assert not window.message_bar.isVisible()


def test_names_in_messages_are_no_markup(open_window: OpenWindow) -> None:
    window = open_window()
    window.message_bar.show_error(UsageError("<b>days</b> cannot be read"))
    assert window.message_bar.text == "<b>days</b> cannot be read."
    shown = [label for label in window.message_bar.findChildren(QLabel) if label.text()]
    assert {label.textFormat() for label in (*shown, window.notice)} == {Qt.TextFormat.PlainText}


def test_words_fit_the_number() -> None:
    assert [photos_words(n) for n in (0, 1, 2)] == ["0 photos", "1 photo", "2 photos"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("there is no such thing", "There is no such thing."),
        ("crete.album cannot be read", "crete.album cannot be read."),
        ("/home/me/x does not exist", "/home/me/x does not exist."),
        ("The disk is full.", "The disk is full."),
    ],
)
def test_complaints_are_sentences(text: str, said: str) -> None:
    assert sentence(text) == said


@pytest.mark.parametrize("trusted", [True, False])
def test_a_project_asks_before_a_weights_file_is_read(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool
) -> None:
    window = open_window(4)
    file, weights = tmp_path / "sheet.album", tmp_path / "weights.pth"
    weights.write_bytes(b"no weights at all")
    window.session.edit(with_options, "x", seed=3)
    wait_until_settled(qtbot, window.session)
    save_project(document_of(window), file)
    text = file.read_text().replace('"features":"lab"', f'"features":"torchvision:resnet18@{weights}"')
    file.write_text(text)
    assert load_project(file).options.features.startswith("torchvision:")
    asked: list[str] = []
    monkeypatch.setattr("album_app.gui.state.load_steps.extract", lambda photos, name, task, pace: asked.append(name))
    window.preferences.set("confirm_unsaved", False)
    window.files.open_paths([file])
    qtbot.waitUntil(lambda: str(weights) in window.message_bar.text, timeout=WAIT_MS)
    assert not asked
    press_button(qtbot, window.message_bar, "Read it" if trusted else "Compare by colour")
    if trusted:
        qtbot.waitUntil(lambda: bool(asked), timeout=WAIT_MS)
    else:
        wait_until_settled(qtbot, window.session)
        assert document_of(window).options.features == "lab" and not asked
    assert not (window.message_bar.isVisible() and str(weights) in window.message_bar.text)


def test_names_that_turn_the_writing_are_seen(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(3)
    path = document_of(window).album.photos[0].path
    path.rename(path.with_name("photo\u202egpj.jpg"))
    window.files.open_paths([path.parent])
    qtbot.waitUntil(lambda: any("\u202e" in p.name for p in document_of(window).album.photos), timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    document = document_of(window)
    photo = next(i for i, photo in enumerate(document.album.photos) if "\u202e" in photo.name)
    window.session.tell(f"Copied {document.album.photos[photo].name}")
    window.message_bar.show_message(f"No {document.album.photos[photo].name}")
    lists = [view.model() for view in tray_of(window).findChildren(QListView) if view.model() is not None]
    rows = [model.index(row, 0).data(LINE_ROLE) for model in lists for row in range(model.rowCount())]
    reported = [next(line.title for line in rows if line is not None and line.photo == photo)]
    reported += lines_about_cell(document, layout_of(window).positions[photo])
    reported += [window.notice.text(), window.message_bar.text, document.short_name(photo)]
    assert "\u202e" not in "".join(reported) and "".join(reported).count("photo\ufffdgpj") == 5


def test_a_first_sheet_invites_to_drag_a_photo_until_one_is_pinned(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    window.preferences.remember(INVITED, "")
    window.parts.solving.scored.emit(layout_of(window))
    assert window.message_bar.text.startswith("Drag a photo to a corner")
    window.session.drop([0], (0, 0))
    assert window.message_bar.isHidden() and window.preferences.word(INVITED) == "yes"
    wait_until_settled(qtbot, window.session)
    window.session.undo_stack.undo()
    window.parts.solving.scored.emit(layout_of(window))
    assert window.message_bar.isHidden(), "nobody is invited twice"


def test_a_sheet_that_falls_behind_offers_to_be_arranged_again(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, asked = open_window(60, thresholds=Thresholds(comparison_ms=0, comparison_edits=1)), list[list[int]]()

    def stand_in(*args: object, dragged: list[int], **named: object) -> SimpleNamespace:
        asked.append(dragged)
        return SimpleNamespace(visible=len(asked) > 1)

    monkeypatch.setattr("album_app.layout.evaluation.insight.behind_fresh", stand_in)
    far = document_of(window).shape.cell(document_of(window).shape.count - 1)
    first, second = (photo_in(window, cell) for cell in ((0, 0), (0, 1)))
    window.session.drop([first], far)
    qtbot.waitUntil(lambda: len(asked) == 1, timeout=WAIT_MS)
    assert asked == [[first]] and not window.message_bar.isVisible()
    window.session.drop([second], (2, 0))
    qtbot.waitUntil(window.message_bar.isVisible, timeout=WAIT_MS)
    assert "would be smoother" in window.message_bar.text
    press_button(qtbot, window.message_bar, "Arrange again")
    assert window.session.undo_stack.undoText() == "Arrange again" and not window.message_bar.isVisible()


def test_a_first_far_pin_is_not_answered_by_an_offer(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(60, thresholds=Thresholds(comparison_ms=0))
    always = SimpleNamespace(visible=True)
    monkeypatch.setattr("album_app.layout.evaluation.insight.behind_fresh", lambda *args, **named: always)
    far = document_of(window).shape.cell(document_of(window).shape.count - 1)
    first, second, third = (photo_in(window, (0, column)) for column in range(3))
    for photo, cell in ((first, far), (second, (2, 0))):
        window.session.drop([photo], cell)
        wait_until_settled(qtbot, window.session)
        qtbot.wait(200)
        assert not window.message_bar.isVisible(), "the sheet has just become as the user asked"
    window.session.drop([third], (3, 0))
    qtbot.waitUntil(window.message_bar.isVisible, timeout=WAIT_MS)
    assert "would be smoother" in window.message_bar.text


@pytest.mark.parametrize(("more_rough", "said"), [(0.02, True), (0.01, False)])
def test_the_sheet_itself_decides_whether_it_falls_behind(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, more_rough: float, said: bool
) -> None:
    """A fresh sheet is really made and compared; only the difference found is set: small sheets are never bad."""
    compared, compare = list[Behind](), insight.behind_fresh

    def compare_and_replace(*args: Any, **named: Any) -> Behind:
        compared.append(replace(compare(*args, **named), pull=0.0, n24=more_rough))
        return compared[-1]

    monkeypatch.setattr(insight, "behind_fresh", compare_and_replace)
    window = open_window(30, thresholds=Thresholds(comparison_ms=0, comparison_edits=1))
    click(canvas_of(window), (0, 0))
    type_keys(canvas_of(window), KEY.Key_H, modifiers=SHIFT)
    held = photo_in(window, (0, 0))
    window.session.drop([photo_in(window, (1, 1))], (3, 3))
    wait_until_settled(qtbot, window.session)
    qtbot.waitUntil(lambda: len(compared) == 1 and not window.parts.jobs.running(JobKind.BEHIND), timeout=WAIT_MS)
    assert compared[0].fresh.photo_in((0, 0)) == held, "what is held would stay"
    if not said:
        assert not window.message_bar.isVisible()
        return
    qtbot.waitUntil(window.message_bar.isVisible, timeout=WAIT_MS)
    press_button(qtbot, window.message_bar, "Arrange again")
    wait_until_settled(qtbot, window.session)
    assert photo_in(window, (0, 0)) == held and document_of(window).held == {(0, 0)}
