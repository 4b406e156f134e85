"""What nature does by chance: smooth noise and height lines."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Plane = NDArray[Any]  # (h, w) or broadcastable to it
Random = np.random.Generator


def noise(rng: Random, height: int, width: int, cells: tuple[float, float], octaves: int = 4) -> Plane:
    """Smooth noise in 0..1 with about `cells` = (down, across) bumps in its coarsest octave."""
    total = np.zeros((height, width), np.float32)
    for octave in range(octaves):
        down, across = (max(2, round(count * 2**octave)) for count in cells)
        small = rng.random((min(down, height), min(across, width)), np.float32)
        smoothing = Image.Resampling.BILINEAR if octave > 1 else Image.Resampling.BICUBIC
        total += np.asarray(Image.fromarray(small).resize((width, height), smoothing)) * 0.5**octave
    spread = max(float(np.ptp(total)), 1e-6)
    return np.asarray((total - total.min()) / spread, np.float32)


def ridge(rng: Random, width: int, bumps: float, octaves: int = 5, roughness: float = 0.5) -> Plane:
    """A height line in -1..1 over the picture's width."""
    x = np.linspace(0, 1, width)
    line = np.zeros(width)
    for octave in range(octaves):
        knots = max(2, round(bumps * 2**octave)) + 1
        line += np.interp(x, np.linspace(0, 1, knots), rng.uniform(-1, 1, knots)) * roughness**octave
    return (line / max(float(np.abs(line).max()), 1e-6)).astype(np.float32)


def smooth_ridge(rng: Random, width: int, bumps: float) -> Plane:
    """A gently rolling height line in -1..1: a sum of a few slow waves."""
    x = np.linspace(0, 2 * np.pi, width)
    line = np.zeros(width)
    for scale in (1, 2, 3):
        line += np.sin(x * bumps * scale * 0.5 + rng.uniform(0, 6.3)) * rng.uniform(0.4, 1) / scale
    return (line / max(float(np.abs(line).max()), 1e-6)).astype(np.float32)
