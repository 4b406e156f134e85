"""Layout in, file or preview out."""

import errno
import math
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.errors import AlbumError
from album_app.language import reason, tr
from album_app.layout.crops import Crops
from album_app.layout.layout import Layout
from album_app.own_files import SHEET
from album_app.paths import atomic_write
from album_app.photos.album import Album
from album_app.photos.originals import replacing
from album_app.render.book import book_sheets, files_of, is_book, scaled, side_by_side
from album_app.render.formats.animation import LONGEST_SIDE, write_animation
from album_app.render.formats.checks import check_plan, check_target, estimated_bytes
from album_app.render.formats.format import BookFormat, Format, Images, Writing
from album_app.render.page.compose import Sheet, compose
from album_app.render.page.plan import plan_page
from album_app.render.page.settings import RenderSettings
from album_app.render.painters import tiles
from album_app.render.painters.pixels import PixelPainter
from album_app.render.painters.tiles import Arrays, OnMissing
from album_app.work import OnProgress, Stop

BETWEEN_PAGES = 0.05  # of a preview, a share of a page's shorter side
AROUND_PAGES = (128, 128, 128)
GAP_DRAWN, MOST_PIXELS_DRAWN = 1.5, 16_000_000
"""Of a preview: pixels that gaps have at least while it is drawn, unless that takes more pixels in all."""
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def export(
    layout: Layout,
    album: Album,
    path: str | os.PathLike[str],
    settings: RenderSettings | None = None,
    *,
    crops: Crops | None = None,
    instead: Arrays | None = None,
    on_progress: OnProgress | None = None,
    on_missing: OnMissing | None = None,
    before: Sequence[Layout] = (),
    stop: Stop | None = None,
    agreed: bool = False,
) -> Path:
    """Write a layout as the kind of file that its name asks for, gliding there from those `before`, if there are any.

    A book becomes one PDF, one web page, or as many numbered files as it has pages: all of them or none. Gives the
    first file. `crops` says which part of each photo is seen. Photos given `instead` are drawn from there and not from
    their files; `on_missing` hears of those whose cells stay empty because they cannot be read. A file that exists, and
    is no sheet of this program, is replaced only if the user `agreed`, and never if it belongs to the album.

    >>> import numpy as np
    >>> from PIL import Image
    >>> from album_app.layout import arrange, rectangle
    >>> from album_app.photos import open_album
    >>> for number in range(4):
    ...     Image.new("RGB", (60, 40), (60 * number, 90, 150)).save(f"{number}.png")
    >>> layout = arrange(np.arange(4.0)[:, None], rectangle(2, 2))
    >>> export(layout, open_album("."), "sheet.png", RenderSettings(cell=32)).name
    'sheet.png'
    """
    settings = settings or RenderSettings()
    target = Path(path)
    kind = check_target(target)
    sheets = _sheets(kind, layout, album, settings, crops, bool(before))
    files = files_of(layout.shape, target, settings, bool(before))
    kept = replacing(album, agreed)
    check_plan(kind, sheets[0].plan, settings, moving=bool(before))
    read = partial(tiles.originals, instead=instead, on_missing=on_missing, stop=stop)
    waiting = ((sheet, read(kind.wanted(sheet), album.photos)) for sheet in sheets)
    with _explained(target), ExitStack() as stack:
        temporaries = [stack.enter_context(atomic_write(file, SHEET, kept)) for file in files]
        for number, temporary in enumerate(temporaries):
            writing = _writing(kind, sheets, settings, _part(on_progress, number, len(files)), stop)
            with temporary.open("wb") as stream:
                _write(stream, kind, waiting, [*before, layout], writing)
    return files[0]


def _writing(
    kind: Format, sheets: Sequence[Sheet], settings: RenderSettings, on_progress: OnProgress | None, stop: Stop | None
) -> Writing:
    photos, plan = sum(len(sheet.cells) for sheet in sheets), sheets[0].plan
    return Writing(photos, kind.drawing, plan.pixels, estimated_bytes(kind, plan, settings), on_progress, stop)


def _write(
    stream: BinaryIO, kind: Format, sheets: Iterator[tuple[Sheet, Images]], story: Sequence[Layout], writing: Writing
) -> None:
    """Write one file: as a book all sheets, else the next one, moving if there are several layouts."""
    if len(story) > 1:
        sheet, images = next(sheets)
        write_animation(stream, sheet, story, images, writing)
    elif isinstance(kind, BookFormat):
        kind.write_book(stream, sheets, writing)
    else:
        kind.write(stream, *next(sheets), writing)
    writing.check()


def _sheets(
    kind: Format, layout: Layout, album: Album, settings: RenderSettings, crops: Crops | None, moving: bool
) -> list[Sheet]:
    """What is to be drawn: a sheet, or each page of a book."""
    if is_book(layout.shape, kind, moving):
        return book_sheets(layout, album.photos, settings, crops)
    plan = plan_page(layout, settings)
    if moving:
        plan = plan.scaled(min(1.0, LONGEST_SIDE / max(plan.size)))
    sheet = side_by_side(layout, album.photos, plan, settings, crops)
    return [replace(sheet, whole_photos=kind.to_look_around)]


def _part(on_progress: OnProgress | None, number: int, parts: int) -> OnProgress | None:
    """Hears of one part of the work as a share of all."""
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
) -> Image.Image:
    """The sheet that `export` would write, drawn small from thumbnails; captions need the album.

    Of a book the cover and the pages, side by side.

    >>> import numpy as np
    >>> from album_app.layout import arrange, rectangle
    >>> grey = {photo: np.full((8, 8, 3), 60 * photo, np.uint8) for photo in range(4)}
    >>> preview(arrange(np.arange(4.0)[:, None], rectangle(2, 2)), grey, RenderSettings(), 100).size
    (100, 100)
    """
    photos = album.photos if album else ()
    if layout.shape.pages is None:
        sheets, across = [side_by_side(layout, photos, plan_page(layout, settings), settings, crops)], 1
    else:
        sheets, across = book_sheets(layout, photos, settings, crops), layout.shape.pages.across
    if not photos:
        seen = {photo: thumbnails[photo] for photo in layout.shown}
        aspects = {photo: array.shape[1] / array.shape[0] for photo, array in seen.items() if array is not None}
        sheets = [replace(sheet, aspects=aspects) for sheet in sheets]
    plan, down = sheets[0].plan, -(-len(sheets) // across)
    gap = BETWEEN_PAGES * min(plan.size) if len(sheets) > 1 else 0.0
    whole = across * (plan.width + gap) - gap, down * (plan.height + gap) - gap
    factor = min(1.0, max_side / max(whole))
    times = _times_larger(plan.geometry.gap * factor, plan.width * plan.height * factor**2 * len(sheets))
    drawn = [_drawn_small(scaled(sheet, factor), thumbnails, times, stop) for sheet in sheets]
    if len(drawn) == 1:
        return drawn[0]
    step = [round(side + gap * factor) for side in drawn[0].size]
    page = Image.new("RGB", (max(1, round(whole[0] * factor)), max(1, round(whole[1] * factor))), AROUND_PAGES)
    for number, picture in enumerate(drawn):
        page.paste(picture, (number % across * step[0], number // across * step[1]))
    return page


def _times_larger(gap: float, pixels: float) -> int:
    """How often larger a preview is drawn before it is reduced, so that gaps of less than a pixel are all alike."""
    room = math.isqrt(int(MOST_PIXELS_DRAWN / max(1.0, pixels)))
    return max(1, min(math.ceil(GAP_DRAWN / gap), room)) if 0 < gap < GAP_DRAWN else 1


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
    """Turn what the system says about a failed write into a sentence."""
    try:
        yield
    except OSError as problem:
        if problem.errno in FULL:
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
