"""The sRGB profile that every written sheet carries."""

from functools import cache

from PIL import ImageCms

_DATE = slice(24, 36)


@cache
def srgb() -> bytes:
    """The sRGB profile, the same bytes at all times."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[_DATE] = bytes(12)
    return bytes(profile)
