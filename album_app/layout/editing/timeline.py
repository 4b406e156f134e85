"""Time as an axis of a sheet: edits that order photos by date, chapters, and the marks along the edge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.language import day_in, tr, trn
from album_app.layout.editing.edits import Edit, pinned, with_options
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell, Shape, ShapeSpec
from album_app.photos.album import Photo
from album_app.photos.time_order import in_time_order, moments, stretch, unit_of_span

MARK_SAMPLE = 2000
"""Photos: marks are computed from a sample of at most this size, so that the window does not wait."""

LEAST_APART = 1.0
"""Columns: the least distance of two marks; of several nearer ones only the first is shown."""


@dataclass(frozen=True)
class TimeMark:
    """Words for a stretch of time, and where it begins, in columns from the left edge of the sheet."""

    column: float
    words: str


def time_marks(layout: Layout, photos: Sequence[Photo]) -> list[TimeMark]:
    """A mark for each day, month or year that begins on a sheet whose columns follow time; none on a book's pages.

    It stands where that stretch would begin if the sheet were in perfect order.
    """
    shown = [photo for photo in layout.shown if photos[photo].taken is not None]
    shown = shown[:: -(-len(shown) // MARK_SAMPLE) or 1]
    days = [_day(photos[shown[place]].taken) for place in in_time_order([photos[photo] for photo in shown])]
    if layout.shape.pages is not None or not days:
        return []
    unit = unit_of_span((days[-1] - days[0]).days)
    filled = layout.shape.cells[layout.photo_at >= 0, 1]
    edges = np.searchsorted(np.sort(filled), np.arange(layout.shape.columns + 1)) / len(filled)
    marks: list[TimeMark] = []
    marked_day: date | None = None  # the latest stretch with a mark
    for place, day in enumerate(days):
        if marked_day is not None and stretch(day, unit) == stretch(marked_day, unit):
            continue
        column = float(np.interp(place / len(days), edges, np.arange(layout.shape.columns + 1)))
        if not marks or column - marks[-1].column >= LEAST_APART:
            marks.append(
                TimeMark(column, day_in(day, _skeleton(unit, marked_day is None or day.year != marked_day.year)))
            )
            marked_day = day
    return marks


def _day(taken: datetime | None) -> date:
    assert taken is not None
    return taken.date()


def _skeleton(unit: str, another_year: bool) -> str:
    """The parts of a date that are shown, as a Unicode date skeleton; the year only where it changes."""
    if unit == "day":
        return "MMMd"
    if unit == "month":
        return "yMMM" if another_year else "MMM"
    return "y"


USUAL_WEIGHT = 0.3
"""The weight of time where a timeline is chosen without a weight.

On the sample album, by colour or by content, it is the least weight by which column and date agree with a rank
correlation above 0.9.
"""

MOST_PINNED = 8
"""The most pins along a side: with more of them the sheet does not follow time better, and neighbours match less."""


def along_time(document: Document, pins: Pins) -> Edit | None:
    """Sides pinned by date, and photos compared by date as well."""
    edit = pinned(document, tr("Timeline"), pins)
    before = document if edit is None else edit.document
    weight = document.options.time_weight or USUAL_WEIGHT
    weighed = with_options(before, tr("Timeline"), time_weight=weight)
    return weighed or edit


def without_time(document: Document) -> Edit | None:
    """Photos compared by look alone, and the pins of the timeline let go."""
    ended = _timeline_photos(document)
    rest = Pins({photo: cell for photo, cell in document.pins.items() if photo not in ended})
    edit = pinned(document, tr("No timeline"), rest)
    return with_options(document if edit is None else edit.document, tr("No timeline"), time_weight=0.0) or edit


def _timeline_photos(document: Document) -> set[int]:
    """The photos pinned along the sides that are as early, or as late, as those that a timeline pins there."""
    photos, pins, when = document.dated_photos, document.pins, moments(document.dated_photos)
    free = [photo for photo in document.active if photo not in pins and photos[photo].taken is not None]
    trusted = [photo for photo in free if photos[photo].date is not None]
    found = set()
    for side, sign in zip(side_cells(document.shape), (1, -1), strict=True):
        for photo in (pins.at(cell) for cell in side):
            if photo is not None and photos[photo].taken is not None:
                others = free if photos[photo].date is None else trusted
                if int((sign * when[others] < sign * when[photo]).sum()) < len(side):
                    found.add(photo)
    return found


def side_cells(shape: Shape) -> tuple[list[Cell], list[Cell]]:
    """Some of the cells farthest left and farthest right, from top to bottom: every other one of a column, or fewer.

    >>> from album_app.layout import rectangle
    >>> side_cells(rectangle(3, 4))
    ([(0, 0), (2, 0)], [(0, 3), (2, 3)])
    """
    cells = [(row, column) for row, column in shape.cells.tolist()]
    column = max(1, round(shape.count / shape.columns))
    count = min(MOST_PINNED, (column + 1) // 2)
    sides = (sorted(cells, key=lambda cell: (sign * cell[1], cell[0]))[:column] for sign in (1, -1))
    left, right = (evenly(sorted(side), count) for side in sides)
    return left, right


def evenly(cells: Sequence[Cell], count: int) -> list[Cell]:
    """`count` of the cells, evenly from the first to the last; one of them is the middle cell."""
    places = np.linspace(0, len(cells) - 1, count).round().astype(int) if count > 1 else [len(cells) // 2]
    return [cells[place] for place in places]


def file_time_words(count: int) -> str:
    """A sentence on photos that are dated by their files alone; "" where there are none.

    >>> file_time_words(12)
    '12 photos are dated by their file time only.'
    """
    if not count:
        return ""
    return trn(
        "{count} photo is dated by its file time only.", "{count} photos are dated by their file time only.", count
    )


Reals = NDArray[np.floating[Any]]


def time_axis(photos: Sequence[Photo]) -> NDArray[np.float64]:
    """Where each photo lies in the order of time: of mean 0 and variance 1, alike for equal dates, 0 without a date.

    The order counts and not the hours: a week with many photos gets as much of the sheet as it has photos.

    >>> from datetime import datetime
    >>> from pathlib import Path
    >>> dates = datetime(2024, 5, 2), datetime(2024, 5, 9), datetime(2024, 5, 2), None
    >>> time_axis([Photo(Path("a"), "a", 1, 1, 4, 3, date) for date in dates]).round(2).tolist()
    [-0.82, 1.63, -0.82, 0.0]
    """
    when = moments(photos)
    axis, dated = np.zeros(len(when)), np.isfinite(when)
    axis[dated] = _ranks(when[dated])
    spread = float(np.sqrt((axis**2).mean())) if len(axis) else 0.0
    return axis / spread if spread > 0 else axis


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The place of each value in their order, from the middle of it; equal ones share theirs."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    shared = ends - (counts + 1) / 2
    return np.asarray(shared[which] - (len(values) - 1) / 2)


def blended(features: ArrayLike, photos: Sequence[Photo], weight: float) -> Reals:
    """Features with the order of time as one more column, which holds the share `weight` of all variance.

    At weight 0 they are what they were, at 1 time alone is left.

    >>> from datetime import datetime
    >>> from pathlib import Path
    >>> dated = [Photo(Path("a"), "a", 1, 1, 4, 3, datetime(2024, 5, day)) for day in (1, 2, 3)]
    >>> blended([[0.0], [0.0], [9.0]], dated, 0.5).var(axis=0).round(3).tolist()
    [0.5, 0.5]
    """
    look = np.asarray(features)
    if not weight:
        return look
    centred = look.astype(np.float32) - look.mean(axis=0, dtype=np.float64).astype(np.float32)
    spread = float(np.sqrt(np.vdot(centred, centred) / max(1, len(centred))))
    centred *= np.sqrt(1 - weight) / spread if spread > 0 else 0.0
    return np.column_stack([centred, (np.sqrt(weight) * time_axis(photos)).astype(np.float32)])


def compared(document: Document, features: Reals) -> Reals:
    """The features that a document's photos are compared by: their look, and the order of time as far as it counts."""
    return blended(features, document.dated_photos, document.options.time_weight)


def moments_for_chapters(spec: ShapeSpec, photos: Sequence[Photo]) -> NDArray[np.float64] | None:
    """When photos were taken, as `arrange` wants it for a book of chapters; None for any other shape."""
    return moments(photos) if spec.kind == "pages" and spec.chapters else None


PAGES_OUT_OF_TIME = 1.5
"""Pages between the middle of a pinned photo's page and its place in the order of time; farther pins break the order.

Pages hold more or fewer photos, so that a photo may belong one page further on without breaking the order.
"""


def pins_out_of_time(document: Document) -> list[int]:
    """The photos pinned to a page of another time in a book whose pages are chapters; none in any other sheet."""
    pages = document.shape.pages
    if pages is None or not document.has_chapters:
        return []
    photos = document.album.photos
    order = [document.active[place] for place in in_time_order([photos[photo] for photo in document.active])]
    pages_on = {photo: pages.count * (place + 0.5) / len(order) for place, photo in enumerate(order)}
    return [
        photo
        for photo, cell in document.pins.items()
        if photo in pages_on and abs(int(pages.page_of(cell)[0]) + 0.5 - pages_on[photo]) > PAGES_OUT_OF_TIME
    ]


def timeline_pins(
    photos: Sequence[Photo], features: ArrayLike, shape: Shape, *, candidates: Iterable[int] | None = None
) -> Pins:
    """The earliest of the candidates (all) pinned along the left side and the latest along the right, by date alone.

    Along a side like photos lie next to each other, both sides the same way round. A photo that only its file dates
    is pinned where the others do not suffice.
    """
    from album_app.photos.features.reduction import along_principal_axes  # a starting window does without the solver

    pool = [i for i in (range(len(photos)) if candidates is None else candidates) if photos[i].taken is not None]
    left, right = side_cells(shape)
    trusted = [i for i in pool if photos[i].date is not None]
    pool = trusted if len(trusted) >= len(left) + len(right) else pool
    count = min(len(left), len(pool) // 2)
    if not count or shape.columns < 2:
        raise UsageError(tr("A timeline needs at least two photos with a date, and two columns."))
    order = [pool[place] for place in np.argsort(moments([photos[i] for i in pool]), kind="stable").tolist()]
    tone = along_principal_axes(_centred(features), 1)[:, 0]
    pins: dict[int, Cell] = {}
    for chosen, cells in ((order[:count], left), (order[-count:], right)):
        pins |= dict(zip(sorted(chosen, key=lambda photo: float(tone[photo])), evenly(cells, count), strict=True))
    return Pins(pins)


def _centred(features: ArrayLike) -> NDArray[np.float32]:
    x = np.asarray(features, np.float32)
    return np.asarray(x - x.mean(axis=0))


def with_timeline(pins: Pins, photos: Sequence[Photo], features: ArrayLike, shape: Shape, among: Iterable[int]) -> Pins:
    """The pins, and those of a timeline in the cells that are left, with photos that are left."""
    free = [photo for photo in among if photo not in pins]
    _check_dates([photos[photo] for photo in free])
    for photo, cell in timeline_pins(photos, features, shape, candidates=free).items():
        if pins.at(cell) is None:
            pins = pins.pin(photo, cell)
    return pins


FEW_DAYS = 3
"""Files whose times lie within this many days were probably written by one copy, which tells nothing of the photos."""


def _check_dates(photos: Sequence[Photo]) -> None:
    """Refuse a timeline of photos that only their files date, where these were all written at about one time."""
    dates = [photo.taken for photo in photos if photo.taken is not None]
    if not dates or any(photo.date is not None for photo in photos):
        return
    span = (max(dates) - min(dates)).days + 1
    if span <= FEW_DAYS:
        within = trn("{count} day", "{count} days", span)
        raise UsageError(
            tr("A timeline needs dates: all photos are dated by their files only, within {days}.", days=within)
        )


def flow(layout: Layout, photos: Sequence[Photo]) -> float:
    """How well columns follow time: Spearman's rank correlation of column and date; nan where nothing varies."""
    shown = [photo for photo in layout.shown if photos[photo].taken is not None]
    columns = np.array([layout.positions[photo][1] for photo in shown], np.float64)
    a, b = _ranks(columns), _ranks(moments([photos[photo] for photo in shown]))
    scale = float(np.sqrt((a**2).sum() * (b**2).sum())) if shown else 0.0
    return float((a * b).sum()) / scale if scale > 0 else float("nan")
