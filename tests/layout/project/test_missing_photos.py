"""Finding missing photos again: which file is which photo, and what the sheet becomes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from album_app.layout.project.document import Document
from album_app.layout.project.photo_paths import relinked
from album_app.layout.project.project_file import load_project, save_project
from album_app.photos.album import Album, Photo
from tests.layout.conftest import FILES, make_document

LOST = 3

Find = Callable[..., tuple[Document, list[int]]]


@pytest.fixture
def document(tmp_path: Path) -> Document:
    """Four photos, of one to four bytes, of which the last is missing; the third cell is empty."""
    return make_document(tmp_path / "photos", missing=frozenset({LOST}))


@pytest.fixture
def find(document: Document, tmp_path: Path) -> Find:
    """Look for missing photos among files that lie, so large, in a folder."""

    def find(missing: set[int] | None = None, **sizes: int) -> tuple[Document, list[int]]:
        files = {name.replace("_", "/") + ".jpg": size for name, size in sizes.items()}
        found = [Photo(tmp_path / "new" / file, file, size, 5, 4, 3) for file, size in files.items()]
        lossy = document if missing is None else replace(document, missing=frozenset(missing))
        return relinked(lossy, Album((tmp_path / "new",), tuple(found)))

    return find


def places(document: Document, root: Path) -> list[str]:
    return [photo.path.relative_to(root).as_posix() for photo in document.album.photos]


@pytest.mark.parametrize("chosen", ["new place", "new place/photos"])
def test_a_moved_folder_is_found_and_stays_found(saved: Path, chosen: str) -> None:
    target = saved.parent / "new place" / "photos"
    target.parent.mkdir()
    (saved.parent / "photos").rename(target)
    lossy, folder = load_project(saved), saved.parent / chosen
    assert lossy.missing == {0, 1, 2, 3}
    files = [photo.path.relative_to(saved.parent / "photos") for photo in lossy.album.photos]
    there = [
        replace(photo, path=target / file, name=(target / file).relative_to(folder).as_posix())
        for photo, file in zip(lossy.album.photos, files, strict=True)
    ]
    after, again = relinked(lossy, Album((folder,), tuple(there)))
    assert again == [0, 1, 2, 3] and not after.missing
    save_project(after, saved)
    loaded = load_project(saved)
    assert loaded.missing == frozenset() and places(loaded, target) == FILES


def test_a_photo_found_keeps_its_name_and_is_as_its_file_is_now(find: Find, tmp_path: Path) -> None:
    after, again = find(elsewhere_d=9)
    photo = after.album.photos[LOST]
    assert again == [LOST] and after.missing == frozenset()
    assert (photo.name, photo.path, photo.size) == (FILES[LOST], tmp_path / "new/elsewhere/d.jpg", 9)
    assert after.album.roots == (tmp_path / "photos", tmp_path / "new")


def test_the_same_name_goes_before_the_same_size_and_that_before_any_other(find: Find, tmp_path: Path) -> None:
    assert places(find(d=4, trip_d=9)[0], tmp_path)[LOST] == "new/trip/d.jpg"
    assert places(find(d=9, old_d=4)[0], tmp_path)[LOST] == "new/old/d.jpg"


def test_of_several_files_that_fit_no_better_none_is_taken(find: Find, document: Document) -> None:
    after, again = find(d=8, old_d=9)
    assert again == [] and after.missing == {LOST} and after.album == document.album


def test_a_file_becomes_one_photo_only(tmp_path: Path) -> None:
    twice = make_document(tmp_path, ["x/a.jpg", "y/a.jpg", "b.jpg", "c.jpg"], missing=frozenset({0, 1}))
    file = Photo(tmp_path / "new" / "a.jpg", "a.jpg", 2, 5, 4, 3)
    after, again = relinked(twice, Album((tmp_path / "new",), (file,)))
    assert again == [1] and after.missing == {0}, "the one of the same size"
    after, again = relinked(twice, Album((tmp_path / "new",), (replace(file, size=7),)))
    assert again == [], "it may be either"


def test_a_file_that_is_in_the_album_is_no_missing_photo(tmp_path: Path) -> None:
    document = make_document(tmp_path, ["x/a.jpg", "y/a.jpg", "b.jpg", "c.jpg"], missing=frozenset({1}))
    after, again = relinked(document, Album((tmp_path,), (document.album.photos[0],)))
    assert again == [] and after.missing == {1}


def test_a_photo_not_on_the_sheet_is_arranged_where_there_is_room(find: Find) -> None:
    shown, apart = find(d=4)[0].layout, find({2}, c=3)[0].layout
    assert shown is not None and apart is not None
    assert (shown.stage, apart.stage) == ("rounded", "first")
