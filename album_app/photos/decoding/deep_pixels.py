"""Pictures with 16 bits a channel: shown as they are, or by their real range where that is a small part of it.

Pillow keeps the high byte alone of coloured ones. Where that shows next to nothing, decoding once more as if the byte
order were the other one gives the low bytes.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile

SMALL_RANGE = 1 << 14
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
