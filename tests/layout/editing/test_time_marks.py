"""Marks along the edge of a timeline: where a month begins, and what it is called."""

from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np

from album_app import language
from album_app.layout import Layout, Shape, rectangle
from album_app.layout.editing.timeline import time_marks
from album_app.layout.shapes.shape import book
from album_app.photos.album import Photo


def dated(days: list[date | None]) -> list[Photo]:
    moments = [None if day is None else datetime(day.year, day.month, day.day, 12) for day in days]
    return [Photo(Path(f"{i}.jpg"), f"{i}.jpg", 1, 1, 4, 3, moment) for i, moment in enumerate(moments)]


def every(step: int, count: int, first: date = date(2025, 1, 1)) -> list[date | None]:
    return [first + timedelta(days=step * k) for k in range(count)]


def marked(shape: Shape, days: list[date | None], photo_at: list[int] | None = None) -> list[tuple[float, str]]:
    order = np.arange(shape.count) if photo_at is None else np.array(photo_at)
    layout = Layout(shape, order, np.ones(shape.count, np.float32))
    return [(round(mark.column, 2), mark.words) for mark in time_marks(layout, dated(days))]


def test_months_begin_where_their_photos_would_in_perfect_order() -> None:
    assert marked(rectangle(1, 6), every(15, 6)) == [(0, "Jan 2025"), (3, "Feb"), (4, "Mar")]


def test_the_year_is_told_where_it_changes_and_the_order_on_the_sheet_does_not_matter() -> None:
    days = every(20, 6, date(2024, 11, 25))
    assert marked(rectangle(2, 3), days, [5, 4, 3, 2, 1, 0]) == [(0, "Nov 2024"), (1, "Jan 2025"), (2, "Feb")]


def test_a_short_journey_has_days_and_a_long_time_years() -> None:
    assert marked(rectangle(1, 3), every(1, 3)) == [(0, "1 Jan"), (1, "2 Jan"), (2, "3 Jan")]
    assert marked(rectangle(1, 3), every(700, 3)) == [(0, "2025"), (1, "2026"), (2, "2028")]


def test_marks_do_not_crowd() -> None:
    assert len(marked(rectangle(1, 4), every(1, 40), [*range(4)])) <= 4
    many = marked(rectangle(10, 4), every(9, 40))
    assert all(b[0] - a[0] >= 1 for a, b in pairwise(many))


def test_without_dates_and_on_pages_there_are_none() -> None:
    assert marked(rectangle(1, 2), [None, None]) == []
    assert marked(book(2, 1, 1), every(30, 2)) == []


def test_empty_cells_take_no_time() -> None:
    assert marked(rectangle(1, 4), every(60, 2), [0, 1, -1, -1])[1] == (1, "Mar")


def test_months_are_called_as_the_language_does() -> None:
    before = language.current()
    language.use("de")
    try:
        assert marked(rectangle(1, 6), every(60, 6))[-1][1] == "Okt"
    finally:
        language.use(before)
