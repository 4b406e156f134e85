"""Previews in camera files: upright, without their bars, and not used where they show something else."""

import io
import sys
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from PIL import Image, TiffImagePlugin

from album_app.photos.album import scan
from album_app.photos.decoding.preview import preview_in
from album_app.photos.features import extractor
from album_app.photos.reading import read
from album_app.photos.sandbox import previews
from album_app.photos.thumbnails import is_worth_a_preview, stream_previews
from album_app.research.benchmarks.camera_files import PREVIEW_SIZE, exif_with, letterboxed, save_camera_photo
from tests.photos.conftest import turned
from tests.photos.dng import dng


@pytest.fixture(scope="module")
def photo() -> Image.Image:
    """A photo of 3:2, each quarter of another colour."""
    pixels = np.zeros((200, 300, 3), np.uint8)
    pixels[:100, :150], pixels[:100, 150:] = (220, 30, 30), (30, 200, 40)
    pixels[100:, :150], pixels[100:, 150:] = (30, 40, 210), (250, 250, 250)
    return Image.fromarray(pixels)


def preview_of(path: Path, size: tuple[int, int] | None = None) -> np.ndarray | None:
    (found,) = previews([path], [size])
    return None if found is None else found.pixels


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_preview_is_upright_and_without_bars(tmp_path: Path, photo: Image.Image, orientation: int) -> None:
    stored, _ = turned(photo, orientation)
    save_camera_photo(tmp_path / "a.jpg", stored, orientation=orientation)
    found = preview_of(tmp_path / "a.jpg")
    assert found is not None
    here = preview_in(str(tmp_path / "a.jpg"))
    assert here is not None and np.array_equal(np.asarray(here), found), "this process finds the same"
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
    assert preview_of(tmp_path / "a.jpg") is None is preview_in(str(tmp_path / "a.jpg"))


def test_the_rows_of_a_preview_are_those_of_its_pixels_under_the_keys_of_their_features(
    tmp_path: Path, photo: Image.Image
) -> None:
    save_camera_photo(tmp_path / "a.jpg", photo)
    (found,) = previews([tmp_path / "a.jpg"], [None])
    assert found is not None
    for name in ("lab", "rgb"):
        feature = extractor(name)
        assert found.rows[feature.key] == pytest.approx(feature.extract([found.pixels])[0], abs=1e-4)


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


def test_previews_bring_the_colours_that_a_first_sheet_is_arranged_by(tmp_path: Path, photo: Image.Image) -> None:
    save_camera_photo(tmp_path / "a.jpg", photo.resize((1500, 1000)))
    (found,), reading = previews([tmp_path / "a.jpg"]), read(tmp_path / "a.jpg")
    assert found is not None
    for name, most in (("rgb", 0.05), ("lab", 0.05)):
        key = extractor(name).key
        difference = np.linalg.norm(found.rows[key] - reading.rows[key]) / np.linalg.norm(reading.rows[key])
        assert difference < most, name


def test_the_small_picture_of_a_raw_file_is_read_without_its_decoder(
    tmp_path: Path, photo: Image.Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rawpy", None)
    stream = io.BytesIO()
    letterboxed(photo).save(stream, "JPEG")
    (tmp_path / "a.nef").write_bytes(exif_with(stream.getvalue(), 6).removeprefix(b"Exif\0\0"))
    small = preview_in(str(tmp_path / "a.nef"), (200, 300))
    assert small is not None and small.width / small.height == pytest.approx(2 / 3, rel=0.05)
    assert preview_in(str(tmp_path / "a.nef"), (300, 300)) is None, "it shows something else"
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[254] = 1
    letterboxed(photo).save(tmp_path / "a.tif", tiffinfo=tags)
    (tmp_path / "a.tif").rename(tmp_path / "a.dng")
    small = preview_in(str(tmp_path / "a.dng"))
    assert small is not None and small.size == PREVIEW_SIZE
    (tmp_path / "b.dng").write_bytes((tmp_path / "a.dng").read_bytes()[:300])
    (tmp_path / "c.dng").write_bytes(dng(preview=None))
    assert preview_in(str(tmp_path / "b.dng")) is preview_in(str(tmp_path / "c.dng")) is None


def test_a_heic_is_seen_through_its_own_small_picture(tmp_path: Path, photo: Image.Image) -> None:
    pillow_heif.from_pillow(photo.resize((1200, 800))).save(tmp_path / "none.heic")
    pillow_heif.from_pillow(photo.resize((1200, 800))).save(tmp_path / "small.heic", thumbnails=[240])
    assert preview_of(tmp_path / "none.heic") is None
    found = preview_of(tmp_path / "small.heic")
    assert found is not None and found.shape == (160, 240, 3)
    corners = found[[5, 5, -6, -6], [5, -6, 5, -6]].astype(int)
    assert np.abs(corners - [(220, 30, 30), (30, 200, 40), (30, 40, 210), (250, 250, 250)]).max() < 40
