"""Very many samples in batches: the answer is that of all samples at once, in little memory."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from album_app.errors import Stopped
from album_app.solver import InvalidInput, LsmiSinkhorn, Problem
from album_app.solver.minibatch import solve_in_batches


def linear(n: int, pairs: int = 60, seed: int = 0) -> tuple[Problem, np.ndarray, np.ndarray]:
    """A problem, and 50 other pairs."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((2 * n + pairs + 50, 3))
    y = 0.5 * x + 0.1 * rng.standard_normal(x.shape)
    return Problem(x[:pairs], y[:pairs], x[pairs : pairs + n], y[pairs + n : pairs + 2 * n]), x[-50:], y[-50:]


def test_batches_say_what_all_samples_say_and_landmarks_do_not() -> None:
    problem, x, y = linear(1500)
    solver = LsmiSinkhorn(basis=60)
    whole = solver.solve(problem)
    batches = solve_in_batches(problem, solver, batch=250)
    landmarks = replace(solver, landmarks=250).solve(problem)

    def apart(solution) -> float:  # type: ignore[no-untyped-def]
        expected = whole.ratio(x, y)
        return float(np.linalg.norm(solution.ratio(x, y) - expected) / np.linalg.norm(expected))

    assert batches.smi == pytest.approx(whole.smi, rel=0.05)
    assert apart(batches) < 0.05 < apart(landmarks)


def test_the_last_batch_is_matched_by_rows_of_the_problem() -> None:
    problem, _, _ = linear(400)
    solution = solve_in_batches(problem, LsmiSinkhorn(basis=40), batch=100, iterations=10)
    rows, columns = solution.match()
    assert solution.plan.shape == (100, 100)
    assert set(rows) == set(solution.landmarks[0]) and set(columns) == set(solution.landmarks[1])


def test_memory_does_not_grow_with_the_square_of_the_samples() -> None:
    problem, _, _ = linear(30_000)
    tracemalloc.start()
    solve_in_batches(problem, LsmiSinkhorn(basis=30), batch=200, iterations=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30e6  # a plan of all samples has 3.6 GB


def test_a_small_problem_is_one_batch_and_the_seed_decides() -> None:
    problem, x, y = linear(80)
    one, other = (solve_in_batches(problem, LsmiSinkhorn(basis=30), iterations=5) for _ in range(2))
    assert one.plan.shape == (80, 80) and (one.ratio(x, y) == other.ratio(x, y)).all()


@pytest.mark.parametrize("wrong", [{"batch": 0}, {"iterations": 0}])
def test_no_batch_at_all_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidInput, match="must be at least 1"):
        solve_in_batches(linear(80)[0], **wrong)


def test_it_can_be_stopped_and_refuses_weights() -> None:
    problem, _, _ = linear(100)
    with pytest.raises(Stopped):
        solve_in_batches(problem, stop=lambda: True)
    with pytest.raises(ValueError, match="must not have weights"):
        solve_in_batches(replace(problem, pair_weights=np.ones(60)))
