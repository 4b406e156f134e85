"""The paper's synthetic data sets: pairs (x, y) whose dependence is known, split into paired and unpaired samples."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from album_app.solver import Problem

Pairs = tuple[NDArray[np.float64], NDArray[np.float64]]

DIMENSION = 5
"""Features of x and of y; PCA reduces twice as many features to this number."""

MOST_PAIRS = 100
"""The largest n of curves over n."""

RUN_TIME_PAIRS = 100
"""Pairs in the data on which run times are measured."""


def random_pairs(count: int, rng: np.random.Generator) -> Pairs:
    """Independent normal x and y."""
    return rng.standard_normal((count, DIMENSION)), rng.standard_normal((count, DIMENSION))


def linear_pairs(count: int, rng: np.random.Generator) -> Pairs:
    """y = 0.5 x + N(0, 0.01)."""
    x = rng.standard_normal((count, DIMENSION))
    return x, 0.5 * x + 0.1 * rng.standard_normal((count, DIMENSION))


def nonlinear_pairs(count: int, rng: np.random.Generator) -> Pairs:
    """y = sin(x)."""
    x = rng.standard_normal((count, DIMENSION))
    return x, np.sin(x)


def pca_pairs(count: int, rng: np.random.Generator) -> Pairs:
    """y = the leading principal components of x."""
    x = rng.standard_normal((count, 2 * DIMENSION))
    deviations = x - x.mean(axis=0)
    _, axes = np.linalg.eigh(deviations.T @ deviations)
    return x, deviations @ axes[:, : -DIMENSION - 1 : -1]


def points(n: int, seed: int = 0) -> Problem:
    """The paper's run-time data: two 2-D random measures, 100 pairs."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((RUN_TIME_PAIRS + n, 2)), rng.standard_normal((RUN_TIME_PAIRS + n, 2))
    return Problem(x[:RUN_TIME_PAIRS], y[:RUN_TIME_PAIRS], x[RUN_TIME_PAIRS:], y[RUN_TIME_PAIRS:])


DATA_SETS: dict[str, Callable[[int, np.random.Generator], Pairs]] = {
    "random": random_pairs,
    "linear": linear_pairs,
    "nonlinear": nonlinear_pairs,
    "pca": pca_pairs,
}
"""The data sets by name."""


def synthetic_pairs(name: str, count: int, seed: int) -> Pairs:
    """`count` pairs of a data set."""
    return DATA_SETS[name](count, np.random.default_rng([seed, *name.encode()]))


def semi_supervised(name: str, n: int, n_x: int = 500, n_y: int = 500, seed: int = 0) -> Problem:
    """A data set with n pairs kept and the others torn apart: n_x unpaired x and n_y unpaired y, of other pairs each.

    Where n_x and n_y overlap in the hidden pairing, the y are shuffled. A seed's unpaired samples are the same for
    every n up to MOST_PAIRS, and its fewer pairs are among its more, so that a curve over n shows n alone.
    """
    torn = max(n_x, n_y)
    x, y = synthetic_pairs(name, torn + max(n, MOST_PAIRS), seed)
    shuffled = np.random.default_rng(seed).permutation(torn)[:n_y]
    return Problem(x[torn : torn + n], y[torn : torn + n], x[:n_x], y[shuffled])
