"""Photos as cameras write them: large JPEGs with a preview of 160 x 120 pixels in their EXIF data, made by program."""

import io
import struct
from pathlib import Path

from PIL import Image

PREVIEW_SIZE = (160, 120)
ENTRY_TYPE_SHORT, ENTRY_TYPE_LONG = 3, 4


def save_camera_photo(path: Path, photo: Image.Image, preview: Image.Image | None = None, orientation: int = 1) -> None:
    """Save a photo with a preview, by default of itself: letterboxed on black where its proportions differ."""
    stream = io.BytesIO()
    (preview or letterboxed(photo)).save(stream, "JPEG", quality=75)
    photo.save(path, "JPEG", quality=85, exif=exif_with(stream.getvalue(), orientation))


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
