"""Algorithm 1: known answers and laws, on small odd sizes."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from album_app.solver import LsmiSinkhorn, Problem, State
from album_app.solver.arrays import to_host

Make = Callable[..., Problem]
EXACT = LsmiSinkhorn(dtype="float64", sweeps=20_000, tolerance=1e-12)


def test_a_planted_permutation_is_recovered(planted: tuple[Problem, np.ndarray]) -> None:
    problem, permutation = planted
    solution = LsmiSinkhorn(epsilon=0.01).solve(problem)
    assert np.mean(solution.plan.argmax(axis=1) == permutation) == 1.0


def test_plan_solves_the_transport_problem_of_its_alpha(dependent: Make) -> None:
    ot = pytest.importorskip("ot")
    problem = dependent()
    solution = EXACT.solve(problem)
    scores = (1.0 - EXACT.beta) * solution.ratio(problem.x, problem.y)
    marginals = np.full(37, 1 / 37), np.full(23, 1 / 23)
    oracle = ot.bregman.sinkhorn_log(*marginals, -scores, EXACT.epsilon, numItermax=5000, stopThr=1e-11)
    np.testing.assert_allclose(solution.plan, oracle, rtol=1e-6, atol=1e-12)
    assert np.abs(solution.plan.sum(axis=1) - 1 / 37).max() < 1e-8
    assert np.abs(solution.plan.sum(axis=0) - 1 / 23).max() < 1e-8


def test_objective_is_the_one_of_the_paper(dependent: Make) -> None:
    problem = dependent()
    solver = replace(EXACT, iterations=3, lam=1e-2, beta=0.3)
    solution = solver.solve(problem)
    plan, alpha = solution.plan, solution.alpha
    at_pairs = np.diag(solution.ratio(problem.x_pairs, problem.y_pairs)).mean()
    at_plan = np.sum(plan * solution.ratio(problem.x, problem.y))
    everywhere = solution.ratio(problem.all_x, problem.all_y)
    entropy = np.sum(plan * (np.log(plan) - 1.0))
    J = np.mean(everywhere**2) / 2 - 0.3 * at_pairs - 0.7 * at_plan + 0.3 * entropy + 1e-2 / 2 * alpha @ alpha
    assert solution.objective[-1] == pytest.approx(J, rel=1e-9)
    assert solution.smi == pytest.approx(np.mean((everywhere - 1.0) ** 2) / 2, rel=1e-9)
    f, g = solution.potentials
    np.testing.assert_allclose(
        np.log(plan), 0.7 / 0.3 * solution.ratio(problem.x, problem.y) + f[:, None] + g, rtol=1e-8
    )


def test_objective_never_increases(dependent: Make) -> None:
    rng = np.random.default_rng(0)
    for seed in range(50):
        sizes = dict(zip(["n", "n_x", "n_y", "d_x", "d_y"], rng.integers(1, [8, 30, 30, 5, 4]), strict=True))
        settings = {
            "beta": rng.choice([0.0, 0.2, 0.5, 0.9]),
            "epsilon": rng.choice([0.05, 0.3, 1.0]),
            "lam": 10.0 ** rng.integers(-5, 0),
            "start": str(rng.choice(["uniform", "random", "axes"])),
        }
        J = np.array(replace(EXACT, **settings).solve(dependent(seed, **sizes)).objective)
        assert (np.diff(J) <= 1e-9 * np.abs(J[1:])).all(), (seed, settings)


def test_swapping_x_and_y_transposes_the_plan(dependent: Make) -> None:
    problem = dependent(n_x=300, n_y=41)
    exchanged = Problem(problem.y_pairs, problem.x_pairs, problem.y, problem.x)
    solution, swapped = EXACT.solve(problem), EXACT.solve(exchanged)
    np.testing.assert_allclose(swapped.plan.T, solution.plan, rtol=1e-6, atol=1e-15)
    assert swapped.smi == pytest.approx(solution.smi, rel=1e-6)


@pytest.mark.parametrize("start", ["uniform", "random", "axes"])
def test_numpy_and_torch_agree(dependent: Make, start: str) -> None:
    torch = pytest.importorskip("torch")
    problem = dependent(n_x=73, n_y=57)
    tensors = Problem(*(torch.asarray(a) for a in (problem.x_pairs, problem.y_pairs, problem.x, problem.y)))
    solver = LsmiSinkhorn(dtype="float64", start=start)
    expected = solver.solve(problem)
    for answer in (solver.solve(tensors), replace(solver, device="cpu").solve(problem)):
        assert isinstance(answer.plan, torch.Tensor)
        assert answer.smi == pytest.approx(expected.smi, rel=1e-6)
        np.testing.assert_allclose(to_host(answer.plan), expected.plan, rtol=1e-5, atol=1e-12)
        assert to_host(answer.ratio(tensors.x, tensors.y)) == pytest.approx(expected.ratio(problem.x, problem.y))


def test_float32_is_close_to_float64(dependent: Make) -> None:
    problem = dependent(n_x=173, n_y=157)
    single, double = LsmiSinkhorn().solve(problem), EXACT.solve(problem)
    assert single.plan.dtype == np.float32
    assert single.smi == pytest.approx(double.smi, rel=1e-3)
    assert np.abs(single.plan - double.plan).sum() < 1e-2


def test_float64_where_float32_would_show(dependent: Make) -> None:
    assert LsmiSinkhorn(lam=1e-6, epsilon=0.005).solve(dependent(n_x=150)).plan.dtype == np.float64


def test_same_seed_same_result(dependent: Make) -> None:
    problem = dependent(n_x=300, n_y=250)
    solver = LsmiSinkhorn(start="random")
    assert (solver.solve(problem).plan == solver.solve(problem).plan).all()
    assert solver.solve(problem).smi != replace(solver, seed=1).solve(problem).smi


def test_basis_is_clipped_to_the_data(dependent: Make) -> None:
    problem = dependent(n=5, n_x=37, n_y=23)
    assert LsmiSinkhorn(basis=10_000).solve(problem).alpha.shape == (42,)
    assert LsmiSinkhorn(basis=3).solve(problem).alpha.shape == (3,)


def test_only_pairs_count_when_beta_is_one(dependent: Make) -> None:
    solution = LsmiSinkhorn(beta=1.0).solve(dependent())
    np.testing.assert_allclose(solution.plan, 1 / (37 * 23), rtol=1e-5)
    assert solution.converged


def test_without_pairs_the_axes_break_the_symmetry() -> None:
    rng = np.random.default_rng(0)
    x = rng.gamma(1.0, size=(60, 2)) * [3.0, 1.0]
    problem = Problem([], [], x[rng.permutation(60)], 0.1 * x)
    solution = LsmiSinkhorn(epsilon=0.03).solve(problem)
    assert solution.state.beta == 0.0
    matched = x[solution.plan.argmax(axis=1)]
    assert np.linalg.norm(matched - problem.x, axis=1).mean() < 0.3 * np.linalg.norm(x - problem.x, axis=1).mean()


def test_it_settles_and_says_so(dependent: Make) -> None:
    settled = LsmiSinkhorn(dtype="float64", iterations=500).solve(dependent())
    assert settled.converged and settled.iterations < 500
    hurried = LsmiSinkhorn(iterations=2).solve(dependent())
    assert not hurried.converged and hurried.iterations == 2
    assert len(hurried.objective) == 4


def test_steps_are_seen_and_can_be_stopped(dependent: Make) -> None:
    seen: list[State] = []
    solution = LsmiSinkhorn().solve(dependent(), on_step=seen.append, stop=lambda: len(seen) == 3)
    assert [state.t for state in seen] == [2, 3, 4]
    assert solution.iterations == 3 and solution.state is seen[-1]


def test_init_and_step_are_what_solve_does(dependent: Make) -> None:
    solver = LsmiSinkhorn(iterations=2)
    state = solver.init(dependent())
    assert state.t == 1 and state.alpha.shape == (42,)
    stepped = solver.solution(solver.step(solver.step(state)))
    assert (stepped.plan == solver.solve(dependent()).plan).all()
    assert state.t == 1


@pytest.mark.parametrize("change", [{}, {"n": 9, "n_x": 33, "n_y": 19}])
def test_a_warm_start_begins_where_the_other_ended(dependent: Make, change: dict[str, Any]) -> None:
    solver = LsmiSinkhorn(iterations=30)
    before = solver.solve(dependent())
    problem = dependent(**change)
    warm = solver.solve(problem, warm=before)
    cold = solver.solve(problem)
    assert warm.objective[1] < cold.objective[1]
    assert warm.smi == pytest.approx(cold.smi, rel=0.05)


def test_a_numpy_solve_needs_neither_torch_nor_pot_nor_scipy() -> None:
    program = """
import sys
import numpy as np
from album_app.solver import LsmiSinkhorn, Problem
x = np.random.default_rng(0).standard_normal((30, 3))
LsmiSinkhorn().solve(Problem(x[:3], x[:3], x[3:], x[3:]))
print(sorted({"torch", "ot", "scipy"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_stopping_rule_can_be_given(dependent: Make) -> None:
    solver = LsmiSinkhorn(iterations=200)
    early = solver.solve(dependent(), until=lambda state: state.relative_change <= 0.1)
    settled = solver.solve(dependent())
    assert early.iterations < settled.iterations < 200
    assert early.converged and settled.converged
    never = LsmiSinkhorn(iterations=4).solve(dependent(), until=lambda state: False)
    assert never.iterations == 4 and not never.converged


def test_a_rule_that_holds_at_once_ends_after_the_first_fit(dependent: Make) -> None:
    """Before it alpha is 0, and SMI would be 1/2 whatever the samples."""
    solver = LsmiSinkhorn()
    at_once = solver.solve(dependent(), until=lambda state: True)
    assert at_once.iterations == 1 and at_once.converged
    assert at_once.smi == LsmiSinkhorn(iterations=1).solve(dependent()).smi != 0.5
    assert LsmiSinkhorn(eta=np.inf).solve(dependent()).iterations == 1


def test_the_last_relative_change_is_that_of_the_last_two_plans(dependent: Make) -> None:
    before, last = (LsmiSinkhorn(iterations=t, dtype="float64").solve(dependent()) for t in (4, 5))
    change = np.linalg.norm(last.plan - before.plan) / np.linalg.norm(last.plan)
    assert last.relative_change == pytest.approx(change, rel=1e-9)
    at_rest = LsmiSinkhorn(iterations=1000).solve(dependent())
    assert at_rest.converged and at_rest.relative_change < 1e-4


def test_wider_kernels_and_roots_are_what_they_say(dependent: Make) -> None:
    problem = dependent()
    plain, wide = LsmiSinkhorn().solve(problem), LsmiSinkhorn(width=2.0).solve(problem)
    assert wide.state.model.x_kernel.width == pytest.approx(2.0 * plain.state.model.x_kernel.width)
    rooted = Problem(
        *(np.sign(a) * np.sqrt(np.abs(a)) for a in (problem.x_pairs, problem.y_pairs, problem.x, problem.y))
    )
    transformed = LsmiSinkhorn(roots=True).solve(problem)
    assert transformed.smi != pytest.approx(plain.smi, rel=1e-3)
    np.testing.assert_allclose(
        transformed.ratio(problem.x, problem.y),
        transformed.state.model.ratio(transformed.alpha, problem.x, problem.y),
    )
    assert transformed.state.model.x_kernel.width == pytest.approx(
        LsmiSinkhorn().solve(rooted).state.model.x_kernel.width
    )
