"""The settings of LSMI-Sinkhorn, named as in the paper, and what each of them may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from operator import index
from typing import Any

from album_app.solver.arrays import InvalidInput
from album_app.solver.start import START

ALLOWED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "basis": (lambda value: index(value) >= 1, "a whole number, at least 1"),
    "beta": (lambda value: 0.0 <= value <= 1.0, "between 0 and 1"),
    "epsilon": (lambda value: 0.0 < value < inf, "positive"),
    "lam": (lambda value: 0.0 <= value < inf, "at least 0"),
    "iterations": (lambda value: index(value) >= 1, "a whole number, at least 1"),
    "eta": (lambda value: value >= 0.0, "at least 0"),
    "seed": (lambda value: index(value) >= 0, "a whole number, at least 0"),
    "start": (lambda value: value in START, f"one of {', '.join(START)}"),
    "dtype": (lambda value: value in (None, "float32", "float64"), "float32, float64 or None"),
    "width": (lambda value: 0.0 < value < inf, "positive"),
    "roots": (lambda value: value in (False, True), "True or False"),
    "landmarks": (lambda value: value is None or index(value) >= 1, "a whole number, at least 1, or None"),
    "sweeps": (lambda value: index(value) >= 1, "a whole number, at least 1"),
    "tolerance": (lambda value: value is None or value >= 0.0, "at least 0 or None"),
}
"""For each setting, a test of its value and the values that pass the test."""


@dataclass
class Settings:
    """The settings of `LsmiSinkhorn`, which documents them, and of its scikit-learn estimator."""

    basis: int = 200  # b
    beta: float = 0.5
    epsilon: float = 0.3
    lam: float = 1e-3  # lambda
    iterations: int = 20  # T
    eta: float = 1e-9
    seed: int = 0
    start: str = "uniform"
    dtype: str | None = None
    device: str | None = None
    width: float = field(default=1.0, kw_only=True)
    roots: bool = field(default=False, kw_only=True)
    landmarks: int | None = field(default=None, kw_only=True)
    sweeps: int = field(default=100, kw_only=True)
    tolerance: float | None = field(default=None, kw_only=True)

    def check(self) -> None:
        """Refuse a setting that has no meaning, with a sentence that names it."""
        for name, (allowed, wanted) in ALLOWED.items():
            value = getattr(self, name)
            try:
                good = allowed(value)
            except TypeError:
                good = False
            if not good:
                raise InvalidInput(f"{name} must be {wanted}, not {value!r}")
        if self.dtype == "float64" and str(self.device).startswith("mps"):
            raise InvalidInput("dtype must be float32 or None on device mps, which has no float64")
