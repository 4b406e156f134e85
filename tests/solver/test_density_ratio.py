"""The separable formulas against the sums that the paper writes."""

import numpy as np

from album_app.solver import density_ratio
from album_app.solver.density_ratio import Gaussian, median_distance, squared_distances


def kernels(b: int = 7, n_x: int = 11, n_y: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.uniform(size=(b, n_x)), rng.uniform(size=(b, n_y))


def test_design_is_the_mean_over_all_combinations() -> None:
    K, L = kernels()
    phi = (K[:, :, None] * L[:, None, :]).reshape(7, -1)  # (b, n_x n_y)
    np.testing.assert_allclose(density_ratio.design(K, L), phi @ phi.T / 55)
    np.testing.assert_allclose(density_ratio.mean_over_all(K, L), phi.mean(axis=1))


def test_expectation_under_a_plan() -> None:
    K, L = kernels()
    plan = np.random.default_rng(1).uniform(size=(11, 5))
    expected = np.einsum("li,lj,ij->l", K, L, plan)
    np.testing.assert_allclose(density_ratio.mean_over_plan(K, L, plan), expected)


def test_alpha_solves_the_ridge_equation() -> None:
    K, L = kernels()
    H, h = density_ratio.design(K, L), np.arange(1.0, 8.0)
    alpha = density_ratio.fit(density_ratio.factorise(H, 1e-3), h)
    np.testing.assert_allclose((H + 1e-3 * np.eye(7)) @ alpha, h, rtol=1e-9)


def test_smi_is_the_mean_square_of_the_ratio_less_one() -> None:
    K, L = kernels()
    alpha = np.random.default_rng(2).standard_normal(7)
    ratio = density_ratio.ratio(alpha, K, L)
    expected = np.mean((ratio - 1.0) ** 2) / 2.0
    H, mean_phi = density_ratio.design(K, L), density_ratio.mean_over_all(K, L)
    np.testing.assert_allclose(density_ratio.squared_loss_mi(alpha, H, mean_phi), expected)


def test_median_rule() -> None:
    points = np.array([[0.0], [1.0], [10.0]])  # distances 1, 9, 10
    assert median_distance(points) == 9.0
    kernel = Gaussian.fit(points, np.array([0, 2]))
    np.testing.assert_allclose(kernel.width, 9.0 / np.sqrt(2.0))
    np.testing.assert_allclose(kernel(points), np.exp(-np.array([[0, 1, 100], [100, 81, 0]]) / 81.0))


def test_distances_survive_a_large_offset() -> None:
    x = np.random.default_rng(0).standard_normal((9, 3))
    rows = np.arange(9)
    np.testing.assert_allclose(Gaussian.fit(x + 1e6, rows)(x + 1e6), Gaussian.fit(x, rows)(x), rtol=1e-6)
    assert squared_distances(x, x).min() >= 0.0
