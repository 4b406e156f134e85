"""Photos that look out of place are found, and no other photos."""

import numpy as np
import pytest

from album_app.layout.evaluation.insight import misfits
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import rectangle

SHAPE = rectangle(8, 10)
PLACES = SHAPE.cells.astype(np.float32)


def sheet(order: np.ndarray, pins: Pins | None = None, confidence: float = 0.1) -> Layout:
    return Layout(SHAPE, order, np.full(SHAPE.count, confidence, np.float32), pins or Pins())


def exchanged(a: int, b: int) -> np.ndarray:
    """A smooth sheet on which two photos have changed places."""
    order = np.arange(SHAPE.count)
    order[[a, b]] = b, a
    return order


def test_two_photos_far_from_home_are_found() -> None:
    assert set(misfits(sheet(exchanged(11, 68)), PLACES)) == {11, 68}


def test_a_smooth_sheet_has_none() -> None:
    assert misfits(sheet(np.arange(SHAPE.count)), PLACES) == []


def test_the_worst_comes_first() -> None:
    x = PLACES.copy()
    x[23] += 30
    x[57] += 90
    assert misfits(sheet(np.arange(SHAPE.count)), x) == [57, 23]


def test_pinned_and_sure_photos_are_where_they_belong() -> None:
    order = exchanged(11, 68)
    pins = Pins({11: SHAPE.cell(68)})
    assert misfits(sheet(order, pins), PLACES) == [68]
    assert misfits(sheet(order, confidence=0.9), PLACES) == []


def test_neighbours_over_a_border_between_two_groups_are_no_misfits() -> None:
    x = PLACES.copy()
    x[PLACES[:, 1] >= 5] += 100
    assert misfits(sheet(np.arange(SHAPE.count)), x) == []


@pytest.mark.parametrize("order", [np.full(SHAPE.count, -1), np.r_[np.arange(5), np.full(SHAPE.count - 5, -1)]])
def test_sheets_with_few_photos_are_not_judged(order: np.ndarray) -> None:
    assert misfits(sheet(order), PLACES) == []


def test_the_first_photo_is_a_photo_like_any_other() -> None:
    assert set(misfits(sheet(exchanged(0, 68)), PLACES)) == {0, 68}
