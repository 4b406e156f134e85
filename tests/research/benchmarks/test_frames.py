"""The benchmark of frames says what large photos and rows cost on a small album."""

from pathlib import Path

import numpy as np
from PIL import Image

from album_app.research.benchmarks.frames import measure


def test_every_promise_is_measured(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    for number in range(80):
        colour = tuple(random.integers(0, 256, 3).tolist())
        Image.new("RGB", (12, int(random.choice([8, 12, 18]))), colour).save(tmp_path / f"{number:02}.png")
    goals = list(measure(tmp_path, "rgb", range(1)))
    assert len(goals) == 3 + 3 + 3 * 3 and all(np.isfinite(goal.found) for goal in goals)
    assert sum(goal.most is not None for goal in goals) == 2 + 2 + 3 * 2
