"""Photos in the order of time, and chapters that begin after long pauses."""

import doctest
from datetime import UTC, datetime, timedelta, timezone
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from album_app.photos import time_order
from album_app.photos.album import Photo
from album_app.photos.decoding.header import CAMERA, FILE
from album_app.photos.time_order import by_file_time, chapters, in_time_order


def photo(taken: datetime | None, by: str = CAMERA) -> Photo:
    return Photo(Path("p.jpg"), "p.jpg", 1, 1, 4, 3, taken, by)


def test_the_examples_hold() -> None:
    failed, tried = doctest.testmod(time_order)
    assert tried and not failed


def test_time_zones_count_and_photos_without_a_date_come_last() -> None:
    noon = datetime(2024, 5, 1, 12, tzinfo=UTC)
    later = datetime(2024, 5, 1, 12, tzinfo=timezone(timedelta(hours=-2)))
    assert in_time_order([photo(None), photo(later), photo(noon), photo(None)]) == [2, 1, 0, 3]


def test_photos_dated_by_their_file_alone_are_named() -> None:
    day = datetime(2024, 5, 1)
    assert by_file_time([photo(day), photo(day, FILE), photo(None, "")]) == [1]


@pytest.mark.parametrize(("count", "most"), [(3, 40), (5, 9), (7, 6)])
def test_chapters_begin_where_the_pauses_before_them_have_the_largest_sum(count: int, most: int) -> None:
    when = np.cumsum(np.random.default_rng(count).exponential(1, 12) ** 3)

    def gain(begins: tuple[int, ...]) -> float:
        return float(sum(when[k] - when[k - 1] for k in begins if k))

    allowed = [
        (0, *inner)
        for inner in combinations(range(1, len(when)), count - 1)
        if max(sizes := np.diff((0, *inner, len(when)))) <= most and min(sizes) >= max(1, len(when) // (3 * count))
    ]
    assert tuple(chapters(when.tolist(), count, most)) == max(allowed, key=gain)


def test_no_chapter_is_a_photo_alone_where_the_others_are_full() -> None:
    when = [*range(30), 1000.0, 2000.0, 3000.0]
    begins = chapters(when, 3, 20)
    assert min(np.diff([*begins, len(when)])) >= 3


@pytest.mark.parametrize("most", [20, 23])
def test_chapters_of_very_many_photos_hold_them_all(most: int) -> None:
    pauses = np.random.default_rng(0).exponential(1, 20_000) ** 3
    begins = chapters(np.cumsum(pauses).tolist(), 1000, most)
    sizes = np.diff([*begins, 20_000])
    assert len(begins) == 1000 and sizes.min() >= 6 and sizes.max() <= most
    if most > 20:
        assert pauses[begins].mean() > 2 * pauses.mean(), "they break where time pauses"


def test_chapters_that_cannot_hold_the_photos_are_refused() -> None:
    with pytest.raises(ValueError, match="7 photos do not fill 2 chapters"):
        chapters(list(range(7)), 2, 3)


def test_photos_without_a_date_fill_the_last_chapters() -> None:
    assert chapters([0.0, 1.0, float("inf"), float("inf")], 2, 3) == [0, 2]


def test_chapters_keep_to_the_room_of_each_page_and_break_where_a_month_begins() -> None:
    day = 86_400.0
    when = sorted([*np.arange(0, 28, 2) * day, *(31 + np.arange(0, 28, 4)) * day, *(59 + np.arange(0, 30, 3)) * day])
    begins = chapters(when, 4, [14, 3, 5, 12])
    sizes = np.diff([*begins, len(when)])
    assert (sizes <= [14, 3, 5, 12]).all() and (sizes > 0).all()
    assert begins[1] == 14 and 21 in begins, "the first photos of February and March"
    with pytest.raises(ValueError):
        chapters(when, 4, [14, 3, 5, 2])


def test_a_stray_date_does_not_decide_where_pages_break() -> None:
    """Two months by day on ten pages break at weeks, though one photo is twenty years older."""
    day, monday = 86_400.0, 20_269 * 86_400.0  # 30 June 2025
    when = [monday - 7300 * day, *(monday + day * np.repeat(np.arange(56), 3) + 60 * np.tile(np.arange(3), 56))]
    begins = chapters(when, 10, 24)
    weeks = {1 + 21 * week for week in range(1, 8)}
    assert weeks <= set(begins)
