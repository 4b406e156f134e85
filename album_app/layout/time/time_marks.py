"""Months and years along the edge of a timeline: which one begins at which column."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np

from album_app.language import day_in
from album_app.layout.layout import Layout
from album_app.photos.album import Photo
from album_app.photos.time_order import in_time_order

DAYS_FOR_DAYS, DAYS_FOR_MONTHS = 45, 3 * 366
"""Up to so many days between the first and the last photo days are told, up to so many months, beyond them years."""

MOST = 2000
"""Of more photos than this some, evenly chosen, tell where a stretch begins: a window must not wait for its marks."""

LEAST_APART = 1.0
"""Columns between two marks: of several that begin closer the first is told."""


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
    shown = shown[:: -(-len(shown) // MOST) or 1]
    days = [_day(photos[shown[place]].taken) for place in in_time_order([photos[photo] for photo in shown])]
    if layout.shape.pages is not None or not days:
        return []
    span = (days[-1] - days[0]).days
    filled = layout.shape.cells[layout.photo_at >= 0, 1]
    edges = np.searchsorted(np.sort(filled), np.arange(layout.shape.columns + 1)) / len(filled)
    marks: list[TimeMark] = []
    told: date | None = None  # the latest stretch with a mark
    for place, day in enumerate(days):
        if told is not None and _stretch(day, span) == _stretch(told, span):
            continue
        column = float(np.interp(place / len(days), edges, np.arange(layout.shape.columns + 1)))
        if not marks or column - marks[-1].column >= LEAST_APART:
            marks.append(TimeMark(column, day_in(day, _skeleton(span, told is None or day.year != told.year))))
            told = day
    return marks


def _day(taken: datetime | None) -> date:
    assert taken is not None
    return taken.date()


def _stretch(day: date, span: int) -> tuple[int, ...]:
    """The day, month or year that a day belongs to."""
    return (day.year, day.month, day.day)[: 3 if span <= DAYS_FOR_DAYS else 2 if span <= DAYS_FOR_MONTHS else 1]


def _skeleton(span: int, another_year: bool) -> str:
    """What of a day is told, in the letters of Unicode's date skeletons; the year where it is another one."""
    if span <= DAYS_FOR_DAYS:
        return "MMMd"
    if span <= DAYS_FOR_MONTHS:
        return "yMMM" if another_year else "MMM"
    return "y"
