"""A book on paper: a cover and a sheet for each page, and what stands below a page."""

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.crops import Crops
from album_app.layout.editing.book import page_layouts, page_shape, page_title
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import Shape
from album_app.photos.album import Photo
from album_app.render.formats.format import Format
from album_app.render.formats.table import format_of
from album_app.render.page.compose import Label, Sheet, time_labels
from album_app.render.page.plan import LEGEND_STRIP, PagePlan, plan_page, shape_of, without_words
from album_app.render.page.settings import RenderSettings

LABEL_SIZE = 0.026  # of the text below a page, as a share of the page's shorter side
LABEL_SPACE = 1.6  # height that the text below a page needs, in text sizes
LABEL_SIZE_SIDE_BY_SIDE = 0.24  # where pages are drawn side by side, as a share of a cell
WANTED_LABEL_PIXELS, LEAST_LABEL_PIXELS = 10.0, 5.0  # text size where there is space, and below which it is left out


def is_book(shape: Shape, kind: Format, moving: bool = False) -> bool:
    """Whether a file of this kind has the pages one by one: a page to look around in has them side by side.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of
    >>> is_book(rectangle(2, 3), format_of("crete.pdf"))
    False
    """
    return shape.pages is not None and not (moving or kind.to_look_around)


def plan_for(sheet: Shape | Layout, settings: RenderSettings, kind: Format, moving: bool = False) -> PagePlan:
    """How large the whole sheet is, or each page of a book.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of
    >>> plan_for(rectangle(2, 3), RenderSettings(cell=100, gap=0, margin=0), format_of("crete.png")).width
    300
    """
    shape = shape_of(sheet)
    return page_plan(shape, settings) if is_book(shape, kind, moving) else plan_page(sheet, settings)


def page_plan(shape: Shape, settings: RenderSettings) -> PagePlan:
    """How large each page is; a book's title stands on its cover alone."""
    if shape.pages is None:
        return plan_page(shape, settings)
    if settings.poster:
        raise UsageError(tr("A book has pages of its own; it cannot be spread over others as a poster."))
    plan = plan_page(page_shape(shape, shape.pages), without_words(settings))
    if settings.paper or settings.margin is not None or settings.page_titles == "none":
        return plan
    free = plan.geometry.bottom - LEGEND_STRIP * plan.legend_size
    more = max(0, math.ceil(LABEL_SPACE * _size(plan) + plan.trim - free))
    geometry = replace(plan.geometry, bottom=plan.geometry.bottom + more)
    points = plan.points[0], plan.points[1] * (plan.height + more) / plan.height
    return replace(plan, height=plan.height + more, points=points, geometry=geometry)


def book_sheets(
    layout: Layout, photos: Sequence[Photo], plan: PagePlan, settings: RenderSettings, crops: Crops | None = None
) -> list[Sheet]:
    """The cover, where there is a title for it, and the pages, each as it is drawn."""
    own = without_words(settings)
    sheets = []
    for number, page in enumerate(page_layouts(layout), start=1):
        sheet = Sheet.of(page, photos, _with_frames(plan, page), own, crops)
        sheets.append(replace(sheet, labels=_below(plan, _title(page, number, photos, settings))))
    if settings.title.strip():
        cover = Sheet(plan, settings, {}, {}, frozenset(), photos, is_cover=True)
        return [cover, *sheets]
    return sheets


def _with_frames(plan: PagePlan, page: Layout) -> PagePlan:
    """The plan of all pages with the frames of one of them."""
    across, _ = plan.geometry.pitch
    frames = page.frames(plan.geometry.gap / across, plan.caption / across)
    return replace(plan, geometry=replace(plan.geometry, frames=frames))


def side_by_side(
    layout: Layout,
    photos: Sequence[Photo],
    plan: PagePlan,
    settings: RenderSettings,
    crops: Crops | None = None,
) -> Sheet:
    """All there is on one sheet; what belongs below a page stands between it and the next."""
    sheet, pages = Sheet.of(layout, photos, plan, settings, crops), layout.shape.pages
    if pages is None:
        return replace(sheet, labels=time_labels(layout, photos, plan))
    labels, geometry = [], plan.geometry
    (across, down), size = geometry.pitch, LABEL_SIZE_SIDE_BY_SIDE * geometry.cell_width
    for number, page in enumerate(page_layouts(layout), start=1):
        row, column = pages.origin(number - 1)
        left, bottom = geometry.left + column * across, geometry.top + (row + pages.rows) * down - geometry.gap
        width = pages.columns * across - geometry.gap
        title = _title(page, number, photos, settings)
        labels.append(Label(title, left + width / 2, bottom + 1.3 * size, size, width))
    kept = tuple(label for label in labels if label.text and label.size >= LEAST_LABEL_PIXELS)
    return replace(sheet, labels=kept, legend_top=sheet.legend_top + 1.6 * size)


def files_of(shape: Shape, path: Path, settings: RenderSettings, moving: bool = False) -> list[Path]:
    """The files that a sheet goes into: one, or numbered ones for the pages of a book and 00 for its cover.

    >>> from album_app.layout.shapes.shape import book
    >>> [file.name for file in files_of(book(2, 4, 5), Path("trip.png"), RenderSettings(title="Trip"))]
    ['trip-00.png', 'trip-01.png', 'trip-02.png']
    """
    kind = format_of(path)
    if shape.pages is None or kind.pages or not is_book(shape, kind, moving):
        return [path]
    first, last = 0 if settings.title.strip() else 1, shape.pages.count
    digits = max(2, len(str(last)))
    return [path.with_name(f"{path.stem}-{number:0{digits}}{path.suffix}") for number in range(first, last + 1)]


def earlier_files(path: Path) -> Iterator[Path]:
    """The files of a book that was written under this name before, and other files with such names.

    >>> Path("crete-01.png").touch()
    >>> [path.name for path in earlier_files(Path("crete.png"))]
    ['crete-01.png']
    """
    for found in path.parent.glob(f"*{path.suffix}"):
        stem, _, number = found.stem.rpartition("-")
        if os.path.normcase(stem) == os.path.normcase(path.stem) and number.isdecimal():
            yield found


def scaled(sheet: Sheet, factor: float) -> Sheet:
    """The same sheet drawn smaller or larger."""
    lengths = ("x", "y", "size", "width")
    labels = (replace(label, **{name: getattr(label, name) * factor for name in lengths}) for label in sheet.labels)
    plan = sheet.plan.scaled(factor)
    return replace(sheet, plan=plan, labels=tuple(labels), legend_top=sheet.legend_top * factor)


def _title(page: Layout, number: int, photos: Sequence[Photo], settings: RenderSettings) -> str:
    if settings.page_titles == "none":
        return ""
    dated = settings.page_titles == "date" and photos
    return page_title(number, [photos[photo] for photo in page.shown] if dated else ())


def _size(plan: PagePlan) -> float:
    """The size that what stands below a page should have."""
    return max(WANTED_LABEL_PIXELS, LABEL_SIZE * min(plan.width, plan.height))


def _below(plan: PagePlan, title: str) -> tuple[Label, ...]:
    """What stands in the lower margin of a page, if it has room for that."""
    room = plan.geometry.bottom - plan.trim - LEGEND_STRIP * plan.legend_size
    size = min(_size(plan), room / LABEL_SPACE)
    if size < LEAST_LABEL_PIXELS or not title:
        return ()
    base = plan.height - plan.trim - (room - 0.7 * size) / 2
    return (Label(title, plan.width / 2, base, size, plan.width - 2 * plan.trim - 2 * size),)
