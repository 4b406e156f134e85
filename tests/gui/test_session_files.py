"""Photos that join an open album: under names of their own, with their own pictures, and gone again on undo."""

from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from tests.gui.conftest import OpenSession, PhotoFolder, wait_until_settled
from tests.gui.hands import document_of


def test_files_dropped_on_a_cell_join_and_are_pinned(
    open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    session = open_session(11)
    more = photo_folder(2, "more", start=50)
    with qtbot.waitSignal(session.document_changed):
        session.add_files(sorted(more.iterdir()), (1, 1))
    wait_until_settled(qtbot, session)
    document = document_of(session)
    assert len(document.album) == 13 and document.layout is not None
    assert set(document.pins) == {11, 12} and document.pins[11] == (1, 1)
    assert {photo: document.layout.positions[photo] for photo in (11, 12)} == dict(document.pins)
    assert session.pictures.state(12) == "ready"
    session.undo_stack.undo()
    assert len(document_of(session).album) == 11
    session.drop(0, (0, 0))
    wait_until_settled(qtbot, session)
    assert document_of(session).layout is not None


def test_files_of_the_same_name_keep_apart(open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    session = open_session(3)
    twin = photo_folder(1, "other")
    with qtbot.waitSignal(session.document_changed):
        session.add_files([twin / "photo-0000.jpg"])
    names = [photo.name for photo in document_of(session).album.photos]
    assert len(set(names)) == 4 and names[3] == "other/photo-0000.jpg"


def test_nothing_to_add_is_said(open_session: OpenSession, qtbot: QtBot, tmp_path: Path) -> None:
    session = open_session(3)
    (tmp_path / "notes.txt").write_text("no photo")
    with qtbot.waitSignal(session.notice) as said:
        session.add_files([tmp_path / "notes.txt"])
    assert "no photo" in said.args[0]
    assert len(document_of(session).album) == 3


def test_undoing_an_addition_takes_the_photos_out_of_the_selection(
    open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    session = open_session(4)
    with qtbot.waitSignal(session.document_changed):
        session.add_files(sorted(photo_folder(2, "more", start=50).iterdir()))
    wait_until_settled(qtbot, session)
    session.select((1, 4, 5), (0, 0))
    with qtbot.waitSignal(session.selection_changed):
        session.undo_stack.undo()
    assert session.selected == (1,) and session.cell == document_of(session).layout.cell_of(1)


def test_photos_added_after_an_undo_show_their_own_pictures(
    open_session: OpenSession, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    session = open_session(6)
    first, second = sorted(photo_folder(2, "more", start=50).iterdir())
    seen = []
    for path in (first, second):
        with qtbot.waitSignal(session.document_changed):
            session.add_files([path])
        wait_until_settled(qtbot, session)
        pixels, colours = session.pictures.pixels(6), session.vectors.complete("rgb", 7)
        assert pixels is not None and colours is not None
        seen.append((pixels.copy(), colours[6].copy()))
        if path is first:
            session.undo_stack.undo()
    assert all(not np.array_equal(one, other) for one, other in zip(*seen, strict=True))
