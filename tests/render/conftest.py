"""An album of plain coloured photos, so that its pixels show what is on a sheet."""

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Shape, rectangle
from album_app.photos.album import Album, Photo

COLOURS = [(200, 30, 30), (30, 160, 40), (30, 60, 190), (220, 180, 20), (120, 20, 140), (20, 150, 160)]


@pytest.fixture(scope="session")
def album(tmp_path_factory: pytest.TempPathFactory) -> Album:
    """Six photos of one colour each, alternately wide and tall."""
    folder = tmp_path_factory.mktemp("photos")
    photos = []
    for i, colour in enumerate(COLOURS):
        size = (160, 80) if i % 2 == 0 else (80, 160)
        path = folder / f"photo-{i}.png"
        Image.new("RGB", size, colour).save(path)
        photos.append(Photo(path, path.name, path.stat().st_size, 0, *size, datetime(2024, 5, i + 1)))
    return Album((folder,), tuple(photos))


def layout_of(shape: Shape, photos: list[int], pins: dict[int, tuple[int, int]] | None = None) -> Layout:
    """A layout with given photos in reading order."""
    return Layout(shape, np.array(photos), np.ones(shape.count, np.float32), Pins(pins))


@pytest.fixture
def layout() -> Layout:
    """Six photos on two rows, the first one pinned."""
    return layout_of(rectangle(2, 3), [0, 1, 2, 3, 4, 5], {0: (0, 0)})


def near(a: object, b: object, tolerance: int = 6) -> bool:
    """Whether two colours look the same, as lossy formats keep them."""
    return bool((np.abs(np.asarray(a, int)[..., :3] - np.asarray(b, int)[..., :3]) <= tolerance).all())


@pytest.fixture
def broken(album: Album, tmp_path: Path) -> Album:
    """The same album with one file gone and one damaged."""
    damaged = tmp_path / "damaged.jpg"
    damaged.write_bytes(b"\xff\xd8\xff\xe0 not a picture")
    photos = list(album.photos)
    photos[1] = Photo(tmp_path / "gone.jpg", "gone.jpg", 1, 0, 80, 160)
    photos[2] = Photo(damaged, "damaged.jpg", 1, 0, 160, 80)
    return Album(album.roots, tuple(photos))
