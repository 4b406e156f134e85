"""Fixtures for every room: folders of their own for cache and state, and the shared measuring data where it exists."""

from pathlib import Path

import pytest
from hypothesis import settings

from album_app import language
from tests.fonts import make_font, no_fonts

__all__ = ["make_font", "no_fonts"]

language.use(language.ENGLISH)  # whatever the system speaks; what a test starts inherits it

# How long an example takes says more about the machine; the same examples on every run, so that a failure stays.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of measuring data beside the checkout; tests that want it are skipped where it is absent."""
    folder = Path(__file__).parent.parent.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("no measuring data beside the checkout")
    return folder


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's cache or state."""
    monkeypatch.setenv("ALBUM_APP_CACHE", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("ALBUM_APP_STATE", str(tmp_path_factory.mktemp("state")))
