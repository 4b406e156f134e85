"""Colour features have known values on pictures made for them."""

import numpy as np
import pytest

from album_app.photos.features import extractor
from album_app.photos.features.rgb import lab_of_srgb


def random_image(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(height * width).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_rgb_is_the_exact_mean_of_each_box_of_the_centre_square() -> None:
    image = random_image(64, 100)
    boxes = image[:, 18:82].reshape(8, 8, 8, 8, 3).mean(axis=(1, 3)) / 255
    row = extractor("rgb").extract([image])
    assert row.shape == (1, 192) and row.dtype == np.float32
    np.testing.assert_allclose(row[0], boxes.ravel(), atol=1e-6)


@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (7, 256), (256, 171), (100, 99)])
@pytest.mark.parametrize("size", [1, 8, 40])
def test_rgb_keeps_the_mean_colour_of_the_square_at_any_size(shape: tuple[int, int], size: int) -> None:
    image = random_image(*shape)
    side = min(shape)
    top, left = (shape[0] - side) // 2, (shape[1] - side) // 2
    square = image[top : top + side, left : left + side]
    pixels = extractor(f"rgb:{size}").extract([image]).reshape(size, size, 3)
    assert pixels.min() >= 0 and pixels.max() <= 1
    np.testing.assert_allclose(pixels.mean(axis=(0, 1)), square.mean(axis=(0, 1)) / 255, atol=1e-5)


def test_plain_colours_stay_what_they_are() -> None:
    white = np.full((50, 70, 3), 255, np.uint8)
    np.testing.assert_allclose(extractor("rgb").extract([white]), 1, atol=1e-6)


def test_stride_samples_pixels_of_the_whole_picture() -> None:
    image = random_image(120, 250)
    expected = image[0:120:3, 0:240:6] / 255  # whole strides from the first pixel on, what is left over is unseen
    row = extractor("rgb:40:stride").extract([image])[0]
    np.testing.assert_allclose(row, expected.ravel(), atol=1e-6)


def test_stride_of_a_picture_smaller_than_the_sample() -> None:
    assert extractor("rgb:40:stride").extract([random_image(20, 30)]).shape == (1, 4800)


@pytest.mark.parametrize(
    ("rgb", "lab"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((1, 1, 1), (100, 0, 0)),
        ((1, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 1, 0), (87.73, -86.18, 83.18)),
        ((0, 0, 1), (32.30, 79.19, -107.86)),
        ((0.5, 0.5, 0.5), (53.39, 0, 0)),
    ],
)
def test_lab_of_known_colours(rgb: tuple[float, ...], lab: tuple[float, ...]) -> None:
    np.testing.assert_allclose(lab_of_srgb(np.array(rgb, np.float32)), lab, atol=0.02)


def test_lab_is_the_reduced_picture_in_other_coordinates() -> None:
    image = random_image(64, 64)
    rgb, lab = extractor("rgb").extract([image]), extractor("lab").extract([image])
    np.testing.assert_allclose(lab.reshape(-1, 3), lab_of_srgb(rgb.reshape(-1, 3)), atol=1e-5)


def test_rows_do_not_depend_on_their_company() -> None:
    images = [random_image(30 + i, 50) for i in range(5)]
    for name in ("rgb", "lab", "rgb:16:stride"):
        together = extractor(name).extract(images)
        alone = np.vstack([extractor(name).extract([image]) for image in images])
        np.testing.assert_array_equal(together, alone)


def test_one_thing_has_one_key_and_different_things_have_different_ones() -> None:
    assert extractor("rgb").key == extractor("rgb:8").key
    names = ["rgb", "rgb:40", "rgb:40:stride", "lab", "lab:40"]
    assert len({extractor(name).key for name in names}) == len(names)
