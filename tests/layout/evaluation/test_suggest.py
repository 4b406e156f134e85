"""Pins by preset: the right cells, photos far apart, near cells for photos that are near."""

from dataclasses import replace

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.evaluation.suggest import corner_pins, far_apart, letter_pins, preset_pins, with_preset
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import ShapeSpec, build_shape, rectangle, symmetries
from album_app.research.benchmarks.layout_promises import way_round
from tests.layout.conftest import photos


@pytest.fixture
def clusters() -> np.ndarray:
    """Four tight groups of 25 photos each at the corners of a square, group by group."""
    random = np.random.default_rng(0)
    return np.repeat([[0, 0], [0, 9], [9, 0], [9, 9]], 25, axis=0) + 0.2 * random.random((100, 2))


def test_each_corner_gets_another_kind_and_opposites_lie_opposite(clusters: np.ndarray) -> None:
    shape = rectangle(10, 12)
    pins = corner_pins(clusters, shape)
    group = {cell: photo // 25 for photo, cell in pins.items()}
    assert set(group) == set(shape.corners)
    assert sorted(group.values()) == [0, 1, 2, 3]
    assert group[0, 0] + group[9, 11] == 3, "the far corners of the square lie in opposite corners of the sheet"


@pytest.mark.parametrize("preset", ["corners", "edges"])
def test_proposals_suit_the_way_a_sheet_lies(clusters: np.ndarray, preset: str) -> None:
    shape = rectangle(10, 10)
    sheet, afresh = arrange(clusters, shape), preset_pins(preset, clusters, shape)
    for way in symmetries(shape):
        lying = replace(sheet, photo_at=sheet.photo_at[way.before])
        pins = preset_pins(preset, clusters, shape, lying=lying)
        assert sorted(pins.values()) == sorted(afresh.values())
        for photo, cell in pins.items():
            away = {other: np.linalg.norm(np.subtract(lying.positions[photo], other)) for other in pins.values()}
            assert away[cell] == min(away.values()) <= 5
        if preset == "corners":
            assert sorted(photo // 25 for photo in pins) == [0, 1, 2, 3], "one of each kind, as without a sheet"


def test_proposals_taken_leave_the_sheet_as_it_lies() -> None:
    features, shape = photos(120, 3), rectangle(10, 12)
    turned = []
    for way in symmetries(shape):
        sheet = arrange(features, shape)
        assert isinstance(sheet.guide, PlanGuide)
        lying = replace(sheet, photo_at=sheet.photo_at[way.before], guide=sheet.guide.turned(way))
        after = arrange(features, shape, corner_pins(features, shape, lying=lying), warm=lying)
        turned.append(way_round(lying, after, list(range(120))))
    assert turned == [0] * len(turned)


def test_photos_that_lie_nowhere_are_not_proposed_where_a_sheet_lies(clusters: np.ndarray) -> None:
    lying = arrange(clusters, rectangle(5, 5), active=list(range(0, 100, 4)))
    assert set(corner_pins(clusters, rectangle(5, 5), lying=lying)) <= set(lying.shown)
    assert corner_pins(clusters, rectangle(5, 5), candidates=[1, 2], lying=lying) == Pins()


def test_letters_and_edges_get_one_photo_each(clusters: np.ndarray) -> None:
    shape = build_shape(ShapeSpec("text", text="ECML PKDD", wrap=False), 320)
    pins = letter_pins(clusters, shape)
    assert sorted(pins.values()) == sorted(shape.centres)
    assert sorted(preset_pins("edges", clusters, shape).values()) == sorted(shape.edge_middles)


def test_only_candidates_are_suggested(clusters: np.ndarray) -> None:
    allowed = [3, 30, 60]
    assert set(corner_pins(clusters, rectangle(5, 5), candidates=allowed)) == set(allowed)
    assert len(corner_pins(clusters[:1], rectangle(5, 5))) == 1
    assert len(corner_pins(np.ones((6, 2)), rectangle(5, 5))) == 4


def test_the_odd_one_out_is_not_suggested() -> None:
    random = np.random.default_rng(0)
    features = np.concatenate([random.random((99, 3)), [[50.0, 50.0, 50.0]]])
    assert 99 not in far_apart(features, 4)


def test_the_same_album_gets_the_same_pins(clusters: np.ndarray) -> None:
    assert corner_pins(clusters, rectangle(5, 5)) == corner_pins(clusters.copy(), rectangle(5, 5))


def test_what_cannot_be_suggested_is_said(clusters: np.ndarray) -> None:
    with pytest.raises(UsageError, match="no letters"):
        letter_pins(clusters, rectangle(5, 5))
    with pytest.raises(UsageError, match="corners, letters, edges"):
        preset_pins("middle", clusters, rectangle(5, 5))


def test_a_preset_leaves_what_is_pinned_alone() -> None:
    features, shape = np.random.default_rng(0).random((9, 3)), rectangle(3, 3)
    pins = with_preset(Pins({4: (0, 0), 5: (1, 1)}), "corners", features, shape, range(1, 8))
    assert pins[4] == (0, 0) and pins[5] == (1, 1)
    assert {*pins.values()} == {*shape.corners, (1, 1)}
    assert {*pins} <= {*range(1, 8)}


def test_where_every_photo_is_pinned_nothing_is_added(clusters: np.ndarray) -> None:
    pins = Pins({photo: (1 + photo // 6, 1 + photo % 6) for photo in range(len(clusters))})
    assert with_preset(pins, "corners", clusters, rectangle(40, 50), range(len(clusters))) == pins
