"""The size of a file is estimated from some of its photos, and the estimate is nearly right for each format."""

import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from album_app.errors import AlbumError, UsageError
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import book, rectangle
from album_app.photos.album import Album, Photo, scan
from album_app.render import FORMATS, Format, RenderSettings, estimated_bytes, measured_bytes, memory_needed, plan_page
from album_app.render.checks import check_plan, check_target
from album_app.render.formats.format import PixelFormat
from album_app.render.painters.pixels import Limits
from album_app.work import Stopped
from tests.render.conftest import layout_of
from tests.render.write_sheet import write_sheet

COUNT = 60
SHEETS = {
    "by cell": RenderSettings(cell=64),
    "coarse": RenderSettings(cell=48, quality=60, gap=12, margin=40),
    "on paper": RenderSettings(paper="A5", dpi=200, fit="whole", caption="name"),
}
KINDS = [kind for kind in FORMATS.values() if not kind.to_look_around]


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Album:
    """Photos from nearly plain to full of detail, as they lie on a sheet: similar photos next to each other."""
    folder, photos, draw = tmp_path_factory.mktemp("detailed"), [], np.random.default_rng(3)
    for k in range(COUNT):
        size = (160, 120) if k % 3 else (120, 160)
        grain = draw.normal(0, 2 + 60 * k / COUNT, (*size[::-1], 3))
        pixels = np.clip(np.array([200 - 2 * k, 90, 40 + 3 * k]) + grain, 0, 255).astype(np.uint8)
        path = folder / f"photo-{k:02d}.png"
        Image.fromarray(pixels).save(path)
        photos.append(Photo(path, path.name, path.stat().st_size, 0, *size))
    return Album((folder,), tuple(photos))


@pytest.fixture
def sheet() -> Layout:
    return layout_of(rectangle(6, 10), list(range(COUNT)))


def ratio(layout: Layout, album: Album, kind: Format, settings: RenderSettings, folder: Path) -> float:
    """The estimated size divided by the written one."""
    reported = measured_bytes(layout, album, kind, settings)
    write_sheet(layout, album, folder / f"sheet{kind.suffixes[0]}", settings)
    return reported / sum(file.stat().st_size for file in folder.glob("sheet*"))


@pytest.mark.parametrize("settings", SHEETS.values(), ids=SHEETS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_what_is_told_is_nearly_what_is_written(
    sheet: Layout, album: Album, kind: Format, settings: RenderSettings, tmp_path: Path
) -> None:
    assert 0.88 < ratio(sheet, album, kind, settings, tmp_path) < 1.12


@pytest.mark.parametrize("name", ["PNG", "WebP"])
def test_a_large_sheet_is_told_by_the_setting_that_it_is_written_with(
    sheet: Layout, album: Album, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, settings, efforts = FORMATS[name], RenderSettings(cell=64), list[int]()
    assert isinstance(kind, PixelFormat)
    save, compressor = Image.Image.save, zlib.compressobj

    def saving(image: Image.Image, *where: Any, **how: Any) -> None:
        if name == "WebP":
            efforts.append(how["method"])
        save(image, *where, **how)

    def compressing(level: int, *how: Any) -> Any:
        efforts.append(level)
        return compressor(level, *how)

    monkeypatch.setattr(Image.Image, "save", saving)
    monkeypatch.setattr(zlib, "compressobj", compressing)
    pixels, used = plan_page(sheet.shape, settings).pixels, []
    for large in (pixels, pixels - 1):
        limits = Limits(pixels_for_fast_encoding=large)
        measured_bytes(sheet, album, replace(kind, limits=limits), settings)
        write_sheet(sheet, album, tmp_path / f"sheet{kind.suffixes[0]}", settings, limits=limits)
        used.append(set(efforts))
        efforts.clear()
    (usual,), (fast,) = used
    assert fast < usual


def test_edges_of_photos_cost_on_trial_what_they_cost_on_the_sheet(sheet: Layout, tmp_path: Path) -> None:
    """Between plain photos nothing else costs, and it is all the same whether they lie on a JPEG's own squares."""
    (tmp_path / "plain").mkdir()
    for k in range(COUNT):
        Image.new("RGB", (60, 60), (4 * k, 90, 200)).save(tmp_path / "plain" / f"{k:02d}.png")
    album = scan(tmp_path / "plain")
    for margin in (16, 21):
        settings = RenderSettings(cell=60, gap=4, margin=margin)
        assert 0.95 < ratio(sheet, album, FORMATS["JPEG"], settings, tmp_path) < 1.05


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_photo_on_several_cells_counts_as_often_as_it_is_written(album: Album, kind: Format, tmp_path: Path) -> None:
    repeated = layout_of(rectangle(6, 10), list(range(0, COUNT, 4)) * 4)
    assert 0.8 < ratio(repeated, album, kind, RenderSettings(cell=64), tmp_path) < 1.2


@pytest.mark.parametrize("kind", [FORMATS["PNG"], FORMATS["PDF"]], ids=lambda kind: kind.name)
def test_empty_cells_count_for_nothing(album: Album, kind: Format, tmp_path: Path) -> None:
    sparse = layout_of(rectangle(6, 10), [photo if photo % 3 == 0 else -1 for photo in range(COUNT)])
    assert 0.88 < ratio(sparse, album, kind, RenderSettings(cell=64), tmp_path) < 1.12


def test_the_first_photo_counts_by_its_size_like_any_other(album: Album) -> None:
    """A sheet whose first photo is large has the size of one on which another photo like it is."""
    album = replace(album, photos=(album.photos[30],) * COUNT)
    free = [photo for photo in range(COUNT) if photo not in (0, 30)]

    def size(large: int) -> int:
        photo_at = np.array([large, large, *free[:4], large, large, *free[4:50]])
        layout = Layout(rectangle(9, 6), photo_at, np.zeros(54, np.float32), sizes={large: 2})
        return measured_bytes(layout, album, FORMATS["PNG"], RenderSettings(cell=64))

    assert size(0) == pytest.approx(size(30), rel=0.005)


@pytest.mark.parametrize("kind", [FORMATS["PNG"], FORMATS["PDF"]], ids=lambda kind: kind.name)
def test_all_pages_of_a_book_are_counted(album: Album, kind: Format, tmp_path: Path) -> None:
    pages = layout_of(book(5, 3, 4), list(range(COUNT)))
    assert 0.8 < ratio(pages, album, kind, RenderSettings(cell=64), tmp_path) < 1.2


def test_a_web_page_is_as_large_as_it_may_be(sheet: Layout, album: Album) -> None:
    kind, settings = FORMATS["Web page"], RenderSettings(megabytes=3)
    reported = measured_bytes(sheet, album, kind, settings)
    assert reported == estimated_bytes(kind, plan_page(sheet.shape, settings), settings) == 3_000_000


def test_a_sheet_that_needs_too_much_memory_names_the_formats_that_need_less(monkeypatch: pytest.MonkeyPatch) -> None:
    shape, settings = rectangle(100, 100), RenderSettings(cell=100)  # 100 megapixels
    plan = plan_page(shape, settings)
    needed = {name: memory_needed(kind, plan) for name, kind in FORMATS.items() if not kind.to_look_around}
    there_is = needed["WebP"] - 1
    monkeypatch.setattr("album_app.render.checks.machine_bytes", lambda: there_is)
    with pytest.raises(AlbumError, match="more than there is") as refused:
        check_plan(FORMATS["WebP"], plan, settings)
    for name, bytes_needed in needed.items():
        assert (name in str(refused.value).split("choose")[1]) == (bytes_needed <= there_is), name


def test_an_empty_sheet_has_a_size(sheet: Layout, album: Album) -> None:
    empty = replace(sheet, photo_at=np.full(COUNT, -1))
    assert measured_bytes(empty, album, FORMATS["PNG"], RenderSettings()) > 0


def test_it_can_be_stopped(sheet: Layout, album: Album) -> None:
    with pytest.raises(Stopped):
        measured_bytes(sheet, album, FORMATS["PNG"], RenderSettings(), stop=lambda: True)


@pytest.mark.parametrize(
    ("name", "settings", "moving", "complaint"),
    [
        ("sheet.jpg", RenderSettings(background=None), False, "cannot be transparent"),
        ("sheet.pdf", RenderSettings(), True, "does not move"),
        ("sheet.png", RenderSettings(poster="A4"), False, "no pages to spread a poster over"),
        ("sheet.pdf", RenderSettings(poster="40x40mm"), False, "at least"),
    ],
)
def test_what_a_format_cannot_do_is_said_before_any_work(
    name: str, settings: RenderSettings, moving: bool, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=complaint):
        check_target(tmp_path / name, settings, moving)
    assert name.endswith(check_target(tmp_path / name).suffixes[0])
