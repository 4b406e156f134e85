"""From folders to living sheets: photos as they come, cancel at every stage, features in another process."""

import importlib
import math
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from album_app.errors import Stopped
from album_app.gui.state import load_steps, loading
from album_app.gui.state.jobs import Task
from album_app.gui.state.load_steps import PACE, Handful, Pace, Wanted, read_handfuls, read_handfuls_elsewhere
from album_app.gui.window.parts import Parts
from album_app.layout.arranging.arrange import arrange
from album_app.layout.editing.edits import with_options
from album_app.layout.evaluation.scores import layout_scores
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import save_project
from album_app.photos import faces, thumbnails
from album_app.photos.album import Photo, scan
from album_app.photos.album_features import album_features
from album_app.photos.cache import Cache
from album_app.photos.faces import Focus
from album_app.photos.records import stored
from album_app.research.benchmarks.camera_files import letterboxed, save_camera_photo
from album_app.work import Stop, check
from tests.gui.conftest import (
    WAIT_MS,
    MakeParts,
    OpenSession,
    OpenWindow,
    PhotoFolder,
    make_photos,
    parts_of,
    wait_until_settled,
)
from tests.gui.endless import Endless
from tests.gui.hands import press_button

STAGES = {
    "reading photos": ("read_photos", "lab"),
    "features": ("extract", "rgb:5"),
    "scanning": ("read_folder", "lab"),
}


@pytest.mark.parametrize("stage", STAGES)
def test_cancel_at_every_stage(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    name, features = STAGES[stage]
    endless = Endless()
    monkeypatch.setattr(load_steps, name, endless)
    window = open_window()
    window.parts.loading.prefer(True, features)
    window.files.open_paths([photo_folder(6)])
    qtbot.waitUntil(endless.began.is_set, timeout=WAIT_MS)
    qtbot.waitUntil(window.job_bar.isVisible, timeout=WAIT_MS)
    window.actions_table["stop"].trigger()
    qtbot.waitUntil(endless.ended.is_set, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not window.parts.jobs.visible, timeout=WAIT_MS)
    if stage == "scanning":
        headlines = [label.text() for label in window.start_page.findChildren(QLabel)]
        assert not any(text.startswith("Opening") for text in headlines)
        return
    assert window.session.document.layout is not None
    monkeypatch.undo()
    if stage == "features":
        press_button(qtbot, window, "Go on")
    else:
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
    qtbot.waitUntil(endless.began.is_set, timeout=WAIT_MS)
    parts_of(session).jobs.cancel_visible()
    qtbot.waitUntil(endless.ended.is_set, timeout=WAIT_MS)
    assert session.document.layout is shown and shown.photo_in((0, 0)) == 3


def test_the_helper_process_reads_the_same(photo_folder: PhotoFolder) -> None:
    folder = photo_folder(7)
    cut_short(folder / "half.png")
    wanted = Wanted(scan(folder).photos, 32, "lab", frozenset([2]))
    here, there = (together(read(wanted)) for read in (read_handfuls, read_handfuls_elsewhere))
    assert len(here.faults) == 1 and here.faults == there.faults and here.flaws == there.flaws == {}
    assert here.pictures.keys() == there.pictures.keys() and len(here.pictures) == 7
    assert here.colours.keys() == there.colours.keys() == here.pictures.keys() - {2}
    for mine, other in ((here.pictures, there.pictures), (here.colours, there.colours)):
        assert all(np.array_equal(mine[place], other[place]) for place in mine)


def cut_short(path: Path) -> None:
    """A photo whose header is whole and whose picture is not."""
    noise = np.random.default_rng(0).integers(0, 255, (300, 400, 3), np.uint8)
    Image.fromarray(noise).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def together(handfuls: Iterable[Handful]) -> Handful:
    """All that was read, at once."""
    whole = Handful()
    for handful in handfuls:
        for name in ("pictures", "faults", "flaws", "colours"):
            getattr(whole, name).update(getattr(handful, name))
    return whole


@pytest.mark.parametrize("colour", ["rgb", "lab"])
def test_colours_that_are_known_come_before_any_picture(photo_folder: PhotoFolder, colour: str) -> None:
    photos = scan(photo_folder(9)).photos
    sent: list[Handful] = []
    task = SimpleNamespace(send=sent.append, send_now=sent.append, progress=lambda *_: None, stop=None)
    load_steps.read_photos(list(enumerate(photos)), 32, colour, task)
    assert not sent[0].colours and len(together(sent).colours) == 9
    sent.clear()
    load_steps.read_photos([(i + 5, photo) for i, photo in enumerate(photos)], 32, colour, task)
    assert list(sent[0].colours) == list(range(5, 14)) and not len(sent[0])
    assert not together(sent[1:]).colours and len(together(sent[1:])) == 9
    assert np.array_equal(np.stack(list(sent[0].colours.values())), album_features(photos, colour))


def camera_folder(folder: Path, count: int, misleading: int) -> Path:
    """Photos as cameras write them, each of a colour of its own; the preview of one shows the last photo."""
    folder.mkdir()
    pictures = [Image.new("RGB", (1500, 1000), (40 * (k % 6), 40 * (k // 6), 60)) for k in range(count)]
    for k, picture in enumerate(pictures):
        shown = pictures[-1] if k == misleading else picture
        save_camera_photo(folder / f"{k:02d}.jpg", picture, letterboxed(shown.resize((150, 100))))
    return folder


def test_previews_make_the_first_sheet_which_stays_but_for_photos_whose_preview_misled(
    make_parts: MakeParts, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    released, stream = threading.Event(), thumbnails.stream_thumbnails

    def late(*photos: Any, **options: Any) -> Iterator[Any]:
        released.wait(WAIT_MS / 1000)
        yield from stream(*photos, **options)

    monkeypatch.setattr(load_steps, "stream_thumbnails", late)
    parts = make_parts()
    parts.loading.pace = Pace(decoding_seconds=0, fewest_previews=2, first_sheet_photos=2)
    try:
        parts.loading.open_paths([camera_folder(tmp_path / "camera", 36, misleading=2)])
        session = parts.session
        arranged = lambda: session.is_settled and not parts.jobs.running("arrange")  # noqa: E731
        qtbot.waitUntil(lambda: len(parts.photos.pictures) == 36 and arranged(), timeout=WAIT_MS)
        pictures, first = parts.photos.pictures, session.document.layout
        assert all(pictures.wants(photo) for photo in range(36))
    finally:
        released.set()
    wait_until_settled(qtbot, session)
    last = session.document.layout
    assert not any(pictures.wants(photo) for photo in range(36))
    stayed = [photo for photo in range(36) if first.cell_of(photo) == last.cell_of(photo)]
    assert 2 not in stayed and len(stayed) >= 28
    assert math.dist(last.cell_of(2), last.cell_of(35)) > math.dist(first.cell_of(2), first.cell_of(35))


def test_faces_are_looked_for_once_after_the_photos_and_known_from_then_on(
    make_parts: MakeParts, photo_folder: PhotoFolder, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, seen, face = photo_folder(5), list[int](), Focus(((0.1, 0.2, 0.3, 0.4),), (0.9,))

    def stream(photos: Sequence[Photo], stop: Stop) -> Iterator[dict[int, Focus]]:
        seen.append(len(photos))
        with Cache.open() as cache:
            contents = [stored(focus) for focus in (face, Focus())]
            cache.put([(faces.KIND, photo, contents[k > 0]) for k, photo in enumerate(photos)])
        yield {0: face}
        yield {place: Focus() for place in range(1, len(photos))}

    monkeypatch.setattr(faces, "stream_focus", stream)
    changed = list[int]()
    for _ in range(2):  # the second time the cache knows
        parts = make_parts()
        parts.photos.foci_changed.connect(changed.extend)
        parts.loading.open_paths([folder])
        wait_until_settled(qtbot, parts.session)
        qtbot.waitUntil(lambda parts=parts: len(parts.photos.foci) == 5, timeout=WAIT_MS)  # type: ignore[misc]
        assert parts.photos.focus(0) == face and parts.photos.focus(1) == Focus()
    assert seen == [5] and changed == [0, 0]


def test_the_helper_process_stops_at_once(photo_folder: PhotoFolder) -> None:
    job = _job()
    wanted = Wanted(scan(photo_folder(150)).photos, 64, "lab")
    parts = read_handfuls_elsewhere(wanted, lambda: job.cancelled)
    next(parts)
    job.cancel()
    with pytest.raises(Stopped):
        list(parts)


def _job() -> "loading.Task":
    from album_app.gui.state.jobs import Job

    return Job("photos", "", quiet=True)


def test_many_photos_are_read_by_a_helper_and_can_be_moved(make_parts: MakeParts, qtbot: QtBot, tmp_path: Path) -> None:
    parts, _ = opening(
        qtbot, make_parts, make_photos(tmp_path / "many", 300, size=(16, 12)), Pace(photos_in_thread=200)
    )
    assert len(parts.photos.pictures) == len(parts.session.document.layout.shown) == 300
    assert parts.photos.vectors.complete("lab", 300) is not None
    parts.session.drop([17], (0, 0))
    wait_until_settled(qtbot, parts.session)
    assert parts.session.document.layout.photo_in((0, 0)) == 17


@pytest.fixture
def sheets(monkeypatch: pytest.MonkeyPatch) -> list[Layout]:
    """The sheets that were found, in a list that grows."""
    module, found = importlib.import_module("album_app.layout.arranging.arrange"), list[Layout]()
    arrange = module.arrange

    def noting(*args: object, **options: object) -> Layout:
        found.append(arrange(*args, **options))
        return found[-1]

    monkeypatch.setattr(module, "arrange", noting)
    return found


def opening(qtbot: QtBot, make_parts: MakeParts, folder: Path, pace: Pace = PACE) -> tuple[Parts, list[Layout]]:
    """A folder opened to its end, and the layouts that were shown on the way."""
    parts, shown = make_parts(), list[Layout]()
    parts.loading.pace = pace
    parts.session.layout_changed.connect(shown.append)
    parts.loading.open_paths([folder])
    wait_until_settled(qtbot, parts.session)
    return parts, shown


def test_few_photos_are_arranged_once_and_shown_when_they_are(
    qtbot: QtBot, make_parts: MakeParts, photo_folder: PhotoFolder, sheets: list[Layout]
) -> None:
    """No other order is seen first; the pictures that follow change nothing."""
    parts, shown = opening(qtbot, make_parts, photo_folder(60))
    assert len(sheets) == len(shown) == 1 and shown[0].stage == "refined"
    assert len(parts.photos.pictures) == 60


def test_a_sheet_is_remembered_while_its_photos_are_the_same(
    qtbot: QtBot,
    make_parts: MakeParts,
    photo_folder: PhotoFolder,
    sheets: list[Layout],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = photo_folder(60)
    first, _ = opening(qtbot, make_parts, folder)
    qtbot.waitUntil(lambda: bool(first.session.document.layout.scores) and first.jobs.all_ended, timeout=WAIT_MS)
    again, shown = opening(qtbot, make_parts, folder)
    before, now = first.session.document.layout, again.session.document.layout
    assert len(sheets) == len(shown) == 1 and np.array_equal(now.photo_at, before.photo_at)
    assert now.scores == before.scores and now.fresh_roughness == before.fresh_roughness > 0
    with monkeypatch.context() as patch:
        kept: list[Document] = []
        patch.setattr(load_steps, "remember_sheet", kept.append)
        opening(qtbot, make_parts, folder)
    assert not kept, "what was remembered is there already"
    (folder / "photo-0007.jpg").unlink()
    fewer, _ = opening(qtbot, make_parts, folder)
    assert len(sheets) == 2 and len(fewer.session.document.layout.shown) == 59


@pytest.mark.parametrize("way", ["folder", "project"])
def test_a_new_look_rearranges_a_sheet_that_was_opened_again(
    qtbot: QtBot, make_parts: MakeParts, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    folder, other = photo_folder(64), np.random.default_rng(1).random((64, 3), np.float32)
    monkeypatch.setattr(load_steps, "extract", lambda photos, name, task, pace: other)
    first, _ = opening(qtbot, make_parts, folder)
    qtbot.waitUntil(lambda: bool(first.session.document.layout.scores) and first.jobs.all_ended, timeout=WAIT_MS)
    if way == "project":
        save_project(first.session.document, folder.with_suffix(".album"))
        folder = folder.with_suffix(".album")
    again, shown = opening(qtbot, make_parts, folder)
    assert len(shown) == 1, "the sheet stands as it was"
    again.session.edit(with_options, "Look", features="rgb:5")
    qtbot.waitUntil(lambda: again.photos.has_features(again.session.document), timeout=WAIT_MS)
    wait_until_settled(qtbot, again.session)
    layout = again.session.document.layout
    fresh = arrange(other, layout.shape, options=layout.options)
    assert layout_scores(layout, other)["dpq16"] > layout_scores(fresh, other)["dpq16"] - 0.03
    assert (layout.options.features, layout.features_key) == ("rgb:5", "rgb:5/1")


def test_a_sheet_that_was_worked_on_is_not_what_a_folder_opens_with(
    qtbot: QtBot, make_parts: MakeParts, photo_folder: PhotoFolder
) -> None:
    folder = photo_folder(20)
    first, _ = opening(qtbot, make_parts, folder)
    first.session.drop([7], (0, 0))
    wait_until_settled(qtbot, first.session)
    qtbot.waitUntil(lambda: bool(first.session.document.layout.scores) and first.jobs.all_ended, timeout=WAIT_MS)
    again, _ = opening(qtbot, make_parts, folder)
    assert not again.session.document.pins and not again.session.document.layout.pins


def test_very_many_photos_need_no_second_solve_when_the_last_picture_is_there(
    qtbot: QtBot,
    make_parts: MakeParts,
    photo_folder: PhotoFolder,
    sheets: list[Layout],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Colours that the cache knows are enough for the final sheet."""
    monkeypatch.setattr(load_steps, "read_handfuls_elsewhere", read_handfuls)
    parts, _ = opening(qtbot, make_parts, photo_folder(60), Pace(photos_in_thread=10))
    assert len(sheets) == 1 and len(parts.photos.pictures) == 60


def test_sheets_on_the_way_show_a_good_part_of_the_photos(
    qtbot: QtBot, make_parts: MakeParts, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With fewer of them known, the next sheet would lie another way round."""
    module, known = importlib.import_module("album_app.layout.arranging.arrange"), list[int]()
    arrange = module.arrange

    def noting(features: np.ndarray, *args: object, **options: object) -> Layout:
        known.append(len(np.unique(features.round(4), axis=0)))
        return arrange(features, *args, **options)

    monkeypatch.setattr(module, "arrange", noting)
    pace = Pace(decoding_seconds=0.0, handful_photos=8, seconds_between_sheets=0.0, seconds_worth_a_sheet=0.0)
    opening(qtbot, make_parts, photo_folder(400), pace)
    assert known[-1] == 400 and min(known) >= 100


def halt_after(count: int, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Have whoever reads photos pause after some of them, until the event is set."""
    gate, read = threading.Event(), load_steps.read_photos

    def halting(wanted: list, side: int, colour: str, task: Task, pace: Pace) -> None:
        read(wanted[:count], side, colour, task, pace)
        while not gate.is_set():
            check(task.stop)
            time.sleep(0.002)
        read(wanted[count:], side, colour, task, pace)

    monkeypatch.setattr(load_steps, "read_photos", halting)
    return gate


def test_a_sheet_can_be_used_while_it_loads(
    qtbot: QtBot, photo_folder: PhotoFolder, make_parts: MakeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = halt_after(8, monkeypatch)
    session = make_parts().session
    parts_of(session).loading.open_paths([photo_folder(16)])
    qtbot.waitUntil(lambda: len(parts_of(session).photos.pictures) == 8, timeout=WAIT_MS)
    assert session.document.layout is not None
    session.drop([2], (0, 0))
    qtbot.waitUntil(lambda: not parts_of(session).jobs.running("arrange"), timeout=WAIT_MS)
    assert session.document.layout.photo_in((0, 0)) == 2
    gate.set()
    wait_until_settled(qtbot, session)
    assert session.document.layout.photo_in((0, 0)) == 2 and len(parts_of(session).photos.pictures) == 16


@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_a_damaged_photo_is_skipped_by_the_first_opening_as_by_the_next(
    qtbot: QtBot, make_parts: MakeParts, tmp_path: Path, seconds: float
) -> None:
    """Whether that turns out before the album opens or while its photos are read."""
    folder = make_photos(tmp_path / "half", 12)
    cut_short(folder / "noise.png")
    openings = [opening(qtbot, make_parts, folder, Pace(decoding_seconds=seconds))[0] for _ in range(2)]
    first, later = (parts.session.document for parts in openings)
    assert first.album == later.album and [item.name for item in first.album.skipped] == ["noise.png"]
    assert (first.shape.rows, first.shape.columns) == (3, 4) and first.shape.same_cells(later.shape)
    assert openings[0].photos.counts() == openings[1].photos.counts()
    assert np.array_equal(first.layout.photo_at, later.layout.photo_at) and len(first.layout.shown) == 12


def test_that_all_files_turn_out_damaged_is_told(qtbot: QtBot, make_parts: MakeParts, tmp_path: Path) -> None:
    (tmp_path / "torn").mkdir()
    for name in ("a.png", "b.png"):
        cut_short(tmp_path / "torn" / name)
    parts, problems = make_parts(), list[Exception]()
    parts.loading.pace = Pace(decoding_seconds=0.0)
    parts.session.problem.connect(problems.append)
    parts.loading.open_paths([tmp_path / "torn"])
    qtbot.waitUntil(lambda: len(parts.photos.pictures.damaged) == 2 and not parts.jobs.visible, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: parts.jobs.all_ended, timeout=WAIT_MS)
    assert len(parts.session.document.album) == 2 and ["There is no photo to lay out" in str(e) for e in problems] == [
        True
    ]


def test_a_photo_that_turns_out_damaged_on_a_sheet_somebody_works_on_takes_no_part(
    qtbot: QtBot, make_parts: MakeParts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_photos(tmp_path / "half", 12)
    cut_short(folder / "torn.png")
    gate, parts = halt_after(8, monkeypatch), make_parts()
    parts.loading.pace = Pace(decoding_seconds=0.0)
    parts.loading.open_paths([folder])
    qtbot.waitUntil(lambda: len(parts.photos.pictures) == 8, timeout=WAIT_MS)
    parts.session.drop([2], (0, 0))
    gate.set()
    wait_until_settled(qtbot, parts.session)
    document, pictures = parts.session.document, parts.photos.pictures
    damaged = document.album.index_of("torn.png")
    assert pictures.state(damaged) == "damaged" and pictures.damaged[damaged]
    assert damaged not in document.layout.shown and document.layout.photo_in((0, 0)) == 2


def test_photos_added_while_the_album_loads_keep_nobody_from_being_read(
    qtbot: QtBot, photo_folder: PhotoFolder, make_parts: MakeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = halt_after(8, monkeypatch)
    session = make_parts().session
    parts_of(session).loading.open_paths([photo_folder(16)])
    qtbot.waitUntil(lambda: len(parts_of(session).photos.pictures) == 8, timeout=WAIT_MS)
    with qtbot.waitSignal(session.document_changed, timeout=WAIT_MS):
        parts_of(session).loading.add_files(sorted(photo_folder(2, "more", start=60).iterdir()), (0, 0))
    gate.set()
    wait_until_settled(qtbot, session)
    assert len(parts_of(session).photos.pictures) == len(session.document.album) == 18


def test_photos_whose_addition_is_undone_before_they_are_read(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(6)
    gate = halt_after(0, monkeypatch)
    with qtbot.waitSignal(window.session.document_changed, timeout=WAIT_MS):
        window.parts.loading.add_files(sorted(photo_folder(2, "more", start=60).iterdir()))
    window.session.undo_stack.undo()
    gate.set()
    qtbot.waitUntil(lambda: not window.parts.jobs.running("photos"), timeout=WAIT_MS)
    window.session.undo_stack.redo()
    wait_until_settled(qtbot, window.session)
    assert len(window.parts.photos.pictures) == 8 and not window.message_bar.isVisible()


def test_looking_at_photos_is_not_begun_again_by_every_edit(
    open_session: OpenSession, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(12)
    calls, real = [], load_steps.extract

    def unhappy(*args: object) -> None:
        calls.append(args)
        Endless()(*args)

    monkeypatch.setattr(load_steps, "extract", unhappy)
    session.edit(with_options, "Look closer", features="rgb")
    qtbot.waitUntil(lambda: bool(calls), timeout=WAIT_MS)
    for photo in range(3):
        session.drop([photo], (0, photo))
    parts_of(session).loading.resume()
    parts_of(session).jobs.cancel_visible()
    session.drop([3], (0, 3))
    assert len(calls) == 1
    monkeypatch.setattr(load_steps, "extract", lambda *args: [calls.append(args), real(*args)][1])
    parts_of(session).loading.resume()
    wait_until_settled(qtbot, session)
    assert len(calls) == 2
