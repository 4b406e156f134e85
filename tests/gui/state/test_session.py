"""The session: every edit by name, there and back, with the layout that belonged to it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.gui.state import session as session_module
from album_app.gui.state.session import WHOLE_EDITS, Session
from album_app.layout.editing.edits import excluded, included, pinned, unpinned, with_options
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.conftest import OpenSession, delete_now, parts_of, wait_until_settled
from tests.gui.hands import document_of, layout_of


def same(a: Document, b: Document) -> bool:
    """Whether two documents say the same, layouts included."""
    assert a.layout is not None and b.layout is not None
    values = (a.spec, a.options, a.excluded, dict(a.pins), len(a.album)) == (
        b.spec,
        b.options,
        b.excluded,
        dict(b.pins),
        len(b.album),
    )
    return values and a.shape.same_cells(b.shape) and np.array_equal(a.layout.photo_at, b.layout.photo_at)


def pin_two(session: Session) -> None:
    session.drop([0], (0, 0))
    session.drop([1], (1, 1))


EDITS: dict[str, tuple[str, Callable[[Session], None]]] = {
    "pin": ("Pin photo-0003", lambda s: s.drop([3], (0, 2))),
    "move a pin": ("Pin photo-0000", lambda s: s.drop([0], (2, 2))),
    "swap pins": ("Swap pins of photo-0000 and photo-0001", lambda s: s.drop([0], (1, 1))),
    "swap photos": ("Swap photo-0000 and photo-0001", lambda s: s.drop([0], (1, 1), swap=True)),
    "unpin": ("Unpin photo-0000", lambda s: s.edit(unpinned, [0])),
    "unpin two": ("Unpin 2 photos", lambda s: s.edit(unpinned, [0, 1])),
    "exclude": ("Exclude photo-0005", lambda s: s.edit(excluded, [5])),
    "exclude a pinned one": ("Exclude photo-0000", lambda s: s.edit(excluded, [0])),
    "all pins": ("Unpin all", lambda s: s.edit(pinned, "Unpin all", Pins())),
    "follow": ("Follow", lambda s: s.edit(with_options, "Follow", follow=0.9)),
    "seed": ("Seed", lambda s: s.edit(with_options, "Seed", seed=7)),
    "features": ("Features", lambda s: s.edit(with_options, "Features", features="rgb")),
    "shape": ("Change shape", lambda s: parts_of(s).reshaping.start(ShapeSpec("rectangle", 2, 8))),
    "arrange again": ("Arrange again", lambda s: parts_of(s).solving.again()),
}


@pytest.mark.parametrize("edit", EDITS)
def test_every_edit_goes_there_and_back(open_session: OpenSession, qtbot: QtBot, edit: str) -> None:
    session = open_session(12)
    pin_two(session)
    wait_until_settled(qtbot, session)
    before, (name, run) = document_of(session), EDITS[edit]
    with qtbot.waitSignal(session.document_changed):
        run(session)
    assert session.undo_stack.undoText() == name
    wait_until_settled(qtbot, session)
    after = document_of(session)
    session.undo_stack.undo()
    assert same(document_of(session), before)
    assert not parts_of(session).jobs.running("arrange")
    session.undo_stack.redo()
    assert same(document_of(session), after)
    assert not parts_of(session).jobs.running("arrange")


def test_a_pin_shows_before_anything_is_solved(open_session: OpenSession) -> None:
    session = open_session(12)
    layout = document_of(session).layout
    assert layout is not None
    photo, cell = layout.photo_in((2, 2)), (0, 0)
    displaced = layout.photo_in(cell)
    assert photo is not None
    session.drop([photo], cell)
    now = document_of(session).layout
    assert now is not None
    assert now.photo_in(cell) == photo and now.photo_in((2, 2)) == displaced


def test_undoing_a_pin_brings_the_very_layout_back(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(20)
    before = document_of(session).layout
    session.drop([7], (0, 0))
    wait_until_settled(qtbot, session)
    with qtbot.waitSignal(session.layout_changed) as shown:
        session.undo_stack.undo()
    assert before is not None
    assert np.array_equal(shown.args[0].photo_at, before.photo_at)
    assert not parts_of(session).jobs.running("arrange")


def test_a_dropped_photo_that_was_excluded_takes_part_again(open_session: OpenSession) -> None:
    session = open_session(12)
    session.edit(excluded, [4])
    session.drop([4], (0, 0))
    assert document_of(session).excluded == frozenset()
    session.undo_stack.undo()
    assert document_of(session).excluded == frozenset({4})


def test_including_takes_back(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    session.edit(excluded, [4, 5])
    wait_until_settled(qtbot, session)
    session.edit(included, [4, 5])
    wait_until_settled(qtbot, session)
    layout = document_of(session).layout
    assert layout is not None and {4, 5} <= set(layout.shown)
    assert session.undo_stack.undoText() == "Include 2 photos"


def test_the_last_photo_stays(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(2)
    with qtbot.waitSignal(session.notice):
        session.edit(excluded, [0, 1])
    assert not session.modified


def test_a_dragged_slider_is_one_edit(open_session: OpenSession) -> None:
    session = open_session(6)
    for value in (0.6, 0.7, 0.8):
        session.edit(with_options, "Follow the pins", merge="follow", follow=value)
    assert session.undo_stack.count() == 1
    session.undo_stack.undo()
    assert document_of(session).options.follow == 0.5


def test_edits_become_one_as_long_as_each_follows_the_last_closely(
    open_session: OpenSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, clock = open_session(6), [100.0]
    monkeypatch.setattr(session_module.time, "monotonic", lambda: clock[0])
    for value, pause in ((0.6, 0.8), (0.7, 0.8), (0.8, 0.8)):
        session.edit(with_options, "Follow the pins", merge="follow", follow=value)
        clock[0] += pause
    assert session.undo_stack.count() == 1, "a slider that is dragged for long is still one edit"
    clock[0] += 1
    session.edit(with_options, "Follow the pins", merge="follow", follow=0.9)
    assert session.undo_stack.count() == 2


def test_old_edits_keep_their_layouts_but_not_the_plans(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    first = document_of(session).layout
    for k in range(12):
        session.drop([k], (k // 4, k % 4))
        wait_until_settled(qtbot, session)
    for _ in range(12):
        session.undo_stack.undo()
    now = document_of(session).layout
    assert first is not None and now is not None
    assert np.array_equal(now.photo_at, first.photo_at) and now.guide is None
    assert not parts_of(session).jobs.running("arrange")


def test_an_edit_that_merged_can_still_be_lightened(open_session: OpenSession) -> None:
    session = open_session(6)
    for step in range(30):
        session.edit(with_options, "Follow the pins", merge="follow", follow=step / 40)
    assert session.undo_stack.count() == 1


def test_the_selected_cell_goes_along_with_its_photo(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    layout = document_of(session).layout
    photo, cell = layout.photo_in((2, 1)), (2, 1)
    session.select((photo,), cell)
    session.drop([photo], (0, 0))
    session.select((photo,), (0, 0))
    wait_until_settled(qtbot, session)
    session.undo_stack.undo()
    assert session.selected == (photo,) and session.cell == cell


def test_a_slider_that_moves_while_saving_is_unsaved(open_session: OpenSession, tmp_path: Path) -> None:
    session = open_session(6)
    session.edit(with_options, "Follow the pins", merge="follow", follow=0.6)
    written = session.version
    session.edit(with_options, "Follow the pins", merge="follow", follow=0.9)
    session.mark_saved(tmp_path / "early.album", written)
    assert session.undo_stack.count() == 1 and session.modified
    session.mark_saved(tmp_path / "late.album", session.version)
    assert not session.modified


def test_undo_after_a_save_that_ended_late_counts_as_modified(open_session: OpenSession, tmp_path: Path) -> None:
    session = open_session(6)
    session.edit(with_options, "Follow", follow=0.6)
    written = session.version
    session.edit(with_options, "Seed", seed=7)
    session.mark_saved(tmp_path / "late.album", written)
    assert session.modified, "the file lacks the second edit"
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert session.modified, "the file has the first edit, the window has not"


def test_a_session_that_is_destroyed_says_nothing(qapp: QApplication) -> None:
    session, heard = Session(), []
    session.undo_stack.push(QUndoCommand("Something"))
    session.undo_stack.indexChanged.connect(heard.append)
    delete_now(session)
    assert not heard


def test_edits_that_become_one_leave_the_others_whole(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    session.drop([3], (0, 0))
    wait_until_settled(qtbot, session)
    known = layout_of(session).guide
    assert known is not None
    for step in range(2 * WHOLE_EDITS):
        session.edit(with_options, "Follow the pins", merge="follow", follow=0.3 + 0.01 * step)
    assert session.undo_stack.count() == 2
    session.undo_stack.undo()
    assert layout_of(session).guide is known


def test_edits_far_back_keep_their_layout_without_what_the_solver_knew(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(12)
    session.drop([3], (0, 0))
    wait_until_settled(qtbot, session)
    places = layout_of(session).photo_at
    for seed in range(1, WHOLE_EDITS + 2):
        session.edit(with_options, "Seed", seed=seed)
    for _ in range(WHOLE_EDITS + 1):
        session.undo_stack.undo()
    assert layout_of(session).guide is None and np.array_equal(layout_of(session).photo_at, places)
