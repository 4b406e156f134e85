"""Sheets whose frames differ: large photos that cover blocks of cells, and whole photos in rows of equal width.

A photo of size s enters the arrangement as s x s copies of itself. Its block goes to the free window nearest to where
it was, or where its copies gathered on a first sheet; there the copies are pinned, and the other photos make room.
Rows become equally high by exchanges of photos that cost the neighbourhoods least.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.layout.arranging.arrange import arrange
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.shapes.blocks import block_places, middles
from album_app.layout.shapes.shape import Cell, Shape
from album_app.work import Stop

Indices = NDArray[np.int64]

EVEN_ENOUGH = 0.037
"""Rows are exchanged until the standard deviation of their heights is this share of the mean height."""
EXCHANGES_PER_ROW = 12
"""At most this many exchanges for each row; more make rows hardly more even."""
PARTNERS = 240
"""Cells that are looked at as partners of an exchange: those of the nearest rows, so that photos stay near."""
AXES = 24
"""Principal axes of the features by which photos are compared while rows are made even."""
UNEVENNESS_WEIGHT = 1.0
"""What an aspect too many in a row costs, in mean distances between photos; chosen on flickr320 and bsds320."""


def arrange_framed(
    features: ArrayLike,
    shape: Shape,
    pins: Pins | None = None,
    options: Options | None = None,
    *,
    sizes: Mapping[int, int] | None = None,
    aspects: NDArray[np.floating] | None = None,
    active: Sequence[int] | None = None,
    warm: Layout | None = None,
    on_step: Callable[[Layout], None] | None = None,
    stop: Stop | None = None,
    **others: Any,
) -> Layout:
    """`arrange` for photos of several `sizes`, and for justified rows by the photos' `aspects` (width by height).

    `sizes` has the photos that are to cover size x size cells; one that finds no room keeps size 1, and the layout's
    own `sizes` lacks it. `others` are those of `arrange`.

    >>> from album_app.layout import rectangle
    >>> layout = arrange_framed(np.arange(9.0)[:, None], rectangle(3, 4), sizes={4: 2})
    >>> len(layout.frames()), sorted(layout.shown) == list(range(9)), layout.sizes
    (9, True, {4: 2})
    """
    x = np.asarray(features)
    active = list(range(len(x))) if active is None else list(active)
    wanted = {photo: size for photo, size in (sizes or {}).items() if size > 1 and photo in set(active)}
    if shape.is_justified or shape.shift:
        wanted = {}
    if wanted:
        blocks = _Blocks(x, shape, pins or Pins(), options, active, on_step, stop, others)
        return blocks.arranged(wanted, warm)
    layout = arrange(x, shape, pins, options, active=active, warm=warm, on_step=on_step, stop=stop, **others)
    layout = replace(layout, sizes={})
    if not shape.is_justified or aspects is None:
        return layout
    return even_rows(replace(layout, aspects=np.asarray(aspects, np.float32)), x, options or Options())


@dataclass(frozen=True)
class _Blocks:
    """An arrangement with large photos."""

    features: NDArray[Any]
    shape: Shape
    pins: Pins
    options: Options | None
    active: list[int]
    on_step: Callable[[Layout], None] | None
    stop: Stop | None
    others: Mapping[str, Any]

    def arranged(self, wanted: Mapping[int, int], warm: Layout | None) -> Layout:
        """The sheet; photos that find no room have size 1."""
        anywhere = dict.fromkeys(wanted, (0.0, 0.0))
        sizes = {photo: wanted[photo] for photo in block_places(self.shape, wanted, self.pins, anywhere)}
        near = warm is not None and warm.arranged and warm.shape.same_cells(self.shape)
        first, places = warm, dict[int, Cell]()
        if sizes and not near:
            first = self._solve(_Copies.of(sizes, len(self.features)), {}, warm, quiet=True)
        while sizes and first is not None:
            targets = middles(self.shape, first.photo_at, sizes)
            places = block_places(self.shape, sizes, self.pins, targets)
            if places.keys() == sizes.keys():
                break
            sizes = {photo: size for photo, size in sizes.items() if photo in places}
        return self._solve(_Copies.of(sizes, len(self.features)), places, first)

    def _solve(self, copies: _Copies, places: Mapping[int, Cell], warm: Layout | None, quiet: bool = False) -> Layout:
        """Arrange photos and copies, with the copies of placed photos pinned in their blocks."""
        pins = dict(self.pins)
        for photo, (row, column) in places.items():
            size = copies.sizes[photo]
            cells = [(row + down, column + right) for down in range(size) for right in range(size)]
            pins.update(zip(copies.of_photo[photo], cells, strict=True))
        others = dict(self.others)
        for name in ("when", "quality"):
            if others.get(name) is not None:
                others[name] = np.concatenate([others[name], np.asarray(others[name])[copies.originals]])
        others["always"] = [*others.get("always", ()), *(c for group in copies.of_photo.values() for c in group)]
        on_step = self.on_step

        def show(step: Layout) -> None:
            if on_step is not None:
                on_step(copies.joined(step, self.pins))

        layout = arrange(
            np.concatenate([self.features, self.features[copies.originals]]),
            self.shape,
            Pins(pins),
            self.options,
            active=[*self.active, *range(len(self.features), len(self.features) + len(copies.originals))],
            warm=None if warm is None else copies.parted(warm, places),
            on_step=show if on_step is not None and not quiet else None,
            stop=self.stop,
            **others,
        )
        return copies.joined(layout, self.pins)


@dataclass(frozen=True)
class _Copies:
    """The copies that stand for the further cells of large photos: photos of their own after all others."""

    sizes: Mapping[int, int]
    of_photo: Mapping[int, list[int]]  # a large photo -> itself and its copies
    originals: Indices  # (copies,) whose copy each is
    photos: int  # of the album

    @classmethod
    def of(cls, sizes: Mapping[int, int], photos: int) -> _Copies:
        of_photo, originals = {}, list[int]()
        for photo, size in sorted(sizes.items()):
            begin = photos + len(originals)
            of_photo[photo] = [photo, *range(begin, begin + size**2 - 1)]
            originals += [photo] * (size**2 - 1)
        return cls(dict(sizes), of_photo, np.array(originals, np.int64), photos)

    def joined(self, layout: Layout, pins: Pins) -> Layout:
        """A layout of photos and copies as one of photos alone."""
        photo_of = np.append(np.concatenate([np.arange(self.photos), self.originals]), -1)
        resembles = {left: int(photo_of[shown]) for left, shown in layout.resembles.items() if left < self.photos}
        photo_at = photo_of[layout.photo_at]
        joined = replace(layout, photo_at=photo_at, pins=pins, resembles=resembles, guide=None, sizes=dict(self.sizes))
        return replace(joined, sizes={photo: self.sizes[photo] for photo in joined.blocks})

    def parted(self, layout: Layout, places: Mapping[int, Cell]) -> Layout:
        """A layout of photos as one of photos and copies, as far as it has the cells for them."""
        photo_at = layout.photo_at.copy()
        pins = dict(layout.pins)
        for photo, group in self.of_photo.items():
            cells = np.flatnonzero(photo_at == photo)
            photo_at[cells] = (group + [-1] * len(cells))[: len(cells)]
            if photo in layout.blocks and layout.blocks[photo] == places.get(photo):
                pins.update(zip(group, map(layout.shape.cell, cells.tolist()), strict=False))
        again = {photo for photo in layout.blocks if photo not in self.of_photo}
        for photo in again:  # it was large and is not any more
            photo_at[np.flatnonzero(photo_at == photo)[1:]] = -1
        return replace(layout, photo_at=photo_at, pins=Pins(pins), sizes={}, guide=None)


def even_rows(layout: Layout, features: NDArray[Any], options: Options) -> Layout:
    """Exchange photos between rows until these are about equally high, at the least cost to their neighbourhoods.

    Pinned photos stay. A row is the higher the smaller the sum of its photos' aspects is.
    """
    aspects, shape = layout.aspects, layout.shape
    if aspects is None:
        return layout
    pages = shape.pages.page_of(shape.cells) if shape.pages is not None else np.zeros(shape.count, np.int64)
    _, row = np.unique(np.stack([pages, shape.cells[:, 0]]), axis=1, return_inverse=True)
    board = _RowBoard.of(layout, features, row.ravel(), pages)
    for _ in range(EXCHANGES_PER_ROW * (int(row.max()) + 1)):
        if board.unevenness <= EVEN_ENOUGH or not board.exchange():
            break
    return replace(layout, photo_at=board.photo_at, guide=None, scores={})


@dataclass
class _RowBoard:
    """Photos in rows, how uneven these are, and the best exchange that makes them less so."""

    photo_at: Indices
    row: Indices  # (cells,)
    page: Indices  # (cells,) rows of different pages need not be equally high
    aspect_at: NDArray[np.float64]  # (cells,)
    points: NDArray[np.float64]  # (photos, axes), the mean distance of two is 1
    around: Indices  # (cells, most) touching cells, -1 for none
    movable: NDArray[np.bool_]  # (cells,)

    @classmethod
    def of(cls, layout: Layout, features: NDArray[Any], row: Indices, page: Indices) -> _RowBoard:
        points = np.asarray(features, np.float64)
        points = points - points.mean(axis=0)
        if points.shape[1] > AXES:
            _, axes = np.linalg.eigh(points.T @ points)
            points = points @ axes[:, -AXES:]
        spread = np.sqrt(2 * (points**2).sum(axis=1).mean()) or 1.0
        pinned = {layout.shape.index_of(cell) for cell in layout.pins.values()}
        movable = layout.photo_at >= 0
        movable[sorted(pinned)] = False
        known = np.ones(1) if layout.aspects is None else np.asarray(layout.aspects, np.float64)
        aspect_at = known[np.clip(layout.photo_at, 0, len(known) - 1)]
        plain = replace(layout.shape, is_justified=False, pages=layout.shape.pages)
        around = plain.frames().touching
        return cls(layout.photo_at.copy(), row, page, aspect_at, points / spread, around, movable)

    @property
    def _errors(self) -> NDArray[np.float64]:
        """How much wider the photos of each row are than those of a usual row of its page, in aspects."""
        sums = np.bincount(self.row, weights=np.where(self.photo_at >= 0, self.aspect_at, 0.0))
        page = np.zeros(len(sums), np.int64)
        page[self.row] = self.page
        usual = np.bincount(page, weights=sums) / np.maximum(np.bincount(page), 1)
        return np.asarray(sums - usual[page])

    @property
    def unevenness(self) -> float:
        """The standard deviation of the rows' heights as a share of their mean."""
        sums = np.bincount(self.row, weights=np.where(self.photo_at >= 0, self.aspect_at, 0.0))
        heights = 1 / np.maximum(sums, 1e-6)
        return float(heights.std() / heights.mean())

    def exchange(self) -> bool:
        """Make the best exchange between the row that is farthest off and the rows around it; whether there is one."""
        errors = self._errors
        return any(self._exchange_in(worst, errors) for worst in np.argsort(-np.abs(errors))[:3].tolist())

    def _partners(self, row: int) -> tuple[Indices, Indices]:
        """The cells of a row whose photos may move, and those of the nearest other rows of its page."""
        own = np.flatnonzero(self.movable & (self.row == row))
        if not len(own):
            return own, own
        elsewhere = np.flatnonzero(self.movable & (self.row != row) & (self.page == self.page[own[0]]))
        return own, elsewhere[np.argsort(np.abs(self.row[elsewhere] - row), kind="stable")][:PARTNERS]

    def _swap(self, one: int, other: int) -> None:
        for values in (self.photo_at, self.aspect_at):
            values[[one, other]] = values[[other, one]]

    def _exchange_in(self, worst: int, errors: NDArray[np.float64]) -> bool:
        own, elsewhere = self._partners(worst)
        if not len(own) or not len(elsewhere):
            return False
        more = self.aspect_at[elsewhere][None, :] - self.aspect_at[own][:, None]  # what the worst row gains
        other = errors[self.row[elsewhere]][None, :]
        before = errors[worst] ** 2 + other**2
        gain = before - (errors[worst] + more) ** 2 - (other - more) ** 2
        cost = self._cost(own, elsewhere)
        value = np.where(gain > 1e-4, UNEVENNESS_WEIGHT * gain - cost, -np.inf)
        here, there = np.unravel_index(int(value.argmax()), value.shape)
        if not np.isfinite(value[here, there]):
            return False
        self._swap(int(own[here]), int(elsewhere[there]))
        return True

    def _cost(self, own: Indices, elsewhere: Indices) -> NDArray[np.float64]:
        """How much farther photos are from their neighbours after each exchange, summed: (own, elsewhere)."""
        x_own, x_other = self.points[self.photo_at[own]], self.points[self.photo_at[elsewhere]]
        moved = self._to_neighbours(own, x_other) + self._to_neighbours(elsewhere, x_own).T
        stays = np.diag(self._to_neighbours(own, x_own))[:, None] + np.diag(self._to_neighbours(elsewhere, x_other))
        return np.asarray(moved - stays)

    def _to_neighbours(self, cells: Indices, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """The distances of photos to the neighbours of cells, summed: (cells, photos)."""
        total = np.zeros((len(cells), len(x)))
        for around in self.around[cells].T:
            there = (around >= 0) & (self.photo_at[around] >= 0)
            total += _distances(self.points[self.photo_at[around]], x) * there[:, None]
        return total


def _distances(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    squares = (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1) - 2 * x @ y.T
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))
