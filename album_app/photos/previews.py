"""The previews that cameras put into photos, for a first sheet before the photos themselves are read."""

from collections.abc import Generator, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from album_app.photos.album import Photo
from album_app.photos.in_threads import in_threads, tapering_batches
from album_app.photos.sandbox import previews
from album_app.work import Stop

LEAST_PIXELS = 1_500_000
"""Photos with fewer pixels are not asked for a preview: they are read nearly as fast."""
PHOTOS_AT_ONCE = 64

Pixels = NDArray[np.uint8]


def is_worth_a_preview(photo: Photo) -> bool:
    """Whether a preview of a photo would be there much sooner than its thumbnail."""
    return photo.width * photo.height >= LEAST_PIXELS


def stream_previews(
    photos: Sequence[Photo], *, threads: int = 2, stop: Stop | None = None
) -> Iterator[tuple[int, Pixels]]:
    """Yield the previews of photos that have one, by the places of the photos, roughly in order."""

    def work(batch: Sequence[int]) -> Generator[tuple[int, Pixels], None, None]:
        for place, pixels in zip(batch, previews([photos[place].path for place in batch]), strict=True):
            if pixels is not None:
                yield place, pixels

    return in_threads(work, tapering_batches(len(photos), PHOTOS_AT_ONCE), threads=threads, stop=stop)
