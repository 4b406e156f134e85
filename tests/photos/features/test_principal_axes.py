"""Principal axes: known answers, and coordinates that depend neither on the order nor on the precision."""

import numpy as np
import pytest

from album_app.photos.features.reduction import along_principal_axes

SHAPES = [(40, 6), (6, 40), (9, 9)]


def centred(shape: tuple[int, int], kind: type = np.float64) -> np.ndarray:
    rng = np.random.default_rng(0)
    points = rng.standard_normal(shape) * np.linspace(3, 1, shape[1])
    return (points - points.mean(axis=0)).astype(kind)


def test_an_ellipse_is_turned_onto_its_axes() -> None:
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    upright = np.stack([5 * np.cos(angle), np.sin(angle)], axis=1)
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    found = along_principal_axes(upright @ turn, 2)
    np.testing.assert_allclose(np.abs(found), np.abs(upright), atol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_distances_stay_and_directions_come_widest_first(shape: tuple[int, int]) -> None:
    points = centred(shape)
    found = along_principal_axes(points, min(shape))
    np.testing.assert_allclose(found @ found.T, points @ points.T, atol=1e-8)
    assert (np.diff(found.var(axis=0)) <= 1e-12).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_neither_order_nor_precision_nor_reflection_matters(shape: tuple[int, int]) -> None:
    points = centred(shape)
    found = along_principal_axes(points, 4)
    order = np.random.default_rng(1).permutation(len(points))
    np.testing.assert_allclose(along_principal_axes(points[order], 4), found[order], atol=1e-8)
    single = along_principal_axes(points.astype(np.float32), 4)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, found, atol=1e-4)
    farthest = np.abs(found).argmax(axis=0)
    assert (found[farthest, np.arange(4)] > 0).all()


def test_points_that_are_all_the_same_have_no_coordinates() -> None:
    for shape in SHAPES:
        assert not along_principal_axes(np.zeros(shape, np.float32), 3).any()
