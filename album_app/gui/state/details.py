"""Sharper pictures of the few photos in sight, from the cached thumbnail where it is large enough, else the file."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from album_app.file_names import undirected
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pixels, as_pixels
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.layout.captions import shot_words
from album_app.photos.album import Photo
from album_app.photos.cache import Cache
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.faces import Box
from album_app.photos.sandbox import decode, read_header
from album_app.photos.thumbnails import Thumbnail
from album_app.photos.walk import companions_of

Part = tuple[Box, int, int]
"""Which part of a photo is wanted, and its width and height in pixels."""
MOST_PIXELS_ALONE = 40_000_000
"""The most pixels that are decoded of a photo that is seen alone."""
MOST_PIXELS_FOR_A_PART = 12_000_000
"""The most pixels that are decoded of a photo for a part of it, so that the rest of a panorama does not fill memory."""


class Details(QObject):
    """Decodes photos off the GUI thread at the size they are wanted.

    Signals:
        arrived(dict[int, Pixels]): photo index -> its pixels
    """

    arrived = Signal(object)

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs, kind: JobKind = JobKind.DETAILS) -> None:
        super().__init__(session)
        self._session = session
        self._photos = photos
        self._jobs = jobs
        self._kind = kind  # canvas and tray have a kind each; a new request ends the one before of its kind

    def request(self, photos: Sequence[int], side: int) -> None:
        """Ask for photos cropped to squares of `side` pixels."""
        self.request_parts({photo: (self._photos.crop_of(photo, 1.0), side, side) for photo in photos})

    def request_parts(self, parts: Mapping[int, Part]) -> None:
        """Ask for parts of photos; an older request that is not done is given up."""
        wanted = self._readable(list(parts))
        part_of = [parts[index] for index, _ in wanted]

        def work(task: Task) -> None:
            read = read_parts([photo for _, photo in wanted], part_of)
            for (index, photo), pixels in zip(wanted, read, strict=True):
                if task.stop():
                    return
                if pixels is not None:
                    task.send((index, photo, pixels))

        def on_parts(parts: list[tuple[int, Photo, Pixels]]) -> None:
            pictures = self._photos.pictures
            self.arrived.emit({index: pixels for index, photo, pixels in parts if pictures.file(index) is photo})

        self._jobs.start(self._kind, "", work, on_parts=on_parts, quiet=True)

    def read(self, photo: int, side: int, on_read: Callable[[Pixels | None], None]) -> None:
        """Read one photo for the large view."""
        wanted = self._readable([photo])
        work = lambda: read_pixels(wanted[0][1], side) if wanted else None  # noqa: E731
        self._jobs.compute(JobKind.LARGE_VIEW, work, on_read)

    def read_camera(self, photo: int, on_read: Callable[[str], None]) -> None:
        """Find out with which camera a photo was taken, and which raw file or film lies next to it."""
        wanted = self._readable([photo])
        self._jobs.compute(JobKind.CAMERA, lambda: camera_and_companions(wanted[0][1]) if wanted else "", on_read)

    def stop_reading(self) -> None:
        """Stop reading for the large view, which was closed."""
        for kind in (JobKind.LARGE_VIEW, JobKind.CAMERA):
            self._jobs.cancel(kind)

    def _readable(self, photos: Sequence[int]) -> list[tuple[int, Photo]]:
        document = self._session.document
        if document is None:
            return []
        return [(photo, document.album.photos[photo]) for photo in photos if photo not in document.missing]


def camera_of(photo: Photo) -> str:
    """The camera of a photo and its settings; "" where the file does not name them."""
    try:
        header = read_header(photo.path)
        return " · ".join(filter(None, [header.camera, *shot_words(header.shot)]))
    except Undecodable:
        return ""


def camera_and_companions(photo: Photo) -> str:
    """The camera of a photo and the files that belong to the photo, in words; "" where neither is known."""
    found = companions_of([photo.path]).get(photo.path, [])
    names = ", ".join(undirected(file.name) for file in found)
    return " · ".join(filter(None, [camera_of(photo), tr("with {names}", names=names) if names else ""]))


def read_pixels(photo: Photo, side: int) -> Pixels | None:
    """A photo decoded to fit into a square of `side` pixels, a huge photo smaller; None if it cannot be read."""
    try:
        side = min(side, _longest_side(photo, MOST_PIXELS_ALONE))
        return as_pixels(np.asarray(decode(photo.path, (side, side))), side)
    except Undecodable:
        return None


def read_parts(photos: Sequence[Photo], parts: Sequence[Part]) -> Iterator[Pixels | None]:
    """The wanted part of each photo at its size, from its thumbnail in the cache if that is large enough."""
    with Cache.open() as cache:
        for photo, (crop, width, height) in zip(photos, parts, strict=True):
            (jpeg,) = cache.get_thumbnails([photo])
            known = Thumbnail(0, jpeg).pixels if jpeg else None
            found = None if known is None else _part(known, crop)
            if found is None or (found.shape[1] < width and found.shape[0] < height):
                yield read_part(photo, crop, width, height)
            else:
                covering = max(width / found.shape[1], height / found.shape[0]) * max(found.shape[:2])
                yield as_pixels(np.ascontiguousarray(found), math.ceil(covering))


def _part(picture: NDArray[Any], crop: Box) -> NDArray[Any]:
    height, width = picture.shape[:2]
    left, top, right, bottom = (round(share * side) for share, side in zip(crop, (width, height) * 2, strict=True))
    return picture[min(top, height - 1) : max(bottom, top + 1), min(left, width - 1) : max(right, left + 1)]


def read_part(
    photo: Photo, crop: Box, width: int, height: int, *, most_pixels: int = MOST_PIXELS_FOR_A_PART
) -> Pixels | None:
    """A part of a photo that covers a size, or is as large as the photo allows; None if the photo cannot be read.

    At most `most_pixels` are decoded of the whole photo.
    """
    across, down = width / max(1e-3, crop[2] - crop[0]), height / max(1e-3, crop[3] - crop[1])
    smaller = min(1.0, math.sqrt(most_pixels / max(1.0, across * down)))
    try:
        box = max(1, math.ceil(across * smaller)), max(1, math.ceil(down * smaller))
        found = _part(np.asarray(decode(photo.path, box, cover=True)), crop)
    except Undecodable:
        return None
    return as_pixels(np.ascontiguousarray(found), max(found.shape[:2]))


def _longest_side(photo: Photo, pixels: int) -> int:
    """The longer side of a photo that is reduced to at most this many pixels in all."""
    longer, shorter = max(photo.width, photo.height), max(1, min(photo.width, photo.height))
    return max(1, math.isqrt(pixels * longer // shorter))
