"""What is known of a photo belongs to its file: undo brings it back as it was, and no other file shows its picture."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.commands.file_commands import relink_from
from album_app.gui.state import details, load_steps
from album_app.gui.state.jobs import JobKind
from album_app.gui.state.photo_store import Vectors, colour_for
from album_app.gui.state.session import Session
from album_app.layout.project.project_file import save_project
from album_app.layout.shapes.shape import ShapeSpec
from album_app.photos.decoding.measures import FINGERPRINT_KEY, QUALITY_KEY
from album_app.photos.features import EXTRACTORS, extractor
from album_app.photos.features.rgb import lab_of_srgb
from album_app.photos.features.table import comes_with_thumbnails
from album_app.photos.reading import KEYS
from tests.gui.conftest import (
    WAIT_MS,
    MakeParts,
    OpenCanvas,
    OpenSession,
    PhotoFolder,
    parts_of,
    wait_until_settled,
    wait_until_sharp,
)
from tests.gui.hands import document_of, layout_of, middle

LOST = 4


@pytest.fixture
def roomy(open_session: OpenSession, qtbot: QtBot) -> Session:
    """Six photos on a sheet of eight cells, which keeps its size when photos join."""
    session = open_session(6)
    parts_of(session).reshaping.start(ShapeSpec("rectangle", rows=2, columns=4))
    qtbot.waitUntil(lambda: document_of(session).shape.count == 8, timeout=WAIT_MS)
    wait_until_settled(qtbot, session)
    return session


@pytest.fixture
def lossy(open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder, tmp_path: Path) -> Session:
    """A saved sheet with one photo missing; the folders "red" and "blue" have a file of its name."""
    folder = photo_folder(9)
    session = open_session(folder=folder)
    save_project(document_of(session), tmp_path / "sheet.album")
    (folder / f"photo-{LOST:04d}.jpg").unlink()
    for colour in ("red", "blue"):
        painted(tmp_path / colour / f"photo-{LOST:04d}.jpg", colour)
    with qtbot.waitSignal(session.opened, timeout=WAIT_MS):
        parts_of(session).loading.open_project(tmp_path / "sheet.album")
    wait_until_settled(qtbot, session)
    assert document_of(session).missing == {LOST}
    return session


def painted(path: Path, colour: str, size: tuple[int, int] = (60, 60)) -> Path:
    path.parent.mkdir(exist_ok=True)
    Image.new("RGB", size, colour).save(path)
    return path


def add(qtbot: QtBot, session: Session, *paths: Path) -> None:
    with qtbot.waitSignal(session.document_changed, timeout=WAIT_MS):
        parts_of(session).loading.add_files(paths)
    wait_until_settled(qtbot, session)


def find(qtbot: QtBot, session: Session, folder: Path) -> None:
    relink_from(session, parts_of(session).jobs, folder)
    qtbot.waitUntil(lambda: not document_of(session).missing, timeout=WAIT_MS)


def shows(qtbot: QtBot, canvas: Canvas, photo: int, colour: str) -> bool:
    """Whether a photo's tile and what the arrangement goes by are of this colour."""
    wait_until_settled(qtbot, canvas.session)
    wait_until_sharp(qtbot, canvas)
    seen = canvas.grab().toImage().pixelColor(middle(canvas, layout_of(canvas.session).positions[photo]))
    features = parts_of(canvas.session).photos.vectors.complete("lab", photo + 1)
    assert features is not None
    wanted = np.array(QColor(colour).getRgbF()[:3], np.float32)
    return np.allclose(seen.getRgbF()[:3], wanted, atol=0.05) and np.allclose(
        features[photo].reshape(-1, 3), lab_of_srgb(wanted), atol=5
    )


def test_a_photo_added_after_an_undo_shows_its_own_picture(
    roomy: Session, open_canvas: OpenCanvas, qtbot: QtBot, tmp_path: Path
) -> None:
    canvas = open_canvas(session=roomy)
    add(qtbot, roomy, painted(tmp_path / "red.jpg", "red"))
    assert shows(qtbot, canvas, 6, "red")
    roomy.undo_stack.undo()
    add(qtbot, roomy, painted(tmp_path / "blue.jpg", "blue"))
    assert shows(qtbot, canvas, 6, "blue")


def test_redoing_an_addition_reads_nothing_again(
    roomy: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(qtbot, roomy, painted(tmp_path / "red.jpg", "red"))
    after = layout_of(roomy)
    roomy.undo_stack.undo()
    monkeypatch.setattr(load_steps, "read_photos", lambda *args: pytest.fail("read again"))
    roomy.undo_stack.redo()
    assert (
        parts_of(roomy).photos.pictures.state(6) == "ready"
        and layout_of(roomy) is after
        and not parts_of(roomy).jobs.visible
    )


def test_a_photo_found_in_the_wrong_folder_is_forgotten(
    lossy: Session, open_canvas: OpenCanvas, qtbot: QtBot, tmp_path: Path
) -> None:
    canvas = open_canvas(session=lossy)
    find(qtbot, lossy, tmp_path / "red")
    assert shows(qtbot, canvas, LOST, "red")
    lossy.undo_stack.undo()
    assert (
        parts_of(lossy).photos.pictures.state(LOST) == "missing" and parts_of(lossy).photos.pictures.image(LOST) is None
    )
    lossy.undo_stack.redo()
    assert shows(qtbot, canvas, LOST, "red")
    lossy.undo_stack.undo()
    find(qtbot, lossy, tmp_path / "blue")
    assert shows(qtbot, canvas, LOST, "blue")


def gated(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> Callable[[], None]:
    """Have a function of background work wait at its first call; returns what lets it go on."""
    gate, real = threading.Event(), getattr(module, name)

    def waiting(*args: object) -> object:
        monkeypatch.setattr(module, name, real)
        gate.wait(WAIT_MS / 1000)
        return real(*args)

    monkeypatch.setattr(module, name, waiting)
    return gate.set


def test_a_wrong_file_that_is_still_being_read_when_it_is_undone(
    lossy: Session, open_canvas: OpenCanvas, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = open_canvas(session=lossy)
    let_go = gated(monkeypatch, load_steps, "read_photos")
    find(qtbot, lossy, tmp_path / "red")
    lossy.undo_stack.undo()
    let_go()
    qtbot.waitUntil(lambda: not parts_of(lossy).jobs.running(JobKind.PHOTOS), timeout=WAIT_MS)
    assert parts_of(lossy).photos.pictures.state(LOST) == "missing"
    find(qtbot, lossy, tmp_path / "blue")
    assert shows(qtbot, canvas, LOST, "blue")


def test_a_sharper_picture_of_another_file_comes_too_late(
    roomy: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived: list[int] = []
    parts_of(roomy).details.arrived.connect(arrived.extend)
    add(qtbot, roomy, painted(tmp_path / "red.jpg", "red"))
    let_go = gated(monkeypatch, details, "read_parts")
    parts_of(roomy).details.request([6, 2], 300)
    roomy.undo_stack.undo()
    add(qtbot, roomy, painted(tmp_path / "blue.jpg", "blue"))
    let_go()
    qtbot.waitUntil(lambda: not parts_of(roomy).jobs.running(JobKind.DETAILS), timeout=WAIT_MS)
    assert arrived == [2]


def test_thumbnails_stay_within_the_memory_when_photos_join(
    make_parts: MakeParts, qtbot: QtBot, tmp_path: Path
) -> None:
    photos = [
        painted(tmp_path / name / f"{name}{k}.jpg", "red", (240, 240)) for name in ("first", "more") for k in range(6)
    ]
    parts = make_parts()
    parts.photos.hold_at_most(12 * 3 * 100**2)
    parts.loading.open_paths([tmp_path / "first"])
    session = parts.session
    wait_until_settled(qtbot, session)
    assert max(parts_of(session).photos.pictures.pixels(0).shape) > 125
    add(qtbot, session, *photos[6:])
    assert parts_of(session).photos.pictures.side == 100
    assert all(max(parts_of(session).photos.pictures.pixels(photo).shape) <= 125 for photo in range(12))


def test_colours_stand_in_until_the_wanted_features_are_there() -> None:
    vectors = Vectors("lab")
    vectors.follow(3, [])
    assert vectors.best("semantic", 3) is None
    vectors.add_colours([0, 2], np.array([[1, 1], [3, 3]], np.float32))
    assert vectors.best("semantic", 3).rows.tolist() == [[1, 1], [2, 2], [3, 3]]
    wanted = np.zeros((3, 5), np.float32)
    vectors.put("semantic", wanted)
    assert vectors.best("semantic", 3).rows is wanted
    assert vectors.complete("semantic", 2) is vectors.complete("semantic", 2)
    vectors.follow(4, [])
    assert vectors.complete("semantic", 4) is None and vectors.best("semantic", 4).rows.shape == (4, 2)
    vectors.follow(3, [1])
    assert vectors.complete("semantic", 3) is None and vectors.complete("semantic", 1) is not None


def test_complete_colours_are_held_once_and_stay_as_they_were() -> None:
    vectors = Vectors("lab")
    vectors.follow(2, [])
    vectors.add_colours([0, 1], np.array([[1, 1], [3, 3]], np.float32))
    vectors.complete_colours()
    table = vectors.complete("lab", 2)
    assert table is vectors.complete("lab", 2), "of very many photos a copy would be much"
    vectors.add_colours([1], np.array([[5, 5]], np.float32))
    assert table.tolist() == [[1, 1], [3, 3]], "a solve may be at work on it"
    vectors.complete_colours()
    assert vectors.complete("lab", 2).tolist() == [[1, 1], [5, 5]]


def test_features_that_come_with_the_thumbnails_are_those_that_are_wanted() -> None:
    assert [colour_for(name) for name in ("rgb", "lab")] == ["rgb", "lab"]
    assert {colour_for(name) for name in ("semantic", "rgb:5", "", "nonsense")} == {"lab"}
    cheap = {extractor(name).key for name in EXTRACTORS if comes_with_thumbnails(name)}
    assert cheap == set(KEYS) - {FINGERPRINT_KEY, QUALITY_KEY}
