"""All that one decoding of a photo gives: its header, its thumbnail, and the features that cost next to nothing."""

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile

from album_app.photos.decoding import fingerprint, quality
from album_app.photos.decoding.colour import THUMBNAIL, THUMBNAIL_SIDE
from album_app.photos.decoding.decode import DAMAGE, REDUCING, Load, orientation, picture_of, with_picture
from album_app.photos.decoding.header import Header, header_of
from album_app.photos.features.rgb import Lab, Rgb, lab_of_srgb

JPEG_QUALITY = 90
MOST_OWN_BYTES = 1 << 15
"""Bytes; a smaller file may be its own thumbnail."""
COLOUR_KEYS = (Rgb().key, Lab().key)
KEYS = (*COLOUR_KEYS, fingerprint.KEY, quality.KEY)

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
    header, file = header_of(image), image.fp  # a loaded picture has no file any more
    thumbnail = picture_of(image, THUMBNAIL, load)
    damage = thumbnail.info.get(DAMAGE, "")
    own = _own_bytes(file) if file is not None and not damage and _is_plain(image, thumbnail.size) else b""
    prints, measures = fingerprint.fingerprint(thumbnail), quality.quality_row(thumbnail)
    rows = (*colour_rows(np.asarray(thumbnail)), prints, measures)
    return Reading(header, own or _encoded(thumbnail), damage, dict(zip(KEYS, rows, strict=True)))


def colour_rows(pixels: NDArray[np.uint8]) -> tuple[Row, Row]:
    """The features of COLOUR_KEYS."""
    rgb = Rgb().pixels(pixels)
    return rgb.ravel(), lab_of_srgb(rgb).ravel()


def _is_plain(image: Image.Image, size: tuple[int, int]) -> bool:
    """Whether a file is a JPEG that is shown just as it is, at this size."""
    if image.format != "JPEG" or image.mode != "RGB" or image.size != size or orientation(image) != 1:
        return False
    return {"icc_profile", "progressive"}.isdisjoint(image.info)


def _own_bytes(file: IO[bytes]) -> bytes:
    """All of a small JPEG file; nothing of a large one, or where something else follows the picture."""
    file.seek(0)
    content = file.read(MOST_OWN_BYTES + 1)
    return content if len(content) <= MOST_OWN_BYTES and is_whole_jpeg(content) else b""


def _encoded(thumbnail: Image.Image) -> bytes:
    stream = io.BytesIO()
    thumbnail.save(stream, "JPEG", quality=JPEG_QUALITY)
    return stream.getvalue()


def is_whole_jpeg(content: bytes) -> bool:
    """Whether bytes begin and end as a JPEG does."""
    return content.startswith(b"\xff\xd8") and content.endswith(b"\xff\xd9")
