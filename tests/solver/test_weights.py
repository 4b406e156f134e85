"""A sample of weight 2 counts for two, in every sum and in the plan's marginals."""

from dataclasses import replace

import numpy as np
import pytest

from album_app.solver import LsmiSinkhorn, Problem
from album_app.solver.model import PaperModel
from album_app.solver.sinkhorn import sinkhorn

EXACT = LsmiSinkhorn(dtype="float64", sweeps=20_000, tolerance=1e-12)


@pytest.fixture
def weighted() -> Problem:
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((40, 3)), rng.standard_normal((31, 2))
    pairs = rng.integers(1, 4, 6), rng.integers(1, 5, 34), rng.integers(1, 3, 25)
    return Problem(x[:6], y[:6], x[6:], y[6:], *pairs)


def test_weights_count_like_repeated_samples(weighted: Problem) -> None:
    model = PaperModel.of(weighted, 50, 0)
    times = [np.asarray(w, int) for w in (weighted.pair_weights, weighted.x_weights, weighted.y_weights)]
    x_pairs, y_pairs = (np.repeat(side, times[0], axis=0) for side in (weighted.x_pairs, weighted.y_pairs))
    x, y = np.repeat(weighted.x, times[1], axis=0), np.repeat(weighted.y, times[2], axis=0)
    K, L = model.x_kernel(np.concatenate([x_pairs, x])), model.y_kernel(np.concatenate([y_pairs, y]))
    phi = np.einsum("bi,bj->bij", K, L).reshape(len(K), -1)
    np.testing.assert_allclose(model.H, phi @ phi.T / phi.shape[1], rtol=1e-10)
    np.testing.assert_allclose(model.mean_phi, phi.mean(axis=1), rtol=1e-10)
    n = len(x_pairs)
    np.testing.assert_allclose(model.h_pairs, (K[:, :n] * L[:, :n]).mean(axis=1), rtol=1e-10)


def test_the_plan_has_the_weights_as_marginals_and_the_law_still_holds(weighted: Problem) -> None:
    solution = EXACT.solve(weighted)
    np.testing.assert_allclose(solution.plan.sum(axis=1), weighted.x_weights / weighted.x_weights.sum(), rtol=1e-8)
    np.testing.assert_allclose(solution.plan.sum(axis=0), weighted.y_weights / weighted.y_weights.sum(), rtol=1e-8)
    J = np.array(solution.objective)
    assert (np.diff(J) <= 1e-9 * np.abs(J[1:])).all()
    entropy = np.sum(solution.plan * (np.log(solution.plan) - 1.0))
    assert solution.state.entropy == pytest.approx(entropy, rel=1e-9)


def test_plan_of_given_marginals_is_the_one_of_pot() -> None:
    ot = pytest.importorskip("ot")
    rng = np.random.default_rng(4)
    scores, a, b = rng.standard_normal((19, 13)), rng.dirichlet(np.ones(19)), rng.dirichlet(np.ones(13))
    plan = sinkhorn(scores / 0.3, sweeps=20_000, tolerance=1e-13, marginals=(a, b)).plan
    oracle = ot.bregman.sinkhorn_log(a, b, -scores, 0.3, numItermax=5000, stopThr=1e-11)
    np.testing.assert_allclose(plan, oracle, rtol=1e-6, atol=1e-12)


def test_equal_weights_change_nothing(weighted: Problem) -> None:
    plain = replace(weighted, pair_weights=None, x_weights=None, y_weights=None)
    sevens = replace(plain, pair_weights=np.full(6, 7), x_weights=np.full(34, 7.0), y_weights=[7] * 25)
    assert EXACT.solve(sevens).smi == pytest.approx(EXACT.solve(plain).smi, rel=1e-9)


def test_weights_work_on_torch(weighted: Problem) -> None:
    torch = pytest.importorskip("torch")
    sides = (weighted.x_pairs, weighted.y_pairs, weighted.x, weighted.y)
    tensors = Problem(*map(torch.asarray, sides), weighted.pair_weights, weighted.x_weights, weighted.y_weights)
    assert EXACT.solve(tensors).smi == pytest.approx(EXACT.solve(weighted).smi, rel=1e-6)
    assert replace(EXACT, device="cpu").solve(weighted).smi == pytest.approx(EXACT.solve(weighted).smi, rel=1e-6)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"x_weights": np.ones(3)}, r"x_weights must hold 34 numbers, not be of shape \(3,\)"),
        ({"y_weights": np.zeros(25)}, "y_weights must hold positive finite numbers"),
        ({"pair_weights": [1, 1, 1, 1, 1, float("nan")]}, "pair_weights must hold positive finite numbers"),
    ],
)
def test_wrong_weights_are_named(weighted: Problem, wrong: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(weighted, **wrong)
