"""Justified rows, of whole photos and equal width: exchanges also make them equally full, so that heights are even."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.field import Field
from album_app.layout.arranging.guide import Matrix
from album_app.layout.arranging.polish import (
    CELLS_FOR_GLOBAL_EXCHANGE,
    CELLS_OF_MEDIUM_SHEETS,
    Board,
    Weights,
    further_rounds,
)
from album_app.layout.arranging.refine import Price
from album_app.layout.shapes.shape import Shape
from album_app.work import Stop, check

LARGEST_UNEVENNESS = 0.04
"""Rows are uneven where the standard deviation of their heights is a larger share of the mean height than this."""

EXCHANGES_PER_ROW = 12
"""`even_rows` makes at most this many exchanges per row; more hardly make rows more even."""

PARTNER_CELLS = 240
"""The number of cells compared as partners of an exchange: those of the nearest rows, so that photos stay near."""

UNEVENNESS_WEIGHT = 2.0
"""The cost of a row whose aspects add up to 1 above the mean, in mean distances between photos.

Chosen on 24 to 150 random photos: with a smaller weight more photos are exchanged, with a larger one less similar ones.
"""

USUAL_LENGTH = 20
"""The number of photos in a row for which the weights were chosen; in shorter rows an excess counts more."""


@dataclass(frozen=True, eq=False)
class EvenRows:
    """The price of a photo in a row by how far the row is from being as full as the others.

    The height of a row of photos with the aspects (width by height) a_1, a_2, ... is its width divided by their sum. So
    these sums should be equal: the cost of a sheet is the sum over rows of (sum of a - mean a)^2. An exchange of some
    photos of a row changes it by 2 e (a_new - a_old) for each of them, e the row's excess before, plus at most
    n (a_new - a_old)^2, n the exchanged photos of that row.
    """

    aspects: Matrix  # (photos,)
    excess: Matrix  # (photos,) aspect above the mean of all
    row: Indices  # (cells,) which row each cell belongs to
    weight: float
    caution: float  # factor of the quadratic term, whose upper bound has 1; with less more photos move at once

    @classmethod
    def of(cls, arrangement: Arrangement, aspects: NDArray[np.floating], weight: float, caution: float) -> EvenRows:
        """The cost on an arrangement's rows, for photos with these aspects (photos,)."""
        known = np.where(np.isfinite(aspects) & (aspects > 0.0), aspects, np.nan)
        mean = float(np.nanmean(known[arrangement.photos])) if np.isfinite(known[arrangement.photos]).any() else 1.0
        row = rows_of(arrangement.shape)
        length = len(row) / (int(row.max()) + 1)
        scaled = weight * min(2.0, max(0.5, USUAL_LENGTH / length))
        excess = np.nan_to_num(known - mean).astype(np.float32)
        return cls(excess + np.float32(mean), excess, row, scaled, caution)

    def __call__(self, photo_at: Indices, cells: Indices, photos: Indices) -> Matrix:
        """The price of each photo of a group (B, K) in each cell of the group (B, K): (B, cells, photos)."""
        filled = photo_at >= 0
        sums = np.bincount(self.row[filled], self.excess[photo_at[filled]], minlength=len(self.row))
        counts = np.bincount(self.row[cells].ravel(), minlength=len(self.row))
        here, new = self.excess[photo_at[cells]][:, :, None], self.excess[photos][:, None, :]
        row = self.row[cells]
        cost = 2.0 * sums[row][:, :, None] * new + self.caution * counts[row][:, :, None] * (new - here) ** 2
        return np.asarray(self.weight * cost, dtype=np.float32)

    def of_pairs(self, photo_at: Indices, cells: Indices) -> Matrix:
        """By how much exchanging the photos of two cells makes rows less even: (cells, cells).

        The unit is the cost of one row that is fuller than the mean by the share `LARGEST_UNEVENNESS`.
        """
        sums, row = self._sums(photo_at), self.row[cells]
        error = (sums - sums.mean())[row]
        more = self.aspects[photo_at[cells]] - self.aspects[photo_at[cells]][:, None]
        change = 2.0 * ((error[:, None] - error) * more + more**2) * (row[:, None] != row)
        return np.asarray(change / (LARGEST_UNEVENNESS * sums.mean()) ** 2, dtype=np.float32)

    def unevenness(self, photo_at: Indices) -> float:
        """The standard deviation of the rows' heights as a share of their mean."""
        heights = 1.0 / np.maximum(self._sums(photo_at), 1e-6)
        return float(heights.std() / heights.mean())

    def _sums(self, photo_at: Indices) -> NDArray[np.float64]:
        """The sum of the aspects of the photos in each row: (rows,)."""
        filled = photo_at >= 0
        sums = np.bincount(self.row[filled], self.aspects[photo_at[filled]], minlength=int(self.row.max()) + 1)
        return np.asarray(sums, np.float64)


def rows_of(shape: Shape) -> Indices:
    """Numbers that are equal for the cells of one row of one page: (cells,)."""
    row = shape.cells[:, 0]
    page = np.zeros_like(row) if shape.pages is None else shape.pages.page_of(shape.cells)
    return np.asarray(np.unique(page * (int(row.max()) + 1) + row, return_inverse=True)[1])


LOOSE_STAGE, STRICT_STAGE = (0.15, 0.1), (0.8, 1.0)
"""Weight of even rows and caution in the first and in the second stage: in the first, photos find the cheapest rows."""

NOISE, NOISE_ON_LARGE_SHEETS = 0.2, 0.12
"""`Weights.noise` of the first stage, on sheets of up to `CELLS_OF_MEDIUM_SHEETS` cells and on larger ones."""

DRAWN_IN_STRICT_STAGE = 0.4
"""`Weights.drawn` of the second stage: with fewer photos moving at once, rows come nearer to being even."""

ROUNDS = ((CELLS_FOR_GLOBAL_EXCHANGE, 200, 100), (CELLS_OF_MEDIUM_SHEETS, 100, 50), (10**9, 60, 40))
"""(cells, rounds, rounds): the rounds of the two stages on sheets of up to this many cells.

Chosen by colour on two albums of 320 photos, in one of which proportions depend on what photos show. The other weights
are those of effort fine: in that album DPQ16 is 0.017 higher than on a plain sheet of effort quick and 0.013 lower than
on one of effort fine, in the other album 0.029 higher and 0.005 lower. Twice the weight in the first stage costs 0.03.
"""

Stage = tuple[int, float, float, Weights]


def stages(cells: int) -> tuple[Stage, Stage]:
    """Rounds, weight of even rows, caution, and the other weights, for a sheet with this many cells."""
    loose, strict = next(counts for most, *counts in ROUNDS if cells <= most)
    others = further_rounds("fine", cells)[1] if cells <= CELLS_OF_MEDIUM_SHEETS else Weights.suiting(cells)
    noise = NOISE if cells <= CELLS_OF_MEDIUM_SHEETS else NOISE_ON_LARGE_SHEETS
    return (loose, *LOOSE_STAGE, replace(others, noise=noise)), (
        strict,
        *STRICT_STAGE,
        replace(others, drawn=DRAWN_IN_STRICT_STAGE),
    )


CELLS_FOR_PAIRS = 100
"""On sheets of up to this many cells two photos are exchanged at a time, and all pairs are compared each time."""

PAIR_WEIGHTS = Weights(1.0, kin=13.0, smooth=0.0, nearest=2.0, around=0.18)
"""Plain distances, as in `polish.FURTHER_ROUNDS`."""

PAIR_EXCHANGES = 200
"""The number of exchanges at each cost, over which the noise falls to 0."""

PAIR_NOISE = 0.25
"""The noise of the first exchange, in mean distances of neighbours."""

FIRST_COST_SHARE = 0.05
"""The share of the cost that the first exchange pays; it grows to 1 by the last one."""

UNEVEN_COSTS = (0.7, 1.0, 1.4, 2.0, 4.0)
"""Costs of a row that is fuller by `LARGEST_UNEVENNESS` than the mean, in distances: each is tried until a sheet is
even enough.

Chosen on six draws each of 24 and of 40 photos from three albums. With these exchanges DPQ16 is about 0.08 and 0.05
higher than with those of many photos at once followed by those of the most uneven row alone.
"""


def exchange_pairs(
    field: Field,
    photo_at: Indices,
    movable: Indices,
    rows: EvenRows,
    noise: float = PAIR_NOISE,
    enough: float = LARGEST_UNEVENNESS,
    seed: int = 0,
    price: Price | None = None,
    stop: Stop | None = None,
) -> Iterator[Indices]:
    """Yield a small sheet after each exchange of two photos; the last one is the best of those that are even enough.

    Each exchange is the one with the largest exact gain of neighbours and even rows, plus noise that falls to 0. Where
    no sheet was even enough, the next higher cost is tried; if none succeeds, the most even sheet is taken. A sheet
    that is even `enough` is left alone. Raises `Stopped`.
    """
    rng, pairs = np.random.default_rng(seed), _Pairs.of(field, photo_at, movable, rows, price)
    usual = noise * float(pairs.board.unlikeness(photo_at)[1])
    best = _Rank.of(0.0, rows.unevenness(photo_at), enough)
    for cost in UNEVEN_COSTS:
        if best.is_even or len(movable) < 2:
            break
        sheet, gained = photo_at, 0.0
        for left in np.linspace(1.0, 0.0, PAIR_EXCHANGES):
            check(stop)
            likeness, unevenness = pairs.gains(sheet)
            gains = likeness - cost * FIRST_COST_SHARE ** (left if usual else 0.0) * unevenness
            drawn = gains - usual * left * np.log(rng.exponential(size=gains.shape))
            pair = np.unravel_index(int(drawn.argmax()), gains.shape)
            if not np.isfinite(gains[pair]) or (not usual * left and gains[pair] <= LEAST_GAIN):
                break
            gained += float(likeness[pair])
            sheet = sheet.copy()
            sheet[movable[list(pair)]] = sheet[movable[list(pair[::-1])]]
            yield sheet
            found = _Rank.of(gained, rows.unevenness(sheet), enough)
            if found > best:
                best, photo_at = found, sheet
    yield photo_at


@dataclass(frozen=True, order=True)
class _Rank:
    """The rank of a sheet: even enough comes first, then the gain of neighbours; uneven sheets rank by evenness."""

    is_even: bool
    value: float

    @classmethod
    def of(cls, gained: float, unevenness: float, enough: float) -> _Rank:
        return cls(unevenness <= enough, gained if unevenness <= enough else -unevenness)


LEAST_GAIN = 1e-5
"""Exchanges that gain less are not made: the gain may be a rounding error."""


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The movable cells of a small sheet, and what exchanging the photos of any two of them gains."""

    board: Board
    cells: Indices  # (k,)
    rows: EvenRows
    never: NDArray[np.bool_]  # (k, k) cells that touch, and each pair the other way round
    price: Price | None

    @classmethod
    def of(cls, field: Field, photo_at: Indices, cells: Indices, rows: EvenRows, price: Price | None) -> _Pairs:
        board = Board.of(field, PAIR_WEIGHTS, photo_at)
        touching = (board.around[cells][:, :, None] == cells).any(axis=1)
        return cls(board, cells, rows, touching | np.tri(len(cells), dtype=bool), price)

    def gains(self, photo_at: Indices) -> tuple[Matrix, Matrix]:
        """What neighbours gain by each exchange, -inf for those never made, and what unevenness does: (k, k) each."""
        cells, photos, field = self.cells[None], photo_at[self.cells][None], self.board.field
        scores = field.scores(self.board.vectors(photo_at), cells, photos)
        scores -= self.board.distances(photo_at, cells, photos)
        if self.price is not None:
            scores -= self.price(photo_at, cells, photos)
        own = np.diag(scores[0])
        gains = scores[0] + scores[0].T - own[:, None] - own
        gains[self.never] = -np.inf
        return gains, self.rows.of_pairs(photo_at, self.cells)


def even_rows(
    arrangement: Arrangement, aspects: NDArray[np.floating], photo_at: Indices, stop: Stop | None = None
) -> Indices:
    """Exchange photos between uneven rows until these are about equally high.

    Each exchange is the one with the largest gain of evenness less cost of neighbourhoods. Pinned and held photos stay.
    """
    board = _RowBoard.of(arrangement, aspects, photo_at)
    for _ in range(EXCHANGES_PER_ROW * (int(board.row.max()) + 1)):
        check(stop)
        if board.unevenness <= LARGEST_UNEVENNESS or not board.exchange():
            break
    return board.photo_at


@dataclass
class _RowBoard:
    """Photos in rows, the unevenness of these rows, and the best exchange to reduce it."""

    photo_at: Indices
    row: Indices  # (cells,)
    page: Indices  # (cells,) rows of different pages need not be equally high
    aspect_at: NDArray[np.float64]  # (cells,)
    points: NDArray[np.float64]  # (photos, axes), the mean distance of two is 1
    around: Indices  # (cells, most) touching cells, -1 for none
    movable: NDArray[np.bool_]  # (cells,)

    @classmethod
    def of(cls, arrangement: Arrangement, aspects: NDArray[np.floating], photo_at: Indices) -> _RowBoard:
        shape, points = arrangement.shape, arrangement.space.points.astype(np.float64)
        spread = np.sqrt(2 * ((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()) or 1.0
        movable = np.zeros(shape.count, bool)
        movable[arrangement.free_cells] = True
        around = replace(shape, is_justified=False).frames().touching
        page = np.zeros(shape.count, np.int64) if shape.pages is None else shape.pages.page_of(shape.cells)
        aspect_at = np.asarray(aspects, np.float64)[photo_at]
        movable &= photo_at >= 0
        return cls(photo_at.copy(), rows_of(shape), page, aspect_at, points / spread, around, movable)

    @property
    def _errors(self) -> NDArray[np.float64]:
        """The sum of the aspects in each row, less the mean of the rows of its page."""
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
        return own, elsewhere[np.argsort(np.abs(self.row[elsewhere] - row), kind="stable")][:PARTNER_CELLS]

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
