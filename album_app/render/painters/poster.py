"""A poster over many small pages: what each of them shows, and the marks that help to put them together."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from album_app.language import mark, tr
from album_app.render.page.papers import Paper, parse_paper
from album_app.render.page.plan import PagePlan
from album_app.render.page.settings import RenderSettings
from album_app.render.painters.pdf_file import number

POINTS_PER_MM = 72 / 25.4
EDGE = 8 * POINTS_PER_MM  # of a page, where printers do not print
MARK = 5 * POINTS_PER_MM
LABEL = 9.0
LABEL_BASE = EDGE - LABEL  # close to what is shown: the rim of a page is the last that printers reach


@dataclass(frozen=True)
class Page:
    """One page: its place among the others, and the point of the poster at the lower left of what it shows."""

    row: int
    column: int
    left: float
    bottom: float


@dataclass(frozen=True)
class Poster:
    """Pages of one size that overlap, in points; together they show all of a poster."""

    width: float
    height: float
    page: tuple[float, float]
    overlap: float

    @classmethod
    def over(cls, size: tuple[float, float], paper: Paper, overlap_mm: float) -> "Poster":
        """The poster on pages that lie in whichever way takes fewer of them."""
        ways = (cls(*size, way.points(72), overlap_mm * POINTS_PER_MM) for way in (paper, paper.turned()))
        return min(ways, key=lambda poster: poster.rows * poster.columns)

    @property
    def window(self) -> tuple[float, float]:
        """The part of a page that is printed: no more than printers reach, and the same on each."""
        across = self.width + (self.columns - 1) * self.overlap
        down = self.height + (self.rows - 1) * self.overlap
        return across / self.columns, down / self.rows

    @property
    def columns(self) -> int:
        return _count(self.width, self.page[0] - 2 * EDGE, self.overlap)

    @property
    def rows(self) -> int:
        return _count(self.height, self.page[1] - 2 * EDGE, self.overlap)

    def __iter__(self) -> Iterator[Page]:
        """The pages, row by row from the top left."""
        across, down = (side - self.overlap for side in self.window)
        for row in range(self.rows):
            for column in range(self.columns):
                yield Page(row, column, column * across, self.height - self.window[1] - row * down)

    @property
    def seams(self) -> tuple[list[float], list[float]]:
        """Where pages meet, in the middle of what both show: shares of the width and, from the top, of the height."""
        across, down = (side - self.overlap for side in self.window)
        middle = self.overlap / 2
        return (
            [(column * across + middle) / self.width for column in range(1, self.columns)],
            [(row * down + middle) / self.height for row in range(1, self.rows)],
        )

    def label(self, page: Page) -> str:
        row, column = page.row + 1, page.column + 1
        text = mark("row {row} of {rows}, column {column} of {columns}")
        return tr(text, row=row, rows=self.rows, column=column, columns=self.columns)

    def show(self, page: Page, name: str) -> str:
        """The instructions that put the poster, under a name, behind the window of a page."""
        width, height = self.window
        shift = f"1 0 0 1 {number(EDGE - page.left)} {number(EDGE - page.bottom)} cm"
        return f"q {_rectangle(EDGE, EDGE, width, height)} W n {shift} /{name} Do Q"

    def marks(self, page: Page) -> str:
        """Hair lines around the window: at its corners, and where a neighbour's begins or ends."""
        right, top = EDGE + self.window[0], EDGE + self.window[1]
        xs = [EDGE, right]
        ys = [EDGE, top]
        xs += [EDGE + self.overlap] if page.column else []
        xs += [right - self.overlap] if page.column < self.columns - 1 else []
        ys += [top - self.overlap] if page.row else []
        ys += [EDGE + self.overlap] if page.row < self.rows - 1 else []
        lines = [(x, y, x, y - MARK) for x in xs for y in (EDGE, top + MARK)]
        lines += [(x, y, x - MARK, y) for y in ys for x in (EDGE, right + MARK)]
        return "0.25 w " + " ".join("{} {} m {} {} l S".format(*map(number, line)) for line in lines)


def poster_of(plan: PagePlan, settings: RenderSettings) -> Poster:
    """The pages that a sheet is spread over.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import plan_page
    >>> settings = RenderSettings(paper="A2", poster="A4")
    >>> poster = poster_of(plan_page(rectangle(16, 20), settings), settings)
    >>> poster.rows, poster.columns, len(list(poster))
    (2, 4, 8)
    """
    return Poster.over(plan.points, parse_paper(settings.poster), settings.overlap)


def _count(length: float, window: float, overlap: float) -> int:
    return max(1, math.ceil((length - overlap) / (window - overlap) - 1e-9))


def _rectangle(*corner_and_size: float) -> str:
    return " ".join(map(number, corner_and_size)) + " re"
