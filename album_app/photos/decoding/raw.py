"""Cameras' raw files: seen through the preview that the camera put in, developed only where that is too small."""

import io
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageFile

if TYPE_CHECKING:
    import rawpy

FULL_SIZE = "full_size"
"""Where the `info` of an opened raw file says how large the photo itself is, as the sensor has it."""

_EXIF_IFD, _ORIENTATION = 0x8769, 0x0112
_DATES = (0x9003, 0x9004, 0x9010, 0x9011, 0x9012)
_CHANGED = 0x0132
_JPEG_OFFSET, _JPEG_LENGTH = 0x0201, 0x0202
_KIND, _REDUCED, _WIDTH, _HEIGHT = 0x00FE, 1, 0x0100, 0x0101
MOST_SMALL_BYTES, MOST_SMALL_PIXELS = 1 << 20, 1 << 19
"""Bytes and pixels of the largest picture in a raw file that is quicker to read than the camera's large preview."""
_ORIENTATION_OF_FLIP = {3: 3, 5: 8, 6: 6}


def open_raw(file: BinaryIO, side: int) -> ImageFile.ImageFile:
    """A raw file as an opened picture whose longer side is at least `side`, or as large as there is."""
    import rawpy

    exif = _exif(file)
    file.seek(0)
    with rawpy.imread(file) as raw:
        size, flip = (raw.sizes.width, raw.sizes.height), raw.sizes.flip
        image = _preview(raw)
        if image is None or max(image.size) < min(side, max(size)):
            image = _as_file(raw.postprocess(use_camera_wb=True, half_size=max(size) >= 2 * side))
            size, flip = (size[::-1] if flip in (5, 6) else size), 0
            exif[_ORIENTATION] = 1
    own = Image.Image.getexif(image)
    if _ORIENTATION not in own or not own.get_ifd(_EXIF_IFD):
        exif.setdefault(_ORIENTATION, _ORIENTATION_OF_FLIP.get(flip, 1))
        image.info["exif"] = exif.tobytes()
        image._exif = None
    image.info[FULL_SIZE] = size
    return image


def small_picture(file: BinaryIO) -> tuple[Image.Image, int] | None:
    """The smallest picture in a raw file that begins like a TIFF, and its orientation; None where none is found.

    It is a JPEG that the second directory names, or else the first directory itself, as in a DNG.
    """
    try:
        directory = Image.Exif()
        directory.load_from_fp(file)
        turn, second = directory.get(_ORIENTATION, 1), directory.get_ifd(ExifTags.IFD.IFD1)
        if _JPEG_OFFSET in second:
            file.seek(second[_JPEG_OFFSET])
            content = io.BytesIO(file.read(min(second[_JPEG_LENGTH], MOST_SMALL_BYTES)))
            return Image.open(content, formats=["JPEG"]).convert("RGB"), turn
        if directory.get(_KIND) != _REDUCED or directory[_WIDTH] * directory[_HEIGHT] > MOST_SMALL_PIXELS:
            return None
        file.seek(0)
        with Image.open(file, formats=["TIFF"]) as image:
            return image.convert("RGB"), 1  # Pillow turns a TIFF itself
    except Exception:
        return None


def _preview(raw: "rawpy.RawPy") -> ImageFile.ImageFile | None:
    import rawpy

    try:
        found = raw.extract_thumb()
    except (rawpy.LibRawNoThumbnailError, rawpy.LibRawUnsupportedThumbnailError):
        return None
    if isinstance(found.data, bytes):
        return Image.open(io.BytesIO(found.data), formats=["JPEG"])
    return _as_file(found.data)


def _as_file(pixels: NDArray[np.uint8]) -> ImageFile.ImageFile:
    """Pixels as a picture that is opened and not yet decoded, as all others are."""
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "BMP")
    return Image.open(stream, formats=["BMP"])


def _exif(file: BinaryIO) -> Image.Exif:
    """Dates and orientation from a raw file that begins like a TIFF, as most do; nothing from others."""
    few = Image.Exif()
    try:
        file.seek(0)
        whole = Image.Exif()
        whole.load_from_fp(file)
        details = whole.get_ifd(_EXIF_IFD)
        few.update({tag: whole[tag] for tag in (_ORIENTATION, _CHANGED) if tag in whole})
        few.get_ifd(_EXIF_IFD).update({tag: details[tag] for tag in _DATES if tag in details})
    except Exception:
        return Image.Exif()
    return few
