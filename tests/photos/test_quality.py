"""Quality: blurred, flat, badly exposed, small, damaged and rejected photos rank behind others like them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance, ImageFilter

from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.photos.decoding.header import Metadata
from album_app.photos.decoding.measures import CLIPPED, CONTRAST, LAPLACIAN, face_sharpness, quality_row
from album_app.photos.faces import KIND, Focus
from album_app.photos.quality import exposures, quality_of, ranks, stars
from album_app.photos.records import stored
from tests.photos.conftest import MakePhoto


@pytest.fixture(scope="module")
def good() -> Image.Image:
    rng = np.random.default_rng(0)
    coarse = Image.fromarray(rng.integers(40, 215, (24, 32, 3), np.uint8))
    return coarse.resize((256, 192), Image.Resampling.NEAREST)


def test_each_fault_shows_in_its_measure(good: Image.Image) -> None:
    whole = quality_row(good)
    assert quality_row(good.filter(ImageFilter.GaussianBlur(2)))[LAPLACIAN] < whole[LAPLACIAN] / 4
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
        progress: list[tuple[int, int]] = []
        found = quality_of(photos, cache, on_progress=lambda done, total: progress.append((done, total)))
        assert progress == [(done, 4) for done in range(5)]
        assert found.argmax() == 0 and 0 <= found.min() < found.max() <= 1
        (folder / "b blurred.png").unlink()
        progress.clear()
        known = quality_of(photos, cache, on_progress=lambda done, total: progress.append((done, total)))
        assert np.array_equal(known, found) and progress == [(4, 4)]
        small = quality_of(photos, cache, least_side=100)
        assert small[3] == pytest.approx(found[3] - 1) and np.array_equal(small[:3], found[:3])
        rejected = replace(photos[0], metadata=Metadata(rating=-1))
        best = replace(photos[1], metadata=Metadata(rating=5))
        assert quality_of([rejected, best, *photos[2:]], cache).argmax() == 1
        assert quality_of([replace(photos[0], damage="cut"), *photos[1:]], cache)[0] < found[0]


def test_stars_exposure_and_rank_add_known_amounts(make_photo: MakePhoto) -> None:
    photo = scan(make_photo("photo.png")).photos[0]
    rated = [replace(photo, metadata=Metadata(rating=rating)) for rating in (-1, 0, 1, 3, 4, 5)]
    assert stars(rated).tolist() == [-1, 0, -0.5, 0, 0.25, 0.5]
    clipped = np.array([0.0, 0.4, 0.65, 0.9, 1.0], np.float32)
    assert exposures(clipped) == pytest.approx([1, 1, 0.75, 0.5, 0.5])
    assert ranks(np.array([3.0, 1.0, 3.0, 3.0], np.float32)) == pytest.approx([0.625, 0.125, 0.625, 0.625])
    assert ranks(np.zeros(0, np.float32)).shape == (0,)


def test_a_blurred_face_has_less_fine_detail_whatever_its_size(good: Image.Image) -> None:
    box = (0.25, 0.25, 0.75, 0.75)
    whole = face_sharpness(good, box)
    assert face_sharpness(good.filter(ImageFilter.GaussianBlur(3)), box) < whole / 2
    assert face_sharpness(good.resize((512, 384), Image.Resampling.BICUBIC), box) == pytest.approx(whole, rel=0.2)
    assert face_sharpness(ImageEnhance.Contrast(good).enhance(0.5), box) == pytest.approx(whole, rel=0.2)
    assert face_sharpness(good, (0.4, 0.4, 0.5, 0.5)) == 0, "too small to tell"


def test_the_sharpness_of_a_known_face_replaces_that_of_the_photo(good: Image.Image, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for name, blur in {"a sharp": 0, "b blurred": 2, "c landscape": 1}.items():
        good.filter(ImageFilter.GaussianBlur(blur)).save(folder / f"{name}.png")
    photos = scan(folder).photos
    with Cache.open(tmp_path / "cache") as cache:
        before = quality_of(photos, cache)
        assert before.argmax() == 0 and before.argmin() == 1
        faces = [Focus(((0.2, 0.2, 0.8, 0.8),), (0.9,), sharpness) for sharpness in (0.1, 0.8)]
        cache.put([(KIND, photo, stored(focus)) for photo, focus in zip(photos, faces, strict=False)])
        after = quality_of(photos, cache)
        assert after[0] < before[0] and after[1] > before[1], "the face in the blurred photo is the sharp one"
        small = Focus(((0.2, 0.2, 0.3, 0.3),), (0.9,))
        cache.put([(KIND, photo, stored(small)) for photo in photos])
        assert np.array_equal(quality_of(photos, cache), before), "faces too small to tell change nothing"
