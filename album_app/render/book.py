"""A book on paper: a sheet for each page, what stands below a page, the titles of chapters, and the cover."""

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout import Cell, Layout, Shape, rectangle
from album_app.layout.crops import Crops
from album_app.layout.editing.book import chapter_titles, page_layouts, page_shape, page_title
from album_app.layout.shapes.frames import SheetGeometry
from album_app.photos.album import Photo
from album_app.render.formats.format import Format
from album_app.render.formats.table import format_of
from album_app.render.page.compose import ROUNDED, Label, Sheet, fitted_size, time_labels
from album_app.render.page.plan import GAP, LEGEND_STRIP, MARGIN, PagePlan, plan_page, shape_of, without_words
from album_app.render.page.settings import COARSE_DPI, MM_PER_INCH, POINTS_PER_INCH, RenderSettings, parse_paper
from album_app.render.page.text_faces import printable

NUMBER_POINTS = 8.0
"""Size of the text below a page on paper, in points."""
NUMBER_FROM_EDGE_MM = 10.0
"""From the lower edge of the paper to the baseline of that text."""
NUMBER_ROOM_MM = 15.5
"""What is free at the lower edge of the paper for that text, up to the photos."""
CHAPTER_SIZE = 0.03  # of a chapter's title, as a share of the page's shorter side: 18 points on A4
CHAPTER_ROOM = 1.9  # height that a chapter's title needs above the photos, in text sizes
LABEL_SIZE = 0.026  # of the text below a page that is not on paper, as a share of the page's shorter side
LABEL_SPACE = 1.6  # height that the text below a page needs, in text sizes
LABEL_SIZE_SIDE_BY_SIDE = 0.24  # where pages are drawn side by side, as a share of a cell
WANTED_LABEL_PIXELS, LEAST_LABEL_PIXELS = 10.0, 5.0  # text size where there is space, and below which it is left out
COVER_MARGIN = 0.1  # on both sides of a cover, as a share of its width
PICTURE_HEIGHT = 0.6  # the most that the picture takes, as a share of the cover's height
TITLE_ALONE, TITLE_BELOW = 0.1, 0.075  # sizes of a title, as shares of the cover's shorter side
SUBTITLE = 0.45  # the size of a subtitle, of the title's
SPACE_ABOVE_TITLE = 0.9  # between the picture and the title, in title sizes
LINE_STEP = 0.95  # from the baseline of the title to that of the subtitle, in title sizes
NARROWEST, WIDEST = 0.7, 2.0  # width by height of a picture of one photo; others are cropped to these proportions
PHOTOS_ACROSS = 8  # of a picture of many photos


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
    return plan_book_page(shape, settings) if is_book(shape, kind, moving) else plan_page(sheet, settings)


def plan_book_page(shape: Shape, settings: RenderSettings) -> PagePlan:
    """How large each page is; a book's title stands on its cover alone."""
    if shape.pages is None:
        return plan_page(shape, settings)
    if settings.poster:
        raise UsageError(tr("A book has pages of its own; it cannot be spread over others as a poster."))
    one = page_shape(shape, shape.pages)
    one = one if one.is_justified else replace(one, pages=None, fills_pages=False)  # a page without photos is a grid
    plan = plan_page(one, without_words(settings), 0.0 if settings.page_titles == "none" else NUMBER_ROOM_MM)
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
    own, titles = without_words(settings), chapters_of(layout, photos, settings)
    sheets = []
    for number, page in enumerate(page_layouts(layout), start=1):
        title = titles.get(number - 1, "")
        placed = _with_frames(_below_title(plan, page) if title else plan, page)
        sheet = Sheet.of(page, photos, placed, own, crops)
        labels = (*_above(placed, title), *_below(placed, _title(page, number, photos, settings), settings))
        sheets.append(replace(sheet, labels=labels))
    if has_cover(settings):
        return [cover_sheet(layout, photos, plan, settings, crops), *sheets]
    return sheets


def chapters_of(layout: Layout, photos: Sequence[Photo], settings: RenderSettings) -> dict[int, str]:
    """The titles of chapters by the pages that they begin on, where they are wanted."""
    wanted = settings.page_titles == "chapter" and photos
    return chapter_titles(layout, photos, dict(settings.chapter_titles)) if wanted else {}


def _with_frames(plan: PagePlan, page: Layout) -> PagePlan:
    """The plan of all pages with the frames of one of them."""
    across, _ = plan.geometry.pitch
    frames = page.frames(plan.geometry.gap / across, plan.caption / across)
    return replace(plan, geometry=replace(plan.geometry, frames=frames))


def _below_title(plan: PagePlan, page: Layout) -> PagePlan:
    """The plan of a page whose photos make room for a chapter's title above them."""
    geometry, shorter = plan.geometry, min(plan.width, plan.height)
    room = MARGIN * shorter / 2 + CHAPTER_ROOM * CHAPTER_SIZE * shorter
    more = math.ceil(max(0.0, room - (geometry.top - plan.trim)))
    rows, columns = page.shape.rows, page.shape.columns
    (across, down), gap = geometry.pitch, geometry.gap
    lower = max(down / 2, down - more / rows)  # the step from row to row
    if not page.shape.is_justified:
        return replace(plan, geometry=replace(geometry, top=geometry.top + more, cell_height=lower - gap))
    narrower = columns * (across - lower)
    smaller = SheetGeometry(
        *(geometry.frames, lower - gap, lower - gap, gap),
        *(geometry.left + narrower / 2, geometry.top + more, geometry.right + narrower / 2, geometry.bottom),
    )
    return replace(plan, geometry=smaller)


def _above(plan: PagePlan, title: str) -> tuple[Label, ...]:
    """The title of a chapter above the photos of its first page."""
    if not title:
        return ()
    size = CHAPTER_SIZE * min(plan.width, plan.height)
    base = plan.geometry.top - (CHAPTER_ROOM - 1) * size
    return (Label(title, plan.width / 2, base, size, plan.width - 2 * plan.trim - 2 * size),)


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
    labels, geometry, chapters = [], plan.geometry, chapters_of(layout, photos, settings)
    (across, down), size = geometry.pitch, LABEL_SIZE_SIDE_BY_SIDE * geometry.cell_width
    for number, page in enumerate(page_layouts(layout), start=1):
        row, column = pages.origin(number - 1)
        left, bottom = geometry.left + column * across, geometry.top + (row + pages.rows) * down - geometry.gap
        width = pages.columns * across - geometry.gap
        title = " · ".join(filter(None, (_title(page, number, photos, settings), chapters.get(number - 1))))
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
    first, last = 0 if has_cover(settings) else 1, shape.pages.count
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


def _below(plan: PagePlan, title: str, settings: RenderSettings) -> tuple[Label, ...]:
    """What stands in the lower margin of a page, if it has room for that."""
    room = plan.geometry.bottom - plan.trim - LEGEND_STRIP * plan.legend_size
    size = min(_size(plan), room / LABEL_SPACE)
    base = plan.height - plan.trim - (room - 0.7 * size) / 2
    if settings.paper and parse_paper(settings.paper).unit == "mm":
        size = min(NUMBER_POINTS / POINTS_PER_INCH * plan.dpi, room / LABEL_SPACE)
        edge = NUMBER_FROM_EDGE_MM / MM_PER_INCH * plan.dpi
        if edge + size <= room:
            base = plan.height - plan.trim - edge
    if size < LEAST_LABEL_PIXELS or not title:
        return ()
    return (Label(title, plan.width / 2, base, size, plan.width - 2 * plan.trim - 2 * size),)


def has_cover(settings: RenderSettings) -> bool:
    """Whether a book has a cover: for a title or subtitle, or because a picture was chosen for it.

    >>> has_cover(RenderSettings()), has_cover(RenderSettings(title="Crete")), has_cover(RenderSettings(cover="photos"))
    (False, True, True)
    """
    return bool(settings.title.strip() or settings.subtitle.strip()) or settings.cover not in ("auto", "none")


def cover_sheet(
    layout: Layout, photos: Sequence[Photo], plan: PagePlan, settings: RenderSettings, crops: Crops | None = None
) -> Sheet:
    """The cover as it is drawn: picture, title and subtitle together in the middle of the page."""
    own = replace(without_words(settings), caption="none", mark_pins=False)
    title, subtitle = printable(settings.title).strip(), printable(settings.subtitle).strip()
    inner = plan.width - 2 * plan.trim
    width, across = (1 - 2 * COVER_MARGIN) * inner, inner * COVER_MARGIN + plan.trim
    high = PICTURE_HEIGHT * (plan.height - 2 * plan.trim)
    chosen, (rows, columns) = _pictures(layout, photos, plan, settings, width / high)
    picture = _picture_size(chosen, photos, width, high, rows, columns)
    size = (TITLE_BELOW if chosen else TITLE_ALONE) * (min(plan.width, plan.height) - 2 * plan.trim)
    size = fitted_size(title, size, width) if title else size
    small = fitted_size(subtitle, SUBTITLE * size, width) if subtitle else 0.0
    words = (0.7 * size if title else 0.0) + ((LINE_STEP * size if title else 0.7 * small) if subtitle else 0.0)
    space = SPACE_ABOVE_TITLE * size if chosen and words else 0.0
    top = (plan.height - picture[1] - space - words) / 2
    base = top + picture[1] + space + (0.7 * size if title else 0.0)
    below = base + (LINE_STEP * size if title else 0.7 * small)
    middle = plan.width / 2
    labels = [Label(title, middle, base, size, width * ROUNDED)] if title else []
    labels += [Label(subtitle, middle, below, small, width * ROUNDED)] if subtitle else []
    gap = round(GAP * picture[0] / columns) if len(chosen) > 1 and settings.gap is None else plan.geometry.gap
    cell = (picture[0] + gap) / columns - gap, (picture[1] + gap) / rows - gap
    left = across + (width - picture[0]) / 2
    sides = left, top, plan.width - left - picture[0], plan.height - top - picture[1]
    geometry = SheetGeometry(rectangle(rows, columns).frames(), *cell, gap, *sides)
    cells: dict[int, list[Cell]] = {photo: [divmod(place, columns)] for place, photo in enumerate(chosen)}
    aspects = {photo: photos[photo].width / max(1, photos[photo].height) for photo in chosen if photos}
    placed = replace(plan, geometry=geometry, caption=0.0)
    return Sheet(placed, own, cells, {}, frozenset(), photos, tuple(labels), crops or Crops(), aspects)


def _picture_size(
    chosen: Sequence[int], photos: Sequence[Photo], width: float, height: float, rows: int, columns: int
) -> tuple[float, float]:
    """Width and height of the picture on a cover."""
    if not chosen:
        return width, 0.0
    if len(chosen) == 1:
        photo = chosen[0]
        aspect = photos[photo].width / max(1, photos[photo].height) if photos else 1.0
        aspect = min(max(aspect, NARROWEST), WIDEST)
        wide = min(width, height * aspect)
        return wide, wide / aspect
    side = min(width / columns, height / rows)
    return columns * side, rows * side


def _grid(count: int, aspect: float) -> tuple[int, int]:
    """Rows and columns of square cells for at most `count` photos in an area, by its width divided by its height."""
    columns = max(1, min(PHOTOS_ACROSS, count, round(math.sqrt(count * aspect))))
    return max(1, min(count // columns, int(columns / aspect))), columns


def _pictures(
    layout: Layout, photos: Sequence[Photo], plan: PagePlan, settings: RenderSettings, aspect: float
) -> tuple[list[int], tuple[int, int]]:
    """The photos on the cover, and their rows and columns in an area of this aspect."""
    shown = list(layout.shown)
    if settings.cover == "none" or not shown:
        return [], (1, 1)
    if settings.cover == "photos":
        order = list(dict.fromkeys(photo for photo in layout.in_order.tolist() if photo >= 0))
        grid = _grid(min(len(order), PHOTOS_ACROSS**2), aspect)
        places = np.linspace(0, len(order) - 1, math.prod(grid)).round().astype(int)
        return [order[place] for place in places.tolist()], grid
    named = [photo for photo in shown if photos and photos[photo].name == settings.cover]
    return named or [representative(layout, photos, plan)], (1, 1)


def representative(layout: Layout, photos: Sequence[Photo], plan: PagePlan) -> int:
    """The photo that stands for all on a cover.

    The best rated one, else the largest on the sheet; of equals one with enough pixels, and of these the one that fits
    best among its neighbours.
    """
    sure = {photo: float(layout.confidence[layout.shape.index_of(cell)]) for photo, cell in layout.positions.items()}

    def merit(photo: int) -> tuple[float, ...]:
        if not photos:
            return 0.0, layout.sizes.get(photo, 1), 0.0, sure[photo], -photo
        known = photos[photo]
        wide = min(known.width, known.height * WIDEST)
        enough = wide >= (1 - 2 * COVER_MARGIN) * plan.width * COARSE_DPI / plan.dpi
        return known.metadata.rating or 0, layout.sizes.get(photo, 1), float(enough), sure[photo], -photo

    return max(layout.shown, key=merit)
