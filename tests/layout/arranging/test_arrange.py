"""What every sheet must hold, for any photos, shape and pins, stopped early or not; and what is refused."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.layout import Layout, Options, Pins, Shape
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.arranging.polish import Board
from album_app.layout.shapes.shape import rectangle
from tests.layout.conftest import FAST, check_sheet, photos


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    full = draw(st.booleans())
    bits = [True] * (rows * columns) if full else draw(st.lists(st.booleans(), min_size=81, max_size=81))
    mask = np.array(bits[: rows * columns]).reshape(rows, columns)
    mask[draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))] = True
    return Shape(mask, "drawn")


@st.composite
def requests(draw: st.DrawFn) -> tuple[NDArray[np.float32], Shape, Pins, Options]:
    shape = draw(shapes())
    count = draw(st.integers(1, 60))
    pinned = draw(st.integers(0, min(count, shape.count)))
    places = draw(st.permutations(range(shape.count)))[:pinned]
    who = draw(st.permutations(range(count)))[:pinned]
    pins = Pins({photo: shape.cell(place) for photo, place in zip(who, places, strict=True)})
    options = Options(
        basis=20,
        iterations=3,
        seed=draw(st.integers(0, 3)),
        follow=draw(st.sampled_from([0.0, 0.5, 1.0])),
        refine=draw(st.booleans()),
        fill=draw(st.sampled_from(["empty", "end", "repeat"])),
    )
    return photos(count, draw(st.integers(0, 3)), draw(st.integers(1, 6))), shape, pins, options


@settings(max_examples=30)
@given(requests())
def test_every_sheet_keeps_the_laws(request: tuple[NDArray[np.float32], Shape, Pins, Options]) -> None:
    features, shape, pins, options = request
    shown: list[Layout] = []
    layout = arrange(features, shape, pins, options, on_step=shown.append)
    for step in [*shown, layout]:
        check_sheet(step, set(range(len(features))), pins, options.fill)
    assert layout.stage == ("refined" if options.refine else "rounded")
    assert shown[-1] is layout
    again = arrange(features, shape, pins, options)
    assert np.array_equal(again.photo_at, layout.photo_at)


@settings(max_examples=20)
@given(requests(), st.data())
def test_a_warm_start_keeps_the_laws_too(
    request: tuple[NDArray[np.float32], Shape, Pins, Options], data: st.DataObject
) -> None:
    features, shape, pins, options = request
    first = arrange(features, shape, pins, options)
    cell = shape.cell(data.draw(st.integers(0, shape.count - 1)))
    moved = pins.pin(data.draw(st.integers(0, len(features) - 1)), cell)
    active = sorted(set(data.draw(st.lists(st.integers(0, len(features) - 1)))) | set(moved))
    layout = arrange(features, shape, moved, options, active=active, warm=first)
    check_sheet(layout, set(active), moved, options.fill)


@settings(max_examples=15)
@given(requests(), st.data())
def test_held_photos_keep_their_cells_and_the_others_share_the_rest(
    request: tuple[NDArray[np.float32], Shape, Pins, Options], data: st.DataObject
) -> None:
    features, shape, pins, options = request
    first = arrange(features, shape, pins, options)
    who = data.draw(st.sets(st.sampled_from([*first.shown]))) - {min({*range(len(features))} - pins.keys(), default=-1)}
    held = Pins({photo: first.cell_of(photo) or (0, 0) for photo in who - pins.keys()})
    active = sorted(set(range(len(features))) - held.keys())
    for warm in (None, first):
        layout = arrange(features, shape, pins, options, active=active, missing=held, warm=warm)
        assert all(layout.photo_in(cell) == photo for photo, cell in {**pins, **held}.items())
        assert len(layout.shown) == len(held) + min(len(active), shape.count - len(held))
        assert dict(layout.pins) == dict(pins)


def test_a_sheet_full_of_held_photos_stays_as_it_is() -> None:
    held = Pins({0: (0, 0), 1: (0, 1)})
    layout = arrange(photos(4), rectangle(1, 2), active=[2, 3], missing=held)
    assert layout.photo_at.tolist() == [0, 1] and not layout.resembles


@pytest.mark.parametrize(
    ("features", "words"),
    [
        (np.array([[0.0, 1.0], [np.nan, 0.0]]), "1 photos are not finite numbers; the first is photo 1"),
        (np.zeros(5), "a row per photo"),
        (np.zeros((0, 3)), "a row per photo"),
        (np.array([["a"]]), "must be numbers"),
    ],
)
def test_features_that_cannot_be_used_are_refused_in_a_sentence(features: NDArray[np.float32], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        arrange(features, rectangle(2, 2))


@pytest.mark.parametrize(
    ("pins", "active", "words"),
    [
        (Pins({9: (0, 0)}), None, "Photo 9 is pinned"),
        (Pins({0: (5, 5)}), None, "which the shape does not have"),
        (Pins(), [], "no photo to lay out"),
        (Pins(), [7], "7 is none"),
    ],
)
def test_impossible_requests_are_refused(pins: Pins, active: list[int] | None, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        arrange(photos(4), rectangle(2, 2), pins, active=active)


def test_only_active_photos_are_shown_and_a_pin_of_another_is_left_aside() -> None:
    layout = arrange(photos(12), rectangle(2, 3), Pins({0: (0, 0), 5: (1, 2)}), FAST, active=[0, 2, 4, 6])
    assert set(layout.shown) == {0, 2, 4, 6}
    assert layout.pins == Pins({0: (0, 0)})


def test_identical_photos_and_constant_features_still_give_a_sheet() -> None:
    for value in (0.0, 7.5):
        layout = arrange(np.full((20, 5), value), rectangle(4, 5), Pins({3: (0, 0)}), FAST)
        check_sheet(layout, set(range(20)), Pins({3: (0, 0)}), "empty")


def test_a_stop_returns_a_complete_sheet_at_once() -> None:
    features, shape, pins = photos(100, 9), rectangle(10, 10), Pins({5: (3, 3)})
    for allowed in (0, 1, 3, 8, 20):
        asked: list[None] = []

        def stop(allowed: int = allowed, asked: list[None] = asked) -> bool:
            asked.append(None)
            return len(asked) > allowed

        layout = arrange(features, shape, pins, stop=stop)
        check_sheet(layout, set(range(100)), pins, "empty")
        assert len(asked) == allowed + 1


@pytest.mark.parametrize("fill", ["empty", "end", "repeat"])
@pytest.mark.parametrize("count", [7, 60])
def test_a_stop_before_anything_was_done_gives_a_full_sheet_too(fill: str, count: int) -> None:
    layout = arrange(photos(count), rectangle(4, 5), Pins({3: (1, 1)}), Options(fill=fill), stop=lambda: True)
    assert layout.photo_in((1, 1)) == 3
    assert len(layout.shown) == min(count, 20)
    assert layout.repeats == (13 if count == 7 and fill == "repeat" else 0)


def test_a_refinement_tells_how_far_it_is() -> None:
    reported: list[tuple[int, int]] = []
    arrange(photos(60), rectangle(6, 10), options=FAST, on_progress=lambda done, total: reported.append((done, total)))
    total = reported[0][1]
    done = [step for step, _ in reported]
    assert done == sorted(set(done)) and done[:10] == list(range(1, 11))
    assert reported[-1] == (total, total)


@pytest.mark.parametrize("pinned", [0, 3, 16])
def test_auto_selects_by_pins_where_there_are_enough_and_keeps_to_the_defaults_otherwise(pinned: int) -> None:
    shape = rectangle(8, 8)
    places = np.random.default_rng(1).permutation(64)[:pinned]
    pins = Pins({int(place): shape.cell(int(place)) for place in places})
    features = shape.coordinates + 0.02 * np.random.default_rng(0).standard_normal((64, 2))
    layout = arrange(features, shape, pins, Options(auto=True, basis=40))
    check_sheet(layout, set(range(64)), pins, "empty")
    assert isinstance(layout.guide, PlanGuide)
    assert (layout.guide.selected is not None) == (pinned >= 16)
    if pinned < 16:
        assert np.array_equal(layout.photo_at, arrange(features, shape, pins, Options(basis=40)).photo_at)


def test_the_plan_of_a_bare_sheet_ends_where_the_solver_settles() -> None:
    features, shape, pins = photos(60, 9), rectangle(6, 10), Pins({5: (3, 3), 8: (0, 0)})
    bare = arrange(features, shape, pins, Options(refine=False, iterations=200))
    assert isinstance(bare.guide, PlanGuide)
    assert bare.guide.solution.iterations < 200
    assert bare.converged and not bare.degenerate and not bare.caution


def test_a_sheet_says_where_its_plan_means_little() -> None:
    features, shape, pins = photos(60, 9), rectangle(6, 10), Pins({5: (3, 3), 8: (0, 0)})
    hurried = arrange(features, shape, pins, Options(refine=False, iterations=1))
    assert not hurried.converged and "still moving" in hurried.caution
    assert not replace(hurried, stage="refined").caution
    alike = arrange(np.ones((60, 4)), shape, pins, Options(refine=False))
    assert "all samples of x coincide" in alike.degenerate and alike.degenerate in alike.caution


def test_cells_that_stay_empty_cost_no_more_than_their_part_of_the_plan() -> None:
    features = photos(60, axes=64)
    arrange(features, rectangle(6, 10), options=FAST)  # what is imported on the way is not to be counted
    tracemalloc.start()
    layout = arrange(features, rectangle(1, 20_000), options=FAST)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    check_sheet(layout, set(range(60)), Pins(), "end")
    assert most < 30e6  # the vectors of all cells and sums over all of them would be over 50 MB


def test_a_missing_photo_s_looks_count_for_nothing_in_the_last_mile() -> None:
    shape, missing = rectangle(6, 7), Pins({41: (2, 3)})
    arrangement = Arrangement.of(photos(42, 3), shape, Pins(), range(41), missing=missing)
    board, sheet = Board.of(Field.of(arrangement, None, Pull(0.0, 0.0))), arrangement.fixed_sheet()
    sheet[arrangement.free_cells] = np.arange(41)
    empty = np.where(sheet == 41, -1, sheet)
    near, photo = np.array([[shape.index_of((2, 2))]]), np.array([[0]])
    assert np.allclose(board.distances(sheet, near, photo), board.distances(empty, near, photo))
    assert np.allclose(board.vectors(sheet), board.vectors(empty))


def test_photos_like_a_pinned_one_are_not_chosen_before_those_of_other_kinds() -> None:
    """The largest of three groups is represented by its pinned photo already."""
    features = np.array([[0.0], [0.001], [0.002], [0.003], [0.004], [0.005], [1.0], [1.001], [2.0], [2.001]])
    layout = arrange(features, rectangle(1, 3), Pins({0: (0, 0)}))
    assert sorted(features[list(layout.shown), 0].round().tolist()) == [0.0, 1.0, 2.0]
