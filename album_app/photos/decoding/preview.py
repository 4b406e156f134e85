"""The small picture that cameras put into their files: read without decoding the photo itself.

A JPEG has it in its EXIF data, a raw file in its first directories, a HEIC as a picture of its own. From a JPEG it
takes 0.3 ms where a thumbnail of 12 megapixels takes 38 ms. A preview that has other proportions than its photo is cut
to them if what is cut off are dark bars; otherwise it shows another part or another picture, and is not used.

Features `lab` by a preview of 160 x 120 pixels differ from those by the photo by 0.02 of the typical distance between
two photos (medians 0.014, 0.023 and 0.019 of 120 photos of three albums; 95 % by less than 0.04, the most 0.15).
"""

import io
import math
from collections.abc import Iterable
from pathlib import Path

from PIL import ExifTags, Image, ImageFile, ImageStat

from album_app.photos.decoding.colour import to_srgb
from album_app.photos.decoding.decode import opened, orientation, upright
from album_app.photos.decoding.image_formats import is_raw
from album_app.photos.decoding.raw import small_picture

OFFSET_TAG, LENGTH_TAG = 0x0201, 0x0202
"""Tags in the second directory of EXIF data: where the preview begins, and how many bytes it has."""
EXIF_START = b"Exif\0\0"
MOST_PREVIEW_BYTES = 1 << 16
"""Bytes of a preview in EXIF data, which has no room for more in a JPEG."""
SMALLEST_SIDE, LARGEST_SIDE = 48, 640
"""Pixels of the longer side of a preview that is used."""
SIDEWAYS = 5  # the first EXIF orientation by which width and height change places
SAME_ASPECT = 0.04
"""Logarithm of the ratio of two aspects up to which they count as equal: a preview has whole pixels only."""
DARKEST_LIGHT, LEAST_DETAIL = 40, 12
"""Mean and deviation of grey levels, of 0 to 255, up to which a strip is a dark bar."""


def preview_in(path: str, size: tuple[int, int] | None = None) -> Image.Image | None:
    """The preview in a picture file, upright, in sRGB and with the photo's proportions; None where there is none.

    `size` is that of the upright photo: of a raw file only its slow decoder knows it.
    """
    if is_raw(path):
        return _raw_preview(path, size)
    with opened(path) as image:
        return preview_of(image)


def _raw_preview(path: str, size: tuple[int, int] | None) -> Image.Image | None:
    with Path(path).open("rb") as file:
        found = small_picture(file)
    if found is None or not SMALLEST_SIDE <= max(found[0].size) <= LARGEST_SIDE:
        return None
    preview, turn = found
    if size is None:
        return upright(preview, turn)
    width, height = size[::-1] if turn >= SIDEWAYS else size
    shown = _like(preview, width / height)
    return None if shown is None else upright(shown, turn)


def preview_of(image: ImageFile.ImageFile) -> Image.Image | None:
    """The preview of an opened picture; None where there is none that shows the picture."""
    if image.format == "HEIF" and image.draft("RGB", (SMALLEST_SIDE, SMALLEST_SIDE)) is not None:
        if max(image.size) > LARGEST_SIDE:
            return None
        image.load()
        return upright(to_srgb(image.convert("RGB"), image.info.get("icc_profile")), orientation(image))
    content = _embedded(image)
    if not content:
        return None
    with Image.open(io.BytesIO(content), formats=["JPEG"]) as small:
        if not SMALLEST_SIDE <= max(small.size) <= LARGEST_SIDE:
            return None
        preview = _like(small.convert("RGB"), image.width / image.height)
    return None if preview is None else upright(to_srgb(preview, image.info.get("icc_profile")), orientation(image))


def _embedded(image: ImageFile.ImageFile) -> bytes:
    """The bytes of the preview in the EXIF data of a JPEG or HEIC."""
    data = image.info.get("exif") or b""
    if image.format not in ("JPEG", "MPO", "HEIF") or not data.startswith(EXIF_START):
        return b""
    about = Image.Image.getexif(image).get_ifd(ExifTags.IFD.IFD1)
    offset, length = (about.get(tag, 0) for tag in (OFFSET_TAG, LENGTH_TAG))
    if not (isinstance(offset, int) and isinstance(length, int) and 0 < length <= MOST_PREVIEW_BYTES and offset > 0):
        return b""
    start = len(EXIF_START) + offset
    return bytes(data[start : start + length])


def _like(preview: Image.Image, aspect: float) -> Image.Image | None:
    """A preview with the proportions of its photo; None where it must show something else."""
    own = preview.width / preview.height
    if abs(math.log(own / aspect)) <= SAME_ASPECT:
        return preview
    width, height = preview.size
    shown = min(width, round(height * aspect)), min(height, round(width / aspect))
    left, top = (width - shown[0]) // 2, (height - shown[1]) // 2
    right, bottom = left + shown[0], top + shown[1]
    if min(shown) < 1:
        return None
    bars = [(0, 0, left, height), (right, 0, width, height), (0, 0, width, top), (0, bottom, width, height)]
    strips = [preview.crop(bar) for bar in bars if bar[2] > bar[0] and bar[3] > bar[1]]
    return preview.crop((left, top, right, bottom)) if _are_bars(strips) else None


def _are_bars(strips: Iterable[Image.Image]) -> bool:
    measured = [ImageStat.Stat(strip.convert("L")) for strip in strips]
    return all(stat.mean[0] <= DARKEST_LIGHT and stat.stddev[0] <= LEAST_DETAIL for stat in measured)
