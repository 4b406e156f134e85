"""The decoder gives an upright picture of the wanted size for every kind of file."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.photos.decoding import colour
from album_app.photos.decoding.decode import decode, thumbnail
from album_app.photos.decoding.header import read_header
from tests.photos.conftest import STORED, turned


def assert_like(found: Image.Image, wanted: Image.Image, tolerance: float = 12) -> None:
    assert (found.mode, found.size) == ("RGB", wanted.size)
    difference = np.asarray(found, float) - np.asarray(wanted.convert("RGB"), float)
    assert np.abs(difference).mean() < tolerance


@pytest.mark.parametrize("orientation", STORED)
@pytest.mark.parametrize("suffix", ["jpg", "png", "tif", "webp", "avif", "heic"])
def test_every_orientation_ends_upright(tmp_path: Path, quarters: Image.Image, suffix: str, orientation: int) -> None:
    if suffix == "heic":
        pytest.importorskip("pillow_heif").register_heif_opener()
    path = tmp_path / f"turned.{suffix}"
    stored, exif = turned(quarters, orientation)
    stored.save(path, exif=exif.tobytes(), quality=95)
    assert_like(decode(path), quarters)
    header = read_header(path)
    assert (header.width, header.height) == quarters.size


def test_orientation_behind_the_pixels_of_a_png(
    tmp_path: Path, quarters: Image.Image, png: Callable[..., bytes]
) -> None:
    stored, exif = turned(quarters, 6)
    rows = b"".join(b"\0" + row.tobytes() for row in np.asarray(stored))
    path = tmp_path / "late.png"
    path.write_bytes(png(stored.size, 8, 2, rows, after={b"eXIf": exif.tobytes().removeprefix(b"Exif\0\0")}))
    assert_like(decode(path), quarters, 1)
    assert (read_header(path).width, read_header(path).height) == quarters.size


def test_avif_turns_by_its_own_transform_alone(tmp_path: Path, quarters: Image.Image) -> None:
    path = tmp_path / "xmp.avif"
    quarters.save(path, quality=95, xmp=b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a tiff:Orientation="6"/></x:xmpmeta>')
    assert_like(decode(path), quarters)


def test_heic_turns_by_its_own_transform_alone(tmp_path: Path, quarters: Image.Image) -> None:
    pytest.importorskip("pillow_heif").register_heif_opener()
    plain, turning = tmp_path / "plain.heic", tmp_path / "turning.heic"
    exif = {number: turned(quarters, number)[1].tobytes() for number in (1, 6)}
    quarters.save(plain, quality=95, exif=exif[1])
    turning.write_bytes(plain.read_bytes().replace(exif[1], exif[6]))
    assert turning.read_bytes() != plain.read_bytes()
    assert_like(decode(turning), quarters)


@pytest.mark.parametrize("box", [(200, 200), (100, 300), (1000, 1000), (1, 1)])
@pytest.mark.parametrize("orientation", [1, 6])
def test_a_box_is_fitted_or_covered_and_never_exceeded(tmp_path: Path, orientation: int, box: tuple[int, int]) -> None:
    path = tmp_path / "wide.jpg"
    stored, exif = turned(Image.new("RGB", (900, 600), "teal"), orientation)
    stored.save(path, exif=exif)
    inside = decode(path, box)
    assert inside.width <= box[0] and inside.height <= box[1]
    assert inside.width in (box[0], 900) or inside.height in (box[1], 600)
    around = decode(path, box, cover=True)
    assert around.width >= min(box[0], 900) and around.height >= min(box[1], 600)
    assert around.width in (box[0], 900) or around.height in (box[1], 600)
    assert abs(around.width / around.height - 1.5) < 0.02 or box == (1, 1)


def test_a_thumbnail_has_256_on_its_longest_side(tmp_path: Path) -> None:
    Image.new("RGB", (600, 900), "navy").save(tmp_path / "tall.png")
    Image.new("RGB", (30, 20), "navy").save(tmp_path / "small.png")
    tall = thumbnail(tmp_path / "tall.png")
    assert (tall.shape, tall.dtype) == ((256, 171, 3), np.uint8)
    assert thumbnail(tmp_path / "small.png").shape == (20, 30, 3)


def test_a_sliver_keeps_at_least_one_pixel(tmp_path: Path) -> None:
    Image.new("RGB", (5000, 1), "navy").save(tmp_path / "sliver.png")
    assert thumbnail(tmp_path / "sliver.png").shape == (1, 256, 3)


def test_a_jpeg_is_decoded_at_reduced_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.new("RGB", (4096, 3072), "olive").save(tmp_path / "big.jpg")
    seen = []
    simple = colour.in_eight_bits

    def spy(image: Image.Image) -> Image.Image:
        seen.append(image.size)
        return simple(image)

    monkeypatch.setattr(colour, "in_eight_bits", spy)
    assert thumbnail(tmp_path / "big.jpg").shape == (192, 256, 3)
    assert seen == [(512, 384)]


@pytest.mark.parametrize("suffix", ["gif", "webp", "png", "avif", "tif"])
def test_the_first_frame_of_an_animation(tmp_path: Path, suffix: str) -> None:
    frames = [Image.new("RGB", (16, 16), colour) for colour in ("red", "lime", "blue")]
    path = tmp_path / f"moving.{suffix}"
    frames[0].save(path, save_all=True, append_images=frames[1:])
    red, green, blue = decode(path).getpixel((8, 8))
    assert red > 240 and green < 15 and blue < 15


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "gif", "bmp", "tif", "avif", "jp2", "heic"])
def test_every_format_is_read_whatever_its_name(tmp_path: Path, quarters: Image.Image, suffix: str) -> None:
    if suffix == "heic":
        pytest.importorskip("pillow_heif").register_heif_opener()
    quarters.save(tmp_path / f"right.{suffix}")
    (tmp_path / f"right.{suffix}").rename(tmp_path / "wrong.txt")
    assert_like(decode(tmp_path / "wrong.txt"), quarters, 25)


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data:UserWarning")
def test_bad_exif_is_no_reason_to_fail(tmp_path: Path, quarters: Image.Image) -> None:
    for i, junk in enumerate(
        [b"Exif\0\0garbage", b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0MM\0*\0\0\0\x08\xff\xff", b""]
    ):
        path = tmp_path / f"{i}.jpg"
        quarters.save(path, exif=junk, quality=95)
        assert_like(decode(path), quarters)
        assert read_header(path).taken is None
    exif = Image.Exif()
    exif[0x0112] = 99
    quarters.save(tmp_path / "turn.jpg", exif=exif, quality=95)
    assert_like(decode(tmp_path / "turn.jpg"), quarters)


def test_generic_boxes_are_distinguished_by_their_other_brands(tmp_path: Path, quarters: Image.Image) -> None:
    quarters.save(tmp_path / "a.avif")
    data = bytearray((tmp_path / "a.avif").read_bytes())
    data[8:12] = b"mif1"
    (tmp_path / "a.avif").write_bytes(data)
    assert b"avif" in data[16:64]
    assert_like(decode(tmp_path / "a.avif"), quarters)


def test_originals_are_never_touched(make_photo: Callable[..., Path]) -> None:
    path = make_photo()
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    decode(path)
    thumbnail(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
