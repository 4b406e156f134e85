"""Any mode of picture to 8-bit sRGB: deep and palette pixels, transparency, embedded profiles."""

import io
import logging
from functools import lru_cache

import numpy as np
from PIL import Image, ImageCms

from album_app.photos.decoding.deep_pixels import eight_of_sixteen

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
