"""Previews in camera files: upright, without their bars, and not used where they show something else."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.photos.album import scan
from album_app.photos.previews import is_worth_a_preview, stream_previews
from album_app.photos.sandbox import previews
from album_app.research.benchmarks.camera_files import PREVIEW_SIZE, save_camera_photo
from tests.photos.conftest import turned


@pytest.fixture(scope="module")
def photo() -> Image.Image:
    """A photo of 3:2, each quarter of another colour."""
    pixels = np.zeros((200, 300, 3), np.uint8)
    pixels[:100, :150], pixels[:100, 150:] = (220, 30, 30), (30, 200, 40)
    pixels[100:, :150], pixels[100:, 150:] = (30, 40, 210), (250, 250, 250)
    return Image.fromarray(pixels)


def preview_of(path: Path) -> np.ndarray | None:
    (found,) = previews([path])
    return found


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_preview_is_upright_and_without_bars(tmp_path: Path, photo: Image.Image, orientation: int) -> None:
    stored, _ = turned(photo, orientation)
    save_camera_photo(tmp_path / "a.jpg", stored, orientation=orientation)
    found = preview_of(tmp_path / "a.jpg")
    assert found is not None
    height, width = found.shape[:2]
    assert width / height == pytest.approx(1.5, rel=0.05)
    corners = found[[5, 5, -6, -6], [5, -6, 5, -6]].astype(int)
    assert np.abs(corners - [(220, 30, 30), (30, 200, 40), (30, 40, 210), (250, 250, 250)]).max() < 40


@pytest.mark.parametrize(
    "preview",
    [
        Image.new("RGB", PREVIEW_SIZE, (200, 200, 200)),  # another part or another picture: no bars, other proportions
        Image.new("RGB", (16, 12)),
        Image.new("RGB", (1200, 800)),
    ],
)
def test_a_preview_that_cannot_be_of_the_photo_is_not_used(
    tmp_path: Path, photo: Image.Image, preview: Image.Image
) -> None:
    save_camera_photo(tmp_path / "a.jpg", photo, preview)
    assert preview_of(tmp_path / "a.jpg") is None


def test_files_without_a_preview_have_none(tmp_path: Path, photo: Image.Image) -> None:
    photo.save(tmp_path / "plain.jpg")
    photo.save(tmp_path / "plain.png")
    exif = Image.Exif()
    exif[0x0112] = 1
    photo.save(tmp_path / "exif.jpg", exif=exif)
    (tmp_path / "text.jpg").write_text("no picture")
    save_camera_photo(tmp_path / "whole.jpg", photo)
    broken = (tmp_path / "whole.jpg").read_bytes()
    (tmp_path / "cut.jpg").write_bytes(broken[: len(broken) // 9])
    (tmp_path / "scrambled.jpg").write_bytes(broken[:120] + bytes(2000) + broken[2120:])
    names = ["plain.jpg", "plain.png", "exif.jpg", "text.jpg", "missing.jpg", "cut.jpg", "scrambled.jpg"]
    assert list(previews([tmp_path / name for name in names])) == [None] * len(names)


def test_previews_come_by_the_places_of_their_photos(tmp_path: Path, photo: Image.Image) -> None:
    for k in range(6):
        photo.save(tmp_path / f"{k}.jpg")
    for k in (1, 3, 5):
        save_camera_photo(tmp_path / f"{k}.jpg", photo)
    photos = scan(tmp_path).photos
    assert not any(map(is_worth_a_preview, photos))
    assert sorted(place for place, _ in stream_previews(photos)) == [1, 3, 5]
