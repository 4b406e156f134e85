"""Files: formats, what they carry, what they refuse, and what is left when writing fails."""

import errno
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.errors import AlbumError, Stopped, UsageError
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import rectangle
from album_app.photos.album import Album, Photo, scan
from album_app.photos.decoding.image_formats import is_sheet
from album_app.render import (
    FORMATS,
    Format,
    RenderSettings,
    check_target,
    checks,
    estimated_bytes,
    format_of,
    memory_needed,
    plan_page,
    unreadable_photos,
)
from album_app.render.formats.format import PixelFormat
from tests.render.conftest import COLOURS, layout_of, near
from tests.render.write_sheet import write_sheet

ALL = list(FORMATS.values())
PIXELS = [kind for kind in ALL if isinstance(kind, PixelFormat)]


@pytest.mark.parametrize("suffix", [suffix for kind in PIXELS for suffix in kind.suffixes])
def test_pixel_formats_hold_the_sheet(layout: Layout, album: Album, tmp_path: Path, suffix: str) -> None:
    settings = RenderSettings(cell=60, dpi=254)
    path = write_sheet(layout, album, tmp_path / f"sheet{suffix}", settings)
    plan = plan_page(layout.shape, settings)
    with Image.open(path) as image:
        assert image.size == (plan.width, plan.height)
        assert image.info["icc_profile"][36:40] == b"acsp"
        assert not image.getexif().get(34853) and "exif" not in image.info
        if suffix != ".webp":
            assert image.info["dpi"] == pytest.approx((254, 254), abs=0.1)
        for i, colour in enumerate(COLOURS):
            x, y, width, height = plan.tile_rect(layout.shape.cell(i))
            assert near(image.convert("RGB").getpixel((x + width // 2, y + height // 2)), colour)
    assert is_sheet(path) and not is_sheet(album.photos[0].path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", [".png", ".webp", ".tif"])
def test_transparency_survives(layout: Layout, album: Album, tmp_path: Path, suffix: str) -> None:
    path = write_sheet(layout, album, tmp_path / f"sheet{suffix}", RenderSettings(cell=60, background=None, corner=0.2))
    with Image.open(path) as image:
        alpha = np.asarray(image.convert("RGBA"))[..., 3]
    assert alpha[0, 0] == 0 and alpha.max() == 255


def test_personal_metadata_stays_out(layout: Layout, album: Album, tmp_path: Path) -> None:
    secret = tmp_path / "secret.jpg"
    exif = Image.Exif()
    exif[0x010F] = "SECRET-CAMERA"
    Image.new("RGB", (90, 90), "red").save(secret, exif=exif, comment=b"SECRET-COMMENT")
    photos = (Photo(secret, "secret.jpg", 1, 0, 90, 90), *album.photos[1:])
    for kind in ALL:
        data = write_sheet(layout, Album((), photos), tmp_path / f"sheet{kind.suffixes[0]}").read_bytes()
        assert b"SECRET" not in data and str(tmp_path).encode() not in data


def test_the_same_sheet_is_the_same_file(layout: Layout, album: Album, tmp_path: Path) -> None:
    for kind in ALL:
        first, second = (write_sheet(layout, album, tmp_path / f"{i}{kind.suffixes[0]}").read_bytes() for i in range(2))
        assert first == second


def test_limits_are_said_before_work_starts(album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide, tall = layout_of(rectangle(1, 200), [0] * 200), layout_of(rectangle(200, 1), [0] * 200)
    cases = [
        ("x.webp", RenderSettings(cell=96), "16383"),
        ("x.jpg", RenderSettings(cell=400), "65500"),
        ("x.pdf", RenderSettings(cell=96, dpi=72), "5080 mm"),
        ("x.tif", RenderSettings(paper="50000x50000px"), "4 GB"),
        ("x.jpg", RenderSettings(background=None), "transparent"),
    ]
    for name, settings, word in cases:
        for sheet in (wide, tall):
            with pytest.raises(UsageError, match=word):
                write_sheet(sheet, album, tmp_path / name, settings)
    monkeypatch.setattr(checks, "machine_bytes", lambda: 1e9)
    with pytest.raises(AlbumError, match="GB of memory"):
        write_sheet(wide, album, tmp_path / "x.webp", RenderSettings(paper="16000x16000px"))
    assert not list(tmp_path.iterdir())


def test_a_photo_is_never_replaced_but_an_earlier_sheet_is(layout: Layout, album: Album, tmp_path: Path) -> None:
    photo = album.photos[0].path
    before = photo.read_bytes()
    (tmp_path / "link.png").symlink_to(photo)
    for target in (photo, tmp_path / "link.png"):
        with pytest.raises(AlbumError, match="belongs to the album"):
            write_sheet(layout, album, target, agreed=True)
    assert photo.read_bytes() == before
    sheet = tmp_path / "sheet.png"
    write_sheet(layout, album, sheet)
    (found,) = scan(sheet).photos
    write_sheet(layout, Album(album.roots, (*album.photos, found)), sheet)
    assert is_sheet(sheet)


def test_wrong_targets_are_said(layout: Layout, album: Album, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must end with"):
        write_sheet(layout, album, tmp_path / "sheet.bmp")
    with pytest.raises(UsageError, match="no folder"):
        write_sheet(layout, album, tmp_path / "nowhere" / "sheet.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        check_target(tmp_path / "folder.png")


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.name)
def test_what_cannot_be_shown_leaves_its_cell_empty_and_is_told(
    layout: Layout, broken: Album, tmp_path: Path, kind: Format
) -> None:
    missing: dict[int, str] = {}
    suffix = kind.suffixes[0]
    path = write_sheet(
        layout, broken, tmp_path / f"sheet{suffix}", on_missing=lambda photo, why: missing.update({photo: why.fault})
    )
    assert path.stat().st_size > 500
    assert missing == {1: "missing", 2: "damaged"}
    assert unreadable_photos(layout, broken).keys() == missing.keys()


def test_a_full_disk_leaves_the_old_file(
    layout: Layout, album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "sheet.png"
    target.write_bytes(b"old")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(FORMATS, "PNG", replace(FORMATS["PNG"], encode=full))
    with pytest.raises(AlbumError, match="not enough space"):
        write_sheet(layout, album, target, agreed=True)
    assert target.read_bytes() == b"old" and list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.name)
def test_progress_rises_to_the_end_and_stopping_leaves_nothing(
    layout: Layout, album: Album, tmp_path: Path, kind: Format
) -> None:
    target = tmp_path / f"sheet{kind.suffixes[0]}"
    steps: list[tuple[int, int]] = []
    write_sheet(layout, album, target, on_progress=lambda *step: steps.append(step))
    assert steps == sorted(steps) and steps[-1][0] == steps[-1][1]
    before = target.read_bytes()
    for moment in (0, len(steps) // 2, len(steps) - 2):
        seen: list[int] = []
        with pytest.raises(Stopped):
            write_sheet(
                layout,
                album,
                target,
                on_progress=lambda done, total, seen=seen: seen.append(done),
                stop=lambda seen=seen, moment=moment: len(seen) > moment,
            )
    assert target.read_bytes() == before and list(tmp_path.iterdir()) == [target]


def test_a_stop_does_not_wait_for_a_slow_photo(
    layout: Layout, album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, release, read = threading.Event(), threading.Event(), threading.Event()

    def slow(*_: object, **__: object) -> Image.Image:
        begun.set()
        release.wait(60)
        read.set()
        return Image.new("RGB", (10, 10))

    monkeypatch.setattr("album_app.render.painters.tiles.decode", slow)
    with pytest.raises(Stopped):
        write_sheet(layout, album, tmp_path / "sheet.png", stop=begun.is_set)
    assert not read.is_set(), "the stop waited for the photo"
    release.set()


def test_estimates_are_in_the_right_range(layout: Layout) -> None:
    settings = RenderSettings(paper="A0", dpi=300)
    plan = plan_page(layout.shape, settings)
    for kind in (kind for kind in ALL if kind.bytes_per_pixel):
        assert 1e7 < estimated_bytes(kind, plan, settings) < 4.2e8
        assert memory_needed(kind, plan) < 1.6e9
    assert format_of("SHEET.TIFF").name == "TIFF"
