"""How large everything on a sheet is, known before a single photo is read."""

import math
from dataclasses import dataclass, replace

from album_app.errors import UsageError
from album_app.layout.geometry import Rect, SheetGeometry
from album_app.layout.shapes.shape import Cell, Shape
from album_app.render.papers import MM_PER_INCH, Paper, parse_paper
from album_app.render.settings import RenderSettings

GAP = 0.04  # shares of a photo's side
CAPTION = 0.2
CAPTION_TEXT = 0.58  # of the caption's strip
MARGIN = 0.04  # shares of the sheet's shorter side
TITLE = 0.038
HEADER = 1.7  # of the title's size
SMALLEST_TILE = 4


@dataclass(frozen=True)
class SheetPlan:
    """A sheet in pixels: its size, where its cells are, and the sizes of text and frames."""

    width: int
    height: int
    dpi: float
    points: tuple[float, float]  # the exact size of the page
    geometry: SheetGeometry  # of cells: a photo and the caption below it
    caption: float  # height of a caption's strip, 0 without captions
    header: float  # height of the title's strip, 0 without a title
    title_size: float
    border: float

    @property
    def tile(self) -> float:
        """The side of a photo."""
        return self.geometry.cell_width

    @property
    def caption_size(self) -> float:
        """Of a caption's text."""
        return self.caption * CAPTION_TEXT

    def tile_rect(self, cell: Cell) -> tuple[int, int, int, int]:
        """Where the photo of a cell is, in whole pixels."""
        x, y, width, height = self.geometry.pixel_rect(cell)
        return x, y, width, max(1, height - round(self.caption))

    def caption_rect(self, cell: Cell) -> Rect:
        """The strip below the photo of a cell."""
        x, y, width, height = self.geometry.cell_rect(cell)
        return x, y + height - self.caption, width, self.caption

    def title_rect(self) -> Rect:
        """The strip above the cells."""
        left, right = self.geometry.left, self.geometry.right
        inset = min(left, right) / 2
        return inset, self.geometry.top - self.header, self.width - 2 * inset, self.header

    def scaled(self, factor: float) -> "SheetPlan":
        """The same sheet drawn smaller or larger."""
        geometry = self.geometry
        lengths = ("cell_width", "cell_height", "gap", "left", "top", "right", "bottom")
        return replace(
            self,
            width=max(1, round(self.width * factor)),
            height=max(1, round(self.height * factor)),
            dpi=self.dpi * factor,
            geometry=replace(geometry, **{name: getattr(geometry, name) * factor for name in lengths}),
            **{name: getattr(self, name) * factor for name in ("caption", "header", "title_size", "border")},
        )


def plan_sheet(shape: Shape, settings: RenderSettings) -> SheetPlan:
    """Lay out the sheet on its paper, or as large as its cells make it."""
    if not settings.paper:
        return _by_cell(shape, settings)
    paper = parse_paper(settings.paper)
    wide = paper if paper.width >= paper.height else paper.turned()
    either = [wide, wide.turned()] if paper.unit == "mm" else [paper]  # a screen cannot be turned
    ways = {"landscape": [wide], "portrait": [wide.turned()], "auto": either}[settings.landscape]
    plan = max((_on_paper(shape, settings, way) for way in ways), key=lambda plan: plan.tile)
    if plan.tile < SMALLEST_TILE:
        raise UsageError(
            f"{shape.rows} x {shape.columns} photos do not fit on {settings.paper} at {settings.dpi} dpi: "
            "choose a larger paper, more dpi, or smaller gaps and margins."
        )
    return plan


def _by_cell(shape: Shape, settings: RenderSettings) -> SheetPlan:
    tile = settings.cell
    gap = round(GAP * tile if settings.gap is None else settings.gap)
    caption = _caption_height(tile, settings)
    width = shape.columns * tile + (shape.columns - 1) * gap
    height = shape.rows * (tile + caption) + (shape.rows - 1) * gap
    # A tiny sheet still wants a margin that looks wider than its gaps.
    margin = round(max(MARGIN * min(width, height), 2 * gap) if settings.margin is None else settings.margin)
    title_size = _title_size(width + 2 * margin, height + 2 * margin, settings)
    header = round(HEADER * title_size)
    geometry = SheetGeometry(
        shape.rows, shape.columns, tile, tile + caption, gap, margin, margin + header, margin, margin
    )
    paper = Paper(geometry.width, geometry.height, "px")
    return _plan(paper, settings, geometry, caption, header, title_size, settings.border)


def _on_paper(shape: Shape, settings: RenderSettings, paper: Paper) -> SheetPlan:
    """The largest whole-pixel cells on a paper, in the middle of it."""
    scale = settings.dpi / MM_PER_INCH if paper.unit == "mm" else 1.0
    width, height = paper.pixels(settings.dpi)
    margin = MARGIN * min(width, height) if settings.margin is None else settings.margin * scale
    title_size = _title_size(width, height, settings)
    header = round(HEADER * title_size)
    share = 0.0 if settings.caption == "none" else CAPTION
    across, down = width - 2 * margin, height - 2 * margin - header
    if settings.gap is None:
        relative = min(
            across / (shape.columns + (shape.columns - 1) * GAP),
            down / (shape.rows * (1 + share) + (shape.rows - 1) * GAP),
        )
        gap = max(0, round(GAP * relative))
    else:
        gap = round(settings.gap * scale)
    free = across - (shape.columns - 1) * gap, down - (shape.rows - 1) * gap
    tile = max(0, math.floor(min(free[0] / shape.columns, free[1] / (shape.rows * (1 + share)))))
    caption = _caption_height(tile, settings)
    left = width - shape.columns * tile - (shape.columns - 1) * gap
    top = height - header - shape.rows * (tile + caption) - (shape.rows - 1) * gap
    geometry = SheetGeometry(
        shape.rows,
        shape.columns,
        tile,
        tile + caption,
        gap,
        left // 2,
        top // 2 + header,
        left - left // 2,
        top - top // 2,
    )
    return _plan(paper, settings, geometry, caption, header, title_size, settings.border * scale)


def _plan(
    paper: Paper,
    settings: RenderSettings,
    geometry: SheetGeometry,
    caption: int,
    header: int,
    title_size: float,
    border: float,
) -> SheetPlan:
    width, height = paper.pixels(settings.dpi)
    border = min(border, geometry.cell_width / 4)
    return SheetPlan(
        width, height, settings.dpi, paper.points(settings.dpi), geometry, caption, header, title_size, border
    )


def _caption_height(tile: int, settings: RenderSettings) -> int:
    return 0 if settings.caption == "none" else math.floor(CAPTION * tile)


def _title_size(width: float, height: float, settings: RenderSettings) -> float:
    return max(12.0, TITLE * min(width, height)) if settings.title.strip() else 0.0
