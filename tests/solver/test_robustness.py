"""For any settings and any data the answer is finite, and says where it means little."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from album_app.solver import InvalidInput, LsmiSinkhorn, Problem, Solution, TensorSinkhorn
from album_app.solver.minibatch import solve_in_batches

Spoil = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]

DATA: dict[str, Spoil] = {
    "plain": lambda x, y: (x, y),
    "tiny and huge": lambda x, y: (1e-3 * x, 1e3 * y),
    "huge and tiny": lambda x, y: (1e3 * x, 1e-3 * y),
    "constant x": lambda x, y: (np.full_like(x, 0.3), y),
    "constant y": lambda x, y: (x, np.zeros_like(y)),
    "all constant": lambda x, y: (0 * x + 1e5, 0 * y - 1e-5),
    "duplicated": lambda x, y: (x[np.arange(len(x)) // 7], y[np.arange(len(y)) // 7]),
    "mostly the same": lambda x, y: (np.where(np.arange(len(x))[:, None] % 5, 0.0, x), y),
    "one outlier": lambda x, y: (np.concatenate([1e9 + x[:1], x[1:]]), y),
    "far from zero": lambda x, y: (x + 1e8, y - 1e8),
    "few y": lambda x, y: (x, y[:7]),
    "one y": lambda x, y: (x, y[:4]),
}


def problem(name: str, size: int = 63, pairs: int = 3) -> Problem:
    rng = np.random.default_rng(5)
    x = rng.standard_normal((size, 3))
    x, y = DATA[name](x, np.sin(x[:, :2]))
    return Problem(x[:pairs], y[:pairs], x[pairs:], y[pairs:])


def assert_sound(solution: Solution, case: object) -> None:
    numbers = [solution.plan, solution.alpha, *solution.potentials, np.array([solution.smi, *solution.objective])]
    assert all(np.isfinite(array).all() for array in numbers), case
    assert (solution.plan >= 0).all() and solution.smi >= 0, case
    n_x, n_y = solution.plan.shape
    assert np.abs(solution.plan.sum(axis=0) * n_y - 1).max() < 1e-3, case
    if "marginals" not in solution.degenerate:
        assert np.abs(solution.plan.sum(axis=1) - 1 / n_x).sum() < 0.051, case


@pytest.mark.parametrize("name", DATA)
def test_never_nan(name: str) -> None:
    data = problem(name)
    for case in itertools.product([0.005, 0.05, 1.0], [1e-6, 1e-3, 1e-1], [0.0, 0.5, 1.0], [20, 200]):
        epsilon, lam, beta, basis = case
        assert_sound(LsmiSinkhorn(basis, beta, epsilon, lam, iterations=6).solve(data), case)


def test_never_nan_with_a_large_basis() -> None:
    data = problem("duplicated", size=523)
    for case in itertools.product([0.005, 0.3], [1e-6, 1e-1]):
        epsilon, lam = case
        assert_sound(LsmiSinkhorn(500, 0.2, epsilon, lam, iterations=2).solve(data), case)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_never_nan_in_either_precision(dtype: str) -> None:
    for name, epsilon, lam in itertools.product(["plain", "few y"], [0.001, 0.3], [0.0, 1e-6]):
        solver = LsmiSinkhorn(epsilon=epsilon, lam=lam, dtype=dtype, start="random")
        assert_sound(solver.solve(problem(name)), (name, epsilon, lam))


@pytest.mark.parametrize(("name", "side"), [("constant x", "x"), ("constant y", "y"), ("all constant", "x and of y")])
def test_constant_features_are_called_degenerate(name: str, side: str) -> None:
    solution = LsmiSinkhorn().solve(problem(name))
    assert f"all samples of {side} coincide" in solution.degenerate
    assert solution.smi == 0.0
    assert not LsmiSinkhorn().solve(problem("plain", pairs=4)).degenerate


@pytest.mark.parametrize("pairs", range(4))
@pytest.mark.parametrize("solve", [LsmiSinkhorn().solve, TensorSinkhorn().solve, solve_in_batches])
def test_fewer_than_four_different_pairs_are_called_degenerate(pairs: int, solve: Callable[..., Solution]) -> None:
    few = problem("plain", pairs=pairs)
    words = "there are fewer than 4 different pairs"
    assert solve(few).degenerate == solve(few.with_pairs(np.tile(np.arange(pairs), 9))).degenerate == words
    assert not solve(problem("plain", pairs=4)).degenerate


def test_too_few_pairs_are_named_last() -> None:
    assert "all samples of x coincide" in LsmiSinkhorn().solve(problem("constant x", pairs=2)).degenerate
    hurried = LsmiSinkhorn(epsilon=0.0005, sweeps=5, iterations=1).solve(problem("plain", pairs=2))
    assert "marginals are still off" in hurried.degenerate


def test_unsettled_marginals_are_called_degenerate() -> None:
    solution = LsmiSinkhorn(epsilon=0.0005, sweeps=5, iterations=1).solve(problem("plain"))
    assert "marginals are still off" in solution.degenerate


def test_scaling_the_features_changes_little() -> None:
    plain, scaled = (LsmiSinkhorn(basis=1000).solve(problem(name)).smi for name in ("plain", "tiny and huge"))
    assert scaled == pytest.approx(plain, rel=0.2)


def test_new_samples_are_checked_as_the_fitted_ones_are() -> None:
    x = np.linspace(-1.0, 1.0, 20)[:, None]
    solution = LsmiSinkhorn().solve(Problem(x[::4], x[::4], x, x))
    gap = np.where(np.arange(20)[:, None] == 3, np.nan, x)
    for call, complaint in (
        (lambda: solution.ratio(np.hstack([x, x]), x), "x must have as many features as the fitted x: 1, not 2"),
        (lambda: solution.ratio(x, gap), "y must hold finite numbers, .* in row 3, column 0"),
        (lambda: solution.expected([["a"]]), "x must be an array of numbers"),
        (lambda: solution.shares(x[:, 0]), "x must be a matrix with samples as rows"),
        (lambda: solution.score(x, x[:5]), "x and y must hold as many samples, not 20 and 5"),
        (lambda: solution.score(x[:0], x[:0]), "at least one pair"),
    ):
        with pytest.raises(InvalidInput, match=complaint):
            call()
    assert np.array_equal(solution.ratio(x.tolist(), x), solution.ratio(x, x))
    assert len(repr(solution)) < 200 and len(repr(solution.state.model.problem)) < 200
