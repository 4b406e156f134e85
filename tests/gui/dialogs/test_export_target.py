"""Where an export is proposed to go: where people look for it, never among the photos."""

from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export.foot import LONGEST_FOLDER, short_folder
from album_app.gui.dialogs.export.writing import PLACES, proposed_folder
from album_app.gui.window.main_window import MainWindow
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.dialogs.dialog_hands import facts_of, named, open_export
from tests.gui.hands import LEFT, document_of, save_as


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with folders for pictures and documents, as the system tells them."""
    folders = [tmp_path / "home" / "Pictures", tmp_path / "home" / "Documents", tmp_path / "home"]
    for folder in folders[:2]:
        folder.mkdir(parents=True)
    reported = {place: str(folder) for place, folder in zip(PLACES, folders, strict=True)}
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda place: reported[place])
    return folders[-1]


def folder_in(home: Path, name: str) -> Path:
    (home / name).mkdir(parents=True, exist_ok=True)
    return home / name


def test_the_last_export_comes_first_then_the_project_then_pictures(home: Path) -> None:
    album, last, projects = (folder_in(home, name) for name in ("Pictures/crete", "sheets", "projects"))
    project = projects / "crete.album"
    assert proposed_folder(str(last), project, [album]) == last
    assert proposed_folder("", project, [album]) == projects
    assert proposed_folder("", None, [album]) == home / "Pictures"
    assert proposed_folder(str(home / "gone"), None, [album]) == home / "Pictures"


def test_no_folder_of_the_album_is_proposed(home: Path) -> None:
    album = folder_in(home, "Pictures/crete")
    inside = folder_in(home, "Pictures/crete/day one")
    for last in (album, inside):
        assert proposed_folder(str(last), album / "crete.album", [album]) == home / "Pictures"
    assert proposed_folder("", None, [home / "Pictures"]) == home / "Documents"
    assert proposed_folder("", None, [home / "Pictures", home / "Documents"]) == home
    assert proposed_folder("", None, [home]) == home.parent
    assert proposed_folder("", None, []) == home / "Pictures"


def proposal(window: MainWindow, qtbot: QtBot) -> Path:
    dialog = open_export(window)
    qtbot.waitUntil(lambda: not facts_of(dialog).startswith("Arranging"), timeout=WAIT_MS)
    QTest.mouseClick(named(dialog, QPushButton, "Export to another place or name"), LEFT)
    qtbot.waitUntil(lambda: bool(dialog.findChildren(QFileDialog)), timeout=WAIT_MS)
    asking = dialog.findChildren(QFileDialog)[-1]
    found = Path(asking.selectedFiles()[0])
    asking.reject()
    dialog.close()
    return found


def test_the_dialog_proposes_a_name_outside_the_photo_folder(
    open_window: OpenWindow, qtbot: QtBot, home: Path, tmp_path: Path
) -> None:
    window = open_window(3)
    (album,) = document_of(window).album.roots
    assert proposal(window, qtbot) == home / "Pictures" / f"{album.name}.png"
    save_as(qtbot, window, folder_in(tmp_path, "projects") / "crete.album")
    assert proposal(window, qtbot) == tmp_path / "projects" / "crete.png"
    window.preferences.remember("export folder", str(album))
    assert proposal(window, qtbot) == tmp_path / "projects" / "crete.png", (
        "not among the photos, even if asked for once"
    )


def test_the_name_proposed_for_a_book_says_that_it_is_one(open_window: OpenWindow, qtbot: QtBot, home: Path) -> None:
    window = open_window(11)
    window.parts.reshaping.start(ShapeSpec("pages", rows=2, columns=3))
    qtbot.waitUntil(lambda: document_of(window).shape.pages is not None, timeout=WAIT_MS)
    wait_until_settled(qtbot, window.session)
    assert proposal(window, qtbot).stem == "photos-book"


def test_a_hasty_click_on_export_asks_nothing(open_window: OpenWindow, qtbot: QtBot, home: Path) -> None:
    dialog = open_export(open_window(4))
    named(dialog, QPushButton, "Export").click()
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    assert not dialog.findChildren(QFileDialog) and list((home / "Pictures").iterdir())
    dialog.reject()


def test_the_file_and_its_folder_are_named_before_and_after(open_window: OpenWindow, qtbot: QtBot, home: Path) -> None:
    window = open_window(4)
    (album,) = document_of(window).album.roots
    dialog = open_export(window)
    target, pictures = named(dialog, QLabel, "File to be written"), short_folder(home / "Pictures")
    qtbot.waitUntil(lambda: target.text() == f"Writes {album.name}.png into {pictures}", timeout=WAIT_MS)
    assert target.toolTip() == str(home / "Pictures" / f"{album.name}.png")
    dialog.cards.buttons["print"].click()
    qtbot.waitUntil(target.isHidden, timeout=WAIT_MS)
    dialog.cards.buttons["poster"].click()
    qtbot.waitUntil(lambda: target.text() == f"Writes {album.name}.pdf into {pictures}", timeout=WAIT_MS)
    qtbot.waitUntil(named(dialog, QPushButton, "Export").isEnabled, timeout=WAIT_MS)
    named(dialog, QPushButton, "Export").click()
    qtbot.waitUntil(lambda: facts_of(dialog).startswith(f"Wrote {album.name}.pdf into {pictures}, "), timeout=WAIT_MS)
    assert (home / "Pictures" / f"{album.name}.pdf").is_file() and target.isHidden()
    dialog.reject()


def test_of_a_long_path_the_end_is_shown() -> None:
    assert short_folder(Path("/home/me/Pictures")) == str(Path("/home/me/Pictures"))
    assert short_folder(Path("/home", *10 * ["folder"], "trips", "2025")) == str(Path("…/trips/2025"))
    assert len(short_folder(Path("/home", 80 * "x", 80 * "y"))) == LONGEST_FOLDER
