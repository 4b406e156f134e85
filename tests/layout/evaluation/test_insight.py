"""What is said about a layout: significance, alternatives, the next pin, pins that disagree."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.layout import Layout, Options, Pins
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.exchange import Exchanges
from album_app.layout.arranging.polish import Weights
from album_app.layout.evaluation.insight import (
    alternatives_at,
    assignment_gap,
    conflicting_pins,
    fit_in_words,
    hidden_pin_error,
    neighbour_distance,
    places_for,
    smi_significance,
    suggest_pin,
)
from album_app.layout.shapes.shape import Shape, rectangle

SHAPE = rectangle(10, 10)


@pytest.fixture(scope="module")
def plane() -> NDArray[np.float64]:
    """A hundred photos that belong on a plane: two features and a little noise."""
    return SHAPE.coordinates + 0.02 * np.random.default_rng(0).standard_normal((100, 2))


@pytest.fixture(scope="module")
def corners() -> Pins:
    return Pins({0: (0, 0), 9: (0, 9), 90: (9, 0), 99: (9, 9)})


@pytest.fixture(scope="module")
def layout(plane: NDArray[np.float64], corners: Pins) -> Layout:
    return arrange(plane, SHAPE, corners)


def shuffled(layout: Layout, seed: int) -> Layout:
    return Layout(layout.shape, np.random.default_rng(seed).permutation(layout.photo_at), layout.confidence)


def test_a_sorted_sheet_is_significant_and_a_shuffled_one_is_not(layout: Layout, plane: NDArray[np.float64]) -> None:
    assert smi_significance(layout, plane) > 10
    assert abs(np.mean([smi_significance(shuffled(layout, seed), plane) for seed in range(5)])) < 2


def test_empty_cells_say_nothing_of_the_significance(layout: Layout, plane: NDArray[np.float64]) -> None:
    filled = np.random.default_rng(3).random(100) < 0.6
    filled[[0, 9, 90, 99]] = True  # the corners, so that the sheet stays as large
    empty = Layout(SHAPE, np.where(filled, layout.photo_at, -1), layout.confidence)
    mask = np.zeros((10, 10), bool)
    mask[tuple(SHAPE.cells[filled].T)] = True
    without = Layout(Shape(mask, "filled"), layout.photo_at[filled], layout.confidence[filled])
    assert smi_significance(empty, plane) == pytest.approx(smi_significance(without, plane))


def test_nothing_is_significant_where_nothing_varies(layout: Layout) -> None:
    assert smi_significance(layout, np.ones((100, 2))) == 0.0
    tiny = arrange(np.ones((1, 2)), rectangle(1, 1))
    assert smi_significance(tiny, np.ones((1, 2))) == 0.0


def test_alternatives_are_ranked_and_belong_near_the_cell(layout: Layout) -> None:
    found = alternatives_at(layout, (2, 7), k=5)
    fits = [fit for _, fit in found]
    assert len(found) == 5
    assert fits == sorted(fits, reverse=True)
    assert fits[0] == 1
    assert all(0 < fit < 1 for fit in fits[1:])
    near = [np.hypot(photo // 10 - 2, photo % 10 - 7) for photo, _ in found]
    assert np.mean(near) < 2.5


def test_a_photo_put_wrong_finds_the_cell_it_left_and_makes_both_unsure(layout: Layout) -> None:
    wrong = layout.photo_at.copy()
    here, there = SHAPE.index_of((2, 7)), SHAPE.index_of((7, 2))
    wrong[[here, there]] = wrong[[there, here]]
    exchanged = replace(layout, photo_at=wrong)
    assert alternatives_at(exchanged, (2, 7), k=1)[0][0] == layout.photo_at[here]
    places = places_for(exchanged, int(layout.photo_at[here]))
    assert np.hypot(*np.subtract(SHAPE.cell(int(places.argmax())), (2, 7))) < 2
    arrangement = Arrangement.of(layout.guide.space.points, SHAPE, layout.pins, known=layout.guide.space)
    sure = Exchanges.of(arrangement, wrong, layout.guide, 0.5).confidence()
    assert sure[here] == sure[there] == 0
    assert np.mean(np.delete(sure, [here, there]) > 0) > 0.75, "the others know where they belong"
    assert 0.2 < np.median(layout.confidence) < 0.8


def test_half_of_the_sure_cells_are_surer_than_one_half_and_half_of_them_less(layout: Layout) -> None:
    """The usual margin on a sheet counts as a confidence of one half, and no confidence lies outside 0 to 1."""
    loose = np.setdiff1d(np.arange(SHAPE.count), [SHAPE.index_of(cell) for cell in layout.pins.values()])
    sure = layout.confidence[loose]
    assert sure.min() >= 0.0 and sure.max() < 1.0
    assert np.median(sure[sure > 0.0]) == pytest.approx(0.5, abs=0.01)


def test_what_an_exchange_loses_is_what_the_sheet_gets_longer_by(
    plane: NDArray[np.float64], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without pins, plan and wider neighbourhoods, cells next to each other included."""
    monkeypatch.setattr(Weights, "suiting", lambda cells: Weights(smooth=0.0))
    arrangement = Arrangement.of(plane, SHAPE, Pins())
    sheet = np.random.default_rng(3).permutation(100)

    def length(photo_at: NDArray[np.int64]) -> float:
        grid = arrangement.space.points[photo_at].reshape(10, 10, -1)
        return float(sum(np.linalg.norm(np.diff(grid, axis=axis), axis=2).sum() for axis in (0, 1)))

    exchanges = Exchanges.of(arrangement, sheet, None, 0.0)
    photos, losses = exchanges.of_cell(44)
    cells, by_photo = exchanges.of_photo(int(sheet[44]))
    for other in (43, 45, 34, 54, 46, 0, 99):
        swapped = sheet.copy()
        swapped[[44, other]] = swapped[[other, 44]]
        expected = length(swapped) - length(sheet)
        assert losses[photos == sheet[other]][0] == pytest.approx(expected, abs=1e-3)
        assert by_photo[cells == other][0] == pytest.approx(expected, abs=1e-3)


def test_left_out_photos_are_alternatives_too_and_have_places() -> None:
    features = np.random.default_rng(0).random((60, 3))
    features[59] = features[58]
    crowded = arrange(features, rectangle(4, 5), Pins({0: (0, 0)}))
    out = next(iter(crowded.resembles))
    cell = crowded.positions[next(photo for photo in crowded.shown if photo)]
    offered = dict(alternatives_at(crowded, cell, 60))
    assert set(crowded.resembles) <= set(offered)
    assert 0 not in offered
    places = places_for(crowded, out)
    assert places.max() > 0.5
    assert places[0] == 0.0


def test_places_of_a_photo_are_around_where_it_belongs(layout: Layout) -> None:
    fits = places_for(layout, 27)
    best = np.argsort(-fits)[:5]
    assert np.hypot(*(SHAPE.cells[best].mean(axis=0) - [2, 7])) < 2


@pytest.mark.parametrize(
    ("fit", "words"), [(1.0, "equally well"), (0.6, "a little worse"), (0.1, "poorly"), (0.0, "poorly")]
)
def test_fits_have_words(fit: float, words: str) -> None:
    assert words in fit_in_words(fit)


@pytest.fixture(scope="module")
def strangers() -> NDArray[np.float64]:
    """300 photos of 30 things that have nothing in common, ten of each thing."""
    rng = np.random.default_rng(1)
    return np.repeat(rng.standard_normal((30, 40)), 10, axis=0) + 0.02 * rng.standard_normal((300, 40))


def test_on_a_coarse_sheet_only_photos_like_those_there_fit_equally_well(strangers: NDArray[np.float64]) -> None:
    layout = arrange(strangers, rectangle(5, 6))
    for index in range(0, 30, 5):
        cell = layout.shape.cell(index)
        around = layout.shape.frames().touching[index]
        there = {int(photo) // 10 for photo in layout.photo_at[[index, *around[around >= 0]]]}
        for photo, fit in alternatives_at(layout, cell, 300):
            if photo // 10 not in there:
                assert fit_in_words(fit) != "fits equally well"


def test_neighbours_are_compared_with_all_photos_not_with_the_sheet_alone(strangers: NDArray[np.float64]) -> None:
    coarse, dense = (arrange(strangers, rectangle(*size)) for size in ((5, 6), (15, 20)))
    assert neighbour_distance(coarse, strangers, range(300)) > 0.7
    assert neighbour_distance(dense, strangers, range(300)) < 0.6


def test_the_words_of_alternatives_tell_them_apart() -> None:
    """Over the cells of a sheet all of them are said, and none of the seven others of a cell is nearly always right."""
    features, shape = np.random.default_rng(4).random((144, 5)), rectangle(12, 12)
    layout = arrange(features, shape)
    offered = [alternatives_at(layout, shape.cell(index)) for index in range(0, 144, 6)]
    words = [fit_in_words(fit) for found in offered for _, fit in found[1:]]
    shares = [words.count(word) / len(words) for word in set(words)]
    assert len(shares) == 3
    assert max(shares) < 0.9
    assert all(fits == sorted(fits, reverse=True) for fits in ([fit for _, fit in found] for found in offered))


def test_a_layout_without_its_guide_has_no_alternatives_but_a_next_pin(
    layout: Layout, plane: NDArray[np.float64], corners: Pins
) -> None:
    saved = Layout(SHAPE, layout.photo_at, layout.confidence, corners)
    assert alternatives_at(saved, (0, 0)) == []
    assert not places_for(saved, 3).any()
    assert assignment_gap(saved) == 0.0
    photo, cell = suggest_pin(saved, plane)
    assert saved.photo_in(cell) == photo
    assert photo not in corners


def test_the_gap_is_a_share_and_smaller_for_the_plan_s_own_rounding(
    layout: Layout, plane: NDArray[np.float64], corners: Pins
) -> None:
    bare = arrange(plane, SHAPE, corners, Options(refine=False))
    scattered = Layout(SHAPE, shuffled(layout, 1).photo_at, layout.confidence, guide=layout.guide)
    assert 0 <= assignment_gap(bare) < assignment_gap(scattered) <= 1


def test_the_next_pin_is_far_from_those_there_are(plane: NDArray[np.float64]) -> None:
    pins = Pins({0: (0, 0), 1: (0, 1), 10: (1, 0)})
    layout = arrange(plane, SHAPE, pins)
    photo, cell = suggest_pin(layout, plane)
    assert layout.photo_in(cell) == photo
    assert np.hypot(*cell) > 5


def test_where_all_is_pinned_no_pin_is_suggested() -> None:
    features = np.random.default_rng(0).random((4, 3))
    shape = rectangle(2, 2)
    full = arrange(features, shape, Pins({i: shape.cell(i) for i in range(4)}))
    with pytest.raises(UsageError, match="pinned already"):
        suggest_pin(full, features)


def test_a_pin_that_contradicts_the_others_is_found(plane: NDArray[np.float64], corners: Pins) -> None:
    more = Pins({**corners, 4: (0, 4), 49: (4, 9), 94: (9, 4), 40: (4, 0)})
    agreeing = arrange(plane, SHAPE, more)
    assert conflicting_pins(agreeing, plane) == []
    wrong = more.unpin(4).unpin(94).pin(4, (9, 4))
    found = conflicting_pins(arrange(plane, SHAPE, wrong), plane)
    assert 4 in dict(found)
    assert 49 not in dict(found)
    assert all(error > 0.5 for error in dict(found).values())


def test_hidden_pins_are_found_by_the_others(plane: NDArray[np.float64], corners: Pins) -> None:
    more = Pins({**corners, 4: (0, 4), 49: (4, 9), 94: (9, 4), 40: (4, 0)})
    assert hidden_pin_error(plane, SHAPE, more) < 0.1
    assert np.isnan(hidden_pin_error(plane, SHAPE, Pins()))


def test_a_large_sheet_is_compared_in_parts(layout: Layout) -> None:
    arrangement = Arrangement.of(layout.guide.space.points, SHAPE, layout.pins, known=layout.guide.space)
    exchanges = Exchanges.of(arrangement, layout.photo_at, layout.guide, 0.5)
    whole = exchanges.confidence()
    in_parts = exchanges.confidence(cells_for_all_pairs=40, sampled_cells=96)
    assert in_parts == pytest.approx(whole, abs=1e-3)


def test_a_plan_is_not_asked_about_a_photo_that_came_later(layout: Layout) -> None:
    count = len(layout.photo_at)
    cell = layout.shape.cell(0)
    photo_at = layout.photo_at.copy()
    photo_at[0] = count + 5
    later = replace(layout, photo_at=photo_at, pins=Pins({count + 5: cell}))
    assert alternatives_at(later, cell) == []
    assert not places_for(later, 1).any()
