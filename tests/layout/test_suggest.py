"""Pins by preset: the right cells, photos far apart, near cells for photos that are near."""

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import ShapeSpec, build_shape, rectangle
from album_app.layout.suggest import CHOOSERS, corner_pins, edge_pins, far_apart, letter_pins, preset_pins, with_preset


@pytest.fixture
def clusters() -> np.ndarray:
    """Four tight groups of 25 photos each at the corners of a square, group by group."""
    random = np.random.default_rng(0)
    return np.repeat([[0, 0], [0, 9], [9, 0], [9, 9]], 25, axis=0) + 0.2 * random.random((100, 2))


@pytest.mark.parametrize("how", CHOOSERS)
def test_each_corner_gets_another_kind_and_opposites_lie_opposite(clusters: np.ndarray, how: str) -> None:
    shape = rectangle(10, 12)
    pins = corner_pins(clusters, shape, how=how)
    group = {cell: photo // 25 for photo, cell in pins.items()}
    assert set(group) == set(shape.corners)
    assert sorted(group.values()) == [0, 1, 2, 3]
    assert group[0, 0] + group[9, 11] == 3, "the far corners of the square lie in opposite corners of the sheet"


@pytest.mark.parametrize("how", CHOOSERS)
def test_letters_and_edges_get_one_photo_each(clusters: np.ndarray, how: str) -> None:
    shape = build_shape(ShapeSpec("text", text="ECML PKDD"), 320)
    pins = letter_pins(clusters, shape, how=how)
    assert sorted(pins.values()) == sorted(shape.centres)
    assert sorted(edge_pins(clusters, shape, how=how).values()) == sorted(shape.edge_middles)


def test_chosen_photos_go_to_the_cells_in_order(clusters: np.ndarray) -> None:
    assert corner_pins(clusters, rectangle(3, 3), [7, 5]) == {7: (0, 0), 5: (0, 2)}
    with pytest.raises(UsageError, match="4 places"):
        corner_pins(clusters, rectangle(3, 3), range(5))


@pytest.mark.parametrize("how", CHOOSERS)
def test_only_candidates_are_suggested(clusters: np.ndarray, how: str) -> None:
    allowed = [3, 30, 60]
    assert set(corner_pins(clusters, rectangle(5, 5), candidates=allowed, how=how)) == set(allowed)
    assert len(corner_pins(clusters[:1], rectangle(5, 5), how=how)) == 1
    assert len(corner_pins(np.ones((6, 2)), rectangle(5, 5), how=how)) == 4


def test_the_odd_one_out_is_not_suggested() -> None:
    random = np.random.default_rng(0)
    features = np.concatenate([random.random((99, 3)), [[50.0, 50.0, 50.0]]])
    assert 99 not in far_apart(features, 4)


def test_the_same_album_gets_the_same_pins(clusters: np.ndarray) -> None:
    assert corner_pins(clusters, rectangle(5, 5)) == corner_pins(clusters.copy(), rectangle(5, 5))


def test_what_cannot_be_suggested_is_said(clusters: np.ndarray) -> None:
    with pytest.raises(UsageError, match="no letters"):
        letter_pins(clusters, rectangle(5, 5))
    with pytest.raises(UsageError, match="spread or extremes"):
        corner_pins(clusters, rectangle(5, 5), how="luck")
    with pytest.raises(UsageError, match="corners, letters, edges"):
        preset_pins("middle", clusters, rectangle(5, 5))


def test_a_preset_leaves_what_is_pinned_alone() -> None:
    features, shape = np.random.default_rng(0).random((9, 3)), rectangle(3, 3)
    pins = with_preset(Pins({4: (0, 0), 5: (1, 1)}), "corners", features, shape, range(1, 8))
    assert pins[4] == (0, 0) and pins[5] == (1, 1)
    assert {*pins.values()} == {*shape.corners, (1, 1)}
    assert {*pins} <= {*range(1, 8)}
