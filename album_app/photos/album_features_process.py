"""Features from a helper process: a window that imports torch itself stands still meanwhile."""

import os
from collections.abc import Sequence
from pathlib import Path

from album_app.language import mark
from album_app.photos.album import Photo, photos_of, rows_of
from album_app.photos.album_features import album_features
from album_app.photos.cache import Cache
from album_app.photos.features.extractor import Features
from album_app.photos.helper_process import Message, Say, answers_of, serve
from album_app.work import OnProgress, Stop, report


def extract_in_process(
    photos: Sequence[Photo],
    name: str,
    cache_folder: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Features:
    """`album_features` worked out by another process, with the cache in `cache_folder` (None: the usual one)."""
    request = {"photos": rows_of(photos), "features": name, "cache": cache_folder and os.fspath(cache_folder)}
    message: Message = {}
    for message in answers_of(__name__, request, mark("for features"), settings={"OMP_NUM_THREADS": "1"}, stop=stop):
        if "progress" in message:
            report(on_progress, *message["progress"])
    features: Features = message["arrays"][0]
    return features


def _work(request: Message, say: Say) -> None:
    """What the helper process does."""
    with Cache.open(Path(request["cache"]) if request["cache"] else None) as cache:
        features = album_features(
            photos_of(request["photos"]),
            request["features"],
            cache,
            on_progress=lambda done, total: say({"progress": (done, total)}),
        )
    say({}, features)


if __name__ == "__main__":
    serve(_work)
