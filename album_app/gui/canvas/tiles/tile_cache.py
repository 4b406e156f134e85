"""Tiles for the canvas in the sizes on screen: rough ones at once, sharp ones from background work."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.ma  # np.unique imports it on its first call, which would be while painting
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from album_app.gui.canvas.tiles.marks import EMBLEMS, CanvasColours, emblem_tile
from album_app.gui.canvas.tiles.tiles import (
    DETAIL,
    MINI,
    ROUGH,
    SHARP,
    WHOLE,
    Atlas,
    Corners,
    Tile,
    groups,
    mini,
    rough_parts,
    scaled,
    stretched,
)
from album_app.gui.state.details import Details
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import LOADING, MISSING, READY, Pictures, Pixels
from album_app.gui.state.session import Session
from album_app.layout.crops import HandCrop
from album_app.photos.album import Photo
from album_app.photos.faces import Box

CHUNK_PIXELS = 400_000
"""Background work sends its tiles when they have this many pixels."""
ASPECT_TOLERANCE = 1e-3
"""Proportions of frames (width / height) and edges of crops (shares) that differ by less than this count as equal."""

Photos = NDArray[np.int64]


class TileCache(QObject):
    """Gives each photo a tile of the size of its frame; a photo without a picture gets the emblem of its state.

    Signals:
        improved(): some tiles are better than those given before
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
        photos.foci_changed.connect(self._foci_changed)

    def reset(self) -> None:
        """Forget everything, because another album is open."""
        self._emblem = np.empty(0, np.int64)  # per photo: index of the emblem it shows, -1 = its own picture
        self._missing: frozenset[int] = frozenset()
        self._by_hand: Mapping[int, HandCrop] = {}
        self._chosen_anew: set[int] = set()  # photos whose crop the program, not the user, changes
        self.recropped: dict[int, Box] = {}  # the former crops of those, changed by the last `fit`
        self.crops_are_stale = False  # whether `fit` has to be called before tiles are right
        self._mini = np.empty((0, MINI, MINI), np.uint32)
        self._seen_size = np.empty((0, 2), np.int64)  # per photo: width and height of its thumbnail
        self._crops = np.empty((0, 4))  # per photo: the part that is shown; NaN if that is unknown
        self._stale = np.empty(0, bool)  # per photo: whether its crop has to be computed again
        self._aspects = np.empty(0)  # per photo: width / height of the frame that the crop is for
        self._pending: set[int] = set()  # photos whose sharp tiles are being built
        self._asked: set[int] = set()  # photos whose originals are being read
        self._radius = 0.0
        self._atlas = self._former = Atlas(np.empty((0, 2), np.int64))
        self._corners: dict[tuple[int, int], Corners] = {}
        self.refresh()

    def refresh(self) -> None:
        """Follow the document: photos that were added, files that are missing or found again, crops by the user."""
        document = self._session.document
        count, missing = (0, frozenset()) if document is None else (len(document.album), document.missing)
        by_hand = {} if document is None else document.crops
        recropped = {photo for photo, _ in by_hand.items() ^ self._by_hand.items()}
        self._by_hand = by_hand
        self._chosen_anew.update(recropped - by_hand.keys())
        if recropped:
            self._crop_again(sorted(recropped))
        if (count, missing) == (len(self._emblem), self._missing):
            return
        gone_or_back = np.array(sorted(photo for photo in missing ^ self._missing if photo < count), np.int64)
        self._missing = missing
        self._emblem = np.array([self._state(photo) for photo in range(count)], np.int64)
        former, self._mini = self._mini[:count], np.empty((count, MINI, MINI), np.uint32)
        self._mini[: len(former)] = former
        more = count - len(former)
        self._seen_size = np.concatenate([self._seen_size[:count], np.zeros((more, 2), np.int64)])
        self._crops = np.concatenate([self._crops[:count], np.full((more, 4), np.nan)])
        self._aspects = np.concatenate([self._aspects[:count], np.full(more, np.nan)])
        self._stale = np.concatenate([self._stale[:count], np.zeros(more, bool)])
        self.crops_are_stale |= more > 0
        self._shrink(range(len(former), count))
        self._atlas.grow(count)
        self._former.grow(count)
        self._forget(gone_or_back)

    def set_colours(self, colours: CanvasColours) -> None:
        """Use the colours of another theme for emblems and behind the round corners."""
        self._colours = colours
        self._start_atlas(self._atlas.sizes)

    def fit(
        self, photos: Photos, sizes: Photos, aspects: NDArray[np.floating], radius: float, visible: int, ratio: float
    ) -> None:
        """Give tiles of these sizes (k, 2) from now on, for frames of these proportions (k,).

        `radius` is that of their corners; at most `visible` of them are on screen at once.
        """
        count = max(len(self._emblem), len(self._atlas.sizes))  # the atlas may know photos whose adding was undone
        wanted = np.zeros((count, 2), np.int64)
        wanted[photos] = sizes
        changed = self._crop_for(photos, aspects)
        if (radius, ratio) != (self._radius, self._ratio):
            self._radius, self._ratio = radius, ratio
            self._former = self._atlas if self._atlas.holds(SHARP) else self._former
            self._start_atlas(wanted, visible)
        elif len(changed) or not np.array_equal(self._atlas.sizes, wanted):
            self._cancel()
            self._atlas.resize(wanted)
        for atlas in (self._atlas, self._former):
            atlas.forget(changed)

    @Slot(list)
    def _foci_changed(self, photos: list[int]) -> None:
        self._chosen_anew.update(photos)
        self._crop_again(photos)

    def _crop_again(self, photos: list[int]) -> None:
        """Have the crops of some photos computed again."""
        self._stale[[photo for photo in photos if photo < len(self._stale)]] = True
        self.crops_are_stale = True
        self.improved.emit()

    def _crop_for(self, photos: Photos, aspects: NDArray[np.floating]) -> Photos:
        """Compute which part of each photo its frame shows; gives the photos that show another part than before."""
        self.crops_are_stale = False
        other = np.flatnonzero(self._stale[photos] | ~(np.abs(self._aspects[photos] - aspects) < ASPECT_TOLERANCE))
        self._stale[photos] = False
        stale = photos[other]
        former, wanted = self._crops[stale], zip(stale.tolist(), aspects[other].tolist(), strict=True)
        crops = [self._photos.crop_of(photo, aspect) for photo, aspect in wanted]
        same_frame = np.abs(self._aspects[stale] - aspects[other]) < ASPECT_TOLERANCE
        self._crops[stale], self._aspects[stale] = np.array(crops).reshape(-1, 4), aspects[other]
        changed = (np.abs(former - self._crops[stale]) > ASPECT_TOLERANCE).any(axis=1)
        shifted = np.flatnonzero(changed & same_frame).tolist()
        self.recropped = {int(stale[k]): _box(former[k]) for k in shifted if int(stale[k]) in self._chosen_anew}
        self._chosen_anew.difference_update(stale.tolist())
        return stale[changed]

    def tiles(self, photos: Photos) -> Iterator[tuple[Photos, Tile]]:
        """The best tile of each photo, size by size: the places among `photos`, and their tiles (k, height, width)."""
        lacking = self._atlas.below(photos, ROUGH)
        if len(lacking):
            self._add_rough(np.unique(lacking))
        return self._atlas.take(photos)

    def is_sharp(self, photos: Photos) -> bool:
        """Whether all these photos have sharp tiles."""
        return not len(self._atlas.below(photos, SHARP))

    def sharpen(self, photos: Photos) -> None:
        """Build sharp tiles for these photos in the background, unless they are being built."""
        own = np.unique(photos[self._emblem[photos] < 0])
        blurred = set(self._atlas.below(own, SHARP).tolist())
        if not self._pending.issuperset(blurred):
            self._pending = blurred
            sources = {photo: (self._pixels(photo), self._crop(photo)) for photo in sorted(blurred)}
            self._build(JobKind.TILES, sources, SHARP)
        self._look_closer(self._atlas.below(own, DETAIL))

    def shown_part(self, photo: int) -> "Box":
        """The part of a photo that its tile shows."""
        aspect = float(self._aspects[photo])
        return self._photos.crop_of(photo, 1.0 if np.isnan(aspect) else aspect)

    def _crop(self, photo: int) -> "Box":
        return _box(self._crops[photo])

    def shown_box(self, photo: int) -> "Box | None":
        """The part of a photo that its tile is to show; None if it shows an emblem, or is not known yet."""
        unknown = self._emblem[photo] >= 0 or bool(np.isnan(self._crops[photo]).any())
        return None if unknown else self._crop(photo)

    def part(self, photo: int, width: int, height: int, box: "Box") -> Tile:
        """A part of a photo as a tile of any size (1, height, width), at once, while its size or crop changes."""
        tile = scaled(self._pixels(photo), width, height, box)[None]
        return Corners(width, height, self._radius, self._colours.background_number).round(tile)

    def _look_closer(self, photos: Photos) -> None:
        """Have the originals read of photos whose thumbnail is smaller than their tile, as in a panorama."""
        there = self._seen_size[photos] * (self._crops[photos, 2:] - self._crops[photos, :2])
        coarse = set(photos[(there < self._atlas.sizes[photos] - 1).all(axis=1)].tolist())
        if not self._asked.issuperset(coarse):
            self._asked = coarse
            parts = {photo: (self._crop(photo), *self._atlas.sizes[photo].tolist()) for photo in sorted(coarse)}
            self._details.request_parts(parts)

    def picture(self, photo: int, side: int) -> Tile:
        """A photo as one sharp square tile of any size, at once."""
        crop = self._photos.crop_of(photo, 1.0)
        return picture_tile(self._photos.pictures, photo, side, self._colours, self._ratio, crop)

    def _cancel(self) -> None:
        for kind in (JobKind.TILES, JobKind.DETAILS):  # results for smaller tiles would count as sharp
            self._jobs.cancel(kind)
        self._pending, self._asked = set(), set()

    def _start_atlas(self, sizes: Photos, visible: int = 0) -> None:
        self._cancel()
        self._atlas = Atlas(sizes, visible)
        self._corners = {}

    def _rounded(self, tiles: Tile) -> Tile:
        """Tiles of one size with round corners, changed in place."""
        height, width = tiles.shape[-2:]
        if (width, height) not in self._corners:
            self._corners[width, height] = Corners(width, height, self._radius, self._colours.background_number)
        return self._corners[width, height].round(tiles)

    def state(self, photo: int) -> str:
        """READY, LOADING, MISSING (no file) or DAMAGED (no picture in it)."""
        return self._photos.pictures.state(photo)

    @property
    def flaws(self) -> Mapping[int, str]:
        """What is missing of photos whose files are damaged."""
        return self._photos.pictures.flaws

    def is_remembered(self, photo: int) -> bool:
        """Whether a photo is missing and shown as it was last seen."""
        return self.state(photo) == MISSING and self._emblem[photo] < 0

    def _state(self, photo: int) -> int:
        state = self.state(photo)
        seen = state == READY or (state == MISSING and self._photos.pictures.look(photo) is not None)
        return -1 if seen else EMBLEMS.index(state)

    def _add_rough(self, photos: Photos) -> None:
        for emblem in np.unique(self._emblem[photos]):
            some = photos[self._emblem[photos] == emblem]
            for at, width, height in groups(self._atlas.sizes[some]):
                if emblem < 0:
                    self._add_blurred(some[at], width, height)
                else:
                    tile = self._rounded(emblem_tile(int(emblem), width, height, self._colours, self._ratio)[None])
                    self._atlas.put(some[at], np.broadcast_to(tile, (len(at), height, width)), SHARP)

    def _add_blurred(self, photos: Photos, width: int, height: int) -> None:
        """Add rough tiles of one size, made of the tiles of the former size or else of the smallest pictures."""
        unknown = self._former.below(photos, SHARP)
        known = np.setdiff1d(photos, unknown, assume_unique=True)
        for at, tiles in self._former.take(known):
            self._atlas.put(known[at], self._rounded(stretched(tiles, width, height)), ROUGH)
        if len(unknown):
            crops = np.nan_to_num(self._crops[unknown])
            rough = rough_parts(self._mini[unknown], crops, width, height)
            self._atlas.put(unknown, self._rounded(rough), ROUGH)

    def _shrink(self, photos: Iterable[int]) -> None:
        for photo in photos:
            pixels = self._photos.pictures.look(photo)
            if pixels is not None:
                self._mini[photo] = mini(pixels)
                self._seen_size[photo] = pixels.shape[1], pixels.shape[0]

    def _pixels(self, photo: int) -> Pixels:
        pixels = self._photos.pictures.look(photo)
        return np.zeros((1, 1, 4), np.uint8) if pixels is None else pixels

    def _build(self, kind: JobKind, sources: "dict[int, tuple[Pixels, Box]]", quality: int) -> None:
        """Scale parts of pictures to the sizes of their frames, in the background."""
        sizes, pictures, crops = self._atlas.sizes.copy(), self._photos.pictures, self._crops.copy()
        files = {photo: pictures.file(photo) for photo in sources}

        def work(task: Task) -> None:
            some: list[tuple[int, Tile]] = []
            pixels = 0
            for photo, (picture, crop) in sources.items():
                if task.stop():
                    return
                width, height = sizes[photo].tolist()
                if not width or not height:
                    continue
                some.append((photo, scaled(picture, width, height, crop)))
                pixels += width * height
                if pixels >= CHUNK_PIXELS:
                    task.send_now((some, quality))
                    some, pixels = [], 0
            if some:
                task.send_now((some, quality))

        def on_parts(parts: list[tuple[list[tuple[int, Tile]], int]]) -> None:
            there = [photo for photo in sources if photo < len(self._crops)]  # the others were removed by undo
            same = {photo for photo in there if np.array_equal(crops[photo], self._crops[photo])}
            self._tiles_built(parts, {photo: file for photo, file in files.items() if photo in same})

        self._jobs.start(kind, "", work, on_parts=on_parts, quiet=True)

    def _tiles_built(self, parts: list[tuple[list[tuple[int, Tile]], int]], files: "dict[int, Photo | None]") -> None:
        for built, quality in parts:
            still = [
                (photo, tile) for photo, tile in built if photo in files and self._is_wanted(photo, tile, files[photo])
            ]
            photos = np.array([photo for photo, _ in still], np.int64)
            for at, _, _ in groups(self._atlas.sizes[photos]):
                tiles = np.stack([still[place][1] for place in at.tolist()])
                self._atlas.put(photos[at], self._rounded(tiles), quality)
            self._pending.difference_update(photo for photo, _ in built)
        self.improved.emit()

    def _is_wanted(self, photo: int, tile: Tile, file: "Photo | None") -> bool:
        """Whether a tile has the size that its photo has now, and was made of the photo's present file."""
        fits = photo < len(self._emblem) and tile.shape[::-1] == tuple(self._atlas.sizes[photo].tolist())
        return fits and self._photos.pictures.file(photo) is file

    @Slot(list)
    def _pictures_changed(self, photos: list[int]) -> None:
        if photos and max(photos) >= len(self._emblem):
            self.refresh()
        self._emblem[photos] = [self._state(photo) for photo in photos]
        self._forget(np.array(photos, np.int64))
        self.improved.emit()

    def _forget(self, photos: Photos) -> None:
        """Have the tiles of these photos made again, because the photos look different."""
        self._shrink(photos.tolist())
        for atlas in (self._atlas, self._former):
            atlas.forget(photos)
        self._pending.difference_update(photos.tolist())
        self._asked.difference_update(photos.tolist())

    @Slot(dict)
    def _details_arrived(self, details: dict[int, Pixels]) -> None:
        """Build tiles of sharper pictures than thumbnails, which are few and large, so each delivery is one job."""
        useful = {photo: (pixels, WHOLE) for photo, pixels in details.items() if photo < len(self._emblem)}
        if useful:
            self._build(JobKind.DETAIL_TILES, useful, DETAIL)


def _box(crop: NDArray[np.floating]) -> "Box":
    left, top, right, bottom = crop.tolist()
    return left, top, right, bottom


def picture_tile(pictures: Pictures, photo: int, side: int, colours: CanvasColours, ratio: float, crop: "Box") -> Tile:
    """A part of a photo as a square tile, or the emblem of its state."""
    pixels = pictures.look(photo)
    if pixels is None:
        state = pictures.state(photo)
        return emblem_tile(EMBLEMS.index(LOADING if state == READY else state), side, side, colours, ratio)
    return scaled(pixels, side, side, crop)
