"""Damaged and hostile files in the state folder: nothing in them runs, and each hides no more than itself."""

import base64
import json
import logging
import os
import sys
import threading
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, QSettings

from album_app import state_files
from album_app.cli import main
from album_app.gui.state import recent
from album_app.gui.state.autosave import recoveries
from album_app.gui.state.preferences import Preferences
from album_app.log import logged
from album_app.paths import preferences_file, private_folder, state_folder
from album_app.photos.cache import Cache
from album_app.state_files import OLD_PREFERENCES, newly_set_aside, read_preferences, read_state
from tests.attacks.test_full_disk import on_full_disk
from tests.cli.conftest import draw_photos
from tests.layout.conftest import make_document

DAMAGED = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"5",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"origin": 5, "title": []}',
    b'{"origin": "a\\u0000b"}',
    b'{"origin": "\\ud800", "title": "x"}',
    b'{"origin": "' + b"n" * 5000 + b'"}',
    b'{"title": 1e999}',
    b'{"title": NaN}',
    b'[{"paths": [], "title": "", "photos": 1, "opened": 1}]',
    b'[{"paths": ["/x"], "title": "", "photos": 1e999, "opened": 1}]',
    b'[{"paths": ["' + b"n" * 5000 + b'"], "title": "", "photos": 1, "opened": 1}]',
    b'[{"paths": ["\\ud800"], "title": "\\ud800", "photos": 1, "opened": 1}]',
    b'[{"paths": ["a\\u0000b"], "title": "", "photos": 1, "opened": 1}]',
    b'[{"paths": 5}]',
    b"9" * 5000,
    b" " * 2_000_000,
]


class Attack:
    """What a pickle can do when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


def as_variant(attack: object, file: Path) -> str:
    """What QSettings writes for an object: a line that makes it load a pickle when it is read again."""
    settings = QSettings(str(file), QSettings.Format.IniFormat)
    settings.setValue("key", attack)
    settings.sync()
    return next(line for line in file.read_text().splitlines() if line.startswith("key=")).removeprefix("key=")


def test_no_pickle_in_the_preferences_is_loaded(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    line = as_variant(Attack(ran), tmp_path / "attack.ini")
    (tmp_path / "copy.ini").write_bytes((tmp_path / "attack.ini").read_bytes())
    QSettings(str(tmp_path / "copy.ini"), QSettings.Format.IniFormat).value("key")
    assert line.startswith("@Variant(") and ran.exists(), "the attack works on what reads variants"
    ran.rmdir()
    private_folder(state_folder())
    old = preferences_file().with_name(OLD_PREFERENCES)
    old.write_text(
        f"[preferences]\ntheme={line}\nlanguage=de\nrecursive=false\n[window]\ngeometry={line}\ntray=hidden\n"
    )
    preferences = Preferences()
    assert preferences.get("theme") == "system" and preferences.bytes("geometry") is None and not ran.exists()
    assert preferences.get("language") == "de" and preferences.get("recursive") is False, "old ones are taken over"
    assert preferences.word("tray") == "hidden"
    preferences.set("motion", "reduced")
    preferences.save()
    preferences_file().write_text(
        json.dumps(read_preferences() | {"preferences/theme": line, "window/geometry": line}), encoding="ascii"
    )
    again = Preferences()
    assert again.get("theme") == "system" and again.bytes("geometry") is None and not ran.exists()
    assert again.get("motion") == "reduced" and again.get("language") == "de"


def test_the_program_uses_nothing_of_qt_that_decodes_variants() -> None:
    """QSettings and streams of variants load pickles; a view that takes drops decodes a stream of variants."""
    package = Path(sys.modules["album_app"].__path__[0])
    text = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    for name in ("QSettings", "QDataStream", "dropMimeData", "DragDropMode", "ItemIsDropEnabled", "import pickle"):
        assert name not in text, name


def test_bytes_and_words_come_back() -> None:
    preferences = Preferences()
    preferences.remember("geometry", QByteArray(b"\0\1\xff"))
    preferences.remember("folder", "/m\udcffsik/\u6f22")
    preferences.save()
    again = Preferences()
    assert again.bytes("geometry") == QByteArray(b"\0\1\xff") and again.word("folder") == "/m\udcffsik/\u6f22"
    assert again.word("geometry") == base64.b64encode(b"\0\1\xff").decode()


def test_two_windows_keep_each_others_preferences() -> None:
    first, second = Preferences(), Preferences()
    windows = [
        threading.Thread(target=lambda w=window, k=key, v=value: (w.set(k, v), w.save()))  # type: ignore[misc]
        for window, key, value in ((first, "theme", "dark"), (second, "motion", "reduced"), (second, "memory", "400"))
    ]
    for window in windows:
        window.start()
    for window in windows:
        window.join()
    first.save()
    second.save()
    last = Preferences()
    assert (last.get("theme"), last.get("motion"), last.get("memory")) == ("dark", "reduced", "400")


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_costs_what_it_holds_and_repairs_itself(tmp_path: Path, content: bytes) -> None:
    private_folder(state_folder())
    for name in ("preferences.json", OLD_PREFERENCES, "recent.json"):
        (state_folder() / name).write_bytes(content)
    main(["cache"])
    assert (state_folder() / "preferences.json").exists(), "a command leaves what it only looks at"
    preferences = Preferences()
    assert preferences.get("theme") == "system" and not recent.recent_albums()
    damaged = {file.name: file.read_bytes() for file in newly_set_aside()}
    assert damaged in _set_aside_of(content)
    preferences.set("theme", "dark")
    preferences.save()
    assert Preferences().get("theme") == "dark"
    recent.remember([tmp_path], "Trip", 3)
    assert [album.title for album in recent.recent_albums()] == ["Trip"]
    recent.forget(recent.recent_albums()[0])
    assert read_state(state_folder() / "recent.json") == []


def _set_aside_of(content: bytes) -> list[dict[str, bytes]]:
    """Which of the two files may be set aside where both hold this: the one that must hold another kind, or both."""
    preferences, recents = {"preferences.damaged": content}, {"recent.damaged": content}
    return [{b"[": preferences, b"{": recents}.get(content.strip()[:1], {}), preferences | recents]


def test_a_file_that_another_thread_writes_meanwhile_is_not_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def appears_too_late(path: Path, most: int) -> bytes:
        Path(path).write_text("[]")
        raise FileNotFoundError(path)

    monkeypatch.setattr(state_files, "read_bounded", appears_too_late)
    private_folder(state_folder())
    assert recent.recent_albums() == []
    assert not newly_set_aside() and (state_folder() / "recent.json").exists()


def test_one_damaged_line_hides_no_other_album(tmp_path: Path) -> None:
    recent.remember([tmp_path], "Trip", 3)
    file = state_folder() / "recent.json"
    lines = json.loads(file.read_text())
    file.write_text(json.dumps([None, 5, {"paths": []}, *lines, {"paths": ["/x"], "photos": "many"}]))
    assert [album.title for album in recent.recent_albums()] == ["Trip"]


def test_one_damaged_note_hides_no_work(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from album_app.layout.project.project_file import save_project

    folder = private_folder(state_folder() / "autosave")
    document = make_document(tmp_path / "photos")
    save_project(document, folder / "sound.album")
    (folder / "sound.json").write_text('{"origin": "/somewhere/trip.album", "title": "Trip"}')
    for number, content in enumerate(DAMAGED):
        save_project(document, folder / f"{number}.album")
        (folder / f"{number}.json").write_bytes(content)
    (folder / "dangling.album").symlink_to(folder / "nowhere")
    (folder / "folder.album").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.album")
        os.mkfifo(folder / "0.pipe")
        (folder / "0.json").unlink()
        (folder / "0.json").symlink_to(folder / "0.pipe")
    with caplog.at_level(logging.WARNING, "album_app"):
        found = recoveries()
    assert len(found) == len(DAMAGED) + 1
    assert folder / "1.damaged" in newly_set_aside() and not newly_set_aside(), "each is named once"
    sound = next(recovery for recovery in found if recovery.file.name == "sound.album")
    assert sound.title == "Trip" and sound.origin == Path("/somewhere/trip.album")
    assert "1.json" in caplog.text and (folder / "1.damaged").exists() and not (folder / "1.json").exists()
    assert len(recoveries()) == len(found)


def test_random_damage_of_state_files(tmp_path: Path) -> None:
    recent.remember([tmp_path], "Trip", 3)
    preferences = Preferences()
    preferences.set("theme", "dark")
    preferences.save()
    sound = {name: (state_folder() / name).read_bytes() for name in ("preferences.json", "recent.json")}
    for number in range(300):
        dice = Random(number)
        for name, text in sound.items():
            place = dice.randrange(len(text))
            cut = text[:place] + dice.randbytes(dice.randrange(4)) + text[place + dice.randrange(3) :]
            (state_folder() / name).write_bytes(cut)
        assert Preferences().get("theme") in ("dark", "system", "light")
        assert len(recent.recent_albums()) <= 1


@pytest.mark.skipif(os.name == "nt", reason="the system limits no files")
def test_a_state_folder_on_a_full_disk_is_no_reason_to_fail(tmp_path: Path) -> None:
    def work() -> None:
        with logged():
            logging.getLogger("album_app").warning("a line that does not fit")

    assert on_full_disk(work, 0) == "done"
    assert on_full_disk(work, 10) == "done"


@pytest.mark.skipif(os.name == "nt", reason="the system limits no files")
def test_the_cache_can_be_cleared_on_a_full_disk(tmp_path: Path) -> None:
    import numpy as np

    from album_app.photos.album import scan

    def clear() -> None:
        with redirect_stdout(StringIO()):
            assert main(["cache", "--clear"]) == 0

    photos = scan(draw_photos(tmp_path / "photos", 4)).photos
    for room in (0, 100, 40_000):
        with Cache.open() as cache:
            cache.put_features(photos, "test", np.ones((4, 20_000), np.float32))
            path = cache.info().path
        size = path.stat().st_size
        assert on_full_disk(clear, room) == "done"
        assert not path.exists() or path.stat().st_size < size / 2, room
