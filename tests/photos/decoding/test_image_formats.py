"""The first bytes of a file say what kind of picture it is; its name matters only where raw files look like TIFF."""

import io

import pytest
from PIL import Image

from album_app.photos.decoding.image_formats import AVIF, BMP, HEIC, PREFIX_BYTES, RAW, TIFF, WEBP, kind_of, webp_pixels


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        (b"RIFF\x10\0\0\0WEBPVP8 ", WEBP),
        (b"RIFF\x10\0\0\0WAVEfmt ", None),
        (b"RIFF\x10\0\0\0AVI LIST", None),
        (b"RIFX\x10\0\0\0WEBPVP8 ", None),
        (b"BM" + bytes(12) + b"\x28\0\0\0", BMP),
        (b"BM" + bytes(12) + b"\xff\0\0\0", None),
        (b"BX" + bytes(12) + b"\x28\0\0\0", None),
        (b"\0\0\0\x18ftypcrx \0\0\0\1", RAW),
        (b"\0\0\0\x18ftypmp42\0\0\0\1", None),
        (b"\0\0\0\x14ftypavif\0\0\0\1mif1", AVIF),
        (b"\0\0\0\x14ftypheic\0\0\0\1mif1", HEIC),
        (b"\0\0\0\x18ftypmif1\0\0\0\1mif1avif", AVIF),
        (b"\0\0\0\x18ftypmif1\0\0\0\1mif1heic", HEIC),
        (b"", None),
    ],
)
def test_the_first_bytes_say_what_a_file_is(prefix: bytes, expected: object) -> None:
    assert kind_of(prefix.ljust(64, b"\0") if prefix else b"", "file.jpg") is expected


def test_a_raw_file_that_begins_like_a_tiff_is_known_by_its_name() -> None:
    prefix = b"II*\0\x08\0\0\0" + bytes(60)
    assert kind_of(prefix, "sea.tif") is TIFF and kind_of(prefix, "sea.nef") is RAW


@pytest.mark.parametrize("size", [(1, 1), (3, 2000), (2000, 3), (517, 333)])
@pytest.mark.parametrize("kind", ["lossy", "lossless", "with opacity"])
def test_a_webp_says_in_its_first_bytes_how_many_pixels_it_has(size: tuple[int, int], kind: str) -> None:
    picture = Image.new("RGBA" if kind == "with opacity" else "RGB", size, (9, 90, 200))
    if kind == "with opacity":
        picture.putpixel((0, 0), (9, 90, 200, 100))
    file = io.BytesIO()
    picture.save(file, "WEBP", lossless=kind == "lossless")
    assert webp_pixels(file.getvalue()[:PREFIX_BYTES]) == size[0] * size[1]


def test_other_first_bytes_of_a_webp_say_nothing_of_its_size() -> None:
    assert webp_pixels(b"RIFF\x10\0\0\0WEBPABCD" + bytes(40)) == 0


@pytest.mark.parametrize("length", [12, 16, 40, 52, 56, 64, 108, 124])
def test_a_bitmap_of_any_version_is_known_by_the_length_of_its_header(length: int) -> None:
    assert kind_of((b"BM" + bytes(12) + bytes([length])).ljust(64, b"\0"), "file.bmp") is BMP
    assert kind_of((b"BM" + bytes(12) + bytes([length + 1])).ljust(64, b"\0"), "file.bmp") is not BMP
