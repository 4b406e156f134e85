"""The table of `arrange`, row by row: what changes since an earlier sheet, and what the new one keeps of it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from album_app.layout import Layout, Options, Pins, Shape, arrange, corner_pins, layout_scores, rectangle
from album_app.layout.arranging.arrangement import Arrangement, Held
from album_app.layout.arranging.calm import DOUBLING_SHARE, LEAVING_PRICE, Facing, Prices
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.evaluation.scores import mean_neighbour_distance
from album_app.layout.shapes.shape import Symmetry, symmetries
from tests.layout.conftest import check_sheet, photos

SHAPE = rectangle(12, 14)
FEATURES = photos(168, 21, axes=6)
PINS = corner_pins(FEATURES, SHAPE)
EVERYBODY = range(168)


@pytest.fixture(scope="module")
def before() -> Layout:
    return arrange(FEATURES, SHAPE, PINS)


def in_place(before: Layout, after: Layout, away: float = 0.0) -> float:
    """The share of photos on both sheets, pinned ones aside, that are at most so far from where they were."""
    kept = [p for p in before.shown if p in after.positions and p not in after.pins and p not in before.pins]
    steps = [np.subtract(before.positions[photo], after.positions[photo]) for photo in kept]
    return float(np.mean(np.linalg.norm(steps, axis=1) <= away))


def quality(layout: Layout) -> float:
    return layout_scores(layout, FEATURES)["dpq16"]


def loose(before: Layout) -> int:
    return next(photo for photo in before.shown if photo not in PINS and before.positions[photo] == (5, 5))


def test_a_pin_where_its_photo_lies_moves_nothing(before: Layout) -> None:
    pins = PINS.pin(loose(before), (5, 5))
    steps: list[Layout] = []
    after = arrange(FEATURES, SHAPE, pins, warm=before, on_step=steps.append)
    assert np.array_equal(after.photo_at, before.photo_at)
    assert all(np.array_equal(step.photo_at, before.photo_at) for step in steps)
    assert (after.pins, after.stage) == (pins, "refined")
    assert after.confidence[SHAPE.index_of((5, 5))] == 1.0


def test_nothing_at_all_moves_nothing(before: Layout) -> None:
    assert np.array_equal(arrange(FEATURES, SHAPE, PINS, warm=before).photo_at, before.photo_at)


def test_a_pin_that_moves_a_little_leaves_nearly_all_in_place(before: Layout) -> None:
    photo, (row, column) = next(iter(PINS.items()))
    pins = PINS.pin(photo, (row + 3, column))
    steps: list[Layout] = []
    after = arrange(FEATURES, SHAPE, pins, warm=before, on_step=steps.append)
    check_sheet(after, set(EVERYBODY), pins, "empty")
    assert steps[0].stage == "first"
    assert in_place(before, steps[0]) > 0.98
    assert in_place(before, after) > 0.8
    assert quality(after) > quality(arrange(FEATURES, SHAPE, pins)) - 0.02


def test_a_far_new_pin_gathers_its_kin_and_leaves_the_rest(before: Layout) -> None:
    photo = before.photo_in((2, 2))
    pins = PINS.pin(photo, (9, 10))
    after, fresh = arrange(FEATURES, SHAPE, pins, warm=before), arrange(FEATURES, SHAPE, pins)
    check_sheet(after, set(EVERYBODY), pins, "empty")
    assert in_place(before, after) > in_place(before, fresh) + 0.05
    assert in_place(before, after, 3) > 0.5

    def pull(layout: Layout) -> float:
        return layout_scores(replace(layout, pins=Pins({photo: (9, 10)})), FEATURES)["pin_pull"]

    carried = before.photo_at.copy()
    there, here = SHAPE.index_of((2, 2)), SHAPE.index_of((9, 10))
    carried[[there, here]] = carried[[here, there]]
    assert pull(after) > pull(replace(before, photo_at=carried)) + 0.2


def test_pins_remain_what_they_were_made_for_at_later_edits(before: Layout) -> None:
    """A photo that was dragged goes on attracting its kin, and two that were exchanged never begin to."""
    dragged = loose(before)
    led = arrange(FEATURES, SHAPE, PINS.pin(dragged, (10, 12)), warm=before)
    assert not led.lone
    here, there = ((0, 5), (11, 7))
    pair = {led.photo_in(here): there, led.photo_in(there): here}
    swapped = arrange(FEATURES, SHAPE, Pins({**led.pins, **pair}), warm=led)
    assert swapped.lone == set(pair), "on this album the two are unlike their new surroundings"
    out = next(photo for photo in swapped.shown if photo not in swapped.pins)
    after = arrange(FEATURES, SHAPE, swapped.pins, active=[photo for photo in EVERYBODY if photo != out], warm=swapped)
    assert after.lone == set(pair) and in_place(swapped, after) > 0.9
    assert not arrange(FEATURES, SHAPE, after.pins, warm=after, afresh=True).lone


def test_photos_that_were_exchanged_earlier_gather_nothing_when_another_is_pinned_far_away(before: Layout) -> None:
    layout, pins = before, PINS
    for one, two in (((3, 11), (8, 2)), ((2, 4), (9, 6))):
        pins = pins.pin(layout.photo_in(one), two).pin(layout.photo_in(two), one)
        layout = arrange(FEATURES, SHAPE, pins, warm=layout)
    photo = layout.photo_in((2, 2))
    pins = pins.pin(photo, (9, 10))
    after, fresh = arrange(FEATURES, SHAPE, pins, warm=layout), arrange(FEATURES, SHAPE, pins)
    check_sheet(after, set(EVERYBODY), pins, "empty")
    assert in_place(layout, after) > 0.6
    assert quality(after) > quality(layout) - 0.02

    def pull(layout: Layout) -> float:
        return layout_scores(replace(layout, pins=Pins({photo: (9, 10)})), FEATURES)["pin_pull"]

    assert pull(after) > pull(fresh) - 0.1


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (lambda before: {"pins": PINS.unpin(next(iter(PINS)))}, 0.95),
        (lambda before: {"pins": PINS, "active": [p for p in EVERYBODY if p != loose(before)]}, 0.9),
    ],
    ids=["a pin taken away", "a photo left out"],
)
def test_dear_for_all(before: Layout, change: Callable[[Layout], dict[str, object]], kept: float) -> None:
    changed = change(before)
    after = arrange(FEATURES, SHAPE, warm=before, **changed)  # type: ignore[arg-type]
    assert in_place(before, after) > kept
    assert quality(after) > quality(before) - 0.02


def test_added_photos_find_their_kin() -> None:
    few = [photo for photo in EVERYBODY if photo % 17]
    before = arrange(FEATURES, SHAPE, active=few)
    after = arrange(FEATURES, SHAPE, warm=before)
    assert set(after.shown) == set(EVERYBODY)
    assert in_place(before, after) > 0.75
    assert in_place(before, after, 3) > 0.9
    assert quality(after) > quality(arrange(FEATURES, SHAPE)) - 0.03


def test_only_other_cells_cost_something_and_more_when_many_have_left(before: Layout) -> None:
    gone = next(iter(PINS))
    arrangement = Arrangement.of(FEATURES, SHAPE, PINS.unpin(gone))
    nobody = np.zeros(0, np.int64)
    prices = Prices.suiting(arrangement, before, before.photo_at, before.photo_at, nobody, nobody)
    cells = np.arange(0, 10)[None]
    homes = before.photo_at[cells]
    pays = homes[0] != gone
    assert not pays.all(), "a photo that was unpinned may leave for nothing"
    assert SHAPE.index_of(PINS[gone]) == 0
    price = LEAVING_PRICE * pays
    assert np.allclose(prices(before.photo_at, cells, homes), price * (1 - np.eye(10)))
    assert np.allclose(prices(before.photo_at, cells, homes[:, ::-1]), price[::-1] * (1 - np.eye(10)[::-1]))
    sheet = before.photo_at.copy()
    few = np.arange(100, 100 + round(DOUBLING_SHARE * 167))
    sheet[few] = np.roll(sheet[few], 1)
    assert np.allclose(prices(sheet, cells, homes), 2 * price * (1 - np.eye(10)), rtol=0.1)
    assert (prices.among(before.photo_at[few])(sheet, cells, homes) == 0.0).all()


def groups_of_like_photos(count: int, seed: int, groups: int = 30) -> NDArray[np.float64]:
    """Points in 6 dimensions in groups that lie far apart."""
    rng = np.random.default_rng(seed)
    return 4.0 * rng.standard_normal((groups, 6))[np.arange(count) % groups] + rng.standard_normal((count, 6))


def test_kin_follow_a_photo_across_a_large_sheet_at_once_and_the_rest_stays() -> None:
    shape, features = rectangle(40, 40), groups_of_like_photos(1600, 8)
    before = arrange(features, shape, Pins({0: (0, 0)}))
    photo = before.photo_in((35, 35))
    pins = Pins({0: (0, 0), photo: (3, 30)})
    steps: list[Layout] = []
    after, fresh = arrange(features, shape, pins, warm=before, on_step=steps.append), arrange(features, shape, pins)
    check_sheet(after, set(range(1600)), pins, "end")

    def pull(layout: Layout) -> float:
        return layout_scores(replace(layout, pins=Pins({photo: (3, 30)})), features)["pin_pull"]

    assert steps[0].photo_in((3, 30)) == photo and in_place(before, steps[0]) > 0.99
    assert pull(steps[0]) < 0.5 < 0.9 * pull(fresh) < min(pull(steps[1]), pull(after))
    assert in_place(before, after) > 0.85
    assert mean_neighbour_distance(features, after) < 1.08 * mean_neighbour_distance(features, fresh)


def test_a_photo_that_lies_wrong_goes_home_when_its_pin_is_removed() -> None:
    shape, features = rectangle(25, 40), groups_of_like_photos(1000, 9)
    fresh = arrange(features, shape, Pins({0: (0, 0)}))
    stranger = fresh.photo_in((24, 39))
    pinned = arrange(features, shape, Pins({0: (0, 0), stranger: (0, 3)}), warm=fresh, hold=fresh.photo_at >= 0)
    assert in_place(fresh, pinned) > 0.99
    after = arrange(features, shape, Pins({0: (0, 0)}), warm=pinned)
    assert after.positions[stranger] != (0, 3)
    assert in_place(pinned, after) > 0.95


def test_twenty_edits_in_a_row_leave_a_sheet_nearly_as_good_as_a_fresh_one(before: Layout) -> None:
    layout, pins, everybody, rng = before, PINS, list(EVERYBODY), np.random.default_rng(2)
    for edit in range(20):
        loose = [photo for photo in layout.shown if photo not in pins]
        photo, cell = int(rng.choice(loose)), SHAPE.cell(int(rng.integers(SHAPE.count)))
        if edit % 3 == 0 and cell not in pins.values():
            pins = pins.pin(photo, cell)
        elif edit % 3 == 1:
            everybody.remove(photo)
        elif len(pins) > 4:
            pins = pins.unpin(list(pins)[-1])
        layout = arrange(FEATURES, SHAPE, pins, active=everybody, warm=layout)
    check_sheet(layout, set(everybody), pins, "end")
    assert quality(layout) > quality(arrange(FEATURES, SHAPE, pins, active=everybody)) - 0.02


def test_many_new_pins_at_once_still_leave_most_photos_near(before: Layout) -> None:
    pins = PINS
    for photo, cell in zip(
        [before.photo_in(c) for c in ((3, 3), (8, 8), (5, 9))], [(9, 4), (2, 9), (6, 1)], strict=True
    ):
        pins = pins.pin(photo, cell)
    after, fresh = arrange(FEATURES, SHAPE, pins, warm=before), arrange(FEATURES, SHAPE, pins)
    check_sheet(after, set(EVERYBODY), pins, "empty")
    assert in_place(before, after, 3) > in_place(before, fresh, 3)
    assert in_place(before, after) > in_place(before, fresh) + 0.1


@pytest.mark.parametrize("other", [(5, 6), (10, 12)], ids=["neighbours", "far apart"])
def test_two_photos_that_change_places_move_nothing_else(before: Layout, other: tuple[int, int]) -> None:
    one, two = before.photo_in((5, 5)), before.photo_in(other)
    pins = Pins({**PINS, one: other, two: (5, 5)})
    after = arrange(FEATURES, SHAPE, pins, warm=before)
    check_sheet(after, set(EVERYBODY), pins, "empty")
    changed = np.flatnonzero(after.photo_at != before.photo_at)
    assert changed.tolist() == [SHAPE.index_of((5, 5)), SHAPE.index_of(other)]


def test_photos_added_with_a_row_keep_the_others_in_their_cells(before: Layout) -> None:
    features = np.concatenate([FEATURES, photos(14, 77, axes=6)])
    taller = rectangle(13, 14)
    known = arrange(features, SHAPE, PINS, active=EVERYBODY)
    after = arrange(features, taller, PINS, warm=known)
    check_sheet(after, set(range(182)), PINS, "end")
    assert in_place(known, after) > 0.75
    fewer = arrange(features, SHAPE, PINS, active=EVERYBODY, warm=after)
    check_sheet(fewer, set(EVERYBODY), PINS, "end")
    assert in_place(after, fewer) > 0.75


def test_an_unfinished_sheet_is_no_start(before: Layout) -> None:
    halfway = replace(before, stage="rounded")
    assert np.array_equal(
        arrange(FEATURES, SHAPE, PINS, warm=halfway).photo_at, arrange(FEATURES, SHAPE, PINS).photo_at
    )


@pytest.mark.parametrize("options", [Options(follow=0.0), Options(follow=1.0), Options(seed=3), Options(lam=0.1)])
def test_the_same_options_give_the_same_sheet_whatever_was_tried_before(before: Layout, options: Options) -> None:
    there = arrange(FEATURES, SHAPE, PINS, options, warm=before)
    assert np.array_equal(there.photo_at, arrange(FEATURES, SHAPE, PINS, options).photo_at)
    back = arrange(FEATURES, SHAPE, PINS, Options(), warm=there)
    assert np.array_equal(back.photo_at, before.photo_at)


def test_the_smooth_end_of_the_slider_is_the_smoothest() -> None:
    """The mean distance to the 24 around, over seeds."""

    def roughness(follow: float) -> float:
        layouts = [arrange(FEATURES, SHAPE, PINS, Options(follow=follow, seed=seed)) for seed in range(3)]
        return float(np.mean([mean_neighbour_distance(FEATURES, layout) for layout in layouts]))

    assert roughness(0.0) < roughness(0.5) < roughness(1.0)


def same_way_round(before: Layout, after: Layout, known: range = EVERYBODY) -> bool:
    """Whether photos lie more like before as they are than in any way to mirror or turn the sheet."""
    common = [photo for photo in before.shown if photo in after.positions and photo in known]
    extents = [np.array([layout.shape.rows - 1, layout.shape.columns - 1]) for layout in (before, after)]
    places = np.array([before.positions[photo] for photo in common]) / extents[0]

    def away(way: Symmetry) -> float:
        turned = replace(after, photo_at=after.photo_at[way.before], pins=Pins())
        return float(np.abs(np.array([turned.positions[photo] for photo in common]) / extents[1] - places).mean())

    ways = [away(way) for way in symmetries(after.shape)]
    return ways[0] <= min(ways) + 1e-9


@pytest.mark.parametrize(("seed", "shape"), list(enumerate([rectangle(8, 8), rectangle(6, 9)] * 3)))
def test_no_sheet_turns_while_photos_arrive(seed: int, shape: Shape) -> None:
    """Nothing in these features tells one way round from another, and those to come count as the mean of the others."""
    features = np.random.default_rng(seed).standard_normal((shape.count, 3)).astype(np.float32)
    before: Layout | None = None
    for known, before_known in ((18, 0), (36, 18), (shape.count, 36)):
        here = np.arange(shape.count)[:, None] < known
        steps: list[Layout] = []
        table = np.where(here, features, features[:known].mean(axis=0))
        after = arrange(table, shape, warm=before, on_step=steps.append)
        if before is not None:
            assert all(same_way_round(before, step, range(before_known)) for step in steps)
        before = after


def test_a_turned_plan_is_the_plan_of_the_turned_sheet() -> None:
    shape, features = rectangle(6, 6), photos(36, 3)
    guide = arrange(features, shape).guide
    assert isinstance(guide, PlanGuide)
    x, y = guide.space.points.astype(np.float64), shape.coordinates
    for way in symmetries(shape):
        turned = guide.turned(way)
        assert np.allclose(way.matrix @ y[way.before[5]] + way.shift, y[5])
        assert np.allclose(turned.row(4), guide.row(4)[way.before], atol=1e-5)
        assert np.allclose(turned.barycentres, guide.barycentres @ way.matrix.T + way.shift, atol=1e-4)
        assert np.allclose(turned.solution.ratio(x, y), guide.solution.ratio(x, y)[:, way.before])


def test_pins_hold_a_sheet_the_way_round_it_is() -> None:
    """Their photos may only lie in their cells, so what would move them is no way to turn it."""
    shape, features = rectangle(6, 6), photos(36, 5)
    pins = Pins({0: (0, 0)})
    first = arrange(features, shape, pins)
    turned = replace(first, photo_at=first.photo_at.reshape(6, 6)[::-1, ::-1].ravel(), pins=Pins())
    check_sheet(arrange(features[:, ::-1] * 2, shape, pins, warm=turned), set(range(36)), pins, "empty")


@pytest.mark.parametrize("way", range(8))
def test_other_features_keep_the_way_round(way: int) -> None:
    """As while photos arrive: the next sheet knows more of them, and whichever way the last one lay, it stays so."""
    shape, features = rectangle(12, 12), photos(144, 31, axes=3) * (4, 2, 1)
    first = arrange(np.where(np.arange(144)[:, None] < 100, features, features.mean(axis=0)), shape)
    grid = np.rot90(first.photo_at.reshape(12, 12), way % 4)
    lying = replace(first, photo_at=(grid if way < 4 else grid[:, ::-1]).ravel(), guide=first.guide)
    after = arrange(features, shape, warm=lying)
    assert same_way_round(lying, after, range(100))
    assert layout_scores(after, features)["dpq16"] > layout_scores(arrange(features, shape), features)["dpq16"] - 0.03


def carried(before: Layout, after: Layout) -> float:
    """The share of photos that lie within three cells of where they lay, both sheets taken as equally large."""
    sizes = [np.array([layout.shape.rows, layout.shape.columns]) for layout in (before, after)]
    both = [photo for photo in before.shown if photo in after.positions]
    steps = [
        np.add(before.positions[photo], 0.5) / sizes[0] - np.add(after.positions[photo], 0.5) / sizes[1]
        for photo in both
    ]
    return float(np.mean(np.linalg.norm(np.array(steps) * sizes[1], axis=1) <= 3))


@pytest.mark.parametrize("pins", [Pins(), Pins({7: (11, 0)})])
def test_where_photos_join_and_the_shape_follows_the_others_keep_to_their_part(pins: Pins) -> None:
    before = arrange(FEATURES[:160], rectangle(12, 14), pins)
    pinned = Pins(dict.fromkeys(pins, (9, 0)))
    after = arrange(FEATURES, rectangle(10, 17), pinned, warm=before)
    fresh = arrange(FEATURES, rectangle(10, 17), pinned)
    check_sheet(after, set(EVERYBODY), pinned, "end")
    assert carried(before, after) > 0.8 > carried(before, fresh)
    assert quality(after) > quality(fresh) - 0.02
    assert mean_neighbour_distance(FEATURES, after) < 1.05 * mean_neighbour_distance(FEATURES, fresh)


def test_photos_that_join_on_the_same_cells_leave_the_others_in_place() -> None:
    before = arrange(FEATURES[:160], SHAPE)
    after = arrange(FEATURES, SHAPE, warm=before)
    assert in_place(before, after) > 0.65 > in_place(before, arrange(FEATURES, SHAPE))


def test_another_shape_keeps_the_way_round() -> None:
    features = photos(120, 23, axes=3) * (4, 2, 1)
    for first, second in ((rectangle(10, 12), rectangle(8, 15)), (rectangle(8, 15), rectangle(10, 12))):
        plain = arrange(features, first)
        mirrored = replace(plain, photo_at=plain.photo_at.reshape(first.rows, first.columns)[::-1, ::-1].ravel())
        for before in (plain, mirrored):
            assert same_way_round(before, arrange(features, second, warm=before))


def test_missing_and_held_cells_hold_a_sheet_the_way_round_it_is() -> None:
    """A way to turn the sheet that would move what they show is none."""
    shape, features = rectangle(6, 6), photos(36, 5)
    first = arrange(features, shape)
    arrangement = Arrangement.of(features, shape, Pins(), range(35), missing=Pins({35: (0, 0)}))
    places = np.full((36, 2), np.nan)
    assert len(symmetries(shape)) == 8
    assert len(Facing.of(arrangement, places).ways) == 2, "as it is, and mirrored along the diagonal through the corner"
    held = Held.of(shape, [(0, 1)], first)
    assert len(Facing.of(Arrangement.of(features, shape, Pins(), held=held), places).ways) == 1


def test_a_pin_removed_from_a_stranger_lets_it_go_home(before: Layout) -> None:
    stranger, far = before.photo_in((1, 1)), (10, 12)
    alone = arrange(FEATURES, SHAPE, PINS.pin(stranger, far), warm=before, hold=before.photo_at >= 0)
    assert alone.photo_in(far) == stranger
    after = arrange(FEATURES, SHAPE, PINS, warm=alone)
    assert after.photo_in(far) != stranger
    assert in_place(alone, after) > 0.85
    assert quality(after) > quality(alone)
