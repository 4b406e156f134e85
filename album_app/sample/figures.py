"""Figures on a picture, each as the share of every pixel that it covers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from album_app.sample.terrain import Plane

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
