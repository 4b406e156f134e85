"""A sheet that is written band by band has the pixels of one that is drawn as a whole."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from album_app.errors import Stopped
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import rectangle
from album_app.photos.album import Album, scan
from album_app.render import RenderSettings, plan_page
from album_app.render.page.compose import Sheet, compose
from album_app.render.painters import tiles
from album_app.render.painters.pixels import Limits, PixelPainter, rounded_mask
from tests.render.conftest import layout_of
from tests.render.write_sheet import write_sheet

EVERYTHING = RenderSettings(cell=70, corner=0.3, border=3, gap=5, caption="name", title="Bands", mark_pins=True)
SETTINGS = {
    "plain": RenderSettings(cell=61, gap=0, margin=0),
    "everything": EVERYTHING,
    "transparent": RenderSettings(cell=70, corner=0.5, background=None, caption="name", mark_pins=True),
    "whole": RenderSettings(cell=90, fit="whole", corner=0.1),
}


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Album:
    """Photos full of detail, some smaller and some larger than their cells."""
    folder, rng = tmp_path_factory.mktemp("noisy"), np.random.default_rng(5)
    for number, (width, height) in enumerate([(40, 30), (150, 100), (64, 64), (90, 200), (300, 120), (31, 47)]):
        coarse = rng.integers(0, 256, (height // 8 + 1, width // 8 + 1, 3), dtype=np.uint8)
        Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC).save(folder / f"{number}.png")
    return scan(folder)


@pytest.fixture
def sheet_of_repeats() -> Layout:
    """Four rows, in which photos come back further down."""
    return layout_of(rectangle(4, 3), [0, 1, 2, 3, 4, 5, 2, 0, -1, 4, 1, 3], {1: (0, 1), 5: (1, 2)})


def drawn_whole(layout: Layout, album: Album, settings: RenderSettings) -> Image.Image:
    """The sheet drawn as one picture."""
    sheet = Sheet.of(layout, album.photos, plan_page(layout, settings), settings)
    painter = PixelPainter(*sheet.plan.size, sheet.background is None)
    images = tiles.originals({photo: sheet.wanted(photo) for photo in sheet.cells}, album.photos)
    compose(sheet, painter, images, lambda: None)
    return painter.image


def written(
    layout: Layout, album: Album, settings: RenderSettings, path: Path, limits: Limits | None = None
) -> NDArray[np.uint8]:
    with Image.open(write_sheet(layout, album, path, settings, limits=limits, agreed=True)) as image:
        return np.asarray(image)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("suffix", [".png", ".tif"])
def test_bands_have_the_pixels_of_the_whole_sheet(
    sheet_of_repeats: Layout,
    noisy: Album,
    tmp_path: Path,
    settings: RenderSettings,
    suffix: str,
) -> None:
    whole = drawn_whole(sheet_of_repeats, noisy, settings)
    small = Limits(deflated_bytes=5000, strip_bytes=5000)
    for rows in (1, 7, 64):
        for tile_bytes in (0, 50_000, 1 << 30):
            limits = replace(small, band_bytes=4 * whole.width * rows, tile_bytes=tile_bytes)
            assert np.array_equal(written(sheet_of_repeats, noisy, settings, tmp_path / f"a{suffix}", limits), whole)


@pytest.mark.parametrize("quality", [80, 95])
def test_a_jpeg_joined_from_bands_is_decoded_like_one_from_the_whole_sheet(
    sheet_of_repeats: Layout, noisy: Album, tmp_path: Path, quality: int
) -> None:
    settings = RenderSettings(cell=70, caption="name", quality=quality)
    whole = written(sheet_of_repeats, noisy, settings, tmp_path / "a.jpg")
    drawn_whole(sheet_of_repeats, noisy, settings).save(
        tmp_path / "pillow.jpg", quality=quality, subsampling=0 if quality >= 90 else 2
    )
    assert np.array_equal(whole, np.asarray(Image.open(tmp_path / "pillow.jpg")))
    narrow = Limits(band_bytes=1)
    assert np.array_equal(written(sheet_of_repeats, noisy, settings, tmp_path / "a.jpg", narrow), whole)
    markers = (tmp_path / "a.jpg").read_bytes()
    assert all(bytes([0xFF, 0xD0 + number]) in markers for number in range(8)), "there were too few bands"


def test_tiles_larger_than_the_limit_are_enlarged_band_by_band(
    sheet_of_repeats: Layout, noisy: Album, tmp_path: Path
) -> None:
    settings = RenderSettings(cell=173, corner=0.2)
    whole = np.asarray(drawn_whole(sheet_of_repeats, noisy, settings)).astype(int)
    limits = Limits(pixels_enlarged_at_once=0, band_bytes=4 * whole.shape[1] * 23)
    for tile_bytes in (0, 1 << 30):
        image = written(sheet_of_repeats, noisy, settings, tmp_path / "a.png", replace(limits, tile_bytes=tile_bytes))
        shades = np.abs(image - whole)
        assert shades.max() <= 1 and (shades > 0).mean() < 0.01


def test_a_stop_between_bands_leaves_no_file(sheet_of_repeats: Layout, noisy: Album, tmp_path: Path) -> None:
    for suffix in (".png", ".jpg", ".tif", ".webp"):
        seen: list[int] = []
        with pytest.raises(Stopped):
            write_sheet(
                sheet_of_repeats,
                noisy,
                tmp_path / f"sheet{suffix}",
                limits=Limits(band_bytes=4 * 700 * 8, tile_bytes=0),
                on_progress=lambda done, total, seen=seen: seen.append(done),
                stop=lambda seen=seen: max(seen, default=0) > 40,
            )
        assert not list(tmp_path.iterdir())


def test_rows_of_large_corners_are_those_of_the_whole_corner() -> None:
    whole = np.asarray(rounded_mask(90, 61, 20.3)).astype(int)
    rows = [np.asarray(rounded_mask(90, 61, 20.3, row, min(row + 7, 61))) for row in range(0, 61, 7)]
    assert np.array_equal(np.concatenate(rows), whole)
    drawn = [np.asarray(rounded_mask(90, 61, 20.3, row, min(row + 7, 61), largest_kept=0)) for row in range(0, 61, 7)]
    shades = np.abs(np.concatenate(drawn) - whole)
    assert shades.max() <= 255 / 4 and (shades > 0).mean() < 0.01


def test_a_higher_sheet_keeps_no_more_tiles(noisy: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Space in memory and in the file of tiles is used again."""
    limits, files = Limits(band_bytes=4 * 400 * 16, tile_bytes=60_000), [tmp_path / "low", tmp_path / "high"]
    unused, temporary = iter(files), tempfile.TemporaryFile

    def lasting(**where: Any) -> Any:
        """A file that outlives its closing; the other temporary files of the program name no folder."""
        return next(unused).open("w+b") if where else temporary()

    monkeypatch.setattr(tempfile, "TemporaryFile", lasting)
    for rows in (6, 24):
        layout = layout_of(rectangle(rows, 6), list(range(6 * rows)))
        many = Album(noisy.roots, noisy.photos * rows)
        write_sheet(layout, many, tmp_path / "a.png", RenderSettings(cell=64), limits=limits, agreed=True)
    low, high = (file.stat().st_size for file in files)
    assert 0 < low == high < 64 * 64 * 3 * 6 * 2
