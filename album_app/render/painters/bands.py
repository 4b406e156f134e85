"""A sheet drawn band by band from top to bottom, so that memory never holds more than a few of its rows."""

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

from PIL import Image

from album_app.layout.crops import WHOLE
from album_app.layout.shapes.frames import Rect
from album_app.photos.faces import Box
from album_app.render.page.compose import Sheet, draw_ground, draw_in_cells
from album_app.render.page.settings import Colour
from album_app.render.page.text_faces import Face
from album_app.render.painters.pixels import ROUND, PixelPainter, part_of, rounded_mask, text_mask, whole_pixels

BYTES_PER_PIXEL = 4  # in memory, with or without transparency
BAND_BYTES = 16 << 20
"""Bytes of a band in memory: less is drawn in more pieces, more gains no speed."""
TILE_BYTES = 80 << 20
"""Bytes of tiles in memory that reach below the last band; further ones wait in a file."""
FILTER_REACH = 2  # pixels that the bicubic filter looks at on either side, of the smaller picture
LARGEST_ENLARGED = 16_000_000
"""Pixels of the largest tile that is enlarged at once; of a larger one each band is enlarged by itself, which can
change a shade by one of 255."""


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
        """The rows, enlarged from a few more of the photo than they show: the filter looks that far."""
        width, height = self.small.size
        scale = height / self.size[1]
        reach = math.ceil(FILTER_REACH * max(1.0, scale)) + 1
        begin, end = max(0, int(first * scale) - reach), min(height, math.ceil(last * scale) + reach)
        box = (0, first * scale - begin, width, last * scale - begin)
        return self.small.rows(begin, end).resize((self.size[0], last - first), Image.Resampling.BICUBIC, box=box)


class TileStore:
    """Tiles until they are drawn: some in memory, the others in a file without a name."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._bytes = 0
        self._file: IO[bytes] | None = None
        self._end = 0
        self._free: list[tuple[int, int]] = []  # place and size of what is no longer needed

    def keep(self, image: Image.Image) -> Tile:
        bytes_needed = image.width * image.height * BYTES_PER_PIXEL
        if self._bytes + bytes_needed <= TILE_BYTES:
            self._bytes += bytes_needed
            return _TileInMemory(image)
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 (closed in `close`)
        place = self._free_place(image.width * image.height * len(image.mode))
        self._file.seek(place)
        rows = max(1, BAND_BYTES // (image.width * BYTES_PER_PIXEL))
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
class _Mark:
    """Something to draw that covers the rows from `top` to before `bottom`."""

    top: int
    bottom: int
    draw: Callable[[PixelPainter], None]
    tile: Tile | None = None


@dataclass(eq=False)
class BandPainter:
    """Notes what is to be drawn, and draws it as soon as nothing can be added to a band."""

    width: int
    height: int
    transparent: bool
    tiles: TileStore
    rows_done: int = 0
    _marks: list[_Mark] = field(default_factory=list)

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box = WHOLE) -> None:
        x, y, width, height = whole_pixels(rect)
        tile = self._tile(part_of(image, part), (width, height))

        def draw(painter: PixelPainter) -> None:
            first, last = (row - y for row in painter.rows_seen(y, height))
            mask = rounded_mask(width, height, radius, first, last) if radius >= ROUND else None
            painter.stamp(tile.rows(first, last), x, y + first, mask)

        self._marks.append(_Mark(y, y + height, draw, tile))

    def _tile(self, image: Image.Image, size: tuple[int, int]) -> Tile:
        pixels = size[0] * size[1]
        if image.size == size:
            return self.tiles.keep(image)
        if pixels > LARGEST_ENLARGED and pixels > image.width * image.height:
            return _EnlargedTile(self.tiles.keep(image), size)
        return self.tiles.keep(image.resize(size, Image.Resampling.BICUBIC))

    def box(self, rect: Rect, radius: float, colour: Colour) -> None:
        _, y, _, height = whole_pixels(rect)
        self._marks.append(_Mark(y, y + height, lambda painter: painter.box(rect, radius, colour)))

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None:
        mask, left, top = text_mask(line, x, y, size, face)
        self._marks.append(_Mark(top, top + mask.height, lambda painter: painter.stamp(colour, left, top, mask)))

    def bands(self, rows: int, until: int) -> Iterator[Image.Image]:
        """The next bands up to row `until` at most, with `rows` rows each; the last of all may have fewer."""
        while self.rows_done < self.height:
            end = min(self.rows_done + rows, self.height)
            if end > until:
                return
            painter = PixelPainter(self.width, end - self.rows_done, self.transparent, self.rows_done)
            for mark in self._marks:
                if mark.top < end and mark.bottom > self.rows_done:
                    mark.draw(painter)
            self.rows_done = end
            self._forget_drawn()
            yield painter.image

    def _forget_drawn(self) -> None:
        for mark in self._marks:
            if mark.bottom <= self.rows_done and mark.tile is not None:
                self.tiles.forget(mark.tile)
        self._marks = [mark for mark in self._marks if mark.bottom > self.rows_done]


@dataclass(frozen=True, eq=False)
class Picture:
    """A sheet as rows of pixels, which are drawn while they are read."""

    sheet: Sheet
    images: Iterable[tuple[int, Image.Image]]
    """The photos in the order of `from_top`."""
    on_photo: Callable[[], None]
    folder: Path | None = None
    """Where tiles wait for which there is no room in memory; None is the system's folder for such files."""

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
        """How many rows fit into a band; at least one, or the number that theirs is a multiple of."""
        return max(1, BAND_BYTES // (BYTES_PER_PIXEL * self.width * multiple_of)) * multiple_of

    def bands(self, rows: int) -> Iterator[Image.Image]:
        """The sheet from top to bottom, in bands of `rows` rows."""
        sheet, tiles = self.sheet, TileStore(self.folder)
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
    """The photos of a sheet in the order of their first rows: what lies above the next one is then complete."""
    return sorted(sheet.cells, key=lambda photo: first_row(sheet, photo))
