"""Copies of a pair are one draw: they are held out, shuffled and counted together; discrete samples are no copies."""

from dataclasses import replace

import numpy as np
import pytest

from album_app.solver import LsmiSinkhorn, Problem, select
from album_app.solver.inference import infer, lower_bound, reweighted, with_shuffled_pairs
from album_app.solver.problem import parts_of
from album_app.solver.selection import Fold

SOLVER = LsmiSinkhorn(basis=60, lam=1e-2)


def independent(seed: int, different: int = 5, copies: int = 4) -> Problem:
    """Pairs of x and y that know nothing of each other, each of them copied."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((2, different + 60, 3))
    pairs = (np.tile(side[:different], (copies, 1)) for side in (x, y))
    return Problem(*pairs, x[different:], y[different:])


def groups(problem: Problem) -> list[list[int]]:
    return [rows.tolist() for rows in problem.draws]


def test_equal_pairs_are_one_draw_and_equal_samples_of_one_side_are_not() -> None:
    x, y = np.array([[0.0], [1.0], [0.0], [2.0], [1.0]]), np.array([[5.0], [6.0], [5.0], [7.0], [8.0]])
    assert groups(Problem(x, y, x, y)) == [[0, 2], [1], [3], [4]]
    assert groups(Problem(x, np.arange(5.0)[:, None], x, y)) == [[0], [1], [2], [3], [4]]
    assert groups(Problem([], [], x, y)) == []


def test_zeros_are_equal_whatever_their_sign_and_weights_change_nothing() -> None:
    x = np.array([[0.0], [-0.0], [3.0]])
    assert groups(Problem(x, x, x, x, pair_weights=[1, 2, 3])) == [[0, 1], [2]]


def test_answers_on_a_few_levels_are_draws_of_their_own() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(1, 6, (2, 60, 1))
    problem = Problem(x, y, x, y)
    assert len(problem.equal_pairs) < 26 and len(problem.draws) == 60
    labels = Problem(*(np.tile(side, (2, 1)) for side in (x, rng.standard_normal((60, 1)))), x, y)
    assert len(labels.draws) == 60  # classes recur, but the features of two photos do not: each photo is copied


def test_tensors_have_the_same_draws() -> None:
    torch = pytest.importorskip("torch")
    problem = independent(0)
    sides = (problem.x_pairs, problem.y_pairs, problem.x, problem.y)
    assert groups(Problem(*map(torch.asarray, sides))) == groups(problem)


def test_parts_hold_every_row_once_and_every_group_whole() -> None:
    problem = independent(0, different=7, copies=3)
    for count in (1, 2, 5, 50):
        parts = parts_of(problem.draws, count, seed=1)
        rows = [row for part in parts for group in part for row in group.tolist()]
        assert len(parts) == min(count, 7) and sorted(rows) == list(range(21))
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
        assert all(group.tolist() in groups(problem) for part in parts for group in part)


def test_parts_of_single_pairs_are_a_permutation_cut_into_pieces() -> None:
    problem = independent(0, different=11, copies=1)
    expected = np.array_split(np.random.default_rng(3).permutation(11), 4)
    found = [np.concatenate(part) for part in parts_of(problem.draws, 4, seed=3)]
    assert all((one == other).all() for one, other in zip(found, expected, strict=True))


def test_copies_of_independent_pairs_are_no_evidence_of_dependence() -> None:
    """Copies that were held out apart made this True, with an SMI of 2 to 10, a bound of 1 to 4 and p = 0.05."""
    for seed in range(4):
        problem = independent(seed)
        selection = select(problem, SOLVER, lams=[1e-1, 1e-3], betas=[0.2, 1.0])
        assert selection.dependent is False
        assert selection.solver.solve(problem).smi < 0.3
        assert lower_bound(problem, SOLVER.solve) < 0.1
        assert infer(problem, SOLVER.solve, resamples=2, permutations=9).p_value > 0.1


def test_copies_of_dependent_pairs_still_show_dependence() -> None:
    x = np.random.default_rng(0).standard_normal((140, 2))
    pairs = np.tile(x[:20], (3, 1))
    problem = Problem(pairs, np.sin(pairs), x[20:80], np.sin(x[80:]))
    assert select(problem, SOLVER, lams=[1e-2], betas=[0.2, 0.8]).dependent
    assert infer(problem, SOLVER.solve, resamples=2, permutations=19).p_value == 0.05
    assert lower_bound(problem, SOLVER.solve) > 0.3


def test_a_held_out_pair_is_judged_once_with_the_weight_of_its_copies() -> None:
    problem = independent(0, different=6, copies=3)
    fold = Fold.of(problem, [problem.draws[4], problem.draws[1]], SOLVER)
    assert fold.weights.tolist() == [3.0, 3.0]
    kernel = fold.start.paper_model.x_kernel
    np.testing.assert_array_equal(fold.K, kernel(problem.x_pairs[[1, 4]]))
    assert fold.start.paper_model.problem.n == 12
    weighted = Fold.of(replace(problem, pair_weights=np.arange(1.0, 19.0)), [problem.draws[1]], SOLVER)
    assert weighted.weights.tolist() == [2.0 + 8.0 + 14.0]


def test_shuffling_and_reweighting_keep_copies_copies() -> None:
    problem, rng = independent(0), np.random.default_rng(1)
    shuffled = with_shuffled_pairs(problem, rng)
    assert groups(shuffled) == groups(problem)
    assert {row.tobytes() for row in shuffled.y_pairs} == {row.tobytes() for row in problem.y_pairs}
    weights = np.asarray(reweighted(problem, rng).pair_weights)
    assert all(len(set(weights[rows])) == 1 for rows in problem.draws) and len(set(weights)) == 5


def test_few_different_pairs_are_few_whatever_their_copies() -> None:
    problem = independent(0, different=3, copies=10)
    selection = select(problem, SOLVER)
    assert selection.solver == SOLVER and selection.dependent is None
    assert selection.reason == "3 different pairs are too few to hold any out, so the settings stay"
    with pytest.raises(ValueError, match="at least 4 different pairs to infer anything from, not 3"):
        infer(problem, SOLVER.solve)
    with pytest.raises(ValueError, match="at least 2 different pairs, one of which is held out, not 1"):
        lower_bound(independent(0, different=1, copies=10), SOLVER.solve)
