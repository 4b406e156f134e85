"""Where Algorithm 1 starts: logits whose transport plan is Pi^(1)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.solver.arrays import Array, device_of, namespace, to_host
from album_app.solver.problem import Problem

AXES = 2
"""Principal axes laid along one another by the start "axes"; a sheet of cells has two."""


def starting_logits(problem: Problem, start: str, seed: int) -> Array:
    """Logits (n_x, n_y) of one of the starts in float32; without pairs "axes" stands in for "uniform"."""
    name = "axes" if start == "uniform" and problem.n == 0 else start
    xp = namespace(problem.x)
    return xp.asarray(START[name](problem, seed), dtype=xp.float32, device=device_of(problem.x))


def _uniform(problem: Problem, seed: int) -> NDArray[np.float32]:
    """Every pi_ij the same: deterministic, and it lets the pairs speak first."""
    return np.zeros((problem.n_x, problem.n_y), np.float32)


def _random(problem: Problem, seed: int) -> NDArray[np.float32]:
    """The paper's start: random entries, here scaled to the marginals."""
    draws = np.random.default_rng(seed).random((problem.n_x, problem.n_y), np.float32)
    return np.asarray(np.log(1.0 - draws))


def _axes(problem: Problem, seed: int) -> NDArray[np.float64]:
    """Large where the principal coordinates of x'_i and y'_j agree."""
    x, y = _principal(to_host(problem.x)), _principal(to_host(problem.y))
    axes = min(x.shape[1], y.shape[1])
    return x[:, :axes] @ y[:, :axes].T


def _principal(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """The leading principal coordinates, standardised; each axis points to where its longer tail is."""
    deviations = samples - samples.mean(axis=0)
    size = np.abs(deviations).max()
    if size == 0.0:
        return np.zeros((len(samples), 1))
    left, values, _ = np.linalg.svd(deviations / size, full_matrices=False)
    coordinates = left[:, : min(AXES, int(np.sum(values > 1e-6 * values[0])))] * np.sqrt(len(samples))
    tails = np.sum(coordinates**3, axis=0)
    return np.asarray(coordinates * np.where(tails < 0.0, -1.0, 1.0))


START: dict[str, Callable[[Problem, int], NDArray[Any]]] = {
    "uniform": _uniform,
    "random": _random,
    "axes": _axes,
}
"""The starts by name."""
