"""The project file: what comes back, also when photos or folders have moved."""

import json
import math
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from album_app.layout.crops import LARGEST_ZOOM, HandCrop
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.project.project_file import load_project, save_project
from album_app.layout.shapes.shape import ShapeSpec, build_shape
from album_app.photos.decoding.header import Metadata
from album_app.photos.features import extractor
from album_app.photos.tables import read_table
from tests.layout.conftest import FILES, make_document


def test_everything_comes_back(tmp_path: Path) -> None:
    before = make_document(tmp_path / "photos", always_shown=frozenset({0, 3}), is_held=True)
    before = replace(before, held=frozenset({(0, 1)}), again=frozenset({(0, 0)}), new_choice=True)
    noted = replace(before.album.photos[0], metadata=Metadata("Harbour", "Boats", ("boat", "sea"), -1))
    before = replace(before, album=replace(before.album, photos=(noted, *before.album.photos[1:])))
    assert before.layout is not None
    before = replace(before, layout=replace(before.layout, lone=frozenset({0})))
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
    assert (after.missing, after.always_shown) == (frozenset(), {0, 3})
    assert (after.is_held, after.held) == (True, {(0, 1)})
    assert not after.again and not after.new_choice, "these are only asked of the next solve"
    assert before.layout is not None
    assert after.layout is not None
    assert after.layout.photo_at.tolist() == [1, 0, -1, 3]
    assert after.layout.confidence.tolist() == [0.25, 1, 0, 0.5]
    for field in ("pins", "smi", "resembles", "stage", "seconds", "scores", "converged", "degenerate", "lone"):
        assert getattr(after.layout, field) == getattr(before.layout, field), field
    assert after.layout.guide is None


@pytest.mark.parametrize(
    "options",
    [
        Options(seed=2**32 - 1, basis=100_000, iterations=10_000, beta=1.0, epsilon=1e6, lam=1e6, follow=1.0),
        Options(seed=0, basis=1, iterations=1, beta=0.0, epsilon=1e-6, lam=1e-12, follow=0.0, refine=False, auto=True),
        Options(fill="repeat", choose="best", effort="fine", time_weight=1.0),
    ],
    ids=["largest", "smallest", "words"],
)
def test_options_come_back_up_to_their_limits(options: Options, tmp_path: Path) -> None:
    save_project(make_document(tmp_path / "photos", options=options), tmp_path / "one.album")
    assert load_project(tmp_path / "one.album").options == options


def test_a_blend_keeps_its_weight_whatever_the_usual_one_is(tmp_path: Path) -> None:
    save_project(make_document(tmp_path / "photos", options=Options(features="blend")), tmp_path / "one.album")
    assert extractor(load_project(tmp_path / "one.album").options.features) == extractor("blend")
    content = json.loads((tmp_path / "one.album").read_text())
    content["options"]["features"] = "blend"  # as earlier versions wrote it
    (tmp_path / "one.album").write_text(json.dumps(content))
    assert load_project(tmp_path / "one.album").options.features == "blend:0.5"


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


def test_what_a_file_says_beside_the_sheet_is_passed_over(saved: Path) -> None:
    album = load_project(saved).album
    content = json.loads(saved.read_text()) | {"settings": {"title": "Crete"}, "weather": [1, 2]}
    saved.write_text(json.dumps(content))
    assert load_project(saved).album == album


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


def test_a_layout_read_from_a_file_knows_the_options_it_was_arranged_with(saved: Path) -> None:
    document = load_project(saved)
    assert document.layout is not None
    assert document.layout.options == document.options


def test_photos_are_sought_where_most_of_them_are(tmp_path: Path) -> None:
    """A copy of the project next to a folder with a few of the photos still finds the folder that has all."""
    (tmp_path / "home").mkdir()
    save_project(make_document(tmp_path / "home" / "photos"), tmp_path / "home" / "one.album")
    (tmp_path / "copy" / "photos").mkdir(parents=True)
    (tmp_path / "copy" / "one.album").write_bytes((tmp_path / "home" / "one.album").read_bytes())
    (tmp_path / "copy" / "photos" / FILES[0]).write_bytes(b"x")
    found = load_project(tmp_path / "copy" / "one.album")
    assert not found.missing
    assert all(photo.path.is_relative_to(tmp_path / "home" / "photos") for photo in found.album.photos)


def test_a_layout_keeps_the_key_of_its_features_and_why_it_is_degenerate(tmp_path: Path) -> None:
    before = make_document(tmp_path / "photos")
    save_project(before, tmp_path / "one.album")
    after = load_project(tmp_path / "one.album")
    assert before.layout is not None and after.layout is not None
    assert after.layout.features_key == before.layout.features_key == "lab:8/1"
    assert after.layout.degenerate == before.layout.degenerate and after.layout.scores == before.layout.scores
    content = json.loads((tmp_path / "one.album").read_text())
    del content["layout"]["features_key"]
    (tmp_path / "two.album").write_text(json.dumps(content))
    older = load_project(tmp_path / "two.album")
    assert older.layout is not None and older.layout.features_key == "" and not older.layout.scores


def test_crops_by_hand_and_chapters_come_back(tmp_path: Path) -> None:
    crops = {3: HandCrop(0.25, 0.75, 2.0), 0: HandCrop(0.0, 1.0, LARGEST_ZOOM)}
    before = make_document(tmp_path, crops=crops, chapter_titles={0: "The sea", 2: "Home"}, captions={1: "Waves"})
    save_project(before, tmp_path / "one.album")
    after = load_project(tmp_path / "one.album")
    assert (after.crops, after.chapter_titles, after.captions) == (crops, before.chapter_titles, {1: "Waves"})


def test_a_table_is_read_again_and_says_whether_it_changed_or_is_gone(tmp_path: Path) -> None:
    (tmp_path / "kinds.csv").write_text("file,kind\na.jpg,cat\nb.jpg,dog\n")
    table = read_table(tmp_path / "kinds.csv")
    save_project(make_document(tmp_path, table=table, colour_by="kind"), tmp_path / "one.album")
    same = load_project(tmp_path / "one.album")
    assert same.table is not None and (same.table.rows, same.table.digest) == (table.rows, table.digest)
    assert same.columns == ("file", "kind") and same.colour_by == "kind"
    assert [photo.metadata.row.get("kind") for photo in same.captioned_album.photos[:2]] == ["cat", "dog"]
    (tmp_path / "kinds.csv").write_text("file,kind\na.jpg,cow\n")
    changed = load_project(tmp_path / "one.album").table
    assert changed is not None and changed.is_changed and not changed.is_missing and changed.rows == (("a.jpg", "cow"),)
    (tmp_path / "kinds.csv").unlink()
    gone = load_project(tmp_path / "one.album").table
    assert gone is not None and gone.is_missing and not gone.is_changed and gone.name == "kinds.csv"
    assert "kinds.csv was not found" in gone.missing_words
