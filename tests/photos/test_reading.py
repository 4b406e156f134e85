"""What one decoding gives: a small plain JPEG is its own thumbnail, everything else is made into one."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms

from album_app.photos.features.rgb import Lab, Rgb, lab_of_srgb
from album_app.photos.reading import KEYS, LARGEST_OWN_THUMBNAIL, read
from tests.photos.conftest import MakePhoto


def pixels_of(jpeg: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB"), int)


def test_a_small_plain_jpeg_is_its_own_thumbnail(make_photo: MakePhoto) -> None:
    path = make_photo(size=(300, 200), quality=85)
    assert read(path).jpeg == path.read_bytes()


@pytest.mark.parametrize(("longest", "shown"), [(200, 200), (320, 320), (321, 256), (1000, 256)])
def test_only_a_photo_well_beyond_256_is_shrunk(make_photo: MakePhoto, longest: int, shown: int) -> None:
    for suffix in ("jpg", "png"):
        assert max(pixels_of(read(make_photo(f"photo.{suffix}", size=(longest, 90))).jpeg).shape) == shown


@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_a_photo_nearly_a_whole_number_of_times_too_large_is_averaged(tmp_path: Path, suffix: str) -> None:
    shades = np.random.default_rng(0).integers(0, 256, (20, 30), np.uint8)
    large = Image.fromarray(shades).resize((2120, 1414), Image.Resampling.BICUBIC).convert("RGB")
    large.save(tmp_path / f"large.{suffix}")
    shown = pixels_of(read(tmp_path / f"large.{suffix}").jpeg)
    assert shown.shape == (177, 265, 3), "an eighth"
    expected = np.asarray(large.resize((265, 177), Image.Resampling.BOX), int)
    assert np.abs(shown - expected).mean() < 2


def test_rows_by_cielab_follow_from_those_by_rgb(make_photo: MakePhoto) -> None:
    rows = read(make_photo(size=(300, 200))).rows
    assert set(rows) == set(KEYS) and len(rows) == len(KEYS)
    expected = lab_of_srgb(rows[Rgb().key].reshape(8, 8, 3)).ravel()
    np.testing.assert_array_equal(rows[Lab().key], expected)
    assert "rgb:40/1" not in rows and rows.get("rgb:40/1") is None


def test_what_needs_turning_or_other_colours_is_made_anew(make_photo: MakePhoto, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    tail = make_photo("tail.jpg", size=(300, 200))
    tail.write_bytes(tail.read_bytes() + b"a film follows")
    grey = tmp_path / "grey.jpg"
    Image.new("L", (90, 60), 100).save(grey)
    turned = make_photo("turned.jpg", size=(300, 200), exif=exif)
    others = [
        turned,
        make_photo("profile.jpg", size=(300, 200), icc_profile=profile),
        make_photo("steps.jpg", size=(300, 200), progressive=True),
        tail,
        grey,
    ]
    for path in others:
        jpeg = read(path).jpeg
        assert jpeg != path.read_bytes() and Image.open(io.BytesIO(jpeg)).mode == "RGB"
    assert pixels_of(read(turned).jpeg).shape == (300, 200, 3)


def test_a_large_file_of_few_pixels_is_made_anew(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (200, 300, 3), np.uint8)
    Image.fromarray(noise).save(tmp_path / "noise.jpg", quality=98)
    assert (tmp_path / "noise.jpg").stat().st_size > LARGEST_OWN_THUMBNAIL
    jpeg = read(tmp_path / "noise.jpg").jpeg
    assert jpeg != (tmp_path / "noise.jpg").read_bytes() and pixels_of(jpeg).shape == (200, 300, 3)
