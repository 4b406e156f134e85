"""The synthetic problems: pairs that belong together, samples torn apart, curves over n that change n alone."""

import numpy as np
import pytest

from album_app.research.experiments.synthetic_data import semi_supervised


def test_fewer_pairs_are_among_the_more_and_the_unpaired_samples_stay() -> None:
    few, many = semi_supervised("pca", 10, 40, 30, seed=1), semi_supervised("pca", 60, 40, 30, seed=1)
    np.testing.assert_array_equal(few.x_pairs, many.x_pairs[:10])
    np.testing.assert_array_equal(few.y_pairs, many.y_pairs[:10])
    np.testing.assert_array_equal(few.x, many.x)
    np.testing.assert_array_equal(few.y, many.y)


@pytest.mark.parametrize("sizes", [(40, 30), (30, 40)])
def test_pairs_belong_together_and_are_not_among_the_unpaired(sizes: tuple[int, int]) -> None:
    problem = semi_supervised("nonlinear", 20, *sizes)
    assert (problem.n, problem.n_x, problem.n_y) == (20, *sizes)
    np.testing.assert_allclose(problem.y_pairs, np.sin(problem.x_pairs))
    assert not np.isin(problem.x_pairs, problem.x).any()
