"""Photos in the size of their tiles: originals decoded again in threads, or thumbnails, with a stand-in."""

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from album_app.photos.album import Photo
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.sandbox import decode
from album_app.render.page.compose import Wanted
from album_app.render.painters.pixels import part_of
from album_app.work import Stop, check

OnMissing = Callable[[int, Undecodable], None]
"""Called with a photo that cannot be shown and why."""
Arrays = Mapping[int, NDArray[np.uint8]]
"""Photos by index, as (h, w, 3) arrays."""

THREADS = 2
TILES_AHEAD, PIXELS_AHEAD = 8, 16_000_000
"""Tiles that are decoded before they are needed, and their pixels together unless a single tile has more."""
SECONDS_BETWEEN_CHECKS = 0.05
"""How often a stop request is looked for while a tile is decoded."""


def originals(
    wanted: Mapping[int, Wanted],
    photos: Sequence[Photo],
    *,
    instead: Arrays | None = None,
    on_missing: OnMissing | None = None,
    stop: Stop | None = None,
) -> Iterator[tuple[int, Image.Image]]:
    """The wanted part of each photo, from its file or from an array given `instead`.

    A photo that cannot be read is left out and reported: its cell stays empty.
    """
    arrays = instead or {}
    pool = ThreadPoolExecutor(THREADS, thread_name_prefix="tiles")
    waiting: deque[tuple[int, Future[Image.Image]]] = deque()
    queue, pixels = deque(wanted), {photo: _pixels(photos[photo], wanted[photo]) for photo in wanted}
    try:
        while True:
            while queue and len(waiting) < TILES_AHEAD:
                photo = queue[0]
                if waiting and sum(pixels[other] for other, _ in waiting) + pixels[photo] > PIXELS_AHEAD:
                    break
                waiting.append((photo, pool.submit(_tile, photos[photo], arrays.get(photo), wanted[photo])))
                queue.popleft()
            if not waiting:
                return
            photo, future = waiting.popleft()
            try:
                yield photo, _wait(future, stop)
            except Undecodable as problem:
                if on_missing is not None:
                    on_missing(photo, problem)
    finally:
        # A stop is quick because nothing waits for a decoder that is busy with a huge file.
        pool.shutdown(wait=False, cancel_futures=True)


def _pixels(photo: Photo, wanted: Wanted) -> int:
    """The pixels of a photo in memory, at most: reading never enlarges it."""
    return min(photo.width * photo.height, math.prod(_whole_size(wanted)))


def thumbnails(
    wanted: Mapping[int, Wanted], arrays: Sequence[NDArray[np.uint8] | None], *, stop: Stop | None = None
) -> Iterator[tuple[int, Image.Image]]:
    """The wanted part of each photo from its thumbnail; a missing one becomes a stand-in."""
    for photo, part in wanted.items():
        check(stop)
        array = arrays[photo] if photo < len(arrays) else None
        yield photo, stand_in(part.width, part.height) if array is None else fitted(_coarse(array, part), part)


def _coarse(array: NDArray[np.uint8], wanted: Wanted) -> Image.Image:
    """An image of every k-th pixel that is at least four times as fine as its tile, to draw large previews quickly."""
    across, down = _whole_size(wanted)
    step = max(1, int(min(array.shape[1] / (4 * across), array.shape[0] / (4 * down))))
    return Image.fromarray(np.ascontiguousarray(array[::step, ::step]))


def _whole_size(wanted: Wanted) -> tuple[int, int]:
    """The size of the whole photo at which its wanted part has the wanted size."""
    left, top, right, bottom = wanted.part
    return math.ceil(wanted.width / max(1e-3, right - left)), math.ceil(wanted.height / max(1e-3, bottom - top))


def fitted(image: Image.Image, wanted: Wanted) -> Image.Image:
    """The wanted part of an image, reduced to the wanted size but never enlarged."""
    if wanted.inside:
        scale = min(wanted.width / image.width, wanted.height / image.height)
        if scale >= 1:
            return image
        size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        return image.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)
    left, top, right, bottom = (share * side for share, side in zip(wanted.part, image.size * 2, strict=True))
    if right - left <= wanted.width or bottom - top <= wanted.height:
        return part_of(image, wanted.part)
    size = wanted.width, wanted.height
    return image.resize(size, Image.Resampling.BICUBIC, box=(left, top, right, bottom), reducing_gap=2.0)


@lru_cache(maxsize=4)
def stand_in(width: int, height: int) -> Image.Image:
    """A grey tile with hills and a sun, in place of a photo that cannot be shown."""
    side = min(width, height)
    large = max(4, min(side, 512)) * 2
    image = Image.new("RGB", (large, large), (222, 222, 219))
    draw = ImageDraw.Draw(image)

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x * large, y * large) for x, y in points]

    ink = (190, 190, 186)
    draw.ellipse(at((0.60, 0.28), (0.72, 0.40)), fill=ink)
    draw.polygon(at((0.22, 0.70), (0.42, 0.40), (0.62, 0.70)), fill=ink)
    draw.polygon(at((0.48, 0.70), (0.63, 0.50), (0.78, 0.70)), fill=ink)
    tile = Image.new("RGB", (max(1, width), max(1, height)), (222, 222, 219))
    emblem = image.resize((max(1, side), max(1, side)), Image.Resampling.BICUBIC)
    tile.paste(emblem, ((width - side) // 2, (height - side) // 2))
    return tile


def _tile(photo: Photo, instead: NDArray[np.uint8] | None, wanted: Wanted) -> Image.Image:
    if instead is not None:
        return fitted(_coarse(instead, wanted), wanted)
    image = fitted(decode(photo.path, _whole_size(wanted), cover=not wanted.inside), wanted)
    image.info = {}  # otherwise Pillow would copy a camera's comment into the sheet
    return image


def _wait(future: "Future[Image.Image]", stop: Stop | None) -> Image.Image:
    check(stop)
    while not future.done():
        wait([future], SECONDS_BETWEEN_CHECKS)
        check(stop)
    return future.result()
