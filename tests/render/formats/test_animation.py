"""Animations: they begin shuffled, end as the sheet is, and stay small."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.errors import UsageError
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import rectangle
from album_app.photos.album import Album
from album_app.photos.decoding.header import Metadata
from album_app.photos.decoding.image_formats import is_sheet
from album_app.render import RenderSettings, plan_export, plan_page
from album_app.render.formats.animation import shuffled, story
from tests.render.conftest import COLOURS, layout_of, near
from tests.render.write_sheet import write_sheet

SETTINGS = RenderSettings(cell=40, gap=4, margin=10, title="Crete")


def test_a_story_begins_in_no_order_and_puts_one_pin_after_the_other() -> None:
    features = np.random.default_rng(1).random((24, 3))
    pins = Pins({3: (0, 0), 5: (0, 5), 7: (3, 0), 9: (3, 5)})
    layout = Layout(rectangle(4, 6), np.arange(24)[::-1].copy(), np.ones(24, np.float32))
    reported = story(features, Layout(layout.shape, _pinned(layout, pins), layout.confidence, pins), Options())
    assert [len(each.pins) for each in reported] == [0, 1, 2, 3]
    assert all(each.pins.items() <= pins.items() for each in reported)
    assert all(sorted(each.photo_at.tolist()) == list(range(24)) for each in reported)
    assert not np.array_equal(reported[0].photo_at, np.arange(24)[::-1])


def _pinned(layout: Layout, pins: Pins) -> np.ndarray:
    free = [photo for photo in layout.photo_at.tolist() if photo not in pins]
    cells = [layout.shape.cell(k) for k in range(layout.shape.count)]
    return np.array([pins.at(cell) if pins.at(cell) is not None else free.pop() for cell in cells])


def test_empty_cells_stay_empty_when_photos_are_shuffled() -> None:
    layout = layout_of(rectangle(2, 3), [0, -1, 2, 3, -1, 5])
    mixed = shuffled(layout, 0)
    assert [photo < 0 for photo in mixed.photo_at] == [False, True, False, False, True, False]
    assert sorted(mixed.photo_at.tolist()) == sorted(layout.photo_at.tolist())
    assert np.array_equal(mixed.photo_at, shuffled(layout, 0).photo_at)


def test_an_animation_glides_from_the_first_layout_to_the_last(layout: Layout, album: Album, tmp_path: Path) -> None:
    turned = layout_of(layout.shape, [5, 4, 3, 2, 1, 0])
    path = write_sheet(layout, album, tmp_path / "sheet.webp", SETTINGS, before=[turned])
    still = Image.open(write_sheet(layout, album, tmp_path / "sheet.png", SETTINGS)).convert("RGB")
    with Image.open(path) as moving:
        assert moving.n_frames > 15 and moving.size == still.size and moving.info["loop"] == 0
        first = np.asarray(moving.convert("RGB"), int)
        moving.seek(moving.n_frames - 1)
        last = np.asarray(moving.convert("RGB"), int)
    assert np.abs(last - np.asarray(still, int)).mean() < 3 < np.abs(first - np.asarray(still, int)).mean()
    top = still.height - 2 * 40 - 4 - 10
    assert near(first[top + 20, 30], COLOURS[5], 20) and near(last[top + 20, 30], COLOURS[0], 20)
    assert is_sheet(path)


@pytest.mark.parametrize(("colour_by", "border"), [("", 0), ("keywords", 0), ("keywords", 40)])
def test_round_corners_and_coloured_frames_are_in_the_animation_too(
    layout: Layout, album: Album, tmp_path: Path, colour_by: str, border: float
) -> None:
    """A frame takes a quarter of the photo's sides at most."""
    settings = replace(SETTINGS, cell=60, corner=0.4, title="", colour_by=colour_by, border=border)
    words = [replace(photo, metadata=Metadata(keywords=(photo.name[:7],))) for photo in album.photos]
    album = replace(album, photos=tuple(words))
    turned = layout_of(layout.shape, [5, 4, 3, 2, 1, 0])
    still = Image.open(write_sheet(layout, album, tmp_path / "sheet.png", settings)).convert("RGB")
    with Image.open(write_sheet(layout, album, tmp_path / "sheet.webp", settings, before=[turned])) as moving:
        moving.seek(moving.n_frames - 1)
        last = np.asarray(moving.convert("RGB"), int)
    x, y, width, height = plan_page(layout.shape, settings).tile_rect((0, 1))
    for place in ((y + 3, x + 3), (y + height - 4, x + width - 4)):
        assert near(np.asarray(still)[place], (255, 255, 255), 20) and near(last[place], (255, 255, 255), 20)
    middle = np.asarray(still, int)[y + 2 : y + height - 2, x + 25 : x + 35]
    assert np.abs(last[y + 2 : y + height - 2, x + 25 : x + 35] - middle).mean() < 8


def test_photos_set_off_and_arrive_gently(layout: Layout, album: Album, tmp_path: Path) -> None:
    turned = layout_of(layout.shape, [5, 4, 3, 2, 1, 0])
    with Image.open(write_sheet(layout, album, tmp_path / "sheet.webp", SETTINGS, before=[turned])) as moving:
        frames = []
        for number in range(moving.n_frames):
            moving.seek(number)
            frames.append(np.asarray(moving.convert("RGB"), int))
    whole, start, end = (
        float(np.abs(one - other).mean())
        for one, other in ((frames[-1], frames[0]), (frames[1], frames[0]), (frames[-1], frames[-2]))
    )
    assert start < 0.15 * whole and end < 0.15 * whole, (start / whole, end / whole)


def test_an_animation_keeps_to_its_size(album: Album, tmp_path: Path) -> None:
    layouts = [layout_of(rectangle(6, 8), list(np.random.default_rng(k).integers(0, 6, 48))) for k in range(3)]
    settings = RenderSettings(cell=80, megabytes=0.5)
    path = write_sheet(layouts[-1], album, tmp_path / "sheet.webp", settings, before=layouts[:-1])
    assert path.stat().st_size <= 500_000
    with Image.open(path) as moving:
        assert max(moving.size) <= 720


def test_a_large_sheet_moves_within_720_pixels_and_a_small_one_keeps_its_size() -> None:
    large = plan_export(rectangle(10, 30), "sheet.webp", RenderSettings(cell=100, gap=0, margin=0), moving=True)
    assert large.page.size == (720, 240)
    small = plan_export(rectangle(2, 3), "sheet.webp", RenderSettings(cell=100, gap=0, margin=0), moving=True)
    assert small.page.size == (300, 200)


def test_what_cannot_move_is_told(layout: Layout, album: Album, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="JPEG does not move; choose WebP"):
        write_sheet(layout, album, tmp_path / "sheet.jpg", before=[layout])
