"""What scenes are painted with: noise, colours, light, layers and figures on a float picture in 0..1."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

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


Picture = NDArray[Any]  # (h, w, 3), float32

OVERSAMPLING = 2


def grid(picture: Picture) -> tuple[Plane, Plane]:
    """Row and column of every pixel, as broadcastable (h, 1) and (1, w) planes."""
    height, width = picture.shape[:2]
    return np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None, :]


def disc(picture: Picture, row: float, column: float, radius: float) -> Plane:
    """Anti-aliased coverage of a disc."""
    rows, columns = grid(picture)
    return np.clip(radius - np.sqrt((rows - row) ** 2 + (columns - column) ** 2) + 0.5, 0, 1)


def mask(picture: Picture, draw: Callable[[ImageDraw.ImageDraw, float], None], blur: float = 0.0) -> Plane:
    """Coverage of what `draw(pen, scale)` draws in white; it multiplies its coordinates by `scale`."""
    height, width = picture.shape[:2]
    image = Image.new("L", (width * OVERSAMPLING, height * OVERSAMPLING))
    draw(ImageDraw.Draw(image), float(OVERSAMPLING))
    image = image.reduce(OVERSAMPLING)
    if blur:
        image = image.filter(ImageFilter.GaussianBlur(blur))
    return np.asarray(image, np.float32) / 255


def polygon(picture: Picture, points: list[tuple[float, float]], blur: float = 0.0) -> Plane:
    """Coverage of a filled outline given as (x, y) points."""
    return mask(picture, lambda pen, scale: pen.polygon([(x * scale, y * scale) for x, y in points], fill=255), blur)


def stroke(picture: Picture, points: list[tuple[float, float]], thickness: float) -> Plane:
    """Coverage of a line through (x, y) points."""

    def draw(pen: ImageDraw.ImageDraw, scale: float) -> None:
        pen.line([(x * scale, y * scale) for x, y in points], 255, max(1, round(thickness * scale)), "curve")

    return mask(picture, draw)


def rectangle(picture: Picture, left: float, top: float, right: float, bottom: float) -> Plane:
    return polygon(picture, [(left, top), (right, top), (right, bottom), (left, bottom)])


def crop(picture: Picture, x: float, y: float, reach: float) -> tuple[Picture, float, float]:
    """The square view of the picture around a point, and the point in it: small things are painted in there."""
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    return picture[top : max(top + 1, int(y + reach) + 1), left : max(left + 1, int(x + reach) + 1)], x - left, y - top


def gradient(height: int, width: int, stops: list[Colour], bend: float = 1.0) -> Picture:
    """A vertical run through `stops`, the first at the top; `bend` above 1 keeps the first ones longer."""
    places = np.linspace(0, 1, height, dtype=np.float32) ** bend * (len(stops) - 1)
    columns = [np.interp(places, np.arange(len(stops)), [stop[k] for stop in stops]) for k in range(3)]
    return np.repeat(np.stack(columns, 1)[:, None, :], width, 1).astype(np.float32)


def below(picture: Picture, heights: Plane) -> Plane:
    """Coverage (anti-aliased) of the region under a height line given in pixel rows."""
    rows, _ = grid(picture)
    return np.clip(rows - heights[None, :] + 0.5, 0, 1)


def blend(picture: Picture, coverage: Plane, paint: Picture | Colour) -> None:
    """Lay `paint` over the picture, in place, where `coverage` says."""
    picture += coverage[..., None] * (paint - picture)


def glow(picture: Picture, row: float, column: float, radius: float, light: Colour, strength: float = 1.0) -> None:
    """Add light that falls off smoothly from a point."""
    rows, columns = grid(picture)
    falloff = strength / (1 + ((rows - row) ** 2 + (columns - column) ** 2) / radius**2)
    picture += falloff[..., None] * light * np.clip(1 - picture, 0, 1)


def blurred(picture: Picture, radius: float) -> Picture:
    image = Image.fromarray(to_bytes(picture)).filter(ImageFilter.GaussianBlur(radius))
    return np.asarray(image, np.float32) / 255


def clouds(
    rng: Random, picture: Picture, light: Colour, amount: float, streak: float = 4.0, until: float = 0.6
) -> None:
    """Soft clouds in the upper part of the picture; `streak` stretches them sideways."""
    height, width = picture.shape[:2]
    shape = noise(rng, height, width, (3 + streak, 3), 5)
    fade = np.clip(1 - grid(picture)[0] / (height * until), 0, 1) ** 0.6
    blend(picture, np.clip((shape - 0.62 + amount * 0.25) * 3, 0, 1) * fade * 0.8, light)


def finish(rng: Random, picture: Picture, grain: float = 0.018, vignette: float = 0.22) -> NDArray[np.uint8]:
    """A photograph's last touches: darker corners and a little grain."""
    rows, columns = grid(picture)
    height, width = picture.shape[:2]
    distance = ((rows / height - 0.5) ** 2 + (columns / width - 0.5) ** 2) * 2
    picture = picture * (1 - vignette * distance[..., None])
    return to_bytes(picture + rng.standard_normal((height, width, 1), np.float32) * grain)


def to_bytes(picture: Picture) -> NDArray[np.uint8]:
    return (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)


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
