"""How large everything on a sheet is, known before a single photo is read."""

import math
from dataclasses import dataclass, replace

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.geometry import Rect, SheetGeometry
from album_app.layout.shapes.shape import Cell, Shape
from album_app.render.page.papers import MM_PER_INCH, Paper, parse_paper
from album_app.render.page.room import (
    GAP,
    HEADER,
    MARGIN,
    Room,
    caption_share,
    footer_height,
    header_height,
    marks_size,
    pixels_per_unit,
    title_size,
    without_words,
)
from album_app.render.page.settings import RenderSettings

CAPTION_TEXT = 0.58  # of a caption's strip
SIDES_OF_TITLE = 0.75  # of its size, kept free beside it
SLUG_MM = 8
MARK_LENGTH = 0.7  # of the room beyond the bleed
SMALLEST_TILE = 4
USUAL_CELL = 96
LARGEST_PICTURE = 1 << 27
"""Pixels that a picture has at most, or a little more, where nobody asks for larger cells: half a gigabyte."""


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
    points: tuple[float, float]  # the exact size of the page
    geometry: SheetGeometry  # of cells: a photo and the caption below it
    caption: float  # height of a caption's strip, 0 without captions
    header: float  # height of the title's strip, 0 without a title
    title_size: float
    border: float
    bleed: float = 0.0  # what is printed around the paper,
    slug: float = 0.0  # and beyond that, room for cut marks
    marks_size: float = 0.0  # of the words for days, months or years below the cells, 0 without them

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
        """From the edge of the file's page to the edge of the paper."""
        return self.bleed + self.slug

    @property
    def bleed_rect(self) -> Rect:
        """All that is printed but the cut marks."""
        return self.slug, self.slug, self.width - 2 * self.slug, self.height - 2 * self.slug

    @property
    def marks(self) -> list[Rect]:
        """Thin lines that end before the bleed and point along the edges of the paper."""
        if not self.slug:
            return []
        length, thickness = MARK_LENGTH * self.slug, max(1.0, self.dpi / 300)
        near = self.trim - thickness / 2
        across, down = (near, self.width - thickness - near), (near, self.height - thickness - near)
        return [
            *((x, y, thickness, length) for x in across for y in (0, self.height - length)),
            *((x, y, length, thickness) for y in down for x in (0, self.width - length)),
        ]

    @property
    def caption_size(self) -> float:
        """Of a caption's text."""
        return self.caption * CAPTION_TEXT

    def tile_rect(self, cell: Cell) -> tuple[int, int, int, int]:
        """Where the photo of a cell is, in whole pixels."""
        x, y, width, height = self.geometry.pixel_rect(cell)
        height = max(1, height - round(self.caption))
        if self.bleed:
            left, top, right, bottom = self._beyond(cell)
            x, y, width, height = x - left, y - top, width + left + right, height + top + bottom
        return x, y, width, height

    def _beyond(self, cell: Cell) -> tuple[int, int, int, int]:
        """How far a photo that touches the edge of the paper goes on beyond it: left, top, right, bottom."""
        geometry, bleed = self.geometry, math.ceil(self.bleed)
        (across, _), (_, widest), offset = geometry.pitch, geometry.extent, geometry.lattice.offset(cell[0])
        begins, ends = offset * across, (widest - geometry.columns - offset) * across
        touches = (
            cell[1] == 0 and geometry.left + begins - self.trim < 1,
            cell[0] == 0 and geometry.top - self.trim < 1,
            cell[1] == geometry.columns - 1 and geometry.right + ends - self.trim < 1,
            cell[0] == geometry.rows - 1 and geometry.bottom - self.trim + self.caption < 1,
        )
        left, top, right, bottom = (bleed if touching else 0 for touching in touches)
        return left, top, right, bottom

    def caption_rect(self, cell: Cell) -> Rect:
        """The strip below the photo of a cell."""
        x, y, width, height = self.geometry.cell_rect(cell)
        return x, y + height - self.caption, width, self.caption

    def title_rect(self) -> Rect:
        """The strip above the cells."""
        margin = min(self.geometry.left, self.geometry.right) - self.trim
        inset = self.trim + max(margin / 2, SIDES_OF_TITLE * self.title_size)
        height = HEADER * self.title_size
        return inset, self.geometry.top - height, self.width - 2 * inset, height

    def scaled(self, factor: float) -> "PagePlan":
        """The same sheet drawn smaller or larger."""
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


_LENGTHS = ("caption", "header", "title_size", "border", "bleed", "slug", "marks_size")


def plan_page(shape: Shape, settings: RenderSettings) -> PagePlan:
    """Lay out the sheet on its paper, or as large as its cells make it.

    >>> from album_app.layout import rectangle
    >>> a4 = plan_page(rectangle(3, 2), RenderSettings(paper="A4", dpi=300))
    >>> a4.width, a4.height
    (2480, 3508)
    """
    if not settings.paper:
        return _with_bleed(_by_cell(shape, settings), settings, 1.0)
    paper = _lying(shape, settings)
    plan = _on_paper(shape, settings, paper)
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


def _with_bleed(plan: PagePlan, settings: RenderSettings, scale: float) -> PagePlan:
    """The same paper in the middle of a larger page, with room for what is printed beyond it and for cut marks."""
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


def _lying(shape: Shape, settings: RenderSettings) -> Paper:
    """The paper as asked for, or whichever way photos are larger; a title turns no paper, and nothing a screen."""
    paper = parse_paper(settings.paper)
    if settings.landscape != "auto" or paper.unit == "px":
        return paper.lying(settings.landscape)
    ways = paper.lying("landscape"), paper.lying("portrait")
    bare = without_words(settings)
    return max(ways, key=lambda way: Room.on(way, bare).sizes(*shape.extent)[0])


def usual_cell(shape: Shape) -> int:
    """The side of a photo in pixels where nothing was asked for: smaller on sheets with very many cells.

    >>> from album_app.layout import rectangle
    >>> usual_cell(rectangle(16, 20)), usual_cell(rectangle(1, 100_000))
    (96, 35)
    """
    across = math.sqrt(LARGEST_PICTURE / math.prod(shape.extent)) / (1 + GAP)
    return max(SMALLEST_TILE, min(USUAL_CELL, int(across)))


def _by_cell(shape: Shape, settings: RenderSettings) -> PagePlan:
    tile = settings.cell or usual_cell(shape)
    gap = round(GAP * tile if settings.gap is None else settings.gap)
    caption = math.floor(caption_share(settings) * tile)
    down, across = shape.extent
    width, height = across * tile + (across - 1) * gap, down * (tile + caption) + (down - 1) * gap
    # A tiny sheet still wants a margin that looks wider than its gaps.
    margin = round(max(MARGIN * min(width, height), 2 * gap) if settings.margin is None else settings.margin)
    title = title_size(width + 2 * margin, height + 2 * margin, settings)
    header = header_height(title, margin)
    marks = marks_size(width, height, settings)
    below = margin if shape.pages is None else max(margin, tile // 2)  # room for the titles of the last pages
    below += footer_height(marks)
    sides = margin, margin + header, margin, below
    geometry = SheetGeometry(shape.rows, shape.columns, tile, tile + caption, gap, *sides, lattice=shape.lattice)
    paper = Paper(geometry.width, geometry.height, "px")
    return _plan(paper, settings, geometry, caption, header, title, settings.border, marks)


def _on_paper(shape: Shape, settings: RenderSettings, paper: Paper) -> PagePlan:
    """The largest whole-pixel cells on a paper, in the middle of it."""
    width, height = paper.pixels(settings.dpi)
    room = Room.on(paper, settings)
    rows, columns = shape.extent
    tile, gap, caption = (int(length) for length in room.sizes(rows, columns))
    across, down = room.stretched(rows, columns, gap) if settings.fit_paper else (tile, tile + caption)
    left = width - columns * across - (columns - 1) * gap
    top = height - room.header - room.footer - rows * down - (rows - 1) * gap
    sides = left // 2, top // 2 + room.header, left - left // 2, top - top // 2 + room.footer
    geometry = SheetGeometry(shape.rows, shape.columns, across, down, gap, *sides, lattice=shape.lattice)
    border = settings.border * pixels_per_unit(paper, settings)
    marks = marks_size(width, height, settings)
    return _plan(paper, settings, geometry, caption, room.header, room.title, border, marks)


def _plan(
    paper: Paper,
    settings: RenderSettings,
    geometry: SheetGeometry,
    caption: int,
    header: int,
    title: float,
    border: float,
    marks: float,
) -> PagePlan:
    width, height = paper.pixels(settings.dpi)
    border = min(border, geometry.cell_width / 4)
    points = paper.points(settings.dpi)
    return PagePlan(width, height, settings.dpi, points, geometry, caption, header, title, border, marks_size=marks)
