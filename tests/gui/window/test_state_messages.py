"""Where nothing can be remembered the window works all the same, and says so once; what is kept is private."""

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from album_app.gui.style import theme
from album_app.gui.style.theme import style_sheet
from album_app.paths import cache_folder, state_folder
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled


@pytest.fixture
def icons_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The icons of the style sheet belong to what is kept, too."""
    monkeypatch.setattr(theme, "style_sheet", style_sheet)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """State and cache are where no folder can be."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("ALBUM_APP_STATE", str(tmp_path / "file" / "state"))
    monkeypatch.setenv("ALBUM_APP_CACHE", str(tmp_path / "file" / "cache"))


@pytest.mark.usefixtures("nowhere", "icons_of_its_own")
def test_without_a_place_for_its_state_the_window_starts_and_says_so_once(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(6)
    assert "cannot be kept in" in window.message_bar.text and str(state_folder()) in window.message_bar.text
    next(
        each for each in window.message_bar.findChildren(QToolButton) if each.accessibleName() == "Close message"
    ).click()
    window.session.drop([0], (0, 0))
    window.parts.autosave.write()
    qtbot.waitUntil(lambda: not window.parts.jobs.running("autosave"), timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert not window.message_bar.isVisible()
    window.preferences.set("motion", "reduced")
    assert window.preferences.get("motion") == "reduced"


def test_a_state_that_fails_later_names_the_album_and_no_file_of_ours(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(6)
    (state_folder() / "autosave").touch()
    window.session.drop([0], (0, 0))
    window.parts.autosave.write()
    qtbot.waitUntil(window.message_bar.isVisible, timeout=WAIT_MS)
    assert window.message_bar.text.startswith("Unsaved work on “photos” cannot be kept in case of a crash:")
    (state_folder() / "autosave").unlink()


def is_open_to_others(path: Path) -> bool:
    """Whether other users may do anything with a file; not if it is an unfinished one that has its own name by now."""
    try:
        return bool(path.stat().st_mode & 0o077)
    except FileNotFoundError:
        return False


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
@pytest.mark.usefixtures("icons_of_its_own")
def test_what_the_window_keeps_is_its_owners_alone(open_window: OpenWindow, qtbot: QtBot) -> None:
    before = os.umask(0)
    try:
        window = open_window(6)
        window.session.drop([0], (0, 0))
        window.parts.autosave.write()
        window.preferences.set("motion", "reduced")
        window.preferences.save()
        qtbot.waitUntil(lambda: bool(list((state_folder() / "autosave").glob("*.json"))), timeout=WAIT_MS)
        qtbot.waitUntil((state_folder() / "recent.json").exists, timeout=WAIT_MS)
    finally:
        os.umask(before)
    kept = [path for place in (state_folder(), cache_folder()) for path in (place, *place.rglob("*"))]
    loose = [path for path in kept if path.suffix != ".lock" and is_open_to_others(path)]
    assert not loose and {path.name for path in kept} >= {"preferences.json", "recent.json", "photos.sqlite", "icons"}
