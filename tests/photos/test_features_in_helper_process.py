"""Features from a helper process: the same numbers, stoppable at once, errors as sentences."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from album_app.errors import AlbumError, Stopped, UsageError
from album_app.photos import helper_process
from album_app.photos.album import Photo
from album_app.photos.album_features import album_features, extract_in_process
from album_app.photos.cache import Cache
from album_app.photos.features import extractor


@pytest.fixture
def photos(make_photo: Callable[..., Path]) -> list[Photo]:
    paths = [make_photo(os.fsdecode(f"{i} \N{CAT FACE}'".encode() + b"\xff.png"), seed=i) for i in range(6)]
    states = [path.stat() for path in paths]
    return [Photo(p, p.name, s.st_size, s.st_mtime_ns, 64, 48) for p, s in zip(paths, states, strict=True)]


def test_the_helper_finds_the_same_features_and_fills_the_cache(photos: list[Photo], tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    found = extract_in_process(
        photos, "resnet20", tmp_path / "cache", on_progress=lambda done, total: calls.append((done, total))
    )
    assert found.shape == (6, 64) and found.dtype == np.float32
    assert calls[0] == (0, 6) and calls[-1] == (6, 6)
    with Cache.open(tmp_path / "another") as cache:
        np.testing.assert_allclose(found, album_features(photos, "resnet20", cache), atol=1e-4)
    with Cache.open(tmp_path / "cache") as cache:
        cached = cache.get_features(photos, extractor("resnet20").key)
    np.testing.assert_array_equal(np.stack([row for row in cached if row is not None]), found)


def test_wrong_names_come_back_as_usage_errors(photos: list[Photo]) -> None:
    with pytest.raises(UsageError, match="semantic"):
        extract_in_process(photos, "smell")


def test_a_stop_ends_the_helper_at_once(photos: list[Photo], monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = helper_process.start_helper
    monkeypatch.setattr(helper_process, "start_helper", lambda *words: started.append(start(*words)) or started[0])
    with pytest.raises(Stopped):
        extract_in_process(photos, "semantic", stop=lambda: bool(started))
    assert started[0].poll() is not None


def test_every_batch_that_was_reported_is_kept_when_the_helper_is_ended(photos: list[Photo], tmp_path: Path) -> None:
    done = [0]
    with pytest.raises(Stopped):
        extract_in_process(
            photos, "semantic", tmp_path / "cache", on_progress=lambda n, _: done.append(n), stop=lambda: done[-1] >= 4
        )
    with Cache.open(tmp_path / "cache") as cache:
        kept = sum(row is not None for row in cache.get_features(photos, extractor("semantic").key))
    assert kept >= done[-1] == 4
    went_on: list[int] = []
    extract_in_process(photos, "semantic", tmp_path / "cache", on_progress=lambda n, _: went_on.append(n))
    assert went_on[0] == kept, "the next time goes on from there"


def test_a_stop_before_the_start_starts_nothing(photos: list[Photo], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper_process, "start_helper", lambda *words: pytest.fail("started"))
    with pytest.raises(Stopped):
        extract_in_process(photos, "rgb", stop=lambda: True)


@pytest.mark.parametrize("code", ["raise RuntimeError('no such luck')", "import os; os.kill(os.getpid(), 9)"])
def test_a_helper_that_dies_is_an_error_in_words(
    photos: list[Photo], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}"\n')
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    with pytest.raises(AlbumError, match=r"helper process for features failed: (.*no such luck|it said nothing)"):
        extract_in_process(photos, "rgb")


def test_the_helper_dies_with_its_parent(photos: list[Photo]) -> None:
    code = f"""
import os, tempfile
from album_app.photos.helper_process import send, start_helper
words = "album_app.photos.helper_process", "album_app.photos.album_features", "extract_features"
child = start_helper(words, tempfile.TemporaryFile())
photos = [({os.fspath(photos[0].path)!a}, "a", 1, i, 64, 48) for i in range(20000)]
send(child.stdin, dict(request=[photos, None, "rgb:128"]))
print(child.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    parent = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, check=False, cwd=Path(__file__).parents[3]
    )
    child = int(parent.stdout)
    for _ in range(200):
        if not _alive(child):
            return
        time.sleep(0.05)
    pytest.fail("the helper lives on")


def _alive(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
