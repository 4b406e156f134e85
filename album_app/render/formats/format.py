"""What a format is: pixels drawn and written band by band, or a page that photos are written into one by one."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, ClassVar, Protocol

from PIL import Image

from album_app.paths import is_file
from album_app.render.page.compose import Painter, Sheet, Wanted, compose
from album_app.render.page.plan import PagePlan
from album_app.render.page.settings import RenderSettings
from album_app.render.painters.pixels import BYTES_PER_PIXEL, Picture, from_top
from album_app.work import OnProgress, Stop, check, report

UNLIMITED = float("inf")
STEPS = 100
BYTES_OF_BANDS = 260_000_000
"""Bytes of memory that a sheet takes at most while it is drawn and written band by band, measured at 1.1 gigapixels."""

Images = Iterable[tuple[int, Image.Image]]
"""Each shown photo once, fitted to a tile."""


class Writing:
    """A sheet on its way into a file: tells how far it is, and stops when it is asked to.

    `pixels` are those of the whole sheet, by which a trial of a part of it is written like the whole.
    """

    def __init__(
        self,
        photos: int,
        drawing: float,
        pixels: int,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> None:
        self.pixels = pixels
        self._photos, self._drawing = max(1, photos), drawing
        self._on_progress, self._stop = on_progress, stop
        self._drawn, self._share_written = 0, 0.0

    def check(self) -> None:
        """Raise Stopped if the export was cancelled."""
        check(self._stop)

    def photo_drawn(self) -> None:
        self._drawn += 1
        self._tell()

    def share_written(self, share: float) -> None:
        self.check()
        self._share_written = share
        self._tell()

    def _tell(self) -> None:
        """Report the photos drawn and the bytes or rows written, which can go on at the same time."""
        drawn = 1.0 if self._share_written == 1 else self._drawn / self._photos  # photos that are gone are not drawn
        share = self._drawing * drawn + (1 - self._drawing) * self._share_written
        report(self._on_progress, min(STEPS, round(share * STEPS)), STEPS)


Encode = Callable[[BinaryIO, Picture, RenderSettings, Writing], None]
"""Writes a picture as a file, with the sRGB profile and the program's name, saying how far it is."""


class PagePainter(Painter, Protocol):
    """A painter that writes what it draws; `finish` ends the file."""

    def finish(self) -> None: ...


class BookPainter(PagePainter, Protocol):
    """A painter that has several pages."""

    def turn_to(self, sheet: Sheet) -> None:
        """Begin the next page."""


@dataclass(frozen=True, kw_only=True)
class Format(ABC):
    """A kind of file: what it is called, what it allows, and how large a typical sheet is in it.

    >>> from album_app.render import FORMATS
    >>> [name for name, kind in FORMATS.items() if kind.transparent]
    ['PNG', 'WebP', 'TIFF', 'PDF', 'SVG', 'Web page']
    """

    name: str
    title: str
    suffixes: tuple[str, ...]  # the first one is suggested
    bytes_per_pixel: float
    lossy: bool  # whether `quality` matters
    transparent: bool = True
    moving: bool = False  # whether it can be an animation
    to_look_around: bool = False  # whether it tells names, and is as large as it may be
    longest_pixels: float = UNLIMITED
    longest_mm: float = UNLIMITED
    most_bytes: float = UNLIMITED

    pages: ClassVar[bool] = False
    """Whether a file can have several."""

    embeds: ClassVar[bool]
    """Whether photos are written one by one, each once however many cells show it."""

    drawing: ClassVar[float]
    """The share of the work that is done once every photo is drawn."""

    def wanted(self, sheet: Sheet) -> dict[int, Wanted]:
        """What is read of each photo."""
        return {photo: sheet.wanted(photo) for photo in sheet.cells}

    def expected_bytes(self, plan: PagePlan, settings: RenderSettings) -> float:
        """Roughly how large the file will be."""
        factor = 0.25 + 0.75 * (settings.quality / 90) ** 4 if self.lossy else 1.0
        return plan.pixels * self.bytes_per_pixel * factor

    @abstractmethod
    def memory(self, plan: PagePlan) -> float:
        """Bytes of memory that grow with the sheet."""

    @abstractmethod
    def write(self, file: BinaryIO, sheet: Sheet, images: Images, writing: Writing) -> None:
        """Write a whole sheet."""


@dataclass(frozen=True, kw_only=True)
class PixelFormat(Format):
    """The sheet is drawn and encoded band by band, unless the encoder needs the whole picture at once."""

    encode: Encode
    copies: float = 0.0  # of the whole picture that are in memory while it is encoded
    embeds = False
    drawing = 0.5

    def wanted(self, sheet: Sheet) -> dict[int, Wanted]:
        return {photo: sheet.wanted(photo) for photo in from_top(sheet)}

    def memory(self, plan: PagePlan) -> float:
        whole = plan.pixels * BYTES_PER_PIXEL
        return max(min(2 * whole, BYTES_OF_BANDS), self.copies * whole)

    def write(self, file: BinaryIO, sheet: Sheet, images: Images, writing: Writing) -> None:
        self.encode(file, Picture(sheet, images, writing.photo_drawn, _folder_of(file)), sheet.settings, writing)
        writing.share_written(1.0)


def _folder_of(file: BinaryIO) -> Path | None:
    """The folder of a regular file; None for what lies in memory or takes bytes as they come."""
    name = getattr(file, "name", None)
    return Path(name).parent if isinstance(name, str) and is_file(name) else None


@dataclass(frozen=True, kw_only=True)
class PageFormat(Format):
    """Photos are embedded one after the other; memory never holds more than one of them."""

    painter: Callable[[BinaryIO, Sheet], PagePainter]
    embeds = True
    drawing = 1.0

    def memory(self, plan: PagePlan) -> float:
        return 0.0

    def write(self, file: BinaryIO, sheet: Sheet, images: Images, writing: Writing) -> None:
        painter = self.painter(file, sheet)
        compose(sheet, painter, images, writing.photo_drawn)
        painter.finish()


@dataclass(frozen=True, kw_only=True)
class BookFormat(PageFormat):
    """Several pages in one file."""

    painter: Callable[[BinaryIO, Sheet], BookPainter]
    pages = True

    def write_book(self, file: BinaryIO, book: Iterable[tuple[Sheet, Images]], writing: Writing) -> None:
        """Write a page for each sheet."""
        painter: BookPainter | None = None
        for sheet, images in book:
            if painter is None:
                painter = self.painter(file, sheet)
            else:
                painter.turn_to(sheet)
            compose(sheet, painter, images, writing.photo_drawn)
        if painter is not None:
            painter.finish()
