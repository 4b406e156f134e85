"""A sheet, or some rows of it, as a picture in memory, and the sRGB profile that every written sheet carries."""

from functools import cache, lru_cache
from io import BytesIO

from PIL import Image, ImageCms, ImageDraw

from album_app.layout.crops import WHOLE
from album_app.layout.shapes.frames import Rect
from album_app.photos.faces import Box
from album_app.render.page.settings import Colour
from album_app.render.page.text_faces import Face, face_for

_DATE = slice(24, 36)
ROUND = 0.5  # pixels: corners of a smaller radius are drawn square


@cache
def srgb() -> bytes:
    """The sRGB profile, the same bytes at all times."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[_DATE] = bytes(12)
    return bytes(profile)


SMOOTH = 4  # corners are drawn this much larger and reduced
LARGEST_KEPT_CORNER = 512
"""Side in pixels of the largest round corner that is drawn as a whole and kept for further tiles.

Of larger ones only the rows that are needed are drawn; their edge can then lie a quarter of a pixel further in."""


class PixelPainter:
    """Paints rows of a sheet, from row `top` on, into a Pillow image: RGB or, for a transparent background, RGBA."""

    def __init__(self, width: int, height: int, transparent: bool = False, top: int = 0) -> None:
        self.image = Image.new("RGBA" if transparent else "RGB", (width, height))
        self._top = top

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box = WHOLE) -> None:
        x, y, width, height = whole_pixels(rect)
        image = part_of(image, part)
        if image.size != (width, height):
            image = image.resize((width, height), Image.Resampling.BICUBIC)
        self.stamp(image, x, y, rounded_mask(width, height, radius) if radius >= ROUND else None)

    def box(self, rect: Rect, radius: float, colour: Colour) -> None:
        x, y, width, height = whole_pixels(rect)
        if radius >= ROUND:
            first, last = self.rows_seen(y, height)
            self.stamp(colour, x, first, rounded_mask(width, height, radius, first - y, last - y))
        else:
            y -= self._top
            self.image.paste((*colour, 255)[: len(self.image.getbands())], (x, y, x + width, y + height))

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None:
        mask, left, top = text_mask(line, x, y, size, face)
        self.stamp(colour, left, top, mask)

    def rows_seen(self, y: int, height: int) -> tuple[int, int]:
        """The first row that is painted here of something `height` rows high at row y, and the row after the last."""
        first = max(y, self._top)
        return first, max(first, min(y + height, self._top + self.image.height))

    def stamp(self, ink: Image.Image | Colour, x: int, y: int, mask: Image.Image | None) -> None:
        """Put an RGB image, or a colour through a mask, in place; on a transparent sheet its colours stay clean to the
        very edge.
        """
        if mask is not None:
            first, last = self.rows_seen(y, mask.height)
            if last - first < mask.height:
                rows = (0, first - y, mask.width, last - y)
                mask, y = mask.crop(rows), first
                ink = ink.crop(rows) if isinstance(ink, Image.Image) else ink
            if not mask.height:
                return
        if not isinstance(ink, Image.Image):
            assert mask is not None
            ink = Image.new("RGB", mask.size, ink)
        y -= self._top
        if mask is not None and self.image.mode == "RGBA":
            ink = ink.copy()
            ink.putalpha(mask)
            self.image.alpha_composite(ink, (max(0, x), max(0, y)), (max(0, -x), max(0, -y)))
        else:
            self.image.paste(ink, (x, y), mask)


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
    font = (face or face_for(line)).at(size, line)
    left, top, right, bottom = font.getbbox(line, anchor="ms")
    box = round(x + left) - 1, round(y + top) - 1, round(x + right) + 1, round(y + bottom) + 1
    mask = Image.new("L", (max(1, box[2] - box[0]), max(1, box[3] - box[1])))
    ImageDraw.Draw(mask).text((x - box[0], y - box[1]), line, fill=255, font=font, anchor="ms")
    return mask, box[0], box[1]


def rounded_mask(width: int, height: int, radius: float, first: int = 0, last: int | None = None) -> Image.Image:
    """A white rectangle with smooth round corners on black, or its rows from `first` to before `last`."""
    last = height if last is None else last
    radius = min(radius, width / 2, height / 2)
    corner = min(int(radius) + 1, width, height)
    mask = Image.new("L", (width, last - first), 255)
    for left in (False, True):
        for top in (False, True):
            y = 0 if top else height - corner
            begin, end = max(y, first), min(y + corner, last)
            if begin < end:
                across, down = 0 if left else corner, (0 if top else corner) - y
                quarter = _disc(corner, radius, begin + down, end + down).crop(
                    (across, 0, across + corner, end - begin)
                )
                mask.paste(quarter, (0 if left else width - corner, begin - first))
    return mask


def _disc(corner: int, radius: float, first: int, last: int) -> Image.Image:
    """Some rows of a square with round corners, twice as wide as a corner."""
    if corner > LARGEST_KEPT_CORNER:
        return _disc_drawn(corner, radius, first, last)
    return _disc_kept(corner, radius).crop((0, first, 2 * corner, last))


@lru_cache(maxsize=16)
def _disc_kept(corner: int, radius: float) -> Image.Image:
    return _disc_drawn(corner, radius, 0, 2 * corner)


def _disc_drawn(corner: int, radius: float, first: int, last: int) -> Image.Image:
    large = Image.new("L", (2 * corner * SMOOTH, (last - first) * SMOOTH))
    edge, above = 2 * corner * SMOOTH - 1, first * SMOOTH
    ImageDraw.Draw(large).rounded_rectangle((0, -above, edge, edge - above), radius * SMOOTH, fill=255)
    return large.reduce(SMOOTH)


def jpeg(image: Image.Image, quality: int) -> bytes:
    """A small picture as JPEG, for embedding."""
    buffer = BytesIO()
    image.save(buffer, "JPEG", quality=quality, subsampling=0 if quality >= 90 else 2)
    return buffer.getvalue()


def whole_pixels(rect: Rect) -> tuple[int, int, int, int]:
    """A rectangle in whole pixels, at least one each way."""
    x, y, width, height = rect
    left, top = round(x), round(y)
    return left, top, max(1, round(x + width) - left), max(1, round(y + height) - top)
