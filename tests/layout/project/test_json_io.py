"""Writing in pieces gives the text that one call gives, and photos of one album are packed once."""

import gc
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from album_app.errors import UsageError
from album_app.language import StoredText
from album_app.layout.project.json_io import Node, json_pieces, list_pieces, with_stored_text
from album_app.layout.project.photo_paths import pack_album
from album_app.layout.project.project_file import load_project, save_project
from album_app.photos.album import Album, Photo, Skipped
from tests.layout.conftest import make_document


def anything(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(4 if depth > 3 else 7)
    if kind < 4:
        return (None, rng.random(), rng.randint(-9, 9), rng.choice(["", 'a"b', "\u00e9\udc80"]))[kind]
    count = rng.randint(0, 9)
    if kind == 4:
        return {str(place): anything(rng, depth + 1) for place in range(count)}
    made = [anything(rng, depth + 1) for _ in range(count)]
    return made if kind == 5 else tuple(made)


@pytest.mark.parametrize("few", [1, 2, 3, 250])
def test_pieces_are_the_text_of_one_call(few: int) -> None:
    rng = random.Random(few)
    for value in [{}, [], *(anything(rng) for _ in range(300))]:
        assert "".join(json_pieces(value, few)) == json.dumps(value, separators=(",", ":"))
    for count in range(8):
        assert "".join(list_pieces(range(count), few)) == json.dumps(list(range(count)), separators=(",", ":"))


def test_pieces_are_short_and_no_number_is_no_json() -> None:
    assert max(map(len, json_pieces({"photos": list(range(100_000))}))) < 10_000
    with pytest.raises(ValueError, match="JSON"):
        list(json_pieces({"smi": float("nan")}))


def test_photos_of_one_album_are_packed_once(tmp_path: Path) -> None:
    document = make_document(tmp_path / "photos")
    (tmp_path / "deep").mkdir()
    save_project(document, tmp_path / "one.album")
    packed = pack_album(document.album, tmp_path)["photos"]
    save_project(replace(document, excluded=frozenset({1})), tmp_path / "deep" / "two.album")
    assert pack_album(document.album, tmp_path / "deep")["photos"] is packed
    assert load_project(tmp_path / "deep" / "two.album").album.photos == document.album.photos
    fewer = replace(document, album=replace(document.album, photos=document.album.photos[:2]), layout=None)
    save_project(fewer, tmp_path / "one.album")
    written = json.loads((tmp_path / "one.album").read_bytes())
    assert pack_album(fewer.album, tmp_path)["photos"] is not packed and len(written["album"]["photos"]) == 2


def test_what_was_packed_goes_with_its_album(tmp_path: Path) -> None:
    document = make_document(tmp_path / "photos")
    packed = ref(pack_album(document.album, tmp_path)["photos"])
    gc.collect()
    assert packed() is not None, "it is kept as long as the album lives"
    del document
    gc.collect()
    assert packed() is None


def test_files_are_told_by_the_deepest_folder_around_them(tmp_path: Path) -> None:
    top, inner, other = tmp_path / "a", tmp_path / "a" / "b", tmp_path / "c"
    files = [inner / "d" / "1.jpg", inner / "2.jpg", top / "3.jpg", other / "4.jpg", top / "e" / "5.jpg"]
    photos = tuple(Photo(file, file.name, 1, 0, 3, 2) for file in files)
    nowhere = Skipped(tmp_path / "f" / "6.txt", "6.txt", "no picture")
    album = Album((top, inner), photos, (Skipped(other / "7.txt", "7.txt", "no picture"), nowhere))
    packed = pack_album(album, tmp_path)
    assert [folder["relative"] for folder in packed["folders"]] == ["a", "a/b", "c"]
    reported = [(photo["folder"], photo["file"]) for photo in json.loads("".join(json_pieces(packed["photos"])))]
    assert reported == [(1, "d/1.jpg"), (1, "2.jpg"), (0, "3.jpg"), (2, "4.jpg"), (0, "e/5.jpg")]
    assert [(item["folder"], item["file"]) for item in packed["skipped"]] == [(2, "7.txt")]


def test_a_stored_text_comes_back_with_its_key_and_values() -> None:
    """So that it can be shown in another language than the one it was kept in."""
    before = StoredText("larger than {limit} megapixels", limit=200)
    kept = json.loads(json.dumps(with_stored_text("reason", before)))
    assert kept["reason"] == "larger than 200 megapixels", "for versions that know no keys"
    after = Node(kept, "", "p.album").stored_text("reason")
    assert isinstance(after, StoredText) and (after.key, after.values) == (before.key, before.values)
    assert Node(with_stored_text("reason", "plain"), "", "p.album").stored_text("reason") == "plain"
    assert Node({}, "", "p.album").stored_text("reason") == ""
    for wrong in (5, ["key"], ["key", {"limit": None}], ["n" * 10**6, {}]):
        with pytest.raises(UsageError):
            Node({"reason": "x", "reason_key": wrong}, "", "p.album").stored_text("reason")
