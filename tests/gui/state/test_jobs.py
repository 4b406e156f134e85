"""Background work: results on the GUI thread, the latest of a kind wins, what is late is dropped."""

import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import shiboken6
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.errors import AlbumError
from album_app.gui.controls.bars import describe
from album_app.gui.state import jobs as module
from album_app.gui.state.jobs import Job, JobKind, Jobs, Task
from album_app.work import check


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.shut_down()


def test_results_arrive_on_the_gui_thread(jobs: Jobs, qtbot: QtBot) -> None:
    found: list[tuple[int, bool]] = []
    here = QThread.currentThread()
    jobs.start("sum", "", lambda task: 1 + 1, on_done=lambda x: found.append((x, QThread.currentThread() is here)))
    qtbot.waitUntil(lambda: bool(found))
    assert found == [(2, True)]


def test_parts_arrive_in_order_and_before_the_end(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[object] = []

    def work(task: Task) -> str:
        for k in range(100):
            task.send(k)
        return "end"

    jobs.start("count", "", work, on_parts=heard.extend, on_done=heard.append)
    qtbot.waitUntil(lambda: "end" in heard)
    assert heard == [*range(100), "end"]


def test_what_a_large_job_held_is_given_back_once_it_has_ended(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []
    monkeypatch.setattr(module, "give_back", lambda: ended.append(threading.current_thread().name))
    for kind in (JobKind.ALTERNATIVES, JobKind.ARRANGE):
        jobs.start(kind, "", lambda task: None)
    qtbot.waitUntil(lambda: jobs.all_ended and bool(ended))
    assert ended == ["album-arrange"], "not by the thread that paints"


def test_the_latest_of_a_kind_wins(jobs: Jobs, qtbot: QtBot) -> None:
    gate, found = threading.Event(), []

    def slow(task: Task) -> str:
        gate.wait(5)
        return "late"

    jobs.start("solve", "", slow, on_done=found.append)
    jobs.start("solve", "", lambda task: "new", on_done=found.append)
    qtbot.waitUntil(lambda: bool(found))
    gate.set()
    qtbot.waitUntil(lambda: jobs.all_ended, timeout=15_000)
    assert found == ["new"]


def test_cancelled_work_delivers_nothing(jobs: Jobs, qtbot: QtBot) -> None:
    found: list[object] = []
    began, ended = threading.Event(), threading.Event()

    def work(task: Task) -> None:
        began.set()
        try:
            while True:
                check(task.stop)
        finally:
            ended.set()

    jobs.start("endless", "Endless", work, on_done=found.append)
    assert began.wait(5)
    assert [job.title for job in jobs.visible] == ["Endless"]
    jobs.cancel("endless")
    assert ended.wait(5)
    qtbot.waitUntil(lambda: jobs.all_ended, timeout=15_000)
    assert not found and not jobs.visible


def test_errors_are_told_unless_handled(jobs: Jobs, qtbot: QtBot) -> None:
    def fail(task: Task) -> None:
        raise AlbumError("no")

    with qtbot.waitSignal(jobs.failed) as reported:
        jobs.start("a", "", fail)
    assert str(reported.args[0]) == "no"
    handled: list[str] = []

    def on_error(error: Exception) -> bool:
        handled.append(str(error))
        return True

    with qtbot.assertNotEmitted(jobs.failed):
        jobs.start("b", "", fail, on_error=on_error)
        qtbot.waitUntil(lambda: jobs.all_ended, timeout=15_000)
    assert handled == ["no"]


def test_errors_of_superseded_work_are_logged_but_not_told(
    jobs: Jobs, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    for error, logged in ((AlbumError("foreseen"), 0), (ValueError("a bug"), 1)):
        gate, ended = threading.Event(), threading.Event()

        def fail(task: Task, gate: threading.Event = gate, error: Exception = error) -> None:
            gate.wait(15)
            raise error

        jobs.start("solve", "", fail)
        jobs.start("solve", "", lambda task: None)
        with qtbot.assertNotEmitted(jobs.failed):
            gate.set()
            jobs.start("after", "", lambda task: None, on_done=lambda done, ended=ended: ended.set())
            qtbot.waitUntil(lambda ended=ended: ended.is_set() and jobs.all_ended, timeout=15_000)
        assert len([record for record in caplog.records if record.exc_info]) == logged


def test_shutting_down_waits_even_for_a_thread_whose_result_is_there(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread of large work still gives memory back after its result was delivered."""
    giving, given = threading.Event(), threading.Event()

    def slow_give_back() -> None:
        giving.set()
        time.sleep(0.2)
        given.set()

    monkeypatch.setattr(module, "give_back", slow_give_back)
    jobs.start(JobKind.SCORE, "", lambda task: 1)
    assert giving.wait(5)
    qtbot.waitUntil(lambda: not jobs.running(JobKind.SCORE))
    jobs.shut_down()
    assert given.is_set()


def test_work_that_does_not_end_in_time_is_not_heard_any_more(qapp: QApplication) -> None:
    """Its thread goes on after the jobs are destroyed, and sends its results without an error."""
    jobs = Jobs()
    gate, ended = threading.Event(), threading.Event()

    def work(task: Task) -> None:
        gate.wait(5)
        task.send_now("late")
        ended.set()

    jobs.start("stubborn", "", work)
    jobs.shut_down(seconds_to_end=0.05)
    shiboken6.delete(jobs)
    gate.set()
    assert ended.wait(5), "sending to the destroyed object would end the thread"


def test_shutting_down_waits_for_the_threads(jobs: Jobs) -> None:
    ended = threading.Event()

    def work(task: Task) -> None:
        while not task.stop():
            pass
        ended.set()

    jobs.start("busy", "", work)
    jobs.shut_down()
    assert ended.is_set()


def test_a_job_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("album_app.gui.state.jobs.time", SimpleNamespace(monotonic=lambda: now[0]))
    job = Job("photos", "Reading photos", quiet=False)
    assert describe(job) == "Reading photos"
    now[0] += 1000  # what it took to get going says nothing about the pace
    job.move_on(0, 200)
    assert describe(job) == "Reading photos   0 / 200"
    now[0] += 10
    job.move_on(50, 200)
    assert describe(job) == "Reading photos   50 / 200   ·   30 s left"
