"""Ridge regression both ways, from x to y and from y to x, as a score of how well samples belong together.

`self_trained` repeats it: the surest matches are added to the pairs, and both regressions are fitted again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from album_app.solver.arrays import to_host
from album_app.solver.kernels import signed_roots, squared_distances
from album_app.solver.problem import Problem

Matrix = NDArray[np.float64]
Rows = NDArray[np.int64]

PAIR_WEIGHT = 2.0
"""A given pair counts as much as this many matches that were added to the pairs."""

FIRST_SHARE, SHARE_STEP = 0.2, 0.1
"""The share of all matches that is added to the pairs first, and by how much it grows each time, up to all matches."""


def both_ways(problem: Problem, lam: float, roots: bool = False, added: tuple[Rows, Rows] | None = None) -> Matrix:
    """Scores (n_x, n_y): minus the squared errors of both regressions, each divided by its mean.

    The regressions are fitted to the pairs and to the unpaired rows `added` to them, on features of mean 0 and
    variance 1; `lam` is the penalty per sample. With `roots` features are replaced by their signed square roots.

    >>> x = np.linspace(-1.0, 1.0, 21)[:, None]
    >>> scores = both_ways(Problem(x[::5], 3.0 * x[::5], x, 3.0 * x), lam=1e-3)
    >>> bool((scores.argmax(axis=1) == np.arange(21)).all())
    True
    """
    rows, columns = added if added is not None else (np.zeros(0, np.int64), np.zeros(0, np.int64))
    n, x, y = problem.n, _standardised(problem.all_x, roots), _standardised(problem.all_y, roots)
    x_known, y_known = np.concatenate([x[:n], x[n + rows]]), np.concatenate([y[:n], y[n + columns]])
    weights = np.concatenate([np.full(n, PAIR_WEIGHT), np.ones(len(rows))])
    forward = squared_distances(_predicted(x_known, y_known, weights, lam, x[n:]), y[n:])
    backward = squared_distances(x[n:], _predicted(y_known, x_known, weights, lam, y[n:]))
    return -_relative(forward) - _relative(backward)


def self_trained(problem: Problem, scores: Matrix, lam: float, roots: bool = False) -> Matrix:
    """Scores (n_x, n_y) of regressions that start from other scores: 20 % of the matches first, at last all of them.

    >>> rng = np.random.default_rng(0)
    >>> x, mixing = rng.standard_normal((60, 3)), rng.standard_normal((3, 3))
    >>> problem = Problem(x[:4], x[:4] @ mixing, x[4:], x[4:] @ mixing)
    >>> found = self_trained(problem, both_ways(problem, 1e-2), 1e-2)
    >>> bool((found.argmax(axis=1) == np.arange(56)).mean() > 0.9)
    True
    """
    for share in np.arange(FIRST_SHARE, 1.0 + SHARE_STEP / 2, SHARE_STEP):
        rows, columns, margins = surest(scores)
        kept = np.argsort(-margins, kind="stable")[: max(1, round(share * len(rows)))]
        scores = both_ways(problem, lam, roots, (rows[kept], columns[kept]))
    return scores


def surest(scores: Matrix) -> tuple[Rows, Rows, Matrix]:
    """The one-to-one matching with the largest sum of scores, and by how much each match beats its best rival."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(scores, maximize=True)
    own, rivals = scores[rows, columns], scores.copy()
    rivals[rows, columns] = -np.inf
    margins = own - np.maximum(rivals.max(axis=1)[rows], rivals.max(axis=0)[columns])
    return rows, columns, margins


def _standardised(samples: object, roots: bool) -> Matrix:
    values = to_host(samples)
    values = signed_roots(values) if roots else values
    deviations = values - values.mean(axis=0)
    return np.asarray(deviations / np.maximum(deviations.std(axis=0), 1e-12 * np.abs(values).max() + 1e-300))


def _predicted(x: Matrix, y: Matrix, weights: Matrix, lam: float, new: Matrix) -> Matrix:
    """The ridge regression of y on x at new samples; in the smaller of the two equivalent forms."""
    total = lam * max(weights.sum(), 1.0)
    root = np.sqrt(weights)[:, None]
    x, y = x * root, y * root
    if len(x) < x.shape[1]:
        return np.asarray(new @ (x.T @ np.linalg.solve(x @ x.T + total * np.eye(len(x)), y)))
    return np.asarray(new @ np.linalg.solve(x.T @ x + total * np.eye(x.shape[1]), x.T @ y))


def _relative(distances: Matrix) -> Matrix:
    return distances / max(float(distances.mean()), np.finfo(np.float64).tiny)
