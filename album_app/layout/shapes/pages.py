"""Pages of a book: equal sheets side by side that are never neighbours of each other across the fold."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]

GUTTER = 1
"""Empty cells between pages that stand side by side."""
SPREAD_ASPECT = 1.5
"""Width by height that all pages together are to have: about that of a window."""


SPARE_PAGES = 1.25
"""Factor: a book with chapters has this many times the pages that its photos would fill, so that chapters can end
early."""


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
        """The widest neighbourhood: from a cell that far in all directions lies the whole page."""
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
        """Cells (k, 2) as they lie in one row of pages, any two of different pages farther apart than two of one."""
        page = self.page_of(cells)
        apart = self.columns + math.ceil(math.hypot(self.rows - 1, self.columns - 1))
        within = cells % (self.rows + GUTTER, self.columns + GUTTER)
        return np.asarray(within + np.stack([np.zeros_like(page), apart * page], axis=1))


def pages_needed(photos: int, size: int, chapters: bool = False) -> int:
    """How many pages of `size` cells the photos take, with some to spare where pages are chapters.

    >>> pages_needed(40, 20), pages_needed(40, 20, chapters=True)
    (2, 3)
    """
    return max(1, math.ceil(photos * (SPARE_PAGES if chapters else 1) / max(1, size)))
