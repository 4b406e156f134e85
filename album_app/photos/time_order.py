"""Photos in the order of time, and the chapters that they are divided into."""

import math
from collections.abc import Sequence
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from album_app.photos.album import Photo
from album_app.photos.decoding.header import FILE, moment

Reals = NDArray[np.float64]

EPOCH = datetime(1970, 1, 1)
"""The date from which moments count seconds."""

LATEST_SECONDS = 1e12
"""Seconds; a photo dated later than this counts as undated."""

DAYS_FOR_DAYS, DAYS_FOR_MONTHS = 45, 3 * 366
"""Days between the first and the last photo: up to the first number time is divided into days, up to the second into
months, then into years."""

UNITS = ("day", "week", "month", "year")
"""What time is divided into, the shortest first."""

LEAST_SPAN = {"day": 0, "week": 21, "month": 31, "year": 366}
"""Days between the first and the last page; a book is divided into a unit only where they are more."""

CHAPTER_EXPONENT = 1 / 3
"""The wanted number of pages in a chapter is the number of all pages to this power: 3 of 27, 5 of 125."""

LARGEST_EXACT_PROBLEM = 400_000
"""Chapters times photos; up to this product the best chapters are found exactly."""


def moments(photos: Sequence[Photo]) -> Reals:
    """When each photo was taken, in seconds; infinity where no date is known.

    >>> from datetime import datetime
    >>> from pathlib import Path
    >>> dated = [Photo(Path("a"), "a", 1, 1, 4, 3, datetime(2024, 5, day)) for day in (3, 1)]
    >>> (moments(dated) - moments(dated).min()).tolist()
    [172800.0, 0.0]
    """
    return np.array([math.inf if photo.taken is None else moment(photo.taken) for photo in photos], np.float64)


def in_time_order(photos: Sequence[Photo]) -> list[int]:
    """The photos from the oldest to the newest, by index; those without a date come last, in their own order.

    >>> from datetime import datetime
    >>> from pathlib import Path
    >>> dates = datetime(2024, 5, 3), None, datetime(2024, 5, 1)
    >>> in_time_order([Photo(Path("a"), "a", 1, 1, 4, 3, date) for date in dates])
    [2, 0, 1]
    """
    order: list[int] = np.argsort(moments(photos), kind="stable").tolist()
    return order


def by_file_time(photos: Sequence[Photo]) -> list[int]:
    """The photos, by index, whose only date is the time of their file, which copying may have changed."""
    return [index for index, photo in enumerate(photos) if photo.taken_by == FILE]


def unit_of_span(span: int) -> str:
    """The unit that divides a number of days best: days, months or years.

    >>> unit_of_span(10), unit_of_span(300), unit_of_span(3000)
    ('day', 'month', 'year')
    """
    return "day" if span <= DAYS_FOR_DAYS else "month" if span <= DAYS_FOR_MONTHS else "year"


def stretch(day: date, unit: str) -> tuple[int, ...]:
    """The day, the week from Monday on, the month or the year that a day belongs to.

    >>> [stretch(date(2026, 7, 4), unit) for unit in UNITS]
    [(2026, 7, 4), (2026, 27), (2026, 7), (2026,)]
    """
    if unit == "week":
        return day.isocalendar()[:2]
    return (day.year, day.month, day.day)[: {"day": 3, "month": 2, "year": 1}[unit]]


def unit_of_chapters(middles: Sequence[date]) -> str:
    """The unit that divides a book best, given the day in the middle of each page, in the order of time.

    It is the one whose chapters are nearest to the wanted length, and makes two chapters at least. Few photos with a
    date far from all others are in the middle of no page, so they do not count.

    >>> days = [date(2025, 7, 5 + page) for page in range(20)]
    >>> unit_of_chapters(days[:5]), unit_of_chapters([*days, date(2025, 8, 3)])
    ('day', 'week')
    """
    if not middles:
        return "day"
    pages, span = len(middles), (middles[-1] - middles[0]).days
    numbers = {unit: len({stretch(day, unit) for day in middles}) for unit in UNITS if span > LEAST_SPAN[unit]}
    wanted = pages**CHAPTER_EXPONENT
    return min(
        reversed([unit for unit in numbers if numbers[unit] > 1]),
        key=lambda unit: abs(math.log(pages / numbers[unit] / wanted)),
        default="day",
    )


def chapters(when: Sequence[float], count: int, most: int | Sequence[int]) -> list[int]:
    """Where chapters begin in photos that are ordered by time: `count` of them, with at most `most` photos each.

    `most` is one number, or one for each chapter. Chapters begin where another day, week, month or year begins
    (`unit_of_chapters`), and where the pauses before them are longest in sum. Each has at least a third of an even
    share of the photos.

    >>> chapters([0, 1, 2, 60, 61, 300], 3, 4)
    [0, 3, 5]
    >>> chapters([0, 1, 2, 60, 61, 300], 2, 3)
    [0, 3]
    """
    photos = len(when)
    mosts = [most] * count if isinstance(most, int) else list(most)
    if len(mosts) != count or not 0 < count <= photos <= sum(mosts) or min(mosts) < 1:
        raise ValueError(f"{photos} photos do not fill {count} chapters of 1 to {most}")
    pauses = np.append(0.0, np.diff(np.minimum(when, LATEST_SECONDS)))  # before each photo
    pauses[_first_ones(when, count)] += float(pauses[np.asarray(when) < LATEST_SECONDS].sum())  # more than any pause
    return _breaks(pauses, max(1, photos // (3 * count)), mosts)


def _first_ones(when: Sequence[float], pages: int) -> list[int]:
    """The photos that are the first of a day, week, month or year, whichever suits this number of pages."""
    days = [(EPOCH + timedelta(seconds=moment)).date() for moment in when if moment < LATEST_SECONDS]
    if not days:
        return []
    unit = unit_of_chapters([days[(2 * page + 1) * len(days) // (2 * pages)] for page in range(pages)])
    found = [stretch(day, unit) for day in days]
    return [place for place in range(1, len(found)) if found[place] != found[place - 1]]


def _breaks(pauses: Reals, least: int, mosts: Sequence[int]) -> list[int]:
    """Where chapters begin, each with at least `least` and at most its number in `mosts`; a long album is halved."""
    count = len(mosts)
    cut, before = _parted(pauses, least, mosts) if count * len(pauses) > LARGEST_EXACT_PROBLEM else (0, 0)
    if not cut:
        return _best_breaks(pauses, least, mosts)
    after = _breaks(pauses[cut:], least, mosts[before:])
    return _breaks(pauses[:cut], least, mosts[:before]) + [cut + begin for begin in after]


def _parted(pauses: Reals, least: int, mosts: Sequence[int]) -> tuple[int, int]:
    """The longest pause about the middle, and the share of chapters before it; (0, 0) where chapters would not fit."""
    photos, count = len(pauses), len(mosts)
    cuts = np.arange(photos // 3, 2 * photos // 3)
    shares = np.rint(count * cuts / photos).astype(np.int64)
    room = np.append(0, np.cumsum(mosts))  # in the chapters before each
    fits = (shares * least <= cuts) & (cuts <= room[shares])
    fits &= ((count - shares) * least <= photos - cuts) & (photos - cuts <= room[-1] - room[shares])
    if not fits.any():
        return 0, 0
    best = int(np.where(fits, pauses[cuts], -np.inf).argmax())
    return int(cuts[best]), int(shares[best])


def _best_breaks(pauses: Reals, least: int, mosts: Sequence[int]) -> list[int]:
    """The breaks whose pauses have the largest sum, by dynamic programming: chapter after chapter, for every end."""
    photos, count = len(pauses), len(mosts)
    best = np.full(photos + 1, -np.inf)  # the pauses before the chapters so far, by how many photos these hold
    best[0] = 0.0
    begins = np.zeros((count, photos + 1), np.int32)
    for chapter in range(count):
        before, best = best, np.full(photos + 1, -np.inf)
        for size in range(min(least, mosts[chapter]), min(mosts[chapter], photos) + 1):
            ended = before[:-size] + pauses[: photos + 1 - size]
            better = np.flatnonzero(ended > best[size:])
            best[size + better] = ended[better]
            begins[chapter, size + better] = better
    end, found = photos, []
    for chapter in reversed(range(count)):
        end = int(begins[chapter, end])
        found.append(end)
    return found[::-1]
