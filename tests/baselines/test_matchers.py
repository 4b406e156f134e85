"""Ways to match by a few pairs: each finds partners that are easy to find, and tunes itself by held-out pairs."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from album_app.baselines import MATCHERS
from album_app.baselines.dependence import distance_correlation_p_value, hsic_p_value
from album_app.baselines.matchers import tuned
from album_app.solver import Problem

LINEAR_ONLY = {"ridge", "self-trained ridge", "CCA"}


def turned(n: int = 15, unpaired: int = 40) -> tuple[Problem, np.ndarray]:
    """Points and the same points turned by an angle, in another order."""
    rng = np.random.default_rng(2)
    x = rng.uniform(size=(n + unpaired, 2)) * [3.0, 1.0]
    y = x @ np.array([[0.8, -0.6], [0.6, 0.8]])
    order = rng.permutation(unpaired)
    return Problem(x[:n], y[:n], x[n:], y[n:][order]), order


@pytest.mark.parametrize("name", MATCHERS)
def test_partners_are_found_far_more_often_than_by_chance(name: str) -> None:
    problem, order = turned()
    scores = MATCHERS[name](problem, seed=0)
    assert scores.shape == (40, 40) and np.isfinite(scores).all()
    columns = linear_sum_assignment(scores, maximize=True)[1]
    assert np.mean(order[columns] == np.arange(40)) >= (0.9 if name in LINEAR_ONLY else 0.5)


def test_the_candidate_that_ranks_held_out_partners_highest_is_taken() -> None:
    problem, _ = turned()

    def by_place(sign: float):  # type: ignore[no-untyped-def]
        def scores(of: Problem) -> np.ndarray:
            x, y = of.x, of.y @ np.array([[0.8, 0.6], [-0.6, 0.8]])  # turned back
            return -sign * ((x[:, None] - y[None]) ** 2).sum(axis=2)

        return scores

    wrong, right = by_place(-1.0), by_place(1.0)
    assert (tuned(problem, [wrong, right]) == right(problem)).all()
    few = problem.with_pairs(range(2))
    assert (tuned(few, [wrong, right]) == wrong(few)).all()  # nothing can be held out


@pytest.mark.parametrize("test", [hsic_p_value, distance_correlation_p_value])
def test_p_values_are_small_for_dependent_and_uniform_for_independent_pairs(test) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    x = rng.standard_normal((25, 1))
    assert test(x, x + 0.3 * rng.standard_normal((25, 1)), permutations=39) == 1 / 40
    independent = [test(*rng.standard_normal((2, 20, 1)), permutations=19, seed=seed) for seed in range(60)]
    assert np.mean(np.array(independent) <= 0.5) == pytest.approx(0.5, abs=0.2)
