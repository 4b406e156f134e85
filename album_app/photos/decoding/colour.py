"""Pixels to upright sRGB: deep pixels, colour profiles, and shrinking."""

import io
import logging
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageFile

SMALL_RANGE = 1 << 14
"""A quarter of the range of 16-bit values: a picture whose values span less is stretched over the whole range."""
_SWAPPED = {"B": "L", "L": "B", "N": "B" if sys.byteorder == "little" else "L"}


def eight_of_sixteen(values: NDArray[np.integer]) -> NDArray[np.uint8]:
    """The high bytes of 16-bit values; values that differ by less than a quarter of the range are stretched over it."""
    low, high = int(values.min()), int(values.max())
    if high - low >= SMALL_RANGE or high == low:
        return (values >> 8).astype(np.uint8)
    return ((values - low).astype(np.float32) * (255 / (high - low)) + 0.5).astype(np.uint8)


def low_byte_tiles(image: ImageFile.ImageFile) -> list[ImageFile._Tile]:
    """How to decode the low bytes of an opened picture with 16 bits a channel; nothing for other pictures."""
    if image.mode not in ("RGB", "RGBA"):
        return []
    tiles = [tile._replace(args=_swapped(tile.args)) for tile in image.tile]
    return tiles if tiles and tiles != image.tile else []


def _swapped(args: Any) -> Any:
    """The arguments of a decoder with the byte order of 16-bit values turned round."""
    if isinstance(args, tuple) and args:
        return (_swapped(args[0]), *args[1:])
    if isinstance(args, str) and args.startswith("RGB") and args[-4:-1] == ";16":
        return args[:-1] + _SWAPPED.get(args[-1], args[-1])
    return args


def is_dim(image: Image.Image) -> bool:
    """Whether the high bytes alone span a small part of their range."""
    extremes = image.convert("RGB").getextrema()
    lows, highs = zip(*extremes, strict=True)
    return bool(max(highs) - min(lows) <= SMALL_RANGE >> 8)


def stretched(high: Image.Image, low: Image.Image) -> Image.Image:
    """The picture from its high and low bytes, by its real range; transparency stays as it is."""
    values = np.asarray(high.convert("RGB")).astype(np.uint16) << 8 | np.asarray(low.convert("RGB"))
    image = Image.fromarray(eight_of_sixteen(values))
    if high.mode == "RGBA":
        image.putalpha(high.getchannel("A"))
    return image


log = logging.getLogger("album_app.photos.decoding.colour")

_SIMPLE_MODES = ("L", "LA", "RGB", "RGBA", "CMYK", "LAB")


def in_eight_bits(image: Image.Image) -> Image.Image:
    """The image in one of the simple 8-bit modes; deeper ones are scaled, not clipped."""
    if image.mode.startswith("I;16"):
        return Image.fromarray(eight_of_sixteen(np.asarray(image)))
    if image.mode in ("I", "F"):
        return _stretched(np.asarray(image).astype(np.float32))
    if "transparency" in image.info:
        return image.convert("RGBA")
    if image.mode in _SIMPLE_MODES:
        return image
    if image.mode == "1":
        return image.convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _stretched(values: np.ndarray) -> Image.Image:
    """Numbers without an agreed white: 0..1, 0..255 and 0..65535 are taken as such, anything else by its extremes."""
    values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    low, high = float(values.min()), float(values.max())
    if low >= 0:
        low, high = 0.0, next((white for white in (1.0, 255.0, 65535.0) if high <= white), high)
    scaled = (values - low) * (255.0 / max(high - low, 1e-12))
    return Image.fromarray((scaled + 0.5).astype(np.uint8))


def flat_on_white(image: Image.Image) -> Image.Image:
    """An LA or RGBA image without its transparency: what shines through is white."""
    colour = image.convert("L" if image.mode == "LA" else "RGB")
    return Image.composite(colour, Image.new(colour.mode, colour.size, "white"), image.getchannel("A"))


def to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """The image as RGB in sRGB, by its embedded profile where there is a usable one."""
    if profile:
        for mode in dict.fromkeys((image.mode, "RGB")):
            transform = _transform(profile, mode)
            if transform is not None:
                return _applied(image.convert(mode), transform)
    return _applied(image, _lab_transform()) if image.mode == "LAB" else image.convert("RGB")


def _applied(image: Image.Image, transform: ImageCms.ImageCmsTransform) -> Image.Image:
    return ImageCms.applyTransform(image, transform) or image


@lru_cache(maxsize=32)
def _transform(profile: bytes, mode: str) -> ImageCms.ImageCmsTransform | None:
    """From an embedded profile to sRGB for images of `mode`; None where it cannot be used or is sRGB already."""
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if mode == "RGB" and (source.profile.profile_description or "").startswith("sRGB"):
            return None
        return ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), mode, "RGB")
    except Exception as error:
        log.info("colour profile not used: %s", error)
        return None


@lru_cache(maxsize=1)
def _lab_transform() -> ImageCms.ImageCmsTransform:
    return ImageCms.buildTransform(ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB"), "LAB", "RGB")


THUMBNAIL_SIDE = 256
"""Pixels of the longer side of a thumbnail."""

Region = tuple[float, float, float, float]
"""The part of a decoded picture that is wanted: left, top, right, bottom."""


@dataclass(frozen=True)
class Wanted:
    """How large a picture is wanted: shrunk to fit inside `box`, or to cover it, never enlarged.

    One that is at most `slack` times too large stays as it is: shrinking it would take longer than decoding it.
    A larger one is made a whole number of times smaller where what comes out is at most `whole_slack` times too large:
    that takes a sixth of the time of resampling it by `filter`.
    """

    box: tuple[int, int] | None = None
    cover: bool = False
    slack: float = 1.0
    whole_slack: float = 0.0
    filter: Image.Resampling = Image.Resampling.BICUBIC


THUMBNAIL = Wanted((THUMBNAIL_SIDE, THUMBNAIL_SIDE), slack=1.25, whole_slack=1.125, filter=Image.Resampling.HAMMING)
"""The filter is as sharp as the bicubic one and takes two thirds of its time, which was most of reading a photo."""


def target_size(size: tuple[int, int], wanted: Wanted, sideways: bool) -> tuple[int, int]:
    """The size to shrink to, in the file's own orientation."""
    if wanted.box is None:
        return size
    box = wanted.box[::-1] if sideways else wanted.box
    ratios = [limit / length for limit, length in zip(box, size, strict=True)]
    scale = max(ratios) if wanted.cover else min(ratios)
    if scale * wanted.slack >= 1:
        return size
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def drafted(image: ImageFile.ImageFile, target: tuple[int, int]) -> Region | None:
    """Have a picture decoded at little more than `target`, where its format can; gives the part that is wanted."""
    done = image.draft(None, target) if image.size != target else None
    return done[1] if done else None


def shrunk(image: Image.Image, target: tuple[int, int], region: Region | None, wanted: Wanted) -> Image.Image:
    """The image without transparency, with 8 bits a channel, at the size `target` or a little more."""
    simple = in_eight_bits(image)
    if simple.has_transparency_data:
        simple = flat_on_white(_reduced(simple, target))
    if simple.size == target:
        return simple
    times = max(simple.size) // max(target)
    if 1 <= times <= min(simple.size) and max(simple.size) <= times * wanted.whole_slack * max(target):
        return simple.reduce(times) if times > 1 else simple
    return simple.resize(target, wanted.filter, box=region, reducing_gap=2.0)


def _reduced(image: Image.Image, target: tuple[int, int]) -> Image.Image:
    """The image a whole number of times smaller, at least twice `target`: what follows then costs little memory."""
    factor = min(image.width // (2 * target[0]), image.height // (2 * target[1]))
    return image.reduce(factor) if factor > 1 else image
