"""What every sheet must hold, for any photos, shape and pins; and what the pieces of an arrangement promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.layout import Layout, Options, Pins, Shape
from album_app.layout.arrange import arrange
from album_app.layout.scores import coverage, layout_scores
from album_app.layout.shapes import rectangle
from album_app.layout.suggest import corner_pins

FAST = Options(basis=40, iterations=3)


def photos(count: int, seed: int = 0, axes: int = 3) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random((count, axes)).astype(np.float32)


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


def check_sheet(layout: Layout, taking_part: set[int], pins: Pins, fill: str) -> None:
    """The laws of a sheet."""
    on_sheet = layout.photo_at[layout.photo_at >= 0]
    assert set(on_sheet.tolist()) <= taking_part
    assert all(layout.photo_in(cell) == photo for photo, cell in pins.items())
    count, times = np.unique(on_sheet, return_counts=True)
    cells = layout.shape.count
    assert len(layout.shown) == len(count) == min(len(taking_part), cells)
    if fill == "repeat" and len(taking_part) < cells:
        assert (layout.photo_at >= 0).all()
        assert times.max() <= -(-cells // len(taking_part))
    else:
        assert layout.repeats == 0
    assert set(layout.resembles) == taking_part - set(layout.shown)
    assert set(layout.resembles.values()) <= set(layout.shown)
    assert ((layout.confidence >= 0) & (layout.confidence <= 1)).all()


@settings(max_examples=60)
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


@settings(max_examples=30)
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


@settings(max_examples=40)
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
        layout = arrange(features, shape, pins, options, active=active, held=held, warm=warm)
        assert all(layout.photo_in(cell) == photo for photo, cell in {**pins, **held}.items())
        assert len(layout.shown) == len(held) + min(len(active), shape.count - len(held))
        assert dict(layout.pins) == dict(pins)


def test_a_sheet_full_of_held_photos_stays_as_it_is() -> None:
    held = Pins({0: (0, 0), 1: (0, 1)})
    layout = arrange(photos(4), rectangle(1, 2), active=[2, 3], held=held)
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


def test_a_ramp_is_laid_out_in_order_between_its_pins() -> None:
    ramp = np.linspace(0, 1, 30)[:, None]
    layout = arrange(ramp, rectangle(1, 30), Pins({0: (0, 0), 29: (0, 29)}))
    assert np.abs(layout.photo_at - np.arange(30)).max() <= 2


def test_pins_gather_their_like_and_follow_says_how_much() -> None:
    features, shape = photos(144, 1), rectangle(12, 12)
    pins = corner_pins(features, shape)
    pulls = [
        layout_scores(arrange(features, shape, pins, Options(follow=follow)), features)["pin_pull"]
        for follow in (0.0, 0.5, 0.9)
    ]
    assert pulls[0] < pulls[1] < pulls[2]
    assert pulls[1] > 0.85


def test_refinement_makes_neighbours_alike() -> None:
    features, shape = photos(144, 2, axes=8), rectangle(12, 12)
    pins = corner_pins(features, shape)
    bare = arrange(features, shape, pins, Options(refine=False))
    refined = arrange(features, shape, pins)
    assert bare.stage == "rounded"
    assert layout_scores(refined, features)["dpq16"] > layout_scores(bare, features)["dpq16"] + 0.01
    assert layout_scores(bare, features)["dpq16"] > 0.6


def test_the_bare_method_on_a_large_sheet_is_rounded_in_groups() -> None:
    features, shape = photos(700, 3), rectangle(25, 28)
    layout = arrange(features, shape, corner_pins(features, shape), Options(refine=False, iterations=3))
    check_sheet(layout, set(range(700)), layout.pins, "empty")
    assert layout_scores(layout, features)["dpq16"] > 0.55


def test_without_pins_the_sheet_is_sorted_as_well() -> None:
    features = photos(400, 4)
    layout = arrange(features, rectangle(20, 20))
    assert layout_scores(layout, features)["dpq16"] > 0.9


def test_letters_with_holes_keep_to_their_cells() -> None:
    mask = np.zeros((9, 14), dtype=bool)
    mask[:, [0, 1, 4, 5, 8, 9, 12, 13]] = True
    features = photos(int(mask.sum()), 5)
    layout = arrange(features, Shape(mask, "bars"), Pins({0: (0, 0)}), FAST)
    check_sheet(layout, set(range(len(features))), Pins({0: (0, 0)}), "empty")
    assert layout_scores(layout, features)["dpq16"] > 0.75


def test_the_shown_photos_represent_the_rest() -> None:
    features, shape = photos(300, 6), rectangle(8, 10)
    pins = corner_pins(features, shape)
    layout = arrange(features, shape, pins, FAST)
    assert len(layout.shown) == 80
    assert layout.repeats == 0
    assert coverage(features, layout.shown) < 0.9
    for left_out, like in layout.resembles.items():
        away = np.linalg.norm(features[list(layout.shown)] - features[left_out], axis=1)
        assert np.linalg.norm(features[like] - features[left_out]) <= away.min() * 1.05 + 1e-6


def test_end_leaves_the_last_cells_empty_and_empty_the_weakest() -> None:
    features, shape, pins = photos(20, 7), rectangle(5, 6), Pins({0: (4, 5), 1: (0, 0)})
    ended = arrange(features, shape, pins, Options(fill="end"))
    assert ended.photo_at[:19].min() >= 0
    assert ended.photo_at[19:29].max() == -1
    layout = arrange(features, shape, pins, Options(fill="empty"))
    empty = layout.photo_at < 0
    assert empty.sum() == 10
    assert layout.confidence[empty].max() <= layout.confidence[~empty].min() + 1e-6


@pytest.mark.parametrize(("count", "rows", "columns"), [(40, 10, 10), (30, 6, 12), (99, 10, 10)])
def test_repeated_photos_never_touch_their_doubles(count: int, rows: int, columns: int) -> None:
    layout = arrange(photos(count, 8), rectangle(rows, columns), Pins({0: (0, 0)}), Options(fill="repeat"))
    assert layout.repeats == rows * columns - count
    grid = layout.photo_at.reshape(rows, columns)
    neighbours = [
        (grid[:, 1:], grid[:, :-1]),
        (grid[1:], grid[:-1]),
        (grid[1:, 1:], grid[:-1, :-1]),
        (grid[1:, :-1], grid[:-1, 1:]),
    ]
    assert not any((a == b).any() for a, b in neighbours)


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


def test_steps_get_better_and_carry_their_stage() -> None:
    features, shape = photos(144, 10), rectangle(12, 12)
    steps: list[Layout] = []
    arrange(features, shape, corner_pins(features, shape), on_step=steps.append)
    stages = [step.stage for step in steps]
    assert stages == sorted(stages, key=["first", "rounded", "refined"].index)
    assert {"first", "rounded"} <= set(stages)
    assert stages.count("refined") == 1, "only the finished sheet is the refined one"
    scores = [layout_scores(step, features)["dpq16"] for step in steps]
    assert scores[-1] > scores[0]
    assert np.mean(np.diff(scores) > 0) > 0.6


def test_a_refinement_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    arrange(photos(60), rectangle(6, 10), options=FAST, on_progress=lambda done, total: told.append((done, total)))
    total = told[0][1]
    assert told == [(done, total) for done in range(1, total + 1)] and total > 10


def test_moving_a_pin_leaves_most_of_the_sheet_where_it_was() -> None:
    features, shape = photos(196, 11), rectangle(14, 14)
    pins = corner_pins(features, shape)
    before = arrange(features, shape, pins)
    moved = pins.move(next(iter(pins)), (6, 6))
    steps: list[Layout] = []
    after = arrange(features, shape, moved, warm=before, on_step=steps.append)
    check_sheet(steps[0], set(range(196)), moved, "empty")
    assert steps[0].stage == "first"
    away = [np.hypot(*np.subtract(before.cell_of(p), after.cell_of(p))) for p in after.shown if p not in moved]
    assert np.mean(np.array(away) <= 3) > 0.6
    assert layout_scores(after, features)["dpq16"] > layout_scores(before, features)["dpq16"] - 0.05


def test_a_layout_of_other_features_or_another_shape_is_no_start() -> None:
    features, shape = photos(60, 12), rectangle(6, 10)
    before = arrange(features, shape, options=FAST)
    fresh = arrange(features[:, ::-1] ** 2, shape, options=FAST)
    assert np.array_equal(arrange(features[:, ::-1] ** 2, shape, options=FAST, warm=before).photo_at, fresh.photo_at)
    turned = arrange(features, rectangle(10, 6), options=FAST, warm=before)
    check_sheet(turned, set(range(60)), Pins(), "empty")


def test_a_saved_layout_without_its_guide_is_a_start() -> None:
    features, shape = photos(100, 13), rectangle(10, 10)
    full = arrange(features, shape, Pins({0: (5, 5)}), FAST)
    saved = Layout(shape, full.photo_at, full.confidence, full.pins)
    after = arrange(features, shape, Pins({0: (5, 7)}), FAST, warm=saved)
    kept = [
        after.cell_of(p) is not None and np.hypot(*np.subtract(after.cell_of(p), full.cell_of(p))) <= 3
        for p in range(1, 100)
    ]
    assert np.mean(kept) > 0.6


def test_a_new_pin_turns_the_whole_sheet_but_the_earlier_one_is_shown_first() -> None:
    features, shape = photos(100, 13), rectangle(10, 10)
    before = arrange(features, shape, options=FAST)
    corner, far = next((p, c) for p, c in before.positions.items() if c == (0, 0))[0], (9, 9)
    steps: list[Layout] = []
    after = arrange(features, shape, Pins({corner: far}), FAST, warm=before, on_step=steps.append)
    assert np.mean(steps[0].photo_at == before.photo_at) > 0.9
    assert any(np.mean(step.photo_at == before.photo_at) < 0.5 for step in steps[1:-1])  # it is seen turning
    cold = arrange(features, shape, Pins({corner: far}), FAST)
    turned, afresh = (layout_scores(layout, features)["pin_pull"] for layout in (after, cold))
    assert turned > afresh - 0.1


def test_pinning_a_photo_where_it_lies_moves_little() -> None:
    features, shape = photos(100, 13), rectangle(10, 10)
    before = arrange(features, shape, options=FAST)
    photo, cell = next(iter(before.positions.items()))
    after = arrange(features, shape, Pins({photo: cell}), FAST, warm=before)
    steps = [np.hypot(*np.subtract(place, before.positions[p])) for p, place in after.positions.items()]
    assert np.mean(np.array(steps) <= 3) > 0.8


@pytest.mark.parametrize("pinned", [0, 3, 6])
def test_auto_selects_by_pins_where_there_are_enough_and_keeps_to_the_defaults_otherwise(pinned: int) -> None:
    shape = rectangle(8, 8)
    places = np.random.default_rng(1).permutation(64)[:pinned]
    pins = Pins({int(place): shape.cell(int(place)) for place in places})
    features = shape.coordinates + 0.02 * np.random.default_rng(0).standard_normal((64, 2))
    layout = arrange(features, shape, pins, Options(auto=True, basis=40))
    check_sheet(layout, set(range(64)), pins, "empty")
    if pinned < 4:
        assert np.array_equal(layout.photo_at, arrange(features, shape, pins, Options(basis=40)).photo_at)


def test_what_auto_selected_is_used_again_when_a_pin_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = rectangle(6, 6)
    features = shape.coordinates + 0.02 * np.random.default_rng(0).standard_normal((36, 2))
    pins, options = Pins({0: (0, 0), 5: (0, 5), 30: (5, 0), 35: (5, 5)}), Options(auto=True, basis=30)
    before = arrange(features, shape, pins, options)
    monkeypatch.setattr("album_app.solver.selection.select", None)
    after = arrange(features, shape, pins.move(0, (1, 1)), options, warm=before)
    assert after.photo_in((1, 1)) == 0
