"""Photos as points: which photos are most like which, for any number of photos."""

import numpy as np
import pytest

from album_app.layout.arranging.space import Space
from tests.layout.conftest import photos


@pytest.mark.parametrize("count", [1, 7, 60, 99])
def test_the_most_alike_are_the_first_by_distance(count: int) -> None:
    space, some, others = Space.of(photos(90, 4)), np.arange(0, 90, 9), np.arange(30, 90)
    expected = others[space.distances(some, others).argsort(axis=1, kind="stable")[:, :count]]
    assert np.array_equal(space.most_like(some, others, count), expected)
    assert np.array_equal(others[space.nearest(some, others)], expected[:, 0])


def test_a_table_compares_by_all_features_in_the_unit_of_the_points() -> None:
    """The points lack the last axes; distances of them are a little too short."""
    features = (7.0 + 300.0 * np.random.default_rng(3).standard_normal((60, 40)) ** 3).astype(np.float32)
    space, some = Space.of(features), np.arange(0, 60, 5)
    steps = features[some, None].astype(np.float64) - features[some]
    exact = np.sqrt((steps**2).sum(axis=2) / features.var(axis=0, dtype=np.float64).sum())
    assert np.allclose(space.table(some), exact, rtol=1e-4, atol=1e-3)
    assert (space.distances(some, some) < exact + 1e-3).all()
    assert space.distances(some, some).sum() < 0.99 * exact.sum()


def test_nobody_is_like_nobody() -> None:
    space, nobody = Space.of(photos(9, 4)), np.zeros(0, dtype=np.int64)
    assert space.nearest(nobody, np.arange(9)).shape == (0,)
    assert space.most_like(nobody, np.arange(9), 3).shape == (0, 3)
    assert space.nearest(nobody, nobody).shape == (0,)
