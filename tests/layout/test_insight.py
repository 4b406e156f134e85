"""What is said beside a layout: significance, alternatives, the next pin, pins that disagree."""

import numpy as np
import pytest
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.layout import Layout, Options, Pins
from album_app.layout.arranging.arrange import arrange
from album_app.layout.insight import (
    alternatives_at,
    assignment_gap,
    conflicting_pins,
    hidden_pin_error,
    places_for,
    smi_significance,
    suggest_pin,
)
from album_app.layout.shapes.shape import rectangle

SHAPE = rectangle(10, 10)


@pytest.fixture(scope="module")
def plane() -> NDArray[np.float64]:
    """A hundred photos that belong on a plane: two features and a little noise."""
    return SHAPE.coordinates + 0.02 * np.random.default_rng(0).standard_normal((100, 2))


@pytest.fixture(scope="module")
def corners() -> Pins:
    return Pins({0: (0, 0), 9: (0, 9), 90: (9, 0), 99: (9, 9)})


@pytest.fixture(scope="module")
def layout(plane: NDArray[np.float64], corners: Pins) -> Layout:
    return arrange(plane, SHAPE, corners)


def shuffled(layout: Layout, seed: int) -> Layout:
    return Layout(layout.shape, np.random.default_rng(seed).permutation(layout.photo_at), layout.confidence)


def test_a_sorted_sheet_is_significant_and_a_shuffled_one_is_not(layout: Layout, plane: NDArray[np.float64]) -> None:
    assert smi_significance(layout, plane) > 10
    assert abs(np.mean([smi_significance(shuffled(layout, seed), plane) for seed in range(5)])) < 2


def test_nothing_is_significant_where_nothing_varies(layout: Layout) -> None:
    assert smi_significance(layout, np.ones((100, 2))) == 0.0
    tiny = arrange(np.ones((1, 2)), rectangle(1, 1))
    assert smi_significance(tiny, np.ones((1, 2))) == 0.0


def test_alternatives_are_ranked_shares_and_belong_near_the_cell(layout: Layout) -> None:
    found = alternatives_at(layout, (2, 7), k=5)
    shares = [share for _, share in found]
    assert len(found) == 5
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1.0001
    near = [np.hypot(photo // 10 - 2, photo % 10 - 7) for photo, _ in found]
    assert np.mean(near) < 4


def test_places_of_a_photo_are_shares_around_where_it_belongs(layout: Layout) -> None:
    shares = places_for(layout, 27)
    assert shares.sum() == pytest.approx(1.0, abs=1e-3)
    assert np.hypot(*(shares @ SHAPE.cells - [2, 7])) < 2.5


def test_a_layout_without_its_guide_has_no_alternatives_but_a_next_pin(
    layout: Layout, plane: NDArray[np.float64], corners: Pins
) -> None:
    saved = Layout(SHAPE, layout.photo_at, layout.confidence, corners)
    assert alternatives_at(saved, (0, 0)) == []
    assert not places_for(saved, 3).any()
    assert assignment_gap(saved) == 0.0
    photo, cell = suggest_pin(saved, plane)
    assert saved.photo_in(cell) == photo
    assert photo not in corners


def test_the_gap_is_a_share_and_smaller_for_the_plan_s_own_rounding(
    layout: Layout, plane: NDArray[np.float64], corners: Pins
) -> None:
    bare = arrange(plane, SHAPE, corners, Options(refine=False))
    scattered = Layout(SHAPE, shuffled(layout, 1).photo_at, layout.confidence, guide=layout.guide)
    assert 0 <= assignment_gap(bare) < assignment_gap(scattered) <= 1


def test_the_next_pin_is_far_from_those_there_are(plane: NDArray[np.float64]) -> None:
    pins = Pins({0: (0, 0), 1: (0, 1), 10: (1, 0)})
    layout = arrange(plane, SHAPE, pins)
    photo, cell = suggest_pin(layout, plane)
    assert layout.photo_in(cell) == photo
    assert np.hypot(*cell) > 5


def test_where_all_is_pinned_no_pin_is_suggested() -> None:
    features = np.random.default_rng(0).random((4, 3))
    shape = rectangle(2, 2)
    full = arrange(features, shape, Pins({i: shape.cell(i) for i in range(4)}))
    with pytest.raises(UsageError, match="pinned already"):
        suggest_pin(full, features)


def test_a_pin_that_contradicts_the_others_is_found(plane: NDArray[np.float64], corners: Pins) -> None:
    more = Pins({**corners, 4: (0, 4), 49: (4, 9), 94: (9, 4), 40: (4, 0)})
    agreeing = arrange(plane, SHAPE, more)
    assert conflicting_pins(agreeing, plane) == []
    wrong = more.unpin(4).unpin(94).pin(4, (9, 4))
    found = conflicting_pins(arrange(plane, SHAPE, wrong), plane)
    assert 4 in dict(found)
    assert 49 not in dict(found)
    assert all(error > 0.5 for error in dict(found).values())


def test_hidden_pins_are_found_by_the_others(plane: NDArray[np.float64], corners: Pins) -> None:
    more = Pins({**corners, 4: (0, 4), 49: (4, 9), 94: (9, 4), 40: (4, 0)})
    assert hidden_pin_error(plane, SHAPE, more) < 0.1
    assert np.isnan(hidden_pin_error(plane, SHAPE, Pins()))
