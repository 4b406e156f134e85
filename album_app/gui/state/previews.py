"""The sheet drawn small from thumbnails, for previews and for the clipboard."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from album_app.gui.state.pictures import Pictures, Pixels, as_pixels
from album_app.layout.layout import Layout
from album_app.work import Stop

if TYPE_CHECKING:
    from album_app.layout.crops import Crops
    from album_app.photos.album import Album
    from album_app.render import RenderSettings

Thumbnails = Sequence[NDArray[np.uint8] | None]


def thumbnails_of(layout: Layout, pictures: Pictures, last_seen: bool = False) -> Thumbnails:
    """RGB arrays by photo index, as the renderer takes them; None for photos without one.

    Those of missing photos are only given where they shall be shown as they were `last_seen`.
    """
    count = int(layout.photo_at.max(initial=-1)) + 1
    pixels = (pictures.last_seen(photo) if last_seen else pictures.pixels(photo) for photo in range(count))
    return [None if found is None else found[..., 2::-1] for found in pixels]


def preview_pixels(
    layout: Layout,
    thumbnails: Thumbnails,
    settings: "RenderSettings",
    side: int,
    album: "Album | None" = None,
    stop: Stop | None = None,
    crops: "Crops | None" = None,
    page: int | None = None,
) -> Pixels:
    """The sheet as the export would draw it, from thumbnails; what is transparent shows as a chequered ground.

    Of a book one page where it is named, the cover counting as one, else all side by side.
    """
    from album_app.render import preview

    drawn = np.asarray(preview(layout, thumbnails, settings, side, album=album, crops=crops, stop=stop, page=page))
    return as_pixels(_on_chequers(drawn) if drawn.shape[-1] == 4 else drawn, side)


def _on_chequers(rgba: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rows, columns = np.indices(rgba.shape[:2]) // 8
    ground = np.where((rows + columns) % 2, 255, 226)[..., None]
    alpha = rgba[..., 3:] / 255
    return (rgba[..., :3] * alpha + ground * (1 - alpha)).astype(np.uint8)
