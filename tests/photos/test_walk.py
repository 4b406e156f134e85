"""Raw files and films next to a picture of the same name belong to it."""

from pathlib import Path

import pytest

from album_app.photos.walk import companions_of, is_companion, is_sidecar


@pytest.mark.parametrize(
    ("name", "expected"), [("sea.nef", True), ("sea.MOV", True), ("sea.jpg", False), ("sea.txt", False), ("nef", False)]
)
def test_raw_files_and_films_are_companions(name: str, expected: bool) -> None:
    assert is_companion(name) is expected


def test_each_picture_has_the_companions_of_its_own_name_and_folder(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for name in ("sea.jpg", "SEA.NEF", "sea.mov", "sea.txt", "seaside.nef", "hill.jpg", "other/hill.nef", "lone.nef"):
        (tmp_path / name).touch()
    found = companions_of([tmp_path / "sea.jpg", tmp_path / "hill.jpg", tmp_path / "lone.nef"])
    assert {path.name: {file.name for file in files} for path, files in found.items()} == {
        "sea.jpg": {"SEA.NEF", "sea.mov"}
    }


def test_files_that_describe_photos_are_known_by_their_names() -> None:
    assert is_sidecar("sea.jpg.XMP") and not is_sidecar("sea.jpg")
