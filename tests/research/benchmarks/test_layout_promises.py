"""Very many photos are compared with FLAS by time, smoothness and memory."""

import numpy as np
import pytest

from album_app.research.benchmarks import layout_promises
from album_app.research.benchmarks.layout_promises import hundred_thousand
from album_app.research.experiments.study import Request


def test_very_many_photos_stand_beside_flas(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("vc_flas")
    monkeypatch.setattr(layout_promises, "HUGE", (12, 15))
    pieces = np.random.default_rng(0).random((60, 12)).astype(np.float32)
    monkeypatch.setattr(layout_promises, "_pieces", lambda count: pieces[:count])
    time, smoothness, memory = hundred_thousand(Request(1))
    assert "180 on" in time.what and time.found > 0 and "against" in time.note
    assert 0.3 < smoothness.found < 1.5 and memory.found > 0.01
    assert all(goal.most == 1.0 for goal in (time, smoothness, memory))
