"""What became of the folders of an album since they were looked at."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from album_app.errors import Stopped
from album_app.own_files import SOFTWARE
from album_app.photos import folder_news
from album_app.photos.album import Album, scan
from album_app.photos.cache import Cache
from album_app.photos.folder_news import News, listing, news
from album_app.photos.walk import Found


def paint(path: Path, colour: str = "red") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 6), colour).save(path)
    return path


@pytest.fixture
def album(tmp_path: Path) -> Album:
    for name in ("a.jpg", "b.jpg", "inside/c.jpg"):
        paint(tmp_path / "photos" / name)
    return scan(tmp_path / "photos")


def look(album: Album, before: folder_news.Listing, recursive: bool = True) -> News:
    return news(album.photos, frozenset(), before, listing(album.roots, recursive, before), None)


def test_an_untouched_folder_has_no_news(album: Album) -> None:
    assert not look(album, listing(album.roots, True))


def test_what_appears_changes_and_vanishes_is_told(album: Album) -> None:
    before, root = listing(album.roots, True), album.roots[0]
    new = {paint(root / "d.jpg"), paint(root / "inside" / "e.png"), paint(root / "later" / "deeper" / "f.jpg")}
    (root / "notes.txt").write_text("no photo")
    paint(root / ".hidden.jpg")
    (root / "a.jpg").unlink()
    os.utime(root / "inside" / "c.jpg", ns=(1, 1))
    found = look(album, before)
    names = [photo.name for photo in album.photos]
    assert set(found.new) == new
    assert [names[k] for k in found.gone] == ["a.jpg"] and [names[k] for k in found.changed] == ["inside/c.jpg"]


def test_photos_that_were_there_but_not_opened_are_no_news(tmp_path: Path, album: Album) -> None:
    one = scan([tmp_path / "photos" / "a.jpg"])
    assert not look(one, listing(one.roots, True))


def test_a_sheet_of_ours_that_appears_is_no_news(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    before, root, opened = listing(album.roots, True), album.roots[0], []
    real = folder_news.facts_of

    def watched(files: Sequence[Found], *more: Any) -> Any:
        opened.extend(file.path.name for file in files)
        return real(files, *more)

    monkeypatch.setattr(folder_news, "facts_of", watched)
    for path in (root / "sheet.jpg", root / "later" / "sheet.jpg"):
        path.parent.mkdir(exist_ok=True)
        Image.new("RGB", (8, 6)).save(path, comment=SOFTWARE)
    (root / "page.jpg").write_text("<html>")
    new = paint(root / "d.jpg")
    first = listing(album.roots, True, before)
    assert news(album.photos, frozenset(), before, first, None).new == (new,)
    assert sorted(opened) == ["d.jpg", "page.jpg", "sheet.jpg", "sheet.jpg"]
    opened.clear()
    paint(root / "e.jpg")
    second = listing(album.roots, True, first)
    assert news(album.photos, frozenset(), before, second, None).new == (new, root / "e.jpg")
    assert opened == ["e.jpg"], "what was looked into is known"


def test_folders_inside_folders_are_left_alone_where_they_do_not_belong(album: Album) -> None:
    before = listing(album.roots, False)
    paint(album.roots[0] / "inside" / "later.jpg")
    assert not look(album, before, recursive=False).new


def test_a_photo_that_comes_back_is_news(album: Album) -> None:
    before = listing(album.roots, True)
    assert news(album.photos, frozenset({1}), before, before, None).changed == (1,)


def test_folders_that_did_not_change_are_not_listed_again(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    before, listed, scandir = listing(album.roots, True), [], os.scandir
    paint(album.roots[0] / "inside" / "late.jpg")
    monkeypatch.setattr(folder_news.os, "scandir", lambda folder: (listed.append(folder), scandir(folder))[1])
    assert len(look(album, before).new) == 1
    assert listed == [album.roots[0] / "inside"]


def test_looking_can_be_stopped(album: Album) -> None:
    with pytest.raises(Stopped):
        listing(album.roots, True, stop=lambda: True)


def test_files_that_are_no_photos_are_not_announced_until_they_are_whole(album: Album) -> None:
    before, root = listing(album.roots, True), album.roots[0]
    whole = paint(root / "whole.png").read_bytes()
    (root / "whole.png").unlink()
    for name, content in {"empty.jpg": b"", "cut.png": whole[:-30], "words.jpg": b"no photo"}.items():
        (root / name).write_bytes(content)
    first = listing(album.roots, True, before)
    assert not news(album.photos, frozenset(), before, first, None)
    (root / "cut.png").write_bytes(whole)
    second = listing(album.roots, True, first)
    assert news(album.photos, frozenset(), before, second, None).new == (root / "cut.png",)
    assert listing(album.roots, True, second)[root].others == {"words.jpg"}


@pytest.mark.parametrize("place", ["z.jpg", "inside/b.jpg"])
def test_a_photo_that_has_another_name_or_place_is_neither_new_nor_gone(album: Album, place: str) -> None:
    before, root = listing(album.roots, True), album.roots[0]
    (root / "b.jpg").rename(root / place)
    (root / "a.jpg").unlink()
    assert look(album, before) == News(gone=(0,), moved={1: root / place})


def test_a_copy_with_another_time_is_known_by_its_content(album: Album) -> None:
    before, root = listing(album.roots, True), album.roots[0]
    pictures = {"red.bmp": "red", "blue.bmp": "blue"}
    for name, colour in pictures.items():
        paint(root / name, colour)
    with Cache.open() as cache:
        album = scan(root, cache=cache, decode_for=60)
    before = listing(album.roots, True)
    for name, colour in pictures.items():
        (root / name).unlink()
        os.utime(paint(root / f"copy of {name}", colour), ns=(5, 5))
    red, blue = album.index_of("red.bmp"), album.index_of("blue.bmp")
    assert look(album, before).moved == {blue: root / "copy of blue.bmp", red: root / "copy of red.bmp"}


def test_another_picture_of_the_same_size_is_no_photo_that_moved(album: Album) -> None:
    root = album.roots[0]
    paint(root / "red.bmp")
    with Cache.open() as cache:
        album = scan(root, cache=cache, decode_for=60)
    before = listing(album.roots, True)
    (root / "red.bmp").unlink()
    os.utime(paint(root / "blue.bmp", "blue"), ns=(5, 5))
    found = look(album, before)
    assert not found.moved and found.new == (root / "blue.bmp",) and len(found.gone) == 1


def test_a_changed_file_that_keeps_its_old_date_is_noticed_and_read_anew(album: Album) -> None:
    before, path = listing(album.roots, True), album.roots[0] / "b.jpg"
    time = path.stat().st_mtime_ns
    Image.new("RGB", (80, 60), "navy").save(path)
    os.utime(path, ns=(time, time))
    assert path.stat().st_mtime_ns == time
    found = look(album, before)
    assert [album.photos[k].name for k in found.changed] == ["b.jpg"] and not found.gone and not found.new
    with Cache.open() as cache:
        cache.put_features(album.photos, "test", np.ones((len(album), 2), np.float32))
        known = cache.get_features(scan(album.roots[0]).photos, "test")
    names = [photo.name for photo in album.photos]
    assert [row is None for row in known] == [name == "b.jpg" for name in names]
