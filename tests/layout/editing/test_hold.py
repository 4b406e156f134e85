"""A held sheet: how photos are moved on it by hand, without a window and without the solver."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.layout import Layout, Pins, ShapeSpec, rectangle
from album_app.layout.editing.drops import dropped
from album_app.layout.editing.edits import (
    Edit,
    added,
    arranged_again,
    excluded,
    included,
    pinned,
    reshaped,
    resized,
    with_options,
)
from album_app.layout.editing.hold import cells_held, sheet_held, these_arranged_again, under_hold
from album_app.layout.editing.refit import reading_order
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Shape, build_shape
from tests.layout.conftest import make_document


@pytest.fixture
def sheet(tmp_path: Path) -> Document:
    """Photos 0 to 4 in reading order on two rows of three, whose last cell is empty; 4 is pinned; the sheet is held."""
    shape, pins = rectangle(2, 3), Pins({4: (1, 1)})
    document = make_document(tmp_path, [f"{k}.jpg" for k in range(5)])
    free = replace(document, spec=ShapeSpec("auto"), shape=shape, pins=pins, excluded=frozenset())
    free = replace(free, layout=reading_order(shape, range(5), pins))
    edit = sheet_held(free, True)
    assert edit is not None
    return edit.document


def after(document: Document, edit: Edit | None) -> Document:
    assert edit is not None
    return under_hold(document, edit).document


def photos_on(document: Document) -> list[int]:
    assert document.layout is not None and document.is_settled
    on_sheet: list[int] = document.layout.photo_at.tolist()
    return on_sheet


def test_holding_and_letting_go_change_no_cell_and_ask_for_no_solve(sheet: Document) -> None:
    assert sheet.is_held and photos_on(sheet) == [0, 1, 2, 3, 4, -1]
    free = after(sheet, sheet_held(sheet, False))
    assert not free.is_held and photos_on(free) == [0, 1, 2, 3, 4, -1]
    assert sheet_held(sheet, True) is None


def test_a_photo_dropped_on_another_swaps_the_two_and_pins_none(sheet: Document) -> None:
    edit = dropped(sheet, [0], (0, 2))
    assert edit is not None and edit.swaps and edit.name == edit.hint == "Swap 0 and 2"
    assert photos_on(after(sheet, edit)) == [2, 1, 0, 3, 4, -1] and dict(edit.document.pins) == {4: (1, 1)}


def test_pins_go_along_with_their_photos(sheet: Document) -> None:
    moved = after(sheet, dropped(sheet, [0], (1, 1)))
    assert photos_on(moved) == [4, 1, 2, 3, 0, -1] and dict(moved.pins) == {4: (0, 0)}


def test_a_photo_dropped_on_an_empty_cell_leaves_its_own_empty(sheet: Document) -> None:
    edit = dropped(sheet, [0], (1, 2))
    assert edit is not None and not edit.swaps and edit.hint == "Put 0 here"
    assert photos_on(after(sheet, edit)) == [-1, 1, 2, 3, 4, 0]
    assert dropped(sheet, [0], (0, 0)) is None


def test_a_photo_from_the_tray_sends_the_other_to_the_nearest_empty_cell_or_to_the_tray(sheet: Document) -> None:
    without = after(sheet, excluded(sheet, [0]))
    assert photos_on(without) == [-1, 1, 2, 3, 4, -1]
    back = after(without, dropped(without, [0], (0, 1)))
    assert photos_on(back) == [1, 0, 2, 3, 4, -1] and not back.excluded
    crowded = replace(sheet, shape=rectangle(1, 4), layout=_on(rectangle(1, 4), [0, 1, 2, 3]), pins=Pins())
    assert photos_on(after(crowded, dropped(crowded, [4], (0, 1)))) == [0, 4, 2, 3], "1 is in the tray now"


def _on(shape: Shape, photo_at: list[int]) -> Layout:
    layout = reading_order(shape, photo_at)
    return replace(layout, stage="refined", arranged=True)


LARGE = [9, 9, 1, 2, 9, 9, 3, 4]
"""A large photo in the left half of two rows, single ones in the right half."""


@pytest.mark.parametrize(
    ("photo", "cell", "wanted"),
    [
        (9, (0, 2), [1, 2, 9, 9, 3, 4, 9, 9]),  # a large one dropped on a small one
        (9, (1, 3), [1, 2, 9, 9, 3, 4, 9, 9]),  # near the edge its block takes the nearest window
        (4, (0, 0), [4, 1, 9, 9, 2, 3, 9, 9]),  # a small one dropped on a large one
        (1, (0, 3), [9, 9, 2, 1, 9, 9, 3, 4]),  # two small ones
    ],
)
def test_photos_of_different_sizes_change_places(
    sheet: Document, photo: int, cell: tuple[int, int], wanted: list[int]
) -> None:
    layout = replace(_on(rectangle(2, 4), []), photo_at=np.array(LARGE), sizes={9: 2})
    album = make_document(sheet.album.roots[0], [f"{k}.jpg" for k in range(10)]).album
    document = replace(sheet, album=album, shape=layout.shape, pins=Pins(), layout=layout, sizes={9: 2})
    held = after(document, dropped(document, [photo], cell))
    assert photos_on(held) == wanted and not held.pins
    free = replace(document, is_held=False)
    swap = dropped(free, [photo], cell, swap=True)
    assert swap is not None and swap.document.layout is not None
    other = LARGE[layout.shape.index_of(cell)]
    places = swap.document.layout.positions
    assert swap.document.pins == {p: layout.shape.cell(wanted.index(p)) for p in (photo, other)}
    assert {p: places[p] for p in (photo, other)} == swap.document.pins and swap.document.layout.blocks.keys() == {9}


def test_a_large_photo_pinned_at_the_edge_keeps_its_block(sheet: Document) -> None:
    layout = replace(_on(rectangle(2, 4), []), photo_at=np.array(LARGE), sizes={9: 2})
    album = make_document(sheet.album.roots[0], [f"{k}.jpg" for k in range(10)]).album
    document = replace(sheet, album=album, shape=layout.shape, pins=Pins(), layout=layout, sizes={9: 2}, is_held=False)
    edit = dropped(document, [9], (1, 3))
    assert edit is not None and edit.document.pins == {9: (0, 2)} and edit.document.layout is not None
    assert edit.document.layout.blocks == {9: (0, 2)}


def test_a_photo_made_larger_sends_away_only_those_it_covers_and_smaller_leaves_cells_empty(sheet: Document) -> None:
    free = replace(sheet, pins=Pins(), layout=_on(sheet.shape, [0, 1, 2, 3, 4, -1]))
    larger = after(free, resized(free, [0], 2))
    assert photos_on(larger) == [0, 0, 2, 0, 0, 1, 3, 4, -1], "the sheet has a row more, and photo 2 stays"
    assert larger.layout is not None and larger.layout.blocks == {0: (0, 0)} and larger.is_held
    smaller = after(larger, resized(larger, [0], 1))
    assert photos_on(smaller) == [0, -1, 2, -1, -1, 1, 3, 4, -1] and not smaller.sizes


@pytest.mark.parametrize(("spec", "cells"), [(ShapeSpec("rectangle", 2, 5), 4), (ShapeSpec("hexagon", cells=5), 1)])
def test_a_large_photo_on_a_held_sheet_keeps_its_size_on_another_shape_if_that_has_sizes(
    sheet: Document, spec: ShapeSpec, cells: int
) -> None:
    free = replace(sheet, pins=Pins(), layout=_on(sheet.shape, [0, 1, 2, 3, 4, -1]))
    larger = after(free, resized(free, [0], 2))
    other = after(larger, reshaped(larger, "Change shape", spec, build_shape(spec, 4 + cells)))
    shown = [photo for photo in photos_on(other) if photo >= 0]
    assert sorted(shown) == [0] * cells + [1, 2, 3, 4] and other.is_held


def test_a_held_sheet_grows_by_the_cells_that_large_photos_cover_too(sheet: Document, tmp_path: Path) -> None:
    free = replace(sheet, pins=Pins(), layout=_on(sheet.shape, [0, 1, 2, 3, 4, -1]))
    larger = after(free, resized(free, [0], 2))
    found = make_document(tmp_path, ["new0.jpg", "new1.jpg"]).album
    more = after(larger, added(larger, found, None))
    assert photos_on(more) == [0, 0, 2, 0, 0, 1, 3, 4, 5, 6, -1, -1]


def test_several_photos_move_together_and_those_there_fill_what_became_empty(sheet: Document) -> None:
    moved = after(sheet, dropped(sheet, [0, 1], (1, 1)))
    assert sorted(photos_on(moved)) == [-1, 0, 1, 2, 3, 4]
    assert photos_on(moved)[3:5] == [0, 1] and photos_on(moved)[2] == 2 and photos_on(moved)[5] == -1


def test_added_photos_fill_empty_cells_and_then_a_new_row(sheet: Document, tmp_path: Path) -> None:
    found = make_document(tmp_path, [f"new{k}.jpg" for k in range(3)]).album
    larger = after(sheet, added(sheet, found, None))
    assert (larger.shape.rows, larger.shape.columns) == (3, 3) and larger.spec == sheet.spec
    assert photos_on(larger) == [0, 1, 2, 3, 4, 5, 6, 7, -1]


def test_a_held_summary_gets_no_rows_for_photos_that_it_leaves_out(sheet: Document, tmp_path: Path) -> None:
    small = replace(sheet, spec=ShapeSpec("rectangle", 1, 3), shape=rectangle(1, 3), pins=Pins())
    small = replace(small, layout=_on(rectangle(1, 3), [0, 1, 2]))
    found = make_document(tmp_path, ["new.jpg"]).album
    larger = after(small, added(small, found, None))
    assert larger.shape.rows == 1 and photos_on(larger) == [0, 1, 2]


def test_nothing_else_moves_whatever_is_edited(sheet: Document) -> None:
    as_it_was = photos_on(sheet)
    assert photos_on(after(sheet, with_options(sheet, "Follow", follow=0.9))) == as_it_was
    assert photos_on(after(sheet, pinned(sheet, "Unpin", Pins()))) == as_it_was
    assert photos_on(after(sheet, pinned(sheet, "Pin", Pins({3: (0, 1)})))) == [0, 3, 2, 1, 4, -1]
    gone = after(sheet, excluded(sheet, [1, 4]))
    assert photos_on(gone) == [0, -1, 2, 3, -1, -1] and gone.shape.same_cells(sheet.shape)
    assert photos_on(after(gone, included(gone, [4]))) == [0, 4, 2, 3, -1, -1]
    spec = ShapeSpec("rectangle", 3, 2)
    loose = replace(sheet, pins=Pins())
    taller = after(loose, reshaped(loose, "Change shape", spec, build_shape(spec, 5)))
    assert photos_on(taller)[:4] == [0, 1, 3, 4] and sorted(photos_on(taller)) == [-1, 0, 1, 2, 3, 4]
    with pytest.raises(UsageError, match="press H"):
        arranged_again(sheet)


def test_some_cells_are_held_and_let_go(sheet: Document) -> None:
    free = replace(sheet, is_held=False)
    some = after(free, cells_held(free, [0, 4]))
    assert some.held == {(0, 0), (1, 1)} and photos_on(some) == photos_on(sheet)
    assert after(some, cells_held(some, [1, 4])).held == {(0, 0), (1, 1), (0, 1)}
    assert after(some, cells_held(some, [4])).held == {(0, 0)}


def test_arranging_these_again_asks_for_a_solve_of_their_cells_alone(sheet: Document) -> None:
    asked = after(sheet, these_arranged_again(sheet, [0, 1, 4]))
    assert asked.again == {(0, 0), (0, 1)}, "the pinned photo stays"
    assert not asked.is_settled and asked.is_held
    with pytest.raises(UsageError, match="at least two"):
        these_arranged_again(sheet, [0, 4])
    assert these_arranged_again(replace(sheet, layout=None), [0, 1]) is None


def test_large_photos_trade_all_their_cells_with_each_other_and_a_larger_one_needs_room(tmp_path: Path) -> None:
    shape = rectangle(2, 5)
    document = make_document(tmp_path, [f"{k}.jpg" for k in range(4)])
    photo_at = np.array([0, 0, 1, 1, 2, 0, 0, 1, 1, 3])
    layout = replace(reading_order(shape, range(4)), photo_at=photo_at, sizes={0: 2, 1: 2})
    held = replace(document, shape=shape, pins=Pins(), excluded=frozenset(), layout=layout, is_held=True)
    traded = dropped(held, [0], (1, 3))
    assert traded is not None and traded.document.layout is not None
    assert traded.document.layout.photo_at.tolist() == [1, 1, 0, 0, 2, 1, 1, 0, 0, 3]
    with pytest.raises(UsageError, match="no room here"):
        dropped(held, [2], (0, 0))
