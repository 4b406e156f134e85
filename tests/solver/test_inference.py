"""The interval contains the estimates of other samples, and small p-values are rare for independent data."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from album_app.errors import Stopped
from album_app.solver import Problem, TensorSinkhorn
from album_app.solver.estimator import SmiEstimator
from album_app.solver.inference import Inference, infer, lower_bound

SOLVER = SmiEstimator(basis=40, lam=1e-2, iterations=5)


def gaussian(rho: float, seed: int, n: int = 25, unpaired: int = 60) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n + 2 * unpaired, 1))
    y = rho * x + np.sqrt(1 - rho**2) * rng.standard_normal(x.shape)
    return x[:n], y[:n], x[n : n + unpaired], y[n + unpaired :]


def inferred(rho: float, seed: int, **how: int) -> Inference:
    return replace(SOLVER).fit(*gaussian(rho, seed)).infer(**{"resamples": 20, "permutations": 19, **how})


def test_dependence_is_found_and_independence_is_not() -> None:
    dependent, independent = inferred(0.9, 0), [inferred(0.0, seed, resamples=2) for seed in range(10)]
    assert dependent.p_value == 0.05 and dependent.smi > 2 * dependent.chance
    assert [each.p_value for each in independent].count(0.05) <= 2
    assert abs(np.mean([each.smi - each.chance for each in independent])) < 0.02


def test_intervals_hold_what_the_estimate_is_on_average() -> None:
    mean = np.mean([replace(SOLVER).fit(*gaussian(0.7, seed)).smi_ for seed in range(100, 160)])
    found = [inferred(0.7, seed, resamples=20, permutations=1) for seed in range(12)]
    assert all(each.low <= each.smi <= each.high for each in found)
    assert sum(each.low <= mean <= each.high for each in found) >= 10


def test_more_confidence_takes_more_room() -> None:
    solver = replace(SOLVER).fit(*gaussian(0.5, 1))
    narrow, wide = (solver.infer(level=level, resamples=10, permutations=1) for level in (0.5, 0.99))
    assert wide.high - wide.smi > 2 * (narrow.high - narrow.smi)


def test_it_can_be_stopped_and_says_how_far_it_is() -> None:
    reported: list[tuple[int, int]] = []
    solver = replace(SOLVER).fit(*gaussian(0.5, 1))
    with pytest.raises(Stopped):
        solver.infer(
            resamples=5, permutations=4, on_progress=lambda *at: reported.append(at), stop=lambda: len(reported) == 3
        )
    assert reported == [(1, 15), (2, 15), (3, 15)]


def test_too_few_pairs_and_wrong_numbers_are_named() -> None:
    with pytest.raises(ValueError, match="at least 4 different pairs to infer anything from, not 2"):
        replace(SOLVER).fit(*gaussian(0.5, 1, n=2)).infer()
    with pytest.raises(ValueError, match="resamples must be at least 2"):
        replace(SOLVER).fit(*gaussian(0.5, 1)).infer(resamples=1)


def test_tensors_can_be_inferred_from() -> None:
    torch = pytest.importorskip("torch")
    solver = replace(SOLVER).fit(*map(torch.asarray, gaussian(0.9, 0)))
    assert solver.infer(resamples=3, permutations=3).p_value == 0.25


def test_the_lower_bound_is_centred_under_independence_and_below_the_truth() -> None:
    rho, truth = 0.8, 0.8**2 / (2 * (1 - 0.8**2))

    def bounds(correlation: float) -> list[float]:
        problems = [Problem(*gaussian(correlation, seed, n=40)) for seed in range(25)]
        return [lower_bound(problem, SOLVER.solver().solve) for problem in problems]

    independent, dependent = bounds(0.0), bounds(rho)
    assert abs(np.mean(independent)) < 0.03 < np.mean([inferred(0.0, seed, resamples=2).smi for seed in range(5)])
    assert 0.2 < np.mean(dependent) < truth


def test_held_out_pairs_count_by_their_weights_in_the_bound() -> None:
    """r is 1 at every pair but one, whose weight is negligible; its mean is 0 and its mean square 1 elsewhere."""
    x = np.ones((9, 1))
    x[4] = 1e5
    model = SimpleNamespace(ratios_of_pairs=lambda alpha, x, y: x[:, 0], mean=lambda a: 0.0, mean_square=lambda a: 1.0)
    solution = SimpleNamespace(state=SimpleNamespace(model=model), alpha=None)
    problem = Problem(x, np.arange(9.0)[:, None], x, x, pair_weights=np.where(x[:, 0] > 1.0, 1e-12, 2.0))
    assert lower_bound(problem, lambda _: solution) == pytest.approx(0.5, abs=1e-4)  # type: ignore[arg-type, return-value]


def test_a_solver_stands_for_its_method_and_anything_else_is_named() -> None:
    problem, solver = Problem(*gaussian(0.8, 1)), SOLVER.solver()
    few = {"resamples": 2, "permutations": 1}
    assert infer(problem, solver, **few) == infer(problem, solver.solve, **few)
    assert lower_bound(problem, solver) == lower_bound(problem, solver.solve)
    with pytest.raises(ValueError, match="solve must be a solver or its method solve, not float"):
        infer(problem, 0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="give a Problem"):
        lower_bound(problem.x_pairs, solver)


def test_a_bound_needs_a_pair_to_hold_out() -> None:
    with pytest.raises(ValueError, match="at least 2 different pairs, one of which is held out, not 1"):
        lower_bound(Problem(*gaussian(0.5, 1, n=1)), SOLVER.solver().solve)


def test_the_tensor_model_has_a_lower_bound_too() -> None:
    solver = TensorSinkhorn(basis=40, lam=1e-2, epsilon=0.3, width=1.0)
    independent = [lower_bound(Problem(*gaussian(0.0, seed, n=40)), solver.solve) for seed in range(8)]
    assert np.mean(independent) < 0.05
