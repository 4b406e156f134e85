"""Stacks: what is shown of near-duplicates, and how that is edited, kept and listed."""

import csv
import doctest
import io
from dataclasses import replace
from pathlib import Path

import pytest

from album_app.errors import UsageError
from album_app.layout import Pins, ShapeSpec, build_shape
from album_app.layout.editing import stacks
from album_app.layout.editing.edits import Edit, excluded
from album_app.layout.editing.refit import reading_order
from album_app.layout.editing.stacks import shown_first, stacked, stacks_csv, unstacked, unstacked_groups
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import load_project, save_project
from tests.layout.conftest import make_document

FILES = [f"{i}.jpg" for i in range(12)]


@pytest.fixture
def sheet(tmp_path: Path) -> Document:
    """Twelve photos on an automatic shape, in reading order."""
    shape = build_shape(ShapeSpec(), 12)
    layout = reading_order(shape, range(12))
    return make_document(
        tmp_path, FILES, spec=ShapeSpec(), shape=shape, pins=Pins(), excluded=frozenset(), layout=layout
    )


def made(edit: Edit | None) -> Document:
    assert edit is not None
    return edit.document


def test_the_examples_hold() -> None:
    failed, tried = doctest.testmod(stacks)
    assert tried and not failed


def test_a_stack_is_one_photo_and_the_automatic_shape_follows_at_once(sheet: Document) -> None:
    edit = stacked(sheet, [(1, 0, 2), (7, 8)])
    after = made(edit)
    assert edit is not None and edit.name == "Stack 3 near-duplicates"
    assert after.stack_of == {1: (1, 0, 2), 7: (7, 8)} and after.covered == {0: 1, 2: 1, 8: 7}
    assert after.active == (1, 3, 4, 5, 6, 7, 9, 10, 11) and after.shape.count == 9
    assert set(after.layout.shown) == set(after.active) and not after.is_settled


@pytest.fixture
def large_sheet(tmp_path: Path) -> Document:
    """504 photos on 21 x 24 cells, in reading order."""
    shape, files = build_shape(ShapeSpec(), 504), [f"{i}.jpg" for i in range(504)]
    layout = reading_order(shape, range(504))
    return make_document(
        tmp_path, files, spec=ShapeSpec(), shape=shape, pins=Pins(), excluded=frozenset(), layout=layout
    )


def places_of(sheet: Document) -> dict[int, tuple[float, float]]:
    """Where on the sheet each photo is, from 0 to 1."""
    rows, columns = sheet.shape.rows - 1, sheet.shape.columns - 1
    return {photo: (row / rows, column / columns) for photo, (row, column) in sheet.layout.positions.items()}


@pytest.mark.parametrize("stacked_photos", [1, 4, 9, 20, 44])
def test_an_automatic_sheet_without_pins_has_no_more_empty_cells_than_its_photos_need(
    large_sheet: Document, stacked_photos: int
) -> None:
    groups = [(photo, photo + 1) for photo in range(0, 11 * stacked_photos, 11)]
    after = made(stacked(large_sheet, groups))
    left = 504 - stacked_photos
    assert after.shape.count - left <= build_shape(ShapeSpec(), left).count - left
    assert set(after.layout.shown) == set(after.active) and after.spec == large_sheet.spec
    before, now = places_of(large_sheet), places_of(after)
    moved = sorted(max(abs(now[photo][side] - before[photo][side]) for side in (0, 1)) for photo in now)
    assert moved[9 * len(moved) // 10] < 0.1, "nine photos of ten stay in their part of the sheet"


def test_a_sheet_with_pins_or_held_cells_keeps_its_columns_when_photos_are_stacked(large_sheet: Document) -> None:
    groups = [(photo, photo + 1) for photo in range(0, 99, 11)]
    pins = Pins({503: (20, 23)})
    for sheet in (replace(large_sheet, pins=pins), replace(large_sheet, held=frozenset({(3, 3)}))):
        after = made(stacked(sheet, groups))
        assert (after.shape.rows, after.shape.columns) == (21, 24)
        assert after.pins == sheet.pins and after.held == sheet.held


def test_a_shape_that_was_chosen_stays(sheet: Document) -> None:
    shape = build_shape(ShapeSpec("rectangle", 3, 4), 12)
    after = made(stacked(replace(sheet, spec=ShapeSpec("rectangle", 3, 4), shape=shape), [(1, 0)]))
    assert after.shape is shape and after.layout.photo_in((0, 0)) is None


def test_what_is_stacked_already_is_no_edit(sheet: Document) -> None:
    once = made(stacked(sheet, [(1, 0, 2)]))
    assert stacked(once, [(1, 0, 2), (2, 0)]) is None
    assert unstacked_groups(once, [(1, 0), (4, 5), (2, 9)]) == [(4, 5), (2, 9)]
    assert unstacked_groups(replace(sheet, missing=frozenset({4, 5, 9})), [(4, 6), (5, 7, 8)]) == [(7, 8)]
    assert made(stacked(once, [(2, 9)])).stacks == ((1, 0, 2, 9),)


def test_another_photo_takes_the_place_and_the_pin(sheet: Document) -> None:
    pinned = replace(made(stacked(sheet, [(1, 0, 2)])), pins=Pins({1: (0, 0)}))
    pinned = replace(pinned, layout=reading_order(pinned.shape, pinned.active, pinned.pins))
    after = made(shown_first(pinned, 2))
    assert after.stacks == ((2, 1, 0),) and dict(after.pins) == {2: (0, 0)} and after.layout.photo_in((0, 0)) == 2
    assert shown_first(after, 2) is None and shown_first(after, 5) is None


def test_what_was_like_the_photo_shown_before_is_like_the_one_shown_now(sheet: Document) -> None:
    stack = made(stacked(sheet, [(1, 0, 2)]))
    like = replace(reading_order(stack.shape, stack.active), resembles={5: 1, 4: 3})
    after = made(shown_first(replace(stack, layout=like), 2))
    assert after.layout is not None and after.layout.resembles == {5: 2, 4: 3}


def test_a_pinned_photo_lies_under_none(sheet: Document) -> None:
    after = replace(made(stacked(sheet, [(1, 0, 2)])), pins=Pins({2: (1, 1)}))
    assert after.covered == {0: 1} and 2 in after.active


def test_where_the_shown_one_is_excluded_or_missing_the_next_is_shown(sheet: Document) -> None:
    after = made(excluded(made(stacked(sheet, [(1, 0, 2)])), [1]))
    assert after.stack_of == {0: (0, 2)} and 0 in after.active
    assert replace(after, missing=frozenset({0})).stack_of == {}


def test_taking_apart_gives_every_photo_a_cell(sheet: Document) -> None:
    after = made(unstacked(made(stacked(sheet, [(1, 0), (7, 8)])), [8]))
    assert after.stacks == ((1, 0),) and after.shape.count >= 11 and 8 in after.active
    assert unstacked(after, [3]) is None


def test_a_project_keeps_stacks_and_refuses_wrong_ones(sheet: Document, tmp_path: Path) -> None:
    file = tmp_path / "a.album"
    save_project(made(stacked(sheet, [(1, 0, 2)])), file)
    assert load_project(file).stacks == ((1, 0, 2),)
    for wrong in ("[[1,0],[0,2]]", "[[1]]", "[[1,99]]"):
        other = tmp_path / "b.album"
        other.write_text(file.read_text().replace('"stacks":[[1,0,2]]', f'"stacks":{wrong}'))
        with pytest.raises(UsageError, match="damaged"):
            load_project(other)
    file.write_text(file.read_text().replace('"stacks":[[1,0,2]],', ""))
    assert load_project(file).stacks == ()


def test_the_list_has_the_best_of_each_first(sheet: Document) -> None:
    lines = list(csv.DictReader(io.StringIO(stacks_csv(sheet.album.photos, [(1, 0), (4, 5)]))))
    assert [(line["stack"], line["photo"], line["best"]) for line in lines] == [
        ("1", "1.jpg", "1"),
        ("1", "0.jpg", "0"),
        ("2", "4.jpg", "1"),
        ("2", "5.jpg", "0"),
    ]


def test_the_name_of_stacking_counts_the_photos_that_go_under_others_now(sheet: Document) -> None:
    first = stacked(sheet, [(0, 1, 2)])
    assert first is not None and first.name == "Stack 2 near-duplicates"
    second = stacked(first.document, [(5, 6)])
    assert second is not None and second.name == "Stack 1 near-duplicate"
