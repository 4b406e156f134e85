"""Large photos cover blocks of cells; everything else is arranged around them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from album_app.layout import Layout, Options, Pins, Shape, arrange, rectangle
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.large_photos import Blocks, cells_added, varied_sizes
from album_app.layout.evaluation.scores import mean_neighbour_distance
from album_app.layout.shapes.outlines import grown
from album_app.layout.shapes.shape import book
from album_app.render.formats.animation import story
from tests.layout.conftest import photos

SHAPE, FEATURES = rectangle(10, 12), photos(105, 7)


def check_blocks(layout: Layout, sizes: dict[int, int], pins: Pins, taking_part: set[int]) -> None:
    assert dict(layout.sizes) == sizes and set(layout.blocks) == set(sizes)
    assert set(layout.shown) | set(layout.resembles) == taking_part
    assert layout.repeats == 0
    assert all(layout.photo_in(cell) == photo for photo, cell in pins.items())
    frames = layout.frames()
    assert len(frames) == layout.shape.count - sum(size**2 - 1 for size in sizes.values())


@pytest.mark.parametrize("effort", ["quick", "fine"])
def test_floating_and_pinned_blocks_show_each_photo_once(effort: str) -> None:
    sizes, pins = {3: 2, 40: 3, 77: 2}, Pins({77: (4, 4), 5: (0, 0)})
    layout = arrange(FEATURES, SHAPE, pins, Options(effort=effort), sizes=sizes)
    check_blocks(layout, sizes, pins, set(range(105)))
    assert layout.blocks[77] == (4, 4)


def test_a_floating_block_lies_among_photos_like_it() -> None:
    """Photos vary along one axis, and a block's neighbours are nearer to it than a tenth of all."""
    ramp = np.linspace(0.0, 1.0, 105)[:, None]
    layout = arrange(ramp, SHAPE, Pins({0: (0, 0), 104: (9, 11)}), sizes={52: 2, 20: 2})
    check_blocks(layout, {52: 2, 20: 2}, Pins({0: (0, 0)}), set(range(105)))
    for photo in (52, 20):
        row, column = layout.blocks[photo]
        inside = layout.shape.index[max(row - 1, 0) : row + 3, max(column - 1, 0) : column + 3]
        around = layout.photo_at[inside[inside >= 0]]
        assert np.median(np.abs(around[around >= 0] - photo)) < 15


def test_blocks_cost_little_smoothness() -> None:
    plain = arrange(FEATURES, SHAPE)
    layout = arrange(FEATURES, SHAPE, sizes={3: 2, 40: 2, 77: 2, 90: 2})
    assert mean_neighbour_distance(FEATURES, layout) < 1.1 * mean_neighbour_distance(FEATURES, plain)


def test_an_edit_leaves_blocks_where_they_are() -> None:
    sizes = {3: 2, 40: 3}
    before = arrange(FEATURES, SHAPE, sizes=sizes)
    pins = Pins({8: (9, 11)})
    after = arrange(FEATURES, SHAPE, pins, sizes=sizes, warm=before)
    check_blocks(after, sizes, pins, set(range(105)))
    assert after.blocks == before.blocks
    again = arrange(FEATURES, SHAPE, pins, sizes=sizes, warm=after)
    assert np.array_equal(again.photo_at, after.photo_at)
    held = arrange(FEATURES, SHAPE, pins, sizes=sizes, warm=after, hold=after.photo_at >= 0)
    assert np.array_equal(held.photo_at, after.photo_at) and held.sizes == sizes


def test_a_photo_grows_where_it_lies_and_shrinks_again() -> None:
    plain = arrange(FEATURES, SHAPE)
    photo = plain.photo_in((4, 5))
    grown = arrange(FEATURES, SHAPE, sizes={photo: 2}, warm=plain)
    check_blocks(grown, {photo: 2}, Pins(), set(range(105)))
    assert np.abs(np.subtract(grown.blocks[photo], (4, 5))).max() <= 1
    assert np.mean(grown.photo_at == plain.photo_at) > 0.8
    shrunk = arrange(FEATURES, SHAPE, warm=grown)
    check_blocks(shrunk, {}, Pins(), set(range(105)))


def test_a_fresh_sheet_with_blocks_lies_the_same_way_round() -> None:
    sizes, features = {3: 2, 40: 3}, photos(109, 7)  # no cell is empty, so that the sheet can be turned
    before = arrange(features, SHAPE, sizes=sizes)
    turned = replace(before, photo_at=before.photo_at[::-1].copy(), guide=None)
    after = arrange(features, SHAPE, sizes=sizes, warm=turned, afresh=True)
    check_blocks(after, sizes, Pins(), set(range(109)))

    def away(layout: Layout) -> float:
        return float(np.mean([np.hypot(*np.subtract(layout.positions[k], after.positions[k])) for k in range(109)]))

    assert away(turned) < away(before)
    other = arrange(features, SHAPE, options=Options(follow=0.5), sizes=sizes, warm=before)
    check_blocks(other, sizes, Pins(), set(range(109)))


def test_where_no_block_is_left_a_photo_stays_small() -> None:
    assert arrange(photos(6), rectangle(1, 8), sizes={2: 2}).sizes == {}
    crowded = Pins({0: (0, 0), 1: (1, 1), 2: (0, 2)})
    layout = arrange(photos(5), rectangle(2, 3), crowded, sizes={0: 2, 4: 2})
    check_blocks(layout, {}, crowded, set(range(5)))
    holes = Shape(np.array([[1, 0, 1, 1], [1, 1, 1, 1], [0, 1, 1, 0]], bool), "drawn")
    arrangement = Arrangement.of(photos(4), holes, Pins())
    blocks = Blocks.of(arrangement, {1: 2, 2: 2}, {1: (0.0, 0.0), 2: (2.0, 3.0)})
    assert blocks.sizes == {1: 2} and blocks.held.cells.tolist() == [4, 5, 7, 8]


def test_a_pinned_photo_at_the_edge_has_no_block_and_keeps_its_cell() -> None:
    pins = Pins({7: (9, 11)})
    check_blocks(arrange(FEATURES, SHAPE, pins, sizes={7: 3}), {}, pins, set(range(105)))


def test_no_block_covers_the_pin_of_another_large_photo() -> None:
    pins = Pins({7: (2, 2), 9: (3, 3)})
    layout = arrange(FEATURES, SHAPE, pins, sizes={7: 3, 9: 2})
    check_blocks(layout, {9: 2}, pins, set(range(105)))


def test_no_block_lies_across_two_pages() -> None:
    shape = book(2, 3, 3)
    layout = arrange(photos(12, 4), shape, sizes={0: 2, 5: 2})
    pages = shape.pages.page_of(shape.cells)
    for photo in layout.blocks:
        assert len(set(pages[layout.photo_at == photo])) == 1
    assert len(layout.blocks) == 2


@pytest.mark.parametrize("amount", [0.1, 0.5, 1.0])
def test_varied_sizes_leave_a_place_for_every_photo(amount: float) -> None:
    sizes = varied_sizes(FEATURES, range(105), amount)
    shape = rectangle(*grown(10, 11, 105 + cells_added(105, amount)))
    layout = arrange(FEATURES, shape, Pins({5: (0, 0)}), sizes=sizes)
    check_blocks(layout, sizes, Pins({5: (0, 0)}), set(range(105)))


def test_more_variation_keeps_the_photos_that_were_large_and_good_ones_go_first() -> None:
    quality = np.zeros(105, np.float32)
    quality[:40] = 1.0
    few, many = (varied_sizes(FEATURES, range(105), amount, quality) for amount in (0.3, 0.9))
    assert few.keys() < many.keys() and set(many) <= set(range(40))
    assert all(many[photo] >= size for photo, size in few.items())
    assert not few.keys() & varied_sizes(FEATURES, range(105), 0.3, quality, besides=few).keys()


def test_a_story_of_large_photos_keeps_their_sizes() -> None:
    sizes, pins = {3: 2, 40: 3, 77: 2}, Pins({77: (4, 4), 5: (0, 0)})
    layout = arrange(FEATURES, SHAPE, pins, sizes=sizes)
    for step in story(FEATURES, layout, Options()):
        assert sorted(step.sizes.items()) == sorted(sizes.items()) and set(step.blocks) == set(sizes)
        assert step.shown == layout.shown


def test_large_photos_lie_in_their_chapter_and_no_page_is_empty() -> None:
    shape, when = book(8, 4, 4), np.arange(90) * 86_400.0
    layout = arrange(FEATURES[:90], shape, sizes={10: 2, 40: 3, 80: 2}, when=when)
    assert shape.pages is not None and set(layout.blocks) == {10, 40, 80}
    assert layout.shown == tuple(range(90)) and layout.repeats == 0
    page_of = shape.pages.page_of(shape.cells)
    days = [sorted({int(photo) for photo in layout.photo_at[page_of == page]} - {-1}) for page in range(8)]
    assert all(days) and days == sorted(days)
    assert all(before[-1] < after[0] for before, after in pairwise(days)), "pages follow each other in time"


def test_without_repeats_a_pinned_photo_keeps_its_pin_a_large_one_its_block_and_others_their_first_cell() -> None:
    photo_at = np.array([[5, 7, 7, 3], [3, 7, 7, 5], [4, 3, 5, 4]])
    sheet = Layout(
        rectangle(3, 4), photo_at.ravel(), np.zeros(12), Pins({5: (2, 2)}), scores={"dpq16": 1.0}, sizes={7: 2}
    )
    left = sheet.without_repeats()
    assert left.photo_at.reshape(3, 4).tolist() == [[-1, 7, 7, 3], [-1, 7, 7, -1], [4, -1, 5, -1]]
    assert left.repeats == 0 and not left.scores, "the scores were those of the other sheet"
    assert left.without_repeats() is left
