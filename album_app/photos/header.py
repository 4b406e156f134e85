"""What a file's header tells of a photo: its size as displayed and when it was taken."""

import logging
import os
import re
from dataclasses import dataclass
from datetime import datetime

from PIL import Image

from album_app.photos.decode import opened, orientation

log = logging.getLogger("album_app.photos.header")

_EXIF_IFD = 0x8769
_TAKEN_TAGS = (0x9003, 0x9004)
_CHANGED_TAG = 0x0132
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
        width, height = image.size[::-1] if orientation(image) >= 5 else image.size
        return Header(width, height, _taken(image))


def _taken(image: Image.Image) -> datetime | None:
    """When the photo was taken, by its EXIF; None for any date that is not one."""
    try:
        exif = Image.Image.getexif(image)
        details = exif.get_ifd(_EXIF_IFD)
        for value in (*(details.get(tag) for tag in _TAKEN_TAGS), exif.get(_CHANGED_TAG)):
            match = _DATE.match(str(value or ""))
            if match:
                year, month, day, hour, minute, second = (int(number or 0) for number in match.groups())
                return datetime(year, month, day, hour, minute, second)
    except Exception as error:
        log.info("bad EXIF: %s", error)
    return None
