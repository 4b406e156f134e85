"""Sinkhorn's algorithm for Eq. (6): log-stabilised by absorption, warm-started, in any precision.

Written by hand, because importing POT takes seconds and brings torch. This one runs inside Algorithm 1 on numpy as well
as on torch, in blocks of rows; the tests compare it with POT's.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from album_app.solver.arrays import Array, device_of, namespace, row_blocks, to_namespace

SWEEPS_TO_FIRST_CHECK, MOST_BETWEEN_CHECKS = 3, 12
"""Sweeps before the marginals are checked first, and the most between two checks; in between their number doubles.

A check of small arrays costs as much as a sweep.
"""

ABSORB_AT = 1e6
"""Scalings beyond this factor are absorbed into the potentials, long before float32 could overflow."""


@dataclass(frozen=True, eq=False)
class Transport:
    """A plan with log pi_ij = logit_ij + f_i + g_j, and how near its marginals are to those asked for."""

    plan: Array  # (n_x, n_y)
    f: Array  # (n_x,)
    g: Array  # (n_y,)
    row_sums: Array  # (n_x,), the plan's marginal
    column_sums: Array  # (n_y,), exact
    sweeps: int
    error: float  # sum over rows of |marginal - the one asked for|


def sinkhorn(
    logits: Array,
    potentials: tuple[Array, Array] | None = None,
    sweeps: int = 1000,
    tolerance: float = 1e-9,
    marginals: tuple[Array, Array] | None = None,
) -> Transport:
    """The plan that maximises <Pi, logits> - sum pi (log pi - 1); logits are scores / epsilon.

    Its marginals are uniform, or those given: positive, (n_x,) and (n_y,), each with the sum 1. It ends when the row
    marginals are right to `tolerance` in the l1 norm, or after `sweeps`.

    >>> transport = sinkhorn(np.array([[2.0, 0.0], [0.0, 2.0]]))
    >>> transport.plan.round(2)
    array([[0.44, 0.06],
           [0.06, 0.44]])
    """
    xp = namespace(logits)
    if marginals is None:
        marginals = tuple(xp.full((n,), 1.0 / n, dtype=logits.dtype, device=device_of(logits)) for n in logits.shape)
    row, column = (xp.astype(side, logits.dtype, copy=False) for side in marginals)
    f, g = potentials if potentials is not None else _log_sweep(logits, None, row, column)
    with np.errstate(all="ignore"):  # an overflow is found by `_moderate`, and repaired by a sweep in the log domain
        return _iterate(logits, f, g, row, column, sweeps, tolerance)


def _iterate(logits: Array, f: Array, g: Array, row: Array, column: Array, sweeps: int, tolerance: float) -> Transport:
    """Sinkhorn's sweeps on the scalings u, v of the absorbed kernel exp(logits + f + g)."""
    xp = namespace(logits)
    kernel, u, v = _absorb(logits, f, g), xp.ones_like(f), xp.ones_like(g)
    kernel_v = kernel @ v
    done, error, period = 0, inf, SWEEPS_TO_FIRST_CHECK
    while done < sweeps and not error <= tolerance:
        for _ in range(min(period, sweeps - done)):
            u = row / kernel_v
            v = column / (u @ kernel)
            kernel_v = kernel @ v
            done += 1
        period = min(2 * period, MOST_BETWEEN_CHECKS)
        error = float(xp.sum(xp.abs(u * kernel_v - row)))
        if not _moderate(u, v):  # NaN is not moderate either
            f, g = _log_sweep(logits, g + xp.log(v) if _finite(v) else g, row, column)
            kernel, u, v = _absorb(logits, f, g), xp.ones_like(f), xp.ones_like(g)
            kernel_v = kernel @ v
            error = float(xp.sum(xp.abs(kernel_v - row)))
    for rows in row_blocks(kernel):
        kernel[rows, :] *= u[rows, None]
        kernel[rows, :] *= v[None, :]
    return Transport(kernel, f + xp.log(u), g + xp.log(v), u * kernel_v, column, done, error)


def _absorb(logits: Array, f: Array, g: Array) -> Array:
    """exp(logits + f + g), kept above what a scaling could make denormal, hence slow."""
    xp = namespace(logits)
    floor = to_namespace(np.asarray(-60.0 if logits.dtype == xp.float32 else -600.0), logits)
    kernel = xp.empty_like(logits)
    for rows in row_blocks(kernel):
        block = kernel[rows, :]
        xp.add(logits[rows, :], f[rows, None], out=block)
        block += g[None, :]
        xp.maximum(block, floor, out=block)
        xp.exp(block, out=block)
    return kernel


def _moderate(u: Array, v: Array) -> bool:
    """Whether the scalings are near enough to 1 to go on with them."""
    xp = namespace(u)
    largest = max(float(xp.max(u)), float(xp.max(v)))
    smallest = min(float(xp.min(u)), float(xp.min(v)))
    return smallest >= 1.0 / ABSORB_AT and largest <= ABSORB_AT


def _finite(v: Array) -> bool:
    xp = namespace(v)
    return bool(xp.all(xp.isfinite(xp.log(v))))


def _log_sweep(logits: Array, g: Array | None, row: Array, column: Array) -> tuple[Array, Array]:
    """One sweep in the log domain: rows, then columns. It leaves exact columns, and no row that underflows."""
    xp = namespace(logits)
    blocks = list(row_blocks(logits))
    f = xp.concat([_log_sum_exp(logits[rows, :] if g is None else logits[rows, :] + g) for rows in blocks])
    f = xp.log(row) - f
    g = _log_sum_exp(xp.stack([_log_sum_exp((logits[rows, :] + f[rows, None]).T) for rows in blocks], axis=1))
    return f, xp.log(column) - g


def _log_sum_exp(values: Array) -> Array:
    """log sum exp along the rows."""
    xp = namespace(values)
    top = xp.max(values, axis=1)
    return xp.log(xp.sum(xp.exp(values - top[:, None]), axis=1)) + top
