"""Photos as cameras write them: large JPEGs with a preview of 160 x 120 pixels in their EXIF data, made by program."""

import io
import struct
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

PREVIEW_SIZE = (160, 120)
GRAIN, GRAIN_SIDE = 8.0, 1000
"""Standard deviation of a sensor's noise in grey levels, and pixels of the side of the square of it that is repeated.

With it 12 megapixels weigh 3 MB, as from cameras, and a thumbnail takes 31 ms; a picture that was merely enlarged
weighs 0.7 MB, and its thumbnail takes 12 ms.
"""
ENTRY_TYPE_SHORT, ENTRY_TYPE_LONG = 3, 4


def save_camera_photo(path: Path, photo: Image.Image, preview: Image.Image | None = None, orientation: int = 1) -> None:
    """Save a photo with a preview, by default of itself: letterboxed on black where its proportions differ."""
    stream = io.BytesIO()
    (preview or letterboxed(photo)).save(stream, "JPEG", quality=75)
    photo.save(path, "JPEG", quality=85, exif=exif_with(stream.getvalue(), orientation))


def camera_picture(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """A picture enlarged to the size of a camera's, with a sensor's noise: without any, decoding it is too easy."""
    enlarged = np.asarray(picture.convert("RGB").resize(size, Image.Resampling.BICUBIC), np.int16)
    noise = np.tile(_noise(), (-(-size[1] // GRAIN_SIDE), -(-size[0] // GRAIN_SIDE)))[: size[1], : size[0], None]
    return Image.fromarray((enlarged + noise).clip(0, 255).astype(np.uint8))


@cache
def _noise() -> NDArray[np.int16]:
    return np.random.default_rng(0).normal(0, GRAIN, (GRAIN_SIDE, GRAIN_SIDE)).round().astype(np.int16)


def letterboxed(photo: Image.Image) -> Image.Image:
    """A photo within 160 x 120 pixels, with black bars where it does not fill them."""
    upright = PREVIEW_SIZE if photo.width >= photo.height else PREVIEW_SIZE[::-1]
    small = photo.copy()
    small.thumbnail(upright)
    boxed = Image.new("RGB", upright)
    boxed.paste(small, ((upright[0] - small.width) // 2, (upright[1] - small.height) // 2))
    return boxed


def exif_with(preview: bytes, orientation: int) -> bytes:
    """EXIF data of two directories: the photo's orientation, and where the preview is and how long."""
    first, second = 8, 8 + 2 + 12 + 4
    start = second + 2 + 2 * 12 + 4
    entries = (
        [(0x0112, ENTRY_TYPE_SHORT, orientation)],
        [(0x0201, ENTRY_TYPE_LONG, start), (0x0202, ENTRY_TYPE_LONG, len(preview))],
    )
    directories = b"".join(
        struct.pack("<H", len(listed))
        + b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in listed)
        + struct.pack("<I", following)
        for listed, following in zip(entries, (second, 0), strict=True)
    )
    return b"Exif\0\0" + struct.pack("<2sHI", b"II", 42, first) + directories + preview
