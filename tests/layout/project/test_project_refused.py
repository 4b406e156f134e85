"""Project files that cannot be read or written: each is refused in a sentence that names what is wrong."""

import errno
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from album_app.errors import AlbumError, UsageError
from album_app.layout.project.json_io import MOST_VALUES
from album_app.layout.project.project_file import VERSION, load_project, save_project
from album_app.photos.album import Album, Photo
from tests.layout.conftest import make_document


def rewritten(path: Path, change: Any) -> Path:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    return path


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
        ("excluded.0", 4),
        ("always_shown", [4]),
        ("variation", {"amount": 0.5, "photos": [4], "rows": 1, "columns": 1}),
        ("variation", {"amount": 1.01, "photos": [0], "rows": 1, "columns": 1}),
        ("variation", {"amount": 0.5, "photos": [0], "rows": -1, "columns": 1}),
        ("held", [[0, 99]]),
        ("is_held", 1),
        ("options.beta", 2.0),
        ("options.seed", "x"),
        ("options.refine", 1),
        ("layout.photos.0", 9),
        ("layout.photos", [0]),
        ("layout.confidence.0", 1.5),
        ("layout.resembles", [[4, 3]]),
        ("layout.resembles", [[2, 4]]),
        ("layout.lone", [4]),
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
        ("crops", [[4, 0.5, 0.5, 1.0]]),
        ("crops", [[0, 1.5, 0.5, 1.0]]),
        ("crops", [[0, 0.5, -0.1, 1.0]]),
        ("crops", [[0, 0.5, 0.5, 0.9]]),
        ("captions", [[4, "sea"]]),
        ("captions", [[0, 1]]),
        ("stacks", [[0]]),
        ("stacks", [[0, 1], [1, 2]]),
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


@pytest.mark.parametrize("key", ["album", "shape", "pins", "options", "excluded"])
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


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "x.album").write_bytes(b" " * (2**20 + 1))
    with pytest.raises(AlbumError, match="too large"):
        load_project(tmp_path / "x.album", largest_file=2**20)


@pytest.mark.parametrize("piece", [b"[],", b"{},", b"1,", b"[["])
def test_a_file_of_countless_values_is_refused_before_it_is_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: bytes
) -> None:
    (tmp_path / "x.album").write_bytes(b"[" + piece * MOST_VALUES + b"1]")
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("parsed"))
    with pytest.raises(UsageError, match="too large"):
        load_project(tmp_path / "x.album")


@pytest.mark.parametrize("rows", [["#" * 1000] * 1000, ["#" + "." * 99_999] * 101], ids=["cells", "grid"])
def test_more_cells_than_any_sheet_has_are_refused(saved: Path, rows: list[str]) -> None:
    with pytest.raises(UsageError, match=r"shape\.cells"):
        load_project(rewritten(saved, lambda content: content["shape"].update(cells=rows)))


def test_the_work_of_loading_and_saving_grows_with_the_file_and_not_with_its_square(tmp_path: Path) -> None:
    """Steps counted, not seconds: photos each in a folder of their own, twice as many cost about twice as much."""

    def steps(count: int) -> int:
        photos = tuple(Photo(tmp_path / f"{i}" / "p.jpg", f"{i}/p.jpg", 1, 1, 1, 1) for i in range(count))
        document = replace(make_document(tmp_path / "photos"), album=Album((tmp_path / "photos",), photos))
        file = tmp_path / f"{count}.album"
        calls = 0

        def count_calls(frame: Any, event: str, argument: object) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(count_calls)
        try:
            save_project(document, file)
            load_project(file)
        finally:
            sys.setprofile(None)
        return calls

    small, large = steps(300), steps(600)
    assert large < 2.2 * small


@pytest.mark.parametrize("name", ["n" * 300 + ".jpg", "lone\ud800.jpg", "f.txt/p.jpg"])
def test_a_photo_whose_name_no_file_can_have_is_missing(saved: Path, tmp_path: Path, name: str) -> None:
    document = load_project(rewritten(saved, lambda content: content["album"]["photos"][0].update(file=name)))
    assert 0 in document.missing and len(document.missing) == 1


def test_a_folder_that_may_not_be_entered_leaves_its_photos_missing(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = Path.stat

    def forbidden(path: Path, **_: object) -> os.stat_result:
        if path.suffix == ".jpg" or path.name == "photos":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return really(path)

    monkeypatch.setattr(Path, "stat", forbidden)
    document = load_project(saved)
    assert document.missing == frozenset(range(len(document.album)))


def test_what_cannot_be_opened_or_saved_is_said(tmp_path: Path) -> None:
    with pytest.raises(AlbumError, match="could not be opened"):
        load_project(tmp_path / "none.album")
    with pytest.raises(AlbumError, match="not a file"):
        load_project(tmp_path)
    with pytest.raises(AlbumError, match="could not be saved"):
        save_project(make_document(tmp_path / "photos"), tmp_path / "nowhere" / "one.album")


def test_a_failed_save_leaves_the_old_file(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def full(content: object) -> Iterator[str]:
        yield "{"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("album_app.layout.project.project_file.json_pieces", full)
    with pytest.raises(AlbumError, match="No space left"):
        save_project(make_document(saved.parent / "photos"), saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir() if path.is_file()] == [saved.name]
