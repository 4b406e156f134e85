"""Captions: own texts, what files say, templates, and lists of them."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from album_app.errors import UsageError
from album_app.layout.captions import (
    LONGEST_FRACTION,
    caption_of,
    check_template,
    read_captions,
    shot_words,
    with_captions,
)
from album_app.layout.editing.edits import captioned
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import load_project, save_project
from album_app.layout.shapes.shape import ShapeSpec, rectangle
from album_app.photos.album import Album, Photo
from album_app.photos.decoding.header import CAMERA, FILE, Metadata, Shot

SEA = Photo(
    *(Path("a/sea.jpg"), "a/sea.jpg", 1, 1, 4, 3, datetime(2026, 7, 4), CAMERA),
    metadata=Metadata("The sea", "Waves"),
    camera="Canon EOS 80D",
    shot=Shot(1 / 250, 8.0, 100, 24.0),
)
BARE = Photo(Path("b/bare.jpg"), "b/bare.jpg", 1, 1, 4, 3, datetime(2025, 1, 2), FILE)
ALBUM = Album((Path(),), (SEA, BARE))


@pytest.mark.parametrize(
    ("template", "sea", "bare"),
    [
        ("none", "", ""),
        ("title", "The sea", ""),
        ("name", "sea", "bare"),
        ("date", "4 July 2026", "2 January 2025 (the file's time)"),
        ("{title}, {date:%Y}", "The sea, 2026", "2025 (the file's time)"),
        ("{title} – {description}", "The sea – Waves", ""),
        ("{camera}, {exposure}, {aperture}, {iso}, {focal_length}", "Canon EOS 80D, 1/250 s, f/8, ISO 100, 24 mm", ""),
        ("{name} ({lens})", "sea", "bare"),
        ("{camera}, {lens}, {iso}", "Canon EOS 80D, ISO 100", ""),
    ],
)
def test_what_stands_below_a_photo(template: str, sea: str, bare: str) -> None:
    check_template(template)
    assert (caption_of(SEA, template), caption_of(BARE, template)) == (sea, bare)


@pytest.mark.parametrize(
    ("shot", "words"),
    [
        (Shot(), []),
        (Shot(1 / 8000, 1.4, 51200, 85, "Sigma 85mm"), ["1/8000 s", "f/1.4", "ISO 51200", "85 mm", "Sigma 85mm"]),
        (Shot(1 / 2), ["1/2 s"] if LONGEST_FRACTION > 0.5 else ["0.5 s"]),
        (Shot(2.5, focal_length=24.5), ["2.5 s", "24.5 mm"]),
        (Shot(30), ["30 s"]),
    ],
)
def test_how_a_photo_was_taken_in_words(shot: Shot, words: list[str]) -> None:
    assert shot_words(shot) == words


@pytest.mark.parametrize(
    "template", ["", "all", "{path}", "{title.x}", "{title!r}", "{name:>400000000}", "{date:{name}}", "{"]
)
def test_other_templates_are_refused(template: str) -> None:
    with pytest.raises(UsageError, match="is no caption"):
        check_template(template)


def test_an_own_text_takes_the_place_of_the_title_and_an_empty_one_brings_it_back(tmp_path: Path) -> None:
    document = Document(ALBUM, ShapeSpec("rectangle", 1, 2), rectangle(1, 2))
    assert captioned(document, 0, "The sea") is None, "that is what its file says"
    written = captioned(document, 0, "  Our\nbay ").document  # type: ignore[union-attr]
    assert caption_of(written.captioned_album.photos[0], "title") == "Our bay" and written.album is ALBUM
    save_project(written, tmp_path / "c.album")
    assert load_project(tmp_path / "c.album").captions == {0: "Our bay"}
    again = captioned(written, 0, "")
    assert again is not None and caption_of(again.document.captioned_album.photos[0], "title") == "The sea"


def test_captions_from_a_list(tmp_path: Path) -> None:
    path = tmp_path / "captions.csv"
    path.write_text('photo,caption\nsea.jpg,"Blue, very"\nb/bare.jpg,Bare\n', "utf-8")
    found = read_captions(path, ALBUM)
    assert found == {0: "Blue, very", 1: "Bare"}
    assert caption_of(with_captions(ALBUM, found).photos[0], "title") == "Blue, very"
    path.write_text("photo,caption\nnobody.jpg,x\n", "utf-8")
    with pytest.raises(UsageError, match=r"line 2.*no photo is called so"):
        read_captions(path, ALBUM)
    twice = replace(ALBUM, photos=(SEA, replace(BARE, name="b/sea.jpg")))
    path.write_text("photo,caption\nsea.jpg,x\n", "utf-8")
    with pytest.raises(UsageError, match="several photos"):
        read_captions(path, twice)
    path.write_text("name,text\nsea.jpg,x\n", "utf-8")
    with pytest.raises(UsageError, match="columns photo, caption"):
        read_captions(path, ALBUM)
