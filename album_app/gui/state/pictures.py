"""The thumbnails of the open album in memory, as arrays that both numpy and Qt can read without a copy.

Small pictures of the whole sheet, for dialogs and the clipboard, are drawn from them.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from album_app.layout.crops import Crops
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.photos.album import Album, Photo
from album_app.work import Stop

if TYPE_CHECKING:
    from album_app.render import Format, RenderSettings


BUDGET_BYTES = 100_000_000
"""Memory for the thumbnails of all photos, unless the preferences say otherwise; photos in sight get sharper ones."""
LARGEST_SIDE = 256
SMALLEST_SIDE = 16
"""Limits of the longer side of a thumbnail, in pixels."""
TOO_LARGE = 1.25
"""A thumbnail that is larger than it may be by this factor is read again, smaller."""

DIM_GREY = 150
"""The grey that pictures of missing photos are mixed with, from 0 to 255."""

READY, LOADING, MISSING, DAMAGED = "ready", "loading", "missing", "damaged"

Pixels = NDArray[np.uint8]
"""(height, width, 4) in the memory order blue, green, red, 255: Qt's Format_RGB32."""


class Pictures:
    """Photo index -> thumbnail. With more photos thumbnails are smaller, so that all of them fit into the budget.

    A thumbnail belongs to a file. It is kept when undo removes the photo, and dropped when the photo gets another file.
    """

    def __init__(self, budget: int = BUDGET_BYTES) -> None:
        self._budget = budget
        self._followed: tuple[tuple[Photo, ...], frozenset[int]] | None = None
        self._files: list[Photo] = []  # the file that the thumbnail of each index was made of
        self._pixels: dict[int, Pixels] = {}
        self._faults: dict[int, str] = {}
        self._previews: set[int] = set()  # photos that have a preview until their thumbnail is read
        self.flaws: dict[int, str] = {}  # what is missing of photos that were read in part
        self._count = 0
        self._missing: frozenset[int] = frozenset()
        self.side = LARGEST_SIDE

    def follow(self, document: "Document") -> list[int]:
        """Follow the photos of a document; gives those whose files are others now, so their thumbnails are dropped."""
        photos, missing = document.album.photos, document.missing
        if self._followed is not None and self._followed[0] is photos and self._followed[1] == missing:
            return []
        self._followed = photos, missing
        pairs = enumerate(zip(self._files, photos, strict=False))
        changed = [i for i, (old, new) in pairs if old is not new and old != new and i not in missing]
        for photo in changed:
            self._files[photo] = photos[photo]
            self._pixels.pop(photo, None)
            self._previews.discard(photo)
            self._faults.pop(photo, None)
            self.flaws.pop(photo, None)
        self._files += photos[len(self._files) :]
        self._count, self._missing = len(photos), missing
        self.side = min(self.side, side_for(self._count, self._budget))
        return changed

    def same_files(self, former: "Pictures") -> dict[int, int]:
        """The photos that have a thumbnail in the album that was open before -> their index there."""
        place = {file.name: photo for photo, file in enumerate(self._files)} if former._pixels else {}
        found = ((place.get(former._files[before].name), before) for before in former._pixels)
        return {now: before for now, before in found if now is not None and self._files[now] == former._files[before]}

    def take_over(self, former: "Pictures", same: Mapping[int, int]) -> None:
        """Keep the thumbnails of photos that were in the album that was open before."""
        self._pixels |= {now: former._pixels[before] for now, before in same.items()}
        self._previews |= {now for now, before in same.items() if before in former._previews}

    def put_preview(self, photo: int, pixels: Pixels) -> bool:
        """Show a preview of a photo until its thumbnail is read; False if it was read already."""
        waits = photo not in self._pixels and photo not in self._faults
        if waits:
            self._pixels[photo] = pixels
            self._previews.add(photo)
        return waits

    def put(self, photo: int, pixels: Pixels) -> None:
        self._pixels[photo] = pixels
        self._previews.discard(photo)
        self._faults.pop(photo, None)

    def put_damaged(self, photo: int, reason: str) -> None:
        """Note that a photo cannot be read, and why."""
        self._faults[photo] = reason
        self._pixels.pop(photo, None)
        self._previews.discard(photo)

    @property
    def damaged(self) -> dict[int, str]:
        """The photos whose files hold no picture, each with the reason."""
        return {photo: reason for photo, reason in self._faults.items() if self._is_there(photo)}

    def pixels(self, photo: int) -> Pixels | None:
        return self._pixels.get(photo) if self._is_there(photo) else None

    def last_seen(self, photo: int) -> Pixels | None:
        """The thumbnail, also of a photo whose file is missing now."""
        return self._pixels.get(photo) if photo < self._count else None

    def look(self, photo: int) -> Pixels | None:
        """What is shown for a photo: its thumbnail, which is dimmed if the file is missing now."""
        pixels = self.last_seen(photo)
        return dimmed(pixels) if pixels is not None and photo in self._missing else pixels

    def lacks_last(self, photo: int) -> bool:
        """Whether a photo is missing and there is no thumbnail of it."""
        return photo in self._missing and photo not in self._pixels

    def image(self, photo: int) -> QImage | None:
        """The thumbnail for painting; it shares its memory with this store."""
        pixels = self.pixels(photo)
        return None if pixels is None else as_image(pixels)

    def sharp_at(self, photo: int, side: int) -> bool:
        """Whether the thumbnail, if there is one, fills a square of `side` pixels."""
        pixels = self.pixels(photo)
        return pixels is None or min(pixels.shape[:2]) >= side

    def state(self, photo: int) -> str:
        """READY, LOADING, MISSING (no file) or DAMAGED (no picture in it)."""
        if photo in self._missing:
            return MISSING
        if photo in self._faults:
            return DAMAGED
        return READY if photo in self._pixels else LOADING

    def wants(self, photo: int) -> bool:
        """Whether a photo is to be read: it has no thumbnail, or one that needs too much memory."""
        pixels = self._pixels.get(photo)
        lacks = pixels is None or photo in self._previews or max(pixels.shape) > TOO_LARGE * self.side
        return self._is_there(photo) and lacks

    def file(self, photo: int) -> "Photo | None":
        """The file of the photo at an index: whatever was made of another file is out of date."""
        return self._files[photo] if photo < len(self._files) else None

    @property
    def complete(self) -> bool:
        """Whether every photo has its thumbnail, or is known to have none."""
        return all(self.state(photo) != LOADING for photo in range(self._count))

    def __len__(self) -> int:
        return sum(map(self._is_there, self._pixels))

    def _is_there(self, photo: int) -> bool:
        return photo < self._count and photo not in self._missing


def dimmed(pixels: Pixels) -> Pixels:
    """A picture made pale and almost grey."""
    grey = pixels[..., :3].mean(axis=2, keepdims=True)
    faint = pixels.copy()
    faint[..., :3] = 0.25 * pixels[..., :3] + 0.25 * grey + 0.5 * DIM_GREY
    return faint


def side_for(count: int, budget: int) -> int:
    """The longest side of a thumbnail at which `count` of them fit into `budget` bytes."""
    fits = math.isqrt(budget // max(1, count * 3))
    return max(SMALLEST_SIDE, min(LARGEST_SIDE, fits))


def as_pixels(rgb: NDArray[np.uint8], side: int = LARGEST_SIDE) -> Pixels:
    """An RGB array as Qt's memory order, reduced to at most `side`; for use in any thread."""
    height, width = rgb.shape[:2]
    pixels = np.empty((height, width, 4), np.uint8)
    for channel in range(3):  # three times as fast as all at once
        pixels[..., channel] = rgb[..., 2 - channel]
    pixels[..., 3] = 255
    if max(height, width) <= side:
        return pixels
    smooth = Qt.TransformationMode.SmoothTransformation
    return _copied(as_image(pixels).scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio, smooth))


def as_image(pixels: Pixels) -> QImage:
    """A view of the array as a picture; the array must outlive it."""
    height, width = pixels.shape[:2]
    return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)


def _copied(image: QImage) -> Pixels:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()


Thumbnails = Sequence[NDArray[np.uint8] | None]


def thumbnails_of(layout: Layout, pictures: Pictures, last_seen: bool = False) -> Thumbnails:
    """RGB arrays by photo index, as the renderer takes them; None for photos without one.

    Missing photos have one only with `last_seen`.
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
    kind: "Format | None" = None,
    around: str = "#808080",
) -> Pixels:
    """The sheet as the export would draw it, from thumbnails; transparent parts show chequers.

    Of a book it is one `page`, counted with the cover, or all pages side by side as a file of this kind has them, on
    a ground of the colour `around`.
    """
    from album_app.render import preview

    image = preview(
        layout,
        thumbnails,
        settings,
        side,
        album=album,
        crops=crops,
        stop=stop,
        page=page,
        kind=kind,
        around=around,
    )
    drawn = np.asarray(image)
    return as_pixels(_on_chequers(drawn) if drawn.shape[-1] == 4 else drawn, side)


LEAST_PHOTO_PX = 8
"""Photos smaller than this on a picture of a sheet become one colour each; they would look like noise."""


def calm_picture(sheet: QImage, across: int, width: float) -> QImage:
    """A picture of a sheet, with `across` photos in a row, shown `width` wide; tiny photos are one colour."""
    if sheet.isNull() or across * LEAST_PHOTO_PX <= width:
        return sheet
    cells = QSize(across, max(1, round(across * sheet.height() / sheet.width())))
    distort = Qt.AspectRatioMode.IgnoreAspectRatio
    means = sheet.scaled(cells, distort, Qt.TransformationMode.SmoothTransformation)
    return means.scaled(cells * LEAST_PHOTO_PX, distort, Qt.TransformationMode.FastTransformation)


def _on_chequers(rgba: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rows, columns = np.indices(rgba.shape[:2]) // 8
    ground = np.where((rows + columns) % 2, 255, 226)[..., None]
    alpha = rgba[..., 3:] / 255
    return (rgba[..., :3] * alpha + ground * (1 - alpha)).astype(np.uint8)
