"""What every method of comparison answers with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.solver import density_ratio
from album_app.solver.kernels import Gaussian

Matrix = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Estimate:
    """An SMI, the ratio model behind it, and how the unpaired samples were paired, if they were.

    >>> from album_app.baselines import lsmi_of_pairs
    >>> x = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> estimate = lsmi_of_pairs(x, x)
    >>> near, far = estimate.ratio(x[:1], x[[0, -1]])[0]
    >>> bool(near > 1.0 > far)
    True
    """

    smi: float
    lam: float
    alpha: Matrix  # (b,)
    x_kernel: Gaussian
    y_kernel: Gaussian
    plan: Matrix | None = None  # (n_x, n_y)

    def ratio(self, x: Matrix, y: Matrix) -> Matrix:
        """r_alpha at all combinations of the rows of x (m, d_x) and of y (k, d_y), (m, k)."""
        return np.asarray(density_ratio.ratio(self.alpha, self.x_kernel(x), self.y_kernel(y)))
