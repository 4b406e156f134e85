"""What scenes are painted with: gradients, layers, light and clouds on a float picture in 0..1."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from album_app.sample.figures import Picture, grid
from album_app.sample.palette import Colour
from album_app.sample.terrain import Plane, Random, noise


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
