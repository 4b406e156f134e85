"""What surrounds the program: a clock that was set back, files in the current folder, absurd dates, a second window."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from album_app.cli import main
from album_app.errors import AlbumError
from album_app.gui.state import recent
from album_app.gui.style.wording import taken_words
from album_app.layout.editing.timeline import blended
from album_app.layout.project.project_file import load_project, save_project
from album_app.paths import atomic_write
from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.photos.time_order import by_file_time
from tests.cli.conftest import draw_photos
from tests.layout.conftest import make_document

ABSURD = ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "9999-12-31T23:59:59+14:00", "-1", "", "now", "2024-02-30"]
ABSURD += ["10000-01-01", "1e999", "n" * 5000]
ABSURD_VALUES = [*ABSURD, 0, -1, 10**400, 1e308, None, [], {}, True]


def test_a_clock_that_was_set_back_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photos = scan(draw_photos(tmp_path / "photos", 4)).photos
    recent.remember([tmp_path], "Trip", 3)
    with Cache.open() as cache:
        cache.put_features(photos, "test", np.ones((4, 3), np.float32))
    monkeypatch.setattr(time, "time", lambda: 1.0)
    monkeypatch.setattr(time, "time_ns", lambda: 10**9)
    with Cache.open() as cache:
        assert all(row is not None for row in cache.get_features(photos, "test"))
        cache.put_features(photos, "later", np.ones((4, 3), np.float32))
        assert all(row is not None for row in cache.get_features(photos, "later"))
    recent.remember([tmp_path / "photos"], "Photos", 4)
    assert [album.title for album in recent.recent_albums()] == ["Photos", "Trip"]
    with atomic_write(tmp_path / "new.json") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "new.json").read_text() == "new"
    assert main(["arrange", str(tmp_path / "photos"), "--report", str(tmp_path / "r.json"), "--quiet"]) == 0


@pytest.mark.parametrize("value", ABSURD_VALUES, ids=range(len(ABSURD_VALUES)))
def test_absurd_dates_in_a_project_load_or_are_refused(tmp_path: Path, value: object) -> None:
    path = tmp_path / "p.album"
    save_project(make_document(tmp_path / "photos"), path)
    content = json.loads(path.read_text())
    text = json.dumps(_with_dates(content, value))
    assert '"taken"' in text
    path.write_text(text)
    try:
        document = load_project(path)
    except AlbumError as error:
        assert len(str(error).splitlines()) == 1
        return
    photos = document.album.photos
    by_file_time(photos)
    features = np.arange(len(photos), dtype=np.float32)[:, None]
    assert np.isfinite(blended(features, photos, 0.5)).all()
    assert all(isinstance(taken_words(photo), list) for photo in photos)
    save_project(document, path)


def _with_dates(node: object, value: object) -> object:
    """The content of a project with every date and time replaced."""
    if isinstance(node, dict):
        dated = {"taken": value, "mtime_ns": value} if "width" in node else {}
        return {key: _with_dates(part, value) for key, part in node.items()} | dated
    return [_with_dates(item, value) for item in node] if isinstance(node, list) else node


def test_the_current_folder_is_never_searched(tmp_path: Path) -> None:
    """Neither for catalogues of texts, nor for modules, nor for data."""
    for place in (".", "de/LC_MESSAGES", "locale/de/LC_MESSAGES", "resources/language/de/LC_MESSAGES"):
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / "album_app.mo").write_bytes(b"\xde\x12\x04\x95" + b"\xff" * 100)
    (tmp_path / "preferences.json").write_text('{"preferences/language": "xx"}')
    program = str(Path(sys.executable).with_name("album-app"))
    words = ["--lang", "de", "arrange", "--help"]
    said = [
        subprocess.run([program, *words], cwd=cwd, capture_output=True, text=True, check=True).stdout
        for cwd in (tmp_path, os.sep)
    ]
    assert said[0] == said[1] and "ORDNER" in said[0]
