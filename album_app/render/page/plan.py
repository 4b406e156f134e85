"""The page plan: how large everything on a sheet is, computed before any photo is read."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.layout import Layout
from album_app.layout.shapes.frames import Rect, SheetGeometry
from album_app.layout.shapes.shape import KINDS, USUAL_PAGE, Cell, Counts, Shape, ShapeSpec, filling_rectangle
from album_app.render.page.settings import MM_PER_INCH, Paper, RenderSettings, parse_paper

# Lengths where the settings give none.
GAP_SHARE, CAPTION_SHARE = 0.04, 0.2
"""The gap between photos and the height of a caption's strip, as shares of a photo's side."""
MARGIN_SHARE, TITLE_SHARE, TIME_MARKS_SHARE, LEGEND_SHARE = 0.04, 0.038, 0.022, 0.017
"""The margin and the text sizes of title, marks of time and legend, as shares of the sheet's shorter side."""
HEADER_IN_SIZES, FOOTER_IN_SIZES, LEGEND_HEIGHT_IN_SIZES = 1.7, 1.6, 3.9
"""Heights of the strips for title, marks of time and legend (two lines), in sizes of their text."""
MOST_STRETCH = 1.12
"""Cells that fill a paper may be this many times wider than high, or higher than wide."""
COLOUR_FRAME_SHARE = 0.05
"""Width of frames that are coloured by a column, as a share of a photo's side."""


@dataclass(frozen=True)
class Room:
    """The part of a paper that cells may cover, in pixels."""

    across: float
    down: float
    gap: float | None  # None: a share of a photo's side
    caption: float  # a share of a photo's side
    title: float  # the size of its text, 0 without a title
    header: int  # the height that is kept free for the title
    footer: int = 0  # the height that is kept free for the marks of time and the legend

    @classmethod
    def on(cls, paper: Paper, settings: RenderSettings, below: float = 0.0) -> "Room":
        """The room on a paper; `below` pixels at its lower edge are kept free in addition to the margin."""
        width, height = paper.pixels(settings.dpi)
        scale = pixels_per_unit(paper, settings)
        margin = MARGIN_SHARE * min(width, height) if settings.margin is None else settings.margin * scale
        title = title_size(width, height, settings)
        header = header_height(title, margin)
        footer = footer_height(marks_size(width, height, settings)) + legend_height(width, height, settings)
        footer += math.ceil(below)
        gap = None if settings.gap is None else settings.gap * scale
        down = height - 2 * margin - header - footer
        return cls(width - 2 * margin, down, gap, caption_share(settings), title, header, footer)

    def sizes(self, rows: Any, columns: Any) -> tuple[Any, Any, Any]:
        """A photo's side, a gap and a caption's height in whole pixels; rows and columns are numbers or arrays."""
        share = 1 + self.caption
        if self.gap is None:
            across = self.across / (columns + (columns - 1) * GAP_SHARE)
            gap = np.maximum(
                0, np.round(GAP_SHARE * np.minimum(across, self.down / (rows * share + (rows - 1) * GAP_SHARE)))
            )
        else:
            gap = np.round(self.gap)
        free = self.across - (columns - 1) * gap, self.down - (rows - 1) * gap
        tile = np.maximum(0, np.floor(np.minimum(free[0] / columns, free[1] / (rows * share))))
        return tile, gap, np.floor(self.caption * tile)

    def stretched(self, rows: float, columns: float, gap: float) -> tuple[float, float]:
        """Width and height of nearly square cells that fill the room, or of the largest square cells where none can."""
        tile, _, caption = self.sizes(rows, columns)
        width, height = (self.across + gap) / columns - gap, (self.down + gap) / rows - gap
        if 1 / MOST_STRETCH <= width / max(1.0, height - caption) <= MOST_STRETCH:
            return width, height
        return tile, tile + caption

    def left_over(self, rows: Counts, columns: Counts) -> NDArray[np.float64]:
        """The share of the room that stays empty."""
        tile, gap, caption = self.sizes(rows, columns)
        covered = (columns * (tile + gap) - gap) * (rows * (tile + caption + gap) - gap)
        left: NDArray[np.float64] = 1 - np.where(tile > 0, covered, 0) / max(1.0, self.across * self.down)
        return left


def can_fill_paper(spec: ShapeSpec) -> bool:
    """Whether a shape can be made to fill a paper: by its rows and columns, or by other lines of its words.

    >>> [can_fill_paper(spec) for spec in (ShapeSpec(), ShapeSpec("text", text="NEW YORK"), ShapeSpec("heart"))]
    [True, True, False]
    """
    if spec.kind != "text":
        return KINDS[spec.kind].asks in ("aspect", "size", "pages")
    lines = [line for line in spec.text.replace("\\n", "\n").splitlines() if line.strip()]
    return spec.wrap and len(lines) == 1 and len(lines[0].split()) > 1


def filling_paper(spec: ShapeSpec, photos: int, settings: RenderSettings, keeps_all: bool = False) -> ShapeSpec:
    """A shape with the rows and columns, or lines of words, that fill the paper best; others are returned unchanged.

    If the shape has fewer cells than there are photos, the new one has about as many cells as before, and with
    `keeps_all` no fewer, where such a sheet fills the paper. Rows and columns remember in `cells` for how many they
    were found, so that another paper starts from that number. A photo counts once for each cell that it covers.

    >>> few = filling_paper(ShapeSpec("rectangle", rows=10, columns=10), 2000, RenderSettings(paper="A2"))
    >>> few.rows, few.columns
    (12, 8)
    >>> filling_paper(ShapeSpec("text", text="NEW YORK"), 320, RenderSettings(paper="200x100mm", margin=0)).aspect
    2.0
    """
    if not can_fill_paper(spec):
        return spec
    if spec.kind in ("text", "rows"):
        room = Room.on(parse_paper(settings.paper).lying(settings.landscape), settings)
        return replace(spec, aspect=round(room.across / room.down * (1 + room.caption), 3))
    if spec.kind == "pages":
        page = -(-photos // spec.pages) if spec.pages else math.prod(USUAL_PAGE)
        filling = spec_for_paper(page, replace(settings, title=""))
        return replace(spec, rows=filling.rows, columns=filling.columns)
    has_size = KINDS[spec.kind].asks == "size"
    chosen = min(photos, spec.cells or spec.rows * spec.columns) if has_size else spec.cells or photos
    found = spec_for_paper(chosen, settings, photos if has_size and keeps_all else 0)
    return replace(found, cells=0 if found.rows * found.columns == chosen else chosen)


def spec_for_paper(photos: int, settings: RenderSettings, most: int = 0) -> ShapeSpec:
    """Rows and columns that fill the paper of the settings best, in the orientation that these give it.

    They have cells for up to `most` photos if that keeps one for each of `photos`.

    >>> spec = spec_for_paper(320, RenderSettings(paper="A2"))
    >>> spec.rows, spec.columns
    (21, 15)
    """
    paper = parse_paper(settings.paper).lying(settings.landscape)
    rows, columns = filling_rectangle(photos, Room.on(paper, settings).left_over, most)
    return ShapeSpec("rectangle", rows=rows, columns=columns)


def pixels_per_unit(paper: Paper, settings: RenderSettings) -> float:
    """Pixels per unit of the settings' lengths: millimetres on paper, pixels on a screen."""
    return settings.dpi / MM_PER_INCH if paper.unit == "mm" else 1.0


def caption_share(settings: RenderSettings) -> float:
    return 0.0 if settings.caption == "none" else CAPTION_SHARE


def title_size(width: float, height: float, settings: RenderSettings) -> float:
    return max(12.0, TITLE_SHARE * min(width, height)) if settings.title.strip() else 0.0


def header_height(size: float, margin: float) -> int:
    """The height of a title's strip, with additional room above the title where the margin is narrow."""
    return round(HEADER_IN_SIZES * size + max(0.0, size - margin)) if size else 0


def marks_size(width: float, height: float, settings: RenderSettings) -> float:
    return max(9.0, TIME_MARKS_SHARE * min(width, height)) if settings.time_marks else 0.0


def footer_height(size: float) -> int:
    """The height of the strip for marks of time."""
    return round(FOOTER_IN_SIZES * size)


def legend_size(width: float, height: float, settings: RenderSettings) -> float:
    return max(9.0, LEGEND_SHARE * min(width, height)) if settings.colour_by else 0.0


def legend_height(width: float, height: float, settings: RenderSettings) -> int:
    """The height of the strip for the legend."""
    return round(LEGEND_HEIGHT_IN_SIZES * legend_size(width, height, settings))


def without_words(settings: RenderSettings) -> RenderSettings:
    return replace(settings, title="", time_marks=False)


CAPTION_TEXT_SHARE = 0.58
"""Text size of a caption, as a share of its strip's height."""
TITLE_SIDES_IN_SIZES = 0.75
"""Free space on each side of the title, in sizes of its text."""
SLUG_MM, CUT_MARK_SHARE = 8, 0.7
"""Width of the room for cut marks beyond the bleed, and the share of it that a mark takes."""
SMALLEST_TILE = 4
"""Pixels; sheets with smaller photos are refused."""
HALVINGS = 24
"""Steps in which the height of justified rows on a paper is found; each step halves the error."""
USUAL_CELL = 96
"""Side of a photo in pixels where the settings give none; `usual_cell` takes less on very large sheets."""
LARGEST_PICTURE = 1 << 27
"""Pixels of a sheet for which the settings give no cell size, at most or a little more: half a gigabyte in memory."""


@dataclass(frozen=True)
class PagePlan:
    """A sheet in pixels: its size, where its cells are, and the sizes of text and frames.

    >>> from album_app.layout import rectangle
    >>> plan = plan_page(rectangle(2, 3), RenderSettings(cell=96, gap=4, margin=10))
    >>> plan.width, plan.height
    (316, 216)
    """

    width: int
    height: int
    dpi: float
    points: tuple[float, float]  # the exact size of the page, in points
    geometry: SheetGeometry  # the frames of the cells, each of a photo and the caption below it
    caption: float  # height of a caption's strip, 0 without captions
    header: float  # height of the title's strip, 0 without a title
    title_size: float
    border: float
    bleed: float = 0.0  # width of what is printed beyond the paper's edge
    slug: float = 0.0  # width of the room for cut marks beyond the bleed
    marks_size: float = 0.0  # text size of the days, months or years below the cells, 0 without them
    legend_size: float = 0.0  # text size of the legend, 0 without colours

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the whole page."""
        return self.width, self.height

    @property
    def pixels(self) -> int:
        return self.width * self.height

    @property
    def tile(self) -> float:
        """The longer side of a photo."""
        return max(self.geometry.cell_width, self.geometry.cell_height - self.caption)

    @property
    def trim(self) -> float:
        """The distance from the edge of the file's page to the edge of the paper."""
        return self.bleed + self.slug

    @property
    def bleed_rect(self) -> Rect:
        """The rectangle of all that is printed except the cut marks."""
        return self.slug, self.slug, self.width - 2 * self.slug, self.height - 2 * self.slug

    @property
    def marks(self) -> list[Rect]:
        """The cut marks: thin lines that end before the bleed and continue the edges of the paper."""
        if not self.slug:
            return []
        length, thickness = CUT_MARK_SHARE * self.slug, max(1.0, self.dpi / 300)
        near = self.trim - thickness / 2
        across, down = (near, self.width - thickness - near), (near, self.height - thickness - near)
        return [
            *((x, y, thickness, length) for x in across for y in (0, self.height - length)),
            *((x, y, length, thickness) for y in down for x in (0, self.width - length)),
        ]

    @property
    def caption_size(self) -> float:
        """The size of a caption's text."""
        return self.caption * CAPTION_TEXT_SHARE

    def tile_rect(self, cell: Cell) -> tuple[int, int, int, int]:
        """The rectangle of a cell's photo in whole pixels, with its bleed."""
        x, y, width, height = self.geometry.pixel_rect(cell)
        height = max(1, height - round(self.caption))
        left, top, right, bottom = self._beyond(cell)
        return x - left, y - top, width + left + right, height + top + bottom

    def aspect(self, cell: Cell) -> float:
        """Width divided by height of the part of a cell's photo that its border leaves visible."""
        _, _, width, height = self.geometry.rect(cell)
        left, top, right, bottom = self._beyond(cell)
        width, height = width + left + right, height - self.caption + top + bottom
        border = 2 * min(self.border, min(width, height) / 4)
        return max(1e-3, width - border) / max(1e-3, height - border)

    def _beyond(self, cell: Cell) -> tuple[int, int, int, int]:
        """How far a photo at the edge of the paper extends beyond it: left, top, right, bottom."""
        if not self.bleed:
            return 0, 0, 0, 0
        (x, y, width, height), bleed = self.geometry.rect(cell), math.ceil(self.bleed)
        ends = self.geometry.width - x - width, self.geometry.height - y - height + self.caption
        touches = (distance - self.trim < 1 for distance in (x, y, *ends))
        left, top, right, bottom = (bleed if touching else 0 for touching in touches)
        return left, top, right, bottom

    def caption_rect(self, cell: Cell) -> Rect:
        """The strip below the photo of a cell."""
        x, y, width, height = self.geometry.rect(cell)
        return x, y + height - self.caption, width, self.caption

    def title_rect(self) -> Rect:
        """The strip above the cells."""
        margin = min(self.geometry.left, self.geometry.right) - self.trim
        inset = self.trim + max(margin / 2, TITLE_SIDES_IN_SIZES * self.title_size)
        height = HEADER_IN_SIZES * self.title_size
        return inset, self.geometry.top - height, self.width - 2 * inset, height

    def scaled(self, factor: float) -> "PagePlan":
        """The plan of the sheet when it is drawn smaller or larger."""
        geometry = self.geometry
        lengths = ("cell_width", "cell_height", "gap", "left", "top", "right", "bottom")
        return replace(
            self,
            width=max(1, round(self.width * factor)),
            height=max(1, round(self.height * factor)),
            dpi=self.dpi * factor,
            geometry=replace(geometry, **{name: getattr(geometry, name) * factor for name in lengths}),
            **{name: getattr(self, name) * factor for name in _LENGTHS},
        )


_LENGTHS = ("caption", "header", "title_size", "border", "bleed", "slug", "marks_size", "legend_size")


def plan_page(sheet: Shape | Layout, settings: RenderSettings, below_mm: float = 0.0) -> PagePlan:
    """Plan the page of a sheet: on the paper of the settings, or as large as its cells need it.

    All photos of a shape are equally large; a layout knows which photos are larger, and their proportions. On a paper
    whose margins the settings leave open, `below_mm` at its lower edge are kept free for text.

    >>> from album_app.layout import rectangle
    >>> a4 = plan_page(rectangle(3, 2), RenderSettings(paper="A4", dpi=300))
    >>> a4.width, a4.height
    (2480, 3508)
    """
    if not settings.paper:
        return _with_bleed(_by_cell(sheet, settings), settings, 1.0)
    paper, shape = _lying(sheet, settings), shape_of(sheet)
    plan = _on_paper(sheet, settings, paper, below_mm)
    if plan.tile < SMALLEST_TILE:
        raise UsageError(
            tr(
                "{rows} x {columns} photos do not fit on {paper} at {dpi} dpi: choose a larger paper, "
                "more dpi, or smaller gaps and margins.",
                rows=shape.rows,
                columns=shape.columns,
                paper=settings.paper,
                dpi=settings.dpi,
            )
        )
    return _with_bleed(plan, settings, pixels_per_unit(paper, settings))


def shape_of(sheet: Shape | Layout) -> Shape:
    """The shape of a layout, or the shape itself."""
    return sheet.shape if isinstance(sheet, Layout) else sheet


def _with_bleed(plan: PagePlan, settings: RenderSettings, scale: float) -> PagePlan:
    """The paper in the middle of a larger page, with room for the bleed and for cut marks."""
    bleed = round(settings.bleed * scale)
    slug = round(SLUG_MM * settings.dpi / MM_PER_INCH) if settings.cut_marks else 0
    around = bleed + slug
    sides = {name: getattr(plan.geometry, name) + around for name in ("left", "top", "right", "bottom")}
    points = [side + 2 * around * side / pixels for side, pixels in zip(plan.points, plan.size, strict=True)]
    return replace(
        plan,
        width=plan.width + 2 * around,
        height=plan.height + 2 * around,
        points=(points[0], points[1]),
        geometry=replace(plan.geometry, **sides),
        bleed=bleed,
        slug=slug,
    )


def empty_share(sheet: Shape | Layout, settings: RenderSettings) -> float:
    """The share of the room for photos that a sheet leaves empty on its paper, because their proportions differ.

    >>> from album_app.layout import rectangle
    >>> paper = RenderSettings(paper="200x100mm", margin=0, gap=0)
    >>> round(empty_share(rectangle(2, 4), paper), 2), round(empty_share(rectangle(2, 2), paper), 2)
    (0.0, 0.5)
    """
    room, geometry = Room.on(_lying(sheet, settings), settings), plan_page(sheet, replace(settings, bleed=0)).geometry
    across, down = geometry.width - geometry.left - geometry.right, geometry.height - geometry.top - geometry.bottom
    return max(0.0, 1 - across * down / max(1.0, room.across * room.down))


def _lying(sheet: Shape | Layout, settings: RenderSettings) -> Paper:
    """The paper in the wanted orientation, or in that in which photos are larger; titles and screens do not count."""
    paper = parse_paper(settings.paper)
    if settings.landscape != "auto" or paper.unit == "px":
        return paper.lying(settings.landscape)
    ways = paper.lying("landscape"), paper.lying("portrait")
    bare = replace(without_words(settings), colour_by="")
    return max(ways, key=lambda way: _sizes_in(Room.on(way, bare), sheet)[0])


def _sizes_in(room: Room, sheet: Shape | Layout) -> tuple[float, float, float]:
    """A photo's side (in justified rows its usual height), a gap and a caption's height in a room."""
    shape = shape_of(sheet)
    if not shape.is_justified:
        tile, gap, caption = (float(length) for length in room.sizes(*shape.extent))
        return tile, gap, caption
    low, high = 0.0, min(room.across, room.down)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        gap, caption = _gap_and_caption(room, middle)
        frames = sheet.frames(gap / (middle + gap), caption / (middle + gap))
        across, down = (length * (middle + gap) - gap for length in (frames.width, frames.height))
        low, high = (middle, high) if across <= room.across and down <= room.down else (low, middle)
    return low, *_gap_and_caption(room, low)


def _gap_and_caption(room: Room, tile: float) -> tuple[float, float]:
    """The gap and the height of a caption for photos of this height."""
    gap = round(GAP_SHARE * tile) if room.gap is None else round(room.gap)
    return float(gap), float(math.floor(room.caption * tile))


def usual_cell(shape: Shape) -> int:
    """The side of a photo in pixels where the settings give none; it is smaller on sheets with very many cells.

    >>> from album_app.layout import rectangle
    >>> usual_cell(rectangle(16, 20)), usual_cell(rectangle(1, 100_000))
    (96, 35)
    """
    across = math.sqrt(LARGEST_PICTURE / math.prod(shape.extent)) / (1 + GAP_SHARE)
    return max(SMALLEST_TILE, min(USUAL_CELL, int(across)))


def _by_cell(sheet: Shape | Layout, settings: RenderSettings) -> PagePlan:
    shape = shape_of(sheet)
    tile = settings.cell or usual_cell(shape)
    gap = round(GAP_SHARE * tile if settings.gap is None else settings.gap)
    caption = math.floor(caption_share(settings) * tile)
    bare = _geometry(sheet, tile, tile + caption, gap, caption, (0, 0, 0, 0))
    width, height = bare.width, bare.height
    # The margin of a small sheet must still look wider than its gaps.
    margin = round(max(MARGIN_SHARE * min(width, height), 2 * gap) if settings.margin is None else settings.margin)
    title = title_size(width + 2 * margin, height + 2 * margin, settings)
    header = header_height(title, margin)
    marks = marks_size(width, height, settings)
    below = margin if shape.pages is None else max(margin, tile // 2)  # room for the titles of the last pages
    below += footer_height(marks) + legend_height(width, height, settings)
    geometry = replace(bare, left=margin, top=margin + header, right=margin, bottom=below)
    paper, legend = Paper(geometry.width, geometry.height, "px"), legend_size(width, height, settings)
    return _plan(paper, settings, geometry, caption, header, title, settings.border, marks, legend)


def _geometry(
    sheet: Shape | Layout, across: float, down: float, gap: float, caption: float, sides: tuple[float, ...]
) -> SheetGeometry:
    """The frames of a sheet whose cells are `across` wide and, with their captions, `down` high."""
    if shape_of(sheet).is_justified:
        pitch = across + gap
        return SheetGeometry(sheet.frames(gap / pitch, caption / pitch), across, across, gap, *sides)
    frames = sheet.frames(gap / (across + gap), caption / (across + gap))
    return SheetGeometry(frames, across, down, gap, *sides)


def _on_paper(sheet: Shape | Layout, settings: RenderSettings, paper: Paper, below_mm: float) -> PagePlan:
    """The largest cells on a paper, centred; in whole pixels, except where they fill it or rows are justified."""
    width, height = paper.pixels(settings.dpi)
    below = 0.0
    if paper.unit == "mm" and settings.margin is None:
        below = max(0.0, below_mm * settings.dpi / MM_PER_INCH - MARGIN_SHARE * min(width, height))
    room, shape = Room.on(paper, settings, below), shape_of(sheet)
    tile, gap, caption = _sizes_in(room, sheet)
    across, down = tile, tile + caption
    if settings.fit_paper and not shape.is_justified:
        across, down = room.stretched(*shape.extent, gap)
    bare = _geometry(sheet, max(across, 1e-6), down, gap, caption, (0, 0, 0, 0))
    left, top = width - bare.width, height - room.header - room.footer - bare.height
    sides = left // 2, top // 2 + room.header, left - left // 2, top - top // 2 + room.footer
    geometry = replace(bare, left=sides[0], top=sides[1], right=sides[2], bottom=sides[3])
    border = settings.border * pixels_per_unit(paper, settings)
    marks = marks_size(width, height, settings)
    legend = legend_size(width, height, settings)
    return _plan(paper, settings, geometry, int(caption), room.header, room.title, border, marks, legend)


def _plan(
    paper: Paper,
    settings: RenderSettings,
    geometry: SheetGeometry,
    caption: int,
    header: int,
    title: float,
    border: float,
    marks: float,
    legend: float,
) -> PagePlan:
    width, height = paper.pixels(settings.dpi)
    if settings.colour_by and not border:
        border = max(1.0, COLOUR_FRAME_SHARE * geometry.cell_width)
    border = min(border, geometry.cell_width / 4)
    points = paper.points(settings.dpi)
    return PagePlan(
        *(width, height, settings.dpi, points, geometry, caption, header, title, border),
        marks_size=marks,
        legend_size=legend,
    )
