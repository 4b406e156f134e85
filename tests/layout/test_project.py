"""The project file: what comes back, what is refused, and what happens when photos or folders move."""

import json
import math
import os
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from album_app.errors import AlbumError, UsageError
from album_app.layout.document import VERSION, Document, load_project, save_project
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.result import Layout
from album_app.layout.shapes import ShapeSpec, build_shape
from album_app.photos.album import Album, Photo, Skipped

FILES = ["a.jpg", "b.jpg", "trip/c.jpg", "trip/d.jpg"]


def make_document(folder: Path, files: list[str] | None = None, **changes: Any) -> Document:
    photos = []
    for index, file in enumerate(files or FILES):
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * (index + 1))
        status = path.stat()
        taken = datetime(2024, 5, index + 1, 12, 30) if index else None
        photos.append(Photo(path, file, status.st_size, status.st_mtime_ns, 400, 300, taken))
    skipped = (Skipped(folder / "note.txt", "note.txt", "no picture", "unsupported"),)
    shape = build_shape(ShapeSpec("rectangle", 2, 2), 4)
    layout = Layout(
        shape,
        np.array([1, 0, -1, 3]),
        np.array([0.25, 1, 0, 0.5], dtype=np.float32),
        Pins({1: (0, 0)}),
        smi=1.5,
        resembles={2: 3},
        stage="rounded",
        seconds={"solve": 0.25},
        scores={"dpq16": 0.875},
    )
    document = Document(
        Album((folder,), tuple(photos), skipped),
        ShapeSpec("rectangle", 2, 2),
        shape,
        Pins({1: (0, 0)}),
        Options(features="lab", follow=0.25, seed=7),
        frozenset({2}),
        layout,
        settings={"title": "Crete", "gap": 0.1, "mark_pins": True, "paper": None},
    )
    return replace(document, **changes)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    save_project(make_document(tmp_path / "home" / "photos"), tmp_path / "home" / "crete.album")
    return tmp_path / "home" / "crete.album"


def rewritten(path: Path, change: Any) -> Path:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    return path


def test_everything_comes_back(tmp_path: Path) -> None:
    before = make_document(tmp_path / "photos")
    save_project(before, tmp_path / "one.album")
    after = load_project(tmp_path / "one.album")
    assert after.album == before.album
    assert (after.spec, after.pins, after.options, after.excluded) == (
        before.spec,
        before.pins,
        before.options,
        before.excluded,
    )
    assert after.shape.same_cells(before.shape)
    assert after.settings == before.settings
    assert after.missing == frozenset()
    assert before.layout is not None
    assert after.layout is not None
    assert after.layout.photo_at.tolist() == [1, 0, -1, 3]
    assert after.layout.confidence.tolist() == [0.25, 1, 0, 0.5]
    for field in ("pins", "smi", "resembles", "stage", "seconds", "scores"):
        assert getattr(after.layout, field) == getattr(before.layout, field), field
    assert after.layout.guide is None


def test_letters_come_back_cell_by_cell(tmp_path: Path) -> None:
    spec = ShapeSpec("text", text="Hi\nyou", weight=0.3, cells=120)
    before = make_document(tmp_path, spec=spec, shape=build_shape(spec, 120), pins=Pins(), layout=None)
    save_project(before, tmp_path / "one.album")
    after = load_project(tmp_path / "one.album")
    assert after.spec == spec
    assert after.shape.same_cells(before.shape)
    assert after.shape.centres == before.shape.centres
    assert after.layout is None


def test_a_layout_of_another_shape_is_not_saved(tmp_path: Path) -> None:
    save_project(make_document(tmp_path, shape=build_shape(ShapeSpec("rectangle", 3, 3), 9)), tmp_path / "one.album")
    assert load_project(tmp_path / "one.album").layout is None


def test_a_score_that_is_no_number_is_left_out(tmp_path: Path) -> None:
    document = make_document(tmp_path)
    assert document.layout is not None
    layout = replace(document.layout, smi=math.nan, scores={"dpq16": 0.5, "pin_pull": math.nan})
    save_project(replace(document, layout=layout), tmp_path / "one.album")
    after = load_project(tmp_path / "one.album").layout
    assert after is not None
    assert math.isnan(after.smi)
    assert after.scores == {"dpq16": 0.5}


def test_project_and_photos_moved_together_are_found(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "home").rename(tmp_path / "elsewhere")
    document = load_project(tmp_path / "elsewhere" / "crete.album")
    assert document.missing == frozenset()
    assert document.album.photos[0].path == tmp_path / "elsewhere" / "photos" / "a.jpg"
    assert document.album.roots == (tmp_path / "elsewhere" / "photos",)


def test_the_project_moved_alone_finds_photos_where_they_were(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "far" / "away").mkdir(parents=True)
    document = load_project(saved.rename(tmp_path / "far" / "away" / "crete.album"))
    assert document.missing == frozenset()
    assert document.album.photos[2].path == saved.parent / "photos" / "trip" / "c.jpg"


def test_a_folder_of_the_same_name_with_other_photos_is_not_taken_for_it(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "far" / "photos").mkdir(parents=True)
    document = load_project(saved.rename(tmp_path / "far" / "crete.album"))
    assert document.missing == frozenset()


def test_missing_photos_are_kept_and_marked(saved: Path) -> None:
    (saved.parent / "photos" / "b.jpg").unlink()
    document = load_project(saved)
    assert document.missing == {1}
    assert [photo.name for photo in document.album.photos] == FILES
    assert document.pins == {1: (0, 0)}
    assert document.active == (0, 3)


@pytest.mark.parametrize("chosen", ["new place", "."])
def test_a_moved_folder_can_be_linked_again(saved: Path, chosen: str) -> None:
    target = saved.parent / "new place" / "photos"
    target.parent.mkdir()
    (saved.parent / "photos").rename(target)
    assert load_project(saved).missing == {0, 1, 2, 3}
    document = load_project(saved, relink=target.parent if chosen == "new place" else target)
    assert document.missing == frozenset()
    save_project(document, saved)
    assert load_project(saved).missing == frozenset()


def test_a_changed_file_is_known_by_its_new_size(saved: Path) -> None:
    (saved.parent / "photos" / "a.jpg").write_bytes(b"something longer")
    assert load_project(saved).album.photos[0].size == 16


def test_photos_outside_every_opened_folder_are_kept(tmp_path: Path) -> None:
    document = make_document(tmp_path / "photos")
    apart = replace(document, album=replace(document.album, roots=(tmp_path / "photos" / "trip",), skipped=()))
    save_project(apart, tmp_path / "one.album")
    after = load_project(tmp_path / "one.album")
    assert after.album == apart.album


def test_a_mask_picture_is_remembered_from_the_project(tmp_path: Path) -> None:
    mask = tmp_path / "home" / "star.png"
    spec = ShapeSpec("mask", mask=str(mask))
    document = make_document(tmp_path / "home" / "photos", spec=spec)
    mask.write_bytes(b"")
    save_project(document, tmp_path / "home" / "one.album")
    (tmp_path / "home").rename(tmp_path / "new")
    assert load_project(tmp_path / "new" / "one.album").spec.mask == str(tmp_path / "new" / "star.png")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names there are always Unicode")
def test_names_that_are_no_unicode_survive(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.jpg")
    save_project(make_document(tmp_path / "photos", [name, "b.jpg", "c.jpg", "d.jpg"]), tmp_path / "one.album")
    (tmp_path / "one.album").read_text("ascii")
    document = load_project(tmp_path / "one.album")
    assert document.album.photos[0].name == name
    assert document.missing == frozenset()


@pytest.mark.parametrize(
    "name", ["../b.jpg", "/etc/passwd", "x/../../b.jpg", "..", "", "x//b.jpg", "..\\b.jpg", "a\0b"]
)
@pytest.mark.parametrize("key", ["file", "name"])
def test_no_path_leaves_its_folder(saved: Path, name: str, key: str) -> None:
    def climb(content: dict[str, Any]) -> None:
        content["album"]["photos"][1][key] = name

    with pytest.raises(UsageError, match=r"album\.photos\[1\]"):
        load_project(rewritten(saved, climb))


def test_a_newer_version_is_refused_with_a_sentence(saved: Path) -> None:
    with pytest.raises(UsageError, match="newer version"):
        load_project(rewritten(saved, lambda content: content.update(version=VERSION + 1)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("pins.0.photo", 4),
        ("pins.0.cell", [0, 2]),
        ("pins.0.cell", [0]),
        ("pins", {}),
        ("excluded.0", -1),
        ("excluded.0", True),
        ("options.beta", 2.0),
        ("options.seed", "x"),
        ("options.refine", 1),
        ("layout.photos.0", 9),
        ("layout.photos", [0]),
        ("layout.confidence.0", 1.5),
        ("layout.stage", "best"),
        ("shape.cells.0", "#?"),
        ("shape.cells.0", "###"),
        ("shape.cells", ["..", ".."]),
        ("shape.wanted.kind", "spiral"),
        ("shape.centres", [[5, 5]]),
        ("album.photos.0.width", 0),
        ("album.photos.0.taken", "yesterday"),
        ("album.photos.0.folder", 1),
        ("album.photos.0.name", "b.jpg"),
        ("album.folders.0.absolute", 3),
        ("settings.title", []),
        ("version", "1"),
    ],
)
def test_a_wrong_value_is_named(saved: Path, path: str, value: Any) -> None:
    *parents, last = [int(key) if key.isdecimal() else key for key in path.split(".")]

    def spoil(content: Any) -> None:
        for key in parents:
            content = content[key]
        content[last] = value

    with pytest.raises(UsageError, match=r"crete\.album") as caught:
        load_project(rewritten(saved, spoil))
    assert str(caught.value).endswith(".")
    assert str(parents[0] if parents else last).rstrip("s") in str(caught.value)


@pytest.mark.parametrize("key", ["album", "shape", "pins", "options", "excluded", "settings"])
def test_a_missing_part_is_named(saved: Path, key: str) -> None:
    with pytest.raises(UsageError, match=f"{key} is missing"):
        load_project(rewritten(saved, lambda content: content.pop(key)))


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"format": 1}', b"[" * 100_000, b'{"version": 1}', b"9" * 5000],
)
def test_what_is_no_project_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.album").write_bytes(content)
    with pytest.raises(UsageError, match=r"x\.album"):
        load_project(tmp_path / "x.album")


def test_nan_is_refused(saved: Path) -> None:
    saved.write_text(saved.read_text().replace('"smi":1.5', '"smi":NaN'))
    with pytest.raises(UsageError, match="no valid JSON"):
        load_project(saved)
    saved.write_text(saved.read_text().replace('"smi":NaN', '"smi":1e999'))
    with pytest.raises(UsageError, match=r"layout\.smi"):
        load_project(saved)


def test_a_huge_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("album_app.layout.document.LARGEST_FILE", 2**20)
    (tmp_path / "x.album").write_bytes(b" " * (2**20 + 1))
    with pytest.raises(UsageError, match="too large"):
        load_project(tmp_path / "x.album")


def test_what_cannot_be_opened_or_saved_is_said(tmp_path: Path) -> None:
    with pytest.raises(AlbumError, match="could not be opened"):
        load_project(tmp_path / "none.album")
    with pytest.raises(UsageError, match="not a file"):
        load_project(tmp_path)
    with pytest.raises(AlbumError, match="could not be saved"):
        save_project(make_document(tmp_path / "photos"), tmp_path / "nowhere" / "one.album")


def test_a_failed_save_leaves_the_old_file(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def full(*arguments: object, **options: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(AlbumError, match="No space left"):
        save_project(make_document(saved.parent / "photos"), saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir() if path.is_file()] == [saved.name]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=150)
@given(data=st.data())
def test_whatever_a_file_says_it_loads_or_is_refused_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    path = folder / "x.album"
    save_project(make_document(folder / "photos"), path)
    content = json.loads(path.read_text())
    node = content
    while isinstance(node, dict | list) and node:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if data.draw(st.booleans()) or not isinstance(node[key], dict | list):
            node[key] = data.draw(JSON)
            break
        node = node[key]
    path.write_text(json.dumps(content))
    try:
        load_project(path)
    except UsageError as error:
        assert str(error).endswith(".")
