"""All that one decoding of a photo gives: its header, its thumbnail, and the features that cost next to nothing."""

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import ImageFile

from album_app.photos.decoding import fingerprint
from album_app.photos.decoding.decode import DAMAGE, REDUCING, THUMBNAIL_SIDE, Load, Wanted, picture_of, with_picture
from album_app.photos.decoding.header import Header, header_of
from album_app.photos.features.lab import Lab, lab_of_srgb
from album_app.photos.features.rgb import Rgb

JPEG_QUALITY = 90
THUMBNAIL = Wanted((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
KEYS = (Rgb().key, Lab().key, fingerprint.KEY)

Row = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Reading:
    """A photo's header, its thumbnail as a JPEG, words on what is missing of it, and feature rows by their keys."""

    header: Header
    jpeg: bytes
    damage: str
    rows: Mapping[str, Row]


def read(path: str | os.PathLike[str]) -> Reading:
    """Open and decode a photo once; raises Undecodable."""
    return with_picture(path, THUMBNAIL_SIDE, _reading)


def _reading(image: ImageFile.ImageFile, load: Load) -> Reading:
    if image.format not in REDUCING:
        load(image)
    header = header_of(image)
    thumbnail = picture_of(image, THUMBNAIL, load)
    damage = thumbnail.info.get(DAMAGE, "")
    stream = io.BytesIO()
    thumbnail.save(stream, "JPEG", quality=JPEG_QUALITY)
    pixels = np.asarray(thumbnail)
    rgb = Rgb().pixels(pixels)
    rows = (rgb.ravel(), lab_of_srgb(rgb).ravel(), fingerprint.fingerprint(pixels))
    return Reading(header, stream.getvalue(), damage, dict(zip(KEYS, rows, strict=True)))


def packed(reading: Reading) -> tuple[dict[str, Any], tuple[NDArray[Any], ...]]:
    """A reading as a message and its arrays."""
    message = {"header": reading.header.packed(), "damage": reading.damage}
    return message, (np.frombuffer(reading.jpeg, np.uint8), *(reading.rows[key] for key in KEYS))


def unpacked(message: Mapping[str, Any]) -> Reading:
    """A reading from what `packed` made of it."""
    jpeg, *rows = message["arrays"]
    header = Header.unpacked(message["header"])
    return Reading(header, jpeg.tobytes(), message["damage"], dict(zip(KEYS, rows, strict=True)))
