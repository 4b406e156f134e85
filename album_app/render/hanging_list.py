"""A hanging list: where each photo is on the paper, as a CSV with a line per photo."""

import csv
import io
from pathlib import Path

from album_app.errors import AlbumError
from album_app.language import reason, tr
from album_app.layout.captions import NONE, caption_of
from album_app.layout.crops import Crops
from album_app.layout.layout import Layout
from album_app.own_files import HANGING_COLUMNS, HANGING_LIST
from album_app.paths import NOTHING_FOREIGN, Replacing, atomic_write
from album_app.photos.album import Album
from album_app.render.book import has_cover
from album_app.render.export import ExportPlan, sheets_of
from album_app.render.page.compose import Sheet

CM_PER_INCH = 2.54


def hanging_rows(plan: ExportPlan, layout: Layout, album: Album, crops: Crops | None = None) -> list[list[object]]:
    """The lines of the list by page, row and column: `HANGING_COLUMNS`.

    Lengths are in centimetres from the upper left corner of the paper, or of the page of a book.
    """
    pages = sheets_of(plan, layout, album, crops)[plan.is_book and has_cover(plan.settings) :]
    rows: list[list[object]] = []
    for number, sheet in enumerate(pages, start=1):
        placed = ((cell, photo) for photo, cells in sheet.cells.items() for cell in cells)
        for (row, column), photo in sorted(placed):
            rows.append([_written(album.photos[photo].name), number, row, column, *_place(sheet, photo, (row, column))])
    return rows


def _place(sheet: Sheet, photo: int, cell: tuple[int, int]) -> list[object]:
    """Place, size, pixels, sharpness and caption of a photo."""
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
    """Write the list of a sheet that is drawn as planned."""
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
