"""Intermediate sheets: smoother ones are shown, rougher ones only where allowed, large ones at regular times."""

import time

import numpy as np
import pytest

from album_app.layout import Layout, Options, Pins, arrange, rectangle
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.journal import CELLS_FOR_TIMED_STEPS, SHOWN_STEPS, Journal

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


@pytest.mark.parametrize(("seconds", "least", "most"), [(0.0, 60, 64), (1e9, 0, 0)])
def test_a_large_sheet_is_offered_by_the_clock(seconds: float, least: int, most: int) -> None:
    journal = Journal(
        Arrangement.of(FEATURES, rectangle(1, 9), Pins()),
        Options(),
        None,
        wanted=True,
        since=time.perf_counter(),
        timed_from=8,
        seconds_between_steps=seconds,
    )
    assert journal.is_timed(9) and not journal.is_timed(8)
    assert least <= sum(journal.is_due(done, 64, 9) for done in range(1, 65)) <= most
    assert sum(journal.is_due(done, 64, 8) for done in range(1, 65)) == SHOWN_STEPS, "smaller ones by their number"


def test_a_large_sheet_is_shown_from_the_first_to_the_refined() -> None:
    steps: list[Layout] = []
    shape = rectangle(1, CELLS_FOR_TIMED_STEPS + 1)
    arrange(np.arange(shape.count, dtype=float)[:, None], shape, on_step=steps.append)
    assert [steps[0].stage, steps[-1].stage] == ["first", "refined"]
