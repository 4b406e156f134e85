"""What dropping photos on a cell means, without a window."""

from dataclasses import replace
from pathlib import Path

import pytest

from album_app.layout import Layout, Pins, rectangle
from album_app.layout.editing.drops import dropped, pinned_in_place, pinned_or_let_go, places_together, swapped
from album_app.layout.editing.edits import Edit
from album_app.layout.editing.refit import reading_order
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import ShapeSpec, build_shape
from tests.layout.conftest import make_document


@pytest.fixture
def sheet(tmp_path: Path) -> Document:
    """Photos 0 to 5 in reading order on two rows of three; 0 and 4 are pinned where they are."""
    pins = Pins({0: (0, 0), 4: (1, 1)})
    shape = rectangle(2, 3)
    document = make_document(tmp_path, [f"trip/{k}.jpg" for k in range(6)])
    return replace(document, shape=shape, pins=pins, excluded=frozenset(), layout=reading_order(shape, range(6), pins))


def after(edit: Edit | None) -> tuple[str, dict[int, tuple[int, int]]]:
    assert edit is not None
    return edit.name, dict(edit.document.pins)


def layout_after(edit: Edit | None) -> Layout:
    assert edit is not None and edit.document.layout is not None
    return edit.document.layout


def test_a_photo_is_pinned_where_it_is_dropped_and_trades_places(sheet: Document) -> None:
    edit = dropped(sheet, [3], (0, 2))
    assert after(edit) == ("Pin 3", {0: (0, 0), 4: (1, 1), 3: (0, 2)})
    assert edit is not None and "hold Shift to swap" in edit.hint and not edit.swaps
    assert layout_after(edit).photo_in((0, 2)) == 3 and layout_after(edit).photo_in((1, 0)) == 2


def test_with_shift_the_two_photos_are_swapped_and_both_pinned(sheet: Document) -> None:
    edit = dropped(sheet, [3], (0, 2), swap=True)
    assert after(edit) == ("Swap 3 and 2", {0: (0, 0), 4: (1, 1), 3: (0, 2), 2: (1, 0)})
    assert edit is not None and edit.hint == "Swap 3 and 2 and pin both" and edit.swaps


@pytest.mark.parametrize("is_held", [False, True])
def test_two_photos_trade_places_as_if_one_was_dropped_on_the_other_with_shift(sheet: Document, is_held: bool) -> None:
    document = replace(sheet, is_held=is_held)
    edit, drop = swapped(document, [3, 2]), dropped(document, [3], (0, 2), swap=True)
    assert after(edit) == after(drop) and edit is not None and edit.swaps
    assert layout_after(edit).photo_in((0, 2)) == 3 and layout_after(edit).photo_in((1, 0)) == 2
    assert [swapped(document, photos) for photos in ([3], [3, 2, 1])] == [None, None]
    assert swapped(replace(document, layout=None), [3, 2]) is None


def test_with_shift_onto_a_pinned_photo_both_stay_pinned(sheet: Document) -> None:
    name, pins = after(dropped(sheet, [3], (1, 1), swap=True))
    assert name == "Swap 3 and 4" and pins == {0: (0, 0), 3: (1, 1), 4: (1, 0)}


def test_a_pinned_photo_on_a_pinned_one_swaps_the_pins(sheet: Document) -> None:
    edit = dropped(sheet, [0], (1, 1))
    assert after(edit) == ("Swap pins of 0 and 4", {4: (0, 0), 0: (1, 1)})
    assert edit is not None and edit.swaps


def test_a_photo_that_is_nowhere_has_no_place_to_trade(sheet: Document) -> None:
    edit = dropped(replace(sheet, layout=reading_order(sheet.shape, range(5), sheet.pins)), [5], (0, 2), swap=True)
    assert after(edit) == ("Pin 5", {0: (0, 0), 4: (1, 1), 5: (0, 2)})
    assert edit is not None and not edit.swaps


def test_pinned_photos_swap_their_places_before_there_is_a_sheet(sheet: Document) -> None:
    bare = replace(sheet, layout=None)
    for swap in (False, True):
        assert after(dropped(bare, [0], (1, 1), swap=swap))[1] == {4: (0, 0), 0: (1, 1)}
    assert after(dropped(bare, [2], (0, 2), swap=True)) == ("Pin 2", {0: (0, 0), 4: (1, 1), 2: (0, 2)})


def test_a_loose_photo_on_a_pinned_one_takes_over_its_pin(sheet: Document) -> None:
    edit = dropped(sheet, [3], (1, 1))
    assert after(edit) == ("Pin 3", {0: (0, 0), 3: (1, 1)})
    assert edit is not None and edit.hint == "Pin 3 here instead of 4"


def test_a_photo_dropped_on_its_pin_or_beside_the_sheet_changes_nothing(sheet: Document) -> None:
    assert dropped(sheet, [0], (0, 0)) is None
    assert dropped(sheet, [0], (7, 7)) is None


def test_an_excluded_photo_takes_part_again_where_it_is_dropped(sheet: Document) -> None:
    edit = dropped(replace(sheet, excluded=frozenset({3})), [3], (0, 2))
    assert edit is not None and edit.document.excluded == frozenset()


def test_several_photos_are_pinned_together_by_one_edit(sheet: Document) -> None:
    name, pins = after(dropped(sheet, [5, 3], (0, 1)))
    assert name == "Pin 2 photos" and pins[3] == (0, 1) and set(pins) >= {3, 5}


def test_photos_are_pinned_in_place_or_let_go_when_they_all_were(sheet: Document) -> None:
    assert after(pinned_in_place(sheet, [3], None)) == ("Pin 3", {0: (0, 0), 4: (1, 1), 3: (1, 0)})
    assert after(pinned_in_place(sheet, [0, 2, 3], None))[0] == "Pin 2 photos"
    assert pinned_in_place(sheet, [0, 4], None) is None
    assert after(pinned_or_let_go(sheet, [0, 4], None)) == ("Unpin 2 photos", {})
    assert pinned_or_let_go(sheet, [], None) is None


def test_photos_dropped_together_keep_their_arrangement() -> None:
    shape = rectangle(4, 4)
    cells = {1: (0, 0), 2: (0, 1), 3: (1, 0)}
    assert places_together((2, 3, 1), cells, (2, 2), shape) == {1: (2, 2), 2: (2, 3), 3: (3, 2)}


def test_photos_that_do_not_fit_find_the_nearest_cells() -> None:
    shape = rectangle(2, 2)
    placed = places_together((5, 6, 7), {}, (0, 0), shape)
    assert placed[7] == (0, 0)
    assert len(set(placed.values())) == 3 and all(cell in shape for cell in placed.values())
    assert len(places_together((1, 2, 3, 4, 5, 6), {}, (0, 0), shape)) == 4


def test_p_on_several_photos_pins_those_that_are_not_pinned_where_they_are(sheet: Document) -> None:
    first = pinned_or_let_go(sheet, [0, 3], (1, 0))
    assert after(first) == ("Pin 3", {0: (0, 0), 4: (1, 1), 3: (1, 0)}), "photo 0 is pinned there already"
    assert first is not None
    assert after(pinned_or_let_go(first.document, [0, 3], (1, 0)))[1] == {4: (1, 1)}, "now all were pinned"
    assert pinned_in_place(first.document, [0, 3], (1, 0)) is None


@pytest.mark.parametrize(
    ("dropped_on", "expected"), [((0, 0), (0, 0)), ((2, 3), (2, 4)), ((0, 3), (0, 4)), ((1, 1), (1, 1))]
)
def test_a_drop_that_makes_the_shape_grow_keeps_its_place_on_the_sheet(
    tmp_path: Path, dropped_on: tuple[int, int], expected: tuple[int, int]
) -> None:
    """A corner stays a corner: the sheet of 3 x 4 cells gets a column for the photo that was left out before."""
    document = make_document(tmp_path, [f"trip/{k}.jpg" for k in range(13)])
    shape = build_shape(ShapeSpec(), 12)
    pins = Pins({1: (0, 1)})
    layout = replace(reading_order(shape, range(12), pins), stage="refined", arranged=True)
    full = replace(document, spec=ShapeSpec(), shape=shape, pins=pins, excluded=frozenset([12]), layout=layout)
    edit = dropped(full, [12], dropped_on)
    assert edit is not None and (edit.document.shape.rows, edit.document.shape.columns) == (3, 5)
    assert edit.document.pins[12] == expected and layout_after(edit).photo_in(expected) == 12
    assert edit.document.pins[1] == (0, 1) == layout_after(edit).cell_of(1) and not edit.document.excluded
    assert sorted(layout_after(edit).shown) == list(range(13))
