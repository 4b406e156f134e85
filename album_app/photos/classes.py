"""Which of ImageNet's classes photos show: the ten likeliest of each, from the cache or from the semantic features."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from album_app.language import mark
from album_app.photos.album import CachedPhotos, Photo
from album_app.photos.album_features import album_rows
from album_app.photos.cache import Cache, FileState
from album_app.photos.features.extractor import Features
from album_app.photos.features.lite0 import CLASSES_KEY, KEPT_CLASSES, Lite0
from album_app.photos.helper_process import ONE_THREAD, answers_of
from album_app.work import OnProgress, Stop


@dataclass(frozen=True, eq=False)
class Classes:
    """The likeliest classes of photos, (n, 10), and their probabilities, zeros for photos that nothing is known of."""

    numbers: NDArray[np.int16]
    probabilities: NDArray[np.float32]

    @classmethod
    def of(cls, rows: Sequence[Features | None]) -> "Classes":
        """Classes from rows of the cache."""
        empty = np.zeros(2 * KEPT_CLASSES, np.float32)
        table = np.stack([empty if row is None else row for row in rows]) if rows else np.empty((0, len(empty)))
        numbers, probabilities = np.split(table, 2, axis=1)
        return cls(numbers.astype(np.int16), probabilities.astype(np.float32))

    def __len__(self) -> int:
        return len(self.numbers)

    def probability_of(self, classes: frozenset[int]) -> NDArray[np.float32]:
        """How likely each photo is to show one of these classes."""
        wanted = np.isin(self.numbers, list(classes))
        total: NDArray[np.float32] = np.where(wanted, self.probabilities, 0).sum(axis=1, dtype=np.float32)
        return total


def known_classes(photos: Sequence[FileState], cache: Cache) -> list[Features | None]:
    """The rows of classes that the cache has."""
    found = cache.get_features(photos, CLASSES_KEY)
    return [row if row is not None and len(row) == 2 * KEPT_CLASSES else None for row in found]


def classes_of(
    photos: Sequence[Photo],
    cache_folder: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Classes:
    """The likeliest classes of photos; a helper process looks at those that the cache does not know."""
    with Cache.open(cache_folder) as cache:
        rows = known_classes(photos, cache)
    unknown = [place for place, row in enumerate(rows) if row is None]
    if unknown:
        request = CachedPhotos(tuple(photos[place] for place in unknown), cache_folder)
        (found,) = answers_of(
            look_at_photos,
            request,
            mark("for features"),
            settings=ONE_THREAD,
            on_progress=on_progress,
            stop=stop,
        )
        for place, row in found.items():
            rows[unknown[place]] = row
    return Classes.of(rows)


def look_at_photos(request: CachedPhotos, on_progress: OnProgress) -> Iterator[dict[int, NDArray[np.float32]]]:
    """In a helper process: the rows of classes by place, of photos that can be read; the cache then knows them."""
    photos = request.photos
    network = Lite0()
    with Cache.open(request.cache_folder) as cache:
        found = album_rows(photos, network, cache, on_progress=on_progress)
        places = [place for place, row in enumerate(found) if row is not None]
        known = [row for row in found if row is not None]
        rows = (
            network.by_products(np.stack(known))[CLASSES_KEY] if known else np.empty((0, 2 * KEPT_CLASSES), np.float32)
        )
        cache.put_features([photos[place] for place in places], CLASSES_KEY, rows)
    yield dict(zip(places, rows, strict=True))
