"""What every scene is painted with: noise, ridges, layers, discs and masks on a float picture in 0..1."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

Picture = NDArray[Any]  # (h, w, 3), float32
Plane = NDArray[Any]  # (h, w) or broadcastable to it
Colour = NDArray[Any]  # (3,)
Random = np.random.Generator

OVERSAMPLING = 2


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


def grid(picture: Picture) -> tuple[Plane, Plane]:
    """Row and column of every pixel, as broadcastable (h, 1) and (1, w) planes."""
    height, width = picture.shape[:2]
    return np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None, :]


def crop(picture: Picture, x: float, y: float, reach: float) -> tuple[Picture, float, float]:
    """The square view of the picture around a point, and the point in it: small things are painted in there."""
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    return picture[top : max(top + 1, int(y + reach) + 1), left : max(left + 1, int(x + reach) + 1)], x - left, y - top


def gradient(height: int, width: int, stops: list[Colour], bend: float = 1.0) -> Picture:
    """A vertical run through `stops`, the first at the top; `bend` above 1 keeps the first ones longer."""
    places = np.linspace(0, 1, height, dtype=np.float32) ** bend * (len(stops) - 1)
    columns = [np.interp(places, np.arange(len(stops)), [stop[k] for stop in stops]) for k in range(3)]
    return np.repeat(np.stack(columns, 1)[:, None, :], width, 1).astype(np.float32)


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
