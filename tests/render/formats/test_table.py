"""The table of formats: a row added to it is all that a new format takes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest
from PIL import Image

from album_app.layout.layout import Layout
from album_app.layout.shapes.frames import Rect
from album_app.photos.album import Album
from album_app.photos.faces import Box
from album_app.render import FORMATS, RenderSettings, estimated_bytes, format_of, memory_needed, plan_page
from album_app.render.formats.format import PageFormat, PixelFormat, Writing
from album_app.render.page.compose import Sheet
from album_app.render.page.settings import Colour
from album_app.render.page.text_faces import Face
from album_app.render.painters.pixels import Picture
from tests.render.write_sheet import write_sheet


class ListPainter:
    """Writes the names of the photos it is given, a line each."""

    def __init__(self, file: BinaryIO, sheet: Sheet) -> None:
        self._file, self._sheet = file, sheet

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box) -> None:
        self._file.write(f"{self._sheet.captions[key]}\n".encode())

    def box(self, rect: Rect, radius: float, colour: Colour) -> None: ...

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None: ...

    def finish(self) -> None:
        self._file.write(b"end\n")


def encode_bmp(file: BinaryIO, picture: Picture, settings: RenderSettings, writing: Writing) -> None:
    picture.whole().save(file, "BMP")


BMP = PixelFormat(
    name="BMP",
    title="BMP picture",
    suffixes=(".bmp",),
    bytes_per_pixel=3,
    lossy=False,
    transparent=False,
    encode=encode_bmp,
    copies=1.0,
)
LIST = PageFormat(
    name="List", title="List of names", suffixes=(".txt",), bytes_per_pixel=0, lossy=False, painter=ListPainter
)


@pytest.fixture(autouse=True)
def two_more(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two rows that the program has never heard of."""
    for row in (BMP, LIST):
        monkeypatch.setitem(FORMATS, row.name, row)
    yield


def test_a_new_pixel_format_is_written(layout: Layout, album: Album, tmp_path: Path) -> None:
    settings = RenderSettings(cell=40)
    path = write_sheet(layout, album, tmp_path / "sheet.BMP", settings)
    plan = plan_page(layout.shape, settings)
    with Image.open(path) as image:
        assert format_of(path) is BMP and image.format == "BMP" and image.size == (plan.width, plan.height)


def test_a_new_page_format_is_written(layout: Layout, album: Album, tmp_path: Path) -> None:
    steps: list[int] = []
    settings = RenderSettings(caption="name")
    path = write_sheet(layout, album, tmp_path / "sheet.txt", settings, on_progress=lambda done, _: steps.append(done))
    assert path.read_text().splitlines() == [*(f"photo-{i}" for i in range(6)), "end"]
    assert steps == sorted(steps) and steps[-1] == 100


def test_costs_follow_from_the_row(layout: Layout) -> None:
    settings = RenderSettings(cell=4000)
    plan = plan_page(layout.shape, settings)
    assert estimated_bytes(BMP, plan, settings) == 3 * plan.width * plan.height
    assert memory_needed(BMP, plan) - memory_needed(LIST, plan) == 4 * plan.width * plan.height
    assert memory_needed(LIST, plan) < memory_needed(replace(BMP, copies=0.0), plan) < 500_000_000
