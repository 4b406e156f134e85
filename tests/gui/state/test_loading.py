"""From folders to living sheets: photos as they come, cancel at every stage, features in another process."""

import importlib
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from album_app.errors import Stopped
from album_app.gui.state.jobs import Task
from album_app.gui.state.loading import load_steps, loading
from album_app.gui.state.loading.decode_process import (
    COLOURS,
    DAMAGED,
    PIXELS,
    read_parts,
    read_parts_elsewhere,
)
from album_app.layout.edits import with_options
from album_app.photos.album import scan
from album_app.work import check
from tests.gui.conftest import (
    MakeParts,
    OpenSession,
    OpenWindow,
    PhotoFolder,
    make_photos,
    parts_of,
    wait_until_settled,
)
from tests.gui.endless import Endless

STAGES = {
    "reading photos": (loading, "read_photos", "lab"),
    "features": (loading, "extract", "rgb"),
    "scanning": (loading, "read_folder", "lab"),
}


@pytest.mark.parametrize("stage", STAGES)
def test_cancel_at_every_stage(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    module, name, features = STAGES[stage]
    endless = Endless()
    monkeypatch.setattr(module, name, endless)
    window = open_window()
    window.parts.loading.prefer(True, features)
    window.files.open_paths([photo_folder(6)])
    qtbot.waitUntil(endless.began.is_set)
    qtbot.waitUntil(window.job_bar.isVisible)
    window.actions_table["stop"].trigger()
    qtbot.waitUntil(endless.ended.is_set)
    qtbot.waitUntil(lambda: not window.parts.jobs.visible)
    if stage == "scanning":
        headlines = [label.text() for label in window.start_page.findChildren(QLabel)]
        assert not any(text.startswith("Opening") for text in headlines)
        return
    assert window.session.document.layout is not None
    monkeypatch.undo()
    window.actions_table["arrange"].trigger()
    wait_until_settled(qtbot, window.session)
    assert len(window.parts.photos.pictures) == 6 and window.parts.photos.vectors.complete(features, 6) is not None


def test_cancelling_a_solve_keeps_the_last_good_layout(
    open_session: OpenSession, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(12)
    endless = Endless()
    monkeypatch.setattr(importlib.import_module("album_app.layout.arranging.arrange"), "arrange", endless)
    session.drop([3], (0, 0))
    shown = session.document.layout
    qtbot.waitUntil(endless.began.is_set)
    parts_of(session).jobs.cancel_visible()
    qtbot.waitUntil(endless.ended.is_set)
    assert session.document.layout is shown and shown.photo_in((0, 0)) == 3


def test_the_helper_process_reads_the_same(photo_folder: PhotoFolder) -> None:
    folder = photo_folder(7)
    (folder / "half.jpg").write_bytes((folder / "photo-0000.jpg").read_bytes()[:400])
    album = scan(folder)
    here = sorted(read_parts(album.photos, 32), key=lambda part: part[:2])
    there = sorted(read_parts_elsewhere(album.photos, 32), key=lambda part: part[:2])
    assert [part[:2] for part in here] == [part[:2] for part in there]
    for (what, _, mine), (_, _, other) in zip(here, there, strict=True):
        if what == PIXELS:
            assert np.array_equal(mine, other)
        elif what == COLOURS:
            order = np.argsort(mine[0]), np.argsort(other[0])
            assert np.array_equal(mine[1][order[0]], other[1][order[1]])
        else:
            assert what == DAMAGED and mine == other


def test_colours_that_are_known_come_before_any_picture(photo_folder: PhotoFolder) -> None:
    photos = scan(photo_folder(9)).photos
    assert [part[0] for part in read_parts(photos, 32)] == [PIXELS] * 9 + [COLOURS]
    first, *others = read_parts(photos, 32)
    assert first[0] == COLOURS and first[2][0] == list(range(9))
    assert [part[0] for part in others] == [PIXELS] * 9


def test_the_helper_process_stops_at_once(photo_folder: PhotoFolder) -> None:
    job = _job()
    parts = read_parts_elsewhere(scan(photo_folder(150)).photos, 64, lambda: job.cancelled)
    next(parts)
    job.cancel()
    with pytest.raises(Stopped):
        list(parts)


def _job() -> "loading.Task":
    from album_app.gui.state.jobs import Job

    return Job("photos", "", quiet=True)


def test_a_large_folder_opens_through_the_helper(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    window = open_window(0, photo_folder(load_steps.FEW + 20))
    wait_until_settled(qtbot, window.session, timeout=40_000)
    assert len(window.parts.photos.pictures) == load_steps.FEW + 20
    assert window.parts.photos.vectors.complete("lab", load_steps.FEW + 20) is not None


def test_two_thousand_photos(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = make_photos(tmp_path / "many", 2000, size=(16, 12))
    window = open_window(0, folder)
    wait_until_settled(qtbot, window.session, timeout=90_000)
    layout = window.session.document.layout
    assert len(layout.shown) == 2000
    window.session.drop([17], (0, 0))
    wait_until_settled(qtbot, window.session, timeout=60_000)
    assert window.session.document.layout.photo_in((0, 0)) == 17


def halt_after(count: int, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Have whoever reads photos pause after so many of them, until the event is set."""
    gate = threading.Event()

    def halting(wanted: list, side: int, task: Task) -> None:
        load_steps.read_photos(wanted[:count], side, task)
        while not gate.is_set():
            check(task.stop)
            time.sleep(0.002)
        load_steps.read_photos(wanted[count:], side, task)

    monkeypatch.setattr(loading, "read_photos", halting)
    return gate


def test_a_sheet_can_be_used_while_it_loads(
    qtbot: QtBot, photo_folder: PhotoFolder, make_parts: MakeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = halt_after(8, monkeypatch)
    session = make_parts().session
    parts_of(session).loading.open_paths([photo_folder(16)])
    qtbot.waitUntil(lambda: len(parts_of(session).photos.pictures) == 8)
    assert session.document.layout is not None
    session.drop([2], (0, 0))
    qtbot.waitUntil(lambda: not parts_of(session).jobs.running("arrange"))
    assert session.document.layout.photo_in((0, 0)) == 2
    gate.set()
    wait_until_settled(qtbot, session)
    assert session.document.layout.photo_in((0, 0)) == 2 and len(parts_of(session).photos.pictures) == 16


def test_a_damaged_photo_is_shown_as_such_and_takes_no_part(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = make_photos(tmp_path / "half", 6)
    noise = np.random.default_rng(0).integers(0, 255, (300, 400, 3), np.uint8)
    Image.fromarray(noise).save(folder / "noise.png")
    whole = (folder / "noise.png").read_bytes()
    (folder / "noise.png").write_bytes(whole[: len(whole) // 2])
    window = open_window(0, folder)
    wait_until_settled(qtbot, window.session)
    document, damaged = window.session.document, window.session.document.album.index_of("noise.png")
    assert window.parts.photos.pictures.state(damaged) == "damaged" and window.parts.photos.pictures.damaged[damaged]
    assert damaged not in document.layout.shown and len(document.layout.shown) == 6


def test_photos_added_while_the_album_loads_keep_nobody_from_being_read(
    qtbot: QtBot, photo_folder: PhotoFolder, make_parts: MakeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = halt_after(8, monkeypatch)
    session = make_parts().session
    parts_of(session).loading.open_paths([photo_folder(16)])
    qtbot.waitUntil(lambda: len(parts_of(session).photos.pictures) == 8, timeout=15_000)
    with qtbot.waitSignal(session.document_changed, timeout=15_000):
        parts_of(session).loading.add_files(sorted(photo_folder(2, "more", start=60).iterdir()), (0, 0))
    gate.set()
    wait_until_settled(qtbot, session)
    assert len(parts_of(session).photos.pictures) == len(session.document.album) == 18


def test_photos_whose_addition_is_undone_before_they_are_read(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(6)
    gate = halt_after(0, monkeypatch)
    with qtbot.waitSignal(window.session.document_changed, timeout=15_000):
        window.parts.loading.add_files(sorted(photo_folder(2, "more", start=60).iterdir()))
    window.session.undo_stack.undo()
    gate.set()
    qtbot.waitUntil(lambda: not window.parts.jobs.running("photos"), timeout=15_000)
    window.session.undo_stack.redo()
    wait_until_settled(qtbot, window.session)
    assert len(window.parts.photos.pictures) == 8 and not window.message_bar.isVisible()


def test_looking_at_photos_is_not_begun_again_by_every_edit(
    open_session: OpenSession, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(12)
    calls, real = [], loading.extract

    def unhappy(*args: object) -> None:
        calls.append(args)
        Endless()(*args)

    monkeypatch.setattr(loading, "extract", unhappy)
    session.edit(with_options, "Look closer", features="rgb")
    qtbot.waitUntil(lambda: bool(calls), timeout=15_000)
    for photo in range(3):
        session.drop([photo], (0, photo))
    parts_of(session).loading.resume()
    parts_of(session).jobs.cancel_visible()
    session.drop([3], (0, 3))
    assert len(calls) == 1
    monkeypatch.setattr(loading, "extract", lambda *args: [calls.append(args), real(*args)][1])
    parts_of(session).loading.resume()
    wait_until_settled(qtbot, session)
    assert len(calls) == 2
