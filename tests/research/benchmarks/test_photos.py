"""The photo benchmark runs on a small folder and says what it found."""

from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.cli import main
from album_app.research.benchmarks import photos as bench_photos
from album_app.research.benchmarks.photos import Kind, nearest_agreement


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    for kind in ("sea", "sunset"):
        for i in range(3):
            base = (30, 60, 200) if kind == "sea" else (230, 120, 40)
            pixels = np.clip(rng.normal(base, 10, (40, 60, 3)), 0, 255).astype(np.uint8)
            Image.fromarray(pixels).save(tmp_path / f"{kind}-{i}.jpg")
    return tmp_path


def test_the_tables(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench_photos, "sample_folder", lambda: folder)
    assert main(["bench", "photos", str(folder), "--rounds", "1", "--features", "rgb", "lab"]) == 0
    shown = capsys.readouterr().out
    for words in (
        "6 photos",
        "headers alone",
        "read again, unchanged",
        "bare Pillow",
        "from the cache",
        "rgb (192 numbers)",
        "2 kinds",
        "wanted at least 0.9",
    ):
        assert words in shown
    assert [line.split()[-1] for line in shown.splitlines() if line.startswith(("rgb  ", "lab  "))] == ["1.000"] * 2


def test_photos_of_two_sizes_are_made_where_none_are_given(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    larger = Kind(8, (500, 375), 0.9), Kind(3, (1200, 900), 0.95, distinct=2)
    arguments = Namespace(rounds=1, features=[])
    assert bench_photos.measure_made(arguments, folder, Kind(9, (300, 200), 0.95), larger) == 0
    shown = capsys.readouterr().out
    assert "9 photos" in shown and shown.count("by processor time") == 3
    assert all(f"{size}: read with rgb features / bare Pillow" in shown for size in ("500 x 375", "1200 x 900"))


def test_no_photos(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "photos", str(tmp_path)]) == 2
    assert "no photos" in capsys.readouterr().err


def test_the_nearest_neighbour() -> None:
    features = np.array([[0.0], [1.0], [10.0], [12.0], [5.4]], np.float32)
    assert nearest_agreement(features, np.array(["a", "a", "b", "b", "b"])) == 0.8
