"""Problems with known answers, and the two array libraries."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from album_app.solver import Problem


@pytest.fixture(params=["numpy", "torch"])
def as_backend(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """Takes numpy numbers to each array library in turn."""
    if request.param == "numpy":
        return np.asarray
    return pytest.importorskip("torch").asarray


@pytest.fixture
def dependent() -> Callable[..., Problem]:
    """Makes problems of small odd sizes in which y is a noisy projection of x."""

    def make(seed: int = 0, n: int = 5, n_x: int = 37, n_y: int = 23, d_x: int = 3, d_y: int = 2) -> Problem:
        rng = np.random.default_rng(seed)
        mixing = rng.standard_normal((d_x, d_y))
        x, other = rng.standard_normal((n + n_x, d_x)), rng.standard_normal((n + n_y, d_x))
        y = np.tanh(other @ mixing) + 0.1 * rng.standard_normal((n + n_y, d_y))
        return Problem(x[:n], np.tanh(x[:n] @ mixing), x[n:], y[n:])

    return make


@pytest.fixture
def planted() -> tuple[Problem, np.ndarray]:
    """A problem whose y are the x moved and shuffled, with the permutation: x'_i belongs to y'_permutation[i]."""
    rng = np.random.default_rng(7)
    x = rng.uniform(size=(91, 2))
    y = x @ np.array([[0.0, 2.0], [-2.0, 0.0]]) + 5.0
    permutation = rng.permutation(80)
    shuffled = np.empty_like(y[11:])
    shuffled[permutation] = y[11:]
    return Problem(x[:11], y[:11], x[11:], shuffled), permutation
