"""From documents to sheets: what a solve starts from, what it tells on the way, and what becomes of it."""

import importlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.gui.state import solving
from album_app.gui.state.jobs import JobKind
from album_app.gui.state.photo_store import FeatureTable
from album_app.gui.state.session import Session
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.arranging.journal import OnStep
from album_app.layout.editing.edits import excluded, pinned, reshaped, with_options
from album_app.layout.editing.stacks import stacked
from album_app.layout.evaluation.scores import layout_scores
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import save_project
from album_app.layout.shapes.shape import ShapeSpec, rectangle, symmetries
from album_app.work import OnProgress, Stop, check
from tests.gui.conftest import WAIT_MS, OpenSession, PhotoFolder, parts_of, wait_until_settled
from tests.gui.hands import document_of


def test_arranging_again_is_an_edit_but_the_solve_after_a_pin_is_none(
    open_session: OpenSession, qtbot: QtBot, tmp_path: Path
) -> None:
    session = open_session(20)
    session.drop([7], (0, 0))
    wait_until_settled(qtbot, session)
    assert session.undo_stack.count() == 1
    session.mark_saved(tmp_path / "saved.album", session.version)
    before = document_of(session).layout
    parts_of(session).solving.again()
    wait_until_settled(qtbot, session)
    assert session.modified and session.undo_stack.undoText() == "Arrange again"
    session.undo_stack.undo()
    assert document_of(session).layout is before and not session.modified


def test_a_new_album_is_arranged_without_regard_to_the_order_of_its_files(open_session: OpenSession) -> None:
    session = open_session(40)
    document = document_of(session)
    features = parts_of(session).photos.vectors.complete("lab", 40)
    assert features is not None and document.layout is not None
    best = arrange(features, document.shape, options=replace(document.options, effort="fine"))
    assert np.array_equal(document.layout.photo_at, best.photo_at)


def test_only_the_first_sheet_gets_more_effort_than_was_asked_for(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(40)
    efforts = [sheet.options.effort for sheet in [document_of(session).layout] if sheet is not None and sheet.options]
    session.edit(with_options, "Follow", follow=0.9)
    wait_until_settled(qtbot, session)
    efforts += [sheet.options.effort for sheet in [document_of(session).layout] if sheet is not None and sheet.options]
    assert efforts == ["fine", "quick"] and document_of(session).options.effort == "quick"


def test_undo_to_a_sheet_that_was_half_done_finishes_it(
    open_session: OpenSession, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(60)
    steps: list[Layout] = []
    halted = threading.Event()

    def halting(*args: Any, on_step: OnStep, stop: Stop, **named: Any) -> Layout:
        def halt(layout: Layout) -> None:
            on_step(layout)
            steps.append(layout)
            while len([step for step in steps if step.stage != "first"]) == 2:
                halted.set()
                check(stop)
                time.sleep(0.002)

        return arrange(*args, on_step=halt, stop=stop, **named)

    monkeypatch.setattr(importlib.import_module("album_app.layout.arranging.arrange"), "arrange", halting)
    parts_of(session).solving.seconds_between_steps = -1.0  # every step is shown
    parts_of(session).solving.again()
    qtbot.waitUntil(lambda: halted.is_set() and _same_sheet(document_of(session).layout, steps[-1]), timeout=WAIT_MS)
    assert not session.is_settled
    monkeypatch.undo()
    session.drop([6], (3, 3))
    session.undo_stack.undo()
    assert parts_of(session).jobs.running("arrange")
    wait_until_settled(qtbot, session)


def _same_sheet(shown: Layout | None, found: Layout) -> bool:
    return shown is not None and shown.stage == found.stage and np.array_equal(shown.photo_at, found.photo_at)


def test_a_solve_tells_how_far_it_is(open_session: OpenSession, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    session = open_session(12)

    def waiting(*args: object, on_progress: OnProgress, stop: Stop, **named: object) -> None:
        on_progress(3, 20)
        while True:
            check(stop)
            time.sleep(0.002)

    monkeypatch.setattr(importlib.import_module("album_app.layout.arranging.arrange"), "arrange", waiting)
    session.drop([3], (0, 0))
    qtbot.waitUntil(
        lambda: [(job.done, job.total) for job in parts_of(session).jobs.visible] == [(3, 20)], timeout=WAIT_MS
    )
    parts_of(session).jobs.cancel_visible()


def solving_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == f"album-{JobKind.ARRANGE}"]


class SlowSolver:
    """Solves that heed no stop request, and deliver only once they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        module = importlib.import_module("album_app.layout.arranging.arrange")
        self.gates: list[threading.Event] = []
        self.arrange = module.arrange
        monkeypatch.setattr(module, "arrange", self)

    def __call__(self, *args: object, on_step: Callable[[Layout], None], stop: Stop, **named: object) -> Layout:
        gate = threading.Event()
        self.gates.append(gate)
        gate.wait(20)
        layout = self.arrange(*args, **named)
        on_step(layout)
        return layout


def test_a_slow_solver_changes_no_later_version_of_the_document(
    open_session: OpenSession, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(12)
    slow = SlowSolver(monkeypatch)
    steps: list[Callable[[], object]] = [
        lambda: session.drop([3], (0, 0)),
        lambda: session.edit(with_options, "Fill", fill="repeat"),
        lambda: session.edit(excluded, [5]),
        session.undo_stack.undo,
        lambda: session.drop([7], (1, 1)),
        session.undo_stack.undo,
        session.undo_stack.undo,
        session.undo_stack.redo,
    ]
    for step in steps:
        begun = len(slow.gates)
        step()
        qtbot.waitUntil(lambda begun=begun: len(slow.gates) > begun or session.is_settled, timeout=WAIT_MS)
    document = document_of(session)
    assert document.options.fill == "repeat" and not document.excluded and dict(document.pins) == {3: (0, 0)}
    for gate in slow.gates[:-1]:
        gate.set()
    qtbot.waitUntil(lambda: len(solving_threads()) == 1, timeout=WAIT_MS)
    QApplication.processEvents()  # what the others sent arrives now
    assert session.document is document
    slow.gates[-1].set()
    wait_until_settled(qtbot, session)
    found = document_of(session)
    assert found.pins == found.layout.pins == document.pins and found.layout.options.fill == "repeat"
    session.edit(with_options, "Fill", fill="end")
    assert document_of(session).layout.repeats == 0, "photos are not repeated, however long the solve takes"
    slow.gates[-1].set()
    qtbot.waitUntil(lambda: len(slow.gates) > len(steps) or session.is_settled, timeout=WAIT_MS)
    for gate in slow.gates:
        gate.set()


def test_every_pin_keeps_its_cell(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(20)
    for photo, cell in ((1, (0, 0)), (2, (3, 4)), (3, (0, 4)), (4, (1, 1))):
        session.drop([photo], cell)
    wait_until_settled(qtbot, session)
    layout = document_of(session).layout
    assert layout is not None
    assert {photo: layout.cell_of(photo) for photo in (1, 2, 3, 4)} == dict(document_of(session).pins)
    assert len(layout.shown) == 20


def merit(session: Session) -> float:
    document = document_of(session)
    features = parts_of(session).photos.features
    return sum(layout_scores(document.layout, features).values())


def test_a_pin_far_away_turns_the_sheet_nearly_as_well_as_arranging_afresh(
    open_session: OpenSession, qtbot: QtBot
) -> None:
    session = open_session(100)
    photo = document_of(session).layout.photo_in((0, 9))
    with qtbot.waitSignal(parts_of(session).solving.settled, timeout=WAIT_MS):
        session.drop([photo], (9, 0))
    turned = merit(session)
    with qtbot.waitSignal(parts_of(session).solving.settled, timeout=WAIT_MS):
        parts_of(session).solving.again()
    assert turned > merit(session) - 0.04


def test_two_pins_that_change_places_move_nothing_else(open_session: OpenSession, qtbot: QtBot) -> None:
    session = open_session(100)
    layout = document_of(session).layout
    corners = [(0, 0), (0, 9), (9, 0), (9, 9)]
    with qtbot.waitSignal(parts_of(session).solving.settled, timeout=WAIT_MS):
        session.edit(pinned, "Pin", Pins({layout.photo_in(cell): cell for cell in corners}))
    with qtbot.waitSignal(parts_of(session).solving.settled, timeout=WAIT_MS):
        session.drop([layout.photo_in((0, 9))], (0, 0))
    moved = np.flatnonzero(document_of(session).layout.photo_at != layout.photo_at)
    assert moved.tolist() == [0, 9]


@pytest.mark.parametrize("edit", ["near-duplicates stacked", "rows and columns chosen"])
def test_another_shape_does_not_turn_the_sheet(open_session: OpenSession, qtbot: QtBot, edit: str) -> None:
    session = open_session(100)
    for way in symmetries(document_of(session).shape)[1:3]:  # lying another way round than it would afresh
        layout = document_of(session).layout
        assert layout is not None and isinstance(layout.guide, PlanGuide)
        turned = replace(layout, photo_at=layout.photo_at[way.before], guide=layout.guide.turned(way))
        session.accept_layout(turned)
        with qtbot.waitSignal(parts_of(session).solving.settled, timeout=WAIT_MS):
            if edit == "near-duplicates stacked":
                assert session.edit(stacked, [(photo, photo + 1, photo + 2) for photo in range(0, 30, 3)])
            else:
                assert session.apply(reshaped(document_of(session), "Rows", ShapeSpec("rectangle"), rectangle(8, 13)))
        after = document_of(session).layout
        assert after is not None and not after.shape.same_cells(turned.shape)
        assert _lies_like(turned, after)
        session.undo_stack.undo()


def _lies_like(before: Layout, after: Layout) -> bool:
    """Whether photos lie more like before than they would on the sheet mirrored or turned by half."""
    shown = sorted({*before.shown} & {*after.shown})
    places = [
        np.array([layout.positions[photo] for photo in shown]) / (layout.shape.rows - 1, layout.shape.columns - 1)
        for layout in (before, after)
    ]
    mirrored = [np.abs(places[0] - np.abs(np.array(way) - places[1])).sum() for way in ((0, 0), (0, 1), (1, 0), (1, 1))]
    return int(np.argmin(mirrored)) == 0


def test_alternatives_are_known_after_opening_a_project(
    open_session: OpenSession, qtbot: QtBot, tmp_path: Path
) -> None:
    session = open_session(20)
    session.drop([3], (0, 0))
    wait_until_settled(qtbot, session)
    save_project(document_of(session), tmp_path / "sheet.album")
    with qtbot.waitSignal(session.opened, timeout=WAIT_MS):
        parts_of(session).loading.open_project(tmp_path / "sheet.album")
    qtbot.waitUntil(
        lambda: len(parts_of(session).photos.pictures) == 20 and not parts_of(session).jobs.visible, timeout=WAIT_MS
    )
    assert document_of(session).layout.guide is None
    alternatives: list[tuple[int, float]] = []
    parts_of(session).advice.alternatives((2, 2), alternatives.extend)
    qtbot.waitUntil(lambda: bool(alternatives), timeout=WAIT_MS)
    assert all(0 < share <= 1 for _, share in alternatives)


def test_added_photos_are_placed_once_by_the_look_that_the_sheet_has(
    open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(24)
    session.edit(with_options, "Compare by rgb:5", features="rgb:5")
    wait_until_settled(qtbot, session)
    before = document_of(session).layout
    assert before is not None and before.options is not None and before.options.features == "rgb:5"
    tables: list[str] = []
    real = solving.solved

    def noting(document: Document, table: FeatureTable, *args: Any, **options: Any) -> Layout:
        tables.append(table.name)
        return real(document, table, *args, **options)

    monkeypatch.setattr(solving, "solved", noting)
    with qtbot.waitSignal(session.document_changed):
        parts_of(session).loading.add_files(sorted(photo_folder(2, "more", start=60).iterdir()))
    at_once = document_of(session).layout
    assert at_once is not None
    kept = [photo for photo, cell in before.positions.items() if at_once.positions.get(photo) == cell]
    assert len(kept) >= 0.8 * 24, "until then photos stay where they were"
    wait_until_settled(qtbot, session)
    assert tables == ["rgb:5"]
