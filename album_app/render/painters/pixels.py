"""A sheet as pixels: whole, some rows of it, or band by band so that memory never holds more than a few of its rows."""

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import IO, Protocol

from PIL import Image, ImageCms, ImageDraw

from album_app.layout.crops import WHOLE
from album_app.layout.shapes.frames import Rect
from album_app.photos.faces import Box
from album_app.render.page.compose import Sheet, draw_ground, draw_in_cells
from album_app.render.page.settings import Colour
from album_app.render.page.text_faces import Face, face_for

_PROFILE_DATE = slice(24, 36)
"""The bytes of an ICC profile that hold the date of its making."""
LEAST_RADIUS = 0.5
"""Pixels; corners of a smaller radius are drawn square, because nobody sees the difference."""


@cache
def srgb() -> bytes:
    """The sRGB profile without its date, so that equal sheets become equal files."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[_PROFILE_DATE] = bytes(12)
    return bytes(profile)


CORNER_SCALE = 4
"""Round corners are drawn this many times larger and then reduced, which makes their edges smooth."""
LARGEST_KEPT_CORNER = 512
"""Side in pixels of the largest round corner that is drawn whole and kept for other tiles.

Of a larger corner only the needed rows are drawn; its edge can then lie up to a quarter of a pixel further in.
"""


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
        self.stamp(image, x, y, rounded_mask(width, height, radius) if radius >= LEAST_RADIUS else None)

    def box(self, rect: Rect, radius: float, colour: Colour) -> None:
        x, y, width, height = whole_pixels(rect)
        if radius >= LEAST_RADIUS:
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
        """Put an RGB image, or a colour through a mask, in place.

        On a transparent sheet the colours of its edge are not mixed with those below.
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
    """A part of an image in whole pixels; `part` gives left, top, right and bottom as shares of its sides."""
    if part == WHOLE:
        return image
    left, top, right, bottom = (round(share * side) for share, side in zip(part, image.size * 2, strict=True))
    left, top = min(max(0, left), image.width - 1), min(max(0, top), image.height - 1)
    right, bottom = min(max(right, left + 1), image.width), min(max(bottom, top + 1), image.height)
    return image if (left, top, right, bottom) == (0, 0, *image.size) else image.crop((left, top, right, bottom))


def part_suffix(part: Box) -> str:
    """What distinguishes the parts of one photo in the names of embedded pictures; nothing for the whole photo."""
    return "" if part == WHOLE else "x" + "x".join(str(round(1e4 * share)) for share in part)


def text_mask(line: str, x: float, y: float, size: float, face: Face | None = None) -> tuple[Image.Image, int, int]:
    """A line of text, centred at x with its baseline at y, as a mask and the place of its top left corner."""
    font = (face or face_for(line)).at(size, line)
    left, top, right, bottom = font.getbbox(line, anchor="ms")
    box = round(x + left) - 1, round(y + top) - 1, round(x + right) + 1, round(y + bottom) + 1
    mask = Image.new("L", (max(1, box[2] - box[0]), max(1, box[3] - box[1])))
    ImageDraw.Draw(mask).text((x - box[0], y - box[1]), line, fill=255, font=font, anchor="ms")
    return mask, box[0], box[1]


def rounded_mask(
    width: int,
    height: int,
    radius: float,
    first: int = 0,
    last: int | None = None,
    *,
    largest_kept: int = LARGEST_KEPT_CORNER,
) -> Image.Image:
    """A white rectangle with smooth round corners on black, or its rows from `first` to before `last`.

    Corners of at most `largest_kept` pixels a side are drawn once and kept.
    """
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
                disc = _disc_kept if corner <= largest_kept else _disc_drawn
                quarter = disc(corner, radius, begin + down, end + down).crop((across, 0, across + corner, end - begin))
                mask.paste(quarter, (0 if left else width - corner, begin - first))
    return mask


def _disc_kept(corner: int, radius: float, first: int, last: int) -> Image.Image:
    return _whole_disc(corner, radius).crop((0, first, 2 * corner, last))


@lru_cache(maxsize=16)
def _whole_disc(corner: int, radius: float) -> Image.Image:
    return _disc_drawn(corner, radius, 0, 2 * corner)


def _disc_drawn(corner: int, radius: float, first: int, last: int) -> Image.Image:
    """The rows from `first` to before `last` of a square with round corners, twice as wide as a corner."""
    large = Image.new("L", (2 * corner * CORNER_SCALE, (last - first) * CORNER_SCALE))
    edge, above = 2 * corner * CORNER_SCALE - 1, first * CORNER_SCALE
    ImageDraw.Draw(large).rounded_rectangle((0, -above, edge, edge - above), radius * CORNER_SCALE, fill=255)
    return large.reduce(CORNER_SCALE)


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


BYTES_PER_PIXEL = 4
"""Of a picture in memory, with or without transparency."""
FILTER_REACH = 2
"""Pixels of the smaller picture that the bicubic filter reads on each side."""


@dataclass(frozen=True)
class Limits:
    """How large the pieces are in which a sheet is drawn and encoded; they bound memory, not the size of the sheet.

    `album-app bench exports` measures memory and time with them.
    """

    band_bytes: int = 16 << 20  # of a band in memory: smaller bands are slower, larger ones no faster
    tile_bytes: int = 80 << 20  # of the tiles in memory that reach below the band; further tiles wait in a file
    pixels_enlarged_at_once: int = 16_000_000
    """Of a tile; a larger tile is enlarged band by band, which can change a shade by one of 255."""
    deflated_bytes: int = 1 << 20  # of a PNG, that a thread compresses at a time
    strip_bytes: int = 1 << 21  # of a TIFF's strip before it is compressed
    pixels_for_fast_encoding: int = 40_000_000  # of a sheet: larger ones are encoded faster and in less memory


USUAL_LIMITS = Limits()


class Tile(Protocol):
    """A photo in the size in which it is drawn."""

    @property
    def size(self) -> tuple[int, int]: ...

    def rows(self, first: int, last: int) -> Image.Image:
        """The rows from `first` to before `last`."""


@dataclass(frozen=True, eq=False)
class _TileInMemory:
    image: Image.Image

    @property
    def size(self) -> tuple[int, int]:
        return self.image.size

    def rows(self, first: int, last: int) -> Image.Image:
        if (first, last) == (0, self.image.height):
            return self.image
        return self.image.crop((0, first, self.image.width, last))


@dataclass(frozen=True, eq=False)
class _TileInFile:
    file: IO[bytes]
    place: int
    size: tuple[int, int]
    mode: str

    def rows(self, first: int, last: int) -> Image.Image:
        bytes_per_row = self.size[0] * len(self.mode)
        self.file.seek(self.place + first * bytes_per_row)
        return Image.frombytes(self.mode, (self.size[0], last - first), self.file.read((last - first) * bytes_per_row))


@dataclass(frozen=True, eq=False)
class _EnlargedTile:
    """A tile that is kept in the smaller size of its photo."""

    small: Tile
    size: tuple[int, int]

    def rows(self, first: int, last: int) -> Image.Image:
        """The rows, enlarged from a few rows more than they show, because the filter reads these, too."""
        width, height = self.small.size
        scale = height / self.size[1]
        reach = math.ceil(FILTER_REACH * max(1.0, scale)) + 1
        begin, end = max(0, int(first * scale) - reach), min(height, math.ceil(last * scale) + reach)
        box = (0, first * scale - begin, width, last * scale - begin)
        return self.small.rows(begin, end).resize((self.size[0], last - first), Image.Resampling.BICUBIC, box=box)


class TileStore:
    """Keeps tiles until they are drawn: some in memory, the others in a file without a name."""

    def __init__(self, folder: Path | None, limits: Limits = USUAL_LIMITS) -> None:
        self.limits = limits
        self._folder = folder
        self._bytes = 0
        self._file: IO[bytes] | None = None
        self._end = 0
        self._free: list[tuple[int, int]] = []  # place and size of what is no longer needed

    def keep(self, image: Image.Image) -> Tile:
        bytes_needed = image.width * image.height * BYTES_PER_PIXEL
        if self._bytes + bytes_needed <= self.limits.tile_bytes:
            self._bytes += bytes_needed
            return _TileInMemory(image)
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 (closed in `close`)
        place = self._free_place(image.width * image.height * len(image.mode))
        self._file.seek(place)
        rows = max(1, self.limits.band_bytes // (image.width * BYTES_PER_PIXEL))
        for top in range(0, image.height, rows):
            part = image.crop((0, top, image.width, min(top + rows, image.height)))
            self._file.write(part.tobytes())
        return _TileInFile(self._file, place, image.size, image.mode)

    def forget(self, tile: Tile) -> None:
        width, height = tile.size
        if isinstance(tile, _EnlargedTile):
            self.forget(tile.small)
        elif isinstance(tile, _TileInFile):
            self._free.append((tile.place, width * height * len(tile.mode)))
        else:
            self._bytes -= width * height * BYTES_PER_PIXEL

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _free_place(self, size: int) -> int:
        for number, (place, room) in enumerate(self._free):
            if room >= size:
                del self._free[number]
                return place
        self._end += size
        return self._end - size


@dataclass(eq=False)
class _Stroke:
    """Something to draw that covers the rows from `top` to before `bottom`."""

    top: int
    bottom: int
    draw: Callable[[PixelPainter], None]
    tile: Tile | None = None


@dataclass(eq=False)
class BandPainter:
    """Notes what is to be drawn, and draws a band as soon as nothing more can be added to it."""

    width: int
    height: int
    transparent: bool
    tiles: TileStore
    rows_done: int = 0
    _strokes: list[_Stroke] = field(default_factory=list)

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box = WHOLE) -> None:
        x, y, width, height = whole_pixels(rect)
        tile = self._tile(part_of(image, part), (width, height))

        def draw(painter: PixelPainter) -> None:
            first, last = (row - y for row in painter.rows_seen(y, height))
            mask = rounded_mask(width, height, radius, first, last) if radius >= LEAST_RADIUS else None
            painter.stamp(tile.rows(first, last), x, y + first, mask)

        self._strokes.append(_Stroke(y, y + height, draw, tile))

    def _tile(self, image: Image.Image, size: tuple[int, int]) -> Tile:
        pixels = size[0] * size[1]
        if image.size == size:
            return self.tiles.keep(image)
        if pixels > self.tiles.limits.pixels_enlarged_at_once and pixels > image.width * image.height:
            return _EnlargedTile(self.tiles.keep(image), size)
        return self.tiles.keep(image.resize(size, Image.Resampling.BICUBIC))

    def box(self, rect: Rect, radius: float, colour: Colour) -> None:
        _, y, _, height = whole_pixels(rect)
        self._strokes.append(_Stroke(y, y + height, lambda painter: painter.box(rect, radius, colour)))

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None:
        mask, left, top = text_mask(line, x, y, size, face)
        self._strokes.append(_Stroke(top, top + mask.height, lambda painter: painter.stamp(colour, left, top, mask)))

    def bands(self, rows: int, until: int) -> Iterator[Image.Image]:
        """The next bands above row `until`, with `rows` rows each; the last band of the sheet may have fewer."""
        while self.rows_done < self.height:
            end = min(self.rows_done + rows, self.height)
            if end > until:
                return
            painter = PixelPainter(self.width, end - self.rows_done, self.transparent, self.rows_done)
            for stroke in self._strokes:
                if stroke.top < end and stroke.bottom > self.rows_done:
                    stroke.draw(painter)
            self.rows_done = end
            self._forget_drawn()
            yield painter.image

    def _forget_drawn(self) -> None:
        for stroke in self._strokes:
            if stroke.bottom <= self.rows_done and stroke.tile is not None:
                self.tiles.forget(stroke.tile)
        self._strokes = [stroke for stroke in self._strokes if stroke.bottom > self.rows_done]


@dataclass(frozen=True, eq=False)
class Picture:
    """A sheet as rows of pixels, which are drawn while they are read."""

    sheet: Sheet
    images: Iterable[tuple[int, Image.Image]]
    """The photos in the order of `from_top`."""
    on_photo: Callable[[], None]
    folder: Path | None = None
    """The folder of the file in which tiles wait when memory has no room for them; None is the system's folder."""
    limits: Limits = USUAL_LIMITS

    @property
    def width(self) -> int:
        return self.sheet.plan.width

    @property
    def height(self) -> int:
        return self.sheet.plan.height

    @property
    def mode(self) -> str:
        return "RGBA" if self.sheet.background is None else "RGB"

    def rows_of_a_band(self, multiple_of: int = 1) -> int:
        """How many rows a band has: as many as fit, rounded down to a multiple of `multiple_of`, and at least one."""
        return max(1, self.limits.band_bytes // (BYTES_PER_PIXEL * self.width * multiple_of)) * multiple_of

    def bands(self, rows: int) -> Iterator[Image.Image]:
        """The sheet from top to bottom, in bands of `rows` rows."""
        sheet, tiles = self.sheet, TileStore(self.folder, self.limits)
        painter = BandPainter(self.width, self.height, sheet.background is None, tiles)
        try:
            draw_ground(sheet, painter)
            for photo, image in self.images:
                yield from painter.bands(rows, until=first_row(sheet, photo))
                draw_in_cells(sheet, painter, photo, image)
                self.on_photo()
            yield from painter.bands(rows, until=self.height)
        finally:
            tiles.close()

    def whole(self) -> Image.Image:
        """The sheet in one piece."""
        image = Image.new(self.mode, (self.width, self.height))
        top = 0
        for band in self.bands(self.rows_of_a_band()):
            image.paste(band, (0, top))
            top += band.height
        return image


def first_row(sheet: Sheet, photo: int) -> int:
    """The first row that a photo covers in any of its cells."""
    return min(int(sheet.plan.tile_rect(cell)[1]) for cell in sheet.cells[photo])


def from_top(sheet: Sheet) -> list[int]:
    """The photos of a sheet in the order of their first rows: all above the first row of the next photo is complete."""
    return sorted(sheet.cells, key=lambda photo: first_row(sheet, photo))
