"""Arranging again after an edit: the earlier sheet is where it starts, as far as it still fits."""

import numpy as np
import pytest

from album_app.layout import Layout, Options, Pins
from album_app.layout.arranging.arrange import arrange
from album_app.layout.scores import layout_scores
from album_app.layout.shapes.shape import rectangle
from album_app.layout.suggest import corner_pins
from tests.layout.conftest import FAST, check_sheet, photos


def test_moving_a_pin_leaves_most_of_the_sheet_where_it_was() -> None:
    features, shape = photos(196, 11), rectangle(14, 14)
    pins = corner_pins(features, shape)
    before = arrange(features, shape, pins)
    moved = pins.pin(next(iter(pins)), (6, 6))
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


def test_what_auto_selected_is_used_again_when_a_pin_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = rectangle(6, 6)
    features = shape.coordinates + 0.02 * np.random.default_rng(0).standard_normal((36, 2))
    pins, options = Pins({k: shape.cells[k] for k in range(0, 36, 3)}), Options(auto=True, basis=30)
    before = arrange(features, shape, pins, options)
    assert before.guide.selected is not None
    monkeypatch.setattr("album_app.solver.selection.select", None)
    after = arrange(features, shape, pins.pin(0, (1, 1)), options, warm=before)
    assert after.photo_in((1, 1)) == 0
