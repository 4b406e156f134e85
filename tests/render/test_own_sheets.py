"""A sheet that lies among photos is no photo of the next sheet, unless it is named by itself."""

from math import inf
from pathlib import Path

import pytest
from PIL import Image

from album_app.layout.layout import Layout
from album_app.photos.album import Album, Skipped, scan
from album_app.photos.cache import Cache
from album_app.render import FORMATS, RenderSettings
from album_app.render.formats.format import PixelFormat
from tests.render.conftest import layout_of
from tests.render.write_sheet import write_sheet

PIXELS = [kind for kind in FORMATS.values() if isinstance(kind, PixelFormat)]
SMALL = RenderSettings(cell=20)
REASON = "a sheet made by Album App"


@pytest.fixture
def folder(tmp_path: Path, layout: Layout, album: Album) -> Path:
    """A photo, a sheet of every kind of picture, and one that moves."""
    Image.new("RGB", (60, 40), "navy").save(tmp_path / "sea.jpg", comment="Album App, they say")
    for suffix in (suffix for kind in PIXELS for suffix in kind.suffixes):
        write_sheet(layout, album, tmp_path / f"sheet{suffix}", SMALL)
    turned = layout_of(layout.shape, [5, 4, 3, 2, 1, 0])
    write_sheet(layout, album, tmp_path / "moving.webp", SMALL, before=[turned])
    return tmp_path


@pytest.mark.parametrize("decode_for", [0.0, inf])
def test_sheets_in_a_folder_are_skipped_with_a_reason(folder: Path, decode_for: float) -> None:
    with Cache.open() as cache:
        for _ in range(2):
            found = scan(folder, cache=cache, decode_for=decode_for)
            assert [photo.name for photo in found.photos] == ["sea.jpg"]
            assert {(item.reason, item.fault) for item in found.skipped} == {(REASON, "unsupported")}
            assert len(found.skipped) == 1 + sum(len(kind.suffixes) for kind in PIXELS)


def test_a_sheet_that_is_named_by_itself_is_wanted(folder: Path) -> None:
    found = scan([folder / "sheet.png", folder])
    assert [photo.name for photo in found.photos] == ["sea.jpg", "sheet.png"]
    assert Skipped(folder / "sheet.tif", "sheet.tif", REASON, "unsupported") in found.skipped
    assert len(scan(folder, with_sheets=True)) == 1 + len(found.skipped) + 1


def test_a_sheet_tells_the_name_of_the_program_and_nothing_of_its_photos(
    folder: Path, layout: Layout, album: Album
) -> None:
    for path in folder.iterdir():
        content = path.read_bytes()
        assert not any(part.encode() in content for part in (album.photos[0].name, album.roots[0].name, folder.name))
