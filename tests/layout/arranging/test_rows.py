"""Whole photos in rows: exchanges make the rows equally high."""

from dataclasses import replace

import numpy as np
import pytest

from album_app.layout import Layout, Pins, arrange, corner_pins, layout_scores, rectangle
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.rows import LARGEST_UNEVENNESS, EvenRows, rows_of
from album_app.layout.shapes.shape import book, rows_of_photos, symmetries
from tests.layout.conftest import check_sheet, photos

SHAPE = replace(rectangle(8, 10), is_justified=True)
FEATURES, ASPECTS = photos(80, 3, axes=8), np.random.default_rng(4).choice([0.67, 1.0, 1.5, 1.78], 80)


def spread(photo_at: np.ndarray) -> float:
    """The standard deviation of the heights of rows by their mean."""
    heights = 1 / ASPECTS[photo_at].reshape(8, 10).sum(axis=1)
    return float(heights.std() / heights.mean())


def test_rows_become_evenly_high_at_little_cost() -> None:
    pins = Pins({0: (0, 0), 1: (7, 9)})
    plain = arrange(FEATURES, rectangle(8, 10), pins)
    rows = arrange(FEATURES, SHAPE, pins, aspects=ASPECTS)
    check_sheet(rows, set(range(80)), pins, "end")
    assert spread(rows.photo_at) < 0.6 * spread(plain.photo_at)
    assert spread(rows.photo_at) < 0.05
    assert layout_scores(rows, FEATURES)["dpq16"] > layout_scores(plain, FEATURES)["dpq16"] - 0.03
    assert rows.aspects is not None
    moved = pins.pin(0, (2, 2))
    after = arrange(FEATURES, SHAPE, moved, aspects=ASPECTS, warm=rows)
    check_sheet(after, set(range(80)), moved, "end")
    assert spread(after.photo_at) < 0.06


def test_the_cost_of_one_exchange_is_at_least_what_it_adds_to_the_rows_unevenness() -> None:
    arrangement = Arrangement.of(FEATURES, SHAPE, Pins())
    even, sheet = (
        replace(EvenRows.of(arrangement, ASPECTS, 1.0, 1.0), weight=1.0),
        np.random.default_rng(0).permutation(80),
    )

    def unevenness(photo_at: np.ndarray) -> float:
        return float(((ASPECTS - ASPECTS.mean())[photo_at].reshape(8, 10).sum(axis=1) ** 2).sum())

    cells = np.array([[3, 17, 19, 45, 61]])
    cost = even(sheet, cells, sheet[cells])[0]
    stay = float(np.trace(cost))
    for order in ([1, 0, 2, 3, 4], [4, 1, 2, 3, 0], [1, 2, 0, 4, 3]):
        after = sheet.copy()
        after[cells[0]] = sheet[cells[0]][order]
        added = unevenness(after) - unevenness(sheet)
        assert float(cost[np.arange(5), order].sum()) - stay >= added - 1e-4
    single = np.array([[3, 45]])
    cost, after = even(sheet, single, sheet[single])[0], sheet.copy()
    after[[3, 45]] = sheet[[45, 3]]
    exact = float(cost[0, 1] + cost[1, 0] - np.trace(cost))
    assert exact == pytest.approx(unevenness(after) - unevenness(sheet), rel=1e-3)


def test_what_an_exchange_of_two_photos_does_to_the_rows_is_exact() -> None:
    even = EvenRows.of(Arrangement.of(FEATURES, SHAPE, Pins()), ASPECTS, 1.0, 1.0)
    sheet, cells = np.random.default_rng(1).permutation(80), np.array([3, 7, 45, 61])
    change = even.of_pairs(sheet, cells)

    def unevenness(photo_at: np.ndarray) -> float:
        sums = ASPECTS[photo_at].reshape(8, 10).sum(axis=1)
        return float(((sums / sums.mean() - 1) ** 2).sum() / LARGEST_UNEVENNESS**2)

    for one in range(4):
        for other in range(one + 1, 4):
            after = sheet.copy()
            after[cells[[one, other]]] = sheet[cells[[other, one]]]
            assert change[one, other] == pytest.approx(unevenness(after) - unevenness(sheet), rel=1e-3, abs=1e-3)


def small_album(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    count = (20, 24, 30, 33, 40, 57)[seed % 6]
    return photos(count, seed, axes=8), rng.choice([0.67, 0.75, 1.0, 1.33, 1.5, 1.78], count)


def test_rows_of_small_albums_are_even_and_cost_little() -> None:
    lost, heights = [], []
    for seed in range(6):
        features, aspects = small_album(seed)
        shape = rows_of_photos(len(features), 1.25, float(aspects.mean()))
        plain = replace(shape, is_justified=False)
        pins = corner_pins(features, plain)
        sheets = arrange(features, plain, pins), arrange(features, shape, pins, aspects=aspects)
        check_sheet(sheets[1], set(range(len(features))), pins, "end")
        heights.append(height_spread(sheets[1]))
        without, even = (layout_scores(sheet, features)["dpq16"] for sheet in sheets)
        lost.append(without - even)
    assert max(heights) <= 0.06 and np.mean(heights) <= 0.04
    assert np.mean(lost) <= 0.015


def test_an_edit_of_a_small_album_keeps_its_rows_even_and_most_photos_in_their_cells() -> None:
    for seed in (2, 4):
        features, aspects = small_album(seed)
        shape = rows_of_photos(len(features), 1.25, float(aspects.mean()))
        before = arrange(features, shape, Pins({0: (0, 0)}), aspects=aspects)
        pins = before.pins.pin(int(before.photo_in((1, 2)) or 1), (2, 2))
        after = arrange(features, shape, pins, aspects=aspects, warm=before)
        check_sheet(after, set(range(len(features))), pins, "end")
        assert height_spread(after) <= max(0.05, height_spread(before) + 0.01)
        assert np.mean(after.photo_at == before.photo_at) > 0.5


def height_spread(layout: Layout) -> float:
    frames = layout.frames()
    heights = frames.boxes[np.unique(frames.cells[:, 0], return_index=True)[1], 3]
    return float(heights.std() / heights.mean())


def test_pages_side_by_side_have_rows_of_their_own() -> None:
    shape = book(2, 2, 3)
    row = rows_of(shape)
    assert sorted(np.bincount(row).tolist()) == [3, 3, 3, 3]


def test_a_square_of_rows_is_mirrored_but_never_turned_so_that_its_rows_stay_even() -> None:
    square = replace(rectangle(6, 6), is_justified=True)
    assert [len(symmetries(shape)) for shape in (square, rectangle(6, 6))] == [4, 8]


def test_held_photos_stay_while_rows_become_even() -> None:
    before = arrange(FEATURES, rectangle(8, 10))
    hold = np.arange(80) < 35
    rows = arrange(FEATURES, SHAPE, aspects=ASPECTS, warm=before, hold=hold)
    assert np.array_equal(rows.photo_at[hold], before.photo_at[hold])
    assert spread(rows.photo_at) < spread(before.photo_at)


def test_rows_become_even_where_the_proportions_of_photos_go_with_what_they_show() -> None:
    lost = []
    for seed in (5, 6, 7, 8):
        features = photos(240, seed, axes=8)
        aspects = 1.2 + 0.5 * np.sign(features[:, 0] - np.median(features[:, 0]))
        shape = rows_of_photos(240, 1.25, float(aspects.mean()))
        plain = replace(shape, is_justified=False)
        pins = corner_pins(features, plain)
        sheets = arrange(features, plain, pins), arrange(features, shape, pins, aspects=aspects)
        assert height_spread(sheets[1]) <= 0.04
        without, even = (layout_scores(sheet, features)["dpq16"] for sheet in sheets)
        lost.append(without - even)
    assert np.mean(lost) <= 0.01
