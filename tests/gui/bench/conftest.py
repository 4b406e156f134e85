"""Albums to be measured with, drawn in no time."""

from pathlib import Path

import pytest

from album_app.gui.bench import albums
from tests.gui.conftest import make_photos


@pytest.fixture
def few_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A handful of pictures in the place of the sample album's hundreds, which take a while to draw."""
    monkeypatch.setattr(albums, "sample_folder", lambda: made)
    made = make_photos(tmp_path / "few", 6)
