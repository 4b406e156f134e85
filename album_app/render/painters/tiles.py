"""Photos fitted to their tiles: originals decoded again in threads, or thumbnails, with a stand-in."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from album_app.photos.album import Photo
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.sandbox import decode
from album_app.work import Stop, check

OnMissing = Callable[[int, Undecodable], None]
"""Called with a photo that cannot be shown and why."""
Arrays = Mapping[int, NDArray[np.uint8]]
"""Photos by index, as (h, w, 3) arrays."""

THREADS = 2
AHEAD = 8  # tiles decoded before they are needed
SECONDS_BETWEEN_CHECKS = 0.05


def originals(
    shown: Iterable[int],
    photos: Sequence[Photo],
    side: int,
    fit: str,
    *,
    instead: Arrays | None = None,
    on_missing: OnMissing | None = None,
    stop: Stop | None = None,
) -> Iterator[tuple[int, Image.Image]]:
    """Each photo from its file, or from an array given `instead`, fitted to a square tile; what cannot be read is told.

    A photo that cannot be read is left out: its cell stays empty.
    """
    arrays = instead or {}
    pool = ThreadPoolExecutor(THREADS, thread_name_prefix="tiles")
    waiting: deque[tuple[int, Future[Image.Image]]] = deque()
    queue = iter(shown)
    try:
        while True:
            while len(waiting) < AHEAD and (photo := next(queue, None)) is not None:
                waiting.append((photo, pool.submit(_tile, photos[photo], arrays.get(photo), side, fit)))
            if not waiting:
                return
            photo, future = waiting.popleft()
            try:
                yield photo, _wait(future, stop)
            except Undecodable as problem:
                if on_missing is not None:
                    on_missing(photo, problem)
    finally:
        # Not waiting for a decoder that is busy with a huge file is what makes a stop quick.
        pool.shutdown(wait=False, cancel_futures=True)


def thumbnails(
    shown: Iterable[int],
    arrays: Sequence[NDArray[np.uint8] | None],
    side: int,
    fit: str,
    *,
    stop: Stop | None = None,
) -> Iterator[tuple[int, Image.Image]]:
    """Each photo from its thumbnail, fitted to a square tile; a missing one becomes a stand-in."""
    for photo in shown:
        check(stop)
        array = arrays[photo] if photo < len(arrays) else None
        yield photo, stand_in(side) if array is None else fitted(_coarse(array, side), side, fit)


def _coarse(array: NDArray[np.uint8], side: int) -> Image.Image:
    """An image of every k-th pixel, still four times as fine as a tile: previews of thousands are quick that way."""
    step = max(1, min(array.shape[:2]) // (4 * side))
    return Image.fromarray(np.ascontiguousarray(array[::step, ::step]))


def fitted(image: Image.Image, side: int, fit: str) -> Image.Image:
    """The middle square of an image, or the whole of it, reduced to a tile; never enlarged."""
    if fit == "crop":
        width, height = image.size
        edge = min(width, height)
        left, top = (width - edge) // 2, (height - edge) // 2
        box = (left, top, left + edge, top + edge)
        if edge <= side:
            return image.crop(box)
        return image.resize((side, side), Image.Resampling.BICUBIC, box=box, reducing_gap=2.0)
    scale = side / max(image.size)
    if scale >= 1:
        return image
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)


@lru_cache(maxsize=4)
def stand_in(side: int) -> Image.Image:
    """A quiet grey tile with hills and a sun, for a photo that cannot be shown."""
    large = max(4, min(side, 512)) * 2
    image = Image.new("RGB", (large, large), (222, 222, 219))
    draw = ImageDraw.Draw(image)

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x * large, y * large) for x, y in points]

    ink = (190, 190, 186)
    draw.ellipse(at((0.60, 0.28), (0.72, 0.40)), fill=ink)
    draw.polygon(at((0.22, 0.70), (0.42, 0.40), (0.62, 0.70)), fill=ink)
    draw.polygon(at((0.48, 0.70), (0.63, 0.50), (0.78, 0.70)), fill=ink)
    return image.resize((max(1, side), max(1, side)), Image.Resampling.BICUBIC)


def _tile(photo: Photo, instead: NDArray[np.uint8] | None, side: int, fit: str) -> Image.Image:
    if instead is not None:
        return fitted(_coarse(instead, side), side, fit)
    image = fitted(decode(photo.path, (side, side), cover=fit == "crop"), side, fit)
    image.info = {}  # or Pillow would pass a camera's comment on
    return image


def _wait(future: "Future[Image.Image]", stop: Stop | None) -> Image.Image:
    check(stop)
    while not future.done():
        wait([future], SECONDS_BETWEEN_CHECKS)
        check(stop)
    return future.result()
