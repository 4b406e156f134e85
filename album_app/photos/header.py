"""What a file's header tells of a photo: its size as displayed and when it was taken."""

import logging
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, cast

from PIL import Image

from album_app.photos.decode import opened, orientation

log = logging.getLogger("album_app.photos.header")

_EXIF_IFD = 0x8769
_TAKEN_TAGS = (0x9003, 0x9004)
_CHANGED_TAG = 0x0132
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 20_000
_LONGEST_EXIF = 1 << 20
_DATE = re.compile(r"(\d{4})\D(\d\d)\D(\d\d)\D(\d\d)\D(\d\d)(?:\D(\d\d))?")


@dataclass(frozen=True)
class Header:
    """Width and height after orientation, and the date taken where the EXIF has one."""

    width: int
    height: int
    taken: datetime | None


def read_header(path: str | os.PathLike[str]) -> Header:
    """Read a picture's header without decoding it; raises Undecodable."""
    with opened(path) as image:
        if image.format == "PNG" and "exif" not in image.info:
            late = _late_exif(cast("BinaryIO", image.fp))
            image.info.update({"exif": late} if late else {})
        width, height = image.size[::-1] if orientation(image) >= 5 else image.size
        return Header(width, height, _taken(image))


def _late_exif(file: BinaryIO) -> bytes:
    """The EXIF of a PNG that may have it behind the pixels, which are passed over unread."""
    file.seek(len(_PNG_SIGNATURE))
    for _ in range(_MOST_CHUNKS):
        start = file.read(8)
        length = int.from_bytes(start[:4], "big")
        if len(start) < 8 or start[4:] == b"IEND":
            break
        if start[4:] == b"eXIf":
            return b"Exif\0\0" + file.read(min(length, _LONGEST_EXIF))
        file.seek(length + 4, os.SEEK_CUR)
    return b""


def _taken(image: Image.Image) -> datetime | None:
    """When the photo was taken, by its EXIF; failing that, when the picture was last changed."""
    try:
        exif = Image.Image.getexif(image)
        details = exif.get_ifd(_EXIF_IFD)
        values = [*(details.get(tag) for tag in _TAKEN_TAGS), exif.get(_CHANGED_TAG)]
        return next((date for value in values if (date := _date(str(value)))), None)
    except Exception as error:
        log.info("bad EXIF: %s", error)
        return None


def _date(words: str) -> datetime | None:
    """A date as EXIF writes it; None for anything else, such as the zeros of a camera whose clock was not set."""
    match = _DATE.search(words)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(number or 0) for number in match.groups())
    with suppress(ValueError):
        return datetime(year, month, day, hour, minute, second)
    return None
