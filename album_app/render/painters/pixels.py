"""A sheet as one picture in memory, and the sRGB profile that every written sheet carries."""

from functools import cache, lru_cache
from io import BytesIO

from PIL import Image, ImageCms, ImageDraw

from album_app.layout.crops import WHOLE
from album_app.layout.geometry import Rect
from album_app.photos.focus import Box
from album_app.render.page.settings import Colour
from album_app.render.page.text_faces import Face, face_for

_DATE = slice(24, 36)


@cache
def srgb() -> bytes:
    """The sRGB profile, the same bytes at all times."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[_DATE] = bytes(12)
    return bytes(profile)


SMOOTH = 4  # corners are drawn this much larger and reduced


class PixelPainter:
    """Paints into a Pillow image, RGB or, where the background is transparent, RGBA."""

    def __init__(self, width: int, height: int, transparent: bool = False) -> None:
        self.image = Image.new("RGBA" if transparent else "RGB", (width, height))

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box = WHOLE) -> None:
        x, y, *size = _whole(rect)
        image = part_of(image, part)
        if image.size != tuple(size):
            image = image.resize((size[0], size[1]), Image.Resampling.BICUBIC)
        self._stamp(image, x, y, rounded_mask(size[0], size[1], radius) if radius >= 0.5 else None)

    def box(self, rect: Rect, radius: float, colour: Colour) -> None:
        x, y, width, height = _whole(rect)
        if radius < 0.5:
            self.image.paste((*colour, 255)[: len(self.image.getbands())], (x, y, x + width, y + height))
        else:
            self._stamp(Image.new("RGB", (width, height), colour), x, y, rounded_mask(width, height, radius))

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None:
        mask, left, top = text_mask(line, x, y, size, face)
        self._stamp(Image.new("RGB", mask.size, colour), left, top, mask)

    def _stamp(self, image: Image.Image, x: int, y: int, mask: Image.Image | None) -> None:
        """Put an RGB image in place through a mask; on a transparent sheet its colours stay clean to the very edge."""
        if mask is not None and self.image.mode == "RGBA":
            image = image.copy()
            image.putalpha(mask)
            self.image.alpha_composite(image, (max(0, x), max(0, y)), (max(0, -x), max(0, -y)))
        else:
            self.image.paste(image, (x, y), mask)


def part_of(image: Image.Image, part: Box) -> Image.Image:
    """A part of an image, given in shares of its sides, in whole pixels."""
    if part == WHOLE:
        return image
    left, top, right, bottom = (round(share * side) for share, side in zip(part, image.size * 2, strict=True))
    left, top = min(max(0, left), image.width - 1), min(max(0, top), image.height - 1)
    right, bottom = min(max(right, left + 1), image.width), min(max(bottom, top + 1), image.height)
    return image if (left, top, right, bottom) == (0, 0, *image.size) else image.crop((left, top, right, bottom))


def text_mask(line: str, x: float, y: float, size: float, face: Face | None = None) -> tuple[Image.Image, int, int]:
    """A line of text, centred at x with its baseline at y, as a mask and the place of its top left corner."""
    font = (face or face_for(line)).at(size)
    left, top, right, bottom = font.getbbox(line, anchor="ms")
    box = round(x + left) - 1, round(y + top) - 1, round(x + right) + 1, round(y + bottom) + 1
    mask = Image.new("L", (max(1, box[2] - box[0]), max(1, box[3] - box[1])))
    ImageDraw.Draw(mask).text((x - box[0], y - box[1]), line, fill=255, font=font, anchor="ms")
    return mask, box[0], box[1]


@lru_cache(maxsize=64)
def rounded_mask(width: int, height: int, radius: float) -> Image.Image:
    """A white rectangle with smooth round corners on black."""
    radius = min(radius, width / 2, height / 2)
    corner = min(int(radius) + 1, width, height)
    mask = Image.new("L", (width, height), 255)
    large = Image.new("L", (2 * corner * SMOOTH, 2 * corner * SMOOTH))
    edge = 2 * corner * SMOOTH - 1
    ImageDraw.Draw(large).rounded_rectangle((0, 0, edge, edge), radius * SMOOTH, fill=255)
    small = large.reduce(SMOOTH)
    for left in (False, True):
        for top in (False, True):
            source = (0 if left else corner, 0 if top else corner)
            quarter = small.crop((*source, source[0] + corner, source[1] + corner))
            mask.paste(quarter, (0 if left else width - corner, 0 if top else height - corner))
    return mask


def jpeg(image: Image.Image, quality: int) -> bytes:
    """A small picture as JPEG, for embedding."""
    buffer = BytesIO()
    image.save(buffer, "JPEG", quality=quality, subsampling=0 if quality >= 90 else 2)
    return buffer.getvalue()


def _whole(rect: Rect) -> tuple[int, int, int, int]:
    x, y, width, height = rect
    left, top = round(x), round(y)
    return left, top, max(1, round(x + width) - left), max(1, round(y + height) - top)
