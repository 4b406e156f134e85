"""What makes a sheet good: like photos lie together, pins gather their kin, shown photos stand for the others."""

import numpy as np
import pytest

from album_app.layout import Layout, Options, Pins, Shape
from album_app.layout.arranging.arrange import arrange
from album_app.layout.evaluation.scores import coverage, layout_scores, mean_neighbour_distance
from album_app.layout.evaluation.suggest import corner_pins
from album_app.layout.shapes.shape import rectangle
from tests.layout.conftest import FAST, check_sheet, photos


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


def test_more_effort_goes_on_from_the_quick_sheet_and_improves_it() -> None:
    shape, features = rectangle(10, 12), photos(120, 3, axes=12)
    pins = Pins({0: (0, 0), 1: (9, 11)})
    quick = arrange(features, shape, pins)
    fine = arrange(features, shape, pins, Options(effort="fine"))
    assert np.array_equal(arrange(features, shape, pins, Options(effort="fine"), warm=quick).photo_at, fine.photo_at)
    assert np.array_equal(arrange(features, shape, pins, warm=fine).photo_at, fine.photo_at), "less effort keeps it"
    check_sheet(fine, set(range(120)), pins, "end")
    for score in ("dpq16", "pin_pull"):
        assert layout_scores(fine, features)[score] > layout_scores(quick, features)[score]
    assert mean_neighbour_distance(features, fine, 1) < mean_neighbour_distance(features, quick, 1)
