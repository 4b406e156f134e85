"""What kind of picture a file is, by its first bytes; its name has a say only where raw files look like TIFF."""

import pytest

from album_app.photos.decoding.image_formats import BMP, RAW, TIFF, WEBP, kind_of


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
        (b"", None),
    ],
)
def test_the_first_bytes_say_what_a_file_is(prefix: bytes, expected: object) -> None:
    assert kind_of(prefix.ljust(64, b"\0") if prefix else b"", "file.jpg") is expected


def test_a_raw_file_that_begins_like_a_tiff_is_known_by_its_name() -> None:
    prefix = b"II*\0\x08\0\0\0" + bytes(60)
    assert kind_of(prefix, "sea.tif") is TIFF and kind_of(prefix, "sea.nef") is RAW
