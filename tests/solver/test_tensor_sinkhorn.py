"""The tensor model: its closed form against a direct solution, its objective, and what it shares with the paper's."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from album_app.solver import Problem, TensorSinkhorn
from album_app.solver.tensor_sinkhorn import HELD_ITERATIONS, Embedding, TensorModel

Make = Callable[..., Problem]


@pytest.mark.parametrize("embedding", ["gaussian", "standardised"])
def test_the_closed_form_solves_the_normal_equations(dependent: Make, embedding: str) -> None:
    problem, lam, beta = dependent(n=6), 1e-3, 0.3
    model = TensorModel.of(problem, embedding, axes=4)
    F, G = model.x_embedding(problem.all_x), model.y_embedding(problem.all_y)
    phi = np.einsum("ik,jl->ijkl", F, G).reshape(len(F) * len(G), -1)  # all combinations
    H = phi.T @ phi / len(phi)
    plan = np.random.default_rng(0).dirichlet(np.ones(problem.n_x * problem.n_y)).reshape(problem.n_x, problem.n_y)
    pairs = np.einsum("ik,il->kl", F[:6], G[:6]).ravel() / 6
    h = beta * pairs + (1 - beta) * np.einsum("ij,ik,jl->kl", plan, F[6:], G[6:]).ravel()
    direct = np.linalg.solve(H + lam * np.eye(len(H)), h)
    found = model.fit(model.factor(lam), beta * model.h_pairs + (1 - beta) * model.expectation(plan))
    np.testing.assert_allclose(found.ravel(), direct, rtol=1e-8, atol=1e-9)
    r = model.ratio(found, problem.all_x, problem.all_y)
    assert r.mean() == pytest.approx(1.0)
    assert model.smi(found) == pytest.approx(0.5 * ((r - 1.0) ** 2).mean())
    np.testing.assert_allclose(model.cost(found) + 1.0, r[6:, 6:], atol=1e-9)
    np.testing.assert_allclose(
        model.ratios_of_pairs(found, problem.x_pairs, problem.y_pairs), np.diag(r[:6, :6]), rtol=1e-9
    )
    assert np.abs(model.cost(found)).max() <= model.bound(found)


def test_the_objective_never_rises_once_epsilon_and_lambda_are_final(dependent: Make) -> None:
    solver = TensorSinkhorn(dtype="float64", sweeps=20_000, tolerance=1e-13, eta=0.0)
    objective = np.array(solver.solve(dependent()).objective)
    held = objective[-2 * HELD_ITERATIONS :]
    assert len(objective) == 40 and (np.diff(held) <= 1e-12 * np.abs(held[1:])).all()
    annealed = objective[-2 * HELD_ITERATIONS - 1]
    assert annealed != pytest.approx(held[0], rel=1e-6)


def test_numpy_and_torch_agree(dependent: Make) -> None:
    torch = pytest.importorskip("torch")
    problem, solver = dependent(), TensorSinkhorn(dtype="float64")
    tensors = Problem(*(torch.asarray(side) for side in (problem.x_pairs, problem.y_pairs, problem.x, problem.y)))
    one, other = solver.solve(problem), solver.solve(tensors)
    assert other.smi == pytest.approx(one.smi, rel=1e-6)
    np.testing.assert_allclose(other.plan, one.plan, rtol=1e-5)


def test_weights_count_like_repeated_samples(dependent: Make) -> None:
    problem, solver = dependent(n=4), TensorSinkhorn(embedding="standardised", dtype="float64", tolerance=1e-12)
    twice = np.repeat(np.arange(4), [1, 2, 1, 3])
    repeated = replace(problem, x_pairs=problem.x_pairs[twice], y_pairs=problem.y_pairs[twice])
    weighted = replace(problem, pair_weights=[1.0, 2.0, 1.0, 3.0])
    assert solver.solve(weighted).smi == pytest.approx(solver.solve(repeated).smi, rel=1e-6)


def test_samples_that_coincide_have_no_dependence(dependent: Make) -> None:
    problem = dependent()
    flat = replace(problem, y_pairs=0 * problem.y_pairs, y=0 * problem.y)
    for embedding in ("gaussian", "standardised"):
        solution = TensorSinkhorn(embedding=embedding).solve(flat)
        assert solution.smi == 0.0 and "all samples of y coincide" in solution.degenerate


def test_a_feature_that_never_varies_is_ignored() -> None:
    samples = np.random.default_rng(0).standard_normal((50, 2))
    padded = np.column_stack([samples, np.full(50, 1e6)])
    one, other = (Embedding.fit(each, None, "standardised")(each) for each in (samples, padded))
    np.testing.assert_allclose(np.abs(other), np.abs(one), atol=1e-9)


def test_settings_that_have_no_meaning_are_named() -> None:
    with pytest.raises(ValueError, match="embedding must be one of gaussian, standardised, not 'fourier'"):
        TensorSinkhorn(embedding="fourier")
    with pytest.raises(ValueError, match="axes must be at least 1, not 0"):
        TensorSinkhorn(axes=0)
    with pytest.raises(ValueError, match="beta must be between 0 and 1"):
        TensorSinkhorn(beta=2.0)


def test_without_pairs_the_plan_starts_from_the_principal_axes() -> None:
    x = np.random.default_rng(1).gamma(1.0, size=(60, 2)) * [3.0, 1.0]
    rows, columns = TensorSinkhorn(embedding="standardised").solve(Problem([], [], x, x[::-1])).match()
    assert np.mean(columns == 59 - rows) > 0.9
