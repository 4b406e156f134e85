"""Near-duplicates are found, others are not, and a stack shows its best."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from album_app.errors import Stopped
from album_app.photos.album import Album, scan
from album_app.photos.cache import Cache
from album_app.photos.decoding.fingerprint import fingerprint
from album_app.photos.twins import find_twins, stacks, with_twins
from tests.photos.conftest import MakePhoto


@pytest.fixture
def album(tmp_path: Path, make_photo: MakePhoto) -> Album:
    """Six different photos, of which the second and fourth have versions."""
    for i in range(6):
        make_photo(f"photos/{i}.png", seed=i, size=(300, 200))
    folder = tmp_path / "photos"
    second = Image.open(folder / "1.png").convert("RGB")
    second.save(folder / "1 saved.jpg", quality=50)
    second.resize((600, 400)).save(folder / "1 large.png")
    ImageEnhance.Brightness(second).enhance(1.1).save(folder / "1 bright.png")
    second.crop((2, 1, 298, 199)).save(folder / "1 cropped.png")
    Image.open(folder / "3.png").save(folder / "3 copy.png")
    return scan(folder)


def test_versions_of_a_picture_are_twins(album: Album, tmp_path: Path) -> None:
    with Cache.open(tmp_path / "cache") as cache:
        found = with_twins(album, cache)
        assert with_twins(album, cache) == found
    twins = {photo.name: set(photo.twins) for photo in found.photos if photo.twins}
    versions = {"1.png", "1 saved.jpg", "1 large.png", "1 bright.png", "1 cropped.png"}
    assert twins == {
        **{name: versions - {name} for name in versions},
        "3.png": {"3 copy.png"},
        "3 copy.png": {"3.png"},
    }
    assert all(not photo.twins for photo in album.photos), "off unless asked for"


def test_a_stack_shows_its_largest(album: Album) -> None:
    photos = with_twins(album).photos
    named = {photos[best].name: {photos[i].name for i in others} for best, others in stacks(photos).items()}
    assert named["1 large.png"] == {"1.png", "1 saved.jpg", "1 bright.png", "1 cropped.png"}
    assert named["3 copy.png"] == {"3.png"}
    assert stacks(album.photos) == {}
    assert stacks([replace(photos[0], twins=("elsewhere.jpg",))]) == {}


def test_the_same_shape_in_other_colours_or_turned_is_another_photo(make_photo: MakePhoto) -> None:
    image = Image.open(make_photo(size=(256, 160))).convert("RGB")
    red, green, blue = image.split()
    rows = [
        fingerprint(np.asarray(picture))
        for picture in (
            image,
            Image.merge("RGB", (blue, green, red)),
            image.transpose(Image.Transpose.ROTATE_180),
            image.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
            image.resize((160, 256)),
        )
    ]
    assert find_twins(rows) == []


def test_flat_pictures_are_twins_by_colour_alone() -> None:
    rows = [fingerprint(np.full((60, 80, 3), value, np.uint8)) for value in (0, 1, 120, 255)]
    assert find_twins([rows[0], None, *rows[1:]]) == [(0, 2)]


def test_nothing_to_compare() -> None:
    assert find_twins([]) == [] and find_twins([None, None]) == []


def test_stopping(album: Album) -> None:
    with pytest.raises(Stopped):
        with_twins(album, stop=lambda: True)
    row = fingerprint(np.zeros((4, 4, 3), np.uint8))
    with pytest.raises(Stopped):
        find_twins([row], stop=lambda: True)


def test_a_crowd_is_compared_in_pieces() -> None:
    rng = np.random.default_rng(0)
    rows = [fingerprint(rng.integers(0, 256, (32, 32, 3), np.uint8)) for _ in range(700)]
    rows[690] = rows[3]
    rows[650] = rows[600]
    assert find_twins(rows) == [(3, 690), (600, 650)]
