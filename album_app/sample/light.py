"""The light of a scene: one number from dawn over noon and dusk to night gives sky, sun and haze."""

from dataclasses import dataclass

import numpy as np

from album_app.sample.brush import gradient
from album_app.sample.figures import Picture
from album_app.sample.palette import Colour, along, colour
from album_app.sample.terrain import Random

HIGH = [colour(0.42, 0.46, 0.72), colour(0.20, 0.46, 0.82), colour(0.26, 0.52, 0.80), colour(0.34, 0.36, 0.62)]
HIGH += [colour(0.30, 0.18, 0.42), colour(0.05, 0.07, 0.20)]
LOW = [colour(0.98, 0.72, 0.62), colour(0.72, 0.87, 0.95), colour(0.93, 0.90, 0.76), colour(1.00, 0.64, 0.30)]
LOW += [colour(0.96, 0.42, 0.36), colour(0.20, 0.22, 0.42)]
SUN = [colour(1.0, 0.86, 0.72), colour(1.0, 0.98, 0.90), colour(1.0, 0.93, 0.70), colour(1.0, 0.76, 0.38)]
SUN += [colour(1.0, 0.50, 0.32), colour(0.80, 0.86, 1.0)]
BRIGHTNESS = [0.80, 1.0, 0.98, 0.80, 0.52, 0.26]


@dataclass(frozen=True)
class Light:
    """Colours of the sky overhead and at the horizon, of the sun, and how bright the ground is."""

    high: Colour
    low: Colour
    sun: Colour
    brightness: float

    def sky(self, height: int, width: int, bend: float = 1.0) -> Picture:
        return gradient(height, width, [self.high, (self.high + self.low) / 2, self.low], bend)

    def on(self, surface: Colour, haze: float = 0.0) -> Colour:
        """A surface as it looks in this light, seen through `haze` of the horizon's colour."""
        tinted = surface * (0.45 + 0.55 * self.sun) * self.brightness
        return (tinted * (1 - haze) + self.low * haze).astype(np.float32)


def light_at(rng: Random, hour: float) -> Light:
    """The light at `hour` in 0..1 (dawn, morning, noon, golden hour, dusk, night), with a small turn of its own."""
    drift = rng.normal(0, 0.025, 3).astype(np.float32)
    brightness = float(np.interp(hour, np.linspace(0, 1, len(BRIGHTNESS)), BRIGHTNESS))
    return Light(along(HIGH, hour) + drift, along(LOW, hour) + drift, along(SUN, hour), brightness)
