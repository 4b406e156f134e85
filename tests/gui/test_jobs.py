"""Background work: results on the GUI thread, the latest of a kind wins, what is late is dropped."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.errors import AlbumError
from album_app.gui.job_bar import describe
from album_app.gui.jobs import Job, Jobs, Task
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


def test_the_latest_of_a_kind_wins(jobs: Jobs, qtbot: QtBot) -> None:
    gate, found = threading.Event(), []

    def slow(task: Task) -> str:
        gate.wait(5)
        return "late"

    jobs.start("solve", "", slow, on_done=found.append)
    jobs.start("solve", "", lambda task: "new", on_done=found.append)
    qtbot.waitUntil(lambda: bool(found))
    gate.set()
    qtbot.wait(120)
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
    qtbot.wait(80)
    assert not found and not jobs.visible


def test_errors_are_told_unless_handled(jobs: Jobs, qtbot: QtBot) -> None:
    def fail(task: Task) -> None:
        raise AlbumError("no")

    with qtbot.waitSignal(jobs.failed) as told:
        jobs.start("a", "", fail)
    assert str(told.args[0]) == "no"
    handled: list[str] = []

    def on_error(error: Exception) -> bool:
        handled.append(str(error))
        return True

    with qtbot.assertNotEmitted(jobs.failed, wait=150):
        jobs.start("b", "", fail, on_error=on_error)
    assert handled == ["no"]


def test_shutting_down_waits_for_the_threads(jobs: Jobs) -> None:
    ended = threading.Event()

    def work(task: Task) -> None:
        while not task.stop():
            pass
        ended.set()

    jobs.start("busy", "", work)
    jobs.shut_down()
    assert ended.is_set()


def test_a_job_says_how_far_it_is() -> None:
    job = Job("photos", "Reading photos", quiet=False)
    assert describe(job) == "Reading photos"
    job.started -= 10
    job.done, job.total = 50, 200
    assert describe(job).startswith("Reading photos   50 / 200   ·   30 s left")
