"""Large photos and justified rows: each photo once, pins kept, blocks whole, rows even."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from album_app.errors import UsageError
from album_app.layout import Layout, Options, Pins, ShapeSpec, arrange, build_shape, layout_scores, rectangle
from album_app.layout.editing.edits import resized
from album_app.layout.editing.refit import with_pins, with_sizes
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import book
from album_app.photos.album import Album, Photo

FEATURES = np.random.default_rng(3).random((40, 5))


def is_complete(layout: Layout, photos: int) -> bool:
    """Whether each photo is on the sheet once, and each large one in a block of its size."""
    frames = layout.frames()
    shown = layout.photo_at[layout.shape.index[tuple(frames.cells.T)]]
    once = sorted(shown[shown >= 0].tolist()) == list(range(photos))
    return once and layout.sizes.keys() == layout.blocks.keys() and layout.repeats == 0


@pytest.mark.parametrize("sizes", [{3: 2}, {3: 2, 8: 3, 20: 2}, {0: 4}])
def test_large_photos_cover_blocks_and_every_photo_is_there_once(sizes: dict[int, int]) -> None:
    shape = build_shape(ShapeSpec(), 40 + sum(size**2 - 1 for size in sizes.values()))
    layout = arrange(FEATURES, shape, sizes=sizes)
    assert layout.sizes == sizes and is_complete(layout, 40)
    again = arrange(FEATURES, shape, sizes=sizes, warm=layout)
    assert np.array_equal(again.photo_at, layout.photo_at), "nothing changed, so nothing moves"


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 7), st.integers(0, 5), st.integers(0, 7), st.integers(0, 7))
def test_pins_are_kept_by_large_photos_and_by_those_around_them(row: int, column: int, down: int, right: int) -> None:
    pins = Pins({3: (min(row, 5), min(column, 4))})
    other = (down, min(right, 6))
    if not (pins[3][0] <= other[0] < pins[3][0] + 2 and pins[3][1] <= other[1] < pins[3][1] + 2):
        pins = pins.pin(7, other)
    layout = arrange(FEATURES, rectangle(8, 7), pins, Options(refine=False), sizes={3: 2, 20: 3})
    assert is_complete(layout, 40) and layout.pins == pins
    assert all(layout.photo_in(cell) == photo for photo, cell in pins.items())
    assert layout.blocks[3] == pins[3]


def test_a_photo_without_room_keeps_its_size() -> None:
    layout = arrange(FEATURES, rectangle(2, 20), sizes={3: 3, 5: 2})
    assert layout.sizes == {5: 2}
    pinned = arrange(FEATURES, rectangle(5, 9), Pins({3: (4, 8)}), sizes={3: 2})
    assert pinned.sizes == {} and pinned.photo_in((4, 8)) == 3 and is_complete(pinned, 40)


def test_blocks_lie_on_one_page() -> None:
    layout = arrange(FEATURES, book(4, 4, 4), sizes={3: 3, 9: 3})
    pages = layout.shape.pages
    assert pages is not None and is_complete(layout, 40)
    for photo in (3, 9):
        assert len(set(pages.page_of(layout.shape.cells[layout.photo_at == photo]).tolist())) == 1


def test_a_new_pin_moves_a_block_aside_at_once() -> None:
    layout = arrange(FEATURES, rectangle(7, 7), sizes={3: 2})
    anchor = layout.blocks[3]
    after = with_pins(layout, Pins({10: anchor}))
    assert after.photo_in(anchor) == 10 and is_complete(after, 40) and after.sizes == {3: 2}
    assert is_complete(with_sizes(after, {3: 2, 5: 2}), 40) and with_sizes(after, {}).sizes == {}


@pytest.mark.parametrize("photos", [24, 90, 300])
def test_rows_are_even_and_photos_whole(photos: int) -> None:
    rng = np.random.default_rng(photos)
    features, aspects = rng.random((photos, 4)), rng.choice([2 / 3, 3 / 4, 1.0, 4 / 3, 3 / 2, 16 / 9], photos)
    shape = build_shape(ShapeSpec("rows", photo_aspect=float(aspects.mean())), photos)
    pins = Pins({5: shape.corners[0]})
    layout = arrange(features, shape, pins, aspects=aspects)
    assert is_complete(layout, photos) and layout.photo_in(shape.corners[0]) == 5
    frames = layout.frames()
    heights = [float(frames.boxes[frames.of((row, 0)), 3]) for row in range(shape.rows)]
    assert np.std(heights) / np.mean(heights) <= 0.04
    assert frames.boxes[:, 2] / frames.boxes[:, 3] == pytest.approx(aspects[layout.photo_at], rel=1e-5)
    assert frames.width / frames.height == pytest.approx(1.25, rel=0.3)
    if photos < 300:
        return
    plain = arrange(features, replace(shape, is_justified=False), pins)
    assert layout_scores(layout, features)["dpq16"] > layout_scores(plain, features)["dpq16"] - 0.06


def test_a_sheet_grows_for_a_large_photo_and_says_where_there_is_no_room() -> None:
    album = Album((), tuple(Photo(Path(f"/nowhere/{k}.jpg"), f"{k}.jpg", 1, 0, 300, 200) for k in range(9)))
    shape = build_shape(ShapeSpec(), 9)
    layout = arrange(FEATURES[:9], shape)
    document = Document(album, ShapeSpec(), shape, layout=layout)
    edit = resized(document, [4], step=1)
    assert edit is not None and edit.document.sizes == {4: 2} and edit.document.shape.count >= 12
    assert edit.document.layout is not None and is_complete(edit.document.layout, 9)
    back = resized(edit.document, [4], size=1)
    assert back is not None and back.document.sizes == {} and back.document.shape.count == 9
    fixed = replace(document, spec=ShapeSpec("rectangle", rows=1, columns=9), shape=rectangle(1, 9))
    with pytest.raises(UsageError, match="no room"):
        resized(replace(fixed, layout=arrange(FEATURES[:9], fixed.shape)), [4], size=2)
