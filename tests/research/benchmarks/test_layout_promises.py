"""Very many photos are compared with FLAS by time, smoothness and memory."""

import numpy as np
import pytest

from album_app.layout import rectangle
from album_app.research.benchmarks.layout_promises import hundred_thousand
from album_app.research.experiments.study import Request


def test_very_many_photos_stand_beside_flas() -> None:
    pytest.importorskip("vc_flas")
    pieces = np.random.default_rng(0).random((60, 12)).astype(np.float32)
    time, smoothness, memory = hundred_thousand(Request(1), shape=rectangle(12, 15), pieces=pieces)
    assert "180 on" in time.what and time.found > 0 and "against" in time.note
    assert 0.3 < smoothness.found < 1.5 and memory.found > 0.01
    assert all(goal.most == 1.0 for goal in (time, smoothness, memory))
