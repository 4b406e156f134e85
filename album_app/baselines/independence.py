"""Permutation tests of independence from pairs alone: HSIC and distance correlation.

Both statistics are sums over two centred matrices, so that shuffling the pairs shuffles the rows and columns of one.
"""

import numpy as np
from numpy.typing import NDArray

from album_app.solver.kernels import Gaussian, squared_distances

Matrix = NDArray[np.float64]


def hsic_p_value(x: Matrix, y: Matrix, *, permutations: int = 99, seed: int = 0) -> float:
    """HSIC with Gaussian kernels of median width (Gretton et al., 2008): the p-value of pairs (n, d_x) and (n, d_y).

    >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
    >>> hsic_p_value(x, x**2, permutations=19)
    0.05
    """
    rows = np.arange(len(x))
    K, L = (_centred(Gaussian.fit(side, rows)(side)) for side in (x, y))
    return _p_value(K, L, permutations, seed)


def distance_correlation_p_value(x: Matrix, y: Matrix, *, permutations: int = 99, seed: int = 0) -> float:
    """Distance correlation (Szekely et al., 2007): the p-value of pairs (n, d_x) and (n, d_y).

    The denominator of the correlation is the same for every order of the pairs, so the covariance decides.

    >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
    >>> distance_correlation_p_value(x, x, permutations=19)
    0.05
    """
    K, L = (_centred(np.sqrt(squared_distances(side, side))) for side in (x, y))
    return _p_value(K, L, permutations, seed)


def _p_value(K: Matrix, L: Matrix, permutations: int, seed: int) -> float:
    rng, own = np.random.default_rng(seed), float((K * L).sum())
    orders = [rng.permutation(len(L)) for _ in range(permutations)]
    return (1 + sum(float((K * L[np.ix_(order, order)]).sum()) >= own for order in orders)) / (1 + permutations)


def _centred(matrix: Matrix) -> Matrix:
    matrix = matrix - matrix.mean(axis=0)
    return np.asarray(matrix - matrix.mean(axis=1, keepdims=True))
