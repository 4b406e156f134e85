"""`album-app outliers`: the photos that fit badly anywhere, the worst first."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.photos.features.lite0 import Lite0
from tests.cli.conftest import Run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Thirty photos of two kinds and one of neither, whose features are remembered."""
    folder = tmp_path / "photos"
    folder.mkdir()
    rng = np.random.default_rng(0)
    rows = 0.05 * rng.random((31, Lite0.dimension), np.float32)
    rows[:15, 0], rows[15:30, 1], rows[30, 2] = 1, 1, 1
    for k in range(31):
        Image.new("RGB", (4, 4), (8 * k, 0, 0)).save(folder / f"{k:02d}.png")
    with Cache.open() as cache:
        cache.put_features(scan(folder).photos, Lite0.key, rows)
    return folder


def test_what_has_no_kin_comes_first(run: Run, folder: Path) -> None:
    done = run("outliers", folder, "--count", "3", "--quiet", "--json")
    names = [Path(path).name for path in json.loads(done.out)["photos"]]
    assert done.code == 0 and len(names) == 3 and names[0] == "30.png"


def test_a_count_below_one_is_refused(run: Run, folder: Path) -> None:
    assert run("outliers", folder, "--count", "0").complaint == "--count is at least 1, not 0."
