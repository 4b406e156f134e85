"""A book on paper: a sheet for each page, the text below a page, the titles of chapters, and the cover."""

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
from album_app.render.page.compose import ROUNDING, Label, Sheet, fitted_size, time_labels
from album_app.render.page.plan import (
    GAP_SHARE,
    LEGEND_HEIGHT_IN_SIZES,
    MARGIN_SHARE,
    PagePlan,
    plan_page,
    shape_of,
    without_words,
)
from album_app.render.page.settings import COARSE_DPI, MM_PER_INCH, POINTS_PER_INCH, RenderSettings, parse_paper
from album_app.render.page.text_faces import face_for, printable

NUMBER_POINTS = 8.0
"""Size of the text below a page on paper, in points."""
NUMBER_FROM_EDGE_MM = 10.0
"""Least distance of texts from the edges of the paper: of that text's baseline, and of a chapter's title."""
NUMBER_ROOM_MM = 15.5
"""Height that is kept free of photos for that text at the lower edge of the paper."""
CHAPTER_SIZE, CHAPTER_ROOM = 0.03, 1.9
"""Text size of a chapter's title, as a share of the page's shorter side (18 points on A4), and its height in sizes."""
CHAPTER_ABOVE = 0.3
"""Of that height, the part above the capital letters, in sizes."""
LABEL_SIZE, LABEL_SPACE = 0.026, 1.6
"""Text size below a page that is not on paper, as a share of the page's shorter side, and its height in sizes."""
LABEL_SIZE_SIDE_BY_SIDE = 0.24
"""Text size below a page where pages are drawn side by side, as a share of a cell."""
WANTED_LABEL_PIXELS, LEAST_LABEL_PIXELS = 10.0, 5.0
"""Text size below a page where it has enough room, and the size below which it is left out."""
COVER_MARGIN = 0.1
"""Margin on each side of a cover, as a share of its width."""
PICTURE_HEIGHT = 0.6
"""Greatest height of the picture on a cover, as a share of the cover's height."""
TITLE_ALONE, TITLE_BELOW = 0.1, 0.075
"""Text size of the title on a cover without a picture and with one, as shares of the cover's shorter side."""
SUBTITLE_SHARE = 0.45
"""Text size of the subtitle, as a share of the title's."""
SPACE_ABOVE_TITLE, LINE_STEP = 0.9, 0.95
"""Space between picture and title, and from the title's baseline to the subtitle's, in sizes of the title."""
NARROWEST, WIDEST = 0.7, 2.0
"""Least and greatest width divided by height of a photo on a cover; other photos are cropped."""
PHOTOS_ACROSS = 8
"""Columns of a cover's picture that shows many photos, at most."""


def is_book(shape: Shape, kind: Format, moving: bool = False) -> bool:
    """Whether a file of this kind shows the pages of a book one by one, not side by side as a web page does.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of
    >>> is_book(rectangle(2, 3), format_of("crete.pdf"))
    False
    """
    return shape.pages is not None and not (moving or kind.to_look_around)


def plan_for(sheet: Shape | Layout, settings: RenderSettings, kind: Format, moving: bool = False) -> PagePlan:
    """The plan of the whole sheet, or of each page of a book.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of
    >>> plan_for(rectangle(2, 3), RenderSettings(cell=100, gap=0, margin=0), format_of("crete.png")).width
    300
    """
    shape = shape_of(sheet)
    return plan_book_page(shape, settings) if is_book(shape, kind, moving) else plan_page(sheet, settings)


def plan_book_page(shape: Shape, settings: RenderSettings) -> PagePlan:
    """The plan of each page of a book, without the title, which stands on the cover alone."""
    if shape.pages is None:
        return plan_page(shape, settings)
    if settings.poster:
        raise UsageError(tr("A book has pages of its own; it cannot be spread over others as a poster."))
    one = page_shape(shape, shape.pages)
    one = (
        one if one.is_justified else replace(one, pages=None, fills_pages=False)
    )  # a page in this plan has no photos to fill it, so it is a grid
    plan = plan_page(one, without_words(settings), 0.0 if settings.page_titles == "none" else NUMBER_ROOM_MM)
    if settings.paper or settings.margin is not None or settings.page_titles == "none":
        return plan
    free = plan.geometry.bottom - LEGEND_HEIGHT_IN_SIZES * plan.legend_size
    more = max(0, math.ceil(LABEL_SPACE * _label_size(plan) + plan.trim - free))
    geometry = replace(plan.geometry, bottom=plan.geometry.bottom + more)
    points = plan.points[0], plan.points[1] * (plan.height + more) / plan.height
    return replace(plan, height=plan.height + more, points=points, geometry=geometry)


def book_sheets(
    layout: Layout, photos: Sequence[Photo], plan: PagePlan, settings: RenderSettings, crops: Crops | None = None
) -> list[Sheet]:
    """The pages as they are drawn, after the cover if there is one."""
    own, titles = without_words(settings), chapters_of(layout, photos, settings)
    sheets = []
    for number, page in enumerate(page_layouts(layout), start=1):
        title = titles.get(number - 1, "")
        placed = _with_frames(_below_title(plan, page, settings) if title else plan, page)
        sheet = Sheet.of(page, photos, placed, own, crops)
        labels = (*_above(placed, title), *_below(placed, _title(page, number, photos, settings), settings))
        sheets.append(replace(sheet, labels=labels))
    if has_cover(settings):
        sheets.insert(0, cover_sheet(layout, photos, plan, settings, crops))
    return _in_one_face(sheets)


def _in_one_face(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The sheets with all their labels in one font, if one has the characters of them all."""
    face = face_for(
        "".join(sorted({character for sheet in sheets for label in sheet.labels for character in label.text}))
    )

    def in_face(label: Label) -> Label:
        if face.lacks(label.text):
            return label
        share = label.width / max(1.0, face.width(label.text, label.size))
        return replace(label, face=face, size=label.size * min(1.0, share))

    return [replace(sheet, labels=tuple(map(in_face, sheet.labels))) for sheet in sheets]


def chapters_of(layout: Layout, photos: Sequence[Photo], settings: RenderSettings) -> dict[int, str]:
    """The titles of chapters by the numbers of their first pages, from 0 on; none where they are not wanted."""
    wanted = settings.page_titles == "chapter" and photos
    return chapter_titles(layout, photos, dict(settings.chapter_titles)) if wanted else {}


def _with_frames(plan: PagePlan, page: Layout) -> PagePlan:
    """The plan of all pages, with the frames of one page."""
    across, _ = plan.geometry.pitch
    frames = page.frames(plan.geometry.gap / across, plan.caption / across)
    return replace(plan, geometry=replace(plan.geometry, frames=frames))


def _below_title(plan: PagePlan, page: Layout, settings: RenderSettings) -> PagePlan:
    """The plan of a page whose photos make room for a chapter's title above them."""
    geometry, shorter = plan.geometry, min(plan.width, plan.height)
    size = CHAPTER_SIZE * shorter
    room = MARGIN_SHARE * shorter / 2 + CHAPTER_ROOM * size
    if settings.paper and parse_paper(settings.paper).unit == "mm":
        room = max(room, NUMBER_FROM_EDGE_MM / MM_PER_INCH * plan.dpi + (CHAPTER_ROOM - CHAPTER_ABOVE) * size)
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
    """The whole layout on one sheet; the text below a page of a book stands between that page and the next."""
    sheet, pages = Sheet.of(layout, photos, plan, settings, crops), layout.shape.pages
    if pages is None:
        return replace(sheet, labels=time_labels(layout, photos, plan))
    shown = dict.fromkeys(photo for photo in layout.in_order.tolist() if photo in sheet.cells)
    sheet = replace(sheet, cells={photo: sheet.cells[photo] for photo in shown})  # page by page
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
    """Files whose names are those of the pages of a book of this name; an earlier book may have left them.

    >>> Path("crete-01.png").touch()
    >>> [path.name for path in earlier_files(Path("crete.png"))]
    ['crete-01.png']
    """
    for found in path.parent.glob(f"*{path.suffix}"):
        stem, _, number = found.stem.rpartition("-")
        if os.path.normcase(stem) == os.path.normcase(path.stem) and number.isdecimal():
            yield found


def scaled(sheet: Sheet, factor: float) -> Sheet:
    """A sheet that is drawn smaller or larger."""
    lengths = ("x", "y", "size", "width")
    labels = (replace(label, **{name: getattr(label, name) * factor for name in lengths}) for label in sheet.labels)
    plan = sheet.plan.scaled(factor)
    return replace(sheet, plan=plan, labels=tuple(labels), legend_top=sheet.legend_top * factor)


def _title(page: Layout, number: int, photos: Sequence[Photo], settings: RenderSettings) -> str:
    if settings.page_titles == "none":
        return ""
    dated = settings.page_titles == "date" and photos
    return page_title(number, [photos[photo] for photo in page.shown] if dated else ())


def _label_size(plan: PagePlan) -> float:
    """The text size wanted below a page."""
    return max(WANTED_LABEL_PIXELS, LABEL_SIZE * min(plan.width, plan.height))


def _below(plan: PagePlan, title: str, settings: RenderSettings) -> tuple[Label, ...]:
    """The text in the lower margin of a page, if the margin has room for it."""
    room = plan.geometry.bottom - plan.trim - LEGEND_HEIGHT_IN_SIZES * plan.legend_size
    size = min(_label_size(plan), room / LABEL_SPACE)
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
    """Whether a book has a cover: it has a title or subtitle, or a picture was chosen for the cover.

    >>> has_cover(RenderSettings()), has_cover(RenderSettings(title="Crete")), has_cover(RenderSettings(cover="photos"))
    (False, True, True)
    """
    return bool(settings.title.strip() or settings.subtitle.strip()) or settings.cover not in ("auto", "none")


def cover_sheet(
    layout: Layout, photos: Sequence[Photo], plan: PagePlan, settings: RenderSettings, crops: Crops | None = None
) -> Sheet:
    """The cover: picture, title and subtitle, together in the middle of the page."""
    own = replace(without_words(settings), caption="none", mark_pins=False)
    title, subtitle = printable(settings.title).strip(), printable(settings.subtitle).strip()
    inner = plan.width - 2 * plan.trim
    width, across = (1 - 2 * COVER_MARGIN) * inner, inner * COVER_MARGIN + plan.trim
    high = PICTURE_HEIGHT * (plan.height - 2 * plan.trim)
    chosen, (rows, columns) = _pictures(layout, photos, plan, settings, width / high)
    picture = _picture_size(chosen, photos, width, high, rows, columns)
    size = (TITLE_BELOW if chosen else TITLE_ALONE) * (min(plan.width, plan.height) - 2 * plan.trim)
    size = fitted_size(title, size, width) if title else size
    small = fitted_size(subtitle, SUBTITLE_SHARE * size, width) if subtitle else 0.0
    words = (0.7 * size if title else 0.0) + ((LINE_STEP * size if title else 0.7 * small) if subtitle else 0.0)
    space = SPACE_ABOVE_TITLE * size if chosen and words else 0.0
    top = (plan.height - picture[1] - space - words) / 2
    base = top + picture[1] + space + (0.7 * size if title else 0.0)
    below = base + (LINE_STEP * size if title else 0.7 * small)
    middle = plan.width / 2
    labels = [Label(title, middle, base, size, width * ROUNDING)] if title else []
    labels += [Label(subtitle, middle, below, small, width * ROUNDING)] if subtitle else []
    gap = round(GAP_SHARE * picture[0] / columns) if len(chosen) > 1 and settings.gap is None else plan.geometry.gap
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
    """Rows and columns of square cells for at most `count` photos in an area; `aspect` is its width by its height."""
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
    """The photo for a cover on which no other was chosen.

    The photo with the best rating, then the largest on the sheet, then one with enough pixels, then the one that fits
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
