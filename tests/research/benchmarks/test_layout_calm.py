"""The benchmark of calm: its changes are what they are called, and its figures come from the sheets."""

from dataclasses import replace

import numpy as np
import pytest

from album_app.layout import Layout, Pins, arrange, corner_pins, rectangle
from album_app.research.benchmarks import layout_calm
from album_app.research.benchmarks.layout_calm import CHANGES, IN_A_ROW, calm, calm_large, drift, slider
from album_app.research.benchmarks.layout_promises import answers, arriving, proposals, way_round
from album_app.research.experiments.study import Request

SHAPE = rectangle(8, 8)
FEATURES = np.random.default_rng(5).random((64, 4)).astype(np.float32) * (4, 2, 1, 1)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    class Material:
        features = FEATURES

    monkeypatch.setattr(layout_calm, "colour_material", lambda request, features: Material)
    monkeypatch.setattr(layout_calm, "all_photos", lambda request: FEATURES)


@pytest.fixture(scope="module")
def layout() -> Layout:
    return arrange(FEATURES, SHAPE, corner_pins(FEATURES, SHAPE))


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_changes_one_thing(name: str, layout: Layout) -> None:
    change = CHANGES[name][0](layout.pins, layout, np.random.default_rng(0))
    moved = {photo for photo in {*change.pins, *change.after} if change.pins.get(photo) != change.after.get(photo)}
    photos, after = (set(range(64) if some is None else some) for some in (change.photos, change.photos_after))
    assert len(moved) == {"three far new pins": 3}.get(name, 2 * ("change places" in name) or ("pin" in name))
    changed = {"a photo left out": 1, "ten photos left out": 10, "ten photos added": 10, "a row of photos added": 8}
    assert len(photos ^ after) == changed.get(name, 0)
    assert set(change.pins) <= photos


def test_calm_stands_beside_a_fresh_sheet() -> None:
    goals = list(calm(Request(1), shape=SHAPE))
    assert len(goals) == 5 * len(CHANGES)
    assert goals[0].found == 1.0
    assert all(np.isfinite(goal.found) for goal in goals)


def test_all_photos_of_a_large_album_are_changed_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(calm_large(Request(1), shape=SHAPE)), "the sample album is no large one"
    crowd = np.random.default_rng(6).random((72, 4)).astype(np.float32)
    monkeypatch.setattr(layout_calm, "all_photos", lambda request: crowd)
    few = {"a far new pin": CHANGES["a far new pin"]}
    goals = list(calm_large(Request(1), changes=few, shape=SHAPE))
    assert len(goals) == 5 and goals[0].what.startswith("72 photos, a far new pin")
    assert all(np.isfinite(goal.found) for goal in goals)


def test_twenty_edits_in_a_row_are_of_all_kinds() -> None:
    together, *each = drift(Request(1), shape=SHAPE)
    assert [goal.what.strip() for goal in each[:-2]] == list(dict.fromkeys(IN_A_ROW))
    assert 0.5 < together.found <= 1.0 and all(0.0 < goal.found <= 1.0 for goal in each[:-2])
    assert all(abs(goal.found) < 0.5 for goal in each[-2:])


def test_the_slider_comes_back() -> None:
    assert next(slider(Request(1), shape=SHAPE)).found == 1.0


def test_shown_photos_suit_their_cells_more_often_than_the_bare_plan_s() -> None:
    every_loose_cell = SHAPE.count - 4  # of only some cells, refined and bare sheets may fill equally many well
    found = answers(Request(1), shape=SHAPE, asked_cells=every_loose_cell, misplaced_pairs=1)
    polished, refined, bare, _, confidence, misplaced = list(found)[:6]
    assert polished.found >= refined.found > bare.found
    assert 0 <= confidence.found < 1
    assert misplaced.found > 0.8


def test_the_way_round_is_told(layout: Layout) -> None:
    grid = layout.photo_at.reshape(8, 8)
    everybody = list(range(64))
    ways = [grid, grid[:, ::-1], grid[::-1], grid[::-1, ::-1]]
    ways += [way.T for way in (grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1])]
    found = [way_round(layout, replace(layout, photo_at=way.ravel(), pins=Pins()), everybody) for way in ways]
    assert found[0] == 0
    assert sorted(found) == list(range(8))
    assert 0 <= next(arriving(Request(1), shape=SHAPE)).found <= 1


def test_proposed_corners_do_not_turn_a_sheet() -> None:
    turned, apart = proposals(Request(2), shape=SHAPE)
    assert turned.found == 0.0
    assert apart.found > 0.5
