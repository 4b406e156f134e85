"""Tiles for the canvas at the size on screen: rough ones at once, sharp ones as background work delivers them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.ma  # np.unique imports it on its first call, which would be while painting
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from album_app.gui.canvas.tiles.placeholders import EMBLEMS, CanvasColours, emblem_tile
from album_app.gui.canvas.tiles.tiles import DETAIL, MINI, ROUGH, SHARP, Atlas, Corners, Tile, mini, scaled, stretched
from album_app.gui.state.details import Details
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import LOADING, MISSING, READY, Pictures, Pixels
from album_app.gui.state.session import Session

if TYPE_CHECKING:
    from album_app.photos.album import Photo

ROUNDING = 0.08
CHUNK_PIXELS = 400_000

Photos = NDArray[np.int64]


class TileCache(QObject):
    """Hands out tiles; a photo without a picture gets the emblem of its state.

    Inside the atlas the emblems come first, then the photos: key = photo + len(EMBLEMS).

    Signals:
        improved(): some tiles are better than those handed out before
    """

    improved = Signal()

    def __init__(
        self, session: Session, photos: PhotoStore, details: Details, jobs: Jobs, colours: CanvasColours
    ) -> None:
        super().__init__(session)
        self._session = session
        self._photos = photos
        self._details = details
        self._jobs = jobs
        self._colours = colours
        self._ratio = 1.0
        self.reset()
        photos.pictures_changed.connect(self._pictures_changed)
        details.arrived.connect(self._details_arrived)

    def reset(self) -> None:
        """Forget everything: another album is open."""
        self._emblem = np.empty(0, np.int64)  # per photo: index of the emblem it shows, -1 = its own picture
        self._missing: frozenset[int] = frozenset()
        self._mini = np.empty((0, MINI, MINI), np.uint32)
        self._short = np.empty(0, np.int64)  # per photo: the shorter side of its thumbnail
        self._pending: set[int] = set()  # photos whose sharp tiles are being built
        self._asked: set[int] = set()  # photos whose originals are being read
        self._start_atlas(1)
        self._former = self._atlas
        self.refresh()

    def refresh(self) -> None:
        """Take note of photos that were added to the album, or whose file is missing or found again."""
        document = self._session.document
        count, missing = (0, frozenset()) if document is None else (len(document.album), document.missing)
        if (count, missing) == (len(self._emblem), self._missing):
            return
        gone_or_back = np.array(sorted(photo for photo in missing ^ self._missing if photo < count), np.int64)
        self._missing = missing
        self._emblem = np.array([self._state(photo) for photo in range(count)], np.int64)
        former, self._mini = self._mini[:count], np.empty((count, MINI, MINI), np.uint32)
        self._mini[: len(former)] = former
        self._short = np.concatenate([self._short[:count], np.zeros(count - len(former), np.int64)])
        self._shrink(range(len(former), count))
        self._atlas.grow(count + len(EMBLEMS))
        self._former.grow(count + len(EMBLEMS))
        self._forget(gone_or_back)

    def set_colours(self, colours: CanvasColours) -> None:
        """Other emblems and another background behind the round corners."""
        self._colours = colours
        self._start_atlas(self.side)

    @property
    def side(self) -> int:
        """The size of the tiles, in device pixels."""
        return self._atlas.side

    def resize(self, side: int, visible: int, ratio: float) -> None:
        """Hand out tiles of another size from now on; `visible` of them are on screen at once."""
        if side != self.side or ratio != self._ratio:
            self._ratio = ratio
            self._former = self._atlas if self._atlas.holds(SHARP) else self._former
            self._start_atlas(side, 2 * visible)

    def tiles(self, photos: Photos) -> Tile:
        """A tile for each photo, the best there is now: (k, side, side)."""
        keys = self._keys(photos)
        lacking = self._atlas.below(keys, ROUGH)
        if len(lacking):
            self._add_rough(np.unique(lacking))
        return self._atlas.take(keys)

    def sharpen(self, photos: Photos) -> None:
        """Have sharp tiles built for these photos, unless that is under way already."""
        keys = self._keys(photos)
        own = np.unique(keys[keys >= len(EMBLEMS)])
        blurred = set((self._atlas.below(own, SHARP) - len(EMBLEMS)).tolist())
        if not self._pending.issuperset(blurred):
            self._pending = blurred
            self._build(JobKind.TILES, {photo: self._pixels(photo) for photo in sorted(blurred)}, SHARP)
        self._look_closer(self._atlas.below(own, DETAIL) - len(EMBLEMS))

    def _look_closer(self, photos: Photos) -> None:
        """Have the originals read of photos whose thumbnail does not fill a tile, as a panorama's low one soon does."""
        coarse = set(photos[self._short[photos] < self.side].tolist())
        if not self._asked.issuperset(coarse):
            self._asked = coarse
            self._details.request(sorted(coarse), self.side)

    def picture(self, photo: int, side: int) -> Tile:
        """One sharp tile of any size at once, for a ghost or a strip."""
        return picture_tile(self._photos.pictures, photo, side, self._colours, self._ratio)

    def _start_atlas(self, side: int, least: int = 0) -> None:
        for kind in (JobKind.TILES, JobKind.DETAILS):  # what was read for smaller tiles would pass for sharp
            self._jobs.cancel(kind)
        self._pending, self._asked = set(), set()
        self._atlas = Atlas(len(self._emblem) + len(EMBLEMS), side, least)
        self._corners = Corners(side, ROUNDING * side, self._colours.background_number)

    def _keys(self, photos: Photos) -> Photos:
        emblem = self._emblem[photos]
        return np.where(emblem < 0, photos + len(EMBLEMS), emblem)

    def state(self, photo: int) -> str:
        """READY, LOADING, MISSING (no file) or DAMAGED (no picture in it)."""
        return self._photos.pictures.state(photo)

    def is_remembered(self, photo: int) -> bool:
        """Whether a photo is missing and shown as it was last seen."""
        return self.state(photo) == MISSING and self._emblem[photo] < 0

    def _state(self, photo: int) -> int:
        state = self.state(photo)
        seen = state == READY or (state == MISSING and self._photos.pictures.look(photo) is not None)
        return -1 if seen else EMBLEMS.index(state)

    def _add_rough(self, keys: Photos) -> None:
        for key in keys[keys < len(EMBLEMS)]:
            tile = emblem_tile(int(key), self.side, self._colours, self._ratio)
            self._atlas.put(np.array([key]), self._corners.round(tile[None]), SHARP)
        photos = keys[keys >= len(EMBLEMS)]
        blurred = self._former.below(photos, SHARP)
        known = np.setdiff1d(photos, blurred, assume_unique=True)
        for chosen, source in ((known, self._former.take(known)), (blurred, self._mini[blurred - len(EMBLEMS)])):
            if len(chosen):
                self._atlas.put(chosen, self._corners.round(stretched(source, self.side)), ROUGH)

    def _shrink(self, photos: Iterable[int]) -> None:
        for photo in photos:
            pixels = self._photos.pictures.look(photo)
            if pixels is not None:
                self._mini[photo] = mini(pixels)
                self._short[photo] = min(pixels.shape[:2])

    def _pixels(self, photo: int) -> Pixels:
        pixels = self._photos.pictures.look(photo)
        return np.zeros((1, 1, 4), np.uint8) if pixels is None else pixels

    def _build(self, kind: JobKind, sources: dict[int, Pixels], quality: int) -> None:
        side, corners, pictures = self.side, self._corners, self._photos.pictures
        files = {photo: pictures.file(photo) for photo in sources}
        chunk = max(1, CHUNK_PIXELS // (side * side))

        def work(task: Task) -> None:
            photos = list(sources)
            for start in range(0, len(photos), chunk):
                some = photos[start : start + chunk]
                tiles = []
                for photo in some:
                    if task.stop():
                        return
                    tiles.append(scaled(sources[photo], side))
                task.send_now((some, corners.round(np.stack(tiles)), quality))

        def on_parts(parts: list[tuple[list[int], Tile, int]]) -> None:
            self._tiles_built(parts, files)

        self._jobs.start(kind, "", work, on_parts=on_parts, quiet=True)

    def _tiles_built(self, parts: list[tuple[list[int], Tile, int]], files: "dict[int, Photo | None]") -> None:
        for photos, tiles, quality in parts:
            if tiles.shape[-1] == self.side:
                still = np.array([self._photos.pictures.file(photo) is files[photo] for photo in photos])
                self._atlas.put(np.array(photos)[still] + len(EMBLEMS), tiles[still], quality)
                self._pending.difference_update(photos)
        self.improved.emit()

    @Slot(list)
    def _pictures_changed(self, photos: list[int]) -> None:
        if photos and max(photos) >= len(self._emblem):
            self.refresh()
        self._emblem[photos] = [self._state(photo) for photo in photos]
        self._forget(np.array(photos, np.int64))
        self.improved.emit()

    def _forget(self, photos: Photos) -> None:
        """These photos look otherwise: make their tiles anew."""
        self._shrink(photos.tolist())
        for atlas in (self._atlas, self._former):
            atlas.forget(photos + len(EMBLEMS))
        self._pending.difference_update(photos.tolist())
        self._asked.difference_update(photos.tolist())

    @Slot(dict)
    def _details_arrived(self, details: dict[int, Pixels]) -> None:
        """Sharper pictures than the thumbnails: few and large, so they are scaled one job per delivery."""
        useful = {photo: pixels for photo, pixels in details.items() if photo < len(self._emblem)}
        if useful:
            self._build(JobKind.DETAIL_TILES, useful, DETAIL)


def picture_tile(pictures: Pictures, photo: int, side: int, colours: CanvasColours, ratio: float) -> Tile:
    """A photo as a square tile, or the emblem of its state."""
    pixels = pictures.look(photo)
    if pixels is None:
        state = pictures.state(photo)
        return emblem_tile(EMBLEMS.index(LOADING if state == READY else state), side, colours, ratio)
    return scaled(pixels, side)
