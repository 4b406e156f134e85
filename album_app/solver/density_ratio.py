"""The least-squares fit of the density ratio r_alpha, Eqs. (3), (4), (7) and (8): pure functions of kernel values.

Kernel matrices hold one column per sample: K (b, n) between basis and x, L (b, n) between basis and y. Means are over
samples that count alike, or by weights p (n,) of x and q (n,) of y that sum to 1.

LSMI of pairs is four calls: here y is x itself, and three kernels stand for both.

>>> import numpy as np
>>> x = np.linspace(-1.0, 1.0, 50)
>>> K = np.exp(-((x - np.array([[-0.5], [0.0], [0.5]])) ** 2))  # (b, n)
>>> H, h = design(K, K), mean_over_pairs(K, K)
>>> alpha = fit(factorise(H, lam=1e-3), h)
>>> bool(np.allclose((H + 1e-3 * np.eye(3)) @ alpha, h))
True
>>> ratio(alpha, K, K).shape, squared_loss_mi(alpha, H, mean_over_all(K, K)) > 0.0
((50, 50), True)
"""

from album_app.solver.arrays import Array, device_of, epsilon_of, namespace, widen


def design(K: Array, L: Array, p: Array | None = None, q: Array | None = None) -> Array:
    """H (b, b), the mean of phi phi^T over all combinations of the columns of K and L.

    phi = k o l separates, so the mean over pairs is a product of two means: O((n_x + n_y) b^2).
    """
    return _mean_square(K, p) * _mean_square(L, q)


def _mean_square(K: Array, p: Array | None) -> Array:
    return K @ K.T / K.shape[1] if p is None else (K * p) @ K.T


def _mean(K: Array, p: Array | None) -> Array:
    return namespace(K).mean(K, axis=1) if p is None else K @ p


def mean_over_pairs(K: Array, L: Array, p: Array | None = None) -> Array:
    """The first sum of h (b,), Eq. (4): the mean of phi(x_i, y_i) over paired columns of K and L."""
    return _mean(K * L, p)


def mean_over_plan(K: Array, L: Array, plan: Array) -> Array:
    """The second sum of h (b,), Eq. (4): sum_ij pi_ij phi(x'_i, y'_j)."""
    xp = namespace(plan)
    K, L = xp.astype(K, plan.dtype, copy=False), xp.astype(L, plan.dtype, copy=False)
    return widen(xp.sum((K @ plan) * L, axis=1))


def mean_over_all(K: Array, L: Array, p: Array | None = None, q: Array | None = None) -> Array:
    """The mean of phi (b,) over all combinations of the columns of K and L."""
    return _mean(K, p) * _mean(L, q)


def factorise(H: Array, lam: float) -> Array:
    """The inverse Cholesky factor W (b, b) of H + lambda I, so that (H + lambda I)^-1 = W^T W.

    Lambda is raised to the rounding error of H where it is smaller: below that, the factor would be made of noise.
    """
    xp = namespace(H)
    b = H.shape[0]
    identity = xp.eye(b, dtype=H.dtype, device=device_of(H))
    floor = 4.0 * b * epsilon_of(H.dtype, H) * float(xp.max(xp.abs(H)))
    return _inverse_of_lower(xp.linalg.cholesky(H + max(lam, floor) * identity))


def _inverse_of_lower(factor: Array) -> Array:
    """The inverse of a lower triangular matrix, by quarters: cheaper than an inverse that ignores the zeros."""
    xp = namespace(factor)
    half = factor.shape[0] // 2
    if half < 16:
        return xp.linalg.inv(factor)
    top, bottom = _inverse_of_lower(factor[:half, :half]), _inverse_of_lower(factor[half:, half:])
    corner = -(bottom @ (factor[half:, :half] @ top))
    zeros = xp.zeros_like(factor[:half, half:])
    return xp.concat([xp.concat([top, zeros], axis=1), xp.concat([corner, bottom], axis=1)], axis=0)


def fit(W: Array, h: Array) -> Array:
    """alpha (b,) = (H + lambda I)^-1 h, Eq. (8), the minimum of Eq. (7)."""
    return W.T @ (W @ h)


def ratio(alpha: Array, K: Array, L: Array, dtype: object = None) -> Array:
    """r_alpha (n, m) of Eq. (2) at all combinations of columns: C_alpha = K^T diag(alpha) L."""
    xp = namespace(K, L)
    weighted = alpha[:, None] * L
    if dtype is not None:
        K, weighted = xp.astype(K, dtype, copy=False), xp.astype(weighted, dtype, copy=False)
    return K.T @ weighted


def squared_loss_mi(alpha: Array, H: Array, mean_phi: Array) -> float:
    """The estimate of Eq. (1): the mean of (r_alpha - 1)^2 / 2 over all combinations, by H and the mean of phi."""
    xp = namespace(H)
    square = float(xp.sum(alpha * (H @ alpha)))
    return max(0.5 * square - float(xp.sum(alpha * mean_phi)) + 0.5, 0.0)
