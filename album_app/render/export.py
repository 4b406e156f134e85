"""A layout becomes files: `plan_export` checks and decides everything once, `export` writes; the hanging list."""

import csv
import errno
import io
import math
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.errors import AlbumError
from album_app.language import reason, tr
from album_app.layout import Shape
from album_app.layout.captions import NONE, caption_of
from album_app.layout.crops import Crops
from album_app.layout.layout import Layout
from album_app.own_files import HANGING_COLUMNS, HANGING_LIST, SHEET
from album_app.paths import NOTHING_FOREIGN, Replacing, atomic_write
from album_app.photos.album import Album, replacing
from album_app.render.book import (
    book_sheets,
    files_of,
    has_cover,
    is_book,
    plan_book_page,
    plan_for,
    scaled,
    side_by_side,
)
from album_app.render.checks import check_plan, check_target
from album_app.render.formats.animation import LONGEST_SIDE, write_animation
from album_app.render.formats.format import BookFormat, Format, Images, Writing
from album_app.render.page.compose import Sheet, compose
from album_app.render.page.plan import PagePlan, plan_page, shape_of
from album_app.render.page.settings import CM_PER_INCH, RenderSettings
from album_app.render.painters import tiles
from album_app.render.painters.pixels import PixelPainter
from album_app.render.painters.tiles import Arrays, OnMissing
from album_app.work import OnProgress, Stop

if TYPE_CHECKING:
    from album_app.layout.evaluation.region_names import Label as RegionLabel

PAGE_GAP_SHARE = 0.05
"""The gap between pages in a preview, as a share of a page's shorter side."""
AROUND_PAGES = "#808080"
"""The colour between the pages in a preview."""
LEAST_GAP_PIXELS, MOST_PIXELS_DRAWN = 1.5, 16_000_000
"""A preview is drawn larger and then reduced, so that its gaps have this width; at most with this many pixels."""
DISK_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


@dataclass(frozen=True, eq=False)
class ExportPlan:
    """All decisions about an export: kind of file, page plan and files, checked before any photo is read.

    >>> from album_app.layout.shapes.shape import book
    >>> [path.name for path in plan_export(book(2, 4, 5), "trip.png").files]
    ['trip-01.png', 'trip-02.png']
    """

    shape: Shape
    settings: RenderSettings
    kind: Format
    page: PagePlan  # of the whole sheet, or of each page of a book
    files: tuple[Path, ...]
    moving: bool = False  # an animation

    @property
    def is_book(self) -> bool:
        """Whether the pages of a book are drawn one by one."""
        return is_book(self.shape, self.kind, self.moving)


def plan_export(
    sheet: Shape | Layout, path: str | os.PathLike[str], settings: RenderSettings | None = None, *, moving: bool = False
) -> ExportPlan:
    """Plan the file of a layout, or the files of a book; an AlbumError says why they cannot be written.

    A shape can be planned before photos are arranged; only a layout knows which photos are larger.

    >>> from album_app.layout import rectangle
    >>> plan_export(rectangle(2, 3), "sheet.png", RenderSettings(cell=100, gap=0, margin=0)).page.size
    (300, 200)
    """
    settings, target = settings or RenderSettings(), Path(path)
    kind = check_target(target)
    page, shape = plan_for(sheet, settings, kind, moving), shape_of(sheet)
    if moving:
        page = page.scaled(min(1.0, LONGEST_SIDE / max(page.size)))
    check_plan(kind, page, settings, moving)
    return ExportPlan(shape, settings, kind, page, tuple(files_of(shape, target, settings, moving)), moving)


def export(
    layout: Layout,
    album: Album,
    plan: ExportPlan,
    *,
    crops: Crops | None = None,
    instead: Arrays | None = None,
    on_progress: OnProgress | None = None,
    on_missing: OnMissing | None = None,
    before: Sequence[Layout] = (),
    stop: Stop | None = None,
    agreed: bool = False,
    region_names: "Sequence[RegionLabel]" = (),
) -> tuple[Path, ...]:
    """Write a layout as planned and return all files; an animation glides through the layouts `before` to this one.

    A book becomes one PDF, one web page, or a numbered file for each page, of which all are written or none. `crops`
    gives the visible part of each photo. Photos for which `instead` has an array are drawn from it, not from their
    files. `on_missing` is called with photos that cannot be read, whose cells stay empty. An existing file that is no
    sheet of this program is replaced only if the user `agreed`, and never if it belongs to the album. A web page can
    show `region_names`.

    >>> import numpy as np
    >>> from PIL import Image
    >>> from album_app.layout import arrange, rectangle
    >>> from album_app.photos import open_album
    >>> for number in range(4):
    ...     Image.new("RGB", (60, 40), (60 * number, 90, 150)).save(f"{number}.png")
    >>> layout = arrange(np.arange(4.0)[:, None], rectangle(2, 2))
    >>> plan = plan_export(layout, "sheet.png", RenderSettings(cell=32))
    >>> [path.name for path in export(layout, open_album("."), plan)]
    ['sheet.png']
    """
    sheets = [replace(sheet, region_names=region_names) for sheet in sheets_of(plan, layout, album, crops)]
    kept = replacing(album, agreed)
    read = partial(tiles.originals, instead=instead, on_missing=on_missing, stop=stop)
    waiting = ((sheet, read(plan.kind.wanted(sheet), album.photos)) for sheet in sheets)
    with _explained(plan.files[0]), ExitStack() as stack:
        temporaries = [stack.enter_context(atomic_write(file, SHEET, kept)) for file in plan.files]
        for number, temporary in enumerate(temporaries):
            writing = _writing(plan, sheets, _part(on_progress, number, len(plan.files)), stop)
            with temporary.open("wb") as stream:
                _write(stream, plan.kind, waiting, [*before, layout], writing)
    return plan.files


def _writing(plan: ExportPlan, sheets: Sequence[Sheet], on_progress: OnProgress | None, stop: Stop | None) -> Writing:
    photos = sum(len(sheet.cells) for sheet in sheets)
    return Writing(photos, plan.kind.drawing, plan.page.pixels, on_progress, stop)


def _write(
    stream: BinaryIO, kind: Format, sheets: Iterator[tuple[Sheet, Images]], story: Sequence[Layout], writing: Writing
) -> None:
    """Write one file: all sheets of a book, or the next sheet, animated if there are several layouts."""
    if len(story) > 1:
        sheet, images = next(sheets)
        write_animation(stream, sheet, story, images, writing)
    elif isinstance(kind, BookFormat):
        kind.write_book(stream, sheets, writing)
    else:
        kind.write(stream, *next(sheets), writing)
    writing.check()


def sheets_of(plan: ExportPlan, layout: Layout, album: Album, crops: Crops | None) -> list[Sheet]:
    """The sheets that are drawn: one, or one for each page of a book."""
    if plan.is_book:
        return book_sheets(layout, album.photos, plan.page, plan.settings, crops)
    sheet = side_by_side(layout, album.photos, plan.page, plan.settings, crops)
    return [replace(sheet, whole_photos=plan.kind.to_look_around)]


def _part(on_progress: OnProgress | None, number: int, parts: int) -> OnProgress | None:
    """Report the progress of one part of the work as progress of the whole."""
    if on_progress is None:
        return None
    return lambda done, total: on_progress(number * total + done, parts * total)


def preview(
    layout: Layout,
    thumbnails: Sequence[NDArray[np.uint8] | None],
    settings: RenderSettings,
    max_side: int,
    *,
    album: Album | None = None,
    crops: Crops | None = None,
    stop: Stop | None = None,
    page: int | None = None,
    kind: Format | None = None,
    around: str = AROUND_PAGES,
) -> Image.Image:
    """A small picture of the sheet that `export` would write, from thumbnails; captions need the album.

    A book is shown as its cover and pages side by side, or as the one of them with the number `page`, from 0 on. In a
    file of a `kind` that shows pages side by side anyway, it is one sheet without a cover. `around` is the colour
    between the pages.

    >>> import numpy as np
    >>> from album_app.layout import arrange, rectangle
    >>> grey = {photo: np.full((8, 8, 3), 60 * photo, np.uint8) for photo in range(4)}
    >>> preview(arrange(np.arange(4.0)[:, None], rectangle(2, 2)), grey, RenderSettings(), 100).size
    (100, 100)
    """
    photos = album.photos if album else ()
    if layout.shape.pages is None or (kind is not None and not is_book(layout.shape, kind)):
        sheets, across = [side_by_side(layout, photos, plan_page(layout, settings), settings, crops)], 1
    else:
        pages = plan_book_page(layout.shape, settings)
        sheets, across = book_sheets(layout, photos, pages, settings, crops), layout.shape.pages.across
    if page is not None:
        sheets, across = [sheets[min(page, len(sheets) - 1)]], 1
    if not photos:
        seen = {photo: thumbnails[photo] for photo in layout.shown}
        aspects = {photo: array.shape[1] / array.shape[0] for photo, array in seen.items() if array is not None}
        sheets = [replace(sheet, aspects=aspects) for sheet in sheets]
    plan, down = sheets[0].plan, -(-len(sheets) // across)
    gap = PAGE_GAP_SHARE * min(plan.size) if len(sheets) > 1 else 0.0
    whole = across * (plan.width + gap) - gap, down * (plan.height + gap) - gap
    factor = min(1.0, max_side / max(whole))
    times = _times_larger(plan.geometry.gap * factor, plan.width * plan.height * factor**2 * len(sheets))
    drawn = [_drawn_small(scaled(sheet, factor), thumbnails, times, stop) for sheet in sheets]
    if len(drawn) == 1:
        return drawn[0]
    step = [round(side + gap * factor) for side in drawn[0].size]
    together = Image.new("RGB", (max(1, round(whole[0] * factor)), max(1, round(whole[1] * factor))), around)
    for number, picture in enumerate(drawn):
        together.paste(picture, (number % across * step[0], number // across * step[1]))
    return together


def _times_larger(gap: float, pixels: float) -> int:
    """How many times larger a preview is drawn before it is reduced, so that gaps below a pixel look alike."""
    room = math.isqrt(int(MOST_PIXELS_DRAWN / max(1.0, pixels)))
    return max(1, min(math.ceil(LEAST_GAP_PIXELS / gap), room)) if 0 < gap < LEAST_GAP_PIXELS else 1


def _drawn_small(
    sheet: Sheet, thumbnails: Sequence[NDArray[np.uint8] | None], times: int, stop: Stop | None
) -> Image.Image:
    if times > 1:
        larger = _drawn_small(scaled(sheet, times), thumbnails, 1, stop)
        return larger.resize(sheet.plan.size, Image.Resampling.BOX)
    plan = sheet.plan
    images = tiles.thumbnails({photo: sheet.wanted(photo) for photo in sheet.cells}, thumbnails, stop=stop)
    painter = PixelPainter(plan.width, plan.height, sheet.background is None)
    compose(sheet, painter, images, lambda: None)
    return painter.image


@contextmanager
def _explained(target: Path) -> Iterator[None]:
    """Turn the system's error for a failed write into a sentence."""
    try:
        yield
    except OSError as problem:
        if problem.errno in DISK_FULL:
            raise AlbumError(
                tr("There is not enough space on the disk for {target}; nothing was changed.", target=target)
            ) from problem
        named = problem.filename if isinstance(problem, FileExistsError) else target  # a page of a book has its own
        raise AlbumError(
            tr("{target} could not be written: {reason}.", target=named, reason=reason(problem))
        ) from problem
    except MemoryError as problem:
        raise AlbumError(
            tr("There is not enough memory for {target}; choose a smaller cell, fewer dpi, or PDF.", target=target)
        ) from problem


def hanging_rows(plan: ExportPlan, layout: Layout, album: Album, crops: Crops | None = None) -> list[list[object]]:
    """The lines of the hanging list with `HANGING_COLUMNS`, by page, row and column.

    Pages, rows and columns count from 1, as in the window. Lengths are in centimetres from the upper left corner of the
    paper, or of the page of a book.
    """
    pages = sheets_of(plan, layout, album, crops)[plan.is_book and has_cover(plan.settings) :]
    rows: list[list[object]] = []
    for number, sheet in enumerate(pages, start=1):
        placed = ((cell, photo) for photo, cells in sheet.cells.items() for cell in cells)
        for (row, column), photo in sorted(placed):
            place = number, row + 1, column + 1
            rows.append([_written(album.photos[photo].name), *place, *_place(sheet, photo, (row, column))])
    return rows


def _place(sheet: Sheet, photo: int, cell: tuple[int, int]) -> list[object]:
    """Place and size on the paper, pixels, dots per inch and caption of a photo."""
    plan, known, caption = sheet.plan, sheet.photos[photo], sheet.settings.caption
    left, top, width, height = plan.geometry.rect(cell)
    inch = [(left - plan.trim) / plan.dpi, (top - plan.trim) / plan.dpi, width / plan.dpi]
    inch.append((height - plan.caption) / plan.dpi)
    crop = sheet.crop(photo, cell)
    dpi = round((crop[2] - crop[0]) * known.width / inch[2])
    words = caption_of(known, caption if caption != NONE else "title")
    lengths = [round(CM_PER_INCH * length, 3) for length in inch]
    return [*lengths, known.width, known.height, dpi, _written(words)]


def _written(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def write_hanging_list(
    path: Path,
    plan: ExportPlan,
    layout: Layout,
    album: Album,
    crops: Crops | None = None,
    replacing: Replacing = NOTHING_FOREIGN,
) -> None:
    """Write the hanging list of a sheet that is drawn as planned."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HANGING_COLUMNS)
    writer.writerows(hanging_rows(plan, layout, album, crops))
    try:
        with atomic_write(path, HANGING_LIST, replacing) as temporary:
            temporary.write_bytes(text.getvalue().encode("utf-8"))
    except OSError as problem:
        words = tr("The list could not be written to {path}: {reason}.", path=path, reason=reason(problem))
        raise AlbumError(words) from problem
