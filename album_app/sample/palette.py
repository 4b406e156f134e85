"""The colours of scenes: mixed, turned around the wheel, taken from a band."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Colour = NDArray[Any]  # (3,), float32 in 0..1


def colour(red: float, green: float, blue: float) -> Colour:
    return np.array([red, green, blue], np.float32)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    return (a * (1 - share) + b * share).astype(np.float32)


def hue(position: float, saturation: float = 0.7, value: float = 0.9) -> Colour:
    """A colour of the wheel: 0 red, 1/3 green, 2/3 blue."""
    wave: Colour = np.abs((position * 6 + np.array([0, 4, 2])) % 6 - 3) - 1
    return np.asarray(value * (1 - saturation + saturation * np.clip(wave, 0, 1)), np.float32)


def along(stops: list[Colour], position: float) -> Colour:
    """The colour at `position` in 0..1 of a band that runs evenly through `stops`."""
    place = float(np.clip(position, 0, 1)) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    return mix(stops[low], stops[low + 1], place - low)
