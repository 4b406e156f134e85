"""What the pixels of a sheet show."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.layout.editing.refit import reading_order
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Shape, rectangle
from album_app.photos.album import Album, scan
from album_app.photos.decoding.decode import thumbnail
from album_app.render import RenderSettings, plan_page, preview
from album_app.render.page.compose import hairline_on
from tests.render.conftest import COLOURS, layout_of, near
from tests.render.write_sheet import write_sheet


def drawn(layout: Layout, album: Album, settings: RenderSettings) -> Image.Image:
    """The sheet at full size, as `preview` draws it."""
    return preview(layout, [thumbnail(photo.path) for photo in album.photos], settings, 10_000, album=album)


def middle(layout: Layout, settings: RenderSettings, index: int) -> tuple[int, int]:
    x, y, width, height = plan_page(layout.shape, settings).tile_rect(layout.shape.cell(index))
    return x + width // 2, y + height // 2


def test_every_photo_is_in_its_cell(layout: Layout, album: Album) -> None:
    settings = RenderSettings(cell=40)
    image = drawn(layout, album, settings)
    assert [image.getpixel(middle(layout, settings, i)) for i in range(6)] == COLOURS
    assert image.getpixel((1, 1)) == (255, 255, 255)


def test_crop_fills_the_tile_and_whole_keeps_the_photo(layout: Layout, album: Album) -> None:
    for fit, corner in (("crop", COLOURS[0]), ("whole", (250, 250, 210))):
        settings = RenderSettings(cell=40, fit=fit, background="lightgoldenrodyellow")
        x, y, width, _ = plan_page(layout.shape, settings).tile_rect((0, 0))
        image = drawn(layout, album, settings)
        assert image.getpixel((x + 1, y + 1)) == corner
        assert image.getpixel((x + 1, y + width // 2)) == COLOURS[0]


def test_a_preview_of_thumbnails_alone_knows_their_proportions() -> None:
    wide, tall = np.full((40, 80, 3), 90, np.uint8), np.full((80, 40, 3), 90, np.uint8)
    settings = RenderSettings(cell=100, gap=0, margin=0, fit="whole")
    image = np.asarray(preview(layout_of(rectangle(1, 2), [0, 1]), [wide, tall], settings, 10_000).convert("L"))
    dark = image < 160
    assert dark[:, :100].sum() == pytest.approx(100 * 50, rel=0.05) and dark[50, :100].all()
    assert dark[:, 100:].sum() == pytest.approx(50 * 100, rel=0.05) and dark[:, 150].all()


def test_small_photos_are_enlarged_to_their_tile(layout: Layout, album: Album) -> None:
    settings = RenderSettings(cell=300)
    x, y, width, height = plan_page(layout.shape, settings).tile_rect((1, 2))
    image = drawn(layout, album, settings)
    assert image.getpixel((x, y)) == image.getpixel((x + width - 1, y + height - 1)) == COLOURS[5]


def test_empty_cells_and_cells_outside_the_shape_show_the_background(album: Album) -> None:
    shape = Shape(np.array([[True, False], [True, True]]), "hook")
    settings = RenderSettings(cell=20, background="#102030")
    layout = layout_of(shape, [0, -1, 2])
    image = drawn(layout, album, settings)
    plan = plan_page(shape, settings)
    x, y, width, height = plan.tile_rect((1, 1))[0], *plan.tile_rect((0, 0))[1:]
    assert image.getpixel((x + width // 2, y + height // 2)) == (16, 32, 48)
    assert image.getpixel(middle(layout, settings, 1)) == (16, 32, 48)
    assert image.getpixel(middle(layout, settings, 2)) == COLOURS[2]


def test_round_corners_are_smooth(layout: Layout, album: Album) -> None:
    settings = RenderSettings(cell=60, corner=0.5, background="black")
    x, y, width, height = plan_page(layout.shape, settings).tile_rect((0, 0))
    tile = np.asarray(drawn(layout, album, settings).crop((x, y, x + width, y + height)))[..., 0]
    assert tile[0, 0] == tile[-1, -1] == 0 and tile[30, 30] == 200
    assert ((tile > 0) & (tile < 200)).any(), "no half-covered pixels on the edge of the circle"
    assert tile.astype(float).mean() / 200 == pytest.approx(np.pi / 4, abs=0.01)


def test_transparent_edges_keep_the_photos_colour(layout: Layout, album: Album) -> None:
    settings = RenderSettings(cell=60, corner=0.3, background=None, caption="name", title="Title", mark_pins=True)
    image = drawn(layout, album, settings)
    assert image.mode == "RGBA" and image.getpixel((0, 0))[3] == 0
    x, y, width, height = plan_page(layout.shape, settings).tile_rect((1, 1))
    tile = np.asarray(image.crop((x, y, x + width, y + height)))
    edge = (tile[..., 3] > 0) & (tile[..., 3] < 255)
    assert edge.any() and near(tile[edge], COLOURS[4], 2)


def test_border_frames_the_photo(layout: Layout, album: Album) -> None:
    settings = RenderSettings(cell=60, border=4, border_colour="#ffffff", background="black")
    x, y, *_ = plan_page(layout.shape, settings).tile_rect((0, 0))
    image = drawn(layout, album, settings)
    colours = [image.getpixel((x + step, y + 30)) for step in (-1, 0, 3, 4)]
    assert colours == [(0, 0, 0), (255, 255, 255), (255, 255, 255), COLOURS[0]]


def test_pins_are_marked_only_when_asked(layout: Layout, album: Album) -> None:
    tile = plan_page(layout.shape, RenderSettings()).tile_rect
    marked, plain = (drawn(layout, album, RenderSettings(mark_pins=mark)) for mark in (True, False))
    for cell in [(0, 0), (0, 1)]:
        x, y, width, height = tile(cell)
        box = (x, y, x + width, y + height)
        changed = np.asarray(marked.crop(box)) != np.asarray(plain.crop(box))
        assert changed.any() == (cell == (0, 0))


def test_captions_and_title_are_written(layout: Layout, album: Album) -> None:
    bare = plan_page(layout.shape, RenderSettings())
    settings = RenderSettings(caption="date", title="A title", background="#202020")
    plan = plan_page(layout.shape, settings)
    assert plan.height > bare.height
    image = np.asarray(drawn(layout, album, settings).convert("L")).astype(int)
    for x, y, width, height in (plan.title_rect(), plan.caption_rect((1, 1))):
        strip = image[round(y) : round(y + height), round(x) : round(x + width)]
        assert strip.max() > 180, "light text was expected on a dark sheet"


def test_repeated_photos_are_drawn_in_each_cell(album: Album) -> None:
    layout = layout_of(rectangle(1, 4), [3, 0, 3, 0])
    settings = RenderSettings(cell=30)
    image = drawn(layout, album, settings)
    shown = [image.getpixel(middle(layout, settings, i)) for i in range(4)]
    assert shown == [COLOURS[3], COLOURS[0], COLOURS[3], COLOURS[0]]


def test_a_preview_shows_what_the_file_will(layout: Layout, album: Album, tmp_path: object) -> None:
    settings = RenderSettings(paper="A5", dpi=150, caption="name", title="Same", corner=0.1, border=1, mark_pins=True)
    full = Image.open(write_sheet(layout, album, f"{tmp_path}/sheet.png", settings)).convert("RGB")
    small = preview(layout, [thumbnail(p.path) for p in album.photos], settings, 400, album=album)
    assert max(small.size) == 400
    reduced = np.asarray(full.resize(small.size, Image.Resampling.BOX)).astype(int)
    assert np.abs(reduced - np.asarray(small).astype(int)).mean() < 4


def test_gaps_of_less_than_a_pixel_are_all_drawn_alike_in_a_preview() -> None:
    shape = rectangle(30, 30)
    sheet = reading_order(shape, range(900))
    dark = [np.zeros((8, 8, 3), np.uint8)] * 900
    image = np.asarray(preview(sheet, dark, RenderSettings(cell=60, gap=6, margin=0), 310)).astype(int)
    profile = image[..., 0].mean(axis=0)
    steps = [profile[round(k * 310 / 30) : round((k + 1) * 310 / 30)].sum() for k in range(1, 29)]
    assert min(steps) > 0.5 * max(steps) > 0, "every cell has its gap"


def test_a_preview_does_without_thumbnails(layout: Layout) -> None:
    image = preview(layout, [None] * 6, RenderSettings(caption="name"), 300)
    assert len(np.unique(np.asarray(image).reshape(-1, 3), axis=0)) > 2


def test_a_photo_that_is_gone_leaves_the_background_unless_it_is_given_instead(
    layout: Layout, broken: Album, album: Album, tmp_path: Path
) -> None:
    settings = RenderSettings(cell=40, background="#102030")
    empty = write_sheet(layout, broken, tmp_path / "empty.png", settings)
    kept = {photo: thumbnail(album.photos[photo].path) for photo in (1, 2)}
    reported: list[int] = []
    whole = write_sheet(
        layout,
        broken,
        tmp_path / "whole.png",
        settings,
        instead=kept,
        on_missing=lambda photo, why: reported.append(photo),
    )
    with Image.open(empty) as image:
        assert (
            image.getpixel(middle(layout, settings, 1)) == image.getpixel(middle(layout, settings, 2)) == (16, 32, 48)
        )
    with Image.open(whole) as image:
        assert [image.getpixel(middle(layout, settings, i)) for i in range(6)] == COLOURS
    assert not reported


def test_a_layout_without_some_photos_keeps_every_other_where_it_was(layout: Layout) -> None:
    rest = layout.without({0, 4})
    assert rest.photo_at.tolist() == [-1, 1, 2, 3, -1, 5] and not rest.pins and layout.pins
    assert layout.without(()) is layout


def test_white_photos_of_a_figure_on_white_paper_get_a_hairline(tmp_path: Path) -> None:
    Image.new("RGB", (60, 60), "white").save(tmp_path / "white.png")
    album = scan(tmp_path)
    for mask, line in (([[1, 0], [0, 0]], True), ([[1]], False)):
        shape = Shape(np.array(mask, bool), "figure")
        layout = Layout(shape, np.zeros(1, np.int64), np.ones(1, np.float32), Pins())
        image = preview(layout, [np.full((60, 60, 3), 255, np.uint8)], RenderSettings(cell=100), 400, album=album)
        assert (np.asarray(image).min() < 240) == line


@pytest.mark.parametrize(
    ("colour", "edges", "line"),
    [
        ((255, 255, 180), 4, False),
        ((245, 250, 246), 4, True),
        ((235, 250, 246), 4, False),
        ((255, 255, 255), 2, True),
        ((255, 255, 255), 0, False),
    ],
)
def test_only_photos_that_fade_into_the_paper_along_enough_of_their_edge_get_a_hairline(
    colour: tuple[int, int, int], edges: int, line: bool
) -> None:
    pixels = np.full((64, 64, 3), (250, 120, 120), np.uint8)
    bands = (np.s_[:8], np.s_[-8:], np.s_[:, :8], np.s_[:, -8:])
    for band in bands[:edges]:
        pixels[band] = colour
    shape = Shape(np.array([[1, 0], [0, 0]], bool), "figure")
    layout = Layout(shape, np.zeros(1, np.int64), np.ones(1, np.float32), Pins())
    settings = RenderSettings(cell=64, gap=0, margin=0)
    found = np.asarray(preview(layout, [pixels], settings, 400)).astype(int)[:64, :64]
    inner = np.abs(found[32, 0] - hairline_on((255, 255, 255))).max() < 8
    assert inner == line
