"""`album-app cache`: what a person sees of the cache."""

from pathlib import Path

import pytest

from album_app.cli import main
from album_app.photos.album import Photo
from album_app.photos.cache import Cache
from tests.photos.conftest import put_thumbnails


def fill() -> None:
    photo = Photo(Path("/photos/a.jpg"), "a.jpg", 1, 1, 1, 1)
    with Cache.open() as cache:
        put_thumbnails(cache, [photo], [bytes(3_000_000)])
        cache.put_features([photo], "rgb:8", [[1.0, 2.0]])


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    fill()
    assert main(["cache"]) == 0
    shown = capsys.readouterr().out
    assert "Thumbnails 1" in shown and "Features   1 rgb:8" in shown and "of at most" in shown


def test_clear(capsys: pytest.CaptureFixture[str]) -> None:
    fill()
    assert main(["cache", "--clear"]) == 0
    assert "freed" in capsys.readouterr().out
    with Cache.open() as cache:
        assert cache.info().thumbnails == 0 and cache.info().file_bytes < 100_000


def test_where_there_can_be_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("ALBUM_APP_CACHE", "/proc/nothing")
    assert main(["cache"]) == 1
    assert "does without" in capsys.readouterr().err
