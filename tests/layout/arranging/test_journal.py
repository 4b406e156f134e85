"""What is shown on the way: smoother sheets, rougher ones only where allowed, large ones at a steady beat."""

import sys
import time

import numpy as np
import pytest

from album_app.layout import Layout, Options, Pins, arrange, rectangle
from album_app.layout.arranging import journal as module
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.journal import Journal
from tests.layout.conftest import photos

FEATURES = np.arange(9, dtype=np.float32)[:, None]
SMOOTH, LESS, ROUGH = np.arange(9), np.array([0, 2, 1, 3, 4, 5, 6, 7, 8]), np.array([0, 8, 1, 7, 2, 6, 3, 5, 4])


def test_a_rougher_sheet_is_shown_only_where_that_is_allowed() -> None:
    arrangement = Arrangement.of(FEATURES, rectangle(1, 9), Pins())
    shown: list[Layout] = []
    journal = Journal(arrangement, Options(), shown.append, wanted=True, since=time.perf_counter())
    for sheet in (LESS, ROUGH, SMOOTH, LESS):
        journal.offer(sheet, "rounded")
    assert [layout.photo_at.tolist() for layout in shown] == [LESS.tolist(), SMOOTH.tolist()]
    journal.allow(arrangement.roughness(LESS) / arrangement.roughness(SMOOTH) * 1.01)
    for sheet in (LESS, ROUGH, LESS):
        journal.offer(sheet, "rounded")
    assert [layout.photo_at.tolist() for layout in shown[2:]] == [LESS.tolist()] * 2


def test_a_large_sheet_is_looked_at_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["album_app.layout.arranging.arrange"], "CELLS_FOR_TIMED_STEPS", 10)
    features, counts = photos(64, 5), []
    for beat in (0.0, 1e9):
        monkeypatch.setattr(module, "BEAT", beat)
        steps: list[Layout] = []
        arrange(features, rectangle(8, 8), on_step=steps.append)
        counts.append(len(steps))
        assert steps[0].stage == "first"
        assert steps[-1].stage == "refined"
    assert counts[0] > 20
    assert counts[1] <= 3
