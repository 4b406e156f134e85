"""The benchmark of the timeline: a table per album, and the curves as a picture."""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.research.benchmarks import timeline


def test_time_is_followed_for_some_of_the_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for k in range(24):
        colour = np.random.default_rng(k).integers(0, 256, 3).astype(np.uint8)
        Image.fromarray(np.full((8, 8, 3), colour)).save(folder / f"{k}.png")
        os.utime(folder / f"{k}.png", (86400 * k, 86400 * k))
    rows = timeline.compare(folder, "rgb", 1, weights=(0.0, 0.3, 0.9))
    assert [row["weight"] for row in rows] == [0.0, 0.3, 0.9]
    ranks, qualities = [row["rank"] for row in rows], [row["dpq16"] for row in rows]
    assert ranks == sorted(ranks) and ranks[-1] > 0.9 and qualities[0] > qualities[-1]
    said = capsys.readouterr().out
    assert "photos, rgb: 24 photos, 24 dated by their file time only, 1 seeds" in said and "| 0.3, proposed |" in said
    timeline.draw(rows, tmp_path / "curves.png")
    assert Image.open(tmp_path / "curves.png").width > 500
