"""Arranging again after an edit starts from the earlier sheet, as far as that still fits."""

from dataclasses import replace

import numpy as np
import pytest

from album_app.layout import Layout, Options, Pins
from album_app.layout.arranging.arrange import arrange
from album_app.layout.evaluation.scores import layout_scores
from album_app.layout.shapes.shape import rectangle, symmetries
from tests.layout.conftest import FAST, check_sheet, photos


def test_a_layout_of_other_features_or_another_shape_is_no_start() -> None:
    features, shape = photos(60, 12), rectangle(6, 10)
    before = arrange(features, shape, options=FAST)
    other = arrange(features[:, ::-1] ** 2, shape, options=FAST, warm=before)
    check_sheet(other, set(range(60)), Pins(), "empty")
    assert np.mean(other.photo_at == before.photo_at) < 0.5
    turned = arrange(features, rectangle(10, 6), options=FAST, warm=before)
    check_sheet(turned, set(range(60)), Pins(), "empty")


def test_a_saved_layout_without_its_guide_is_a_start() -> None:
    features, shape = photos(100, 13), rectangle(10, 10)
    full = arrange(features, shape, Pins({0: (5, 5)}), FAST)
    saved = Layout(shape, full.photo_at, full.confidence, full.pins, features_key=full.features_key)
    after = arrange(features, shape, Pins({0: (5, 7)}), FAST, warm=saved)
    kept = [
        after.cell_of(p) is not None and np.hypot(*np.subtract(after.cell_of(p), full.cell_of(p))) <= 3
        for p in range(1, 100)
    ]
    assert np.mean(kept) > 0.6


def test_a_saved_layout_is_a_start_only_for_the_features_it_names() -> None:
    look, other, shape = photos(100, 13), photos(100, 14), rectangle(10, 10)
    saved = replace(arrange(look, shape, options=FAST, features_key="lab:8/1"), guide=None)
    fresh = layout_scores(arrange(other, shape, options=FAST), other)["dpq16"]
    for key, warm in (
        ("semantic/1", saved),
        ("lab:8/2", saved),
        ("lab:8/1", replace(saved, features_key="")),
        ("", replace(arrange(look, shape, options=FAST), guide=None)),
    ):
        after = arrange(other, shape, options=FAST, warm=warm, features_key=key)
        assert np.mean(after.photo_at == saved.photo_at) < 0.5, key
        assert layout_scores(after, other)["dpq16"] > fresh - 0.03, key
    same = arrange(look, shape, options=FAST, warm=saved, features_key="lab:8/1")
    assert np.array_equal(same.photo_at, saved.photo_at)


def test_a_sheet_that_is_not_to_be_kept_still_says_which_way_round_the_new_one_lies() -> None:
    features, shape = photos(60, 12), rectangle(6, 10)
    fresh = arrange(features, shape, options=FAST)
    for way in symmetries(shape):
        lay = replace(fresh, photo_at=fresh.photo_at[way.before], arranged=False)
        assert np.array_equal(arrange(features, shape, options=FAST, warm=lay).photo_at, lay.photo_at)


def test_what_auto_selected_is_used_again_when_a_pin_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = rectangle(6, 6)
    features = shape.coordinates + 0.02 * np.random.default_rng(0).standard_normal((36, 2))
    pins, options = Pins({k: shape.cells[k] for k in range(0, 36, 3)}), Options(auto=True, basis=30)
    before = arrange(features, shape, pins, options)
    assert before.guide.selected is not None
    monkeypatch.setattr("album_app.solver.selection.select", None)
    after = arrange(features, shape, pins.pin(0, (1, 1)), options, warm=before)
    assert after.photo_in((1, 1)) == 0
