"""The benchmark of the window measures what it says it measures."""

import argparse
import time

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from album_app.paths import cache_folder
from album_app.research.benchmarks.window import benchmark
from album_app.research.benchmarks.window.benchmark import Pulse, _drop, own_cache, wait
from album_app.sample import sample_album
from tests.gui.conftest import OpenWindow
from tests.gui.hands import document_of


def test_the_pulse_feels_a_stall(qtbot: QtBot, qapp: QApplication) -> None:
    pulse = Pulse()
    pulse.watch(lambda: (wait(0.05), time.sleep(0.3), wait(0.05)))
    assert pulse.longest >= 290 and pulse.most_work < 290, "asleep, it did nothing"


def test_a_drop_is_timed_to_the_first_layout_that_moves_other_photos(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(60)
    session = window.session
    layout = document_of(session).layout
    photo, cell = layout.photo_in(layout.shape.cell(0)), layout.shape.cell(layout.shape.count - 1)
    times = _drop(window, photo, cell)
    assert times is not None and 0 < times[0] <= times[1]
    assert _drop(window, photo, cell) is None


@pytest.mark.usefixtures("few_pictures")
def test_in_a_cache_of_its_own_the_album_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_folder()
    monkeypatch.setattr(sample_album, "draw", lambda kind, number: pytest.fail("drawn again"))
    with own_cache():
        assert cache_folder() != before
        assert len(list(sample_album.sample_folder().iterdir())) == 6
        assert [path.name for path in cache_folder().iterdir()] == [sample_album.sample_place().name]
    assert cache_folder() == before


@pytest.mark.usefixtures("few_pictures")
def test_opening_is_measured_beside_the_command() -> None:
    alone, empty, full = benchmark.opening(argparse.Namespace(photos=12), rounds=1)
    assert alone.found > 0 and empty.most == 1.5 and full.most == 0.75
    assert empty.found > 0 and full.found > 0
