"""Colours as they are meant: profiles, transparency, deep pixels and inks all end in plain sRGB."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms

from album_app.photos.decoding.colour import eight_of_sixteen
from album_app.photos.decoding.decode import decode
from tests.photos.conftest import turned


def test_an_embedded_profile_is_turned_into_srgb(tmp_path: Path) -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    Image.new("LAB", (8, 8), (128, 170, 170)).save(tmp_path / "lab.tif", icc_profile=lab)
    Image.new("LAB", (8, 8), (128, 170, 170)).save(tmp_path / "bare.tif")
    expected = np.array([192, 86, 49])  # L 50, a 42, b 42
    assert np.abs(np.asarray(decode(tmp_path / "lab.tif"), int)[0, 0] - expected).max() < 6
    assert np.abs(np.asarray(decode(tmp_path / "bare.tif"), int)[0, 0] - expected).max() < 6


def test_a_wide_gamut_profile_changes_colours_and_srgb_does_not(tmp_path: Path) -> None:
    image = Image.new("RGB", (8, 8), (40, 200, 60))
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for name, profile in {"swapped": swapped_srgb(), "plain": srgb}.items():
        image.save(tmp_path / f"{name}.png", icc_profile=profile)
    assert decode(tmp_path / "plain.png").getpixel((0, 0)) == (40, 200, 60)
    red, green, _ = decode(tmp_path / "swapped.png").getpixel((0, 0))
    assert red > 150 > green


def swapped_srgb() -> bytes:
    """An sRGB profile whose red and green primaries are exchanged, under another name."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, green = profile.index(b"rXYZ"), profile.index(b"gXYZ")
    profile[red : red + 4], profile[green : green + 4] = b"gXYZ", b"rXYZ"
    return bytes(profile).replace("sRGB".encode("utf-16-be"), "swap".encode("utf-16-be"))


@pytest.mark.parametrize("box", [None, (4, 4)])
def test_what_no_longer_holds_is_not_carried_along(tmp_path: Path, box: tuple[int, int] | None) -> None:
    _, exif = turned(Image.new("RGB", (8, 8)), 6)
    Image.new("RGB", (8, 8)).save(tmp_path / "all.jpg", icc_profile=swapped_srgb(), exif=exif, comment="hello")
    image = decode(tmp_path / "all.jpg", box)
    assert image.info == {} and not image.getexif()


@pytest.mark.parametrize("profile", [b"nonsense", b"\0" * 200, b""])
def test_a_broken_profile_is_ignored(tmp_path: Path, profile: bytes) -> None:
    Image.new("RGB", (8, 8), (40, 200, 60)).save(tmp_path / "broken.png", icc_profile=profile)
    assert decode(tmp_path / "broken.png").getpixel((0, 0)) == (40, 200, 60)


def test_a_colour_profile_on_a_grey_picture_does_no_harm(tmp_path: Path) -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    Image.new("L", (8, 8), 90).save(tmp_path / "grey.jpg", icc_profile=srgb)
    assert decode(tmp_path / "grey.jpg").getpixel((0, 0)) == (90, 90, 90)


@pytest.mark.parametrize(
    ("mode", "colour", "expected"),
    [
        ("RGBA", (200, 0, 0, 0), (255, 255, 255)),
        ("RGBA", (200, 0, 0, 128), (227, 127, 127)),
        ("LA", (0, 128), (127, 127, 127)),
        ("L", 77, (77, 77, 77)),
        ("1", 1, (255, 255, 255)),
    ],
)
def test_transparency_lies_on_white_and_grey_becomes_rgb(
    tmp_path: Path, mode: str, colour: object, expected: tuple[int, int, int]
) -> None:
    Image.new(mode, (300, 300), colour).save(tmp_path / "image.png")
    for box in (None, (100, 100), (70, 70)):
        assert np.abs(np.subtract(decode(tmp_path / "image.png", box).getpixel((30, 30)), expected)).max() <= 1


@pytest.mark.parametrize("suffix", ["png", "gif"])
def test_a_palette_with_a_transparent_colour(tmp_path: Path, suffix: str) -> None:
    image = Image.new("P", (20, 10), 0)
    image.putpalette([10, 120, 30, 200, 40, 50])
    image.paste(1, (10, 0, 20, 10))
    image.save(tmp_path / f"palette.{suffix}", transparency=0)
    shown = decode(tmp_path / f"palette.{suffix}")
    assert shown.getpixel((2, 2)) == (255, 255, 255)
    assert shown.getpixel((15, 5)) == (200, 40, 50)


@pytest.mark.parametrize("mode", ["L", "RGB", "1"])
def test_a_transparent_colour_key(tmp_path: Path, mode: str) -> None:
    key = (10, 20, 30) if mode == "RGB" else 0
    Image.new(mode, (9, 9), key).save(tmp_path / "key.png", transparency=key)
    assert decode(tmp_path / "key.png").getpixel((4, 4)) == (255, 255, 255)


def test_sixteen_bits_are_scaled_not_clipped(tmp_path: Path, png: Callable[..., bytes]) -> None:
    ramp = np.linspace(0, 65535, 64).astype(np.uint16)
    expected = np.round(ramp / 257).astype(int)
    Image.fromarray(np.tile(ramp, (8, 1))).save(tmp_path / "grey.png")
    Image.fromarray(np.tile(ramp, (8, 1))).save(tmp_path / "grey.tif")
    colour = np.repeat(ramp[:, None], 3, axis=1).astype(">u2").tobytes()
    (tmp_path / "colour.png").write_bytes(png((64, 1), 16, 2, b"\0" + colour))
    for name in ("grey.png", "grey.tif", "colour.png"):
        found = np.asarray(decode(tmp_path / name)).astype(int)[0]
        assert np.abs(found - expected[:, None]).max() <= 1, name


def test_sixteen_bits_with_a_colour_key(tmp_path: Path, png: Callable[..., bytes]) -> None:
    raw = b"\0" + np.full((4, 3), 51400, ">u2").tobytes()
    key = np.full(3, 9000, ">u2").tobytes()
    (tmp_path / "key.png").write_bytes(png((4, 1), 16, 2, raw, before={b"tRNS": key}))
    assert decode(tmp_path / "key.png").getpixel((0, 0)) == (200, 200, 200)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([[0.0, 0.5, 1.0]], np.float32), [0, 128, 255]),
        (np.array([[-1.0, 0.0, 1.0]], np.float32), [0, 128, 255]),
        (np.array([[0, 1000, 2000]], np.float32), [0, 4, 8]),
        (np.array([[0, 200_000, 1_000_000]], np.int32), [0, 51, 255]),
        (np.array([[np.nan, 0.5, np.inf]], np.float32), [0, 128, 0]),
    ],
)
def test_numbers_as_pixels(tmp_path: Path, values: np.ndarray, expected: list[int]) -> None:
    Image.fromarray(values).save(tmp_path / "numbers.tif")
    assert np.asarray(decode(tmp_path / "numbers.tif"))[0, :, 0].tolist() == expected


@pytest.mark.parametrize("suffix", ["jpg", "tif"])
def test_cmyk(tmp_path: Path, suffix: str) -> None:
    Image.new("CMYK", (16, 16), (0, 255, 255, 0)).save(tmp_path / f"ink.{suffix}")
    red, green, blue = decode(tmp_path / f"ink.{suffix}").getpixel((5, 5))
    assert red > 240 and green < 15 and blue < 15


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 256, 65535], [0, 1, 255]),
        ([60000, 60500, 61000], [0, 128, 255]),
        ([100, 100], [0, 0]),
        ([0, 16383], [0, 255]),
        ([0, 16384], [0, 64]),
        ([40000, 40000 + 16383], [0, 255]),
    ],
)
def test_sixteen_bits_become_eight_and_a_narrow_range_is_stretched(values: list[int], expected: list[int]) -> None:
    assert eight_of_sixteen(np.array(values, np.uint16)).tolist() == expected
