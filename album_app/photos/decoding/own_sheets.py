"""Sheets that this program wrote: each carries a mark, so that none is taken for a photo of its folder."""

import os
from typing import BinaryIO

from PIL import Image

from album_app.language import mark
from album_app.own_files import SHEET, SOFTWARE, XMP
from album_app.paths import own_kind

MADE_HERE = mark("a sheet made by Album App")
_SOFTWARE_TAG = 305


def is_sheet(path: str | os.PathLike[str]) -> bool:
    """Whether a picture file says that this program wrote it.

    >>> from PIL import Image
    >>> Image.new("RGB", (4, 4)).save("photo.png")
    >>> is_sheet("photo.png")
    False
    """
    return own_kind(path) == SHEET


def says_sheet(image: Image.Image) -> bool:
    """Whether an opened picture says so, by the words that its header holds."""
    info = image.info
    if info.get("Software") == SOFTWARE or info.get("comment") == SOFTWARE.encode() or info.get("xmp") == XMP:
        return True
    return image.format == "TIFF" and image.tag_v2.get(_SOFTWARE_TAG) == SOFTWARE  # type: ignore[attr-defined]


def ends_as_sheet(file: BinaryIO) -> bool:
    """Whether the end of a WebP says so; opening a very large one would decode it."""
    file.seek(-min(file.seek(0, os.SEEK_END), len(XMP) + 1), os.SEEK_END)
    return XMP in file.read()
