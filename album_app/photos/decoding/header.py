"""What a file's header tells of a photo: its size as displayed, when it was taken and with what, and notes about it."""

import logging
import math
import os
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO, cast

from PIL import Image

from album_app.photos.decoding.dates import date_in_exif
from album_app.photos.decoding.decode import opened, orientation
from album_app.photos.decoding.image_formats import says_sheet
from album_app.photos.decoding.metadata import NO_METADATA, Metadata, metadata_of
from album_app.photos.decoding.raw import FULL_SIZE

log = logging.getLogger("album_app.photos.decoding.header")

_EXIF_IFD = 0x8769
_TAKEN_TAGS = ((0x9003, 0x9011), (0x9004, 0x9012))
_CHANGED_TAG, _CHANGED_ZONE_TAG = 0x0132, 0x9010
_MAKE_TAG, _MODEL_TAG = 0x010F, 0x0110
_EXPOSURE_TAG, _APERTURE_TAG, _ISO_TAG, _FOCAL_TAG, _LENS_TAG = 0x829A, 0x829D, 0x8827, 0x920A, 0xA434
_LONGEST_NAME = 80
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 20_000
_LONGEST_EXIF = 1 << 20


@dataclass(frozen=True)
class Shot:
    """How a photo was taken, as far as its EXIF tells: exposure in seconds, f-number, ISO, focal length in mm, lens."""

    seconds: float = 0.0
    aperture: float = 0.0
    iso: int = 0
    focal_length: float = 0.0
    lens: str = ""


NO_SHOT = Shot()


@dataclass(frozen=True)
class Header:
    """Width and height after orientation; date and camera where the EXIF has them; whether it is a sheet of ours."""

    width: int
    height: int
    taken: datetime | None
    camera: str = ""
    is_sheet: bool = False
    shot: Shot = NO_SHOT
    metadata: Metadata = NO_METADATA


def read_header(path: str | os.PathLike[str]) -> Header:
    """Read a picture's header without decoding it; raises Undecodable."""
    with opened(path) as image:
        if image.format == "PNG" and "exif" not in image.info:
            late = _late_exif(cast("BinaryIO", image.fp))
            image.info.update({"exif": late} if late else {})
        return header_of(image)


def header_of(image: Image.Image) -> Header:
    """The header of an opened picture, all of whose metadata is known."""
    size = image.info.get(FULL_SIZE, image.size)
    width, height = size[::-1] if orientation(image) >= 5 else size
    return Header(width, height, _taken(image), _camera(image), says_sheet(image), _shot(image), metadata_of(image))


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
        dates = [(details.get(date), details.get(zone)) for date, zone in _TAKEN_TAGS]
        dates.append((exif.get(_CHANGED_TAG), details.get(_CHANGED_ZONE_TAG)))
        return next((found for date, zone in dates if (found := date_in_exif(str(date), str(zone)))), None)
    except Exception as error:
        log.info("bad EXIF: %s", error)
        return None


def _camera(image: Image.Image) -> str:
    """What the photo was taken with, by its EXIF: "Canon EOS 80D", the maker once."""
    try:
        exif = Image.Image.getexif(image)
        make, model = (" ".join(str(exif.get(tag, "")).strip("\0 ").split()) for tag in (_MAKE_TAG, _MODEL_TAG))
    except Exception as error:
        log.info("bad EXIF: %s", error)
        return ""
    named = model.casefold().startswith(make.partition(" ")[0].casefold())
    return (model if named else f"{make} {model}")[:_LONGEST_NAME].strip()


def _shot(image: Image.Image) -> Shot:
    """How the photo was taken, by its EXIF."""
    try:
        details = Image.Image.getexif(image).get_ifd(_EXIF_IFD)
        return Shot(
            _number(details.get(_EXPOSURE_TAG)),
            _number(details.get(_APERTURE_TAG)),
            round(_number(details.get(_ISO_TAG))),
            _number(details.get(_FOCAL_TAG)),
            " ".join(str(details.get(_LENS_TAG, "")).strip("\0 ").split())[:_LONGEST_NAME],
        )
    except Exception as error:
        log.info("bad EXIF: %s", error)
        return Shot()


def _number(value: Any) -> float:
    """A number above zero as EXIF has it, alone or the first of several; zero for anything else."""
    found = float(value[0] if isinstance(value, tuple) else value or 0)
    return found if 0 < found < math.inf else 0.0
