"""What the solver's benchmark is made of."""

import pytest

from album_app.research.benchmarks.solver import album, exponent, on_pot
from album_app.research.experiments.synthetic_data import points
from album_app.solver import LsmiSinkhorn


def test_the_peer_on_pot_runs_the_same_algorithm() -> None:
    problem, solver = points(60), LsmiSinkhorn(iterations=5, dtype="float64", tolerance=1e-9, sweeps=1000)
    assert on_pot(problem, solver) == pytest.approx(solver.solve(problem).smi, rel=1e-4)


def test_the_album_problem_has_the_size_it_says() -> None:
    problem = album()
    assert (problem.n, problem.n_x, problem.n_y, problem.x.shape[1]) == (4, 316, 316, 192)


def test_a_square_law_has_exponent_two() -> None:
    assert exponent([10, 20, 40], [1.0, 4.0, 16.0]) == pytest.approx(2.0)
