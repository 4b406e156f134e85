"""What a paper has room for: within its margins and below its title, how large are so many photos?"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.filling import Counts, filling_rectangle
from album_app.layout.shapes.shape import KINDS, PAGE, ShapeSpec
from album_app.render.page.papers import MM_PER_INCH, Paper, parse_paper
from album_app.render.page.settings import RenderSettings

GAP = 0.04  # shares of a photo's side
CAPTION = 0.2
MARGIN = 0.04  # shares of the sheet's shorter side
TITLE = 0.038
MOST_STRETCHED = 1.12
HEADER = 1.7  # of the title's size
MARKS = 0.022
FOOTER = 1.6  # of the marks' size


@dataclass(frozen=True)
class Room:
    """The part of a paper that cells may cover, in pixels."""

    across: float
    down: float
    gap: float | None  # None: a share of a photo's side
    caption: float  # a share of a photo's side
    title: float  # its size, 0 without one
    header: int  # the height that the title takes
    footer: int = 0  # and that of the marks of time

    @classmethod
    def on(cls, paper: Paper, settings: RenderSettings) -> "Room":
        """The room on a paper as it lies."""
        width, height = paper.pixels(settings.dpi)
        scale = pixels_per_unit(paper, settings)
        margin = MARGIN * min(width, height) if settings.margin is None else settings.margin * scale
        title = title_size(width, height, settings)
        header = header_height(title, margin)
        footer = footer_height(marks_size(width, height, settings))
        gap = None if settings.gap is None else settings.gap * scale
        down = height - 2 * margin - header - footer
        return cls(width - 2 * margin, down, gap, caption_share(settings), title, header, footer)

    def sizes(self, rows: Any, columns: Any) -> tuple[Any, Any, Any]:
        """A photo's side, a gap and a caption's height in whole pixels, for one sheet or for many at once."""
        share = 1 + self.caption
        if self.gap is None:
            across = self.across / (columns + (columns - 1) * GAP)
            gap = np.maximum(0, np.round(GAP * np.minimum(across, self.down / (rows * share + (rows - 1) * GAP))))
        else:
            gap = np.round(self.gap)
        free = self.across - (columns - 1) * gap, self.down - (rows - 1) * gap
        tile = np.maximum(0, np.floor(np.minimum(free[0] / columns, free[1] / (rows * share))))
        return tile, gap, np.floor(self.caption * tile)

    def stretched(self, rows: float, columns: float, gap: float) -> tuple[float, float]:
        """Width and height of cells that fill the room, square or nearly so; the largest square ones if that fails."""
        tile, _, caption = self.sizes(rows, columns)
        width, height = (self.across + gap) / columns - gap, (self.down + gap) / rows - gap
        if 1 / MOST_STRETCHED <= width / max(1.0, height - caption) <= MOST_STRETCHED:
            return width, height
        return tile, tile + caption

    def left_over(self, rows: Counts, columns: Counts) -> NDArray[np.float64]:
        """The share of the room that stays empty."""
        tile, gap, caption = self.sizes(rows, columns)
        covered = (columns * (tile + gap) - gap) * (rows * (tile + caption + gap) - gap)
        left: NDArray[np.float64] = 1 - np.where(tile > 0, covered, 0) / max(1.0, self.across * self.down)
        return left


def can_fill_paper(spec: ShapeSpec) -> bool:
    """Whether a shape has a choice: rows and columns have, words that may go on other lines, but no heart.

    >>> [can_fill_paper(spec) for spec in (ShapeSpec(), ShapeSpec("text", text="NEW YORK"), ShapeSpec("heart"))]
    [True, True, False]
    """
    if spec.kind != "text":
        return KINDS[spec.kind].asks in ("aspect", "size", "pages")
    lines = [line for line in spec.text.replace("\\n", "\n").splitlines() if line.strip()]
    return spec.wrap and len(lines) == 1 and len(lines[0].split()) > 1


def filling_paper(spec: ShapeSpec, photos: int, settings: RenderSettings) -> ShapeSpec:
    """A shape as it fills the paper of the settings: its rows and columns, or its lines; itself where it has no choice.

    Where somebody chose fewer cells than there are photos, there are about as many afterwards.

    >>> few = filling_paper(ShapeSpec("rectangle", rows=10, columns=10), 2000, RenderSettings(paper="A2"))
    >>> few.rows, few.columns
    (12, 8)
    >>> filling_paper(ShapeSpec("text", text="NEW YORK"), 320, RenderSettings(paper="200x100mm", margin=0)).aspect
    2.0
    """
    if not can_fill_paper(spec):
        return spec
    if spec.kind == "text":
        room = Room.on(parse_paper(settings.paper).lying(settings.landscape), settings)
        return replace(spec, aspect=round(room.across / room.down * (1 + room.caption), 3))
    if spec.kind == "pages":
        page = -(-photos // spec.pages) if spec.pages else math.prod(PAGE)
        filling = spec_for_paper(page, replace(settings, title=""))
        return replace(spec, rows=filling.rows, columns=filling.columns)
    chosen = min(photos, spec.rows * spec.columns) if KINDS[spec.kind].asks == "size" else spec.cells
    return replace(spec_for_paper(chosen or photos, settings), cells=spec.cells)


def spec_for_paper(photos: int, settings: RenderSettings) -> ShapeSpec:
    """Rows and columns that fill the paper of the settings, lying as its name says unless they turn it.

    >>> spec = spec_for_paper(320, RenderSettings(paper="A2"))
    >>> spec.rows, spec.columns
    (21, 15)
    """
    paper = parse_paper(settings.paper).lying(settings.landscape)
    rows, columns = filling_rectangle(photos, Room.on(paper, settings).left_over)
    return ShapeSpec("rectangle", rows=rows, columns=columns)


def pixels_per_unit(paper: Paper, settings: RenderSettings) -> float:
    """Lengths are in millimetres on paper, in pixels on a screen."""
    return settings.dpi / MM_PER_INCH if paper.unit == "mm" else 1.0


def caption_share(settings: RenderSettings) -> float:
    return 0.0 if settings.caption == "none" else CAPTION


def title_size(width: float, height: float, settings: RenderSettings) -> float:
    return max(12.0, TITLE * min(width, height)) if settings.title.strip() else 0.0


def header_height(size: float, margin: float) -> int:
    """The strip that a title has for itself; where the margin is narrow, with room above it."""
    return round(HEADER * size + max(0.0, size - margin)) if size else 0


def marks_size(width: float, height: float, settings: RenderSettings) -> float:
    return max(9.0, MARKS * min(width, height)) if settings.time_marks else 0.0


def footer_height(size: float) -> int:
    """The strip that marks of time have for themselves."""
    return round(FOOTER * size)


def without_words(settings: RenderSettings) -> RenderSettings:
    return replace(settings, title="", time_marks=False)
