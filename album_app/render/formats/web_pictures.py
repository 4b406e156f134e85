"""How large and how good the pictures of a web page are, so that the page keeps to its size."""

import math
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from io import BytesIO

from PIL import Image

SIDES = (1024, 768, 512, 384, 256, 192, 128)
"""How large a photo can be seen, at most."""
LEAST_BITS = 0.25  # for each pixel; with fewer, a smaller picture looks better
SHAPE = 2 / 3  # of a square's area that a usual photo has
BASE64 = 3 / 4  # of what stands in the file is picture
FOR_PHOTOS = 0.8  # the rest is for the overview and the words
FOR_OVERVIEW = 0.15
TRIAL = 50
GROWTH = 0.0188  # of a picture's logarithm of bytes with each step of quality
SMALLEST = 16
THREADS = 2
AHEAD = 4  # photos squeezed at a time


def usual_megabytes(photos: int) -> float:
    """12 for 320 photos, 60 for 10,000, fewer for few."""
    if photos <= 320:
        return 2 + 10 * photos / 320
    return 12 + 48 * (photos - 320) / 9680


@dataclass
class Purse:
    """Bytes for the photos that are still to come: what one leaves over is shared among the others."""

    left: float
    photos: int

    @classmethod
    def of(cls, megabytes: float, photos: int) -> "Purse":
        return cls(megabytes * 1e6 * BASE64 * FOR_PHOTOS, photos)

    @property
    def share(self) -> int:
        """What the next photo may take."""
        return int(self.left / max(1, self.photos))

    @property
    def side(self) -> int:
        """The longest side of a photo that such a share shows well."""
        pixels = 8 * self.share / LEAST_BITS
        return next((side for side in SIDES if side * side * SHAPE <= pixels), SIDES[-1])

    def take(self) -> int:
        """The next photo's share, which is its own until some of it is given back."""
        share = self.share
        self.left -= share
        self.photos -= 1
        return share

    def give_back(self, unused: int) -> None:
        self.left += unused


class Squeezer:
    """Squeezes photos in threads, a few at a time; they come out in order, the same whichever thread is faster."""

    def __init__(self, purse: Purse, quality: int) -> None:
        self._purse, self._quality = purse, quality
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="squeeze")
        self._waiting: deque[tuple[int, Future[bytes]]] = deque()

    def add(self, image: Image.Image) -> Iterator[bytes]:
        """Take one more photo, and give those whose turn it is."""
        while len(self._waiting) >= AHEAD:
            yield self._next()
        share = self._purse.take()
        self._waiting.append((share, self._pool.submit(squeezed, image, self._quality, share)))

    def rest(self) -> Iterator[bytes]:
        """Give the last ones."""
        while self._waiting:
            yield self._next()
        self._pool.shutdown()

    def _next(self) -> bytes:
        share, future = self._waiting.popleft()
        data = future.result()
        self._purse.give_back(share - len(data))
        return data


def squeezed(image: Image.Image, quality: int, most: float) -> bytes:
    """A picture as WebP of at most so many bytes, as good as they allow; smaller where nothing else helps."""
    data = best_within(partial(_webp, image), quality, most)
    if len(data) <= most or max(image.size) <= SMALLEST:
        return data
    return squeezed(image.reduce(2), quality, most)


def best_within(encode: Callable[[int], bytes], quality: int, most: float) -> bytes:
    """What is encoded with the best quality, none better than asked for, that takes at most so many bytes."""
    trial = encode(min(quality, TRIAL))
    wanted = TRIAL + math.log(max(1.0, most) / len(trial)) / GROWTH
    if quality <= TRIAL and len(trial) <= most:
        return trial
    for attempt in (wanted, wanted - 8, wanted - 25, 1):
        data = encode(max(1, min(quality, int(attempt))))
        if len(data) <= most:
            break
    return data


def _webp(image: Image.Image, quality: int) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "WEBP", quality=quality, method=2)
    return buffer.getvalue()
