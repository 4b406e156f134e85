"""All that one decoding of a photo gives: its header, its thumbnail, and the features that cost next to nothing."""

import io
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile

from album_app.photos.decoding.colour import THUMBNAIL, THUMBNAIL_SIDE
from album_app.photos.decoding.decode import DAMAGE, REDUCING, Load, orientation, picture_of, with_picture
from album_app.photos.decoding.header import Header, header_of
from album_app.photos.decoding.measures import FINGERPRINT_KEY, QUALITY_KEY, fingerprint, greys_of, quality_row
from album_app.photos.features.rgb import Lab, Rgb, lab_of_srgb

JPEG_QUALITY = 90
LARGEST_OWN_THUMBNAIL = 1 << 15
"""Bytes of the largest JPEG file that may serve as its own thumbnail."""
RGB_KEY, LAB_KEY = COLOUR_KEYS = (Rgb().key, Lab().key)
STORED_KEYS = (RGB_KEY, FINGERPRINT_KEY, QUALITY_KEY)
KEYS = (*STORED_KEYS, LAB_KEY)
"""Keys of the features that a reading gives; those by CIELAB are not stored, because they follow from those by RGB."""

Row = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Rows(Mapping[str, Row]):
    """Feature rows by their keys; the row that is not stored is computed when it is asked for."""

    stored: tuple[Row, ...]

    def __getitem__(self, key: str) -> Row:
        if key == LAB_KEY:
            return lab_of_row(self.stored[0])
        if key not in STORED_KEYS:
            raise KeyError(key)
        return self.stored[STORED_KEYS.index(key)]

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)


def lab_of_row(row: Row) -> Row:
    """The features by CIELAB of those by RGB, or of several rows of them below each other."""
    return lab_of_srgb(row.reshape(-1, 3)).reshape(row.shape)


@dataclass(frozen=True, eq=False)
class Facts:
    """What is known of a file: its header, words on what is missing of it, and its feature rows if it was decoded."""

    header: Header
    damage: str = ""
    rows: tuple[Row, ...] = ()
    """The rows of STORED_KEYS, in their order."""

    def without_rows(self) -> "Facts":
        """The facts without feature rows, which take most of the memory in large albums."""
        return Facts(self.header, self.damage)


@dataclass(frozen=True, eq=False)
class Reading:
    """What is known of a photo, and its thumbnail as a JPEG."""

    facts: Facts
    jpeg: bytes

    @property
    def rows(self) -> Rows:
        """The feature rows by their keys."""
        return Rows(self.facts.rows)


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
    greys = greys_of(thumbnail)
    prints, quality = fingerprint(thumbnail, greys), quality_row(thumbnail, greys)
    rgb = Rgb().pixels(np.asarray(thumbnail)).ravel()
    return Reading(Facts(header, damage, (rgb, prints, quality)), own or _encoded(thumbnail))


def colour_rows(pixels: NDArray[np.uint8]) -> tuple[Row, Row]:
    """The features of COLOUR_KEYS."""
    rgb = Rgb().pixels(pixels).ravel()
    return rgb, lab_of_row(rgb)


def _is_plain(image: Image.Image, size: tuple[int, int]) -> bool:
    """Whether a file is a JPEG that is shown just as it is, at this size."""
    if image.format != "JPEG" or image.mode != "RGB" or image.size != size or orientation(image) != 1:
        return False
    return {"icc_profile", "progressive"}.isdisjoint(image.info)


def _own_bytes(file: IO[bytes]) -> bytes:
    """All of a small JPEG file; nothing of a large one, or where something else follows the picture."""
    file.seek(0)
    content = file.read(LARGEST_OWN_THUMBNAIL + 1)
    return content if len(content) <= LARGEST_OWN_THUMBNAIL and is_whole_jpeg(content) else b""


def _encoded(thumbnail: Image.Image) -> bytes:
    stream = io.BytesIO()
    thumbnail.save(stream, "JPEG", quality=JPEG_QUALITY)
    return stream.getvalue()


def is_whole_jpeg(content: bytes) -> bool:
    """Whether bytes begin and end as a JPEG does."""
    return content.startswith(b"\xff\xd8") and content.endswith(b"\xff\xd9")
