"""Sinkhorn's algorithm against POT, and its laws."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from album_app.solver.arrays import to_host
from album_app.solver.sinkhorn import sinkhorn


@pytest.mark.parametrize(("n_x", "n_y"), [(1, 7), (17, 17), (31, 13)])
@pytest.mark.parametrize("epsilon", [0.1, 0.3, 1.0])
def test_plan_is_the_one_of_pot(n_x: int, n_y: int, epsilon: float) -> None:
    ot = pytest.importorskip("ot")
    scores = np.random.default_rng(n_x).standard_normal((n_x, n_y))
    plan = sinkhorn(scores / epsilon, sweeps=20_000, tolerance=1e-13).plan
    marginals = np.full(n_x, 1 / n_x), np.full(n_y, 1 / n_y)
    oracle = ot.bregman.sinkhorn_log(*marginals, -scores, epsilon, numItermax=5000, stopThr=1e-11)
    np.testing.assert_allclose(plan, oracle, rtol=1e-6, atol=1e-12)


@given(
    seed=st.integers(0, 10_000),
    n_x=st.integers(1, 25),
    n_y=st.integers(1, 25),
    spread=st.sampled_from([1e-3, 1.0, 30.0, 3000.0]),
)
@settings(max_examples=60)
def test_marginals_are_uniform(seed: int, n_x: int, n_y: int, spread: float) -> None:
    logits = spread * np.random.default_rng(seed).standard_normal((n_x, n_y))
    transport = sinkhorn(logits, sweeps=2000)
    plan = transport.plan
    assert np.isfinite(plan).all() and (plan >= 0).all()
    assert np.abs(plan.sum(axis=0) - 1 / n_y).max() < 1e-8
    assert np.abs(plan.sum(axis=1) - 1 / n_x).sum() == pytest.approx(transport.error, abs=1e-8)
    if spread <= 1.0:
        assert np.abs(plan.sum(axis=1) - 1 / n_x).max() < 1e-8


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_potentials_describe_the_plan(dtype: str, as_backend: Callable[[Any], Any]) -> None:
    logits = as_backend((20.0 * np.random.default_rng(3).standard_normal((19, 41))).astype(dtype))
    transport = sinkhorn(logits)
    f, g = to_host(transport.f), to_host(transport.g)
    assert str(transport.plan.dtype).endswith(dtype)
    expected = np.exp(to_host(logits) + f[:, None] + g[None, :])
    np.testing.assert_allclose(to_host(transport.plan), expected, rtol=1e-3 if dtype == "float32" else 1e-9, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_huge_scores_become_an_assignment(dtype: type) -> None:
    permutation = np.random.default_rng(0).permutation(29)
    logits = np.full((29, 29), -1e4, dtype=dtype)
    logits[np.arange(29), permutation] = 1e4
    plan = sinkhorn(logits).plan
    np.testing.assert_allclose(plan[np.arange(29), permutation], 1 / 29, rtol=1e-3)


def test_warm_potentials_save_sweeps() -> None:
    logits = 10.0 * np.random.default_rng(1).standard_normal((60, 50))
    cold = sinkhorn(logits)
    warm = sinkhorn(logits + 1e-6, (cold.f, cold.g))
    assert warm.sweeps < cold.sweeps / 2
    np.testing.assert_allclose(warm.plan, cold.plan, rtol=1e-4, atol=1e-12)


def test_misleading_potentials_do_no_harm() -> None:
    rng = np.random.default_rng(2)
    logits = rng.standard_normal((13, 17))
    right = sinkhorn(logits).plan
    wrong = sinkhorn(logits, (1e5 * rng.standard_normal(13), 1e5 * rng.standard_normal(17))).plan
    np.testing.assert_allclose(wrong, right, rtol=1e-6)
