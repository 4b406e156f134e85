"""Sharper pictures than the thumbnails: also of photos that are much longer than high."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from album_app.gui.state import details
from album_app.layout.crops import crop
from album_app.photos.album import scan
from tests.gui.conftest import WAIT_MS, OpenCanvas, OpenSession, PhotoFolder, parts_of

STRIPE = 3


def panorama(path: Path, size: tuple[int, int] = (3200, 200)) -> Path:
    """Upright stripes, too fine for the thumbnail of so long a picture."""
    across = np.arange(size[0]) // STRIPE % 2 * 255
    stripes = np.broadcast_to(across.astype(np.uint8), size[::-1])
    Image.fromarray(stripes.copy()).convert("RGB").save(path, quality=95)
    return path


@pytest.mark.parametrize("size", [(700, 500), (330, 240)], ids=["large tiles", "small tiles"])
def test_a_panorama_is_sharp_on_the_sheet(
    open_canvas: OpenCanvas, open_session: OpenSession, photo_folder: PhotoFolder, qtbot: QtBot, size: tuple[int, int]
) -> None:
    folder = photo_folder(5)
    panorama(folder / "wide.jpg")
    session = open_session(folder=folder)
    canvas = open_canvas(session=session)
    canvas.resize(*size)
    assert session.document is not None
    wide = session.document.album.index_of("wide.jpg")
    thumbnail, supply = parts_of(session).photos.pictures.pixels(wide), canvas.scene.tile_cache
    assert thumbnail is not None and min(thumbnail.shape[:2]) < canvas.scene.view.side and thumbnail[..., 0].std() < 20

    def contrast() -> float:
        ((_, (tile,)),) = supply.tiles(np.array([wide]))
        return float((tile[tile.shape[0] // 4 : -(tile.shape[0] // 4)] & 0xFF).std())

    qtbot.waitUntil(lambda: contrast() > 60, timeout=WAIT_MS)


@pytest.mark.parametrize("size", [(3200, 200), (200, 3200)])
def test_the_middle_of_a_long_picture_costs_little_memory(tmp_path: Path, size: tuple[int, int]) -> None:
    photo = scan([panorama(tmp_path / "long.png", size)]).photos[0]
    for most, side in ((12_000_000, 150), (16 * 60 * 60, 60)):
        square = details.read_part(photo, crop(photo.width / photo.height, 1.0), 150, 150, most_pixels=most)
        assert square is not None and square.shape[:2] == (side, side)
