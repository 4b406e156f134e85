"""Every format shows the part of each photo that `Crops` names, in frames of every size."""

import base64
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.layout import Layout, rectangle
from album_app.layout.crops import Crops, HandCrop
from album_app.photos.album import Album, scan
from album_app.photos.faces import Box, Focus
from album_app.render import RenderSettings, plan_page
from album_app.render.page.plan import PagePlan
from tests.render.write_sheet import write_sheet

SIZES = [(300, 200), (200, 300), (400, 160), (240, 240), (200, 300), (300, 200)]
CROPS = Crops(
    by_hand={5: HandCrop(0.2, 0.8, 2.0)},
    foci={0: Focus(faces=((0.8, 0.3, 0.95, 0.6),)), 4: Focus(faces=((0.3, 0.75, 0.5, 0.95),))},
)
PHOTO_AT = np.array([0, 0, 1, 0, 0, 2, 3, 4, 5])
SETTINGS = RenderSettings(cell=60, gap=4, margin=8, corner=0.0, quality=95)


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Album:
    """Photos whose colours tell where one looks: red grows to the right, green downwards."""
    folder = tmp_path_factory.mktemp("gradients")
    for number, (width, height) in enumerate(SIZES):
        pixels = np.zeros((height, width, 3), np.uint8)
        pixels[..., 0] = np.linspace(0, 255, width)
        pixels[..., 1] = np.linspace(0, 255, height)[:, None]
        Image.fromarray(pixels).save(folder / f"{number}.png")
    return scan([folder])


@pytest.fixture
def layout() -> Layout:
    return Layout(rectangle(3, 3), PHOTO_AT, np.zeros(9), sizes={0: 2})


def seen(tile: Image.Image) -> Box:
    """The part of its photo that a tile shows, by the colours along its edges."""
    pixels = np.asarray(tile.convert("RGB"), float) / 255
    inner = pixels[2:-2, 2:-2]
    down, across = inner.shape[0] + 4, inner.shape[1] + 4
    steps = [(inner[:, -1, 0].mean() - inner[:, 0, 0].mean()) / (across - 5)]
    steps += [(inner[-1, :, 1].mean() - inner[0, :, 1].mean()) / (down - 5)]
    left, top = inner[:, 0, 0].mean() - 2.5 * steps[0], inner[0, :, 1].mean() - 2.5 * steps[1]
    return left, top, left + across * steps[0], top + down * steps[1]


def is_right(tile: Image.Image, photo: int, plan: PagePlan, cell: tuple[int, int]) -> bool:
    width, height = SIZES[photo]
    return seen(tile) == pytest.approx(CROPS.of(photo, width / height, plan.aspect(cell)), abs=0.03)


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif"])
def test_pictures_show_the_same_crops(album: Album, layout: Layout, tmp_path: Path, suffix: str) -> None:
    file = write_sheet(layout, album, tmp_path / f"sheet.{suffix}", SETTINGS, crops=CROPS)
    plan, image = plan_page(layout, SETTINGS), Image.open(file)
    assert len(layout.frames()) == 6
    for photo, cell in layout.positions.items():
        x, y, width, height = plan.tile_rect(cell)
        assert (width, height) == ((124, 124) if photo == 0 else (60, 60))
        assert is_right(image.crop((x, y, x + width, y + height)), photo, plan, cell)


@pytest.mark.parametrize("suffix", ["pdf", "svg"])
def test_embedded_photos_are_the_same_crops(album: Album, layout: Layout, tmp_path: Path, suffix: str) -> None:
    data = write_sheet(layout, album, tmp_path / f"sheet.{suffix}", SETTINGS, crops=CROPS).read_bytes()
    if suffix == "svg":
        pictures = [base64.b64decode(found) for found in re.findall(rb"data:image/jpeg;base64,([^\"]+)", data)]
    else:
        pictures = [b"\xff\xd8" + part.split(b"endstream")[0] for part in data.split(b"stream\n\xff\xd8")[1:]]
    plan = plan_page(layout, SETTINGS)
    assert len(pictures) == 6
    for picture, (photo, cell) in zip(pictures, layout.positions.items(), strict=True):
        assert is_right(Image.open(io.BytesIO(picture)), photo, plan, cell)


def test_the_web_page_shows_the_same_crops_of_whole_photos(album: Album, layout: Layout, tmp_path: Path) -> None:
    text = write_sheet(layout, album, tmp_path / "sheet.html", SETTINGS, crops=CROPS).read_text(encoding="utf-8")
    drawing = json.loads(re.search(r'<script[^>]*id="drawing"[^>]*>(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]
    overview = Image.open(io.BytesIO(base64.b64decode(re.search(r"data:image/webp;base64,([^\"]+)", text)[1])))  # type: ignore[index]
    plan, scale = plan_page(layout, SETTINGS), overview.width / drawing["width"]
    items = [item for item in drawing["items"] if isinstance(item[0], int)]
    for item, (photo, cell) in zip(items, layout.positions.items(), strict=True):
        width, height = SIZES[photo]
        part = item[6:] or [0, 0, 1, 1]
        assert part == pytest.approx(CROPS.of(photo, width / height, plan.aspect(cell)), abs=1e-3)
        x, y, across, down = (round(length * scale) for length in item[1:5])
        assert is_right(overview.crop((x, y, x + across, y + down)), photo, plan, cell)
        assert drawing["photos"][item[0]] == [width, height], "and the large view has all of it"


def test_a_photo_that_reaches_into_the_bleed_keeps_its_proportions(album: Album, tmp_path: Path) -> None:
    settings = RenderSettings(cell=60, gap=0, margin=0, bleed=12)
    layout = Layout(rectangle(1, 1), np.array([3]), np.zeros(1))
    image = Image.open(write_sheet(layout, album, tmp_path / "sheet.png", settings, crops=CROPS))
    assert image.size == (84, 84) and seen(image) == pytest.approx((0, 0, 1, 1), abs=0.03)
    wide = Layout(rectangle(1, 2), np.array([3, 1]), np.zeros(2))
    image = Image.open(write_sheet(wide, album, tmp_path / "wide.png", settings, crops=CROPS))
    left, top, right, bottom = seen(image.crop((0, 0, 72, 84)))
    assert (right - left) / (bottom - top) == pytest.approx(72 / 84, abs=0.05)
