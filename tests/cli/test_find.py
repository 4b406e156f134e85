"""`album-app find`: paths best first, as lines or as JSON, and a word that has no class."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.photos.features.lite0 import CLASSES_KEY
from tests.cli.conftest import Run

BEAGLE, TABBY = 162, 281


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Photos whose classes are remembered: a cat, a dog, and one that is less surely a dog."""
    folder = tmp_path / "pets"
    folder.mkdir()
    for k, name in enumerate(("cat.png", "dog.png", "perhaps.png")):
        Image.new("RGB", (8, 6), (80 * k, 0, 0)).save(folder / name)
    rows = np.zeros((3, 20), np.float32)
    rows[:, 0], rows[:, 10] = (TABBY, BEAGLE, BEAGLE), (0.9, 0.9, 0.3)
    with Cache.open() as cache:
        cache.put_features(scan(folder).photos, CLASSES_KEY, rows)
    return folder


def test_paths_come_best_first(run: Run, folder: Path) -> None:
    done = run("find", folder, "Hunde", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [str(folder / "dog.png"), str(folder / "perhaps.png")]


def test_json_says_how_sure_each_hit_is(run: Run, folder: Path) -> None:
    told = json.loads(run("find", folder, "cat", "--quiet", "--json").out)
    assert told == {"unknown": [], "nearest": [], "photos": [{"path": str(folder / "cat.png"), "score": 0.9}]}


def test_a_word_without_a_class_is_said_to_have_none(run: Run, folder: Path) -> None:
    done = run("find", folder, "helicopter", "--quiet")
    assert (done.code, done.out) == (1, "")
    assert "There is no class of the name “helicopter”; the nearest: airplane." in done.err
