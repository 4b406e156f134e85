"""Held cells keep exactly what they show, and the choice of photos stays; the rest is arranged around them."""

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.layout import Layout, Options, Pins, arrange, corner_pins, rectangle
from album_app.layout.arranging.arrangement import Arrangement, Held, all_but
from album_app.layout.arranging.choosing import repeated_photos
from album_app.layout.evaluation.scores import mean_neighbour_distance
from tests.layout.conftest import check_sheet, photos

SHAPE = rectangle(10, 12)
FEATURES = photos(120, 4, axes=4)
PINS = corner_pins(FEATURES, SHAPE)


@pytest.fixture(scope="module")
def before() -> Layout:
    return arrange(FEATURES, SHAPE, PINS)


@pytest.mark.parametrize("options", [Options(), Options(follow=0.9), Options(refine=False)])
def test_held_cells_keep_what_they_show(before: Layout, options: Options) -> None:
    held = np.arange(120) % 3 == 0
    pins = PINS.pin(before.photo_in((4, 5)), (7, 7))
    held[[SHAPE.index_of((4, 5)), SHAPE.index_of((7, 7))]] = False
    for after in (
        arrange(FEATURES, SHAPE, pins, options, warm=before, hold=held),
        arrange(FEATURES, SHAPE, pins, options, warm=before, hold=held, afresh=True),
        arrange(FEATURES[:, ::-1] ** 2, SHAPE, pins, options, warm=before, hold=held),
    ):
        check_sheet(after, set(range(120)), pins, "end")
        assert np.array_equal(after.photo_at[held], before.photo_at[held])
        assert (after.photo_at != before.photo_at).any()
        assert (after.confidence[held] > 0.0).any()


def test_cells_are_held_by_mask_or_by_name(before: Layout) -> None:
    mask = np.zeros(120, bool)
    mask[:40] = True
    cells = [SHAPE.cell(index) for index in range(40)]
    sheets = [arrange(FEATURES, SHAPE, PINS, warm=before, hold=hold, afresh=True) for hold in (mask, cells)]
    assert np.array_equal(sheets[0].photo_at, sheets[1].photo_at)


def test_only_some_cells_exchange_their_photos(before: Layout) -> None:
    """They were shuffled, and arranging them again makes the sheet about as smooth as it was."""
    some = [(row, column) for row in range(3, 8) for column in range(4, 9)]
    index = np.array([SHAPE.index_of(cell) for cell in some])
    mixed = before.photo_at.copy()
    mixed[index] = np.random.default_rng(0).permutation(mixed[index])
    shuffled = Layout(SHAPE, mixed, before.confidence, PINS, options=Options(), features_key=before.features_key)
    after = arrange(FEATURES, SHAPE, PINS, warm=shuffled, hold=all_but(SHAPE, some), afresh=True)
    assert set(after.photo_at[index]) == set(mixed[index])
    assert np.array_equal(np.delete(after.photo_at, index), np.delete(mixed, index))
    rough, now, smooth = (mean_neighbour_distance(FEATURES, each, 1) for each in (shuffled, after, before))
    assert now < smooth + 0.3 * (rough - smooth)


def test_left_out_photos_do_not_enter_a_selection_that_is_arranged_again() -> None:
    small = rectangle(6, 6)
    before = arrange(FEATURES, small)
    some = [(1, 1), (1, 2), (2, 1), (2, 2), (4, 4)]
    after = arrange(FEATURES, small, warm=before, hold=all_but(small, some), afresh=True)
    assert after.shown == before.shown


def test_a_held_sheet_takes_added_photos_into_empty_cells_or_a_new_row(before: Layout) -> None:
    taller, everybody = rectangle(11, 12), np.concatenate([FEATURES, photos(9, 5, axes=4)])
    known = arrange(everybody, SHAPE, PINS, active=range(120))
    after = arrange(everybody, taller, PINS, warm=known, hold=list(known.positions.values()))
    assert np.array_equal(after.photo_at[:120], known.photo_at)
    assert set(after.photo_at[120:].tolist()) == {-1, *range(120, 129)}


def test_held_empty_cells_stay_empty() -> None:
    few = arrange(FEATURES, SHAPE, active=range(100))
    more = arrange(FEATURES, SHAPE, active=range(110), warm=few, hold=few.photo_at < 0)
    assert np.array_equal(more.photo_at < 0, few.photo_at < 0)
    assert len(more.shown) == 100 and len(more.resembles) == 10


def test_pins_and_photos_left_out_go_before_holding(before: Layout) -> None:
    everything = np.ones(120, bool)
    one, two = before.photo_in((4, 4)), before.photo_in((6, 6))
    after = arrange(FEATURES, SHAPE, PINS.pin(one, (6, 6)), warm=before, hold=everything)
    assert after.photo_in((6, 6)) == one and after.photo_in((4, 4)) == two
    assert np.count_nonzero(after.photo_at != before.photo_at) == 2
    gone = [photo for photo in range(120) if photo != two]
    after = arrange(FEATURES, SHAPE, PINS, active=gone, warm=before, hold=everything)
    assert np.array_equal(np.flatnonzero(after.photo_at != before.photo_at), [SHAPE.index_of((6, 6))])
    assert after.photo_in((6, 6)) is None


def test_holding_needs_an_earlier_sheet_and_cells_of_the_shape(before: Layout) -> None:
    with pytest.raises(UsageError, match="held only"):
        arrange(FEATURES, SHAPE, hold=[(0, 0)])
    with pytest.raises(UsageError, match="120 entries"):
        arrange(FEATURES, SHAPE, warm=before, hold=np.ones(7, bool))
    with pytest.raises(UsageError, match="does not have it"):
        arrange(FEATURES, SHAPE, warm=before, hold=[(99, 0)])


def test_repeats_count_those_in_held_cells() -> None:
    shape = rectangle(2, 6)
    sheet = Layout(shape, np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 1, 0, 0]), np.zeros(12))
    held = Held.of(shape, shape.cells[:3].tolist(), sheet)
    arrangement = Arrangement.of(photos(3), shape, Pins(), held=held)
    assert np.array_equal(np.bincount(repeated_photos(arrangement)), [1, 4, 4])


def test_photos_that_are_always_shown_are() -> None:
    small, always = rectangle(5, 5), [3, 17, 90, 91]
    usual = arrange(FEATURES, small, Pins({3: (0, 0)}))
    assert not set(always) <= set(usual.shown)
    layout = arrange(FEATURES, small, Pins({3: (0, 0)}), always=always)
    check_sheet(layout, set(range(120)), Pins({3: (0, 0)}), "end")
    assert set(always) <= set(layout.shown)
    assert len(set(arrange(FEATURES, small, always=range(40)).shown) - set(range(40))) == 0


def test_another_look_keeps_the_chosen_photos_until_a_new_choice_is_asked_for() -> None:
    shape, other = rectangle(6, 6), FEATURES[:, ::-1] ** 3
    before = arrange(FEATURES, shape)
    after = arrange(other, shape, warm=before)
    assert after.shown == before.shown
    assert arrange(other, shape, warm=before, afresh=True).shown == before.shown
    assert arrange(other, shape, warm=before, new_choice=True).shown == arrange(other, shape).shown != before.shown
    larger, smaller = arrange(FEATURES, rectangle(7, 7), warm=before), arrange(FEATURES, rectangle(5, 5), warm=before)
    assert set(smaller.shown) < set(before.shown) < set(larger.shown)


def test_a_choice_among_photos_that_were_not_read_does_not_stay() -> None:
    shape = rectangle(6, 6)
    here = np.arange(120)[:, None] < 40
    partly = arrange(np.where(here, FEATURES, FEATURES[:40].mean(axis=0)), shape)
    assert arrange(FEATURES, shape, warm=partly).shown == arrange(FEATURES, shape).shown
