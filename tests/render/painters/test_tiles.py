"""Photos as tiles: the part that is shown, at the size that is wanted, and never enlarged."""

import numpy as np
import pytest
from PIL import Image

from album_app.render.page.compose import Wanted
from album_app.render.painters.tiles import fitted, stand_in

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


@pytest.mark.parametrize(("width", "height"), [(100, 100), (200, 100), (100, 200), (1200, 1000)])
def test_a_photo_that_cannot_be_shown_has_hills_and_a_sun_in_the_middle_of_a_quiet_tile(
    width: int, height: int
) -> None:
    tile = stand_in(width, height)
    assert tile.size == (width, height)
    ink = np.asarray(tile.convert("L")) < 205
    side, (top, left) = min(width, height), ((height - min(width, height)) // 2, (width - min(width, height)) // 2)
    down, across = np.nonzero(ink)
    found = (across.min() - left, down.min() - top, across.max() - left, down.max() - top)
    assert np.array(found) / side == pytest.approx([0.22, 0.28, 0.78, 0.70], abs=0.03)
    assert ink[top + round(0.34 * side), left + round(0.66 * side)], "the sun"
    assert ink[top + round(0.6 * side), left + round(0.42 * side)], "a hill"
    assert ink[top + round(0.6 * side), left + round(0.63 * side)], "another one"
    assert not ink[top + round(0.34 * side), left + round(0.3 * side)], "the sky"


def test_the_smallest_tile_is_a_pixel() -> None:
    assert stand_in(0, 0).size == (1, 1)
