"""Kin: the photos that follow a pin are those of its group, or a usual number where photos form none."""

import numpy as np
import pytest

from album_app.layout import Pins
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.kin import FAR_CELLS, KIN_ON_SMALL_SHEETS, USUAL_KIN, far_pins, kin_of
from album_app.layout.shapes.shape import rectangle


def arrangement_with_group(size: int) -> Arrangement:
    """Two thousand photos of which the first ones are nearly the same."""
    rng = np.random.default_rng(5)
    features = rng.random((2000, 4))
    features[:size] = 0.5 + 0.002 * rng.random((size, 4))
    return Arrangement.of(features, rectangle(40, 50), Pins())


@pytest.mark.parametrize("size", [30, 45, 60])
def test_where_photos_form_groups_the_kin_of_a_photo_are_its_group(size: int) -> None:
    kin = kin_of(arrangement_with_group(size), 0, np.arange(1, 2000))
    assert kin.max() < size and len(kin) >= 0.9 * (size - 1)


def test_where_they_form_none_a_usual_number_of_the_most_alike_are_kin() -> None:
    evenly = np.arange(2000)[:, None] ** 0.25
    kin = kin_of(Arrangement.of(evenly, rectangle(40, 50), Pins()), 0, np.arange(1, 2000))
    assert kin.tolist() == list(range(1, USUAL_KIN + 1))


@pytest.mark.parametrize(("count", "expected"), [(3, 3), (500, KIN_ON_SMALL_SHEETS), (1000, 40)])
def test_few_photos_have_few_kin(count: int, expected: int) -> None:
    evenly = np.arange(count + 1)[:, None] ** 0.25
    arrangement = Arrangement.of(evenly, rectangle(count + 1, 1), Pins())
    assert kin_of(arrangement, 0, np.arange(1, count + 1)).tolist() == list(range(1, expected + 1))


def test_a_pin_is_far_where_its_photo_lay_more_than_some_cells_away_or_nowhere() -> None:
    away = int(FAR_CELLS)
    pins = Pins({0: (0, away), 1: (5, away + 1), 2: (9, 9)})
    arrangement = Arrangement.of(np.random.default_rng(0).random((100, 3)), rectangle(10, 10), pins)
    before = np.full(100, -1)
    before[[0, 50]] = 0, 1
    assert far_pins(arrangement, before, np.array([0, 1, 2])).tolist() == [1, 2]
