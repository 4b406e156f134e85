"""Time as an axis: the blend of look and date, the sides that are pinned, and how well columns follow time."""

import doctest
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.layout import Layout, Options, Pins, Shape, arrange, rectangle
from album_app.layout.editing import timeline
from album_app.layout.editing.timeline import (
    along_time,
    blended,
    compared,
    flow,
    side_cells,
    time_axis,
    timeline_pins,
    with_timeline,
    without_time,
)
from album_app.layout.project.project_file import load_project, save_project
from album_app.photos.album import Photo
from album_app.photos.decoding.header import CAMERA, FILE
from tests.layout.conftest import FAST, make_document, photos

DAY = datetime(2024, 5, 1)


def dated(days: list[int | None], by: str = CAMERA) -> list[Photo]:
    dates = [None if day is None else DAY + timedelta(days=day) for day in days]
    return [Photo(Path(f"{i}.jpg"), f"{i}.jpg", 1, 1, 4, 3, date, by) for i, date in enumerate(dates)]


def sheet(shape: Shape, photo_at: list[int]) -> Layout:
    return Layout(shape, np.array(photo_at), np.ones(shape.count, np.float32))


def test_the_examples_hold() -> None:
    failed, tried = doctest.testmod(timeline)
    assert tried and not failed


def test_without_weight_features_are_the_very_same() -> None:
    look = photos(6)
    assert blended(look, dated([*range(6)]), 0.0) is look


@pytest.mark.parametrize("weight", [0.2, 0.7, 1.0])
def test_time_holds_its_share_of_the_variance(weight: float) -> None:
    variances = blended(photos(40, axes=5), dated([*range(40)]), weight).var(axis=0)
    assert variances[-1] == pytest.approx(weight, abs=1e-4) and variances[:-1].sum() == pytest.approx(
        1 - weight, abs=1e-4
    )


def test_photos_that_all_look_the_same_are_compared_by_date() -> None:
    both = blended(np.ones((5, 3)), dated([4, 3, 2, 1, 0]), 0.5)
    assert np.isfinite(both).all() and (np.diff(both[:, -1]) < 0).all() and not both[:, :-1].any()


def test_the_order_counts_and_not_the_hours() -> None:
    assert np.allclose(time_axis(dated([0, 1, 2, 3])), time_axis(dated([0, 1, 300, 9000])))


def test_both_sides_of_any_shape_are_pinned() -> None:
    heart = Shape(np.array([[0, 1, 0, 1, 0], [1, 1, 1, 1, 1], [0, 1, 1, 1, 0], [0, 0, 1, 0, 0]], bool), "heart")
    left, right = side_cells(heart)
    assert left == [(1, 0)] and right == [(1, 4)]
    left, right = side_cells(rectangle(40, 50))
    assert len(left) == len(right) == timeline.MOST_PINNED
    assert left[0] == (0, 0) and left[-1] == (39, 0) and right[-1] == (39, 49)


def test_the_earliest_are_pinned_left_and_the_latest_right() -> None:
    days: list[int | None] = [*np.random.default_rng(1).permutation(24).tolist(), None]
    pins = timeline_pins(dated(days), photos(25), rectangle(4, 6))
    when = {cell[1]: {days[photo] for photo, c in pins.items() if c[1] == cell[1]} for cell in pins.values()}
    assert when == {0: {0, 1}, 5: {22, 23}}


def test_a_photo_dated_by_its_file_is_pinned_only_where_the_others_do_not_suffice() -> None:
    copies = [replace(photo, taken_by=FILE) for photo in dated([-5, 100])]
    pins = timeline_pins([*copies, *dated([*range(10)])], photos(12), rectangle(2, 6))
    assert set(pins) == {2, 11}
    assert set(timeline_pins([*copies, *dated([3])], photos(3), rectangle(2, 6))) == {0, 1}


def test_pins_that_are_there_stay() -> None:
    pins = with_timeline(Pins({5: (0, 0)}), dated([*range(12)]), photos(12), rectangle(3, 4), range(12))
    assert pins[5] == (0, 0) and len(pins) == 4 and pins.at((2, 0)) in (0, 1)


def test_without_dates_there_is_no_timeline() -> None:
    with pytest.raises(UsageError, match="two photos with a date"):
        timeline_pins(dated([None, 1, None]), photos(3), rectangle(2, 2))


def test_flow_is_1_from_left_to_right_and_minus_1_the_other_way() -> None:
    assert flow(sheet(rectangle(2, 3), [0, 2, 4, 1, 3, 5]), dated([0, 0, 1, 1, 2, 2])) == pytest.approx(1)
    assert flow(sheet(rectangle(1, 3), [2, 1, 0]), dated([0, 1, 2])) == pytest.approx(-1)
    assert np.isnan(flow(sheet(rectangle(3, 1), [0, 1, 2]), dated([0, 1, 2])))


@pytest.mark.parametrize(("count", "shape"), [(48, rectangle(6, 8)), (90, rectangle(6, 8))])
def test_a_sheet_flows_through_time(count: int, shape: Shape) -> None:
    """With more photos than cells, too."""
    look, album = photos(count, seed=3), dated(np.random.default_rng(5).permutation(count).tolist())
    pins = timeline_pins(album, look, shape)
    options = replace(FAST, time_weight=0.5)
    assert flow(arrange(blended(look, album, 0.5), shape, pins, options), album) > 0.9
    assert abs(flow(arrange(look, shape, Pins(), FAST), album)) < 0.5


def test_the_weight_is_an_option_that_a_project_keeps(tmp_path: Path) -> None:
    document = make_document(tmp_path, options=Options(time_weight=0.4))
    save_project(document, tmp_path / "a.album")
    assert load_project(tmp_path / "a.album").options.time_weight == 0.4
    assert compared(document, photos(4)).shape == (4, 4)
    with pytest.raises(UsageError, match="time_weight must lie between 0 and 1"):
        Options(time_weight=1.5)


@pytest.mark.parametrize("by", [CAMERA, FILE])
def test_pins_of_ones_own_outlast_a_timeline(tmp_path: Path, by: str) -> None:
    shape, mine = rectangle(4, 6), Pins({9: (0, 0), 12: (3, 5), 4: (1, 1)})
    album = [*dated([*range(23)], by), *dated([None])]
    blank = make_document(tmp_path)
    document = replace(
        blank,
        album=replace(blank.album, photos=tuple(album)),
        shape=shape,
        pins=mine,
        excluded=frozenset(),
        layout=None,
    )
    begun = along_time(document, with_timeline(mine, album, photos(24), shape, range(24)))
    assert begun is not None and len(begun.document.pins) > len(mine)
    ended = without_time(begun.document)
    assert ended is not None and ended.document.pins == mine and not ended.document.options.time_weight
