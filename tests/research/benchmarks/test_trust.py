"""The benchmark of trust draws what it says, and finds what is easy."""

import numpy as np
import pytest

from album_app.research.benchmarks import trust


def test_samples_have_the_correlation_and_the_numbers_asked_for() -> None:
    problem = trust.gaussian(0.8, 4000, seed=1)
    assert (problem.n, problem.n_x, problem.n_y) == (4000, trust.UNPAIRED, trust.UNPAIRED)
    assert np.corrcoef(problem.x_pairs[:, 0], problem.y_pairs[:, 0])[0, 1] == pytest.approx(0.8, abs=0.03)


def test_each_cut_shares_out_all_pixels() -> None:
    pixels = np.arange(64.0).reshape(1, 8, 8)
    for x, y in trust.CUTS.values():
        assert sorted([*pixels[x].ravel(), *pixels[y].ravel()]) == list(range(64))
        assert pixels[x].size == pixels[y].size == 32


def test_the_interval_of_one_run_holds_its_own_estimate() -> None:
    estimate, bound, own, _ = trust.coverage(0.8, 20, runs=1)
    assert own == 1.0 and 0.0 < estimate < 1.0 and bound < 1.5
