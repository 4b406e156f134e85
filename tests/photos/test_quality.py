"""Quality: blurred, flat, badly exposed, small, damaged and rejected photos rank behind their like."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance, ImageFilter

from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.photos.decoding.metadata import Metadata
from album_app.photos.decoding.quality import CLIPPED, CONTRAST, SHARPNESS, quality_row
from album_app.photos.quality import quality_of


@pytest.fixture(scope="module")
def good() -> Image.Image:
    rng = np.random.default_rng(0)
    coarse = Image.fromarray(rng.integers(40, 215, (24, 32, 3), np.uint8))
    return coarse.resize((256, 192), Image.Resampling.NEAREST)


def test_each_fault_shows_in_its_measure(good: Image.Image) -> None:
    whole = quality_row(good)
    assert quality_row(good.filter(ImageFilter.GaussianBlur(2)))[SHARPNESS] < whole[SHARPNESS] / 4
    assert quality_row(ImageEnhance.Contrast(good).enhance(0.3))[CONTRAST] < whole[CONTRAST] / 2
    assert quality_row(ImageEnhance.Brightness(good).enhance(3))[CLIPPED] > 0.3 > whole[CLIPPED]
    assert quality_row(Image.new("RGB", (1, 1))).tolist() == [0, 0, 1]


def test_worse_photos_rank_lower_and_what_was_read_is_known(good: Image.Image, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    blurred, flat = good.filter(ImageFilter.GaussianBlur(2)), ImageEnhance.Contrast(good).enhance(0.3)
    pictures = {"a good": good, "b blurred": blurred, "c flat": flat, "d small": good.resize((64, 48))}
    for name, picture in pictures.items():
        picture.save(folder / f"{name}.png")
    photos = scan(folder).photos
    with Cache.open(tmp_path / "cache") as cache:
        found = quality_of(photos, cache)
        assert found.argmax() == 0 and 0 <= found.min() < found.max() <= 1
        (folder / "b blurred.png").unlink()
        assert np.array_equal(quality_of(photos, cache), found)
        small = quality_of(photos, cache, least_side=100)
        assert small[3] == pytest.approx(found[3] - 1) and np.array_equal(small[:3], found[:3])
        rejected = replace(photos[0], metadata=Metadata(rating=-1))
        best = replace(photos[1], metadata=Metadata(rating=5))
        assert quality_of([rejected, best, *photos[2:]], cache).argmax() == 1
        assert quality_of([replace(photos[0], damage="cut"), *photos[1:]], cache)[0] < found[0]
