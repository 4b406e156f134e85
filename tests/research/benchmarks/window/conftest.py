"""Albums to be measured with, drawn in no time."""

from pathlib import Path

import pytest

from album_app.research.benchmarks.window import benchmark
from tests.gui.conftest import (
    garbage_here_only,
    make_photos,
    modules_put_aside,
    one_style_sheet,
    open_window,
    photo_folder,
    qapp,
    qapp_cls,
)

__all__ = [
    "garbage_here_only",
    "modules_put_aside",
    "one_style_sheet",
    "open_window",
    "photo_folder",
    "qapp",
    "qapp_cls",
]


@pytest.fixture
def few_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A handful of pictures in the place of the sample album's hundreds, which take a while to draw."""
    monkeypatch.setattr(benchmark, "sample_folder", lambda: made)
    made = make_photos(tmp_path / "few", 6)
