"""Pages of a book: equal sheets side by side, never neighbours across the fold, whose photos grow to fill them.

On a page with empty cells the photos are laid out in rows of equal width, or in columns of equal height, in the order
of their cells. Frames then get the page's proportions, so photos are cropped a little more or less than usual; whole
photos keep their proportions, and what they cannot fill stays free around them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.layout.shapes.frames import Boxes, Frames, Indices

GUTTER = 1
"""Empty cells between pages that stand side by side."""
SPREAD_ASPECT = 1.5
"""The width by height of all pages together, approximately: that of a window."""

USUAL_GRIDS, MOST_USUAL_PAGES = ((2, 3), (3, 4), (4, 5), (5, 6), (6, 8)), 24
"""Rows and columns that pages begin with: the fewest photos on a page that keep the book at this many pages or less."""
SPARE_PAGES = 1.25
"""Factor: a book with chapters has this many times the pages that its photos would fill, so that chapters can end
early."""
LARGEST_STRETCH = 1.5
"""Factor: frames are at most this much wider or higher than their photos, so at most a third of a photo is cut off.
What a page cannot fill in this way stays free; with larger factors, people lost their heads or feet on pages of one or
two photos."""
UNEVENNESS_WEIGHT = 0.15
"""The weight of unevenness, the standard deviation of the logarithm of the photos' areas, against the share of the page
that is covered with whole photos. Chosen by looking at pages of 1 to 19 photos."""
PHOTOS_FOR_ALL_DIVISIONS = 5
"""Of up to this many photos all divisions into rows are compared; of more photos those into rows of about equal
width."""
ROW_COUNTS_TRIED = 2
"""For more photos: by how many the compared numbers of rows are at most above or below that of square frames."""

Sizes = tuple[float, ...]


@dataclass(frozen=True)
class Pages:
    """`count` pages of rows x columns, `across` of them side by side before the next row of pages begins."""

    count: int
    rows: int
    columns: int
    across: int

    @classmethod
    def of(cls, count: int, rows: int, columns: int) -> "Pages":
        """The pages in rows that together are about as wide as a window.

        >>> Pages.of(6, rows=4, columns=5)
        Pages(count=6, rows=4, columns=5, across=3)
        """
        across = np.arange(1, count + 1)
        down = -(-count // across)
        aspects = (across * (columns + GUTTER) - GUTTER) / (down * (rows + GUTTER) - GUTTER)
        return cls(count, rows, columns, int(across[np.abs(np.log(aspects / SPREAD_ASPECT)).argmin()]))

    @property
    def size(self) -> int:
        """Cells of a page."""
        return self.rows * self.columns

    @property
    def reach(self) -> int:
        """The radius of the widest neighbourhood: around any cell it contains the whole page."""
        return max(self.rows, self.columns) - 1

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Where all pages together have cells."""
        height = self.origin(self.count - 1)[0] + self.rows
        mask = np.zeros((height, self.across * (self.columns + GUTTER) - GUTTER), dtype=bool)
        for page in range(self.count):
            top, left = self.origin(page)
            mask[top : top + self.rows, left : left + self.columns] = True
        return mask

    def origin(self, page: int) -> tuple[int, int]:
        """The cell at the upper left of a page, counted from 0."""
        down, over = divmod(page, self.across)
        return down * (self.rows + GUTTER), over * (self.columns + GUTTER)

    def page_of(self, cells: Any) -> Indices:
        """The pages of some cells (k, 2): (k,).

        >>> Pages.of(6, rows=4, columns=5).page_of([(0, 4), (0, 6), (5, 0)]).tolist()
        [0, 1, 3]
        """
        down, over = np.asarray(cells, dtype=np.int64).reshape(-1, 2).T
        return np.asarray(down // (self.rows + GUTTER) * self.across + over // (self.columns + GUTTER))

    def places(self, cells: Indices) -> Indices:
        """Where cells (k, 2) lie if all pages stand in one row, farther apart than any two cells of a page."""
        page = self.page_of(cells)
        apart = self.columns + math.ceil(math.hypot(self.rows - 1, self.columns - 1))
        within = cells % (self.rows + GUTTER, self.columns + GUTTER)
        return np.asarray(within + np.stack([np.zeros_like(page), apart * page], axis=1))


def pages_needed(photos: int, size: int, chapters: bool = False) -> int:
    """The number of pages of `size` cells for the photos, with spare ones where pages are chapters.

    >>> pages_needed(40, 20), pages_needed(40, 20, chapters=True)
    (2, 3)
    """
    return max(1, math.ceil(photos * (SPARE_PAGES if chapters else 1) / max(1, size)))


def usual_grid(photos: int) -> tuple[int, int]:
    """Rows and columns of a page that suit the number of photos: few photos are seen large, many make no thick book.

    >>> [usual_grid(photos) for photos in (11, 200, 416, 9000)]
    [(2, 3), (3, 4), (4, 5), (6, 8)]
    """
    fitting = (grid for grid in USUAL_GRIDS if pages_needed(photos, math.prod(grid)) <= MOST_USUAL_PAGES)
    return next(fitting, USUAL_GRIDS[-1])


@dataclass(frozen=True)
class Page:
    """The size of a page in sheet units, including a gap on its right and below it; gap and caption of its photos."""

    width: float
    height: float
    gap: float = 0.0
    caption: float = 0.0
    stretch: float = LARGEST_STRETCH  # 1 for whole photos

    @property
    def turned(self) -> "_Turned":
        return _Turned(self.height, self.width, self.gap + self.caption, self.gap, self.stretch)

    @property
    def upright(self) -> "_Turned":
        return _Turned(self.width, self.height, self.gap, self.gap + self.caption, self.stretch)


@dataclass(frozen=True)
class _Turned:
    """A page with rows along its `length`; on a turned page these are columns. There is space behind each photo."""

    length: float
    depth: float
    along: float  # free space behind each photo in the direction of its row
    across: float  # and in the other direction
    stretch: float

    def boxes(self, aspects: Sizes, groups: Sequence[int]) -> list[tuple[float, float, float, float]]:
        """The boxes of photos whose rows hold `groups` photos each: along, across, and both lengths."""
        sums, starts = [], [0]
        for count in groups:
            sums.append(sum(aspects[starts[-1] : starts[-1] + count]))
            starts.append(starts[-1] + count)
        free = self.depth - len(groups) * self.across
        spent = sum(self.along * count / each for count, each in zip(groups, sums, strict=True))
        slope = sum(1 / each for each in sums)
        length = min(self.length, max(1e-6, (free * self.stretch + spent) / slope))
        depths = [max(1e-6, (length - self.along * count) / each) for count, each in zip(groups, sums, strict=True)]
        factor = min(max(free / sum(depths), 1 / self.stretch), self.stretch)
        x0 = (self.length - length) / 2
        y = (free - factor * sum(depths)) / 2
        found = []
        for start, count, depth in zip(starts, groups, depths, strict=False):
            x = x0
            for aspect in aspects[start : start + count]:
                found.append((x, y, aspect * depth + self.along, factor * depth + self.across))
                x += found[-1][2]
            y += factor * depth + self.across
        return found

    def score(self, aspects: Sizes, weights: Sizes, boxes: Sequence[tuple[float, float, float, float]]) -> float:
        """The share of the page that whole photos cover, less the cost of uneven photos."""
        shown, sizes = 0.0, []
        for aspect, weight, (_, _, width, height) in zip(aspects, weights, boxes, strict=True):
            width, height = max(1e-6, width - self.along), max(1e-6, height - self.across)
            ratio = width / height / aspect
            shown += width * height * min(ratio, 1 / ratio)
            sizes.append(math.log(width * height / weight))
        mean = sum(sizes) / len(sizes)
        spread = math.sqrt(sum((size - mean) ** 2 for size in sizes) / len(sizes))
        return shown / (self.length * self.depth) - UNEVENNESS_WEIGHT * spread


@lru_cache(maxsize=4096)
def filled_page(page: Page, rowwise: Sizes, columnwise: Sizes, weights: tuple[Sizes, Sizes]) -> tuple[bool, Boxes]:
    """The boxes (k, 4) of the photos of a page, and whether they are in the order of columns.

    The aspects (width by height) are given in the order of rows and in that of columns, and so are `weights`: how many
    times larger than others photos are to be.

    >>> turned, boxes = filled_page(Page(3.0, 2.0), (1.5,) * 4, (1.5,) * 4, ((1.0,) * 4, (1.0,) * 4))
    >>> turned, boxes.tolist()
    (False, [[0.0, 0.0, 1.5, 1.0], [1.5, 0.0, 1.5, 1.0], [0.0, 1.0, 1.5, 1.0], [1.5, 1.0, 1.5, 1.0]])
    """
    best, chosen, turned = -math.inf, [(0.0, 0.0, page.width, page.height)], False
    upright = tuple(1 / aspect for aspect in columnwise)
    for is_turned, way, aspects, sizes in (
        (False, page.upright, rowwise, weights[0]),
        (True, page.turned, upright, weights[1]),
    ):
        for groups in _divisions(way, aspects):
            boxes = way.boxes(aspects, groups)
            score = way.score(aspects, sizes, boxes)
            if score > best + 1e-9:
                best, chosen, turned = score, boxes, is_turned
    found = np.array(chosen)
    found = found[:, [1, 0, 3, 2]] if turned else found
    found.setflags(write=False)
    return turned, found


def _divisions(way: _Turned, aspects: Sizes) -> Iterator[tuple[int, ...]]:
    """Ways to divide photos into rows, by the number of photos in each."""
    count = len(aspects)
    if count <= PHOTOS_FOR_ALL_DIVISIONS:
        for cuts in range(1 << count - 1):
            ends = [place + 1 for place in range(count - 1) if cuts >> place & 1]
            yield tuple(np.diff([0, *ends, count]).tolist())
        return
    sums = np.cumsum(aspects)
    usual = round(math.sqrt(sums[-1] * way.depth / max(1e-9, way.length)))
    for rows in range(max(1, usual - ROW_COUNTS_TRIED), min(count, usual + ROW_COUNTS_TRIED) + 1):
        ends = np.searchsorted(sums - np.array(aspects) / 2, sums[-1] * np.arange(1, rows) / rows)
        groups = np.diff([0, *ends.tolist(), count])
        if (groups > 0).all():
            yield tuple(groups.tolist())


def with_filled_pages(
    frames: Frames,
    pages: Pages,
    filled: NDArray[np.bool_],
    aspects: NDArray[np.floating],
    gap: float,
    caption: float,
    whole: bool,
) -> Frames:
    """Frames of a book in which the photos of pages with empty cells fill their pages.

    Which frames are `filled` and the `aspects` of what is in them are given one per frame. Full and empty pages stay as
    they are. The cells of a page that were empty belong to the frames that cover them now.
    """
    # Where photos are cropped, a row is higher than a column is wide by the strip of the captions.
    unit = 1.0 if whole else 1.0 + caption
    page_of = pages.page_of(frames.cells)
    boxes, kept, grid = frames.boxes.copy(), np.ones(len(frames), bool), frames.grid.copy()
    size, own = frames.boxes[:, 2] * frames.boxes[:, 3], []
    for page in np.flatnonzero(np.bincount(page_of[filled], minlength=pages.count)).tolist():
        there = np.flatnonzero(page_of == page)
        if filled[there].all():
            continue
        photos = there[filled[there]]
        top, left = pages.origin(page)
        by_column = photos[np.lexsort((frames.cells[photos, 0], frames.cells[photos, 1]))]
        room = Page(pages.columns, pages.rows * unit, gap, caption, 1.0 if whole else LARGEST_STRETCH)
        orders = photos, by_column
        shares = [tuple(np.round(aspects[order], 4).tolist()) for order in orders]
        weights = [tuple((np.ones(len(order)) if whole else size[order]).tolist()) for order in orders]
        turned, found = filled_page(room, shares[0], shares[1], (weights[0], weights[1]))
        boxes[orders[turned]] = found / (1, unit, 1, unit) + (left, top, 0, 0)
        kept[there[~filled[there]]] = False
        own.append((photos, slice(top, top + pages.rows), slice(left, left + pages.columns)))
    for photos, rows, columns in own:
        grid[rows, columns] = _covering(boxes[photos], photos, frames, rows, columns)
    numbers = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
    boxes = boxes[kept]
    boxes.setflags(write=False)
    grid = numbers[grid]
    grid.setflags(write=False)
    return replace(frames, boxes=boxes, cells=frames.cells[kept], grid=grid)


def _covering(boxes: Boxes, photos: Indices, frames: Frames, rows: slice, columns: slice) -> Indices:
    """The frame of each cell of a page: a photo's own cells keep it, others go to the nearest frame."""
    grid = frames.grid[rows, columns]
    down, across = np.mgrid[rows, columns] + 0.5
    x, y, width, height = boxes.T[:, :, None, None]
    away = np.maximum(np.maximum(x - across, across - x - width), 0) + np.maximum(
        np.maximum(y - down, down - y - height), 0
    )
    return np.where(np.isin(grid, photos), grid, photos[away.argmin(axis=0)])
