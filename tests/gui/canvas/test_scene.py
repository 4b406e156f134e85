"""The canvas' parts without a window: views, glides, tiles, frames."""

from dataclasses import replace

import numpy as np
import pytest

from album_app.gui.canvas.maps import heat_image, stretched_confidence
from album_app.gui.canvas.motion import Glide, ease
from album_app.gui.canvas.scene import Buffer, Viewport
from album_app.gui.canvas.tiles.marks import EMBLEMS, CanvasColours, badge_image, cell_tile, emblem_tile
from album_app.gui.canvas.tiles.tiles import (
    DETAIL,
    MINI,
    ROUGH,
    SHARP,
    Atlas,
    Corners,
    mini,
    mixed,
    rough_parts,
    rounded_share,
    scaled,
    stretched,
)
from album_app.gui.style.theme import DARK, LIGHT, PALETTES
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Shape, rectangle

WHITE, BLACK = 0xFFFFFFFF, 0xFF000000


def places(*cells: tuple[float, float]) -> np.ndarray:
    return np.array(cells, dtype=np.float64)


@pytest.mark.parametrize("size", [(1600, 1000), (300, 900), (160, 120)])
@pytest.mark.parametrize("shape", [(1, 1), (16, 20), (90, 112), (3, 200)])
def test_a_fitted_sheet_is_centred_and_whole_if_it_can_be(size: tuple[int, int], shape: tuple[int, int]) -> None:
    view = Viewport.fitted(rectangle(*shape), *size, largest=320)
    geometry = view.geometry
    width, height = geometry.width - geometry.left, geometry.height - geometry.top
    assert abs(geometry.left - (size[0] - width) / 2) <= 1 and abs(geometry.top - (size[1] - height) / 2) <= 1
    assert view.step <= 320
    if view.pitch > 3:
        assert geometry.left > 0 and geometry.top > 0


@pytest.mark.parametrize("factor", [1.15, 2.0, 1 / 1.15, 0.5])
def test_zoom_keeps_the_point_under_the_cursor(factor: float) -> None:
    view = Viewport.fitted(rectangle(16, 20), 1600, 1000)
    x, y = 700.0, 300.0
    zoomed = view.zoomed(view.pitch * factor, x, y)
    before, after = ((x - v.left) / v.step for v in (view, zoomed))
    assert before == pytest.approx(after)
    assert zoomed.geometry.cell_at(x, y) == view.geometry.cell_at(x, y)


def test_slow_zooming_adds_up() -> None:
    view = Viewport.fitted(rectangle(90, 112), 1600, 1000)
    step = view.step
    for _ in range(40):
        view = view.zoomed(view.pitch * 1.01, 800, 500)
    assert view.step > step


def test_a_part_of_the_sheet_stays_in_sight() -> None:
    view = Viewport.fitted(rectangle(4, 4), 400, 400)
    for push in ((9999, 0), (-9999, 0), (0, 9999), (0, -9999)):
        moved = view.panned(*push, 400, 400).geometry
        assert moved.left < 400 and moved.top < 400 and moved.width > 0 and moved.height > 0


def test_a_cell_is_brought_into_sight_by_as_little_as_needed() -> None:
    view = Viewport(rectangle(50, 50), 40.0)
    shown = view.showing((49, 0), 400, 400)
    x, y, side, _ = shown.geometry.rect((49, 0))
    assert x >= 0 and y + side <= 400
    assert shown.showing((49, 0), 400, 400) == shown


def test_tiles_start_and_arrive() -> None:
    photos = np.array([4, 5])
    rest = Glide.resting(photos, places((0, 0), (3, 4)))
    glide = rest.redirected(photos, places((3, 4), (0, 0)), now=10.0, move=True)
    assert 0.2 <= glide.seconds <= 0.7
    assert np.allclose(glide.at(10.0), places((0, 0), (3, 4)))
    assert np.allclose(glide.at(11.0), places((3, 4), (0, 0))) and glide.over(11.0)
    halfway = glide.at(10.0 + glide.seconds / 2)
    assert 0 < halfway[0, 0] < 3


def test_a_glide_can_be_interrupted_without_a_jump() -> None:
    photos = np.array([4, 5])
    glide = Glide.resting(photos, places((0, 0), (3, 4))).redirected(photos, places((3, 4), (0, 0)), 0.0, move=True)
    other = glide.redirected(photos, places((9, 9), (0, 0)), 0.1, move=True)
    assert np.allclose(np.sort(other.at(0.1), axis=0), np.sort(glide.at(0.1), axis=0))


def test_reduced_motion_is_there_at_once() -> None:
    glide = Glide.resting(np.array([1]), places((0, 0))).redirected(np.array([1]), places((5, 5)), 0.0, move=False)
    assert glide.over(0.0) and np.allclose(glide.at(0.0), places((5, 5)))


def test_new_photos_appear_in_place_and_gone_ones_are_gone() -> None:
    glide = Glide.resting(np.array([1, 2]), places((0, 0), (1, 1)))
    glide = glide.redirected(np.array([2, 3]), places((0, 0), (4, 4)), 0.0, move=True)
    start = {int(photo): tuple(place) for photo, place in zip(glide.photos, glide.at(0.0), strict=True)}
    assert start == {2: (1.0, 1.0), 3: (4.0, 4.0)}


def test_the_tiles_of_a_repeated_photo_each_have_their_own_way() -> None:
    glide = Glide.resting(np.array([1, 1]), places((0, 0), (1, 1)))
    glide = glide.redirected(np.array([1, 1, 1]), places((0, 5), (1, 5), (2, 5)), 0.0, move=True)
    starts = sorted(map(tuple, glide.at(0.0)))
    assert starts == [(0.0, 0.0), (1.0, 1.0), (2.0, 5.0)]


def test_a_lifted_tile_starts_where_the_hand_let_go() -> None:
    glide = Glide.resting(np.array([1, 2]), places((0, 0), (1, 1)))
    lifted = glide.lifted(2, (1, 1), np.array([7.5, 8.5]), 0.0)
    assert np.allclose(lifted.at(0.0), places((0, 0), (7.5, 8.5)))
    added = glide.lifted(9, None, np.array([2.0, 2.0]), 0.0)
    assert added.photos.tolist() == [1, 2, 9] and np.allclose(added.at(0.0)[2], (2, 2))


def test_easing_is_monotone() -> None:
    shares = [ease(x) for x in np.linspace(0, 1, 20)]
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1 and ease(2.0) == 1


def test_an_atlas_keeps_the_best_tile() -> None:
    atlas = Atlas(np.full((10, 2), 4))
    photos = np.array([2, 5])
    for quality, colour in ((ROUGH, 1), (DETAIL, 3), (SHARP, 2)):
        atlas.put(photos, np.full((2, 4, 4), colour, np.uint32), quality)
    assert (next(atlas.take(photos))[1] == 3).all()
    assert atlas.below(np.arange(10), ROUGH).tolist() == [0, 1, 3, 4, 6, 7, 8, 9]


def test_a_full_atlas_lets_the_oldest_go() -> None:
    atlas = Atlas(np.full((200, 2), 2), budget_bytes=0)
    for photo in range(200):
        atlas.put(np.array([photo]), np.full((1, 2, 2), photo, np.uint32), SHARP)
    kept = np.setdiff1d(np.arange(200), atlas.below(np.arange(200), SHARP))
    assert kept.tolist() == list(range(136, 200))
    assert (next(atlas.take(kept))[1][:, 0, 0] == kept).all()


def test_an_atlas_grows_with_the_album() -> None:
    atlas = Atlas(np.full((2, 2), 3))
    atlas.put(np.array([0, 1]), np.zeros((2, 3, 3), np.uint32), SHARP)
    atlas.resize(np.array([[3, 3], [3, 3], [0, 0], [0, 0], [4, 2]]))
    atlas.put(np.array([4]), np.full((1, 2, 4), 9, np.uint32), SHARP)
    assert {tiles.shape: tiles.max() for _, tiles in atlas.take(np.array([0, 1, 4]))} == {(2, 3, 3): 0, (1, 2, 4): 9}


def test_a_photo_whose_frame_changes_is_shown_roughly_until_its_tile_is_sharp_again() -> None:
    atlas = Atlas(np.full((2, 2), 4))
    atlas.put(np.arange(2), np.stack([np.full((4, 4), 5, np.uint32), np.full((4, 4), 6, np.uint32)]), SHARP)
    atlas.resize(np.array([[4, 4], [8, 6]]))
    assert atlas.below(np.arange(2), SHARP).tolist() == [1] and not len(atlas.below(np.arange(2), ROUGH))
    assert {tiles.shape[1:]: tiles.max() for _, tiles in atlas.take(np.arange(2))} == {(4, 4): 5, (6, 8): 6}


@pytest.mark.parametrize("size", [(30, 40), (40, 30), (8, 8)])
@pytest.mark.parametrize("wanted", [(8, 8), (17, 30), (60, 20)])
def test_a_tile_shows_the_part_of_a_picture_that_it_is_to_show(size: tuple[int, int], wanted: tuple[int, int]) -> None:
    pixels = np.zeros((*size, 4), np.uint8)
    pixels[size[0] // 4 : size[0] // 2, size[1] // 2 :] = 200
    rows, columns = size[0] // 4 / size[0], size[0] // 2 / size[0]
    tile = scaled(pixels, *wanted, (size[1] // 2 / size[1], rows, 1.0, columns))
    assert tile.shape == wanted[::-1]
    assert (tile & 0xFF == 200).all()


@pytest.mark.parametrize("size", [(192, 256), (256, 144), (10, 30)])
def test_a_mini_is_the_whole_picture_reduced_and_its_parts_can_be_seen(size: tuple[int, int]) -> None:
    pixels = np.zeros((*size, 4), np.uint8)
    pixels[..., 3] = 255
    pixels[: size[0] // 2, :, 2] = 240
    small = mini(pixels)
    assert small.shape == (MINI, MINI)
    assert (small[: MINI // 2 - 3] == 0xFFF00000).all() and (small[MINI // 2 + 3 :] == 0xFF000000).all()
    parts = rough_parts(np.stack([small, small]), np.array([[0, 0, 0.5, 0.3], [0.5, 0.7, 1, 1]]), 6, 4)
    assert parts.shape == (2, 4, 6) and (parts[0] == 0xFFF00000).all() and (parts[1] == 0xFF000000).all()


def test_stretching_keeps_colours_in_place() -> None:
    tiles = np.arange(2 * 4 * 4, dtype=np.uint32).reshape(2, 4, 4)
    assert (stretched(tiles, 8, 4)[:, :, ::2] == tiles).all()
    assert (stretched(tiles, 2, 2) == tiles[:, 1::2, 1::2]).all()


def test_corners_are_round_and_edges_straight() -> None:
    share = rounded_share(20, 20, 5)
    assert share[0, 0] == 0 and share[10, 0] == share[0, 10] == share[5, 5] == 1
    assert np.allclose(share, share.T) and np.allclose(share, share[::-1])
    tiles = Corners(20, 20, 5, BLACK).round(np.full((2, 20, 20), WHITE, np.uint32))
    assert (tiles[:, 0, 0] == BLACK).all() and (tiles[:, 10, :] == WHITE).all()


def test_mixing_is_linear() -> None:
    over, under = np.array([0xFF804020], np.uint32), np.uint32(0xFF000000)
    assert mixed(over, under, np.array([256], np.uint32))[0] == 0xFF804020
    assert mixed(over, under, np.array([0], np.uint32))[0] == 0xFF000000
    assert mixed(over, under, np.array([128], np.uint32))[0] == 0xFF402010


def test_tiles_are_copied_where_they_belong_and_may_stick_out() -> None:
    buffer = Buffer(20, 10, 4)
    buffer.pixels[...] = BLACK
    tiles = np.stack([np.full((4, 4), colour, np.uint32) for colour in (1, 2, 3)])
    corners, sizes = places((-2, -2), (3.4, 2.6), (18, 8)), np.full((3, 2), 4)
    assert buffer.seen(corners, sizes).tolist() == [0, 1, 2]
    buffer.put(tiles, corners)
    shown = buffer.pixels[4:-4, 4:-4]
    assert (shown[:2, :2] == 1).all() and shown[2, 2] == BLACK
    assert (shown[3:7, 3:7] == 2).all()
    assert (shown[8:, 18:] == 3).all()
    at = places((-4, 0), (20, 0), (0, 10), (-3.9, 9.9))
    assert buffer.seen(at, np.full((4, 2), 4)).tolist() == [3]


def test_a_tile_larger_than_the_window_is_cut() -> None:
    buffer = Buffer(10, 10, 4)
    buffer.pixels[...] = BLACK
    buffer.put(np.arange(30 * 40, dtype=np.uint32).reshape(1, 30, 40), places((-5, -6)))
    assert (buffer.pixels[4:-4, 4:-4] == np.arange(30 * 40).reshape(30, 40)[6:16, 5:15]).all()
    buffer.put(np.full((1, 30, 40), 7, np.uint32), places((8, 9)))
    assert (buffer.pixels[4 + 9 :, 4 + 8 :] == 7).all() and (buffer.pixels[4 + 8, 4 + 8] != 7).all()


def test_later_tiles_cover_earlier_ones() -> None:
    buffer = Buffer(10, 10, 4)
    buffer.put(np.stack([np.full((4, 4), 1, np.uint32), np.full((4, 4), 2, np.uint32)]), places((0, 0), (2, 2)))
    assert buffer.pixels[4 + 3, 4 + 3] == 2


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("side", [4, 20, 90])
def test_emblems_differ_and_show_on_their_ground(theme: str, side: int) -> None:
    colours = CanvasColours.from_palette(PALETTES[theme])
    drawn = [emblem_tile(index, side, side, colours) for index in range(len(EMBLEMS))]
    assert not (drawn[0] == drawn[1]).all() and not (drawn[1] == drawn[2]).all() and not (drawn[0] == drawn[2]).all()
    assert cell_tile(side, 2 * side, 0.1 * side, colours).shape == (2 * side, side)


def test_the_badge_is_coloured_like_a_pin() -> None:
    colours = CanvasColours.from_palette(PALETTES[LIGHT])
    badge = badge_image(32, colours)
    assert badge.pixelColor(0, 0).alpha() < 40
    assert badge.pixelColor(16, 5).red() > badge.pixelColor(16, 5).blue() + 40


def test_a_heat_map_has_a_pixel_per_cell() -> None:
    shape = Shape(np.array([[1, 0], [1, 1]], dtype=bool), "corner")
    image = heat_image(shape, np.array([0.0, 1.0, np.nan]))
    assert (image.width(), image.height()) == (2, 2)
    assert image.pixelColor(1, 0).alpha() == image.pixelColor(1, 1).alpha() == 0
    assert image.pixelColor(0, 1).lightness() > image.pixelColor(0, 0).lightness()


def test_confidence_fills_all_colours_whatever_the_pins() -> None:
    confidence = np.array([1.0, 0.2, 0.3, 0.4, 0.9], np.float32)
    layout = Layout(rectangle(1, 5), np.array([4, 3, 2, 1, -1]), confidence, Pins({4: (0, 0)}))
    values = stretched_confidence(layout)
    assert values[:4] == pytest.approx([1, 0, 0.5, 1], abs=0.05) and np.isnan(values[4])
    plain = stretched_confidence(replace(layout, confidence=np.full(5, 0.5, np.float32)))
    assert plain[1] == pytest.approx(0.5)


def test_tiles_of_photos_that_were_added_push_no_others_out() -> None:
    atlas = Atlas(np.full((2, 2), 4))
    atlas.put(np.arange(2), np.zeros((2, 4, 4), np.uint32), SHARP)
    atlas.resize(np.full((3, 2), 4))
    atlas.put(np.array([2]), np.zeros((1, 4, 4), np.uint32), SHARP)
    assert not len(atlas.below(np.arange(3), SHARP))


def test_tiles_that_are_made_anew_push_no_others_out() -> None:
    atlas = Atlas(np.full((3, 2), 4))
    for _ in range(3):
        atlas.put(np.arange(3), np.zeros((3, 4, 4), np.uint32), SHARP)
        atlas.forget(np.array([1]))
        atlas.put(np.array([1]), np.zeros((1, 4, 4), np.uint32), SHARP)
        assert not len(atlas.below(np.arange(3), SHARP))
