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
from album_app.render.painters.pixels import BYTES_PER_PIXEL, USUAL_LIMITS, Limits, Picture, from_top
from album_app.work import OnProgress, Stop, check, report

UNLIMITED = float("inf")
PROGRESS_STEPS = 100
BAND_BY_BAND_BYTES = 260_000_000
"""The most memory that drawing and writing a sheet band by band takes, measured at 1.1 gigapixels."""

Images = Iterable[tuple[int, Image.Image]]
"""Each shown photo once, fitted to a tile."""


class Writing:
    """The writing of one sheet: reports its progress, and stops when that is asked for.

    `pixels` is the size of the whole sheet: when only some photos are written on trial, they are encoded like the
    whole. `drawing` is the share of the work that is done once every photo is drawn.
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
        """Report the progress of drawing photos and of writing bytes or rows, which can go on at the same time."""
        drawn = 1.0 if self._share_written == 1 else self._drawn / self._photos  # photos that are gone are not drawn
        share = self._drawing * drawn + (1 - self._drawing) * self._share_written
        report(self._on_progress, min(PROGRESS_STEPS, round(share * PROGRESS_STEPS)), PROGRESS_STEPS)


Encode = Callable[[BinaryIO, Picture, RenderSettings, Writing], None]
"""Writes a picture as a file, with the sRGB profile and the program's name, and reports its progress."""


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
    to_look_around: bool = False  # a page that readers zoom into: it has names, and is as large as it is allowed to be
    longest_pixels: float = UNLIMITED
    longest_mm: float = UNLIMITED
    most_bytes: float = UNLIMITED

    pages: ClassVar[bool] = False
    """Whether a file can have several pages."""

    embeds: ClassVar[bool]
    """Whether each photo is written once, however many cells show it."""

    drawing: ClassVar[float]
    """The share of the work that is done once every photo is drawn."""

    def wanted(self, sheet: Sheet) -> dict[int, Wanted]:
        """Which part of each photo is read, and at which size."""
        return {photo: sheet.wanted(photo) for photo in sheet.cells}

    def expected_bytes(self, plan: PagePlan, settings: RenderSettings) -> float:
        """Roughly how many bytes the file will have."""
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
    """A picture that is drawn and encoded band by band, unless its encoder needs the whole picture at once."""

    encode: Encode
    copies: float = 0.0  # of the whole picture that are in memory while it is encoded
    limits: Limits = USUAL_LIMITS
    embeds = False
    drawing = 0.5

    def wanted(self, sheet: Sheet) -> dict[int, Wanted]:
        return {photo: sheet.wanted(photo) for photo in from_top(sheet)}

    def memory(self, plan: PagePlan) -> float:
        whole = plan.pixels * BYTES_PER_PIXEL
        return max(min(2 * whole, BAND_BY_BAND_BYTES), self.copies * whole)

    def write(self, file: BinaryIO, sheet: Sheet, images: Images, writing: Writing) -> None:
        picture = Picture(sheet, images, writing.photo_drawn, _folder_of(file), self.limits)
        self.encode(file, picture, sheet.settings, writing)
        writing.share_written(1.0)


def _folder_of(file: BinaryIO) -> Path | None:
    """The folder of a regular file; None for what lies in memory or takes bytes as they come."""
    name = getattr(file, "name", None)
    return Path(name).parent if isinstance(name, str) and is_file(name) else None


@dataclass(frozen=True, kw_only=True)
class PageFormat(Format):
    """A page into which photos are embedded one after the other; memory holds only one of them at a time."""

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
