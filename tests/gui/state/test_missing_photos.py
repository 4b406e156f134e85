"""Photos whose files are gone: they keep their places until they are found again or taken out."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from album_app.gui.commands.file_commands import relink_from
from album_app.gui.state.pictures import MISSING
from album_app.gui.state.session import Session
from album_app.gui.tray.model import ALL, SKIPPED, line_for, section_rows
from album_app.layout.editing.edits import excluded, with_options
from album_app.layout.project.project_file import save_project
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.conftest import (
    WAIT_MS,
    OpenCanvas,
    OpenSession,
    PhotoFolder,
    parts_of,
    wait_until_settled,
    wait_until_sharp,
)
from tests.gui.hands import document_of, layout_of, middle

PINNED, LOOSE = 1, 3


@pytest.fixture
def lossy(open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder, tmp_path: Path) -> Session:
    """Twelve photos on a saved sheet; two files have gone since, one of a pinned photo and one of another."""
    folder = photo_folder(12)
    session = open_session(folder=folder)
    session.edit(with_options, "Features", features="rgb")
    session.drop([PINNED], (0, 0))
    wait_until_settled(qtbot, session)
    save_project(document_of(session), tmp_path / "sheet.album")
    (tmp_path / "elsewhere").mkdir()
    for photo in (PINNED, LOOSE):
        name = f"photo-{photo:04d}.jpg"
        (folder / name).rename(tmp_path / "elsewhere" / name)
    with qtbot.waitSignal(session.opened):
        parts_of(session).loading.open_paths([tmp_path / "sheet.album"])
    wait_until_settled(qtbot, session)
    assert document_of(session).missing == {PINNED, LOOSE}
    return session


EDITS: dict[str, Callable[[Session], None]] = {
    "a pin": lambda session: session.drop([5], (2, 2)),
    "a new seed": lambda session: session.edit(with_options, "Seed", seed=5),
    "arranging again": lambda session: parts_of(session).solving.again(),
    "excluding another": lambda session: session.edit(excluded, [7]),
}


@pytest.mark.parametrize("edit", EDITS)
def test_missing_photos_keep_their_cells(lossy: Session, qtbot: QtBot, edit: str) -> None:
    place = layout_of(lossy).positions[LOOSE]
    EDITS[edit](lossy)
    wait_until_settled(qtbot, lossy)
    layout = layout_of(lossy)
    assert layout.positions[PINNED] == layout.pins[PINNED] == (0, 0)
    assert layout.positions[LOOSE] == place
    assert (
        set(parts_of(lossy).photos.taking_part()) == set(layout.shown)
        and parts_of(lossy).photos.pictures.state(LOOSE) == "missing"
    )


def test_missing_photos_come_along_to_another_shape(lossy: Session, qtbot: QtBot) -> None:
    with qtbot.waitSignal(lossy.document_changed):
        parts_of(lossy).reshaping.start(ShapeSpec("rectangle", 2, 6))
    wait_until_settled(qtbot, lossy)
    assert len(layout_of(lossy).shown) == 12 and layout_of(lossy).positions[PINNED] == (0, 0)


def test_an_automatic_shape_grows_for_new_photos_beside_missing_ones(
    lossy: Session, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    with qtbot.waitSignal(lossy.document_changed):
        parts_of(lossy).loading.add_files(sorted(photo_folder(2, "more", start=60).iterdir()))
    wait_until_settled(qtbot, lossy)
    assert len(layout_of(lossy).shown) == 14


def test_a_photo_dropped_on_a_missing_one_trades_places_with_it(lossy: Session, qtbot: QtBot) -> None:
    layout = layout_of(lossy)
    target, home = layout.positions[LOOSE], layout.positions[5]
    lossy.drop([5], target)
    wait_until_settled(qtbot, lossy)
    assert layout_of(lossy).positions[5] == target and layout_of(lossy).positions[LOOSE] == home


def test_a_missing_photo_can_be_taken_out(lossy: Session, qtbot: QtBot) -> None:
    lossy.edit(excluded, [PINNED, LOOSE])
    wait_until_settled(qtbot, lossy)
    assert not {PINNED, LOOSE} & set(layout_of(lossy).shown)
    lossy.undo_stack.undo()
    assert {PINNED, LOOSE} <= set(layout_of(lossy).shown)


def test_the_sheet_is_judged_by_the_photos_that_are_there(lossy: Session, qtbot: QtBot) -> None:
    with qtbot.waitSignal(parts_of(lossy).solving.scored, timeout=WAIT_MS):
        lossy.drop([5], (2, 2))
    scores = layout_of(lossy).scores
    assert {"dpq16", "gap", "smi_z"} <= set(scores) and 0 <= scores["gap"] <= 1


def test_a_photo_found_again_is_seen_and_judged_as_it_is_now(lossy: Session, qtbot: QtBot, tmp_path: Path) -> None:
    unknown = parts_of(lossy).photos.vectors.complete("rgb", 12)
    assert unknown is not None
    Image.new("RGB", (48, 36), "white").save(tmp_path / "elsewhere" / f"photo-{LOOSE:04d}.jpg")
    relink_from(lossy, parts_of(lossy).jobs, tmp_path / "elsewhere")
    qtbot.waitUntil(lambda: not document_of(lossy).missing, timeout=WAIT_MS)
    wait_until_settled(qtbot, lossy)
    known = parts_of(lossy).photos.vectors.complete("rgb", 12)
    assert known is not None and parts_of(lossy).photos.pictures.state(LOOSE) == "ready"
    assert not np.allclose(known[LOOSE], unknown[LOOSE]) and np.allclose(known[0], unknown[0])
    assert layout_of(lossy).positions[PINNED] == (0, 0) and len(layout_of(lossy).shown) == 12


def test_a_missing_photo_is_seen_as_it_last_was_dimmed_and_marked(
    lossy: Session, open_canvas: OpenCanvas, qtbot: QtBot, tmp_path: Path
) -> None:
    pictures = parts_of(lossy).photos.pictures
    qtbot.waitUntil(lambda: pictures.look(PINNED) is not None and pictures.look(LOOSE) is not None)
    assert pictures.state(PINNED) == MISSING and pictures.pixels(PINNED) is None
    canvas, cell = open_canvas(session=lossy), layout_of(lossy).positions[LOOSE]
    tiles = canvas.scene.tile_cache
    assert tiles.is_remembered(LOOSE) and not tiles.is_remembered(5)
    rect = canvas.cell_rect(cell)
    dim = canvas.grab().toImage()
    corner = (rect.bottomLeft() + QPointF(9, -7)).toPoint()
    assert dim.pixelColor(corner) == QColor(canvas.colours.warning), "the mark in its corner"
    relink_from(lossy, parts_of(lossy).jobs, tmp_path / "elsewhere")
    qtbot.waitUntil(lambda: not document_of(lossy).missing)
    wait_until_settled(qtbot, lossy)
    wait_until_sharp(qtbot, canvas)
    there = middle(canvas, layout_of(lossy).positions[LOOSE])
    seen, faded = canvas.grab().toImage().pixelColor(there), dim.pixelColor(middle(canvas, cell))
    assert seen.saturation() > faded.saturation() + 40, "found again, it has its colours back"


def test_a_missing_photo_is_found_by_its_content_under_another_name(
    lossy: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    found = tmp_path / "elsewhere" / f"photo-{PINNED:04d}.jpg"
    (tmp_path / "copy of it.jpg").write_bytes(found.read_bytes())  # at another time
    found.unlink()
    (tmp_path / "copy of it.jpg").rename(tmp_path / "elsewhere" / "copy of it.jpg")
    (tmp_path / "elsewhere" / f"photo-{LOOSE:04d}.jpg").rename(tmp_path / "elsewhere" / "sea.jpg")
    relink_from(lossy, parts_of(lossy).jobs, tmp_path / "elsewhere")
    qtbot.waitUntil(lambda: not document_of(lossy).missing, timeout=WAIT_MS)
    files = [photo.path.name for photo in document_of(lossy).album.photos]
    assert (files[PINNED], files[LOOSE]) == ("copy of it.jpg", "sea.jpg")


def test_missing_photos_are_listed_among_the_skipped_until_they_are_taken_out(lossy: Session) -> None:
    document = document_of(lossy)
    lines = [line_for(document, row, {}, {}) for row in section_rows(document, SKIPPED, {})]
    assert [(line.photo, line.detail) for line in lines] == [(PINNED, "File not found"), (LOOSE, "File not found")]
    lossy.edit(excluded, [PINNED, LOOSE])
    assert not section_rows(document_of(lossy), SKIPPED, {})
    assert len(section_rows(document_of(lossy), ALL, {})) == 10
