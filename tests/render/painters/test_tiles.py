"""Photos as tiles: the part that is shown, at the size that is wanted, and never enlarged."""

import numpy as np
import pytest
from PIL import Image

from album_app.render.page.compose import Wanted
from album_app.render.painters.tiles import fitted

WHOLE = (0.0, 0.0, 1.0, 1.0)
RIGHT_HALF = (0.5, 0.0, 1.0, 1.0)


@pytest.fixture
def halves() -> Image.Image:
    """80 x 40 pixels, the left half black, the right half white."""
    pixels = np.zeros((40, 80, 3), np.uint8)
    pixels[:, 40:] = 255
    return Image.fromarray(pixels)


@pytest.mark.parametrize(
    ("wanted", "size"),
    [
        (Wanted(WHOLE, 20, 10), (20, 10)),
        (Wanted(RIGHT_HALF, 20, 20), (20, 20)),
        (Wanted(RIGHT_HALF, 60, 60), (40, 40)),
        (Wanted(RIGHT_HALF, 40, 40), (40, 40)),
        (Wanted(RIGHT_HALF, 60, 20), (40, 40)),
        (Wanted((0.0, 0.5, 1.0, 1.0), 20, 30), (80, 20)),
        (Wanted(WHOLE, 400, 200), (80, 40)),
        (Wanted(WHOLE, 40, 40, inside=True), (40, 20)),
        (Wanted(WHOLE, 400, 400, inside=True), (80, 40)),
        (Wanted(WHOLE, 80, 4, inside=True), (8, 4)),
    ],
)
def test_a_tile_has_the_wanted_size_unless_the_photo_is_smaller(
    halves: Image.Image, wanted: Wanted, size: tuple[int, int]
) -> None:
    assert fitted(halves, wanted).size == size


def test_a_tile_shows_the_wanted_part(halves: Image.Image) -> None:
    for side in (20, 39, 60):
        assert np.asarray(fitted(halves, Wanted(RIGHT_HALF, side, side))).min() > 230
    assert np.asarray(fitted(halves, Wanted((0.0, 0.0, 0.5, 1.0), 20, 20))).max() < 25
