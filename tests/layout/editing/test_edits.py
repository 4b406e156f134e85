"""How edits change a document, without a window; pins on other shapes, and which photos take part."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.errors import UsageError
from album_app.layout import Options, Pins, Shape, rectangle
from album_app.layout.editing.edits import (
    Edit,
    added,
    always_shown,
    arranged_again,
    excluded,
    included,
    pinned,
    reshaped,
    resized,
    sizes_varied,
    still_selected,
    unpinned,
    with_options,
)
from album_app.layout.editing.refit import reading_order
from album_app.layout.project.document import Counts, Document, held_places, in_stacks, taking_part, unplaced
from album_app.layout.project.project_file import load_project, save_project
from album_app.layout.shapes.shape import ShapeSpec, build_shape
from album_app.photos.album import Album, Photo
from tests.layout.conftest import make_document


@pytest.fixture
def sheet(tmp_path: Path) -> Document:
    """Twelve photos, arranged on an automatic shape."""
    document = make_document(tmp_path, [f"trip/{k}.jpg" for k in range(12)])
    shape = build_shape(ShapeSpec(), 12)
    layout = replace(reading_order(shape, range(12)), stage="refined", arranged=True, smi=1.0)
    return replace(document, spec=ShapeSpec(), shape=shape, pins=Pins(), excluded=frozenset(), layout=layout)


def made(edit: Edit | None) -> Document:
    assert edit is not None
    return edit.document


def test_an_edit_says_what_it_is_called(sheet: Document) -> None:
    two = made(pinned(sheet, "Pin", Pins({0: (0, 0), 1: (1, 1)})))
    edits = [
        unpinned(two, [0, 5]),
        unpinned(two, [0, 1]),
        excluded(sheet, [3]),
        included(made(excluded(sheet, [3])), [3]),
    ]
    assert [edit and edit.name for edit in edits] == ["Unpin 0", "Unpin 2 photos", "Exclude 3", "Include 3"]


def test_a_photo_is_always_shown_or_excluded_never_both(sheet: Document) -> None:
    out = made(excluded(sheet, [3]))
    marked = always_shown(out, [3, 5])
    assert marked is not None and marked.name == "Always show 2 photos"
    assert (marked.document.always_shown, marked.document.excluded) == ({3, 5}, frozenset())
    assert made(excluded(marked.document, [5])).always_shown == {3}
    undone = always_shown(marked.document, [3, 4], always=False)
    assert undone is not None and undone.name == "No longer always show 3"
    assert undone.document.always_shown == {5}
    assert always_shown(marked.document, [5]) is None


def test_photos_are_excluded_and_included_before_there_is_a_sheet(sheet: Document) -> None:
    out = made(excluded(replace(sheet, layout=None, pins=Pins({3: (0, 0), 4: (0, 1)})), [3, 5]))
    assert (out.excluded, dict(out.pins)) == ({3, 5}, {4: (0, 1)})
    assert made(included(out, [3])).excluded == {5}


def test_a_sheet_names_the_features_it_was_made_with_until_it_is_made_anew(sheet: Document) -> None:
    rgb = replace(sheet, options=Options(features="rgb"))
    assert rgb.layout is not None
    assert (
        replace(rgb, layout=None).layout_features
        == "rgb"
        == replace(rgb, layout=replace(rgb.layout, options=None)).layout_features
    )
    made_of_lab = replace(rgb, layout=replace(rgb.layout, options=Options(features="lab")))
    assert made_of_lab.layout_features == "lab"


def test_what_changes_nothing_is_no_edit(sheet: Document) -> None:
    assert pinned(sheet, "Pin", sheet.pins) is None
    assert unpinned(sheet, [0]) is None and included(sheet, [0]) is None and excluded(sheet, []) is None
    assert with_options(sheet, "Seed", seed=sheet.options.seed) is None


def test_every_edit_asks_for_a_solve_that_starts_from_the_sheet(sheet: Document) -> None:
    for edit in (pinned(sheet, "Pin", Pins({3: (0, 0)})), with_options(sheet, "Seed", seed=8), excluded(sheet, [11])):
        layout = made(edit).layout
        assert sheet.is_settled and not made(edit).is_settled
        assert layout is not None and layout.stage == "first"


def test_one_photo_has_to_stay(sheet: Document) -> None:
    with pytest.raises(UsageError, match="last photo"):
        excluded(sheet, range(12))


def test_excluded_photos_leave_their_cells_and_pins(sheet: Document) -> None:
    after = made(excluded(made(pinned(sheet, "Pin", Pins({3: (0, 0)}))), [3]))
    assert after.excluded == {3} and not after.pins
    assert after.layout is not None and 3 not in after.layout.shown


def test_nobody_has_arranged_a_sheet_in_reading_order_or_one_to_be_arranged_again(sheet: Document) -> None:
    again = arranged_again(sheet).document.layout
    assert again is not None and not again.arranged and np.array_equal(again.photo_at, sheet.layout.photo_at)
    assert not reading_order(sheet.shape, range(12)).arranged
    with_pins = made(pinned(sheet, "Pin", Pins({3: (0, 0)}))).layout
    assert with_pins is not None and with_pins.arranged, "a pin is put into a sheet that was thought about"


@pytest.mark.parametrize("arranged", [True, False])
def test_the_project_file_keeps_whether_a_sheet_was_arranged(tmp_path: Path, sheet: Document, arranged: bool) -> None:
    document = replace(sheet, layout=replace(sheet.layout, stage="first", arranged=arranged, smi=0.0))
    save_project(document, tmp_path / "sheet.album")
    assert load_project(tmp_path / "sheet.album").layout.arranged is arranged


@pytest.mark.parametrize(
    ("stage", "smi", "arranged"), [("first", 0.0, False), ("first", 1.5, True), ("refined", 0.0, True)]
)
def test_older_project_files_tell_it_by_stage_and_smi(
    tmp_path: Path, sheet: Document, stage: str, smi: float, arranged: bool
) -> None:
    save_project(replace(sheet, layout=replace(sheet.layout, stage=stage, smi=smi)), tmp_path / "sheet.album")
    text = (tmp_path / "sheet.album").read_text()
    assert '"arranged":true,' in text
    (tmp_path / "sheet.album").write_text(text.replace('"arranged":true,', ""))
    assert load_project(tmp_path / "sheet.album").layout.arranged is arranged


def shapes() -> list[Shape]:
    return [build_shape(ShapeSpec(kind), 12) for kind in ("heart", "circle")] + [rectangle(2, 6), rectangle(1, 12)]


def test_pins_do_not_drift_from_shape_to_shape(sheet: Document) -> None:
    put = Pins({0: (0, 0), 1: (0, 3), 2: (2, 0), 3: (2, 3), 4: (1, 2)})
    document = made(pinned(sheet, "Pin", put))
    for shape in [*shapes(), *shapes(), sheet.shape]:
        document = reshaped(document, "Shape", ShapeSpec(), shape).document
    assert document.pins == put


def test_the_same_cells_by_another_name_move_nothing(sheet: Document) -> None:
    wanted = ShapeSpec("rectangle", rows=sheet.shape.rows, columns=sheet.shape.columns)
    document = reshaped(sheet, "Shape", wanted, build_shape(wanted, 12)).document
    assert document.spec == wanted and document.is_settled and document.layout is not None
    assert sheet.layout is not None and (document.layout.photo_at == sheet.layout.photo_at).all()


def test_pins_moved_on_another_shape_have_their_home_there(sheet: Document) -> None:
    document = made(pinned(sheet, "Pin", Pins({0: (0, 0)})))
    document = reshaped(document, "Shape", ShapeSpec(), rectangle(2, 6)).document
    document = made(pinned(document, "Pin", Pins({0: (1, 5)})))
    document = reshaped(document, "Shape", ShapeSpec(), sheet.shape).document
    assert dict(document.pins) == {0: (2, 3)}
    assert dict(reshaped(document, "Shape", ShapeSpec(), rectangle(2, 6)).document.pins) == {0: (1, 5)}


FOLLOWING = [ShapeSpec(kind) for kind in ("heart", "circle", "ring", "hexagon")] + [ShapeSpec("text", text="I")]


def on_shape(sheet: Document, spec: ShapeSpec) -> Document:
    """The twelve photos on another shape, arranged."""
    after = reshaped(sheet, "Shape", spec, build_shape(spec, 12)).document
    return replace(after, layout=replace(after.layout, stage="refined", arranged=True))


@pytest.mark.parametrize("spec", FOLLOWING, ids=lambda spec: spec.kind)
def test_a_shape_of_as_many_cells_as_photos_follows_them(sheet: Document, spec: ShapeSpec) -> None:
    document = on_shape(sheet, spec)
    document = made(pinned(document, "Pin", Pins({0: document.shape.cell(0)})))
    fewer = made(excluded(document, [5]))
    assert fewer.shape.count == 11 and fewer.layout is not None and (fewer.layout.photo_at >= 0).all()
    assert set(fewer.pins) == {0} and fewer.spec == spec
    again = made(included(fewer, [5]))
    assert again.shape.same_cells(document.shape) and set(again.layout.shown) == set(range(12))
    assert again.pins == document.pins


@pytest.mark.parametrize("spec", FOLLOWING, ids=lambda spec: spec.kind)
def test_an_excluded_photo_that_is_pinned_gets_a_cell_of_its_own(sheet: Document, spec: ShapeSpec) -> None:
    fewer = made(excluded(on_shape(sheet, spec), [5]))
    put = made(pinned(fewer, "Pin", fewer.pins.pin(5, fewer.shape.cell(3))))
    assert put.shape.count == 12 and set(put.layout.shown) == set(range(12)) and put.pins.keys() == {5}


def test_fixed_rows_and_columns_and_fixed_numbers_of_cells_stay(sheet: Document) -> None:
    for spec in (ShapeSpec("rectangle", rows=3, columns=4), ShapeSpec("heart", cells=12)):
        assert made(excluded(on_shape(sheet, spec), [5])).shape.count == 12


def test_a_shape_that_cannot_be_made_for_fewer_photos_stays(sheet: Document, tmp_path: Path) -> None:
    Image.new("L", (40, 40)).save(tmp_path / "mask.png")
    document = on_shape(sheet, ShapeSpec("mask", mask=str(tmp_path / "mask.png")))
    assert made(excluded(document, [5])).shape.count == 11
    (tmp_path / "mask.png").unlink()
    assert made(excluded(document, [5])).shape is document.shape


def test_photos_join_at_the_end_and_are_pinned_around_the_cell(tmp_path: Path, sheet: Document) -> None:
    found = make_document(tmp_path / "more", ["x.jpg", "y.jpg"]).album
    edit = added(sheet, found, (1, 1))
    assert edit.name == "Add 2 photos" and len(edit.document.album) == 14
    assert set(edit.document.pins) == {12, 13} and edit.document.shape.count >= 14
    assert len(added(edit.document, found, None).document.album) == 14, "what is there already does not join twice"


def test_the_selection_goes_along_with_its_photo(sheet: Document) -> None:
    after = made(pinned(sheet, "Pin", Pins({3: (2, 2)})))
    assert still_selected(after, (1, 3), (0, 3)) == ((1, 3), (2, 2))
    assert still_selected(after, (40,), (9, 9)) == ((), None)


def test_who_takes_part(sheet: Document) -> None:
    document = replace(sheet, excluded=frozenset({1}), pins=Pins({5: (0, 0), 7: (0, 1)}))
    assert taking_part(document, [2, 5]) == (0, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    stacking = replace(document, stacks=((0, 3), (6, 7)))
    assert taking_part(stacking, [2, 5]) == (0, 4, 5, 6, 7, 8, 9, 10, 11)


def test_missing_photos_take_part_only_where_they_have_a_place(sheet: Document) -> None:
    document = replace(sheet, missing=frozenset({0, 5}), pins=Pins({5: (2, 3)}))
    gone = replace(document, layout=None)
    assert dict(held_places(document)) == {5: (2, 3), 0: (0, 0)} and dict(held_places(gone)) == {5: (2, 3)}
    assert set(taking_part(document, ())) == set(range(12))
    assert set(taking_part(gone, ())) == set(range(12)) - {0}
    assert sheet.layout is not None
    left_out = replace(document, layout=sheet.layout.without([0]))
    assert dict(held_places(left_out)) == {5: (2, 3)} and 0 not in taking_part(left_out, ())
    pinned_there = replace(document, pins=Pins({5: (0, 0)}))
    assert dict(held_places(pinned_there)) == {5: (0, 0)}, "a pin goes before a photo that lies there"


def test_where_cells_are_scarce_missing_photos_lose_theirs_first(sheet: Document) -> None:
    lossy = replace(sheet, missing=frozenset({0, 1}))
    fewer = made(reshaped(lossy, "Shape", ShapeSpec("rectangle", 2, 5), rectangle(2, 5)))
    assert fewer.layout is not None and set(fewer.layout.shown) == set(range(2, 12))
    enough = made(reshaped(lossy, "Shape", ShapeSpec("rectangle", 2, 6), rectangle(2, 6)))
    assert enough.layout is not None and set(enough.layout.shown) == set(range(12))


def test_an_automatic_sheet_keeps_its_proportions_when_few_photos_leave() -> None:
    album = Album((), tuple(Photo(Path(f"{k}"), f"{k}", 1, 1, 4, 3) for k in range(9144)))
    shape = build_shape(ShapeSpec(), 9144)
    document = Document(album, ShapeSpec(), shape, layout=reading_order(shape, range(9144)))
    edit = excluded(document, range(200))
    assert edit is not None
    after = edit.document.shape
    assert after.count >= 8944
    assert after.columns / after.rows == pytest.approx(shape.columns / shape.rows, rel=0.15)


@pytest.mark.parametrize("spec", [ShapeSpec(), ShapeSpec("rectangle", rows=3, columns=4)])
def test_varied_sizes_grow_the_sheet_go_back_and_leave_those_by_hand(sheet: Document, spec: ShapeSpec) -> None:
    begun = on_shape(sheet, spec)
    photos = len(begun.active)
    by_hand = made(resized(begun, [0], size=2)) if spec.grows else begun
    kept = dict(by_hand.sizes)
    varied = made(sizes_varied(by_hand, 0.5, {1: 2, 2: 2}))
    assert dict(varied.sizes) == {**kept, 1: 2, 2: 2} and varied.variation.photos == {1, 2}
    assert varied.shape.count >= varied.cells_needed and varied.layout is not None
    assert len(varied.layout.shown) == photos, "every photo still has a place"
    again = made(sizes_varied(varied, 0.2, {1: 2}))
    assert dict(again.sizes) == {**kept, 1: 2}
    back = made(sizes_varied(again, 0.0, {}))
    assert dict(back.sizes) == kept and back.shape.mask.shape == by_hand.shape.mask.shape
    chosen = made(resized(varied, [1], size=3))
    assert chosen.variation.photos == {2}, "a size by hand is no longer one of the slider's"
    assert sizes_varied(back, 0.0, {}) is None


def test_sizes_do_not_vary_where_rows_are_shifted_or_follow_the_photos(sheet: Document) -> None:
    for changes in ({"shift": 0.5}, {"is_justified": True}):
        with pytest.raises(UsageError, match="rows and columns"):
            sizes_varied(replace(sheet, shape=replace(sheet.shape, **changes)), 0.5, {1: 2})


def test_the_project_file_keeps_how_much_sizes_vary(tmp_path: Path, sheet: Document) -> None:
    varied = made(sizes_varied(sheet, 0.5, {1: 2}))
    save_project(varied, tmp_path / "varied.album")
    assert load_project(tmp_path / "varied.album").variation == varied.variation


def test_no_photo_resembles_one_that_was_excluded(sheet: Document) -> None:
    layout = replace(sheet.layout, resembles={9: 2, 10: 3, 11: 3})
    out = made(excluded(replace(sheet, layout=layout), [3]))
    assert out.layout is not None and out.layout.resembles == {9: 2}
    out = made(excluded(replace(sheet, layout=layout), [10]))
    assert out.layout is not None and out.layout.resembles == {9: 2, 11: 3}


def test_photos_are_counted_where_they_are(sheet: Document) -> None:
    """On the sheet, in a stack, unplaced or excluded: each in one place."""
    photo_at = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, -1])
    layout = replace(sheet.layout, photo_at=photo_at)
    document = replace(sheet, layout=layout, stacks=((0, 9), (3, 10)), excluded=frozenset({11}))
    assert in_stacks(document, ()) == [9, 10] and in_stacks(document, {10}) == [9] and in_stacks(sheet, ()) == []
    assert unplaced(document, ()) == [] and unplaced(replace(document, stacks=((0, 9),)), ()) == [10]
    counts = Counts.of(document, ())
    assert (counts.photos, counts.unplaced, counts.stacked, counts.excluded) == (11, 0, 2, 1)
    assert (counts.cells, counts.repeats, counts.missing) == (12, 2, 0)
    assert Counts.of(replace(document, stacks=()), ()).repeats == 2, "stacks change nothing about the cells"
